/* SPDX-License-Identifier: GPL-2.0-only */
/* front.h - argdump's command line: what its files offer to each other and to its recipes. */
#ifndef CORETAP_FRONT_FRONT_H
#define CORETAP_FRONT_FRONT_H

#include "cli/applet.h"
#include "cli/complete.h"
#include "probe/argdump.h"
#include "run/session.h"

/* ---- help.c ---- */

extern const char argdump_description[];
extern const struct example argdump_examples[];
extern const struct help_topic argdump_topics[];

/* ---- complete.c: names for the shells' completion ---- */

/* Completes a PROBE, or the last of several with commas. */
completion_fn argdump_complete;
/* Completes a type, as "struct NAME". */
completion_fn argdump_complete_type;

/*
 * ---- several.c: several probes on the command line, PROBE EXPR... --and PROBE EXPR... ----
 *
 * If there are several probes, options such as conditions, measures, keys and --until belong to the PROBE
 * before them. Those before the first PROBE are for all.
 */

/* Adds the requests of the command line, and gives each its options. Returns 0, or -errno after printing
 * an error. */
int several_add(struct argdump *a, int argc, char **argv);
/* Returns list i of those whose items after a PROBE are its own, in the order of --save. NULL after the last. */
struct option_list *several_own_list(const struct argdump *a, size_t i);
enum { ARGDUMP_LISTS_MAX = 16 }; /* with --and, --if and a NULL */
/* Before words are added in front of those of the command line: saves the length of each list. */
void several_lists_mark(const struct argdump *a, size_t counts[ARGDUMP_LISTS_MAX]);
/* After that: moves what each list had by `before` arguments; the first of the `args` that follow is another
 * PROBE. */
void several_lists_shift(struct argdump *a, const size_t counts[ARGDUMP_LISTS_MAX], unsigned before,
			 unsigned args);

/*
 * ---- probe_file.c: --load and --save ----
 *
 * A file has expressions, not offsets, so it means the same on every kernel.
 *
 * 	# probes of coretap argdump
 * 	--string 256
 * 	vfs_read 'fs=file->f_inode->i_sb->s_type->name' --if 'count > 1'
 * 	do_sys_openat2 filename
 *
 * A line is either one PROBE with its expressions and any options of its own (conditions, -r, what is
 * counted, by what), or options for all probes. docs/recipes.md has all of it.
 */

/* Inserts the words of a->load before the arguments of the command line, and sets those of its options
 * that the command line has not set. Returns 0, or -errno after printing an error. The text stays
 * allocated until the process ends. */
int probe_file_read(struct argdump *a, struct session *s, int *argc, char ***argv);
/* Writes the requests, and the options that are set and have `is_saved`. Returns the exit code. */
int probe_file_write(const struct argdump *a, const char *path, struct session *s);

/* ---- counting.c: does nothing unless calls are counted ---- */

/* Compiles all counting probes. Returns an exit code, after printing any error. */
int counting_compile_all(struct session *s, struct argdump *a);
/* Compiles them and opens the maps. Returns an exit code, after printing any error. */
int counting_attach(struct session *s, struct argdump *a);
/* Prepares rows instead of records. Returns an exit code. */
int counting_begin(struct session *s, struct argdump *a);

/* ---- silence.c: why a function that the user named may never have been called ---- */

/* Opens the kernel's memory for silence_report, while the process still has the rights. */
void silence_prepare(const struct session *s, const struct argdump *a);
/* Reports it at the end of a run in which nothing was shown or counted. */
void silence_report(const struct session *s, const struct argdump *a);

#endif
