/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_expr.c - random expressions, right, nearly right and wrong, on a kernel's own types. None
 * may crash, leak, or make a program that reads what it must not.
 *
 *	fuzz_expr BTF [COUNT [SEED]]	prints how many of them compiled
 *
 * With -fsanitize=fuzzer (and -DLIBFUZZER) the input is the text; FUZZ_BTF names the BTF.
 */
#include <string.h>

#include "fuzz.h"

static struct btf_view *btf;
static struct expr_target base;
static uint32_t func_count;
static uint32_t *funcs;

static void funcs_collect(const char *path)
{
	if (btf_view_open(path, &btf)) {
		fprintf(stderr, "fuzz_expr: cannot read %s\n", path);
		exit(2);
	}
	base = target_of(btf, "");
	funcs = calloc(btf_view_count(btf), sizeof(*funcs));
	for (uint32_t id = 1; id < btf_view_count(btf); id++)
		if (btf_view_kind(btf, id) == BTF_KIND_FUNC)
			funcs[func_count++] = id;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct chance chance = { size + 1 };
	struct expr_target target;
	char text[FUZZ_TEXT];
	const char *list = text;
	uint32_t func;

	if (!btf)
		funcs_collect(getenv("FUZZ_BTF"));
	input_copy(text, sizeof(text), data, size);
	func = btf_view_func(btf, "vfs_read");
	target = target_random(&chance, &base);
	fuzz_compile(&chance, btf, func ?: funcs[0], &target, &list, 1);
	return 0;
}

#ifndef LIBFUZZER
/* Sometimes a value of a pair's end, or of both sides, or of a loop. Too long: cut, which is a text like any other. */
static void pair_wrap(struct chance *c, struct fuzz_text *t)
{
	static const char *const forms[] = { "@end(%s)",
					     "%s - @end(%s)",
					     "%s == @end(%s)",
					     "@ret(%s) && %s && $lat > 1ms",
					     "(%s) + $lat",
					     "@end(%s) ?? %s",
					     "(%s) - (u64)$ip",
					     "(struct sock *)(%s):peer ~ \"10.*\" && (%s)",
					     "@sum(i < %s, i * (%s))",
					     "@any(@list(%s, struct list_head, next) == (%s))" };
	char text[sizeof(t->text)];

	if (chance_below(c, 4))
		return;
	memcpy(text, t->text, sizeof(text));
	snprintf(t->text, sizeof(t->text), forms[chance_below(c, 10)], text, text);
}

static bool one_round(struct chance *c)
{
	struct expr_target target = target_random(c, &base);
	uint32_t func = funcs[chance_below(c, func_count)];
	struct fuzz_text texts[FUZZ_EXPRS];
	const char *list[FUZZ_EXPRS];
	size_t count = chance_below(c, 3) ? 1 : chance_below(c, FUZZ_EXPRS + 1);

	for (size_t i = 0; i < count; i++) {
		expression_random(c, btf, func, &texts[i]);
		pair_wrap(c, &texts[i]);
		list[i] = texts[i].text;
	}
	return fuzz_compile(c, btf, func, &target, list, count);
}

int main(int argc, char **argv)
{
	unsigned long count = argc > 2 ? strtoul(argv[2], NULL, 0) : 20000;
	unsigned long seed = argc > 3 ? strtoul(argv[3], NULL, 0) : 1, compiled = 0;

	if (argc < 2) {
		fprintf(stderr, "usage: fuzz_expr BTF [COUNT [SEED]]\n");
		return 2;
	}
	funcs_collect(argv[1]);
	for (unsigned long i = 0; i < count; i++) {
		struct chance c = { ((uint64_t)seed << 40 ^ i) * 0x9e3779b97f4a7c15ull | 1 };

		compiled += one_round(&c);
	}
	printf("%lu compiled, %lu refused\n", compiled, count - compiled);
	free(funcs);
	btf_view_close(btf);
	return 0;
}
#endif
