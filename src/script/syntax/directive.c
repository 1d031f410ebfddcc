/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * directive.c - lines of the preprocessor: #define, #if and related ones, #include.
 *
 * The kernel describes its own types, so #include <…> is skipped if no folder of -I has the file. #include "…" is
 * read.
 */
#include <ctype.h>

#include "script/syntax/parser.h"

/* An open #if. */
struct lex_group {
	bool is_read;  /* this branch */
	bool was_read; /* this or an earlier branch */
	bool has_else;
	struct span span;
	const struct lex_group *next;
};

/* ---- lines ---- */

/* Returns the end of a string or comment that begins at `at`. */
static const char *piece_skip(const char *at, const char *end)
{
	if (*at == '"') {
		for (at++; at < end && *at != '"' && *at != '\n'; at++)
			at += *at == '\\' && at + 1 < end;
		return at < end && *at == '"' ? at + 1 : at;
	}
	if (*at == '\\' && at + 1 < end)
		return at + 2;
	if (*at != '/' || at + 1 == end)
		return at + 1;
	if (at[1] == '/') {
		while (at < end && *at != '\n')
			at++;
		return at;
	}
	if (at[1] != '*')
		return at + 1;
	for (at += 2; at + 1 < end; at++)
		if (at[0] == '*' && at[1] == '/')
			return at + 2;
	return end;
}

static const char *line_end(const char *at, const char *end)
{
	while (at < end && *at != '\n')
		at = piece_skip(at, end);
	return at;
}

