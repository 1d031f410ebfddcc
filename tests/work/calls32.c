/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * calls32.c - a known number of system calls of a 32-bit program: calls32 COUNT FILE.
 *
 *   COUNT times   openat(-100, FILE, O_RDWR), lseek(fd, -2, SEEK_END), write(fd, "xyz", 2),
 *                 writev(fd, { "abc" }, 1), close(fd)
 *   COUNT "wide": openat, pwrite64(fd, "xyz", 1, 0x100000002), pread64 of that, fallocate(fd, 1, 0x200000003, 0x300000004),
 *                 mmap({ 0, 4096, 1, 0x22, -1, 0 }), close
 *   COUNT "stats": stat64, lstat64, fstat64, fstatat64, statx, statfs64 and fstatfs64 of FILE
 *   COUNT "flush": openat, fsync, fdatasync, close
 *   COUNT "memory": ipc(2) for shmget(0, 10000, 0600), shmat, shmat(-1, SHM_RDONLY), shmdt, shmctl(IPC_RMID)
 *   at the end    execve("/no/such", { "one", "two" }, {}), which fails
 *
 * There is no 32-bit C library where it is built, so it has none.
 */
enum {
	EXIT = 1,
	WRITE = 4,
	CLOSE = 6,
	EXECVE = 11,
	LSEEK = 19,
	MMAP = 90,
	IPC = 117,
	FSYNC,
	WRITEV = 146,
	FDATASYNC = 148,
	PREAD64 = 180,
	PWRITE64 = 181,
	STAT64 = 195,
	LSTAT64,
	FSTAT64,
	STATFS64 = 268,
	FSTATFS64,
	OPENAT = 295,
	FSTATAT64 = 300,
	FALLOCATE = 324,
	STATX = 383,
};

/* b, c, d, si, di, bp: arguments */
static long call6(long nr, const long *arguments)
{
	long ret;

	__asm__ volatile("push %%ebp\n"
			 "push %%ebx\n"
			 "mov 0(%1), %%ebx\n"
			 "mov 4(%1), %%ecx\n"
			 "mov 8(%1), %%edx\n"
			 "mov 12(%1), %%esi\n"
			 "mov 20(%1), %%ebp\n"
			 "mov 16(%1), %%edi\n"
			 "int $0x80\n"
			 "pop %%ebx\n"
			 "pop %%ebp\n"
			 : "=a"(ret), "+D"(arguments)
			 : "a"(nr)
			 : "ecx", "edx", "esi", "memory");
	return ret;
}

static long call(long nr, long b, long c, long d)
{
	const long arguments[] = { b, c, d, 0, 0, 0 };

	return call6(nr, arguments);
}

/* in memory that is there before a probe looks at it */
static char text[] = "?yz", more[] = "?bc", none[] = "?no/such", one[] = "?ne", two[] = "?wo";

__attribute__((noinline)) static void calls(const char *path)
{
	struct {
		const char *base;
		unsigned long len;
	} vector = { more, 3 };
	long fd = call(OPENAT, -100, (long)path, 2);

	call(LSEEK, fd, -2, 2);
	text[0] = 'x';
	more[0] = 'a';
	call(WRITE, fd, (long)text, 2);
	call(WRITEV, fd, (long)&vector, 1);
	call(CLOSE, fd, 0, 0);
}

/* A number of 64 bits is in two registers, the lower half first. */
__attribute__((noinline)) static void wide_calls(const char *path)
{
	long fd = call(OPENAT, -100, (long)path, 2);
	const long at[] = { fd, (long)text, 1, 2, 1, 0 };
	const long range[] = { fd, 1, 3, 2, 4, 3 };
	const long mapping[] = { 0, 4096, 1, 0x22, -1, 0 };

	call6(PWRITE64, at);
	call6(PREAD64, at);
	call6(FALLOCATE, range);
	call(MMAP, (long)mapping, 0, 0);
	call(CLOSE, fd, 0, 0);
}

__attribute__((noinline)) static void stat_calls(const char *path)
{
	enum { STATFS64_SIZE = 84 };
	static char room[256];
	long fd = call(OPENAT, -100, (long)path, 2);
	const long at[] = { -100, (long)path, (long)room, 0, 0, 0 };
	const long statx[] = { -100, (long)path, 0, 0, (long)room, 0 };

	call(STAT64, (long)path, (long)room, 0);
	call(LSTAT64, (long)path, (long)room, 0);
	call(FSTAT64, fd, (long)room, 0);
	call6(FSTATAT64, at);
	call6(STATX, statx);
	call(STATFS64, (long)path, STATFS64_SIZE, (long)room);
	call(FSTATFS64, fd, STATFS64_SIZE, (long)room);
	call(CLOSE, fd, 0, 0);
}

__attribute__((noinline)) static void flush_calls(const char *path)
{
	long fd = call(OPENAT, -100, (long)path, 2);

	call(FSYNC, fd, 0, 0);
	call(FDATASYNC, fd, 0, 0);
	call(CLOSE, fd, 0, 0);
}

__attribute__((noinline)) static void memory_calls(void)
{
	static long at;
	const long get[] = { 23, 0, 10000, 0600, 0, 0 };
	long id = call6(IPC, get);
	const long attach[] = { 21, id, 0, (long)&at, 0, 0 }, remove[] = { 24, id, 0x100, 0, 0, 0 };

	call6(IPC, attach);
	call6(IPC, (long[]){ 21, -1, 010000, (long)&at, 0, 0 });
	call6(IPC, (long[]){ 22, 0, 0, 0, at, 0 });
	call6(IPC, remove);
}

static int number(const char *text)
{
	int n = 0;

	for (; *text >= '0' && *text <= '9'; text++)
		n = n * 10 + *text - '0';
	return n;
}

__attribute__((used)) void begin(int argc, const char **argv)
{
	const char *words[] = { one, two, 0 };

	if (argc != 3)
		call(EXIT, 2, 0, 0);
	for (int i = number(argv[1]); i > 0; i--)
		calls(argv[2]);
	if (argv[1][0] == 'w')
		wide_calls(argv[2]);
	if (argv[1][0] == 's')
		stat_calls(argv[2]);
	if (argv[1][0] == 'f')
		flush_calls(argv[2]);
	if (argv[1][0] == 'm')
		memory_calls();
	none[0] = '/';
	one[0] = 'o';
	two[0] = 't';
	call(EXECVE, (long)none, (long)words, (long)(words + 2));
	call(EXIT, 0, 0, 0);
}

/* The kernel leaves argc and argv where the stack pointer points. */
__asm__(".globl _start\n"
	"_start:\n"
	"	mov %esp, %eax\n"
	"	and $-16, %esp\n"
	"	lea 4(%eax), %edx\n"
	"	sub $8, %esp\n"
	"	push %edx\n"
	"	push (%eax)\n"
	"	call begin\n");
