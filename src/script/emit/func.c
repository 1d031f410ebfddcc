/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * func.c - emits builtins and functions: small ones, and the table of all.
 *
 * A function leaves a number in r0, or writes an image.
 */
#include "script/emit/func.h"

static const char *name_of(enum script_func func)
{
	static const char *const names[FUNCS] = {
#define SCRIPT_FUNC(id_, name_, ...) [FUNC_##id_] = name_,
#include "script/funcs.def"
#undef SCRIPT_FUNC
	};

	return names[func] ?: "this";
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

/* r0 = the address of a kernel per-CPU variable, for this processor or for the one in the second argument. */
static void percpu_gen(struct sgen *g, struct script_expr *e)
{
	int null = label_new(g->k);

	if (e->count > 1) {
		number_gen(g, e->items[1]);
		emit_move(g->k, BPF_REG_2, BPF_REG_0);
	}
	emit_variable(g->k, BPF_REG_1, e->value);
	emit_call(g->k, e->count > 1 ? HELPER_PER_CPU : HELPER_THIS_CPU);
	if (e->count > 1)
		emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, null);
	emit_negate(g->k, BPF_REG_0);
	emit_negate(g->k, BPF_REG_0);
	label_bind(g->k, null);
}

/* r0 = the address in the file. For a shared object user space knows no better one. */
static void uaddr_gen(struct sgen *g, struct script_expr *e)
{
	if (!e->is_relative) {
		emit_imm64(g->k, BPF_REG_0, e->value);
		return;
	}
	emit_load(g->k, 8, BPF_REG_0, context_reg(g, BPF_REG_0),
		  arch_offset(target_arch(g->target)->ip));
	emit_imm64(g->k, BPF_REG_1, e->value);
	emit_alu(g->k, BPF_ADD, BPF_REG_0, BPF_REG_1);
}

static void len_gen(struct sgen *g, struct script_expr *e)
{
	enum script_kind kind = e->items[0]->type.kind;

	if (e->map && e->map->has_key)
		(walks_here(g) ? walk_len_gen : map_len_gen)(g, e->map);
	else if (kind == SCRIPT_KSTACK || kind == SCRIPT_USTACK)
		stack_len_gen(g, e->items[0]);
	else
		script_unsupported(g->c, e->span, "len() of this");
}

static void signal_gen(struct sgen *g, struct script_expr *e)
{
	if (e->value) {
		emit_move_imm(g->k, BPF_REG_1, e->value);
	} else {
		number_gen(g, e->items[0]);
		emit_move(g->k, BPF_REG_1, BPF_REG_0);
	}
	emit_call(g->k, e->func == FUNC_SIGNAL ? HELPER_SIGNAL : HELPER_SIGNAL_THREAD);
}

static void override_gen(struct sgen *g, struct script_expr *e)
{
	number_gen(g, e->items[0]);
	emit_move(g->k, BPF_REG_2, BPF_REG_0);
	emit_move(g->k, BPF_REG_1, context_reg(g, BPF_REG_1));
	emit_call(g->k, HELPER_OVERRIDE);
}

static void write_user_gen(struct sgen *g, struct script_expr *e)
{
	struct script_expr *from = e->items[1];
	struct mark m = frame_mark(g);
	struct place to, bytes;

	while (from->kind == X_CAST)
		from = from->a;
	number_gen(g, e->items[0]);
	to = spill(g, BPF_REG_0);
	bytes = image_place(g, from->kind == X_ADDRESS ? from->a : from);
	place_load(g, 8, BPF_REG_1, to);
	place_address(g, BPF_REG_2, bytes);
	emit_move_imm(g->k, BPF_REG_3, (int32_t)e->items[2]->value);
	emit_call(g->k, HELPER_PROBE_WRITE_USER);
	frame_drop(g, m);
}

/* debugf(): the kernel writes the text into its trace. */
static void debugf_gen(struct sgen *g, struct script_expr *e)
{
	const struct script_expr *format = e->items[0];
	struct place text = place_alloc(g, format->length + 1), values[3];
	size_t count = e->count - 1;

	text_literal(g, format, format->length + 1, text, false);
	for (size_t i = 0; i < count && !g->c->err; i++) {
		if (e->items[i + 1]->type.kind == SCRIPT_STRING) {
			values[i] = image_place(g, e->items[i + 1]);
			continue;
		}
		number_to_store(g, e->items[i + 1]);
		values[i] = spill(g, BPF_REG_0);
	}
	for (size_t i = 0; i < count; i++) {
		if (e->items[i + 1]->type.kind == SCRIPT_STRING)
			place_address(g, BPF_REG_3 + i, values[i]);
		else
			place_load(g, 8, BPF_REG_3 + i, values[i]);
	}
	place_address(g, BPF_REG_1, text);
	emit_move_imm(g->k, BPF_REG_2, format->length + 1);
	emit_call(g->k, HELPER_TRACE_PRINTK);
}

