/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * funcgraph.c - prints the calls inside of a kernel function: descriptor, options, and the tracer.
 *
 * argdump's engine traces the entries and the returns of a set of functions, as two requests. The files in funcgraph/
 * join its records: funcs.c (the functions, and the fields of both records), tree.c (events → trees), show.c.
 *
 * There are two records per call instead of one at the return (-r): as both arrive in order, the tree needs no times,
 * and a missing event is detected at once. If both records of a call are lost, only the count of lost records reveals
 * it. It is read when the ring may have been full, because reading a map costs events on kernels that preempt.
 *
 * Each record has $irq, the CPU and $frame. An interrupt and an idle CPU have separate calls. An entry of the root
 * that is not below the open root on the stack shows that a return was missed.
 *
 * ftrace's function_graph is not used. An instance of it has no set_graph_function and no max_graph_depth (up to
 * 7.3), and the global tracer would change settings of the machine.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "applets/funcgraph/funcs.h"
#include "applets/funcgraph/only.h"
#include "applets/funcgraph/words.h"
#include "applets/funcgraph/show.h"
#include "applets/funcgraph/tree.h"
#include "cli/option_check.h"
#include "front/front.h"
#include "output/field/timestamp.h"
#include "probe/argdump.h"
#include "front/recipe/recipe.h"
#include "util/clock.h"
#include "util/log.h"

enum { TREE_BYTES_MAX = 64 << 20 };

static struct {
	struct option_list funcs; /* --funcs */
	uint32_t depth, max_probes;
	const char *longer;
	const char *errors; /* NULL: not given; or graph_any_error */
} options;

static struct graph graph;
static struct graph_funcs funcs;
static struct graph_show show;
static const char *func; /* FUNC */
static uint64_t attached_at, lost_before, looked_at;

/* ---- options ---- */

/* Finds the functions that the code of FUNC calls. Unknown in a plan for another kernel. */
static int names_find(const struct session *s, struct buf *names)
{
	uint32_t most = options.max_probes / 2; /* including FUNC itself */

	if (options.depth == 1 || most == 1 || (s->options.attach.dry_run && s->options.attach.btf))
		return 0;
	return graph_set_build(func, options.depth ? options.depth - 1 : 0, most ? most - 1 : 0,
			       names);
}

static int probes_set(const struct session *s)
{
	struct buf names;
	int err;

	if (options.funcs.count)
		return graph_probes_given(argdump_model(), func, &options.funcs);
	buf_init(&names, -1);
	err = names_find(s, &names);
	if (!err)
		err = graph_probes_found(argdump_model(), func, &names);
	buf_free(&names);
	return err;
}

/* Each record needs its time, even if it is not printed. */
static void times_want(struct session *s)
{
	show.form = s->options.rows.timestamp;
	if (!options_want_times(&s->options))
		s->options.rows.timestamp = TIMESTAMP_MONO;
}

static int funcgraph_args(struct session *s, int argc, char **argv)
{
	struct argdump *a;
	int err;

	graph_errors_word_read(&options.errors, &argc, argv);
	err = graph_words_check(argc, argv)		      ?:
		      graph_longer_set(&show, options.longer) ?:
		      graph_errors_set(&show, options.errors);
	if (err)
		return err;
	func = argv[0];
	err = probes_set(s);
	if (err)
		return err;
	times_want(s);
	options_check_or_exit(&s->options);
	err = argdump_applet.args_set(s, 0, NULL);
	if (err)
		return err;
	a = s->private;
	a->front.entry = graph_first;
	a->front.leave = graph_first_return;
	a->max_probes = options.max_probes ?: a->max_probes;
	for (size_t i = 0; i < a->request_count; i++) {
		a->requests[i].is_again = i % 2; /* the entries of the same functions */
		a->requests[i].is_found = i >= 2;
	}
	return 0;
}

/* ---- losses ---- */

/* Returns the number of records that the programs could not write so far. */
static uint64_t records_lost(const struct session *s)
{
	static uint64_t *values; /* one per CPU */
	static int cpus;
	uint32_t kind = LOSS_RING_FULL;
	uint64_t sum = 0;

	if (!values) {
		cpus = libbpf_num_possible_cpus();
		values = cpus > 0 ? calloc(cpus, sizeof(*values)) : NULL;
	}
	if (!values || bpf_map_lookup_elem(s->fds.lost, &kind, values))
		return 0;
	for (int i = 0; i < cpus; i++)
		sum += values[i];
	return sum;
}

