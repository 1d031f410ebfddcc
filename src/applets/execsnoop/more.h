/* SPDX-License-Identifier: GPL-2.0-only */
/* more.h - what --exit, --tree and --env show of a struct execsnoop_more. */
#ifndef CORETAP_EXECSNOOP_MORE_H
#define CORETAP_EXECSNOOP_MORE_H

#include <linux/types.h>

#include "output/field/field.h"
#include "cli/options.h"
#include "execsnoop.h"
#include "output/field/field_kind.h"

/* --exit: 0, 3, SIGKILL, SIGSEGV,core */
extern const struct field_kind end_status;
field_value_fn end_code, end_signal, end_core, end_user, end_system, end_rss;

extern const struct field_kind ancestors_kind; /* init(1)─sshd(2) */

/* NAME=VALUE of those of the list that are set; JSON: an object of all. field.context is a struct
 * option_list. */
extern const struct field_kind env_kind;
/* Exits with EXIT_USAGE, after it has said why, if a NAME cannot be one. */
void env_check(const struct option_list *names);

#endif
