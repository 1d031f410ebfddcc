/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_script_show.c - values of programs in bpftrace's language as text and JSON, and formats with arguments.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "btf_build.h"
#include "front/bt/show_parts.h"
#include "output/field/stack.h"
#include "show_sample.h"
#include "symbols/kernel/ksyms.h"

/* ---- numbers ---- */

static void integers(void **state)
{
	const struct script_type u8 = script_int(1, false), i8 = script_int(1, true),
				 i16 = script_int(2, true), u32 = script_int(4, false),
				 i32 = script_int(4, true), u64 = script_int(8, false),
				 i64 = script_int(8, true);
	uint64_t exact = 1ull << 60, not_exact = (1ull << 53) + 1, all = UINT64_MAX;

	(void)state;
	assert_string_equal(text_of(&u8, &(uint8_t){ 200 }), "200");
	assert_string_equal(text_of(&i8, &(uint8_t){ 200 }), "-56");
	assert_string_equal(text_of(&i16, &(int16_t){ -300 }), "-300");
	assert_string_equal(text_of(&u32, &(uint32_t){ UINT32_MAX }), "4294967295");
	assert_string_equal(text_of(&i32, &(uint32_t){ UINT32_MAX }), "-1");
	assert_string_equal(text_of(&u64, &all), "18446744073709551615");
	assert_string_equal(text_of(&i64, &all), "-1");
	assert_string_equal(json_of(&i64, &all), "-1");
	/* a double holds the first only */
	assert_string_equal(json_of(&u64, &exact), "1152921504606846976");
	assert_string_equal(json_of(&u64, &not_exact), "\"9007199254740993\"");
	assert_string_equal(json_of(&u64, &all), "\"18446744073709551615\"");
}

static void booleans_and_pointers(void **state)
{
	const struct script_type flag = type_of(SCRIPT_BOOL, 1),
				 pointer = type_of(SCRIPT_POINTER, 8),
				 nothing = type_of(SCRIPT_VOID, 0);

	(void)state;
	assert_string_equal(text_of(&flag, "\1"), "true");
	assert_string_equal(text_of(&flag, "\0"), "false");
	assert_string_equal(json_of(&flag, "\1"), "true");
	assert_string_equal(text_of(&pointer, &(uint64_t){ 0xffff888012345678 }),
			    "0xffff888012345678");
	assert_string_equal(text_of(&pointer, &(uint64_t){ 0 }), "0x0");
	assert_string_equal(json_of(&pointer, &(uint64_t){ 0x10 }), "16");
	assert_string_equal(text_of(&nothing, ""), "null");
}

/* ---- text ---- */

static void strings(void **state)
{
	const struct script_type t = script_string(8);

	(void)state;
	assert_string_equal(text_of(&t, "abc\0xyz"), "abc");
	assert_string_equal(text_of(&t, "1234567"), "1234567");
	/* no NUL: cut */
	assert_string_equal(text_of(&t, "12345678"), "12345678..");
	assert_string_equal(json_of(&t, "12345678"), "\"12345678..\"");
	assert_string_equal(json_of(&t, "a\"b\n\\"), "\"a\\\"b\\n\\\\\"");
	script.config.str_trunc_trailer = "";
	assert_string_equal(text_of(&t, "12345678"), "12345678");
	script.config.str_trunc_trailer = "..";
}

static void strings_on_a_terminal(void **state)
{
	const struct script_type t = script_string(16);

	(void)state;
	assert_string_equal(text_of(&t, "a\x1b[31mb\n"), "a\x1b[31mb\n");
	show.out_is_terminal = true;
	assert_string_equal(text_of(&t, "a\x1b[31mb\n"), "a\\x1b[31mb\n");
	show.out_is_terminal = false;
}

static void buffers(void **state)
{
	const struct script_type t = type_of(SCRIPT_BUFFER, 12);
	struct {
		uint32_t len;
		char bytes[8];
	} image = { 5, { 'o', 'k', '\0', '\xff', '~', 'x' } };

	(void)state;
	assert_string_equal(text_of(&t, &image), "ok\\x00\\xff~");
	assert_string_equal(json_of(&t, &image), "[111,107,0,-1,126]");
	image.len = 0;
	assert_string_equal(text_of(&t, &image), "");
	assert_string_equal(json_of(&t, &image), "[]");
	image.len = 1000; /* more than there is */
	assert_string_equal(text_of(&t, &image), "ok\\x00\\xff~x\\x00\\x00");
}

