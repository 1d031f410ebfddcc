/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bt_pair.c - a clause that keeps something under a key, and one that reads it: the entry and the
 * return of a call (-r), or a pair of two probes (--until).
 */
#include <string.h>

#include "front/notation/bt.h"

/* ---- what a clause reads ---- */

struct reading {
	struct bt *b;
	struct bt_clause *c;
	const struct notation_node *first; /* that belongs to c->begin */
};

static void store_read(void *ctx, const struct notation_node *node)
{
	struct reading *r = ctx;
	struct bt *b = r->b;

	if (node->kind != NOTATION_STORE)
		return;
	for (size_t i = 0; i < b->clause_count; i++) {
		struct bt_clause *k = &b->clauses[i];

		if (!bt_keep_find(k, node->text) || k->probes[0].kind == BT_BEGIN)
			continue;
		if (k == r->c)
			notation_fail_node(
				b->n, node,
				"delete(@x[KEY]) ends a pair; PROBE --until PROBE is the time since the last",
				"a probe cannot read here what it keeps itself");
		else if (r->c->begin && r->c->begin != k)
			notation_fail_node(b->n, node, "a pair has one begin: two runs",
					   "this is kept by a third probe");
		r->c->begin = k;
		r->first = r->first ?: node;
	}
}

static void clause_read(struct reading *r)
{
	struct bt_clause *c = r->c;

	if (c->filter)
		notation_walk(c->filter, store_read, r);
	for (struct bt_action *a = c->actions; a; a = a->next) {
		if (a->condition)
			notation_walk(a->condition, store_read, r);
		for (const struct notation_node *key =
			     a->target && a->what != BT_VALUES ? a->target->kid : NULL;
		     key; key = key->next)
			notation_walk(key, store_read, r);
		for (struct notation_node *value = a->what == BT_REPORT ? NULL : a->value; value;
		     value = value->next)
			notation_walk(value, store_read, r);
	}
}

/* ---- the two sides ---- */

static enum bt_kind return_of(enum bt_kind kind)
{
	return kind == BT_KPROBE || kind == BT_FENTRY ? BT_KRETPROBE :
	       kind == BT_ENTER			      ? BT_EXIT :
	       kind == BT_UPROBE		      ? BT_URETPROBE :
							BT_BEGIN;
}

static bool is_return_of(const struct bt_probe *end, const struct bt_probe *begin)
{
	enum bt_kind kind = end->kind == BT_FEXIT ? BT_KRETPROBE : end->kind;

	return kind == return_of(begin->kind) && !strcmp(end->name, begin->name) &&
	       (!end->place || !strcmp(end->place, begin->place));
}

static bool is_by_thread(const struct notation_node *read)
{
	bool by_thread = false;

	for (const struct notation_node *key = read->kid; key; key = key->next)
		by_thread |= notation_is_word(key, "tid") ||
			     (notation_bare(key)->kind == NOTATION_CALL &&
			      !strcmp(notation_bare(key)->text, "tid"));
	return by_thread;
}

static bool is_return(const struct bt_clause *end, const struct bt_clause *begin)
{
	const struct bt_action *keep = bt_keep_find(begin, end->read->text);

	if (!end->is_thread || end->probe_count != begin->probe_count ||
	    !notation_same_list(end->read->kid, keep->target->kid))
		return false;
	for (size_t i = 0; i < end->probe_count; i++)
		if (!is_return_of(&end->probes[i], &begin->probes[i]))
			return false;
	return true;
}

/* A count is made at the return, where -r has the entry's time and nothing else of it. */
static bool counts_kept(const struct bt_clause *c)
{
	if (!bt_has(c, BT_MEASURE))
		return false;
	for (const struct bt_action *a = c->begin->actions; a; a = a->next)
		if (a->what == BT_KEEP && !notation_is_word(a->value, "nsecs"))
			return true;
	return false;
}

void bt_pair(struct bt *b)
{
	for (size_t i = 0; i < b->clause_count && !b->n->failed; i++) {
		struct bt_clause *c = &b->clauses[i];
		struct reading r = { .b = b, .c = c };

		clause_read(&r);
		if (!c->begin || b->n->failed)
			continue;
		c->begin->is_begin = true;
		c->read = r.first;
		c->is_thread = is_by_thread(r.first);
		c->is_return = is_return(c, c->begin);
		c->is_call = c->is_return && !counts_kept(c);
	}
	for (size_t i = 0; i < b->clause_count && !b->n->failed; i++)
		if (b->clauses[i].begin)
			bt_pair_check(b, &b->clauses[i]);
}

/* ---- --until and --on ---- */

void bt_pair_words(struct bt *b, const struct bt_clause *c)
{
	const struct bt_action *keep = bt_keep_find(c->begin, c->read->text);
	const struct notation_node *key, *other;
	struct notation_view begin, end;
	const char *texts[BT_PROBES_MAX];

	if (bt_probe_texts(b, c, false, texts) != 1)
		notation_fail(b->n, c->start, c->end, NULL, "a pair has one end");
	notation_words(b->n, "--until", texts[0]);
	bt_view(b, c->begin, &begin, NULL);
	bt_view(b, c, &end, NULL);
	end.at_end = NULL;
	key = keep->target->kid;
	other = c->read->kid;
	if (!key && !b->n->failed)
		notation_words(b->n, "--on", "0");
	for (; key && other && !b->n->failed; key = key->next, other = other->next) {
		const char *left = notation_text(&begin, key), *right = notation_text(&end, other);

		if (strcmp(left, right) || left[0] != '$')
			left = notation_print(b->n, "%s == @end(%s)", left, right);
		if (strcmp(left, "$tid") || key->next)
			notation_words(b->n, "--on", left);
	}
}
