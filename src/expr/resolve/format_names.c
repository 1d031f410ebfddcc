/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format_names.c - names of bits whose numbers differ by kernel, from its BTF.
 */
#include "expr/resolve/format.h"

#include <stdio.h>
#include <string.h>

#include "output/field/flag_names.h"

/* Names that kernel developers use for several bits; they come first, so that they take
 * precedence. */
static const struct {
	const char *name;
	const char *bits[5];
} gfp_sums[] = {
	{ "GFP_KERNEL", { "IO", "FS", "DIRECT_RECLAIM", "KSWAPD_RECLAIM" } },
	{ "GFP_NOFS", { "IO", "DIRECT_RECLAIM", "KSWAPD_RECLAIM" } },
	{ "GFP_NOIO", { "DIRECT_RECLAIM", "KSWAPD_RECLAIM" } },
};
enum { GFP_SUMS = sizeof(gfp_sums) / sizeof(gfp_sums[0]), GFP_BITS_MAX = 32 };

#define GFP_PREFIX "___GFP_"
#define GFP_SUFFIX "_BIT"

/* The enum of bit numbers has no name: it is found by its first value. */
static const struct btf_type *gfp_enum(const struct btf_view *b)
{
	for (uint32_t id = 1; id < btf_view_count(b); id++) {
		const struct btf_type *t = btf_view_type(b, id);

		if (t && btf_kind(t) == BTF_KIND_ENUM && !t->name_off && btf_vlen(t) &&
		    !strcmp(btf_view_string(b, btf_enums(t)->name_off), "___GFP_DMA_BIT"))
			return t;
	}
	return NULL;
}

static void name_add(struct compile *c, struct field_name *to, const char *name, size_t len,
		     uint64_t value)
{
	char text[64];

	snprintf(text, sizeof(text), "__GFP_%.*s", (int)len, name);
	*to = (struct field_name){ value, arena_text(&c->p->arena, text, strlen(text)) };
	if (!to->name)
		c->err = -ENOMEM;
}

/* Takes IO from ___GFP_IO_BIT. Returns the number of names. */
static int names_from_btf(struct compile *c, const struct btf_type *t, struct field_name *to)
{
	int count = 0;

	for (unsigned i = 0; i < btf_vlen(t) && count < GFP_BITS_MAX; i++) {
		const char *name = btf_view_string(c->in->btf, btf_enums(t)[i].name_off);
		size_t len = strlen(name), frame = strlen(GFP_PREFIX GFP_SUFFIX);

		if (len > frame && btf_enums(t)[i].val < GFP_BITS_MAX &&
		    !strncmp(name, GFP_PREFIX, strlen(GFP_PREFIX)))
			name_add(c, &to[count++], name + strlen(GFP_PREFIX), len - frame,
				 1ull << btf_enums(t)[i].val);
	}
	return count;
}

static int names_from_table(struct compile *c, struct field_name *to)
{
	int count = 0;

	for (const struct field_name *n = flags_gfp; n->name && count < GFP_BITS_MAX; n++)
		name_add(c, &to[count++], n->name, strlen(n->name), n->value);
	return count;
}

static uint64_t sum_of(const char *const *bits, const struct field_name *names)
{
	uint64_t sum = 0;

	for (; *bits; bits++) {
		const struct field_name *n = names;

		while (n->name && strcmp(n->name + strlen("__GFP_"), *bits))
			n++;
		sum |= n->value;
	}
	return sum;
}

const struct field_name *gfp_names(struct compile *c)
{
	struct field_name *names = compile_alloc(c, (GFP_SUMS + GFP_BITS_MAX + 1) * sizeof(*names));
	const struct btf_type *t;

	if (!names)
		return NULL;
	t = gfp_enum(c->in->btf);
	if (t)
		names_from_btf(c, t, names + GFP_SUMS);
	else
		names_from_table(c, names + GFP_SUMS);
	for (int i = 0; i < GFP_SUMS && !c->err; i++)
		names[i] = (struct field_name){ sum_of(gfp_sums[i].bits, names + GFP_SUMS),
						gfp_sums[i].name };
	return names;
}