static void tuples(void **state)
{
	static const struct script_part parts[] = {
		{ .name = "a",
		  .offset = 0,
		  .type = { .kind = SCRIPT_INT, .size = 1, .is_signed = true } },
		{ .name = "inner",
		  .offset = 4,
		  .type = { .kind = SCRIPT_TUPLE, .size = 12, .count = 2, .parts = pair_parts } },
	};
	const struct script_type record = { .kind = SCRIPT_TUPLE,
					    .size = 16,
					    .count = 2,
					    .parts = parts },
				 empty = { .kind = SCRIPT_TUPLE, .count = 0 };
	struct {
		int8_t a;
		struct pair inner;
	} image = { -1, { 2, "s" } };

	(void)state;
	assert_string_equal(text_of(&pair_type, &image.inner), "(2, s)");
	assert_string_equal(json_of(&pair_type, &image.inner), "[2,\"s\"]");
	assert_string_equal(text_of(&record, &image), "{ .a = -1, .inner = (2, s) }");
	assert_string_equal(json_of(&record, &image), "{\"a\": -1, \"inner\": [2,\"s\"]}");
	assert_string_equal(text_of(&empty, ""), "()");
	assert_string_equal(json_of(&empty, ""), "[]");
}

/* ---- types of C ---- */

static struct btf_build build;
static struct {
	uint32_t color, thing, numbers, list, one;
} ids;

struct thing {
	int32_t n;
	char name[4];
	uint32_t low : 3, high : 5;
	int32_t minus : 4;
	uint8_t bytes[2], flag, color;
	uint64_t *next;
	int16_t table[2][2];
	struct {
		int32_t in_union;
	};
};

static int types_setup(void **state)
{
	struct btf_view *btf;
	uint32_t i32, u32, u8, c, boolean, pointer, bytes, name, row, table, anonymous, i16;

	show_setup(state);
	i32 = build_int(&build, "int", 4, BTF_INT_SIGNED);
	u32 = build_int(&build, "unsigned int", 4, 0);
	i16 = build_int(&build, "short", 2, BTF_INT_SIGNED);
	u8 = build_int(&build, "unsigned char", 1, 0);
	c = build_int(&build, "char", 1, BTF_INT_SIGNED);
	boolean = build_int(&build, "_Bool", 1, BTF_INT_BOOL);
	ids.color = build_enum(&build, "color",
			       (struct build_part[]){ { "RED", 0, 0, 0 }, { "BLUE", 0, 7, 0 } }, 2);
	pointer = build_ref(&build, BTF_KIND_PTR, "", u32);
	bytes = build_array(&build, u8, 2);
	name = build_array(&build, c, 4);
	row = build_array(&build, i16, 2);
	table = build_array(&build, row, 2);
	anonymous = build_struct(&build, BTF_KIND_UNION, "", 4,
				 (struct build_part[]){ { "in_union", i32, 0, 0 } }, 1);
	ids.thing = build_struct(&build, BTF_KIND_STRUCT, "thing", sizeof(struct thing),
				 (struct build_part[]){ { "n", i32, 0, 0 },
							{ "name", name, 32, 0 },
							{ "low", u32, 64, 3 },
							{ "high", u32, 67, 5 },
							{ "minus", i32, 72, 4 },
							{ "bytes", bytes, 80, 0 },
							{ "flag", boolean, 96, 0 },
							{ "color", u8, 104, 0 },
							{ "next", pointer, 128, 0 },
							{ "table", table, 192, 0 },
							{ "", anonymous, 256, 0 } },
				 11);
	ids.list = table;
	ids.one = build_struct(&build, BTF_KIND_STRUCT, "one", 4,
			       (struct build_part[]){ { "hue", ids.color, 0, 0 } }, 1);
	build_struct(&build, BTF_KIND_STRUCT, "none", 0, NULL, 0);
	if (built_open(&build, &btf, state))
		return -1;
	show.btf = btf;
	return 0;
}

static int types_teardown(void **state)
{
	show.btf = NULL;
	show_teardown(state);
	return built_close(state);
}

