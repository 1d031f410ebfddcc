/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * script_values.c - programs with values that are known (script_values.h).
 *
 * Chance never depends on values, so a loop's body is computed again by writing it again, to nowhere, from the same
 * chance. What does not run is written, and changes nothing.
 */
#include "script_values.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { NUMBERS = 8, INT64 = 6, TEXTS = 3, KEYS = 4 };

struct number {
	uint64_t bits; /* extended to 64 by its sign */
	uint8_t size;
	bool is_signed, is_literal;
	bool is_constant;
	uint8_t unary; /* bytes of the operand of - or ~; 0: it is another operation */
};

enum jump { JUMP_NONE, JUMP_BREAK, JUMP_CONTINUE, JUMP_RETURN };

struct computer {
	struct chance *c;
	struct script_values *v;
	unsigned silent, dead;
	enum jump jump;
	unsigned loops, names;
	unsigned real_loops;	   /* without unrolls */
	uint64_t numbers[NUMBERS]; /* of $n0 … $n7, each of another type */
	char texts[TEXTS][VALUE_TEXT];
	uint64_t entries[KEYS];	      /* of @e[0] … */
	char words[KEYS][VALUE_TEXT]; /* of @w[0] … */
	uint64_t pair_number;
	char pair_text[VALUE_TEXT];
	bool is_done; /* no room for more values */
};

static const struct {
	const char *name;
	uint8_t size;
	bool is_signed;
} types[NUMBERS] = {
	{ "int8", 1, true },  { "uint8", 1, false },  { "int16", 2, true }, { "uint16", 2, false },
	{ "int32", 4, true }, { "uint32", 4, false }, { "int64", 8, true }, { "uint64", 8, false },
};

#define say(m_, ...)                                                                               \
	do {                                                                                       \
		if (!(m_)->silent)                                                                 \
			buf_printf(&(m_)->v->text, __VA_ARGS__);                                   \
	} while (0)

static uint32_t pick(struct computer *m, uint32_t n)
{
	return chance_below(m->c, n);
}

static bool is_live(const struct computer *m)
{
	return !m->dead && !m->jump;
}

static uint64_t extended(uint64_t bits, unsigned size, bool is_signed)
{
	unsigned unused = 64 - 8 * size;

	return is_signed ? (uint64_t)((int64_t)(bits << unused) >> unused) :
			   bits << unused >> unused;
}

static struct number number_of(uint64_t bits, unsigned size, bool is_signed)
{
	return (struct number){ extended(bits, size, is_signed), size, is_signed, false, false, 0 };
}

/* As it is stored: bits above those of - and ~ are lost. */
static uint64_t stored(struct number n)
{
	return n.unary ? extended(n.bits, n.unary, false) : n.bits;
}

/* ---- numbers ---- */

static struct number number(struct computer *m, int depth);
static bool condition(struct computer *m, int depth);
static void text(struct computer *m, char *to, int depth);
static void text_unknown(struct computer *m, char *to);

static struct number variable(struct computer *m)
{
	unsigned i = pick(m, NUMBERS);

	say(m, "$n%u", i);
	return number_of(m->numbers[i], types[i].size, types[i].is_signed);
}

static struct number literal(struct computer *m)
{
	static const uint64_t edges[] = {
		0,     1,     2,	  127,	      128,	  255,	      256,	32767,
		65535, 65536, 2147483647, 2147483648, 4294967295, 4294967296, INT64_MAX
	};
	uint64_t bits = pick(m, 3) ? pick(m, 100) : edges[pick(m, COUNT(edges))];
	struct number n = { .bits = bits, .size = 8, .is_signed = true, .is_constant = true };

	if (pick(m, 6)) {
		say(m, "%" PRIu64, bits);
		n.is_literal = true;
	} else {
		n.bits = -(bits + 1) | 1ull << 63;
		say(m, "(%" PRId64 ")", (int64_t)n.bits);
	}
	return n;
}

static bool sign_joined(struct number a, struct number b)
{
	if (a.is_literal != b.is_literal)
		return a.is_literal ? b.is_signed : a.is_signed;
	return a.is_signed || b.is_signed;
}

