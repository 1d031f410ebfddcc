/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notation_call.c - functions in expressions: what is one in C's notation is mostly an operator, or the
 * thing itself, in argdump's.
 */
#include <ctype.h>
#include <string.h>

#include "front/notation/notation.h"
#include "util/suggest.h"

/* A string to compare with. */
static const char *string_text(struct notation_view *v, const struct notation_node *node)
{
	const char *text = notation_text(v, node);

	node = notation_bare(node);
	if (node->kind == NOTATION_LITERAL || !v->is_untyped || text[0] != '$' ||
	    (strncmp(text, "$arg", 4) && strcmp(text, "$ret")))
		return text;
	return notation_print(v->n, "(char __user *)%s", text);
}

static bool is_literal(const struct notation_node *node)
{
	return notation_bare(node)->kind == NOTATION_LITERAL;
}

/* strncmp(a, "b", n): 0 if they are equal, as a pattern. */
static const char *strncmp_text(struct notation_view *v, const struct notation_node *node)
{
	const struct notation_node *a = node->kid, *b = a->next, *text;
	const char *words;
	size_t most = 0;

	text = is_literal(b) ? b : is_literal(a) ? a : NULL;
	if (!text || notation_bare(text)->text[0] != '"' || !b->next || !is_literal(b->next)) {
		notation_fail_node(v->n, node, "EXPR ~ \"text*\" compares the beginning",
				   "one of the two has to be a text, with a number of bytes");
		return "";
	}
	for (const char *c = notation_bare(b->next)->text; isdigit((unsigned char)*c); c++)
		most = most < 4000 ? most * 10 + *c - '0' : most;
	words = notation_unquote(v->n, notation_bare(text)->text);
	if (most <= strlen(words) && strpbrk(words, "*?[\\"))
		notation_fail_node(v->n, text, "contains(EXPR, \"text\"); EXPR == \"text\"",
				   "the beginning is compared as a pattern, in which * ? [ stand "
				   "for other bytes");
	if (most > strlen(words))
		return notation_print(v->n, "(%s != \"%s\")", string_text(v, text == b ? a : b),
				      words);
	return notation_print(v->n, "!(%s ~ \"%.*s*\")", string_text(v, text == b ? a : b),
			      (int)most, words);
}

static const char *equal_text(struct notation_view *v, const struct notation_node *node,
			      const char *sign)
{
	const struct notation_node *a = node->kid, *b = a->next, *swap = a;

	if (is_literal(a)) {
		a = b;
		b = swap;
	}
	return notation_print(v->n, "(%s %s %s)", string_text(v, a), sign, string_text(v, b));
}

static const char *same_text(struct notation_view *v, const struct notation_node *node)
{
	return equal_text(v, node, "==");
}

static const char *differ_text(struct notation_view *v, const struct notation_node *node)
{
	return equal_text(v, node, "!=");
}

static const char *contains_text(struct notation_view *v, const struct notation_node *node)
{
	return notation_print(v->n, "contains(%s, %s)", string_text(v, node->kid),
			      notation_text(v, node->kid->next));
}

static const char *first_text(struct notation_view *v, const struct notation_node *node)
{
	return notation_text(v, node->kid);
}

static const char *register_text(struct notation_view *v, const struct notation_node *node)
{
	return notation_print(v->n, "$reg(%s)", notation_unquote(v->n, node->kid->text));
}

static const char *symbol_text(struct notation_view *v, const struct notation_node *node)
{
	return notation_print(v->n, "(u64)&@%s", notation_unquote(v->n, node->kid->text));
}

/* A number in network order is compared as the number that it means. */
static const char *swap16_text(struct notation_view *v, const struct notation_node *node)
{
	return notation_print(v->n, "(__be16)(%s)", notation_text(v, node->kid));
}

static const char *swap32_text(struct notation_view *v, const struct notation_node *node)
{
	return notation_print(v->n, "(__be32)(%s)", notation_text(v, node->kid));
}

#define SWAP_HINT "as a value of its own, or ntohs(x) == NUMBER, ntohl(x) == NUMBER"

/* The translation of a function in an expression. As a whole value it may be a format
 * (notation_value.c). */
