/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_btf_layout.c - layouts of made types, byte by byte: offsets, holes, bitfields, anonymous
 * members, enums, typedefs; types that hold themselves.
 */
#include "unit.h"
#include "btf_build.h"
#include "btf/btf_layout.h"

static struct btf_build build;
static struct btf_view *view;
static uint32_t int_id, u8_id, holes, nested, values, wide, chain, plain, cycle, fwd;

static int setup(void **state)
{
	uint32_t inner, union_id, pointer, hidden, hidden_enum;

	int_id = build_int(&build, "int", 4, BTF_INT_SIGNED);
	u8_id = build_int(&build, "unsigned char", 1, 0);
	holes = build_struct(
		&build, BTF_KIND_STRUCT, "holes", 24,
		(struct build_part[]){ { "a", u8_id, 0, 0 },
				       { "b", int_id, 32, 0 },
				       { "x", int_id, 64, 3 },
				       { "y", int_id, 72, 4 },
				       { "c", u8_id, 96, 0 },
				       { "list", build_array(&build, u8_id, 5), 104, 0 } },
		6);
	inner = build_struct(&build, BTF_KIND_STRUCT, "", 8,
			     (struct build_part[]){ { "p", int_id, 0, 0 }, { "q", u8_id, 32, 0 } },
			     2);
	union_id = build_struct(
		&build, BTF_KIND_UNION, "", 8,
		(struct build_part[]){ { "", inner, 0, 0 }, { "raw", int_id, 0, 0 } }, 2);
	hidden = build_struct(&build, BTF_KIND_STRUCT, "", 4,
			      (struct build_part[]){ { "z", int_id, 0, 0 } }, 1);
	hidden_enum = build_enum(&build, "", (struct build_part[]){ { "OFF", 0, 0, 0 } }, 1);
	pointer = build_ref(&build, BTF_KIND_PTR, "", holes);
	nested = build_struct(
		&build, BTF_KIND_STRUCT, "nested", 36,
		(struct build_part[]){ { "h", pointer, 0, 0 },
				       { "", union_id, 64, 0 },
				       { "array", build_array(&build, hidden, 4), 128, 0 },
				       { "mode", hidden_enum, 256, 0 } },
		4);
	values = build_type(&build, BTF_KIND_ENUM, "values", 2, 1, 4); /* signed */
	build_word(&build, build_string(&build, "MINUS"));
	build_word(&build, -1);
	build_word(&build, build_string(&build, "ZERO"));
	build_word(&build, 0);
	wide = build_type(&build, BTF_KIND_ENUM64, "wide", 1, 0, 8);
	build_word(&build, build_string(&build, "BIG"));
	build_word(&build, 5);
	build_word(&build, 1u << 31);
	chain = build_ref(&build, BTF_KIND_TYPEDEF, "outer_t",
			  build_ref(&build, BTF_KIND_TYPEDEF, "inner_t", values));
	plain = build_ref(&build, BTF_KIND_TYPEDEF, "pair_t", inner);
	cycle = build_struct(&build, BTF_KIND_STRUCT, "", 8,
			     (struct build_part[]){ { "", build.count + 1, 0, 0 } }, 1);
	fwd = build_ref(&build, BTF_KIND_FWD, "secret", 0);
	return built_open(&build, &view, state);
}

static void check(uint32_t id, bool json, const char *want)
{
	struct buf o;

	buf_init(&o, -1);
	btf_layout_layout(view, id, NULL, json, &o);
	buf_char(&o, 0);
	assert_string_equal(o.data, want);
	buf_free(&o);
}

