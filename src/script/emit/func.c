/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * func.c - builtins and functions: a table of what emits each, and the small ones.
 *
 * A function has a number (in r0) or an image.
 */
#include <string.h>

#include "expr/ctype.h"
#include "script/emit/gen.h"

static const char *name_of(enum script_func func)
{
	static const char *const names[FUNCS] = {
#define SCRIPT_FUNC(id_, name_, ...) [FUNC_##id_] = name_,
#include "script/funcs.def"
#undef SCRIPT_FUNC
	};

	return names[func] ?: "this";
}

/* ---- the task ---- */

static void call(struct sgen *g, int helper)
{
	emit_call(g->k, helper);
}

static void id_gen(struct sgen *g, struct script_expr *e, bool is_thread)
{
	if (g->in->run.filter.numbers.ns && e->value != 1) {
		g->needs.numbers = true;
		emit_load(g->k, 4, BPF_REG_0, g->frame, FRAME_NUMBERS + (is_thread ? 4 : 0));
		return;
	}
	call(g, HELPER_PID_TGID);
	if (is_thread)
		emit_move32(g->k, BPF_REG_0, BPF_REG_0);
	else
		emit_alu_imm(g->k, BPF_RSH, BPF_REG_0, 32);
}

static void pid_gen(struct sgen *g, struct script_expr *e)
{
	id_gen(g, e, false);
}

static void tid_gen(struct sgen *g, struct script_expr *e)
{
	id_gen(g, e, true);
}

static void uid_gen(struct sgen *g, struct script_expr *e)
{
	(void)e;
	call(g, HELPER_UID_GID);
	emit_move32(g->k, BPF_REG_0, BPF_REG_0);
}

static void gid_gen(struct sgen *g, struct script_expr *e)
{
	(void)e;
	call(g, HELPER_UID_GID);
	emit_alu_imm(g->k, BPF_RSH, BPF_REG_0, 32);
}

static void task_gen(struct sgen *g, struct script_expr *e)
{
	uint32_t pointee;

	call(g, param_is_known(g, e, &pointee) ? HELPER_TASK_BTF : HELPER_TASK);
}

/* r0 = the task: the current one, or the first argument */
static void task_of(struct sgen *g, struct script_expr *e)
{
	if (e->count)
		number_gen(g, e->items[0]);
	else
		call(g, HELPER_TASK);
}

static int task_offset(struct sgen *g, const struct script_expr *e, const char *name)
{
	int at = gen_task_offset(&g->x, name);

	if (at < 0)
		script_fail(g->c, e->span, "this kernel's struct task_struct has no member %s", name);
	return at < 0 ? 0 : at;
}

/* r0 = the pointer at r0 + off */
static void follow(struct sgen *g, int off, uint32_t size)
{
	struct mark m = frame_mark(g);
	struct place to = place_take_small(g, 8);

	emit_address(g->k, BPF_REG_3, BPF_REG_0, off);
	read_gen(g, to, size, false);
	place_load(g, size, BPF_REG_0, to);
	frame_drop(g, m);
}

static void ppid_gen(struct sgen *g, struct script_expr *e)
{
	task_of(g, e);
	follow(g, task_offset(g, e, "real_parent"), 8);
	follow(g, task_offset(g, e, "tgid"), 4);
}

static void comm_of(struct sgen *g, struct script_expr *e, struct place to)
{
	emit_address(g->k, BPF_REG_3, BPF_REG_0, task_offset(g, e, "comm"));
	text_read(g, to, EVENT_COMM_LEN, false, true);
}

static void comm_into(struct sgen *g, struct script_expr *e, struct place to)
{
	if (e->func == FUNC_PCOMM || e->count) {
		task_of(g, e);
		if (e->func == FUNC_PCOMM)
			follow(g, task_offset(g, e, "group_leader"), 8);
		comm_of(g, e, to);
		return;
	}
	place_address(g, BPF_REG_1, to);
	emit_move_imm(g->k, BPF_REG_2, EVENT_COMM_LEN);
	call(g, HELPER_COMM);
}

static void comm_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
		     struct place to, bool is_key)
{
	struct place own;

	if (want->size == EVENT_COMM_LEN) {
		comm_into(g, e, to);
		return;
	}
	own = place_take(g, EVENT_COMM_LEN);
	comm_into(g, e, own);
	text_copy(g, to, want->size, own, EVENT_COMM_LEN, is_key);
}

static void username_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
			 struct place to, bool is_key)
{
	(void)want;
	(void)is_key;
	uid_gen(g, e);
	place_store(g, 4, to, BPF_REG_0);
}

/* ---- where, when ---- */