static void structs(void **state)
{
	struct script_type t = { .kind = SCRIPT_RECORD,
				 .size = sizeof(struct thing),
				 .c = { .id = ids.thing } };
	struct thing thing = { .n = -5,
			       .name = "abcd",
			       .low = 5,
			       .high = 17,
			       .minus = -3,
			       .bytes = "h",
			       .flag = 1,
			       .color = 9,
			       .next = (uint64_t *)0x1234,
			       .table = { { 1, -2 }, { 3, 4 } },
			       .in_union = 77 };

	(void)state;
	assert_string_equal(
		text_of(&t, &thing),
		"{ .n = -5, .name = abcd.., .low = 5, .high = 17, .minus = -3, .bytes = h, .flag = true, "
		".color = 9, .next = 0x1234, .table = [[1,-2],[3,4]], .in_union = 77 }");
	assert_string_equal(
		json_of(&t, &thing),
		"{\"n\": -5, \"name\": \"abcd..\", \"low\": 5, \"high\": 17, \"minus\": -3, \"bytes\": \"h\", "
		"\"flag\": true, \"color\": 9, \"next\": 4660, \"table\": [[1,-2],[3,4]], \"in_union\": 77}");
	/* an image that ends before its type does */
	t.size = 8;
	assert_string_equal(
		text_of(&t, &thing),
		"{ .n = -5, .name = abcd.., .low = 0, .high = 0, .minus = 0, .bytes = , .flag = false, "
		".color = 0, .next = 0x0, .table = [], .in_union = 0 }");
}

/* In types of the program itself only char is text. */
static void structs_of_the_program(void **state)
{
	static struct btf_build own = { .base = &build };
	const struct btf_view *base = show.btf;
	struct build_part members[] = { { "u", 0, 0, 0 }, { "s", 0, 16, 0 } };
	struct script_type t = { .kind = SCRIPT_RECORD, .size = 4 };
	uint8_t *bytes;
	size_t size;

	(void)state;
	members[0].type = build_array(&own, build_int(&own, "uint8_t", 1, 0), 2);
	members[1].type = build_array(&own, build_int(&own, "char", 1, BTF_INT_SIGNED), 2);
	t.c.id = build_struct(&own, BTF_KIND_STRUCT, "mine", 4, members, 2);
	bytes = build_bytes(&own, &size);
	assert_int_equal(btf_view_from_split(base, bytes, size, (struct btf_view **)&t.btf), 0);
	assert_string_equal(text_of(&t, "\1\2h"), "{ .u = [1,2], .s = h }");
	assert_string_equal(json_of(&t, "\1\2h"), "{\"u\": [1,2], \"s\": \"h\"}");
	btf_view_close((struct btf_view *)t.btf);
	free(bytes);
}

static void structs_without_members(void **state)
{
	struct script_type t = { .kind = SCRIPT_RECORD, .size = 4, .c = { .id = ids.one + 1 } };

	(void)state;
	assert_string_equal(text_of(&t, ""), "{}");
	assert_string_equal(json_of(&t, ""), "{}");
	t.c.id = ids.one;
	assert_string_equal(text_of(&t, &(uint32_t){ 7 }), "{ .hue = BLUE }");
	assert_string_equal(json_of(&t, &(uint32_t){ 7 }), "{\"hue\": 7}");
}

static void enums(void **state)
{
	struct script_type t = { .kind = SCRIPT_INT, .size = 4, .c = { .id = ids.color } };

	(void)state;
	assert_string_equal(text_of(&t, &(uint32_t){ 7 }), "BLUE");
	assert_string_equal(json_of(&t, &(uint32_t){ 7 }), "7");
	assert_string_equal(text_of(&t, &(uint32_t){ 8 }), "8");
	t.size = 8;
	assert_string_equal(text_of(&t, &(uint64_t){ 0 }), "RED");
	/* a type may have its own view */
	t.btf = show.btf;
	show.btf = NULL;
	assert_string_equal(text_of(&t, &(uint64_t){ 7 }), "BLUE");
	show.btf = t.btf;
}

static void arrays(void **state)
{
	struct script_type t = { .kind = SCRIPT_ARRAY, .size = 8, .c = { .id = ids.list } };
	int16_t table[] = { 5, 6, -7, 8 };

	(void)state;
	assert_string_equal(text_of(&t, table), "[[5,6],[-7,8]]");
	t.c = (struct ctype){ .int_size = 2, .int_signed = true };
	t.count = 4;
	assert_string_equal(text_of(&t, table), "[5,6,-7,8]");
	t.c.int_signed = false;
	assert_string_equal(json_of(&t, table), "[5,6,65529,8]");
	t.of_bools = true;
	assert_string_equal(text_of(&t, "\0\1\0\1\1\1\1\1"), "[false,true,false,true]");
}

