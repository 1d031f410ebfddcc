// SPDX-License-Identifier: GPL-2.0
/*
 * test_run.c - what compiled expressions compute: values, blamed links, strings, filters, on a
 * made-up machine (machine.h) with a kernel of one struct, for every kind of kernel.
 */
#include <stddef.h>

#include "unit.h"
#include "btf_build.h"
#include "machine.h"
#include "expr/expr.h"
#include "expr/glob.h"

struct thing {
	uint64_t next, text;
	char array[20];
	int32_t number;
	uint64_t big;
	uint8_t small;
	int8_t tiny;
	uint16_t half;
	uint32_t bits; /* low: 3, five: signed 5, kind: 4, wide: 20 */
	uint64_t numbers, table, any;
	char tail[200];
};

enum { CAST_ID = 77, THINGS = 4 };
#define THING_AT(i) (0xffff888010000000ull + 0x10000 * (i))
#define USER_AT     0x00007f0000001000ull
#define NOWHERE     0xffff888999999000ull /* kernel memory that is not there */

static struct btf_build build;
static struct btf_view *btf;
static uint32_t func_id, number_func_id, thing_func_id, regs_id, task_id;
static struct thing things[THINGS];
static char user_text[64] = "from user space";
static uint8_t task[64];

static uint32_t build_thing(uint32_t int_id, uint32_t u64_id, uint32_t char_id)
{
	uint32_t u8 = build_int(&build, "unsigned char", 1, 0);
	uint32_t s8 = build_int(&build, "signed char", 1, BTF_INT_SIGNED);
	uint32_t u16 = build_int(&build, "unsigned short", 2, 0);
	uint32_t u32 = build_int(&build, "unsigned int", 4, 0);
	uint32_t text = build_ref(&build, BTF_KIND_PTR, "", char_id);
	uint32_t next = build_ref(&build, BTF_KIND_PTR, "", 0);
	uint32_t numbers = build_ref(&build, BTF_KIND_PTR, "", int_id);
	uint32_t table = build_ref(&build, BTF_KIND_PTR, "", next);
	uint32_t any = build_ref(&build, BTF_KIND_PTR, "", 0);
	uint32_t array = build_array(&build, char_id, 20), tail = build_array(&build, char_id, 200);
	uint32_t kind = build_enum(
		&build, "kind",
		(struct build_part[]){ { "NONE", 0, 0, 0 }, { "MINUS", 0, (uint32_t)-1, 0 } }, 2);
	uint32_t id;

#define AT(member_) offsetof(struct thing, member_) * 8
	id = build_struct(&build, BTF_KIND_STRUCT, "thing", sizeof(struct thing),
	                  (struct build_part[]){
				  { "next", next, AT(next), 0 },
				  { "text", text, AT(text), 0 },
				  { "array", array, AT(array), 0 },
				  { "number", int_id, AT(number), 0 },
				  { "big", u64_id, AT(big), 0 },
				  { "small", u8, AT(small), 0 },
				  { "tiny", s8, AT(tiny), 0 },
				  { "half", u16, AT(half), 0 },
				  { "low", u32, AT(bits), 3 },
				  { "five", int_id, AT(bits) + 3, 5 },
				  { "kind", kind, AT(bits) + 8, 4 },
				  { "wide", u32, AT(bits) + 12, 20 },
				  { "numbers", numbers, AT(numbers), 0 },
				  { "table", table, AT(table), 0 },
				  { "any", any, AT(any), 0 },
				  { "tail", tail, AT(tail), 0 },
			  },
	                  16);
	build_set(&build, next, id);
	return next;
}

static void build_all(void)
{
	uint32_t int_id = build_int(&build, "int", 4, BTF_INT_SIGNED);
	uint32_t u64_id = build_int(&build, "unsigned long", 8, 0);
	uint32_t char_id = build_int(&build, "char", 1, BTF_INT_SIGNED);
	uint32_t string = build_ref(&build, BTF_KIND_PTR, "", char_id);
	uint32_t thing = build_thing(int_id, u64_id, char_id);

	regs_id = build_regs(&build, u64_id);
	task_id = build_task(&build, int_id, char_id);
	func_id = build_func(&build, "probe", 0,
	                     (struct build_part[]){ { "thing", thing, 0, 0 },
	                                            { "string", string, 0, 0 },
	                                            { "number", int_id, 0, 0 },
	                                            { "count", u64_id, 0, 0 } },
	                     4);
	number_func_id = build_func(&build, "number_probe", int_id, &(struct build_part){ "thing", thing, 0, 0 }, 1);
	thing_func_id = build_func(&build, "thing_probe", thing,
	                           (struct build_part[]){ { "number", int_id, 0, 0 },
	                                                  { "thing", thing, 0, 0 } },
	                           2);
}

static int setup(void **state)
{
	static uint8_t *bytes;
	size_t size;

	(void)state;
	build_all();
	bytes = build_bytes(&build, &size);
	return btf_view_from(bytes, size, &btf);
}

/* ---- kinds of kernels ---- */

enum { KERNELS = 4, WAYS = 6 };

/* Way 0: fentry, 1: without typed loads, 2: kprobe, 3: without casts, 4: arm64 kprobe; 5: fentry,
 * without probe_read. */
static struct expr_target target_of(int kernel, int way)
{
	return (struct expr_target){
		.arch = way == 4 ? EXPR_ARCH_ARM64 : EXPR_ARCH_X86_64,
		.rung = way >= 2 && way <= 4 ? EXPR_RUNG_KPROBE : EXPR_RUNG_FENTRY,
		.typed_loads = way != 1 && way != 3,
		.rdonly_cast_id = kernel >= 2 ? CAST_ID : 0,
		.rdonly_cast_void = kernel >= 3,
		.pt_regs_id = regs_id,
		.task_struct_id = task_id,
		.current_task_btf = kernel >= 1,
		.func_arg = kernel >= 1,
		.probe_read = way != 5,
	};
}

/* ---- one run ---- */

struct run {
	struct expr_input in;
	struct expr_program *program;
	struct expr_error error;
	struct machine machine;
	uint64_t args[4];
};

