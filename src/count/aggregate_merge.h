/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * aggregate_merge.h - rows whose keys look the same. Private to aggregate/.
 */
#ifndef CORETAP_COUNT_AGGREGATE_MERGE_H
#define CORETAP_COUNT_AGGREGATE_MERGE_H

#include "count/aggregate_read.h"

/* Merges rows whose keys look the same. Returns 0 or -ENOMEM. */
int aggregate_merge(const struct aggregate *a, struct aggregate_rows *rows);

#endif
