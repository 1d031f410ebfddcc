/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * applet_bt.c - bt: bpftrace's one-liners. Not called bpftrace: a link of that name would stand
 * before the real one.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/argdump.h"
#include "front/notation/notation.h"
#include "kernel/capabilities.h"
#include "run/session.h"
#include "util/shell_words.h"
#include "util/log.h"

extern const struct applet argdump_applet;

enum { FILE_MAX = 64 << 10, COMMAND_MAX = 256 };

static const char *program, *command, *format, *mode;
static struct option_list includes;
static bool list, unsafe, activation, quiet;

static char *file_read(const char *path)
{
	int fd = strcmp(path, "-") ? own_open(path, O_RDONLY) : STDIN_FILENO;
	char *text = calloc(1, FILE_MAX + 2);
	size_t len = 0;
	int err = fd < 0 ? fd : text ? 0 : -ENOMEM;
	ssize_t got = 1;

	while (!err && got && len <= FILE_MAX) {
		got = read(fd, text + len, FILE_MAX + 1 - len);
		err = got < 0 ? -errno : 0;
		len += got > 0 ? got : 0;
	}
	if (!err && len > FILE_MAX)
		err = -EFBIG;
	for (size_t i = 0; !err && i < len; i++)
		text[i] = text[i] ?: '\1'; /* else it would end the program: so it is refused */
	if (err) {
		log_error("cannot read '%s': %s", path, strerror(-err));
		log_hint("bt -e 'PROGRAM' takes the program itself");
		free(text);
		return NULL;
	}
	return text; /* the run's */
}

/* argdump -l knows bpftrace's names of probes. */
static int probes_list(struct session *s, int argc, char **argv)
{
	static struct notation_run r;

	notation_run_word(&r, "-l");
	for (int i = 0; i < argc; i++)
		notation_run_word(&r, argv[i]);
	return notation_run(s, &r);
}

/* "struct NAME" */
static bool is_type(const char *text)
{
	return !strncmp(text, "struct ", 7) || !strncmp(text, "union ", 6) ||
	       !strncmp(text, "enum ", 5);
}

static int type_show(struct session *s, const char *type)
{
	static struct notation_run r;

	notation_run_word(&r, "--type");
	notation_run_word(&r, type);
	return notation_run(s, &r);
}

/* -c: the words of a command, run without a shell. The run ends with it, and other processes are
 * also traced. */
static int command_parse(struct session *s)
{
	static char *words[COMMAND_MAX + 1];
	char *line = command ? strdup(command) : NULL; /* the run's */
	size_t at;
	int count;

	if (!command)
		return 0;
	if (s->options.command) {
		log_error("-c COMMAND and -- COMMAND exclude each other");
		log_hint("-- COMMAND traces what that command does, -c COMMAND all until it ends");
		return -EINVAL;
	}
	count = line ? shell_words_split(line, words, COMMAND_MAX, &at) : -ENOMEM;
	if (count <= 0) {
		log_error("-c: '%s' is no command", command);
		log_hint("-c 'COMMAND ARG...'; quotes as in a shell, which is sh -c '...'");
		return -EINVAL;
	}
	s->options.command = words;
	s->options.command_beside = true;
	return 0;
}

/* Options of bpftrace's that are said in another way. */
static int options_take(struct session *s)
{
	const struct notation_absent list[] = {
		{ includes.count, "--include", "types come from the kernel's BTF", true },
		{ unsafe, "--unsafe", "nothing that changes the system can be asked for", true },
		{ activation, "--usdt-file-activation", "semaphores are set anyhow", true },
		{ quiet, "--no-warnings", "-q prints results and errors only", true },
		{ mode, "-B", "lines are written as they come to a terminal or a pipe", true },
		{ format && strcmp(format, "json") && strcmp(format, "text"), "-f",
		  "-f json, -f text" },
		{ 0 },
	};

	s->options.json |= format && !strcmp(format, "json");
	return notation_absent_report(list) ?: command_parse(s);
}

