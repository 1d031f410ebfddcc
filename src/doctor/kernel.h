/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kernel.h - doctor's first table: the kernel, its types, this process's rights.
 */
#ifndef CORETAP_DOCTOR_KERNEL_H
#define CORETAP_DOCTOR_KERNEL_H

#include "doctor/check.h"

extern const struct doctor_check doctor_kernel[]; /* ends with name == NULL */
/* How many functions the kernel's types describe. */
unsigned doctor_functions(struct btf_view *btf);

#endif
