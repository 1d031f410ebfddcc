/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * exprload.c - asks a real kernel's verifier about what the argdump compiler makes. Runs in a
 * guest, as root; not part of coretap.
 *
 *	exprload               loads the chosen cases in every way, TAP on stdout
 *	exprload WAY FUNC [EXPR…] -- CMD ARG…
 *	                       attaches, runs CMD, prints the records that it caused as JSON
 *	exprload random COUNT SEED
 *	                       loads random expressions over random functions, in every way
 *	exprload cost WAY FUNC [EXPR…] [+MEASURE[:EXPR]…]
 *	                       what a record adds to a read(2), in ns; in a guest under icount that
 *	                       is instructions. With measures (+count, +hist:count) calls are counted
 *	                       and the expressions are the key
 *
 * A case whose expression this kernel's types do not allow is skipped, with the compiler's reason.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "exprload.h"
#include "count/aggregate.h"
#include "util/glob.h"

enum { LOG_SIZE = 15 << 20 };

const struct way ways[WAYS] = {
	{ "fentry", EXPR_CTX_FENTRY, true, true },
	{ "fentry-probe", EXPR_CTX_FENTRY, false, true },
	{ "fentry-lockdown", EXPR_CTX_FENTRY, true, false },
	{ "kprobe", EXPR_CTX_KPROBE, true, true },
	{ "kprobe-probe", EXPR_CTX_KPROBE, false, true },
	{ "kprobe-lockdown", EXPR_CTX_KPROBE, true, false },
	{ "fexit", EXPR_CTX_FENTRY, true, true, EXPR_SCOPE_RETURN },
	{ "fexit-probe", EXPR_CTX_FENTRY, false, true, EXPR_SCOPE_RETURN },
	{ "fexit-lockdown", EXPR_CTX_FENTRY, true, false, EXPR_SCOPE_RETURN },
	{ "kretprobe", EXPR_CTX_KPROBE, true, true, EXPR_SCOPE_RETURN },
	{ "kretprobe-probe", EXPR_CTX_KPROBE, false, true, EXPR_SCOPE_RETURN },
	{ "fsession", EXPR_CTX_FENTRY, true, true, EXPR_SCOPE_CALL, true },
	{ "fsession-probe", EXPR_CTX_FENTRY, false, true, EXPR_SCOPE_CALL, true },
	{ "fsession-lockdown", EXPR_CTX_FENTRY, true, false, EXPR_SCOPE_CALL, true },
	{ "fentry+fexit", EXPR_CTX_FENTRY, true, true, EXPR_SCOPE_CALL },
	{ "fentry+fexit-probe", EXPR_CTX_FENTRY, false, true, EXPR_SCOPE_CALL },
	{ "fentry+fexit-lockdown", EXPR_CTX_FENTRY, true, false, EXPR_SCOPE_CALL },
	{ "kprobe.session", EXPR_CTX_KPROBE, true, true, EXPR_SCOPE_CALL, true },
	{ "kprobe.session-probe", EXPR_CTX_KPROBE, false, true, EXPR_SCOPE_CALL, true },
	{ "kprobe+kretprobe", EXPR_CTX_KPROBE, true, true, EXPR_SCOPE_CALL },
	{ "kprobe+kretprobe-probe", EXPR_CTX_KPROBE, false, true, EXPR_SCOPE_CALL },
};

struct btf_view *btf;
bool want_ts = true;
unsigned depth;
struct program_maps maps = PROGRAM_MAPS_NONE;
int return_prog = -1;
struct expr_target target;
static char log_buffer[LOG_SIZE];
const char *const log_text = log_buffer;
static struct aggregate counted; /* what +MEASUREs ask for */

static void maps_create(void)
{
	static glob_table none;
	int err = program_maps_open(&maps, 1 << 22, true, true, none);

	if (err) {
		fprintf(stderr, "maps: %s\n", strerror(-err));
		exit(2);
	}
}

static int load_side(const struct way *way, uint32_t func_id, const struct bpf_insn *insns,
		     size_t count, bool at_return)
{
	/* Level 0: libbpf asks for the log only once a program is refused, for what the verifier has
	 * to say of a long one that it takes may not fit, and then it refuses that too. */
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .log_buf = log_buffer, .log_size = LOG_SIZE);
	enum bpf_prog_type type = BPF_PROG_TYPE_KPROBE;

	if (way->method == EXPR_CTX_FENTRY) {
		type = BPF_PROG_TYPE_TRACING;
		opts.expected_attach_type = at_return ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY;
		opts.attach_btf_id = func_id;
	}
	if (way->session && !at_return)
		opts.expected_attach_type = func_id && type == BPF_PROG_TYPE_TRACING ?
						    target.attach_fsession :
						    target.attach_kprobe_session;
	log_buffer[0] = '\0';
	return bpf_prog_load(type, "exprload", "GPL", insns, count, &opts);
}

static void fd_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* The program for the entry, or, where it is the only one, for the return; that of the return beside
 * another is in return_prog. */
