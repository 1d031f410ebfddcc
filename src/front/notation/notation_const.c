/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notation_const.c - values that are known before anything is traced: numbers, texts, what is computed from
 * them, and $x.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <arpa/inet.h>

#include "front/notation/notation.h"

enum { FORMAT_MAX = 32, TEXT_MAX = 1000, VALUE_NODES_MAX = 500 };

static bool number_set(struct notation_const *value, int64_t number)
{
	*value = (struct notation_const){ .number = number };
	return true;
}

static bool literal_const(struct notation *n, const struct notation_node *node,
			  struct notation_const *value)
{
	const char *text = node->text;
	char *end;

	if (*text == '"') {
		*value = (struct notation_const){ .text = notation_unquote(n, text) };
		return true;
	}
	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	number_set(value, strtoull(notation_number(n, text), &end, 0));
	if (errno)
		notation_fail_node(n, node, NULL, "this number does not fit 64 bits");
	return !errno && !end[strspn(end, "uUlL")];
}

/* ---- operators ---- */

static bool shift_const(const char *sign, int64_t a, int64_t b, struct notation_const *value)
{
	if (b < 0 || b > 63)
		return false;
	return number_set(value, sign[0] == '<' ? (int64_t)((uint64_t)a << b) : a >> b);
}

static bool arithmetic_const(const char *sign, int64_t a, int64_t b, struct notation_const *value)
{
	uint64_t u = a, w = b;

	if (strchr("/%", sign[0]) && (!b || b == -1))
		return false;
	switch (sign[0]) {
	case '+': return number_set(value, u + w);
	case '-': return number_set(value, u - w);
	case '*': return number_set(value, u * w);
	case '/': return number_set(value, a / b);
	case '%': return number_set(value, a % b);
	case '&': return number_set(value, sign[1] ? a && b : a & b);
	case '|': return number_set(value, sign[1] ? a || b : a | b);
	case '^': return number_set(value, a ^ b);
	case '=': return number_set(value, a == b);
	case '!': return number_set(value, a != b);
	case '<': return number_set(value, sign[1] ? a <= b : a < b);
	case '>': return number_set(value, sign[1] ? a >= b : a > b);
	default: return false;
	}
}

static bool binary_const(struct notation *n, const struct notation_node *node,
			 struct notation_const *value)
{
	struct notation_const a, b;
	const char *sign = node->text;

	if (!notation_const(n, node->kid, &a) || !notation_const(n, node->kid->next, &b))
		return false;
	if (a.text && !b.text && *sign == '+' && b.number >= 0 &&
	    (size_t)b.number <= strlen(a.text)) { /* a pointer into the text */
		*value = (struct notation_const){ .text = a.text + b.number };
		return true;
	}
	if (a.text && b.text && (!strcmp(sign, "==") || !strcmp(sign, "!=")))
		return number_set(value, !strcmp(a.text, b.text) == (*sign == '='));
	if (a.text || b.text)
		return false;
	if (!strcmp(sign, "<<") || !strcmp(sign, ">>"))
		return shift_const(sign, a.number, b.number, value);
	return arithmetic_const(sign, a.number, b.number, value);
}

static bool prefix_const(struct notation *n, const struct notation_node *node,
			 struct notation_const *value)
{
	if (!notation_const(n, node->kid, value) || value->text)
		return false;
	switch (node->text[0]) {
	case '-': return number_set(value, -(uint64_t)value->number);
	case '~': return number_set(value, ~value->number);
	case '!': return number_set(value, !value->number);
	case '+': return true;
	default: return false;
	}
}

static bool cast_const(struct notation *n, const struct notation_node *node,
		       struct notation_const *value)
{
	static const struct {
		const char *type;
		unsigned bits;
		bool is_signed;
	} rows[] = { { "u8", 8 },	  { "u16", 16 },     { "u32", 32 },
		     { "u64", 64 },	  { "s8", 8, true }, { "s16", 16, true },
		     { "s32", 32, true }, { "s64", 64 },     { "int", 32, true } };

