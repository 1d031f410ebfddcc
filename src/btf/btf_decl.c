/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_decl.c - writes a BTF type as the C declaration that the kernel's source would have.
 *
 * For messages and dumps only; long declarations are truncated.
 */
#include <stdio.h>
#include <string.h>

#include "btf/btf_priv.h"

enum {
	TEXT_MAX = 512,
	DEPTH_MAX = 32,
	PARAMS_DEPTH_MAX = 3, /* a function that takes functions that take functions */
};

/* The declaration grows outwards from its name: *name, (*name)[4], … */
struct declarator {
	char text[TEXT_MAX];
	int params_depth;
};

static void append_around(struct declarator *d, const char *before, const char *after)
{
	char old[TEXT_MAX];

	memcpy(old, d->text, sizeof(old));
	snprintf(d->text, sizeof(d->text), "%s%.400s%.100s", before, old, after);
}

static int declare(const struct btf_view *b, uint32_t id, const char *name, int params_depth,
		   char *buf, size_t size);

static void append_params(const struct btf_view *b, struct declarator *d, const struct btf_type *t)
{
	const struct btf_param *params = btf_params(t);
	char list[TEXT_MAX] = "(", one[TEXT_MAX];
	size_t len = 1;

	if (!btf_vlen(t))
		len += snprintf(list + len, sizeof(list) - len, "void");
	for (unsigned i = 0; i < btf_vlen(t) && len < sizeof(list) - 8; i++) {
		if (params[i].type)
			declare(b, params[i].type, "", d->params_depth + 1, one, sizeof(one));
		else
			strcpy(one, "...");
		len += snprintf(list + len, sizeof(list) - len, "%s%s", i ? ", " : "", one);
	}
	if (len > sizeof(list) - 8)
		len = sizeof(list) - 8;
	snprintf(list + len, sizeof(list) - len, ")");
	append_around(d, "", list);
}

static uint32_t past_tags(const struct btf_view *b, uint32_t id)
{
	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		const struct btf_type *t = btf_view_type(b, id);

		if (!t || btf_kind(t) != BTF_KIND_TYPE_TAG)
			break;
		id = t->type;
	}
	return id;
}

/* Takes one step outwards. Returns the next type, or `id` itself at the end. */
static uint32_t append_step(const struct btf_view *b, struct declarator *d, uint32_t id)
{
	const struct btf_type *t = btf_view_type(b, id);
	unsigned next_kind;
	char text[32];

	if (!t)
		return id;
	switch (btf_kind(t)) {
	case BTF_KIND_PTR:
		next_kind = btf_view_kind(b, past_tags(b, t->type));
		if (next_kind == BTF_KIND_ARRAY || next_kind == BTF_KIND_FUNC_PROTO)
			append_around(d, "(*", ")");
		else
			append_around(d, "*", "");
		return t->type;
	case BTF_KIND_ARRAY:
		snprintf(text, sizeof(text), "[%u]", btf_array(t)->nelems);
		append_around(d, "", btf_array(t)->nelems ? text : "[]");
		return btf_array(t)->type;
	case BTF_KIND_FUNC_PROTO:
		if (d->params_depth < PARAMS_DEPTH_MAX)
			append_params(b, d, t);
		else
			append_around(d, "", "(...)");
		return t->type;
	case BTF_KIND_TYPE_TAG: /* __user etc.: not written */
	case BTF_KIND_FUNC: return t->type;
	default: return id;
	}
}

static const char *keyword(unsigned kind)
{
	switch (kind) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_FWD: return "struct ";
	case BTF_KIND_UNION: return "union ";
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64: return "enum ";
	default: return "";
	}
}

static const char *qualifier(unsigned kind)
{
	switch (kind) {
	case BTF_KIND_CONST: return "const ";
	case BTF_KIND_VOLATILE: return "volatile ";
	case BTF_KIND_RESTRICT: return "restrict ";
	default: return NULL;
	}
}

enum { PREFIX_SIZE = 64 };

static void prefix_append(char prefix[PREFIX_SIZE], const char *word)
{
	size_t len = strlen(prefix);

	snprintf(prefix + len, PREFIX_SIZE - len, "%s", word);
}

/* Writes everything but the name of the innermost type, whose qualifiers go to `prefix`. */
static uint32_t append_all(const struct btf_view *b, struct declarator *d, uint32_t id,
			   char prefix[PREFIX_SIZE])
{
	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		const struct btf_type *t = btf_view_type(b, id);
		const char *word = t ? qualifier(btf_kind(t)) : NULL;
		uint32_t next;

		if (word) {
			next = past_tags(b, t->type);
			if (btf_view_kind(b, next) == BTF_KIND_PTR)
				append_around(d, word, "");
			else
				prefix_append(prefix, word);
		} else {
			next = append_step(b, d, id);
		}
		if (next == id)
			break;
		id = next;
	}
	return id;
}

/* Appends the text before the declarator: "const struct " and the name of the type. */
struct base {
	const char *name;
	char prefix[PREFIX_SIZE];
};

static void declarator_grow(const struct btf_view *b, uint32_t id, const char *name,
			    struct declarator *d, struct base *base)
{
	const struct btf_type *t;

	*base = (struct base){ .name = "void" };
	snprintf(d->text, sizeof(d->text), "%.400s", name);
	id = append_all(b, d, id, base->prefix);
	t = btf_view_type(b, id);
	if (!t)
		return;
	base->name = btf_view_string(b, t->name_off);
	if (!*base->name || btf_view_is_variants(b, id))
		base->name = "{…}";
	if (btf_kind(t) == BTF_KIND_FWD && BTF_INFO_KFLAG(t->info))
		prefix_append(base->prefix, "union ");
	else
		prefix_append(base->prefix, keyword(btf_kind(t)));
}

static int declare(const struct btf_view *b, uint32_t id, const char *name, int params_depth,
		   char *buf, size_t size)
{
	struct declarator d = { .params_depth = params_depth };
	struct base base;

	declarator_grow(b, id, name, &d, &base);
	return snprintf(buf, size, "%s%s%s%s", base.prefix, base.name, *d.text ? " " : "", d.text);
}

int btf_view_declare(const struct btf_view *b, uint32_t id, const char *name, char *buf,
		     size_t size)
{
	return declare(b, id, name, 0, buf, size);
}

void btf_view_declare_around(const struct btf_view *b, uint32_t id, char *before, char *after,
			     size_t size)
{
	struct declarator d = { 0 };
	char *mark = d.text;
	struct base base;

	declarator_grow(b, id, "\x01", &d, &base); /* a character that no type's text contains */
	mark = strchrnul(d.text, '\x01');
	snprintf(before, size, "%s%s %.*s", base.prefix, base.name, (int)(mark - d.text), d.text);
	snprintf(after, size, "%s", *mark ? mark + 1 : "");
}
