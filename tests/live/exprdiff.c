/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * exprdiff.c - argdump against an independent reader: the kernel's own probe events, which follow
 * -> and . by BTF, too (where it has them: CONFIG_PROBE_EVENTS_BTF_ARGS). Runs in a guest, as root;
 * not part of coretap.
 *
 *	exprdiff COUNT SEED    compares random chains until COUNT of them gave values on both sides;
 *	                       1: some differ, 2: cannot run here, 77: no such events in this kernel
 *	exprdiff work          the workload: calls of each function below
 *
 * Each pointer that a chain goes through is a chain of its own (exprdiff_chains.h), so the kernel's
 * reading of every link is known. That tells which values must be NULL (its events show what was in
 * their buffer before when they cannot read). Two events of the same chains frame a call's readings:
 * what differs between them was changing just then, and proves nothing.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exprdiff_chains.h"

#define TRACING "/sys/kernel/tracing/"
#define WORKER	"exprdiff-work"
#define BEGIN	"exprdiff begins"

enum {
	EVENT_NODES = 28, /* arguments of one event: its definition has to fit into 4096 bytes */
	CALLS_MAX = 32,
	RUNS_MAX = 60,
	NO_EVENTS = 77,
};

/* The first address that may be the kernel's. */
#ifdef __aarch64__
#define KERNEL_LOWEST 0xffff000000000000
#else
#define KERNEL_LOWEST 0xffff800000000000
#endif

static const char *const funcs[] = { "vfs_read", "wake_up_new_task", "security_file_open",
				     "security_inode_getattr", "security_socket_connect" };
/* kprobe.multi is the last, for kernels that lack it. */
static const char *const methods[] = { "fentry", "kprobe", "kprobe.multi" };
enum { FUNCS = sizeof(funcs) / sizeof(funcs[0]), METHODS = sizeof(methods) / sizeof(methods[0]) };
static int method_count;

enum reader { BEFORE, AFTER, ARGDUMP, READERS };
static struct reading {
	uint64_t value;
	bool null;
} readings[READERS][CALLS_MAX][NODES];
static int calls[READERS][2]; /* of each half of the nodes */

enum verdict { VALUE, NULL_LINK, UNREADABLE, CHANGING, DIFFERENT, VERDICTS };
static const char *const verdicts[] = { "equal", "a NULL link in both",
					"skipped: not a kernel address",
					"skipped: changed between two readings", "different" };
static unsigned totals[VERDICTS], bitfields, pointers, refused;

static int tracing_write(const char *file, int flags, const char *text)
{
	char path[128];
	int fd, err = 0;

	snprintf(path, sizeof(path), TRACING "%s", file);
	fd = open(path, O_WRONLY | flags);
	if (fd < 0 || (*text && write(fd, text, strlen(text)) < 0))
		err = -errno;
	if (fd >= 0)
		close(fd);
	return err;
}

/* ---- the workload ---- */

static int work(void)
{
	static const char *const paths[] = { "/proc/version", "/usr/bin/bash",
					     "/sys/kernel/mm/transparent_hugepage/enabled" };
	struct sockaddr_in to = { AF_INET, htons(9), { htonl(INADDR_LOOPBACK) }, {} };
	struct stat st;
	char byte;

	/* the trace names older events of this process as the newest, too */
	tracing_write("trace_marker", 0, BEGIN);
	prctl(PR_SET_NAME, WORKER);
	for (int i = 0; i < 6; i++) {
		int fd = open(paths[i % 3], O_RDONLY);
		int s = socket(AF_INET, i % 2 ? SOCK_DGRAM : SOCK_STREAM, 0);

		if (read(fd, &byte, 1) != 1 || fstat(fd, &st))
			return 1;
		connect(s, (struct sockaddr *)&to, sizeof(to)); /* refused, perhaps */
		close(s);
		close(fd);
		if (!fork())
			_exit(0);
		wait(NULL);
	}
	return 0;
}

/* ---- the kernel's events ---- */

/* Shifts a bit-field in place as 8 bytes, whatever its type: one more argument after the last. */
static int event_define(const char *func, const char *name, int from, int to)
{
	char text[4096];
	int len = snprintf(text, sizeof(text), "p:exprdiff/%s %s", name, func);

	for (int i = from; i < to && len < (int)sizeof(text); i++)
		len += snprintf(text + len, sizeof(text) - len, " c%d=%s", i, nodes[i].text);
	len += snprintf(text + len, len < (int)sizeof(text) ? sizeof(text) - len : 0, " end=$arg1");
	return len < (int)sizeof(text) ? tracing_write("dynamic_events", O_APPEND, text) : -E2BIG;
}

static void events_remove(void)
{
	tracing_write("events/exprdiff/enable", 0, "0");
	tracing_write("dynamic_events", O_APPEND, "-:exprdiff/");
}

