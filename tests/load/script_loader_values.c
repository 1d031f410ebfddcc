/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * script_loader_values.c - random programs whose values are known (tests/lib/script_values.h), run by this kernel as BEGIN
 * is. What is not as computed is printed, with its seed, and makes the command fail.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "../lib/script_values.h"
#include "script_loader.h"
#include "script_points.h"

static struct script_values values;
static const struct script *script; /* the one that runs */
static struct ring_buffer *ring;

static int record_see(void *ctx, void *record, size_t size)
{
	(void)ctx;
	script_values_see(&values, script, record, size);
	return 0;
}

static void program_run(const struct script *s, int fd, const struct program_maps *maps)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);

	if (!ring)
		ring = ring_buffer__new(maps->fds[EXPR_MAP_RING], record_see, NULL, NULL);
	script = s;
	if (ring && !bpf_prog_test_run_opts(fd, &opts))
		ring_buffer__consume(ring);
}

/* Returns the difference, or NULL. Programs that are too long for this kernel are not run. */
static const char *values_run(unsigned long *too_long)
{
	static struct script_error error;
	struct script *s = NULL;
	const char *trouble = NULL;
	int err = script_parse(values.text.data, NULL, &s, &error);

	if (!err)
		err = points_load(s, &ways[0], &error, program_run);
	if (err == -EACCES && !points_too_long())
		trouble = points_log_end();
	else if (err && err != -EACCES)
		trouble = error.message;
	else if (!err)
		trouble = script_values_trouble(&values);
	*too_long += err == -EACCES && !trouble;
	script_free(s);
	return trouble;
}

int run_values(unsigned long count, unsigned long seed)
{
	unsigned long too_long = 0, wrong = 0;

	for (unsigned long i = 0; i < count; i++) {
		struct chance c = chance_of(seed, i);
		const char *trouble;

		script_values_make(&c, &values);
		trouble = values_run(&too_long);
		wrong += trouble != NULL;
		if (trouble)
			printf("wrong: program %lu of seed %lu\n%s\n%s\n", i, seed,
			       values.text.data, trouble);
		fflush(stdout);
		script_values_free(&values);
	}
	ring_buffer__free(ring);
	printf("# %lu ran, %lu too long for this kernel, %lu wrong\n", count - too_long, too_long,
	       wrong);
	return wrong ? 1 : 0;
}
