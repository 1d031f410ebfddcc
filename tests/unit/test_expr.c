/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_expr.c - the compiler's interface: what it returns, who owns it, its limits, what a kernel
 * is found to offer. Stages are in tests/golden, values in test_run.c.
 */
#include <errno.h>
#include <string.h>

#include "unit.h"
#include "btf_build.h"
#include "expr/compile.h"

static struct btf_build build;
static struct btf_view *btf;
static uint32_t probe_id, odd_id, seven_id, node_id, unnamed_id;

static int setup(void **state)
{
	uint32_t int_id = build_int(&build, "int", 4, BTF_INT_SIGNED);
	uint32_t wide = build_int(&build, "__int128", 16, BTF_INT_SIGNED);
	uint32_t pointer = build_ref(&build, BTF_KIND_PTR, "", 0);
	uint32_t two = build_struct(&build, BTF_KIND_STRUCT, "two", 16,
				    (struct build_part[]){ { "a", int_id, 0, 0 } }, 1);
	struct build_part seven[8] = {}, helpers[200] = {};

	build_int(&build, "long", 8, BTF_INT_SIGNED);
	build_int(&build, "char", 1, BTF_INT_SIGNED);
	node_id = build_struct(
		&build, BTF_KIND_STRUCT, "node", 16,
		(struct build_part[]){ { "next", pointer, 0, 0 }, { "v", int_id, 64, 0 } }, 2);
	build_set(&build, pointer, node_id);
	probe_id = build_func(
		&build, "probe", int_id,
		(struct build_part[]){ { "node", pointer, 0, 0 }, { "count", int_id, 0, 0 } }, 2);
	odd_id = build_func(&build, "odd", int_id,
			    (struct build_part[]){ { "t", two, 0, 0 },
						   { "after", int_id, 0, 0 },
						   { "wide", wide, 0, 0 },
						   { "", 0, 0, 0 } },
			    4);
	for (int i = 0; i < 8; i++)
		seven[i] = (struct build_part){ "abcdefgh" + i, int_id, 0, 0 };
	seven_id = build_func(&build, "seven", int_id, seven, 8);
	unnamed_id = build_func(&build, "unnamed", int_id,
				(struct build_part[]){ { "", int_id, 0, 0 } }, 1);
	for (int i = 0; i < 200; i++)
		helpers[i] = (struct build_part){ "BPF_FUNC", 0, i, 0 };
	build_enum(&build, "bpf_func_id", helpers, 170);
	build_func(&build, "bpf_rdonly_cast", int_id, NULL, 0);
	return built_open(&build, &btf, state);
}

static int compile(uint32_t func, const char *const *texts, size_t count, enum expr_ctx_type method,
		   struct expr_program **p, struct expr_error *error)
{
	struct expr_input in = {
		.btf = btf,
		.site.func_id = func,
		.texts = texts,
		.count = count,
		.target = { .method = method,
			    .typed_loads = true,
			    .probe_read = true,
			    .func_arg = true },
	};

	return expr_compile(&in, p, error);
}

static void test_results_are_owned(void **state)
{
	char text[] = "n=node->next->v";
	const char *texts[] = { text };
	struct expr_program *p;
	struct expr_error error;
	const struct schema *schema;
	size_t count;

	(void)state;
	assert_int_equal(compile(probe_id, texts, 1, EXPR_CTX_FENTRY, &p, &error), 0);
	memset(text, 'x', sizeof(text) - 1); /* not used any more */
	schema = expr_schema(p);
	assert_int_equal(schema->count, 4);
	assert_int_equal(schema->record_min, expr_record_size(p));
	assert_int_equal(expr_record_size(p) % 8, 0);
	assert_string_equal(schema->fields[0].name, "pid");
	assert_string_equal(schema->fields[1].name, "tid");
	assert_string_equal(schema->fields[2].name, "comm");
	assert_string_equal(schema->fields[3].name, "n");
	assert_int_equal(schema->fields[3].flags, FIELD_PAIR);
	assert_string_equal(schema->fields[3].links[0], "node");
	assert_string_equal(schema->fields[3].links[1], "node->next");
	assert_null(schema->fields[3].links[2]);
	assert_non_null(expr_insns(p, &count));
	assert_true(count > 20);
	expr_free(p);
	expr_free(NULL);
}

