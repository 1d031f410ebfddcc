/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * funcs_context.c - resolves builtins about who, where and when: pid, comm, nsecs, probe, kstack …
 */
#include <string.h>

#include "event.h"
#include "script/resolve/resolve.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static enum script_probe_kind kind_of(const struct resolve *r)
{
	return r->c->point->attach->kind;
}

/* ---- numbers ---- */

void func_u64(struct resolve *r, struct script_expr *e)
{
	(void)r;
	e->type = script_int(8, false);
}

void func_u32(struct resolve *r, struct script_expr *e)
{
	(void)r;
	e->type = script_int(4, false);
}

void func_usermode(struct resolve *r, struct script_expr *e)
{
	(void)r;
	e->type = script_int(1, false);
}

/* The value that FIELD_MAYBE treats as none. */
void func_nothing(struct resolve *r, struct script_expr *e)
{
	(void)r;
	/* signed: a map's key that may be `nothing` is shown as a number that may be missing */
	expr_set_number(e, INT64_MIN, false);
}

/* From now on the program decides in which probes tasks are filtered. */
void func_traced(struct resolve *r, struct script_expr *e)
{
	r->c->s->filters_itself = true;
	e->type = (struct script_type){ .kind = SCRIPT_BOOL, .size = 1 };
}

/* A constant. */
void func_traces_all(struct resolve *r, struct script_expr *e)
{
	const struct event_filter *f = &r->in->run.filter;

	expr_set_bool(e, !f->pids.count && !f->tids.count && !f->uids.count && !f->by_comm &&
				 !f->by_names && !f->by_cgroup && !f->follow);
}

/* pid(init): the number in the initial namespace. */
void func_pid(struct resolve *r, struct script_expr *e)
{
	static const char *const modes[] = { "curr_ns", "init" };

	e->type = script_int(4, false);
	if (e->count)
		e->value = arg_mode(r, e->items[0], modes, COUNT(modes));
}

/* Checks that the argument is a struct task_struct *. */
static void task_argument(struct resolve *r, struct script_expr *e)
{
	infer_items(r, e);
	if (!e->count || failed(r))
		return;
	arg_of(r, e, 0, "a struct task_struct *", e->items[0]->type.kind == SCRIPT_POINTER);
}

void func_ppid(struct resolve *r, struct script_expr *e)
{
	task_argument(r, e);
	e->type = script_int(4, false);
}

enum { COMM_OF_OTHERS = 64 }; /* bytes, as in bpftrace */

static void process_argument(struct resolve *r, struct script_expr *e)
{
	infer_items(r, e);
	if (!arg_number(r, e, 0) || !r->in->run.filter.numbers.ns)
		return;
	script_fail(r->c, e->span, "comm(PID) needs numbers of the initial PID namespace");
	script_hint(
		r->c,
		"here numbers are those of another namespace; pcomm() and ((struct task_struct *)…)->comm "
		"need none");
}

void func_comm(struct resolve *r, struct script_expr *e)
{
	e->type = script_string(e->func == FUNC_COMM && e->count ? COMM_OF_OTHERS : 16);
	if (e->func == FUNC_PCOMM)
		task_argument(r, e);
	else if (e->count)
		process_argument(r, e);
}

void func_username(struct resolve *r, struct script_expr *e)
{
	(void)r;
	e->type = (struct script_type){ .kind = SCRIPT_USER, .size = 4 };
}

static void set_u64(struct script_expr *e, uint64_t value)
{
	expr_set_number(e, (int64_t)value, value >> 63);
	e->type = script_int(8, false);
}

void func_ncpus(struct resolve *r, struct script_expr *e)
{
	set_u64(e, r->c->world->cpus);
}

void func_cpid(struct resolve *r, struct script_expr *e)
{
	set_u64(e, r->c->world->child);
}

void func_has_cpid(struct resolve *r, struct script_expr *e)
{
	expr_set_bool(e, r->c->world->child);
}

void func_curtask(struct resolve *r, struct script_expr *e)
{
	uint32_t id = btf_lookup_kind(r, BTF_KIND_STRUCT, "task_struct");

	e->type = script_int(8, false);
	if (!id)
		return;
	e->type = script_pointer_to(r->c->btf, ctype_of(id));
	e->type.is_typed = r->in->target.typed_loads && r->in->target.current_task_btf;
}

/* ---- time ---- */

void func_nsecs(struct resolve *r, struct script_expr *e)
{
	static const char *const modes[] = {
		[SCRIPT_CLOCK_BOOT] = "boot",
		[SCRIPT_CLOCK_MONOTONIC] = "monotonic",
		[SCRIPT_CLOCK_TAI] = "tai",
		[SCRIPT_CLOCK_SW_TAI] = "sw_tai",
	};
	int mode = e->count ? arg_mode(r, e->items[0], modes, COUNT(modes)) : SCRIPT_CLOCK_BOOT;

	e->type = script_int(8, false);
	e->type.mode = mode > 0 ? mode : 0;
	e->value = e->type.mode;
	if (mode == SCRIPT_CLOCK_TAI && !r->c->world->has_tai_clock)
		script_fail(r->c, e->span, "this kernel's programs have no clock of atomic time");
	if (failed(r))
		script_hint(r->c, "nsecs(sw_tai) is nearly the same");
}

