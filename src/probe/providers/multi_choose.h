/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * multi_choose.h - how a set of functions is attached.
 */
#ifndef CORETAP_PROBE_PROVIDERS_MULTI_CHOOSE_H
#define CORETAP_PROBE_PROVIDERS_MULTI_CHOOSE_H

#include "probe/argdump.h"

struct multi_mode {
	const struct probe_ops *kind;
	/* for functions that `kind` cannot attach to because no BTF id identifies them; NULL: there
	 * are none */
	const struct probe_ops *rest;
	int attach_type; /* of `kind`: fentry.multi and the like; -1: none */
	bool by_kprobe;	 /* many functions, a kprobe each */
};
struct multi_mode multi_mode_choose(const struct session *s, struct argdump_request *r,
				    const struct expr_target *target);
/* Allows open files for so many functions with a probe each: programs, links and maps. If the limit
 * cannot be raised, the kernel refuses later, and that is reported. */
void files_allow(size_t functions);

#endif
