/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pack-skel.c [OBJECT] PREFIX - compresses BPF objects, without the lines of their source and the labels of their
 * jumps. As a filter of `bpftool gen skeleton OBJECT name NAME`: it compresses the object in the skeleton;
 * NAME__elf_bytes() unpacks it into memory that its caller frees. Objects of this project resemble each other, so each
 * is compressed after the same one, PREFIX; alone, that is printed as C (src/attach/skel_unpack.h). A build tool.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pack-clear.h"
#include "pack.h"

/* The body of NAME__elf_bytes. Returns 0 on success. */
static int body_print(const struct pack_bytes *object, const struct pack_bytes *prefix)
{
	if (object->size == prefix->size && !memcmp(object->data, prefix->data, prefix->size)) {
		printf("{\n\treturn skel_prefix(sz);\n}\n");
		return 0;
	}
	printf("{\n\tstatic const unsigned char packed[] = ");
	if (!pack_print(object->data, object->size, prefix))
		return -1;
	printf(";\n\n\t*sz = %zu;\n", object->size);
	printf("\treturn skel_unpack(packed, sizeof(packed), *sz);\n}\n");
	return 0;
}

static int prefix_print(const struct pack_bytes *prefix)
{
	size_t packed;

	printf("#include <stddef.h>\nconst unsigned char skel_prefix_packed[] = ");
	packed = pack_print(prefix->data, prefix->size, NULL);
	printf(";\nconst size_t skel_prefix_size = %zu, skel_prefix_packed_size = %zu;\n",
	       prefix->size, packed);
	return packed ? 0 : -1;
}

/* Does the line start the definition of NAME__elf_bytes, not its prototype? */
static int is_definition(const char *line)
{
	return strstr(line, "__elf_bytes(size_t *sz)\n") && !strncmp(line, "static inline", 13);
}

/* Copies the skeleton but for that function. Returns 0 on success. */
static int skeleton_copy(const struct pack_bytes *object, const struct pack_bytes *prefix)
{
	int packed = 0, inside = 0;
	char line[4096];

	printf("#include \"attach/skel_unpack.h\"\n");
	while (fgets(line, sizeof(line), stdin)) {
		if (!inside)
			fputs(line, stdout);
		inside = inside ? strcmp(line, "}\n") != 0 : is_definition(line);
		if (!inside || packed)
			continue;
		packed = !body_print(object, prefix);
	}
	return packed && !inside ? 0 : -1;
}

int main(int argc, char **argv)
{
	struct pack_bytes object = { 0 }, prefix = { 0 };
	int err;

	if (argc == 2 || argc == 3) {
		object = pack_read(argv[1]);
		prefix = pack_read(argv[argc - 1]);
	}
	if (!object.data || !prefix.data) {
		fprintf(stderr, "usage: bpftool gen skeleton OBJECT … | pack-skel OBJECT PREFIX\n"
				"       pack-skel PREFIX\n");
		return 1;
	}
	object_clear(&object);
	object_clear(&prefix);
	err = (argc == 2 ? prefix_print(&prefix) : skeleton_copy(&object, &prefix)) ?:
										      fflush(stdout);
	free(object.data);
	free(prefix.data);
	if (err)
		fprintf(stderr, "pack-skel: %s: not the skeleton that was expected\n", argv[1]);
	return err != 0;
}
