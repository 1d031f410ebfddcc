/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_path_walk.c - from a dentry to the root.
 *
 * bpf_d_path is allowed in only a few functions, so a loop walks: it passes each name on, then
 * follows d_parent; at the root of a mount it continues at the mount point. It ends at the root
 * of the mount namespace, not at the root of the process. A plain dentry has no mounts: its path
 * starts at the root of its file system.
 */
#include "expr/emit/emit_slot.h"

void gen_walk_read(struct path_code *w, int to, uint32_t size, int base, int off)
{
	emit_read_kernel(w->k, BPF_REG_10, w->raised + to, size, base, off);
	emit_leave(w->k, BPF_JNE, BPF_REG_0, 0, w->doubt);
}

/* Reads the root of the mount at AT_MOUNT. */
static void read_root(struct path_code *w)
{
	emit_load(w->k, 8, BPF_REG_3, BPF_REG_10, w->raised + AT_MOUNT);
	gen_walk_read(w, AT_ROOT, 8, BPF_REG_3, w->at->mount_root);
}

/*
 * The verifier follows all rounds one by one, which takes it 0.3 s, unless a round begins like the one before. So with
 * may_goto the count is a number that the verifier does not know: 0 as the difference of two negated pointers.
 */
static void rounds_begin(struct path_code *w)
{
	if (!w->g->target->may_goto) {
		emit_store_imm(w->k, 8, BPF_REG_10, w->raised + AT_ROUND, 0);
		return;
	}
	emit_move(w->k, BPF_REG_1, BPF_REG_10);
	emit_negate(w->k, BPF_REG_1);
	emit_move(w->k, BPF_REG_2, BPF_REG_10);
	emit_negate(w->k, BPF_REG_2);
	emit_alu(w->k, BPF_SUB, BPF_REG_1, BPF_REG_2);
	emit_store(w->k, 8, BPF_REG_10, w->raised + AT_ROUND, BPF_REG_1);
}

/* REG_VALUE = the dentry to start at. */
static void walk_begin(struct path_code *w)
{
	rounds_begin(w);
	emit_store_imm(w->k, 8, BPF_REG_10, w->raised + AT_MOUNT, 0);
	if (w->is_dentry)
		return;
	gen_walk_read(w, AT_PATH, 16, REG_VALUE, 0);
	emit_load(w->k, 8, BPF_REG_1, BPF_REG_10, w->raised + AT_PATH);
	emit_store(w->k, 8, BPF_REG_10, w->raised + AT_MOUNT, BPF_REG_1);
	emit_load(w->k, 8, REG_VALUE, BPF_REG_10, w->raised + AT_PATH + 8);
	emit_jump(w->k, BPF_JEQ, REG_VALUE, 0, w->doubt);
	read_root(w);
}

/* Reads AT_ONE to AT_NAME: the parent and the name, which are in this order on every kernel that
 * does not shuffle its structs. */
static void read_dentry(struct path_code *w)
{
	const struct path_offsets *o = w->at;

	if (o->dentry_length - o->dentry_parent == AT_LENGTH - AT_ONE &&
	    o->dentry_name - o->dentry_parent == AT_NAME - AT_ONE) {
		gen_walk_read(w, AT_ONE, 24, REG_VALUE, o->dentry_parent);
		return;
	}
	gen_walk_read(w, AT_ONE, 8, REG_VALUE, o->dentry_parent);
	gen_walk_read(w, AT_LENGTH, 4, REG_VALUE, o->dentry_length);
	gen_walk_read(w, AT_NAME, 8, REG_VALUE, o->dentry_name);
}

