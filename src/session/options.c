/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * options.c - the common options, and option tables through argp.
 *
 * It knows which options there are, not how an argument is parsed (option_read.h) or what it is
 * for.
 */
#include "session/options.h"

#include <argp.h>
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/applet.h"
#include "session/man.h"
#include "session/option_check.h"
#include "session/option_read.h"
#include "event.h"
#include "util/json_number.h"
#include "util/log.h"

#define COMMON(name_, letter_, type_, arg_, member_, group_, help_, ...)                           \
	{                                                                                          \
		.name = name_, .letter = letter_, .type = type_, .arg = arg_, .help = help_,       \
		.offset = offsetof(struct options, member_), .group = OPTION_GROUP_##group_,       \
		##__VA_ARGS__                                                                      \
	}

const struct option_spec options_common[] = {
	COMMON("pid", 'p', OPTION_IDS, "PID", pids, TASK,
	       "trace only these processes, with all their threads: 17 or 17,18"),
	COMMON("tid", 't', OPTION_IDS, "TID", tids, TASK, "trace only these threads: 17 or 17,18"),
	COMMON("uid", 'u', OPTION_USERS, "USER", uids, TASK,
	       "trace only these users: names or numbers"),
	COMMON("comm", 'c', OPTION_NAMES, "NAME", names, TASK,
	       "trace only tasks with these command names (at most 15 bytes) or patterns: "
	       "'kworker/*,cat'"),
	COMMON("host-pids", 0, OPTION_FLAG, NULL, host_pids, TASK,
	       "in a container: show and take the host's PIDs and TIDs, not those of coretap's own "
	       "pid namespace"),
	COMMON("cgroup", 0, OPTION_LIST, "PATH", cgroups, TASK,
	       "trace only tasks in this cgroup (v2) or below it"),
	COMMON("container", 0, OPTION_LIST, "ID|NAME", containers, TASK,
	       "trace only tasks in this container, which runs by now: docker's, podman's, "
	       "Kubernetes', LXC's …; the first digits of its id are enough"),
	COMMON("with-container", 0, OPTION_FLAG, NULL, with_container, TASK,
	       "show the container of each task: a column, in JSON \"container\""),
	COMMON("inner-pids", 0, OPTION_FLAG, NULL, inner_pids, TASK,
	       "show processes of another pid namespace as HOST/INNER: their numbers here, and in their "
	       "own one; in JSON \"inner_pid\""),
	COMMON("follow", 'f', OPTION_FLAG, NULL, follow, TASK,
	       "with -p: also trace child processes created from now on"),
	COMMON("as", 0, OPTION_STRING, "USER", as_user, TASK,
	       "with -- COMMAND: run it as this user, with its groups and home; under sudo --as "
	       "\"$SUDO_USER\" is who called sudo"),
	COMMON("keep", 0, OPTION_FLAG, NULL, keep, TASK,
	       "with -- COMMAND: let it run on if tracing ends first"),
	COMMON("failed", 'x', OPTION_FLAG, NULL, failed_only, FAILED, "show only what failed"),
	COMMON("events", 'n', OPTION_UINT, "N", events, RECORDS, "stop after N records"),
	COMMON("ring", 0, OPTION_UINT, "N", ring, RING,
	       "a flight recorder: keep the last N records in memory (at most 1000000, and 256 MiB), and "
	       "write them on SIGUSR1 and at the end; --until, and argdump's --stop-if, end it by a condition"),
	COMMON("until", 0, OPTION_STRING, "EXPR", until, UNTIL,
	       "end with the first record for which EXPR holds: keys of -j that are compared with values by "
	       "== != < <= > >=, or with patterns by ~ !~, joined by &&: 'errno == EIO', "
	       "'latency > 10ms && comm ~ \"cat*\"'"),
	COMMON("duration", 'd', OPTION_SECONDS, "SEC", duration_ns, TRACE,
	       "stop after this time: 5 (seconds), 0.5, 2m, 1h"),
	COMMON("json", 'j', OPTION_FLAG, NULL, json, JSON,
	       "print JSON, one object per line; without --output, COMMAND's stdout goes to stderr"),
	COMMON("trace-json", 0, OPTION_STRING, "FILE", trace_json, RECORDS,
	       "write the records to FILE as trace events, for Perfetto or chrome://tracing: what has a "
	       "duration as a span, anything else as an instant",
	       .not_in_files = true),
	{ .name = "json-strings",
	  .type = OPTION_FLAG,
	  .value = &json_strings,
	  .group = OPTION_GROUP_JSON,
	  .help = "with -j: print numbers beyond 2^53 as strings, for readers that round them (jq "
		  "before 1.7, JavaScript)" },
	COMMON("output", 'o', OPTION_STRING, "FILE", output, TRACE,
	       "write to FILE, replacing it, instead of stdout", .not_in_files = true),
	COMMON("rotate", 0, OPTION_STRING, "SIZE[,N]", rotate, RING,
	       "with -o: begin FILE anew after the record with which it has SIZE bytes (10M); the N files "
	       "before it (default: 5) are FILE.1, FILE.2 …, from the newest to the oldest",
	       .not_in_files = true),
	COMMON("timestamp", 'T', OPTION_TIME, "FORM", timestamp, TRACE,
	       "print the time of each record: clock (HH:MM:SS, the default), iso, rel (since the "
	       "first record), mono or unix"),
	COMMON("extended", 'e', OPTION_FLAG, NULL, extended, EXTENDED, "print more columns"),
	COMMON("columns", 0, OPTION_STRING, "NAME,...", columns, EXTENDED,
	       "print these columns only, in this order: keys of -j"),
	COMMON("kernel-stack", 'k', OPTION_FLAG, NULL, kernel_stack, STACK,
	       "print the kernel stack of each event"),
	COMMON("user-stack", 'U', OPTION_FLAG, NULL, user_stack, STACK,
	       "print the user stack of each event (incomplete for programs without frame "
	       "pointers)"),
	COMMON("ftrace", 0, OPTION_FLAG, NULL, ftrace, STACK,
	       "print records as lines of the kernel's trace file, for KernelShark, Perfetto and others: "
	       "with the CPU, times of CLOCK_MONOTONIC (trace_clock mono), and the flags of $ctx, if it is "
	       "among the EXPRs"),
	COMMON("dwarf", 0, OPTION_BYTES, "SIZE", dwarf, STACK,
	       "-U by the programs' unwind tables (.eh_frame), not by frame pointers: each record has a "
	       "copy of SIZE bytes of the stack, at most 28K (default: 8K)",
	       .bare = "8K"),
	COMMON("lines", 0, OPTION_FLAG, NULL, lines, STACK,
	       "in user stacks, print FILE:LINE of the source of programs that have debug information, "
	       "or for which it is in /usr/lib/debug or beside them"),
	COMMON("stack-depth", 0, OPTION_UINT, "N", stack_depth, STACK,
	       "at most N frames per stack (default: 127)"),
	COMMON("folded", 0, OPTION_FLAG, NULL, folded, STACK,
	       "count calls by their stacks in the kernel and print a line for each at the end, for "
	       "flame graph scripts; both stacks unless -k or -U is given"),
	COMMON("top", 0, OPTION_UINT, "N", top, AGGREGATE, "print only the N largest",
	       .is_saved = true),
	COMMON("sort", 0, OPTION_STRING, "COLUMN", sort, AGGREGATE,
	       "sort by this column, a key of -j: numbers from the largest down, texts from A to Z; "
	       "COLUMN:asc and COLUMN:desc say how, -COLUMN is the latter",
	       .is_saved = true),
	COMMON("interval", 0, OPTION_SECONDS, "SEC", interval_ns, AGGREGATE,
	       "print the counts every SEC seconds, not only at the end"),
	COMMON("clear", 0, OPTION_FLAG, NULL, clear, AGGREGATE,
	       "reset the counts after each interval"),
	COMMON("screen", 0, OPTION_FLAG, NULL, screen, AGGREGATE,
	       "on a terminal: draw each print in place; q quits, < and > choose the column to sort by"),
	COMMON("svg", 0, OPTION_STRING, "FILE", svg, AGGREGATE,
	       "draw a picture into FILE instead of printing: of --folded, and of a --count or --sum by "
	       "$kstack or $ustack, a flame graph, of histograms bars, with --interval a heat map (redrawn each time)",
	       .not_in_files = true),
	COMMON("heatmap", 0, OPTION_FLAG, NULL, heatmap, AGGREGATE,
	       "print histograms as a heat map: a line each --interval (default: 1 second), a column a "
	       "bucket"),
	COMMON("quiet", 'q', OPTION_FLAG, NULL, quiet, BASIC,
	       "print no notes on stderr; warnings and errors stay"),
	COMMON("verbose", 'v', OPTION_COUNT, NULL, verbose, BASIC,
	       "report what is attached and how (-vv: also libbpf's messages)"),
	COMMON("btf", 0, OPTION_STRING, "FILE", btf, BTF,
	       "read the kernel's types from FILE instead of /sys/kernel/btf/vmlinux; to trace, they "
	       "must be the running kernel's",
	       .not_in_files = true),
	COMMON("btf-force", 0, OPTION_FLAG, NULL, btf_force, TRACE,
	       "trace with the types of --btf even if they are not the running kernel's",
	       .not_in_files = true),
	COMMON("buffer", 0, OPTION_SIZE, "SIZE", buffer, RECORDS,
	       "size of the ring buffer, a power of two: 64K to 1G"),
	COMMON("attach", 0, OPTION_CHOICE, "KIND", method, TRACE,
	       "attach only by fentry, kprobe.multi or kprobe; in argdump also fentry.multi or "
	       "fsession (default: the cheapest that works)",
	       .choices = attach_method_choices, .alias = "rung"),
	COMMON("dry-run", 0, OPTION_FLAG, NULL, dry_run, TRACE,
	       "print what would be attached and how, then exit"),
	{ 0 },
};

