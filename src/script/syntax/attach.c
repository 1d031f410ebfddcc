/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * attach.c - parses one attach point: its kind under any of its names, quotes, and parameters in it.
 */
#include <ctype.h>
#include <string.h>

#include "script/syntax/parser.h"
#include "util/glob.h"
#include "util/suggest.h"

static const struct {
	const char *name, *full; /* full NULL: `name` is the full name */
	enum script_probe_kind kind;
	bool is_alone;	  /* takes no further parts */
	bool in_patterns; /* also matched by a pattern of kinds: one of those that -l lists */
} kinds[] = {
	{ "begin", NULL, PROBE_BEGIN, true },
	{ "BEGIN", "begin", PROBE_BEGIN, true },
	{ "end", NULL, PROBE_END, true },
	{ "END", "end", PROBE_END, true },
	{ "report", NULL, PROBE_REPORT, true },
	{ "folded", NULL, PROBE_REPORT, true },
	{ "self", NULL, PROBE_SELF, false },
	{ "test", NULL, PROBE_TEST, false },
	{ "bench", NULL, PROBE_BENCH, false },
	{ "interval", NULL, PROBE_INTERVAL, false },
	{ "i", "interval", PROBE_INTERVAL, false },
	{ "profile", NULL, PROBE_PROFILE, false },
	{ "p", "profile", PROBE_PROFILE, false },
	{ "kprobe", NULL, PROBE_KPROBE, false, true },
	{ "k", "kprobe", PROBE_KPROBE, false },
	{ "kretprobe", NULL, PROBE_KRETPROBE, false },
	{ "kr", "kretprobe", PROBE_KRETPROBE, false },
	{ "fentry", NULL, PROBE_FENTRY, false, true },
	{ "f", "fentry", PROBE_FENTRY, false },
	{ "kfunc", "fentry", PROBE_FENTRY, false },
	{ "fexit", NULL, PROBE_FEXIT, false },
	{ "fr", "fexit", PROBE_FEXIT, false },
	{ "kretfunc", "fexit", PROBE_FEXIT, false },
	{ "tracepoint", NULL, PROBE_TRACEPOINT, false, true },
	{ "t", "tracepoint", PROBE_TRACEPOINT, false },
	{ "rawtracepoint", NULL, PROBE_RAW_TRACEPOINT, false, true },
	{ "rt", "rawtracepoint", PROBE_RAW_TRACEPOINT, false },
	{ "uprobe", NULL, PROBE_UPROBE, false, true },
	{ "u", "uprobe", PROBE_UPROBE, false },
	{ "uretprobe", NULL, PROBE_URETPROBE, false },
	{ "ur", "uretprobe", PROBE_URETPROBE, false },
	{ "usdt", NULL, PROBE_USDT, false, true },
	{ "U", "usdt", PROBE_USDT, false },
	{ "software", NULL, PROBE_SOFTWARE, false, true },
	{ "s", "software", PROBE_SOFTWARE, false },
	{ "hardware", NULL, PROBE_HARDWARE, false, true },
	{ "h", "hardware", PROBE_HARDWARE, false },
	{ "watchpoint", NULL, PROBE_WATCHPOINT, false },
	{ "w", "watchpoint", PROBE_WATCHPOINT, false },
	{ "asyncwatchpoint", NULL, PROBE_WATCHPOINT, false },
	{ "aw", "asyncwatchpoint", PROBE_WATCHPOINT, false },
	{ "iter", NULL, PROBE_ITER, false, true },
	{ "it", "iter", PROBE_ITER, false },
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]), PARTS_MAX = 16 };

/* ---- splitting the text ---- */

struct attach_text {
	struct parser *p;
	struct span span;
	const char *begin, *at, *end;
	struct buf part;
	const char **parts;
	size_t count;
};

static void part_close(struct attach_text *t)
{
	if (t->count == PARTS_MAX) {
		syn_fail(t->p, t->span, "an attach point can have at most %d parts", PARTS_MAX);
		return;
	}
	t->parts[t->count++] = syn_copy(t->p, t->part.data ?: "", t->part.len);
	t->part.len = 0;
}

static void param_append(struct attach_text *t)
{
	const struct script_args *args = &t->p->c->s->args;
	const char *from = t->at++;
	uint64_t number = 0;

	while (t->at < t->end && isdigit((unsigned char)*t->at) && number < UINT32_MAX)
		number = number * 10 + (uint64_t)(*t->at++ - '0');
	if (!number || number >= UINT32_MAX) {
		syn_fail(t->p, t->span, "'%.*s' is not a parameter: the first is $1",
			 (int)(t->end - from < 20 ? t->end - from : 20), from);
		script_hint(t->p->c, "a name with a $ in it needs quotes: \"$name\"");
		return;
	}
	if (number > args->count)
		return;
	/* a parameter that is the whole attach point is split into parts */
	for (const char *word = args->words[number - 1]; *word; word++)
		if (*word == ':' && from == t->begin && t->at == t->end)
			part_close(t);
		else
			buf_char(&t->part, *word);
}

/* Appends the text from after a quote to the next one. */
static void quoted_append(struct attach_text *t)
{
	for (; t->at < t->end && *t->at != '"'; t->at++) {
		if (*t->at == '\\' && t->at + 1 < t->end)
			t->at++;
		buf_char(&t->part, *t->at);
	}
	t->at += t->at < t->end;
}

