/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * silence.c - a program that printed nothing: whether its probes were ever hit, and why not.
 */
#include "front/bt/bt.h"

#include <string.h>

#include "front/front.h"
#include "probe/providers/user_file.h"
#include "script/inside.h"

/* A map that is not empty was filled by a probe: then the program was not silent. */
void bt_maps_silence_check(struct bt *b)
{
	for (size_t i = 0; i < b->script->map_count && !b->a.saw_calls; i++) {
		const struct script_map *map = b->script->maps[i];
		struct bt_map_copy copy;

		if (!bt_map_read(b, map, &copy))
			b->a.saw_calls = map->has_key ? copy.count != 0 : bt_map_has_value(&copy);
		bt_map_copy_free(&copy);
	}
}

static void hiding_note(struct script_expr *e, void *ctx)
{
	bool *hides = ctx;

	*hides |= e->kind == X_AND || e->kind == X_OR || e->kind == X_CHOICE ||
		  (e->kind == X_CALL && (!strcmp(e->name, "delete") || !strcmp(e->name, "clear") ||
					 !strcmp(e->name, "zero")));
}

/* True if the program may leave out some of what its probes see. */
static bool may_hide(const struct script *script)
{
	bool hides = false;

	for (size_t i = 0; i < script->probe_count && !hides; i++) {
		const struct script_probe *p = &script->probes[i];

		hides = p->condition || !p->body;
		for (const struct script_stmt *s = p->body; s; s = s->next)
			hides |= s->kind != S_EXPR && s->kind != S_ASSIGN && s->kind != S_LET;
		script_walk_stmts(p->body, hiding_note, &hides);
	}
	return hides;
}

/* Explains silence, as argdump does. Nothing is known if the program may hide what it saw. */
void bt_silence_explain(struct session *s, struct bt *b)
{
	b->a.saw_calls |= !b->script || may_hide(b->script);
	for (size_t i = 0; i < b->a.probe_count; i++)
		b->a.saw_calls |= b->a.probes[i].is_spared;
	if (s->end.is_whole)
		silence_report(s, &b->a);
	if (s->end.is_whole && !user_other_report() && !b->a.saw_calls)
		user_file_unseen_report();
}
