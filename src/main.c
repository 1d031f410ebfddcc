/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * main.c - finds the applet by argv[0] or argv[1] and runs it.
 *
 * What is where, from the bottom to the top:
 *   util/      buffers, escaping, messages, names of errors, suggestions, shell words, patterns
 *   kernel/    CPU architectures, what this process may do, whether programs are preempted
 *   btf/       the kernel's types: reader, search, layout, the few that a skeleton needs
 *   symbols/   names of addresses: the kernel's, those of programs and libraries
 *   output/    fields of records; table and JSON; values, structs, stacks, histograms as text
 *   attach/    methods to attach, the plan of an applet's hooks, loading, why something failed
 *   cli/       the command line: options, what an applet says of itself, help, man pages, completion
 *   run/       one run: load, attach, ring, loop, losses, processes that are followed, rights
 *   expr/      argdump's compiler, a folder per stage: expressions -> BPF instructions
 *   script/    the compiler of bpftrace's language, a folder per stage: programs -> BPF instructions
 *   program/   a compiled program: its maps, loading it
 *   count/     tables that the kernel keeps for argdump
 *   probe/     its probes: how they are found (providers/), compiled, attached
 *   inspect/   --list, --type
 *   front/     argdump's command line and run; recipe/ (tools that are texts, in ../recipes); bt/ (bpftrace's language); notation/ (trace, argdist)
 *   doctor/    what works on this kernel
 *   applets/   execsnoop, opensnoop, bio…; ../bpf/X.bpf.c, its programs; ../include/X.h, its record
 *   applets.def   the list of applets, applets.c its table; cli/applet.h, what an applet says about itself
 */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets.h"
#include "cli/complete.h"
#include "cli/config.h"
#include "cli/man.h"
#include "run/session.h"
#include "front/find/find.h"
#include "front/peer.h"
#include "front/recipe/recipe.h"
#include "util/buf.h"
#include "util/log.h"
#include "util/terminal.h"

static void list_write(struct buf *o)
{
	for (const struct applet *const *a = applets; *a; a++)
		buf_printf(o, "%-15s %s\n", (*a)->name, (*a)->summary);
	recipe_list(o);
}

/* Begins a text for stdout; text_end prints it. */
static void text_begin(struct buf *o)
{
	buf_init(o, -1);
	o->is_colored = terminal_has_colors(STDOUT_FILENO);
}

static void text_end(struct buf *o)
{
	fwrite(o->data, 1, o->len, stdout);
	buf_free(o);
}

static void list_print(void)
{
	struct buf o;

	text_begin(&o);
	list_write(&o);
	text_end(&o);
}

static const char suite_description[] =
	"Shows what a running Linux kernel and its programs do: execs, opens, system calls, connections, requests to "
	"disks, and with argdump the arguments and results of any function of the kernel or of a program. One "
	"static file, no compiler on the target: members of structs are found by the kernel's own types (BTF). "
	"Linux 5.10 or newer.\n\n"
	"Run a tool as coretap TOOL, or as a command where a symlink to coretap has its name. "
	"Recipes are tools of a few lines for argdump; those in ~/.config/coretap and /etc/coretap are also found. "
	"~/.config/coretap/config has your own defaults of options, one a line: \"color = never\"; below a line \"[TOOL]\", "
	"those of a tool.\n\n"
	"Start with coretap doctor: it reports what works on this kernel, and why the rest does not.\n\n"
	"  coretap find WORDS  tools for a question, best first, each with a line to paste: find who deletes my files\n"
	"  coretap help NAME  the page of a tool\n"
	"  coretap examples [NAME]  the examples of a tool; without NAME, one of each tool\n"
	"  coretap tutorial  a first hour: from a slow program to its cause, with output\n"
	"  --list  the applets and recipes, one per line\n"
	"  --man NAME  the man page of a tool, or of coretap\n"
	"  --completion SHELL  completion for " COMPLETE_SHELLS_TEXT "\n"
	"  --version  the version\n"
	"  NAME --help  a page about it, which lists each --help=TOPIC";