/* ---- names ---- */

static void addresses_of_networks(void **state)
{
	const struct script_type inet = type_of(SCRIPT_INET, sizeof(struct script_inet)),
				 mac = type_of(SCRIPT_MAC, 6);
	struct script_inet a = { .family = AF_INET, .address = { 127, 0, 0, 1 } };

	(void)state;
	assert_string_equal(text_of(&inet, &a), "127.0.0.1");
	assert_string_equal(json_of(&inet, &a), "\"127.0.0.1\"");
	a = (struct script_inet){ .family = AF_INET6, .address = { [15] = 1 } };
	assert_string_equal(text_of(&inet, &a), "::1");
	a.family = 99;
	assert_string_equal(text_of(&inet, &a), "");
	assert_string_equal(text_of(&mac, "\x18\xc0\x4d\x08\x2e\xbb"), "18:C0:4D:08:2E:BB");
}

static const char *kernel_name(void *ctx, uint64_t address, uint64_t *offset)
{
	(void)ctx;
	*offset = 4;
	return address == 0x1000 ? "do_nanosleep" : NULL;
}

static const char *user_name_of(void *ctx, const struct script_usym *s, uint64_t *offset)
{
	(void)ctx;
	*offset = 0;
	return s->address == 0x2000 && s->tgid == 9 && s->point == 1 ? "readline" : NULL;
}

static const char *uid_name(void *ctx, uint32_t uid)
{
	(void)ctx;
	return uid == 1000 ? "me" : NULL;
}

static void cgroup_name(void *ctx, struct buf *o, uint64_t id, const char *filter)
{
	(void)ctx;
	buf_printf(o, "%s:%llu", filter, (unsigned long long)id);
}

static void symbols(void **state)
{
	const struct script_type ksym = type_of(SCRIPT_KSYM, 8),
				 usym = type_of(SCRIPT_USYM, sizeof(struct script_usym));

	(void)state;
	show.names = (struct bt_names){ .kernel = kernel_name, .user = user_name_of };
	assert_string_equal(text_of(&ksym, &(uint64_t){ 0x1000 }), "do_nanosleep");
	assert_string_equal(json_of(&ksym, &(uint64_t){ 0x1000 }), "\"do_nanosleep\"");
	assert_string_equal(text_of(&ksym, &(uint64_t){ 0x1001 }), "0x1001");
	assert_string_equal(text_of(&ksym, &(uint64_t){ 0 }), "0");
	assert_string_equal(text_of(&usym, &(struct script_usym){ 0x2000, 9, 1 }), "readline");
	assert_string_equal(text_of(&usym, &(struct script_usym){ 1, 9, 1 }), "0x1");
	show.names = (struct bt_names){ 0 };
}

static void numbers_with_a_name(void **state)
{
	const struct script_type user = type_of(SCRIPT_USER, 4), error = type_of(SCRIPT_ERROR, 4),
				 call = type_of(SCRIPT_SYSCALL, 4),
				 cgroup = type_of(SCRIPT_CGROUP, sizeof(struct script_cgroup));

	(void)state;
	show.names = (struct bt_names){ .user_name = uid_name, .cgroup = cgroup_name };
	assert_string_equal(text_of(&user, &(uint32_t){ 1000 }), "me");
	assert_string_equal(text_of(&user, &(uint32_t){ 5 }), "");
	assert_string_equal(text_of(&error, &(int32_t){ 1 }), "Operation not permitted");
	assert_string_equal(text_of(&error, &(int32_t){ -2 }), "No such file or directory");
	assert_string_equal(text_of(&call, &(int32_t){ __NR_read }), "read");
	assert_string_equal(text_of(&call, &(int32_t){ -1 }), "Unknown syscall");
	assert_string_equal(text_of(&cgroup, &(struct script_cgroup){ .id = 77, .filter = 2 }),
			    "unified*:77");
	assert_string_equal(json_of(&cgroup, &(struct script_cgroup){ .id = 77 }), "\":77\"");
	show.names = (struct bt_names){ 0 };
}

