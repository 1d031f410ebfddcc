/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * othertypes FILE: writes BTF as another kernel's might be: all as in FILE, but the members of struct
 * task_struct lie 16 bytes farther.
 */
#include <linux/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Bytes that follow a type, by its kind. */
static size_t rest(const struct btf_type *t)
{
	size_t count = BTF_INFO_VLEN(t->info);

	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case 17: /* DECL_TAG */ return 4;
	case BTF_KIND_ARRAY: return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_DATASEC:
	case 19: /* ENUM64 */ return 12 * count;
	case BTF_KIND_ENUM:
	case BTF_KIND_FUNC_PROTO: return 8 * count;
	default: return 0;
	}
}

static int types_change(char *data)
{
	const struct btf_header *h = (void *)data;
	char *at = data + h->hdr_len + h->type_off, *end = at + h->type_len;
	const char *strings = data + h->hdr_len + h->str_off;
	int changed = 0;

	for (; at < end; at += sizeof(struct btf_type) + rest((void *)at)) {
		struct btf_type *t = (void *)at;
		struct btf_member *m = (void *)(t + 1);

		if (BTF_INFO_KIND(t->info) != BTF_KIND_STRUCT ||
		    strcmp(strings + t->name_off, "task_struct"))
			continue;
		for (unsigned i = 0; i < BTF_INFO_VLEN(t->info); i++)
			m[i].offset += 16 * 8;
		changed++;
	}
	return changed;
}

int main(int argc, char **argv)
{
	FILE *f = argc == 2 ? fopen(argv[1], "r") : NULL;
	struct stat st;
	char *data;

	if (!f || fstat(fileno(f), &st))
		return 1;
	data = malloc(st.st_size);
	if (!data || fread(data, 1, st.st_size, f) != (size_t)st.st_size || types_change(data) != 1)
		return 1;
	return fwrite(data, 1, st.st_size, stdout) != (size_t)st.st_size;
}
