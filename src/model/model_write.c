/* SPDX-License-Identifier: GPL-2.0-only */
/* model_write.c - writes the model as words of argdump's command line: for --save, and to show what a notation
 * means. */
#include "model/model.h"

#include <string.h>

#include "util/escape.h"

static void word_write(struct buf *o, const char *word)
{
	escape_write_shell(o, word, strlen(word));
}

void model_option_write(struct buf *o, const struct model_option *option)
{
	buf_printf(o, "--%s", option->spec->name);
	if (!option->text.text)
		return;
	buf_char(o, ' ');
	word_write(o, option->text.text);
}

void model_probe_write(struct buf *o, const struct model_probe *p)
{
	word_write(o, p->attach.text);
	for (size_t i = 0; i < p->expr_count; i++) {
		buf_char(o, ' ');
		word_write(o, p->exprs[i].text);
	}
	for (int setting = MODEL_NONE + 1; setting < MODEL_SETTINGS; setting++) {
		const struct model_option *option = NULL;

		while ((option = model_options_next(&p->own, setting, option))) {
			buf_char(o, ' ');
			model_option_write(o, option);
		}
	}
}

/* ---- as a command line ---- */

/* Writes an option by its letter, if it has one; an optional argument is attached to it. */
static void option_write(struct buf *o, const struct model_option *option)
{
	const struct option_spec *spec = option->spec;
	const char *text = option->text.text;

	if (spec->letter && !option->is_spelled)
		buf_printf(o, " -%c", spec->letter);
	else
		buf_printf(o, " --%s", spec->name);
	if (!text)
		return;
	if (spec->type != OPTION_TIME)
		buf_char(o, spec->may_be_bare ? '=' : ' ');
	word_write(o, text);
}

static void probe_write(struct buf *o, const struct model_probe *p)
{
	const struct model_option *option = p->own.list, *end = option + p->own.count;

	word_write(o, p->attach.text);
	for (size_t i = 0; i <= p->expr_count; i++) {
		for (; option < end && option->exprs_before == i; option++)
			option_write(o, option);
		if (i == p->expr_count)
			break;
		buf_char(o, ' ');
		word_write(o, p->exprs[i].text);
	}
}

void model_command_write(struct buf *o, const struct model *m)
{
	for (size_t i = 0; i < m->all.count; i++)
		option_write(o, &m->all.list[i]);
	for (size_t i = 0; i < m->count; i++) {
		buf_str(o, i ? " --and " : " ");
		probe_write(o, &m->probes[i]);
	}
}