static void points(void **state)
{
	static const struct script_name all[] = { { "BEGIN", "" },
						  { "kprobe:vfs_read", "vfs_read" } };
	static const struct script_names names = { all, 2 };
	struct script_type t = type_of(SCRIPT_POINT, 4);

	(void)state;
	show.points = &names;
	assert_string_equal(text_of(&t, &(uint32_t){ 1 }), "kprobe:vfs_read");
	t.is_func = true;
	assert_string_equal(json_of(&t, &(uint32_t){ 1 }), "\"vfs_read\"");
	assert_string_equal(text_of(&t, &(uint32_t){ 2 }), "");
	show.points = NULL;
}

static void times(void **state)
{
	const struct script_type t = type_of(SCRIPT_TIME, sizeof(struct script_time));
	struct script_time v = { .ns = 3605123456789, .format = 1, .clock = UINT32_MAX };

	(void)state;
	assert_string_equal(text_of(&t, &v), "01:00:05.123456"); /* of no clock: as it is */
	assert_string_equal(json_of(&t, &v), "\"01:00:05.123456\"");
	v.format = 3;
	assert_string_equal(text_of(&t, &v), "1123456 123456789 123 01%");
	v.ns = 999;
	assert_string_equal(text_of(&t, &v), "(?)");
}

/* The same moment, as each clock that a program reads has it. */
static void times_of_clocks(void **state)
{
	struct script_world world = { .has_boot_clock = true };
	uint64_t wall = 2222222222123456789;

	(void)state;
	world.real_offset = timestamp_offset(WALL_BOOT);
	world.tai_offset = world.real_offset - timestamp_offset(WALL_TAI);
	show.world = &world;
	assert_int_equal(bt_wall(&show, SCRIPT_CLOCK_BOOT, wall - timestamp_offset(WALL_BOOT)),
			 wall);
	assert_int_equal(bt_wall(&show, SCRIPT_CLOCK_TAI, wall - timestamp_offset(WALL_TAI)), wall);
	assert_int_equal(bt_wall(&show, SCRIPT_CLOCK_SW_TAI, wall - timestamp_offset(WALL_TAI)),
			 wall);
	assert_int_equal(bt_series_wall(&show, wall), wall);
	world.has_boot_clock = false;
	assert_int_equal(bt_wall(&show, SCRIPT_CLOCK_BOOT, wall - timestamp_offset(WALL_MONOTONIC)),
			 wall);
	show.world = NULL;
	assert_int_equal(bt_series_wall(&show, wall), wall);
}

/* ---- stacks ---- */

#define VFS_READ  0xffffffff81001000ull
#define KSYS_READ 0xffffffff81002000ull

static struct {
	struct event_stack head;
	uint64_t frames[3];
} kernel_stack = { { .size = 24 }, { VFS_READ + 5, KSYS_READ + 16, 0xffffffffc0000001 } },
  user_stack = { { .size = 16 }, { 0x5000, 0x6000 } };
static const struct frame user_frames[] = {
	{ .address = 0x5000, .name = "main", .offset = 18, .module = "prog", .path = "/opt/prog" },
	{ .address = 0x6000 },
};

static const struct event_stack *stack_find(void *ctx, const struct stack_id *id,
					    const struct frame **named)
{
	(void)ctx;
	*named = id->tgid ? user_frames : NULL;
	return id->hash == 10 ? &kernel_stack.head : id->hash == 11 ? &user_stack.head : NULL;
}

static int stacks_setup(void **state)
{
	static const char kallsyms[] = "ffffffff81001000 T vfs_read\nffffffff81002000 T ksys_read\n"
				       "ffffffff81003000 B _end\n";
	char path[] = "/tmp/test_script_show.XXXXXX";
	int fd = mkstemp(path), failed;

	(void)state;
	failed = write(fd, kallsyms, sizeof(kallsyms) - 1) != sizeof(kallsyms) - 1 ||
		 ksyms_read(path);
	close(fd);
	unlink(path);
	show.names = (struct bt_names){ .stack = stack_find };
	return failed;
}

static int stacks_teardown(void **state)
{
	(void)state;
	show.names = (struct bt_names){ 0 };
	return 0;
}

