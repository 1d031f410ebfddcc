/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * name_choice.c - resolves A|B and A? in PROBE texts.
 *
 * Of A|B, chooses the first that exists and can be traced: a function that is notrace, or exists only as a changed
 * copy, counts as missing. ftrace's list, which is slow to read, is read once for all functions of all requests.
 */
#include "probe/name_choice.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/argdump.h"
#include "util/buf.h"
#include "util/glob.h"
#include "util/log.h"

struct choice {
	struct session *s;
	struct argdump *a;
	struct probe_spec asked; /* items owned: the functions to choose from */
	struct function_list functions;
	bool tells_why; /* false: nobody reads it, and it costs the symbols' list */
	/* why the last function, which exists, cannot be traced; empty: it can */
	char why[FUNCTION_WHY];
	/* the first such item of A|B, and why; NULL: there is none */
	const struct probe_spec_item *blamed;
	char blamed_why[FUNCTION_WHY];
};

/* ---- functions ---- */

static bool function_matches(const struct probe_spec_item *item, const struct function *f)
{
	if (item->scope && !wildcard_matches(item->scope, f->module ?: "vmlinux"))
		return false;
	return item->is_pattern ? wildcard_matches(item->name, f->name) :
				  !strcmp(item->name, f->name);
}

static bool functions_have(struct choice *c, struct function_list *list,
			   const struct probe_spec_item *item)
{
	struct functions *l = &list->found;
	const struct function *near = NULL;

	for (size_t i = 0; i < l->count; i++) {
		if (!item->type && !function_matches(item, &l->list[i]))
			continue;
		if (l->list[i].ftrace || l->ftrace_err)
			return true;
		near = near ?: &l->list[i];
	}
	if (near && c->tells_why && !functions_read(l, FUNCTIONS_SYMBOLS | FUNCTIONS_FTRACE))
		function_why_not(l, near, c->why);
	return false;
}

static int functions_find_of(struct choice *c, const struct probe_spec *spec,
			     struct function_list *list)
{
	struct probe_spec_error error;
	struct argdump *a = c->a;

	if (!a->modules && !c->s->options.attach.btf)
		/* if that fails, modules are not searched */
		btf_modules_open(c->s->btf, NULL, &a->modules);
	return function_list_find(list, spec, c->s->btf, a->modules,
				  function_list_want(&c->s->options), &error);
}

/* Searches one function: by its parameter type, if it has one, not only by its name. */
static bool alone_have(struct choice *c, struct probe_spec_item *item)
{
	struct probe_spec one = { .items = item, .count = 1 };
	struct function_list list;
	bool has = !functions_find_of(c, &one, &list) && functions_have(c, &list, item);

	function_list_free(&list);
	return has;
}

/* A bare name after another kind is rarely a function: it is searched alone, only once nothing of that kind has the name. */
static bool function_has(struct choice *c, const struct probe_spec_item *item)
{
	struct probe_spec_item function = *item;

	function.kind = PROBE_SPEC_FUNCTION;
	if (item->or_function)
		function.scope = NULL;
	return item->type || item->or_function ? alone_have(c, &function) :
						 functions_have(c, &c->functions, &function);
}

/* Collects the functions of all requests, and looks them up. Returns 0 or -errno. */
static int functions_ask(struct choice *c)
{
	struct probe_spec *asked = &c->asked;
	size_t most = 1;

	for (size_t i = 0; i < c->a->request_count; i++)
		most += c->a->requests[i].spec.count;
	asked->items = calloc(most, sizeof(*asked->items));
	if (!asked->items)
		return -ENOMEM;
	for (size_t i = 0; i < c->a->request_count; i++) {
		const struct probe_spec *spec = &c->a->requests[i].spec;

		for (size_t j = 0; j < spec->count && probe_spec_has_choice(spec); j++) {
			struct probe_spec_item *item = &asked->items[asked->count];

			*item = spec->items[j];
			asked->count += !item->type && item->kind == PROBE_SPEC_FUNCTION;
		}
	}
	return asked->count ? functions_find_of(c, asked, &c->functions) : 0;
}

/* ---- other kinds ---- */

/* Calls the kind's `find`, and drops the probes that it adds. */
static bool other_has(struct choice *c, const struct argdump_request *r,
		      const struct probe_spec_item *item)
{
	struct argdump_request one = { .text = r->text, .spec = r->spec };
	size_t count = c->a->probe_count;
	int err;

	if (!probe_kinds[item->kind]->find) /* samples have none: each kernel has all of them */
		return true;
	one.spec.kind = item->kind;
	err = probe_kinds[item->kind]->find(c->s, c->a, &one, item);
	while (c->a->probe_count > count)
		argdump_probe_drop(c->a);
	return !err;
}

