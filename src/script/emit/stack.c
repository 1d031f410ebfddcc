/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stack.c - emits kstack and ustack. As in argdump (expr/emit/emit_stack_id.c), stacks are stored by a hash of the
 * frames.
 *
 * The stack is captured in scratch memory, which begins with the hash of each kstack's last one. Stacks that are
 * printed alike share a key: a limit captures fewer frames, and the frames of a trampoline and its program, which the
 * reader drops, are not hashed.
 */
#include <stddef.h>

#include "expr/emit/emit_slot.h"
#include "script/emit/gen.h"

enum { RAW_TRACING = 3 }; /* frames of a raw tracepoint's program, which no function follows */

/* Returns the most frames of the tracing itself that precede the frames shown: the kernel starts the walk in the
 * program. */
static uint32_t tracing_frames(const struct sgen *g, const struct script_type *t)
{
	if (t->kind == SCRIPT_USTACK || g->target->method == EXPR_CTX_KPROBE ||
	    g->target->method == EXPR_CTX_EVENT)
		return 0;
	return g->in->site.on_function ? STACK_TRACING : RAW_TRACING;
}

static void frames_set(const struct sgen *g, const struct script_type *t, struct stack_room *room)
{
	uint32_t most = STACK_DEFAULT - tracing_frames(g, t);
	uint32_t shown = t->depth && t->depth < most ? t->depth : most;

	room->size = 8 * (shown + STACK_DEFAULT - most);
	room->shown = g->in->site.on_function && most < STACK_DEFAULT ? 8 * shown : 0;
}

/* All programs of the run share the stack map. */
static void size_set(struct sgen *g)
{
	g->p->stacks.depth = STACK_DEFAULT;
	g->p->stacks.size = sizeof(struct event_stack) + 8 * STACK_DEFAULT;
}

/* Uses registers that only the stack needs: REG_CTX is free in callbacks. */
static struct place stack_capture(struct sgen *g, const struct script_type *t)
{
	struct place at;
	struct stack_room room = { .reg = REG_WORK, .user = t->kind == SCRIPT_USTACK };

	size_set(g);
	frames_set(g, t, &room);
	if (!room.user) {
		g->needs.stacks++;
		room.by_ip = g->target->method == EXPR_CTX_KPROBE && g->in->site.at_entry;
		room.last = g->stack_count < g->known.stacks ? 1 + 8 * g->stack_count : 0;
		g->stack_count++;
	}
	at = place_alloc_work(g, sizeof(struct stack_id) + g->p->stacks.size);
	room.off = at.off;
	if (g->depth)
		emit_load(g->k, 8, REG_CTX, g->frame, FRAME_CONTEXT);
	if (room.user && g->in->run.filter.numbers.ns)
		g->needs.numbers = true;
	g->x.numbered = room.user && g->in->run.filter.numbers.ns;
	g->x.frame = g->frame;
	gen_stack_store(&g->x, &room);
	return at;
}

/* Only user space can unwind a copy, so it goes into a record and nowhere else. */
static void copy_gen(struct sgen *g, const struct script_expr *e, struct place to)
{
	if (to.where != AT_RECORD || g->depth) {
		script_unsupported(g->c, e->span, "dw_ustack() %s",
				   g->depth ? "in a loop that the kernel runs" :
					      "as a key or a value");
		script_hint(g->c, "printf(\"%%s\", dw_ustack) prints it; ustack can be a key");
		return;
	}
	g->needs.numbers |= g->in->run.filter.numbers.ns != 0;
	g->x.frame = g->frame;
	if (g->in->run.filter.numbers.ns) {
		gen_number(&g->x, BPF_REG_0, false);
	} else {
		emit_call(g->k, HELPER_PID_TGID);
		emit_alu_imm(g->k, BPF_RSH, BPF_REG_0, 32);
	}
	emit_store(g->k, 8, REG_OUT, to.off, BPF_REG_0);
	emit_move(g->k, REG_RECORD, REG_OUT); /* as in func_packet.c */
	g->p->stacks.copy_size = SCRIPT_COPY_STACK;
	gen_user_copy(&g->x, to.off + SCRIPT_COPY_AT);
	g->p->stacks.copy_size = 0;
	emit_move(g->k, REG_OUT, REG_RECORD);
}

void stack_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
	       struct place to, bool is_key)
{
	(void)want;
	(void)is_key;
	if (script_is_copy(&e->type)) {
		copy_gen(g, e, to);
		return;
	}
	place_copy(g, to, stack_capture(g, &e->type), sizeof(struct stack_id));
}

/* len(kstack): counts frames without those of the tracing */
void stack_len_gen(struct sgen *g, struct script_expr *e)
{
	struct mark m = frame_mark(g);
	struct place id;
	int none = label_new(g->k);

	size_set(g);
	id = image_place(g, e);
	emit_map(g->k, BPF_REG_1, gen_stacks_map(&g->x));
	place_address(g, BPF_REG_2, id);
	emit_call(g->k, HELPER_MAP_LOOKUP);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, none);
	emit_load(g->k, 4, BPF_REG_1, BPF_REG_0, offsetof(struct event_stack, skip));
	emit_load(g->k, 4, BPF_REG_0, BPF_REG_0, offsetof(struct event_stack, size));
	emit_alu(g->k, BPF_SUB, BPF_REG_0, BPF_REG_1);
	emit_alu_imm(g->k, BPF_RSH, BPF_REG_0, 3);
	if (e->type.depth) { /* more were captured: some of them may be the tracing's */
		emit_jump(g->k, BPF_JLE, BPF_REG_0, e->type.depth, none);
		emit_move_imm(g->k, BPF_REG_0, e->type.depth);
	}
	label_bind(g->k, none);
	frame_drop(g, m);
}
