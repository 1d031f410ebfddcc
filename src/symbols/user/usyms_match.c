/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usyms_match.c - finds the functions of an ELF file that match a pattern, and decides which of them can be probed.
 *
 * A function often has several names (malloc, __libc_malloc), and each name is in both tables of a file that is not
 * stripped.
 */
#include "symbols/user/usyms_match.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/user/demangle.h"
#include "symbols/user/usyms.h"
#include "util/array.h"
#include "util/glob.h"

enum {
	NAME_MAX_SIZE = 2048, /* longer symbols are left out */
	ALSO_MAX = 512,	      /* bytes of a function's other names, approximately */
	FOUND_MAX = 1 << 19,
};

/* ---- which functions can be probed ---- */

const char *const usym_faults[USYM_FAULTS] = {
	[USYM_INDIRECT] = "the function that runs is chosen when the file is loaded (IFUNC)",
	[USYM_PART] = "it is a part of a function, not called itself",
	[USYM_RETURN] = "it stores its return address or is not called: tracing its return would "
			"crash the program",
};

/* Functions that do not return to their caller: the entry code of programs, signal frames and the dynamic linker's
 * trampolines are not called; setjmp and its kind return a second time later. */
static const char *const not_returning[] = {
	"_start",	 "_dl_start_user", "__restore_rt",   "__restore",    "_dl_runtime_*",
	"*sig*setjmp*",	 "_setjmp",	   "setjmp",	     "__setjmp*",    "getcontext",
	"__getcontext*", "swapcontext",	   "__swapcontext*", "__morestack*",
};

/* True for GCC's NAME.cold and NAME.cold.N, Clang's NAME.cold.N. */
static bool is_part(const char *name)
{
	const char *cold = strstr(name, ".cold");

	return cold && (!cold[5] || cold[5] == '.');
}

enum usym_fault usym_fault_of(const char *name, bool indirect, bool at_return)
{
	if (indirect)
		return USYM_INDIRECT;
	if (is_part(name))
		return USYM_PART;
	for (size_t i = 0; at_return && i < sizeof(not_returning) / sizeof(*not_returning); i++)
		if (wildcard_matches(not_returning[i], name))
			return USYM_RETURN;
	return USYM_FINE;
}

/* ---- names ---- */

struct found {
	char *name;
	uint64_t offset;
	unsigned rank;
	enum usym_fault fault;
	enum demangle_match matches;
};

struct search {
	const char *pattern;
	const struct demangle_pattern *names; /* NULL: only symbols are compared */
	bool at_return, has_same;
	struct usym_functions *out;
	struct found *list;
	size_t count, room;
	int err;
};

/* Copies the name without its version. Any user may have made the file, and its names are shown: only characters of C
 * and of mangled names are accepted. */
static bool name_add(char name[NAME_MAX_SIZE], const char *symbol)
{
	size_t len = strcspn(symbol, "@");

	if (!len || len >= NAME_MAX_SIZE)
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isgraph((unsigned char)symbol[i]))
			return false;
	memcpy(name, symbol, len);
	name[len] = 0;
	return true;
}

static void found_add(struct search *s, const struct found *f)
{
	if (s->count == FOUND_MAX) {
		s->err = -EFBIG;
		return;
	}
	if (!ARRAY_RESERVE(s->list, s->count, s->room, 64)) {
		s->err = -ENOMEM;
		return;
	}
	s->list[s->count] = *f;
	s->list[s->count].name = strdup(f->name);
	s->err = s->list[s->count].name ? 0 : -ENOMEM;
	s->count += !s->err;
}

/* A reason against one name of a function applies to all its names. */
static bool symbol_add(void *ctx, const struct usym *symbol)
{
	struct search *s = ctx;
	char name[NAME_MAX_SIZE];
	struct found f = { name, symbol->offset, symbol->rank };

	if (!name_add(name, symbol->name))
		return false;
	f.fault = usym_fault_of(name, symbol->indirect, s->at_return);
	f.matches = wildcard_matches(s->pattern, name) ? DEMANGLE_LIKE :
		    s->names			       ? demangle_matches(s->names, name) :
							 DEMANGLE_NO;
	s->has_same |= f.matches == DEMANGLE_SAME;
	if (f.matches || f.fault)
		found_add(s, &f);
	return s->err;
}

static int by_offset(const void *one, const void *other)
{
	const struct found *a = one, *b = other;

	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return strcmp(a->name, b->name);
}

