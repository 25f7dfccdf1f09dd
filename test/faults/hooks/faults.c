/*
 * A disk that hangs, fails or fills, and a machine that forks no more: preloaded into the programs under test (see faults.ts).
 * VITRINE_FAULTS names a file of rules, one a line, read anew at every call: "<fault> <from> <path prefix>". A rule holds for calls on
 * paths with that prefix, from the process's <from>-th such call on; `kill` and the errors count changing calls only.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))real(#name))
enum { LOOKS = 0, CHANGES = 1 };

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

static atomic_int changes;

static int rules(char *text, int size) {
  const char *file = getenv("VITRINE_FAULTS");
  if (!file) return 0;
  int fd = syscall(SYS_openat, AT_FDCWD, file, O_RDONLY | O_CLOEXEC, 0);
  if (fd < 0) return 0;
  int n = syscall(SYS_read, fd, text, size - 1);
  syscall(SYS_close, fd);
  if (n <= 0) return 0;
  text[n] = 0;
  return 1;
}

/** 0: nothing is wrong; else -1, with errno set. Does not return from a hang while its rule stands. */
static int fault(const char *path, int kind) {
  char text[4096];
  static __thread int inside;
  if (inside || !path || !rules(text, sizeof text)) return 0;
  inside = 1;
  int counted = -1, result = 0;
  for (char *save, *line = strtok_r(text, "\n", &save); line && !result; line = strtok_r(NULL, "\n", &save)) {
    char what[16], prefix[PATH_MAX];
    int from;
    if (sscanf(line, "%15s %d %4095[^\n]", what, &from, prefix) != 3 || strncmp(path, prefix, strlen(prefix))) continue;
    if (!strcmp(what, "hang")) {
      for (;;) {
        char now[4096];
        if (!rules(now, sizeof now) || !strstr(now, line)) break;
        usleep(20000);
      }
      continue;
    }
    if (!strcmp(what, "eio-all")) { errno = EIO; result = -1; continue; }
    if (kind != CHANGES) continue;
    if (counted < 0) counted = atomic_fetch_add(&changes, 1) + 1;
    if (counted < from || (!strcmp(what, "eio-once") && counted > from)) continue;
    if (!strcmp(what, "kill")) kill(getpid(), SIGKILL);
    errno = !strcmp(what, "enospc") ? ENOSPC : !strcmp(what, "erofs") ? EROFS : EIO;
    result = -1;
  }
  inside = 0;
  return result;
}

static int faultAt(int dir, const char *path, int kind) {
  char whole[PATH_MAX * 2];
  if (!path) return 0;
  if (path[0] == '/') return fault(path, kind);
  if (dir == AT_FDCWD) {
    if (!getcwd(whole, PATH_MAX)) return 0;
  } else {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", dir);
    ssize_t n = syscall(SYS_readlinkat, AT_FDCWD, link, whole, PATH_MAX);
    if (n < 0) return 0;
    whole[n] = 0;
  }
  strcat(whole, "/");
  strncat(whole, path, PATH_MAX - 1);
  return fault(whole, kind);
}

static int faultOf(int fd, int kind) {
  char link[64], path[PATH_MAX];
  int kept = errno;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  errno = kept;
  if (n <= 0 || path[0] != '/') return 0;
  path[n] = 0;
  return fault(path, kind);
}

static int opens(int flags) { return flags & (O_CREAT | O_TRUNC) ? CHANGES : LOOKS; }

