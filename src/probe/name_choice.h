/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * name_choice.h - resolves A|B and A? to names that this kernel has: the request is rewritten, so later stages see
 * neither.
 */
#ifndef CORETAP_PROBE_NAME_CHOICE_H
#define CORETAP_PROBE_NAME_CHOICE_H

struct argdump;
struct argdump_request;
struct session;

/* Call before the first probe is added. A request whose names turn out to be of several kinds is split. Returns an
 * exit code after printing any error. */
int names_choose(struct session *s, struct argdump *a);
/* Called after the error that a name of a list is missing: hints how to make it optional. */
void names_missing_hint(const struct argdump_request *r, const char *name);

#endif
