/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * opens.c - opens files in every way there is and says what opensnoop must have seen.
 *
 * `opens JOB` works in the current directory under the command name JOB and prints, for each open,
 * the JSON array [kind, path, fd, errno, flags, mode, dirfd] or, of the jobs about directories,
 * [path, full_path]: what tests/live/opensnoop.bats picks out of opensnoop's records.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "uring.h"

static void die(const char *what)
{
	perror(what);
	exit(99);
}

#ifdef __x86_64__
/* A page with the text, where a pointer has 32 bits. */
static char *low_text(const char *text)
{
	char *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);

	if (low == MAP_FAILED)
		die("mmap");
	return strcpy(low, text);
}
#endif

/* ---- what must have been seen ---- */

/* "A|B" → ["A","B"] */
static void put_flags(const char *flags)
{
	char copy[256], *name, *rest = copy;
	const char *before = "[";

	snprintf(copy, sizeof(copy), "%s", flags);
	while ((name = strsep(&rest, "|")) && *name) {
		printf("%s\"%s\"", before, name);
		before = ",";
	}
	printf("%s]", *before == '[' ? "[" : "");
}

static const char *error_name(long ret)
{
	return ret < 0 ? strerrorname_np((int)-ret) : NULL;
}

/* fd: ret, or null where the open yields no descriptor; mode NULL: none. */
static void expect(const char *kind, const char *path, long ret, const char *flags,
		   const char *mode, int dirfd)
{
	const char *error = error_name(ret), *q = error ? "\"" : "";

	printf("[\"%s\",", kind);
	printf(path ? "\"%s\"," : "null,", path);
	if (ret == 1 << 30)
		printf("null,");
	else
		printf("%ld,", error ? -1 : ret);
	printf("%s%s%s,", q, error ? error : "null", q);
	put_flags(flags);
	printf(mode ? ",\"%s\"," : ",null,", mode);
	printf(dirfd == AT_FDCWD ? "\"AT_FDCWD\"]\n" : "%d]\n", dirfd);
}

static long result(long ret)
{
	return ret < 0 ? -errno : ret;
}

static void expect_open(const char *path, long ret, const char *flags)
{
	expect("open", path, result(ret), flags, NULL, AT_FDCWD);
}

/* ---- each system call ---- */

static void openat2_one(int dirfd, const char *path, uint64_t flags, uint64_t mode,
			uint64_t resolve, const char *names, const char *mode_text)
{
	struct open_how how = { .flags = flags, .mode = mode, .resolve = resolve };

	expect("open", path, result(syscall(SYS_openat2, dirfd, path, &how, sizeof(how))), names,
	       mode_text, dirfd);
}

/* Refused before the kernel opens anything: `how` has `size` bytes. */
static void openat2_refused(const char *path, const void *how, size_t size, const char *flags)
{
	expect("open", path, result(syscall(SYS_openat2, AT_FDCWD, path, how, size)), flags, NULL,
	       AT_FDCWD);
}

/* As job_compat. */
static void unopened_compat(void)
{
#ifdef __x86_64__
	char *low = low_text("f-compat");
	long ret;

	/* openat2 is 437 in both; its struct is too short, then not readable */
	for (long size = 8, how = (long)low + 64; size <= 24; size += 16, how = 8) {
		asm volatile("int $0x80"
			     : "=a"(ret)
			     : "a"(437L), "b"((long)AT_FDCWD), "c"(low), "d"(how), "S"(size)
			     : "memory");
		expect("open", low, (int)ret, "O_RDONLY", NULL, AT_FDCWD);
	}
#endif
}

static void job_unopened(void)
{
	struct {
		struct open_how how;
		uint64_t unknown;
	} more = { .how.flags = O_WRONLY, .unknown = 1 };

	openat2_refused("f-short", &more, 8, "O_WRONLY");
	openat2_refused("f-unknown", &more, sizeof(more), "O_WRONLY");
	openat2_refused("f-unreadable", (void *)8, sizeof(more.how), "O_RDONLY");
	openat2_refused(NULL, (void *)8, sizeof(more.how), "O_RDONLY");
	more.unknown = 0; /* no reason to refuse it */
	openat2_refused("f-larger", &more, sizeof(more), "O_WRONLY");
	openat2_refused(NULL, &more, sizeof(more), "O_WRONLY");
}