static int image_load(const struct way *way, uint32_t func_id, const struct program_image *image)
{
	fd_close(&return_prog);
	if (image->count_return) {
		int fd = load_side(way, func_id, image->insns_return, image->count_return, true);

		if (fd < 0 || !image->count)
			return fd;
		return_prog = fd;
	}
	return load_side(way, func_id, image->insns, image->count, way->scope == EXPR_SCOPE_RETURN);
}

int load(const struct way *way, uint32_t func_id, const struct expr_program *p)
{
	struct program_image image;
	static const struct program_facts none[2];
	int err = program_image_build(&image, p, &maps, NULL, none), fd;

	if (err) {
		errno = -err;
		return err;
	}
	fd = image_load(way, func_id, &image);
	program_image_free(&image);
	return fd;
}

/* All that there are. */
static void filters_set(struct expr_input *in)
{
	struct event_filter *f = &in->run.filter;

	in->run.kernel_stack = in->run.user_stack = in->site.on_function = true;
	f->pids = f->tids = f->uids = (struct event_ids){ 2, { 42, 43 } };
	f->by_comm = f->by_cgroup = f->follow = 1;
	f->by_names = f->numbers.ns = f->numbers.level = 1;
	strcpy(f->comm, "systemd-journa");
}

int compile(const struct way *way, const char *func, const char *const *exprs, size_t count,
	    bool filters, struct expr_program **p, uint32_t *func_id)
{
	struct expr_error error;
	struct expr_input in = {
		.btf = btf,
		.texts = exprs,
		.count = count,
		.scope = way->scope,
		.session = way->session,
		.run.want_ts = want_ts,
		.run.depth = depth,
		.run.aggregate = aggregate_wanted(&counted) ? &counted.input : NULL,
	};
	int err;

	if (expr_target_detect(btf, func, &in.target, func_id))
		exit(2);
	if (!*func_id) {
		snprintf(log_buffer, LOG_SIZE, "no function %s", func);
		return -ENOENT;
	}
	in.site.func_id = *func_id;
	if (way->scope == EXPR_SCOPE_CALL)
		expr_target_sessions(btf, &in.target);
	target = in.target;
	in.target.method = way->method;
	in.target.typed_loads = way->typed_loads;
	in.target.probe_read = way->probe_read;
	in.run.filter.self = filters ? 1 : getpid();
	if (filters)
		filters_set(&in);
	err = expr_compile(&in, p, &error);
	if (err)
		snprintf(log_buffer, LOG_SIZE, "%s", error.message);
	return err;
}

const char *log_end(void)
{
	const char *end = log_text + strlen(log_text);

	for (int lines = 0; end > log_text && lines < 12; end--)
		lines += end[-1] == '\n';
	return end;
}

/* ---- counted ---- */

/* "+avg:count", as --avg count gives it. */
void count_begin(const char *const *measures, bool clear)
{
	static struct option_spec specs[OPTION_LIST_MAX];
	static char names[OPTION_LIST_MAX][8];
	static struct model model;
	const struct options common = { .report.clear = clear, .report.interval_ns = 1 };
	size_t n = 0;

	model_free(&model);
	counted.options.keys = 100;
	for (; measures[n] && measures[n][0] == '+'; n++) {
		const char *colon = strchr(measures[n], ':');

		snprintf(names[n], sizeof(names[n]), "%.*s",
			 colon ? (int)(colon - measures[n]) - 1 : 7, measures[n] + 1);
		specs[n] = (struct option_spec){ .name = names[n], .setting = MODEL_MEASURE };
		if (model_option_add(&model, &specs[n], model_typed(colon ? colon + 1 : NULL)))
			exit(2);
	}
	if (n && aggregate_set(&counted, &model, &common))
		exit(2);
}

void count_end(void)
{
	const enum expr_map_kind kinds[] = { EXPR_MAP_COUNTS, EXPR_MAP_COUNTED, EXPR_MAP_BLANK,
					     EXPR_MAP_SCRATCH, EXPR_MAP_CLAIMED };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		fd_close(&maps.fds[kinds[i]]);
	aggregate_close(&counted);
	counted = (struct aggregate){};
}

int compile_counted(const struct way *way, const char *func, const char *const *exprs, size_t count,
		    struct expr_program **p, uint32_t *func_id)
{
	const struct expr_program *programs[1];
	int err = compile(way, func, exprs, count, false, p, func_id);

	if (err || !aggregate_wanted(&counted))
		return err;
	programs[0] = *p;
	if (aggregate_open(&counted, programs, 1, 1, &maps)) {
		perror("maps to count in");
		exit(2);
	}
	return 0;
}

static const struct way *way_find(const char *name)
{
	for (size_t i = 0; i < WAYS; i++) {
		if (!strcmp(ways[i].name, name))
			return &ways[i];
	}
	exit(2);
}

int main(int argc, char **argv)
{
	if (btf_view_open(NULL, &btf)) {
		printf("no BTF\n");
		return 2;
	}
	maps_create();
	if (argc < 3)
		return run_cases();
	if (!strcmp(argv[1], "random"))
		return run_random(strtoul(argv[2], NULL, 0),
				  argc > 3 ? strtoul(argv[3], NULL, 0) : 1);
	want_ts = strcmp(argv[1], "cost");
	if (!want_ts)
		return run_cost(way_find(argv[2]), argv + 3);
	return run_one(way_find(argv[1]), argv + 2);
}