static void kernel_stacks(void **state)
{
	struct script_type t = type_of(SCRIPT_KSTACK, sizeof(struct stack_id));
	struct stack_id id = { .hash = 10 };

	(void)state;
	assert_string_equal(
		text_of(&t, &id),
		"\n        vfs_read+5\n        ksys_read+16\n        0xffffffffc0000001\n");
	assert_string_equal(
		json_of(&t, &id),
		"\"\\n        vfs_read+5\\n        ksys_read+16\\n        0xffffffffc0000001\\n\"");
	t.depth = 1;
	assert_string_equal(text_of(&t, &id), "\n        vfs_read+5\n");
	t.depth = 2;
	t.mode = SCRIPT_STACK_PERF;
	assert_string_equal(text_of(&t, &id),
			    "\n\tffffffff81001005 vfs_read+5\n\tffffffff81002010 ksys_read+16\n");
	t.mode = SCRIPT_STACK_RAW;
	assert_string_equal(text_of(&t, &id), "\nffffffff81001005\nffffffff81002010\n");
}

/* The probed function is first, with the offset of its entry. */
static void kernel_stacks_of_a_function(void **state)
{
	struct script_type t = type_of(SCRIPT_KSTACK, sizeof(struct stack_id));

	(void)state;
	kernel_stack.head.function = VFS_READ;
	assert_string_equal(
		text_of(&t, &(struct stack_id){ .hash = 10 }),
		"\n        vfs_read+0\n        ksys_read+16\n        0xffffffffc0000001\n");
	kernel_stack.head.function = 0;
}

static void user_stacks(void **state)
{
	struct script_type t = type_of(SCRIPT_USTACK, sizeof(struct stack_id));
	struct stack_id id = { .hash = 11, .tgid = 5 };

	(void)state;
	assert_string_equal(text_of(&t, &id), "\n        main+18\n        0x6000\n");
	t.mode = SCRIPT_STACK_PERF;
	assert_string_equal(text_of(&t, &id),
			    "\n\t5000 main+18 (/opt/prog)\n\t6000 0x6000 ([unknown])\n");
}

static void stacks_that_are_missing(void **state)
{
	const struct script_type t = type_of(SCRIPT_USTACK, sizeof(struct stack_id));

	(void)state;
	assert_string_equal(text_of(&t, &(struct stack_id){ .hash = STACK_NEVER }), "\n");
	assert_string_equal(text_of(&t, &(struct stack_id){ .hash = STACK_FAULT }), "\n");
	assert_string_equal(text_of(&t, &(struct stack_id){ .hash = STACK_LOST }),
			    "\n        [stack was lost]\n");
	assert_string_equal(text_of(&t, &(struct stack_id){ .hash = 99 }),
			    "\n        [stack was lost]\n");
}

/* ---- formats ---- */

static struct {
	struct script_record head;
	uint64_t number;
	int64_t minus;
	char text[8];
	struct {
		uint32_t len;
		char bytes[12];
	} buffer;
	struct pair pair;
} record = { .number = 0x12345678abcdef,
	     .minus = -5,
	     .text = "hello",
	     .buffer = { 3, "a\x01z" },
	     .pair = { 1, "x" } };

static struct script_arg argument_of(struct script_type type, size_t offset)
{
	return (struct script_arg){ .type = type, .offset = (uint32_t)offset };
}

#define ARG(type, member) argument_of(type, offsetof(__typeof__(record), member))
#define NUMBER		  ARG(script_int(8, false), number)
#define MINUS		  ARG(script_int(8, true), minus)
#define TEXT		  ARG(script_string(8), text)
#define BUFFER		  ARG(type_of(SCRIPT_BUFFER, 16), buffer)

/* The arguments end with one of kind NONE. */
static const char *formatted(const char *format, struct script_arg *args)
{
	struct script_action a = { .kind = ACTION_PRINTF, .text = format, .args = args };

	while (a.args && a.args[a.arg_count].type.kind)
		a.arg_count++;
	out.len = 0;
	assert_int_equal(bt_format_write(&show, &out, &a, &record, sizeof(record)), 0);
	return taken(&out);
}

#define FORMATTED(format, ...)                                                                     \
	formatted(format, (struct script_arg[]){ __VA_ARGS__, { .offset = 0 } })

static void format_sizes(void **state)
{
	(void)state;
	assert_string_equal(FORMATTED("%hhx %hx %x %jx", NUMBER, NUMBER, NUMBER, NUMBER),
			    "ef cdef 78abcdef 12345678abcdef");
	assert_string_equal(FORMATTED("%lx %llx %zx %tX", NUMBER, NUMBER, NUMBER, NUMBER),
			    "12345678abcdef 12345678abcdef 12345678abcdef 12345678ABCDEF");
	assert_string_equal(FORMATTED("%d %lld %u %llu", MINUS, MINUS, MINUS, MINUS),
			    "-5 -5 4294967291 18446744073709551611");
	assert_string_equal(FORMATTED("%hhd %hd %d", NUMBER, NUMBER, NUMBER),
			    "-17 -12817 2024525295");
}

