/* SPDX-License-Identifier: GPL-2.0 */
/*
 * show.h - a value of any type as BTF describes it: structs whole, for a cell and for JSON.
 */
#ifndef CORETAP_SHOW_H
#define CORETAP_SHOW_H

#include "core/out.h"
#include "core/schema.h"

/* A FIELD_STRUCT: C-like, on several lines, or a JSON object. */
void show_put(struct out *o, const struct field *f, const struct value *v, bool json);

#endif
