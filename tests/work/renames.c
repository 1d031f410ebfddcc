/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * renames.c - deletes and renames in every way there is, for opensnoop --also. It must not know of coretap.
 *
 * Works in the current directory, which is `renames`' argument, and prints of each call the JSON array
 * [kind, path, full_path, new_path, new_full_path, errno]: what must have been seen, in this order. Names
 * are given by a number, as their bytes are no JSON: the caller has the list.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *here; /* the current directory */

static void die(const char *what)
{
	perror(what);
	exit(99);
}

/* NULL: null. Of a path that is relative to `at`, the full one with `full`. */
static void put_path(const char *at, const char *path, int full)
{
	if (!path)
		printf(",null");
	else if (!full || path[0] == '/')
		printf(",\"%s\"", path);
	else
		printf(",\"%s/%s\"", at, path);
}

static void expect(const char *kind, const char *at, const char *path, const char *new, int ret)
{
	const char *name = ret < 0 ? strerrorname_np(errno) : NULL;

	printf("[\"%s\"", kind);
	put_path(at, path, 0);
	put_path(at, path, 1);
	put_path(here, new, 0);
	put_path(here, new, 1);
	printf(name ? ",\"%s\"]\n" : ",null]\n", name);
}

static void touch(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0644);

	if (fd < 0 || close(fd))
		die(path);
}

static void plain(void)
{
	char sub[256];
	int dir;

	snprintf(sub, sizeof(sub), "%s/sub", here);
	if (mkdir("sub", 0755) || (dir = open("sub", O_RDONLY)) < 0)
		die("sub");
	touch("a");
	touch("b");
	touch("sub/c");
	touch("sub/d");
	expect("rename", here, "a", "e", rename("a", "e"));
	expect("rename", sub, "c", "c", renameat(dir, "c", AT_FDCWD, "c"));
	expect("rename", here, "b", "c",
	       (int)syscall(SYS_renameat2, AT_FDCWD, "b", AT_FDCWD, "c", 2)); /* RENAME_EXCHANGE */
	expect("rename", here, "b", "c",
	       (int)syscall(SYS_renameat2, AT_FDCWD, "b", AT_FDCWD, "c", 1)); /* RENAME_NOREPLACE */
	expect("rename", here, "none", "other", rename("none", "other"));
	expect("unlink", here, "b", NULL, unlink("b"));
	expect("unlink", sub, "d", NULL, unlinkat(dir, "d", 0));
	expect("unlink", here, "none", NULL, unlink("none"));
	expect("unlink", here, "sub", NULL, unlink("sub"));
	expect("rmdir", here, "c", NULL, rmdir("c"));
	expect("rmdir", here, "sub", NULL, unlinkat(AT_FDCWD, "sub", AT_REMOVEDIR));
	close(dir);
}

/* Names that the kernel cannot read. */
static void strange(void)
{
	static char long_name[5000];

	memset(long_name, 'x', sizeof(long_name) - 1);
	unlink((char *)16);
	unlink("");
	unlink(long_name);
	rename("e", (char *)16);
}

static void hostile(char **names)
{
	for (; names[0]; names++) {
		touch(names[0]);
		if (rename(names[0], "plain") || rename("plain", names[0]) || unlink(names[0]))
			die("hostile");
	}
}

/* Paths of 4095 bytes: ././…/long. */
static void longest(void)
{
	char from[4096], to[4096];

	for (int i = 0; i < 4091; i++)
		from[i] = to[i] = i % 2 ? '/' : '.';
	strcpy(from + 4090, "long1");
	strcpy(to + 4090, "long2");
	touch("long1");
	if (rename(from, to) || unlink(to))
		die("longest");
}

static int uring_do(int ring, struct io_uring_params *p, const struct io_uring_sqe *sqe)
{
	char *sq = mmap(NULL, p->sq_off.array + 64, PROT_READ | PROT_WRITE, MAP_SHARED, ring,
			IORING_OFF_SQ_RING);
	char *cq = mmap(NULL, p->cq_off.cqes + 64 * sizeof(struct io_uring_cqe),
			PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_CQ_RING);
	struct io_uring_sqe *sqes = mmap(NULL, 4 * sizeof(*sqes), PROT_READ | PROT_WRITE,
					 MAP_SHARED, ring, IORING_OFF_SQES);
	unsigned *tail, *head, mask;

	if (sq == MAP_FAILED || cq == MAP_FAILED || sqes == MAP_FAILED)
		die("mmap of io_uring");
	tail = (unsigned *)(sq + p->sq_off.tail);
	head = (unsigned *)(cq + p->cq_off.head);
	mask = *(unsigned *)(cq + p->cq_off.ring_mask);
	sqes[*tail & 3] = *sqe;
	((unsigned *)(sq + p->sq_off.array))[*tail & 3] = *tail & 3;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0)
		die("io_uring_enter");
	errno = -((struct io_uring_cqe *)(cq + p->cq_off.cqes))[*head & mask].res;
	__atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
	return errno ? -1 : 0;
}

/* From 5.11 on; what the ring does not know it refuses, and no file is touched. */
static void uring(void)
{
	struct io_uring_params p = { 0 };
	int ring = (int)syscall(SYS_io_uring_setup, 4, &p), ret;
	struct io_uring_sqe move = { .opcode = IORING_OP_RENAMEAT,
				     .fd = AT_FDCWD,
				     .addr = (unsigned long)"u",
				     .len = (unsigned)AT_FDCWD,
				     .addr2 = (unsigned long)"v" };
	struct io_uring_sqe gone = { .opcode = IORING_OP_UNLINKAT,
				     .fd = AT_FDCWD,
				     .addr = (unsigned long)"v" };

	if (ring < 0)
		die("io_uring_setup");
	touch("u");
	ret = uring_do(ring, &p, &move);
	if (ret && errno == EINVAL) {
		close(ring);
		return;
	}
	expect("rename", here, "u", "v", ret);
	expect("unlink", here, "v", NULL, uring_do(ring, &p, &gone));
	expect("unlink", here, "v", NULL, uring_do(ring, &p, &gone));
	close(ring);
}

int main(int argc, char **argv)
{
	if (argc < 3 || chdir(argv[2]))
		die("renames plain|strange|hostile|longest|uring FOLDER [NAME…]");
	here = argv[2];
	if (!strcmp(argv[1], "plain"))
		plain();
	else if (!strcmp(argv[1], "strange"))
		strange();
	else if (!strcmp(argv[1], "hostile"))
		hostile(argv + 3);
	else if (!strcmp(argv[1], "longest"))
		longest();
	else
		uring();
	return 0;
}
