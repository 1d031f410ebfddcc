/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * task_find.c - emits the search of the kernel's own table for the task with a number.
 *
 * Searches the initial namespace. Its numbers are in a tree (struct xarray) whose nodes have 64 slots, one level for
 * six bits. All reads use helpers, so any kind of program can run the search; only few kinds may call a kfunc that
 * finds a task.
 */
#include "expr/lower/lower.h"
#include "script/emit/func.h"

enum { LEVELS = 6, SLOTS_BITS = 6, SLOTS = 1 << SLOTS_BITS, NODE_MARK = 2, NODE_MASK = 3 };

struct tree_offsets {
	int head;	  /* in struct pid_namespace */
	int shift, slots; /* in struct xa_node */
	int tasks, links; /* in struct pid, task_struct */
};

/* Adds the offset of each member on the path, which ends with NULL. */
static bool offset_find(const struct btf_view *btf, const char *type, const char *const *path,
			int *at)
{
	struct btf_found found = { .type = btf_view_find(btf, BTF_KIND_STRUCT, type) };

	*at = 0;
	for (; *path; path++) {
		const struct btf_type *t = btf_view_stripped(btf, found.type);

		if (t && btf_kind(t) == BTF_KIND_ARRAY)
			found.type = btf_array(t)->type;
		if (!btf_view_member(btf, btf_view_strip(btf, found.type), *path, strlen(*path),
				     &found))
			return false;
		*at += (int)found.bit_offset / 8;
	}
	return true;
}

static bool offsets_find(const struct btf_view *btf, struct tree_offsets *o)
{
	static const char *const
		head[] = { "idr", "idr_rt", "xa_head", NULL },
		*const shift[] = { "shift", NULL }, *const slots[] = { "slots", NULL },
		*const tasks[] = { "tasks", "first", NULL }, *const links[] = { "pid_links", NULL };

	return offset_find(btf, "pid_namespace", head, &o->head) &&
	       offset_find(btf, "xa_node", shift, &o->shift) &&
	       offset_find(btf, "xa_node", slots, &o->slots) &&
	       offset_find(btf, "pid", tasks, &o->tasks) &&
	       offset_find(btf, "task_struct", links, &o->links);
}

/* node = the pointer at r0 + off */
static void node_follow(struct sgen *g, struct place node, int off)
{
	emit_address(g->k, BPF_REG_3, BPF_REG_0, off);
	read_gen(g, node, 8, false);
}

/* Descends one level; jumps to `leaf` if the node is not part of the tree. */
static void level_gen(struct sgen *g, const struct tree_offsets *o, struct place index,
		      struct place node, int leaf, int none)
{
	struct mark m = frame_mark(g);
	struct place shift = place_alloc_small(g, 8);

	place_load(g, 8, BPF_REG_0, node);
	emit_move(g->k, BPF_REG_1, BPF_REG_0);
	emit_alu_imm(g->k, BPF_AND, BPF_REG_1, NODE_MASK);
	emit_jump(g->k, BPF_JNE, BPF_REG_1, NODE_MARK, leaf);
	place_zero(g, shift, 8);
	emit_address(g->k, BPF_REG_3, BPF_REG_0, o->shift - NODE_MARK);
	read_gen(g, shift, 1, false);
	place_load(g, 8, BPF_REG_1, index);
	place_load(g, 8, BPF_REG_2, shift);
	emit_alu_imm(g->k, BPF_AND, BPF_REG_2, 63);
	emit_alu(g->k, BPF_RSH, BPF_REG_1, BPF_REG_2);
	emit_jump(g->k, BPF_JGE, BPF_REG_1, SLOTS, none);
	emit_alu_imm(g->k, BPF_LSH, BPF_REG_1, 3);
	place_load(g, 8, BPF_REG_0, node);
	emit_alu(g->k, BPF_ADD, BPF_REG_0, BPF_REG_1);
	node_follow(g, node, o->slots - NODE_MARK);
	/* below, only the bits of lower levels are used */
	place_load(g, 8, BPF_REG_2, shift);
	emit_alu_imm(g->k, BPF_AND, BPF_REG_2, 63);
	emit_move_imm(g->k, BPF_REG_1, 1);
	emit_alu(g->k, BPF_LSH, BPF_REG_1, BPF_REG_2);
	emit_alu_imm(g->k, BPF_SUB, BPF_REG_1, 1);
	place_load(g, 8, BPF_REG_0, index);
	emit_alu(g->k, BPF_AND, BPF_REG_0, BPF_REG_1);
	place_store(g, 8, index, BPF_REG_0);
	frame_drop(g, m);
}

static void search_gen(struct sgen *g, const struct tree_offsets *o, uint64_t namespace,
		       struct place index)
{
	struct place node = place_alloc_small(g, 8);
	int leaf = label_new(g->k), none = label_new(g->k), end = label_new(g->k);

	emit_imm64(g->k, BPF_REG_0, namespace);
	node_follow(g, node, o->head);
	for (int i = 0; i < LEVELS; i++)
		level_gen(g, o, index, node, leaf, none);
	label_bind(g->k, leaf);
	place_load(g, 8, BPF_REG_0, node);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, end);
	node_follow(g, node, o->tasks);
	place_load(g, 8, BPF_REG_0, node);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, end);
	emit_alu_imm(g->k, BPF_SUB, BPF_REG_0, o->links);
	emit_goto(g->k, end);
	label_bind(g->k, none);
	emit_move_imm(g->k, BPF_REG_0, 0);
	label_bind(g->k, end);
}

void task_find_gen(struct sgen *g, struct script_expr *e)
{
	const struct script_world *w = g->c->world;
	uint64_t namespace = w->kernel_symbol ? w->kernel_symbol(w->ctx, "init_pid_ns") : 0;
	struct mark m = frame_mark(g);
	struct place index = place_alloc_small(g, 8);
	struct tree_offsets o;

	if (!namespace || !offsets_find(g->in->btf, &o)) {
		script_fail(g->c, e->span, "the kernel's table of processes cannot be found: %s",
			    namespace ? "its types differ" : "/proc/kallsyms hides addresses");
		return;
	}
	number_gen(g, e->items[0]);
	emit_move32(g->k, BPF_REG_0, BPF_REG_0);
	place_store(g, 8, index, BPF_REG_0);
	search_gen(g, &o, namespace, index);
	frame_drop(g, m);
}