static uint64_t computed(const char *oper, uint64_t a, uint64_t b)
{
	switch (*oper) {
	case '+': return a + b;
	case '-': return a - b;
	case '*': return a * b;
	case '/': return b ? a / b : 1;
	case '%': return b ? a % b : 1;
	case '&': return a & b;
	case '|': return a | b;
	case '^': return a ^ b;
	case '<': return a << (b & 63);
	default: return a >> (b & 63);
	}
}

static const char *operator(struct computer *m)
{
	static const char *const all[] = { "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>" };

	return all[pick(m, COUNT(all))];
}

/* One side is not constant: constants are computed by other rules. */
static struct number binary(struct computer *m, int depth)
{
	const char *oper = operator(m);
	struct number a, b;

	say(m, "(");
	a = pick(m, 6) ? number(m, depth - 1) : literal(m);
	say(m, " %s ", oper);
	b = a.is_constant ? variable(m) : pick(m, 3) ? number(m, depth - 1) : literal(m);
	say(m, ")");
	return number_of(computed(oper, a.bits, b.bits), 8, sign_joined(a, b) || *oper == '-');
}

static struct number unary(struct computer *m)
{
	bool is_negation = pick(m, 2);
	struct number n;

	say(m, is_negation ? "(- " : "(~");
	n = variable(m);
	say(m, ")");
	n.unary = n.size;
	n.bits = extended(is_negation ? -n.bits : ~n.bits, n.size, n.is_signed);
	n.size = 8;
	return n;
}

static struct number cast(struct computer *m, int depth)
{
	unsigned i = pick(m, NUMBERS);
	struct number n;

	say(m, "(%s)(", types[i].name);
	n = number(m, depth - 1);
	say(m, ")");
	return number_of(n.bits, types[i].size, types[i].is_signed);
}

static struct number choice(struct computer *m, int depth)
{
	unsigned i = pick(m, NUMBERS);
	struct number a, b;
	bool is_true;

	say(m, "(");
	is_true = condition(m, depth - 1);
	say(m, " ? (%s)(", types[i].name);
	m->dead += !is_true;
	a = number(m, depth - 1);
	m->dead -= !is_true;
	say(m, ") : (%s)(", types[i].name);
	m->dead += is_true;
	b = number(m, depth - 1);
	m->dead -= is_true;
	say(m, "))");
	return number_of(is_true ? a.bits : b.bits, types[i].size, types[i].is_signed);
}

/* $n0++ */
static struct number step(struct computer *m)
{
	unsigned i = pick(m, NUMBERS), form = pick(m, 4);
	uint64_t old = m->numbers[i];
	uint64_t new = extended(form & 1 ? old + 1 : old - 1, types[i].size, types[i].is_signed);
	const char *sign = form & 1 ? "++" : "--";

	say(m, "(%s$n%u%s)", form & 2 ? sign : "", i, form & 2 ? "" : sign);
	if (is_live(m))
		m->numbers[i] = new;
	return number_of(form & 2 ? new : old, types[i].size, types[i].is_signed);
}

/* One that is no constant. */
static void text_unknown(struct computer *m, char *to)
{
	unsigned i = pick(m, TEXTS + KEYS + 1);

	if (i < TEXTS)
		say(m, "$t%u", i);
	else if (i < TEXTS + KEYS)
		say(m, "@w[%u]", i - TEXTS);
	else
		say(m, "$p.1");
	strcpy(to, i < TEXTS ? m->texts[i] : i < TEXTS + KEYS ? m->words[i - TEXTS] : m->pair_text);
}

static struct number of_texts(struct computer *m)
{
	static const char *const needles[] = {
		"a", "ab", "c", "", "abc", "bcabcabcabcabcabcabcabc"
	};
	const char *needle = needles[pick(m, COUNT(needles))], *found;
	unsigned form = pick(m, 4), i = pick(m, 4);
	char a[VALUE_TEXT];

	say(m, "%s(",
	    form == 0 ? "strlen" :
	    form == 1 ? "strstr" :
	    form == 2 ? "(int64)strcontains" :
			"(int64)(\"b\" == str");
	text_unknown(m, a);
	found = strstr(a, needle);
	switch (form) {
	case 0: say(m, ")"); return number_of(strlen(a), 8, false);
	case 1:
		say(m, ", \"%s\")", needle);
		return number_of(found ? (uint64_t)(found - a) : -1ull, 8, true);
	case 2: say(m, ", \"%s\")", needle); return number_of(found != NULL, 8, true);
	default:
		say(m, ", %u))", i);
		/* the length counts the NUL */
		return number_of(*a == 'b' && (i == 2 || (i > 2 && !a[1])), 8, true);
	}
}

