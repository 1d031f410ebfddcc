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

/* Fields of the suite's own types that a kernel lacks, or has otherwise. */
struct doctor_lacking {
	const struct btf_view *of; /* only fields that these types have, too; NULL: all */
	unsigned fields, optional, count;
	char names[192]; /* of the required ones */
};
/* Adds to `l`. 0 or -errno. */
int doctor_fields_compare(struct btf_view *kernel, struct doctor_lacking *l);

#endif
