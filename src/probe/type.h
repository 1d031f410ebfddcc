/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * type.h - argdump --type: what a type contains.
 */
#ifndef CORETAP_PROBE_TYPE_H
#define CORETAP_PROBE_TYPE_H

#include "run/session.h"

/* True if the kernel or a module has a type of that name, ignoring `*`. If not, prints the nearest name as a hint. */
bool type_exists(struct session *s, const char *type);
/* Prints a type or member, and returns an exit code. TYPE: [MODULE:][struct|union|enum] NAME[.MEMBER]…, or u:FILE:NAME… */
int type_print(struct session *s, const char *text);

#endif
