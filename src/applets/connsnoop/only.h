/* SPDX-License-Identifier: GPL-2.0-only */
/* only.h - kinds of events and protocols by name, and --only, which chooses of them. */
#ifndef CORETAP_CONNSNOOP_ONLY_H
#define CORETAP_CONNSNOOP_ONLY_H

#include "cli/complete.h"
#include "cli/options.h"

extern const struct field_name connection_kinds[], connection_protos[];

/* Sets what the words name in tables by enum connsnoop_kind and connsnoop_proto. Changes nothing without
 * words, and exits after a wrong one. */
void only_parse(const struct option_list *words, bool *want_kinds, bool *want_protos);
completion_fn only_words;

#endif
