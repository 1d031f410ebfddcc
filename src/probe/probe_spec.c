/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * probe_spec.c - PROBE text → struct probe_spec.
 *
 *	PROBE := [KIND ':'] ITEM { ',' [' '] ITEM } ['%return']
 *	ITEM  := NAMED { '|' [KIND ':'] NAMED }
 *	NAMED := [PLACE ':'] NAME ['+' OFFSET] ['(' TYPE ')'] ['?']
 *
 * Names of programs may be those of C++, Rust and Go: ns::f(int, char).
 *
 * The text is cut up in place, in a copy of its own. Nothing here knows what the kernel has.
 */
#include "probe/probe_spec.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/name_parts.h"
#include "util/suggest.h"

struct parse {
	struct probe_spec *spec;
	struct probe_spec_error *error;
	char *text;		   /* an owned copy of the text */
	enum probe_spec_kind kind; /* of the item being parsed */
};

static int fail(struct parse *p, const char *start, const char *end, const char *hint,
		const char *fmt, ...) __attribute__((format(printf, 5, 6)));

static int fail(struct parse *p, const char *start, const char *end, const char *hint,
		const char *fmt, ...)
{
	va_list args;

	p->error->start = start - p->text;
	p->error->end = end - p->text;
	va_start(args, fmt);
	vsnprintf(p->error->message, sizeof(p->error->message), fmt, args);
	va_end(args);
	snprintf(p->error->hint, sizeof(p->error->hint), "%s", hint ? hint : "");
	return -EINVAL;
}

static const struct kind {
	const char *prefix;
	/* what the part of a name before its colon is called; NULL: it has none */
	const char *scope;
	/* scope_needed: it is required; scope_stays: it also applies to the names that follow */
	bool scope_needed, scope_stays;
	bool returns, offsets, types, patterns;
	const char *form;
} kinds[PROBE_SPEC_KINDS] = {
	[PROBE_SPEC_FUNCTION] = { "", "module", false, false, true, true, true, true,
				  "FUNCTION, MODULE:FUNCTION, or a pattern such as 'tcp_*'" },
	[PROBE_SPEC_TRACEPOINT] = { "t:", "group", false, true, false, false, false, true,
				    "t:GROUP:NAME, e.g. t:sched:sched_switch" },
	[PROBE_SPEC_SYSCALL] = { "s:", NULL, false, false, true, false, false, true,
				 "s:NAME, e.g. s:openat" },
	[PROBE_SPEC_USER] = { "u:", "path", true, true, true, true, false, true,
			      "u:PATH:SYMBOL, e.g. u:/bin/bash:readline" },
	[PROBE_SPEC_PROGRAM] = { "b:", "program", false, true, true, false, false, true,
				 "b:PROGRAM or b:PROGRAM:FUNCTION, e.g. b:xdp_filter, b:17" },
	[PROBE_SPEC_HZ] = { .prefix = "hz:", .form = "hz:N, e.g. hz:99" },
	[PROBE_SPEC_EVERY] = { .prefix = "every:", .form = "every:SEC, e.g. every:1, every:100ms" },
	[PROBE_SPEC_HARDWARE] = { .prefix = "hw:",
				  .form = "hw:EVENT[:PERIOD], e.g. hw:cache-misses:10000" },
	[PROBE_SPEC_SOFTWARE] = { .prefix = "sw:",
				  .form = "sw:EVENT[:PERIOD], e.g. sw:page-faults" },
	[PROBE_SPEC_WATCH] = { .prefix = "watch:",
			       .form = "watch:ADDRESS:LENGTH:MODE, e.g. watch:0x601040:8:w" },
};

static const struct kind *kind_of(const struct parse *p)
{
	return &kinds[p->kind];
}

const char *probe_spec_prefix(enum probe_spec_kind kind)
{
	return kinds[kind].prefix;
}

