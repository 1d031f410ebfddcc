/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * demangle.h - names of functions of C++ and Rust, as their source has them, from symbols.
 *
 * Symbols come from files that any user may have made: their length, and that of the names, is bounded. This file knows
 * nothing about files.
 */
#ifndef CORETAP_SYMBOLS_USER_DEMANGLE_H
#define CORETAP_SYMBOLS_USER_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

enum demangle_form {
	DEMANGLE_NOT,	/* the symbol itself */
	DEMANGLE_SHORT, /* ns::f, as perf prints it */
	DEMANGLE_FULL,	/* ns::f(int), as bpftrace prints it */
};

enum {
	DEMANGLED_MAX = 4096, /* bytes of a name, with its NUL */
	DEMANGLE_NEEDLES = 6
};

/* True if a symbol begins as mangled ones do; of C programs, hardly any does. */
static inline bool demangle_may(const char *symbol)
{
	return symbol[0] == '_' && (symbol[1] == 'Z' || symbol[1] == 'R');
}

/* Writes the name. Returns false if the symbol is not mangled, or its name is longer than DEMANGLED_MAX. */
bool demangle(const char *symbol, enum demangle_form form, char name[DEMANGLED_MAX]);
/* Returns how many parameters a symbol of C++ lists, `...` and `this` not counted; -1: unknown. */
int demangle_parameters(const char *symbol);
/* Returns the name, or the symbol if it has none. Valid until the next call. Names are kept, as stacks repeat them. */
const char *demangle_shown(const char *symbol, enum demangle_form form);

/* ---- demangle_match.c ---- */

/* A name or pattern of C++ or Rust, as the user types it. */
struct demangle_pattern {
	char *squeezed; /* owned: without the blanks that do not separate words */
	bool is_full;	/* it names parameters, too */
	bool is_glob;
	/* parts that are in every symbol whose name matches: the others need not be demangled */
	char needles[DEMANGLE_NEEDLES][64];
	size_t needle_count;
};

/* Returns 0 or -ENOMEM. */
int demangle_pattern_set(struct demangle_pattern *p, const char *text);
void demangle_pattern_free(struct demangle_pattern *p);

enum demangle_match {
	DEMANGLE_NO,
	DEMANGLE_LIKE, /* by a wildcard */
	DEMANGLE_SAME, /* the text itself: the * of `char *` is none */
};

/* Compares the name of a symbol. */
enum demangle_match demangle_matches(const struct demangle_pattern *p, const char *symbol);

#endif
