/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * method_can.h - which attach methods work: for a function, by types and the kernel's lists; and under the kernel's
 * settings. Nothing is loaded.
 */
#ifndef CORETAP_ATTACH_METHOD_CAN_H
#define CORETAP_ATTACH_METHOD_CAN_H

#include "attach/method.h"
#include "symbols/kernel/functions.h"

/* Features of a kernel that attach methods depend on. */
struct attach_kernel {
	bool fprobes;	  /* it supports kprobe.multi */
	bool struct_args; /* trampolines pass structs of up to 16 bytes by value */
	bool stack_args;  /* trampolines read arguments from the stack */
};
void attach_kernel_read(const struct btf_view *kernel, struct attach_kernel *k);
/* True if trampolines support a function with this prototype; else sets `why` to the reason. */
bool attach_can_type(const struct attach_kernel *k, const struct btf_view *btf, uint32_t func_id,
		     char why[FUNCTION_WHY]);

/* The `can` functions of the methods (methods.def). */
bool attach_can_fentry(const struct attach_kernel *k, const struct function *f,
		       char why[FUNCTION_WHY]);
bool attach_can_kprobe_multi(const struct attach_kernel *k, const struct function *f,
			     char why[FUNCTION_WHY]);
bool attach_can_kprobe(const struct attach_kernel *k, const struct function *f,
		       char why[FUNCTION_WHY]);

/* ---- kernel settings under which programs attach but never run (switches.def) ---- */

struct attach_switch {
	const char *file;
	const char *bad;    /* the first character of values that keep programs from running */
	unsigned needed_by; /* enum attach_trait: methods that always need the setting */
	unsigned may_need;  /* methods that need it for targets for which `concerns` returns true */
	bool (*concerns)(const struct attach_target *t);
	const char *is, *means; /* "X is 0", and the consequence */
	const char *remedy;	/* what the user can do */
};

/* Returns the first switch that is off now and that a link of a method with these traits (enum attach_trait) needs;
 * NULL: none. Reads the settings each time. */
const struct attach_switch *attach_switched_off(unsigned traits, const struct attach_target *t);
/* Returns the last result of attach_switched_off that was not NULL: the reason for ERR_SWITCHED_OFF. */
const struct attach_switch *attach_switch_refused(void);
/* Records that this process has a link of a method with these traits. */
void attach_switches_note(unsigned traits, const struct attach_target *t);
/* Returns the first switch that is off now and that a link of this process may need; NULL: none. */
const struct attach_switch *attach_switches_check(void);

#endif
