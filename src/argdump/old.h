/* SPDX-License-Identifier: GPL-2.0 */
/*
 * old.h - requests in the kernel's own notations: said in coretap's words as soon as the kernel's
 * types are there to ask.
 */
#ifndef CORETAP_ARGDUMP_OLD_H
#define CORETAP_ARGDUMP_OLD_H

#include <stdbool.h>

struct argdump_old;
struct argdump_request;
struct session;

/* If the request's PROBE is a definition, or all its words are one, keeps it in request->old.
 * Returns 0 or -ENOMEM. */
int argdump_old_take(struct argdump_request *request);
/* Is it "-:NAME", which needs no kernel? */
bool argdump_old_clears(const struct argdump_old *old);
/* The expression by which the old notation shows who called, NULL: it does not, or this kernel
 * cannot tell. Known after the translation. */
const char *argdump_old_caller(const struct argdump_old *old);
/* Translates request->old: PROBE and expressions of the request are then coretap's; PROBE is NULL
 * for "-:NAME". Says what should be known. Returns an exit code, having said what is wrong. */
int argdump_old_translate(struct session *s, struct argdump_request *request);
void argdump_old_free(struct argdump_old *old);

#endif
