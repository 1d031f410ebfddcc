/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * name_choice.h - which names of A|B and A? this kernel has: the request is rewritten, so that nobody
 * after this knows of either.
 */
#ifndef CORETAP_PROBE_NAME_CHOICE_H
#define CORETAP_PROBE_NAME_CHOICE_H

struct argdump;
struct argdump_request;
struct session;

/* Before the first probe is made. A request whose names turn out to be of several kinds becomes
 * several. Returns an exit code, after printing any error. */
int names_choose(struct session *s, struct argdump *a);
/* After the error that a name of a list is missing: how to allow that. */
void names_missing_hint(const struct argdump_request *r, const char *name);

#endif
