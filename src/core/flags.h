/* SPDX-License-Identifier: GPL-2.0 */
/* flags.h - names of the bits that system calls take, for FIELD_FLAGS and FIELD_ENUM. */
#ifndef CORETAP_FLAGS_H
#define CORETAP_FLAGS_H

#include "core/schema.h"

extern const struct field_name flags_open[];	/* O_… of open(2) */
extern const struct field_name flags_resolve[]; /* RESOLVE_… of openat2(2) */
extern const struct field_name flags_dirfd[];	/* AT_FDCWD, in 32 bits */

#endif
