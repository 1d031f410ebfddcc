/* SPDX-License-Identifier: GPL-2.0-only */
/* model.c - what is to be traced: filled in the order of the user's words, and read by src/probe. */
#include "model/model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/log.h"

/* ---- texts ---- */

struct model_text model_typed(const char *text)
{
	return (struct model_text){ .text = text };
}

static int text_copy(struct model *m, struct model_text *to, const struct model_text *from)
{
	size_t size = from->place_count * sizeof(*from->places);
	struct model_place *places = size ? arena_alloc(&m->arena, size) : NULL;

	*to = (struct model_text){ .source = from->source, .file = m->file, .line = m->line };
	if (!from->text)
		return 0;
	to->text = arena_text(&m->arena, from->text, strlen(from->text));
	if (!to->text || (size && !places))
		return -ENOMEM;
	if (size)
		memcpy(places, from->places, size);
	to->places = places;
	to->place_count = from->place_count;
	return 0;
}

/* ---- filling ---- */

static struct model_probe *last(const struct model *m)
{
	return m->has_begun ? &m->probes[m->count - 1] : NULL;
}

int model_probe_add(struct model *m, struct model_text attach)
{
	struct model_probe *p;
	int err;

	if (!ARRAY_RESERVE(m->probes, m->count, m->room, 4))
		return -ENOMEM;
	p = &m->probes[m->count];
	*p = (struct model_probe){ .is_loaded = m->file != NULL };
	err = text_copy(m, &p->attach, &attach);
	if (err)
		return err;
	m->count++;
	m->has_begun = true;
	return 0;
}

int model_expr_add(struct model *m, struct model_text expr)
{
	struct model_probe *p = last(m);
	int err;

	if (!ARRAY_RESERVE(p->exprs, p->expr_count, p->expr_room, 4))
		return -ENOMEM;
	err = text_copy(m, &p->exprs[p->expr_count], &expr);
	p->expr_count += !err;
	return err;
}

static size_t options_count(const struct model_options *o, enum model_setting setting)
{
	size_t count = 0;

	for (size_t i = 0; i < o->count; i++)
		count += o->list[i].spec->setting == (unsigned)setting;
	return count;
}

static size_t setting_count(const struct model *m, enum model_setting setting)
{
	size_t count = options_count(&m->all, setting);

	for (size_t i = 0; i < m->count; i++)
		count += options_count(&m->probes[i].own, setting);
	return count;
}

static const char *probe_join(struct model *m, struct model_text attach)
{
	if (model_probe_add(m, attach))
		return "out of memory";
	last(m)->is_joined = true;
	return NULL;
}

static int option_append(struct model *m, struct model_options *o,
			 const struct model_option *option)
{
	struct model_text *text;
	int err;

	if (!ARRAY_RESERVE(o->list, o->count, o->room, 4))
		return -ENOMEM;
	o->list[o->count] = *option;
	text = &o->list[o->count].text;
	err = text_copy(m, text, &option->text);
	if (!err && text->text) {
		text->cut = arena_text(&m->arena, text->text, strlen(text->text));
		err = text->cut ? 0 : -ENOMEM;
	}
	o->count += !err;
	return err;
}

const char *model_option_add(struct model *m, const struct option_spec *spec,
			     struct model_text text)
{
	struct model_probe *p = last(m);
	struct model_option option = { .spec = spec,
				       .text = text,
				       .exprs_before = p ? p->expr_count : 0 };

	if (text.text && !*text.text)
		return "it is empty";
	if (spec->setting == MODEL_AND)
		return probe_join(m, text);
	if (spec->setting && setting_count(m, spec->setting) == OPTION_LIST_MAX)
		return "too many";
	m->given |= MODEL_BIT(spec->setting);
	return option_append(m, p ? &p->own : &m->all, &option) ? "out of memory" : NULL;
}

void model_option_spell(struct model *m)
{
	struct model_options *o = last(m) ? &last(m)->own : &m->all;

	if (o->count) /* the option may have been --and, which is not in a list */
		o->list[o->count - 1].is_spelled = true;
}

/* Replaces the argument of the last option by the name. */
static int option_name(struct model *m, const char *name)
{
	struct model_options *o = &last(m)->own;
	struct model_option option = o->list[--o->count];

	option.text = model_typed(name);
	return option_append(m, o, &option);
}

