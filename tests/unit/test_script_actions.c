/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_script_actions.c - what resolve says besides types: actions of programs in bpftrace's language and the layout of
 * their records, texts for user space, constants, and whose memory pointers point to.
 */
#include "script_program.h"
#include "event.h"

/* ---- actions ---- */

/* "kind(offset:type …) size": of a literal "=", of an action with a text its first 8 characters. */
static void action_write(const struct script_action *a, struct buf *o)
{
	buf_printf(o, "%d", a->kind);
	if (a->map)
		buf_printf(o, " @%s", a->map->name);
	if (a->text)
		buf_printf(o, " '%s'", a->text);
	for (size_t i = 0; i < a->arg_count; i++) {
		const struct script_arg *arg = &a->args[i];

		if (arg->is_literal)
			buf_str(o, " =");
		else
			buf_printf(o, " %u:", arg->offset);
		script_type_write(NULL, &arg->type, o);
	}
	buf_printf(o, " %u\n", a->size);
}

static void check_actions(const char *text, const char *want)
{
	struct program p;
	struct buf o;

	if (program_open(&p, text))
		print_error("%s\n%s\n", text, p.error.message);
	assert_int_equal(p.error.message[0], 0);
	buf_init(&o, -1);
	for (size_t i = 0; i < p.s->action_count; i++) {
		assert_int_equal(p.s->actions[i]->number, i);
		action_write(p.s->actions[i], &o);
	}
	assert_string_equal(taken(&o), want);
	buf_free(&o);
	script_free(p.s);
}

static void test_actions(void **state)
{
	(void)state;
	check_actions("BEGIN { printf(\"%d %s\", pid, comm); }",
		      "0 '%d %s' 8:uint32 16:string[16] 32\n");
	check_actions("BEGIN { printf(\"%d %s %d\", 5, \"a\", nsecs); }",
		      "0 '%d %s %d' =int8 =string[2] 8:uint64 16\n");
	check_actions(
		"BEGIN { @x[1] = 1; print(@x); print(@x, 5, 2); clear(@x); zero(@x); exit(); exit(3); }",
		"4 @x 8\n4 @x =int8 =int8 8\n6 @x 8\n7 @x 8\n8 8\n8 =int8 8\n");
	check_actions("BEGIN { print((pid, \"abc\")); time(); time(\"%S\"); print(1); }",
		      "3 8:(uint32,string[4]) 16\n9 '%H:%M:%S\n' 8\n9 '%S' 8\n3 =int8 8\n");
	check_actions("BEGIN { @x = count(); printf(\"%d\", @x); join(1); cat(\"/%d\", pid); }",
		      "0 '%d' 8:int64 16\n10 ' ' 8:buffer[16388] 16400\n11 '/%d' 8:uint32 16\n");
	check_actions("BEGIN { @x[1] = 1; delete(@x, 2); $a = delete(@x, 3); }", "13 @x 8\n");
	check_actions("BEGIN { assert(pid == 1, \"no\"); }", "16 =string[3] 8\n");
}

/* One call has one action for all points where its arguments have the same types. */
static void test_points(void **state)
{
	(void)state;
	check_actions("kprobe:probe,kprobe:number_probe { printf(\"%s\", probe); }",
		      "0 '%s' 8:probe 16\n");
	check_actions("fentry:probe,fentry:thing_probe { print(args.number); print(args.thing); }",
		      "3 8:int32 16\n3 8:struct thing * 16\n");
	check_actions("kprobe:probe,kretprobe:probe { print(probetype); }",
		      "3 =string[7] 8\n3 =string[10] 8\n");
	check_actions("kprobe:probe { print(1); } kprobe:probe { print(1); }",
		      "3 =int8 8\n3 =int8 8\n");
}

static void test_texts(void **state)
{
	struct program p;

	(void)state;
	assert_int_equal(
		program_open(
			&p,
			"BEGIN { $a = strftime(\"%H\", nsecs); $b = strftime(\"%M\", "
			"nsecs(tai)); $c = strftime(\"%H\", 5); $d = cgroup_path(1, \"x*\"); }"),
		0);
	assert_int_equal(p.s->text_count, 4);
	assert_string_equal(p.s->texts[0], "");
	assert_string_equal(p.s->texts[1], "%H");
	assert_string_equal(p.s->texts[2], "%M");
	assert_string_equal(p.s->texts[3], "x*");
	assert_int_equal(p.s->probes[0].body->next->a->value, SCRIPT_CLOCK_TAI);
	assert_int_equal(p.s->probes[0].body->next->next->a->text, 1);
	script_free(p.s);
}

