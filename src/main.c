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
 *   argdump/   its probes: providers/ (what can be probed), aggregate/ (counting), inspect/ (--list)
 *   doctor/    what works on this kernel
 *   applets/   execsnoop, opensnoop, bio…; ../bpf/X.bpf.c, its programs; ../include/X.h, its record
 *   not_linked.c  stands in front of library functions that are never called: the binary is smaller
 *   applets.def   the list of applets; session/applet.h, what an applet says about itself
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "session/applet.h"
#include "session/man.h"
#include "session/session.h"
#include "util/log.h"
#include "util/suggest.h"

#ifndef CORETAP_VERSION
#define CORETAP_VERSION "unknown"
#endif

static void list_print(void)
{
	for (const struct applet *const *a = applets; *a; a++)
		printf("%-13s %s\n", (*a)->name, (*a)->summary);
}

static void help_print(void)
{
	printf("Usage: coretap APPLET [OPTION...] [ARG...]\n"
	       "   or: APPLET [OPTION...] [ARG...]    (a symlink to coretap)\n\n"
	       "See inside a running Linux kernel: one binary, no compiler on the target.\n\n"
	       "Applets:\n");
	for (const struct applet *const *a = applets; *a; a++)
		printf("  %-13s %s\n", (*a)->name, (*a)->summary);
	printf("\nOptions:\n"
	       "  --list        the applets, one a line\n"
	       "  --help        this text; coretap APPLET --help for an applet's\n"
	       "  --version     the version\n"
	       "  --man APPLET  its man page (roff); --completion: for bash; --table: markdown\n\n"
	       "Start with: sudo coretap doctor    (what works on this kernel)\n"
	       "            sudo coretap execsnoop (every program that is run)\n");
}

static int applet_unknown(const char *name)
{
	struct suggestion near;

	suggest_init(&near, name);
	for (const struct applet *const *a = applets; *a; a++)
		suggest_offer(&near, (*a)->name);
	log_error("there is no applet '%s'", name);
	if (suggest_get(&near))
		log_hint("did you mean %s? coretap --list shows all", suggest_get(&near));
	else
		log_hint("coretap --list shows all");
	return EXIT_USAGE;
}

/* Texts derived from the descriptors, for `make install` and packagers. */
static int text_print(const char *what, const char *name)
{
	const struct applet *applet = name ? applet_find(name) : NULL;
	struct buf o;
	int err;

	if (!strcmp(what, "--man") && !applet)
		return applet_unknown(name ? name : "");
	buf_init(&o, STDOUT_FILENO);
	if (applet)
		man_page(applet, &o);
	else if (!strcmp(what, "--completion"))
		man_completion(&o);
	else
		man_table(&o);
	err = buf_flush(&o);
	buf_free(&o);
	return err ? EXIT_FAILED : EXIT_FINE;
}

static int stdout_check(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return EXIT_FINE;
	log_error("cannot write to stdout");
	return EXIT_FAILED;
}

static int coretap_main(int argc, char **argv)
{
	if (argc < 2) {
		help_print();
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--list"))
		list_print();
	else if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		help_print();
	else if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
		printf("coretap %s\n", CORETAP_VERSION);
	else if (!strcmp(argv[1], "--man") || !strcmp(argv[1], "--completion") ||
		 !strcmp(argv[1], "--table"))
		return text_print(argv[1], argc > 2 ? argv[2] : NULL);
	else if (applet_find(argv[1]))
		return session_main(applet_find(argv[1]), argc - 1, argv + 1);
	else
		return applet_unknown(argv[1]);
	return stdout_check();
}

int main(int argc, char **argv)
{
	const char *slash = argc ? strrchr(argv[0], '/') : NULL;
	const char *name = !argc ? "coretap" : slash ? slash + 1 : argv[0];
	const struct applet *applet = applet_find(name);

	log_name(applet ? applet->name : "coretap");
	if (applet)
		return session_main(applet, argc, argv);
	return coretap_main(argc, argv);
}