static int bt_args(struct session *s, int argc, char **argv)
{
	const char *text = program;
	int err = options_take(s);

	if (err)
		return err;
	if (list && argc && is_type(argv[0]))
		return type_show(s, argv[0]);
	if (list && !text && !(argc && !own_can_read(argv[0])))
		return probes_list(s, argc, argv);
	s->options.dry_run |= list; /* the probes of the program */
	if (!text && !argc) {
		log_error("which program? usage: bt -e 'PROGRAM', or bt FILE");
		log_hint("for example: bt -e 'kprobe:vfs_read { @[comm] = count(); }'");
		return -EINVAL;
	}
	if (!text) {
		text = strpbrk(argv[0], "{ ") ? argv[0] : file_read(argv[0]);
		argc--;
		argv++;
	}
	return text ? notation_run_bpftrace(s, text, argc, argv) : -EINVAL;
}

static const struct option_spec bt_options[] = {
	{ .name = "program",
	  .letter = 'e',
	  .type = OPTION_STRING,
	  .arg = "PROGRAM",
	  .value = &program,
	  .help = "the program: 'PROBE /FILTER/ { ACTIONS }'" },
	{ .name = "list",
	  .letter = 'l',
	  .type = OPTION_FLAG,
	  .value = &list,
	  .help = "list matching probes, then exit: bt -l 'kprobe:vfs_*'; for a program those it "
		  "attaches, for 'struct NAME' its members" },
	{ .name = "command",
	  .letter = 'c',
	  .type = OPTION_STRING,
	  .arg = "COMMAND",
	  .value = &command,
	  .help = "run this, and exit when it exits; traces all processes (unlike -- COMMAND)" },
	{ .name = "format",
	  .letter = 'f',
	  .type = OPTION_STRING,
	  .arg = "FORM",
	  .value = &format,
	  .help = "json (as -j) or text" },
	{ .name = "include",
	  .letter = 'I',
	  .type = OPTION_LIST,
	  .arg = "HEADER",
	  .value = &includes,
	  .help = "ignored: types come from the kernel's BTF" },
	{ .name = "unsafe",
	  .type = OPTION_FLAG,
	  .value = &unsafe,
	  .help = "ignored: no program here changes the system" },
	{ .name = "usdt-file-activation",
	  .type = OPTION_FLAG,
	  .value = &activation,
	  .help = "ignored: semaphores of probes are always set" },
	{ .name = "no-warnings", .type = OPTION_FLAG, .value = &quiet, .help = "ignored: use -q" },
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
	{ "bt -e 'kprobe:vfs_read /pid == 1/ { @[kstack] = count(); }'",
	  "the stacks that process 1 reads from" },
	{ 0 },
};

const struct applet bt_applet = {
	.name = "bt",
	.summary = "run bpftrace one-liners, translated to argdump",
	.description =
		"PROGRAM is in the language of bpftrace; FILE contains such a program, with $1 ... "
		"from the command line. It is translated to an argdump command line, which is printed "
		"(not with -q) and run. Therefore all options of argdump for output, processes and "
		"time work, and values are shown by their types.\n\n"
		"Probes: kprobe, kretprobe, fentry, fexit (kfunc, kretfunc), tracepoint, "
		"rawtracepoint, uprobe, uretprobe, usdt, profile, interval, software, hardware, "
		"BEGIN, END. Several are joined by --and. A value that one probe stores and another "
		"reads (@start[tid] = nsecs) becomes -r, if they are the entry and the return of the "
		"same function, or --until. A printf becomes named values and --print, the text "
		"around them; the names are those in its text (\"sectors=%d\") or those of the "
		"members. Values known in advance are computed during translation: in BEGIN, and in "
		"loops with a known number of rounds. Maps are printed at the end; interval:s:N { "
		"print(@x); } becomes --interval N, exit() there -d N. An if becomes an --if; $x = "
		"EXPR is an abbreviation.\n\n"
		"Not supported: other loops, functions that change something (system, signal, "
		"override), tuples as keys of one value, maps with different keys in one run, "
		"printing and counting in one run. Such a program is refused, with a caret at the "
		"place and a hint.",
	.buffer = 2 << 20,
	.args = "FILE [ARG...]",
	.common = OPTION_GROUPS_TRACER | OPTION_GROUP_RECORDS | OPTION_GROUP_RING |
		  OPTION_GROUP_STACK | OPTION_GROUP_AGGREGATE,
	.options = bt_options,
	.examples = bt_examples,
	.blind_spots = notation_blind_spots,
	.args_set = bt_args,
	.tracer = &argdump_tracer,
};
