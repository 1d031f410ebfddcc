/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * program.c - what a program consists of, and the steps from its text to its tree.
 */
#include <stdlib.h>

#include "script/syntax/parser.h"
#include "script/syntax/syntax.h"

static void part_parse(struct parser *p)
{
	syn_probe(p);
}

/* Moves the probes to the program. */
static void probes_keep(struct parser *p)
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

void script_syntax(struct script_state *c)
{
	struct parser p = { .c = c, .source.text = c->s->text };

	p.source.end = p.source.text + strlen(p.source.text);
	p.in.at = p.source.text;
	p.cdefs_end = &c->s->types;
	if (p.source.end - p.source.text > PARSE_TEXT_MAX) {
		script_fail(c, (struct span){}, "the program has more than %d KB",
			    PARSE_TEXT_MAX >> 10);
		return;
	}
	syn_advance(&p);
	while (p.in.t.kind != LEX_END)
		part_parse(&p);
	if (!c->err && !p.probe_count)
		syn_expected(&p, "a probe");
	probes_settle(&p);
	probes_keep(&p);
	free(p.probes);
}
