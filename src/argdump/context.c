// SPDX-License-Identifier: GPL-2.0
/*
 * context.c - calibrates $ctx: the same kind of probe on a function that we call ourselves.
 *
 * Where a file's attributes are asked for nothing is disabled, so what a probe sees there is its own doing:
 * how often preemption and migration are disabled more. That holds for kprobes, which share one hook of ftrace.
 * Of kprobe.multi each link has a hook, and where one function has several, the list of them disables
 * preemption once more; since 6.14 it saves no flags either. The bit of TIF_NEED_RESCHED, a macro that has
 * moved, is seen where we make the kernel set it: going back from a real-time policy asks for a new
 * decision, and while that waits rt_mutex_adjust_pi() is called.
 */
#include "argdump/context.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/context.h"
#include "core/diag.h"
#include "core/ring.h"

/* Not in the file that it is called from, so not inlined, and rarely traced by others. */
#define CALLED "security_inode_getattr"

enum { RING = 1 << 16 /* bytes */, TRIALS = 3 };

/* What a probe saw: the last $ctx, and of the task's flags those that were there whenever a new decision was
 * asked for, and those that were there at other times, too. */
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

static int sample_take(void *ctx, const void *record, size_t size)
{
	struct trial *t = ctx;
	uint64_t flags = number(t, "flags", record, size);

	t->context = number(t, "ctx", record, size);
	if (t->context >> CONTEXT_CPU_RESCHED & 1)
		t->asked &= flags;
	else
		t->quiet |= flags;
	t->count++;
	return 0;
}

static void input_make(struct expr_input *in, const struct argdump_probe *p, bool is_return,
		       const struct program_maps *maps)
{
	static const char *const texts[] = { "$ctx", "$task->thread_info.flags" };
	static const struct expr_param none[1];

	*in = (struct expr_input){
		.btf = p->input.btf,
		.name = CALLED,
		.params = none,
		.scope = is_return ? EXPR_SCOPE_RETURN : EXPR_SCOPE_ENTRY,
		.texts = texts,
		.count = 2,
		.target = p->input.target,
		.symbol = p->input.symbol,
		.filter.pid = getpid(),
		.text_fd = -1,
		.ring_fd = maps->ring,
		.losses_fd = maps->losses,
		.followed_fd = -1,
		.cgroups_fd = -1,
	};
}

static int trial_attached(struct trial *t, const struct program_maps *maps, int link,
			  void (*act)(void))
{
	struct ring *ring;
	int err = link < 0 ? link : ring_open(&ring, maps->ring, RING);

	if (err)
		return err;
	act();
	err = ring_drain(ring, sample_take, t);
	ring_close(ring);
	return err < 0 ? err : 0;
}

static int trial_run(struct trial *t, const struct argdump_probe *p, bool is_return,
		     const char *function, void (*act)(void))
{
	struct expr_program *expr = NULL;
	struct program_maps maps;
	struct expr_error error;
	struct expr_input in;
	const struct bpf_insn *insns;
	int err = program_maps_open(&maps, RING, false, false), program, link;
	size_t count;

	if (err)
		return err;
	input_make(&in, p, is_return, &maps);
	err = expr_compile(&in, &expr, &error);
	if (!err) {
		insns = expr_insns(expr, &count);
		t->schema = expr_schema(expr);
		program = program_load(insns, count, PROBE_RUNG_KPROBE, 0, NULL, 0);
		link = program < 0 ? program : probe_link_kprobe(program, function, 0, is_return);
		err = trial_attached(t, &maps, link, act);
		if (link >= 0)
			close(link);
		if (program >= 0)
			close(program);
	}
	expr_free(expr);
	program_maps_close(&maps);
	return err;
}

/* ---- what is done there ---- */

static void call_stat(void)
{
	struct stat root;

	if (stat("/", &root))
		diag_debug(1, "$ctx: stat: %s", strerror(errno));
}

static void policy_there_and_back(void)
{
	const struct sched_param real_time = { .sched_priority = 1 }, usual = { 0 };

	for (int i = 0; i < TRIALS && sched_getscheduler(0) == SCHED_OTHER; i++)
		if (!sched_setscheduler(0, SCHED_FIFO, &real_time))
			sched_setscheduler(0, SCHED_OTHER, &usual);
}

/* ---- what follows ---- */

/* The lazy bit, the higher one, may be set, too. */
static int bit_find(struct trial *t, const struct argdump_probe *p)
{
	uint64_t bits;

	if (trial_run(t, p, false, "rt_mutex_adjust_pi", policy_there_and_back))
		return -1;
	diag_debug(2, "$ctx: of %u trials flags 0x%llx, else 0x%llx", t->count,
		   (unsigned long long)t->asked, (unsigned long long)t->quiet);
	bits = t->asked & ~t->quiet;
	return bits && __builtin_popcountll(bits) <= 2 ? __builtin_ctzll(bits) : -1;
}

static int measure(const struct argdump_probe *p, bool is_return, struct expr_context *known)
{
	struct trial t = { .asked = ~0ull };
	int err = trial_run(&t, p, is_return, CALLED, call_stat);
	const char *rung = probe_rung_name(PROBE_RUNG_KPROBE, is_return);

	if (err || !t.count || t.context >> CONTEXT_IRQS_OFF & 1) {
		diag_debug(1, "$ctx: %s on %s: %s", rung, CALLED,
			   err ? strerror(-err) : "not what is known of it");
		return -EOPNOTSUPP;
	}
	known->preempt = t.context >> CONTEXT_DEPTH & 0xff;
	known->migrate = t.context >> CONTEXT_MIGRATE & 0xff;
	known->need_resched = bit_find(&t, p);
	diag_debug(1, "$ctx: %s disables preemption %u times more, migration %u; need-resched is bit %d",
		   rung, known->preempt, known->migrate, known->need_resched);
	return 0;
}

int context_measure(struct argdump_probe *p, bool at_return, struct expr_context *known)
{
	static struct measured {
		bool done;
		int err;
		struct expr_context known;
	} sides[2];
	struct measured *side = &sides[at_return];

	if (p->rung != PROBE_RUNG_KPROBE || !p->input.on_function || p->offset)
		return -EOPNOTSUPP;
	if (p->maps->losses < 0) /* nothing will be loaded */
		return 0;
	if (!side->done)
		side->err = measure(p, at_return, &side->known);
	side->done = true;
	*known = side->known;
	return side->err;
}
