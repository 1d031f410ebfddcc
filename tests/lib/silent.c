/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * silent.c - follows the instructions from each look-up that found nothing to the exit (silent.h).
 */
#include "silent.h"

#include <errno.h>
#include <stdlib.h>

struct walk {
	const struct bpf_insn *insns;
	size_t count;
	bool *seen;
};

static bool is_call(const struct bpf_insn *i, int helper)
{
	return i->code == (BPF_JMP | BPF_CALL) && i->src_reg == 0 && i->imm == helper;
}

/* Writes somewhere else than to the stack: an entry, a counter, a record that is submitted, a map. */
static bool is_heard(const struct bpf_insn *i)
{
	int class = BPF_CLASS(i->code);

	if (class == BPF_ST || class == BPF_STX)
		return i->dst_reg != BPF_REG_10;
	return is_call(i, BPF_FUNC_ringbuf_submit) || is_call(i, BPF_FUNC_map_update_elem);
}

static bool is_jump(const struct bpf_insn *i)
{
	int class = BPF_CLASS(i->code), op = BPF_OP(i->code);

	return (class == BPF_JMP || class == BPF_JMP32) && op != BPF_CALL && op != BPF_EXIT;
}

/* The counter of losses exists: whether its absence is counted does not matter. */
static bool ends_silent(struct walk *w, size_t at)
{
	for (; at < w->count && !w->seen[at]; at++) {
		const struct bpf_insn *i = &w->insns[at];

		w->seen[at] = true;
		if (is_heard(i))
			return false;
		if (i->code == (BPF_JMP | BPF_EXIT))
			return true;
		if (i->code == (BPF_JMP | BPF_JA))
			at += i->off;
		else if (is_jump(i) && BPF_OP(i->code) == BPF_JEQ && i->dst_reg == 0 && !i->imm &&
			 at && is_call(i - 1, BPF_FUNC_map_lookup_elem))
			continue; /* found: what was not is followed from its own look-up */
		else if (is_jump(i) && ends_silent(w, at + 1 + i->off))
			return true;
	}
	return false;
}

static bool is_decision(enum expr_map_kind kind)
{
	return kind == EXPR_MAP_FOLLOWED || kind == EXPR_MAP_WITHIN || kind == EXPR_MAP_CALLS ||
	       kind == EXPR_MAP_PAIRS || kind == EXPR_MAP_LOSSES;
}

/* Returns the kind of map of the lookup that ends at `call`: r1's, which was loaded last. */
static enum expr_map_kind map_of(const struct expr_program *p, const struct expr_reloc *relocs,
				 size_t reloc_count, size_t call)
{
	const struct expr_map *maps;
	enum expr_map_kind kind = EXPR_MAP_COUNTS; /* the table of a run that switches */
	size_t count;

	maps = expr_maps(p, &count);
	for (size_t i = 0; i < reloc_count && relocs[i].insn < call; i++)
		if (relocs[i].fact == EXPR_FACT_NONE && relocs[i].insn + 8 > call)
			kind = maps[relocs[i].map].kind;
	return kind;
}

/* Returns where the program continues if nothing was found. */
static size_t without(const struct bpf_insn *insns, size_t at)
{
	return BPF_OP(insns[at].code) == BPF_JEQ ? at + 1 + insns[at].off : at + 1;
}

int silent_exit_find(const struct expr_program *p, const struct bpf_insn *insns, size_t count,
		     const struct expr_reloc *relocs, size_t reloc_count, enum expr_map_kind *map)
{
	struct walk w = { insns, count, NULL };
	int found = -1;

	for (size_t i = 1; i < count && found < 0; i++) {
		if (!is_jump(&insns[i]) || insns[i].dst_reg || insns[i].imm ||
		    !is_call(&insns[i - 1], BPF_FUNC_map_lookup_elem))
			continue;
		*map = map_of(p, relocs, reloc_count, i);
		w.seen = calloc(count, sizeof(*w.seen));
		if (!is_decision(*map) && w.seen && ends_silent(&w, without(insns, i)))
			found = i;
		free(w.seen);
	}
	return found;
}

/* ---- programs of scripts ---- */

struct script_walk_state {
	const struct expr_program *p;
	const struct bpf_insn *insns;
	const struct expr_reloc *relocs;
	size_t count, reloc_count;
	bool *seen;
};

static enum expr_map_kind script_map_of(const struct script_walk_state *w, size_t call)
{
	return map_of(w->p, w->relocs, w->reloc_count, call);
}

static bool is_helper(const struct bpf_insn *i)
{
	return i->code == (BPF_JMP | BPF_CALL) && i->src_reg == 0;
}

/* A loss is counted, or a value is added whose failure is followed from there. */
static bool is_answer(const struct script_walk_state *w, size_t at)
{
	const struct bpf_insn *i = &w->insns[at];

	if (is_call(i, BPF_FUNC_map_lookup_elem))
		return script_map_of(w, at + 1) == EXPR_MAP_LOSSES;
	return is_call(i, BPF_FUNC_map_update_elem);
}

