/* A disk on which every sync takes FSYNC_US microseconds: cc -shared -fPIC -o slow-fsync.so slow-fsync.c -ldl, LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static int slowly(const char *name, int file) {
  int (*sync)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  usleep(atoi(getenv("FSYNC_US")));
  return sync(file);
}

int fsync(int file) { return slowly("fsync", file); }
int fdatasync(int file) { return slowly("fdatasync", file); }
