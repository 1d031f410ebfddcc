/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * calls32.c - a known number of system calls of a 32-bit program: calls32 COUNT FILE.
 *
 *   COUNT times   openat(-100, FILE, O_RDWR), lseek(fd, -2, SEEK_END), write(fd, "xyz", 2),
 *                 writev(fd, { "abc" }, 1), close(fd)
 *   at the end    execve("/no/such", { "one", "two" }, {}), which fails
 *
 * There is no 32-bit C library where it is built, so it has none.
 */
enum { WRITE = 4, CLOSE = 6, EXECVE = 11, LSEEK = 19, WRITEV = 146, EXIT = 1, OPENAT = 295 };

static long call(long nr, long b, long c, long d)
{
	long ret;

	__asm__ volatile("int $0x80"
			 : "=a"(ret)
			 : "a"(nr), "b"(b), "c"(c), "d"(d), "S"(0)
			 : "memory");
	return ret;
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
