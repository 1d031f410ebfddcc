/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_aggregate.c - counted calls: instead of a record for each call, a map entry is found by
 * its key and updated.
 *
 *	begin	memory for the key and the measured values
 *	end	look up, add
 *	rest	add a new key
 *
 * Each CPU has its own values, in a slot of the entry or, if that were too large, in a map per CPU. So
 * nothing has to be atomic: the kernel does not run a program on a CPU
 * where the same program is already running (it counts that, and so does the ledger), and
 * programs that share maps each have their own index or key.
 *
 * A key without strings is on the stack. A key with strings is in a map: a string can end in many
 * ways, and the verifier, which tracks each word of the stack, would check all combinations.
 */
#include "expr/emit/emit_aggregate.h"
#include "expr/emit/emit_slot.h"
#include "expr/layout/layout.h"

enum { REG_TABLE = REG_VALUE };

static const struct expr_aggregate *input(const struct gen *g)
{
	return g->c->in->run.aggregate;
}

/* ---- maps ---- */

static uint32_t programs(const struct gen *g)
{
	return g->c->in->run.siblings ?: 1;
}

/* Returns the bytes of a processor's slot in the values; 0: the kernel allocates per CPU. */
static uint32_t slot_size(const struct gen *g)
{
	const struct expr_run *run = &g->c->in->run;
	uint32_t size = g->p->table.words * 8, slot = (size + EXPR_SLOT - 1) & -(uint32_t)EXPR_SLOT;
	uint64_t keys = run->stack_copy || !run->keys ? EXPR_KEYS : run->keys;

	if (input(g)->cpus == 1)
		slot = size;
	if (!input(g)->cpus || (uint64_t)slot * input(g)->cpus > EXPR_SLOTS_MOST)
		return 0;
	if (slot * input(g)->cpus * keys <= EXPR_SLOTS_ALL)
		return slot;
	return keys >= EXPR_KEYS_MANY && size * input(g)->cpus * keys <= EXPR_SLOTS_MANY ? size : 0;
}

static uint32_t value_size(const struct gen *g)
{
	return slot_size(g) * input(g)->cpus ?: g->p->table.words * 8;
}

static uint32_t counts_map(struct gen *g)
{
	const struct expr_table *t = &g->p->table;

	if (!t->key_size)
		return gen_map_index(g, EXPR_MAP_COUNTS, BPF_MAP_TYPE_PERCPU_ARRAY, 4, t->words * 8,
				     programs(g));
	return gen_map_index(g, EXPR_MAP_COUNTS,
			     slot_size(g) ? BPF_MAP_TYPE_HASH : BPF_MAP_TYPE_PERCPU_HASH,
			     t->key_size, value_size(g), 0);
}

static uint32_t counted_map(struct gen *g)
{
	counts_map(g);
	return gen_map_index(g, EXPR_MAP_COUNTED, BPF_MAP_TYPE_ARRAY_OF_MAPS, 4, 4, 1);
}

static uint32_t blank_map(struct gen *g)
{
	return gen_map_index(g, EXPR_MAP_BLANK, BPF_MAP_TYPE_ARRAY, 4, value_size(g), 1);
}

static uint32_t scratch_map(struct gen *g)
{
	return gen_map_index(g, EXPR_MAP_SCRATCH, BPF_MAP_TYPE_PERCPU_ARRAY, 4, g->p->record.size,
			     programs(g));
}

static uint32_t claimed_map(struct gen *g)
{
	return gen_map_index(g, EXPR_MAP_CLAIMED, BPF_MAP_TYPE_PERCPU_ARRAY, 4,
			     g->p->record.size + CLAIM_BYTES, CLAIMS * programs(g));
}

/* ---- begin: the key ---- */

/* True if some bytes of the slot may stay unwritten. */
static bool is_partly_filled(const struct slot *s)
{
	return s->store.kind == STORE_STRING || s->store.kind == STORE_COUNTED;
}

static bool needs_scratch(const struct expr_program *p)
{
	for (size_t i = p->filter_count; i < p->slot_count; i++) {
		if (is_partly_filled(&p->slots[i]))
			return true;
	}
	return false;
}

