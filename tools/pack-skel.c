/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pack-skel.c - a filter for `bpftool gen skeleton OBJECT name NAME`: it compresses the object in
 * the skeleton; NAME__elf_bytes() unpacks it into memory that its caller frees. A build tool.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pack.h"

static unsigned char *file_read(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	unsigned char *data = NULL;

	if (f && !fseek(f, 0, SEEK_END) && (long)(*size = ftell(f)) > 0 && !fseek(f, 0, SEEK_SET))
		data = malloc(*size);
	if (data && fread(data, 1, *size, f) != *size) {
		free(data);
		data = NULL;
	}
	if (f)
		fclose(f);
	return data;
}

/* The body of NAME__elf_bytes. Returns 0 on success. */
static int body_print(const void *data, size_t size)
{
	printf("{\n\tstatic const unsigned char packed[] = ");
	if (!pack_print(data, size))
		return -1;
	printf(";\n\n\t*sz = %zu;\n", size);
	printf("\treturn unpack_embedded(packed, sizeof(packed), *sz);\n}\n");
	return 0;
}

/* Does the line start the definition of NAME__elf_bytes, not its prototype? */
static int is_definition(const char *line)
{
	return strstr(line, "__elf_bytes(size_t *sz)\n") && !strncmp(line, "static inline", 13);
}

int main(int argc, char **argv)
{
	int packed = 0, inside = 0;
	unsigned char *data;
	char line[4096];
	size_t size = 0;

	data = argc == 2 ? file_read(argv[1], &size) : NULL;
	if (!data) {
		fprintf(stderr, "usage: bpftool gen skeleton OBJECT … | pack-skel OBJECT\n");
		return 1;
	}
	printf("#include \"util/unpack.h\"\n");
	while (fgets(line, sizeof(line), stdin)) {
		if (!inside)
			fputs(line, stdout);
		inside = inside ? strcmp(line, "}\n") != 0 : is_definition(line);
		if (!inside || packed)
			continue;
		packed = !body_print(data, size);
	}
	free(data);
	if (!packed || inside || fflush(stdout)) {
		fprintf(stderr, "pack-skel: %s: not the skeleton that was expected\n", argv[1]);
		return 1;
	}
	return 0;
}
