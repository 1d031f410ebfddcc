/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * applet.c - bt: runs programs in bpftrace's language. It is not called bpftrace, because a link of that name would
 * hide the real one.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "front/bt/bt.h"
#include "front/notation/notation.h"
#include "script/inside.h"
#include "kernel/capabilities.h"
#include "run/session.h"
#include "symbols/user/dwarf_find.h"
#include "util/shell_words.h"
#include "symbols/user/usyms.h"
#include "util/log.h"

enum { COMMAND_MAX = 256 };

static const char *program, *command, *format, *mode, *debug_folders;
static struct option_list includes;
static bool list, unsafe, activation, quiet, tests, benches;
static int helper_errors, kind_run;
enum { RUN_TRACE, RUN_TEST, RUN_BENCH }; /* of kind_run */
static const char *const kinds_run[] = { "trace", "test", "bench", NULL };
static struct bt run;

static char *file_read(const char *path)
{
	int err;
	char *text = bt_file_read(path, &err);

	if (text)
		return text; /* owned by the run */
	log_error("cannot read '%s': %s", path, strerror(-err));
	log_hint("use bt -e 'PROGRAM' for the text of a program");
	return NULL;
}

/* "struct NAME" */
static bool is_type(const char *text)
{
	return !strncmp(text, "struct ", 7) || !strncmp(text, "union ", 6) ||
	       !strncmp(text, "enum ", 5);
}

static bool is_iterators(const char *pattern)
{
	return !strncmp(pattern, "iter:", 5) || !strncmp(pattern, "it:", 3);
}

/* -c: the words of a command that is run without a shell. The run ends with it; other processes are also traced. */
static int command_parse(struct session *s)
{
	static char *words[COMMAND_MAX + 1];
	char *line = command ? strdup(command) : NULL; /* owned by the run */
	size_t at;
	int count;

	if (!command)
		return 0;
	count = line ? shell_words_split(line, words, COMMAND_MAX, &at) : -ENOMEM;
	if (count <= 0) {
		log_error("-c: '%s' is not a command", command);
		log_hint("use -c 'COMMAND ARG...', quoted as in a shell; for a shell, sh -c '...'");
		return -EINVAL;
	}
	s->options.child.command = words;
	s->options.child.is_beside = true;
	return 0;
}

/* Applies options of bpftrace that change nothing here, and refuses unknown forms. */
static int options_apply(struct session *s)
{
	const struct notation_absent list[] = {
		{ activation, "--usdt-file-activation", "semaphores are always set", true },
		{ mode && strcmp(mode, "none") && strcmp(mode, "line") && strcmp(mode, "full"),
		  "-B",
		  "-B none, line, full: lines are written as they come to a terminal or a pipe" },
		{ format && strcmp(format, "json") && strcmp(format, "text"), "-f",
		  "-f json, -f text" },
		{ 0 },
	};

	if (helper_errors && quiet) {
		log_error("-k and --no-warnings exclude each other");
		return -EINVAL;
	}
	run.asked.limit = s->options.limits.events;
	s->options.limits.events = 0; /* END and the maps are printed after the last record */
	s->options.rows.json |= format && !strcmp(format, "json");
	return notation_absent_report(list);
}

static int program_parse(struct session *s, const char *text, const char *file)
{
	int err;

	run.a = (struct argdump){ .language = &bt_language,
				  .max_probes = 1024,
				  .maps = PROGRAM_MAPS_NONE };
	probe_kinds = probe_kinds_all;
	run.session = s;
	run.text = text;
	run.file = file;
	run.args.import = bt_import;
	run.args.import_ctx = &run;
	run.world.has_unsafe = unsafe;
	run.args.has_times = !(run.tool && run.tool->reports) &&
			     (s->options.rows.timestamp != TIMESTAMP_NONE ||
			      s->options.files.trace_json ||
			      (run.tool && options_fill_all(&s->options)));
	bt_tool_columns(&run.args, &s->options);
	run.world.reports_failures = helper_errors;
	s->private = &run;
	err = bt_columns_check(s) ?: bt_pictures_check(s, run.tool);
	if (err)
		return err;
	err = script_parse(text, &run.args, &run.script, &run.error);
	if (err == -EINVAL)
		bt_error_report(&run, &run.error);
	else if (err)
		log_error("out of memory");
	if (err)
		return err;
	bt_environment_apply(run.script);
	bt_help_check(&run);
	usyms_demangle(script_config_demangles(&run.script->config) ? DEMANGLE_FULL : DEMANGLE_NOT);
	bt_names_announce(s, run.script);
	run.asked.no_warnings = quiet || run.tool;
	run.asked.tested = tests || kind_run == RUN_TEST    ? PROBE_TEST :
			   benches || kind_run == RUN_BENCH ? PROBE_BENCH :
							      PROBE_BEGIN;
	if (run.tool || s->options.files.trace_json)
		run.script->config.print_maps_on_exit = false;
	run.a.max_probes = run.asked.lists ? UINT32_MAX : run.script->config.max_probes;
	err = bt_places_add(&run);
	run.script->config.print_maps_on_exit &= !run.asked.tested;
	return err;
}

