/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recipe_applet.c - a recipe as an applet: its descriptor, its arguments, and its run, which is a run of argdump with
 * its model.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/option_read.h"
#include "front/bt/bt.h"
#include "front/front.h"
#include "front/recipe/recipe.h"
#include "run/filter.h"
#include "run/reporting.h"
#include "run/session.h"
#include "util/escape.h"
#include "util/log.h"

static struct option_list namespace_maps; /* --mntnsmap */

/* ---- names of terminals ---- */

/* Converts pts/0, 0 and pts0 to /dev/pts/0, the kernel's name. */
static const char *terminal_name(struct recipe *r, const char *given)
{
	const char *name = given + (!strncmp(given, "/dev/", 5) ? 5 : 0);
	const char *number = name + (!strncmp(name, "pts/", 4) ? 4 : 0);
	char *pts;

	if (!isdigit((unsigned char)*number) || asprintf(&pts, "pts%s", number) < 0)
		return name;
	return recipe_own(r, pts) ?: name;
}

static void terminals_name(struct recipe *r, struct recipe_option *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].value && list[i].spec.arg && !strcmp(list[i].spec.arg, "TTY"))
			list[i].value = terminal_name(r, list[i].value);
}

/* ---- all arguments ---- */

/* Returns the arguments for the usage line; r owns the text. */
static char *recipe_usage(struct recipe *r)
{
	struct buf o;

	buf_init(&o, -1);
	for (size_t i = 0; i < r->argument_count; i++) {
		bool is_optional = r->arguments[i].is_optional;

		buf_printf(&o, "%s%s%s%s", i ? " " : "", is_optional ? "[" : "",
			   r->arguments[i].spec.arg,
			   is_optional		   ? "]" :
			   r->arguments[i].is_list ? "..." :
						     "");
	}
	if (recipe_has_intervals(r))
		buf_printf(&o, "%s[INTERVAL [COUNT]]", o.len ? " " : "");
	buf_char(&o, 0);
	return recipe_own(r, o.data);
}

static int few(const struct recipe *r, int argc)
{
	const struct recipe_option *a = &r->arguments[argc];

	log_error("%s is missing: %s", a->spec.arg, a->spec.help);
	log_hint_help();
	return -EINVAL;
}

static int many(struct recipe *r, const char *first)
{
	const char *usage = recipe_usage(r);

	log_error("unexpected argument '%s'", first);
	if (usage && *usage)
		log_hint("usage: %s [OPTION...] %s", r->name, usage);
	else
		log_hint_help();
	return -EINVAL;
}

/* tcp port 80: words, as tcpdump has them. */
static bool is_filter(const struct recipe_option *argument)
{
	return !strcmp(argument->spec.arg, "FILTER");
}

/* The words of a last argument that takes all: a,b. Returns the number of words then. */
static int list_join(struct recipe *r, int argc, char **argv)
{
	int own = (int)r->argument_count;
	const char *between = is_filter(&r->arguments[own - 1]) ? " " : ",";
	struct buf o;

	if (argc <= own)
		return argc;
	buf_init(&o, -1);
	for (int i = own - 1; i < argc; i++)
		buf_printf(&o, "%s%s", o.len ? between : "", argv[i]);
	buf_char(&o, 0);
	argv[own - 1] = recipe_own(r, o.data);
	return own;
}

/* recipe_applet.c: sets the positional arguments, and INTERVAL and COUNT in `o`. Returns 0, or -EINVAL after printing
 * the error. */
static int recipe_arguments_parse(struct recipe *r, struct options *o, int argc, char **argv)
{
	int needed = 0, own = (int)r->argument_count;
	int most = own + (recipe_has_intervals(r) ? INTERVALS_ARGS : 0), err = 0;

	for (int i = 0; i < own; i++)
		needed += !r->arguments[i].is_optional;
	if (argc < needed)
		return few(r, argc);
	if (own && (r->arguments[own - 1].is_list || is_filter(&r->arguments[own - 1])))
		argc = list_join(r, argc, argv);
	if (argc > most)
		return many(r, argv[most]);
	for (int i = 0; i < argc && i < own; i++)
		r->arguments[i].value = argv[i];
	terminals_name(r, r->arguments, r->argument_count);
	terminals_name(r, r->options, r->option_count);
	if (argc > own)
		err = recipe_intervals_check(r, argc - own, argv + own) ?:
			      intervals_parse(o, argc - own, argv + own,
					      !recipe_has_word(r, "--open"));
	recipe_defaults_set(r, filter_is_any(o) || namespace_maps.count);
	return err ?: recipe_given_check(r, o) ?: recipe_values_read(r);
}

