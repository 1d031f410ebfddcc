/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ask_kernel.c - finds facts that only the running kernel knows: how to interpret $ctx, and which per-CPU variables
 * programs can use.
 */
#include "probe/ask_kernel.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

#include "attach/ask_functions.h"
#include "attach/prog.h"
#include "kernel/insn.h"
#include "output/field/trace_ctx.h"
#include "output/field/value.h"
#include "run/ring.h"
#include "symbols/kernel/ksyms.h"
#include "util/log.h"

/*
 * ---- $ctx: calibrated with the same kind of probe on a function that we call ourselves ----
 *
 * The kernel disables nothing while it reads the attributes of a file. What a probe sees there is its own
 * effect: how many more times preemption and migration are disabled. One calibration holds for all
 * kprobes, because they share one hook of ftrace. Each kprobe.multi link has its own hook; where a
 * function has several hooks, ftrace's list of them disables preemption once more. Since 6.14
 * kprobe.multi does not save the flags register either. TIF_NEED_RESCHED is a macro whose bit has
 * moved. We find the bit by making the kernel set it: going back from a real-time policy requests a
 * reschedule, and while that request is pending rt_mutex_adjust_pi() is called.
 */

/* Called from another source file, so it is not inlined; and others rarely trace it. */
#define CALLED "security_inode_getattr"

enum { RING = 1 << 16 /* bytes */, TRIALS = 3 };

/* What a trial found: the last $ctx, the task flags that were set every time a reschedule was pending, and those that
 * were also set at other times. */
struct trial {
	const struct schema *schema;
	uint64_t context, asked, quiet;
	unsigned count;
};

static uint64_t number(const struct trial *t, const char *name, const void *record, size_t size)
{
	struct value v;

	for (size_t i = 0; i < t->schema->count; i++)
		if (!strcmp(t->schema->fields[i].name, name))
			return field_load(&t->schema->fields[i], record, size, &v) ? 0 : v.u;
	return 0;
}

static int sample_parse(void *ctx, const void *record, size_t size)
{
	struct trial *t = ctx;
	uint64_t flags = number(t, "flags", record, size);

	t->context = number(t, "ctx", record, size);
	if (t->context >> TRACE_CTX_CPU_RESCHED & 1)
		t->asked &= flags;
	else
		t->quiet |= flags;
	t->count++;
	return 0;
}

static void input_build(struct expr_input *in, const struct argdump_probe *p, bool is_return)
{
	static const char *const texts[] = { "$ctx", "$task->thread_info.flags" };
	static const struct expr_param none[1];

	*in = (struct expr_input){
		.resched_unknown = true,
		.btf = p->input.btf,
		.site.name = CALLED,
		.site.params = none,
		.scope = is_return ? EXPR_SCOPE_RETURN : EXPR_SCOPE_ENTRY,
		.texts = texts,
		.count = 2,
		.target = p->input.target,
		.run.symbol = p->input.run.symbol,
		.run.variable = p->input.run.variable,
		.run.filter.pids = { .count = 1, .ids = { p->input.run.filter.self } },
	};
}

static int trial_attached(struct trial *t, int ring_fd, int link, void (*act)(void))
{
	struct ring *ring;
	int err = link < 0 ? link : ring_open(&ring, ring_fd, RING);

	if (err)
		return err;
	act();
	err = ring_consume(ring, UINT64_MAX, sample_parse, t);
	ring_close(ring);
	return err < 0 ? err : 0;
}