static void job_calls(void)
{
	int dir = open("/", O_PATH | O_CLOEXEC);

	expect_open("/", dir, "O_RDONLY|O_CLOEXEC|O_PATH");
#ifdef SYS_open
	expect_open("c-open", syscall(SYS_open, "c-open", O_RDONLY), "O_RDONLY");
	expect("open", "c-creat", result(syscall(SYS_creat, "c-creat", 0640)),
	       "O_WRONLY|O_CREAT|O_TRUNC", "0640", AT_FDCWD);
#endif
	expect("open", "c-openat",
	       result(openat(AT_FDCWD, "c-openat",
			     O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_SYNC | O_NOFOLLOW, 0604)),
	       "O_RDWR|O_CREAT|O_EXCL|O_APPEND|O_SYNC|O_NOFOLLOW", "0604", AT_FDCWD);
	expect("open", "dev/null", result(openat(dir, "dev/null", O_WRONLY | O_NONBLOCK | O_DSYNC)),
	       "O_WRONLY|O_NONBLOCK|O_DSYNC", NULL, dir);
	expect("open", ".", result(open(".", O_RDWR | O_TMPFILE, 0400)), "O_RDWR|O_TMPFILE", "0400",
	       AT_FDCWD);
	openat2_one(AT_FDCWD, "c-openat2", O_WRONLY | O_CREAT, 0755, 0, "O_WRONLY|O_CREAT", "0755");
	openat2_one(dir, "/dev/null", O_DIRECTORY, 0, RESOLVE_IN_ROOT | RESOLVE_NO_SYMLINKS,
		    "O_RDONLY|O_DIRECTORY", NULL);
	openat2_one(dir, "../dev/zero", O_NOATIME, 0, RESOLVE_BENEATH, "O_RDONLY|O_NOATIME", NULL);
}

/* From 64-bit code, by the gate of 32-bit programs; its pointers have 32 bits. */
static void job_compat(void)
{
#ifdef __x86_64__
	char *low = low_text("c-compat");
	long ret;

	/* open is 5 there, openat 295 */
	asm volatile("int $0x80" : "=a"(ret) : "a"(5L), "b"(low), "c"(0L), "d"(0L) : "memory");
	expect("open", low, (int)ret, "O_RDONLY", NULL, AT_FDCWD);
	asm volatile("int $0x80"
		     : "=a"(ret)
		     : "a"(295L), "b"((long)AT_FDCWD), "c"(low), "d"(2L), "S"(0L)
		     : "memory");
	expect("open", low, (int)ret, "O_RDWR", NULL, AT_FDCWD);
#endif
}

/* ---- each way to fail ---- */

static void fail_names(void)
{
	char *name = calloc(1, 5000);

	expect_open("f-none", open("f-none", 0), "O_RDONLY");
	expect_open("", open("", 0), "O_RDONLY");
	expect_open(NULL, open((char *)8, O_WRONLY), "O_WRONLY");
	memset(name, 'x', 256);
	expect_open(name, open(name, 0), "O_RDONLY");
	memset(name, 'y', 4095);
	expect_open(name, open(name, 0), "O_RDONLY");
	expect_open("f-file/x", open("f-file/x", 0), "O_RDONLY");
	symlink("f-loop", "f-loop");
	expect_open("f-loop", open("f-loop", 0), "O_RDONLY");
	expect_open("f-dir", open("f-dir", O_WRONLY), "O_WRONLY");
	expect_open("f-fifo", open("f-fifo", O_WRONLY | O_NONBLOCK), "O_WRONLY|O_NONBLOCK");
}

static void job_fails(void)
{
	struct rlimit limit = { 3, 3 };

	int fd = creat("f-file", 0);

	mkdir("f-dir", 0700);
	mkfifo("f-fifo", 0700);
	expect("open", "f-file", result(fd), "O_WRONLY|O_CREAT|O_TRUNC", "0", AT_FDCWD);
	fail_names();
	openat2_one(AT_FDCWD, "f-flags", 1ull << 40, 0, 0, "O_RDONLY|0x10000000000", NULL);
	expect("open", "f-badfd", result(openat(77, "f-badfd", 0)), "O_RDONLY", NULL, 77);
	expect("open", "f-file", result(open("f-file", O_CREAT | O_EXCL, 0666)),
	       "O_RDONLY|O_CREAT|O_EXCL", "0666", AT_FDCWD);
	if (setrlimit(RLIMIT_NOFILE, &limit))
		die("setrlimit");
	expect_open("f-file", open("f-file", 0), "O_RDONLY");
	limit.rlim_cur = limit.rlim_max = 64;
	setrlimit(RLIMIT_NOFILE, &limit);
	if (setresuid(65534, 65534, 65534))
		die("setresuid");
	expect_open("f-file", open("f-file", O_RDONLY), "O_RDONLY");
}

/* The kernel opens a file for this task, and then the task opens one in vain before it has a name. */
static void job_early(void)
{
	static char name[16] = "e-swap";

	swapon(name, 0);
	strcpy(name, "e-flags");
	openat2_one(AT_FDCWD, name, 1ull << 40, 0, 0, "O_RDONLY|0x10000000000", NULL);
	swapon("e-swap", 0);
	expect_open(NULL, open((char *)8, O_WRONLY), "O_WRONLY");
	expect_open("", open("", 0), "O_RDONLY");
	swapon("e-swap", 0);
	expect_open("e-none", open("e-none", 0), "O_RDONLY");
}

