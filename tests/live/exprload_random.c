/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * exprload_random.c - random expressions over random functions, loaded in every way (exprload.h).
 */
#include <stdio.h>
#include <unistd.h>

#include "../fuzz/fuzz.h"
#include "exprload.h"

/* A function that fentry cannot have fails with an empty program, too. */
static bool is_attachable(const struct way *way, const char *func, uint32_t func_id)
{
	static const char *const none[] = { "$pid" };
	struct expr_program *p;
	int fd = -1;

	if (way->method != EXPR_CTX_FENTRY)
		return true;
	if (!compile(way, func, none, 1, false, &p, &func_id))
		fd = load(way, func_id, p);
	expr_free(p);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* 1: loaded, 0: not a case, -1: refused. */
static int random_one(struct chance *c, const struct way *way, const char *func)
{
	struct fuzz_text texts[4];
	const char *list[4];
	struct expr_program *p = NULL;
	size_t count = 1 + chance_below(c, 4);
	uint32_t func_id = btf_view_func(btf, func);
	int fd, result = 0;

	for (size_t i = 0; i < count; i++) {
		list[i] = texts[i].text;
		for (int tries = 0; tries < 20; tries++) {
			expression_random(c, btf, func_id, &texts[i]);
			if (!compile(way, func, &list[i], 1, false, &p, &func_id))
				tries = 20;
			expr_free(p);
		}
	}
	if (compile(way, func, list, count, false, &p, &func_id))
		goto out;
	fd = load(way, func_id, p);
	result = fd >= 0 ? 1 : is_attachable(way, func, func_id) ? -1 : 0;
	if (result < 0) {
		load(way, func_id, p);
		printf("refused: %s %s", way->name, func);
		for (size_t i = 0; i < count; i++)
			printf(" '%s'", list[i]);
		printf("\n%s\n", log_end());
	}
	if (fd >= 0)
		close(fd);
out:
	expr_free(p);
	return result;
}

int run_random(unsigned long count, unsigned long seed)
{
	struct chance c = { seed * 0x9e3779b97f4a7c15ull | 1 };
	unsigned long loaded = 0, refused = 0;

	while (loaded + refused < count) {
		uint32_t id = chance_below(&c, btf_view_count(btf));
		int result;

		if (btf_view_kind(btf, id) != BTF_KIND_FUNC)
			continue;
		result = random_one(&c, &ways[chance_below(&c, WAYS)], btf_view_name(btf, id));
		loaded += result > 0;
		refused += result < 0;
	}
	printf("# %lu loaded, %lu refused\n", loaded, refused);
	return refused ? 1 : 0;
}
