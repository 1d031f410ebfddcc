/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * applet.h - the descriptor: everything about an applet in one place.
 *
 * Options, --help, man page, completion, README's table, table header, rows and JSON keys are all
 * derived from it. An applet's file has one of these and the hooks that it names.
 */
#ifndef CORETAP_CLI_APPLET_H
#define CORETAP_CLI_APPLET_H

#include <stddef.h>

#include "cli/options.h"
#include "attach/skeleton.h"
#include "output/field/record.h"

struct session;
struct report;

struct example {
	const char *command; /* as typed; the tests parse each with --dry-run */
	const char *what;
};

/* An additional text for --help=NAME and the man page. */
struct help_topic {
	const char *name;
	const char *text; /* as a description */
};

/* Loads the programs of an applet into the kernel and removes them. Applets with `objects` use the one in objects.c. */
struct tracer_ops {
	bool attaches_nothing;
	int (*attach)(struct session *s);  /* returns an exit status after printing any error */
	int (*dry_run)(struct session *s); /* --dry-run, into s->out; returns an exit status */
	void (*loaded)(struct session *s); /* --load-only: writes what was loaded to s->out */
	/* For doctor: writes the attach methods to try for a function's entry, in order, up to ATTACH_END. Returns 0
	 * or -errno. NULL: those of objects. */
	int (*methods)(const struct btf_view *btf, enum attach_method_id methods[ATTACH_END + 1]);
	void (*settle)(struct session *s); /* slow work, after the header was printed; or NULL */
	void (*poll)(
		struct session *s); /* every 10 ms or so if stacks always show names; or NULL */
	/* with session.needs.samples: checks for new processors, about every 100 ms; or NULL */
	void (*online)(struct session *s);
	void (*look)(struct session *s); /* before losses are reported, every 2 s; or NULL */
	/* with session.end.may_come: true if the counted events have ended; called about every 100 ms; or NULL */
	bool (*has_ended)(struct session *s);
	void (*detach)(struct session *s);
	/* after all queued records: writes the final rows into s->sink; or NULL */
	void (*rest)(struct session *s);
	/* appends what is counted, as lines of JSON, for the readers of --listen; or NULL */
	void (*maps)(struct session *s, struct buf *lines);
	void (*account)(struct session *s); /* at the end: adds what its programs missed; or NULL */
	void (*close)(struct session *s);   /* called even if nothing was attached */
};

struct applet {
	const char *name;
	const char *summary;	 /* one line, lower case, no full stop */
	const char *description; /* paragraphs for --help and the man page */
	const char *args;	 /* positional arguments in the usage line; NULL: none accepted */
	/* usage of the words after --; NULL: COMMAND [ARG...], if it has OPTION_GROUP_TASK */
	const char *words;
	unsigned common;		   /* OPTION_GROUP_…: its common options */
	const struct option_spec *options; /* its own options, end with name == NULL */
	const struct option_habit *habits; /* end with hint == NULL; or NULL */
	const struct field *fields;
	size_t field_count;
	size_t record_min; /* bytes */
	size_t buffer;	   /* the ring buffer's size without --buffer, bytes; 0: 8 MiB */
	/* end with hooks == NULL; their `param` is struct options */
	const struct skeleton_source *objects;
	const struct tracer_ops *tracer; /* replaces objects: argdump */
	/* For doctor: options that enable parts of its programs, "-F" or "--also unlink"; each is tested alone. Ends
	 * with NULL; may be NULL. */
	const char *const *parts;
	const struct example *examples; /* end with command == NULL */
	const char *overhead;		/* measured overhead, for the man page */
	const char *blind_spots;	/* its blind spots, for the man page */
	/* The events that it sees, and those of the same kind that it does not, for --help, the man page and
	 * docs/sees.md; or NULL. */
	const char *sees, *unseen;
	/* True for a recipe: it is written for many kernels and programs, so an unknown name in a comparison is not a
	 * misspelling. */
	bool is_recipe;
	struct {
		const char *
			/* second name, whose users expect the behavior of the other tool; or NULL */
			also;
		/* The first word that is not an option starts a command, as after --; the command's messages go to
		 * stderr; -o also accepts '|COMMAND'. */
		bool takes_words;
		/* Receives each positional argument in its order among the options. `is_behind`: the argument follows
		 * an option whose own argument was omitted. Returns NULL, or the text of an error. May be NULL. */
		const char *(*word)(const char *arg, bool is_behind);
	} line;

	/* Called in this order before anything is opened; NULL: nothing to do. `prepare` sets
	 * columns and hooks according to the options; args_set gets the positional arguments and
	 * returns 0, or -errno after printing the error. */
	void (*prepare)(const struct options *o);
	int (*args_set)(struct session *s, int argc, char **argv);
	/* The tool in whose language this one is written: hints may also name its options. May be NULL. */
	const struct applet *written_for;
	/* For applets that write no records: puts rows into `out` (report_row, report_map), every
	 * --interval and at the end: 0 or -errno. `fields` are then a row's; with `is_bare` it has
	 * no event header. */
	int (*report)(struct session *s, struct report *out);
	bool is_bare;
	/* The time by which a record is ordered (ring_order), if that is not the time in its header. */
	uint64_t (*time_of)(const void *record, size_t size);
	const char *noun; /* the noun for what it counts, in reports; NULL: "call" */

	/* For an applet with objects; each may be NULL. */
	struct {
		/* Called after these are attached, to attach skeleton_source.unattached. Returns an exit status after
		 * printing any error. */
		int (*attached)(struct session *s);
		/* As in tracer_ops. */
		void (*look)(struct session *s);
		void (*rest)(struct session *s);
	} hooks;

	/* For an applet that traces nothing (doctor): runs it and returns the exit status. */
	int (*run)(struct session *s);

	const struct help_topic *topics; /* end with name == NULL; NULL: none */
	completion_fn *complete;	 /* offers words for its arguments to the shell; or NULL */
};

/* The applets of this program in order, up to NULL. Empty until main sets it. */
extern const struct applet *const *applets;
/* " [-- COMMAND [ARG...]]", for the usage line; "": nothing may follow --. */
const char *applet_words_usage(const struct applet *applet);
/* The default size of the ring buffer in bytes. */
size_t applet_buffer(const struct applet *applet);
const struct applet *applet_find(const char *name);

#endif
