/*
 * Records what a process does to the files below one folder, and can kill it after any step. Loaded with LD_PRELOAD by the tests of
 * crashes (src/tests/robustness/disk.rs, which also reads the log).
 *
 *   RECORDER_LOG    the log; it must not lie below the folder
 *   RECORDER_UNDER  the folder, an absolute path without symbolic links
 *   RECORDER_KILL   the process is killed (SIGKILL) once this many steps are done; absent or 0: never
 *   RECORDER_BREAK  while a file of this name is there, every write and sync below the folder fails with an I/O error
 *
 * Each step is done and logged under one lock, so the log is in the order in which the kernel saw the steps. What the process says to
 * others (standard output, and an HTTP answer) is logged before it is sent, and is no step. The functions below replace those of the C
 * library; a call that goes round them is found by the test, because the steps then do not lead to the folder that is there.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { CREATE = 1, WRITE, TRUNCATE, SYNC, RENAME, LINK, UNLINK, MKDIR, RMDIR, SAID };

/* A record: this head, then the path, the second path, and the bytes. */
struct head {
    uint32_t kind, path, second, unused;
    uint64_t offset, bytes;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int log_fd = -1;
static char under[PATH_MAX];
static size_t under_length;
static long kill_at, steps;
static const char *breaks;
static pid_t own;

__attribute__((constructor)) static void begin(void) {
    const char *log = getenv("RECORDER_LOG"), *folder = getenv("RECORDER_UNDER"), *at = getenv("RECORDER_KILL");
    if (!log || !folder || strlen(folder) >= sizeof under) return;
    strcpy(under, folder);
    under_length = strlen(under);
    kill_at = at ? atol(at) : 0;
    breaks = getenv("RECORDER_BREAK");
    own = getpid();
    log_fd = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/* No signal handler runs while the lock is held: it might write, and wait for the lock for ever. */
static sigset_t enter(void) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pthread_mutex_lock(&lock);
    return before;
}

static void leave(sigset_t before) {
    int error = errno;
    pthread_mutex_unlock(&lock);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
}

/* At the end no other thread is between a step and its record: the lock is kept. */
__attribute__((destructor)) static void end(void) {
    if (log_fd >= 0 && getpid() == own) enter();
}

static int below(const char *path) {
    return !strncmp(path, under, under_length) && (path[under_length] == '/' || !path[under_length]);
}

/* The path of an open file below the folder; 0: it is elsewhere, or has no name any more. */
static int path_of(int fd, char *path) {
    char link[64];
    int error = errno;
    if (log_fd < 0 || getpid() != own) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
    errno = error;
    if (length <= 0) return 0;
    path[length] = 0;
    const char *gone = " (deleted)";
    size_t tail = strlen(gone);
    return below(path) && !((size_t)length > tail && !strcmp(path + length - tail, gone));
}

/* The path that a call names, if it is below the folder. */
static int named(int folder, const char *name, char *path) {
    if (log_fd < 0 || !name || getpid() != own) return 0;
    if (name[0] == '/') {
        snprintf(path, PATH_MAX, "%s", name);
    } else {
        char base[PATH_MAX];
        if (folder == AT_FDCWD) {
            if (!getcwd(base, sizeof base)) return 0;
        } else if (!path_of(folder, base)) {
            return 0;
        }
        if ((size_t)snprintf(path, PATH_MAX, "%s/%s", base, name) >= PATH_MAX) return 0;
    }
    return below(path);
}

static void put(const void *bytes, size_t length) {
    const char *at = bytes;
    while (length > 0) {
        ssize_t done = syscall(SYS_write, log_fd, at, length);
        if (done <= 0) abort();
        at += done;
        length -= (size_t)done;
    }
}

static void record(enum kind kind, const char *path, const char *second, uint64_t offset, const void *bytes, size_t length) {
    struct head head = {kind, (uint32_t)strlen(path), (uint32_t)strlen(second), 0, offset, bytes ? length : 0};
    int error = errno;
    put(&head, sizeof head);
    put(path, head.path);
    put(second, head.second);
    if (bytes) put(bytes, length);
    if (kind != SAID && ++steps == kill_at) {
        syscall(SYS_kill, own, SIGKILL);
        for (;;) pause();
    }
    errno = error;
}

static int broken(void) {
    if (!breaks || syscall(SYS_faccessat, AT_FDCWD, breaks, F_OK) != 0) return 0;
    errno = EIO;
    return 1;
}

/* Opening: creating a file and emptying one are steps. */
static int opened(int folder, const char *name, int flags, mode_t mode) {
    char path[PATH_MAX];
    if (!(flags & (O_CREAT | O_TRUNC)) || (flags & O_TMPFILE) == O_TMPFILE || !named(folder, name, path))
        return (int)syscall(SYS_openat, folder, name, flags, mode);
    sigset_t before = enter();
    struct stat was;
    int error = errno;
    int there = fstatat(folder, name, &was, 0) == 0;
    errno = error;
    int fd = (int)syscall(SYS_openat, folder, name, flags, mode);
    if (fd >= 0 && path_of(fd, path)) {
        if (!there) record(CREATE, path, "", 0, NULL, 0);
        else if ((flags & O_TRUNC) && was.st_size > 0) record(TRUNCATE, path, "", 0, NULL, 0);
    }
    leave(before);
    return fd;
}

#define MODE_OF(flags, last)                                      \
    mode_t mode = 0;                                              \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                        \
        va_list rest;                                             \
        va_start(rest, last);                                     \
        mode = (mode_t)va_arg(rest, int);                         \
        va_end(rest);                                             \
    }