/* printf() of a pinned iterator: the text goes to the reader of the file. */
static void seq_printf_gen(struct sgen *g, struct script_expr *e)
{
	const struct script_expr *format = e->items[0];
	uint32_t size = 8 * (uint32_t)(e->count - 1);
	struct place text = place_alloc(g, format->length + 1), data = place_alloc(g, size ?: 8);

	text_literal(g, format, format->length + 1, text, false);
	for (size_t i = 1; i < e->count && !g->c->err; i++) {
		if (e->items[i]->type.kind == SCRIPT_STRING)
			place_address(g, BPF_REG_0, image_place(g, e->items[i]));
		else
			number_to_store(g, e->items[i]);
		place_store(g, 8, place_plus(data, 8 * (int)(i - 1)), BPF_REG_0);
	}
	emit_load(g->k, 8, BPF_REG_1, context_reg(g, BPF_REG_1), 0); /* meta */
	emit_load(g->k, 8, BPF_REG_1, BPF_REG_1, 0);		     /* seq */
	place_address(g, BPF_REG_2, text);
	emit_move_imm(g->k, BPF_REG_3, format->length + 1);
	place_address(g, BPF_REG_4, data);
	emit_move_imm(g->k, BPF_REG_5, size);
	emit_call(g->k, HELPER_SEQ_PRINTF);
}

static void act_gen(struct sgen *g, struct script_expr *e)
{
	int holds = label_new(g->k);

	if (e->func == FUNC_PRINTF && script_is_pinned(g->c->point->attach)) {
		seq_printf_gen(g, e);
		return;
	}
	if (!e->action) {
		script_unsupported(g->c, e->span, "%s()", name_of(e->func));
		return;
	}
	if (e->func == FUNC_ASSERT)
		branch_gen(g, e->items[0], true, holds);
	action_gen(g, e->action);
	label_bind(g->k, holds);
}

/* ---- the table ---- */

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
	[FUNC_TRACED] = traced_gen,
	[FUNC_IRQ] = irq_gen,
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
	[FUNC_PCAP] = pcap_gen,
	[FUNC_PERCPU_KADDR] = percpu_gen,
	[FUNC_UADDR] = uaddr_gen,
	[FUNC_HAS_KEY] = has_key_gen,
	[FUNC_FIND] = find_gen,
	[FUNC_DELETE] = delete_gen,
	[FUNC_SIGNAL] = signal_gen,
	[FUNC_SIGNAL_THREAD] = signal_gen,
	[FUNC_OVERRIDE] = override_gen,
	[FUNC_WRITE_USER] = write_user_gen,
	[FUNC_DEBUGF] = debugf_gen,
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
	[FUNC_SIGNAL_NAME] = number_image,
	[FUNC_STR_CONCAT] = concat_gen,
	[FUNC_STRFTIME] = strftime_image,
	[FUNC_CGROUP_PATH] = cgroup_path_image,
	[FUNC_KSTACK] = stack_gen,
	[FUNC_USTACK] = stack_gen,
	[FUNC_DW_USTACK] = stack_gen,
	[FUNC_PATH] = path_gen,
	[FUNC_NTOP] = ntop_gen,
	[FUNC_MACADDR] = macaddr_gen,
	[FUNC_PACKET] = packet_gen,
};

void func_value_gen(struct sgen *g, struct script_expr *e)
{
	if (e->func >= FUNC_PRINTF && e->func <= FUNC_ASSERT)
		act_gen(g, e);
	else if (values[e->func])
		values[e->func](g, e);
	else
		script_unsupported(g->c, e->span, "%s()", name_of(e->func));
}

void func_image_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
		    struct place to, bool is_key)
{
	if (images[e->func])
		images[e->func](g, e, want, to, is_key);
	else
		script_unsupported(g->c, e->span, "%s()", name_of(e->func));
}