/* ---- constants ---- */

static const struct {
	const char *expr;
	int64_t value;
} constants[] = {
	{ "1 + 2 * 3", 7 },
	{ "7 / 2", 3 },
	{ "-7 / 2", -3 },
	{ "-7 % 3", -1 },
	{ "1 << 63", INT64_MIN },
	{ "0xffffffffffffffff >> 60", 15 },
	{ "5 - 8", -3 },
	{ "~5 & 0xff", 0xfa },
	{ "6 ^ 3 | 8", 13 },
	{ "(uint8)300", 44 },
	{ "(int8)200", -56 },
	{ "(uint32)pton(\"127.0.0.1\")", 0x0100007f },
	{ "1 < 2 && \"a\" != \"b\"", 1 },
	{ "-1 < 1", 1 },
	{ "0xffffffffffffffff > -1", 1 },
	{ "!0 ? 5 : pid", 5 },
	{ "0 && pid", 0 },
	{ "1 || pid", 1 },
	{ "sizeof(uint64) + offsetof(struct thing, text)", 16 },
	{ "strlen(\"abc\")", 3 },
	{ "strncmp(\"abc\", \"abd\", 2)", 0 },
	{ "strstr(\"hello\", \"ll\")", 2 },
	{ "kaddr(\"jiffies\")", 0xffffffff81000000ll },
	{ "ncpus", 4 },
	{ "$1", 42 },
	{ "getopt(\"n\", 1)", 5 },
	{ "MINUS", -1 },
	{ "is_ptr(curtask)", 1 },
};

static void test_constants(void **state)
{
	char text[256];
	struct program p;

	(void)state;
	for (size_t i = 0; i < COUNT(constants); i++) {
		const struct script_expr *e;

		snprintf(text, sizeof(text), "BEGIN { $x = %s; }", constants[i].expr);
		assert_int_equal(program_open(&p, text), 0);
		e = p.s->probes[0].body->a;
		if (!e->is_constant || e->value != constants[i].value)
			print_error("%s: %lld\n", text, (long long)e->value);
		assert_true(e->is_constant);
		assert_int_equal(e->value, constants[i].value);
		script_free(p.s);
	}
}

/* ---- pointers ---- */

/* u: user memory, t: the verifier knows it, -: neither. */
static const struct {
	const char *probe, *expr, *want;
} pointers[] = {
	{ "fentry:probe", "args.thing", "t" },
	{ "fentry:probe", "args.thing.next", "t" },
	{ "fentry:probe", "args.string", "-" },
	{ "fentry:probe", "(struct thing *)args.thing", "-" },
	{ "fentry:probe", "uptr(args.thing)", "u" },
	{ "fentry:probe", "uptr(args.thing).next", "u" },
	{ "kprobe:probe", "(struct thing *)arg0", "-" },
	{ "uprobe:a:b", "arg0", "u" },
	{ "uprobe:a:b", "(struct thing *)arg0", "u" },
	{ "uprobe:a:b", "((struct thing *)arg0).next", "u" },
	{ "uprobe:a:b", "reg(\"sp\") + 8", "u" },
	{ "uprobe:a:b", "*(uint64 **)(reg(\"sp\") + 8)", "u" },
	{ "uprobe:a:b", "kptr(arg0)", "-" },
	{ "uprobe:a:b", "curtask", "-" },
	{ "tracepoint:syscalls:x", "args.label", "u" },
	{ "tracepoint:a:b", "args.label", "-" },
	{ "tracepoint:a:b", "args.filename", "u" },
};

static void check_pointer(const char *probe, const char *expr, const char *want)
{
	const struct script_type *t;
	char text[256];
	struct program p;

	snprintf(text, sizeof(text), "%s { $x = %s; }", probe, expr);
	if (program_open(&p, text))
		print_error("%s: %s\n", text, p.error.message);
	t = &p.s->probes[0].body->a->type;
	if (strcmp(t->is_user ? "u" : t->is_typed ? "t" : "-", want))
		print_error("%s\n", text);
	assert_string_equal(t->is_user ? "u" : t->is_typed ? "t" : "-", want);
	assert_false(p.s->probes[0].body->target->type.is_typed);
	script_free(p.s);
}

static void test_pointers(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(pointers); i++)
		check_pointer(pointers[i].probe, pointers[i].expr, pointers[i].want);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_actions),	 cmocka_unit_test(test_points),
		cmocka_unit_test(test_texts),	 cmocka_unit_test(test_constants),
		cmocka_unit_test(test_pointers),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
