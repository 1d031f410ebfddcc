/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_set.h - probes on the user functions that a pattern names: u:libc:'m*alloc'.
 */
#ifndef CORETAP_PROBE_PROVIDERS_USER_SET_H
#define CORETAP_PROBE_PROVIDERS_USER_SET_H

#include "probe/argdump.h"
#include "probe/providers/user_file.h"

struct user_set;

/* The argdump_probe.source of a probe on a user function. */
struct user_source {
	struct user_file file; /* fd -1: another probe has it */
	uint64_t offset;       /* bytes in it */
	struct user_set *set;  /* owned; the functions of a pattern; NULL: there is one */
};

/* NULL is no set. */
void user_set_free(struct user_set *set);
bool user_set_has(const struct user_set *set, uint64_t offset);
/* Adds the probes. Returns an exit code, after printing any error. */
int user_set_resolve(struct session *s, struct argdump *a, struct argdump_request *request,
		     const struct probe_spec_item *item);

#endif
