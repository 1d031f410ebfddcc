// SPDX-License-Identifier: GPL-2.0
/*
 * saved.c - --save and --load.
 */
#include "argdump/saved.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/diag.h"
#include "core/text.h"
#include "core/words.h"

enum { WORDS_MAX = 256 };

/* ---- reading ---- */

struct saved {
	struct argdump *a;
	const char *path;
	const struct option_spec *specs;
	unsigned number; /* of the line */
};

static int wrong(const struct saved *v, const char *what, const char *which)
{
	diag_error("%s, line %u: %s%s%s", v->path, v->number, what, *which ? " " : "", which);
	return -EINVAL;
}

static const struct option_spec *spec_find(const struct saved *v, const char *name)
{
	for (const struct option_spec *o = v->specs; o->name; o++)
		if (!strcmp(o->name, name) && o->is_saved)
			return o;
	return NULL;
}

/* --name, --name VALUE; returns the words taken, or -EINVAL. */
static int option_take(struct saved *v, char **words, int count)
{
	const struct option_spec *o = spec_find(v, words[0] + 2);
	bool has_value = o && o->type != OPTION_FLAG && o->type != OPTION_COUNT && o->arg;
	const char *mistake;

	if (!o)
		return wrong(v, "no option that a file may have:", words[0]);
	if (has_value && count < 2)
		return wrong(v, "a value is missing behind", words[0]);
	mistake = option_read(o, has_value ? words[1] : NULL, o->value);
	if (mistake)
		return wrong(v, words[0], mistake);
	return 1 + has_value;
}

static int options_take(struct saved *v, char **words, int count)
{
	int taken = 0;

	for (; count > 0; words += taken, count -= taken) {
		taken = strncmp(words[0], "--", 2) ? wrong(v, "options and a probe need a line each:",
							   words[0])
						   : option_take(v, words, count);
		if (taken < 0)
			return taken;
	}
	return 0;
}

/* PROBE EXPR… [--if CONDITION] */
static int probe_take(struct saved *v, char **words, int count)
{
	const char *condition = NULL;
	char **kept;
	int err;

	if (count > 2 && !strcmp(words[count - 2], "--if")) {
		condition = words[count - 1];
		count -= 2;
	}
	kept = malloc(count * sizeof(*kept));
	if (!kept)
		return -ENOMEM;
	memcpy(kept, words, count * sizeof(*kept));
	err = argdump_request_add(v->a, kept[0], (const char *const *)kept + 1, count - 1);
	if (!err)
		v->a->requests[v->a->request_count - 1].condition = condition;
	else if (err == -EINVAL)
		wrong(v, "this probe cannot be", "");
	return err;
}

static int line_take(struct saved *v, char *line)
{
	char *words[WORDS_MAX];
	size_t at;
	int count = words_split(line, words, WORDS_MAX, &at);

	if (count == -EINVAL)
		return wrong(v, "a quote does not end", "");
	if (count < 0)
		return wrong(v, "too many words", "");
	if (!count)
		return 0;
	return strncmp(words[0], "--", 2) ? probe_take(v, words, count)
					  : options_take(v, words, count);
}

int saved_read(struct argdump *a, const char *path, const struct option_spec *specs)
{
	struct saved v = { .a = a, .path = path, .specs = specs };
	FILE *f = fopen(path, "re");
	int err = f ? 0 : -errno;
	char *line = NULL;
	size_t size = 0;

	if (!f)
		diag_error("cannot read '%s': %s", path, strerror(-err));
	while (!err && getline(&line, &size, f) > 0) {
		v.number++;
		err = line_take(&v, line);
		line = NULL; /* the requests point into it */
		size = 0;
	}
	free(line);
	if (f)
		fclose(f);
	if (!err && !a->request_count)
		err = wrong(&v, "there is no probe in it", "");
	return err;
}

/* ---- writing ---- */

static void put_word(struct out *o, const char *word)
{
	out_char(o, ' ');
	text_put_shell(o, word, strlen(word));
}

/* The items of a list that several options share keep their order only among their own. */
static void put_list(struct out *o, const struct option_spec *spec)
{
	const struct option_list *list = spec->value;

	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i].spec != spec)
			continue;
		out_printf(o, "--%s", spec->name);
		if (list->items[i].text)
			put_word(o, list->items[i].text);
		out_char(o, '\n');
	}
}

static void put_option(struct out *o, const struct option_spec *spec)
{
	switch (spec->type) {
	case OPTION_LIST:
		put_list(o, spec);
		return;
	case OPTION_FLAG:
		if (*(const bool *)spec->value)
			out_printf(o, "--%s\n", spec->name);
		return;
	case OPTION_UINT:
		if (*(const uint32_t *)spec->value)
			out_printf(o, "--%s %u\n", spec->name, *(const uint32_t *)spec->value);
		return;
	case OPTION_STRING:
		if (!*(const char *const *)spec->value)
			return;
		out_printf(o, "--%s", spec->name);
		put_word(o, *(const char *const *)spec->value);
		out_char(o, '\n');
		return;
	default:
		return;
	}
}

static void put_request(struct out *o, const struct argdump_request *r)
{
	text_put_shell(o, r->typed[0], strlen(r->typed[0]));
	for (size_t i = 0; i < r->typed_count; i++)
		put_word(o, r->typed[i + 1]);
	if (r->condition) {
		out_str(o, " --if");
		put_word(o, r->condition);
	}
	out_char(o, '\n');
}

int saved_write(const struct argdump *a, const char *path, const struct option_spec *specs)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), err;
	struct out o;

	if (fd < 0) {
		diag_error("cannot write to '%s': %s", path, strerror(errno));
		return EXIT_USAGE;
	}
	out_init(&o, fd);
	out_str(&o, "# Probes of coretap: argdump --load runs them, on any kernel that has these names.\n");
	for (const struct option_spec *spec = specs; spec->name; spec++)
		if (spec->is_saved)
			put_option(&o, spec);
	for (size_t i = 0; i < a->request_count; i++)
		put_request(&o, &a->requests[i]);
	err = out_flush(&o);
	out_free(&o);
	if (close(fd) && !err)
		err = -errno;
	if (err)
		diag_error("cannot write to '%s': %s", path, strerror(err < 0 ? -err : err));
	return err ? EXIT_FAILED : EXIT_FINE;
}
