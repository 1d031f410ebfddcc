/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shy.c - processes that no debugger can attach to, and threads and processes made in odd ways. It must
 * not know of coretap.
 *
 *	shy dumpable	forbids core dumps, and with them that others of its user trace it
 *	shy traced	a child that its parent traces: nobody else may
 *	shy strict	in the strict sandbox: read, write, exit
 *	shy filter	in a sandbox of its own: getppid and ptrace fail
 *	shy killed	in the strict sandbox asks for its parent, and is killed
 *	shy go		a thread by clone(2) alone, without thread-local memory, as Go makes them
 *	shy shared	children that share its memory: by clone, by clone as vfork, by vfork
 *
 * Who is ready writes a line that says what it is.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char stack[65536] __attribute__((aligned(16)));
static int ended = 1; /* the kernel clears it, and wakes who waits */

static void need(int fine, const char *what)
{
	if (fine)
		return;
	perror(what);
	exit(1);
}

static void say(const char *what)
{
	need(write(1, what, strlen(what)) > 0, "write");
}

static int child(void *what)
{
	say(what);
	syscall(SYS_exit, 0);
	return 0;
}

static void traced(void)
{
	int status, pid = fork();

	need(pid >= 0, "fork");
	if (!pid) {
		need(!ptrace(PTRACE_TRACEME, 0, 0, 0), "ptrace");
		raise(SIGSTOP);
		say("traced\n");
		_exit(0);
	}
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status))
		need(!ptrace(PTRACE_CONT, pid, 0, 0), "ptrace");
}

static void filter(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { sizeof(code) / sizeof(code[0]), code };

	need(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl");
	need(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog), "prctl");
	syscall(SYS_getppid);
	ptrace(PTRACE_TRACEME, 0, 0, 0);
	say("filter\n");
}

static void strict(int asks)
{
	need(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT), "prctl");
	say("strict\n");
	if (asks)
		syscall(SYS_getppid);
	syscall(SYS_exit, 0);
}

static void thread(void)
{
	int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
		    CLONE_SYSVSEM | CLONE_CHILD_CLEARTID;

	need(clone(child, stack + sizeof(stack), flags, "go\n", NULL, NULL, &ended) > 0, "clone");
	while (__atomic_load_n(&ended, __ATOMIC_ACQUIRE))
		syscall(SYS_futex, &ended, FUTEX_WAIT, 1, NULL, NULL, 0);
}

static void shared(void)
{
	need(clone(child, stack + sizeof(stack), CLONE_VM | SIGCHLD, "clone\n") > 0, "clone");
	need(wait(NULL) > 0, "wait");
	need(clone(child, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD, "as vfork\n") >
		     0,
	     "clone");
	need(wait(NULL) > 0, "wait");
	if (!vfork()) {
		say("vfork\n");
		_exit(0);
	}
	need(wait(NULL) > 0, "wait");
}

int main(int argc, char **argv)
{
	const char *how = argc == 2 ? argv[1] : "";

	if (!strcmp(how, "dumpable")) {
		need(!prctl(PR_SET_DUMPABLE, 0), "prctl");
		say("dumpable\n");
	} else if (!strcmp(how, "traced")) {
		traced();
	} else if (!strcmp(how, "strict") || !strcmp(how, "killed")) {
		strict(*how == 'k');
	} else if (!strcmp(how, "filter")) {
		filter();
	} else if (!strcmp(how, "go")) {
		thread();
	} else if (!strcmp(how, "shared")) {
		shared();
	} else {
		fprintf(stderr, "usage: shy dumpable|traced|strict|killed|filter|go|shared\n");
		return 1;
	}
	return 0;
}
