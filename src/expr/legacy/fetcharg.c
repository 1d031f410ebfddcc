/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fetcharg.c - translates what the FETCHARGs of an old definition fetch into expressions.
 *
 *	arg	= ("+" | "-") ["u"] number "(" arg ")"
 *		| "%" register | "@" (number | symbol [("+" | "-") number])
 *		| "\" (number | '"' text '"') | "$" name | "$arg" number | path
 *		| ("this_cpu_read" | "this_cpu_ptr") "(" arg ")"
 *		| "(" struct ["," member] ")" (path | "(" arg ")")
 *	path	= name { ("->" | ".") name }
 *
 * A number after a + is an offset in bytes, so the address is converted to an integer before it
 * is added. Memory of a running program, or of a system call's arguments, is user memory,
 * whatever the definition says: when most of these definitions were written, the notation could
 * not express it.
 */
#include <stdlib.h>
#include <string.h>

#include "expr/legacy/legacy_parse.h"

enum { DEPTH_MAX = 14 }; /* the limit of the most generous kernel */

static struct legacy_fetch argument(struct old *o, int depth);
static struct legacy_fetch primary(struct old *o, int depth);

static struct legacy_fetch value_typed(const char *text)
{
	return (struct legacy_fetch){ .kind = LEGACY_FETCH_VALUE, .text = text, .typed = true };
}

static struct legacy_fetch value_integer(const char *text)
{
	return (struct legacy_fetch){ .kind = LEGACY_FETCH_VALUE, .text = text, .integer = true };
}

static bool is_user(const struct old *o)
{
	return o->kind == LEGACY_UPROBE || o->is_syscall;
}

/* ---- arg ---- */

/* { ("->" | ".") name } after `f` */
static void path(struct old *o, struct legacy_fetch *f)
{
	if (legacy_peek(o) == '.')
		legacy_fail(o, o->at, o->at + 1, "%s is a pointer: -> leads to its members",
			    f->name ?: "this");
	while (!o->err) {
		const char *link = legacy_accept_text(o, "->") ? "->" :
				   legacy_accept(o, '.')       ? "." :
								 NULL;

		if (!link)
			return;
		f->name = legacy_name(o, "a member's name");
		f->text = legacy_print(o, "%s%s%s", f->text, link,
				       legacy_mark(o, f->name, o->at - strlen(f->name), o->at));
		f->integer = false;
		f->typed = true;
		f->is_member = true;
	}
}

/* The number in a name: arg12, stack0. UINT64_MAX: not a number. */
static uint64_t suffix(const char *digits)
{
	size_t len = strspn(digits, "0123456789");

	return len && len < 8 && !digits[len] ? strtoul(digits, NULL, 10) : UINT64_MAX;
}

enum { STACK_WORDS_MAX = 2048 }; /* of the kernel's stack: 16 KiB */

static struct legacy_fetch stack(struct old *o, const char *number)
{
	struct legacy_fetch f = { LEGACY_FETCH_MEMORY, "$stack", .integer = true };
	uint64_t n = suffix(number);

	f.user = is_user(o);
	if (!*number)
		f.kind = LEGACY_FETCH_VALUE;
	else if (n == UINT64_MAX)
		legacy_fail(o, o->at - strlen(number), o->at,
			    "only a number can follow $stack: $stack2");
	else if (n > STACK_WORDS_MAX)
		legacy_fail(o, o->at - strlen("$stack") - strlen(number), o->at,
			    "the stack has no more than %d words", STACK_WORDS_MAX);
	else
		f.offset = n * 8;
	f.is_entry = true;
	return f;
}

static struct legacy_fetch numbered_argument(struct old *o, const char *number, uint32_t start)
{
	return (struct legacy_fetch){ LEGACY_FETCH_VALUE,
				      legacy_argument(o, suffix(number), start) };
}

/* "$" name, after the $ */
static struct legacy_fetch variable(struct old *o)
{
	uint32_t start = o->at - 1;
	const char *name = legacy_name(o, "a variable's name");

