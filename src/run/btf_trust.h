/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_trust.h - checks if the types in a file (--btf) belong to the running kernel.
 *
 * With another kernel's types every member is read from the wrong offset, and nothing shows it.
 */
#ifndef CORETAP_RUN_BTF_TRUST_H
#define CORETAP_RUN_BTF_TRUST_H

#include "btf/btf.h"

enum btf_trust {
	BTF_TRUST_SAME,	   /* byte by byte the same as the kernel's own */
	BTF_TRUST_CHECKED, /* the kernel has none; reading this process gave the right values */
	BTF_TRUST_NONE,	   /* they belong to another kernel: reported */
	BTF_TRUST_UNKNOWN, /* they could not be checked: reported */
};

/* `types` are those of `path`. */
enum btf_trust btf_trust(const char *path, const struct btf_view *types);

#endif