/* Sets p->kind if the text begins with one. Returns the text after it. */
static char *kind_parse(struct parse *p, char *text)
{
	for (int kind = PROBE_SPEC_FUNCTION + 1; kind < PROBE_SPEC_KINDS; kind++) {
		size_t len = strlen(kinds[kind].prefix);

		/* in a list, s::f is a function of namespace s */
		if (strncmp(text, kinds[kind].prefix, len) || (p->spec->count && text[len] == ':'))
			continue;
		p->kind = kind;
		return text + len;
	}
	return text;
}

static const char *return_hint(const char *typed)
{
	struct suggestion near;

	suggest_init(&near, typed);
	suggest_offer(&near, "%return");
	return suggest_get(&near) || !strncmp(typed, "%ret", 4) || !strcmp(typed, "%exit") ?
		       "did you mean %return?" :
		       "%return comes once, at the end of the list";
}

static int return_parse(struct parse *p, char *text)
{
	char *percent = strrchr(text, '%'), *end;

	if (!percent || strchr(percent, ':')) /* then '%return' is part of a path */
		return 0;
	end = percent + strlen(percent);
	if (strcmp(percent, "%return"))
		return fail(p, percent, end, return_hint(percent),
			    "only return may follow a name and a %%");
	if (!kind_of(p)->returns)
		return fail(p, percent, end, NULL, "a %s has no return",
			    probe_spec_is_sample(p->spec) ? "sample" : "tracepoint");
	p->spec->is_return = true;
	*percent = 0;
	return 0;
}

/* ---- one item ---- */

/* Returns the ':' before the name: the last one, because a path may contain several. */
static char *colon_find(const struct parse *p, char *text)
{
	char *colon = p->kind == PROBE_SPEC_USER ? name_colon(text, strlen(text)) :
						   strrchr(text, ':');

	/* the first name has a place before it: /a::b is a path, but a::b after it another name */
	return p->kind != PROBE_SPEC_USER || colon || p->spec->count > 1 ? colon :
									   strrchr(text, ':');
}

static int scope_parse(struct parse *p, struct probe_spec_item *item, char **text)
{
	const struct kind *kind = kind_of(p);
	char *colon = colon_find(p, *text);
	const struct probe_spec_item *before = item;

	while (!colon && !item->scope && kind->scope_stays && before-- > p->spec->items)
		item->scope = before->kind == p->kind ? before->scope : NULL;
	if (!colon && kind->scope_needed && !item->scope)
		return fail(p, *text, *text + strlen(*text), kind->form, "the %s is missing",
			    kind->scope);
	if (!colon)
		return 0;
	if (!kind->scope)
		return fail(p, *text, colon + 1, kind->form,
			    "the name of a system call cannot contain a colon");
	if (colon == *text)
		return fail(p, colon, colon + 1, kind->form, "no %s before the colon", kind->scope);
	*colon = 0;
	item->scope = *text;
	*text = colon + 1;
	return 0;
}

static int type_parse(struct parse *p, struct probe_spec_item *item, char *text)
{
	/* a function of C++ can be chosen by its parameters, as part of its name */
	char *open = p->kind == PROBE_SPEC_USER ? NULL : strchr(text, '('),
	     *end = text + strlen(text);

	if (!open)
		return 0;
	if (end[-1] != ')')
		return fail(p, open, end, NULL, "missing ) at the end");
	if (!kind_of(p)->types)
		return fail(p, open, end, NULL, "only kernel functions can be chosen by type");
	if (open == text)
		return fail(p, text, end,
			    "'*(struct sk_buff *)' matches all functions with such a parameter",
			    "a type needs a pattern of functions before it");
	end[-1] = 0;
	*open = 0;
	item->type = open + 1 + strspn(open + 1, " ");
	if (!*item->type)
		return fail(p, open, end, NULL, "no type between the parentheses");
	return 0;
}

static bool number_parse(const char *text, uint64_t *number)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*number = strtoull(text, &end, 0);
	return !*end && !errno;
}