int open(const char *name, int flags, ...) {
    MODE_OF(flags, flags)
    return opened(AT_FDCWD, name, flags, mode);
}

int open64(const char *name, int flags, ...) {
    MODE_OF(flags, flags)
    return opened(AT_FDCWD, name, flags | O_LARGEFILE, mode);
}

int openat(int folder, const char *name, int flags, ...) {
    MODE_OF(flags, flags)
    return opened(folder, name, flags, mode);
}

int openat64(int folder, const char *name, int flags, ...) {
    MODE_OF(flags, flags)
    return opened(folder, name, flags | O_LARGEFILE, mode);
}

int creat(const char *name, mode_t mode) { return opened(AT_FDCWD, name, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *name, mode_t mode) { return opened(AT_FDCWD, name, O_CREAT | O_WRONLY | O_TRUNC, mode); }

/* Where the next write at the file's own place goes. */
static off_t place(int fd) {
    struct stat now;
    if ((fcntl(fd, F_GETFL) & O_APPEND) && fstat(fd, &now) == 0) return now.st_size;
    return (off_t)syscall(SYS_lseek, fd, 0, SEEK_CUR);
}

/* Pieces as one run of bytes. */
static char *joined(const struct iovec *pieces, int count, size_t *length) {
    *length = 0;
    for (int n = 0; n < count; n++) *length += pieces[n].iov_len;
    char *all = malloc(*length + 1), *at = all;
    if (!all) abort();
    for (int n = 0; n < count; n++) {
        memcpy(at, pieces[n].iov_base, pieces[n].iov_len);
        at += pieces[n].iov_len;
    }
    return all;
}

/* What is said: on standard output, or as the head of an HTTP answer. */
static void said(int fd, const void *bytes, size_t length) {
    if (log_fd < 0 || getpid() != own || fd == log_fd) return;
    int http = length >= 7 && !memcmp(bytes, "HTTP/1.", 7);
    if (fd != STDOUT_FILENO && !http) return;
    sigset_t before = enter();
    record(SAID, "", "", 0, bytes, length);
    leave(before);
}

ssize_t write(int fd, const void *bytes, size_t length) {
    char path[PATH_MAX];
    if (!path_of(fd, path)) {
        said(fd, bytes, length);
        return syscall(SYS_write, fd, bytes, length);
    }
    if (broken()) return -1;
    sigset_t before = enter();
    off_t at = place(fd);
    ssize_t done = syscall(SYS_write, fd, bytes, length);
    if (done > 0 && path_of(fd, path)) record(WRITE, path, "", (uint64_t)at, bytes, (size_t)done);
    leave(before);
    return done;
}

ssize_t writev(int fd, const struct iovec *pieces, int count) {
    char path[PATH_MAX];
    size_t length;
    if (!path_of(fd, path)) {
        if (log_fd >= 0 && count > 0) {
            char *all = joined(pieces, count, &length);
            said(fd, all, length);
            free(all);
        }
        return syscall(SYS_writev, fd, pieces, count);
    }
    if (broken()) return -1;
    sigset_t before = enter();
    off_t at = place(fd);
    ssize_t done = syscall(SYS_writev, fd, pieces, count);
    if (done > 0 && path_of(fd, path)) {
        char *all = joined(pieces, count, &length);
        record(WRITE, path, "", (uint64_t)at, all, (size_t)done);
        free(all);
    }
    leave(before);
    return done;
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) {
    char path[PATH_MAX];
    if (!path_of(fd, path)) return syscall(SYS_pwrite64, fd, bytes, length, at);
    if (broken()) return -1;
    sigset_t before = enter();
    ssize_t done = syscall(SYS_pwrite64, fd, bytes, length, at);
    if (done > 0 && path_of(fd, path)) record(WRITE, path, "", (uint64_t)at, bytes, (size_t)done);
    leave(before);
    return done;
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at) { return pwrite(fd, bytes, length, at); }

ssize_t send(int fd, const void *bytes, size_t length, int flags) {
    said(fd, bytes, length);
    return syscall(SYS_sendto, fd, bytes, length, flags, NULL, 0);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    if (log_fd >= 0 && message->msg_iovlen > 0) {
        size_t length;
        char *all = joined(message->msg_iov, (int)message->msg_iovlen, &length);
        said(fd, all, length);
        free(all);
    }
    return syscall(SYS_sendmsg, fd, message, flags);
}

/* The kernel copied from one file to another: the bytes are read back from the source. */
static void copied(int in, off_t from, const char *path, off_t to, ssize_t length) {
    char *bytes = malloc((size_t)length);
    if (!bytes || syscall(SYS_pread64, in, bytes, length, from) != length) abort();
    record(WRITE, path, "", (uint64_t)to, bytes, (size_t)length);
    free(bytes);
}

ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t length, unsigned flags) {
    char path[PATH_MAX];
    if (!path_of(out, path)) return syscall(SYS_copy_file_range, in, from, out, to, length, flags);
    sigset_t before = enter();
    off_t source = from ? *from : place(in), target = to ? *to : place(out);
    ssize_t done = syscall(SYS_copy_file_range, in, from, out, to, length, flags);
    if (done > 0 && path_of(out, path)) copied(in, source, path, target, done);
    leave(before);
    return done;
}