static void test_holes(void **state)
{
	(void)state;
	check(holes, false,
	      "struct holes {\n"
	      "\t/*    0   */ unsigned char a;  /* 1 byte */\n"
	      "\t             /* hole: 3 bytes */\n"
	      "\t/*    4   */ int b;  /* 4 bytes */\n"
	      "\t/*    8:0 */ int x:3;\n"
	      "\t             /* hole: 5 bits */\n"
	      "\t/*    9:0 */ int y:4;\n"
	      "\t             /* hole: 2 bytes and 4 bits */\n"
	      "\t/*   12   */ unsigned char c;  /* 1 byte */\n"
	      "\t/*   13   */ unsigned char list[5];  /* 5 bytes */\n"
	      "\t             /* padding: 6 bytes */\n"
	      "};  /* 24 bytes, 6 members, 3 holes of 6 bytes and 1 bit */\n");
	check(holes, true,
	      "{\"type\":\"type\",\"kind\":\"struct\",\"name\":\"holes\",\"module\":null,\"size\":24,"
	      "\"members\":[{\"offset\":0,\"size\":1,\"name\":\"a\",\"ctype\":\"unsigned char\"},"
	      "{\"offset\":1,\"size\":3,\"hole\":true},"
	      "{\"offset\":4,\"size\":4,\"name\":\"b\",\"ctype\":\"int\"},"
	      "{\"offset\":8,\"bit\":0,\"bits\":3,\"name\":\"x\",\"ctype\":\"int\"},"
	      "{\"offset\":8,\"bit\":3,\"bits\":5,\"hole\":true},"
	      "{\"offset\":9,\"bit\":0,\"bits\":4,\"name\":\"y\",\"ctype\":\"int\"},"
	      "{\"offset\":9,\"bit\":4,\"bits\":20,\"hole\":true},"
	      "{\"offset\":12,\"size\":1,\"name\":\"c\",\"ctype\":\"unsigned char\"},"
	      "{\"offset\":13,\"size\":5,\"name\":\"list\",\"ctype\":\"unsigned char [5]\"},"
	      "{\"offset\":18,\"size\":6,\"padding\":true}]}\n");
}

static void test_nested(void **state)
{
	(void)state;
	check(nested, false,
	      "struct nested {\n"
	      "\t/*    0   */ struct holes *h;  /* 8 bytes */\n"
	      "\t/*    8   */ union {\n"
	      "\t/*    8   */ \tstruct {\n"
	      "\t/*    8   */ \t\tint p;  /* 4 bytes */\n"
	      "\t/*   12   */ \t\tunsigned char q;  /* 1 byte */\n"
	      "\t             \t\t/* padding: 3 bytes */\n"
	      "\t             \t};  /* 8 bytes */\n"
	      "\t/*    8   */ \tint raw;  /* 4 bytes */\n"
	      "\t             };  /* 8 bytes */\n"
	      "\t/*   16   */ struct {\n"
	      "\t/*   16   */ \tint z;  /* 4 bytes */\n"
	      "\t             } array[4];  /* 16 bytes */\n"
	      "\t/*   32   */ enum {\n"
	      "\t             \tOFF = 0,\n"
	      "\t             } mode;  /* 4 bytes */\n"
	      "};  /* 36 bytes, 4 members */\n");
}

static void test_enums(void **state)
{
	(void)state;
	check(values, false,
	      "enum values {\n\tMINUS = -1,\n\tZERO = 0,\n};  /* 4 bytes, 2 values */\n");
	check(wide, false,
	      "enum wide {\n\tBIG = 9223372036854775813,\n};  /* 8 bytes, 1 value */\n");
	check(wide, true,
	      "{\"type\":\"type\",\"kind\":\"enum\",\"name\":\"wide\",\"module\":null,"
	      "\"size\":8,\"values\":[{\"name\":\"BIG\",\"value\":9223372036854775813}]}\n");
}

static void test_typedefs(void **state)
{
	(void)state;
	check(chain, false,
	      "typedef inner_t outer_t;  /* 4 bytes */\n"
	      "typedef enum values inner_t;  /* 4 bytes */\n"
	      "enum values {\n\tMINUS = -1,\n\tZERO = 0,\n};  /* 4 bytes, 2 values */\n");
	check(plain, false,
	      "typedef struct {\n"
	      "\t/*    0   */ int p;  /* 4 bytes */\n"
	      "\t/*    4   */ unsigned char q;  /* 1 byte */\n"
	      "\t             /* padding: 3 bytes */\n"
	      "} pair_t;  /* 8 bytes */\n");
}

static void test_others(void **state)
{
	(void)state;
	check(u8_id, false, "unsigned char;  /* 1 byte, unsigned */\n");
	check(fwd, false, "struct secret;  /* its members are not in this BTF */\n");
	check(0, false, "");
}

static void test_cycle_ends(void **state)
{
	struct buf o;

	(void)state;
	buf_init(&o, -1);
	btf_layout_layout(view, cycle, NULL, false, &o);
	btf_layout_layout(view, cycle, NULL, true, &o);
	assert_true(o.len > 100 && o.len < 20000);
	buf_free(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_holes),  cmocka_unit_test(test_nested),
		cmocka_unit_test(test_enums),  cmocka_unit_test(test_typedefs),
		cmocka_unit_test(test_others), cmocka_unit_test(test_cycle_ends),
	};

	return cmocka_run_group_tests(tests, setup, built_close);
}
