/* SPDX-License-Identifier: GPL-2.0-only */
/* only.h - --only: which kinds of events, of which protocols. */
#ifndef CORETAP_CONNSNOOP_ONLY_H
#define CORETAP_CONNSNOOP_ONLY_H

#include "cli/options.h"

/* Sets in each of both tables what its words name, if there is any. Exits after a wrong word. */
void only_parse(const struct option_list *words, const struct field_name *kinds, bool *want_kinds,
		const struct field_name *protos, bool *want_protos);

#endif
