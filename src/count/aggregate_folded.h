/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * aggregate_folded.h - --folded: calls are counted by their stacks, and printed for flame graphs.
 */
#ifndef CORETAP_COUNT_AGGREGATE_FOLDED_H
#define CORETAP_COUNT_AGGREGATE_FOLDED_H

#include "count/aggregate_read.h"

/* Adds what --folded stands for: --count, --by '$comm,$ustack,$kstack'. Returns 0, or -EINVAL after
 * printing an error. */
int aggregate_fold(struct aggregate *a, const struct options *common);
/* Is that wanted: by --folded, or for a picture of what is counted by a stack? */
bool aggregate_folds(const struct aggregate *a, const struct options *common);
/* Like aggregate_report, but writes the lines itself. */
int aggregate_report_folded(struct aggregate *a, struct aggregate_rows *rows, struct report *out);

#endif