/* True if each path from `at` counts a loss before the first other helper and before the exit. */
static bool is_counted(struct script_walk_state *w, size_t at)
{
	for (; at < w->count && !w->seen[at]; at++) {
		const struct bpf_insn *i = &w->insns[at];

		w->seen[at] = true;
		if (is_helper(i))
			return is_answer(w, at);
		if (i->code == (BPF_JMP | BPF_EXIT))
			return false;
		if (i->code == (BPF_JMP | BPF_JA))
			at += i->off;
		else if (is_jump(i) && !is_counted(w, at + 1 + i->off))
			return false;
	}
	return true;
}

/* What a helper returns when it fails. */
enum failure { NEVER, NULL_FAILS, NUMBER_FAILS };

static enum failure failure_of(const struct script_walk_state *w, size_t at)
{
	switch (w->insns[at].imm) {
	case BPF_FUNC_map_lookup_elem: return NULL_FAILS;
	case BPF_FUNC_ringbuf_reserve: return NULL_FAILS;
	case BPF_FUNC_map_update_elem: return NUMBER_FAILS;
	case BPF_FUNC_ringbuf_output: return NUMBER_FAILS;
	case BPF_FUNC_loop: return NUMBER_FAILS;
	default: return NEVER;
	}
}

/* Decides whether a script's own look-up fails: an absent value is 0, except right after it was added. */
static bool is_own_read(const struct script_walk_state *w, size_t at)
{
	enum expr_map_kind kind = script_map_of(w, at + 1);
	size_t before = at;

	if (!is_call(&w->insns[at], BPF_FUNC_map_lookup_elem))
		return false;
	if (kind == EXPR_MAP_PATHS) /* its event is kept, with an empty path */
		return true;
	if (kind != EXPR_MAP_SCRIPT && kind != EXPR_MAP_STACKS)
		return kind == EXPR_MAP_LOSSES || is_decision(kind);
	while (before-- > 0 && !is_helper(&w->insns[before]) && !is_jump(&w->insns[before]))
		;
	return before > at || !is_call(&w->insns[before], BPF_FUNC_map_update_elem);
}

/* Returns where the program continues after the failure of the helper at `at`; -1: it does not ask. */
static long failed(const struct script_walk_state *w, size_t at, enum failure fails)
{
	const struct bpf_insn *i = &w->insns[++at];
	int op = BPF_OP(i->code);
	bool jumps;

	if (is_jump(i) && !i->dst_reg && i->imm == -EEXIST) { /* another CPU has added it */
		i = &w->insns[++at];
		op = BPF_OP(i->code);
	}
	if (!is_jump(i) || i->dst_reg || BPF_SRC(i->code) != BPF_K || i->imm)
		return -1;
	if (op == BPF_JEQ || op == BPF_JNE)
		jumps = (op == BPF_JEQ) == (fails == NULL_FAILS);
	else if (fails == NUMBER_FAILS && (op == BPF_JSGE || op == BPF_JSLT))
		jumps = op == BPF_JSLT;
	else
		return -1;
	return (long)at + 1 + (jumps ? i->off : 0);
}

/* A value that is looked up right after it was added: that look-up fails if the addition did. */
static bool is_looked_up_next(const struct script_walk_state *w, size_t at)
{
	if (!is_call(&w->insns[at], BPF_FUNC_map_update_elem))
		return false;
	while (++at < w->count && !is_helper(&w->insns[at]) && !is_jump(&w->insns[at]))
		;
	return at < w->count && is_call(&w->insns[at], BPF_FUNC_map_lookup_elem);
}

static bool is_silent(struct script_walk_state *w, size_t at)
{
	enum failure fails = is_helper(&w->insns[at]) ? failure_of(w, at) : NEVER;
	long then;
	bool silent;

	if (fails == NEVER || is_own_read(w, at) || at + 1 >= w->count || is_looked_up_next(w, at))
		return false;
	then = failed(w, at, fails);
	w->seen = calloc(w->count, sizeof(*w->seen));
	silent = then < 0 || !w->seen || !is_counted(w, then);
	free(w->seen);
	return silent;
}

static const char *helper_name(int helper)
{
	return helper == BPF_FUNC_map_lookup_elem ? "lookup" :
	       helper == BPF_FUNC_map_update_elem ? "update" :
	       helper == BPF_FUNC_ringbuf_reserve ? "reserve" :
	       helper == BPF_FUNC_ringbuf_output  ? "output" :
						    "loop";
}

int silent_script_find(const struct expr_program *p, const char **what)
{
	struct script_walk_state w = { .p = p };

	w.insns = expr_insns(p, &w.count);
	w.relocs = expr_relocs(p, &w.reloc_count);
	for (size_t i = 0; i < w.count; i++) {
		if (!is_silent(&w, i))
			continue;
		*what = helper_name(w.insns[i].imm);
		return (int)i;
	}
	return -1;
}
