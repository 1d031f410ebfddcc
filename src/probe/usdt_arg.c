/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usdt_arg.c - where an argument of a USDT probe is, in the assembler's notation (usdt_arg.h).
 *
 *	N@OPERAND		N bytes, a negative N: signed; without it a word
 *	x86-64	$5  %rdi  %al  8(%rax)  -20(%rbp)  8(%rax,%rdx,4)
 *	arm64	5  x0  w0  sp  [x0]  [sp, 16]  [x0, x1]  [x0, x1, lsl 3]
 *
 * The text is a file's, so anything else is possible: then that argument has no value. Numbers in
 * floating point, and variables by name, have none either.
 */
#include "probe/usdt_arg.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_LEN = 8 };

struct reader {
	const char *at;
	const struct arch *arch;
};

static bool accept(struct reader *r, char c)
{
	r->at += strspn(r->at, " ");
	if (*r->at != c)
		return false;
	r->at++;
	return true;
}

static bool number_parse(struct reader *r, long long *number)
{
	const char *digits;
	char *end;

	r->at += strspn(r->at, " ");
	digits = r->at + (*r->at == '-' || *r->at == '+');
	if (!isdigit((unsigned char)*digits))
		return false;
	errno = 0;
	*number = strtoll(r->at, &end, 0);
	if (errno == ERANGE) { /* numbers from 2^63 on are written unsigned */
		errno = 0;
		*number = strtoull(r->at, &end, 0);
	}
	r->at = end;
	return !errno;
}

static bool name_parse(struct reader *r, char name[NAME_MAX_LEN])
{
	size_t len = 0;

	r->at += strspn(r->at, " ");
	while (isalnum((unsigned char)r->at[len]))
		len++;
	if (!len || len >= NAME_MAX_LEN)
		return false;
	memcpy(name, r->at, len);
	name[len] = 0;
	r->at += len;
	return true;
}

/* ---- x86-64 ---- */

/* Converts rax, eax, ax, al to ax; r8d, r8w, r8b to r8; sil to si. */
static bool x86_register(const struct arch *arch, char *name)
{
	size_t len = strlen(name);

	if ((*name == 'r' || *name == 'e') && !isdigit((unsigned char)name[1]))
		memmove(name, name + 1, len--);
	else if (*name == 'r' && strchr("dwb", name[len - 1]))
		name[--len] = 0;
	if (len == 2 && name[1] == 'l' && strchr("abcd", *name))
		name[1] = 'x';
	else if (len == 3 && name[2] == 'l')
		name[2] = 0;
	return arch_register(arch, name) >= 0;
}

/* %ah is the second byte of %rax. */
static bool x86_parse(struct reader *r, char name[NAME_MAX_LEN], bool *high)
{
	if (!accept(r, '%') || !name_parse(r, name))
		return false;
	*high = strlen(name) == 2 && name[1] == 'h' && strchr("abcd", *name);
	if (*high)
		name[1] = 'x';
	return x86_register(r->arch, name);
}

/* Parses the text between the parentheses: (%rbp), (%rax,%rdx,4), (,%rdx,8). */
static bool x86_memory(struct reader *r, long long by, struct usdt_arg *arg)
{
	char base[NAME_MAX_LEN] = "", index[NAME_MAX_LEN] = "";
	long long scale = 1;
	bool high = false;
	int len;

	if (*r->at == '%' && (!x86_parse(r, base, &high) || high))
		return false;
	if (accept(r, ',') && (!x86_parse(r, index, &high) || high))
		return false;
	if (*index && accept(r, ',') && (!number_parse(r, &scale) || scale < 1 || scale > 8))
		return false;
	if (!accept(r, ')') || !strcmp(base, "ip") || (!*base && !*index))
		return false;
	len = snprintf(arg->text, sizeof(arg->text), "*(%s __user *)(%lld",
		       usdt_type(arg->size, arg->is_signed), by);
	if (*base)
		len += snprintf(arg->text + len, sizeof(arg->text) - len, " + $reg(%s)", base);
	if (*index)
		len += snprintf(arg->text + len, sizeof(arg->text) - len, " + $reg(%s) * %lld",
				index, scale);
	snprintf(arg->text + len, sizeof(arg->text) - len, ")");
	return true;
}

