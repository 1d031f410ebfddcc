/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ksym_kind.h - what a symbol of the kernel is: a function, data, code that is gone after boot, or
 * something that the compiler or another tracer made.
 */
#ifndef CORETAP_SYMBOLS_KERNEL_KSYM_KIND_H
#define CORETAP_SYMBOLS_KERNEL_KSYM_KIND_H

#include "symbols/kernel/ksyms.h"

enum ksym_part {
	KSYM_TEXT,
	KSYM_DATA,
	KSYM_INIT, /* freed once the kernel has booted */
};
/* Is this symbol a function? To be asked about all symbols in the order of ksyms_get: *part is state
 * between the calls, initially KSYM_TEXT; after a call it says which part the symbol is in. */
bool ksym_is_code(const struct ksym *s, enum ksym_part *part);
/* Programs of other tracers, thunks and the jumps of static calls are not kernel functions. */
bool ksym_is_foreign(const struct ksym *s);
/* The part of a function that the compiler moved elsewhere, because it is rarely run. */
bool ksym_is_cold(const struct ksym *s);

#endif