static void format_flags(void **state)
{
	(void)state;
	assert_string_equal(
		FORMATTED("[%5d] [%-5d] [%05d] [%+d] [% d]", MINUS, MINUS, MINUS, MINUS, MINUS),
		"[   -5] [-5   ] [000-5] [-5] [-5]");
	assert_string_equal(
		FORMATTED("[%#hhx] [%#hho] [%02hhx] [%.4hhu]", NUMBER, NUMBER, NUMBER, NUMBER),
		"[0xef] [0357] [ef] [239]");
	assert_string_equal(FORMATTED("[%8s] [%-8s] [%.2s] [%-4.3s]", TEXT, TEXT, TEXT, TEXT),
			    "[   hello] [hello   ] [hello] [hello]");
	assert_string_equal(FORMATTED("[%08s] [%-08s] [%-05d] [%+05hhd] [%#08hhx]", TEXT, TEXT,
				      MINUS, MINUS, NUMBER),
			    "[000hello] [hello000] [-5000] [000-5] [00000xef]");
	assert_string_equal(FORMATTED("%*d|%*.*s", MINUS, TEXT), "-5|hello");
}

static void format_letters(void **state)
{
	struct script_arg pointer = ARG(type_of(SCRIPT_POINTER, 8), number);

	(void)state;
	assert_string_equal(FORMATTED("%p %p", NUMBER, pointer),
			    "0x12345678abcdef 0x12345678abcdef");
	assert_string_equal(FORMATTED("[%18p]", pointer), "[  0x12345678abcdef]");
	assert_string_equal(FORMATTED("%c%3c|%-3c|", ARG(script_int(1, false), text),
				      ARG(script_int(1, false), text),
				      ARG(script_int(1, false), text)),
			    "h  h|h  |");
	assert_string_equal(FORMATTED("%i%%%o", MINUS, ARG(script_int(1, false), text)), "-5%150");
	assert_string_equal(FORMATTED("%x %d", pointer, ARG(type_of(SCRIPT_BOOL, 1), pair)),
			    "78abcdef 1");
}

static void format_buffers(void **state)
{
	(void)state;
	assert_string_equal(FORMATTED("%r|%rx|%rh", BUFFER, BUFFER, BUFFER),
			    "a\\x01z|\\x61\\x01\\x7a|61 01 7a");
	assert_string_equal(FORMATTED("[%8r] [%-10rh] %s", BUFFER, BUFFER, BUFFER),
			    "[  a\\x01z] [61 01 7a  ] a\\x01z");
}

/* As bpftrace of 0.27 wrote them. */
static void format_gfp(void **state)
{
	static const struct {
		uint32_t flags;
		const char *text;
	} cases[] = {
		{ 0, "0" },
		{ 0xcc0, "GFP_KERNEL" },
		{ 0xdc0, "GFP_KERNEL|__GFP_ZERO" },
		{ 0x500cc0, "GFP_USER|__GFP_ACCOUNT" },
		{ 0x100cca, "GFP_HIGHUSER|0x8" },
		{ 0x2820, "GFP_ATOMIC|__GFP_NOWARN" },
		{ 0x200, "0x200" },
		{ 0x1403e3,
		  "GFP_DMA|__GFP_HIGHMEM|__GFP_HIGH|__GFP_IO|__GFP_FS|__GFP_ZERO|__GFP_COMP|"
		  "__GFP_HARDWALL|0x200" },
	};
	uint32_t flags = 0xcc0;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		out.len = 0;
		bt_show_gfp(&out, cases[i].flags);
		assert_string_equal(taken(&out), cases[i].text);
	}
	memcpy(record.text, &flags, sizeof(flags));
	assert_string_equal(FORMATTED("[%12gr] [%-12gr] [%2gr]", ARG(script_int(4, false), text),
				      ARG(script_int(4, false), text),
				      ARG(script_int(4, false), text)),
			    "[  GFP_KERNEL] [GFP_KERNEL  ] [GFP_KERNEL]");
	strcpy(record.text, "hello");
	assert_string_equal(FORMATTED("%gr", ARG(type_of(SCRIPT_BOOL, 1), pair)),
			    "!{invalid GFP flags conversion: true}");
}