static struct number entry(struct computer *m)
{
	unsigned i = pick(m, KEYS);

	say(m, "@e[%u]", i);
	return number_of(m->entries[i], 8, true);
}

static struct number truth(struct computer *m, int depth)
{
	bool is_true;

	say(m, "(int64)(");
	is_true = condition(m, depth - 1);
	say(m, ")");
	return number_of(is_true, 8, true);
}

static struct number number(struct computer *m, int depth)
{
	if (depth <= 0)
		return variable(m);
	switch (pick(m, 12)) {
	case 0:
	case 1:
	case 2:
	case 3: return binary(m, depth);
	case 4: return unary(m);
	case 5: return cast(m, depth);
	case 6: return choice(m, depth);
	case 7: return step(m);
	case 8: return of_texts(m);
	case 9: return entry(m);
	case 10: return truth(m, depth);
	default: return variable(m);
	}
}

/* ---- conditions ---- */

static bool compared(const char *oper, struct number a, struct number b)
{
	bool is_signed = sign_joined(a, b);
	bool less = is_signed ? (int64_t)a.bits < (int64_t)b.bits : a.bits < b.bits;
	bool equal = a.bits == b.bits;

	if (*oper == '=')
		return equal;
	if (*oper == '!')
		return !equal;
	if (*oper == '<')
		return less || (oper[1] && equal);
	return !less && (oper[1] || !equal);
}

static bool of_numbers(struct computer *m, int depth)
{
	static const char *const opers[] = { "<", "<=", ">", ">=", "==", "!=" };
	const char *oper = opers[pick(m, COUNT(opers))];
	struct number a, b;

	say(m, "(");
	a = number(m, depth - 1);
	say(m, " %s ", oper);
	b = pick(m, 2) ? number(m, depth - 1) : literal(m);
	say(m, ")");
	return compared(oper, a, b);
}

static bool joined(struct computer *m, int depth)
{
	bool is_and = pick(m, 2), a, b, skips;

	say(m, "(");
	a = condition(m, depth - 1);
	skips = a != is_and;
	say(m, is_and ? " && " : " || ");
	m->dead += skips;
	b = condition(m, depth - 1);
	m->dead -= skips;
	say(m, ")");
	return skips ? a : b;
}

static bool texts_equal(struct computer *m, int depth)
{
	char a[VALUE_TEXT], b[VALUE_TEXT];
	bool is_not = pick(m, 2);

	say(m, "(");
	text_unknown(m, a);
	say(m, is_not ? " != " : " == ");
	text(m, b, depth - 1);
	say(m, ")");
	return !strcmp(a, b) != is_not;
}

static bool pairs_equal(struct computer *m, int depth)
{
	char a[VALUE_TEXT];
	uint64_t n;

	say(m, "($p == ((int64)(");
	n = number(m, depth - 1).bits;
	say(m, "), ");
	text(m, a, depth - 1);
	say(m, "))");
	return n == m->pair_number && !strcmp(a, m->pair_text);
}

static bool condition(struct computer *m, int depth)
{
	bool is_true;

	if (depth <= 0)
		return of_numbers(m, 0);
	switch (pick(m, 8)) {
	case 0:
	case 1: return joined(m, depth);
	case 2: return texts_equal(m, depth);
	case 3: return pairs_equal(m, depth);
	case 4:
		say(m, "!(");
		is_true = condition(m, depth - 1);
		say(m, ")");
		return !is_true;
	default: return of_numbers(m, depth);
	}
}

/* ---- texts ---- */

static void text_literal(struct computer *m, char *to)
{
	unsigned length = pick(m, 6) ? pick(m, 5) : pick(m, 90);

	for (unsigned i = 0; i < length; i++)
		to[i] = 'a' + pick(m, 3);
	to[length] = '\0';
	say(m, "\"%s\"", to);
}

static void text_variable(struct computer *m, char *to)
{
	unsigned i = pick(m, TEXTS);

	say(m, "$t%u", i);
	strcpy(to, m->texts[i]);
}