static int events_define(const char *func)
{
	char name[16];
	int err = 0;

	for (int reader = BEFORE; reader <= AFTER; reader++) {
		for (int from = 0; from < count && !err; from += EVENT_NODES) {
			snprintf(name, sizeof(name), "e%d%d", reader, from / EVENT_NODES);
			err = event_define(func, name, from,
					   from + EVENT_NODES < count ? from + EVENT_NODES : count);
		}
	}
	return err ?: tracing_write("events/exprdiff/enable", 0, "1");
}

/* Drops chains that the kernel's parser rejects, and all that extend them, and reports it. */
static void refused_drop(const char *func)
{
	int map[NODES], kept = 0;

	for (int i = 0; i < count; i++) {
		struct node n = nodes[i];
		bool lost = n.parent >= 0 && map[n.parent] < 0;

		map[i] = -1;
		if (!lost && event_define(func, "try", i, i + 1)) {
			printf("# refused by the kernel: %s %s\n", func, n.text);
			lost = true;
		}
		refused += lost;
		tracing_write("dynamic_events", O_APPEND, "-:exprdiff/try");
		if (lost)
			continue;
		n.parent = n.parent < 0 ? -1 : map[n.parent];
		map[i] = kept;
		nodes[kept++] = n;
	}
	count = kept;
}

/* ---- the readings ---- */

/* "c7=5" of an event, "c7":"0x5" of argdump. */
static void reading_parse(struct reading *r, const char *line, const char *format, int i)
{
	char key[16];
	const char *at;

	snprintf(key, sizeof(key), format, i);
	at = strstr(line, key);
	*r = (struct reading){ .null = true };
	if (!at)
		return;
	at += strlen(key);
	r->null = !strncmp(at, "null", 4);
	at += *at == '"';
	r->value = *at == '-' ? (uint64_t)strtoll(at, NULL, 0) : strtoull(at, NULL, 0);
}

static void line_parse(enum reader reader, int half, const char *line, const char *format)
{
	int call = calls[reader][half]++;

	for (int i = half * EVENT_NODES; i < count && call < CALLS_MAX; i++) {
		if (reader == ARGDUMP || i < (half + 1) * EVENT_NODES)
			reading_parse(&readings[reader][call][i], line, format, i);
	}
}

static void lines_read(const char *path, bool events)
{
	FILE *f = fopen(path, "r");
	size_t size = 0;
	char *line = NULL, *name;

	while (f && getline(&line, &size, f) > 0) {
		if (events && strstr(line, BEGIN))
			memset(calls, 0, sizeof(calls));
		if (!strstr(line, WORKER))
			continue;
		if (!events)
			line_parse(ARGDUMP, 0, line, "\"c%d\":");
		else if ((name = strstr(line, ": e")) && name[3] - '0' < ARGDUMP)
			line_parse(name[3] - '0', name[4] - '0', line, " c%d=");
	}
	free(line);
	if (f)
		fclose(f);
}

static int argdump_run(const char *func, const char *method)
{
	static char texts[NODES][TEXT_MAX + 16];
	char *argv[NODES + 16] = { "argdump",  "-j",	       "-o",	    "exprdiff.out",
				   "--attach", (char *)method, (char *)func };
	int status, n = 7;
	pid_t pid;

	for (int i = 0; i < count; i++) {
		snprintf(texts[i], sizeof(texts[i]), "c%d=%.*s:x", i, TEXT_MAX - 1, nodes[i].text);
		argv[n++] = texts[i];
	}
	argv[n++] = "--";
	argv[n++] = "exprdiff";
	argv[n++] = "work";
	pid = fork();
	if (!pid) {
		execvp(argv[0], argv);
		_exit(127);
	}
	return waitpid(pid, &status, 0) == pid ? status : -1;
}

/* ---- compared ---- */

static enum verdict call_compare(int call, int i)
{
	const struct reading *before = readings[BEFORE][call], *after = readings[AFTER][call];
	const struct reading *ours = &readings[ARGDUMP][call][i];
	uint64_t mask = nodes[i].bits == 64 ? ~0ull : (1ull << nodes[i].bits) - 1;
	enum verdict verdict = VALUE;

	/* the first link is the last one looked at, and decides */
	for (int p = nodes[i].parent; p >= 0; p = nodes[p].parent) {
		if (before[p].value != after[p].value)
			verdict = CHANGING;
		else if (!before[p].value)
			verdict = NULL_LINK;
		else if (before[p].value < KERNEL_LOWEST || before[p].value >= -4095ull)
			verdict = UNREADABLE;
	}
	if (verdict == NULL_LINK)
		return ours->null ? NULL_LINK : DIFFERENT;
	if (verdict != VALUE)
		return verdict;
	if (!ours->null && !((ours->value ^ before[i].value) & mask))
		return VALUE;
	return (before[i].value ^ after[i].value) & mask ? CHANGING : DIFFERENT;
}

