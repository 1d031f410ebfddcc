/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * legacy.h - requests in the kernel's own notations. They are translated after the kernel's types are open.
 */
#ifndef CORETAP_PROBE_LEGACY_H
#define CORETAP_PROBE_LEGACY_H

#include <stdbool.h>
#include <stddef.h>

struct argdump_legacy;
struct argdump_request;
struct session;

/* If the request's PROBE is a definition, or all its words form one, stores it in request->old.
 * Returns 0 or -ENOMEM. */
int argdump_legacy_parse(struct argdump_request *request);
/* True for "-:NAME", which does not need the kernel. */
bool argdump_legacy_clears(const struct argdump_legacy *old);
/* Returns the expression that shows the caller; NULL if the definition does not ask for it, or this kernel cannot
 * tell. Valid after the translation. */
const char *argdump_legacy_caller(const struct argdump_legacy *old);
/* Translates request->old: afterwards the request has a coretap PROBE and expressions; PROBE is NULL for "-:NAME".
 * Prints notes about the translation. Returns an exit code after printing any error. */
int argdump_legacy_translate(struct session *s, struct argdump_request *request);
/* Prints the caret of an error in bytes [start, end) of the request's expression `text` at its place in the
 * definition. Returns false if that expression does not come from one. */
bool argdump_legacy_caret(const struct argdump_request *request, size_t text, size_t start,
			  size_t end);
void argdump_legacy_free(struct argdump_legacy *old);

struct legacy_probe;
/* Returns the condition with the values of the definition's names for these names; malloc'ed. NULL: it has none of them. */
char *legacy_names_replace(const struct legacy_probe *p, const char *condition);

#endif