static void run_init(struct run *r, const struct expr_target *target)
{
	memset(r, 0, sizeof(*r));
	r->in = (struct expr_input){
		.btf = btf,
		.func_id = func_id,
		.target = *target,
		.filter.self = 1,
		.ring_fd = MACHINE_RING,
		.losses_fd = MACHINE_LOSSES,
		.followed_fd = MACHINE_FOLLOWED,
		.cgroups_fd = MACHINE_CGROUPS,
	};
	memset(things, 0, sizeof(things));
	for (unsigned i = 0; i < THINGS; i++) {
		things[i].next = i + 1 < THINGS ? THING_AT(i + 1) : 0;
		machine_map(&r->machine, THING_AT(i), &things[i], sizeof(things[i]));
	}
	machine_map(&r->machine, USER_AT, user_text, sizeof(user_text));
	machine_map(&r->machine, MACHINE_TASK, task, sizeof(task));
	memcpy(task + 8, (uint32_t[]){ 43, 42 }, 8);
	strcpy((char *)task + 16, "worker");
	r->machine.pid_tgid = 42ull << 32 | 43;
	r->machine.uid_gid = 7ull << 32 | 1000;
	r->machine.cast_id = CAST_ID;
	r->machine.probe_read_forbidden = !target->probe_read;
	r->args[0] = THING_AT(0);
}

/* Of KERNELS * WAYS. */
static void run_each(struct run *r, int i)
{
	struct expr_target target = target_of(i / WAYS, i % WAYS);

	run_init(r, &target);
}

static void return_place(struct run *r)
{
	unsigned params = r->in.func_id == func_id ? 4 : r->in.func_id == thing_func_id ? 2 : 1;
	size_t at = 8 * params;

	if (r->in.target.rung == EXPR_RUNG_KPROBE)
		at = r->in.target.arch == EXPR_ARCH_X86_64 ? 80 : 0;
	memcpy(r->machine.ctx + at, &r->machine.returned, 8);
}

static void args_place(struct run *r)
{
	static const uint8_t x86_64[] = { 112, 104, 96, 88 };

	for (unsigned i = 0; i < COUNT(r->args); i++) {
		size_t at = 8 * i;

		if (r->in.target.rung == EXPR_RUNG_KPROBE && r->in.target.arch == EXPR_ARCH_X86_64)
			at = x86_64[i];
		memcpy(r->machine.ctx + at, &r->args[i], 8);
	}
	if (r->in.scope == EXPR_SCOPE_RETURN)
		return_place(r);
}

static void run_texts(struct run *r, const char *const *texts, size_t count)
{
	const struct bpf_insn *insns;
	size_t insn_count;

	r->in.texts = texts;
	r->in.count = count;
	args_place(r);
	if (expr_compile(&r->in, &r->program, &r->error))
		fail_msg("%s: %s", texts[0], r->error.message);
	insns = expr_insns(r->program, &insn_count);
	assert_true(machine_reachable(insns, insn_count));
	if (!machine_run(&r->machine, insns, insn_count)) {
		struct out o;

		out_init(&o, 2);
		expr_dump(r->program, EXPR_STAGE_INSNS, &o);
		out_flush(&o);
		fail_msg("%s: %s", texts[0], r->machine.trouble);
	}
}

static void run_one(struct run *r, const char *text)
{
	run_texts(r, &text, 1);
}

static void run_free(struct run *r)
{
	expr_free(r->program);
	r->program = NULL;
}

/* Expression `i`'s value, through the reader's own eyes. */
static struct value value_of(struct run *r, size_t i)
{
	const struct schema *schema = expr_schema(r->program);
	struct value v;

	assert_true(r->machine.submitted);
	assert_true(i + 3 < schema->count);
	assert_int_equal(r->machine.record_size, expr_record_size(r->program));
	assert_int_equal(
		field_load(&schema->fields[i + 3], r->machine.record, r->machine.record_size, &v),
		0);
	return v;
}

static const char *link_of(struct run *r, size_t i)
{
	return expr_schema(r->program)->fields[i + 3].links[value_of(r, i).link];
}

/* ---- values ---- */

static void fill_thing(struct thing *t)
{
	t->number = -5;
	t->big = 0xfedcba9876543210;
	t->small = 200;
	t->tiny = -100;
	t->half = 0xabcd;
	t->bits = 5 | (uint32_t)(-9 & 31) << 3 | 15u << 8 | 0xabcdeu << 12;
	t->any = USER_AT;
}

static void test_scalars(void **state)
{
	static const struct {
		const char *text;
		int64_t want;
	} cases[] = {
		{ "thing->next->number", -5 },
		{ "thing->next->big", 0xfedcba9876543210 },
		{ "thing->next->small", 200 },
		{ "thing->next->tiny", -100 },
		{ "thing->next->half", 0xabcd },
		{ "thing->next->low", 5 },
		{ "thing->next->five", -9 },
		{ "thing->next->kind", 15 },
		{ "thing->next->wide", 0xabcde },
		{ "thing->next->any", USER_AT },
		{ "&thing->next->half", THING_AT(1) + offsetof(struct thing, half) },
		{ "(*thing->next).small", 200 },
		{ "thing->next->array[2]:d", 'c' },
		{ "*thing->next->array:d", 'a' },
		{ "number", -77 },
		{ "number:x", (uint32_t)-77 },
		{ "count", 0x123456789abcdef0 },
		{ "$arg4", 0x123456789abcdef0 },
		{ "$cpu", 3 },
		{ "$uid", 1000 },
		{ "$pid", 42 },
		{ "$tid", 43 },
		{ "-42", -42 },
	};

	(void)state;
	for (int t = 0; t < KERNELS * WAYS; t++) {
		for (size_t i = 0; i < COUNT(cases); i++) {
			struct run r;

			run_each(&r, t);
			if (!r.in.target.probe_read && r.in.target.rung == EXPR_RUNG_KPROBE)
				continue;
			fill_thing(&things[1]);
			strcpy(things[1].array, "abc");
			r.args[2] = 0xdeadbeef00000000 | (uint32_t)-77;
			r.args[3] = 0x123456789abcdef0;
			run_one(&r, cases[i].text);
			assert_int_equal(value_of(&r, 0).status, 0);
			assert_int_equal(value_of(&r, 0).u, cases[i].want);
			assert_int_equal(r.machine.losses[LOSS_FAULT], 0);
			run_free(&r);
		}
	}
}

