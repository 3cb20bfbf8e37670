/*
 * A disk that fails on command. Between a service and the files of DISK_FOLDER: while DISK_FOLDER/fail-write exists, writing
 * is EIO; with fail-sync, syncing is; with DISK_NEVER_SYNCS in the environment syncing says that it has, and has not.
 * While there is a symbolic link DISK_FOLDER/fail-at to "<n> once" or "<n> on", the nth call from then on is EIO, or each
 * from the nth on; the link DISK_FOLDER/failed tells that one was.
 * cc -shared -fPIC -o disk.so disk.c -ldl; LD_PRELOAD.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_int calls;

/* Whether the file is in the folder. */
static int is_in(const char *folder, int file) {
  char link[64], path[4096];
  ssize_t length;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  length = readlink(link, path, sizeof path - 1);
  return length > 0 && strncmp(path, folder, strlen(folder)) == 0;
}

/* Whether this call is one that fails, by its number. */
static int fails_by_number(const char *folder, int file) {
  char link[4096], when[64];
  int number;
  ssize_t length;
  snprintf(link, sizeof link, "%s/fail-at", folder);
  length = readlink(link, when, sizeof when - 1);
  if (length <= 0) {
    calls = 0;
    return 0;
  }
  if (!is_in(folder, file)) return 0;
  when[length] = 0;
  number = ++calls;
  if (number < atoi(when) || (number > atoi(when) && strstr(when, "once"))) return 0;
  snprintf(link, sizeof link, "%s/failed", folder);
  if (symlink("yes", link) != 0) errno = 0;
  return 1;
}

/* Whether the fault is in force for a file of the folder. */
static int fails(int file, const char *fault) {
  const char *folder = getenv("DISK_FOLDER");
  char flag[4096];
  int before = errno;
  if (folder == NULL) return 0;
  if (fails_by_number(folder, file)) return 1;
  errno = before;
  if (fault == NULL) return 0;
  snprintf(flag, sizeof flag, "%s/%s", folder, fault);
  if (access(flag, F_OK) != 0) {
    errno = before;
    return 0;
  }
  return is_in(folder, file);
}

#define REAL(name) dlsym(RTLD_NEXT, name)
#define FAIL_WHEN(file, fault) \
  if (fails(file, fault)) {    \
    errno = EIO;               \
    return -1;                 \
  }

ssize_t read(int file, void *bytes, size_t count) {
  FAIL_WHEN(file, NULL)
  return ((ssize_t(*)(int, void *, size_t))REAL("read"))(file, bytes, count);
}

ssize_t pread(int file, void *bytes, size_t count, off_t at) {
  FAIL_WHEN(file, NULL)
  return ((ssize_t(*)(int, void *, size_t, off_t))REAL("pread"))(file, bytes, count, at);
}

ssize_t pread64(int file, void *bytes, size_t count, off64_t at) {
  FAIL_WHEN(file, NULL)
  return ((ssize_t(*)(int, void *, size_t, off64_t))REAL("pread64"))(file, bytes, count, at);
}

int ftruncate(int file, off_t length) {
  FAIL_WHEN(file, NULL)
  return ((int (*)(int, off_t))REAL("ftruncate"))(file, length);
}

int ftruncate64(int file, off64_t length) {
  FAIL_WHEN(file, NULL)
  return ((int (*)(int, off64_t))REAL("ftruncate64"))(file, length);
}

ssize_t write(int file, const void *bytes, size_t count) {
  FAIL_WHEN(file, "fail-write")
  return ((ssize_t(*)(int, const void *, size_t))REAL("write"))(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
  FAIL_WHEN(file, "fail-write")
  return ((ssize_t(*)(int, const void *, size_t, off_t))REAL("pwrite"))(file, bytes, count, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
  FAIL_WHEN(file, "fail-write")
  return ((ssize_t(*)(int, const void *, size_t, off64_t))REAL("pwrite64"))(file, bytes, count, at);
}

static int synced(int file, const char *name) {
  FAIL_WHEN(file, "fail-sync")
  if (getenv("DISK_NEVER_SYNCS") != NULL) return 0;
  return ((int (*)(int))REAL(name))(file);
}

int fsync(int file) { return synced(file, "fsync"); }
int fdatasync(int file) { return synced(file, "fdatasync"); }