static void help_print(void)
{
	struct buf o;

	text_begin(&o);
	buf_str(&o,
		"Usage: coretap APPLET [OPTION...] [ARG...]\n"
		"   or: APPLET [OPTION...] [ARG...]    (a symlink to coretap)\n\n"
		"See inside a running Linux kernel: one binary, no compiler on the target.\n\n");
	style_title(&o, "Applets", ":\n");
	for (const struct applet *const *a = applets; *a; a++)
		buf_printf(&o, "  %-13s %s\n", (*a)->name, (*a)->summary);
	buf_str(&o,
		"\nRecipes: tools such as tcplife, runqlat and filelife; --list shows all, by theme.\n\n");
	style_title(&o, "To find a tool",
		    ":\n"
		    "  find WORDS    by what it shows: coretap find who deletes my files\n"
		    "  help NAME     its page; examples NAME: lines to paste\n"
		    "  tutorial      a first hour: from a slow program to its cause\n\n");
	style_title(&o, "Options",
		    ":\n"
		    "  --list        the applets and recipes, one per line\n"
		    "  --help        this text; coretap APPLET --help for an applet's\n"
		    "  --version     the version\n"
		    "  --man NAME    the man page of an applet, or of coretap (roff)\n"
		    "  --completion [" COMPLETE_SHELLS_CHOICE
		    "]  completion for that shell; --table[=sees]: markdown\n\n"
		    "Start with: sudo coretap doctor    (what works on this kernel)\n"
		    "            sudo coretap execsnoop (every program that is run)\n");
	text_end(&o);
}

/* An applet, or a recipe. NULL: there is neither; *wrong: what is wrong has been printed. */
static const struct applet *tool_find(const char *name, bool *wrong)
{
	const struct applet *applet = applet_find(name);

	*wrong = false;
	return applet ?: recipe_applet(name, wrong);
}

/* The page of NAME, or of coretap-NAME. Returns an exit status. */
static int man_put(struct buf *o, const char *name)
{
	static const char prefix[] = "coretap-";
	const char *tool = strncmp(name, prefix, strlen(prefix)) ? name : name + strlen(prefix);
	const struct applet *applet;
	struct buf list;
	bool wrong;

	if (!strcmp(name, "coretap")) {
		buf_init(&list, -1);
		list_write(&list);
		buf_char(&list, 0);
		man_suite(o, suite_description, list.data ?: "");
		buf_free(&list);
		return EXIT_FINE;
	}
	applet = tool_find(tool, &wrong);
	if (!applet)
		return wrong ? EXIT_USAGE : find_unknown(1, (char **)&name);
	man_page(applet, name, o);
	return EXIT_FINE;
}

static int completion_put(struct buf *o, const char *shell)
{
	if (complete_script(o, shell, recipe_names()))
		return EXIT_FINE;
	log_error("no completion for %s", shell);
	log_hint("coretap --completion " COMPLETE_SHELLS_TEXT);
	return EXIT_USAGE;
}

static bool is_one_of(const char *word, const char *const *words)
{
	while (*words && strcmp(*words, word))
		words++;
	return *words;
}

/* Texts derived from the descriptors, for `make install`, packagers and shells. Returns an exit
 * status; -1: it is no such text. */
static int text_print(int argc, char **argv)
{
	const char *what = argv[1], *name = argc > 2 ? argv[2] : NULL;
	struct buf o;
	static const char *const finds[] = { "find", "search", "apropos", NULL };
	int code = EXIT_FINE, err;

	buf_init(&o, STDOUT_FILENO);
	o.is_colored = is_one_of(what, finds) && terminal_has_colors(STDOUT_FILENO);
	if (!strcmp(what, "--man"))
		code = man_put(&o, name ?: "coretap");
	else if (!strncmp(what, "--completion", 12) && (!what[12] || what[12] == '='))
		code = completion_put(&o, what[12] ? what + 13 : name ?: "bash");
	else if (!strcmp(what, "--complete"))
		complete_print(&o, argc - 2, argv + 2, recipe_names(), recipe_named, find_complete);
	else if (is_one_of(what, finds))
		code = find_main(&o, argc - 1, argv + 1);
	else if (!strcmp(what, "tutorial"))
		code = find_tutorial(&o);
	else if (!strcmp(what, "examples") && !name)
		find_examples(&o);
	else if (!strcmp(what, "--table"))
		man_table(&o, recipe_names(), recipe_named);
	else if (!strcmp(what, "--table=sees"))
		man_sees(&o, recipe_names(), recipe_named);
	else
		code = -1;
	err = buf_flush(&o);
	buf_free(&o);
	if (err)
		log_error("cannot write to stdout: %s", strerror(-err));
	return err ? EXIT_FAILED : code;
}

