/*
 * A disk that hangs, fails or fills, and a machine that forks no more: preloaded into the programs under test (see faults.ts).
 * VITRINE_FAULTS names a file of rules, one a line, read anew at every call: "<fault> <from> <path prefix>". A rule holds for calls on
 * paths with that prefix, from the process's <from>-th such call on; `kill` and the errors count changing calls only.
 * VITRINE_DIARY names a file that gets a line for each change that was made: what a disk would have to remember.
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

/** Of a path below an open folder, as openat and its like take it; 0: there is none. */
static int wholePath(int dir, const char *path, char *whole) {
  if (path[0] == '/') {
    strncpy(whole, path, PATH_MAX);
    return 1;
  }
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
  return 1;
}

static int faultAt(int dir, const char *path, int kind) {
  char whole[PATH_MAX * 2];
  return path && wholePath(dir, path, whole) ? fault(whole, kind) : 0;
}

/** A line of VITRINE_DIARY for a change that was made: what, where (hex), and two more words. */
static void diary(const char *what, const char *path, const char *more, const void *bytes, size_t n) {
  const char *file = getenv("VITRINE_DIARY");
  int kept = errno;
  if (!file) return;
  size_t size = strlen(what) + 2 * strlen(path) + strlen(more) + 2 * n + 8;
  char *line = malloc(size), *at = line;
  at += sprintf(at, "%s ", what);
  for (const char *c = path; *c; c++) at += sprintf(at, "%02x", (unsigned char)*c);
  at += sprintf(at, " %s ", *more ? more : "-");
  for (size_t i = 0; i < n; i++) at += sprintf(at, "%02x", ((const unsigned char *)bytes)[i]);
  *at++ = '\n';
  int fd = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd >= 0) {
    syscall(SYS_write, fd, line, at - line);
    syscall(SYS_close, fd);
  }
  free(line);
  errno = kept;
}
static void diaryAt(const char *what, int dir, const char *path, const char *more) {
  char whole[PATH_MAX * 2];
  if (getenv("VITRINE_DIARY") && wholePath(dir, path, whole)) diary(what, whole, more, "", 0);
}
/** @param at where the bytes begin; negative: they end where the file stands now */
static void diaryOf(const char *what, int fd, long at, const void *bytes, size_t n) {
  char link[64], path[PATH_MAX], more[32];
  if (!getenv("VITRINE_DIARY")) return;
  int kept = errno;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  if (length > 0 && path[0] == '/') {
    path[length] = 0;
    snprintf(more, sizeof more, "%ld", at >= 0 ? at : (long)lseek(fd, 0, SEEK_CUR) - (long)n);
    diary(what, path, more, bytes, n);
  }
  errno = kept;
}
static int opened(int fd, int dir, const char *path, int flags) {
  if (fd >= 0 && flags & (O_CREAT | O_TRUNC)) diaryAt("open", dir, path, flags & O_TRUNC ? "empty" : "-");
  return fd;
}
static ssize_t wrote(ssize_t n, int fd, const void *bytes, long at) {
  if (n > 0) diaryOf("write", fd, at, bytes, n);
  return n;
}
static int done(int result, const char *what, int dir, const char *path, const char *more) {
  if (result == 0) diaryAt(what, dir, path, more);
  return result;
}
static int moved(int result, int fromDir, const char *from, int dir, const char *to) {
  char whole[PATH_MAX * 2], hex[PATH_MAX * 4 + 1];
  if (result == 0 && getenv("VITRINE_DIARY") && wholePath(dir, to, whole)) {
    for (size_t i = 0; whole[i]; i++) sprintf(hex + 2 * i, "%02x", (unsigned char)whole[i]);
    diaryAt("rename", fromDir, from, hex);
  }
  return result;
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
    return faultAt(AT_FDCWD, path, opens(flags)) ? -1 : opened(REAL(name)(path, flags, mode), AT_FDCWD, path, flags); \
  }
OPEN(open)
OPEN(open64)
#define OPENAT(name)                                                 \
  int name(int dir, const char *path, int flags, ...) {              \
    va_list more;                                                    \
    va_start(more, flags);                                           \
    mode_t mode = va_arg(more, mode_t);                              \
    va_end(more);                                                    \
    return faultAt(dir, path, opens(flags)) ? -1 : opened(REAL(name)(dir, path, flags, mode), dir, path, flags); \
  }