/* Checks for lost records before a tree is printed, if the ring may have been full: a call both of whose records are
 * lost leaves no other trace. Does not check each time: on the CPU where a map is read the kernel runs no kprobe
 * programs (bpf_disable_instrumentation), and if it preempts the reader, for a long time. */
static void losses_check(const struct session *s)
{
	uint64_t now = now_ns(), lost = lost_before;

	if (ring_peak(s->ring) > s->options.attach.buffer / 2)
		lost = records_lost(s);
	if (lost != lost_before)
		graph_lost(&graph, looked_at, now_ns());
	lost_before = lost;
	looked_at = now;
}

/* True for a thread that has ended inside of FUNC. */
static bool is_gone(const struct graph_tree *tree)
{
	const struct event_header *head = (const void *)(tree->bytes.data + tree->calls[0].entry);

	return syscall(SYS_tgkill, head->pid, head->tid, 0) && errno == ESRCH;
}

/* ---- the tracer ---- */

static int tree_done(void *ctx, const struct graph_tree *tree)
{
	struct session *s = ctx;

	if (session_limit_reached(s))
		return 0;
	s->losses.local[LOSS_TORN] += tree->torn;
	return graph_show(&show, tree);
}

static int graph_record(struct session *s, const void *record, size_t size)
{
	struct graph_event e;
	int err = graph_event_read(&funcs, s->private, record, size, &e);

	if (err || e.func == GRAPH_NONE || (s->end.at && e.at > s->end.at))
		return err;
	/* attaching was incomplete then: calls of the root may be missing */
	if (e.func == graph.root && !e.is_return && e.at < attached_at)
		return 0;
	if (e.func == graph.root && e.is_return)
		losses_check(s);
	return graph_read(&graph, &e);
}

static void text_nothing(struct buf *o, const void *record)
{
	(void)o, (void)record;
}

static int graph_attach(struct session *s)
{
	int code = argdump_tracer.attach(s);

	if (code)
		return code;
	attached_at = now_ns();
	if (graph_funcs_build(&funcs, s->private, graph_fields, GRAPH_FIELDS)) {
		log_error("out of memory");
		return EXIT_FAILED;
	}
	graph.root = graph_func_find(&funcs, func);
	if (graph.root == GRAPH_NONE) {
		log_error("cannot trace %s: its entry or its return could not be attached", func);
		return EXIT_CANNOT;
	}
	graph.depth_max = options.depth;
	graph.bytes_max = TREE_BYTES_MAX;
	graph.done = tree_done;
	graph.ctx = s;
	show.s = s;
	show.funcs = &funcs;
	buf_init(&show.joint, -1);
	if (!options_want_all(&s->options))
		for (size_t i = 0; i < funcs.form_count; i++)
			funcs.forms[i]->schema.text = text_nothing; /* no table, so no header */
	s->rows.schema = *funcs.schemas[0];
	s->rows.tag = graph_show_tag;
	s->rows.schemas = funcs.schemas;
	s->rows.schema_count = funcs.form_count;
	s->record = graph_record;
	return EXIT_FINE;
}

static void graph_settle(struct session *s)
{
	graph_show_header(&show);
	argdump_tracer.settle(s);
}

static void graph_search(struct session *s)
{
	argdump_tracer.look(s);
	graph_sweep(&graph, is_gone);
}

/* Prints calls that have not returned. */
static void graph_rest(struct session *s)
{
	losses_check(s);
	graph_finish(&graph);
	buf_flush(&s->out);
}

static void graph_close(struct session *s)
{
	argdump_tracer.close(s); /* the last user of names in the words */
	graph_free(&graph);
	graph_funcs_free(&funcs);
	buf_free(&show.joint);
}

static int graph_dry_run(struct session *s)
{
	return argdump_tracer.dry_run(s);
}

static void graph_detach(struct session *s)
{
	argdump_tracer.detach(s);
}

