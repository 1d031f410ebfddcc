/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bench.c - what tools/bench runs in a guest: known work, and what tracing it costs.
 *
 *   bench WORK COUNT [-- TRACER [ARG…]]   COUNT events of WORK, with TRACER attached or without
 *   bench start WORK -- TRACER [ARG…]     TRACER's start-up, and whether it sees one event then
 *   bench attach WORK COUNT -- TRACER…    the same, and how long TRACER takes to say that it is attached
 *   bench event DEFINITION…               a TRACER: kprobe_events definitions, trace_pipe read
 *
 * WORK is read (1 byte of a tmpfs file), call (1 byte of /dev/zero: nothing but read(2)), open (of a file that
 * is there), disk (4 KiB of /dev/loop0, past the page cache), connection (TCP over loopback, opened and closed),
 * fault (the first write to a page, in a function) or exec (a process that executes itself). All print the
 * inside of a JSON object. It must not know of coretap.
 *
 * Under QEMU's icount all clocks count instructions. Each event is timed by itself, by the traced
 * task's own processor time, and the mean of the middle half taken: what falls on few events (timer,
 * wake-up of the consumer once for many) is not in it. All that happens is in `elapsed`: the events
 * and then a fixed number of empty turns, so that the processor never idles while the consumer takes
 * its share of it; `elapsed` without a tracer subtracted, what remains is all that the tracer has
 * cost anyone.
 *
 * Reading the task's own time is a system call. A tracer of system calls must not see those, so the calls of
 * `call` are timed together: each has the mean.
 */
#include <netinet/in.h>
#include <stdbool.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "bench.h"

#define RUN_FD	  9	     /* of struct run, across execve */
#define TURNS	  80000000ul /* two instructions each: 160 ms at 1 ns an instruction */
#define SETTLE_MS 2000	     /* tracers start, kernels tidy up; idle, so it takes no real time */
#define WARM_UP	  64	     /* events that are not counted */
#define COUNT_MAX 100000
#define TRACEFS	  "/sys/kernel/tracing/"
#define SCRATCH	  "/tmp/bench-file"
#define DISK	  "/dev/loop0"

struct run {
	uint32_t count, done; /* events, warm-up included */
	uint32_t together;    /* timed together: no event has the clock's own cost in it */
	uint64_t before;      /* this event began */
	uint64_t begin, end;  /* of all */
	uint64_t took[COUNT_MAX + WARM_UP];
};

static struct run *run;
static volatile sig_atomic_t stop;

/* What an event seems to take that is none: the least of some. */
static uint64_t clock_cost(void)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 100; i++) {
		uint64_t before = clock_own(), took = clock_own() - before;

		least = took < least ? took : least;
	}
	return least;
}

/* ---- the work ---- */

static void turns_spend(void)
{
	for (unsigned long i = 0; i < TURNS; i++)
		__asm__ volatile("");
}

static void event_begin(void)
{
	if (run->done == WARM_UP)
		run->begin = clock_now();
	run->before = clock_own();
}

static void event_end(void)
{
	uint64_t now = clock_own();

	run->took[run->done++] = now - run->before;
}

static void work_end(void)
{
	turns_spend();
	run->end = clock_now();
}

static void work_read(void)
{
	static char byte __attribute__((aligned(64)));
	int fd = open(SCRATCH, O_RDONLY | O_CLOEXEC);

	while (run->done < run->count) {
		event_begin();
		if (pread(fd, &byte, 1, 0) != 1)
			die("cannot read " SCRATCH);
		event_end();
	}
	close(fd);
}

/* Timed together: see above. */
static void work_call(void)
{
	int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	uint64_t own = 0;
	char byte;

	for (uint32_t i = 0; i < run->count; i++) {
		if (i == WARM_UP) {
			run->begin = clock_now();
			own = clock_own();
		}
		if (read(fd, &byte, 1) != 1)
			die("cannot read /dev/zero");
	}
	own = (clock_own() - own) / (run->count - WARM_UP);
	run->together = true;
	for (; run->done < run->count; run->done++)
		run->took[run->done] = own;
	close(fd);
}