/* C's own compiler is the judge. */
static void test_operators(void **state)
{
	struct thing t = {};
	uint64_t count = 0x123456789abcdef0;
	int number = -77;

	fill_thing(&t);
	struct {
		const char *text;
		int64_t want;
	} cases[] = {
		{ "number + 1", number + 1 },
		{ "number - 2 * 3", number - 2 * 3 },
		{ "number / 7", number / 7 },
		{ "number % 7", number % 7 },
		{ "number / -7", number / -7 },
		{ "number % -7", number % -7 },
		{ "-number / 10", -number / 10 },
		{ "number >> 2", number >> 2 },
		{ "number << 3", number * 8 },
		{ "number & 0xff", number & 0xff },
		{ "number | 1", number | 1 },
		{ "number ^ -1", number ^ -1 },
		{ "~number", ~number },
		{ "!number", !number },
		{ "!!number", !!number },
		{ "number < 0", number < 0 },
		{ "number < 0u", 0 },
		{ "number > 5u", (unsigned)number > 5u },
		{ "number >= -77", 1 },
		{ "number <= -78", 0 },
		{ "number == -77 && count != 0", 1 },
		{ "number == 1 || number == -77", 1 },
		{ "number == 1 || number == 2", 0 },
		{ "number ? 5 : 6", 5 },
		{ "!number ? 5 : 6", 6 },
		{ "number < 0 ? number < -100 ? 1 : 2 : 3", 2 },
		{ "count + number", count + number },
		{ "count / 1000", count / 1000 },
		{ "count % 1000", count % 1000 },
		{ "count / number", count / number },
		{ "count >> 60", count >> 60 },
		{ "count * count", count * count },
		{ "count - count", 0 },
		{ "(u8)count", (uint8_t)count },
		{ "(s8)count", (int8_t)count },
		{ "(s16)count:d", (int16_t)count },
		{ "(int)count", (int)count },
		{ "(unsigned)number", (unsigned)number },
		{ "(u64)number", (uint64_t)number },
		{ "(u64)(u32)number", (uint64_t)(uint32_t)number },
		{ "thing->next->tiny + thing->next->small", t.tiny + t.small },
		{ "thing->next->tiny * thing->next->half", t.tiny * t.half },
		{ "thing->next->five < 0", 1 },
		{ "thing->next->five - thing->next->low", -9 - 5 },
		{ "thing->next->wide + thing->next->big", 0xabcde + t.big },
		{ "thing->next->big > thing->next->number", 0 },
		{ "thing->next->big >> 4 ^ thing->next->half", t.big >> 4 ^ t.half },
		{ "thing->next->number == -5 && thing->next->next->next", 1 },
		{ "thing->next ? thing->next->number : 7", -5 },
		{ "thing->next->next->next->next ? thing->next->number : 7", 7 },
		{ "thing->next->next->next->next && thing->next->next->next->next->big", 0 },
		{ "thing == thing->next", 0 },
		{ "thing->next > thing", 1 },
		{ "thing->next - thing", 0x10000 / (int64_t)sizeof(struct thing) },
		{ "thing + 1", THING_AT(0) + sizeof(struct thing) },
		{ "(char *)thing->next + 4 - (char *)thing:d", 0x10004 },
		{ "(u64)thing", THING_AT(0) },
		{ "((struct thing *)thing->next)->number", -5 },
		{ "((struct thing *)(u64)thing->next)->number", -5 },
		{ "((struct thing *)((u64)thing + 0x10000))->number", -5 },
		{ "*(u32 *)((char *)thing->next + 36)", (uint32_t)t.number },
		{ "container_of(&thing->next->number, struct thing, number)", THING_AT(1) },
		{ "container_of(&thing->next->number, struct thing, number)->small", 200 },
		{ "sizeof(struct thing)", sizeof(struct thing) },
		{ "sizeof thing->array + sizeof(u16)", 22 },
		{ "MINUS", -1 },
		{ "thing->next->kind == 15", 1 },
		{ "thing->next->nothing ?? thing->next->number ?? 5", -5 },
		{ "thing->array[number + 77 + thing->next->low]", 'f' },
		{ "thing->array[thing->next->low] == 'f'", 1 },
		{ "thing->numbers[thing->next->low - 3]", 333 },
		{ "$pid == 42 && $tid == 43 && $gid == 7", 1 },
		{ "$task->pid * 2", 86 },
		{ "$cgroup", 4711 },
		{ "1 ? 2 : 3", 2 },
		{ "0x7fffffff + 1:d", INT32_MIN },
		{ "0xffffffff + 1", 0 },
		{ "1ul << 40", 1ll << 40 },
		{ "7 / 2 * 2 + 7 % 2", 7 },
		{ "-7 / 2", -3 },
		{ "10 - 2 - 3", 5 },
		{ "(thing->next->number)+(number)", -82 },
	};
	int numbers[3] = { 1, 22, 333 };

	(void)state;
	for (int k = 0; k < KERNELS * WAYS; k++) {
		for (size_t i = 0; i < COUNT(cases); i++) {
			struct run r;

			run_each(&r, k);
			if (!r.in.target.probe_read)
				continue;
			things[1] = t;
			things[1].next = THING_AT(2);
			strcpy(things[0].array, "abcdefgh");
			things[0].numbers = 0xffff888044440000ull;
			machine_map(&r.machine, things[0].numbers, numbers, sizeof(numbers));
			r.args[2] = 0xdeadbeef00000000 | (uint32_t)number;
			r.args[3] = count;
			run_one(&r, cases[i].text);
			if (value_of(&r, 0).status || (int64_t)value_of(&r, 0).u != cases[i].want)
				fail_msg("kernel %d: %s = %lld, status %u, not %lld", k,
				         cases[i].text, (long long)value_of(&r, 0).u,
				         value_of(&r, 0).status, (long long)cases[i].want);
			run_free(&r);
		}
	}
}