static void cpu_gen(struct sgen *g, struct script_expr *e)
{
	(void)e;
	call(g, HELPER_CPU);
}

static void node_gen(struct sgen *g, struct script_expr *e)
{
	(void)e;
	call(g, HELPER_NUMA_NODE);
}

static void cpus_gen(struct sgen *g, struct script_expr *e)
{
	(void)e;
	emit_move_imm(g->k, BPF_REG_0, g->c->world->cpus);
}

static void cgroup_gen(struct sgen *g, struct script_expr *e)
{
	(void)e;
	call(g, HELPER_CGROUP);
}

static void nsecs_gen(struct sgen *g, struct script_expr *e)
{
	const struct script_world *w = g->c->world;

	if (e->value == SCRIPT_CLOCK_TAI)
		call(g, HELPER_KTIME_TAI);
	else if (e->value == SCRIPT_CLOCK_MONOTONIC || !w->has_boot_clock)
		call(g, HELPER_KTIME);
	else
		call(g, HELPER_KTIME_BOOT);
}

static void elapsed_gen(struct sgen *g, struct script_expr *e)
{
	(void)e;
	call(g, g->c->world->has_boot_clock ? HELPER_KTIME_BOOT : HELPER_KTIME);
	emit_imm64(g->k, BPF_REG_1, g->c->world->boot_time);
	emit_alu(g->k, BPF_SUB, BPF_REG_0, BPF_REG_1);
}

static void jiffies_gen(struct sgen *g, struct script_expr *e)
{
	(void)e;
	call(g, HELPER_JIFFIES);
}

static void rand_gen(struct sgen *g, struct script_expr *e)
{
	(void)e;
	call(g, HELPER_RANDOM);
	emit_move32(g->k, BPF_REG_0, BPF_REG_0);
}

/* ---- the probe ---- */

void point_gen(struct sgen *g, int dst)
{
	const struct expr_input *in = g->in;

	if (in->point >= 0 || !in->run.points) {
		bool is_listed = in->point >= 0 && in->run.points;

		emit_move_imm(g->k, dst, is_listed ? in->point : (int)in->points_first);
		return;
	}
	emit_move(g->k, BPF_REG_1, context_reg(g, BPF_REG_1));
	call(g, HELPER_ATTACH_COOKIE);
	emit_move32(g->k, dst, BPF_REG_0); /* removes the number of the program */
}

static void point_image(struct sgen *g, struct script_expr *e, const struct script_type *want,
			struct place to, bool is_key)
{
	(void)e;
	(void)want;
	(void)is_key;
	point_gen(g, BPF_REG_0);
	place_store(g, 4, to, BPF_REG_0);
}

/* The text of a point, for comparisons that are decided here. */
static const char *point_text(const struct sgen *g, const struct script_expr *e, unsigned point)
{
	const struct script_names *names = g->c->point->names;

	if (!names || point >= names->count)
		return "";
	return e->type.is_func ? names->all[point].func : names->all[point].probe;
}

void point_compare(struct sgen *g, struct script_expr *a, struct script_expr *b, int other)
{
	unsigned first = g->in->points_first, count = g->in->points_count ?: 1;
	int equal = label_new(g->k);

	if (!b->is_constant) {
		script_later(g->c, b->span, "a comparison with a text that is known at run time");
		return;
	}
	point_gen(g, BPF_REG_0);
	for (unsigned i = first; i < first + count; i++)
		if (!strcmp(point_text(g, a, i), b->bytes))
			emit_jump(g->k, BPF_JEQ, BPF_REG_0, i, equal);
	emit_goto(g->k, other);
	label_bind(g->k, equal);
}

static void ctx_gen(struct sgen *g, struct script_expr *e)
{
	(void)e;
	emit_move(g->k, BPF_REG_0, context_reg(g, BPF_REG_0));
}

static bool is_function(const struct sgen *g)
{
	return g->in->func_id || g->in->params;
}

static void usermode_gen(struct sgen *g, struct script_expr *e)
{
	const struct arch *arch = target_arch(g->target);
	int is_user = label_new(g->k);

	if (g->target->method != EXPR_CTX_KPROBE && !is_function(g)) {
		emit_move_imm(g->k, BPF_REG_0, 1); /* of coretap itself */
		return;
	}
	if (g->target->method != EXPR_CTX_KPROBE) {
		script_refuse(g->c, e->span, "only probes with registers know the mode of the processor");
		return;
	}
	emit_load(g->k, 8, BPF_REG_1, context_reg(g, BPF_REG_1), arch_offset(arch->mode));
	emit_imm64(g->k, BPF_REG_2, arch->user_mode.mask);
	emit_alu(g->k, BPF_AND, BPF_REG_1, BPF_REG_2);
	emit_imm64(g->k, BPF_REG_2, arch->user_mode.value);
	emit_move_imm(g->k, BPF_REG_0, 1);
	emit_jump_reg(g->k, BPF_JEQ, BPF_REG_1, BPF_REG_2, is_user);
	emit_move_imm(g->k, BPF_REG_0, 0);
	label_bind(g->k, is_user);
}