int bt_tool_parse(struct session *s, const struct bt_tool *tool)
{
	run.tool = tool;
	run.file_path = tool->path;
	return program_parse(s, tool->text, tool->path);
}

/* -l PATTERN: parses it as a program without actions. A single word is the name of any probe. */
static int list_parse(struct session *s, int argc, char **argv)
{
	static const char kernel[] =
		"fentry:%s,kprobe:%s,rawtracepoint:%s,tracepoint:*:%s,*ware:%s%s {}",
			  user[] = ",uprobe:*:*,usdt:*:*:*";
	const char *pattern = argc ? argv[0] : "*";
	char *text;
	int len;

	s->private = &run;
	run.asked.listed = is_type(pattern) || is_iterators(pattern) ? pattern : NULL;
	if (run.asked.listed)
		return 0;
	run.asked.pattern = pattern;
	if (strchr(pattern, '/') && !strchr(pattern, ':')) {
		log_error("cannot read '%s': %s", pattern, strerror(errno));
		log_hint("to list probes of a program: bt -l 'uprobe:%s:*'", pattern);
		return -EINVAL;
	}
	if (strlen(pattern) > 3 && !strcmp(pattern + strlen(pattern) - 3, ".bt"))
		log_warn("no file %s; listing probes that match this name", pattern);
	if (strchr(pattern, ':'))
		len = asprintf(&text, "%s {}", pattern);
	else
		len = asprintf(&text, kernel, pattern, pattern, pattern, pattern, pattern,
			       s->options.tasks.pids.count ? user : "");
	return len < 0 ? -ENOMEM : program_parse(s, text, "-l"); /* owned by the run */
}

static int bt_args(struct session *s, int argc, char **argv)
{
	const char *text = program, *file = "stdin"; /* bpftrace's name for it */
	int err = options_apply(s);

	if (err)
		return err;
	dwarf_folders_set(debug_folders);
	s->options.attach.dry_run |= list;
	run.asked.lists = list;
	if (list && !text && !(argc && !own_can_read(argv[0])))
		return list_parse(s, argc, argv);
	if (!text && !argc) {
		log_error("missing program; usage: bt -e 'PROGRAM', or bt FILE");
		log_hint("for example: bt -e 'kprobe:vfs_read { @[comm] = count(); }'");
		return -EINVAL;
	}
	if (!text) {
		if (strpbrk(argv[0], "{ "))
			text = argv[0];
		else
			log_source(text = file_read(argv[0]), file = run.file_path = argv[0], 0, 1);
		argc--;
		argv++;
	}
	if (!text)
		return -EINVAL;
	return bt_params_parse(s, &run, &includes, argc, argv) ?:
		       command_parse(s)			       ?:
								 program_parse(s, text, file);
}

/* As in bpftrace the last one counts. */
static const char *program_add(const struct option_spec *spec, const char *arg)
{
	(void)spec;
	if (program)
		log_note("-e is given again: only the last program is run");
	program = arg;
	return NULL;
}

