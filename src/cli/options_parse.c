/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * options_parse.c - parses the command line, --help and --version by passing the option tables to argp.
 */
#include "cli/options.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/applet.h"
#include "cli/config.h"
#include "cli/habits.h"
#include "cli/help.h"
#include "cli/option_check.h"
#include "cli/option_read.h"
#include "cli/option_words.h"
#include "util/log.h"
#include "util/terminal.h"

#define KEY_FIRST   0x1000 /* keys of options: index + this, above all letters */
#define OPTIONS_MAX 128
#define PARSE_EXTRA 20 /* headings, --help and related options, the end */
#define HABITS_MAX  32

struct parse {
	const struct applet *applet;
	struct options *options;
	const struct option_spec *specs[OPTIONS_MAX]; /* by key - KEY_FIRST */
	/* argument of each option; NULL: not given yet */
	const char *given[OPTIONS_MAX];
	size_t count;
	struct argp_option argp[OPTIONS_MAX + PARSE_EXTRA + HABITS_MAX];
	char **args;
	int arg_count;
	bool headed[SECTION_LOOK + 1]; /* true if the section has a heading */
	bool is_other;		       /* the line had letters of other tools */
	bool is_behind; /* the last option had no argument: the next word may be its argument */
};

static void spec_add(struct parse *p, const struct option_spec *spec)
{
	char letter = option_letter(p->applet, spec);
	struct argp_option *o = &p->argp[p->count];

	if (p->count == OPTIONS_MAX)
		abort(); /* too many options in the table: the first test detects it */
	*o = (struct argp_option){
		.name = spec->name,
		.key = letter ? letter : KEY_FIRST + (int)p->count,
		.arg = spec->arg,
		.flags = option_may_be_bare(spec) ? OPTION_ARG_OPTIONAL : 0,
		.doc = spec->help,
		.group = (int)help_section_of(spec),
	};
	p->specs[p->count++] = spec;
}

/* A second name for the option added last. */
static void alias_add(struct parse *p, const struct option_spec *spec)
{
	if (p->count == OPTIONS_MAX)
		abort();
	p->argp[p->count] = (struct argp_option){
		.name = spec->alias,
		.flags = OPTION_ALIAS | OPTION_HIDDEN,
	};
	p->specs[p->count++] = spec;
}

static void specs_collect(struct parse *p)
{
	for (const struct option_spec *s = NULL; (s = option_next(p->applet, s));) {
		spec_add(p, s);
		if (s->alias)
			alias_add(p, s);
	}
}

enum { KEY_USAGE = KEY_FIRST - 1, KEY_EXAMPLES = KEY_FIRST - 2 };

static int habit_key(const struct applet *applet, const struct option_habit *h)
{
	return h->letter ? h->letter : KEY_FIRST + OPTIONS_MAX + (int)(h - applet->habits);
}

/* Habits are not in p->specs. */
static void habits_add(struct parse *p, struct argp_option *o)
{
	const struct option_habit *first = p->applet->habits;

	for (const struct option_habit *h = first; h && h->hint; h++) {
		if (h - first == HABITS_MAX)
			abort();
		*o++ = (struct argp_option){ .name = h->name,
					     .key = habit_key(p->applet, h),
					     .arg = h->is_taken ? h->arg : "ANY",
					     .flags = h->is_taken ?
							      OPTION_HIDDEN :
							      OPTION_HIDDEN | OPTION_ARG_OPTIONAL };
	}
}

/* Returns only if the habit has no effect here. */
static bool habit_refuse(const struct applet *applet, int key)
{
	char letter[4], name[64];
	const char *between;

	for (const struct option_habit *h = applet->habits; h && h->hint; h++) {
		if (habit_key(applet, h) != key)
			continue;
		snprintf(letter, sizeof(letter), h->letter ? "-%c" : "", h->letter);
		snprintf(name, sizeof(name), h->name ? "--%s" : "", h->name);
		between = h->letter && h->name ? ", " : "";
		if (h->is_taken) {
			log_note("%s%s%s has no effect: %s", letter, between, name, h->hint);
			return true;
		}
		log_error("there is no %s%s%s", letter, between, name);
		log_hint("%s", h->hint);
		exit(EXIT_USAGE);
	}
	return false;
}

