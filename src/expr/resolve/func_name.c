/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * func_name.c - $func compared with a text: $func == "vfs_read", $func ~ "vfs_*".
 *
 * In the kernel $func is a number. The compiler knows which names match, so the comparison
 * becomes one of numbers: a constant if the program has one function, else a few ranges. While
 * functions are still being assigned to programs they have no numbers: nothing matches, and the
 * program is compiled again.
 */
#include "expr/resolve/resolve.h"

#include <stdio.h>
#include <string.h>

#include "expr/ctype.h"
#include "util/glob.h"

enum { RANGES_MAX = 64, NAME_SIZE = 4096 + 256 /* a path and a function */ };

struct names {
	struct compile *c;
	const struct node *text;
	bool is_pattern;
};

static bool text_matches(const struct names *m, const char *name, size_t len)
{
	const char *text = m->text->bytes;
	char copy[NAME_SIZE];

	if (!m->is_pattern)
		return len == (size_t)m->text->number && !memcmp(name, text, len);
	snprintf(copy, sizeof(copy), "%.*s", (int)len, name);
	return glob_matches(text, copy);
}

/* Compares the name as shown, without %return; then the part after the last colon: of
 * /lib/libc.so.6:malloc and sched:sched_switch. */
static bool name_matches(const struct names *m, const char *name)
{
	const char *colon = strrchr(name, ':'), *percent = strrchr(name, '%');
	size_t len = percent && !strcmp(percent, "%return") ? (size_t)(percent - name) :
							      strlen(name);

	if (text_matches(m, name, len))
		return true;
	return colon && colon < name + len && text_matches(m, colon + 1, name + len - (colon + 1));
}

/* A node in place of $func: a number or a truth value. */
static struct node *node_add(struct compile *c, const struct node *func, enum node_kind kind,
			     struct node *child, struct node *other)
{
	return compile_node(c, func, kind, ctype_int(4, kind != NODE_NUMBER), child, other);
}

/* $func OPER NUMBER */
static struct node *compare(struct compile *c, const struct node *func, enum oper oper,
			    unsigned number)
{
	struct node *right = node_add(c, func, NODE_NUMBER, NULL, NULL), *n;
	struct node *left = node_add(c, func, NODE_BUILTIN, NULL, NULL);

	if (c->err)
		return NULL;
	*left = *func;
	right->number = number;
	right->number_unsigned = true;
	n = node_add(c, func, NODE_BINARY, left, right);
	if (n)
		n->oper = oper;
	return n;
}

static struct node *range_node(struct compile *c, const struct node *func, unsigned from,
			       unsigned last)
{
	if (from == last)
		return compare(c, func, OPER_EQ, from);
	return node_add(c, func, NODE_AND, compare(c, func, OPER_GE, from),
			compare(c, func, OPER_LE, last));
}

/* The program's functions that match, as ranges of numbers; NULL: none. */
static struct node *range_nodes(const struct names *m, const struct node *func)
{
	const struct expr_input *in = m->c->in;
	unsigned end = in->point.first + in->point.count, ranges = 0;
	struct node *all = NULL;

	for (unsigned i = in->point.first; i < end && !m->c->err; i++) {
		unsigned from = i;
		struct node *one;

		while (i < end && name_matches(m, in->run.points[i].name))
			i++;
		if (i == from)
			continue;
		if (++ranges > RANGES_MAX)
			compile_fail(m->c, m->text->span, "too many functions match this");
		one = range_node(m->c, func, from, i - 1);
		all = all ? node_add(m->c, func, NODE_OR, all, one) : one;
	}
	return all;
}

/* Fails if no function of any probe has such a name: it is misspelt. */
static void check_known(const struct names *m)
{
	const struct expr_run *run = &m->c->in->run;
	unsigned i = 0;

	if (run->points_any)
		return;
	while (i < run->point_count && !name_matches(m, run->points[i].name))
		i++;
	if (run->point_count && i == run->point_count)
		compile_fail(m->c, m->text->span, "no traced function has this name");
}

static bool is_func(const struct node *n)
{
	return n->kind == NODE_BUILTIN && n->builtin && n->builtin->id == BUILTIN_FUNC;
}

static void number_become(struct node *n, int64_t number)
{
	n->kind = NODE_NUMBER;
	n->number = number;
	n->child = n->other = NULL;
}

bool resolve_func_name(struct compile *c, struct node *n)
{
	struct names m = { .c = c, .text = n->other, .is_pattern = n->oper == OPER_MATCH };
	bool all, not = n->oper == OPER_NE;
	struct node *ranges;

	if (!is_func(n->child) || n->other->kind != NODE_STRING)
		return false;
	if (m.is_pattern && !glob_is_valid(m.text->bytes, m.text->number)) {
		compile_fail(c, m.text->span, "this is not a pattern");
		return true;
	}
	check_known(&m);
	all = c->in->point.count == 1; /* the only function matches or not */
	ranges = c->err || !c->in->run.point_count ? NULL : range_nodes(&m, n->child);
	if (!ranges || all) {
		number_become(n, (ranges != NULL) != not );
	} else if (not ) {
		n->kind = NODE_UNARY;
		n->oper = OPER_NOT;
		n->child = ranges;
		n->other = NULL;
	} else {
		*n = *ranges;
	}
	return true;
}