static void parts_read(struct attach_text *t)
{
	while (t->at < t->end && !t->p->c->err) {
		if (*t->at == ':') {
			t->at++;
			part_close(t);
		} else if (*t->at == '"') {
			t->at++;
			quoted_append(t);
		} else if (*t->at == '$') {
			param_append(t);
		} else {
			buf_char(&t->part, *t->at++);
		}
	}
	part_close(t);
	if (t->part.error)
		t->p->c->err = -ENOMEM;
}

/* ---- kinds ---- */

static void kind_unknown(struct parser *p, const char *name, struct span span)
{
	static const struct suggest_words words = {
		.before = "'",
		.after = "'",
		.otherwise =
			"kprobe:FUNCTION, tracepoint:CATEGORY:EVENT, uprobe:FILE:FUNCTION, interval:s:1, begin …",
	};
	struct suggestion near;

	if (!*name || strpbrk(name, "*?[")) {
		syn_fail(p, span, "no kind of probe matches '%s'", name);
		return;
	}
	suggest_init(&near, name);
	for (size_t i = 0; i < KINDS; i++)
		if (!kinds[i].full)
			suggest_offer(&near, kinds[i].name);
	syn_fail(p, span, "unknown kind of probe '%s'", name);
	script_suggest(p->c, &near, &words);
}

/* Sets text and rest from the parts. */
static void texts_join(struct parser *p, struct script_attach *a)
{
	struct buf o;

	buf_init(&o, -1);
	for (size_t i = 0; i < a->part_count; i++) {
		if (i)
			buf_char(&o, ':');
		buf_str(&o, a->parts[i]);
	}
	a->text = syn_copy(p, o.data ?: "", o.len);
	if (o.error)
		p->c->err = -ENOMEM;
	buf_free(&o);
	a->rest = a->text && a->part_count > 1 ? strchr(a->text, ':') + 1 : "";
}

static void kind_find(struct parser *p, struct script_attach *a)
{
	const char *name = a->parts[0];

	for (size_t i = 0; i < KINDS; i++) {
		if (strcmp(kinds[i].name, name))
			continue;
		a->kind = kinds[i].kind;
		a->parts[0] = kinds[i].full ?: kinds[i].name;
		if (kinds[i].is_alone != (a->part_count == 1))
			syn_fail(p, a->span,
				 kinds[i].is_alone ? "'%s' has no further parts: write only %s" :
						     "'%s' alone is not a probe: write %s:…",
				 name, a->parts[0]);
		texts_join(p, a);
		return;
	}
	if (!strpbrk(name, "*?["))
		kind_unknown(p, name, a->span);
}

static struct script_attach attach_as_kind(struct parser *p, const struct script_attach *pattern,
					   size_t kind)
{
	struct script_attach a = *pattern;

	a.parts = script_alloc(p->c, (PARTS_MAX + 1) * sizeof(*a.parts));
	if (!a.parts)
		return a;
	memcpy(a.parts, pattern->parts, (a.part_count + 1) * sizeof(*a.parts));
	a.parts[0] = kinds[kind].name;
	a.kind = kinds[kind].kind;
	a.is_of_pattern = true;
	texts_join(p, &a);
	return a;
}

size_t attach_kinds(struct parser *p, const struct script_attach *pattern,
		    struct script_attach out[ATTACH_KINDS_MAX])
{
	size_t count = 0;

	if (pattern->text)
		return 0;
	for (size_t i = 0; i < KINDS && !p->c->err; i++)
		if (kinds[i].in_patterns && pattern->part_count > 1 &&
		    wildcard_matches(pattern->parts[0], kinds[i].name))
			out[count++] = attach_as_kind(p, pattern, i);
	if (!count)
		kind_unknown(p, pattern->parts[0], pattern->span);
	return count;
}

/* Skips a name before the probe (name=kprobe:f), which has no meaning yet. */
static const char *name_skip(const char *text, const char *end)
{
	const char *at = text;

	while (at < end && lex_is_word(*at))
		at++;
	return at > text && at + 1 < end && *at == '=' ? at + 1 : text;
}

void attach_parse(struct parser *p, const char *text, size_t length, struct script_attach *a)
{
	struct attach_text t = { .p = p,
				 .span = lex_span(p, text, text + length),
				 .end = text + length };

	*a = (struct script_attach){ .span = t.span };
	t.begin = t.at = name_skip(text, t.end);
	t.parts = script_alloc(p->c, (PARTS_MAX + 1) * sizeof(*t.parts));
	if (!t.parts)
		return;
	buf_init(&t.part, -1);
	parts_read(&t);
	buf_free(&t.part);
	a->parts = t.parts;
	a->part_count = t.count;
	if (!p->c->err)
		kind_find(p, a);
}

bool attach_has_path(const char *name, size_t length)
{
	static const char *const with[] = { "uprobe", "uretprobe", "usdt", "u",
					    "ur",     "U",	   "iter", "it" };

	char pattern[32];

	if (length >= sizeof(pattern))
		return false;
	memcpy(pattern, name, length);
	pattern[length] = 0;
	for (size_t i = 0; i < sizeof(with) / sizeof(with[0]); i++)
		if (wildcard_matches(pattern, with[i]))
			return true;
	return false;
}
