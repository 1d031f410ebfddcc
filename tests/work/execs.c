/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * execs.c - known execs for the tests of execsnoop. It must not know of coretap.
 *
 * Each call does one thing and says nothing unless it went wrong in another way than asked for:
 *
 *   execs run PATH WORD…       execve(PATH, WORD…); the exit status is the errno if that fails
 *   execs at DIR NAME WORD…    execveat(open(DIR), NAME, …)
 *   execs fd FILE WORD…        fexecve(open(FILE)), the descriptor being 9
 *   execs as ID PATH WORD…     as user and group ID
 *   execs thread PATH WORD…    exec by a thread that is not the leader; before, it prints "PID TID"
 *                              and waits for the end of stdin
 *   execs alone PATH WORD…     exec by a thread after the first one has ended
 *   execs nothing PATH         execve(PATH, {}), an argv without words
 *   execs null PATH            execve(PATH, NULL)
 *   execs bad-argv PATH        argv points nowhere
 *   execs bad-word PATH        argv[1] of 3 points nowhere
 *   execs many PATH N          N words 1 … N behind PATH
 *   execs long PATH N…         words of N bytes each, a, b, …
 *   execs static fork|vfork PATH   the child passes constant strings of pages not yet touched
 *   execs compat PATH WORD…    the 32-bit system call, from below 4 GiB
 *   execs compat-at DIR NAME WORD…
 *   execs late FILE            writes a program that fails after the point of no return, runs it
 *   execs flood PATH N         N processes at once, each executes PATH with its number
 */
#include <errno.h>
#include <elf.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char **words; /* of the command line, behind the mode */
static char *const environment[] = { "EXECS=1", NULL };

static int run(char **w)
{
	execve(w[0], w + 1, environment);
	return errno;
}

static int run_at(char **w)
{
	int dir = open(w[0], O_PATH | O_DIRECTORY);

	syscall(SYS_execveat, dir, w[1], w + 2, environment, 0);
	return errno;
}

/* The descriptor stays open: a script must be opened through it. */
static int run_fd(char **w)
{
	dup2(open(w[0], O_RDONLY | O_CLOEXEC), 9);
	syscall(SYS_execveat, 9, "", w + 1, environment, AT_EMPTY_PATH);
	return errno;
}

static int run_as(char **w)
{
	if (setgid(atoi(w[0])) || setuid(atoi(w[0])))
		return 200;
	return run(w + 1);
}

static void *thread(void *unused)
{
	char byte;

	(void)unused;
	printf("%d %ld\n", getpid(), syscall(SYS_gettid));
	fflush(stdout);
	while (read(0, &byte, 1) > 0)
		;
	execve(words[0], words + 1, environment);
	return (void *)(long)errno;
}

static void *thread_alone(void *unused)
{
	(void)unused;
	usleep(200000); /* the first one ends */
	run(words);
	_exit(errno);
}

static int run_alone(char **w)
{
	pthread_t t;

	(void)w;
	pthread_create(&t, NULL, thread_alone, NULL);
	pthread_exit(NULL);
}

static int run_thread(char **w)
{
	pthread_t t;
	void *result;

	(void)w;
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, &result);
	return (long)result;
}

static int run_nothing(char **w)
{
	char *argv[] = { NULL };

	execve(w[0], argv, environment);
	return errno;
}

static int run_null(char **w)
{
	syscall(SYS_execve, w[0], NULL, environment);
	return errno;
}

static int run_bad_argv(char **w)
{
	syscall(SYS_execve, w[0], 16, environment);
	return errno;
}

static int run_bad_word(char **w)
{
	syscall(SYS_execve, w[0], ((char *[]){ "first", (char *)16, "third", NULL }), environment);
	return errno;
}

static int run_many(char **w)
{
	int n = atoi(w[1]);
	char **argv = calloc(n + 2, sizeof(*argv));

	argv[0] = w[0];
	for (int i = 1; i <= n; i++)
		if (asprintf(&argv[i], "%d", i) < 0)
			return ENOMEM;
	execve(w[0], argv, environment);
	return errno;
}

static int run_long(char **w)
{
	char *argv[16] = { w[0] };

	for (int i = 1; i < 15 && w[i]; i++) {
		size_t n = atoi(w[i]);

		argv[i] = malloc(n + 1);
		memset(argv[i], 'a' + i - 1, n);
		argv[i][n] = 0;
	}
	execve(w[0], argv, environment);
	return errno;
}

/* Pages of their own, 256 KiB from each other and from what the kernel touches: it maps those around
 * a fault, too (fault_around_bytes). */
#define APART __attribute__((aligned(4096), used))
static const char gap1[1 << 18] APART = { 1 };
static const char constant1[4096] APART = "a constant string";
static const char gap2[1 << 18] APART = { 1 };
static const char constant2[4096] APART = "";
static const char constant3[4096] APART = "another";
static const char gap3[1 << 18] APART = { 1 };