/* ---- values that user space names ---- */

/* ksym(), strerror(), syscall_name(): the number itself */
static void number_image(struct sgen *g, struct script_expr *e, const struct script_type *want,
			 struct place to, bool is_key)
{
	(void)is_key;
	number_gen(g, e->items[0]);
	place_store(g, want->size ?: 8, to, BPF_REG_0);
}

static void usym_image(struct sgen *g, struct script_expr *e, const struct script_type *want,
		       struct place to, bool is_key)
{
	(void)want;
	(void)is_key;
	number_gen(g, e->items[0]);
	place_store(g, 8, place_plus(to, offsetof(struct script_usym, address)), BPF_REG_0);
	id_gen(g, &(struct script_expr){ 0 }, false);
	place_store(g, 4, place_plus(to, offsetof(struct script_usym, tgid)), BPF_REG_0);
	point_gen(g, BPF_REG_0);
	place_store(g, 4, place_plus(to, offsetof(struct script_usym, point)), BPF_REG_0);
}

static void strftime_image(struct sgen *g, struct script_expr *e, const struct script_type *want,
			   struct place to, bool is_key)
{
	(void)want;
	(void)is_key;
	number_gen(g, e->items[1]);
	place_store(g, 8, place_plus(to, offsetof(struct script_time, ns)), BPF_REG_0);
	place_store_imm(g, 4, place_plus(to, offsetof(struct script_time, format)), e->text);
	place_store_imm(g, 4, place_plus(to, offsetof(struct script_time, clock)), e->value);
}

static void cgroup_path_image(struct sgen *g, struct script_expr *e, const struct script_type *want,
			      struct place to, bool is_key)
{
	(void)want;
	(void)is_key;
	number_gen(g, e->items[0]);
	place_store(g, 8, place_plus(to, offsetof(struct script_cgroup, id)), BPF_REG_0);
	place_store_imm(g, 4, place_plus(to, offsetof(struct script_cgroup, filter)), e->text);
	place_store_imm(g, 4, place_plus(to, offsetof(struct script_cgroup, pad)), 0);
}

/* ---- numbers ---- */

static void first_gen(struct sgen *g, struct script_expr *e)
{
	number_gen(g, e->items[0]);
}

static void bswap_gen(struct sgen *g, struct script_expr *e)
{
	uint32_t size = e->items[0]->type.size ?: 8;

	number_gen(g, e->items[0]);
	if (size > 1)
		emit_swap(g->k, BPF_REG_0, 8 * size);
}

/* The address of a per-CPU variable of the kernel: this processor's, or that of the second argument. */
static void percpu_gen(struct sgen *g, struct script_expr *e)
{
	int null = label_new(g->k);

	if (e->count > 1) {
		number_gen(g, e->items[1]);
		emit_move(g->k, BPF_REG_2, BPF_REG_0);
	}
	emit_variable(g->k, BPF_REG_1, e->value);
	call(g, e->count > 1 ? HELPER_PER_CPU : HELPER_THIS_CPU);
	if (e->count > 1)
		emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, null);
	emit_negate(g->k, BPF_REG_0);
	emit_negate(g->k, BPF_REG_0);
	label_bind(g->k, null);
}

/* The address in the file; user space knows nothing better if the file is a shared object. */
static void uaddr_gen(struct sgen *g, struct script_expr *e)
{
	emit_imm64(g->k, BPF_REG_0, e->value);
}

static void len_gen(struct sgen *g, struct script_expr *e)
{
	enum script_kind kind = e->items[0]->type.kind;

	if (e->map && e->map->has_key)
		map_len_gen(g, e->map);
	else if (kind == SCRIPT_KSTACK || kind == SCRIPT_USTACK)
		stack_len_gen(g, e->items[0]);
	else
		script_later(g->c, e->span, "len() of this");
}

static void signal_gen(struct sgen *g, struct script_expr *e)
{
	if (e->value) {
		emit_move_imm(g->k, BPF_REG_1, e->value);
	} else {
		number_gen(g, e->items[0]);
		emit_move(g->k, BPF_REG_1, BPF_REG_0);
	}
	call(g, e->func == FUNC_SIGNAL ? HELPER_SIGNAL : HELPER_SIGNAL_THREAD);
}