static const struct option_spec bt_options[] = {
	{ .name = "program",
	  .letter = 'e',
	  .type = OPTION_LIST,
	  .arg = "PROGRAM",
	  .add = program_add,
	  .help = "the program: 'PROBE /FILTER/ { ACTIONS }'" },
	{ .name = "list",
	  .letter = 'l',
	  .type = OPTION_FLAG,
	  .value = &list,
	  .help = "list matching probes, then exit: bt -l 'kprobe:vfs_*'; for a program those that it "
		  "attaches, for 'struct NAME' its members" },
	{ .name = "cmd",
	  .letter = 'c',
	  .type = OPTION_STRING,
	  .arg = "COMMAND",
	  .value = &command,
	  .help = "run this, and exit when it exits; traces all processes; words after -- are the "
		  "program's" },
	{ .name = "format",
	  .letter = 'f',
	  .type = OPTION_STRING,
	  .arg = "FORM",
	  .value = &format,
	  .help = "json (as -j) or text" },
	{ .name = "include",
	  .type = OPTION_LIST,
	  .arg = "FILE",
	  .value = &includes,
	  .help = "read this header before the program; the kernel's own types need no header" },
	{ .name = "headers",
	  .letter = 'I',
	  .type = OPTION_LIST,
	  .arg = "DIR",
	  .value = &run.asked.headers,
	  .help = "look here for headers of #include and --include" },
	{ .name = "debuginfo",
	  .type = OPTION_STRING,
	  .arg = "DIR[:DIR]",
	  .value = &debug_folders,
	  .help = "look here first for separate debug information" },
	{ .name = "unsafe",
	  .type = OPTION_FLAG,
	  .value = &unsafe,
	  .help = "allow system(), signal() and override(), which change the system" },
	{ .name = "warnings",
	  .letter = 'k',
	  .type = OPTION_COUNT,
	  .value = &helper_errors,
	  .help = "warn about each value that could not be read, or was not in a map: such a value is 0" },
	{ .name = "usdt-file-activation",
	  .type = OPTION_FLAG,
	  .value = &activation,
	  .help = "ignored: semaphores of probes are always set" },
	{ .name = "no-warnings",
	  .type = OPTION_FLAG,
	  .value = &quiet,
	  .help = "suppress the program's own warnings" },
	{ .name = "test",
	  .type = OPTION_FLAG,
	  .value = &tests,
	  .help = "run the program's test:NAME probes, and report which fail" },
	{ .name = "bench",
	  .type = OPTION_FLAG,
	  .value = &benches,
	  .help = "run the program's bench:NAME probes, and report the time of each" },
	{ .name = "mode",
	  .type = OPTION_CHOICE,
	  .arg = "MODE",
	  .choices = kinds_run,
	  .value = &kind_run,
	  .help = "trace (the default); test or bench: as --test or --bench" },
	{ .name = "probe-filter",
	  .type = OPTION_STRING,
	  .arg = "REGEX",
	  .value = &run.asked.filter,
	  .rank = RANK_NEVER,
	  .help = "only probes of the program whose names match this regular expression; begin and "
		  "end always run" },
	{ .name = "buffering",
	  .letter = 'B',
	  .type = OPTION_STRING,
	  .arg = "MODE",
	  .value = &mode,
	  .help = "ignored: lines are written as they arrive" },
	{ 0 },
};

static const struct example bt_examples[] = {
	{ "bt -e 'kprobe:vfs_read { @[comm] = count(); }'", "reads by command" },
	{ "bt -e 'kretprobe:vfs_read /retval > 0/ { @bytes = hist(retval); }'",
	  "how many bytes reads return" },
	{ "bt -e 'kprobe:vfs_read { emit(comm, file:path, count); }'",
	  "a row of a table for each read" },
	{ "bt -e 'kprobe:vfs_read /pid == 1/ { @[kstack] = count(); }'",
	  "the stacks that process 1 reads from" },
	{ 0 },
};

/* Records of programs have no time; they are ordered as they were written. */
static uint64_t bt_time(const void *record, size_t size)
{
	(void)record;
	(void)size;
	return 0;
}

const struct applet bt_applet = {
	.name = "bt",
	.summary = "run programs in bpftrace's language, without LLVM",
	.description =
		"PROGRAM is in the language of bpftrace; FILE contains such a program, with $1 ... and "
		"getopt() from the command line. It is compiled to BPF here: nothing else has to be "
		"installed. Output is bpftrace's.\n\n"
		"Probes: kprobe, kretprobe, fentry, fexit (kfunc, kretfunc), tracepoint, "
		"rawtracepoint, uprobe, uretprobe, usdt, profile, interval, software, hardware, "
		"watchpoint, iter, begin, end.\n\n"
		"Besides bpftrace's language: emit(NAME = EXPR:FORMAT, ...) writes rows of a table or "
		"of JSON, EXPR ?? OTHER replaces values that cannot be read, parameters are words, and "
		"let @x = owned_by(sk) removes entries when the object that is their key ends.\n\n"
		"Unsupported code is refused, with a caret at its location and a hint.",
	.buffer = 2 << 20,
	.time_of = bt_time,
	.is_bare = true,
	.args = "FILE [ARG...]",
	.words = " [-- [--NAME=VALUE...] [ARG...]]",
	.common = OPTION_GROUPS_TRACER | OPTION_GROUP_RECORDS,
	.options = bt_options,
	.examples = bt_examples,
	.blind_spots =
		"Those of argdump(8). A program that bt cannot run is refused, with the location.",
	.args_set = bt_args,
	.tracer = &bt_tracer,
};