/* A name of 4096 bytes and more has no end for the kernel. */
static void job_toolong(void)
{
	char *name = calloc(1, 5001);

	memset(name, 'z', 5000);
	if (open(name, 0) != -1 || errno != ENAMETOOLONG)
		die("open of 5000 bytes");
}

/* ---- directories: [path, full_path] ---- */

static void expect_full(int dirfd, const char *path, const char *full)
{
	int fd = openat(dirfd, path, O_RDONLY);

	if (fd >= 0)
		close(fd);
	printf(full ? "[\"%s\",\"%s\"]\n" : "[\"%s\",null]\n", path, full);
}

static int dir_open(const char *path)
{
	int fd = open(path, O_PATH | O_DIRECTORY);

	if (fd < 0)
		die(path);
	printf("[\"%s\",\"%s%s\"]\n", path, *path == '/' ? "" : "/opens/", path);
	return fd;
}

static void dirs_mounts(void)
{
	int fd;

	mkdir("bound", 0755);
	mkdir("ram", 0755);
	if (mount("/opens/sub", "bound", NULL, MS_BIND, NULL) ||
	    mount("none", "ram", "tmpfs", 0, NULL) || mkdir("ram/in", 0755))
		die("mount");
	fd = dir_open("bound");
	expect_full(fd, "d-bind", "/opens/bound/d-bind");
	fd = dir_open("ram/in");
	expect_full(fd, "d-ram", "/opens/ram/in/d-ram");
	expect_full(fd, "../d-up", "/opens/ram/in/../d-up");
	if (umount2("ram", MNT_DETACH))
		die("umount");
	expect_full(fd, "d-detached", "(unreachable)/in/d-detached");
	umount2("bound", MNT_DETACH);
}

static void dirs_gone(void)
{
	int fd;

	mkdir("sub/gone", 0755);
	fd = dir_open("sub/gone");
	rmdir("sub/gone");
	expect_full(fd, "d-gone", "/opens/sub/gone (deleted)/d-gone");
	if (fchdir(fd))
		die("fchdir");
	expect_full(AT_FDCWD, "d-lost", "/opens/sub/gone (deleted)/d-lost");
}

/* In a root of its own, and above it. */
static void dirs_chroot(void)
{
	int outside = dir_open("/opens"), inside = dir_open("/opens/sub");

	if (fchdir(inside) || chroot("."))
		die("chroot");
	expect_full(AT_FDCWD, "/d-root", "/opens/sub/d-root");
	expect_full(AT_FDCWD, "d-cwd", "/opens/sub/d-cwd");
	expect_full(outside, "d-out", "/opens/d-out");
}

/* Run in /opens. */
static void job_dirs(void)
{
	int fd, p[2];

	mkdir("sub", 0755);
	expect_full(AT_FDCWD, "d-here", "/opens/d-here");
	expect_full(AT_FDCWD, "/d-abs", "/d-abs");
	expect_full(AT_FDCWD, "//d-two", "//d-two");
	expect_full(AT_FDCWD, "./../d-dots", "/opens/./../d-dots");
	fd = dir_open("sub");
	expect_full(fd, "d-fd", "/opens/sub/d-fd");
	expect_full(fd, "/d-fd-abs", "/d-fd-abs");
	expect_full(88, "d-badfd", NULL);
	if (pipe(p) || chdir("/"))
		die("pipe");
	expect_full(AT_FDCWD, "d-slash", "/d-slash");
	if (chdir("/opens"))
		die("chdir");
	dirs_mounts();
	dirs_gone();
	dirs_chroot();
}

/* Many directories one in another: too many for a path of 4096 bytes. */
static void job_deep(const char *count)
{
	for (int i = atoi(count); i; i--)
		if ((mkdir("deep", 0755) && errno != EEXIST) || chdir("deep"))
			die("deep");
	if (open("d-deep", 0) != -1)
		die("d-deep");
}

/* ---- io_uring ---- */

static void uring_openat(struct uring *u, int dirfd, const char *path, int flags, const char *names,
			 unsigned mode, const char *mode_text)
{
	struct io_uring_sqe sqe = { .opcode = IORING_OP_OPENAT,
				    .fd = dirfd,
				    .len = mode,
				    .addr = (uintptr_t)path,
				    .open_flags = flags };

	expect("io_uring", path, uring_do(u, &sqe), names, mode_text, dirfd);
}

static void uring_openat2(struct uring *u, const char *path, uint64_t flags, const char *names)
{
	struct open_how how = { .flags = flags };
	struct io_uring_sqe sqe = { .opcode = IORING_OP_OPENAT2,
				    .fd = AT_FDCWD,
				    .len = sizeof(how),
				    .addr = (uintptr_t)path,
				    .addr2 = (uintptr_t)&how };

	expect("io_uring", path, uring_do(u, &sqe), names, NULL, AT_FDCWD);
}