static void test_operators_fail(void **state)
{
	static const struct {
		const char *text, *link;
		unsigned status;
	} cases[] = {
		{ "count / thing->number", "thing->number", EVENT_NULL },
		{ "5 % (number - number)", "number - number", EVENT_NULL },
		{ "thing->next->next->next->next->number + 1", "thing->next->next->next->next",
		  EVENT_NULL },
		{ "number ? thing->next->next->next->next->small : 5",
		  "thing->next->next->next->next", EVENT_NULL },
		{ "thing->any->nothing ?? ((struct thing *)thing->any)->number", "(struct thing *)thing->any",
		  EVENT_FAULT },
		{ "thing->next->next->next->next[number].small", "thing->next->next->next->next",
		  EVENT_NULL },
	};

	(void)state;
	for (int k = 0; k < KERNELS * WAYS; k++) {
		for (size_t i = 0; i < COUNT(cases); i++) {
			struct run r;

			run_each(&r, k);
			if (!r.in.target.probe_read)
				continue;
			things[0].any = 8; /* nothing there */
			r.args[2] = 5;
			run_one(&r, cases[i].text);
			assert_int_equal(value_of(&r, 0).status, cases[i].status);
			assert_string_equal(link_of(&r, 0), cases[i].link);
			assert_int_equal(r.machine.losses[LOSS_FAULT],
			                 cases[i].status == EVENT_FAULT);
			run_free(&r);
		}
	}
}

/* ---- strings that are compared ---- */

static uint8_t tables[4][GLOB_STATES][256];
static unsigned table_count;

static int table_take(void *ctx, const void *table, size_t size)
{
	struct run *r = ctx;

	if (size != sizeof(tables[0]) || table_count == COUNT(tables))
		return -ENOSPC;
	memcpy(tables[table_count], table, size);
	machine_map(&r->machine, MACHINE_TABLE_AT + 65536ull * table_count, tables[table_count],
	            size);
	return MACHINE_TABLE + table_count++;
}

static void text_set(struct run *r, const char *text)
{
	static char page[2][4096];

	/* the string ends where its page does, and nothing is behind it */
	memset(page, 'x', sizeof(page));
	strcpy(page[1] + 4096 - strlen(text) - 1, text);
	things[1].text = 0xffff888055550000ull + 8192 - strlen(text) - 1;
	machine_map(&r->machine, 0xffff888055550000ull, page, sizeof(page));
	snprintf(things[1].array, sizeof(things[1].array), "%s", text);
	snprintf(user_text, sizeof(user_text), "%s", text);
}

static void test_texts(void **state)
{
	static const struct {
		const char *string, *compared;
		bool want;
	} cases[] = {
		{ "ext4", "== \"ext4\"", true },
		{ "ext4", "== \"ext\"", false },
		{ "ext", "== \"ext4\"", false },
		{ "ext4", "!= \"ext4\"", false },
		{ "ext3", "!= \"ext4\"", true },
		{ "", "== \"\"", true },
		{ "a", "== \"\"", false },
		{ "", "== \"a\"", false },
		{ "1234567", "== \"1234567\"", true },
		{ "12345678", "== \"12345678\"", true },
		{ "12345678", "== \"1234567\"", false },
		{ "12345678", "== \"123456789\"", false },
		{ "123456789", "== \"12345678\"", false },
		{ "exactly-19-bytes-ab", "== \"exactly-19-bytes-ab\"", true },
		{ "/tmp/x", "~ \"/tmp/*\"", true },
		{ "/tmp/", "~ \"/tmp/*\"", true },
		{ "/tmp", "~ \"/tmp/*\"", false },
		{ "/usr/tmp", "~ \"/tmp/*\"", false },
		{ "", "~ \"*\"", true },
		{ "anything", "~ \"*\"", true },
		{ "lib.so", "~ \"*.so\"", true },
		{ "lib.so.1", "~ \"*.so\"", false },
		{ "lib.so.so", "~ \"*.so\"", true },
		{ "abcabd", "~ \"*abd\"", true },
		{ "a-b-c", "~ \"a*b*c\"", true },
		{ "a-c-b", "~ \"a*b*c\"", false },
		{ "vda1", "~ \"[sv]d[a-c][0-9]\"", true },
		{ "vdd1", "~ \"[sv]d[a-c][0-9]\"", false },
		{ "ab", "~ \"a?\"", true },
		{ "a", "~ \"a?\"", false },
		{ "xa*bx", "~ \"*a\\\\*b*\"", true },
		{ "a*", "~ \"a\\\\*\"", true },
		{ "ab", "~ \"a\\\\*\"", false },
		{ "\xff\xfe", "~ \"[!a-z]?\"", true },
	};
	static const char *const strings[] = { "thing->next->text", "thing->next->array",
		                               "(char *)thing->next->any", "(char *)(u64)thing->next->text" };
	char text[128];

	(void)state;
	for (int k = 0; k < KERNELS * WAYS; k++) {
		for (size_t i = 0; i < COUNT(cases) * COUNT(strings); i++) {
			const char *one = text;
			struct run r;

			run_each(&r, k);
			if (!r.in.target.probe_read)
				continue;
			table_count = 0;
			r.in.table = table_take;
			r.in.ctx = &r;
			r.in.text_fd = MACHINE_TEXT;
			things[1].any = USER_AT;
			text_set(&r, cases[i / COUNT(strings)].string);
			snprintf(text, sizeof(text), "%s %s", strings[i % COUNT(strings)],
			         cases[i / COUNT(strings)].compared);
			run_texts(&r, &one, 1);
			if (value_of(&r, 0).status || value_of(&r, 0).u != cases[i / COUNT(strings)].want)
				fail_msg("kernel %d: %s of '%s' = %llu, status %u", k, text,
				         cases[i / COUNT(strings)].string,
				         (unsigned long long)value_of(&r, 0).u,
				         value_of(&r, 0).status);
			run_free(&r);
		}
	}
}