static int run_static(char **w)
{
	const char *argv[] = { constant1, constant2, constant3, NULL };
	pid_t pid = w[0][0] == 'v' ? vfork() : fork();
	int status;

	if (!pid) {
		execve(w[1], (char **)argv, environment);
		_exit(errno);
	}
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

#ifdef __x86_64__
/* Strings and pointers as a 32-bit caller has them. */
static uint32_t *low_words(char **w)
{
	char *low = mmap(NULL, 65536, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	uint32_t *pointers = (uint32_t *)low;
	char *at = low + 4096;
	int i;

	for (i = 0; w[i]; i++) {
		strcpy(at, w[i]);
		pointers[i] = (uintptr_t)at;
		at += strlen(at) + 1;
	}
	pointers[i] = 0;
	return pointers;
}

static int call32(long nr, long b, long c, long d, long s, long di)
{
	int ret;

	__asm__ volatile("int $0x80"
			 : "=a"(ret)
			 : "a"(nr), "b"(b), "c"(c), "d"(d), "S"(s), "D"(di)
			 : "memory");
	return -ret;
}

static long low_environment(void)
{
	return (long)(uintptr_t)low_words((char **)environment);
}

static int run_compat(char **w)
{
	uint32_t *p = low_words(w);

	return call32(11, p[0], (uintptr_t)(p + 1), low_environment(), 0, 0);
}

static int run_compat_at(char **w)
{
	int dir = open(w[0], O_PATH | O_DIRECTORY);
	uint32_t *p = low_words(w + 1);

	return call32(358, dir, p[0], (uintptr_t)(p + 1), low_environment(), 0);
}
#endif

#ifdef __x86_64__
#define MACHINE EM_X86_64
#else
#define MACHINE EM_AARCH64
#endif

/* Its segment does not fit into the address space, which the kernel sees when the old is gone. */
static int run_late(char **w)
{
	struct {
		Elf64_Ehdr head;
		Elf64_Phdr segment;
	} elf = {
		.head = { .e_ident = ELFMAG "\2\1\1",
			  .e_type = ET_EXEC,
			  .e_version = 1,
			  .e_machine = MACHINE,
			  .e_entry = 0x400000,
			  .e_ehsize = sizeof(elf.head),
			  .e_phoff = sizeof(elf.head),
			  .e_phentsize = sizeof(elf.segment),
			  .e_phnum = 1 },
		.segment = { .p_type = PT_LOAD,
			     .p_flags = PF_R | PF_X,
			     .p_filesz = sizeof(elf),
			     .p_vaddr = 0x7ffffffe0000,
			     .p_memsz = 1ul << 46,
			     .p_align = 4096 },
	};
	int fd = open(w[0], O_WRONLY | O_CREAT | O_TRUNC, 0755);

	if (write(fd, &elf, sizeof(elf)) != sizeof(elf))
		return 1;
	close(fd);
	execve(w[0], w, environment);
	return errno;
}

/* Children wait for the end of a pipe, then all run. */
static int run_flood(char **w)
{
	int n = atoi(w[1]), gate[2], failed = 0, status;
	char number[16], byte;

	if (pipe2(gate, O_CLOEXEC))
		return errno;
	for (int i = 1; i <= n; i++) {
		if (fork())
			continue;
		close(gate[1]);
		snprintf(number, sizeof(number), "%d", i);
		if (read(gate[0], &byte, 1) == 0)
			execve(w[0], ((char *[]){ w[0], number, NULL }), environment);
		_exit(127);
	}
	close(gate[1]);
	while (wait(&status) > 0)
		failed |= status != 0;
	return failed;
}

static const struct mode {
	const char *name;
	int least; /* words */
	int (*run)(char **words);
} modes[] = {
	{ "run", 1, run },
	{ "at", 2, run_at },
	{ "fd", 1, run_fd },
	{ "as", 2, run_as },
	{ "thread", 1, run_thread },
	{ "alone", 1, run_alone },
	{ "nothing", 1, run_nothing },
	{ "null", 1, run_null },
	{ "bad-argv", 1, run_bad_argv },
	{ "bad-word", 1, run_bad_word },
	{ "many", 2, run_many },
	{ "long", 2, run_long },
	{ "static", 2, run_static },
#ifdef __x86_64__
	{ "compat", 1, run_compat },
	{ "compat-at", 2, run_compat_at },
#endif
	{ "late", 1, run_late },
	{ "flood", 2, run_flood },
};

int main(int argc, char **argv)
{
	words = argv + 2;
	for (size_t i = 0; argc > 1 && i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(argv[1], modes[i].name) && argc - 2 >= modes[i].least)
			return modes[i].run(words);
	fprintf(stderr, "execs: see the head of execs.c\n");
	return 200;
}
