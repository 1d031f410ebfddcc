/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_dump_diff.c - what changed between two values: by members, elements and bits, in text and in JSON; what
 * could not be read; padding, which is nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "sample.h"
#include "btf_build.h"
#include "output/field/value.h"
#include "output/field/value_text.h"
#include "btf/btf.h"
#include "output/types/dump.h"

struct part {
	int32_t number;
	char name[12];
};

struct whole {
	uint32_t t_flags, bits; /* low: 3, high: 29 */
	uint8_t letter, pad[7]; /* unknown to BTF */
	uint64_t next;
	union {
		uint32_t as_word;
		uint16_t as_halves[2];
	};
	struct part part, parts[3];
	uint16_t numbers[100];
};

/* As argdump has them: the address, then both sides. */
struct record {
	struct event_header header;
	uint8_t status[8];
	uint64_t place;
	struct whole from, to;
};

static struct btf_build build;
static struct btf_view *btf;
static uint32_t whole_id;
static struct buf o;

static const char *const links[] = { "whole", NULL };
static struct field sides[2], field;
static struct schema schema = { .fields = &field, .count = 1, .record_min = sizeof(struct record) };

static int setup(void **state)
{
	uint32_t s32 = build_int(&build, "int", 4, BTF_INT_SIGNED);
	uint32_t u32 = build_int(&build, "unsigned int", 4, 0);
	uint32_t u16 = build_int(&build, "unsigned short", 2, 0);
	uint32_t letter = build_int(&build, "char", 1, BTF_INT_SIGNED);
	uint32_t name = build_array(&build, letter, 12), halves = build_array(&build, u16, 2);
	uint32_t numbers = build_array(&build, u16, 100), part, parts, next, both;

	part = build_struct(
		&build, BTF_KIND_STRUCT, "part", sizeof(struct part),
		(struct build_part[]){ { "number", s32, 0, 0 }, { "name", name, 32, 0 } }, 2);
	parts = build_array(&build, part, 3);
	next = build_ref(&build, BTF_KIND_PTR, "", part);
	both = build_struct(
		&build, BTF_KIND_UNION, "", 4,
		(struct build_part[]){ { "as_word", u32, 0, 0 }, { "as_halves", halves, 0, 0 } },
		2);
#define AT(member_) offsetof(struct whole, member_) * 8
	whole_id = build_struct(&build, BTF_KIND_STRUCT, "whole", sizeof(struct whole),
				(struct build_part[]){
					{ "t_flags", u32, AT(t_flags), 0 },
					{ "low", u32, AT(bits), 3 },
					{ "high", u32, AT(bits) + 3, 29 },
					{ "letter", letter, AT(letter), 0 },
					{ "next", next, AT(next), 0 },
					{ "", both, AT(as_word), 0 },
					{ "part", part, AT(part), 0 },
					{ "parts", parts, AT(parts), 0 },
					{ "numbers", numbers, AT(numbers), 0 },
				},
				9);
	buf_init(&o, -1);
	return built_open(&build, &btf, state);
}

static void fields_set(enum field_type type, size_t at, size_t size)
{
	for (int i = 0; i < 2; i++)
		sides[i] = (struct field){
			.name = "whole",
			.type = type,
			.btf = btf,
			.btf_id = whole_id,
			.offset = (i ? offsetof(struct record, to) :
				       offsetof(struct record, from)) +
				  at,
			.size = size,
			.links = links,
			.status = offsetof(struct record, status) + 1 + i + 1,
		};
	field = (struct field){ .name = "whole",
				.type = FIELD_DIFF,
				.follows = sides,
				.follow_count = 2,
				.offset = offsetof(struct record, place),
				.size = 8,
				.links = links,
				.status = offsetof(struct record, status) + 1 };
}

/* Checks the text; returns the JSON. */
static const char *json_of(const struct record *r, const char *text)
{
	struct value v;

	assert_int_equal(field_load(&field, r, sizeof(*r), &v), 0);
	dump_diff_write(&o, &field, &v, false);
	assert_string_equal(taken(&o), text);
	dump_diff_write(&o, &field, &v, true);
	return taken(&o);
}

static void expect(const struct record *r, const char *text, const char *json)
{
	assert_string_equal(json_of(r, text), json);
}

static void expect_begins(const struct record *r, const char *text, const char *json)
{
	assert_memory_equal(json_of(r, text), json, strlen(json));
}

static void test_members(void **state)
{
	struct record r = { .from = { .t_flags = 1,
				      .bits = 5 | 7 << 3,
				      .letter = 'a',
				      .next = 0,
				      .part = { 1, "old" },
				      .as_word = 1 },
			    .to = { .t_flags = 0x8001,
				    .bits = 6 | 7 << 3,
				    .letter = 'b',
				    .next = 0xffff888000001000,
				    .part = { 1, "new" },
				    .as_word = 1 } };

	(void)state;
	fields_set(FIELD_STRUCT, 0, sizeof(struct whole));
	r.from.parts[2].number = -1;
	expect(&r,
	       "(struct whole){\n\tt_flags = 0x1 → 0x8001,\n\tlow = 5 → 6,\n\tletter = 'a' → 'b',\n"
	       "\tnext = 0x0 → 0xffff888000001000,\n\tpart = {\n\t\tname = \"old\" → \"new\",\n\t},\n"
	       "\tparts = {\n\t\t[2] = {\n\t\t\tnumber = -1 → 0,\n\t\t},\n\t},\n}",
	       "{\"t_flags\":{\"from\":1,\"to\":32769},\"low\":{\"from\":5,\"to\":6},"
	       "\"letter\":{\"from\":\"a\",\"to\":\"b\"},"
	       "\"next\":{\"from\":\"0x0\",\"to\":\"0xffff888000001000\"},"
	       "\"part\":{\"name\":{\"from\":\"old\",\"to\":\"new\"}},"
	       "\"parts\":{\"[2]\":{\"number\":{\"from\":-1,\"to\":0}}}}");
	assert_false(dump_diff_is_empty(&schema, &r, sizeof(r)));
}

