/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kernels.h - kernels of which there are only files (--kernel): where they are, and their names.
 */
#ifndef CORETAP_DOCTOR_KERNELS_H
#define CORETAP_DOCTOR_KERNELS_H

#include <stddef.h>

#include "cli/options.h"

struct doctor_kernel {
	char *name; /* as 6.12.117+deb13-cloud-amd64 */
	char *path; /* of a file that btf_view_open reads */
};

struct doctor_kernels {
	struct doctor_kernel *all; /* sorted by version */
	size_t count;
};

/* Finds what each item of `asked` names: a file, a folder of files, or a version whose file is where packages install
 * it. Prints any error. Returns the exit status; free *k in any case. */
int doctor_kernels_find(const struct option_list *asked, struct doctor_kernels *k);
void doctor_kernels_free(struct doctor_kernels *k);

#endif
