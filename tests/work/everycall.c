/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * everycall.c - everycall: makes each system call once, with arguments that are all -1, in a process of
 * its own, as nobody; on x86-64 also those of 32-bit programs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CALLS = 480, NOBODY = 65534 };

struct abi {
	long (*call)(long nr);
	const int *left_out; /* up to -1: calls that never return, or not to this stack */
};

static long call64(long nr)
{
	return syscall(nr, -1l, -1l, -1l, -1l, -1l, -1l);
}

#ifdef __x86_64__
static long call32(long nr)
{
	long ret;

	__asm__ volatile("int $0x80"
			 : "=a"(ret)
			 : "a"(nr), "b"(-1), "c"(-1), "d"(-1), "S"(-1), "D"(-1)
			 : "memory", "r8", "r9", "r10", "r11");
	return ret;
}

static const int left_out64[] = { SYS_pause, SYS_vfork, SYS_rt_sigreturn, -1 };
/* sigsuspend: any mask is a good one */
static const int left_out32[] = { 29 /* pause */,	  72 /* sigsuspend */, 119 /* sigreturn */,
				  173 /* rt_sigreturn */, 190 /* vfork */,     -1 };
static const struct abi abis[] = { { call64, left_out64 }, { call32, left_out32 } };
#else
static const int left_out64[] = { SYS_rt_sigreturn, -1 };
static const struct abi abis[] = { { call64, left_out64 } };
#endif

static int is_left_out(const struct abi *abi, int nr)
{
	const int *other = abi->left_out;

	while (*other >= 0 && *other != nr)
		other++;
	return *other >= 0;
}

static void call_once(const struct abi *abi, int nr)
{
	pid_t pid = fork();

	if (!pid) {
		abi->call(nr);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, NULL, 0) != pid) {
		perror("everycall");
		exit(1);
	}
}

int main(void)
{
	if (setgid(NOBODY) || setuid(NOBODY)) {
		perror("everycall: setuid");
		return 1;
	}
	for (size_t i = 0; i < sizeof(abis) / sizeof(abis[0]); i++)
		for (int nr = 0; nr < CALLS; nr++)
			if (!is_left_out(&abis[i], nr))
				call_once(&abis[i], nr);
	return 0;
}
