/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * point_text.c - emits the text of `probe` and `func` in programs with several points, for functions and comparisons.
 */
#include <errno.h>
#include <string.h>

#include "script/emit/gen.h"

enum { TEXTS_MOST = 1 << 20 }; /* bytes of a table of texts */

static size_t point_count(const struct sgen *g)
{
	return g->c->point->names ? g->c->point->names->count : 0;
}

static const char *point_text(const struct sgen *g, const struct script_expr *e, size_t point)
{
	const struct script_name *name = &g->c->point->names->all[point];

	return (e->type.is_func ? name->func : name->probe) ?: "";
}

/* False for a variable or map. */
static bool is_builtin(const struct script_expr *e)
{
	return e->kind == X_WORD || e->kind == X_CALL;
}

/* r0 = the index of the point that `e` is, which may have been kept at another point */
static void index_gen(struct sgen *g, struct script_expr *e)
{
	if (is_builtin(e))
		point_gen(g, BPF_REG_0);
	else
		place_load(g, 4, BPF_REG_0, image_place(g, e));
}

/* Returns the texts of all points, each in `size` bytes. */
static const char *texts_of(struct sgen *g, const struct script_expr *e, size_t count,
			    uint32_t size)
{
	char *texts = (char *)table_find(g, e);

	if (texts)
		return texts;
	if (g->table_count == TABLES_MAX || count * size > TEXTS_MOST) {
		script_unsupported(g->c, e->span, "the text of one of %zu probes", count);
		return NULL;
	}
	texts = arena_alloc(&g->p->arena, count * size); /* of zeros */
	for (size_t i = 0; texts && i < count; i++)
		memcpy(texts + i * size, point_text(g, e, i), strlen(point_text(g, e, i)));
	if (texts)
		g->tables[g->table_count++] = (struct table_of_pattern){ e, texts };
	else
		g->c->err = -ENOMEM;
	return texts;
}

struct place point_text_place(struct sgen *g, struct script_expr *e, uint32_t *size)
{
	size_t count = point_count(g);
	uint32_t longest = 0;
	struct place at;
	const char *texts;
	int none = label_new(g->k);

	for (size_t i = 0; i < count; i++)
		if (strlen(point_text(g, e, i)) > longest)
			longest = strlen(point_text(g, e, i));
	*size = (longest + 8) & ~7u; /* with the NUL, and what is compared by words */
	at = place_alloc(g, *size);
	place_zero(g, at, *size);
	texts = count ? texts_of(g, e, count, *size) : NULL;
	if (!texts)
		return at;
	index_gen(g, e);
	emit_jump(g->k, BPF_JGE, BPF_REG_0, (int32_t)count, none);
	emit_alu_imm(g->k, BPF_MUL, BPF_REG_0, (int32_t)*size);
	emit_map_value(g->k, BPF_REG_3, map_add_table(&g->xc, texts, count * *size));
	emit_alu(g->k, BPF_ADD, BPF_REG_3, BPF_REG_0);
	place_fill(g, at, BPF_REG_3, 0, *size);
	label_bind(g->k, none);
	return at;
}

void point_text_image(struct sgen *g, struct script_expr *e, const struct script_type *want,
		      struct place to, bool is_key)
{
	uint32_t size;
	struct place text = point_text_place(g, e, &size);

	text_copy(g, to, want->size, text, size, is_key);
}

void point_compare(struct sgen *g, struct script_expr *a, struct script_expr *b, int other)
{
	bool is_here = is_builtin(a);
	size_t first = is_here ? g->in->point.first : 0;
	size_t end = is_here ? first + (g->in->point.count ?: 1) : point_count(g);
	int equal = label_new(g->k);

	index_gen(g, a);
	for (size_t i = first; i < end && i < point_count(g); i++)
		if (!strcmp(point_text(g, a, i), b->bytes))
			emit_jump(g->k, BPF_JEQ, BPF_REG_0, (int32_t)i, equal);
	emit_goto(g->k, other);
	label_bind(g->k, equal);
}
