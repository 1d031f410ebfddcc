/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * probe_file.c - --save and --load.
 */
#include "argdump/probe_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "expr/legacy/legacy.h"
#include "session/option_read.h"
#include "util/log.h"
#include "util/escape.h"
#include "util/shell_words.h"

enum { WORDS_MAX = 256 };

/* ---- reading ---- */

struct saved {
	struct argdump *a;
	const char *path;
	struct session *s;
	unsigned number; /* line number */
};

static int wrong(const struct saved *v, const char *what, const char *which)
{
	log_error("%s:%u: %s%s%s", v->path, v->number, what, *which ? " " : "", which);
	return -EINVAL;
}

static const struct option_spec *spec_search(const struct option_spec *o, const char *name)
{
	for (; o->name; o++)
		if (!strcmp(o->name, name) && o->is_saved)
			return o;
	return NULL;
}

static const struct option_spec *spec_find(const struct saved *v, const char *name)
{
	return spec_search(v->s->applet->options, name) ?: spec_search(options_common, name);
}

/* Was it set before, on the command line or on an earlier line? */
static bool is_set(const struct option_spec *o, const void *value)
{
	if (o->type == OPTION_UINT)
		return *(const uint32_t *)value;
	if (o->type == OPTION_SECONDS)
		return *(const uint64_t *)value;
	return o->type == OPTION_STRING && *(const char *const *)value;
}

/* --name, --name VALUE. Returns the number of words used, or -EINVAL. */
static int option_take(struct saved *v, char **words, int count)
{
	const struct option_spec *o = spec_find(v, words[0] + 2);
	bool has_value = o && o->type != OPTION_FLAG && o->type != OPTION_COUNT && o->arg;
	const char *mistake;
	void *value;

	if (!o)
		return wrong(v, "a file cannot have this option:", words[0]);
	if (has_value && count < 2)
		return wrong(v, "a value is missing after", words[0]);
	value = option_value(o, &v->s->options);
	if (is_set(o, value))
		return wrong(
			v, "this option takes one value, and has been given one before:", words[0]);
	mistake = option_read(o, has_value ? words[1] : NULL, value);
	if (mistake)
		return wrong(v, words[0], mistake);
	return 1 + has_value;
}

static int options_take(struct saved *v, char **words, int count)
{
	int taken = 0;

	for (; count > 0; words += taken, count -= taken) {
		taken = strncmp(words[0], "--", 2) ?
				wrong(v, "options and a probe need a line each:", words[0]) :
				option_take(v, words, count);
		if (taken < 0)
			return taken;
	}
	return 0;
}

/* The conditions at the end of a line, in order. Returns the number of words before them. */
static int conditions_find(char **words, int count)
{
	while (count > 2 && !strcmp(words[count - 2], "--if"))
		count -= 2;
	return count;
}

/* Reports a PROBE that cannot be read, with its line. */
static int probe_check(const struct saved *v, char **words, int count)
{
	struct probe_spec_error error;
	struct probe_spec spec;
	int err = 0;

	if (!legacy_words((const char *const *)words, count))
		err = probe_spec_parse(words[0], &spec, &error);
	else
		return 0;
	if (!err)
		probe_spec_free(&spec);
	if (err != -EINVAL)
		return err;
	wrong(v, "this is not a probe:", error.message);
	log_caret(words[0], error.start, error.end);
	if (error.hint[0])
		log_hint("%s", error.hint);
	return err;
}

/* PROBE EXPR… [--if CONDITION]… */
static int probe_take(struct saved *v, char **words, int all)
{
	int count = conditions_find(words, all), err;
	struct argdump_request *r;
	char **kept;

	if (all - count > 2 * ARGDUMP_CONDITIONS_MAX)
		return wrong(v, "more than 8 conditions", "");
	kept = malloc(count * sizeof(*kept));
	if (!kept)
		return -ENOMEM;
	memcpy(kept, words, count * sizeof(*kept));
	err = probe_check(v, kept, count);
	if (!err)
		err = argdump_request_add(v->a, kept[0], (const char *const *)kept + 1, count - 1);
	if (err)
		return err;
	r = &v->a->requests[v->a->request_count - 1];
	for (; count < all; count += 2)
		r->conditions[r->condition_count++] = words[count + 1];
	return 0;
}