static void override_gen(struct sgen *g, struct script_expr *e)
{
	number_gen(g, e->items[0]);
	emit_move(g->k, BPF_REG_2, BPF_REG_0);
	emit_move(g->k, BPF_REG_1, context_reg(g, BPF_REG_1));
	call(g, HELPER_OVERRIDE);
}

static void act_gen(struct sgen *g, struct script_expr *e)
{
	int holds = label_new(g->k);

	if (!e->action) {
		script_later(g->c, e->span, "%s()", name_of(e->func));
		return;
	}
	if (e->func == FUNC_ASSERT)
		branch_gen(g, e->items[0], true, holds);
	action_gen(g, e->action);
	label_bind(g->k, holds);
}

/* ---- the table ---- */

typedef void value_fn(struct sgen *g, struct script_expr *e);
typedef void image_fn(struct sgen *g, struct script_expr *e, const struct script_type *want,
		      struct place to, bool is_key);

static value_fn *const values[FUNCS] = {
	[FUNC_PID] = pid_gen,
	[FUNC_TID] = tid_gen,
	[FUNC_PPID] = ppid_gen,
	[FUNC_UID] = uid_gen,
	[FUNC_GID] = gid_gen,
	[FUNC_CPU] = cpu_gen,
	[FUNC_NCPUS] = cpus_gen,
	[FUNC_NUMAID] = node_gen,
	[FUNC_CGROUP] = cgroup_gen,
	[FUNC_CURTASK] = task_gen,
	[FUNC_NSECS] = nsecs_gen,
	[FUNC_ELAPSED] = elapsed_gen,
	[FUNC_JIFFIES] = jiffies_gen,
	[FUNC_RAND] = rand_gen,
	[FUNC_USERMODE] = usermode_gen,
	[FUNC_ARG] = arg_gen,
	[FUNC_SARG] = sarg_gen,
	[FUNC_CTX] = ctx_gen,
	[FUNC_RETVAL] = retval_gen,
	[FUNC_REG] = reg_gen,
	[FUNC_KPTR] = first_gen,
	[FUNC_UPTR] = first_gen,
	[FUNC_BSWAP] = bswap_gen,
	[FUNC_LEN] = len_gen,
	[FUNC_STRNCMP] = strncmp_gen,
	[FUNC_STRLEN] = strlen_gen,
	[FUNC_STRSTR] = strstr_gen,
	[FUNC_STRCONTAINS] = strcontains_gen,
	[FUNC_MEMCMP] = memcmp_gen,
	[FUNC_GLOBMATCH] = globmatch_gen,
	[FUNC_SOCKET_COOKIE] = socket_cookie_gen,
	[FUNC_PERCPU_KADDR] = percpu_gen,
	[FUNC_UADDR] = uaddr_gen,
	[FUNC_HAS_KEY] = has_key_gen,
	[FUNC_FIND] = find_gen,
	[FUNC_DELETE] = delete_gen,
	[FUNC_SIGNAL] = signal_gen,
	[FUNC_SIGNAL_THREAD] = signal_gen,
	[FUNC_OVERRIDE] = override_gen,
};

static image_fn *const images[FUNCS] = {
	[FUNC_COMM] = comm_gen,
	[FUNC_PCOMM] = comm_gen,
	[FUNC_USERNAME] = username_gen,
	[FUNC_PROBE] = point_image,
	[FUNC_FUNC] = point_image,
	[FUNC_STR] = str_gen,
	[FUNC_BUF] = buf_gen,
	[FUNC_KSYM] = number_image,
	[FUNC_USYM] = usym_image,
	[FUNC_STRERROR] = number_image,
	[FUNC_SYSCALL_NAME] = number_image,
	[FUNC_STRFTIME] = strftime_image,
	[FUNC_CGROUP_PATH] = cgroup_path_image,
	[FUNC_KSTACK] = stack_gen,
	[FUNC_USTACK] = stack_gen,
	[FUNC_PATH] = path_gen,
	[FUNC_NTOP] = ntop_gen,
	[FUNC_MACADDR] = macaddr_gen,
};

void func_value_gen(struct sgen *g, struct script_expr *e)
{
	if (e->func >= FUNC_PRINTF && e->func <= FUNC_ASSERT)
		act_gen(g, e);
	else if (values[e->func])
		values[e->func](g, e);
	else
		script_later(g->c, e->span, "%s()", name_of(e->func));
}

void func_image_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
		    struct place to, bool is_key)
{
	if (images[e->func])
		images[e->func](g, e, want, to, is_key);
	else
		script_later(g->c, e->span, "%s()", name_of(e->func));
}
