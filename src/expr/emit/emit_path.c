/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_path.c - :path in a record: the names as the walk finds them, from the last to the first. The reader
 * puts them together (FIELD_PATH).
 */
#include "expr/emit/emit_path.h"

#include "expr/emit/emit_path_walk.h"

/* Does not change the value, but gives the verifier the same bounds of the length in each
 * iteration, so that it does not follow every path through the loop separately. */
static int32_t names_mask(const struct slot *s)
{
	uint32_t mask = NAME_ROOM;

	while (mask < s->names_room + NAME_ROOM)
		mask *= 2;
	return 2 * mask - 1;
}

/* Appends the string whose address is in r3. */
static void append(struct path_code *w)
{
	emit_jump(w->k, BPF_JGT, REG_NAMES, w->s->names_room, w->cut);
	emit_address(w->k, BPF_REG_1, REG_RECORD, w->s->offset + sizeof(struct event_str));
	emit_alu(w->k, BPF_ADD, BPF_REG_1, REG_NAMES);
	emit_move_imm(w->k, BPF_REG_2, NAME_ROOM);
	emit_call(w->k, HELPER_READ_KERNEL_STR);
	emit_jump(w->k, BPF_JSLT, BPF_REG_0, 1, w->doubt);
	emit_jump(w->k, BPF_JGT, BPF_REG_0, NAME_ROOM, w->doubt);
	emit_alu(w->k, BPF_ADD, REG_NAMES, BPF_REG_0);
	emit_alu_imm(w->k, BPF_AND, REG_NAMES, names_mask(w->s));
}

static void name_append(struct path_code *w)
{
	emit_load(w->k, 8, BPF_REG_3, BPF_REG_10, AT_NAME);
	append(w);
}

/*
 * A pipe, a socket, an eventfd: its dentry is in no directory, and not the root of its mount. So is a
 * directory that was moved out of its mount; but then the walk has passed names, or its name is "/",
 * which the reader sees.
 */
static void append_anonymous(struct path_code *w, int outside)
{
	label_place(w->k, w->outside);
	emit_jump(w->k, BPF_JNE, REG_NAMES, 0, outside);
	name_append(w);
	gen_walk_anonymous(w);
	append(w);
}

/* struct event_str before the names. */
static void walk_end(struct path_code *w, int label, enum event_status status)
{
	int at = w->s->offset;

	label_place(w->k, label);
	emit_store_imm(w->k, 4, REG_RECORD, at + offsetof(struct event_str, status), status);
	if (status == EVENT_CUT)
		gen_count_loss(w->g, LOSS_CUT);
	emit_store_imm(w->k, 4, REG_RECORD, at + offsetof(struct event_str, off),
		       at + sizeof(struct event_str));
	emit_store(w->k, 4, REG_RECORD, at + offsetof(struct event_str, len), REG_NAMES);
	emit_store_imm(w->k, 4, REG_RECORD, at + offsetof(struct event_str, left_out), 0);
	if (status != EVENT_ANONYMOUS)
		return;
	emit_load(w->k, 8, BPF_REG_1, BPF_REG_10, AT_PATH);
	emit_store(w->k, 4, REG_RECORD, at + offsetof(struct event_str, left_out), BPF_REG_1);
}

void gen_path(struct gen *g, const struct slot *s, bool exact)
{
	struct path_code w = {
		.g = g,
		.k = g->k,
		.at = s->path,
		.is_dentry = s->is_dentry,
		.put = name_append,
		.s = s,
		.doubt = exact ? gen_labels(g, s)->fail : gen_labels(g, s)->exact,
		.end = label_new(g->k),
		.cut = label_new(g->k),
		.outside = label_new(g->k),
	};
	int outside = label_new(g->k), done = label_new(g->k);

	if (exact)
		gen_blame(g, FIELD_STATUS_FAULT | s->sink_link);
	emit_jump(g->k, BPF_JEQ, REG_VALUE, 0, w.doubt);
	emit_move_imm(g->k, REG_NAMES, 0);
	gen_walk(&w);
	walk_end(&w, w.cut, EVENT_CUT);
	emit_goto(g->k, done);
	append_anonymous(&w, outside);
	walk_end(&w, label_new(g->k), EVENT_ANONYMOUS);
	emit_goto(g->k, done);
	walk_end(&w, outside, EVENT_OUTSIDE);
	emit_goto(g->k, done);
	walk_end(&w, w.end, EVENT_OK);
	label_place(g->k, done);
}