/* ---- the applet ---- */

static struct recipe recipe; /* one in a run */

/* ---- the run ---- */

static void words_show(const char *words)
{
	log_debug(1, "%s", words);
}

/* Checks the common options of a program that reports only with an option of its own. */
static int report_options_check(const struct recipe *r, const struct options *o)
{
	const char *of_rows = o->rows.columns			 ? "--columns is" :
			      o->stacks.kernel || o->stacks.user ? "-k and -U are" :
								   NULL;
	const struct recipe_option *replacing = recipe_replacing(r);
	char option[64];

	if (!replacing)
		return 0;
	snprintf(option, sizeof(option), "--%s", replacing->spec.name);
	if (!recipe_counts(r) || !of_rows)
		return reporting_check_mode(o, recipe_counts(r), option, "event");
	log_error("%s for rows of events, not for %s", of_rows, option);
	return -EINVAL;
}

static int program_args(struct session *s)
{
	static struct bt_tool tool;
	int err = report_options_check(&recipe, &s->options);

	if (err)
		return err;
	tool = (struct bt_tool){ .name = recipe.name,
				 .path = recipe.path,
				 .part = recipe_part,
				 .reports = recipe_counts(&recipe),
				 .may_report = recipe_replacing(&recipe) != NULL,
				 .folds = recipe_has_probe(&recipe, "folded") };
	err = recipe_program(&recipe, &s->options, &tool.text);
	if (err)
		return err;
	log_program(tool.text);
	return bt_tool_parse(s, &tool);
}

/* ---- --mntnsmap ---- */

static int namespace_add(void *conditions, uint64_t number)
{
	struct buf *o = conditions;

	buf_printf(o, "%s%s->nsproxy->mnt_ns->ns.inum == %llu", o->len ? " || " : "",
		   recipe.program.text ? "curtask" : "$task", (unsigned long long)number);
	return 0;
}

static int condition_add(struct recipe *r, const char *text)
{
	char *both;

	if (!r->program.text)
		return argdump_option_add("if", text);
	if (asprintf(&both, "%s && (%s)", r->only ?: "true", text) < 0)
		return -ENOMEM;
	r->only = recipe_own(r, both);
	return r->only ? 0 : -ENOMEM;
}

/* Adds a condition for all probes, before the probes. */
static int namespaces_read(struct recipe *r)
{
	int err = 0;

	for (size_t i = 0; i < namespace_maps.count && !err; i++) {
		const struct option_item *map = &namespace_maps.items[i];
		struct buf o;

		buf_init(&o, -1);
		if (filter_map_each(map->spec->name, map->text, namespace_add, &o))
			return -EINVAL;
		buf_char(&o, 0);
		err = condition_add(r, recipe_own(r, o.data));
	}
	return err;
}

/* True if a condition on the task can be added: argdump's lines have --if, and a program decides by these words. */
static bool has_condition(const struct recipe *r)
{
	return !r->program.text || strstr(r->program.text, "traced") ||
	       strstr(r->program.text, "traces_all");
}

/* Adds the options that all recipes have that filter by tasks. */
static void specs_end(struct recipe *r)
{
	struct option_spec *end = &r->specs[r->option_count];

	if (!has_condition(r) || recipe_has_pid(r))
		return;
	while (end->name)
		end++;
	*end = (struct option_spec){
		.name = "mntnsmap",
		.type = OPTION_LIST,
		.arg = "FILE",
		.value = &namespace_maps,
		.rank = RANK_NEVER,
		.section = SECTION_FILTERS,
		.help = OPTION_MNTNSMAP_HELP,
	};
}

/* Returns the keys of a table of stacks if an option is given that folded stacks do not have; else NULL. */
static const char *stack_keys(struct options *o)
{
	bool has_table = o->rows.json || o->files.openmetrics || o->report.top || o->report.sort ||
			 o->report.clear || (o->report.interval_ns && !o->report.screen);
	bool kernel = o->stacks.kernel, user = o->stacks.user;

	if (!has_table || o->stacks.folded || o->report.svg ||
	    !recipe_has_word(&recipe, "--folded"))
		return NULL;
	o->stacks.kernel = o->stacks.user = false;
	return kernel == user ? "$comm,$ustack,$kstack" :
	       kernel	      ? "$comm,$kstack" :
				"$comm,$ustack";
}

