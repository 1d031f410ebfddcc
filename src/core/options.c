/* SPDX-License-Identifier: GPL-2.0 */
/*
 * options.c - the common options, and option tables through argp.
 *
 * It knows how an argument is read, not what it is for.
 */
#include "core/options.h"

#include <argp.h>
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applet.h"
#include "core/diag.h"
#include "core/man.h"
#include "event.h"

#define COMMON(name_, letter_, type_, arg_, member_, group_, help_, ...)                          \
	{ .name = name_, .letter = letter_, .type = type_, .arg = arg_, .help = help_,            \
	  .offset = offsetof(struct options, member_), .group = OPTION_GROUP_##group_,            \
	  ##__VA_ARGS__ }

const struct option_spec options_common[] = {
	COMMON("pid", 'p', OPTION_UINT, "PID", pid, TASK, "only this process (all its threads)"),
	COMMON("tid", 't', OPTION_UINT, "TID", tid, TASK, "only this thread"),
	COMMON("uid", 'u', OPTION_USER, "USER", uid, TASK, "only this user, a number or a name"),
	COMMON("comm", 'c', OPTION_COMM, "NAME", comm, TASK,
	       "only tasks with this command name (at most 15 bytes)"),
	COMMON("cgroup", 0, OPTION_STRING, "PATH", cgroup, TASK,
	       "only tasks in this cgroup (v2) or below it"),
	COMMON("follow", 'f', OPTION_FLAG, NULL, follow, TASK,
	       "with -p: its children too, and theirs, from their fork on"),
	COMMON("failed", 'x', OPTION_FLAG, NULL, failed_only, FAILED, "only what failed"),
	COMMON("events", 'n', OPTION_UINT, "N", events, TRACE, "stop after N records"),
	COMMON("duration", 'd', OPTION_SECONDS, "SEC", duration_ns, TRACE,
	       "stop after this time: 5, 0.5, 2m, 1h"),
	COMMON("json", 'j', OPTION_FLAG, NULL, json, JSON, "one JSON object a line"),
	COMMON("output", 'o', OPTION_STRING, "FILE", output, TRACE,
	       "write the records to FILE (replaced if it exists)"),
	COMMON("timestamp", 'T', OPTION_TIME, "FORM", timestamp, TRACE,
	       "time of each record: iso (default), rel, mono or unix"),
	COMMON("extended", 'e', OPTION_FLAG, NULL, extended, EXTENDED, "more columns"),
	COMMON("kernel-stack", 'k', OPTION_FLAG, NULL, kernel_stack, STACK,
	       "with each record the kernel's stack: how the probe was reached"),
	COMMON("user-stack", 'U', OPTION_FLAG, NULL, user_stack, STACK,
	       "with each record the program's stack; programs built without frame pointers "
	       "show little of it"),
	COMMON("stack-depth", 0, OPTION_UINT, "N", stack_depth, STACK,
	       "so many frames of a stack at most (default 127)"),
	COMMON("folded", 0, OPTION_FLAG, NULL, folded, STACK,
	       "no records: at the end, a line for each stack with its count, as flame graph "
	       "scripts read it; -k and -U unless one of them is given"),
	COMMON("quiet", 'q', OPTION_FLAG, NULL, quiet, BASIC, "no notes on stderr; errors stay"),
	COMMON("verbose", 'v', OPTION_COUNT, NULL, verbose, BASIC,
	       "say what is attached and how; twice: libbpf's messages too"),
	COMMON("btf", 0, OPTION_STRING, "FILE", btf, BTF,
	       "kernel types from FILE instead of /sys/kernel/btf/vmlinux"),
	COMMON("buffer", 0, OPTION_SIZE, "SIZE", buffer, TRACE,
	       "ring buffer, a power of two: 64K to 1G"),
	COMMON("rung", 0, OPTION_CHOICE, "KIND", rung, TRACE,
	       "attach only by: fentry, kprobe.multi, kprobe; argdump: fentry.multi, fsession, too "
	       "(default: the first that works)",
	       .choices = probe_rung_choices),
	COMMON("dry-run", 0, OPTION_FLAG, NULL, dry_run, TRACE,
	       "print what would be attached and how, then stop"),
	{ 0 },
};

#define STACK_DEPTH_MAX 1024

/* Text of a signed-free decimal number; false when anything else is in it. */
static bool number_read(const char *arg, uint64_t max, uint64_t *value)
{
	char *end;

	if (*arg < '0' || *arg > '9')
		return false;
	errno = 0;
	*value = strtoull(arg, &end, 10);
	return !*end && !errno && *value <= max;
}

static const char *id_read(const char *arg, void *value)
{
	uint64_t n;

	if (!number_read(arg, UINT32_MAX, &n))
		return "a number from 0 to 4294967295 is wanted";
	*(struct option_id *)value = (struct option_id){ .id = n, .set = true };
	return NULL;
}

/* /etc/passwd itself: getpwnam would load NSS modules, which a static binary cannot. */
static const char *user_read(const char *arg, void *value)
{
	struct option_id *id = value;
	struct passwd *entry;
	FILE *f;

	if (!id_read(arg, value))
		return NULL;
	f = fopen("/etc/passwd", "re");
	while (f && !id->set && (entry = fgetpwent(f)))
		if (!strcmp(entry->pw_name, arg))
			*id = (struct option_id){ .id = entry->pw_uid, .set = true };
	if (f)
		fclose(f);
	return id->set ? NULL : "no such user in /etc/passwd; a number is taken too";
}

static const char *comm_read(const char *arg, void *value)
{
	size_t len = strlen(arg);

	if (!len || len >= EVENT_COMM_LEN)
		return "a command name has 1 to 15 bytes (the kernel keeps no more)";
	*(const char **)value = arg;
	return NULL;
}

/* A decimal number with a fraction and one of the units; the sum stays exact to a nanosecond. */
static const char *seconds_read(const char *arg, void *value)
{
	static const struct { const char *unit; double ns; } units[] = {
		{ "", 1e9 }, { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "m", 60e9 }, { "h", 3600e9 },
	};
	char *end;
	double n = strtod(arg, &end);

	if (end == arg || !(n > 0) || *arg == '-' || *arg == '+')
		return "a time such as 5, 0.5, 100ms, 2m or 1h is wanted";
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].unit))
			continue;
		if (n * units[i].ns > 1e18 || n * units[i].ns < 1)
			return "the time is out of range (1 ns to 31 years)";
		*(uint64_t *)value = n * units[i].ns;
		return NULL;
	}
	return "the unit is one of ms, s, m, h";
}