static void check_fails(uint32_t func, const char *const *texts, size_t count,
			enum expr_ctx_type method, size_t text, const char *part)
{
	struct expr_program *p = NULL;
	struct expr_error error;

	assert_int_equal(compile(func, texts, count, method, &p, &error), -EINVAL);
	assert_non_null(p); /* the stages before the failure */
	assert_int_equal(error.text, text);
	if (!strstr(error.message, part))
		fail_msg("'%s' is not in '%s'", part, error.message);
	expr_free(p);
}

static void test_failures(void **state)
{
	const char *texts[SLOTS_MAX + 1] = { "count", "nod->v" };

	(void)state;
	check_fails(probe_id, texts, 2, EXPR_CTX_FENTRY, 1, "no parameter nod");
	check_fails(node_id, texts, 1, EXPR_CTX_FENTRY, (size_t)-1, "no prototype");
	check_fails(0, texts, 1, EXPR_CTX_FENTRY, (size_t)-1, "no prototype");
	check_fails(~0u, texts, 1, EXPR_CTX_FENTRY, (size_t)-1, "no prototype");
	for (size_t i = 0; i <= SLOTS_MAX; i++)
		texts[i] = "count";
	check_fails(probe_id, texts, SLOTS_MAX + 1, EXPR_CTX_FENTRY, (size_t)-1, "more than 64");
	for (size_t i = 0; i < 16; i++)
		texts[i] = "node:str:4096";
	check_fails(probe_id, texts, 16, EXPR_CTX_FENTRY, (size_t)-1, "too large");
}

static void test_parameters(void **state)
{
	static const char *const last[] = { "$arg8" };
	struct expr_program *p;
	struct expr_error error;

	(void)state;
	/* every parameter that is a value; the struct, the 128 bits and the ... are left out */
	assert_int_equal(compile(odd_id, NULL, 0, EXPR_CTX_FENTRY, &p, &error), 0);
	assert_int_equal(expr_schema(p)->count, 4);
	assert_string_equal(expr_schema(p)->fields[3].name, "after");
	/* the struct takes two places */
	assert_int_equal(p->plan.values[0].imm, 2);
	expr_free(p);
	assert_int_equal(compile(unnamed_id, NULL, 0, EXPR_CTX_FENTRY, &p, &error), 0);
	assert_string_equal(expr_schema(p)->fields[3].name, "arg1");
	expr_free(p);
	assert_int_equal(compile(seven_id, last, 1, EXPR_CTX_FENTRY, &p, &error), 0);
	expr_free(p);
	assert_int_equal(compile(seven_id, last, 1, EXPR_CTX_KPROBE, &p, &error), 0);
	expr_free(p); /* from the stack */
}

static void test_target(void **state)
{
	struct expr_target t;
	uint32_t func;

	(void)state;
	assert_int_equal(expr_target_detect(btf, "probe", &t, &func), 0);
	assert_int_equal(func, probe_id);
	assert_true(t.typed_loads && t.probe_read);
	assert_true(t.current_task_btf); /* 158 of 169 */
	assert_false(t.func_arg);	 /* 183 */
	assert_true(t.rdonly_cast_id);
	assert_false(t.rdonly_cast_void);
	assert_int_equal(t.task_struct_id, 0);
	assert_int_equal(expr_target_detect(btf, "absent", &t, &func), 0);
	assert_int_equal(func, 0);
}