/* Help texts are printed by stdio, and argp exits by itself behind them. */
static void stdout_close(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return;
	log_error("cannot write to stdout: %s", strerror(errno));
	_exit(EXIT_FAILED);
}

static int peer_run(int argc, char **argv)
{
	char **words = NULL;

	log_name(argv[0]);
	argc = peer_translate(argc, argv, &words);
	return argc < 0 ? -1 - argc : session_main(applet_find(*words), argc, words);
}

/* True for a supported tool of other projects; of perf, only perf probe. */
static bool is_peer(int argc, char **argv)
{
	return peer_is(argv[0]) &&
	       (strcmp(argv[0], "perf") || (argc > 1 && !strcmp(argv[1], "probe")));
}

static int tool_run(int argc, char **argv)
{
	bool wrong;
	const struct applet *applet = tool_find(argv[0], &wrong);

	if (!applet && !wrong && is_peer(argc, argv))
		return peer_run(argc, argv);
	if (!applet)
		return wrong ? EXIT_USAGE : find_unknown(argc, argv);
	log_name_after_coretap(argv[0]);
	return session_main(applet, argc, argv);
}

/* coretap help NAME, coretap -h NAME, coretap examples NAME */
static int help_of(int argc, char **argv)
{
	bool is_examples = !strcmp(argv[1], "examples");
	char *words[] = { argv[2], (char *)(is_examples ? "--help=examples" : "--help"), NULL };

	if (argc > 2)
		return tool_run(2, words);
	help_print();
	return EXIT_FINE;
}

static int coretap_main(int argc, char **argv)
{
	static const char *const lists[] = { "--list", "-l", "--applets", "list", NULL },
				 *const helps[] = { "--help", "-h", "help", NULL },
				 *const versions[] = { "--version", "-V", "version", NULL };
	int code = EXIT_FINE;

	if (argc < 2) {
		help_print();
		return EXIT_USAGE;
	}
	if (is_one_of(argv[1], lists))
		list_print();
	else if (is_one_of(argv[1], helps) || (argc > 2 && !strcmp(argv[1], "examples")))
		return help_of(argc, argv);
	else if (is_one_of(argv[1], versions))
		printf("%s\n", argp_program_version);
	else if ((code = text_print(argc, argv)) < 0)
		code = tool_run(argc - 1, argv + 1);
	return code;
}

static bool is_tool(const char *name)
{
	return applet_find(name) || is_one_of(name, recipe_names());
}

/* A standard descriptor that the caller closed stays one that fails: otherwise the next file or BPF object opened here
 * would get its number, and rows would be written to it. Programs that are executed find it closed, as it was. */
static void standard_fds_keep(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/", O_PATH | O_CLOEXEC); /* reading and writing it are EBADF */
}

int main(int argc, char **argv)
{
	const char *slash = argc ? strrchr(argv[0], '/') : NULL;
	const char *name = !argc ? "coretap" : slash ? slash + 1 : argv[0];
	bool wrong = false;
	const struct applet *applet;

	standard_fds_keep();
	applets = applets_all;
	config_is_tool = is_tool;
	applet = strncmp(name, "coretap", 7) ? tool_find(name, &wrong) : NULL;
	atexit(stdout_close);
	log_libraries();
	log_name(applet ? applet->name : "coretap");
	if (applet)
		return session_main(applet, argc, argv);
	if (!wrong && peer_is(name)) {
		argv[0] = (char *)name;
		return peer_run(argc, argv);
	}
	return wrong ? EXIT_USAGE : coretap_main(argc, argv);
}