static void different_show(const char *func, const char *method, int i)
{
	printf("different: %s by %s: %s, %u bits\n", func, method, nodes[i].text, nodes[i].bits);
	for (int call = 0; call < calls[ARGDUMP][0]; call++)
		printf("#   the kernel %#" PRIx64 ", %#" PRIx64 "; argdump %#" PRIx64 "%s\n",
		       readings[BEFORE][call][i].value, readings[AFTER][call][i].value,
		       readings[ARGDUMP][call][i].value,
		       readings[ARGDUMP][call][i].null ? " (null)" : "");
}

/* Does the kernel read another value in each call, as of a counter? */
static bool moves(int i)
{
	for (int call = 1; call < calls[ARGDUMP][0]; call++)
		if (readings[BEFORE][call][i].value == readings[BEFORE][call - 1][i].value)
			return false;
	return calls[ARGDUMP][0] > 2;
}

/* Over all calls: different once is different, a value once is a value. The kernel runs all kprobes of an
 * address together, so of what moves an interrupt may change one value between them and a fentry. */
static void chain_compare(const char *func, const char *method, int i)
{
	unsigned seen[VERDICTS] = {};
	enum verdict verdict = VALUE;

	for (int call = 0; call < calls[ARGDUMP][0]; call++)
		seen[call_compare(call, i)]++;
	while (verdict < CHANGING && !seen[verdict])
		verdict++;
	if (seen[DIFFERENT])
		verdict = seen[DIFFERENT] == 1 && moves(i) ? CHANGING : DIFFERENT;
	totals[verdict]++;
	bitfields += verdict == VALUE && nodes[i].bits % 8;
	pointers += verdict == VALUE && nodes[i].target;
	if (verdict == DIFFERENT)
		different_show(func, method, i);
}

static bool calls_agree(const char *func)
{
	int n = calls[ARGDUMP][0];

	for (int reader = BEFORE; reader <= AFTER; reader++) {
		for (int half = 0; half <= (count - 1) / EVENT_NODES; half++) {
			if (calls[reader][half] == n && n > 0 && n <= CALLS_MAX)
				continue;
			printf("different: calls of %s: the kernel %d, argdump %d\n", func,
			       calls[reader][half], n);
			return false;
		}
	}
	return true;
}

static void run_compare(const char *func, const char *method)
{
	int status;

	memset(calls, 0, sizeof(calls));
	tracing_write("trace", O_TRUNC, "");
	status = argdump_run(func, method);
	tracing_write("events/exprdiff/enable", 0, "0"); /* reading the trace calls vfs_read */
	lines_read(TRACING "trace", true);
	lines_read("exprdiff.out", false);
	if (status || !calls_agree(func)) {
		printf("different: %s by %s: argdump's status %#x\n", func, method, status);
		totals[DIFFERENT]++;
		return;
	}
	for (int i = 0; i < count; i++) {
		if (!nodes[i].known)
			chain_compare(func, method, i);
	}
}

/* Without any of them, the first chain of all is not taken. */
static bool has_events(void)
{
	int err = tracing_write("dynamic_events", O_APPEND,
				"p:exprdiff/try vfs_read c=file->f_inode->i_sb->s_magic");

	tracing_write("dynamic_events", O_APPEND, "-:exprdiff/try");
	if (err)
		printf("no BTF arguments in this kernel's probe events: %s\n", strerror(-err));
	return !err;
}

static int totals_show(void)
{
	for (int i = 0; i < VERDICTS; i++)
		printf("# %s: %u\n", verdicts[i], totals[i]);
	printf("# skipped: refused by the kernel: %u\n", refused);
	printf("# %u chains compared, %u with values (%u bitfields, %u pointers to structs), %u "
	       "different\n",
	       totals[VALUE] + totals[NULL_LINK] + totals[DIFFERENT], totals[VALUE], bitfields,
	       pointers, totals[DIFFERENT]);
	return totals[DIFFERENT] != 0;
}

int main(int argc, char **argv)
{
	struct chance c;

	if (argc == 2 && !strcmp(argv[1], "work"))
		return work();
	if (argc != 3 || btf_view_open(NULL, &btf))
		return 2;
	if (!has_events())
		return NO_EVENTS;
	setvbuf(stdout, NULL, _IOLBF, 0);
	method_count = METHODS - !btf_view_func(btf, "register_fprobe_ips");
	c.state = strtoul(argv[2], NULL, 0) * 0x9e3779b97f4a7c15ull | 1;
	for (int run = 0; run < RUNS_MAX && totals[VALUE] < strtoul(argv[1], NULL, 0); run++) {
		const char *func = funcs[run % FUNCS];

		if (!nodes_grow(&c, func))
			continue;
		if (events_define(func)) {
			events_remove();
			refused_drop(func);
			if (events_define(func))
				count = 0;
		}
		if (count)
			run_compare(func, methods[run / FUNCS % method_count]);
		events_remove();
	}
	return totals_show();
}