/* Passes on the name of the dentry, and moves to its parent. */
static void walk_name(struct path_code *w)
{
	int root = label_new(w->k);

	read_dentry(w);
	emit_load(w->k, 8, BPF_REG_1, BPF_REG_10, w->raised + AT_ONE);
	emit_jump_reg(w->k, BPF_JEQ, BPF_REG_1, REG_VALUE, root);
	w->put(w);
	emit_load(w->k, 8, REG_VALUE, BPF_REG_10, w->raised + AT_ONE);
	emit_goto(w->k, w->next);
	label_bind(w->k, root);
	/* a root, but not of its mount: the directory was moved out of the mount */
	emit_load(w->k, 8, BPF_REG_1, BPF_REG_10, w->raised + AT_MOUNT);
	emit_jump(w->k, BPF_JNE, BPF_REG_1, 0, w->outside);
	emit_goto(w->k, w->end);
}

/* At the root of a mount: continues at the mount point. */
static void walk_up(struct path_code *w)
{
	int parent = w->at->mount_parent - w->at->mount_mnt;
	int point = w->at->mount_point - w->at->mount_mnt;

	label_bind(w->k, w->up);
	emit_load(w->k, 8, BPF_REG_3, BPF_REG_10, w->raised + AT_MOUNT);
	gen_walk_read(w, AT_ONE, point == parent + 8 ? 16 : 8, BPF_REG_3, parent);
	if (point != parent + 8) {
		emit_load(w->k, 8, BPF_REG_3, BPF_REG_10, w->raised + AT_MOUNT);
		gen_walk_read(w, AT_TWO, 8, BPF_REG_3, point);
	}
	emit_load(w->k, 8, BPF_REG_1, BPF_REG_10, w->raised + AT_ONE);
	emit_alu_imm(w->k, BPF_ADD, BPF_REG_1, w->at->mount_mnt);
	emit_load(w->k, 8, BPF_REG_2, BPF_REG_10, w->raised + AT_MOUNT);
	emit_jump_reg(w->k, BPF_JEQ, BPF_REG_1, BPF_REG_2, w->end);
	emit_store(w->k, 8, BPF_REG_10, w->raised + AT_MOUNT, BPF_REG_1);
	emit_load(w->k, 8, REG_VALUE, BPF_REG_10, w->raised + AT_TWO);
	read_root(w);
}

void gen_walk(struct path_code *w)
{
	int again = label_new(w->k);

	w->next = label_new(w->k);
	w->up = label_new(w->k);
	walk_begin(w);
	label_bind(w->k, again);
	if (w->g->target->may_goto)
		emit_leave_late(w->k, w->cut);
	if (!w->is_dentry) {
		emit_load(w->k, 8, BPF_REG_1, BPF_REG_10, w->raised + AT_ROOT);
		emit_jump_reg(w->k, BPF_JEQ, BPF_REG_1, REG_VALUE, w->up);
	}
	walk_name(w);
	if (!w->is_dentry)
		walk_up(w);
	label_bind(w->k, w->next);
	emit_load(w->k, 8, BPF_REG_1, BPF_REG_10, w->raised + AT_ROUND);
	emit_alu_imm(w->k, BPF_ADD, BPF_REG_1, 1);
	emit_store(w->k, 8, BPF_REG_10, w->raised + AT_ROUND, BPF_REG_1);
	emit_jump(w->k, BPF_JLT, BPF_REG_1, WALK_ROUNDS, again);
}

/* Copies 8 bytes at offset `off` of what the pointer at offset `via` of the dentry points to, to
 * stack offset `to`. */
static void read_target(struct path_code *w, int to, int via, int off)
{
	gen_walk_read(w, AT_ONE, 8, REG_VALUE, via);
	emit_load(w->k, 8, BPF_REG_3, BPF_REG_10, w->raised + AT_ONE);
	gen_walk_read(w, to, 8, BPF_REG_3, off);
}

void gen_walk_anonymous(struct path_code *w)
{
	read_target(w, AT_PATH, w->at->dentry_inode, w->at->inode_number);
	read_target(w, AT_ONE, w->at->dentry_super, w->at->super_type);
	emit_load(w->k, 8, BPF_REG_3, BPF_REG_10, w->raised + AT_ONE);
	gen_walk_read(w, AT_ONE, 8, BPF_REG_3, w->at->type_name);
	emit_load(w->k, 8, BPF_REG_3, BPF_REG_10, w->raised + AT_ONE);
}