/* Copies a value that a record would have in its header. */
static void key_task(struct gen *g, const struct slot *s)
{
	if (s->root->builtin->id == BUILTIN_COMM) {
		gen_key_comm(g, s->place.offset);
		return;
	}
	gen_numbers(g);
	if (g->numbered)
		gen_number(g, BPF_REG_1, s->root->builtin->id == BUILTIN_TID);
	else if (s->root->builtin->id == BUILTIN_PID)
		gen_tgid(g, BPF_REG_1);
	else
		gen_tid(g, BPF_REG_1);
	if (!g->by_task)
		emit_move32(g->k, BPF_REG_1, BPF_REG_1);
	emit_store(g->k, 8, REG_RECORD, s->place.offset, BPF_REG_1);
}

/* For the program of a user probe, which may be preempted (gen_begin). */
static void claim(struct gen *g)
{
	int none = label_new(g->k), ours = label_new(g->k);

	gen_claim(g, claimed_map(g), g->c->in->probe_number * CLAIMS, g->p->record.size, none);
	emit_move(g->k, REG_RECORD, BPF_REG_0);
	emit_goto(g->k, ours);
	label_bind(g->k, none);
	gen_count_loss(g, LOSS_RECURSION);
	emit_goto(g->k, g->exit);
	label_bind(g->k, ours);
	g->claimed = true;
}

static void release(struct gen *g)
{
	if (g->claimed)
		gen_unclaim(g, REG_RECORD, g->p->record.size);
}

static void aggregate_room(struct gen *g)
{
	const struct expr_program *p = g->p;

	if (!p->record.size || (!needs_scratch(p) && gen_record_on_stack(g, p->record.size)))
		return;
	if (gen_is_preempted(g)) {
		claim(g);
		return;
	}
	gen_lookup_index(g, scratch_map(g), g->c->in->probe_number);
	emit_move(g->k, REG_RECORD, BPF_REG_0);
}

static void aggregate_fill(struct gen *g)
{
	const struct expr_program *p = g->p;
	size_t measured = p->filter_count + p->key_count;
	uint32_t key_status = (p->key_count + 7) & ~7u;

	if (!p->record.size)
		return;
	if (p->table.has_source)
		gen_record_source(g, 0);
	emit_zero(g->k, REG_RECORD, p->table.key_size - key_status, key_status);
	emit_zero(g->k, REG_RECORD, p->record.status_at, p->record.status_size);
	for (size_t i = p->filter_count; i < measured; i++) {
		const struct slot *s = &p->slots[i];

		if (is_partly_filled(s))
			emit_zero(g->k, REG_RECORD, s->place.offset, s->place.room);
		else if (s->store.kind == STORE_HEADER)
			key_task(g, s);
	}
}

/* ---- end: the entry ---- */

static void set_table(struct gen *g, int dst)
{
	if (input(g)->switched)
		emit_move(g->k, dst, REG_TABLE);
	else
		emit_map(g->k, dst, counts_map(g));
}

static void lookup_key(struct gen *g)
{
	set_table(g, BPF_REG_1);
	emit_move(g->k, BPF_REG_2, REG_RECORD);
	emit_call(g->k, HELPER_MAP_LOOKUP);
}

/* r0 = an entry that always exists; if it is missing, releases the key's memory and exits. */
static void require_value(struct gen *g)
{
	int found = label_new(g->k);

	emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, found);
	gen_count_loss(g, LOSS_LOOKUP);
	release(g);
	emit_goto(g->k, g->exit);
	label_bind(g->k, found);
}

static void find_entry(struct gen *g)
{
	if (input(g)->switched) {
		gen_lookup(g, counted_map(g), 0);
		require_value(g);
		emit_move(g->k, REG_TABLE, BPF_REG_0);
	}
	if (g->p->table.key_size) {
		lookup_key(g);
		emit_jump(g->k, BPF_JEQ, REG_ENTRY, 0, g->full);
		return;
	}
	emit_store_imm(g->k, 4, BPF_REG_10, STACK_SCRATCH, g->c->in->probe_number);
	set_table(g, BPF_REG_1);
	emit_address(g->k, BPF_REG_2, BPF_REG_10, STACK_SCRATCH);
	emit_call(g->k, HELPER_MAP_LOOKUP);
	require_value(g);
}

