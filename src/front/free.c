/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * free.c - frees all that a run of argdump owns, and that of its marks (--in).
 */
#include <stdlib.h>

#include "probe/argdump.h"
#include "output/rows/line.h"

/* Its maps are those of `a`. */
static void marks_free(struct argdump *a)
{
	struct argdump *marks = a->within.marks;

	inside_free(a);
	if (!marks)
		return;
	marks->maps = (struct program_maps)PROGRAM_MAPS_NONE; /* they are a's */
	argdump_free(marks);
	free(marks);
	a->within.marks = NULL;
}

void argdump_free(struct argdump *a)
{
	marks_free(a);
	recorder_close(&a->window.before);
	for (size_t i = 0; i < a->probe_count; i++)
		argdump_probe_close(&a->probes[i]);
	for (size_t i = 0; i < a->request_count; i++) {
		probe_spec_free(&a->requests[i].spec);
		free(a->requests[i].chosen);
		argdump_legacy_free(a->requests[i].old);
		free(a->requests[i].with_first);
		function_list_free(&a->requests[i].functions);
	}
	aggregate_close(&a->aggregate);
	stacks_close(a);
	pairs_close(a);
	btf_modules_close(a->modules);
	free(a->points);
	for (size_t i = 0; a->lines && i < a->probe_count; i++)
		line_free(a->lines[i]);
	free(a->lines);
	free(a->schemas);
	free(a->probes);
	free(a->requests);
	program_maps_close(&a->maps);
}
