/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * needs.c - what a program needs of its session: names of addresses, and rights that its actions use.
 */
#include "front/bt/bt.h"

#include <string.h>

#include "script/inside.h"
#include "symbols/user/usyms.h"

static void name_announce(struct script_expr *e, void *ctx)
{
	static const char *const kernel[] = { "kstack", "ksym", "kaddr", "percpu_kaddr" },
				 *const user[] = { "ustack", "dw_ustack", "usym" };
	struct session *s = ctx;

	if (e->kind != X_WORD && e->kind != X_CALL)
		return;
	for (size_t i = 0; i < sizeof(kernel) / sizeof(kernel[0]); i++)
		s->names.kernel |= !strcmp(e->name, kernel[i]);
	for (size_t i = 0; i < sizeof(user) / sizeof(user[0]); i++)
		s->names.user |= !strcmp(e->name, user[i]);
	if (!strcmp(e->name, "dw_ustack"))
		usyms_want_cfi();
}

static void symbol_find(struct script_expr *e, void *ctx)
{
	static const char *const kernel[] = { "kstack", "ksym" };

	for (size_t i = 0; i < sizeof(kernel) / sizeof(kernel[0]); i++)
		if ((e->kind == X_WORD || e->kind == X_CALL) && !strcmp(e->name, kernel[i]))
			*(bool *)ctx = true;
}

/* @[kstack] = …, @[kstack]++ */
static bool is_kept(const struct script_stmt *s)
{
	return (s->kind == S_ASSIGN && s->target->kind == X_MAP) ||
	       (s->kind != S_ASSIGN && s->a && s->a->kind == X_STEP && s->a->a->kind == X_MAP);
}

static bool shows_symbols(struct script_stmt *first)
{
	bool found = false;

	for (struct script_stmt *s = first; s && !found; s = s->next) {
		if (!is_kept(s)) {
			script_walk(s->a, symbol_find, &found);
			script_walk(s->b, symbol_find, &found);
		}
		found |= shows_symbols(s->body) || shows_symbols(s->otherwise);
	}
	return found;
}

/* If a program only stores stacks in maps, as most do, the kernel's symbols are read when the first one is printed,
 * at the end. Reading them takes longer than filling the ring, so other programs read them at the start. */
static bool names_are_late(const struct script *script)
{
	for (size_t i = 0; i < script->probe_count; i++)
		if (shows_symbols(script->probes[i].body) && script->probes[i].attach_count &&
		    script->probes[i].attaches[0].kind != PROBE_END)
			return false;
	return true;
}

void bt_names_announce(struct session *s, const struct script *script)
{
	s->names.late = names_are_late(script);
	for (size_t i = 0; i < script->probe_count; i++) {
		const struct script_probe *p = &script->probes[i];

		if (p->condition)
			script_walk(p->condition, name_announce, s);
		script_walk_stmts(p->body, name_announce, s);
	}
}

/* Announces the rights that actions need after all is attached. */
void bt_rights_announce(struct session *s, const struct script *script)
{
	for (size_t i = 0; i < script->action_count; i++) {
		s->needs.starts_programs |= script->actions[i]->kind == ACTION_SYSTEM;
		s->needs.reads_files |= script->actions[i]->kind == ACTION_CAT;
	}
}