static int offset_parse(struct parse *p, struct probe_spec_item *item, char *text)
{
	char *plus = strrchr(text, '+');

	if (plus && p->kind == PROBE_SPEC_USER && name_is_qualified(text) &&
	    !isdigit((unsigned char)plus[1]))
		plus = NULL; /* operator+ */
	if (!plus && p->kind == PROBE_SPEC_USER && isdigit((unsigned char)*text)) {
		item->has_offset = number_parse(text, &item->offset);
		item->name = "";
		return item->has_offset ? 0 :
					  fail(p, text, text + strlen(text), NULL,
					       "this is neither a symbol nor an offset");
	}
	if (!plus)
		return 0;
	if (!kind_of(p)->offsets)
		return fail(p, plus, plus + strlen(plus), NULL, "an offset is not allowed here");
	item->has_offset = number_parse(plus + 1, &item->offset);
	if (!item->has_offset)
		return fail(p, plus, plus + strlen(plus), NULL,
			    "the + needs an offset in bytes: +0x20");
	*plus = 0;
	return 0;
}

/* True for what a name can consist of: letters, digits, _ . and $, and wildcards; of C++, Rust and Go almost anything. */
static bool is_allowed(char c, bool qualified)
{
	return isalnum((unsigned char)c) || strchr("_.$*?", c) ||
	       (qualified && (unsigned char)c >= ' ' && c != 0x7f);
}

/* Checks the name. Patterns have anything between brackets. */
static int name_parse(struct parse *p, struct probe_spec_item *item, char *name)
{
	bool qualified = p->kind == PROBE_SPEC_USER && name_is_qualified(name);
	char *at = name;

	if (!*name)
		return fail(p, name, name + 1, kind_of(p)->form, "a name is missing");
	for (; *at; at++) {
		char *close = *at == '[' && at[1] ? strchr(at + 2, ']') : NULL;

		item->is_pattern |= strchr("*?[", *at) != NULL;
		if (*at == '[' && !close && !qualified)
			return fail(p, at, at + 1, NULL, "the [ is not closed by a ]");
		if (*at == '[' && close)
			at = close;
		else if (!is_allowed(*at, qualified))
			return fail(p, at, at + 1, kind_of(p)->form,
				    "a name cannot contain this character");
	}
	if (item->is_pattern && item->has_offset)
		return fail(p, name, at, NULL, "a pattern cannot have an offset");
	item->name = name;
	return 0;
}

static int item_parse(struct parse *p, struct probe_spec_item *item, char *text)
{
	size_t len = strlen(text);
	int err = 0;

	item->kind = p->kind;
	item->start = text - p->text;
	item->end = item->start + len;
	item->is_optional = len > 1 && text[len - 1] == '?';
	if (item->is_optional)
		text[len - 1] = 0;
	if (probe_spec_is_sample(p->spec)) {
		item->name = text;
		item->is_pattern = strpbrk(text, "*?[") != NULL;
		return *text ? 0 : fail(p, text, text + 1, kind_of(p)->form, "what is missing");
	}
	if (p->spec->is_return && !kind_of(p)->returns)
		err = fail(p, text, text + len, NULL, "a tracepoint has no return");
	if (!err)
		err = type_parse(p, item, text);
	if (!err)
		err = scope_parse(p, item, &text);
	if (!err)
		err = offset_parse(p, item, text);
	if (!err && !item->name)
		err = name_parse(p, item, text);
	if (!err && p->spec->is_return && item->has_offset && p->kind != PROBE_SPEC_USER)
		err = fail(p, text, text + strlen(text), NULL,
			   "%%return cannot be combined with an offset");
	return err;
}

/* ---- the list ---- */

/* Returns the next , or | outside brackets and parentheses; NULL: none. */
static char *separator_find(char *text)
{
	int depth = 0;

	for (; *text; text = name_part_next(text, &depth))
		if ((*text == ',' || *text == '|') && depth <= 0)
			return text;
	return NULL;
}

