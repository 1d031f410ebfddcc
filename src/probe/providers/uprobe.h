/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * uprobe.h - probes on functions of programs and libraries.
 */
#ifndef CORETAP_PROBE_PROVIDERS_UPROBE_H
#define CORETAP_PROBE_PROVIDERS_UPROBE_H

#include "probe/argdump.h"

extern const struct probe_ops probe_ops_user;

/* For user_set.c. Adds a probe on u->offset, or u->set; takes over what `u` owns. NULL: no memory,
 * and nothing is left of `u`. */
struct user_source;
struct argdump_probe *user_probe_add(struct argdump *a, const struct argdump_request *request,
				     const struct user_source *u, const char *name,
				     const struct expr_target *target);
/* Has an earlier item of the request a probe on that place of the file? */
bool user_place_known(const struct argdump *a, const struct argdump_request *request,
		      const struct user_source *u, uint64_t offset);
void user_prepare(struct argdump_probe *p, const struct argdump_variant *variant);
void user_target(const struct argdump_probe *p, const struct argdump_variant *variant,
		 struct attach_target *t);

#endif
