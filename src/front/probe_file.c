/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * probe_file.c - --save and --load. A file is a recipe (recipe/recipe.h), with or without a head.
 */
#include "front/front.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "front/recipe/recipe.h"
#include "kernel/place.h"
#include "run/session.h"
#include "util/log.h"
#include "util/escape.h"

/* ---- reading ---- */

/* The file's words come before those of the command line, whose first PROBE follows the file's last
 * as after --and. */
static int words_join(struct argdump *a, struct session *s, int *argc, char ***argv, int count,
		      char **words)
{
	size_t lists[ARGDUMP_LISTS_MAX];
	static char **all; /* requests point into it */
	char **own;
	int own_count;

	several_lists_mark(a, lists);
	options_default(s->applet, count, words, &s->options, &own, &own_count);
	several_lists_shift(a, lists, own_count, *argc);
	all = calloc(own_count + *argc + 1, sizeof(*all));
	if (!all)
		return -ENOMEM;
	memcpy(all, own, own_count * sizeof(*all));
	memcpy(all + own_count, *argv, *argc * sizeof(*all));
	free(own);
	a->file_args = own_count;
	*argc += own_count;
	*argv = all;
	return 0;
}

int probe_file_read(struct argdump *a, struct session *s, int *argc, char ***argv)
{
	static struct recipe recipe;
	const char *path;
	char **words, *text = recipe_text(a->load, &path, true);
	int count, err;

	if (!text) {
		log_error("cannot read '%s': %s", a->load, strerror(errno));
		return -EINVAL;
	}
	err = recipe_parse(&recipe, text, path);
	if (!err)
		err = recipe_words(&recipe, &words, &count);
	return err ?: words_join(a, s, argc, argv, count, words);
}

/* ---- writing ---- */

static void write_word(struct buf *o, const char *word)
{
	buf_char(o, ' ');
	escape_write_shell(o, word, strlen(word));
}

/* Options that share a list keep their order only within that list. */
static void write_list(struct buf *o, const struct option_spec *spec,
		       const struct option_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i].spec != spec || list->items[i].owner)
			continue;
		buf_printf(o, "--%s", spec->name);
		if (list->items[i].text)
			write_word(o, list->items[i].text);
		buf_char(o, '\n');
	}
}

/* On the line of its probe. */
static void write_own(struct buf *o, const struct option_list *list, unsigned owner)
{
	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i].owner != owner)
			continue;
		buf_printf(o, " --%s", list->items[i].spec->name);
		if (list->items[i].text)
			write_word(o, list->items[i].text);
	}
}

static void write_option(struct buf *o, const struct option_spec *spec, const void *value)
{
	switch (spec->type) {
	case OPTION_LIST: write_list(o, spec, value); return;
	case OPTION_FLAG:
		if (*(const bool *)value)
			buf_printf(o, "--%s\n", spec->name);
		return;
	case OPTION_UINT:
		if (*(const uint32_t *)value)
			buf_printf(o, "--%s %u\n", spec->name, *(const uint32_t *)value);
		return;
	case OPTION_STRING:
		if (!*(const char *const *)value)
			return;
		buf_printf(o, "--%s", spec->name);
		write_word(o, *(const char *const *)value);
		buf_char(o, '\n');
		return;
	default: return;
	}
}

static void write_request(struct buf *o, const struct argdump *a, const struct argdump_request *r)
{
	if (!r->typed)
		return;
	escape_write_shell(o, r->typed[0], strlen(r->typed[0]));
	for (size_t i = 0; i < r->typed_count; i++)
		write_word(o, r->typed[i + 1]);
	for (size_t i = 0; i < r->condition_count; i++) {
		buf_str(o, " --if");
		write_word(o, r->conditions[i]);
	}
	for (size_t i = 0; several_own_list(a, i); i++)
		write_own(o, several_own_list(a, i), r->owner);
	buf_char(o, '\n');
}

static void write_options(struct buf *o, const struct option_spec *spec, struct options *options)
{
	for (; spec->name; spec++)
		if (spec->is_saved)
			write_option(o, spec, option_value(spec, options));
}

int probe_file_write(const struct argdump *a, const char *path, struct session *s)
{
	int fd = place_create_at(path, 0666), err;
	struct buf o;

	if (fd < 0) {
		file_failed(path, fd);
		return EXIT_USAGE;
	}
	buf_init(&o, fd);
	buf_str(&o,
		"# Probes of coretap: argdump --load runs them, on any kernel that has these names.\n");
	if (a->name)
		buf_printf(&o, "recipe %s: probes saved by argdump\n", a->name);
	write_options(&o, s->applet->options, &s->options);
	write_options(&o, options_common, &s->options);
	for (size_t i = 0; i < a->request_count; i++)
		write_request(&o, a, &a->requests[i]);
	err = buf_flush(&o);
	buf_free(&o);
	if (close(fd) && !err)
		err = -errno;
	if (err)
		log_error("cannot write to '%s': %s", path, strerror(err < 0 ? -err : err));
	return err ? EXIT_FAILED : EXIT_FINE;
}