static int recipe_args(struct session *s, int argc, char **argv)
{
	int err = recipe_arguments_parse(&recipe, &s->options, argc, argv);
	if (!err)
		err = recipe_things_read(&recipe, s->options.attach.dry_run && s->options.attach.btf) ?:
			      recipe_functions_read(&recipe, s);
	s->options.stacks.blocks = !s->options.stacks.folded && !s->options.stacks.lines_folded;
	if (!s->options.rows.columns)
		s->options.rows.minor = recipe.minor.text;
	recipe_subjects_choose(&recipe, &s->options);
	err = err ?: recipe_numbers_choose(&recipe, &s->options) ?: namespaces_read(&recipe);
	if (!err && recipe.program.text)
		return program_args(s);
	if (!err)
		err = recipe_fill(&recipe, argdump_model(), s->options.stacks.folded,
				  stack_keys(&s->options));
	return err ?: argdump_filled_run(s, words_show);
}

/* ---- the descriptor ---- */

static char *description_build(struct recipe *r)
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
			"%sWith INTERVAL (seconds), results are printed at each interval%s; tracing ends after COUNT of them.",
			o.len ? "\n\n" : "",
			recipe_has_word(r, "--open") ? "" : ", and start at zero each time");
	buf_printf(&o, "%sIt is a recipe for %s: argdump --recipe %s prints it, -v shows %s.",
		   o.len && o.data[o.len - 1] != '\n' ? "\n\n" : "\n",
		   r->program.text ? "bt" : "argdump", r->name,
		   r->program.text ? "the program" : "argdump's command line");
	buf_char(&o, 0);
	return recipe_own(r, o.data);
}

/* Offers the kind of the first argument; the kinds of options are in the names of their arguments. */
static void recipe_complete(struct completion *c, const char *begin)
{
	const struct recipe *r = &recipe;
	const char *arg = r->argument_count ? r->arguments[0].spec.arg : "";

	if (!strcmp(arg, "FUNC"))
		argdump_complete(c, begin);
	else
		completion_kind(c, &argdump_applet, arg);
}

/* … and for a program: the options that argdump lines get from argdump. */
static void program_options_add(struct recipe *r)
{
	_Static_assert((int)BT_TOOL_OPTIONS < (int)RECIPE_SPECS_MORE, "struct recipe has room");
	bool folds = recipe_has_probe(r, "folded");
	const struct option_spec *more = folds ? bt_fold_options : bt_tool_options;

	if (recipe_counts(r) && !folds)
		return;
	for (struct option_spec *s = &r->specs[r->option_count]; more->name; s++) {
		*s = *more++;
		s->group = OPTION_GROUP_STACK; /* common options: the recipe's own precede them */
	}
}

static const struct applet *applet_build(struct recipe *r)
{
	static struct applet applet;
	unsigned without = recipe_counts(r) ? OPTION_GROUP_RECORDS | OPTION_GROUP_RING :
					      OPTION_GROUP_AGGREGATE;

	if (recipe_replacing(r)) /* it prints records, or counts, as the user wants */
		without = 0;
	if (recipe_has_pid(r))
		without |= OPTION_GROUP_TASK;
	applet = r->program.text ? bt_applet : argdump_applet;
	if (r->program.text)
		program_options_add(r);
	applet.name = r->name;
	applet.summary = r->summary;
	applet.description = description_build(r);
	applet.args = recipe_usage(r);
	applet.args = applet.args && *applet.args ? applet.args : NULL;
	applet.common |= r->program.text ? OPTION_GROUP_RING | OPTION_GROUP_AGGREGATE : 0;
	applet.common &= ~without;
	specs_end(r);
	applet.options = r->specs;
	applet.words = NULL;
	applet.examples = r->example_count ? r->examples : NULL;
	applet.is_recipe = true;
	applet.overhead = NULL;
	applet.sees = r->sees.text;
	applet.unseen = r->unseen.text;
	applet.topics = NULL;
	applet.complete = recipe_complete;
	applet.args_set = recipe_args;
	applet.line.word = NULL;
	applet.written_for = strchr(r->path, '/') ? &argdump_applet : NULL;
	return applet.description ? &applet : NULL;
}

/* A file without a head is named after its path. */
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
	return err ? NULL : applet_build(&recipe);
}

const struct applet *recipe_named(const char *name)
{
	bool wrong;

	recipe_free(&recipe);
	return recipe_applet(name, &wrong);
}