static int trial_run(struct trial *t, const struct argdump_probe *p, bool is_return,
		     const char *function, void (*act)(void))
{
	static const struct program_facts nothing_known[2];
	struct expr_program *expr = NULL;
	struct program_image image;
	struct program_maps maps;
	struct expr_error error;
	struct expr_input in;
	const struct attach_target target = { .function = function, .is_return = is_return };
	int err = program_maps_open(&maps, RING, false, false, NULL), program, link;

	if (err)
		return err;
	input_build(&in, p, is_return);
	err = expr_compile(&in, &expr, &error) ?:
		      program_image_build(&image, expr, &maps, NULL, nothing_known);
	if (!err) {
		t->schema = expr_schema(expr);
		program = prog_load(image.insns, image.count, ATTACH_KPROBE, &target, NULL, 0);
		link = program < 0 ? program : attach_link_real(ATTACH_KPROBE, &target, program);
		err = trial_attached(t, maps.fds[EXPR_MAP_RING], link, act);
		if (link >= 0)
			close(link);
		if (program >= 0)
			close(program);
		program_image_free(&image);
	}
	expr_free(expr);
	program_maps_close(&maps);
	return err;
}

/* ---- the calls that are probed ---- */

static void call_stat(void)
{
	struct stat root;

	if (stat("/", &root))
		log_debug(1, "$ctx: stat: %s", strerror(errno));
}

static void policy_there_and_back(void)
{
	const struct sched_param real_time = { .sched_priority = 1 }, usual = { 0 };

	for (int i = 0; i < TRIALS && sched_getscheduler(0) == SCHED_OTHER; i++)
		if (!sched_setscheduler(0, SCHED_FIFO, &real_time))
			sched_setscheduler(0, SCHED_OTHER, &usual);
}

/* ---- conclusions ---- */

static struct {
	bool done;
	int bit; /* -1: not found */
} resched;

static struct side {
	bool done, unknown;
	struct program_facts facts;
} sides[2]; /* entry, return */

/* Finds the bit of TIF_NEED_RESCHED. The lazy bit, which is higher, may also be set. */
static void resched_find(const struct argdump_probe *p)
{
	struct trial t = { .asked = ~0ull };
	uint64_t bits;

	if (resched.done)
		return;
	resched.done = true;
	resched.bit = -1;
	if (trial_run(&t, p, false, "rt_mutex_adjust_pi", policy_there_and_back))
		return;
	log_debug(2, "$ctx: of %u trials flags 0x%llx, else 0x%llx", t.count,
		  (unsigned long long)t.asked, (unsigned long long)t.quiet);
	bits = t.asked & ~t.quiet;
	if (bits && __builtin_popcountll(bits) <= 2)
		resched.bit = __builtin_ctzll(bits);
}

static void side_measure(struct side *side, const struct argdump_probe *p, bool is_return)
{
	struct trial t = { .asked = ~0ull };
	int err = trial_run(&t, p, is_return, CALLED, call_stat);
	const char *method = attach_method_name(ATTACH_KPROBE, is_return);
	int32_t *facts = side->facts.values;

	side->done = true;
	if (err || !t.count || t.context >> TRACE_CTX_IRQS_OFF & 1) {
		log_debug(1, "$ctx: %s on %s: %s", method, CALLED,
			  err ? strerror(-err) : "not what is known of it");
		side->unknown = true;
		return;
	}
	resched_find(p);
	facts[EXPR_FACT_PREEMPT] = t.context >> TRACE_CTX_DEPTH & 0xff;
	facts[EXPR_FACT_MIGRATE] = t.context >> TRACE_CTX_MIGRATE & 0xff;
	facts[EXPR_FACT_RESCHED_BIT] = resched.bit;
	facts[EXPR_FACT_LAZY_BIT] = resched.bit + 1;
	log_debug(
		1,
		"$ctx: %s disables preemption %d times more, migration %d; need-resched is bit %d",
		method, facts[EXPR_FACT_PREEMPT], facts[EXPR_FACT_MIGRATE], resched.bit);
}

void ctx_input_set(struct expr_input *in, const struct argdump_probe *p)
{
	bool refused = p->attempt.method != ATTACH_KPROBE || !in->site.on_function ||
		       p->symbol.offset;

	in->context_unknown[0] = refused || sides[0].unknown;
	in->context_unknown[1] = refused || sides[1].unknown;
	in->resched_unknown = resched.done && resched.bit < 0;
}

