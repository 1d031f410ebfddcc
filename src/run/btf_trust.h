/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_trust.h - checks that the types in a file (--btf) belong to the running kernel.
 *
 * With another kernel's types every member would be read from the wrong offset, without any sign of it.
 */
#ifndef CORETAP_RUN_BTF_TRUST_H
#define CORETAP_RUN_BTF_TRUST_H

#include "btf/btf.h"

enum btf_trust {
	BTF_TRUST_SAME,	   /* equal to the kernel's own types, byte by byte */
	BTF_TRUST_CHECKED, /* the kernel has no types; reading this process gave the right values */
	BTF_TRUST_NONE,	   /* they belong to another kernel: an error was printed */
	BTF_TRUST_UNKNOWN, /* they could not be checked: an error was printed */
};

/* `types` are parsed from `path`. */
enum btf_trust btf_trust(const char *path, const struct btf_view *types);

#endif