/* A 32-bit program's longs and pointers have 4 bytes; what a pointer in a register is does not change. */
static void test_compat_parameters(void **state)
{
	static const struct field_name points[] = { { 0, "call", 0 }, { 1, "compat_call", 0 } };
	const struct expr_param params[] = {
		{ .name = "a", .type = "long", .offset = 40, .size = 4, .where = EXPR_PARAM_CALL },
		{ .name = "b",
		  .type = "long *",
		  .offset = 88,
		  .size = 4,
		  .where = EXPR_PARAM_CALL },
		{ .name = "c",
		  .type = "char **",
		  .offset = 96,
		  .size = 4,
		  .where = EXPR_PARAM_CALL },
		{ .name = "d",
		  .type = "int *",
		  .offset = 104,
		  .size = 4,
		  .where = EXPR_PARAM_CALL },
	};
	const char *texts[] = { "a", "b[1]", "c[1]", "c[0]:ustr", "d", "abi=a" };
	static const struct {
		unsigned size;
		enum field_type type;
	} want[] = {
		{ 4, FIELD_INT },  { 4, FIELD_INT }, { 4, FIELD_UINT },
		{ 0, FIELD_CSTR }, { 8, FIELD_PTR }, { 4, FIELD_INT },
	};
	struct expr_input in = {
		.btf = btf,
		.site.func_id = probe_id,
		.site.params = params,
		.site.param_count = COUNT(params),
		.texts = texts,
		.count = COUNT(texts),
		.run.many = true,
		.probe_number = 1,
		.run.points = points,
		.run.point_count = 2,
		.point.index = 1,
		.run.points_hidden = true,
		.site.compat = true,
		.target = { .method = EXPR_CTX_KPROBE, .probe_read = true },
	};
	struct expr_program *p;
	struct expr_error error;
	const struct field *f;

	(void)state;
	assert_int_equal(expr_compile(&in, &p, &error), 0);
	f = expr_schema(p)->fields;
	assert_string_equal(f[3].name, "func");
	assert_int_equal(f[3].flags, FIELD_JSON_ONLY);
	assert_string_equal(f[4].name, "abi");
	assert_int_equal(f[4].flags, FIELD_REMARK);
	assert_int_equal(f[4].names[0].value, 1);
	assert_string_equal(f[4].names[0].name, "32-bit");
	for (size_t i = 0; i < COUNT(want); i++) {
		assert_int_equal(f[5 + i].type, want[i].type);
		if (want[i].size)
			assert_int_equal(f[5 + i].size, want[i].size);
	}
	assert_string_equal(f[10].name, "abi"); /* "args" has it, which no other key does */
	assert_int_equal(f[10].flags, FIELD_PAIR);
	expr_free(p);
}

/* The caller comes first, followed by the defaults. */
static void test_caller(void **state)
{
	static const struct field_name points[] = { { 0, "probe", 0 } };
	const char *texts[] = { "caller=$caller:sym" };
	struct expr_input in = {
		.btf = btf,
		.site.func_id = probe_id,
		.texts = texts,
		.count = 1,
		.run.points = points,
		.run.point_count = 1,
		.caller_first = true,
		.first_alone = true,
		.target = { .method = EXPR_CTX_KPROBE, .probe_read = true },
	};
	struct expr_program *p;
	struct expr_error error;
	const struct schema *schema;

	(void)state;
	assert_int_equal(expr_compile(&in, &p, &error), 0);
	schema = expr_schema(p);
	assert_int_equal(schema->count, 6);
	assert_int_equal(schema->fields[3].flags, FIELD_PAIR | FIELD_CALLER);
	assert_string_equal(schema->fields[3].names[0].name, "probe");
	assert_string_equal(schema->fields[4].name, "node");
	assert_string_equal(schema->fields[5].name, "count");
	expr_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_results_are_owned), cmocka_unit_test(test_failures),
		cmocka_unit_test(test_parameters),	  cmocka_unit_test(test_target),
		cmocka_unit_test(test_compat_parameters), cmocka_unit_test(test_caller),
	};

	return cmocka_run_group_tests(tests, setup, built_close);
}
