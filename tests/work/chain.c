/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * chain.c - system calls from a known depth, for tests of stacks.
 *
 *   chain COUNT FILE    COUNT reads, each by main → outer → middle → inner → chain_read
 *   chain -s COUNT FILE slowly, a read each millisecond
 *   chain -c COUNT      system calls out of the vdso: main → outer → cpu_clock → clock_gettime
 *
 * Every function keeps a frame pointer and the system call is our own, for the C library's have
 * none. Prints its process id first. Built static, position independent, with the chain's inner
 * half in a library (CHAIN_LIBRARY that half, CHAIN_MAIN the rest), and stripped. And with debug
 * information, in itself or apart from it: the lines of the calls are those marked AT FUNCTION.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* not inlined, not cloned, and no jump instead of a call at its end */
#define LINK __attribute__((noinline, noclone, noipa))
#define RETURN(value)                                                                              \
	do {                                                                                       \
		long value_ = value;                                                               \
		__asm__ volatile("" : : "r"(__builtin_frame_address(0))); /* a leaf too */         \
		return value_;                                                                     \
	} while (0)

long chain_read(int fd, void *to, long size);
long inner(int fd, void *to, long size);
long middle(int fd, void *to, long size);

#ifndef CHAIN_MAIN
LINK long chain_read(int fd, void *to, long size)
{
#if defined(__x86_64__)
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(SYS_read), "D"(fd), "S"(to), "d"(size)
			 : "rcx", "r11", "memory");
#elif defined(__aarch64__)
	register long result __asm__("x0") = fd, a1 __asm__("x1") = (long)to,
			     a2 __asm__("x2") = size, number __asm__("x8") = SYS_read;

	__asm__ volatile("svc 0" : "+r"(result) : "r"(a1), "r"(a2), "r"(number) : "memory");
#elif defined(__riscv)
	register long result __asm__("a0") = fd, a1 __asm__("a1") = (long)to,
			     a2 __asm__("a2") = size, number __asm__("a7") = SYS_read;

	__asm__ volatile("ecall" : "+r"(result) : "r"(a1), "r"(a2), "r"(number) : "memory");
#elif defined(__powerpc64__)
	register long result __asm__("r3") = fd, a1 __asm__("r4") = (long)to,
			     a2 __asm__("r5") = size, number __asm__("r0") = SYS_read;

	/* an error sets the summary overflow bit of CR0 */
	__asm__ volatile("sc\n\tbns+ 1f\n\tneg 3, 3\n1:"
			 : "+r"(result), "+r"(a1), "+r"(a2), "+r"(number)
			 :
			 : "r6", "r7", "r8", "r9", "r10", "r11", "r12", "cr0", "ctr", "xer",
			   "memory");
#else
#error "how a system call is made here is not known"
#endif
	RETURN(result);
}

LINK long inner(int fd, void *to, long size)
{
	RETURN(chain_read(fd, to, size)); /* AT inner */
}

LINK long middle(int fd, void *to, long size)
{
	RETURN(inner(fd, to, size)); /* AT middle */
}
#endif

#ifndef CHAIN_LIBRARY
static LINK long cpu_clock(void)
{
	struct timespec t;

	RETURN(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t));
}

static LINK long outer(int fd)
{
	char byte;

	if (fd < 0)
		RETURN(cpu_clock());
	RETURN(middle(fd, &byte, 1)); /* AT outer */
}

int main(int argc, char **argv)
{
	int slow = argc == 4 && !strcmp(argv[1], "-s"), clock = argc == 3 && !strcmp(argv[1], "-c");
	long count = argc > 2 ? atol(argv[clock || slow ? 2 : 1]) : 0;
	int fd = clock || count < 1 ? -1 : open(argv[argc - 1], O_RDONLY);

	if (count < 1 || (!clock && fd < 0)) {
		fprintf(stderr, "usage: chain [-s] COUNT FILE | chain -c COUNT\n");
		return 1;
	}
	printf("%d\n", getpid());
	fflush(stdout);
	while (count--) {
		if (slow)
			usleep(1000);
		if (outer(fd) < 0) /* AT main */
			return 1;
		if (fd >= 0)
			lseek(fd, 0, SEEK_SET);
	}
	return 0;
}
#endif
