/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * probe_hint.h - hints for a PROBE that names no function, but something else that can be traced.
 */
#ifndef CORETAP_PROBE_PROBE_HINT_H
#define CORETAP_PROBE_PROBE_HINT_H

#include <stdbool.h>

struct argdump_request;
struct session;

/* True for a function of a module, one that the kernel's types do not describe, or one of several that share a name. */
bool probe_hint_is_symbol(const struct session *s, const char *name);

/* Checks the name before the colon, if there is one. Returns an exit code. */
int probe_hint_scope(struct session *s, const struct argdump_request *r);
/* For a PROBE of one function that was not found: reports if it is something else. Searches the types. Returns
 * EXIT_FINE if nothing was reported. */
int probe_hint_missing(struct session *s, const struct argdump_request *r);

/* Prints a note for a function that was found: a system call's function gets its parameters in memory. */
void probe_hint_found(const char *name);

#endif
