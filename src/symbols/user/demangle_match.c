/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * demangle_match.c - compares names of C++ and Rust that the user types with those of symbols.
 *
 * To demangle 100,000 symbols takes a tenth of a second, to search them for a word a hundredth of that: only symbols
 * that have the words of the name in them are demangled.
 */
#include "symbols/user/demangle.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/glob.h"

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Drops blanks, except between two words: "f(int,char *)" is "f(int, char*)". */
static void squeeze(char *text)
{
	char *to = text;

	for (const char *at = text; *at; at++)
		if (*at != ' ' || (to > text && is_word(to[-1]) && is_word(at[1])))
			*to++ = *at;
	*to = 0;
}

/* Moves const behind its type, as demanglers do: "const char*" is "char const*". `text` is squeezed. */
static void const_move(char *text)
{
	static const char word[] = "const ";
	const size_t len = sizeof(word) - 1;

	for (char *at = text; (at = strstr(at, word)); at++) {
		char *type = at + len, *end = type;
		int depth = 0;

		if (at == text || !strchr("(,<", at[-1]))
			continue;
		for (; *end && (is_word(*end) || strchr(": <", *end) || depth); end++)
			depth += (*end == '<') - (*end == '>');
		memmove(at, type, end - type);
		at[end - type] = ' ';
		memcpy(at + (end - type) + 1, word, len - 1);
	}
}

/* The names that people give to types of the C++ library. */
static void types_shorten(char *text)
{
	static const struct {
		const char *type, *name;
	} types[] = {
		{ "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >",
		  "std::string" },
		{ "std::basic_string_view<char, std::char_traits<char> >", "std::string_view" },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		size_t type = strlen(types[i].type), name = strlen(types[i].name);

		for (char *at = text; (at = strstr(at, types[i].type)); at += name) {
			memcpy(at, types[i].name, name);
			memmove(at + name, at + type, strlen(at + type) + 1);
		}
	}
}

/* ---- the word to search for ---- */

/* Parts of names that no symbol spells out: the demanglers' own words, and abbreviations of the ABI. */
static const char unspelled[] =
	" std ostream istream iostream anonymous namespace operator lambda unnamed type "
	"virtual thunk closure unsigned const volatile restrict signed short wchar_t "
	"double float allocator string stream typeinfo construction vtable guard "
	"variable template parameter initializer reference basic_string default "
	"decltype char_traits basic_ostream basic_istream basic_iostream transaction "
	"covariant nullptr_t hidden alias clone shim delete new int128 int bool char "
	"auto extern long static ";

static bool is_wildcard(char c)
{
	return c == '*' || c == '?';
}

/* Next to a wildcard a word may be a part of a longer one. */
static bool is_spelled(const char *word, size_t len, bool is_part)
{
	char text[64];
	int size = snprintf(text, sizeof(text), is_part ? "%.*s" : " %.*s ", (int)len, word);

	return size >= (int)sizeof(text) || !strstr(unspelled, text);
}

/* Symbols encode other letters. */
static bool is_ascii(const signed char *text)
{
	while (*text > 0)
		text++;
	return !*text;
}

/* Symbols have the length before each word: 4dump. Those of Rust have _ between, if the word begins with one or with a digit. Next to
 * < and { the older ones of Rust have a longer word. */
static bool is_whole(const char *start, const char *word, size_t len)
{
	return isalpha((unsigned char)*word) && (word == start || word[-1] == ':') &&
	       (!word[len] || word[len] == ':' || word[len] == '(');
}

static void needle_add(struct demangle_pattern *p, const char *word, size_t len)
{
	const char *start = p->squeezed;
	bool is_part = is_wildcard(word[len]) || (word > start && is_wildcard(word[-1]));
	char *needle = p->needles[p->needle_count];

	if (len + 4 > sizeof(p->needles[0]) || !is_spelled(word, len, is_part))
		return;
	if (is_whole(start, word, len))
		sprintf(needle, "%zu%.*s", len, (int)len, word);
	else
		sprintf(needle, "%.*s", (int)len, word);
	p->needle_count++;
}

/* Parameters are skipped: later parts of a symbol may refer to earlier ones instead of repeating them. */
static void needles_find(struct demangle_pattern *p)
{
	const char *start = p->squeezed, *end = start + strcspn(start, "(<[{"), *at = start;

	if (!is_ascii((const signed char *)start))
		return;
	while (at < end && p->needle_count < DEMANGLE_NEEDLES) {
		const char *word = at;

		while (at < end && is_word(*at))
			at++;
		if (at > word)
			needle_add(p, word, at - word);
		else
			at++;
	}
}

/* ---- patterns ---- */

int demangle_pattern_set(struct demangle_pattern *p, const char *text)
{
	*p = (struct demangle_pattern){ .squeezed = strdup(text) };
	if (!p->squeezed)
		return -ENOMEM;
	types_shorten(p->squeezed);
	squeeze(p->squeezed);
	const_move(p->squeezed);
	squeeze(p->squeezed);
	p->is_full = strchr(text, '(');
	p->is_glob = strpbrk(text, "*?[");
	needles_find(p);
	return 0;
}

void demangle_pattern_free(struct demangle_pattern *p)
{
	free(p->squeezed);
}

static enum demangle_match name_compare(const struct demangle_pattern *p, char *name)
{
	types_shorten(name);
	squeeze(name);
	if (!strcmp(p->squeezed, name))
		return DEMANGLE_SAME;
	return p->is_glob && wildcard_matches(p->squeezed, name) ? DEMANGLE_LIKE : DEMANGLE_NO;
}

static bool has_needles(const struct demangle_pattern *p, const char *symbol)
{
	for (size_t i = p->needle_count; i--;)
		if (!strstr(symbol, p->needles[i]))
			return false;
	return true;
}

enum demangle_match demangle_matches(const struct demangle_pattern *p, const char *symbol)
{
	enum demangle_match match = DEMANGLE_NO;
	char name[DEMANGLED_MAX];

	if (!demangle_may(symbol) || !has_needles(p, symbol))
		return DEMANGLE_NO;
	if (demangle(symbol, DEMANGLE_SHORT, name))
		match = name_compare(p, name);
	/* "operator()" and "(anonymous namespace)::f" have parentheses, too */
	if (!match && p->is_full && demangle(symbol, DEMANGLE_FULL, name))
		match = name_compare(p, name);
	return match;
}
