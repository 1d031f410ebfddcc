/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * preamble.c - parses what precedes the probes: config = { … } and let @map = hash(100);
 */
#include "script/syntax/parser.h"

/* ---- settings ---- */

/* Parses a value as text: words, numbers and strings. */
static const char *setting_value(struct parser *p)
{
	const struct lexeme *t = &p->in.t;

	switch (t->kind) {
	case LEX_NAME:
	case LEX_STRING: return t->bytes;
	case LEX_NUMBER: return script_print(p->c, "%llu", (unsigned long long)t->number);
	default: syn_expected(p, "the value of the setting"); return NULL;
	}
}

static void setting_parse(struct parser *p)
{
	struct span name_span = p->in.t.span, value_span;
	const char *name = syn_name(p, "the name of a setting"), *value, *why;
	const struct script_setting *setting;
	bool is_name;

	if (!name || !syn_expect(p, "=", "after the name of the setting"))
		return;
	value_span = p->in.t.span;
	value = setting_value(p);
	if (!value)
		return;
	why = script_config_set(&p->c->s->config, name, value);
	setting = script_setting_find(&p->c->s->config, name, &value);
	is_name = (why && !strcmp(why, script_config_unknown)) ||
		  (setting && setting->kind == SCRIPT_SETTING_ENVIRONMENT);
	if (is_name && setting)
		why = "only the environment sets it";
	if (why)
		syn_fail(p, is_name ? name_span : value_span, "%s: %s", name, why);
	syn_advance(p);
}

void syn_config(struct parser *p)
{
	if (p->has_config)
		syn_fail(p, p->in.t.span, "the program already has a config");
	if (p->in.source->outer)
		syn_fail(p, p->in.t.span,
			 "an imported file cannot have a config: write it in the program");
	p->has_config = true;
	syn_advance(p);
	if (!syn_expect(p, "=", "after config") || !syn_expect(p, "{", "before the settings"))
		return;
	while (!syn_is(p, "}") && !syn_ended(p)) {
		setting_parse(p);
		if (!syn_accept(p, ";") && !syn_is(p, "}")) {
			syn_expected(p, "';' after the setting");
			return;
		}
	}
	syn_expect(p, "}", "after the settings");
}

/* ---- maps ---- */

static bool storage_find(const char *name, enum script_storage *storage)
{
	static const struct {
		const char *name;
		enum script_storage storage;
	} all[] = {
		{ "hash", SCRIPT_HASH },	   { "lruhash", SCRIPT_LRU_HASH },
		{ "percpuhash", SCRIPT_PER_CPU },  { "percpulruhash", SCRIPT_LRU_PER_CPU },
		{ "percpuarray", SCRIPT_PER_CPU },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (!strcmp(all[i].name, name)) {
			*storage = all[i].storage;
			return true;
		}
	return false;
}

static void map_size(struct parser *p, struct script_map *m)
{
	if (p->in.t.kind != LEX_NUMBER || !p->in.t.number || p->in.t.number > UINT32_MAX) {
		syn_expected(p, "the largest number of entries");
		return;
	}
	m->entries = p->in.t.number;
	syn_advance(p);
}

/* Parses what follows owned_by: (sk), or (sk, 1000). */
static void owner_parse(struct parser *p, struct script_map *m, uint32_t start)
{
	if (!syn_expect(p, "(", "after owned_by") || !syn_owner(p, m))
		return;
	if (syn_accept(p, ","))
		map_size(p, m);
	if (syn_expect(p, ")", "after the owner"))
		m->owner_span = (struct span){ start, p->in.last.end };
}

/* Parses the kind of the map and its size. */
static void storage_parse(struct parser *p, struct script_map *m)
{
	struct span span = p->in.t.span;
	const char *kind = syn_name(p, "the kind of the map");

	if (!kind)
		return;
	if (!strcmp(kind, "owned_by")) {
		owner_parse(p, m, span.start);
		return;
	}
	if (!storage_find(kind, &m->storage)) {
		syn_fail(p, span, "unknown kind of map '%s'", kind);
		script_hint(p->c,
			    "the kinds are hash, lruhash, percpuhash, percpulruhash, percpuarray "
			    "and owned_by");
		return;
	}
	m->is_array = !strcmp(kind, "percpuarray");
	if (!syn_expect(p, "(", "after the kind of the map"))
		return;
	span = p->in.t.span;
	map_size(p, m);
	if (m->is_array && m->entries > 1)
		syn_fail(p, span, "a percpuarray holds one value: write percpuarray(1)");
	syn_expect(p, ")", "after the size of the map");
}

void syn_map_declaration(struct parser *p)
{
	struct script_map *m;

	syn_advance(p);
	if (p->in.t.kind != LEX_MAP) {
		syn_expected(p, "a map: outside of probes, let declares maps");
		script_hint(p->c, "let @name = hash(100);");
		return;
	}
	m = syn_map_add(p, p->in.t.bytes, p->in.t.span);
	syn_advance(p);
	if (!m || !syn_expect(p, "=", "after the map"))
		return;
	storage_parse(p, m);
	syn_accept(p, ";");
}