/* True if this kernel has the item. Sets the item's kind. */
static bool item_has(struct choice *c, const struct argdump_request *r,
		     struct probe_spec_item *item)
{
	c->why[0] = '\0';
	if (item->kind == PROBE_SPEC_FUNCTION)
		return function_has(c, item);
	if (other_has(c, r, item))
		return true;
	if (!item->or_function || !function_has(c, item))
		return false;
	item->kind = PROBE_SPEC_FUNCTION;
	item->scope = NULL;
	return true;
}

/* ---- rewriting the request ---- */

static void item_write(struct buf *o, const struct probe_spec_item *item, bool is_first)
{
	if (item->scope && (is_first || item->kind != PROBE_SPEC_USER))
		buf_printf(o, "%s:", item->scope);
	buf_str(o, item->name);
	if (item->has_offset)
		buf_printf(o, "%s0x%llx", *item->name ? "+" : "", (unsigned long long)item->offset);
	if (item->type)
		buf_printf(o, "(%s)", item->type);
}

/* True if both items belong in one list: they have the same kind, and the same file. */
static bool is_same_list(const struct probe_spec_item *before, const struct probe_spec_item *item)
{
	return before->kind == item->kind &&
	       (item->kind != PROBE_SPEC_USER || !strcmp(before->scope, item->scope));
}

/* Returns the text of the list that begins with *chosen, and moves *chosen past it. Returns NULL if out of memory. */
static char *list_text(const struct probe_spec_item **chosen, size_t *count, bool is_return)
{
	const struct probe_spec_item *item = *chosen, *end = item + *count;
	struct buf o;

	buf_init(&o, -1);
	buf_str(&o, probe_spec_prefix(item->kind));
	item_write(&o, item++, true);
	for (; item < end && is_same_list(*chosen, item); item++) {
		buf_char(&o, ',');
		item_write(&o, item, false);
	}
	if (is_return)
		buf_str(&o, "%return");
	buf_char(&o, '\0');
	*count = end - item;
	*chosen = item;
	if (o.error) {
		buf_free(&o);
		return NULL;
	}
	return o.data;
}

/* Inserts another request after number `i`, with the same expressions. Returns 0 or -ENOMEM. */
static int request_repeat(struct argdump *a, size_t i)
{
	struct argdump_request *r = realloc(a->requests,
					    (a->request_count + 1) * sizeof(*a->requests));

	if (!r)
		return -ENOMEM;
	a->requests = r;
	r += i;
	memmove(r + 1, r, (a->request_count++ - i) * sizeof(*r));
	r[1].spec = (struct probe_spec){ 0 };
	r[1].text = r[1].chosen = NULL;
	r[1].old = NULL;
	return 0;
}

/* Rewrites request number `*i` with the chosen items, which point into its old spec. Sets *i to the last request it
 * became. */
static int request_rewrite(struct argdump *a, size_t *i, const struct probe_spec_item *chosen,
			   size_t count)
{
	struct probe_spec old = a->requests[*i].spec;
	int err = 0;

	for (bool more = true; more && !err;) {
		struct argdump_request *r = &a->requests[*i];
		struct probe_spec_error none;

		r->chosen = list_text(&chosen, &count, old.is_return);
		r->text = r->chosen;
		err = r->text ? probe_spec_parse(r->text, &r->spec, &none) : -ENOMEM;
		more = count;
		if (more && !err)
			err = request_repeat(a, (*i)++);
	}
	probe_spec_free(&old);
	return err;
}

/* ---- the choice ---- */

static void left_out_report(struct choice *c, const struct argdump_request *r,
			    const struct probe_spec_item *item)
{
	if (c->why[0] && !c->blamed) {
		c->blamed = item;
		memcpy(c->blamed_why, c->why, sizeof(c->why));
	}
	log_debug(1, "%.*s: %s: left out", (int)(item->end - item->start), r->text + item->start,
		  c->why[0] ? c->why : "it is not there, or cannot be traced");
}

