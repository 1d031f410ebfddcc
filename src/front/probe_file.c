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

int probe_file_read(struct argdump *a)
{
	static struct recipe recipe;
	const char *path;
	char *text = recipe_text(a->files.load, &path, true);

	if (!text) {
		log_error("cannot read '%s': %s", a->files.load, strerror(errno));
		return -EINVAL;
	}
	model_load_begin(&a->model, path);
	return recipe_parse(&recipe, text, path) ?: recipe_fill(&recipe, &a->model, false, NULL);
}

/* ---- writing ---- */

static void write_word(struct buf *o, const char *word)
{
	buf_char(o, ' ');
	escape_write_shell(o, word, strlen(word));
}

/* Writes the values of one option. */
static void write_list(struct buf *o, const struct option_spec *spec,
		       const struct option_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		buf_printf(o, "--%s", spec->name);
		write_word(o, list->items[i].text);
		buf_char(o, '\n');
	}
}

/* Writes the options of all probes. */
static void write_all(struct buf *o, const struct option_spec *spec,
		      const struct model_options *all)
{
	for (size_t i = 0; i < all->count; i++) {
		if (all->list[i].spec != spec)
			continue;
		model_option_write(o, &all->list[i]);
		buf_char(o, '\n');
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

static void write_options(struct buf *o, const struct option_spec *spec, const struct argdump *a,
			  struct options *options)
{
	for (; spec->name; spec++) {
		if (spec->setting)
			write_all(o, spec, &a->model.all);
		else if (spec->is_saved)
			write_option(o, spec, option_value(spec, options));
	}
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
	if (a->files.name)
		buf_printf(&o, "recipe %s: probes saved by argdump\n", a->files.name);
	write_options(&o, s->applet->options, a, &s->options);
	write_options(&o, options_common, a, &s->options);
	for (unsigned i = 1; i <= a->model.count; i++) {
		model_probe_write(&o, model_probe_at(&a->model, i));
		buf_char(&o, '\n');
	}
	err = buf_flush(&o);
	buf_free(&o);
	if (close(fd) && !err)
		err = -errno;
	if (err)
		log_error("cannot write to '%s': %s", path, strerror(err < 0 ? -err : err));
	return err ? EXIT_FAILED : EXIT_FINE;
}
