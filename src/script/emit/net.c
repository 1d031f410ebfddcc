/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * net.c - emits functions for networks: ntop, macaddr, socket_cookie; and join, which copies words one by one.
 */
#include <stddef.h>
#include <arpa/inet.h> /* AF_INET */

#include "script/emit/gen.h"

/* ---- addresses ---- */

/* Copies bytes of an array, or of memory at an address. */
static void bytes_gen(struct sgen *g, struct script_expr *e, uint32_t size, struct place to)
{
	struct source at;

	if (e->is_constant && e->bytes) {
		text_literal(g, e, size, to, true);
		return;
	}
	if (script_is_scalar(&e->type)) {
		number_gen(g, e);
		emit_move(g->k, BPF_REG_3, BPF_REG_0);
		read_gen(g, to, size, e->type.is_user);
		return;
	}
	source_gen(g, e, &at);
	if (at.kind == FROM_PLACE) {
		place_copy(g, to, place_plus(at.place, at.off), size);
		return;
	}
	address_gen(g, &at);
	emit_move(g->k, BPF_REG_3, BPF_REG_0);
	read_gen(g, to, size, at.is_user);
}

static void family_gen(struct sgen *g, struct script_expr *e, uint32_t size, struct place to)
{
	if (e->count == 2) {
		number_gen(g, e->items[0]);
		place_store(g, 4, to, BPF_REG_0);
	} else {
		place_store_imm(g, 4, to, size == 16 ? AF_INET6 : AF_INET);
	}
}

void ntop_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
	      struct place to, bool is_key)
{
	struct script_expr *address = e->items[e->count - 1];
	struct place bytes = place_plus(to, offsetof(struct script_inet, address));
	uint32_t size = script_is_scalar(&address->type) ? 4 : script_c_bytes(&address->type);

	(void)is_key;
	place_zero(g, to, want->size);
	family_gen(g, e, size, to);
	if (address->type.kind == SCRIPT_INT) {
		number_gen(g, address);
		place_store(g, 4, bytes, BPF_REG_0);
	} else {
		bytes_gen(g, address, size, bytes);
	}
}

void macaddr_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
		 struct place to, bool is_key)
{
	(void)is_key;
	bytes_gen(g, e->items[0], want->size, to);
}

/* The helper requires a pointer that the verifier knows. */
void socket_cookie_gen(struct sgen *g, struct script_expr *e)
{
	int null = label_new(g->k);
	uint32_t pointee;

	if (!pointer_known(g, e->items[0], &pointee) || !pointee) {
		script_refuse(
			g->c, e->span,
			"socket_cookie() needs a socket that is an argument of fentry or fexit");
		return;
	}
	if (!g->target->func_arg) {
		script_fail(g->c, e->span,
			    "this kernel does not let programs call socket_cookie()");
		return;
	}
	value_gen(g, e->items[0]);
	null_check(g, null);
	emit_move(g->k, BPF_REG_1, BPF_REG_0);
	emit_call(g->k, HELPER_SOCKET_COOKIE);
	label_bind(g->k, null);
}

/* ---- join() ---- */

enum { AT_WORDS = offsetof(struct script_join, words) };

/* r3 = the next word; jumps to `end` if there is none */
static void word_next(struct sgen *g, struct place array, bool is_user, int end)
{
	struct mark m = frame_mark(g);
	struct place word = place_alloc_small(g, 8);

	place_load(g, 8, BPF_REG_3, array);
	read_gen(g, word, 8, is_user);
	place_load(g, 8, BPF_REG_3, word);
	emit_jump(g->k, BPF_JEQ, BPF_REG_3, 0, end);
	place_load(g, 8, BPF_REG_1, array);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_1, 8);
	place_store(g, 8, array, BPF_REG_1);
	frame_drop(g, m);
}

/* r0 = the address of the pointers; returns their largest number. */
static int words_gen(struct sgen *g, struct script_expr *e)
{
	struct source at;

	if (e->type.kind != SCRIPT_ARRAY) {
		number_gen(g, e);
		return SCRIPT_JOIN_MAX;
	}
	source_gen(g, e, &at);
	address_gen(g, &at);
	return e->type.count < SCRIPT_JOIN_MAX ? e->type.count : SCRIPT_JOIN_MAX;
}

void join_gen(struct sgen *g, const struct script_action *a)
{
	struct script_expr *e = (struct script_expr *)a->args[0].expr;
	struct place to = { AT_RECORD, a->args[0].offset }, array;
	struct mark m = frame_mark(g);
	int end = label_new(g->k), most;

	place_zero(g, to, AT_WORDS);
	most = words_gen(g, e);
	array = spill(g, BPF_REG_0);
	for (int i = 0; i < most; i++) {
		word_next(g, array, e->type.is_user, end);
		text_read(g, place_plus(to, AT_WORDS + i * SCRIPT_JOIN_ROOM), SCRIPT_JOIN_ROOM,
			  e->type.is_user, false);
		place_store_imm(g, 4, to, i + 1);
	}
	label_bind(g->k, end);
	frame_drop(g, m);
}
