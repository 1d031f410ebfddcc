/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * exprload_run.c - programs that are attached: the records of a command, and what a record costs
 * (exprload.h).
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "exprload.h"
#include "attach/method.h"
#include "output/field/record.h"
#include "output/rows/sink.h"

/* ---- one program, attached ---- */

struct reader {
	struct sink sink;
	pid_t child;
};

static int on_record(void *ctx, void *data, size_t size)
{
	struct reader *r = ctx;
	const struct event_header *h = data;

	if ((pid_t)h->pid == r->child && sink_record(&r->sink, data, size))
		printf("bad record\n");
	return 0;
}

static int attach_side(const struct way *way, int prog, const char *func, bool at_return)
{
	const struct attach_target t = { .function = func,
					 .is_return = at_return,
					 .type = target.attach_kprobe_session };

	if (way->method == EXPR_CTX_FENTRY)
		return attach_link(ATTACH_FENTRY, &t, prog);
	return attach_link(way->session ? ATTACH_KPROBE_SESSION : ATTACH_KPROBE, &t, prog);
}

static int attach(const struct way *way, int prog, const char *func)
{
	if (return_prog >= 0 && attach_side(way, return_prog, func, true) < 0)
		return -1;
	return attach_side(way, prog, func,
			   way->scope == EXPR_SCOPE_RETURN ||
				   (way->scope && !way->session && return_prog < 0));
}

static uint64_t loss_of(uint32_t loss)
{
	int cpus = libbpf_num_possible_cpus();
	uint64_t values[cpus], sum = 0;

	if (!bpf_map_lookup_elem(maps.fds[EXPR_MAP_LOSSES], &loss, values))
		for (int i = 0; i < cpus; i++)
			sum += values[i];
	return sum;
}

static pid_t child_start(char **argv, int *go)
{
	int fds[2];
	pid_t pid;
	char c;

	if (pipe(fds))
		exit(2);
	pid = fork();
	if (!pid) {
		close(fds[1]);
		if (read(fds[0], &c, 1) == 1)
			execvp(argv[0], argv);
		_exit(127);
	}
	*go = fds[1];
	return pid;
}

int run_one(const struct way *way, char **argv)
{
	struct expr_program *p;
	struct ring_buffer *rb;
	struct reader reader = { .sink.json = true, .sink.applet = "argdump" };
	struct buf out;
	size_t count = 0;
	uint32_t func_id;
	int prog, go;

	while (argv[1 + count] && strcmp(argv[1 + count], "--"))
		count++;
	if (compile(way, argv[0], (const char *const *)argv + 1, count, false, &p, &func_id)) {
		printf("%s\n", log_text);
		return 1;
	}
	prog = load(way, func_id, p);
	if (prog < 0) {
		printf("%s\n", log_text);
		return 1;
	}
	buf_init(&out, STDOUT_FILENO);
	reader.sink.schema = expr_schema(p);
	reader.sink.out = &out;
	reader.child = child_start(argv + count + 2, &go);
	rb = ring_buffer__new(maps.fds[EXPR_MAP_RING], on_record, &reader, NULL);
	if (attach(way, prog, argv[0]) < 0)
		perror("attach");
	if (write(go, "", 1) != 1)
		return 1;
	waitpid(reader.child, NULL, 0);
	ring_buffer__consume(rb);
	buf_printf(&out, "# full %llu fault %llu\n", (unsigned long long)loss_of(LOSS_RING_FULL),
		   (unsigned long long)loss_of(LOSS_FAULT));
	buf_flush(&out);
	return 0;
}

/* ---- what it costs ---- */

enum { READS = 8000 };

static double read_cost(int fd)
{
	struct timespec start, end;
	char byte;

	clock_gettime(CLOCK_MONOTONIC, &start);
	for (int i = 0; i < READS; i++)
		if (pread(fd, &byte, 1, 0) != 1)
			exit(2);
	clock_gettime(CLOCK_MONOTONIC, &end);
	return ((end.tv_sec - start.tv_sec) * 1e9 + (end.tv_nsec - start.tv_nsec)) / READS;
}

int run_cost(const struct way *way, char **argv)
{
	int fd = open("/proc/self/exe", O_RDONLY), status;
	size_t count = 0, insns;
	struct expr_program *p;
	uint32_t func_id;
	double before;
	int prog;

	while (argv[1 + count] && argv[1 + count][0] != '+')
		count++;
	count_begin((const char *const *)argv + 1 + count, false);
	if (compile_counted(way, argv[0], (const char *const *)argv + 1, count, &p, &func_id))
		return 1;
	prog = load(way, func_id, p);
	read_cost(fd);
	before = read_cost(fd);
	if (prog < 0 || attach(way, prog, argv[0]) < 0)
		return 1;
	if (!fork()) { /* the program leaves out its own process */
		double with = read_cost(fd);

		expr_insns(p, &insns);
		printf("%s %s: %.0f added, %zu insns, full %llu\n", way->name,
		       argv[1] ? argv[1] : "all", with - before, insns,
		       (unsigned long long)loss_of(LOSS_RING_FULL));
		fflush(stdout);
		_exit(0);
	}
	wait(&status);
	return 0;
}
