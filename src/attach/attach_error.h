/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * attach_error.h - messages about a failed attach or an unknown function. Errors are -errno.
 */
#ifndef CORETAP_ATTACH_ERROR_H
#define CORETAP_ATTACH_ERROR_H

#include "btf/btf.h"

enum attach_fault {
	ATTACH_FAULT_NONE,
	ATTACH_FAULT_NOT_FOUND, /* this kernel has no such function */
	/* in BTF, or a symbol with a suffix, but without code of its own */
	ATTACH_FAULT_INLINED,
	ATTACH_FAULT_BLACKLISTED, /* notrace or on the kprobe blacklist */
	ATTACH_FAULT_NOT_IN_BTF,  /* it has a symbol, but no prototype */
	ATTACH_FAULT_LOCKDOWN,
	ATTACH_FAULT_CAPABILITY,
	ATTACH_FAULT_OTHER,
};
/* Checks symbols, blacklist, lockdown and capabilities. Slow, so only after a failure. */
enum attach_fault attach_diagnose(const char *function, const struct btf_view *btf, int error);
/* Prints the error and the hint on stderr. Returns the exit status (EXIT_USAGE, EXIT_CANNOT). */
int attach_explain(const char *function, const struct btf_view *btf, int error);
/* The same for a function of a user program. */
int attach_explain_user(const char *name, int error);
/* Prints the same reasons as hints, for optional features. */
void attach_reason_hint(int error);

#endif
