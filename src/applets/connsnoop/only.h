/* SPDX-License-Identifier: GPL-2.0-only */
/* only.h - kinds of events and protocols by name, and --only, which selects them. */
#ifndef CORETAP_CONNSNOOP_ONLY_H
#define CORETAP_CONNSNOOP_ONLY_H

#include "cli/complete.h"
#include "cli/options.h"

extern const struct field_name connection_kinds[], connection_protos[];

/* Sets the flags for the words in tables by enum connsnoop_kind and connsnoop_proto. Changes nothing without words;
 * prints an error and exits after an unknown one. */
void only_parse(const struct option_list *words, bool *want_kinds, bool *want_protos);
completion_fn only_words;

#endif
