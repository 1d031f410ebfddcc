// SPDX-License-Identifier: GPL-2.0
/*
 * old_fetch.c - what the FETCHARGs of an old definition fetch, said as expressions.
 *
 *	arg	= ("+" | "-") ["u"] number "(" arg ")"
 *		| "%" register | "@" (number | symbol [("+" | "-") number])
 *		| "\" (number | '"' text '"') | "$" name | "$arg" number | path
 *		| "(" struct ["," member] ")" (path | "(" arg ")")
 *	path	= name { ("->" | ".") name }
 *
 * A number behind a + is an offset in bytes, so the address is made an integer before it is added.
 * What is read of a running program, or of a system call's arguments, is user memory, whatever the
 * definition says: the old notation had no way to say so when most of its texts were written.
 */
#include <stdlib.h>
#include <string.h>

#include "expr/old_parse.h"

enum { DEPTH_MAX = 32 }; /* the kernel takes 16 */

static struct old_fetch argument(struct old *o, int depth);
static struct old_fetch primary(struct old *o, int depth);

static struct old_fetch value_typed(const char *text)
{
	return (struct old_fetch){ .kind = OLD_FETCH_VALUE, .text = text, .typed = true };
}

static struct old_fetch value_integer(const char *text)
{
	return (struct old_fetch){ .kind = OLD_FETCH_VALUE, .text = text, .integer = true };
}

static bool is_user(const struct old *o)
{
	return o->kind == OLD_UPROBE || o->is_syscall;
}

/* ---- arg ---- */

/* { ("->" | ".") name } behind `f` */
static void path(struct old *o, struct old_fetch *f)
{
	while (!o->err) {
		const char *link = old_accept_text(o, "->") ? "->" : old_accept(o, '.') ? "." : NULL;

		if (!link)
			return;
		f->name = old_name(o, "a member's name");
		f->text = old_print(o, "%s%s%s", f->text, link, f->name);
		f->integer = false;
		f->typed = true;
	}
}

/* Of a name: arg12, stack0. UINT64_MAX: these are no digits. */
static uint64_t suffix(const char *digits)
{
	size_t len = strspn(digits, "0123456789");

	return len && len < 6 && !digits[len] ? strtoul(digits, NULL, 10) : UINT64_MAX;
}

static struct old_fetch stack(struct old *o, const char *number)
{
	struct old_fetch f = { OLD_FETCH_MEMORY, "$stack", .integer = true };
	uint64_t n = suffix(number);

	f.user = is_user(o);
	if (!*number)
		f.kind = OLD_FETCH_VALUE;
	else if (n == UINT64_MAX)
		old_fail(o, o->at - strlen(number), o->at, "$stack has a number behind it: $stack2");
	else
		f.offset = n * 8;
	f.is_entry = true;
	return f;
}

static struct old_fetch numbered_argument(struct old *o, const char *number, uint32_t start)
{
	return (struct old_fetch){ OLD_FETCH_VALUE, old_argument(o, suffix(number), start) };
}

/* "$" name: the $ is taken */
static struct old_fetch variable(struct old *o)
{
	uint32_t start = o->at - 1;
	const char *name = old_name(o, "a variable's name");

	if (!strcmp(name, "comm") || !strcmp(name, "COMM"))
		return (struct old_fetch){ OLD_FETCH_TEXT, "$comm" };
	if (o->kind == OLD_EPROBE) {
		struct old_fetch f = value_typed(name);

		f.name = name;
		return f;
	}
	if (!strcmp(name, "retval")) {
		if (!o->is_return)
			old_fail(o, start, o->at, "there is no return value at entry");
		old_hint(o, "r[:EVENT] FUNCTION probes its return");
		return (struct old_fetch){ OLD_FETCH_VALUE, "$ret", .typed = o->kind != OLD_UPROBE };
	}
	if (!strcmp(name, "current"))
		return value_typed("$task");
	if (!strncmp(name, "stack", 5))
		return stack(o, name + 5);
	if (!strcmp(name, "arg") && old_accept(o, '*')) {
		o->has_params = true;
		return (struct old_fetch){ OLD_FETCH_ALL, "$arg*" };
	}
	if (!strncmp(name, "arg", 3))
		return numbered_argument(o, name + 3, start);
	old_fail(o, start, o->at, "there is no variable $%s", name);
	old_hint(o, "$argN $arg* $retval $comm $stack $stackN $current");
	return value_typed("");
}

/* "%" register: the % is taken */
static struct old_fetch reg(struct old *o)
{
	uint32_t start = o->at - 1;
	const char *name = old_name(o, "a register's name");
	unsigned n = old_register_argument(name);
	bool elsewhere = o->is_syscall || (o->rename && o->rename->args[0]);

	if (o->is_syscall && !n)
		old_fail(o, start, o->at, "no argument of a system call is in %%%s", name);
	if (elsewhere && n && !o->is_return)
		return (struct old_fetch){ OLD_FETCH_VALUE, old_argument(o, n, start) };
	return value_integer(old_print(o, "$reg(%s)", name));
}

static void offset(struct old *o, struct old_fetch *f, bool negative)
{
	uint32_t start = o->at;

	f->negative = negative;
	f->offset = old_number(o, "offset");
	if (f->offset > INT64_MAX)
		old_fail(o, start, o->at, "the offset does not fit 64 bits");
}

