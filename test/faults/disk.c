/*
 * A disk that fails on command. Between a service and the files of DISK_FOLDER: while DISK_FOLDER/fail-write exists, writing
 * is EIO; with fail-sync, syncing is; with DISK_NEVER_SYNCS in the environment syncing says that it has, and has not.
 * cc -shared -fPIC -o disk.so disk.c -ldl; LD_PRELOAD.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* Whether the file is in the folder and the fault is in force. */
static int fails(int file, const char *fault) {
  const char *folder = getenv("DISK_FOLDER");
  char link[64], path[4096], flag[4096];
  ssize_t length;
  if (folder == NULL) return 0;
  snprintf(flag, sizeof flag, "%s/%s", folder, fault);
  if (access(flag, F_OK) != 0) {
    errno = 0;
    return 0;
  }
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  length = readlink(link, path, sizeof path - 1);
  return length > 0 && strncmp(path, folder, strlen(folder)) == 0;
}

#define REAL(name) dlsym(RTLD_NEXT, name)
#define FAIL_WHEN(file, fault) \
  if (fails(file, fault)) {    \
    errno = EIO;               \
    return -1;                 \
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