/* A union's members are the same bytes: all of them changed. */
static void test_union_and_numbers(void **state)
{
	struct record r = { .from.as_halves = { 1, 2 }, .to.as_halves = { 1, 3 } };

	(void)state;
	fields_set(FIELD_STRUCT, 0, sizeof(struct whole));
	r.to.numbers[7] = 9;
	expect(&r,
	       "(struct whole){\n\tas_word = 131073 → 196609,\n\tas_halves = {\n\t\t[1] = 2 → 3,\n\t},\n"
	       "\tnumbers = {\n\t\t[7] = 0 → 9,\n\t},\n}",
	       "{\"as_word\":{\"from\":131073,\"to\":196609},"
	       "\"as_halves\":{\"[1]\":{\"from\":2,\"to\":3}},"
	       "\"numbers\":{\"[7]\":{\"from\":0,\"to\":9}}}");
}

/* Of a long array, prints the first 64 elements and the number of others. */
static void test_many(void **state)
{
	struct record r = { 0 };
	struct value v;

	(void)state;
	fields_set(FIELD_STRUCT, 0, sizeof(struct whole));
	memset(r.to.numbers, 1, sizeof(r.to.numbers));
	assert_int_equal(field_load(&field, &r, sizeof(r), &v), 0);
	dump_diff_write(&o, &field, &v, false);
	buf_char(&o, '\0');
	assert_non_null(strstr(o.data, "[63] = 0 → 257,\n\t\tmore = 36,\n"));
	assert_null(strstr(o.data, "[64]"));
	o.len = 0;
}

static void test_nothing(void **state)
{
	struct record r = { .from.t_flags = 7, .to.t_flags = 7 };

	(void)state;
	fields_set(FIELD_STRUCT, 0, sizeof(struct whole));
	expect(&r, "(struct whole){}", "{}");
	assert_true(dump_diff_is_empty(&schema, &r, sizeof(r)));
	r.to.pad[3] = 1; /* no member's */
	expect(&r, "(struct whole){}", "{}");
	assert_true(dump_diff_is_empty(&schema, &r, sizeof(r)));
	assert_false(dump_diff_is_empty(&schema, &r, 20));
	schema.count = 0; /* nothing was asked for */
	assert_false(dump_diff_is_empty(&schema, &r, sizeof(r)));
	schema.count = 1;
}

static void test_single(void **state)
{
	struct record r = { .from = { .t_flags = 3, .part.name = "a\x1b" },
			    .to = { .t_flags = 4, .part.name = "b" } };

	(void)state;
	fields_set(FIELD_UINT, 0, 4);
	expect(&r, "3 → 4", "{\"from\":3,\"to\":4}");
	assert_false(dump_diff_is_empty(&schema, &r, sizeof(r)));
	r.to.t_flags = 3;
	expect(&r, "3", "{}");
	assert_true(dump_diff_is_empty(&schema, &r, sizeof(r)));
	fields_set(FIELD_CSTR, offsetof(struct whole, part.name), 12);
	sides[0].flags = sides[1].flags = FIELD_PAIR;
	expect(&r, "\"a\\x1b\" → \"b\"", "{\"from\":\"a\\u001b\",\"to\":\"b\"}");
}

/* Either side, or the place, may not be there: that is no "nothing changed". */
static void test_unreadable(void **state)
{
	struct record r = { 0 };

	(void)state;
	fields_set(FIELD_STRUCT, 0, sizeof(struct whole));
	r.status[1] = FIELD_STATUS_NULL;
	expect_begins(&r, "<NULL: whole>", "{\"from\":null,\"to\":{\"t_flags\":0,");
	assert_false(dump_diff_is_empty(&schema, &r, sizeof(r)));
	r.status[1] = 0;
	r.status[2] = FIELD_STATUS_FAULT;
	r.from.t_flags = 1;
	expect_begins(&r, "(struct whole){\n\tt_flags = 0x1,\n} → <fault: whole>",
		      "{\"from\":{\"t_flags\":1,");
	r.status[0] = FIELD_STATUS_NULL;
	assert_false(dump_diff_is_empty(&schema, &r, sizeof(r)));
	sides[1].offset = sizeof(r);
	r.status[0] = 0;
	expect(&r, "…", "null");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_members), cmocka_unit_test(test_union_and_numbers),
		cmocka_unit_test(test_many),	cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_single),	cmocka_unit_test(test_unreadable),
	};

	return cmocka_run_group_tests(tests, setup, built_close);
}
