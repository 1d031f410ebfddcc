/* SPDX-License-Identifier: GPL-2.0 */
/*
 * applet.h - the descriptor: everything about an applet, said once.
 *
 * Options, --help, man page, completion, README's table, table header, rows and JSON keys all
 * come from it. An applet's file holds one of these and the hooks that it names.
 */
#ifndef CORETAP_APPLET_H
#define CORETAP_APPLET_H

#include <stddef.h>

#include "core/options.h"
#include "core/probe.h"
#include "core/schema.h"

struct session;

struct example {
	const char *command; /* as typed; the tests parse each with --dry-run */
	const char *what;
};

struct applet {
	const char *name;
	const char *summary;	 /* one line, no capital, no full stop */
	const char *description; /* paragraphs for --help and the man page */
	const char *args;	 /* positional arguments in the usage line; NULL: none are taken */
	unsigned common;	 /* OPTION_GROUP_…: which of the common options it has */
	const struct option_spec *options; /* its own, ended by name == NULL */
	const struct field *fields;
	size_t field_count;
	size_t record_min; /* bytes */
	size_t buffer;	   /* the ring buffer unless --buffer is given, bytes; 0: 8 MiB */
	const struct hook *hooks; /* what it attaches to, ended by name == NULL */
	const struct example *examples; /* ended by command == NULL */
	const char *overhead;	 /* measured, for the man page */
	const char *blind_spots; /* what it cannot see, for the man page */

	/* The hooks of a session, in this order; each returns 0 or -errno after saying why. */
	int (*args_set)(struct session *s, int argc, char **argv); /* positional arguments */
	int (*open)(struct session *s);	  /* make the skeleton, set its rodata */
	int (*attach)(struct session *s); /* instead of the ladder over `hooks`: argdump */
	int (*plan)(struct session *s);	  /* --dry-run without `hooks`; returns the exit code */
	void (*settle)(struct session *s); /* all is attached and the header printed: what takes time */
	void (*detach)(struct session *s); /* beside the ladder's: argdump */
	void (*close)(struct session *s);

	/* An applet that traces nothing (doctor): it does everything; returns the exit code. */
	int (*run)(struct session *s);
};

/* All applets, in the order of applets.def, ended by NULL. */
extern const struct applet *const applets[];
/* Bytes of the ring buffer by default. */
size_t applet_buffer(const struct applet *applet);
const struct applet *applet_find(const char *name);

#endif