static void text_choice(struct computer *m, char *to, int depth)
{
	char a[VALUE_TEXT], b[VALUE_TEXT];
	bool is_true;

	say(m, "(");
	is_true = condition(m, depth - 1);
	say(m, " ? ");
	m->dead += !is_true;
	text(m, a, depth - 1);
	m->dead -= !is_true;
	say(m, " : ");
	m->dead += is_true;
	text(m, b, depth - 1);
	m->dead -= is_true;
	say(m, ")");
	strcpy(to, is_true ? a : b);
}

static void text(struct computer *m, char *to, int depth)
{
	unsigned i;

	switch (depth > 0 ? pick(m, 7) : pick(m, 2)) {
	case 0: text_literal(m, to); return;
	case 2: text_choice(m, to, depth); return;
	case 3:
		i = 1 + pick(m, 70);
		say(m, "str(");
		text_unknown(m, to);
		say(m, ", %u)", i);
		to[i - 1] = '\0';
		return;
	case 4:
		i = pick(m, KEYS);
		say(m, "@w[%u]", i);
		strcpy(to, m->words[i]);
		return;
	case 5:
		say(m, "$p.1");
		strcpy(to, m->pair_text);
		return;
	default: text_variable(m, to); return;
	}
}

/* ---- statements ---- */

enum { DEPTH = 3 };

static void statements(struct computer *m, unsigned count, int depth);

static void show(struct computer *m)
{
	struct script_value *w = &m->v->wanted[m->v->count];
	struct script_value value;

	say(m, "printf(\"%%d %%s\", ");
	value.number = stored(number(m, DEPTH));
	say(m, ", ");
	text(m, value.text, DEPTH);
	say(m, "); ");
	if (!is_live(m))
		return;
	if (m->v->count == VALUES_MAX) {
		m->is_done = true;
		return;
	}
	*w = value;
	m->v->count++;
}

static void assign(struct computer *m)
{
	unsigned i = pick(m, NUMBERS);
	struct number n;

	if (i == INT64 && pick(m, 2)) {
		const char *oper = operator(m);

		say(m, "$n%u %s= ", i, oper);
		n = number(m, DEPTH);
		n.bits = computed(oper, m->numbers[i], n.bits);
	} else {
		say(m, "$n%u = (%s)(", i, types[i].name);
		n = number(m, DEPTH);
		say(m, ")");
	}
	say(m, "; ");
	if (is_live(m))
		m->numbers[i] = extended(n.bits, types[i].size, types[i].is_signed);
}

static void assign_entry(struct computer *m)
{
	unsigned i = pick(m, KEYS);
	const char *oper = pick(m, 2) ? operator(m) : "";
	struct number n;

	say(m, "@e[%u] %s= (int64)(", i, oper);
	n = number(m, DEPTH);
	say(m, "); ");
	if (is_live(m))
		m->entries[i] = *oper ? computed(oper, m->entries[i], n.bits) : n.bits;
}

static void assign_text(struct computer *m)
{
	unsigned i = pick(m, TEXTS + KEYS);
	char a[VALUE_TEXT];

	if (i < TEXTS)
		say(m, "$t%u = ", i);
	else
		say(m, "@w[%u] = ", i - TEXTS);
	text(m, a, DEPTH);
	say(m, "; ");
	if (is_live(m))
		strcpy(i < TEXTS ? m->texts[i] : m->words[i - TEXTS], a);
}

static void assign_pair(struct computer *m)
{
	char a[VALUE_TEXT];
	uint64_t n;

	say(m, "$p = ((int64)(");
	n = number(m, DEPTH).bits;
	say(m, "), ");
	text(m, a, DEPTH);
	say(m, "); ");
	if (!is_live(m))
		return;
	m->pair_number = n;
	strcpy(m->pair_text, a);
}

static void forget(struct computer *m)
{
	unsigned i = pick(m, KEYS);
	bool is_word = pick(m, 2);

	say(m, "$gone = delete(@%c, %u); ", is_word ? 'w' : 'e', i);
	if (!is_live(m))
		return;
	if (is_word)
		*m->words[i] = '\0';
	else
		m->entries[i] = 0;
}

