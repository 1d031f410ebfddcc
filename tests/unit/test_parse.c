/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_parse.c - tokens → nodes, written back with all their parentheses, and every node's span.
 */
#include <string.h>

#include "unit.h"
#include "btf_build.h"
#include "expr/resolve/resolve.h"
#include "expr/syntax/syntax.h"

static struct expr_program program;
static struct expr_input input = { .count = 1 };
static struct expr_error error;
static struct slot slot;
static struct btf_build build;

static int parse(const char *text)
{
	struct compile c = { .in = &input,
			     .p = &program,
			     .error = &error,
			     .slot = &slot,
			     .is_param = name_is_param,
			     .is_typedef = type_is_name };

	memset(&error, 0, sizeof(error));
	slot = (struct slot){ .text = text };
	program.slots = &slot;
	expr_lex(&c, &slot);
	if (!c.err)
		expr_parse(&c, &slot);
	return c.err;
}

/* ((a->b)[1]): what belongs together is in parentheses. */
static void put(struct buf *o, const struct node *n)
{
	const char *name = slot.text + n->name.start;
	size_t len = n->name.end - n->name.start;

	switch (n->kind) {
	case NODE_NAME:
	case NODE_BUILTIN: buf_bytes(o, name, len); return;
	case NODE_NUMBER: buf_int(o, n->number); return;
	case NODE_STRING: buf_printf(o, "\"%s\"", n->bytes); return;
	case NODE_SYMBOL:
		buf_char(o, '@');
		buf_bytes(o, name, len);
		return;
	case NODE_UNARY:
		buf_printf(o, "(%s", oper_text(n->oper));
		put(o, n->child);
		break;
	case NODE_BINARY:
	case NODE_AND:
	case NODE_OR:
	case NODE_FALLBACK:
	case NODE_CHOICE:
		buf_char(o, '(');
		put(o, n->child);
		buf_str(o, n->kind == NODE_AND	    ? " && " :
			   n->kind == NODE_OR	    ? " || " :
			   n->kind == NODE_CHOICE   ? " ? " :
			   n->kind == NODE_FALLBACK ? " ?? " :
						      oper_text(n->oper));
		put(o, n->other);
		if (n->third) {
			buf_str(o, " : ");
			put(o, n->third);
		}
		break;
	case NODE_CAST:
	case NODE_SIZEOF:
		buf_printf(o, "(%s%.*s ", n->kind == NODE_SIZEOF ? "sizeof " : "cast ",
			   SPAN_ARG(slot.text, n->type_name.span));
		if (n->child)
			put(o, n->child);
		break;
	case NODE_CONTAINER:
		buf_printf(o, "(container %.*s %.*s ", SPAN_ARG(slot.text, n->type_name.span),
			   (int)len, name);
		put(o, n->child);
		break;
	case NODE_DEREF:
	case NODE_ADDRESS:
		buf_str(o, n->kind == NODE_DEREF ? "(*" : "(&");
		put(o, n->child);
		break;
	case NODE_INDEX:
		buf_char(o, '(');
		put(o, n->child);
		buf_char(o, '[');
		put(o, n->other);
		buf_char(o, ']');
		break;
	default:
		buf_char(o, '(');
		put(o, n->child);
		buf_str(o, n->kind == NODE_ARROW ? "->" : ".");
		buf_bytes(o, name, len);
		break;
	}
	buf_char(o, ')');
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
		{ "a[-1]", "(a[(-1)])" },
		{ "((((a))))", "a" },
		{ "$arg1->x", "($arg1->x)" },
		{ "-5", "(-5)" },
		{ "a[b->c]", "(a[(b->c)])" },
		{ "a + b * c - d", "((a+(b*c))-d)" },
		{ "a - b - c", "((a-b)-c)" },
		{ "a << 1 + 2 < 3 == 4 & 5 ^ 6 | 7", "((((((a<<(1+2))<3)==4)&5)^6)|7)" },
		{ "a && b || c && d", "((a && b) || (c && d))" },
		{ "a | b && c", "((a|b) && c)" },
		{ "!a->b", "(!(a->b))" },
		{ "-a * ~b", "((-a)*(~b))" },
		{ "a ? b : c ? d : e", "(a ? b : (c ? d : e))" },
		{ "a || b ? c : d", "((a || b) ? c : d)" },
		{ "a->b ?? a->c ?? 1", "(((a->b) ?? (a->c)) ?? 1)" },
		{ "(u8)a + 1", "((cast u8 a)+1)" },
		{ "(struct x *)a->b", "(cast struct x * (a->b))" },
		{ "((struct x *)a)->b", "((cast struct x * a)->b)" },
		{ "(unsigned long)&a", "(cast unsigned long (&a))" },
		{ "(word)(a)", "(cast word a)" },
		{ "(a)*b", "(a*b)" },
		{ "(a)-b", "(a-b)" },
		{ "(const char __user *)a", "(cast const char __user * a)" },
		{ "sizeof(struct x) + sizeof a", "((sizeof struct x )+(sizeof  a))" },
		{ "sizeof(a) * 2", "((sizeof  a)*2)" },
		{ "container_of(a, struct x, y)->z", "((container struct x y a)->z)" },
		{ "a == \"x\\ty\\x41\"", "(a==\"x\ty\x41\")" },
		{ "a ~ \"*\"", "(a~\"*\")" },
		{ "contains(a->b, \"x?\")", "((a->b)~\"*x\\?*\")" },
		{ "contains", "contains" },
		{ "'a' + '\\n'", "(97+10)" },
		{ "&@jiffies", "(&@jiffies)" },
		{ "$reg(di) + 1", "($reg+1)" },
	};
	struct buf o;

	(void)state;
	buf_init(&o, -1);
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_int_equal(parse(cases[i].text), 0);
		put(&o, slot.root);
		assert_string_equal(taken(&o), cases[i].tree);
	}
	buf_free(&o);
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
		{ "", 0, 0 },	       { "a->", 3, 3 },
		{ "a.", 2, 2 },	       { "a[", 2, 2 },
		{ "a[1", 3, 3 },       { "a]", 1, 2 },
		{ "a b", 2, 3 },       { "a->1", 3, 4 },
		{ "(a", 2, 2 },	       { ")", 0, 1 },
		{ "a:", 2, 2 },	       { "a:x:", 4, 4 },
		{ "a:x:y", 4, 5 },     { "a:0", 2, 3 },
		{ "a:9999", 2, 6 },    { "x=", 2, 2 },
		{ "x=y=z", 3, 4 },     { "a:x y", 4, 5 },
		{ "a -", 3, 3 },       { "a->b->->c", 6, 8 },
		{ "a + ", 4, 4 },      { "a ? b", 5, 5 },
		{ "*", 1, 1 },	       { "a[1]]", 4, 5 },
		{ "(u8", 3, 3 },       { "(u8)", 4, 4 },
		{ "(struct)a", 7, 8 }, { "a ?? ", 5, 5 },
		{ "\"x", 0, 2 },       { "'ab'", 0, 4 },
		{ "\"\\q\"", 1, 3 },   { "@", 1, 1 },
		{ "$reg(", 5, 5 },     { "container_of(a)", 14, 15 },
		{ "a < = b", 4, 5 },
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

/* A parameter `a`, and a typedef `word`. */
static int setup(void **state)
{
	struct btf_view *btf;
	uint8_t *bytes;
	uint32_t func;
	size_t size;

	(void)state;
	build_ref(&build, BTF_KIND_TYPEDEF, "word", build_int(&build, "int", 4, BTF_INT_SIGNED));
	func = build_func(&build, "f", 0, (struct build_part[]){ { "a", 1, 0, 0 } }, 1);
	bytes = build_bytes(&build, &size);
	if (btf_view_from(bytes, size, &btf))
		return -1;
	input.btf = btf;
	program.proto = btf_view_type(btf, func)->type;
	return 0;
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
		cmocka_unit_test(test_format),	   cmocka_unit_test(test_errors),
		cmocka_unit_test(test_nesting),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
