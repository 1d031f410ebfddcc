/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_trigger.c - conditions that begin and end the recording, as the program decides them: by a word
 * each, in the only entry of a map that all programs share.
 *
 *	begin	word set → go on; EXPR true → set it, go on; else the program ends
 *	stop	word set → the program ends; EXPR true → set it; go on
 *
 * A word is set once and only read otherwise, so it stays in every processor's cache.
 */
#include "expr/emit/emit_common.h"

#include "expr/maps.h"

static void gen_word(struct gen *g)
{
	emit_map_value(g->k, BPF_REG_1,
		       map_want(g->c, &(struct expr_map){ EXPR_MAP_TRIGGER, BPF_MAP_TYPE_ARRAY, 4,
							  8 * EXPR_TRIGGERS, 1, NULL }));
}

void gen_trigger_look(struct gen *g, const struct slot *s)
{
	gen_word(g);
	emit_load(g->k, 8, BPF_REG_1, BPF_REG_1, 8 * s->trigger);
	emit_jump(g->k, BPF_JNE, BPF_REG_1, 0,
		  s->trigger == EXPR_TRIGGER_BEGIN ? gen_labels(g, s)->done : g->exit);
}

void gen_trigger_set(struct gen *g, const struct slot *s)
{
	gen_word(g);
	emit_store_imm(g->k, 8, BPF_REG_1, 8 * s->trigger, 1);
}

int gen_reject(const struct gen *g, const struct slot *s)
{
	return s->trigger == EXPR_TRIGGER_STOP ? gen_labels(g, s)->done : g->exit;
}