static void work_open(void)
{
	while (run->done < run->count) {
		int fd;

		event_begin();
		fd = open(SCRATCH, O_RDONLY | O_CLOEXEC);
		event_end();
		if (fd < 0 || close(fd))
			die("cannot open " SCRATCH);
	}
}

static void work_disk(void)
{
	static char page[4096] __attribute__((aligned(4096)));
	int fd = open(DISK, O_RDONLY | O_DIRECT | O_CLOEXEC);

	while (run->done < run->count) {
		event_begin();
		if (pread(fd, page, sizeof(page), 0) != sizeof(page))
			die("cannot read " DISK);
		event_end();
	}
	close(fd);
}

/* TCP over loopback: opened, accepted, closed by both sides. */
static void work_connection(void)
{
	struct sockaddr_in a = { AF_INET, htons(5999), { htonl(INADDR_LOOPBACK) }, { 0 } };
	int listener = socket(AF_INET, SOCK_STREAM, 0), client, server, one = 1;

	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(listener, (void *)&a, sizeof(a)) || listen(listener, 8))
		die("cannot listen");
	while (run->done < run->count) {
		client = socket(AF_INET, SOCK_STREAM, 0);
		event_begin();
		if (connect(client, (void *)&a, sizeof(a)))
			die("cannot connect");
		server = accept(listener, NULL, NULL);
		close(client);
		close(server);
		event_end();
	}
	close(listener);
}

static __attribute__((noipa)) void page_write(char *page)
{
	*page = 1;
}

static void work_fault(void)
{
	size_t page = sysconf(_SC_PAGESIZE), size = (run->count + 1) * page;
	char *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED || madvise(at, size, MADV_NOHUGEPAGE))
		die("cannot map %zu bytes", size);
	while (run->done < run->count) {
		char *next = at + run->done * page;

		event_begin();
		page_write(next);
		event_end();
	}
	munmap(at, size);
}

static void exec_next(void)
{
	char *argv[] = {
		"bench", "again", "--option", "some words of it", "/usr/lib/a/file", NULL
	};
	char *env[] = { "PATH=/usr/bin", "HOME=/root", NULL };

	event_begin();
	execve("/proc/self/exe", argv, env);
	die("cannot execute itself");
}

/* A new image finds the numbers where the old one left them. */
static int exec_again(void)
{
	run = mmap(NULL, sizeof(*run), PROT_READ | PROT_WRITE, MAP_SHARED, RUN_FD, 0);
	if (run == MAP_FAILED)
		die("descriptor %d is not that of a bench", RUN_FD);
	event_end();
	if (run->done < run->count)
		exec_next();
	work_end();
	return 0;
}

/* The same addresses in each image: what execve costs depends on them. */
static void work_exec(void)
{
	personality(ADDR_NO_RANDOMIZE);
	exec_next();
}

static const struct work {
	const char *name;
	void (*run)(void);
} works[] = { { "read", work_read }, { "call", work_call },   { "open", work_open },
	      { "disk", work_disk }, { "fault", work_fault }, { "connection", work_connection },
	      { "exec", work_exec }, { NULL, NULL } };

static const struct work *work_find(const char *name)
{
	for (const struct work *w = works; w->name; w++)
		if (!strcmp(w->name, name))
			return w;
	die("there is no work '%s'", name);
}

static void run_open(uint32_t count)
{
	int fd = memfd_create("bench", 0);

	if (count < 1 || count > COUNT_MAX)
		die("from 1 to %d events", COUNT_MAX);
	if (fd < 0 || dup2(fd, RUN_FD) < 0 || ftruncate(RUN_FD, sizeof(*run)))
		die("cannot share memory: %s", strerror(errno));
	close(fd);
	run = mmap(NULL, sizeof(*run), PROT_READ | PROT_WRITE, MAP_SHARED, RUN_FD, 0);
	if (run == MAP_FAILED)
		die("cannot share memory: %s", strerror(errno));
	memset(run, 0, sizeof(*run)); /* no page faults later */
	run->count = count;
}