static void branch(struct computer *m, int depth)
{
	bool is_true;

	say(m, "if (");
	is_true = condition(m, DEPTH);
	say(m, ") { ");
	m->dead += !is_true;
	statements(m, 1 + pick(m, 2), depth - 1);
	m->dead -= !is_true;
	say(m, "} ");
	if (pick(m, 2))
		return;
	say(m, "else { ");
	m->dead += is_true;
	statements(m, 1 + pick(m, 2), depth - 1);
	m->dead -= is_true;
	say(m, "} ");
}

/* One more round: false after a break. */
static bool round_end(struct computer *m)
{
	bool goes_on = m->jump != JUMP_BREAK && m->jump != JUMP_RETURN;

	if (m->jump != JUMP_RETURN)
		m->jump = JUMP_NONE;
	return goes_on;
}

static void loop_while(struct computer *m, int depth)
{
	unsigned most = 1 + pick(m, 5), name = m->names++, count = 1 + pick(m, 2);
	bool has_condition = pick(m, 2), is_true, goes_on = true;
	struct chance first;

	say(m, "$w%u = 0; while (", name);
	first = *m->c;
	for (unsigned i = 0; goes_on; i++) {
		unsigned names = m->names;

		*m->c = first;
		m->silent += i > 0;
		say(m, "$w%u < %u", name, most);
		is_true = i < most;
		if (has_condition) {
			say(m, " && ");
			m->dead += !is_true;
			is_true &= condition(m, DEPTH);
			m->dead -= i >= most;
		}
		say(m, ") { $w%u++; ", name);
		m->dead += !is_true;
		statements(m, count, depth - 1);
		m->dead -= !is_true;
		say(m, "} ");
		m->silent -= i > 0;
		goes_on = round_end(m) && is_true && !m->dead && !m->jump;
		if (goes_on)
			m->names = names;
	}
}

/* With the least and the most by a variable, the kernel runs the rounds. */
static void loop_range(struct computer *m, int depth)
{
	unsigned begin = pick(m, 3), rounds = pick(m, 4), count = 1 + pick(m, 2), name = m->names++;
	bool is_known = pick(m, 2), goes_on = true;
	struct chance first = *m->c;

	say(m, is_known ? "for $i%u : %u..%u { " : "for $i%u : %u..(%u + $zero) { ", name, begin,
	    begin + rounds);
	for (unsigned i = 0; goes_on; i++) {
		unsigned names = m->names;
		bool is_over = i >= rounds;

		*m->c = first;
		m->silent += i > 0;
		m->dead += is_over;
		say(m, "$n%u += (int64)$i%u; ", INT64, name);
		if (is_live(m))
			m->numbers[INT64] += begin + i;
		statements(m, count, depth - 1);
		m->dead -= is_over;
		m->silent -= i > 0;
		goes_on = round_end(m) && i + 1 < rounds && !m->dead && !m->jump;
		if (goes_on)
			m->names = names;
	}
	say(m, "} ");
}

static void loop_unroll(struct computer *m, int depth)
{
	unsigned rounds = 1 + pick(m, 3), count = 1 + pick(m, 2);
	bool goes_on = true;
	struct chance first = *m->c;

	say(m, "unroll (%u) { ", rounds);
	for (unsigned i = 0; goes_on; i++) {
		unsigned names = m->names;

		*m->c = first;
		m->silent += i > 0;
		statements(m, count, depth - 1);
		m->silent -= i > 0;
		/* in a loop, a jump is the loop's */
		goes_on = (m->real_loops || round_end(m)) && i + 1 < rounds && !m->dead && !m->jump;
		if (goes_on)
			m->names = names;
	}
	say(m, "} ");
}

static void loop(struct computer *m, int depth)
{
	static void (*const all[])(struct computer *, int) = { loop_while, loop_range,
							       loop_unroll };

	enum jump outer = m->jump;
	unsigned kind;

	m->dead += outer != JUMP_NONE;
	m->jump = JUMP_NONE;
	m->loops++;
	kind = pick(m, COUNT(all));
	m->real_loops += all[kind] != loop_unroll;
	all[kind](m, depth);
	m->real_loops -= all[kind] != loop_unroll;
	m->loops--;
	m->dead -= outer != JUMP_NONE;
	if (outer)
		m->jump = outer;
}

static void leave(struct computer *m)
{
	static const char *const words[] = { "", "break", "continue", "return" };
	enum jump jump = m->loops ? JUMP_BREAK + pick(m, 2) : JUMP_RETURN;
	bool is_true;

	say(m, "if (");
	is_true = condition(m, 2);
	say(m, ") { %s; } ", words[jump]);
	if (is_true && is_live(m))
		m->jump = jump;
}

