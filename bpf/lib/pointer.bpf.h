/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pointer.bpf.h - converts a pointer to a number.
 */
#ifndef CORETAP_LIB_POINTER_BPF_H
#define CORETAP_LIB_POINTER_BPF_H

#include "lib/lost.bpf.h"

/* The verifier forbids arithmetic with typed pointers (since 6.17 also with those to bytes). After two negations the
 * value is no pointer. */
static __always_inline __u64 pointer_number(const void *pointer)
{
	__u64 number = (__u64)pointer;

	asm volatile("%0 = -%0; %0 = -%0" : "+r"(number));
	return number;
}

#endif