/* Adds headings of sections that have options, and the options that argp would add itself, extended by topics. */
static void help_add(struct parse *p)
{
	struct argp_option *o = &p->argp[p->count];
	const int last = SECTION_LOOK + 1;

	for (size_t i = 0; i < p->count; i++) {
		int section = p->argp[i].group; /* 0 for an alias */

		if (!section || p->headed[section])
			continue;
		p->headed[section] = true;
		*o++ = (struct argp_option){ .doc = help_section(section), .group = section };
	}
	*o++ = (struct argp_option){ .doc = "Help", .group = last };
	*o++ = (struct argp_option){ "help",
				     '?',
				     "TOPIC",
				     OPTION_ARG_OPTIONAL,
				     "print a page, or everything about TOPIC",
				     last };
	*o++ = (struct argp_option){ .key = 'h', .flags = OPTION_HIDDEN };
	*o++ = (struct argp_option){ "examples", KEY_EXAMPLES, NULL, OPTION_HIDDEN, NULL, last };
	*o++ = (struct argp_option){
		"usage", KEY_USAGE, NULL, 0, "print the options' names", last
	};
	*o++ = (struct argp_option){ "version", 'V', NULL, 0, "print the version", last };
	habits_add(p, o);
}

/* Returns the index of the option; p->count: not found. */
static size_t spec_find(const struct parse *p, int key)
{
	size_t i = 0;

	while (i < p->count && p->argp[i].key != key)
		i++;
	return i;
}

/* Checks that an option with a single value is not given twice. */
static void given_note(struct parse *p, size_t i, const char *arg, struct argp_state *state)
{
	const struct option_spec *spec = p->specs[i];

	if (!arg)
		arg = "";
	if (p->given[i] && spec->type == OPTION_TIME && p->is_other) /* -tT in bcc's tools: two
								      * columns */
		log_note("printing one column of times: --timestamp=%s", *arg ? arg : "clock");
	else if (p->given[i] && !option_repeats(spec))
		argp_error(state, "--%s is given twice, as '%s' and '%s': it takes one value",
			   spec->name, p->given[i], arg);
	p->given[i] = arg;
}

/* Remembers an option that sets a common one, for the line that a front end prints. */
static void typed_note(struct option_list *typed, const struct option_spec *spec, const char *arg)
{
	if (!spec->value && !spec->add && typed->count < OPTION_LIST_MAX)
		typed->items[typed->count++] = (struct option_item){ spec, arg };
}

/* Returns NULL, or the text of an error. */
static const char *value_set(struct parse *p, const struct option_spec *spec, const char *arg)
{
	const char *wrong = option_read(spec, arg, option_value(spec, p->options));

	if (!wrong)
		typed_note(&p->options->typed, spec, arg);
	return wrong;
}

static void argument_add(struct parse *p, char *arg, struct argp_state *state)
{
	const char *wrong = p->applet->line.word ? p->applet->line.word(arg, p->is_behind) : NULL;

	if (wrong)
		argp_error(state, "'%s': %s", arg, wrong);
	p->args[p->arg_count++] = arg;
	p->is_behind = false;
}

/* Does not return. */
static void help_show(const struct applet *a, const char *topic, struct argp_state *state)
{
	struct buf o;

	if (topic && !help_has_topic(a, topic))
		argp_error(state, "unknown topic --help=%s", topic);
	buf_init(&o, -1);
	o.is_colored = terminal_has_colors(STDOUT_FILENO);
	if (topic && (!strcmp(topic, "options") || !strcmp(topic, "all")))
		argp_state_help(state, stdout,
				ARGP_HELP_SHORT_USAGE | ARGP_HELP_PRE_DOC | ARGP_HELP_LONG);
	help_print(a, topic, &o);
	fwrite(o.data, 1, o.len, stdout);
	buf_free(&o);
	exit(0);
}

