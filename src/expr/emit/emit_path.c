/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_path.c - :path, the name of a struct path, a file or a dentry, found by our own walk.
 *
 * bpf_d_path is allowed in only a few functions, so a loop walks from the dentry to the root: it
 * appends each name to the record, then follows d_parent; at the root of a mount it continues where
 * that is mounted. The reader reverses the names (FIELD_PATH). The path ends at the root of the
 * mount namespace, not at the root of the process; a plain dentry has no mounts, and its path
 * starts at the root of its file system.
 */
#include "expr/emit/emit_path.h"

enum {
	NAME_ROOM = 256, /* NAME_MAX and its NUL */
	COMPONENTS = 64, /* names and mounts */

	/* the lowest part of the stack, below what slots keep (as in emit_strcmp.c) */
	AT_PATH = -512,	 /* struct path: two pointers */
	AT_ROUND = -496, /* number of the iteration */
	AT_ONE = -488,	 /* the value just read */
	AT_TWO = -480,
	AT_MOUNT = -472, /* the mount of the dentry; 0: unknown */
	AT_CONTEXT = -464,
};

struct path_code {
	struct gen *g;
	struct code *k;
	const struct slot *s;
	const struct path_offsets *at;
	int doubt, next, up, end, cut, outside;
};

/* `size` bytes at register `base` + off, to the stack; jumps to the exact way if they cannot be
 * read. */
static void read_stack(struct path_code *w, int to, uint32_t size, int base, int off)
{
	emit_address(w->k, BPF_REG_3, base, off);
	emit_address(w->k, BPF_REG_1, BPF_REG_10, to);
	emit_move_imm(w->k, BPF_REG_2, size);
	emit_call(w->k, HELPER_READ_KERNEL);
	emit_jump(w->k, BPF_JNE, BPF_REG_0, 0, w->doubt);
}

/* REG_VALUE = the dentry to start at, REG_NAMES = number of name bytes so far. */
static void walk_begin(struct path_code *w)
{
	emit_jump(w->k, BPF_JEQ, REG_VALUE, 0, w->doubt);
	emit_store_imm(w->k, 8, BPF_REG_10, AT_MOUNT, 0);
	if (!w->s->is_dentry) {
		read_stack(w, AT_PATH, 16, REG_VALUE, 0);
		emit_load(w->k, 8, BPF_REG_1, BPF_REG_10, AT_PATH);
		emit_store(w->k, 8, BPF_REG_10, AT_MOUNT, BPF_REG_1);
		emit_load(w->k, 8, REG_VALUE, BPF_REG_10, AT_PATH + 8);
		emit_jump(w->k, BPF_JEQ, REG_VALUE, 0, w->doubt);
	}
	emit_store_imm(w->k, 8, BPF_REG_10, AT_ROUND, 0);
	emit_move_imm(w->k, REG_NAMES, 0);
}

/* Is it the root of its mount? */
static void walk_mount(struct path_code *w)
{
	int none = label_new(w->k);

	emit_load(w->k, 8, BPF_REG_6, BPF_REG_10, AT_MOUNT);
	emit_jump(w->k, BPF_JEQ, BPF_REG_6, 0, none);
	read_stack(w, AT_ONE, 8, BPF_REG_6, w->at->mount_root);
	emit_load(w->k, 8, BPF_REG_1, BPF_REG_10, AT_ONE);
	emit_jump_reg(w->k, BPF_JEQ, BPF_REG_1, REG_VALUE, w->up);
	label_place(w->k, none);
}

/* Does not change the value, but gives the verifier the same bounds of the length in each
 * iteration, so that it does not follow every path through the loop separately. */
static int32_t names_mask(const struct slot *s)
{
	uint32_t mask = NAME_ROOM;

	while (mask < s->names_room + NAME_ROOM)
		mask *= 2;
	return 2 * mask - 1;
}