static const char *size_read(const char *arg, void *value)
{
	static const char units[] = "KMG";
	char *end;
	uint64_t n = strtoull(arg, &end, 10);
	const char *unit = *end ? strchr(units, *end & ~0x20) : NULL;

	if (*arg < '0' || *arg > '9' || (*end && (!unit || end[1])))
		return "a size such as 65536, 512K or 8M is wanted";
	n <<= unit ? 10 * (unit - units + 1) : 0;
	if (n < 64 << 10 || n > 1ull << 30 || (n & (n - 1)))
		return "a power of two from 64K to 1G is wanted";
	*(uint64_t *)value = n;
	return NULL;
}

static const char *time_read(const char *arg, void *value)
{
	static const char *const forms[] = { "iso", "rel", "mono", "unix" };

	for (int i = 0; i < 4; i++) {
		if (arg && strcmp(arg, forms[i]))
			continue;
		*(enum timestamp_form *)value = TIMESTAMP_ISO + i;
		return NULL;
	}
	return "iso, rel, mono or unix is wanted";
}

static const char *choice_read(const struct option_spec *spec, const char *arg, void *value)
{
	for (int i = 0; spec->choices[i]; i++) {
		if (strcmp(arg, spec->choices[i]))
			continue;
		*(int *)value = i;
		return NULL;
	}
	return "no such choice (see --help)";
}

static const char *uint_read(const char *arg, void *value)
{
	uint64_t n;

	if (!number_read(arg, UINT32_MAX, &n) || !n)
		return "a number from 1 to 4294967295 is wanted";
	*(uint32_t *)value = n;
	return NULL;
}

static const char *list_read(const struct option_spec *spec, const char *arg, void *value)
{
	struct option_list *list = value;

	if (list->count == OPTION_LIST_MAX)
		return "these are too many";
	if (arg && !*arg)
		return "it is empty";
	list->items[list->count++] = (struct option_item){ spec, arg };
	return NULL;
}

const char *option_read(const struct option_spec *spec, const char *arg, void *value)
{
	switch (spec->type) {
	case OPTION_FLAG:
		*(bool *)value = true;
		return NULL;
	case OPTION_COUNT:
		++*(int *)value;
		return NULL;
	case OPTION_UINT:
		return uint_read(arg, value);
	case OPTION_ID:
		return id_read(arg, value);
	case OPTION_USER:
		return user_read(arg, value);
	case OPTION_COMM:
		return comm_read(arg, value);
	case OPTION_STRING:
		if (!*arg)
			return "it is empty";
		*(const char **)value = arg;
		return NULL;
	case OPTION_SECONDS:
		return seconds_read(arg, value);
	case OPTION_SIZE:
		return size_read(arg, value);
	case OPTION_TIME:
		return time_read(arg, value);
	case OPTION_CHOICE:
		return choice_read(spec, arg, value);
	case OPTION_LIST:
		return list_read(spec, arg, value);
	}
	return "unknown option type";
}

