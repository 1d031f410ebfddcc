/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * costs.c - what tools/bench-peers runs in a guest: a kind of work, and what a tool adds to it.
 *
 *   costs WORK COUNT [-- TOOL [ARG…]]   COUNT times WORK, and again with TOOL attached
 *
 * Prints the inside of a JSON object: `alone` and `task`, what one turn costs the process that does it, without and with
 * the tool: in one process, because what a system call costs depends on what was done before. `tool`, what it costs the
 * tool; `ready`, when the tool had nothing more to do; `rss`. Under QEMU's icount all clocks count instructions.
 *
 * The turns are timed together, so that a tool that traces system calls sees none but those of the work. A wake-up of the
 * tool is in them. It must not know of coretap.
 */
#include <linux/futex.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "bench.h"

#define WARM_UP	 64 /* turns that are not counted */
#define SCRATCH	 "/tmp/costs-file"
#define ON_DISK	 "/disk/file" /* a file system that is no tmpfs */
#define DISK	 "/dev/loop0"
#define PORT	 5999
#define LATER_MS 700 /* a tool that did nothing for so long is ready */

static int fds[4], status;
static uint64_t of_children; /* ns */
static char byte;

#define MUST(call)                                                                                 \
	do {                                                                                       \
		if ((call) < 0)                                                                    \
			die("%s: %s", #call, strerror(errno));                                     \
	} while (0)

/* ---- the work: before the first turn, a turn ---- */

static void scratch_make(const char *path)
{
	int fd;

	MUST(fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
	MUST(write(fd, "x", 1));
	close(fd);
}

static void file_begin(void)
{
	scratch_make(SCRATCH);
	MUST(fds[0] = open(SCRATCH, O_RDWR | O_CLOEXEC));
}

static void read_turn(void)
{
	MUST(pread(fds[0], &byte, 1, 0));
}

static void stored_begin(void)
{
	scratch_make(ON_DISK);
	MUST(fds[0] = open(ON_DISK, O_RDONLY | O_CLOEXEC));
}

static void zero_begin(void)
{
	MUST(fds[0] = open("/dev/zero", O_RDONLY | O_CLOEXEC));
}

static void call_turn(void)
{
	MUST(read(fds[0], &byte, 1));
}

static void open_turn(void)
{
	int fd;

	MUST(fd = open(SCRATCH, O_RDONLY | O_CLOEXEC));
	close(fd);
}

static void stat_turn(void)
{
	struct stat s;

	MUST(stat(SCRATCH, &s));
}

static void name_turn(void)
{
	int fd;

	MUST(fd = open("/disk/name", O_RDWR | O_CREAT | O_CLOEXEC, 0644));
	close(fd);
	MUST(unlink("/disk/name"));
}

static void sync_turn(void)
{
	MUST(fdatasync(fds[0]));
}

static void mount_turn(void)
{
	MUST(mount("none", "/mnt", "tmpfs", 0, ""));
	MUST(umount("/mnt"));
}

static void ids_turn(void)
{
	MUST(setuid(0));
}

static void kill_begin(void)
{
	signal(SIGURG, SIG_IGN);
}

static void kill_turn(void)
{
	MUST(kill(getpid(), SIGURG));
}

static void futex_turn(void)
{
	syscall(SYS_futex, &status, FUTEX_WAIT, 1, NULL, NULL, 0); /* it is 0, so it returns */
}

static void disk_begin(void)
{
	MUST(fds[0] = open(DISK, O_RDONLY | O_DIRECT | O_CLOEXEC));
}

static void disk_turn(void)
{
	static char page[4096] __attribute__((aligned(4096)));

	MUST(pread(fds[0], page, sizeof(page), 0));
}

static void fault_turn(void)
{
	static char *page;

	if (!page)
		page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	MUST(madvise(page, 4096, MADV_DONTNEED));
	*page = 1;
}

/* Its instructions are those of the work, too. */
static void child_end(pid_t pid)
{
	struct timespec t;
	clockid_t clock;
	siginfo_t info;

	MUST(waitid(P_PID, pid, &info, WEXITED | WNOWAIT));
	if (!clock_getcpuclockid(pid, &clock) && !clock_gettime(clock, &t))
		of_children += t.tv_sec * 1000000000ull + t.tv_nsec;
	waitpid(pid, NULL, 0);
}

static void process_turn(void)
{
	pid_t pid;

	MUST(pid = vfork());
	if (!pid)
		_exit(0);
	child_end(pid);
}

/* Its own program once more, which ends at once. */
static void exec_turn(void)
{
	static char *argv[] = { "costs", "some words of it", "/usr/lib/a/file", NULL };
	static char *env[] = { "PATH=/usr/bin", NULL };
	pid_t pid;

	MUST(pid = vfork());
	if (!pid) {
		execve("/proc/self/exe", argv, env);
		_exit(1);
	}
	child_end(pid);
}

static void *thread_run(void *of)
{
	return of;
}

static void thread_turn(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, thread_run, NULL))
		die("no thread");
	pthread_join(thread, NULL);
}

/* Two threads wake each other: two switches a turn. */
static void *partner_run(void *of)
{
	while (read(fds[0], &byte, 1) == 1)
		MUST(write(fds[3], "x", 1));
	return of;
}

static void switch_begin(void)
{
	pthread_t thread;

	MUST(pipe2(fds, O_CLOEXEC));
	MUST(pipe2(fds + 2, O_CLOEXEC));
	if (pthread_create(&thread, NULL, partner_run, NULL))
		die("no thread");
}

static void switch_turn(void)
{
	MUST(write(fds[1], "x", 1));
	MUST(read(fds[2], &byte, 1));
}