/* ---- argp ---- */

#define KEY_FIRST   0x1000 /* keys of options: index + this, outside the range of letters */
#define OPTIONS_MAX 96

struct parse {
	const struct applet *applet;
	struct options *options;
	const struct option_spec *specs[OPTIONS_MAX]; /* by key - KEY_FIRST */
	const char *given[OPTIONS_MAX];		      /* the argument it was given; NULL: not yet */
	size_t count;
	struct argp_option argp[OPTIONS_MAX + 3];
	char **args;
	int arg_count;
	bool is_default;	  /* what is set already stays */
	struct option_item *bare; /* just read: the next word may be its argument; NULL: none */
};

bool option_is_common(const struct applet *applet, const struct option_spec *common)
{
	for (const struct option_spec *s = applet->options; s && s->name; s++)
		if (!strcmp(s->name, common->name))
			return false;
	return common->group & applet->common;
}

char option_letter(const struct applet *applet, const struct option_spec *common)
{
	for (const struct option_spec *s = applet->options; s && s->name; s++)
		if (s != common && s->letter == common->letter)
			return 0;
	return common->letter;
}

static void spec_add(struct parse *p, const struct option_spec *spec, int group)
{
	char letter = option_letter(p->applet, spec);
	struct argp_option *o = &p->argp[p->count];

	if (p->count == OPTIONS_MAX)
		abort(); /* the table has too many options: the first test that runs finds it */
	*o = (struct argp_option){
		.name = spec->name,
		.key = letter ? letter : KEY_FIRST + (int)p->count,
		.arg = spec->arg,
		.flags = option_may_be_bare(spec) ? OPTION_ARG_OPTIONAL : 0,
		.doc = spec->help,
		.group = group,
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
	for (const struct option_spec *s = p->applet->options; s && s->name; s++)
		spec_add(p, s, 1);
	for (const struct option_spec *s = options_common; s->name; s++)
		if (option_is_common(p->applet, s)) {
			spec_add(p, s, 2);
			if (s->alias)
				alias_add(p, s);
		}
}

/* argp's own --help has the letter ?. */
static void help_add(struct parse *p)
{
	p->argp[p->count] = (struct argp_option){ .key = 'h', .flags = OPTION_HIDDEN };
}

/* The index of the option; p->count: not found. */
static size_t spec_find(const struct parse *p, int key)
{
	size_t i = 0;

	while (i < p->count && p->argp[i].key != key)
		i++;
	return i;
}

/* An option that takes a single value must not be given another one. */
static void given_note(struct parse *p, size_t i, const char *arg, struct argp_state *state)
{
	const struct option_spec *spec = p->specs[i];

	if (!arg)
		arg = "";
	if (p->given[i] && !option_repeats(spec))
		argp_error(state, "--%s is given twice, as '%s' and as '%s': it takes one value",
			   spec->name, p->given[i], arg);
	p->given[i] = arg;
}

static void argument_take(struct parse *p, char *arg)
{
	if (p->bare && p->arg_count)
		p->bare->text = arg;
	else
		p->args[p->arg_count++] = arg;
}

/* What an item of a list has to do with the applet's arguments. */
static void item_place(struct parse *p, const struct option_spec *spec, char *arg)
{
	struct option_list *list = option_value(spec, p->options);
	struct option_item *item = &list->items[list->count - 1];

	item->args = p->arg_count;
	if (spec->is_arg)
		argument_take(p, arg);
	if (spec->may_be_bare && !arg)
		p->bare = item;
}

static error_t parse_key(int key, char *arg, struct argp_state *state)
{
	struct parse *p = state->input;
	const struct option_spec *spec;
	size_t i = spec_find(p, key);
	const char *wrong;

	if (key == ARGP_KEY_ARG) {
		if (!p->applet->args)
			argp_error(state, "unexpected argument '%s'", arg);
		argument_take(p, arg);
		p->bare = NULL;
		return 0;
	}
	if (key == 'h' && i == p->count)
		argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
	if (i == p->count)
		return ARGP_ERR_UNKNOWN;
	p->bare = NULL;
	spec = p->specs[i];
	if (p->is_default && option_is_set(spec, option_value(spec, p->options)))
		return 0;
	given_note(p, i, arg, state);
	wrong = option_read(spec, arg, option_value(spec, p->options));
	if (wrong)
		argp_error(state, "--%s '%s': %s", spec->name, arg ? arg : "", wrong);
	else if (spec->type == OPTION_LIST)
		item_place(p, spec, arg);
	return 0;
}

/* Called by argp, which frees the result. */
static char *help_text(int key, const char *text, void *input)
{
	const struct parse *p = input;
	size_t i = p ? spec_find(p, key) : 0;
	char *longer = NULL;

	if (!p || i == p->count || !option_adds(p->specs[i]) ||
	    asprintf(&longer, "%s" OPTION_ADDS, text) < 0)
		return (char *)text;
	return longer;
}

/* Cuts the command line at the first "--": argp would take the command's options for ours. */
static int command_split(int argc, char **argv, const struct applet *applet, char ***command)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--") || !(applet->common & OPTION_GROUP_TASK))
			continue;
		*command = argv + i + 1;
		return i;
	}
	return argc;
}

