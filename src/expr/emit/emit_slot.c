/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_slot.c - the instructions of a slot: its steps (emit_ir.c), storing the value, and what
 * happens on failure.
 */
#include "expr/emit/emit_slot.h"

#include <string.h>

#include "expr/emit/emit_aggregate.h"
#include "output/field/sock.h"
#include "output/field/value.h"

/* ---- full paths ---- */

/* Mask for the length of the names. It does not change the value, but gives the verifier the same
 * bounds in each iteration, so that it does not follow every path through the loop. */
static int32_t names_mask(const struct slot *s)
{
	uint32_t mask = NAME_ROOM;

	while (mask < s->store.path.names_room + NAME_ROOM)
		mask *= 2;
	return 2 * mask - 1;
}

/* Appends the string whose address is in r3. */
static void append(struct path_code *w)
{
	emit_jump(w->k, BPF_JGT, REG_NAMES, w->s->store.path.names_room, w->cut);
	emit_address(w->k, BPF_REG_1, REG_RECORD, w->s->place.offset + sizeof(struct event_str));
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
 * A pipe, a socket, an eventfd: its dentry is in no directory, and not the root of its mount. The
 * same is true of a directory that was moved out of its mount; but then the walk has passed
 * names, or its name is "/", which the reader sees.
 */
static void append_anonymous(struct path_code *w, int outside)
{
	label_bind(w->k, w->outside);
	emit_jump(w->k, BPF_JNE, REG_NAMES, 0, outside);
	name_append(w);
	gen_walk_anonymous(w);
	append(w);
}

/* Writes the struct event_str before the names. */
static void walk_end(struct path_code *w, int label, enum event_status status)
{
	int at = w->s->place.offset;

	label_bind(w->k, label);
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

static void gen_path(struct gen *g, const struct slot *s, bool exact)
{
	struct path_code w = {
		.g = g,
		.k = g->k,
		.at = s->store.path.offsets,
		.is_dentry = s->store.path.is_dentry,
		.put = name_append,
		.s = s,
		.doubt = exact ? gen_labels(g, s)->fail : gen_labels(g, s)->exact,
		.end = label_new(g->k),
		.cut = label_new(g->k),
		.outside = label_new(g->k),
	};
	int outside = label_new(g->k), done = label_new(g->k);

	if (exact)
		gen_blame(g, FIELD_STATUS_FAULT | s->plan.sink_link);
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
	label_bind(g->k, done);
}

/* Clears the bits of REG_VALUE outside the value: they would make equal keys differ. */
static void gen_key_bits(struct gen *g, const struct slot *s)
{
	unsigned bits = s->store.bit_size ?: s->store.size * 8,
		 off = s->store.bit_size ? s->store.bit_offset : 0;

	if (bits == 64)
		return;
	emit_alu_imm(g->k, BPF_LSH, REG_VALUE, 64 - bits - off);
	emit_alu_imm(g->k, BPF_RSH, REG_VALUE, 64 - bits);
	if (off)
		emit_alu_imm(g->k, BPF_LSH, REG_VALUE, off);
}

static void sink_text(struct gen *g, const struct slot *s)
{
	for (uint32_t at = 0; at < s->store.size; at += 8) {
		uint32_t left = s->store.size - at;
		uint64_t word = 0;

		memcpy(&word, s->root->bytes + at, left < 8 ? left : 8);
		emit_imm64(g->k, BPF_REG_1, word);
		emit_store(g->k, 8, REG_RECORD, s->place.offset + at, BPF_REG_1);
	}
}

/* Clears the parts of a socket in a key that are not its addresses, and may change. */
static void sock_blank(struct gen *g, const struct slot *s)
{
	const struct sock_layout *l = s->store.sock;
	bool kept[SOCK_SIZE_MAX + 8] = { false };

	if (!l || !slot_is_key(g->p, s))
		return;
	for (int i = 0; i < SOCK_PARTS; i++)
		if (l->has >> i & 1)
			memset(kept + l->offset[i], true, sock_parts[i].size);
	for (unsigned at = 0, size; at < l->size; at += size) {
		for (size = 8; size > 1 &&
			       (at % size || at + size > l->size || memchr(kept + at, true, size));)
			size /= 2;
		if (!kept[at])
			emit_store_imm(g->k, size, REG_RECORD, s->place.offset + at, 0);
	}
}

static void sink_fast(struct gen *g, const struct slot *s)
{
	if (s->store.kind == STORE_SCALAR && slot_is_key(g->p, s))
		gen_key_bits(g, s);
	if (s->store.kind == STORE_SCALAR)
		emit_store(g->k, 8, REG_RECORD, s->place.offset, REG_VALUE);
	else if (s->store.kind == STORE_STRING)
		gen_string_fast(g, s);
	else if (s->store.kind == STORE_COUNTED)
		emit_goto(g->k, gen_labels(g, s)->string);
	else if (s->store.kind == STORE_TEXT)
		sink_text(g, s);
	else if (s->store.kind == STORE_HEADER && s->at_end)
		(slot_is_key(g->p, s) ? gen_key_comm : gen_comm)(g, s->place.offset);
	else if (s->store.kind == STORE_STACK)
		gen_stack_id(g, s);
	else if (s->store.kind == STORE_FILTER && s->trigger)
		gen_trigger_set(g, s);
}

void gen_slot_fast(struct gen *g, const struct slot *s)
{
	if (s->store.kind == STORE_FILTER && s->trigger)
		gen_trigger_check(g, s);
	gen_steps_fast(g, s);
	sink_fast(g, s);
	sock_blank(g, s);
	if (s->store.kind == STORE_PATH)
		gen_path(g, s, false);
	if (s->store.kind == STORE_FLOW)
		gen_flow(g, s, false);
	if (s->store.kind == STORE_PACKET)
		gen_packet_copy(g, s, false);
	label_bind(g->k, gen_labels(g, s)->done);
}

/* True if the slot is large. Only the beginning of a failed value is ever read. */
static bool is_long(const struct slot *s)
{
	return s->store.kind == STORE_STRING || s->store.kind == STORE_COUNTED ||
	       s->store.kind == STORE_PATH || s->store.kind == STORE_PACKET ||
	       s->store.type == FIELD_STRUCT;
}

/* Sets the status byte to the failing link and the value to 0, and counts a fault in the ledger. A
 * filter, or a key of a pair, that cannot be evaluated rejects the call. */
static void slot_fail(struct gen *g, const struct slot *s)
{
	const struct slot_labels *labels = gen_labels(g, s);
	bool of_pair = s->role == SLOT_KEY || s->role == SLOT_KEPT;
	bool rejects = s->store.kind == STORE_FILTER || of_pair;
	int fault = label_new(g->k), after = rejects ? gen_reject(g, s) : labels->done;

	label_bind(g->k, labels->fail);
	emit_load(g->k, 8, BPF_REG_1, BPF_REG_10, STACK_STATUS);
	if (!rejects) {
		emit_store(g->k, 1, REG_RECORD, s->place.status, BPF_REG_1);
		emit_zero(g->k, REG_RECORD, s->place.offset,
			  is_long(s) && !slot_is_key(g->p, s) ? 8 : s->place.room);
	}
	if (!of_pair) { /* a NULL on the way answers a condition, but is no key */
		emit_jump(g->k, BPF_JSET, BPF_REG_1, FIELD_STATUS_FAULT, fault);
		emit_goto(g->k, after);
	}
	label_bind(g->k, fault);
	if (!s->followed.in_variant)
		gen_count_loss(g, LOSS_FAULT);
	emit_goto(g->k, after);
}

void gen_slot_exact(struct gen *g, const struct slot *s)
{
	const struct slot_labels *labels = gen_labels(g, s);

	if (!s->plan.link_count) /* nothing is read, so nothing can fail */
		return;
	if (s->store.kind == STORE_STRING) {
		label_bind(g->k, labels->string);
		gen_string_exact(g, s);
	} else if (s->store.kind == STORE_COUNTED) {
		gen_counted(g, s);
	} else {
		label_bind(g->k, labels->exact);
		gen_steps_exact(g, s);
		if (s->store.kind != STORE_BYTES)
			sink_fast(g, s);
		sock_blank(g, s);
		if (s->store.kind == STORE_PATH)
			gen_path(g, s, true);
		if (s->store.kind == STORE_FLOW)
			gen_flow(g, s, true);
		if (s->store.kind == STORE_PACKET)
			gen_packet_copy(g, s, true);
	}
	emit_goto(g->k, labels->done);
	slot_fail(g, s);
}

void gen_new_labels(struct gen *g, size_t slot)
{
	g->labels[slot].exact = label_new(g->k);
	g->labels[slot].string = label_new(g->k);
	g->labels[slot].fail = label_new(g->k);
	g->labels[slot].done = label_new(g->k);
}