	if (!notation_const(n, node->kid, value) || value->text)
		return false;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned spare = 64 - rows[i].bits;
		uint64_t high = (uint64_t)value->number << spare;

		if (!strcmp(rows[i].type, node->text))
			return number_set(value, rows[i].is_signed ? (int64_t)high >> spare :
								     (int64_t)(high >> spare));
	}
	return false;
}

/* ---- tuples ---- */

/* (a, b).1, (a, b)[1] */
const struct notation_node *notation_element(struct notation *n, const struct notation_node *node)
{
	const struct notation_node *list = notation_bare(node->kid);
	struct notation_const index;

	if (node->kind == NOTATION_MEMBER && isdigit((unsigned char)node->text[1]))
		index = (struct notation_const){ .number = atoi(node->text + 1) };
	else if (node->kind != NOTATION_INDEX || !notation_const(n, node->kid->next, &index) ||
		 index.text)
		return NULL;
	if (list && (list->kind == NOTATION_MEMBER || list->kind == NOTATION_INDEX))
		list = notation_bare(notation_element(n, list));
	if (!list || list->kind != NOTATION_PAREN || index.number < 0)
		return NULL;
	list = list->kid;
	while (list && index.number--)
		list = list->next;
	return list;
}

/* ---- functions ---- */

static bool address_const(struct notation *n, const struct notation_node *call,
			  struct notation_const *value)
{
	struct in_addr address;
	char text[INET_ADDRSTRLEN];

	if (!notation_const(n, call->kid->next ?: call->kid, value) || value->text ||
	    notation_is_word(call->kid, "AF_INET6"))
		return false;
	address.s_addr = value->number;
	inet_ntop(AF_INET, &address, text, sizeof(text));
	*value = (struct notation_const){ .text = notation_print(n, "%s", text) };
	return true;
}

/* A number has 64 bits unless a cast says otherwise. */
static bool swap_const(struct notation *n, const struct notation_node *kid,
		       struct notation_const *value)
{
	const struct notation_node *bare = notation_bare(kid);
	unsigned bits = 64;

	if (!notation_const(n, kid, value) || value->text)
		return false;
	if (bare->kind == NOTATION_CAST)
		bits = strstr(bare->text, "16") ? 16 :
		       strstr(bare->text, "8")	? 8 :
		       strstr(bare->text, "64") ? 64 :
						  32;
	return number_set(value, __builtin_bswap64((uint64_t)value->number) >> (64 - bits));
}

static bool call_const(struct notation *n, const struct notation_node *call,
		       struct notation_const *value)
{
	if (!call->kid)
		return false;
	if (!strcmp(call->text, "str") && !call->kid->next) {
		if (!notation_const(n, call->kid, value))
			return false;
		if (!value->text)
			*value = (struct notation_const){
				.text = value->number ?
						notation_print(n, "%" PRId64, value->number) :
						""
			};
		return true;
	}
	if (!strcmp(call->text, "bswap"))
		return swap_const(n, call->kid, value);
	if (!strcmp(call->text, "ntop"))
		return address_const(n, call, value);
	if (!strcmp(call->text, "strerror") && notation_const(n, call->kid, value) &&
	    !value->text) {
		value->text = notation_print(n, "%s", strerror((int)value->number));
		return true;
	}
	return false;
}

/* The value that BEGIN keeps; no probe changes it. */
static bool store_const(struct notation *n, const struct notation_node *node,
			struct notation_const *value)
{
	for (size_t i = n->kept_count; i--;)
		if (notation_same(n->kept[i].store, node)) {
			*value = n->kept[i].value;
			return true;
		}
	return false;
}

bool notation_const(struct notation *n, const struct notation_node *node,
		    struct notation_const *value)
{
	const struct notation_node *element;