ssize_t sendfile(int out, int in, off_t *from, size_t length) {
    char path[PATH_MAX];
    if (!path_of(out, path)) return syscall(SYS_sendfile, out, in, from, length);
    sigset_t before = enter();
    off_t source = from ? *from : place(in), target = place(out);
    ssize_t done = syscall(SYS_sendfile, out, in, from, length);
    if (done > 0 && path_of(out, path)) copied(in, source, path, target, done);
    leave(before);
    return done;
}

ssize_t sendfile64(int out, int in, off64_t *from, size_t length) { return sendfile(out, in, from, length); }

int ftruncate(int fd, off_t length) {
    char path[PATH_MAX];
    if (!path_of(fd, path)) return (int)syscall(SYS_ftruncate, fd, length);
    sigset_t before = enter();
    int done = (int)syscall(SYS_ftruncate, fd, length);
    if (done == 0 && path_of(fd, path)) record(TRUNCATE, path, "", (uint64_t)length, NULL, 0);
    leave(before);
    return done;
}

int ftruncate64(int fd, off64_t length) { return ftruncate(fd, length); }

static int synced(long call, int fd) {
    char path[PATH_MAX];
    if (!path_of(fd, path)) return (int)syscall(call, fd);
    if (broken()) return -1;
    sigset_t before = enter();
    int done = (int)syscall(call, fd);
    if (done == 0 && path_of(fd, path)) record(SYNC, path, "", 0, NULL, 0);
    leave(before);
    return done;
}

int fsync(int fd) { return synced(SYS_fsync, fd); }
int fdatasync(int fd) { return synced(SYS_fdatasync, fd); }

int renameat2(int old_folder, const char *old, int new_folder, const char *new, unsigned flags) {
    char from[PATH_MAX], to[PATH_MAX];
    int ours = named(old_folder, old, from) & named(new_folder, new, to);
    if (!ours) return (int)syscall(SYS_renameat2, old_folder, old, new_folder, new, flags);
    sigset_t before = enter();
    int done = (int)syscall(SYS_renameat2, old_folder, old, new_folder, new, flags);
    if (done == 0) record(RENAME, from, to, 0, NULL, 0);
    leave(before);
    return done;
}

int renameat(int old_folder, const char *old, int new_folder, const char *new) {
    return renameat2(old_folder, old, new_folder, new, 0);
}

int rename(const char *old, const char *new) { return renameat2(AT_FDCWD, old, AT_FDCWD, new, 0); }

int linkat(int old_folder, const char *old, int new_folder, const char *new, int flags) {
    char from[PATH_MAX], to[PATH_MAX];
    int ours = named(old_folder, old, from) & named(new_folder, new, to);
    if (!ours) return (int)syscall(SYS_linkat, old_folder, old, new_folder, new, flags);
    sigset_t before = enter();
    int done = (int)syscall(SYS_linkat, old_folder, old, new_folder, new, flags);
    if (done == 0) record(LINK, from, to, 0, NULL, 0);
    leave(before);
    return done;
}

int link(const char *old, const char *new) { return linkat(AT_FDCWD, old, AT_FDCWD, new, 0); }

int unlinkat(int folder, const char *name, int flags) {
    char path[PATH_MAX];
    if (!named(folder, name, path)) return (int)syscall(SYS_unlinkat, folder, name, flags);
    sigset_t before = enter();
    int done = (int)syscall(SYS_unlinkat, folder, name, flags);
    if (done == 0) record(flags & AT_REMOVEDIR ? RMDIR : UNLINK, path, "", 0, NULL, 0);
    leave(before);
    return done;
}

int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }
int rmdir(const char *name) { return unlinkat(AT_FDCWD, name, AT_REMOVEDIR); }

int mkdirat(int folder, const char *name, mode_t mode) {
    char path[PATH_MAX];
    if (!named(folder, name, path)) return (int)syscall(SYS_mkdirat, folder, name, mode);
    sigset_t before = enter();
    int done = (int)syscall(SYS_mkdirat, folder, name, mode);
    if (done == 0) record(MKDIR, path, "", 0, NULL, 0);
    leave(before);
    return done;
}

int mkdir(const char *name, mode_t mode) { return mkdirat(AT_FDCWD, name, mode); }
