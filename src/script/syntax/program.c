/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * program.c - parses a whole program: the steps from its text to its tree.
 */
#include <stdlib.h>

#include "script/syntax/parser.h"
#include "script/syntax/syntax.h"

static void part_parse(struct parser *p)
{
	if (syn_accept(p, ";"))
		return;
	if (syn_is_word(p, "config") && syn_then(p, "="))
		syn_config(p);
	else if (syn_is_word(p, "import"))
		syn_import(p);
	else if (syn_is_word(p, "macro"))
		syn_macro(p);
	else if (syn_is_word(p, "let"))
		syn_map_declaration(p);
	else if (syn_is_word(p, "fn"))
		syn_function(p);
	else if (!syn_cdef(p))
		syn_probe(p);
}

/* Moves the probes to the program. */
static void probes_move(struct parser *p)
{
	struct script *s = p->c->s;
	size_t size = p->probe_count * sizeof(*s->probes);

	s->probes = p->c->err ? NULL : script_alloc(p->c, size + 1);
	if (s->probes && size)
		memcpy(s->probes, p->probes, size);
	s->probe_count = s->probes ? p->probe_count : 0;
}

static void probes_settle(struct parser *p)
{
	for (size_t i = 0; i < p->probe_count && !p->c->err; i++) {
		expr_settle(p, p->probes[i].condition);
		stmts_settle(p, p->probes[i].body);
	}
}

/* Parses the macros of the library that the program names. */
static void library_read(struct parser *p)
{
	struct parse_place place = syn_mark(p);
	unsigned at = 0;

	p->reads_library = true;
	for (const char *text; !p->c->err && (text = library_text(p, &at));) {
		struct parse_source source = { .text = text, .end = text + strlen(text) };

		p->in = (struct parse_place){ .source = &source, .at = text };
		syn_advance(p);
		while (!syn_ended(p))
			syn_macro(p);
	}
	p->reads_library = false;
	syn_return(p, &place);
}

static void whole_parse(struct parser *p)
{
	includes_enter(p);
	syn_advance(p);
	while (!syn_ended(p))
		part_parse(p);
	if (!p->c->err && !p->probe_count)
		syn_expected(p, "a probe");
	directives_end(p);
	if (!p->c->err)
		owners_end(p);
	library_read(p);
	if (!p->c->err)
		macros_expand(p);
	probes_settle(p);
	probes_move(p);
}

void script_syntax(struct script_state *c)
{
	struct parse_source source = { .text = c->s->text };
	struct parser p = {
		.c = c, .directive = directive_read, .in.source = &source, .in.at = c->s->text
	};

	source.end = source.text + strlen(source.text);
	p.cdefs_end = &c->s->types;
	if (source.end - source.text > PARSE_TEXT_MAX) {
		script_fail(c, (struct span){}, "the program has more than %d KB",
			    PARSE_TEXT_MAX >> 10);
		return;
	}
	constants_define(&p);
	whole_parse(&p);
	free(p.probes);
}
