/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format.c - checks formats of printf(): each conversion has a value that it can print.
 */
#include <string.h>

#include "script/resolve/resolve.h"

/* A conversion: "%-8llx". */
struct conversion {
	const char *start;
	size_t length;	     /* of the whole conversion */
	const char *letters; /* "x", "rh" … */
	size_t letter_count;
};

static size_t letters_count(const char *at)
{
	if (*at == 'r' && (at[1] == 'h' || at[1] == 'x'))
		return 2;
	if (*at == 'g' && at[1] == 'r')
		return 2;
	return *at && strchr("diouxXcspr", *at) ? 1 : 0;
}

/* Parses the conversion that begins with the % at `at`. letter_count is 0 if it is text: what takes no value here. */
static struct conversion conversion_at(const char *at)
{
	struct conversion c = { .start = at++ };

	at += strspn(at, "-+ #0");
	at += strspn(at, "0123456789");
	if (*at == '.')
		at += 1 + strspn(at + 1, "0123456789");
	at += strspn(at, "hlLjzt");
	c.letters = at;
	c.letter_count = letters_count(at);
	c.length = at + c.letter_count - c.start;
	return c;
}

/* True if the conversion can print the value. Any value can be printed as a string. */
static bool shows(const struct conversion *c, const struct script_type *t)
{
	if (*c->letters == 's')
		return t->kind != SCRIPT_VOID && t->kind != SCRIPT_MODE;
	if (*c->letters == 'r')
		return t->kind == SCRIPT_BUFFER;
	return script_is_scalar(t);
}

static void fail_type(struct resolve *r, const struct conversion *c, const struct script_expr *arg)
{
	script_fail(r->c, arg->span, "%.*s cannot print %s", (int)c->length, c->start,
		    type_text(r, &arg->type));
	if (*c->letters == 'r')
		script_hint(r->c, "use buf(…) for a buffer");
	else if (arg->type.kind == SCRIPT_BUFFER)
		script_hint(r->c, "use %%r for the bytes of a buffer");
	else
		script_hint(r->c, "%%s shows it");
}

static void fail_count(struct resolve *r, const struct script_expr *call, size_t conversions)
{
	size_t values = call->count - 1;
	struct span where = call->span;

	if (values > conversions) {
		where.start = call->items[1 + conversions]->span.start;
		where.end = call->items[call->count - 1]->span.end;
	} else {
		where = call->items[0]->span;
	}
	script_fail(r->c, where, "%s: %zu value%s for %zu conversion%s", func_name(call->func),
		    values, values == 1 ? "" : "s", conversions, conversions == 1 ? "" : "s");
	if (values > conversions)
		script_hint(r->c, "each value needs one in the text: %%d, %%s …");
	else
		script_hint(r->c, "%%%% is a percent sign");
}

static bool check_value(struct resolve *r, const struct script_expr *call, size_t i,
			const struct conversion *c)
{
	const struct script_expr *arg = i < call->count ? call->items[i] : NULL;

	if (!arg || arg->type.kind == SCRIPT_NONE)
		return true;
	if (shows(c, &arg->type))
		return true;
	fail_type(r, c, arg);
	return false;
}

static void fail_conversion(struct resolve *r, const struct script_expr *call,
			    const struct conversion *c)
{
	script_fail(r->c, call->items[0]->span, "'%.*s' is not a conversion",
		    (int)(c->length + (c->start[c->length] != '\0')), c->start);
	script_hint(r->c, "%%d %%u %%x %%c %%s %%p %%r; %%%% is a percent sign");
}

/* True for a conversion of printf(3) that no value has. */
static bool is_foreign(const struct conversion *c)
{
	return !c->letter_count && *c->letters && strchr("eEfFgGaAn", *c->letters);
}

/* A % that begins no conversion is text, as in bpftrace: "100%\n". If values are left over, it was meant as one. */
void format_check(struct resolve *r, const struct script_expr *call)
{
	struct conversion invalid = { 0 };
	size_t values = 1;

	for (const char *at = call->items[0]->bytes; (at = strchr(at, '%'));) {
		struct conversion c = conversion_at(at);

		at += c.letter_count ? c.length : *c.letters == '%' ? c.length + 1 : 1;
		if (c.letter_count) {
			if (!check_value(r, call, values++, &c))
				return;
		} else if (*c.letters != '%' && (!invalid.start || is_foreign(&c))) {
			invalid = c;
		}
	}
	if (invalid.start && (values < call->count || is_foreign(&invalid)))
		fail_conversion(r, call, &invalid);
	else if (values != call->count)
		fail_count(r, call, values - 1);
}