/* Handles options of the help; returns false for any other one, or for a letter that the applet uses itself. */
static bool help_key(const struct parse *p, int key, const char *arg, struct argp_state *state)
{
	if (spec_find(p, key) < p->count)
		return false;
	if (key == 'h' || key == '?')
		help_show(p->applet, arg, state);
	if (key == KEY_EXAMPLES)
		help_show(p->applet, "examples", state);
	if (key == KEY_USAGE)
		argp_state_help(state, stdout, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
	if (key != 'V')
		return false;
	printf("%s\n", argp_program_version);
	exit(0);
}

static error_t parse_key(int key, char *arg, struct argp_state *state)
{
	struct parse *p = state->input;
	const struct option_spec *spec;
	size_t i = spec_find(p, key);
	const char *wrong;

	if (key == ARGP_KEY_ARG) {
		if (!p->applet->args)
			argp_error(state, "unexpected argument '%s'%s", arg,
				   p->applet->common & OPTION_GROUP_TASK ?
					   ": put a command after --" :
					   "");
		argument_add(p, arg, state);
		return 0;
	}
	if (help_key(p, key, arg, state) || i == p->count)
		return habit_refuse(p->applet, key) ? 0 : ARGP_ERR_UNKNOWN;
	spec = p->specs[i];
	p->is_behind = spec->may_be_bare && !arg;
	given_note(p, i, arg, state);
	wrong = value_set(p, spec, arg);
	if (wrong)
		argp_error(state, "--%s '%s': %s", spec->name, arg ? arg : "", wrong);
	return 0;
}

/* Sets an option that the command line does not have. */
static const char *default_set(void *ctx, const struct option_spec *spec, const char *arg)
{
	struct parse *p = ctx;
	size_t i = 0;

	while (p->specs[i] != spec)
		i++;
	return p->given[i] ? NULL : value_set(p, spec, arg);
}

/* The line is checked first: what is wrong after that is a default. */
static void checked_set_defaults(struct parse *p)
{
	const char *path, *wrong;

	options_check_or_exit(p->options);
	path = config_read_or_exit(p->applet, default_set, p);
	wrong = path ? options_check(p->options) : NULL;
	log_verbose(p->options->verbose);
	if (path)
		log_debug(1, "defaults from %s", path);
	if (!wrong)
		return;
	log_error("%s", wrong);
	log_hint(
		"%s has a default that excludes an option of this command: CORETAP_CONFIG= reads no defaults",
		path);
	exit(EXIT_USAGE);
}

/* Called by argp, which frees the result. */
static char *help_text(int key, const char *text, void *input)
{
	const struct parse *p = input;
	size_t i = p ? spec_find(p, key) : 0;
	char *longer = NULL;

	if (key == ARGP_KEY_HELP_DUP_ARGS_NOTE)
		return NULL;
	if (!p || i == p->count || !option_adds(p->specs[i]) ||
	    asprintf(&longer, "%s" OPTION_ADDS, text) < 0)
		return (char *)text;
	return longer;
}

/* A tool about other tasks than the running one has an option --pid of its own, and nothing that follows a command. */
static void command_refuse(const struct applet *applet)
{
	if (!option_find(applet, "pid"))
		return;
	log_error("%s takes no COMMAND: its rows are about other tasks than the one that runs",
		  applet->name);
	log_hint("start the command beside it; --pid PID shows only one process");
	exit(EXIT_USAGE);
}

/* Cuts the command line at the first "--": argp would read the command's options as ours. */
static int command_split(int argc, char **argv, const struct applet *applet, char ***command)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--"))
			continue;
		if (!(applet->common & OPTION_GROUP_TASK)) {
			command_refuse(applet);
			continue;
		}
		*command = argv + i + 1;
		return i;
	}
	return argc;
}

/* "-:NAME" clears a probe in the kernel's notation. getopt cannot have an option ':', so the - is removed to make it
 * an argument. */
static void arguments_unmask(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		argv[i] += !strncmp(argv[i], "-:", 2);
}

static void words_parse(struct parse *p, int argc, char **argv)
{
	char *usage = NULL;
	struct argp argp = {
		.options = p->argp,
		.parser = parse_key,
		.doc = p->applet->summary,
		.help_filter = help_text,
	};

	p->args = calloc(argc + 1, sizeof(*p->args));
	if (asprintf(&usage, "%s%s", p->applet->args ? p->applet->args : "",
		     applet_words_usage(p->applet)) < 0 ||
	    !p->args) {
		log_error("out of memory");
		exit(EXIT_FAILED);
	}
	argp.args_doc = usage + (*usage == ' ');
	specs_collect(p);
	help_add(p);
	argp_err_exit_status = EXIT_USAGE;
	arguments_unmask(argc, argv);
	if (argp_parse(&argp, argc, argv, ARGP_IN_ORDER | ARGP_NO_HELP, NULL, p))
		exit(EXIT_USAGE);
	checked_set_defaults(p);
	free(usage);
}

void options_parse(const struct applet *applet, int argc, char **argv, struct options *options,
		   char ***args, int *arg_count)
{
	struct parse p = { .applet = applet, .options = options };
	char **typed = argv;

	options->attach.buffer = applet_buffer(applet);
	if (applet->line.takes_words)
		argv = words_split(applet, &argc, argv, &options->child);
	argv[0] = (char *)applet->name;
	argc = habits_read_or_exit(applet, argc, &argv);
	p.is_other = argv != typed;
	argc = command_split(argc, argv, applet, &options->child.command);
	words_parse(&p, argc, argv);
	*args = p.args;
	*arg_count = p.arg_count;
}

const char *option_default(const struct option_spec *spec, const char *arg, struct options *options)
{
	void *value = option_value(spec, options);

	if (option_is_set(spec, value) ||
	    (!strcmp(spec->name, "clear") && options_want_metrics(options)))
		return NULL;
	return option_read(spec, arg, value);
}
