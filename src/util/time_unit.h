/* SPDX-License-Identifier: GPL-2.0-only */
/* time_unit.h - units of time that users type: ns us ms s m h d. */
#ifndef CORETAP_UTIL_TIME_UNIT_H
#define CORETAP_UTIL_TIME_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the unit, of `len` bytes, in nanoseconds, or 0 if it is unknown. */
uint64_t time_unit_ns(const char *unit, size_t len);
/* Parses a time such as 10, 0.5 or 100us; a number without a unit is in `unit`. Returns false if it is none, or longer
 * than 31 years. */
bool time_text_ns(const char *text, const char *unit, uint64_t *ns);

#endif
