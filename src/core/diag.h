/* SPDX-License-Identifier: GPL-2.0 */
/*
 * diag.h - everything said on stderr, and the exit codes.
 *
 * A message says what failed, on what, why, and what to do: diag_error("cannot attach to %s: %s",
 * …) then diag_hint("…"). Text from outside goes through the escaper first: every %s of a
 * message is checked for control bytes as a whole before it is written.
 */
#ifndef CORETAP_DIAG_H
#define CORETAP_DIAG_H

#include <stdbool.h>
#include <stddef.h>

enum exit_code {
	EXIT_FINE = 0,
	EXIT_USAGE = 1,	   /* the command line is wrong */
	EXIT_CANNOT = 2,   /* cannot trace here: kernel, rights, lockdown */
	EXIT_FAILED = 3,   /* failed while tracing */
	EXIT_LOST = 4,	   /* finished, but records were lost */
};

/* The name before each message: the applet's, "coretap" until then. */
void diag_name(const char *name);
void diag_verbose(int level); /* number of -v; 0 is quiet */
int diag_level(void);
void diag_quiet(bool quiet);  /* -q: no notes, errors stay */

void diag_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void diag_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* A second line under an error or a warning: what to do. */
void diag_hint(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Said unless -q. */
void diag_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Said with -v (level 1), -vv (level 2). */
void diag_debug(int level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The source line, and a caret with tildes under bytes [start, end):
 *     file->f_inde->i_sb
 *           ^~~~~~            */
void diag_caret(const char *source, size_t start, size_t end);

/* The nearest of `names` to `wanted` by edit distance, or NULL when none is near. */
struct nearest {
	const char *wanted;
	const char *best;
	unsigned distance;
};
void nearest_init(struct nearest *n, const char *wanted);
void nearest_offer(struct nearest *n, const char *name); /* name must outlive n */
const char *nearest_get(const struct nearest *n);

#endif
