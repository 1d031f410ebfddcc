/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * silent.c - follows the instructions from each look-up that found nothing to the exit (silent.h).
 */
#include "silent.h"

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
