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
 *   session/   one run: options, load, attach, ring, loop, losses, processes that are followed
 *   expr/      argdump's compiler, a folder per stage: expressions -> BPF instructions
 *   argdump/   its probes: providers/ (what can be probed), aggregate/ (counting), inspect/ (--list),
 *              recipe/ (tools that are texts, in ../recipes)
 *   doctor/    what works on this kernel
 *   applets/   execsnoop, opensnoop, bio…; ../bpf/X.bpf.c, its programs; ../include/X.h, its record
 *   not_linked.c  stands in front of library functions that are never called: the binary is smaller
 *   applets.def   the list of applets; session/applet.h, what an applet says about itself
 */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/applet.h"
#include "session/man.h"
#include "session/session.h"
#include "argdump/recipe/recipe.h"
#include "util/buf.h"
#include "util/log.h"
#include "util/suggest.h"
#include "version.h"

const char *argp_program_version = "coretap " CORETAP_VERSION; /* -V and --version of applets */

static void list_print(void)
{
	struct buf o;

	for (const struct applet *const *a = applets; *a; a++)
		printf("%-15s %s\n", (*a)->name, (*a)->summary);
	buf_init(&o, -1);
	recipe_list(&o);
	fwrite(o.data, 1, o.len, stdout);
	buf_free(&o);
}

static void help_print(void)
{
	printf("Usage: coretap APPLET [OPTION...] [ARG...]\n"
	       "   or: APPLET [OPTION...] [ARG...]    (a symlink to coretap)\n\n"
	       "See inside a running Linux kernel: one binary, no compiler on the target.\n\n"
	       "Applets:\n");
	for (const struct applet *const *a = applets; *a; a++)
		printf("  %-13s %s\n", (*a)->name, (*a)->summary);
	printf("\nRecipes: tools as tcplife, runqlat and filelife; --list shows all, by theme.\n");
	printf("\nOptions:\n"
	       "  --list        the applets and recipes, one a line\n"
	       "  --help        this text; coretap APPLET --help for an applet's\n"
	       "  --version     the version\n"
	       "  --man APPLET  its man page (roff); --completion [bash|zsh]; --table: markdown\n\n"
	       "Start with: sudo coretap doctor    (what works on this kernel)\n"
	       "            sudo coretap execsnoop (every program that is run)\n");
}

/* An applet, or a recipe. NULL: there is neither; *wrong: what is wrong has been printed. */
static const struct applet *tool_find(const char *name, bool *wrong)
{
	const struct applet *applet = applet_find(name);

	*wrong = false;
	return applet ?: recipe_applet(name, wrong);
}

static int applet_unknown(const char *name)
{
	struct suggestion near;

	suggest_init(&near, name);
	for (const struct applet *const *a = applets; *a; a++)
		suggest_offer(&near, (*a)->name);
	for (const char *const *recipe = recipe_names(); *recipe; recipe++)
		suggest_offer(&near, *recipe);
	log_error("there is no tool '%s'", name);
	if (suggest_get(&near))
		log_hint("did you mean %s? coretap --list shows all", suggest_get(&near));
	else
		log_hint("coretap --list shows all");
	return EXIT_USAGE;
}

/* Texts derived from the descriptors, for `make install` and packagers. */
static int text_print(const char *what, const char *name)
{
	bool wrong = false;
	const struct applet *applet = name && !strcmp(what, "--man") ? tool_find(name, &wrong) :
								       NULL;
	struct buf o;
	int err;

	if (wrong)
		return EXIT_USAGE;
	if (!strcmp(what, "--man") && !applet)
		return applet_unknown(name ? name : "");
	if (!strcmp(what, "--completion") && name && strcmp(name, "bash") && strcmp(name, "zsh")) {
		log_error("there is no completion for %s", name);
		log_hint("coretap --completion bash, or zsh");
		return EXIT_USAGE;
	}
	buf_init(&o, STDOUT_FILENO);
	if (applet)
		man_page(applet, &o);
	else if (!strcmp(what, "--completion"))
		man_completion(&o, name && !strcmp(name, "zsh"), recipe_names(), recipe_named);
	else
		man_table(&o, recipe_names(), recipe_named);
	err = buf_flush(&o);
	buf_free(&o);
	if (err)
		log_error("cannot write to stdout: %s", strerror(-err));
	return err ? EXIT_FAILED : EXIT_FINE;
}

/* Help texts are printed by stdio, and argp exits by itself behind them. */
static void stdout_close(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return;
	log_error("cannot write to stdout: %s", strerror(errno));
	_exit(EXIT_FAILED);
}

static int tool_run(int argc, char **argv)
{
	bool wrong;
	const struct applet *applet = tool_find(argv[0], &wrong);

	if (applet)
		return session_main(applet, argc, argv);
	return wrong ? EXIT_USAGE : applet_unknown(argv[0]);
}

static int coretap_main(int argc, char **argv)
{
	if (argc < 2) {
		help_print();
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--list") || !strcmp(argv[1], "-l") || !strcmp(argv[1], "--applets"))
		list_print();
	else if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
		help_print();
	else if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V") ||
		 !strcmp(argv[1], "version"))
		printf("%s\n", argp_program_version);
	else if (!strcmp(argv[1], "--man") || !strcmp(argv[1], "--completion") ||
		 !strcmp(argv[1], "--table"))
		return text_print(argv[1], argc > 2 ? argv[2] : NULL);
	else
		return tool_run(argc - 1, argv + 1);
	return EXIT_FINE;
}

int main(int argc, char **argv)
{
	const char *slash = argc ? strrchr(argv[0], '/') : NULL;
	const char *name = !argc ? "coretap" : slash ? slash + 1 : argv[0];
	bool wrong = false;
	const struct applet *applet = strncmp(name, "coretap", 7) ? tool_find(name, &wrong) : NULL;

	atexit(stdout_close);
	log_name(applet ? applet->name : "coretap");
	if (applet)
		return session_main(applet, argc, argv);
	return wrong ? EXIT_USAGE : coretap_main(argc, argv);
}
