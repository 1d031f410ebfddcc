/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * callback.c - emits functions that the kernel calls (loop.c), after the program; and the exit from a program or
 * callback.
 */
#include "script/emit/gen.h"

void leave_gen(struct sgen *g)
{
	if (!g->depth) {
		emit_goto(g->k, g->x.found);
		return;
	}
	emit_store_imm(g->k, 8, g->frame, FRAME_LEAVE, 1);
	emit_move_imm(g->k, BPF_REG_0, 1);
	emit_exit(g->k);
}

void loss_gen(struct sgen *g, enum loss loss)
{
	gen_count_loss(&g->x, loss);
}

int callback_add(struct sgen *g, void (*body)(struct sgen *g, void *arg), void *arg)
{
	struct callback *b = &g->callbacks[g->callback_count];

	if (g->callback_count == CALLBACKS_MAX) {
		script_unsupported(g->c, g->span, "more than %d loops by the kernel in one program",
				   CALLBACKS_MAX);
		return 0;
	}
	g->callback_count++;
	g->needs.callbacks = true;
	*b = (struct callback){ label_new(g->k), body, arg, g->depth + 1, g->used, g->work_used };
	return b->label;
}

void callback_address(struct sgen *g, int dst, int label)
{
	emit_function(g->k, dst, label);
}

/* A callback may add further callbacks. */
void callbacks_gen(struct sgen *g)
{
	for (unsigned i = 0; i < g->callback_count && !g->c->err; i++) {
		struct callback b = g->callbacks[i];

		g->depth = b.depth;
		g->used = b.used;
		g->work_used = b.work_used;
		g->frame = REG_FRAME;
		g->loop = NULL;
		g->counts_rounds = false;
		g->has_record = false;
		label_bind(g->k, b.label);
		b.body(g, b.arg);
	}
}
