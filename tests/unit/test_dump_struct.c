/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_dump_struct.c - structs whole, in text and in JSON: members of every kind, what is left out, what was
 * followed, and BTF that lies.
 */
#include <errno.h>
#include <string.h>

#include "sample.h"
#include "btf_build.h"
#include "btf/btf.h"
#include "output/field/value.h"
#include "output/types/dump.h"

struct leaf {
	int32_t number;
	char name[12];
};

struct tree {
	uint32_t t_flags;
	int16_t small;
	uint8_t yes, letter;
	uint32_t bits; /* low: 3, signed five: 5, kind: 4 */
	int32_t kind;
	uint64_t next, text;
	union {
		uint32_t as_word;
		uint16_t as_halves[2];
	};
	uint32_t pad;
	struct leaf leaf, leaves[3];
	uint16_t numbers[20];
	int32_t matrix[2][2];
	uint64_t wide;
	double ratio;
};

static struct btf_build build;
static struct btf_view *btf;
static uint32_t tree_id, leaf_id, loop_id, huge_id, leaves_id, matrix_id, item_id;
static struct buf o;

static uint32_t build_leaf(uint32_t s32)
{
	uint32_t letter = build_int(&build, "char", 1, BTF_INT_SIGNED);
	uint32_t name = build_array(&build, letter, 12);

	return build_struct(
		&build, BTF_KIND_STRUCT, "leaf", sizeof(struct leaf),
		(struct build_part[]){ { "number", s32, 0, 0 }, { "name", name, 32, 0 } }, 2);
}

static uint32_t build_tree(uint32_t s32)
{
	uint32_t u32 = build_int(&build, "unsigned int", 4, 0);
	uint32_t u16 = build_int(&build, "unsigned short", 2, 0);
	uint32_t s16 = build_int(&build, "short", 2, BTF_INT_SIGNED);
	uint32_t u64 = build_int(&build, "unsigned long", 8, 0);
	uint32_t yes = build_int(&build, "_Bool", 1, BTF_INT_BOOL);
	uint32_t letter = build_int(&build, "char", 1, BTF_INT_SIGNED);
	uint32_t text = build_ref(&build, BTF_KIND_PTR, "", letter);
	uint32_t leaf = build_ref(&build, BTF_KIND_PTR, "", leaf_id);
	uint32_t ratio = build_type(&build, BTF_KIND_FLOAT, "double", 0, 0, 8);
	uint32_t halves = build_array(&build, u16, 2), numbers = build_array(&build, u16, 20);
	uint32_t row = build_array(&build, s32, 2);
	uint32_t none = build_array(&build, s32, 0);
	uint32_t kind = build_enum(&build, "kind",
				   (struct build_part[]){ { "KIND_NONE", 0, 0, 0 },
							  { "KIND_MINUS", 0, (uint32_t)-1, 0 } },
				   2);
	uint32_t both = build_struct(
		&build, BTF_KIND_UNION, "", 4,
		(struct build_part[]){ { "as_word", u32, 0, 0 }, { "as_halves", halves, 0, 0 } },
		2);

	matrix_id = build_array(&build, row, 2);
	leaves_id = build_array(&build, leaf_id, 3);
#define AT(member_) offsetof(struct tree, member_) * 8
	return build_struct(&build, BTF_KIND_STRUCT, "tree", sizeof(struct tree),
			    (struct build_part[]){
				    { "t_flags", u32, AT(t_flags), 0 },
				    { "small", s16, AT(small), 0 },
				    { "yes", yes, AT(yes), 0 },
				    { "letter", letter, AT(letter), 0 },
				    { "low", u32, AT(bits), 3 },
				    { "five", s32, AT(bits) + 3, 5 },
				    { "kind4", kind, AT(bits) + 8, 4 },
				    { "", u32, AT(bits) + 12, 4 },
				    { "kind", kind, AT(kind), 0 },
				    { "next", leaf, AT(next), 0 },
				    { "text", text, AT(text), 0 },
				    { "", both, AT(as_word), 0 },
				    { "leaf", leaf_id, AT(leaf), 0 },
				    { "leaves", leaves_id, AT(leaves), 0 },
				    { "numbers", numbers, AT(numbers), 0 },
				    { "matrix", matrix_id, AT(matrix), 0 },
				    { "wide", u64, AT(wide), 0 },
				    { "ratio", ratio, AT(ratio), 0 },
				    { "end", none, sizeof(struct tree) * 8, 0 },
			    },
			    19);
}

