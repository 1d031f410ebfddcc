/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * counts.h - private to counts.c and counts_table.c: columns of the counts, and which are printed.
 */
#ifndef CORETAP_APPLETS_SYSSNOOP_COUNTS_H
#define CORETAP_APPLETS_SYSSNOOP_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "output/rows/report.h"
#include "syssnoop.h"

struct count_row {
	uint64_t row;
	struct syssnoop_count count;
};

enum column {
	PERCENT,
	TOTAL,
	SHORTEST,
	LONGEST,
	AVERAGE,
	WALL_TOTAL,
	WALL_SHORTEST,
	WALL_LONGEST,
	WALL_AVERAGE,
	P50,
	P99,
	CALLS,
	ERRORS,
	NAME,
	COLUMNS,
	NOTHING = COLUMNS /* further values of -S: in the order of the numbers */
};

struct counts_choice {
	uint8_t shown[COLUMNS];
	size_t count;
	int sorted;	   /* by this column, or NOTHING */
	uint64_t overhead; /* ns to subtract from each call */
};
extern struct counts_choice counts_chosen;
/* Times are ns. */
uint64_t counts_value(const struct syssnoop_count *c, unsigned column);
const char *counts_name(uint64_t row);
bool counts_is_extreme(int column); /* the value is that of a single call */

#endif