/* Appends the string whose address is at AT_TWO. */
static void name_append(struct path_code *w)
{
	emit_jump(w->k, BPF_JGT, REG_NAMES, w->s->names_room, w->cut);
	emit_address(w->k, BPF_REG_1, REG_RECORD, w->s->offset + sizeof(struct event_str));
	emit_alu(w->k, BPF_ADD, BPF_REG_1, REG_NAMES);
	emit_move_imm(w->k, BPF_REG_2, NAME_ROOM);
	emit_load(w->k, 8, BPF_REG_3, BPF_REG_10, AT_TWO);
	emit_call(w->k, HELPER_READ_KERNEL_STR);
	emit_jump(w->k, BPF_JSLT, BPF_REG_0, 1, w->doubt);
	emit_jump(w->k, BPF_JGT, BPF_REG_0, NAME_ROOM, w->doubt);
	emit_alu(w->k, BPF_ADD, REG_NAMES, BPF_REG_0);
	emit_alu_imm(w->k, BPF_AND, REG_NAMES, names_mask(w->s));
}

/* Appends the dentry's name and moves to its parent. */
static void walk_name(struct path_code *w)
{
	int root = label_new(w->k);

	read_stack(w, AT_ONE, 8, REG_VALUE, w->at->dentry_parent);
	read_stack(w, AT_TWO, 8, REG_VALUE, w->at->dentry_name);
	emit_load(w->k, 8, BPF_REG_1, BPF_REG_10, AT_ONE);
	emit_jump_reg(w->k, BPF_JEQ, BPF_REG_1, REG_VALUE, root);
	name_append(w);
	emit_load(w->k, 8, REG_VALUE, BPF_REG_10, AT_ONE);
	emit_goto(w->k, w->next);
	label_place(w->k, root);
	/* a root, but not of its mount: the directory was moved out of the mount */
	emit_load(w->k, 8, BPF_REG_1, BPF_REG_10, AT_MOUNT);
	emit_jump(w->k, BPF_JNE, BPF_REG_1, 0, w->outside);
	emit_goto(w->k, w->end);
}

/* AT_TWO = the pointer `off` bytes behind the one that is `via` bytes behind the dentry. */
static void read_behind(struct path_code *w, int via, int off)
{
	read_stack(w, AT_TWO, 8, REG_VALUE, via);
	emit_load(w->k, 8, BPF_REG_6, BPF_REG_10, AT_TWO);
	read_stack(w, AT_TWO, 8, BPF_REG_6, off);
}

/*
 * A pipe, a socket, an eventfd: its dentry is in no directory, and not the root of its mount. So is a
 * directory that was moved out of its mount; but then the walk has passed names, or its name is "/",
 * which the reader sees.
 */
static void walk_anonymous(struct path_code *w, int outside)
{
	label_place(w->k, w->outside);
	emit_jump(w->k, BPF_JNE, REG_NAMES, 0, outside);
	name_append(w);
	read_behind(w, w->at->dentry_inode, w->at->inode_number);
	emit_load(w->k, 8, BPF_REG_1, BPF_REG_10, AT_TWO);
	emit_store(w->k, 8, BPF_REG_10, AT_ROUND, BPF_REG_1);
	read_behind(w, w->at->dentry_super, w->at->super_type);
	emit_load(w->k, 8, BPF_REG_6, BPF_REG_10, AT_TWO);
	read_stack(w, AT_TWO, 8, BPF_REG_6, w->at->type_name);
	name_append(w);
}

/* At the root of a mount: continues where that is mounted. r6 is the struct vfsmount. */
static void walk_up(struct path_code *w)
{
	label_place(w->k, w->up);
	read_stack(w, AT_ONE, 8, BPF_REG_6, w->at->mount_parent - w->at->mount_mnt);
	read_stack(w, AT_TWO, 8, BPF_REG_6, w->at->mount_point - w->at->mount_mnt);
	emit_load(w->k, 8, BPF_REG_1, BPF_REG_10, AT_ONE);
	emit_alu_imm(w->k, BPF_ADD, BPF_REG_1, w->at->mount_mnt);
	emit_jump_reg(w->k, BPF_JEQ, BPF_REG_1, BPF_REG_6, w->end);
	emit_store(w->k, 8, BPF_REG_10, AT_MOUNT, BPF_REG_1);
	emit_load(w->k, 8, REG_VALUE, BPF_REG_10, AT_TWO);
}

