/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * script_loader.c - what a kernel's verifier says about programs in bpftrace's language. Nothing is attached.
 *
 *	script_loader                     compiles each line of stdin for this kernel, in several ways, and loads it
 *	script_loader random COUNT SEED   … random programs (script_loader_random.c)
 *	script_loader values COUNT SEED   runs random programs, whose values are known (script_loader_values.c)
 *
 * The first prints a line for each: VERDICT <tab> WAY <tab> LINE [<tab> WHY]. VERDICT: yes, no (the kernel refused it),
 * later or error (the compiler did). A byte 1 in a line stands for the end of a line of the program.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script_loader.h"
#include "script_points.h"

enum { LINE_SIZE = 4096 };

/* The last line but the statistics. */
static void why(char *log)
{
	char *save, *last = "", *before = "";

	for (char *l = strtok_r(log, "\n", &save); l; l = strtok_r(NULL, "\n", &save)) {
		if (!strncmp(l, "processed ", 10) || !strncmp(l, "verification time", 17) ||
		    !strncmp(l, "stack depth", 11))
			continue;
		before = last;
		last = l;
	}
	printf("\t%s | %s", before, last);
}

static void line_load(char *line, const struct way *way)
{
	struct script_error error = { 0 };
	struct script *s = NULL;
	int err;

	for (char *c = line; *c; c++)
		*c = *c == 1 ? '\n' : *c;
	err = script_parse(line, NULL, &s, &error);

	if (!err)
		err = points_load(s, way, &error, NULL);
	for (char *c = line; *c; c++)
		*c = *c == '\n' ? 1 : *c;
	printf("%s\t%s\t%s",
	       !err	      ? "yes" :
	       err == -EACCES ? "no" :
	       error.is_later ? "later" :
				"error",
	       way->name, line);
	if (err == -EACCES)
		why(points_log());
	else if (err)
		printf("\t%s", error.message);
	printf("\n");
	fflush(stdout);
	script_free(s);
}

static void lines_load(void)
{
	char line[LINE_SIZE];

	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = 0;
		if (!*line || *line == '#')
			continue;
		for (size_t i = 0; i < WAYS; i++)
			if (i < 1 || strstr(line, "fentry:") || strstr(line, "fexit:"))
				line_load(line, &ways[i]);
	}
}

int main(int argc, char **argv)
{
	int status = 0;

	if (points_open())
		return 1;
	if (argc > 3 && !strcmp(argv[1], "random"))
		status = run_random(strtoul(argv[2], NULL, 0), strtoul(argv[3], NULL, 0));
	else if (argc > 3 && !strcmp(argv[1], "values"))
		status = run_values(strtoul(argv[2], NULL, 0), strtoul(argv[3], NULL, 0));
	else if (argc == 1)
		lines_load();
	else
		status = 2;
	points_close();
	return status;
}
