/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * import.c - reads imported files: import "…" and #include "…". Each is read once. Errors in it are shown at the
 * import.
 */
#include "script/syntax/parser.h"

enum { IMPORTS_DEEP = 16, IMPORTS_MAX = 256 };

struct parse_imported {
	const char *path;
	struct parse_imported *next;
};

/* True for bpftrace's own library, which is part of this compiler. */
static bool is_library(const char *path)
{
	return !strncmp(path, "stdlib", 6) && (path[6] == '/' || !path[6]);
}

static bool has_suffix(const char *path, const char *suffix)
{
	size_t length = strlen(path), end = strlen(suffix);

	return length > end && !strcmp(path + length - end, suffix);
}

/* True if the file is new. */
static bool imported_add(struct parser *p, const char *path, struct span span)
{
	struct parse_imported *more;
	size_t count = 0;

	for (const struct parse_imported *i = p->imported; i; i = i->next, count++)
		if (!strcmp(i->path, path))
			return false;
	if (count == IMPORTS_MAX) {
		syn_fail(p, span, "a program imports at most %d files", IMPORTS_MAX);
		return false;
	}
	more = script_alloc(p->c, sizeof(*more));
	if (!more)
		return false;
	more->path = path;
	more->next = p->imported;
	p->imported = more;
	return true;
}

/* Returns the text of a file; NULL after an error, or if the file is optional and missing. */
static const char *text_find(struct parser *p, struct script_import *i, struct span span)
{
	const struct script_args *args = &p->c->s->args;
	const char *text = args->import ? args->import(args->import_ctx, i) : NULL;

	i->name = i->name ?: i->path;
	if (!text && (i->kind != SCRIPT_INCLUDE_SYSTEM || i->why))
		syn_fail(p, span, "cannot read '%s'%s%s", i->path, i->why ? ": " : "",
			 i->why ?: "");
	else if (text && (strlen(text) > PARSE_TEXT_MAX || p->in.source->depth == IMPORTS_DEEP))
		syn_fail(p, span, "'%s' is too %s", i->path,
			 strlen(text) > PARSE_TEXT_MAX ? "large" : "deep in imports");
	return p->c->err ? NULL : text;
}

void source_enter(struct parser *p, const char *path, int kind, struct span span)
{
	struct script_import in = { .path = path, .from = p->in.source->name, .kind = kind };
	const char *text = text_find(p, &in, span);
	struct parse_source *source;

	if (!text || !imported_add(p, in.name, span))
		return;
	source = script_alloc(p->c, sizeof(*source));
	if (!source)
		return;
	*source = (struct parse_source){
		.text = text, .end = text + strlen(text), .name = in.name, .span = span
	};
	source->outer = p->in.source;
	source->resume = p->in.at;
	source->depth = p->in.source->depth + 1;
	p->in.source = source;
	p->in.at = text;
}

void includes_enter(struct parser *p)
{
	const struct script_args *args = &p->c->s->args;

	for (size_t i = args->include_count; i-- > 0 && !p->c->err;)
		source_enter(p, args->includes[i], SCRIPT_INCLUDE_SYSTEM, (struct span){});
}

/* Parses what follows the word; returns the path and leaves the parser at the semicolon. */
static const char *path_read(struct parser *p, struct span *span)
{
	const char *path = p->in.t.bytes;

	if (p->in.t.kind != LEX_STRING) {
		syn_expected(p, "the file in quotes: import \"file\";");
		return NULL;
	}
	*span = p->in.t.span;
	syn_advance(p);
	if (!syn_is(p, ";")) {
		syn_expected(p, "';' after the import");
		return NULL;
	}
	return path;
}

void syn_import(struct parser *p)
{
	struct span span;
	const char *path;

	syn_advance(p);
	path = path_read(p, &span);
	if (!path)
		return;
	if (has_suffix(path, ".c") || has_suffix(path, ".o"))
		script_unsupported(p->c, span, "importing C files and objects");
	else if (!is_library(path))
		source_enter(p, path, SCRIPT_IMPORT, span);
	syn_advance(p);
}

bool syn_import_here(struct parser *p)
{
	struct span span;
	const char *path;

	if (!syn_is_word(p, "import"))
		return false;
	syn_advance(p);
	path = path_read(p, &span);
	if (path && !is_library(path))
		script_unsupported(p->c, span, "import in a block");
	syn_accept(p, ";");
	return true;
}
