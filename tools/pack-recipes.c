/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pack-recipes.c [-a] NAME FILE… - texts (recipes, tables of system calls, samples) → a C file with all of them,
 * compressed: each ends with a NUL. Lines that are comments are left out, but with -a. A build tool.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

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
	static unsigned char packed[sizeof(texts) + 4096];
	uLongf len = sizeof(packed);

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
	if (compress2(packed, &len, (unsigned char *)texts, size, Z_BEST_COMPRESSION) != Z_OK)
		return 1;
	printf("#include <stddef.h>\nconst size_t %s_size = %zu, %s_packed_size = %lu;\n", argv[1],
	       size, argv[1], len);
	printf("const unsigned char %s_packed[] = {", argv[1]);
	for (uLong i = 0; i < len; i++)
		printf("%s%u,", i % 24 ? "" : "\n\t", packed[i]);
	printf("\n};\n");
	return 0;
}