	if (!strcmp(name, "comm") || !strcmp(name, "COMM"))
		return (struct legacy_fetch){ LEGACY_FETCH_TEXT, "$comm" };
	if (o->kind == LEGACY_EPROBE) {
		struct legacy_fetch f = value_typed(name);

		f.name = name;
		return f;
	}
	if (!strcmp(name, "retval")) {
		if (!o->is_return)
			legacy_fail(o, start, o->at, "the return value is not known at entry");
		legacy_hint(o, "r[:EVENT] FUNCTION traces its return");
		return (struct legacy_fetch){ LEGACY_FETCH_VALUE, "$ret",
					      .typed = o->kind != LEGACY_UPROBE };
	}
	if (o->kind == LEGACY_UPROBE && (!strcmp(name, "current") || !strncmp(name, "arg", 3))) {
		legacy_fail(o, start, o->at, "a probe of a program has registers, but no $%s",
			    name);
		legacy_hint(o, name[0] == 'a' ? "%%di, %%si, %%dx … at the entry of a function; or "
						"u:PATH:SYMBOL '$arg1'" :
						"$comm; or u:PATH:SYMBOL '$task->pid'");
	}
	if (!strcmp(name, "current"))
		return value_typed("$task");
	if (!strncmp(name, "stack", 5))
		return stack(o, name + 5);
	if (!strcmp(name, "arg") && legacy_accept(o, '*')) {
		if (o->has_all)
			legacy_fail(o, start, o->at, "$arg* is given twice");
		o->has_params = o->has_all = true;
		return (struct legacy_fetch){ LEGACY_FETCH_ALL, "$arg*" };
	}
	if (!strncmp(name, "arg", 3))
		return numbered_argument(o, name + 3, start);
	legacy_fail(o, start, o->at, "unknown variable $%s", name);
	legacy_hint(o, "$argN $arg* $retval $comm $stack $stackN $current");
	return value_typed("");
}

/* "%" register, after the % */
static struct legacy_fetch reg(struct old *o)
{
	uint32_t start = o->at - 1;
	const char *name = legacy_name(o, "a register's name");
	unsigned n = arch_argument(name);
	struct legacy_fetch f;
	bool elsewhere = o->is_syscall || (o->rename && o->rename->args[0]);

	if (o->kind == LEGACY_FPROBE || o->kind == LEGACY_TPROBE || o->kind == LEGACY_EPROBE) {
		legacy_fail(o, start, o->at, "only p and r probes have registers");
		legacy_hint(o, o->kind == LEGACY_FPROBE ? "$arg1 …, or p instead of f" :
							  "its arguments, or fields, have names");
	}
	if (o->is_syscall && !n)
		legacy_fail(o, start, o->at, "no argument of a system call is in %%%s", name);
	if (elsewhere && n && !o->is_return)
		return (struct legacy_fetch){ LEGACY_FETCH_VALUE, legacy_argument(o, n, start),
					      .is_register = true };
	f = value_integer(legacy_print(o, "$reg(%s)", name));
	f.is_register = true;
	return f;
}

static void offset(struct old *o, struct legacy_fetch *f, bool negative)
{
	uint32_t start = o->at;

	f->negative = negative;
	f->offset = legacy_number(o, "offset");
	if (f->offset > INT64_MAX)
		legacy_fail(o, start, o->at, "the offset does not fit 64 bits");
}

/* symbol [("+" | "-") number] */
static void symbol(struct old *o, struct legacy_fetch *f)
{
	uint32_t start = o->at;

	while (o->at < o->end && (legacy_is_name(o->text[o->at], false) || o->text[o->at] == '.'))
		o->at++;
	if (o->at == start)
		legacy_fail(o, start, o->end, "expected a variable's name or an address");
	if (o->kind == LEGACY_UPROBE) {
		legacy_fail(o, start, o->at, "a program's variables are known by address only");
		legacy_hint(
			o,
			"give its address: @0x...; nm prints the addresses of a program that is not a PIE");
	}
	f->text = legacy_print(o, "&@%.*s", (int)(o->at - start), o->text + start);
	f->text = legacy_mark(o, f->text, start, o->at);
	f->symbol = true;
	if (legacy_peek(o) == '+' || legacy_peek(o) == '-')
		offset(o, f, o->text[o->at++] == '-');
}

