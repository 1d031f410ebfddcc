/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * json_number.h - numbers in JSON. All their digits are written; readers that keep numbers as doubles
 * round those beyond 2^53, unless they get them as strings (--json-strings).
 */
#ifndef CORETAP_UTIL_JSON_NUMBER_H
#define CORETAP_UTIL_JSON_NUMBER_H

#include <stdbool.h>

#include "util/buf.h"

extern bool json_strings; /* --json-strings */

/* The quote to write before and after a number of that magnitude: "\"" or "". */
const char *json_quote(uint64_t magnitude);
void json_put_uint(struct buf *o, uint64_t u);
void json_put_int(struct buf *o, int64_t i);

#endif