static int none_report(const struct choice *c, const struct argdump_request *r,
		       const struct probe_spec_item *first, const struct probe_spec_item *last)
{
	bool one = first == last;
	int len = last->end - first->start;
	const char *text = r->text + first->start;

	argdump_error_place_set(c->s, c->a, r);
	if (c->blamed)
		log_error("cannot trace %.*s: %s%s%s", len, text, one ? "" : c->blamed->name,
			  one ? "" : ": ", c->blamed_why);
	else
		log_error("cannot trace %.*s: %s has %s", len, text,
			  first->kind == PROBE_SPEC_USER && first->scope ? first->scope :
									   "this kernel",
			  one ? "nothing of that name" : "none of these");
	argdump_request_caret(r, first->start, last->end);
	if (last->is_optional)
		log_hint("nothing is left to trace; to match any character, write [a-z0-9_] "
			 "instead of ?");
	else
		names_missing_hint(r, last->name);
	if (c->a->language)
		c->a->language->absent(c->s, r);
	argdump_error_place_set(c->s, c->a, NULL);
	return c->blamed ? EXIT_CANNOT : EXIT_USAGE;
}

/* Sets *chosen to the first item that this kernel has; false: it has none. */
static bool first_choose(struct choice *c, const struct argdump_request *r,
			 struct probe_spec_item *first, struct probe_spec_item *end,
			 struct probe_spec_item *chosen)
{
	c->blamed = NULL;
	for (struct probe_spec_item *item = first; item < end; item++) {
		if (item_has(c, r, item)) {
			*chosen = *item;
			return true;
		}
		left_out_report(c, r, item);
	}
	return false;
}

/* Chooses among the items [first, end): A|B. Appends one to `chosen`. Returns an exit code. */
static int alternatives_choose(struct choice *c, const struct argdump_request *r,
			       struct probe_spec_item *first, struct probe_spec_item *end,
			       struct probe_spec_item *chosen, size_t *count)
{
	bool is_optional = false, is_one = first + 1 == end;

	for (struct probe_spec_item *item = first; item < end; item++)
		is_optional |= item->is_optional;
	if (is_one && !is_optional) { /* the kind itself reports best what is wrong */
		chosen[(*count)++] = *first;
		return EXIT_FINE;
	}
	c->tells_why = log_level() > 0;
	if (first_choose(c, r, first, end, &chosen[*count])) {
		(*count)++;
		return EXIT_FINE;
	}
	if (is_optional)
		return EXIT_FINE;
	if (!c->tells_why) {
		c->tells_why = true;
		first_choose(c, r, first, end, &chosen[*count]);
	}
	return none_report(c, r, first, end - 1);
}

/* True if each name of the request may be missing, and another request is left. The end of a pair is needed. */
static bool may_be_left_out(const struct choice *c, const struct argdump_request *r)
{
	bool is_needed = r->pair;

	for (size_t i = 0; i < r->spec.count; i++)
		is_needed |= !r->spec.items[i].is_optional;
	for (size_t i = 0; !is_needed && i < c->a->request_count; i++)
		if (&c->a->requests[i] != r && c->a->requests[i].text)
			return true;
	return false;
}

static int request_choose(struct choice *c, size_t *i)
{
	struct argdump_request *r = &c->a->requests[*i];
	struct probe_spec_item *item = r->spec.items, *end = item + r->spec.count, *next;
	struct probe_spec_item *chosen = calloc(r->spec.count, sizeof(*chosen));
	size_t count = 0;
	int code = EXIT_FINE, err = chosen ? 0 : -ENOMEM;

	for (; !err && !code && item < end; item = next) {
		next = item + 1;
		while (next < end && next->is_other)
			next++;
		code = alternatives_choose(c, r, item, next, chosen, &count);
	}
	if (!err && !code && !count && (r->may_be_missing || may_be_left_out(c, r))) {
		if (!r->may_be_missing)
			log_note("not traced: %s, because %s has none of these", r->text,
				 r->spec.items->scope ?: "this kernel");
		r->text = NULL;
		free(chosen);
		return EXIT_FINE;
	}
	if (!err && !code && !count)
		code = none_report(c, r, r->spec.items, end - 1);
	if (!err && !code)
		err = request_rewrite(c->a, i, chosen, count);
	free(chosen);
	if (err)
		log_error("out of memory");
	return err ? EXIT_FAILED : code;
}

int names_choose(struct session *s, struct argdump *a)
{
	struct choice c = { .s = s, .a = a };
	int code = EXIT_FINE;

	if (functions_ask(&c)) {
		log_error("cannot look up the functions");
		code = EXIT_CANNOT;
	}
	for (size_t i = 0; !code && i < a->request_count; i++)
		if (probe_spec_has_choice(&a->requests[i].spec))
			code = request_choose(&c, &i);
	function_list_free(&c.functions);
	free(c.asked.items);
	return code;
}

void names_missing_hint(const struct argdump_request *r, const char *name)
{
	size_t others = 0;

	for (size_t i = 0; i < r->spec.count; i++)
		others += r->spec.items[i].is_other;
	if (r->spec.count - others > 1)
		log_hint("write %s? if it may be missing", name);
}