/* "-:NAME" clears a probe in the kernel's notation. getopt can never have an option ':', so the -
 * is removed to make it an argument. */
static void arguments_unmask(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		argv[i] += !strncmp(argv[i], "-:", 2);
}

static void words_parse(struct parse *p, int argc, char **argv)
{
	char *doc = p->is_default ? NULL : man_help(p->applet), *usage = NULL;
	struct argp argp = {
		.options = p->argp, .parser = parse_key, .doc = doc, .help_filter = help_text
	};

	p->args = calloc(argc + 1, sizeof(*p->args));
	if (asprintf(&usage, "%s%s", p->applet->args ? p->applet->args : "",
		     p->applet->common & OPTION_GROUP_TASK ? " [-- COMMAND [ARG...]]" : "") < 0 ||
	    !p->args || (!doc && !p->is_default)) {
		log_error("out of memory");
		exit(EXIT_FAILED);
	}
	argp.args_doc = usage + (*usage == ' ');
	specs_collect(p);
	help_add(p);
	argp_err_exit_status = EXIT_USAGE;
	arguments_unmask(argc, argv);
	if (argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, p))
		exit(EXIT_USAGE);
	options_check_or_exit(p->applet, p->options);
	free(doc);
	free(usage);
}

void options_parse(const struct applet *applet, int argc, char **argv, struct options *options,
		   char ***args, int *arg_count)
{
	struct parse p = { .applet = applet, .options = options };

	options->buffer = applet_buffer(applet);
	argv[0] = (char *)applet->name;
	argc = command_split(argc, argv, applet, &options->command);
	words_parse(&p, argc, argv);
	*args = p.args;
	*arg_count = p.arg_count;
}

void options_default(const struct applet *applet, int argc, char **argv, struct options *options,
		     char ***args, int *arg_count)
{
	struct parse p = { .applet = applet, .options = options, .is_default = true };

	words_parse(&p, argc, argv);
	*args = p.args;
	*arg_count = p.arg_count;
}
