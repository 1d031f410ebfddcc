/* SPDX-License-Identifier: GPL-2.0 */
/*
 * main.c - finds the applet by argv[0] or argv[1] and runs it.
 *
 * Where things are, for newcomers:
 *   applets.def      the list of applets; applet.h, what an applet says of itself
 *   applets/X.c      applet X; ../bpf/X.bpf.c, its probes; ../include/X.h, the record between them
 *   core/options.c   command line → struct options
 *   core/session.c   one run: open → load → attach → poll → close
 *   core/probe.c     the attach ladder; probe_link.c, raw links; probe_why.c, why not
 *   core/ring.c      the ring buffer's reader; losses.c, what did not arrive
 *   core/schema.c    a record's fields; table.c and json.c, their two forms; text.c, the escaper
 *   core/btf.c       the kernel's types
 *   expr/            argdump's compiler: expressions → BPF instructions
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "applet.h"
#include "core/diag.h"
#include "core/man.h"
#include "core/session.h"

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
	struct nearest near;

	nearest_init(&near, name);
	for (const struct applet *const *a = applets; *a; a++)
		nearest_offer(&near, (*a)->name);
	diag_error("there is no applet '%s'", name);
	if (nearest_get(&near))
		diag_hint("did you mean %s? coretap --list shows all", nearest_get(&near));
	else
		diag_hint("coretap --list shows all");
	return EXIT_USAGE;
}

/* Texts made from the descriptors, for tools/gen-docs and packagers. */
static int text_print(const char *what, const char *name)
{
	const struct applet *applet = name ? applet_find(name) : NULL;
	struct out o;
	int err;

	if (!strcmp(what, "--man") && !applet)
		return applet_unknown(name ? name : "");
	out_init(&o, STDOUT_FILENO);
	if (applet)
		man_page(applet, &o);
	else if (!strcmp(what, "--completion"))
		man_completion(&o);
	else
		man_table(&o);
	err = out_flush(&o);
	out_free(&o);
	return err ? EXIT_FAILED : EXIT_FINE;
}

static int stdout_check(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return EXIT_FINE;
	diag_error("cannot write to stdout");
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

	diag_name(applet ? applet->name : "coretap");
	if (applet)
		return session_main(applet, argc, argv);
	return coretap_main(argc, argv);
}
