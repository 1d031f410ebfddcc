/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * soak.c - the parts of tests/soak that must be exact or quick: a flood of calls that counts what it
 * did, readers of all tempers, and what is left attached. It must not know of coretap.
 *
 *   soak flood KIND JOBS MS FILE   JOBS processes called "flooding" do KIND (read, open, exec: one that
 *                                  fails, fork: and exec) for MS milliseconds, or until SIGTERM; then
 *                                  FILE gets "DONE NS-OF-START"; it waits for SIGTERM, if MS is over
 *   soak perform KIND JOBS COUNT   JOBS processes called "flooding" do KIND COUNT times each; KIND may
 *                                  be disk, a read of 4 KiB of /dev/vda past the page cache, or run, a child
 *                                  that executes `soak nothing`
 *   soak drink TEMPER SEED         copies stdin to stdout: fast; slow; stop, which after a while (seed 0:
 *                                  half a second behind the first byte) reads
 *                                  nothing until the writer is gone; die, which ends after a while
 *   soak left                      prints how many BPF programs and links there are
 *   soak twice PID MS              sends SIGTERM twice, MS apart, and prints how far apart they were; nobody
 *                                  else runs then on its processor longer than it sleeps
 */
#include <fcntl.h>
#include <linux/bpf.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void sleep_ms(unsigned ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000l };

	nanosleep(&t, NULL);
}

/* ---- flood ---- */

enum { JOBS_MAX = 64 };

static struct shared {
	volatile int go, stop;
	volatile uint64_t done[JOBS_MAX][8]; /* a cache line each */
} * shared;

static volatile sig_atomic_t ended;

static void end_note(int number)
{
	(void)number;
	ended = 1;
}

static void do_read(int fd)
{
	char byte;

	if (pread(fd, &byte, 1, 0) < 0)
		_exit(2);
}

static void do_open(int fd)
{
	fd = open("/proc/version", O_RDONLY);
	close(fd);
}

static void do_exec(int fd)
{
	char *const argv[] = { "no", "such", "program", NULL };

	(void)fd;
	execv("/no/such/program", argv);
}

/* A child becomes this program again, which does nothing. */
static void do_run(int fd)
{
	pid_t pid = vfork();

	(void)fd;
	if (!pid) {
		execl("/proc/self/exe", "soak", "nothing", NULL);
		_exit(2);
	}
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		_exit(2);
}