static void format_values(void **state)
{
	struct script_arg flag = ARG(type_of(SCRIPT_BOOL, 1), pair),
			  hue = ARG(script_int(4, false), pair);

	(void)state;
	hue.type.c.id = ids.color;
	record.pair.number = 7;
	assert_string_equal(FORMATTED("%s %s %s %s", ARG(pair_type, pair), MINUS, flag, hue),
			    "(7, x) -5 true BLUE");
	assert_string_equal(FORMATTED("%d %5s|%-6s|", hue, hue, flag), "7  BLUE|true  |");
	record.pair.number = 1;
}

/* What is no conversion is text; so is one without an argument. */
static void format_text(void **state)
{
	(void)state;
	assert_string_equal(formatted("100%y %5 % %|% ", NULL), "100%y %5 %|% ");
	assert_string_equal(FORMATTED("%dms%d", MINUS), "-5ms%d");
	assert_string_equal(FORMATTED("%d", TEXT), "!{invalid integer conversion: hello}");
	assert_string_equal(formatted("\033[31mred\033[0m", NULL), "\033[31mred\033[0m");
}

static void format_literals(void **state)
{
	static const struct script_expr word = { .is_constant = true,
						 .bytes = "w\x1b[1mx",
						 .length = 6 },
					number = { .is_constant = true, .value = -2 };
	struct script_arg a = { .type = script_string(7), .is_literal = true, .expr = &word },
			  b = { .type = script_int(1, true), .is_literal = true, .expr = &number };

	(void)state;
	strcpy(record.text, "\x1b[1m");
	show.out_is_terminal = true;
	assert_string_equal(FORMATTED("%s %d %lld %s", a, b, b, TEXT), "w\x1b[1mx -2 -2 \\x1b[1m");
	show.out_is_terminal = false;
	strcpy(record.text, "hello");
}

static void format_of_a_short_record(void **state)
{
	struct script_arg args[] = { NUMBER };
	struct script_action a = {
		.kind = ACTION_PRINTF, .text = "%d", .args = args, .arg_count = 1
	};

	(void)state;
	assert_int_equal(bt_format_write(&show, &out, &a, &record, 15), -EBADMSG);
	assert_int_equal(bt_format_write(&show, &out, &a, &record, 16), 0);
	assert_int_equal(bt_action_number(&a, 0, &record, sizeof(record), 3), 0x12345678abcdef);
	assert_int_equal(bt_action_number(&a, 1, &record, sizeof(record), 3), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers),
		cmocka_unit_test(booleans_and_pointers),
		cmocka_unit_test(strings),
		cmocka_unit_test(strings_on_a_terminal),
		cmocka_unit_test(buffers),
		cmocka_unit_test(tuples),
		cmocka_unit_test(structs),
		cmocka_unit_test(structs_of_the_program),
		cmocka_unit_test(structs_without_members),
		cmocka_unit_test(enums),
		cmocka_unit_test(arrays),
		cmocka_unit_test(addresses_of_networks),
		cmocka_unit_test(symbols),
		cmocka_unit_test(numbers_with_a_name),
		cmocka_unit_test(points),
		cmocka_unit_test(times),
		cmocka_unit_test(times_of_clocks),
		cmocka_unit_test_setup_teardown(kernel_stacks, stacks_setup, stacks_teardown),
		cmocka_unit_test_setup_teardown(kernel_stacks_of_a_function, stacks_setup,
						stacks_teardown),
		cmocka_unit_test_setup_teardown(user_stacks, stacks_setup, stacks_teardown),
		cmocka_unit_test_setup_teardown(stacks_that_are_missing, stacks_setup,
						stacks_teardown),
		cmocka_unit_test(format_sizes),
		cmocka_unit_test(format_flags),
		cmocka_unit_test(format_letters),
		cmocka_unit_test(format_buffers),
		cmocka_unit_test(format_gfp),
		cmocka_unit_test(format_values),
		cmocka_unit_test(format_text),
		cmocka_unit_test(format_literals),
		cmocka_unit_test(format_of_a_short_record),
	};

	return cmocka_run_group_tests(tests, types_setup, types_teardown);
}