static void test_texts_fail(void **state)
{
	static const struct {
		const char *text, *link;
		unsigned status;
	} cases[] = {
		{ "thing->next->text == \"x\"", "thing->next->text", EVENT_NULL },
		{ "thing->next->text ~ \"*x\"", "thing->next->text", EVENT_NULL },
		{ "(char *)thing->next->any ~ \"*x\"", "(char *)thing->next->any", EVENT_FAULT },
		{ "(char *)thing->next->any == \"x\"", "(char *)thing->next->any", EVENT_FAULT },
	};

	(void)state;
	for (int k = 0; k < KERNELS * WAYS; k++) {
		for (size_t i = 0; i < COUNT(cases); i++) {
			struct run r;

			run_each(&r, k);
			if (!r.in.target.probe_read)
				continue;
			table_count = 0;
			r.in.table = table_take;
			r.in.ctx = &r;
			r.in.text_fd = MACHINE_TEXT;
			things[1].any = 8;
			run_one(&r, cases[i].text);
			assert_int_equal(value_of(&r, 0).status, cases[i].status);
			assert_string_equal(link_of(&r, 0), cases[i].link);
			run_free(&r);
		}
	}
}

/* A condition that is not true, or cannot be worked out, lets nothing through. */
static void test_conditions(void **state)
{
	static const struct {
		const char *condition;
		bool pass;
	} cases[] = {
		{ "number == 5", true },
		{ "number != 5", false },
		{ "thing->next->number", false },
		{ "thing->next->next->small == 200", true },
		{ "thing->next->next->next->next->small == 200", false },
		{ "((struct thing *)thing->any)->small == 0", false },
		{ "!thing->next->next->next->next", true },
		{ "thing", true },
		{ "$pid == 42 && thing->next", true },
		{ "$comm == \"worker\"", true },
		{ "contains($comm, \"ork\")", true },
		{ "contains($comm, \"*\") || !contains($comm, \"worker\")", false },
		{ "$comm ~ \"work*\" && number == 5", true },
		{ "$comm != \"worker\"", false },
		{ "thing->next->next->small == 200 && number > 4 && $uid == 1000", true },
		{ "thing->next->next->small == 200 && (number < 4 || $uid == 1000)", true },
		{ "thing->next->next->small == 200 && (number < 4 || $uid == 1001)", false },
	};
	static const char *const texts[] = { "thing->next->next->small", "$pid" };

	(void)state;
	for (int k = 0; k < KERNELS * WAYS; k++) {
		for (size_t i = 0; i < COUNT(cases); i++) {
			struct run r;

			run_each(&r, k);
			if (!r.in.target.probe_read)
				continue;
			things[0].any = 8; /* nothing there */
			things[2].small = 200;
			r.args[2] = 5;
			table_count = 0;
			r.in.table = table_take;
			r.in.ctx = &r;
			r.in.text_fd = MACHINE_TEXT;
			r.in.conditions = &cases[i].condition;
			r.in.condition_count = 1;
			run_texts(&r, texts, 2);
			if (r.machine.submitted != cases[i].pass)
				fail_msg("kernel %d: %s", k, cases[i].condition);
			if (cases[i].pass) {
				assert_int_equal(value_of(&r, 0).u, 200);
				assert_int_equal(value_of(&r, 1).u, 42);
			}
			assert_int_equal(r.machine.losses[LOSS_FAULT], i == 5);
			run_free(&r);
		}
	}
}

static void test_pointers_to_numbers(void **state)
{
	int numbers[3] = { 1, 22, 333 };
	uint64_t table[2] = { THING_AT(2), THING_AT(3) };

	(void)state;
	for (int t = 0; t < KERNELS * WAYS; t++) {
		static const char *const texts[] = { "*thing->numbers", "thing->numbers[2]",
			                             "thing->table[1]->number", "thing[0].number",
			                             "string" };
		struct run r;

		run_each(&r, t);
		if (!r.in.target.probe_read && !r.in.target.rdonly_cast_id)
			continue;
		machine_map(&r.machine, THING_AT(8), numbers, sizeof(numbers));
		machine_map(&r.machine, THING_AT(9), table, sizeof(table));
		things[0].numbers = THING_AT(8);
		things[0].table = THING_AT(9);
		things[3].number = 4444;
		things[0].number = 5;
		r.args[1] = USER_AT;
		run_texts(&r, texts, COUNT(texts));
		assert_int_equal(value_of(&r, 0).u, 1);
		assert_int_equal(value_of(&r, 1).u, 333);
		assert_int_equal(value_of(&r, 2).u, 4444);
		assert_int_equal(value_of(&r, 3).u, 5);
		assert_string_equal(value_of(&r, 4).bytes, user_text);
		run_free(&r);
	}
}

/* ---- who is to blame ---- */

static void check_blame(struct run *r, size_t i, unsigned status, const char *link)
{
	assert_int_equal(value_of(r, i).status, status);
	assert_string_equal(link_of(r, i), link);
	assert_int_equal(r->machine.losses[LOSS_FAULT] > 0, status == EVENT_FAULT);
}

static void test_null_links(void **state)
{
	static const char *const links[] = { "thing", "thing->next", "thing->next->next",
		                             "thing->next->next->text" };

	(void)state;
	for (int t = 0; t < KERNELS * WAYS; t++) {
		for (unsigned broken = 0; broken < 4; broken++) {
			struct run r;

			run_each(&r, t);
			if (broken == 0)
				r.args[0] = 0;
			else if (broken < 3)
				things[broken - 1].next = 0;
			run_one(&r, "thing->next->next->text");
			check_blame(&r, 0, EVENT_NULL, links[broken]);
			run_free(&r);
		}
	}
}

static void test_bad_addresses(void **state)
{
	static const uint64_t bad[] = { NOWHERE, 0x1234, (uint64_t)-14, 0xdead000000000100 };
	static const char *const links[] = { "thing", "thing->next", "thing->next->next" };

	(void)state;
	for (int t = 0; t < KERNELS * WAYS; t++) {
		for (unsigned i = 0; i < COUNT(bad) * 3; i++) {
			unsigned broken = i % 3;
			struct run r;

			run_each(&r, t);
			if (!r.in.target.probe_read) /* cannot tell a bad address from a NULL behind it */
				continue;
			if (broken == 0)
				r.args[0] = bad[i / 3];
			else
				things[broken - 1].next = bad[i / 3];
			run_one(&r, "thing->next->next->text");
			check_blame(&r, 0, EVENT_FAULT, links[broken]);
			run_free(&r);
		}
	}
}

