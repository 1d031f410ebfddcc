/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pack-recipes.c [-a] NAME FILE… - texts (recipes, tables of system calls, samples) → a C file with all of them,
 * compressed: each ends with a NUL. Lines that are comments are left out, but with -a. A build tool.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pack.h"

static char texts[1 << 20];
static size_t size;
static bool keeps_comments;

static int text_add(const char *path)
{
	FILE *f = fopen(path, "r");
	char line[4096];

	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f)) {
		size_t len = strlen(line);

		if (*line == '#' && !keeps_comments)
			continue;
		if (size + len + 2 > sizeof(texts))
			return -1;
		memcpy(texts + size, line, len);
		size += len;
	}
	texts[size++] = 0;
	return fclose(f);
}

int main(int argc, char **argv)
{
	size_t packed_size;

	keeps_comments = argc > 1 && !strcmp(argv[1], "-a");
	argv += keeps_comments;
	argc -= keeps_comments;
	if (argc < 3)
		return 1;
	for (int i = 2; i < argc; i++)
		if (text_add(argv[i])) {
			fprintf(stderr, "pack-recipes: cannot read %s\n", argv[i]);
			return 1;
		}
	printf("#include <stddef.h>\nconst unsigned char %s_packed[] = ", argv[1]);
	packed_size = pack_print(texts, size, NULL);
	printf(";\nconst size_t %s_size = %zu, %s_packed_size = %zu;\n", argv[1], size, argv[1],
	       packed_size);
	return !packed_size || fflush(stdout);
}