/* ---- the probe ---- */

static bool is_of_function(enum script_probe_kind kind)
{
	return kind == PROBE_KPROBE || kind == PROBE_KRETPROBE || kind == PROBE_FENTRY ||
	       kind == PROBE_FEXIT || kind == PROBE_UPROBE || kind == PROBE_URETPROBE;
}

void func_probe(struct resolve *r, struct script_expr *e)
{
	(void)r;
	e->type = (struct script_type){ .kind = SCRIPT_POINT, .size = 4 };
}

void func_func(struct resolve *r, struct script_expr *e)
{
	func_probe(r, e);
	e->type.is_func = true;
	if (is_of_function(kind_of(r)))
		return;
	script_fail(r->c, e->span, "%s does not run at a function", r->c->point->attach->text);
	script_hint(r->c, "probe is the name of the probe");
}

static const char *const probe_types[] = {
	[PROBE_BEGIN] = "special",
	[PROBE_END] = "special",
	[PROBE_REPORT] = "special",
	[PROBE_SELF] = "special",
	[PROBE_INTERVAL] = "interval",
	[PROBE_PROFILE] = "profile",
	[PROBE_KPROBE] = "kprobe",
	[PROBE_KRETPROBE] = "kretprobe",
	[PROBE_FENTRY] = "fentry",
	[PROBE_FEXIT] = "fexit",
	[PROBE_TRACEPOINT] = "tracepoint",
	[PROBE_RAW_TRACEPOINT] = "rawtracepoint",
	[PROBE_UPROBE] = "uprobe",
	[PROBE_URETPROBE] = "uretprobe",
	[PROBE_USDT] = "usdt",
	[PROBE_SOFTWARE] = "software",
	[PROBE_HARDWARE] = "hardware",
	[PROBE_WATCHPOINT] = "watchpoint",
	[PROBE_ITER] = "iter",
	[PROBE_TEST] = "test",
	[PROBE_BENCH] = "bench",
};

void func_probetype(struct resolve *r, struct script_expr *e)
{
	const char *name = probe_types[kind_of(r)];

	expr_set_text(e, name, strlen(name));
}

/* ---- registers, stacks ---- */

void func_reg(struct resolve *r, struct script_expr *e)
{
	const struct arch *arch = target_arch(&r->in->target);
	int number;

	infer_items(r, e);
	if (!arg_text(r, e, 0))
		return;
	e->type = address_space(r, script_int(8, false));
	number = arch_register(arch, e->items[0]->bytes);
	if (number < 0 && !strcmp(e->items[0]->bytes, "pc"))
		number = arch->ip;
	e->value = number < 0 ? 0 : arch_offset(number);
	if (number >= 0)
		return;
	script_fail(r->c, e->items[0]->span, "unknown register %s", e->items[0]->bytes);
	script_hint(r->c, "registers: %s", arch->registers_text);
}

enum { STACK_FRAMES_MAX = 1024 };

static void stack_limit(struct resolve *r, struct script_expr *e, size_t i)
{
	infer_expr(r, e->items[i]);
	if (!arg_constant(r, e, i))
		return;
	if (e->items[i]->value < 0 || e->items[i]->value > STACK_FRAMES_MAX)
		script_fail(r->c, e->items[i]->span, "a stack has at most %d frames",
			    STACK_FRAMES_MAX);
	e->type.depth = e->items[i]->value;
}

static void stack_set(struct resolve *r, struct script_expr *e, enum script_kind kind)
{
	static const char *const modes[] = { "bpftrace", "perf", "raw", "build_id" };
	bool has_mode = e->count && e->items[0]->kind == X_WORD;
	int mode = r->c->s->config.stack_mode;

	e->type = (struct script_type){ .kind = kind, .size = sizeof(struct stack_id) };
	if (has_mode || e->count == 2)
		mode = arg_mode(r, e->items[0], modes, COUNT(modes));
	if (kind == SCRIPT_KSTACK && mode == SCRIPT_STACK_BUILD_ID) {
		if (has_mode) {
			script_fail(r->c, e->items[0]->span,
				    "functions of the kernel have no build id");
			script_hint(r->c, "raw shows their addresses");
		}
		mode = SCRIPT_STACK_RAW; /* as in bpftrace if the setting says build_id */
	}
	e->type.mode = mode;
	if (e->count == 2)
		stack_limit(r, e, 1);
	else if (e->count && !has_mode)
		stack_limit(r, e, 0);
}

void func_kstack(struct resolve *r, struct script_expr *e)
{
	stack_set(r, e, SCRIPT_KSTACK);
}

void func_ustack(struct resolve *r, struct script_expr *e)
{
	stack_set(r, e, SCRIPT_USTACK);
}

void func_dw_ustack(struct resolve *r, struct script_expr *e)
{
	if (script_is_forbidden(&r->c->s->config, SCRIPT_UNSTABLE_DW_USTACK))
		script_fail(r->c, e->span, "the program's unstable_dw_ustack forbids dw_ustack()");
	stack_set(r, e, SCRIPT_USTACK);
	e->type.size = SCRIPT_COPY_SIZE;
}