static const struct tracer_ops funcgraph_tracer = {
	.attach = graph_attach,
	.dry_run = graph_dry_run,
	.loaded = argdump_loaded,
	.methods = argdump_methods,
	.settle = graph_settle,
	.look = graph_search,
	.detach = graph_detach,
	.rest = graph_rest,
	.close = graph_close,
};

/* ---- the descriptor ---- */

static const struct option_spec funcgraph_options[] = {
	{ .name = "funcs",
	  .type = OPTION_LIST,
	  .arg = "PATTERN",
	  .value = &options.funcs,
	  .help = "show calls of these functions inside FUNC: names and patterns, 'vfs_*,dput'; "
		  "default: the functions that FUNC's code calls" },
	{ .name = "depth",
	  .type = OPTION_UINT,
	  .arg = "N",
	  .value = &options.depth,
	  .help = "show N levels of calls; 1 is FUNC alone" },
	{ .name = "longer",
	  .type = OPTION_STRING,
	  .arg = "TIME",
	  .value = &options.longer,
	  .help = "show only calls of FUNC that took longer: 100us, 5ms, 0.5s" },
	{ .name = "errors",
	  .letter = 'x',
	  .type = OPTION_STRING,
	  .arg = "ERRNO,...",
	  .bare = graph_any_error,
	  .value = &options.errors,
	  .help = "show only calls of FUNC that returned an error, or one of these, each with the path of the "
		  "error, from the function that first returned it to FUNC: --errors, --errors=EPERM, -x EPERM" },
	{ .name = "max-probes",
	  .type = OPTION_UINT,
	  .arg = "N",
	  .value = &options.max_probes,
	  .help = "trace at most N functions (default: 2000, entries and returns counted)" },
	{ 0 },
};

static const struct example examples[] = {
	{ "funcgraph vfs_read --depth 2 -n 1",
	  "a read, with the functions that vfs_read calls directly" },
	{ "funcgraph vfs_read --funcs 'rw_verify_area,security_file_p*' -n 3",
	  "three reads, with their permission checks" },
	{ "funcgraph do_sys_openat2 --funcs 'path_openat,*_walk' --errors",
	  "the origin of the error of each failed open" },
	{ "funcgraph -x EPERM chmod_common", "where a chmod is refused" },
	{ "funcgraph vfs_write --funcs 'ext4_file_*' --longer 10ms -p 1234",
	  "the slow writes of a process" },
	{ "funcgraph vfs_read --funcs 'security_file_p*' -j -- cat /etc/passwd",
	  "the reads of a command, a line of JSON for each call" },
	{ 0 },
};

const struct applet funcgraph_applet = {
	.name = "funcgraph",
	.summary = "show what a kernel function calls, as a tree, with arguments and results",
	.description =
		"Prints each call of FUNC when it returns, with the calls of other functions inside "
		"it: the processor, duration, arguments and result of each, by the kernel's types. "
		"The other functions are those of --funcs. Without --funcs, they are the functions "
		"that FUNC's code calls, three levels down (read from /proc/kcore): the nearest 100, "
		"or 40 if this kernel attaches each function separately.\n\n"
		"A character before the duration marks slow calls: + more than 10 us, ! 100 us, # 1 "
		"ms, * 10 ms, @ 100 ms, $ 1 s. /* error */ follows a result that is an error.\n\n"
		"If events were lost, the tree is torn: only FUNC's own call is shown, because the "
		"calls inside may be incomplete. Torn trees are counted.\n\n"
		"Filters (-p, -c …) apply to each call; -n counts trees.",
	.buffer = 32 << 20,
	.args = "FUNC",
	.common = OPTION_GROUPS_TRACER | OPTION_GROUP_RECORDS,
	.options = funcgraph_options,
	.fields = graph_fields,
	.field_count = GRAPH_FIELDS,
	.examples = examples,
	.blind_spots =
		"Functions that argdump cannot trace: those that the compiler inlined, and those that "
		"the kernel marks notrace. Without --funcs: functions called through a pointer, and "
		"functions that tracing itself calls (locks, RCU, BPF). Calls that began before "
		"tracing. Durations include the time to trace the calls inside.",
	.args_set = funcgraph_args,
	.complete = argdump_complete,
	.tracer = &funcgraph_tracer,
};