static const char *blanks_skip(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

/* Returns the lexemes of the rest of the line, then LEX_END. */
static const struct lex_pending *line_read(struct parser *p, const char *at, const char *end)
{
	struct parse_source source = *p->in.source;
	struct parse_place here = p->in;
	struct lex_pending *first = NULL, **last = &first, *more;
	struct lexeme t;

	source.end = end;
	p->in.source = &source;
	p->in.pending = NULL;
	p->in.at = at;
	p->is_line = true;
	do {
		lex_plain(p, &t);
		more = script_alloc(p->c, sizeof(*more));
		if (!more)
			break;
		more->lexeme = t;
		*last = more;
		last = (struct lex_pending **)&more->next;
	} while (t.kind != LEX_END && !p->c->err);
	p->is_line = false;
	p->in = here;
	return p->c->err ? NULL : first;
}

/* ---- #if ---- */

/* Replaces only defined(NAME). */
static const struct lex_pending *defined_replace(struct parser *p, const struct lex_pending *line)
{
	const struct lex_pending *name = line->next;
	bool has_paren = lexeme_is(&name->lexeme, "(");
	struct lexeme number = line->lexeme;

	name = has_paren ? name->next : name;
	if (!name || name->lexeme.kind != LEX_NAME) {
		syn_fail(p, line->lexeme.span, "expected a name after 'defined'");
		return NULL;
	}
	number.kind = LEX_NUMBER;
	number.number = !!define_find(p, name->lexeme.bytes);
	name = has_paren && name->next ? name->next : name;
	return lex_pend(p, &number, name->next);
}

/* Returns the line with every `defined` replaced; NULL after an error. */
static const struct lex_pending *condition_lexemes(struct parser *p, const struct lex_pending *line)
{
	struct lex_pending *first = NULL, **last = &first;

	for (; line && !p->c->err; line = line->next) {
		struct lex_pending *more = script_alloc(p->c, sizeof(*more));

		if (line->lexeme.kind == LEX_NAME && !strcmp(line->lexeme.bytes, "defined"))
			line = defined_replace(p, line);
		if (!line || !more)
			return NULL;
		more->lexeme = line->lexeme;
		*last = more;
		last = (struct lex_pending **)&more->next;
	}
	return p->c->err ? NULL : first;
}

static bool condition_read(struct parser *p, const struct lex_pending *line)
{
	struct parse_place here = p->in;
	struct script_expr *e;
	int64_t value = 0;

	p->in.pending = condition_lexemes(p, line);
	if (!p->in.pending)
		return false;
	p->is_line = true;
	syn_advance(p);
	e = syn_expression(p);
	if (e && p->in.t.kind != LEX_END)
		syn_expected(p, "the end of the line");
	p->is_line = false;
	if (e)
		constant_read(p, e, true, &value);
	p->in = here;
	return value;
}

static void group_open(struct parser *p, bool is_read, struct span span)
{
	struct lex_group *g = script_alloc(p->c, sizeof(*g));
	int depth = 0;

	for (const struct lex_group *o = p->in.groups; o; o = o->next)
		depth++;
	if (depth > PARSE_NESTING_MAX)
		syn_fail(p, span, "too many nested #if");
	if (!g)
		return;
	*g = (struct lex_group){
		.is_read = is_read, .was_read = is_read, .span = span, .next = p->in.groups
	};
	p->in.groups = g;
}

/* Starts another branch of the innermost #if. */
static void group_switch(struct parser *p, bool is_read, bool is_else, struct span span)
{
	const struct lex_group *old = p->in.groups;

	if (!old || old->has_else) {
		syn_fail(p, span, "missing #if before this");
		return;
	}
	p->in.groups = old->next;
	group_open(p, is_read && !old->was_read, old->span);
	((struct lex_group *)p->in.groups)->was_read |= old->was_read;
	((struct lex_group *)p->in.groups)->has_else = is_else;
}

static void group_close(struct parser *p, struct span span)
{
	if (!p->in.groups)
		syn_fail(p, span, "missing #if before this");
	else
		p->in.groups = p->in.groups->next;
}

void directives_end(struct parser *p)
{
	if (p->in.groups)
		syn_fail(p, p->in.groups->span, "this #if has no #endif");
}

/* ---- words ---- */

struct directive {
	const char *word, *rest, *end;
	size_t length;
	struct span span; /* of # and the directive's name */
};

static bool word_is(const struct directive *d, const char *word)
{
	return strlen(word) == d->length && !memcmp(word, d->word, d->length);
}

/* Parses the directive whose # is at `at`. */
static struct directive directive_at(struct parser *p, const char *at)
{
	struct directive d = { .end = line_end(at, p->in.source->end) };

	d.word = blanks_skip(at + 1, d.end);
	for (d.rest = d.word; d.rest < d.end && lex_is_word(*d.rest); d.rest++)
		;
	d.length = d.rest - d.word;
	d.span = lex_span(p, at, d.rest);
	return d;
}

static void if_read(struct parser *p, const struct directive *d)
{
	const struct lex_pending *line = line_read(p, d->rest, d->end);
	bool is_known;

	if (!line)
		return;
	if (d->length == 2) {
		group_open(p, condition_read(p, line), d->span);
		return;
	}
	if (line->lexeme.kind != LEX_NAME) {
		syn_fail(p, d->span, "expected a name after #%.*s", (int)d->length, d->word);
		return;
	}
	is_known = define_find(p, line->lexeme.bytes);
	group_open(p, is_known == (d->length == 5), d->span);
}

static void elif_read(struct parser *p, const struct directive *d)
{
	const struct lex_pending *line = line_read(p, d->rest, d->end);

	if (line)
		group_switch(p, p->in.groups && !p->in.groups->was_read && condition_read(p, line),
			     false, d->span);
}

/* Returns the text between the brackets of <…>; NULL after an error. */
static const char *system_path(struct parser *p, const struct directive *d)
{
	const char *from = blanks_skip(d->rest, d->end) + 1;
	const char *to = memchr(from, '>', d->end - from);

	if (to)
		return syn_copy(p, from, to - from);
	syn_fail(p, d->span, "expected \"FILE\" or <FILE> after #include");
	return NULL;
}

static void include_read(struct parser *p, const struct directive *d)
{
	const struct lex_pending *line;
	const char *path;

	if (d->rest < d->end && *blanks_skip(d->rest, d->end) == '<') {
		path = system_path(p, d);
		if (path)
			source_enter(p, path, SCRIPT_INCLUDE_SYSTEM, d->span);
		return;
	}
	line = line_read(p, d->rest, d->end);
	if (line && line->lexeme.kind != LEX_STRING)
		syn_fail(p, d->span, "expected \"FILE\" or <FILE> after #include");
	else if (line)
		source_enter(p, line->lexeme.bytes, SCRIPT_INCLUDE, line->lexeme.span);
}

static void word_read(struct parser *p, const struct directive *d)
{
	const struct lex_pending *line;

	if (word_is(d, "include")) {
		include_read(p, d);
	} else if (word_is(d, "define") || word_is(d, "undef")) {
		line = line_read(p, d->rest, d->end);
		if (line)
			(*d->word == 'd' ? define_add : define_remove)(p, line);
	} else if (word_is(d, "error")) {
		syn_fail(p, lex_span(p, d->word, d->end), "#error:%.*s", (int)(d->end - d->rest),
			 d->rest);
	} else if (d->length && !word_is(d, "pragma") && !word_is(d, "warning") &&
		   !word_is(d, "line")) {
		syn_fail(p, d->span, "the preprocessor has no #%.*s", (int)d->length, d->word);
	}
}

/* Returns true if the directive is #if or a related one. */
static bool group_read(struct parser *p, const struct directive *d)
{
	if (word_is(d, "if") || word_is(d, "ifdef") || word_is(d, "ifndef"))
		if_read(p, d);
	else if (word_is(d, "elif"))
		elif_read(p, d);
	else if (word_is(d, "else"))
		group_switch(p, true, true, d->span);
	else if (word_is(d, "endif"))
		group_close(p, d->span);
	else
		return false;
	return true;
}

/* Skips to the next directive that may end the excluded text. */
static void branch_skip(struct parser *p)
{
	const char *at = p->in.at, *end = p->in.source->end;
	int open = 0;

	while (at < end) {
		struct directive d;
		const char *word = blanks_skip(at, end);

		at = line_end(word, end);
		if (word < end && *word == '#') {
			d = directive_at(p, word);
			if (word_is(&d, "if") || word_is(&d, "ifdef") || word_is(&d, "ifndef"))
				open++;
			else if (!open && (word_is(&d, "elif") || word_is(&d, "else") ||
					   word_is(&d, "endif"))) {
				p->in.at = word;
				return;
			}
			open -= word_is(&d, "endif");
		}
		at += at < end;
	}
	p->in.at = end;
}

void directive_read(struct parser *p)
{
	struct directive d = directive_at(p, p->in.at);

	if (p->in.at == p->in.source->text && p->in.at + 1 < p->in.source->end &&
	    p->in.at[1] == '!') {
		p->in.at = d.end;
		return;
	}
	p->in.at = d.end;
	if (!group_read(p, &d)) {
		word_read(p, &d);
		return;
	}
	if (p->in.groups && !p->in.groups->is_read && !p->c->err)
		branch_skip(p);
}