	node = notation_bare(node);
	if (!node || n->failed)
		return false;
	switch (node->kind) {
	case NOTATION_LITERAL: return literal_const(n, node, value);
	case NOTATION_BINARY: return binary_const(n, node, value);
	case NOTATION_PREFIX: return prefix_const(n, node, value);
	case NOTATION_CAST: return cast_const(n, node, value);
	case NOTATION_CALL: return call_const(n, node, value);
	case NOTATION_STORE: return store_const(n, node, value);
	case NOTATION_CHOICE:
		return notation_const(n, node->kid, value) && !value->text &&
		       notation_const(n, value->number ? node->kid->next : node->kid->next->next,
				      value);
	case NOTATION_MEMBER:
	case NOTATION_INDEX:
		element = notation_element(n, node);
		return element && notation_const(n, element, value);
	default: return false;
	}
}

/* ---- as text ---- */

/* How many bytes of a conversion are flags, a width and a precision that printf knows; 0: too many. */
static size_t flags_length(const char *percent)
{
	size_t len = 1 + strspn(percent + 1, "-+ #0");
	size_t width = strspn(percent + len, "0123456789");
	size_t precision = 0;

	if (percent[len + width] == '.')
		precision = 1 + strspn(percent + len + width + 1, "0123456789");
	if (len > 6 || width > 3 || precision > 4)
		return 0;
	return len + width + precision;
}

/* %-16s, %d, %llx … of one value. */
static const char *conversion_print(struct notation *n, const char *percent, size_t len,
				    const struct notation_const *value)
{
	char form[FORMAT_MAX], letter = percent[len - 1];
	size_t flags = flags_length(percent);

	if (!flags || flags > len)
		return "";
	if (value->text || letter == 's') {
		snprintf(form, sizeof(form), "%.*ss", (int)flags, percent);
		return notation_print(n, form,
				      value->text ?: notation_print(n, "%" PRId64, value->number));
	}
	if (letter == 'c')
		return notation_print(
			n, "%c",
			value->number > 0 && value->number < 128 ? (int)value->number : '?');
	if (!strchr("diuxXop", letter))
		letter = 'd';
	snprintf(form, sizeof(form), "%s%.*sll%c", letter == 'p' ? "0x" : "", (int)flags, percent,
		 letter == 'p' ? 'x' : letter);
	return notation_print(n, form, (long long)value->number);
}

const char *notation_const_print(struct notation *n, const struct notation_const *value,
				 const char *percent, size_t len)
{
	if (len)
		return conversion_print(n, percent, len, value);
	return value->text ?: notation_print(n, "%" PRId64, value->number);
}

/* ---- $x ---- */

static struct notation_node *var_value(struct notation *n, const char *name)
{
	for (size_t i = n->var_count; i--;)
		if (!strcmp(n->vars[i].name, name))
			return n->vars[i].value;
	return NULL;
}

/* $1: the first argument after the program on the command line; 0 without. */
static const char *param_text(struct notation *n, const char *name)
{
	size_t number = 0;

	for (name++; isdigit((unsigned char)*name) && number < 100; name++)
		number = number * 10 + *name - '0';
	if (!number || number > n->param_count)
		return "0";
	name = n->params[number - 1];
	return isdigit((unsigned char)*name) ? name : notation_print(n, "\"%s\"", name);
}

struct notation_node *notation_var(struct notation *n, const char *name)
{
	struct notation_node *value, *node;

	if (n->params && name[1] == '#')
		return notation_node(n, NOTATION_LITERAL, notation_print(n, "%zu", n->param_count),
				     NULL);
	if (n->params && isdigit((unsigned char)name[1]))
		return notation_node(n, NOTATION_LITERAL, param_text(n, name), NULL);
	value = var_value(n, name);
	node = notation_node(n, value ? NOTATION_PAREN : NOTATION_SCRATCH, name, NULL);
	if (node && value) {
		node->kid = notation_alloc(n, sizeof(*value));
		if (!node->kid)
			return NULL;
		*node->kid = *value;
		node->kid->next = NULL;
	}
	return node;
}