/* Into slot 1 of the ring's own table. */
static void uring_fixed(struct uring *u)
{
	struct io_uring_sqe sqe = { .opcode = IORING_OP_OPENAT,
				    .fd = AT_FDCWD,
				    .file_index = 2,
				    .addr = (uintptr_t) "/dev/zero" };
	int none[2] = { -1, -1 }, res;

	if (syscall(SYS_io_uring_register, u->fd, IORING_REGISTER_FILES, none, 2))
		die("io_uring_register");
	res = uring_do(u, &sqe);
	expect("io_uring", "/dev/zero", res < 0 ? res : 1 << 30, "O_RDONLY", NULL, AT_FDCWD);
}

static void job_uring(void)
{
	int dir = open("/dev", O_PATH);
	struct uring u;

	expect_open("/dev", dir, "O_RDONLY|O_PATH");
	uring_open(&u);
	uring_openat(&u, AT_FDCWD, "/etc/passwd", O_RDONLY, "O_RDONLY", 0, NULL);
	uring_openat(&u, dir, "null", O_RDWR | O_CLOEXEC, "O_RDWR|O_CLOEXEC", 0, NULL);
	uring_openat(&u, AT_FDCWD, "u-new", O_WRONLY | O_CREAT, "O_WRONLY|O_CREAT", 0612, "0612");
	uring_openat(&u, AT_FDCWD, "u-none", O_RDONLY, "O_RDONLY", 0, NULL);
	uring_openat(&u, 66, "u-badfd", O_RDONLY, "O_RDONLY", 0, NULL);
	uring_openat2(&u, "u-two", O_WRONLY, "O_WRONLY");
	uring_openat2(&u, "u-flags", 1ull << 40, "O_RDONLY|0x10000000000");
	uring_fixed(&u);
}

/* Refused before they are issued. */
static void job_refused(void)
{
	struct uring u;

	uring_open(&u);
	uring_openat(&u, AT_FDCWD, NULL, O_WRONLY, "O_WRONLY", 0, NULL);
	uring_openat(&u, AT_FDCWD, "", O_RDONLY, "O_RDONLY", 0, NULL);
}

/* ---- names, threads, many, slow ---- */

/* The names come from the caller: the shell writes bytes that we need not spell. */
static void job_names(char **names)
{
	for (; *names; names++)
		close(open(*names, O_RDONLY));
}

static void *thread_open(void *arg)
{
	*(int *)arg = gettid();
	return (void *)(long)open("t-thread", O_RDONLY);
}

/* Prints pid and tid of the one open. */
static void job_thread(void)
{
	pthread_t thread;
	int tid;

	pthread_create(&thread, NULL, thread_open, &tid);
	pthread_join(thread, NULL);
	printf("[%d,%d]\n", getpid(), tid);
}

/* `total` opens by `processes` at once, of a file that is there (every third) or not. */
static void job_many(int processes, int total)
{
	for (int i = 0; i < processes; i++)
		if (!fork()) {
			for (int n = i; n < total; n += processes)
				close(n % 3 ? open("m-none", 0) : open("/dev/null", O_WRONLY));
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
}

/* Waits in the open of a FIFO until killed. */
static void job_wait(void)
{
	mkfifo("w-fifo", 0600);
	open("w-fifo", O_WRONLY);
}

int main(int argc, char **argv)
{
	const char *job = argc > 1 ? argv[1] : "";

	prctl(PR_SET_NAME, job);
	if (!strcmp(job, "calls"))
		job_calls();
	else if (!strcmp(job, "compat"))
		job_compat();
	else if (!strcmp(job, "fails"))
		job_fails();
	else if (!strcmp(job, "unopened"))
		job_unopened();
	else if (!strcmp(job, "unopened32"))
		unopened_compat();
	else if (!strcmp(job, "early"))
		job_early();
	else if (!strcmp(job, "toolong"))
		job_toolong();
	else if (!strcmp(job, "dirs"))
		job_dirs();
	else if (!strcmp(job, "deep") && argc > 2)
		job_deep(argv[2]);
	else if (!strcmp(job, "uring"))
		job_uring();
	else if (!strcmp(job, "refused"))
		job_refused();
	else if (!strcmp(job, "names") || !strcmp(job, "longest"))
		job_names(argv + 2);
	else if (!strcmp(job, "thread"))
		job_thread();
	else if (!strcmp(job, "many") && argc > 3)
		job_many(atoi(argv[2]), atoi(argv[3]));
	else if (!strcmp(job, "wait"))
		job_wait();
	else
		return 98;
	return 0;
}
