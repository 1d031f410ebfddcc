/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * option_read.h - arguments of options by their types: converts a text to a value, or returns an error.
 */
#ifndef CORETAP_CLI_OPTION_READ_H
#define CORETAP_CLI_OPTION_READ_H

#include "cli/options.h"

/* True if each use of the option adds to the earlier ones, as its help says. */
bool option_adds(const struct option_spec *spec);
#define OPTION_ADDS " (may be repeated)"
/* True if its argument may be omitted. */
bool option_may_be_bare(const struct option_spec *spec);
/* True if the option may be given more than once. */
bool option_repeats(const struct option_spec *spec);
/* True if *value differs from its value without the option. False for options that add up. */
bool option_is_set(const struct option_spec *spec, const void *value);
/* Parses an argument by its type into *value, which is of that type. Returns NULL, or the text of an error. */
const char *option_read(const struct option_spec *spec, const char *arg, void *value);
/* Compiles several names or patterns to one table. Returns NULL, or the text of an error. */
const char *option_names_compile(struct option_names *n);
/* The forms of an OPTION_TIME, in the order of enum timestamp_form; end with NULL. */
extern const char *const option_times[];

/* ---- the arguments [INTERVAL [COUNT]], as in bcc ---- */

enum { INTERVALS_ARGS = 2 };

/* Sets --interval and, with COUNT, --duration from at most two arguments. `anew` also sets --clear, so that each
 * report starts at zero. Returns 0, or -EINVAL after printing the error. */
int intervals_parse(struct options *o, int argc, char **argv, bool anew);

#endif