static void walk_round(struct path_code *w, int again)
{
	label_place(w->k, w->next);
	emit_load(w->k, 8, BPF_REG_1, BPF_REG_10, AT_ROUND);
	emit_alu_imm(w->k, BPF_ADD, BPF_REG_1, 1);
	emit_store(w->k, 8, BPF_REG_10, AT_ROUND, BPF_REG_1);
	emit_jump(w->k, BPF_JLT, BPF_REG_1, COMPONENTS, again);
}

/* struct event_str before the names. */
static void walk_end(struct path_code *w, int label, enum event_status status)
{
	int at = w->s->offset;

	label_place(w->k, label);
	emit_store_imm(w->k, 4, REG_RECORD, at + offsetof(struct event_str, status), status);
	if (status == EVENT_CUT) {
		emit_store(w->k, 8, BPF_REG_10, AT_ONE, REG_NAMES);
		gen_count_loss(w->g, LOSS_CUT);
		emit_load(w->k, 8, REG_NAMES, BPF_REG_10, AT_ONE);
	}
	emit_store_imm(w->k, 4, REG_RECORD, at + offsetof(struct event_str, off),
		       at + sizeof(struct event_str));
	emit_store(w->k, 4, REG_RECORD, at + offsetof(struct event_str, len), REG_NAMES);
	emit_store_imm(w->k, 4, REG_RECORD, at + offsetof(struct event_str, left_out), 0);
	if (status != EVENT_ANONYMOUS)
		return;
	emit_load(w->k, 8, BPF_REG_1, BPF_REG_10, AT_ROUND);
	emit_store(w->k, 4, REG_RECORD, at + offsetof(struct event_str, left_out), BPF_REG_1);
}

/* Saves the context on the stack meanwhile, because r6 is the mount. */
static void context_keep(struct path_code *w, bool back)
{
	if (back)
		emit_load(w->k, 8, REG_CTX, BPF_REG_10, AT_CONTEXT);
	else
		emit_store(w->k, 8, BPF_REG_10, AT_CONTEXT, REG_CTX);
}

void gen_path(struct gen *g, const struct slot *s, bool exact)
{
	struct path_code w = { .g = g,
			       .k = g->k,
			       .s = s,
			       .at = s->path,
			       .doubt = label_new(g->k),
			       .next = label_new(g->k),
			       .up = label_new(g->k),
			       .end = label_new(g->k),
			       .cut = label_new(g->k),
			       .outside = label_new(g->k) };
	int again = label_new(g->k), outside = label_new(g->k), done = label_new(g->k);

	context_keep(&w, false);
	walk_begin(&w);
	label_place(g->k, again);
	walk_mount(&w);
	walk_name(&w);
	walk_up(&w);
	walk_round(&w, again);
	walk_end(&w, w.cut, EVENT_CUT);
	emit_goto(g->k, done);
	walk_anonymous(&w, outside);
	walk_end(&w, label_new(g->k), EVENT_ANONYMOUS);
	emit_goto(g->k, done);
	walk_end(&w, outside, EVENT_OUTSIDE);
	emit_goto(g->k, done);
	label_place(g->k, w.doubt);
	context_keep(&w, true);
	if (exact)
		gen_blame(g, FIELD_STATUS_FAULT | s->sink_link);
	emit_goto(g->k, exact ? gen_labels(g, s)->fail : gen_labels(g, s)->exact);
	walk_end(&w, w.end, EVENT_OK);
	label_place(g->k, done);
	context_keep(&w, true);
}