#define OPEN(name)                                                   \
  int name(const char *path, int flags, ...) {                       \
    va_list more;                                                    \
    va_start(more, flags);                                           \
    mode_t mode = va_arg(more, mode_t);                              \
    va_end(more);                                                    \
    return faultAt(AT_FDCWD, path, opens(flags)) ? -1 : REAL(name)(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)
#define OPENAT(name)                                                 \
  int name(int dir, const char *path, int flags, ...) {              \
    va_list more;                                                    \
    va_start(more, flags);                                           \
    mode_t mode = va_arg(more, mode_t);                              \
    va_end(more);                                                    \
    return faultAt(dir, path, opens(flags)) ? -1 : REAL(name)(dir, path, flags, mode); \
  }
OPENAT(openat)
OPENAT(openat64)

#define ON_FD(type, name, kind, params, args) \
  type name params { return faultOf(fd, kind) ? -1 : REAL(name) args; }
ON_FD(ssize_t, write, CHANGES, (int fd, const void *b, size_t n), (fd, b, n))
ON_FD(ssize_t, pwrite, CHANGES, (int fd, const void *b, size_t n, off_t o), (fd, b, n, o))
ON_FD(ssize_t, pwrite64, CHANGES, (int fd, const void *b, size_t n, off64_t o), (fd, b, n, o))
ON_FD(ssize_t, writev, CHANGES, (int fd, const struct iovec *v, int n), (fd, v, n))
ON_FD(ssize_t, pwritev, CHANGES, (int fd, const struct iovec *v, int n, off_t o), (fd, v, n, o))
ON_FD(ssize_t, read, LOOKS, (int fd, void *b, size_t n), (fd, b, n))
ON_FD(ssize_t, pread, LOOKS, (int fd, void *b, size_t n, off_t o), (fd, b, n, o))
ON_FD(ssize_t, pread64, LOOKS, (int fd, void *b, size_t n, off64_t o), (fd, b, n, o))
ON_FD(int, fsync, CHANGES, (int fd), (fd))
ON_FD(int, fdatasync, CHANGES, (int fd), (fd))
ON_FD(int, ftruncate, CHANGES, (int fd, off_t n), (fd, n))
ON_FD(int, ftruncate64, CHANGES, (int fd, off64_t n), (fd, n))
ON_FD(int, fallocate, CHANGES, (int fd, int m, off_t o, off_t n), (fd, m, o, n))
ON_FD(int, fallocate64, CHANGES, (int fd, int m, off64_t o, off64_t n), (fd, m, o, n))

#define ON_PATH(type, failed, name, kind, params, args) \
  type name params { return faultAt(AT_FDCWD, path, kind) ? failed : REAL(name) args; }
ON_PATH(int, -1, mkdir, CHANGES, (const char *path, mode_t m), (path, m))
ON_PATH(int, -1, rmdir, CHANGES, (const char *path), (path))
ON_PATH(int, -1, unlink, CHANGES, (const char *path), (path))
ON_PATH(int, -1, remove, CHANGES, (const char *path), (path))
ON_PATH(int, -1, chmod, CHANGES, (const char *path, mode_t m), (path, m))
ON_PATH(int, -1, access, LOOKS, (const char *path, int m), (path, m))
ON_PATH(int, -1, stat, LOOKS, (const char *path, struct stat *s), (path, s))
ON_PATH(int, -1, stat64, LOOKS, (const char *path, struct stat64 *s), (path, s))
ON_PATH(int, -1, lstat, LOOKS, (const char *path, struct stat *s), (path, s))
ON_PATH(int, -1, lstat64, LOOKS, (const char *path, struct stat64 *s), (path, s))
ON_PATH(int, -1, statfs, LOOKS, (const char *path, struct statfs *s), (path, s))
ON_PATH(int, -1, statfs64, LOOKS, (const char *path, struct statfs64 *s), (path, s))
ON_PATH(int, -1, statvfs, LOOKS, (const char *path, struct statvfs *s), (path, s))
ON_PATH(DIR *, NULL, opendir, LOOKS, (const char *path), (path))
ON_PATH(int, -1, scandir, LOOKS,
        (const char *path, struct dirent ***l, int (*f)(const struct dirent *), int (*c)(const struct dirent **, const struct dirent **)), (path, l, f, c))
ON_PATH(int, -1, scandir64, LOOKS,
        (const char *path, struct dirent64 ***l, int (*f)(const struct dirent64 *), int (*c)(const struct dirent64 **, const struct dirent64 **)), (path, l, f, c))

int rename(const char *from, const char *to) { return faultAt(AT_FDCWD, to, CHANGES) ? -1 : REAL(rename)(from, to); }
int link(const char *from, const char *to) { return faultAt(AT_FDCWD, to, CHANGES) ? -1 : REAL(link)(from, to); }
int unlinkat(int dir, const char *path, int flags) { return faultAt(dir, path, CHANGES) ? -1 : REAL(unlinkat)(dir, path, flags); }

/* libuv asks for statx and copy_file_range by number. */
long syscall(long number, ...) {
  va_list more;
  va_start(more, number);
  long a = va_arg(more, long), b = va_arg(more, long), c = va_arg(more, long), d = va_arg(more, long), e = va_arg(more, long), f = va_arg(more, long);
  va_end(more);
  if (number == SYS_statx && faultAt((int)a, (const char *)b, LOOKS)) return -1;
  if (number == SYS_copy_file_range && faultOf((int)c, CHANGES)) return -1;
  return REAL(syscall)(number, a, b, c, d, e, f);
}
int statx(int dir, const char *path, int flags, unsigned mask, struct statx *s) { return faultAt(dir, path, LOOKS) ? -1 : REAL(statx)(dir, path, flags, mask, s); }

static int noFork(void) {
  char text[4096];
  if (!rules(text, sizeof text) || !strstr(text, "no-fork")) return 0;
  errno = EAGAIN;
  return -1;
}
/** Of a machine that is out of threads. */
int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*begin)(void *), void *with) {
  char text[4096];
  if (rules(text, sizeof text) && strstr(text, "no-thread")) return EAGAIN;
  return REAL(pthread_create)(thread, how, begin, with);
}
pid_t fork(void) { return noFork() ? -1 : REAL(fork)(); }
pid_t vfork(void) { return noFork() ? -1 : REAL(fork)(); }