/* Behind the last link a typed load says 0, but it sees NULL, user and error pointers. */
static void test_bad_last_address(void **state)
{
	static const uint64_t bad[] = { 0x1234, (uint64_t)-14 };
	static const char *const texts[] = { "thing->next->number", "thing->next->low",
		                             "thing->next->array" };

	(void)state;
	for (int t = 0; t < KERNELS * WAYS; t++) {
		for (unsigned i = 0; i < COUNT(bad) * COUNT(texts); i++) {
			struct run r;

			run_each(&r, t);
			things[0].next = bad[i % 2];
			run_one(&r, texts[i / 2]);
			check_blame(&r, 0, EVENT_FAULT, "thing->next");
			run_free(&r);
		}
	}
}

/* A pointer into user memory is read as such, wherever it stands. */
static void test_user_memory(void **state)
{
	struct thing in_user = { .next = USER_AT + 0x10000, .number = 31, .text = USER_AT };

	(void)state;
	for (int t = 0; t < KERNELS * WAYS; t++) {
		static const char *const texts[] = { "thing->next->next->number",
			                             "thing->next->text" };
		struct run r;

		run_each(&r, t);
		if (!r.in.target.probe_read)
			continue;
		machine_map(&r.machine, USER_AT + 0x10000, &in_user, sizeof(in_user));
		things[0].next = USER_AT + 0x10000;
		run_texts(&r, texts, COUNT(texts));
		assert_int_equal(value_of(&r, 0).status, 0);
		assert_int_equal(value_of(&r, 0).u, 31);
		assert_string_equal(value_of(&r, 1).bytes, user_text);
		run_free(&r);
	}
}

/* Bytes at an address: of the kernel, of a program, longer than what a cast gives, and a socket's address
 * that ends before a page that is not there. */
static void test_bytes(void **state)
{
	static const char *const texts[] = { "thing->next->array:mac", "thing->next:hex[280]",
		                             "thing->any:hex[16]", "string:sockaddr",
		                             "thing->next->tail:x8" };

	(void)state;
	for (int t = 0; t < KERNELS * WAYS; t++) {
		struct value v;
		struct run r;

		run_each(&r, t);
		if (!r.in.target.probe_read && !r.in.target.rdonly_cast_id)
			continue;
		fill_thing(&things[0]);
		memset(&things[1], 0x5a, sizeof(things[1]));
		memset(things[1].tail, 0xa5, sizeof(things[1].tail));
		r.args[1] = USER_AT + sizeof(user_text) - 28;
		run_texts(&r, texts, COUNT(texts));
		v = value_of(&r, 0);
		assert_memory_equal(v.bytes, things[1].array, 6);
		v = value_of(&r, 1);
		assert_int_equal(v.len, sizeof(things[1]));
		assert_memory_equal(v.bytes, &things[1], sizeof(things[1]));
		assert_memory_equal(value_of(&r, 2).bytes, user_text, 16);
		v = value_of(&r, 3);
		assert_int_equal(v.status, 0);
		assert_memory_equal(v.bytes, user_text + sizeof(user_text) - 28, 28);
		for (int i = 28; i < 128; i++)
			assert_int_equal(v.bytes[i], 0);
		assert_memory_equal(value_of(&r, 4).bytes, things[1].tail, 200);
		assert_int_equal(r.machine.losses[LOSS_FAULT], 0);
		run_free(&r);
	}
}

/* Expressions that share a prefix fail and succeed each for itself. */
static void test_shared_prefix(void **state)
{
	static const char *const texts[] = { "thing->next->next->number", "thing->next->number",
		                             "thing->next", "thing->next->next->big",
		                             "thing->next->next->next->half" };

	(void)state;
	for (int t = 0; t < KERNELS * WAYS; t++) {
		for (unsigned broken = 0; broken < 5; broken++) {
			struct run r;

			run_each(&r, t);
			for (unsigned i = 0; i < THINGS; i++)
				fill_thing(&things[i]);
			if (broken == 0)
				r.args[0] = 0;
			else if (broken < 4)
				things[broken - 1].next = 0;
			run_texts(&r, texts, COUNT(texts));
			assert_int_equal(value_of(&r, 0).status, broken <= 2 ? EVENT_NULL : 0);
			assert_int_equal(value_of(&r, 1).status, broken <= 1 ? EVENT_NULL : 0);
			assert_int_equal(value_of(&r, 2).status, broken == 0 ? EVENT_NULL : 0);
			assert_int_equal(value_of(&r, 2).u, broken <= 1 ? 0 : THING_AT(1));
			assert_int_equal(value_of(&r, 3).status, broken <= 2 ? EVENT_NULL : 0);
			assert_int_equal(value_of(&r, 4).status, broken <= 3 ? EVENT_NULL : 0);
			run_free(&r);
		}
	}
}

/* ---- strings ---- */

/* A string of `len` bytes that ends with its page; behind it is nothing. */
static void check_string(const struct expr_target *target, size_t len, unsigned max, uint64_t page)
{
	char text[256], *want = text;
	size_t shown = len < max ? len : max - 1;
	struct value v;
	struct run r;

	memset(text, 0, sizeof(text));
	for (size_t i = 0; i < len; i++)
		text[i] = (char)(0x80 + i * 7 % 0x7f);
	run_init(&r, target);
	r.in.string_max = max;
	memset(r.machine.record, 0xaa, sizeof(r.machine.record));
	machine_map(&r.machine, page + 4096 - len - 1, text, len + 1);
	things[0].text = page + 4096 - len - 1;
	run_one(&r, "thing->text");
	v = value_of(&r, 0);
	if (!target->probe_read && (int64_t)page < 0) /* needs no NUL in the slot */
		shown = len < max ? len : max;
	assert_int_equal(v.status, shown < len ? EVENT_CUT : 0);
	assert_int_equal(v.len, shown);
	assert_memory_equal(v.bytes, want, shown);
	run_free(&r);
}

static void test_strings(void **state)
{
	static const unsigned sizes[] = { 5, 8, 13, 16, 48, 56, 128 };

	(void)state;
	for (int t = 0; t < KERNELS * WAYS; t++) {
		struct expr_target target = target_of(t / WAYS, t % WAYS);

		for (size_t i = 0; i < COUNT(sizes); i++) {
			for (size_t len = 0; len < 140; len++) {
				check_string(&target, len, sizes[i], 0x7f0000100000);
				if (target.probe_read || target.rdonly_cast_id)
					check_string(&target, len, sizes[i], 0xffff888020000000);
			}
		}
	}
}

