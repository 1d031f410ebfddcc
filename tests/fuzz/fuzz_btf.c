/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_btf.c - damaged BTF: every accessor and the compiler on a file with some words changed. It
 * may be refused or give nonsense, but nothing may leave the data or never end.
 *
 *	fuzz_btf BTF [COUNT [SEED]]
 *
 * With -fsanitize=fuzzer (and -DLIBFUZZER) the input is the BTF.
 */
#include <string.h>

#include "fuzz.h"
#include "btf/btf_layout.h"
#include "util/buf.h"
#include "util/suggest.h"

static void look_at_type(const struct btf_view *b, uint32_t id)
{
	struct btf_found found;
	struct suggestion nearest;
	char text[64];

	btf_view_type(b, id);
	btf_view_name(b, id);
	btf_view_size(b, id);
	btf_view_strip(b, id);
	btf_view_tagged(b, id, "user");
	btf_view_declare(b, id, "x", text, sizeof(text));
	btf_view_member(b, id, "len", 3, &found);
	suggest_init(&nearest, "len");
	btf_view_member_names(b, id, &nearest);
}

static void print_some(struct chance *c, const struct btf_view *b)
{
	uint32_t count = btf_view_count(b);
	struct buf o;

	buf_init(&o, -1);
	for (int i = 0; count && i < 20; i++) {
		btf_layout_layout(b, chance_below(c, count), NULL, i % 2, &o);
		o.len = 0;
	}
	buf_free(&o);
}

/* The same as a module's BTF, whose base is damaged as well. */
static void look_at_split(struct chance *c, const struct btf_view *base, const void *data,
			  size_t size)
{
	struct btf_view *b;
	uint32_t count;

	if (btf_view_from_split(base, data, size, &b))
		return;
	count = btf_view_count(b);
	for (int i = 0; count && i < 50; i++)
		look_at_type(b, chance_below(c, count));
	btf_view_func(b, "vfs_read");
	print_some(c, b);
	btf_view_close(b);
}

static void compile_some(struct chance *c, const struct btf_view *b)
{
	struct expr_target target, base = target_of(b, "");
	uint32_t func = btf_view_func(b, "vfs_read");

	for (int i = 0; func && i < 4; i++) {
		struct fuzz_text text;
		const char *list = text.text;

		target = target_random(c, &base);
		expression_random(c, b, func, &text);
		fuzz_compile(c, b, func, &target, &list, chance_below(c, 2));
	}
}

/* Checks only some types of large files, because a round would take seconds. */
static void look_at(struct chance *c, const void *data, size_t size)
{
	struct suggestion nearest;
	struct btf_view *b;
	uint32_t count;

	if (btf_view_from(data, size, &b))
		return;
	count = btf_view_count(b);
	for (uint32_t i = 0; i < count && i < 300; i++)
		look_at_type(b, count <= 300 ? i : chance_below(c, count));
	suggest_init(&nearest, "vfs_raed");
	btf_view_func_names(b, &nearest);
	compile_some(c, b);
	print_some(c, b);
	look_at_split(c, b, data, size);
	btf_view_close(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct chance chance = { size + 1 };
	void *copy = malloc(size + 1); /* aligned */

	memcpy(copy, data, size);
	look_at(&chance, copy, size);
	free(copy);
	return 0;
}

#ifndef LIBFUZZER
static void one_round(struct chance *c, const uint8_t *data, size_t size)
{
	uint32_t *copy = malloc(size + 4);

	memcpy(copy, data, size);
	for (uint32_t changes = chance_below(c, 8); changes; changes--) {
		uint32_t *word = &copy[chance_below(c, size / 4)];

		switch (chance_below(c, 4)) {
		case 0: *word = chance_next(c); break;
		case 1:
			*word = chance_below(c, 300); /* an id, perhaps a loop */
			break;
		case 2: *word ^= 1u << chance_below(c, 32); break;
		default: *word = copy[chance_below(c, size / 4)]; break;
		}
	}
	look_at(c, copy, size - (chance_below(c, 10) ? 0 : chance_below(c, size)));
	free(copy);
}

static uint8_t *file_read(const char *path, size_t *size)
{
	FILE *f = fopen(path, "r");
	uint8_t *data;

	if (!f)
		return NULL;
	fseek(f, 0, SEEK_END);
	*size = ftell(f);
	rewind(f);
	data = malloc(*size);
	if (fread(data, 1, *size, f) != *size) {
		free(data);
		data = NULL;
	}
	fclose(f);
	return data;
}

int main(int argc, char **argv)
{
	unsigned long count = argc > 2 ? strtoul(argv[2], NULL, 0) : 20000;
	unsigned long seed = argc > 3 ? strtoul(argv[3], NULL, 0) : 1;
	size_t size;
	uint8_t *data = argc > 1 ? file_read(argv[1], &size) : NULL;

	if (!data) {
		fprintf(stderr, "usage: fuzz_btf BTF [COUNT [SEED]]\n");
		return 2;
	}
	for (unsigned long i = 0; i < count; i++) {
		struct chance c = { ((uint64_t)seed << 40 ^ i) * 0x9e3779b97f4a7c15ull | 1 };

		one_round(&c, data, size);
	}
	printf("%lu damaged files\n", count);
	free(data);
	return 0;
}
#endif