/* Finds where the names begin: a path may contain commas; those after its last colon separate symbols. */
static char *names_begin(const struct parse *p, char *text)
{
	size_t len = strcspn(text, "|");

	if (p->kind != PROBE_SPEC_USER)
		return text;
	return name_colon(text, len) ?: memrchr(text, ':', len) ?: text;
}

static bool kind_is_before(const struct probe_spec *spec, enum probe_spec_kind kind)
{
	bool is = kind == spec->kind;

	for (size_t i = 0; i < spec->count; i++)
		is |= spec->items[i].kind == kind;
	return is;
}

/* Skips a repeated kind: "t:" before each name means the same as one "t:" before all. Refuses another kind, whose letter
 * would otherwise be a module's name. */
static int kind_again(struct parse *p, char **text)
{
	char *name = kind_parse(p, *text);

	if (name == *text)
		p->kind = p->spec->kind;
	else if (!kind_is_before(p->spec, p->kind))
		return fail(p, *text, name, "--and PROBE adds probes of another kind",
			    "the probes of a list are of one kind");
	*text = name;
	return 0;
}

/* Parses the kind after a |. Without one, the kind of the previous item applies or, where the kernel may have a
 * function instead, both. */
static int kind_other(struct parse *p, struct probe_spec_item *item, char **text)
{
	char *name = kind_parse(p, *text);

	item->is_other = true;
	item->or_function = name == *text && p->kind != PROBE_SPEC_USER &&
			    p->kind != PROBE_SPEC_FUNCTION && name[strcspn(name, ":|,")] != ':';
	*text = name;
	return 0;
}

static int items_parse(struct parse *p, char *text)
{
	char *at = names_begin(p, text), cut;
	struct probe_spec_item *item;
	size_t most = 1;
	int err;

	for (const char *c = at; *c; c++)
		most += *c == ',' || *c == '|';
	p->spec->items = item = calloc(most, sizeof(*item));
	if (!item)
		return -ENOMEM;
	while (1) {
		at = separator_find(at);
		cut = at ? *at : 0;
		if (cut)
			*at = 0;
		p->spec->count++;
		err = item_parse(p, item, text);
		if (err || !cut)
			return err;
		at += 1 + strspn(at + 1, " ");
		item++;
		text = at;
		err = cut == '|' ? kind_other(p, item, &text) : kind_again(p, &text);
		if (err)
			return err;
		at = cut == '|' ? names_begin(p, text) : text;
	}
}

/* Refuses what a line of source cannot have. */
static int lines_check(struct parse *p)
{
	const struct probe_spec *spec = p->spec;

	for (const struct probe_spec_item *item = spec->items; item < spec->items + spec->count;
	     item++) {
		const char *start = p->text + item->start, *end = p->text + item->end;

		if (!probe_spec_is_line(item))
			continue;
		if (spec->count > 1)
			return fail(p, start, end, "--and PROBE traces another one as well",
				    "a line cannot be part of a list");
		if (item->has_offset || item->is_optional || item->type)
			return fail(p, item->name + strlen(item->name), end, NULL,
				    "nothing can follow the number of a line");
	}
	return 0;
}

int probe_spec_parse(const char *text, struct probe_spec *spec, struct probe_spec_error *error)
{
	struct parse p = { .spec = spec, .error = error, .text = strdup(text) };
	char *rest;
	int err;

	*error = (struct probe_spec_error){ 0 };
	*spec = (struct probe_spec){ .text = p.text };
	if (!p.text)
		return -ENOMEM;
	rest = kind_parse(&p, p.text);
	spec->kind = p.kind;
	err = *p.text ? return_parse(&p, rest) :
			fail(&p, rest, rest, "a function: vfs_read; --help lists all kinds",
			     "the PROBE is empty");
	if (!err)
		err = items_parse(&p, rest) ?: lines_check(&p);
	if (err)
		probe_spec_free(spec);
	return err;
}

void probe_spec_free(struct probe_spec *spec)
{
	free(spec->items);
	free(spec->text);
	*spec = (struct probe_spec){ 0 };
}