static const struct {
	const char *name;
	size_t least; /* arguments */
	const char *(*text)(struct notation_view *v, const struct notation_node *node);
	const char *hint; /* text NULL: what to do instead */
} functions[] = {
	{ "str", 1, string_text, NULL },
	{ "kstr", 1, string_text, NULL },
	{ "ustr", 1, string_text, NULL },
	{ "path", 1, first_text, NULL },
	{ "ksym", 1, first_text, NULL },
	{ "usym", 1, first_text, NULL },
	{ "kptr", 1, first_text, NULL },
	{ "uptr", 1, first_text, NULL },
	{ "bswap", 1, NULL, SWAP_HINT },
	{ "ntohs", 1, swap16_text, NULL },
	{ "ntohl", 1, swap32_text, NULL },
	{ "bpf_ntohs", 1, swap16_text, NULL },
	{ "bpf_ntohl", 1, swap32_text, NULL },
	{ "strcmp", 2, differ_text, NULL },
	{ "strncmp", 3, strncmp_text, NULL },
	{ "STRCMP", 2, same_text, NULL },
	{ "strcontains", 2, contains_text, NULL },
	{ "strstr", 2, contains_text, NULL },
	{ "reg", 1, register_text, NULL },
	{ "kaddr", 1, symbol_text, NULL },
	{ "ntop", 1, NULL, "as a value of its own it is EXPR:ip4; compare the number itself" },
	{ "cgroupid", 1, NULL, "--cgroup PATH; here as a filter: /cgroup == cgroupid(\"PATH\")/" },
	{ "uaddr", 1, NULL, "symbols of user programs are shown by EXPR:usym" },
	{ "system", 0, NULL, "a tracer does not run commands; -j for a program that reads it" },
	{ "signal", 0, NULL, "coretap only looks; it sends no signals" },
	{ "override", 0, NULL, "coretap only looks; it changes no results" },
	{ "cat", 0, NULL, "@NAME shows a variable of the kernel" },
};

/* nsecs(CLOCK): there is one clock, which stands still only while the machine sleeps. */
static void clock_check(struct notation_view *v, const struct notation_node *node)
{
	const struct notation_node *clock = node->kid;

	if (clock && (clock->next ||
		      (!notation_is_word(clock, "monotonic") && !notation_is_word(clock, "boot"))))
		notation_fail_node(v->n, clock, "nsecs; strftime(\"%H:%M:%S\", nsecs)",
				   "argdump has no such clock");
}

/* pid() is pid; what is no name there is not one of a parameter here. */
static const char *word_call(struct notation_view *v, const struct notation_node *node)
{
	struct notation_node word = *node;
	const char *text;

	word.kind = NOTATION_WORD;
	word.kid = NULL;
	if (!strcmp(node->text, "nsecs"))
		clock_check(v, node);
	text = notation_word_text(v, &word);
	if (!strcmp(text, node->text))
		notation_fail_node(v->n, node, "argdump --help lists what EXPR may be",
				   "there is no function %s()", node->text);
	return text;
}

const char *notation_call(struct notation_view *v, const struct notation_node *node)
{
	struct suggestion nearest;
	size_t count = 0;

	for (const struct notation_node *kid = node->kid; kid; kid = kid->next)
		count++;
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		if (strcmp(functions[i].name, node->text))
			continue;
		if (functions[i].text && count >= functions[i].least)
			return functions[i].text == string_text ? string_text(v, node->kid) :
								  functions[i].text(v, node);
		notation_fail_node(v->n, node, functions[i].hint,
				   functions[i].text ? "%s() needs more arguments" :
						       "argdump has no %s()",
				   node->text);
		return "";
	}
	if (!node->kid || !strcmp(node->text, "nsecs"))
		return word_call(v, node);
	if (node->text[0] == '$' && v->name) /* $entry(x) */
		return v->name(v, node);
	suggest_init(&nearest, node->text);
	notation_functions_offer(&nearest);
	notation_fail_node(v->n, node,
			   suggest_get(&nearest) ? notation_print(v->n, "did you mean %s()?",
								  suggest_get(&nearest)) :
						   "argdump --help lists what EXPR may be",
			   "there is no function %s()", node->text);
	return "";
}

bool notation_is_call(const char *name)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (!strcmp(functions[i].name, name))
			return true;
	return false;
}

void notation_functions_offer(struct suggestion *s)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		suggest_offer(s, functions[i].name);
	suggest_offer(s, "kstack");
	suggest_offer(s, "ustack");
}