static uint32_t build_item(void)
{
	uint32_t u64 = build_int(&build, "unsigned long", 8, 0);
	uint32_t link = build_ref(&build, BTF_KIND_PTR, "", 0), list, lock;

	list = build_struct(
		&build, BTF_KIND_STRUCT, "list_head", 16,
		(struct build_part[]){ { "next", link, 0, 0 }, { "prev", link, 64, 0 } }, 2);
	build_set(&build, link, list);
	lock = build_struct(&build, BTF_KIND_STRUCT, "mutex", 16,
			    (struct build_part[]){ { "list", list, 0, 0 } }, 1);
	return build_struct(&build, BTF_KIND_STRUCT, "item", 40,
			    (struct build_part[]){ { "number", u64, 0, 0 },
						   { "list", list, 64, 0 },
						   { "lock", lock, 192, 0 } },
			    3);
}

static int setup(void **state)
{
	struct build_part self[8];
	uint32_t s32;

	s32 = build_int(&build, "int", 4, BTF_INT_SIGNED);
	leaf_id = build_leaf(s32);
	tree_id = build_tree(s32);
	item_id = build_item();
	/* damaged: it holds itself, eight times */
	loop_id = build.count + 1;
	for (int i = 0; i < 8; i++)
		self[i] = (struct build_part){ i % 2 ? "" : "me", loop_id, 0, 0 };
	build_struct(&build, BTF_KIND_STRUCT, "loop", 64, self, 8);
	huge_id = build_array(&build, s32, 0x40000000);
	buf_init(&o, -1);
	return built_open(&build, &btf, state);
}

static const char *shown(struct field f, const void *bytes, size_t len, bool json)
{
	struct value v;
	int err;

	f.type = FIELD_STRUCT;
	f.btf = btf;
	f.size = f.size ?: len;
	err = field_load(&f, bytes, f.size + f.offset, &v);
	assert_int_equal(err, 0);
	dump_struct_write(&o, &f, &v, json);
	return taken(&o);
}

static void expect(uint32_t id, unsigned flags, const void *bytes, size_t len, const char *text,
		   const char *json)
{
	struct field f = { .btf_id = id, .flags = flags };

	assert_string_equal(shown(f, bytes, len, false), text);
	assert_string_equal(shown(f, bytes, len, true), json);
}

#define ZERO "{\"number\":0,\"name\":\"\"}" /* JSON has all members */