/* Of these a child is one: it fails, too, so that nothing else of it is seen. */
static void do_fork(int fd)
{
	pid_t pid = fork();

	if (pid < 0)
		_exit(2);
	if (!pid) {
		do_exec(fd);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void do_disk(int fd)
{
	static _Alignas(4096) char page[4096];
	static int disk = -1;
	static off_t at;

	(void)fd;
	if (disk < 0)
		disk = open("/dev/vda", O_RDONLY | O_DIRECT);
	if (pread(disk, page, sizeof(page), at++ % 1024 * 4096) != sizeof(page))
		_exit(2);
}

static const struct kind {
	const char *name;
	void (*once)(int fd);
} kinds[] = { { "read", do_read }, { "open", do_open }, { "exec", do_exec },
	      { "fork", do_fork }, { "disk", do_disk }, { "run", do_run } };

static const struct kind *kind_find(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	fprintf(stderr, "soak: no kind %s\n", name);
	exit(2);
}

static int perform(const struct kind *kind, int jobs, long count)
{
	int status, failed = 0;

	for (int i = 0; i < jobs; i++) {
		int fd;

		if (fork())
			continue;
		fd = open("/proc/version", O_RDONLY);
		prctl(PR_SET_NAME, "flooding");
		for (long n = 0; n < count; n++)
			kind->once(fd);
		_exit(0);
	}
	while (wait(&status) > 0)
		failed |= status != 0;
	return failed;
}

static void job_run(int job, void (*once)(int fd))
{
	int fd = open("/proc/version", O_RDONLY);

	prctl(PR_SET_NAME, "flooding");
	while (!shared->go)
		sched_yield();
	while (!shared->stop) {
		once(fd);
		shared->done[job][0]++;
	}
	_exit(0);
}

static void done_write(const char *path, int jobs, uint64_t start)
{
	uint64_t sum = 0;
	char temporary[4096];
	FILE *f;

	for (int i = 0; i < jobs; i++)
		sum += shared->done[i][0];
	snprintf(temporary, sizeof(temporary), "%s.new", path);
	f = fopen(temporary, "w");
	if (!f ||
	    fprintf(f, "%llu %llu\n", (unsigned long long)sum, (unsigned long long)start) < 0 ||
	    fclose(f) || rename(temporary, path))
		exit(2);
}

static int flood(void (*once)(int fd), int jobs, unsigned ms, const char *path)
{
	uint64_t start;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED)
		return 2;
	for (int i = 0; i < jobs; i++)
		if (!fork())
			job_run(i, once);
	signal(SIGTERM, end_note);
	start = now_ns();
	shared->go = 1;
	while (!ended && now_ns() - start < ms * 1000000ull)
		sleep_ms(5);
	shared->stop = 1;
	while (wait(NULL) > 0)
		;
	done_write(path, jobs, start);
	while (!ended)
		sleep_ms(20);
	return 0;
}

/* ---- readers ---- */

static char bytes[65536];

/* False at the end. */
static int copy(size_t size)
{
	ssize_t n = read(0, bytes, size), done = 0, m;

	for (; done < n; done += m)
		if ((m = write(1, bytes + done, n - done)) <= 0)
			exit(2);
	return n > 0;
}

static void writer_wait(void)
{
	struct pollfd p = { .fd = 0 };

	while (!(p.revents & POLLHUP)) {
		sleep_ms(10);
		poll(&p, 1, 0);
	}
}

static int drink(const char *temper, unsigned seed)
{
	bool slow = !strcmp(temper, "slow"), stop = !strcmp(temper, "stop"),
	     die = !strcmp(temper, "die");
	uint64_t after = seed ? (srand(seed), rand() % 3000) * 1000000ull : 500000000ull;
	struct pollfd p = { .fd = 0, .events = POLLIN };
	uint64_t until;

	poll(&p, 1, -1); /* until there is something, or nobody left */
	until = now_ns() + after;
	for (;;) {
		poll(&p, 1, stop || die ? 20 : -1);
		if (die && now_ns() > until)
			return 0;
		if (stop && now_ns() > until) {
			writer_wait();
			stop = false;
		}
		if (!p.revents)
			continue;
		if (!copy(slow ? 4096 : sizeof(bytes)))
			return 0;
		if (slow)
			sleep_ms(rand() % 30);
	}
}

/* ---- what is left ---- */

static unsigned count_ids(int command)
{
	union bpf_attr attr;
	unsigned count = 0;
	__u32 id = 0;

	for (;; count++) {
		memset(&attr, 0, sizeof(attr));
		attr.start_id = id;
		if (syscall(SYS_bpf, command, &attr, sizeof(attr)))
			return count;
		id = attr.next_id;
	}
}

static int signal_twice(pid_t pid, unsigned ms)
{
	struct sched_param first = { .sched_priority = 1 };
	uint64_t began = now_ns();

	if (sched_setscheduler(0, SCHED_FIFO, &first) || kill(pid, SIGTERM))
		return 1;
	if (ms)
		sleep_ms(ms);
	printf("%u\n", (unsigned)((now_ns() - began) / 1000000));
	return kill(pid, SIGTERM);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	if (!strcmp(mode, "nothing"))
		return 0;
	if (!strcmp(mode, "flood") && argc == 6) {
		int jobs = atoi(argv[3]);

		return flood(kind_find(argv[2])->once, jobs < JOBS_MAX ? jobs : JOBS_MAX,
			     atoi(argv[4]), argv[5]);
	} else if (!strcmp(mode, "perform") && argc == 5) {
		return perform(kind_find(argv[2]), atoi(argv[3]), atol(argv[4]));
	} else if (!strcmp(mode, "drink") && argc == 4) {
		return drink(argv[2], atoi(argv[3]));
	} else if (!strcmp(mode, "left")) {
		printf("%u\n", count_ids(BPF_PROG_GET_NEXT_ID) + count_ids(BPF_LINK_GET_NEXT_ID));
		return 0;
	} else if (!strcmp(mode, "twice") && argc == 4) {
		return signal_twice(atoi(argv[2]), atoi(argv[3]));
	}
	fprintf(stderr,
		"usage: soak flood KIND JOBS MS FILE | perform KIND JOBS COUNT | drink TEMPER SEED | left | twice PID MS\n");
	return 1;
}
