/*
 * Shuts a file system down, as ext4 does when its disk is lost: `shutdown <folder>`. Every access is an error from then on.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>

int main(int count, char **words) {
  uint32_t without_flushing = 2;
  int folder = count == 2 ? open(words[1], O_RDONLY) : -1;
  if (folder >= 0 && ioctl(folder, _IOR('X', 125, uint32_t), &without_flushing) == 0) return 0;
  perror("shutdown");
  return 1;
}