static bool x86_operand(struct reader *r, struct usdt_arg *arg)
{
	char name[NAME_MAX_LEN];
	long long number = 0;
	bool high;

	if (accept(r, '$')) {
		if (!number_parse(r, &number))
			return false;
		snprintf(arg->text, sizeof(arg->text), "(long)%#llxUL", (unsigned long long)number);
		return true;
	}
	if (*r->at == '%') {
		if (!x86_parse(r, name, &high))
			return false;
		snprintf(arg->text, sizeof(arg->text), high ? "$reg(%s) >> 8" : "$reg(%s)", name);
		return true;
	}
	if (*r->at != '(' && !number_parse(r, &number))
		return false;
	return accept(r, '(') && x86_memory(r, number, arg);
}

/* ---- arm64 ---- */

static bool arm64_parse(struct reader *r, char name[NAME_MAX_LEN])
{
	if (!name_parse(r, name))
		return false;
	if (*name == 'w' && isdigit((unsigned char)name[1]))
		*name = 'x';
	return arch_register(r->arch, name) >= 0;
}

/* Parses the text after the [: x0], sp, 16], x0, x1], x0, x1, lsl 3]. */
static bool arm64_memory(struct reader *r, struct usdt_arg *arg)
{
	char base[NAME_MAX_LEN], index[NAME_MAX_LEN] = "";
	long long by = 0, shift = 0;
	int len;

	if (!arm64_parse(r, base))
		return false;
	if (accept(r, ',')) {
		accept(r, '#');
		if (!number_parse(r, &by) && !arm64_parse(r, index))
			return false;
	}
	if (*index && accept(r, ',')) {
		char word[NAME_MAX_LEN];

		if (!name_parse(r, word) || strcmp(word, "lsl"))
			return false;
		accept(r, ' ');
		accept(r, '#');
		if (!number_parse(r, &shift) || shift < 0 || shift > 4)
			return false;
	}
	if (!accept(r, ']'))
		return false;
	len = snprintf(arg->text, sizeof(arg->text), "*(%s __user *)(%lld + $reg(%s)",
		       usdt_type(arg->size, arg->is_signed), by, base);
	if (*index)
		len += snprintf(arg->text + len, sizeof(arg->text) - len, " + ($reg(%s) << %lld)",
				index, shift);
	snprintf(arg->text + len, sizeof(arg->text) - len, ")");
	return true;
}

static bool arm64_operand(struct reader *r, struct usdt_arg *arg)
{
	char name[NAME_MAX_LEN];
	long long number;

	accept(r, '#');
	if (number_parse(r, &number)) {
		snprintf(arg->text, sizeof(arg->text), "(long)%#llxUL", (unsigned long long)number);
		return true;
	}
	if (accept(r, '['))
		return arm64_memory(r, arg);
	if (!arm64_parse(r, name))
		return false;
	snprintf(arg->text, sizeof(arg->text), "$reg(%s)", name);
	return true;
}

/* ---- registers, and memory as NUMBER(REGISTER) ---- */

/* Writes a register, or the memory at `by` from it, whose closing parenthesis is read here. */
static bool register_write(struct reader *r, struct usdt_arg *arg, const char *name, bool in_memory,
			   long long by)
{
	if (arch_register(r->arch, name) < 0 || (in_memory && !accept(r, ')')))
		return false;
	if (in_memory)
		snprintf(arg->text, sizeof(arg->text), "*(%s __user *)(%lld + $reg(%s))",
			 usdt_type(arg->size, arg->is_signed), by, name);
	else
		snprintf(arg->text, sizeof(arg->text), "$reg(%s)", name);
	return true;
}