/* ---- argp ---- */

#define KEY_FIRST 0x1000 /* keys of options: index + this, so that letters are argp's business */
#define OPTIONS_MAX 64

struct parse {
	const struct applet *applet;
	struct options *options;
	const struct option_spec *specs[OPTIONS_MAX]; /* by key - KEY_FIRST */
	size_t count;
	struct argp_option argp[OPTIONS_MAX + 3];
	char **args;
	int arg_count;
};

static void spec_add(struct parse *p, const struct option_spec *spec, int group)
{
	struct argp_option *o = &p->argp[p->count];

	if (p->count == OPTIONS_MAX)
		abort(); /* a table outgrew this file: seen by the first test that runs */
	*o = (struct argp_option){
		.name = spec->name,
		.key = spec->letter ? spec->letter : KEY_FIRST + (int)p->count,
		.arg = spec->arg,
		.flags = spec->type == OPTION_TIME ? OPTION_ARG_OPTIONAL : 0,
		.doc = spec->help,
		.group = group,
	};
	p->specs[p->count++] = spec;
}

static void specs_collect(struct parse *p)
{
	for (const struct option_spec *s = p->applet->options; s && s->name; s++)
		spec_add(p, s, 1);
	for (const struct option_spec *s = options_common; s->name; s++)
		if (s->group & p->applet->common)
			spec_add(p, s, 2);
}

static const struct option_spec *spec_find(const struct parse *p, int key)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->argp[i].key == key)
			return p->specs[i];
	return NULL;
}

static error_t parse_key(int key, char *arg, struct argp_state *state)
{
	struct parse *p = state->input;
	const struct option_spec *spec = spec_find(p, key);
	const char *wrong;

	if (key == ARGP_KEY_ARG) {
		if (!p->applet->args)
			argp_error(state, "unexpected argument '%s'", arg);
		p->args[p->arg_count++] = arg;
		return 0;
	}
	if (!spec)
		return ARGP_ERR_UNKNOWN;
	wrong = option_read(spec, arg,
			    spec->value ? spec->value : (char *)p->options + spec->offset);
	if (wrong)
		argp_error(state, "--%s '%s': %s", spec->name, arg ? arg : "", wrong);
	return 0;
}

/* A command after the first "--": argp would permute its options into ours. */
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

/* "-:NAME" clears a probe in the kernel's notation. getopt knows no option ':' and never can, so
 * that it is an argument is said by leaving the - out. */
static void arguments_unmask(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		argv[i] += !strncmp(argv[i], "-:", 2);
}

static void options_check(const struct applet *applet, const struct options *o)
{
	const char *wrong = NULL;

	if (o->command && !o->command[0])
		wrong = "a command is wanted after --";
	else if (o->command && (o->pid || o->tid || o->follow))
		wrong = "-- COMMAND traces that command and its children: without -p, -t, -f";
	else if (o->follow && !o->pid)
		wrong = "-f follows the children of a process: give it by -p PID, or -- COMMAND";
	else if (o->folded && o->json)
		wrong = "--folded is a text form of its own: without --json";
	else if (o->stack_depth > STACK_DEPTH_MAX)
		wrong = "--stack-depth is at most 1024";
	if (!wrong)
		return;
	diag_error("%s", wrong);
	diag_hint("see %s --help", applet->name);
	exit(EXIT_USAGE);
}

void options_parse(const struct applet *applet, int argc, char **argv, struct options *options,
		   char ***args, int *arg_count)
{
	struct parse p = { .applet = applet, .options = options };
	char *doc = man_help(applet), *usage = NULL;
	struct argp argp = { .options = p.argp, .parser = parse_key, .doc = doc };

	p.args = calloc(argc + 1, sizeof(*p.args));
	if (asprintf(&usage, "%s%s", applet->args ? applet->args : "",
		     applet->common & OPTION_GROUP_TASK ? " [-- COMMAND [ARG...]]" : "") < 0 ||
	    !p.args || !doc) {
		diag_error("out of memory");
		exit(EXIT_FAILED);
	}
	argp.args_doc = usage + (*usage == ' ');
	options->buffer = applet_buffer(applet);
	specs_collect(&p);
	argp_err_exit_status = EXIT_USAGE;
	argv[0] = (char *)applet->name;
	argc = command_split(argc, argv, applet, &options->command);
	arguments_unmask(argc, argv);
	if (argp_parse(&argp, argc, argv, 0, NULL, &p))
		exit(EXIT_USAGE);
	options_check(applet, options);
	if (options->folded && !options->kernel_stack && !options->user_stack)
		options->kernel_stack = options->user_stack = true;
	free(doc);
	free(usage);
	*args = p.args;
	*arg_count = p.arg_count;
}