OPENAT(openat)
OPENAT(openat64)

#define ON_FD(type, name, kind, params, args) \
  type name params { return faultOf(fd, kind) ? -1 : REAL(name) args; }
ssize_t write(int fd, const void *b, size_t n) { return faultOf(fd, CHANGES) ? -1 : wrote(REAL(write)(fd, b, n), fd, b, -1); }
ssize_t pwrite(int fd, const void *b, size_t n, off_t o) { return faultOf(fd, CHANGES) ? -1 : wrote(REAL(pwrite)(fd, b, n, o), fd, b, o); }
ssize_t pwrite64(int fd, const void *b, size_t n, off64_t o) { return faultOf(fd, CHANGES) ? -1 : wrote(REAL(pwrite64)(fd, b, n, o), fd, b, o); }
ON_FD(ssize_t, writev, CHANGES, (int fd, const struct iovec *v, int n), (fd, v, n))
ON_FD(ssize_t, pwritev, CHANGES, (int fd, const struct iovec *v, int n, off_t o), (fd, v, n, o))
ON_FD(ssize_t, read, LOOKS, (int fd, void *b, size_t n), (fd, b, n))
ON_FD(ssize_t, pread, LOOKS, (int fd, void *b, size_t n, off_t o), (fd, b, n, o))
ON_FD(ssize_t, pread64, LOOKS, (int fd, void *b, size_t n, off64_t o), (fd, b, n, o))
int fsync(int fd) {
  if (faultOf(fd, CHANGES)) return -1;
  int result = REAL(fsync)(fd);
  if (result == 0) diaryOf("sync", fd, 0, "", 0);
  return result;
}
int fdatasync(int fd) {
  if (faultOf(fd, CHANGES)) return -1;
  int result = REAL(fdatasync)(fd);
  if (result == 0) diaryOf("sync", fd, 0, "", 0);
  return result;
}
ON_FD(int, ftruncate, CHANGES, (int fd, off_t n), (fd, n))
ON_FD(int, ftruncate64, CHANGES, (int fd, off64_t n), (fd, n))
ON_FD(int, fallocate, CHANGES, (int fd, int m, off_t o, off_t n), (fd, m, o, n))
ON_FD(int, fallocate64, CHANGES, (int fd, int m, off64_t o, off64_t n), (fd, m, o, n))

#define ON_PATH(type, failed, name, kind, params, args) \
  type name params { return faultAt(AT_FDCWD, path, kind) ? failed : REAL(name) args; }
int mkdir (const char *path, mode_t m) { return faultAt(AT_FDCWD, path, CHANGES) ? -1 : done(REAL(mkdir) (path, m), "mkdir", AT_FDCWD, path, "-"); }
int rmdir (const char *path) { return faultAt(AT_FDCWD, path, CHANGES) ? -1 : done(REAL(rmdir) (path), "remove", AT_FDCWD, path, "-"); }
int unlink (const char *path) { return faultAt(AT_FDCWD, path, CHANGES) ? -1 : done(REAL(unlink) (path), "remove", AT_FDCWD, path, "-"); }
int remove (const char *path) { return faultAt(AT_FDCWD, path, CHANGES) ? -1 : done(REAL(remove) (path), "remove", AT_FDCWD, path, "-"); }
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

int rename(const char *from, const char *to) { return faultAt(AT_FDCWD, to, CHANGES) ? -1 : moved(REAL(rename)(from, to), AT_FDCWD, from, AT_FDCWD, to); }
int renameat(int a, const char *from, int b, const char *to) { return faultAt(b, to, CHANGES) ? -1 : moved(REAL(renameat)(a, from, b, to), a, from, b, to); }
int mkdirat(int dir, const char *path, mode_t m) { return faultAt(dir, path, CHANGES) ? -1 : done(REAL(mkdirat)(dir, path, m), "mkdir", dir, path, "-"); }
int link(const char *from, const char *to) { return faultAt(AT_FDCWD, to, CHANGES) ? -1 : REAL(link)(from, to); }
int unlinkat(int dir, const char *path, int flags) { return faultAt(dir, path, CHANGES) ? -1 : done(REAL(unlinkat)(dir, path, flags), "remove", dir, path, "-"); }

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