/* "@" (number | symbol …), after the @ */
static struct legacy_fetch memory(struct old *o)
{
	struct legacy_fetch f = { LEGACY_FETCH_MEMORY, "", .user = is_user(o) };
	char c = legacy_peek(o);

	if (c >= '0' && c <= '9') {
		f.integer = true;
		f.text = legacy_print(o, "0x%llx", (unsigned long long)legacy_number(o, "address"));
	} else if (c == '+') {
		legacy_fail(o, o->at - 1, o->end,
			    "the traced file's own memory lies elsewhere in "
			    "each process: it cannot be read by offset");
	} else {
		symbol(o, &f);
	}
	return f;
}

/* ("+" | "-") ["u"] number "(" arg ")", after the sign */
static struct legacy_fetch dereference(struct old *o, bool negative, int depth)
{
	struct legacy_fetch f = { LEGACY_FETCH_MEMORY, "" }, at;
	uint32_t inner, inner_end;

	f.user = legacy_accept(o, 'u') || is_user(o);
	offset(o, &f, negative);
	legacy_expect(o, '(');
	inner = o->at;
	at = argument(o, depth + 1);
	inner_end = o->at;
	if (at.kind == LEGACY_FETCH_TEXT || at.kind == LEGACY_FETCH_ALL)
		legacy_fail(o, inner, o->at, "this is not an address");
	legacy_expect(o, ')');
	legacy_hint(o, "+OFFSET(ARG) reads memory OFFSET bytes after the address ARG");
	f.text = legacy_mark(o, legacy_value(o, &at, "u64"), inner, inner_end);
	f.integer = at.kind == LEGACY_FETCH_MEMORY || at.integer;
	return f;
}

/* '"' text '"', after the first quote */
static struct legacy_fetch literal(struct old *o)
{
	const char *text = "\"";

	while (o->at < o->end && o->text[o->at] != '"') {
		char c = o->text[o->at++];

		text = legacy_print(o, c == '\\' ? "%s\\%c" : "%s%c", text, c);
	}
	legacy_expect(o, '"');
	return (struct legacy_fetch){ LEGACY_FETCH_TEXT, legacy_print(o, "%s\"", text) };
}

/* "\" (number | '"' text '"'), after the backslash */
static struct legacy_fetch immediate(struct old *o)
{
	uint32_t start = o->at;
	uint64_t number;
	bool negative;

	if (legacy_accept(o, '"'))
		return literal(o);
	negative = legacy_accept(o, '-');
	if (!negative)
		legacy_accept(o, '+');
	number = legacy_number(o, "number");
	if (negative && number > (uint64_t)INT64_MAX + 1)
		legacy_fail(o, start - 1, o->at, "this number does not fit 64 bits");
	return value_integer(
		legacy_print(o, "%s%llu", negative ? "(s64)-" : "", (unsigned long long)number));
}

/* "(" struct ["," member] ")" (name | "(" arg ")") path, after the first parenthesis */
static struct legacy_fetch typecast(struct old *o, int depth)
{
	uint32_t from = o->at;
	const char *type = legacy_name(o, "a struct's name"), *member = NULL;
	struct legacy_fetch f, at;

	if (legacy_accept(o, ',')) {
		member = legacy_name(o, "a member's name");
		member = legacy_mark(o, member, o->at - strlen(member), o->at);
	}
	legacy_expect(o, ')');
	if (legacy_accept(o, '(')) {
		at = argument(o, depth + 1);
		legacy_expect(o, ')');
	} else {
		at = primary(o, depth + 1);
	}
	if (at.kind == LEGACY_FETCH_TEXT || at.kind == LEGACY_FETCH_ALL)
		legacy_fail(o, o->at, o->at, "this is not an address");
	type = legacy_mark(o, type, from, from + strlen(type));
	f = value_typed(legacy_value(o, &at, "u64"));
	f.is_cast = true;
	f.text = member ? legacy_print(o, "container_of(%s, struct %s, %s)", f.text, type, member) :
			  legacy_print(o, "((struct %s *)%s)", type, f.text);
	return f;
}

