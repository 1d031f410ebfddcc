// SPDX-License-Identifier: GPL-2.0
/*
 * test_parse.c - tokens → nodes, written back with all their parentheses, and every node's span.
 */
#include "unit.h"
#include "expr/compiler.h"

static struct expr_program program;
static struct expr_input input = { .count = 1 };
static struct expr_error error;
static struct slot slot;

static int parse(const char *text)
{
	struct compile c = { .in = &input, .p = &program, .error = &error, .slot = &slot };

	memset(&error, 0, sizeof(error));
	slot = (struct slot){ .text = text };
	program.slots = &slot;
	expr_lex(&c, &slot);
	if (!c.err)
		expr_parse(&c, &slot);
	return c.err;
}

/* ((a->b)[1]): what belongs together is in parentheses. */
static void put(struct out *o, const struct node *n)
{
	const char *name = slot.text + n->name.start;
	size_t len = n->name.end - n->name.start;

	switch (n->kind) {
	case NODE_NAME:
	case NODE_BUILTIN:
		out_bytes(o, name, len);
		return;
	case NODE_NUMBER:
		out_int(o, n->number);
		return;
	case NODE_DEREF:
	case NODE_ADDRESS:
		out_str(o, n->kind == NODE_DEREF ? "(*" : "(&");
		put(o, n->child);
		break;
	case NODE_INDEX:
		out_char(o, '(');
		put(o, n->child);
		out_char(o, '[');
		put(o, n->other);
		out_char(o, ']');
		break;
	default:
		out_char(o, '(');
		put(o, n->child);
		out_str(o, n->kind == NODE_ARROW ? "->" : ".");
		out_bytes(o, name, len);
		break;
	}
	out_char(o, ')');
}

static void test_precedence(void **state)
{
	static const struct {
		const char *text, *tree;
	} cases[] = {
		{ "a", "a" },
		{ "a->b->c", "((a->b)->c)" },
		{ "a.b->c", "((a.b)->c)" },
		{ "*a->b", "(*(a->b))" },
		{ "(*a)->b", "((*a)->b)" },
		{ "&a->b[2]", "(&((a->b)[2]))" },
		{ "(&a->b)[2]", "((&(a->b))[2])" },
		{ "**a[1][2]", "(*(*((a[1])[2])))" },
		{ "a[-1]", "(a[-1])" },
		{ "((((a))))", "a" },
		{ "$arg1->x", "($arg1->x)" },
		{ "-5", "-5" },
		{ "a[b->c]", "(a[(b->c)])" },
	};
	struct out o;

	(void)state;
	out_init(&o, -1);
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_int_equal(parse(cases[i].text), 0);
		put(&o, slot.root);
		assert_string_equal(taken(&o), cases[i].tree);
	}
	out_free(&o);
}

static void check_span(struct span span, const char *text)
{
	assert_int_equal(span.end - span.start, strlen(text));
	assert_memory_equal(slot.text + span.start, text, strlen(text));
}

static void test_spans(void **state)
{
	(void)state;
	assert_int_equal(parse("name = (*file ).a [ 1 ]->b :str: 12"), 0);
	check_span(slot.name, "name");
	check_span(slot.format.span, "str: 12");
	check_span(slot.format.name, "str");
	assert_int_equal(slot.format.length, 12);
	check_span(slot.root->span, "(*file ).a [ 1 ]->b");
	check_span(slot.root->op, "->");
	check_span(slot.root->child->span, "(*file ).a [ 1 ]");
	check_span(slot.root->child->child->span, "(*file ).a");
	check_span(slot.root->child->child->child->span, "*file");
}

static void test_format(void **state)
{
	(void)state;
	assert_int_equal(parse("a:x"), 0);
	assert_int_equal(slot.format.length, 0);
	assert_int_equal(parse("a:32"), 0);
	assert_int_equal(slot.format.length, 32);
	assert_int_equal(slot.format.name.end, 0);
	assert_int_equal(parse("a"), 0);
	assert_int_equal(slot.format.span.end, 0);
}

static void test_errors(void **state)
{
	static const struct {
		const char *text;
		uint32_t start, end;
	} cases[] = {
		{ "", 0, 0 },      { "a->", 3, 3 },    { "a.", 2, 2 },     { "a[", 2, 2 },
		{ "a[1", 3, 3 },   { "a]", 1, 2 },     { "a b", 2, 3 },    { "a->1", 3, 4 },
		{ "(a", 2, 2 },    { ")", 0, 1 },      { "a:", 2, 2 },     { "a:x:", 4, 4 },
		{ "a:x:y", 4, 5 }, { "a:0", 2, 3 },    { "a:9999", 2, 6 }, { "x=", 2, 2 },
		{ "x=y=z", 3, 4 }, { "a:x y", 4, 5 },  { "-a", 1, 2 },     { "a->b->->c", 6, 8 },
		{ "a + b", 2, 3 }, { "a == 1", 2, 4 }, { "*", 1, 1 },      { "a[1]]", 4, 5 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_int_equal(parse(cases[i].text), -EINVAL);
		assert_int_equal(error.start, cases[i].start);
		assert_int_equal(error.end, cases[i].end);
		assert_int_equal(error.text, 0);
		assert_true(error.message[0]);
	}
}

static void test_nesting(void **state)
{
	char text[1024];

	(void)state;
	for (int depth = 1; depth < 500; depth += 7) {
		memset(text, '*', depth);
		strcpy(text + depth, "a");
		assert_int_equal(parse(text), depth < NESTING_MAX ? 0 : -EINVAL);
		memset(text, '(', depth);
		text[depth] = 'a';
		memset(text + depth + 1, ')', depth);
		text[2 * depth + 1] = '\0';
		assert_int_equal(parse(text), depth < NESTING_MAX ? 0 : -EINVAL);
	}
}

static int teardown(void **state)
{
	(void)state;
	arena_free(&program.arena);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_precedence), cmocka_unit_test(test_spans),
		cmocka_unit_test(test_format),     cmocka_unit_test(test_errors),
		cmocka_unit_test(test_nesting),
	};

	return cmocka_run_group_tests(tests, NULL, teardown);
}
