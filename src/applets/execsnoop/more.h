/* SPDX-License-Identifier: GPL-2.0-only */
/* more.h - fields of --exit, --tree and --env in a struct execsnoop_more. */
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

/* NAME=VALUE of each listed variable that is set; JSON: one object. field.context is a struct option_list. */
extern const struct field_kind env_kind;
/* Prints an error and exits with EXIT_USAGE if a NAME is invalid. */
void env_check(const struct option_list *names);

#endif
