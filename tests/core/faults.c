/* Fails, or ends the program, at the n-th thing that is written below one folder.

   Loaded before the C library (LD_PRELOAD). WINNOW_FAULT_UNDER names the folder; the file that
   WINNOW_FAULT_COUNTER names holds four numbers of 64 bits, shared by all processes: how many
   things were written, which of them fails (0: none), the errno that it fails with, where 0 kills
   the program there, and whether all that follow fail, too. A full disk gives room all the same. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static volatile long *counter;
static const char *under;
static size_t under_length;

static int is_ready(void) {
    if (counter != NULL) return 1;
    const char *file = getenv("WINNOW_FAULT_COUNTER");
    under = getenv("WINNOW_FAULT_UNDER");
    if (file == NULL || under == NULL) return 0;
    int (*real_open)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    int (*real_close)(int) = dlsym(RTLD_NEXT, "close");
    int fd = real_open(file, O_RDWR | O_CLOEXEC);
    if (fd < 0) return 0;
    void *mapped = mmap(NULL, 4 * sizeof(long), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    real_close(fd);
    if (mapped == MAP_FAILED) return 0;
    under_length = strlen(under);
    counter = mapped;
    return 1;
}

/* Whether this one is to fail; errno is set then. */
static int strikes(int gives_room) {
    long number = __sync_add_and_fetch(&counter[0], 1);
    int lasts = counter[3] && !(gives_room && counter[2] == ENOSPC);
    if (counter[1] == 0 || number < counter[1]) return 0;
    if (number > counter[1] && !lasts) return 0;
    if (counter[2] == 0) kill(getpid(), SIGKILL);
    errno = (int)counter[2];
    return 1;
}

static int is_below(const char *path) {
    char whole[PATH_MAX * 2];
    if (path == NULL || !is_ready()) return 0;
    if (path[0] != '/') {
        if (getcwd(whole, PATH_MAX) == NULL) return 0;
        strncat(whole, "/", 2);
        strncat(whole, path, PATH_MAX - 1);
        path = whole;
    }
    return strncmp(path, under, under_length) == 0;
}

static int is_of(int fd) {
    char link[64], path[PATH_MAX];
    if (!is_ready()) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    /* What is shared memory only, and files that are locks and nothing else, hold nothing. */
    if (length > 4 && strcmp(path + length - 4, "-shm") == 0) return 0;
    return strncmp(path, under, under_length) == 0;
}

#define REAL(kind, name, ...) \
    static kind (*real)(__VA_ARGS__); \
    if (real == NULL) real = (kind (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

ssize_t write(int fd, const void *data, size_t size) {
    REAL(ssize_t, "write", int, const void *, size_t);
    if (is_of(fd) && strikes(0)) return -1;
    return real(fd, data, size);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) {
    REAL(ssize_t, "pwrite", int, const void *, size_t, off_t);
    if (is_of(fd) && strikes(0)) return -1;
    return real(fd, data, size, offset);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset) {
    REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
    if (is_of(fd) && strikes(0)) return -1;
    return real(fd, data, size, offset);
}

int fsync(int fd) {
    REAL(int, "fsync", int);
    return is_of(fd) && strikes(0) ? -1 : real(fd);
}

int fdatasync(int fd) {
    REAL(int, "fdatasync", int);
    return is_of(fd) && strikes(0) ? -1 : real(fd);
}

int ftruncate(int fd, off_t size) {
    REAL(int, "ftruncate", int, off_t);
    return is_of(fd) && strikes(1) ? -1 : real(fd, size);
}

int ftruncate64(int fd, off64_t size) {
    REAL(int, "ftruncate64", int, off64_t);
    return is_of(fd) && strikes(1) ? -1 : real(fd, size);
}

int rename(const char *from, const char *to) {
    REAL(int, "rename", const char *, const char *);
    return is_below(to) && strikes(0) ? -1 : real(from, to);
}

int unlink(const char *path) {
    REAL(int, "unlink", const char *);
    return is_below(path) && strikes(1) ? -1 : real(path);
}

int mkdir(const char *path, mode_t mode) {
    REAL(int, "mkdir", const char *, mode_t);
    return is_below(path) && strikes(0) ? -1 : real(path, mode);
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        REAL(int, #name, const char *, int, ...); \
        va_list arguments; \
        va_start(arguments, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0; \
        va_end(arguments); \
        if (flags & (O_CREAT | O_TRUNC) && is_below(path) && strikes(0)) return -1; \
        return real(path, flags, mode); \
    }

OPEN(open)
OPEN(open64)