static void pipe_begin(void)
{
	MUST(pipe2(fds, O_CLOEXEC));
}

static void pipe_turn(void)
{
	MUST(write(fds[1], "x", 1));
	MUST(read(fds[0], &byte, 1));
}

static struct sockaddr_in address = { AF_INET, 0, { 0 }, { 0 } };

static void listener_begin(void)
{
	int one = 1;

	address.sin_port = htons(PORT);
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	MUST(fds[0] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
	setsockopt(fds[0], SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	MUST(bind(fds[0], (void *)&address, sizeof(address)));
	MUST(listen(fds[0], 8));
}

/* TCP over loopback: opened, accepted, closed by both sides. */
static void connection_turn(void)
{
	int client, server;

	MUST(client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
	MUST(connect(client, (void *)&address, sizeof(address)));
	MUST(server = accept4(fds[0], NULL, NULL, SOCK_CLOEXEC));
	close(client);
	close(server);
}

static void talk_begin(void)
{
	int one = 1;

	listener_begin();
	MUST(fds[1] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
	MUST(connect(fds[1], (void *)&address, sizeof(address)));
	MUST(fds[2] = accept4(fds[0], NULL, NULL, SOCK_CLOEXEC));
	setsockopt(fds[1], IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
}

/* A byte over TCP. */
static void talk_turn(void)
{
	MUST(send(fds[1], "x", 1, 0));
	MUST(recv(fds[2], &byte, 1, 0));
}

static void bind_turn(void)
{
	int fd;

	MUST(fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
	address.sin_port = htons(PORT + 1);
	MUST(bind(fd, (void *)&address, sizeof(address)));
	MUST(listen(fd, 1));
	close(fd);
}

static const struct work {
	const char *name;
	void (*begin)(void), (*turn)(void);
} works[] = { { "read", file_begin, read_turn },
	      { "stored", stored_begin, read_turn },
	      { "call", zero_begin, call_turn },
	      { "open", file_begin, open_turn },
	      { "stat", file_begin, stat_turn },
	      { "name", NULL, name_turn },
	      { "sync", file_begin, sync_turn },
	      { "mount", NULL, mount_turn },
	      { "ids", NULL, ids_turn },
	      { "kill", kill_begin, kill_turn },
	      { "futex", NULL, futex_turn },
	      { "disk", disk_begin, disk_turn },
	      { "fault", NULL, fault_turn },
	      { "process", NULL, process_turn },
	      { "exec", NULL, exec_turn },
	      { "thread", NULL, thread_turn },
	      { "switch", switch_begin, switch_turn },
	      { "pipe", pipe_begin, pipe_turn },
	      { "connection", listener_begin, connection_turn },
	      { "talk", talk_begin, talk_turn },
	      { "bind", NULL, bind_turn },
	      { NULL, NULL, NULL } };

static const struct work *work_find(const char *name)
{
	for (const struct work *w = works; w->name; w++)
		if (!strcmp(w->name, name))
			return w;
	die("there is no work '%s'", name);
}

/* Instructions of all its threads and of the processes that it started. */
static uint64_t clock_work(void)
{
	return clock_read(CLOCK_PROCESS_CPUTIME_ID) + of_children;
}

static double turns_do(const struct work *w, unsigned count)
{
	uint64_t before;

	for (unsigned i = 0; i < WARM_UP; i++)
		w->turn();
	before = clock_work();
	for (unsigned i = 0; i < count; i++)
		w->turn();
	return (double)(clock_work() - before) / count;
}

/* From its execve until it has used its processor for the last time: all is attached, all is read. A tool of file names
 * sees the file once. */
static uint64_t tracer_ready(const struct tracer *t)
{
	uint64_t used = 0, last = t->began, now = t->began, next;
	char text[64] = "";
	int fd;

	snprintf(text, sizeof(text), "/proc/%d/schedstat", t->pid);
	MUST(fd = open(text, O_RDONLY | O_CLOEXEC));
	while (now - last < LATER_MS * 1000000ull) {
		sleep_ms(1);
		MUST(pread(fd, text, sizeof(text) - 1, 0));
		next = strtoull(text, NULL, 10);
		now = clock_now();
		if (next - used > 200000)
			last = now;
		used = next;
		if (now - t->began > 60000000000ull)
			die("the tool did not come to rest");
	}
	close(fd);
	return last - t->began;
}

static void work_traced(const struct work *w, unsigned count, char **argv)
{
	struct tracer t = tracer_start(argv, -1);
	uint64_t ready = tracer_ready(&t), before = tracer_runtime(&t);
	long rss = tracer_memory(&t);

	printf(",\"task\":%.1f", turns_do(w, count));
	sleep_ms(500);
	printf(",\"tool\":%.1f", (double)(tracer_runtime(&t) - before) / count);
	printf(",\"ready\":%llu,\"rss\":%ld", (unsigned long long)ready, rss);
	printf(",\"status\":%d", tracer_stop(&t));
}

int main(int argc, char **argv)
{
	const struct work *w;
	unsigned count;

	if (argc == 3 && !strncmp(argv[1], "some", 4))
		return 0; /* exec_turn() */
	if (argc < 3 || (argc > 3 && (argc < 5 || strcmp(argv[3], "--"))))
		die("usage: costs WORK COUNT [-- TOOL [ARG…]]");
	w = work_find(argv[1]);
	count = strtoul(argv[2], NULL, 10);
	sleep_ms(500);
	if (w->begin)
		w->begin();
	printf("\"alone\":%.1f", turns_do(w, count));
	if (argc > 4)
		work_traced(w, count, argv + 4);
	printf(",\"count\":%u\n", count);
	return 0;
}