static void scratch_make(void)
{
	int fd = open(SCRATCH, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0 || write(fd, "x", 1) != 1 || close(fd))
		die("cannot write " SCRATCH ": %s", strerror(errno));
}

static void work_do(const struct work *w, bool spend)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		w->run();
		if (spend)
			work_end();
		exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		die("the work failed");
}

/* ---- the commands ---- */

/* Until it does nothing more: some read symbols when they are attached. */
static void tracer_settle(const struct tracer *t)
{
	uint64_t before, now;

	sleep_ms(SETTLE_MS);
	for (now = tracer_runtime(t);;) {
		before = now;
		sleep_ms(500);
		now = tracer_runtime(t);
		if (now - before < 20000000)
			return;
	}
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void run_print(void)
{
	uint64_t *took = run->took + WARM_UP, cost = run->together ? 0 : clock_cost(), sum = 0;
	uint32_t count = run->count - WARM_UP, middle = 0;

	qsort(took, count, sizeof(*took), compare);
	for (uint32_t i = count / 4; i <= count - 1 - count / 4; i++, middle++)
		sum += took[i] - cost;
	printf("\"count\":%u,\"call\":%.1f,\"call_p10\":%llu,\"call_p50\":%llu,\"call_p90\":%llu,"
	       "\"elapsed\":%llu",
	       count, (double)sum / middle, (unsigned long long)(took[count / 10] - cost),
	       (unsigned long long)(took[count / 2] - cost),
	       (unsigned long long)(took[count - 1 - count / 10] - cost),
	       (unsigned long long)(run->end - run->begin));
}

static int measure_plain(const struct work *w)
{
	sleep_ms(SETTLE_MS);
	work_do(w, w->run != work_exec);
	run_print();
	puts("");
	return 0;
}

static void traced_measure(const struct work *w, struct tracer *t)
{
	uint64_t before, after, later;
	int status;
	long peak;

	tracer_settle(t);
	before = tracer_runtime(t);
	work_do(w, w->run != work_exec);
	after = tracer_runtime(t);
	sleep_ms(500);
	later = tracer_runtime(t) - after;
	peak = tracer_memory(t);
	status = tracer_stop(t);
	run_print();
	printf(",\"runtime\":%llu,\"later\":%llu,\"rss_peak\":%ld,\"status\":%d\n",
	       (unsigned long long)(after - before), (unsigned long long)later, peak, status);
}

static int measure_traced(const struct work *w, char **argv)
{
	struct tracer t = tracer_start(argv, -1);

	traced_measure(w, &t);
	return 0;
}

/* Both compilers of bpftrace's language say "Attached 1 probe" on stderr. */
static int measure_attach(const struct work *w, uint32_t count, char **argv)
{
	static char text[1 << 16];
	struct tracer t;
	uint64_t end = 0;
	size_t len = 0;
	ssize_t n;
	long rss;

	run_open(count + WARM_UP);
	scratch_make();
	sleep_ms(500);
	t = tracer_start(argv, STDERR_FILENO);
	while (!strstr(text, "Attached ")) {
		n = read(t.out, text + len, sizeof(text) - 1 - len);
		if (n <= 0)
			die("the tracer did not attach: %s", text);
		end = clock_now();
		len += n;
	}
	rss = tracer_memory(&t);
	printf("\"start\":%llu,\"rss\":%ld,", (unsigned long long)(end - t.began), rss);
	traced_measure(w, &t);
	return 0;
}

static int measure(const struct work *w, uint32_t count, char **tracer)
{
	run_open(count + WARM_UP);
	scratch_make();
	return tracer ? measure_traced(w, tracer) : measure_plain(w);
}

/* Attached is who has written its first line, if the one event after it is seen. */
static int measure_start(const struct work *w, char **argv)
{
	struct pollfd p = { .events = POLLIN };
	static char text[1 << 16];
	struct tracer t;
	long rss;
	bool seen;

	run_open(WARM_UP + 1);
	scratch_make();
	sleep_ms(500);
	t = tracer_start(argv, STDOUT_FILENO);
	rss = tracer_memory(&t);
	if (read(t.out, text, sizeof(text)) <= 0)
		die("the tracer ended before it wrote anything");
	printf("\"start\":%llu,\"rss_peak\":%ld", (unsigned long long)(t.wrote - t.began), rss);
	fflush(stdout);
	run->count = 1;
	work_do(w, false);
	p.fd = t.out;
	seen = poll(&p, 1, 2000) == 1 && read(t.out, text, sizeof(text)) > 0;
	printf(",\"seen\":%s,\"status\":%d\n", seen ? "true" : "false", tracer_stop(&t));
	return 0;
}

/* ---- the kernel's own kprobe events ---- */

static bool file_put(const char *path, int flags, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | flags);
	bool fine = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return fine;
}

