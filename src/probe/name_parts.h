/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * name_parts.h - where names begin and end in a PROBE: those of C++, Rust and Go have colons, commas and brackets.
 */
#ifndef CORETAP_PROBE_NAME_PARTS_H
#define CORETAP_PROBE_NAME_PARTS_H

#include <stdbool.h>
#include <stddef.h>

/* As strchr(3) does, these return a pointer into a text that may be constant. */

/* Returns the next character that may end a name, and counts the brackets that are open. `at` must not be at the end. */
char *name_part_next(const char *at, int *depth);
/* Returns the colon before the name in the first `len` bytes of "PLACE:ns::f(int)"; NULL: there is none. */
char *name_colon(const char *text, size_t len);
/* True for a name that no function of C can have: ns::f, f(int), main.(*T).m. */
bool name_is_qualified(const char *name);

#endif