/* True if an earlier measure has already counted this word. */
static bool is_counted(const struct expr_program *p, size_t i, unsigned word)
{
	for (size_t j = 0; j < i; j++)
		if (p->results[j].calls == word || p->results[j].unread == word)
			return true;
	return false;
}

static void unread_add(struct gen *g, const struct slot *s)
{
	const struct expr_program *p = g->p;

	for (size_t i = 0; i < p->table.count; i++)
		if (p->result_slots[i] == s - p->slots && !is_counted(p, i, p->results[i].unread))
			gen_word_add(g, REG_ENTRY, p->results[i].unread, -1);
}

static void calls_add(struct gen *g)
{
	const struct expr_program *p = g->p;

	gen_word_add(g, REG_ENTRY, 0, -1);
	for (size_t i = 0; i < p->table.count; i++) {
		unsigned calls = p->results[i].is_own ? p->results[i].calls : 0;

		if (calls && !is_counted(p, i, calls))
			gen_word_add(g, REG_ENTRY, calls, -1);
	}
}

/* Adds all measures of one value. */
static void value_add(struct gen *g, const struct slot *s)
{
	const struct expr_program *p = g->p;
	int unread = label_new(g->k), done = label_new(g->k);

	if (s->place.status) {
		emit_load(g->k, 1, BPF_REG_1, REG_RECORD, s->place.status);
		emit_jump(g->k, BPF_JNE, BPF_REG_1, 0, unread);
	}
	emit_load(g->k, 8, REG_VALUE, REG_RECORD, s->place.offset);
	for (size_t i = 0; i < p->table.count; i++) {
		if (p->result_slots[i] == s - p->slots)
			gen_measure(g, i);
	}
	if (s->place.status) {
		emit_goto(g->k, done);
		label_bind(g->k, unread);
		unread_add(g, s);
	}
	label_bind(g->k, done);
}

static bool has_slots(const struct gen *g)
{
	return g->p->table.key_size && input(g)->cpus > 1 && slot_size(g);
}

/* REG_ENTRY = the slot of this processor in the value there */
static void find_slot(struct gen *g)
{
	if (!has_slots(g))
		return;
	g->no_slot = label_new(g->k);
	emit_move(g->k, REG_VALUE, REG_ENTRY);
	emit_call(g->k, HELPER_CPU);
	emit_jump(g->k, BPF_JGE, BPF_REG_0, (int)input(g)->cpus, g->no_slot); /* never taken */
	emit_alu_imm(g->k, BPF_MUL, BPF_REG_0, (int)slot_size(g));
	emit_alu(g->k, BPF_ADD, REG_ENTRY, REG_VALUE);
}

static void aggregate_end(struct gen *g)
{
	const struct expr_program *p = g->p;

	find_entry(g);
	label_bind(g->k, g->found);
	find_slot(g);
	calls_add(g);
	for (size_t i = p->filter_count + p->key_count; i < p->slot_count; i++)
		value_add(g, &p->slots[i]);
	release(g);
}

/* ---- after the exit: adds a new key, unless another CPU has added it ---- */

static void aggregate_rest(struct gen *g)
{
	if (!g->p->table.key_size)
		return;
	label_bind(g->k, g->full);
	set_table(g, BPF_REG_1);
	emit_move(g->k, BPF_REG_2, REG_RECORD);
	emit_map_value(g->k, BPF_REG_3, blank_map(g));
	emit_move_imm(g->k, BPF_REG_4, BPF_NOEXIST);
	emit_call(g->k, HELPER_MAP_UPDATE);
	lookup_key(g);
	emit_jump(g->k, BPF_JNE, REG_ENTRY, 0, g->found);
	if (has_slots(g))
		label_bind(g->k, g->no_slot);
	gen_count_loss(g, LOSS_KEYS_FULL);
	release(g);
	emit_goto(g->k, g->exit);
}

const struct record_ops home_aggregate = { aggregate_room, aggregate_fill, aggregate_end,
					   aggregate_rest };