static void signal_note(int number)
{
	stop = number;
}

/* "p:bench/NAME …" */
static void event_define(const char *definition)
{
	char path[160], filter[64];
	int len = strcspn(definition + 2, " ");

	if (!file_put(TRACEFS "kprobe_events", O_APPEND, definition))
		die("kprobe_events takes no '%s': %s", definition, strerror(errno));
	snprintf(path, sizeof(path), TRACEFS "events/%.*s/filter", len, definition + 2);
	snprintf(filter, sizeof(filter), "common_pid != %d", getpid());
	if (!file_put(path, 0, filter))
		die("%s: %s", path, strerror(errno));
}

static void trace_copy(void)
{
	static char text[1 << 17];
	int fd = open(TRACEFS "trace_pipe", O_RDONLY | O_CLOEXEC);
	ssize_t n;

	/* as everyone does it: read, write */
	while (!stop && (n = read(fd, text, sizeof(text))) > 0)
		if (write(STDOUT_FILENO, text, n) < 0)
			break;
	close(fd);
}

static int event_trace(char **definitions)
{
	struct sigaction catch = { .sa_handler = signal_note }; /* read(2) is to end */

	sigaction(SIGINT, &catch, NULL);
	for (; *definitions; definitions++)
		event_define(*definitions);
	if (!file_put(TRACEFS "events/bench/enable", 0, "1"))
		die("cannot enable the events: %s", strerror(errno));
	if (write(STDOUT_FILENO, "attached\n", 9) != 9)
		return 1;
	trace_copy();
	file_put(TRACEFS "events/bench/enable", 0, "0");
	file_put(TRACEFS "kprobe_events", O_TRUNC, "\n");
	return 0;
}

int main(int argc, char **argv)
{
	bool traced = argc > 4 && !strcmp(argv[3], "--");

	if (argc == 5 && !strcmp(argv[1], "again"))
		return exec_again();
	if (argc > 2 && !strcmp(argv[1], "event"))
		return event_trace(argv + 2);
	if (argc > 5 && !strcmp(argv[1], "attach"))
		return measure_attach(work_find(argv[2]), strtoul(argv[3], NULL, 10), argv + 5);
	if (traced && !strcmp(argv[1], "start"))
		return measure_start(work_find(argv[2]), argv + 4);
	if (traced || argc == 3)
		return measure(work_find(argv[1]), strtoul(argv[2], NULL, 10),
			       traced ? argv + 4 : NULL);
	die("usage: bench WORK COUNT [-- TRACER…] | start WORK -- TRACER… | attach WORK COUNT -- TRACER… | "
	    "event DEFINITION…");
}