static void test_members(void **state)
{
	struct tree tree = { .t_flags = 0x8001,
			     .small = -5,
			     .yes = 1,
			     .letter = '\n',
			     .bits = 5 | (-9 & 31) << 3 | 15 << 8 | 15 << 12,
			     .kind = -1,
			     .next = 0xffff888000001000,
			     .text = -14,
			     .as_halves = { 1, 2 },
			     .leaf = { 7, "le\"af\x1b" },
			     .wide = 0xffffffff81000000 };

	(void)state;
	tree.leaves[1].number = -1;
	memcpy(tree.numbers, (uint16_t[]){ 1, 0, 3 }, 6);
	tree.matrix[1][0] = 9;
	tree.ratio = 1;
	expect(tree_id, 0, &tree, sizeof(tree),
	       "(struct tree){\n\tt_flags = 0x8001,\n\tsmall = -5,\n\tyes = true,\n\tletter = '\\n',\n"
	       "\tlow = 5,\n\tfive = -9,\n\tkind4 = KIND_MINUS,\n\tkind = KIND_MINUS,\n"
	       "\tnext = 0xffff888000001000,\n\ttext = -EFAULT,\n"
	       "\tas_word = 131073,\n\tas_halves = {1, 2},\n"
	       "\tleaf = {number = 7, name = {'l', 'e', '\"', 'a', 'f', '\\x1b', 0…}},\n"
	       "\tleaves = {[1] = {number = -1}},\n"
	       "\tnumbers = {1, 0, 3, 0…},\n\tmatrix = {[1] = {9, 0}},\n"
	       "\twide = 0xffffffff81000000,\n\tratio = 1,\n}",
	       "{\"t_flags\":32769,\"small\":-5,\"yes\":true,\"letter\":\"\\n\",\"low\":5,"
	       "\"five\":-9,\"kind4\":\"KIND_MINUS\",\"kind\":\"KIND_MINUS\","
	       "\"next\":\"0xffff888000001000\",\"text\":\"-EFAULT\",\"as_word\":131073,"
	       "\"as_halves\":[1,2],\"leaf\":{\"number\":7,\"name\":[\"l\",\"e\",\"\\\"\",\"a\","
	       "\"f\",\"\\u001b\",\"\\u0000\",\"\\u0000\",\"\\u0000\",\"\\u0000\",\"\\u0000\","
	       "\"\\u0000\"]},\"leaves\":[" ZERO ",{\"number\":-1,\"name\":\"\"}," ZERO "],"
	       "\"numbers\":[1,0,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"
	       "\"matrix\":[[0,0],[9,0]],\"wide\":18446744071578845184,"
	       "\"ratio\":1}");
}

static void test_zeros(void **state)
{
	struct leaf none = { 0 };

	(void)state;
	expect(leaf_id, 0, &none, sizeof(none), "(struct leaf){}", ZERO);
	expect(leaf_id, FIELD_ZEROS, &none, sizeof(none),
	       "(struct leaf){\n\tnumber = 0,\n\tname = \"\",\n}", ZERO);
}

/* Text ends at a NUL, whatever an older text left after it. */
static void test_texts(void **state)
{
	struct leaf leaf = { 0, "bash\0older" }, hostile = { 0, "a\"\\\xff z" };

	(void)state;
	expect(leaf_id, 0, &leaf, sizeof(leaf), "(struct leaf){\n\tname = \"bash\",\n}",
	       "{\"number\":0,\"name\":\"bash\"}");
	expect(leaf_id, 0, &hostile, sizeof(hostile),
	       "(struct leaf){\n\tname = \"a\\\"\\\\\\xff z\",\n}",
	       "{\"number\":0,\"name\":\"a\\\"\\\\\\uefff z\"}");
}

static void test_arrays(void **state)
{
	struct leaf leaves[3] = { [2] = { 3, "" } };
	int32_t matrix[2][2] = { { 0, 0 }, { 0, 1 } };

	(void)state;
	expect(leaves_id, 0, leaves, sizeof(leaves), "{\n\t[2] = {number = 3},\n}",
	       "[" ZERO "," ZERO ",{\"number\":3,\"name\":\"\"}]");
	expect(matrix_id, 0, matrix, sizeof(matrix), "{\n\t[1] = {0, 1},\n}", "[[0,0],[0,1]]");
}