int model_word_add(struct model *m, const char *word, bool is_name)
{
	if (!m->has_begun)
		return model_probe_add(m, model_typed(word));
	return is_name ? option_name(m, word) : model_expr_add(m, model_typed(word));
}

void model_load_begin(struct model *m, const char *file)
{
	m->file = file;
	m->has_begun = false;
}

/* ---- the end ---- */

static void probes_number(struct model *m)
{
	unsigned number = 0;

	for (int loaded = 1; loaded >= 0; loaded--)
		for (size_t i = 0; i < m->count; i++)
			if (m->probes[i].is_loaded == loaded)
				m->probes[i].number = ++number;
}

static bool has_end(const struct model_options *o)
{
	return model_options_next(o, MODEL_UNTIL, NULL);
}

/* Drops the options about pairs. */
static void pair_drop(struct model_options *o)
{
	size_t count = 0;

	for (size_t i = 0; i < o->count; i++)
		if (!(MODEL_PAIR & MODEL_BIT(o->list[i].spec->setting)))
			o->list[count++] = o->list[i];
	o->count = count;
}

/* The only probe shares its options with all, so that "common" includes them. */
static int options_share(struct model *m)
{
	struct model_options *own = &m->probes[0].own;
	int err = 0;

	if (has_end(own) && has_end(&m->all))
		pair_drop(&m->all);
	for (size_t i = 0; i < own->count && !err; i++)
		err = option_append(m, &m->all, &own->list[i]);
	own->count = 0;
	return err;
}

static int texts_build(struct model_probe *p)
{
	p->texts = calloc(p->expr_count + 1, sizeof(*p->texts));
	for (size_t i = 0; p->texts && i < p->expr_count; i++)
		p->texts[i] = p->exprs[i].text;
	return p->texts ? 0 : -ENOMEM;
}

int model_end(struct model *m)
{
	const struct model_probe *first;
	int err = 0;

	probes_number(m);
	first = m->count ? model_probe_at(m, 1) : NULL;
	if (first && first->is_joined) {
		log_error("--and %s: which probe comes first? PROBE --and %s", first->attach.text,
			  first->attach.text);
		return -EINVAL;
	}
	for (size_t i = 0; i < m->count && !err; i++)
		err = texts_build(&m->probes[i]);
	if (!err && m->count == 1)
		err = options_share(m);
	return err;
}

void model_free(struct model *m)
{
	for (size_t i = 0; i < m->count; i++) {
		free(m->probes[i].exprs);
		free(m->probes[i].texts);
		free(m->probes[i].own.list);
	}
	free(m->probes);
	free(m->all.list);
	arena_free(&m->arena);
	*m = (struct model){ 0 };
}

/* ---- reading ---- */

struct model_probe *model_probe_at(const struct model *m, unsigned number)
{
	struct model_probe *p = m->probes;

	while (p < m->probes + m->count && p->number != number)
		p++;
	return p < m->probes + m->count ? p : NULL;
}

const struct model_option *model_options_next(const struct model_options *o,
					      enum model_setting setting,
					      const struct model_option *after)
{
	const struct model_option *option = after ? after + 1 : o->list;

	while (option < o->list + o->count && option->spec->setting != (unsigned)setting)
		option++;
	return option < o->list + o->count ? option : NULL;
}

static bool is_of(const struct model_options *o, const struct model_option *option)
{
	return option >= o->list && option < o->list + o->count;
}

/* A probe with an end of its own, where all have another one: its pair is its own. */
static bool has_own_pair(const struct model *m, const struct model_probe *p)
{
	return p && has_end(&m->all) && has_end(&p->own);
}

const struct model_option *model_next(const struct model *m, const struct model_probe *p,
				      enum model_setting setting, const struct model_option *after)
{
	const struct model_option *next = NULL;

	if ((MODEL_PAIR & MODEL_BIT(setting)) && has_own_pair(m, p))
		return model_options_next(&p->own, setting, after);
	if (!after || is_of(&m->all, after)) {
		next = model_options_next(&m->all, setting, after);
		after = NULL;
	}
	return next || !p ? next : model_options_next(&p->own, setting, after);
}