/* ---- riscv64: a0, -88(s0), 5 ---- */

static bool riscv64_operand(struct reader *r, struct usdt_arg *arg)
{
	char name[NAME_MAX_LEN];
	long long number = 0;
	bool has_number = number_parse(r, &number), in_memory = accept(r, '(');

	if (has_number && !in_memory) {
		snprintf(arg->text, sizeof(arg->text), "(long)%#llxUL", (unsigned long long)number);
		return true;
	}
	return name_parse(r, name) && register_write(r, arg, name, in_memory, number);
}

/* ---- ppc64le: %r3, 96(%r31), 96(31) ---- */

/* A number alone is refused: it is a constant or a register, and nothing tells which. */
static bool ppc64le_operand(struct reader *r, struct usdt_arg *arg)
{
	char name[NAME_MAX_LEN] = "r";
	long long by = 0, number;
	bool in_memory = number_parse(r, &by);

	if (in_memory && !accept(r, '('))
		return false;
	if (number_parse(r, &number) && number >= 0 && number < 32)
		snprintf(name, sizeof(name), "r%u", (unsigned)number % 32);
	else if (accept(r, '%'), !name_parse(r, name))
		return false;
	return register_write(r, arg, name, in_memory, by);
}

/* ---- the list ---- */

static bool (*const operands[ARCH_COUNT])(struct reader *r, struct usdt_arg *arg) = {
	[ARCH_X86_64] = x86_operand,
	[ARCH_ARM64] = arm64_operand,
	[ARCH_RISCV64] = riscv64_operand,
	[ARCH_PPC64LE] = ppc64le_operand,
};

const char *usdt_type(unsigned size, bool is_signed)
{
	static const char *const types[][2] = { { "unsigned char", "signed char" },
						{ "unsigned short", "short" },
						{ "unsigned int", "int" },
						{ "unsigned long", "long" } };

	return types[size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3][is_signed];
}

/* Returns the length of an argument: it ends at a blank outside brackets, because "[sp, 16]" contains one. */
static size_t arg_length(const char *text)
{
	int depth = 0;
	size_t len = 0;

	for (; text[len] && (depth > 0 || text[len] != ' '); len++)
		depth += (text[len] == '[' || text[len] == '(') -
			 (text[len] == ']' || text[len] == ')');
	return len;
}

/* Parses N@. Returns false if the text before the @ is not the size of an integer. */
static bool size_parse(struct reader *r, struct usdt_arg *arg)
{
	const char *at = strchr(r->at, '@');
	char *end;
	long size = at ? strtol(r->at, &end, 10) : 8;

	arg->size = 8;
	if ((at && end != at) || size < -8 || size > 8)
		return false;
	arg->is_signed = size < 0;
	size = size < 0 ? -size : size;
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return false;
	arg->size = size;
	r->at = at ? at + 1 : r->at;
	return true;
}

static void arg_parse(enum arch_id arch, struct usdt_arg *arg, bool whole)
{
	struct reader r = { .at = arg->note, .arch = &arches[arch] };

	if (!whole || !size_parse(&r, arg) || !operands[arch](&r, arg) || *r.at)
		arg->text[0] = 0;
}

size_t usdt_args_parse(enum arch_id arch, const char *text, struct usdt_arg args[USDT_ARGS_MAX])
{
	size_t count = 0;

	for (text += strspn(text, " "); *text && count < USDT_ARGS_MAX; text += strspn(text, " ")) {
		struct usdt_arg *arg = &args[count++];
		size_t len = arg_length(text);

		*arg = (struct usdt_arg){ .size = 8 };
		snprintf(arg->note, sizeof(arg->note), "%.*s", (int)len, text);
		arg_parse(arch, arg, len < sizeof(arg->note));
		text += len;
	}
	return count;
}