/* A pointer with what it points at, with why that is not known, and NULL. */
static void test_followed(void **state)
{
	static const char *const links[] = { "tree", "tree->next", NULL };
	struct {
		struct tree tree;
		struct leaf leaf;
		uint8_t status;
	} record = { .tree.next = 0xffff888000002000, .leaf = { 5, "x" } };
	struct field follow = { .type = FIELD_STRUCT,
				.btf = btf,
				.btf_id = leaf_id,
				.offset = offsetof(typeof(record), leaf),
				.size = sizeof(struct leaf),
				.status = offsetof(typeof(record), status) + 1,
				.links = links,
				.follow_at = offsetof(struct tree, next) };
	struct field f = { .btf_id = tree_id,
			   .size = sizeof(struct tree),
			   .follows = &follow,
			   .follow_count = 1 };

	(void)state;
	assert_string_equal(
		shown(f, &record, sizeof(record), false),
		"(struct tree){\n\tnext = 0xffff888000002000 {number = 5, name = \"x\"},\n}");
	assert_non_null(
		strstr(shown(f, &record, sizeof(record), true),
		       "\"next\":{\"@\":\"0xffff888000002000\",\"number\":5,\"name\":\"x\"},"));
	record.status = FIELD_STATUS_FAULT | 1;
	assert_string_equal(shown(f, &record, sizeof(record), false),
			    "(struct tree){\n\tnext = 0xffff888000002000 <fault: tree->next>,\n}");
	assert_non_null(strstr(shown(f, &record, sizeof(record), true),
			       "\"next\":\"0xffff888000002000\","));
	record.tree.next = 0;
	assert_string_equal(shown(f, &record, sizeof(record), false), "(struct tree){}");
}

/* A list is empty if it points at itself; in JSON the pointers stay. */
static void test_lists(void **state)
{
	struct {
		struct {
			uint64_t number;
			uint64_t list[2], mutex[2];
		} item;
		uint64_t address;
	} record = { .item = { 1 }, .address = 0xffff888000002000 };
	struct field f = { .btf_id = item_id,
			   .size = sizeof(record.item),
			   .address = offsetof(typeof(record), address) };
	uint64_t *list = record.item.list, *mutex = record.item.mutex;

	(void)state;
	list[0] = list[1] = record.address + 8;
	mutex[0] = mutex[1] = record.address + 24;
	assert_string_equal(shown(f, &record, sizeof(record), false),
			    "(struct item){\n\tnumber = 1,\n\tlist = {},\n\tlock = {},\n}");
	assert_string_equal(shown(f, &record, sizeof(record), true),
			    "{\"number\":1,\"list\":{\"next\":\"0xffff888000002008\","
			    "\"prev\":\"0xffff888000002008\"},\"lock\":{\"list\":{"
			    "\"next\":\"0xffff888000002018\",\"prev\":\"0xffff888000002018\"}}}");
	/* one other member: both links point at that */
	list[0] = list[1] = record.address + 0x1008;
	mutex[0]++;
	assert_string_equal(
		shown(f, &record, sizeof(record), false),
		"(struct item){\n\tnumber = 1,\n"
		"\tlist = {next = 0xffff888000003008, prev = 0xffff888000003008},\n"
		"\tlock = {list = {next = 0xffff888000002019, prev = 0xffff888000002018}},\n}");
	f.address = 0; /* unknown */
	list[0] = list[1] = 8;
	assert_non_null(strstr(shown(f, &record, sizeof(record), false), "list = {next = 0x8,"));
}

/* Ends, and reads nothing outside of the bytes: ASAN sees to that. */
static void test_damaged(void **state)
{
	char *bytes = malloc(64);

	(void)state;
	memset(bytes, 1, 64);
	assert_true(strlen(shown((struct field){ .btf_id = loop_id }, bytes, 64, false)) > 0);
	assert_true(strlen(shown((struct field){ .btf_id = loop_id }, bytes, 64, true)) > 0);
	assert_string_equal(shown((struct field){ .btf_id = huge_id }, bytes, 64, false), "…");
	assert_string_equal(shown((struct field){ .btf_id = tree_id }, bytes, 8, true), "null");
	assert_string_equal(shown((struct field){ .btf_id = 9999 }, bytes, 64, true), "null");
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_members),	 cmocka_unit_test(test_zeros),
		cmocka_unit_test(test_texts),	 cmocka_unit_test(test_arrays),
		cmocka_unit_test(test_followed), cmocka_unit_test(test_lists),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, setup, built_close);
}