static void statement(struct computer *m, int depth)
{
	switch (pick(m, 12)) {
	case 0:
	case 1: assign(m); return;
	case 2: assign_entry(m); return;
	case 3: assign_text(m); return;
	case 4: assign_pair(m); return;
	case 5: forget(m); return;
	case 6:
	case 7: (depth > 0 ? branch(m, depth) : assign(m)); return;
	case 8: (depth > 0 ? loop(m, depth) : assign_text(m)); return;
	case 9: (m->loops ? leave(m) : show(m)); return;
	default: show(m); return;
	}
}

static void statements(struct computer *m, unsigned count, int depth)
{
	for (unsigned i = 0; i < count; i++)
		statement(m, depth);
}

/* ---- the program ---- */

static void begin(struct computer *m)
{
	say(m, "begin { $zero = (int64)rand; $zero -= $zero; ");
	for (unsigned i = 0; i < NUMBERS; i++) {
		struct number n;

		say(m, "let $n%u: %s = (%s)", i, types[i].name, types[i].name);
		n = literal(m);
		say(m, "; ");
		m->numbers[i] = extended(n.bits, types[i].size, types[i].is_signed);
	}
	for (unsigned i = 0; i < TEXTS; i++) {
		say(m, "$t%u = ", i);
		text_literal(m, m->texts[i]);
		say(m, "; ");
	}
	say(m, "$p = ((int64)5, \"abc\"); @e[9] = (int64)0; @w[9] = \"\"; ");
	m->pair_number = 5;
	strcpy(m->pair_text, "abc");
}

void script_values_make(struct chance *c, struct script_values *v)
{
	struct computer m = { .c = c, .v = v };

	memset(v, 0, sizeof(*v));
	buf_init(&v->text, -1);
	do {
		v->text.len = v->count = 0;
		m = (struct computer){ .c = c, .v = v };
		begin(&m);
		statements(&m, 3 + pick(&m, 8), 2);
		say(&m, "}");
	} while (m.is_done || !v->count);
	buf_char(&v->text, '\0');
}

void script_values_free(struct script_values *v)
{
	buf_free(&v->text);
}

/* ---- records ---- */

static uint64_t number_in(const struct script_type *t, const uint8_t *bytes)
{
	uint64_t word = 0;

	memcpy(&word, bytes, t->size < 8 ? t->size : 8);
	return t->size < 8 ? extended(word, t->size, t->is_signed) : word;
}

static const char *text_in(const struct script_arg *a, const uint8_t *record)
{
	return a->is_literal ? a->expr->bytes : (const char *)record + a->offset;
}

void script_values_see(struct script_values *v, const struct script *s, const void *record,
		       size_t size)
{
	const struct script_value *w = &v->wanted[v->seen];
	const struct script_action *a;
	struct script_record head;
	uint64_t n;

	memcpy(&head, record, sizeof(head));
	a = head.action < s->action_count ? s->actions[head.action] : NULL;
	if (a && (a->kind == ACTION_DELETE_MISSED || a->kind == ACTION_WARNING))
		return;
	if (v->seen++ >= v->count || !a || a->arg_count != 2 || size < a->size) {
		snprintf(v->trouble, sizeof(v->trouble), "record %zu is not wanted", v->seen);
		return;
	}
	n = a->args[0].is_literal ?
		    (uint64_t)a->args[0].expr->value :
		    number_in(&a->args[0].type, (const uint8_t *)record + a->args[0].offset);
	if (!*v->trouble && (n != w->number || strcmp(text_in(&a->args[1], record), w->text)))
		snprintf(v->trouble, sizeof(v->trouble),
			 "record %zu: %" PRId64 " \"%s\", and %" PRId64 " \"%s\" is right", v->seen,
			 (int64_t)n, text_in(&a->args[1], record), (int64_t)w->number, w->text);
}

const char *script_values_trouble(struct script_values *v)
{
	if (!*v->trouble && v->seen != v->count)
		snprintf(v->trouble, sizeof(v->trouble), "%zu records instead of %zu", v->seen,
			 v->count);
	return *v->trouble ? v->trouble : NULL;
}
