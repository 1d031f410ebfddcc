/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * maps.h - the maps that a program uses, collected during compilation.
 */
#ifndef CORETAP_EXPR_MAPS_H
#define CORETAP_EXPR_MAPS_H

#include "expr/compile.h"
#include "util/buf.h"

/* The index of the program's map of this kind; there is at most one, except for tables. */
uint32_t map_want(struct compile *c, const struct expr_map *map);
/* The same for a map that the run shares. */
uint32_t map_want_kind(struct compile *c, enum expr_map_kind kind);
/* An EXPR_MAP_TABLE with these bytes, which the program must own. */
uint32_t map_add_table(struct compile *c, const void *bytes, uint32_t size);
/* "table"; for the second and later ones "table2" and so on. */
void map_put_name(const struct expr_program *p, uint32_t map, struct buf *o);

#endif
