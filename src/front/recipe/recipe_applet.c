/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recipe_applet.c - a recipe as an applet: its descriptor, and a run of it, which is a run of argdump
 * with other words.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front/complete.h"
#include "front/recipe/recipe.h"
#include "run/session.h"
#include "util/escape.h"
#include "util/log.h"

static struct recipe recipe; /* one in a run */

/* ---- the run ---- */

static void words_tell(char **words, int count)
{
	struct buf o;

	if (log_level() < 1)
		return;
	buf_init(&o, -1);
	for (int i = 0; i < count; i++) {
		buf_str(&o, i ? " " : "");
		escape_put_shell(&o, words[i], strlen(words[i]));
	}
	buf_char(&o, 0);
	log_debug(1, "%s", o.data ?: "");
	buf_free(&o);
}

static int recipe_args(struct session *s, int argc, char **argv)
{
	static char **args;
	int count, arg_count, err;
	char **words;

	err = recipe_arguments_take(&recipe, &s->options, argc, argv);
	if (!err)
		err = recipe_things_take(&recipe, s->options.dry_run);
	if (!err)
		err = recipe_words(&recipe, &words, &count);
	if (err)
		return err;
	words_tell(words, count);
	options_default(&argdump_applet, count, words, &s->options, &args, &arg_count);
	return argdump_applet.args_set(s, arg_count, args);
}

/* ---- the descriptor ---- */

static char *description_make(struct recipe *r)
{
	struct buf o;

	buf_init(&o, -1);
	buf_bytes(&o, r->description.data, r->description.len - 1);
	for (size_t i = 0; i < r->argument_count; i++)
		buf_printf(&o, "%s  %s  %s\n", i || !o.len ? "" : "\n\n", r->arguments[i].spec.arg,
			   r->arguments[i].spec.help);
	if (recipe_has_intervals(r))
		buf_printf(
			&o,
			"%sWith INTERVAL (seconds), results are printed as often%s; it ends after COUNT of them.",
			o.len ? "\n\n" : "",
			recipe_has_word(r, "--open") ? "" : ", and begin anew each time");
	buf_printf(
		&o,
		"%sIt is a recipe for argdump: argdump --recipe %s prints it, -v shows argdump's "
		"command line.",
		o.len && o.data[o.len - 1] != '\n' ? "\n\n" : "\n", r->name);
	buf_char(&o, 0);
	return recipe_own(r, o.data);
}

/* Of the first argument; what options are about is said by the names of their arguments. */
static void recipe_complete(struct completion *c, const char *begin)
{
	const struct recipe *r = &recipe;
	const char *arg = r->argument_count ? r->arguments[0].spec.arg : "";

	if (!strcmp(arg, "FUNC"))
		argdump_complete(c, begin);
	else
		completion_kind(c, &argdump_applet, arg);
}

static const struct applet *applet_make(struct recipe *r)
{
	static struct applet applet;
	unsigned without = recipe_counts(r) ? OPTION_GROUP_RECORDS | OPTION_GROUP_RING :
					      OPTION_GROUP_AGGREGATE;

	if (recipe_has_pid(r))
		without |= OPTION_GROUP_TASK;
	applet = argdump_applet;
	applet.name = r->name;
	applet.summary = r->summary;
	applet.description = description_make(r);
	applet.args = recipe_usage(r);
	applet.args = applet.args && *applet.args ? applet.args : NULL;
	applet.common &= ~without;
	applet.options = r->specs;
	applet.examples = r->examples;
	applet.is_recipe = true;
	applet.overhead = NULL;
	applet.sees = r->sees.text;
	applet.unseen = r->unseen.text;
	applet.topics = NULL;
	applet.complete = recipe_complete;
	applet.args_set = recipe_args;
	applet.written_for = strchr(r->path, '/') ? &argdump_applet : NULL;
	return applet.description ? &applet : NULL;
}

/* Without a head, a file is called as it is. */
static int name_check(struct recipe *r, const char *given)
{
	const char *slash = strrchr(given, '/');

	if (r->name)
		return 0;
	given = slash ? slash + 1 : given;
	r->name = escape_first(given, strlen(given)) < strlen(given) ? "FILE" : given;
	r->summary = "probes of a file";
	return 0;
}

const struct applet *recipe_applet(const char *name, bool *wrong)
{
	const char *path;
	char *text = recipe_text(name, &path, false);
	int err = text ? 0 : -errno;

	*wrong = !text && (err != -ENOENT || strchr(name, '/'));
	if (*wrong)
		log_error("cannot read '%s': %s", path, strerror(-err));
	if (!text)
		return NULL;
	err = recipe_parse(&recipe, text, path);
	if (path != name)
		recipe_own(&recipe, (char *)path);
	if (!err)
		err = name_check(&recipe, name);
	*wrong = err != 0;
	return err ? NULL : applet_make(&recipe);
}

const struct applet *recipe_named(const char *name)
{
	bool wrong;

	recipe_free(&recipe);
	return recipe_applet(name, &wrong);
}