/* symbol [("+" | "-") number] */
static void symbol(struct old *o, struct old_fetch *f)
{
	uint32_t start = o->at;

	while (o->at < o->end && (old_is_name(o->text[o->at], false) || o->text[o->at] == '.'))
		o->at++;
	if (o->at == start)
		old_fail(o, start, o->end, "a variable's name or an address expected");
	if (o->kind == OLD_UPROBE) {
		old_fail(o, start, o->at, "a program's variables are known by address only");
		old_hint(o, "say @0x...; nm tells addresses of a program that is no PIE");
	}
	f->text = old_print(o, "&@%.*s", (int)(o->at - start), o->text + start);
	if (old_peek(o) == '+' || old_peek(o) == '-')
		offset(o, f, o->text[o->at++] == '-');
}

/* "@" (number | symbol …): the @ is taken */
static struct old_fetch memory(struct old *o)
{
	struct old_fetch f = { OLD_FETCH_MEMORY, "", .user = is_user(o) };
	char c = old_peek(o);

	if (c >= '0' && c <= '9') {
		f.integer = true;
		f.text = old_print(o, "0x%llx", (unsigned long long)old_number(o, "address"));
	} else if (c == '+') {
		old_fail(o, o->at - 1, o->end, "the traced file's own memory lies elsewhere in "
					       "each process: it cannot be read by offset");
	} else {
		symbol(o, &f);
	}
	return f;
}

/* ("+" | "-") ["u"] number "(" arg ")": the sign is taken */
static struct old_fetch dereference(struct old *o, bool negative, int depth)
{
	struct old_fetch f = { OLD_FETCH_MEMORY, "" }, at;
	uint32_t inner;

	f.user = old_accept(o, 'u') || is_user(o);
	offset(o, &f, negative);
	old_expect(o, '(');
	inner = o->at;
	at = argument(o, depth + 1);
	if (at.kind == OLD_FETCH_TEXT || at.kind == OLD_FETCH_ALL)
		old_fail(o, inner, o->at, "this is no address");
	old_expect(o, ')');
	old_hint(o, "+OFFSET(ARG) is what lies OFFSET bytes behind the address ARG");
	f.text = old_value(o, &at, "u64");
	f.integer = at.kind == OLD_FETCH_MEMORY || at.integer;
	return f;
}

/* '"' text '"': the first quote is taken */
static struct old_fetch literal(struct old *o)
{
	const char *text = "\"";

	while (o->at < o->end && o->text[o->at] != '"') {
		char c = o->text[o->at++];

		text = old_print(o, c == '\\' ? "%s\\%c" : "%s%c", text, c);
	}
	old_expect(o, '"');
	return (struct old_fetch){ OLD_FETCH_TEXT, old_print(o, "%s\"", text) };
}

/* "\" (number | '"' text '"'): the backslash is taken */
static struct old_fetch immediate(struct old *o)
{
	bool negative;

	if (old_accept(o, '"'))
		return literal(o);
	negative = old_accept(o, '-');
	if (!negative)
		old_accept(o, '+');
	return value_integer(old_print(o, "%s%llu", negative ? "(s64)-" : "",
				       (unsigned long long)old_number(o, "number")));
}

/* "(" struct ["," member] ")" (name | "(" arg ")") path: the first parenthesis is taken */
static struct old_fetch typecast(struct old *o, int depth)
{
	const char *type = old_name(o, "a struct's name"), *member = NULL;
	struct old_fetch f, at;

	if (old_accept(o, ','))
		member = old_name(o, "a member's name");
	old_expect(o, ')');
	if (old_accept(o, '(')) {
		at = argument(o, depth + 1);
		old_expect(o, ')');
	} else {
		at = primary(o, depth + 1);
	}
	if (at.kind == OLD_FETCH_TEXT || at.kind == OLD_FETCH_ALL)
		old_fail(o, o->at, o->at, "this is no address");
	f = value_typed(old_value(o, &at, "u64"));
	f.text = member ? old_print(o, "container_of(%s, struct %s, %s)", f.text, type, member) :
			  old_print(o, "((struct %s *)%s)", type, f.text);
	return f;
}

static struct old_fetch named(struct old *o)
{
	struct old_fetch f = value_typed("");

	if (!old_name_length(o, o->at)) {
		old_fail(o, o->at, o->end, "this is nothing that can be recorded");
		old_hint(o, "NAME=%%REGISTER, $argN, +OFFSET(ARG), @SYMBOL, a parameter's name ...");
		return f;
	}
	f.text = f.name = old_name(o, "a name");
	o->has_params = true;
	return f;
}

static struct old_fetch primary(struct old *o, int depth)
{
	if (depth > DEPTH_MAX)
		old_fail(o, o->at, o->end, "more than %d levels in each other", DEPTH_MAX);
	else if (old_accept(o, '+'))
		return dereference(o, false, depth);
	else if (old_accept(o, '-'))
		return dereference(o, true, depth);
	else if (old_accept(o, '@'))
		return memory(o);
	else if (old_accept(o, '\\'))
		return immediate(o);
	else if (old_accept(o, '%'))
		return reg(o);
	else if (old_accept(o, '$'))
		return variable(o);
	else if (old_accept(o, '('))
		return typecast(o, depth);
	else if (!o->err)
		return named(o);
	return value_typed("");
}

static struct old_fetch argument(struct old *o, int depth)
{
	struct old_fetch f = primary(o, depth);

	if (f.kind == OLD_FETCH_VALUE)
		path(o, &f);
	return f;
}

struct old_fetch old_argument_read(struct old *o)
{
	return argument(o, 0);
}
