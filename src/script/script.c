/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * script.c - the compiler of programs in bpftrace's language: text → struct script, by the first stage.
 */
#include "script/script.h"

#include <stdlib.h>

#include "script/inside.h"
#include "script/syntax/syntax.h"

int script_parse(const char *text, const struct script_args *args, struct script **out,
		 struct script_error *error)
{
	struct script *s = calloc(1, sizeof(*s));
	struct script_state c = { .s = s, .error = error };

	*error = (struct script_error){};
	if (!s)
		return -ENOMEM;
	c.arena = &s->arena;
	s->text = text;
	if (args)
		s->args = *args;
	script_config_default(&s->config);
	script_syntax(&c);
	if (c.err) {
		script_free(s);
		return c.err;
	}
	*out = s;
	return 0;
}

void script_free(struct script *s)
{
	if (!s)
		return;
	script_views_free(s);
	arena_free(&s->arena);
	free(s->maps);
	free(s->actions);
	free(s->texts);
	free(s);
}