/* Kernel memory behind the NUL is nothing that the reader sees. */
static void test_behind_the_string(void **state)
{
	(void)state;
	for (int t = 0; t < KERNELS * WAYS; t++) {
		for (size_t len = 0; len < 140; len++) {
			char memory[256];
			struct value v;
			struct run r;

			run_each(&r, t);
			if (!r.in.target.probe_read && !r.in.target.rdonly_cast_id)
				continue;
			memset(r.machine.record, 0xaa, sizeof(r.machine.record));
			memset(memory, 0xee, sizeof(memory));
			memset(memory, 'x', len);
			memory[len] = 0;
			machine_map(&r.machine, THING_AT(9), memory, sizeof(memory));
			things[0].text = THING_AT(9);
			run_one(&r, "thing->text");
			v = value_of(&r, 0);
			assert_int_equal(v.len, len < 128 ? len : r.in.target.probe_read ? 127 : 128);
			assert_null(memchr(v.bytes, 0xee, v.len));
			run_free(&r);
		}
	}
}

static void test_bad_strings(void **state)
{
	static const uint64_t bad[] = { NOWHERE, 0x1234, (uint64_t)-14 };
	char half[8] = { 'h', 'a', 'l', 'f', 'h', 'a', 'l', 'f' };

	(void)state;
	for (int t = 0; t < KERNELS * WAYS; t++) {
		for (unsigned i = 0; i <= COUNT(bad); i++) {
			struct run r;

			run_each(&r, t);
			if (!r.in.target.probe_read)
				continue;
			/* the last one has no NUL before its memory ends */
			machine_map(&r.machine, THING_AT(9), half, sizeof(half));
			things[0].text = i < COUNT(bad) ? bad[i] : THING_AT(9);
			run_one(&r, "thing->text");
			check_blame(&r, 0, EVENT_FAULT, "thing->text");
			run_free(&r);
		}
	}
}

/* char arrays: short ones whole, long ones as strings; an array that is full has no NUL. */
static void test_arrays(void **state)
{
	(void)state;
	for (int t = 0; t < KERNELS * WAYS; t++) {
		for (size_t len = 0; len <= 20; len++) {
			static const char *const texts[] = { "thing->array", "thing->tail",
				                             "thing->array:5", "thing->any:ustr" };
			struct run r;

			run_each(&r, t);
			if (!r.in.target.probe_read && !r.in.target.rdonly_cast_id)
				continue;
			memset(things[0].array, 'x', len);
			memset(things[0].tail, 'y', len * 9);
			things[0].any = USER_AT;
			run_texts(&r, texts, r.in.target.probe_read ? 4 : 1);
			assert_int_equal(value_of(&r, 0).len, len);
			assert_memory_equal(value_of(&r, 0).bytes, things[0].array, len);
			if (r.in.target.probe_read) {
				size_t shown = len * 9 < 127 ? len * 9 : 127;

				assert_int_equal(value_of(&r, 1).len, shown);
				assert_int_equal(value_of(&r, 1).status,
				                 len * 9 > 127 ? EVENT_CUT : 0);
				assert_int_equal(value_of(&r, 2).len, len < 5 ? len : 5);
				assert_string_equal(value_of(&r, 3).bytes, user_text);
			}
			run_free(&r);
		}
	}
}

/* ---- filters, header, submission ---- */

static bool passes(int kernel, const struct event_filter *filter)
{
	struct expr_target target = target_of(kernel, 0);
	struct run r;
	bool submitted;

	run_init(&r, &target);
	r.in.filter = *filter;
	r.in.want_ts = true;
	r.machine.now = 12345;
	r.machine.followed = r.machine.in_cgroup = true;
	memcpy(task + 16, "worker\0was long", 16);
	run_one(&r, "count");
	submitted = r.machine.submitted;
	if (submitted) {
		const struct event_header *h = (const void *)r.machine.record;

		assert_int_equal(h->ts, 12345);
		assert_int_equal(h->pid, 42);
		assert_int_equal(h->tid, 43);
		assert_string_equal(h->comm, "worker");
		for (size_t i = 0; i < r.machine.record_size; i++)
			assert_true(r.machine.written[i]);
	}
	run_free(&r);
	return submitted;
}

static void test_filters(void **state)
{
	(void)state;
	for (int kernel = 0; kernel < KERNELS; kernel++) {
		assert_true(passes(kernel, &(struct event_filter){ .self = 41 }));
		assert_false(passes(kernel, &(struct event_filter){ .self = 42 }));
		assert_true(passes(kernel, &(struct event_filter){ .self = 41, .pid = 42 }));
		assert_false(passes(kernel, &(struct event_filter){ .self = 41, .pid = 43 }));
		assert_false(passes(kernel, &(struct event_filter){ .self = 42, .pid = 42 }));
		assert_true(passes(kernel, &(struct event_filter){ .tid = 43 }));
		assert_false(passes(kernel, &(struct event_filter){ .tid = 42 }));
		assert_true(passes(kernel, &(struct event_filter){ .by_uid = 1, .uid = 1000 }));
		assert_false(passes(kernel, &(struct event_filter){ .by_uid = 1, .uid = 0 }));
		assert_true(
			passes(kernel, &(struct event_filter){ .by_comm = 1, .comm = "worker" }));
		assert_false(
			passes(kernel, &(struct event_filter){ .by_comm = 1, .comm = "work" }));
		assert_false(
			passes(kernel, &(struct event_filter){ .by_comm = 1, .comm = "worker2" }));
		assert_false(passes(kernel,
		                    &(struct event_filter){ .by_comm = 1, .comm = "worker.was" }));
		assert_true(passes(kernel, &(struct event_filter){ .follow = 1, .by_cgroup = 1 }));
	}
}

