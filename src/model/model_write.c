/* SPDX-License-Identifier: GPL-2.0-only */
/* model_write.c - writes the model as words of argdump's command line: for --save, and to show what a notation
 * means. */
#include "model/model.h"

#include <string.h>

#include "cli/option_read.h"
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
	bool has_letter = spec->letter && !option->is_spelled;

	if (has_letter)
		buf_printf(o, " -%c", spec->letter);
	else
		buf_printf(o, " --%s", spec->name);
	if (!text)
		return;
	if (!option_may_be_bare(spec))
		buf_char(o, ' ');
	else if (!has_letter)
		buf_char(o, '=');
	word_write(o, text);
}

/* Returns the common option that an option sets, or NULL if it only looks at the probes instead of running them. */
static const struct option_spec *common_option(const struct option_spec *spec)
{
	const struct option_spec *s = options_common;

	while (s->name && s->offset != spec->offset)
		s++;
	return !s->name || !strcmp(s->name, "dry-run") || !strcmp(s->name, "verbose") ||
			       !strcmp(s->name, "btf") ?
		       NULL :
		       s;
}

void model_typed_write(struct buf *o, const struct options *options)
{
	for (size_t i = 0; i < options->typed.count; i++) {
		const struct option_item *item = &options->typed.items[i];
		struct model_option option = { .spec = common_option(item->spec),
					       .text.text = item->text };

		if (option.spec)
			option_write(o, &option);
	}
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
