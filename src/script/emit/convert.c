/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * convert.c - copies images to a place whose type is wider or longer, or the text of what it names.
 */
#include <errno.h>
#include <string.h>

#include "script/emit/gen.h"

void text_copy(struct sgen *g, struct place to, uint32_t want, struct place from, uint32_t have,
	       bool is_key)
{
	uint32_t size = want < have ? want : have;

	if (size <= SMALL || !g->target->probe_read) {
		place_copy(g, to, from, size);
		if (have > want)
			place_store_imm(g, 1, place_plus(to, want - 1), 0);
		if (is_key || want <= SMALL)
			place_zero(g, place_plus(to, size), want - size);
		return;
	}
	if (is_key)
		place_zero(g, to, want);
	place_address(g, BPF_REG_3, from);
	place_address(g, BPF_REG_1, to);
	emit_move_imm(g->k, BPF_REG_2, size);
	emit_call(g->k, HELPER_READ_KERNEL_STR);
}

/* ---- names of numbers: strerror(), syscall_name(), signal_name() ---- */

enum { NAMES = 512 };

void named_load(struct sgen *g, enum script_kind kind, struct place from)
{
	int positive = label_new(g->k);

	place_load(g, 4, BPF_REG_0, from);
	emit_alu_imm(g->k, BPF_LSH, BPF_REG_0, 32);
	emit_alu_imm(g->k, BPF_ARSH, BPF_REG_0, 32);
	if (kind == SCRIPT_ERROR) { /* the number may have either sign */
		emit_jump(g->k, BPF_JSGE, BPF_REG_0, 0, positive);
		emit_negate(g->k, BPF_REG_0);
	}
	label_bind(g->k, positive);
}

/* Returns the names of all numbers of the kind, and last that of an unknown one. */
static const char *names_table(struct sgen *g, enum script_kind kind)
{
	char *names = arena_alloc(&g->p->arena, NAMES * SCRIPT_NAME_ROOM); /* of zeros */

	for (int i = 0; names && i < NAMES; i++)
		strncpy(names + (size_t)i * SCRIPT_NAME_ROOM,
			script_number_name(kind, i < NAMES - 1 ? i : INT16_MAX,
					   g->c->world->syscall_name),
			SCRIPT_NAME_ROOM - 1);
	if (!names)
		g->c->err = -ENOMEM;
	return names;
}

void named_text(struct sgen *g, enum script_kind kind, struct place from, struct place to,
		uint32_t want, bool is_key)
{
	struct mark m = frame_mark(g);
	struct place text = place_alloc(g, SCRIPT_NAME_ROOM);
	const char *names = names_table(g, kind);
	int known = label_new(g->k);

	if (!names)
		return;
	named_load(g, kind, from);
	emit_jump(g->k, BPF_JLT, BPF_REG_0, NAMES, known);
	emit_move_imm(g->k, BPF_REG_0, NAMES - 1);
	label_bind(g->k, known);
	emit_alu_imm(g->k, BPF_MUL, BPF_REG_0, SCRIPT_NAME_ROOM);
	emit_map_value(g->k, BPF_REG_3, map_add_table(&g->xc, names, NAMES * SCRIPT_NAME_ROOM));
	emit_alu(g->k, BPF_ADD, BPF_REG_3, BPF_REG_0);
	place_fill(g, text, BPF_REG_3, 0, SCRIPT_NAME_ROOM);
	text_copy(g, to, want, text, SCRIPT_NAME_ROOM, is_key);
	frame_drop(g, m);
}

/* ---- all ---- */

static void tuple_convert(struct sgen *g, const struct script_type *want, struct place to,
			  const struct script_type *have, struct place from, bool is_key)
{
	place_zero(g, to, want->size);
	for (uint32_t i = 0; i < want->count; i++) {
		const struct script_part *p = script_part_of(have, i, want->parts[i].name);

		if (p)
			image_convert(g, &want->parts[i].type,
				      place_plus(to, want->parts[i].offset), &p->type,
				      place_plus(from, p->offset), is_key);
	}
}

void image_convert(struct sgen *g, const struct script_type *want, struct place to,
		   const struct script_type *have, struct place from, bool is_key)
{
	uint32_t size = want->size < have->size ? want->size : have->size;

	if (want->kind == SCRIPT_STRING && have->kind == SCRIPT_STRING) {
		text_copy(g, to, want->size, from, have->size, is_key);
	} else if (want->kind == SCRIPT_STRING && script_is_named(have->kind)) {
		named_text(g, have->kind, from, to, want->size, is_key);
	} else if ((want->kind == SCRIPT_KSYM || want->kind == SCRIPT_STRING) &&
		   have->kind == SCRIPT_POINT) {
		script_unsupported(g->c, g->span, "probe or func of a variable or map beside %s",
				   want->kind == SCRIPT_KSYM ? "ksym()" : "strings");
	} else if (script_is_scalar(want)) {
		scalar_load(g, BPF_REG_0, place_reg(g, from), from.off, have);
		place_store(g, want->size ?: 8, to, BPF_REG_0);
	} else if (want->kind == SCRIPT_TUPLE && (is_key || !script_type_equal(want, have))) {
		tuple_convert(g, want, to, have, from, is_key);
	} else {
		place_copy(g, to, from, size);
		place_zero(g, place_plus(to, size), want->size - size);
	}
}