static void test_long_comm(void **state)
{
	(void)state;
	for (int kernel = 0; kernel < KERNELS; kernel++) {
		struct expr_target target = target_of(kernel, 0);

		for (int same = 0; same < 2; same++) {
			struct run r;

			run_init(&r, &target);
			r.in.filter =
				(struct event_filter){ .by_comm = 1, .comm = "systemd-journa" };
			strcpy((char *)task + 16, same ? "systemd-journa" : "systemd-journb");
			run_one(&r, "count");
			assert_int_equal(r.machine.submitted, same);
			run_free(&r);
		}
	}
}

static void test_refusals(void **state)
{
	struct expr_target target = target_of(2, 0);
	struct run r;

	(void)state;
	for (int i = 0; i < 3; i++) {
		run_init(&r, &target);
		r.in.filter.follow = i == 0;
		r.in.filter.by_cgroup = i == 1;
		r.machine.ring_full = i == 2;
		run_one(&r, "count");
		assert_false(r.machine.submitted);
		assert_int_equal(r.machine.losses[LOSS_RING_FULL], i == 2);
		run_free(&r);
	}
}

/* The kernel decides, unless much is queued. */
static void test_wakeup(void **state)
{
	struct expr_target target = target_of(2, 0);
	struct run r;

	(void)state;
	for (int i = 0; i < 2; i++) {
		run_init(&r, &target);
		r.machine.queued = EVENT_WAKEUP_BYTES - !i;
		run_one(&r, "count");
		assert_int_equal(r.machine.submit_flags, i ? BPF_RB_FORCE_WAKEUP : 0);
		run_free(&r);
	}
}

/* A function that returns a struct thing *, one that returns an int, at their return. */
static void test_returned(void **state)
{
	static const struct {
		const char *text;
		uint64_t returned;
		int64_t want;
		uint8_t status;
	} cases[] = {
		{ "$ret", 0xdeadbeef00000000 | (uint32_t)-2, -2, 0 },
		{ "$retval < 0", 0xdeadbeef00000000 | (uint32_t)-2, 1, 0 },
		{ "$ret:x", 0xdeadbeef00000000 | (uint32_t)-2, (uint32_t)-2, 0 },
		{ "$ret->number", THING_AT(1), -5, 0 },
		{ "$ret->next->small", THING_AT(0), 200, 0 },
		{ "$ret", THING_AT(1), THING_AT(1), 0 },
		{ "$ret->number", 0, 0, EVENT_NULL },
		{ "$ret->number", (uint64_t)-2, 0, EVENT_FAULT },
		{ "$ret->next->number", (uint64_t)-2, 0, EVENT_FAULT },
	};

	(void)state;
	for (int t = 0; t < KERNELS * WAYS; t++) {
		for (size_t i = 0; i < COUNT(cases); i++) {
			struct run r;

			run_each(&r, t);
			if (!r.in.target.probe_read && r.in.target.rung == EXPR_RUNG_KPROBE)
				continue;
			r.in.scope = EXPR_SCOPE_RETURN;
			r.in.func_id = i < 3 ? number_func_id : thing_func_id;
			r.machine.returned = cases[i].returned;
			fill_thing(&things[1]);
			run_one(&r, cases[i].text);
			assert_int_equal(value_of(&r, 0).status, cases[i].status);
			assert_int_equal(value_of(&r, 0).u, cases[i].want);
			if (cases[i].status)
				assert_string_equal(link_of(&r, 0), "$ret");
			run_free(&r);
		}
	}
}

/* A trampoline keeps the arguments; the registers are gone. */
static void test_arguments_at_return(void **state)
{
	struct expr_target target;
	struct run r;

	(void)state;
	target = target_of(2, 0);
	run_init(&r, &target);
	r.in.scope = EXPR_SCOPE_RETURN;
	fill_thing(&things[0]);
	run_one(&r, "thing->number");
	assert_int_equal(value_of(&r, 0).u, -5);
	run_free(&r);
	target = target_of(2, 2);
	run_init(&r, &target);
	r.in.scope = EXPR_SCOPE_RETURN;
	r.in.texts = (const char *const[]){ "thing->number" };
	r.in.count = 1;
	assert_int_equal(expr_compile(&r.in, &r.program, &r.error), -EOPNOTSUPP);
	run_free(&r);
}

/* Random expressions together: many slots, shared stack places, one record. */
static void test_many(void **state)
{
	static const char *const tails[] = { "number", "big",  "text", "array",   "tail",
		                             "five",   "next", "half", "numbers", "any" };
	uint64_t seed = 1;

	(void)state;
	for (int round = 0; round < 300; round++) {
		char texts[24][80];
		const char *list[24];
		size_t count = 1 + random_next(&seed) % COUNT(list);
		struct run r;

		run_each(&r, random_next(&seed) % (KERNELS * WAYS));
		if (!r.in.target.probe_read)
			continue;
		for (size_t i = 0; i < count; i++) {
			size_t len = sprintf(texts[i], "thing");

			for (int hops = random_next(&seed) % 4; hops; hops--)
				len += sprintf(texts[i] + len, "->next");
			sprintf(texts[i] + len, "->%s", tails[random_next(&seed) % COUNT(tails)]);
			list[i] = texts[i];
		}
		for (unsigned i = 0; i < THINGS; i++) {
			fill_thing(&things[i]);
			things[i].text = random_next(&seed) % 2 ? USER_AT : random_next(&seed) % 8;
			if (random_next(&seed) % 4 == 0)
				things[i].next = random_next(&seed) % 2 ? 0 : NOWHERE;
		}
		run_texts(&r, list, count);
		for (size_t i = 0; i < count; i++)
			value_of(&r, i);
		run_free(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scalars),
		cmocka_unit_test(test_operators),
		cmocka_unit_test(test_operators_fail),
		cmocka_unit_test(test_conditions),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_texts_fail),
		cmocka_unit_test(test_pointers_to_numbers),
		cmocka_unit_test(test_null_links),
		cmocka_unit_test(test_bad_addresses),
		cmocka_unit_test(test_bad_last_address),
		cmocka_unit_test(test_user_memory),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_shared_prefix),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_behind_the_string),
		cmocka_unit_test(test_bad_strings),
		cmocka_unit_test(test_arrays),
		cmocka_unit_test(test_filters),
		cmocka_unit_test(test_long_comm),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_wakeup),
		cmocka_unit_test(test_returned),
		cmocka_unit_test(test_arguments_at_return),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
