/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * counts.h - opensnoop --count: how often each path was opened, or by whom, instead of records.
 */
#ifndef CORETAP_OPENSNOOP_COUNTS_H
#define CORETAP_OPENSNOOP_COUNTS_H

#include <linux/types.h>

#include "cli/options.h"
#include "opensnoop.h"

/* What --count names, NULL: it was not given. Exits with EXIT_USAGE if that, or what else was given,
 * does not fit. */
enum opensnoop_count counts_mode(const char *what, const struct options *o, bool full_path);
/* What it may name. */
void counts_words(struct completion *c, const char *begin);
/* The session reports rows of that kind. */
void counts_begin(struct session *s, enum opensnoop_count mode);

#endif