int ctx_facts_find(const struct argdump_probe *p, struct program_facts facts[2])
{
	const bool at_return[] = { p->input.scope == EXPR_SCOPE_RETURN, true };

	for (int i = 0; i < 2; i++) {
		struct side *side = &sides[at_return[i]];

		if (!program_needs_facts(p->expr, i))
			continue;
		if (!side->done)
			side_measure(side, p, at_return[i]);
		if (side->unknown || (resched.bit < 0 && !p->input.resched_unknown))
			return -EAGAIN;
		facts[i] = side->facts;
	}
	return 0;
}

/*
 * ---- per-CPU variables ----
 *
 * BTF names them, but a program that uses one loads only if the kernel's symbol table has it also. That
 * table lacks variables without CONFIG_KALLSYMS_ALL. Loading a program of three instructions makes the
 * kernel search it, which is faster than reading /proc/kallsyms. Where nothing may be loaded, the file is
 * read, but only for what the user named. Kernels without such types (5.10) list these variables first.
 */

enum { ASKED_MAX = 32 };

static struct answer {
	const struct btf_view *btf;
	uint32_t var;
	bool found;
} answers[ASKED_MAX];

static size_t answer_count;

/* False only if the kernel does not find the variable: any other error will occur again with the real program. */
static bool program_loads(uint32_t var)
{
	const struct bpf_insn insns[] = {
		INSN_ADDRESS(BPF_REG_1, BPF_PSEUDO_BTF_ID, (int)var),
		INSN_SET(BPF_REG_0, 0),
		INSN_EXIT,
	};
	const struct prog_type type = { .prog = BPF_PROG_TYPE_KPROBE };
	int fd = prog_load_as(insns, INSN_COUNT(insns), &type, NULL, 0);

	if (fd >= 0)
		close(fd);
	return fd != -ENOENT;
}

static bool is_found(const struct btf_view *btf, uint32_t var)
{
	struct answer *a = answers;

	for (; a < answers + answer_count; a++)
		if (a->btf == btf && a->var == var)
			return a->found;
	if (answer_count == ASKED_MAX)
		return program_loads(var);
	*a = (struct answer){ btf, var, program_loads(var) };
	answer_count++;
	if (!a->found)
		log_debug(1, "the kernel has no symbol of variable %s",
			  btf_view_string(btf, btf_view_type(btf, var)->name_off));
	return a->found;
}

static bool is_listed(const struct btf_view *btf, uint32_t var)
{
	size_t count = 0;
	int err = ksyms_load();

	ksyms_address(btf_view_string(btf, btf_view_type(btf, var)->name_off), &count);
	return count || (err && err != -EPERM);
}

/* The run queue is a variable that a program reaches from a task. Returns the distance of another one; 0: unknown. */
static int32_t from_queue(const char *variable, bool ask)
{
	const char *const names[] = { "runqueues", variable };
	uint64_t at[2];

	if (ask ? kernel_symbols_ask(names, at, 2) || !at[0] || !at[1] :
		  !ksyms_offsets(NULL, names, at, 2))
		return 0;
	return (int32_t)(at[1] - at[0]);
}

/* The kernel is asked if BTF names the variable: without its address a program could not use it either. */
static int32_t queue_to_preempt(const struct expr_input *in)
{
	uint32_t var = in->target.preempt.var;
	static bool done;
	static int32_t distance;

	if (done)
		return distance;
	done = true;
	distance = from_queue(
		var ? btf_view_string(in->btf, btf_view_type(in->btf, var)->name_off) :
		      "__preempt_count",
		var);
	if (distance)
		distance += (int32_t)in->target.preempt.offset;
	return distance;
}

void variables_input_set(struct expr_input *in, bool elsewhere, bool tries)
{
	struct expr_target *t = &in->target;

	in->run.variable = elsewhere ? NULL : tries ? is_found : is_listed;
	if (elsewhere || !tries)
		return;
	if (t->preempt.var ? t->types_unsorted : !target_arch(t)->preempt_count)
		t->preempt.from_queue = queue_to_preempt(in);
	if (t->preempt.var && !t->preempt.from_queue && !is_found(in->btf, t->preempt.var))
		t->preempt.var = 0;
}
