/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * aggregate_schema.h - the schema of a row of counted calls.
 */
#ifndef CORETAP_COUNT_AGGREGATE_SCHEMA_H
#define CORETAP_COUNT_AGGREGATE_SCHEMA_H

#include "count/aggregate.h"

/* Makes the schemas of the rows, for the sink. Returns 0, -ENOMEM, or -EINVAL after printing an
 * error. */
int aggregate_schemas_make(struct aggregate *a);
/* Tells the same errors before there is anything to show: `key` is that of one program. */
int aggregate_schemas_try(struct aggregate *a, const struct schema *key);
void aggregate_schemas_free(struct aggregate *a);

#endif
