/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * method_can.h - which attach methods work for a function, by types and the kernel's lists. Nothing is loaded.
 */
#ifndef CORETAP_ATTACH_METHOD_CAN_H
#define CORETAP_ATTACH_METHOD_CAN_H

#include "attach/method.h"
#include "symbols/kernel/functions.h"

/* Abilities of a kernel that the methods depend on. */
struct attach_kernel {
	bool fprobes;	  /* it has kprobe.multi */
	bool struct_args; /* trampolines pass structs of up to 16 bytes by value */
	bool stack_args;  /* trampolines read arguments from the stack */
};
void attach_kernel_read(const struct btf_view *kernel, struct attach_kernel *k);
/* True if trampolines support a function with such a prototype. Else `why` is the reason. */
bool attach_can_type(const struct attach_kernel *k, const struct btf_view *btf, uint32_t func_id,
		     char why[FUNCTION_WHY]);

/* The `can` of the methods (methods.def). */
bool attach_can_fentry(const struct attach_kernel *k, const struct function *f,
		       char why[FUNCTION_WHY]);
bool attach_can_kprobe_multi(const struct attach_kernel *k, const struct function *f,
			     char why[FUNCTION_WHY]);
bool attach_can_kprobe(const struct attach_kernel *k, const struct function *f,
		       char why[FUNCTION_WHY]);

#endif
