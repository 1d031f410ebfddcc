/* SPDX-License-Identifier: GPL-2.0-only */
/* front.h - argdump's command line: functions that its files offer to each other and to recipes. */
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

/* ---- descriptor.c: for front ends that fill the model themselves ---- */

struct model *argdump_model(void);
/* Adds an option of argdump. Returns 0, or -EINVAL after printing the error. */
int argdump_option_add(const char *name, const char *arg);
/* Runs the model: writes the equivalent argdump command line, and returns like args_set of an applet. */
int argdump_filled_run(struct session *s, void (*show)(const char *words));

/* ---- checks.c ---- */

/* Refuses options that exclude each other or have no effect, after stacks_announce. Returns 0, or -EINVAL after
 * printing the error. */
int argdump_options_check(const struct session *s, const struct argdump *a);

/* ---- complete.c: names for the shells' completion ---- */

/* Completes a PROBE, or the last of several with commas. */
completion_fn argdump_complete;
/* Completes a type, as "struct NAME". */
completion_fn argdump_complete_type;

/*
 * ---- probe_file.c: --load and --save ----
 *
 * A file has expressions instead of offsets, so it means the same on every kernel.
 *
 * 	# probes of coretap argdump
 * 	--string 256
 * 	vfs_read 'fs=file->f_inode->i_sb->s_type->name' --if 'count > 1'
 * 	do_sys_openat2 filename
 *
 * A line is either one PROBE with its expressions and its own options (conditions, -r, what to count, by what), or
 * options for all probes. docs/recipes.md describes the format.
 */

/* Adds the probes of a->load and its options to the model. Returns 0, or -errno after printing an error. */
int probe_file_read(struct argdump *a);
/* Writes the requests, and the options that are set and have `is_saved`. Returns the exit status. */
int probe_file_write(const struct argdump *a, const char *path, struct session *s);

/* ---- counting.c: does nothing unless calls are counted ---- */

/* Compiles all counting probes. Returns an exit status, after printing any error. */
int counting_compile_all(struct session *s, struct argdump *a);
/* Compiles them and opens the maps. Returns an exit status, after printing any error. */
int counting_attach(struct session *s, struct argdump *a);
/* Prepares rows instead of records. Returns an exit status. */
int counting_begin(struct session *s, struct argdump *a);

/* ---- silence.c: why a function that the user named may never have been called ---- */

/* Opens the kernel's memory for silence_report while the process still has the privileges. */
void silence_prepare(const struct session *s, const struct argdump *a);
/* Explains the silence at the end of a run in which nothing was printed or counted. */
void silence_report(const struct session *s, const struct argdump *a);

#endif