static int by_name(const void *one, const void *other)
{
	const struct usym_function *a = one, *b = other;
	int order = strcmp(a->name, b->name);

	return order ?: (a->offset > b->offset) - (a->offset < b->offset);
}

/* True for the symbols of a constructor: it has one for whole objects, and one for parts of objects. */
static bool is_named_alike(const char *symbol, const char *other)
{
	char name[DEMANGLED_MAX], other_name[DEMANGLED_MAX];

	return demangle(symbol, DEMANGLE_FULL, name) &&
	       demangle(other, DEMANGLE_FULL, other_name) && !strcmp(name, other_name);
}

/* Adds another name of the function. A file may have millions of them. */
static int alias_add(struct usym_functions *l, struct usym_function *f, const char *name)
{
	size_t len = f->also ? strlen(f->also) : 0;
	char *also;

	if (len > ALSO_MAX || is_named_alike(f->name, name))
		return 0;
	if (asprintf(&also, "%s%s%s", len ? f->also : "", len ? " " : "", name) < 0)
		return -ENOMEM;
	l->aliases += !len;
	free(f->also);
	f->also = also;
	return 0;
}

/* Adds a function with all the names of its address, the best known first. */
static int names_add(struct usym_functions *l, const struct found *names, size_t count)
{
	struct usym_function *f = NULL;
	int err = 0;

	for (size_t i = 0; i < count && !err; i++) {
		const char *name = names[i].name;

		if (!names[i].matches || (i && !strcmp(names[i - 1].name, name)))
			continue;
		if (f) {
			err = alias_add(l, f, name);
			continue;
		}
		f = &l->list[l->count];
		*f = (struct usym_function){ strdup(name), names->offset, NULL };
		err = f->name ? 0 : -ENOMEM;
		l->count += !err;
	}
	return err;
}

static void left_out(struct usym_functions *l, enum usym_fault fault, const char *name)
{
	if (!l->left_out[fault].count++)
		snprintf(l->left_out[fault].first, sizeof(l->left_out[fault].first), "%s",
			 demangle_shown(name, DEMANGLE_SHORT));
}

/* Builds functions from the names, which are sorted by address. */
static int functions_build(struct search *s)
{
	struct usym_functions *l = s->out;
	int err = 0;

	l->list = calloc(s->count + 1, sizeof(*l->list));
	if (!l->list)
		return -ENOMEM;
	for (size_t i = 0, end; i < s->count && !err; i = end) {
		enum usym_fault fault = USYM_FINE;
		const char *name = NULL;

		for (end = i; end < s->count && s->list[end].offset == s->list[i].offset; end++) {
			fault = fault ?: s->list[end].fault;
			name = name || !s->list[end].matches ? name : s->list[end].name;
		}
		if (name && fault)
			left_out(l, fault, name);
		else
			err = names_add(l, s->list + i, end - i);
	}
	if (!err && l->count)
		qsort(l->list, l->count, sizeof(*l->list), by_name);
	return err;
}

/* A symbol that is spelled as the pattern wins over those that its * matches. */
static void like_drop(struct search *s)
{
	for (size_t i = 0; i < s->count && s->has_same; i++)
		if (s->list[i].matches == DEMANGLE_LIKE)
			s->list[i].matches = DEMANGLE_NO;
}

int usyms_match(const char *path, const char *pattern, unsigned how, struct usym_functions *l)
{
	struct search s = { .pattern = pattern, .at_return = how & USYMS_RETURNS, .out = l };
	struct demangle_pattern names;
	int err;

	*l = (struct usym_functions){ 0 };
	err = demangle_pattern_set(&names, pattern);
	s.names = how & USYMS_SYMBOLS ? NULL : &names;
	err = err ?: usyms_each(path, symbol_add, &s) ?: s.err;
	like_drop(&s);
	if (!err && s.count)
		qsort(s.list, s.count, sizeof(*s.list), by_offset);
	if (!err)
		err = functions_build(&s);
	for (size_t i = 0; i < s.count; i++)
		free(s.list[i].name);
	free(s.list);
	demangle_pattern_free(&names);
	return err;
}

void usym_functions_free(struct usym_functions *l)
{
	for (size_t i = 0; i < l->count; i++) {
		free(l->list[i].name);
		free(l->list[i].also);
	}
	free(l->list);
	*l = (struct usym_functions){ 0 };
}
