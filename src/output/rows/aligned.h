/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * aligned.h - writes the rows of a report as a table whose columns are as wide as their widest text.
 */
#ifndef CORETAP_OUTPUT_ROWS_ALIGNED_H
#define CORETAP_OUTPUT_ROWS_ALIGNED_H

#include "output/rows/report.h"

/* With histograms, each row is a block: a line with everything else of the row, and the bars. Returns 0, -EBADMSG or
 * -ENOMEM. */
int aligned_write(struct report *r);

#endif