static int line_take(struct saved *v, char *line)
{
	char *words[WORDS_MAX];
	size_t at;
	int count = shell_words_split(line, words, WORDS_MAX, &at);

	if (count == -EINVAL)
		return wrong(v, "a quote does not end", "");
	if (count < 0)
		return wrong(v, "too many words", "");
	if (!count)
		return 0;
	return strncmp(words[0], "--", 2) ? probe_take(v, words, count) :
					    options_take(v, words, count);
}

int probe_file_read(struct argdump *a, const char *path, struct session *s)
{
	struct saved v = { .a = a, .path = path, .s = s };
	FILE *f = fopen(path, "re");
	int err = f ? 0 : -errno;
	char *line = NULL;
	size_t size = 0;

	if (!f)
		log_error("cannot read '%s': %s", path, strerror(-err));
	while (!err && getline(&line, &size, f) > 0) {
		v.number++;
		err = line_take(&v, line);
		line = NULL; /* the requests keep pointers into the line */
		size = 0;
	}
	free(line);
	if (f)
		fclose(f);
	if (!err && !a->request_count)
		err = wrong(&v, "the file has no probe", "");
	return err;
}

/* ---- writing ---- */

static void put_word(struct buf *o, const char *word)
{
	buf_char(o, ' ');
	escape_put_shell(o, word, strlen(word));
}

/* Options that share a list keep their order only within that list. */
static void put_list(struct buf *o, const struct option_spec *spec, const struct option_list *list)
{

	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i].spec != spec)
			continue;
		buf_printf(o, "--%s", spec->name);
		if (list->items[i].text)
			put_word(o, list->items[i].text);
		buf_char(o, '\n');
	}
}

static void put_option(struct buf *o, const struct option_spec *spec, const void *value)
{
	switch (spec->type) {
	case OPTION_LIST: put_list(o, spec, value); return;
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
		put_word(o, *(const char *const *)value);
		buf_char(o, '\n');
		return;
	default: return;
	}
}

static void put_request(struct buf *o, const struct argdump_request *r)
{
	escape_put_shell(o, r->typed[0], strlen(r->typed[0]));
	for (size_t i = 0; i < r->typed_count; i++)
		put_word(o, r->typed[i + 1]);
	for (size_t i = 0; i < r->condition_count; i++) {
		buf_str(o, " --if");
		put_word(o, r->conditions[i]);
	}
	buf_char(o, '\n');
}

static void put_options(struct buf *o, const struct option_spec *spec, struct options *options)
{
	for (; spec->name; spec++)
		if (spec->is_saved)
			put_option(o, spec, option_value(spec, options));
}

int probe_file_write(const struct argdump *a, const char *path, struct session *s)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), err;
	struct buf o;

	if (fd < 0) {
		log_error("cannot write to '%s': %s", path, strerror(errno));
		return EXIT_USAGE;
	}
	buf_init(&o, fd);
	buf_str(&o,
		"# Probes of coretap: argdump --load runs them, on any kernel that has these names.\n");
	put_options(&o, s->applet->options, &s->options);
	put_options(&o, options_common, &s->options);
	for (size_t i = 0; i < a->request_count; i++)
		put_request(&o, &a->requests[i]);
	err = buf_flush(&o);
	buf_free(&o);
	if (close(fd) && !err)
		err = -errno;
	if (err)
		log_error("cannot write to '%s': %s", path, strerror(err < 0 ? -err : err));
	return err ? EXIT_FAILED : EXIT_FINE;
}
