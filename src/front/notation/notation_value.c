/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notation_value.c - values with a format, and what they are called.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "front/notation/notation.h"

/* ---- formats ---- */

/* In a value that is shown when a call returns, memory is read then. */
static const char *read_late(struct notation_view *v, const struct notation_node *node)
{
	const char *text = notation_text(v, node);

	if (!notation_stored(v, node))
		return text;
	if (v->is_return)
		return notation_print(v->n, "@ret(%s)", text);
	notation_fail_node(v->n, node, "keep the text itself: @x[KEY] = str(POINTER)",
			   "a pointer that was kept is followed at the begin, not here");
	return "";
}

/* The first `bytes` of a string. */
static const char *string_part(struct notation_view *v, const struct notation_node *length,
			       const char *text, int64_t bytes)
{
	if (bytes < 1 || bytes > 4000)
		notation_fail_node(v->n, length, "str(x, 64); -s BYTES is the most of all",
				   "a length is 1 to 4000 bytes");
	return notation_print(v->n, "%s:%d", text, (int)bytes);
}

static const char *string_value(struct notation_view *v, const struct notation_node *call)
{
	const struct notation_node *length = call->kid->next;
	bool is_user = !strcmp(call->text, "ustr") ||
		       (strcmp(call->text, "kstr") && notation_is_user(v, call->kid));
	const char *text = read_late(v, call->kid), *form = is_user ? "ustr" : "str";
	struct notation_const known;

	if (notation_bare(call->kid)->kind == NOTATION_LITERAL)
		return text;
	if (!length)
		return notation_print(v->n, "%s:%s", text, form);
	if (notation_const(v->n, length, &known) && !known.text)
		return string_part(v, length, notation_print(v->n, "%s:%s", text, form),
				   known.number);
	return notation_print(v->n, "%s:%s[%s]", text, form, notation_text(v, length));
}

/* AF_INET or AF_INET6; 0: neither, or not known before the event. */
static int family_of(struct notation_view *v, const struct notation_node *family)
{
	struct notation_const known;

	if (notation_is_word(family, "AF_INET"))
		return AF_INET;
	if (notation_is_word(family, "AF_INET6"))
		return AF_INET6;
	if (!notation_const(v->n, family, &known) || known.text)
		return 0;
	return known.number == AF_INET || known.number == AF_INET6 ? (int)known.number : 0;
}

/* The size of a single address says which kind it is: those of 16 bytes have these names. */
static bool is_long_address(const struct notation_node *address)
{
	return strstr(notation_name(address), "addr8") ||
	       strstr(notation_name(address), "addr16") ||
	       strstr(notation_name(address), "addr32") || strstr(notation_name(address), "v6") ||
	       !strcmp(notation_name(address), "in6_u");
}

static const char *address_value(struct notation_view *v, const struct notation_node *call)
{
	const struct notation_node *family = call->kid->next ? call->kid : NULL;
	const struct notation_node *address = family ? family->next : call->kid;
	const char *text = notation_text(v, address);
	int kind = family ? family_of(v, family) : is_long_address(address) ? AF_INET6 : AF_INET;

	if (!kind)
		notation_fail_node(v->n, family,
				   "if (FAMILY == AF_INET) { … ntop(AF_INET, x) … }; EXPR:sock "
				   "shows both ends of a socket",
				   "the family has to be AF_INET or AF_INET6");
	return notation_print(v->n, "%s:%s", text, kind == AF_INET6 ? "ip6" : "ip4");
}

static const char *bytes_value(struct notation_view *v, const struct notation_node *call)
{
	const struct notation_node *length = call->kid->next;

	return notation_print(v->n, "%s:hex[%s]", read_late(v, call->kid),
			      length ? notation_text(v, length) : "16");
}

static bool is_stack(const char *name)
{
	return !strcmp(name, "kstack") || !strcmp(name, "ustack");
}

/* True for a mode of stacks: perf, bpftrace. */
static bool is_stack_mode(const struct notation_node *node)
{
	return notation_is_word(node, "perf") || notation_is_word(node, "bpftrace");
}

/* kstack(perf, 5): the frames are said once for all stacks of a run. */
static const char *stack_value(struct notation_view *v, const struct notation_node *call)
{
	const char *depth = "127"; /* there and here, unless it is said */
	struct notation_node word = { .kind = NOTATION_WORD, .text = call->text };
	struct notation_const known;

	word.start = call->start;
	word.end = call->end;
	notation_word_text(v, &word); /* a probe may have none */
	for (const struct notation_node *kid = call->kid; kid; kid = kid->next) {
		if (is_stack_mode(kid))
			continue;
		if (kid->next || !notation_const(v->n, kid, &known) || known.text ||
		    known.number < 1 || known.number > 127)
			notation_fail_node(v->n, kid, "kstack(5), ustack(perf, 5)",
					   "this is no number of frames from 1 to 127");
		else
			depth = notation_const_print(v->n, &known, NULL, 0);
	}
	if (v->n->stack_depth && strcmp(v->n->stack_depth, depth) && !v->n->failed)
		notation_fail_node(v->n, call, "the same number in all of them, or two runs",
				   "all stacks of a run have one depth, and another has %s frames",
				   v->n->stack_depth);
	v->n->stack_depth = depth;
	return call->text[0] == 'k' ? "$kstack" : "$ustack";
}

/* strftime("%H:%M", nsecs): the form is how it is printed. */
static const char *time_value(struct notation_view *v, const struct notation_node *call)
{
	if (call->kid->kind != NOTATION_LITERAL || call->kid->text[0] != '"' || !call->kid->next)
		notation_fail_node(v->n, call, NULL, "strftime(\"%%H:%%M:%%S\", nsecs) expected");
	return v->n->failed ? "" : notation_text(v, call->kid->next);
}

