/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * complete_expr.c - completes the end of an expression: a parameter, a member of what is before -> or a dot, a $word, or
 * a format after a colon.
 */
#include "front/complete.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/expr.h"
#include "probe/providers/tracefs.h"

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Returns where the name begins that ends at `end`. */
static const char *name_start(const char *text, const char *end)
{
	while (end > text && is_name(end[-1]))
		end--;
	return end;
}

/* Returns where the name before a `->` or `.` at the end begins, with any [N] after it; NULL: none is there. */
static const char *hop_before(const char *text, const char *at)
{
	if (at - text > 2 && !strncmp(at - 2, "->", 2))
		at -= 2;
	else if (at - text > 1 && at[-1] == '.')
		at--;
	else
		return NULL;
	while (at > text && at[-1] == ']') {
		while (at > text && at[-1] != '[')
			at--;
		at -= at > text;
	}
	return name_start(text, at) == at ? NULL : name_start(text, at);
}

/* ---- members ---- */

struct offering {
	struct completion *c;
	const struct btf_view *btf;
};

static void member_offer(void *ctx, const char *name, uint32_t type)
{
	const struct offering *o = ctx;
	char ctype[128];

	btf_view_declare(o->btf, type, "", ctype, sizeof(ctype));
	completion_word(o->c, name, ctype);
}

/* Follows what is after a name: [N], -> and dots. Returns the type there. */
static uint32_t type_after(const struct btf_view *b, uint32_t id, const char **at)
{
	for (;;) {
		const struct btf_type *t = btf_view_stripped(b, id);
		bool points = t && btf_kind(t) == BTF_KIND_PTR;

		if (**at == '[' && strchr(*at, ']')) {
			id = points				? t->type :
			     t && btf_kind(t) == BTF_KIND_ARRAY ? btf_array(t)->type :
								  0;
			*at = strchr(*at, ']') + 1;
		} else if (!strncmp(*at, "->", 2) || **at == '.') {
			*at += **at == '.' ? 1 : 2;
			return btf_view_strip(b, points ? t->type : id);
		} else {
			return 0;
		}
	}
}

/* Offers the members at the end of a chain of members, which begins at `at` behind a parameter of type `id`. */
static void chain_write(struct completion *c, const struct btf_view *b, uint32_t id, const char *at)
{
	struct offering o = { c, b };
	struct btf_found found;
	size_t len;

	while ((id = type_after(b, id, &at)) && at < c->begin) {
		for (len = 0; is_name(at[len]); len++)
			;
		if (!btf_view_member(b, id, at, len, &found))
			return;
		id = found.type;
		at += len;
	}
	if (id)
		btf_view_member_each(b, id, member_offer, &o);
}

/* ---- parameters ---- */

/* The expression that is completed. */
struct place {
	const char *name; /* where the parameter's name begins; NULL: it is what is completed */
	unsigned skip;	  /* parameters of the function that are not the PROBE's */
};

static void param_write(struct completion *c, const struct btf_view *b, const struct btf_param *p,
			const struct place *place)
{
	const char *name = btf_view_string(b, p->name_off);
	size_t len = strlen(name);
	char ctype[128];

	if (!place->name) {
		btf_view_declare(b, p->type, "", ctype, sizeof(ctype));
		completion_word(c, name, ctype);
	} else if (len && !strncmp(place->name, name, len) && !is_name(place->name[len])) {
		chain_write(c, b, p->type, place->name + len);
	}
}

static void params_write(struct completion *c, const struct prefixed_name *n, void *ctx)
{
	const struct btf_type *func = btf_view_type(n->btf, n->id), *proto;
	const struct place *place = ctx;

	if (*n->name) /* a longer name */
		return;
	proto = btf_view_type(n->btf, func->type);
	for (unsigned i = place->skip; proto && i < btf_vlen(proto); i++)
		if (btf_params(proto)[i].type)
			param_write(c, n->btf, &btf_params(proto)[i], place);
}

/* Offers the fields of an event, if tracefs is readable. */
static void fields_write(struct completion *c, const char *group, const char *name)
{
	struct tracefs_event event;

	if (c->btf || tracefs_event_read(group, name, &event))
		return;
	for (size_t i = 0; i < event.count; i++)
		completion_word(c, event.params[i].name, event.params[i].type);
	tracefs_event_free(&event);
}

/* t:GROUP:NAME has fields and, as arguments, the parameters of a function of the kernel after its first. */
static void tracepoint_write(struct completion *c, const char *text, struct place *place)
{
	const char *colon = strchr(text, ':'), *name = colon ? colon + 1 : text;
	char word[160];

	snprintf(word, sizeof(word), "%.*s", (int)(name - text - (colon != NULL)), text);
	if (colon && !place->name)
		fields_write(c, word, name);
	snprintf(word, sizeof(word), "__traceiter_%s", name);
	place->skip = 1;
	complete_types_each(c, BTF_KIND_FUNC, word, params_write, place);
}

static void syscall_write(struct completion *c, const char *name)
{
	char event[80];

	snprintf(event, sizeof(event), "sys_enter_%.*s", (int)strcspn(name, "%,|"), name);
	fields_write(c, "syscalls", event);
}

static void probe_params_write(struct completion *c, struct place *place)
{
	size_t len = strcspn(c->first, "%+,|(?: ");
	char name[128];

	if (!strncmp(c->first, "t:", 2)) {
		tracepoint_write(c, c->first + 2, place);
	} else if (!strncmp(c->first, "s:", 2) && !place->name) {
		syscall_write(c, c->first + 2);
	} else if (len < sizeof(name) && c->first[len] != ':') {
		snprintf(name, sizeof(name), "%.*s", (int)len, c->first);
		complete_types_each(c, BTF_KIND_FUNC, name, params_write, place);
	}
}

/* ---- words and formats ---- */

static void words_write(struct completion *c)
{
	const char *name;
	char word[32];

	for (size_t i = 0; (name = expr_word_name(i)); i++) {
		snprintf(word, sizeof(word), "$%s", name);
		completion_word(c, word, NULL);
	}
}

static void formats_write(struct completion *c)
{
	const char *name;

	for (size_t i = 0; (name = expr_format_name(i)); i++)
		completion_word(c, name, NULL);
}

void complete_expr(struct completion *c)
{
	const char *text = c->begin, *end = text + strlen(text), *start = name_start(text, end),
		   *hop;
	struct place place = { .name = hop_before(text, start) };

	if (start > text && start[-1] == '$') {
		completion_begin(c, start - 1);
		words_write(c);
		return;
	}
	completion_begin(c, start);
	if (start > text + 1 && start[-1] == ':' &&
	    (is_name(start[-2]) || strchr(")]", start[-2]))) {
		formats_write(c);
		if (!memchr(text, '?', start - text)) /* else it may be the colon of A ? B : C */
			return;
	}
	while (place.name && (hop = hop_before(text, place.name)))
		place.name = hop;
	probe_params_write(c, &place);
	if (!place.name)
		words_write(c);
}