char *model_cut(const struct model_option *o)
{
	return o->text.cut ? strcpy(o->text.cut, o->text.text) : NULL;
}

bool model_has(const struct model *m, enum model_setting setting)
{
	return m->given & MODEL_BIT(setting);
}

/* Two options of a recipe may need the same one. */
static bool has_other(const struct model *m, const struct model_probe *p,
		      enum model_setting setting, const struct model_option *first)
{
	const struct model_option *next = first;

	while ((next = model_next(m, p, setting, next)))
		if (strcmp(next->text.text ?: "", first->text.text ?: ""))
			return true;
	return false;
}

bool model_is_twice(const struct model *m, enum model_setting setting)
{
	for (size_t i = 0; i < m->count; i++) {
		const struct model_option *first = model_next(m, &m->probes[i], setting, NULL);

		if (!first || !has_other(m, &m->probes[i], setting, first))
			continue;
		log_error("--%s is given twice for the same probe", first->spec->name);
		return true;
	}
	return false;
}

static bool options_mention(const struct model_options *o, const char *word)
{
	for (size_t i = 0; i < o->count; i++)
		if (o->list[i].text.text && strstr(o->list[i].text.text, word))
			return true;
	return false;
}

static bool probe_mentions(const struct model_probe *p, const char *word)
{
	bool found = options_mention(&p->own, word);

	for (size_t i = 0; i < p->expr_count && !found; i++)
		found = strstr(p->exprs[i].text, word);
	return found;
}

bool model_mentions_for(const struct model *m, const struct model_probe *p, const char *word)
{
	return options_mention(&m->all, word) || (p && probe_mentions(p, word));
}

bool model_mentions(const struct model *m, const char *word)
{
	bool found = options_mention(&m->all, word);

	for (const struct model_probe *p = m->probes; p < m->probes + m->count && !found; p++)
		found = probe_mentions(p, word);
	return found;
}

/* ---- places ---- */

/* Returns the model's text (or the copy cut into pieces) that `text` points into, or NULL. */
static const char *whole_of(const struct model_text *t, const char *text)
{
	size_t length = t->text ? strlen(t->text) : 0;

	if (t->text && text >= t->text && text <= t->text + length)
		return t->text;
	return t->cut && text >= t->cut && text <= t->cut + length ? t->cut : NULL;
}

static const struct model_text *option_text(const struct model_options *o, const char *text)
{
	for (size_t i = 0; i < o->count; i++)
		if (whole_of(&o->list[i].text, text))
			return &o->list[i].text;
	return NULL;
}

const struct model_text *model_text_of(const struct model *m, const char *text)
{
	const struct model_text *found = option_text(&m->all, text);

	for (const struct model_probe *p = m->probes; p < m->probes + m->count && !found; p++) {
		found = whole_of(&p->attach, text) ? &p->attach : option_text(&p->own, text);
		for (size_t i = 0; i < p->expr_count && !found; i++)
			found = whole_of(&p->exprs[i], text) ? &p->exprs[i] : NULL;
	}
	return found;
}

/* Finds the narrowest place that contains bytes [start, end) of the text, or NULL. */
static const struct model_place *place_find(const struct model_text *t, size_t start, size_t end)
{
	const struct model_place *best = NULL;

	for (const struct model_place *p = t->places; p < t->places + t->place_count; p++)
		if (p->at <= start && p->at_end >= end &&
		    (!best || p->at_end - p->at < best->at_end - best->at))
			best = p;
	return best;
}

static bool is_same(const struct model_text *t, const struct model_place *p)
{
	size_t length = p->at_end - p->at;

	return p->end - p->start == length &&
	       !memcmp(t->text + p->at, t->source + p->start, length);
}

void model_caret(const struct model_text *t, const char *text, size_t start, size_t end)
{
	size_t before = t ? text - whole_of(t, text) : 0;
	const struct model_place *p = t ? place_find(t, before + start, before + end) : NULL;

	if (!p)
		log_caret(text, start, end);
	else if (is_same(t, p))
		log_caret_line(t->source, p->start + before + start - p->at,
			       p->start + before + end - p->at);
	else
		log_caret_line(t->source, p->start, p->end);
	if (t && t->file)
		log_hint("this is in line %u of '%s'", t->line, t->file);
}