/* "this_cpu_read" or "this_cpu_ptr" "(" arg ")", after the parenthesis. The arg of a variable is
 * its address. */
static struct legacy_fetch percpu(struct old *o, bool is_read, uint32_t start, int depth)
{
	struct legacy_fetch f = { is_read ? LEGACY_FETCH_MEMORY : LEGACY_FETCH_VALUE, "" }, at;
	uint32_t inner = o->at;

	at = argument(o, depth + 1);
	if (at.kind == LEGACY_FETCH_TEXT || at.kind == LEGACY_FETCH_ALL)
		legacy_fail(o, inner, o->at, "this is not an address");
	legacy_expect(o, ')');
	if (o->kind == LEGACY_UPROBE)
		legacy_fail(o, start, o->at, "only the kernel has memory of each CPU");
	f.text = legacy_print(o, "percpu(%s)", at.symbol ? at.text : legacy_value(o, &at, "u64"));
	if (!at.symbol)
		return f;
	f.offset = at.offset;
	f.negative = at.negative;
	if (!is_read && f.offset)
		f.text = legacy_print(o, "((u64)%s %c %llu)", f.text, f.negative ? '-' : '+',
				      (unsigned long long)f.offset);
	return f;
}

static struct legacy_fetch named(struct old *o, int depth)
{
	uint32_t start = o->at;
	struct legacy_fetch f = value_typed("");
	bool is_read;

	if (!legacy_name_length(o, o->at)) {
		legacy_fail(o, o->at, o->end, "expected an argument to record");
		legacy_hint(
			o, "NAME=%%REGISTER, $argN, +OFFSET(ARG), @SYMBOL, a parameter's name ...");
		return f;
	}
	is_read = legacy_accept_text(o, "this_cpu_read(");
	if (is_read || legacy_accept_text(o, "this_cpu_ptr("))
		return percpu(o, is_read, start, depth);
	f.text = f.name = legacy_name(o, "a name");
	o->has_params = true;
	return f;
}

static struct legacy_fetch primary_read(struct old *o, int depth)
{
	if (depth > DEPTH_MAX)
		legacy_fail(o, o->at, o->end, "nested too deep: at most %d levels", DEPTH_MAX);
	else if (legacy_accept(o, '+'))
		return dereference(o, false, depth);
	else if (legacy_accept(o, '-'))
		return dereference(o, true, depth);
	else if (legacy_accept(o, '@'))
		return memory(o);
	else if (legacy_accept(o, '\\'))
		return immediate(o);
	else if (legacy_accept(o, '%'))
		return reg(o);
	else if (legacy_accept(o, '$'))
		return variable(o);
	else if (legacy_accept(o, '('))
		return typecast(o, depth);
	else if (!o->err)
		return named(o, depth);
	return value_typed("");
}

static struct legacy_fetch primary(struct old *o, int depth)
{
	uint32_t start = o->at;
	struct legacy_fetch f = primary_read(o, depth);

	if (f.kind == LEGACY_FETCH_VALUE || f.kind == LEGACY_FETCH_TEXT)
		f.text = legacy_mark(o, f.text, start, o->at);
	return f;
}

static struct legacy_fetch argument(struct old *o, int depth)
{
	uint32_t start = o->at;
	struct legacy_fetch f = primary(o, depth);

	if (f.kind != LEGACY_FETCH_VALUE)
		return f;
	path(o, &f);
	if (f.is_cast && !f.is_member) {
		legacy_fail(o, start, o->at, "a member has to follow a struct's name");
		legacy_hint(o, "(file)ARG->f_mode; ARG by itself is a number");
	}
	f.text = legacy_mark(o, f.text, start, o->at);
	return f;
}

struct legacy_fetch legacy_argument_read(struct old *o)
{
	return argument(o, 0);
}