const char *notation_time_form(struct notation_view *v, const struct notation_node *node)
{
	const char *form;

	node = notation_bare(node);
	if (node->kind != NOTATION_CALL || strcmp(node->text, "strftime") || v->n->failed)
		return NULL;
	form = notation_unquote(v->n, node->kid->text);
	if (strpbrk(form, "{}") || strlen(form) > 40)
		notation_fail_node(v->n, node->kid, NULL,
				   "this form of a time is too long, or has a brace");
	return form;
}

static const struct {
	const char *name;
	const char *form; /* appended to the first argument; or … */
	const char *(*value)(struct notation_view *v, const struct notation_node *call);
} formats[] = {
	{ "str", NULL, string_value },	  { "kstr", NULL, string_value },
	{ "ustr", NULL, string_value },	  { "ksym", "sym", NULL },
	{ "usym", "usym", NULL },	  { "path", "path", NULL },
	{ "macaddr", "mac", NULL },	  { "bswap", "be", NULL },
	{ "ntop", NULL, address_value },  { "buf", NULL, bytes_value },
	{ "strftime", NULL, time_value },
};

/* A small number that nothing shows in another way. */
static bool is_plain(const char *text)
{
	static const char *const words[] = { "$pid", "$tid", "$ppid", "$uid", "$gid", "$cpu" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i], text))
			return true;
	return false;
}

/* The width of a user program's arguments is unknown. */
static const char *number_value(struct notation_view *v, const char *text, char conversion)
{
	if (conversion == 'x' || conversion == 'X')
		return notation_print(v->n, "%s:x", text);
	if (conversion == 'p')
		return notation_print(v->n, "%s:p", text);
	if (conversion == 's' && (!strncmp(text, "$arg", 4) || !strcmp(text, "$ret")))
		return notation_print(v->n, "%s:%s", text, v->is_user ? "ustr" : "str");
	if (conversion == 'K' || conversion == 'U') /* of bcc */
		return notation_print(v->n, "%s:%s", text, conversion == 'K' ? "sym" : "usym");
	if (conversion == 'o')
		return notation_print(v->n, "%s:o", text);
	if ((conversion == 'd' || conversion == 'i') && v->has_ints && text[0] == '$' &&
	    (!strncmp(text, "$arg", 4) || !strcmp(text, "$ret")))
		return notation_print(v->n, "(int)%s", text);
	if (v->is_c && conversion && strchr("diDuc", conversion) && !is_plain(text))
		return notation_print(v->n, "%s:%s", text, conversion == 'u' ? "u64" : "s64");
	return text;
}

/* Arguments and results have 64 bits there, whatever they are. */
static const char *swap_value(struct notation_view *v, const struct notation_node *node)
{
	const struct notation_node *bare = notation_bare(node);
	const char *text = notation_text(v, bare);
	bool is_wide = bare->kind == NOTATION_WORD &&
		       (!strncmp(bare->text, "arg", 3) || !strcmp(bare->text, "retval"));

	if (bare->kind == NOTATION_BINARY)
		notation_fail_node(v->n, node, "bswap((uint16)x), bswap(p->member)",
				   "how wide this is, is not known here");
	return notation_print(v->n, is_wide ? "(u64)%s:be" : "%s:be", text);
}

const char *notation_value(struct notation_view *v, const struct notation_node *node,
			   char conversion)
{
	const struct notation_node *bare = notation_bare(node);
	const struct notation_node *kept = notation_stored(v, bare);

	if (notation_is_word(bare, "username"))
		return "$uid:user";
	if (kept && v->begin && notation_bare(kept)->kind == NOTATION_CALL)
		return notation_value((struct notation_view *)v->begin, kept, conversion);
	if (notation_is_word(bare, "kstack") || notation_is_word(bare, "ustack") ||
	    (bare->kind == NOTATION_CALL && is_stack(bare->text)))
		return stack_value(v, bare);
	if (bare->kind != NOTATION_CALL || !bare->kid)
		return number_value(v, notation_text(v, bare), conversion);
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		if (strcmp(formats[i].name, bare->text))
			continue;
		if (formats[i].value)
			return formats[i].value(v, bare);
		if (!strcmp(bare->text, "bswap"))
			return swap_value(v, bare->kid);
		return notation_print(v->n, "%s:%s", notation_text(v, bare->kid), formats[i].form);
	}
	return notation_text(v, bare);
}

/* ---- names ---- */

/* Nearly the name that argdump chooses: the last member, or the name. */
const char *notation_name(const struct notation_node *node)
{
	if (node->kind == NOTATION_PAREN && node->text[0] == '$')
		return node->text + 1;
	node = notation_bare(node);
	switch (node->kind) {
	case NOTATION_MEMBER: return node->text + (node->text[0] == '-' ? 2 : 1);
	case NOTATION_WORD: return node->text;
	case NOTATION_STORE: return node->text[1] ? node->text + 1 : "value";
	case NOTATION_SCRATCH: return node->text + 1;
	case NOTATION_CALL:
		if (!node->kid || is_stack(node->text))
			return node->text + (node->text[0] == '$');
		return notation_name(node->kid->next && (!strcmp(node->text, "ntop") ||
							 !strcmp(node->text, "strftime")) ?
					     node->kid->next :
					     node->kid);
	case NOTATION_CAST:
	case NOTATION_PREFIX:
	case NOTATION_INDEX: return notation_name(node->kid);
	default: return "value";
	}
}

bool notation_is_reserved(const char *name)
{
	return !*name || !strcmp(name, "count") || !strcmp(name, "total");
}
