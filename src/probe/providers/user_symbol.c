/* SPDX-License-Identifier: GPL-2.0-only */
/* user_symbol.c - the place of a function in the file of a program: by its name in the symbol tables, or an offset. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/applet.h"
#include "probe/providers/providers.h"
#include "symbols/user/instructions.h"
#include "symbols/user/usyms.h"
#include "util/log.h"
#include "util/suggest.h"

static bool around_visit(void *ctx, const struct usym *s)
{
	struct user_around *a = ctx;

	a->found = a->place >= s->offset && a->place - s->offset < s->size;
	a->start = s->offset;
	if (a->found)
		snprintf(a->name, sizeof(a->name), "%s", s->name);
	return a->found;
}

bool user_around_find(const struct user_source *u, struct user_around *a)
{
	*a = (struct user_around){ .place = u->offset };
	return !usyms_each(u->file.self, around_visit, a) && a->found;
}

bool user_is_inside(const struct probe_spec_item *item)
{
	return *item->name && item->has_offset && item->offset;
}

/* True if a breakpoint there would be inside an instruction. */
static bool splits_instruction(const struct user_source *u)
{
	struct user_around a;

	return !u->file.is_32 && user_around_find(u, &a) &&
	       !instruction_begins(u->file.self, a.start, u->offset - a.start);
}

int user_symbol_find(struct user_source *u, const struct probe_spec_item *item)
{
	uint64_t size = 0;
	int err = 0;

	u->offset = 0;
	u->inside = user_is_inside(item);
	if (*item->name)
		err = usyms_find(u->file.self, item->name, &u->offset, &size);
	if (err || !item->has_offset)
		return err ?: u->offset < u->file.size ? 0 : -ERANGE;
	if (size && item->offset >= size)
		return -EOVERFLOW;
	u->offset += item->offset;
	if (u->offset >= u->file.size)
		return -ERANGE;
	return splits_instruction(u) ? -EILSEQ : 0;
}

ssize_t user_symbol_named(const char *path, const char *name, bool at_return, char **symbol)
{
	struct usym_functions found;
	ssize_t count = usyms_match(path, name, at_return ? USYMS_RETURNS : 0, &found);

	*symbol = NULL;
	if (!count && found.count == 1) {
		*symbol = strdup(found.list[0].name);
		count = *symbol ? 0 : -ENOMEM;
	}
	count = count ?: (ssize_t)found.count;
	usym_functions_free(&found);
	return count;
}

/* The nearest name of a file's symbols, copied because symbols are freed after the visit. */
struct near_symbol {
	struct suggestion near;
	enum demangle_form form;
	char best[256];
};

static bool symbol_offer(void *ctx, const struct usym *symbol)
{
	struct near_symbol *n = ctx;
	char name[DEMANGLED_MAX];
	const char *shown;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(symbol->name, "@"), symbol->name);
	shown = demangle_shown(name, n->form);
	suggest_offer(&n->near, shown);
	if (n->near.best == shown) {
		snprintf(n->best, sizeof(n->best), "%s", shown);
		n->near.best = n->best;
	}
	return false;
}

static void symbol_unknown_report(const struct user_source *u, const char *name)
{
	static const struct suggest_words words = {
		.otherwise = "a stripped file has only what it exports; nm -D lists that. "
			     "u:FILE:0xOFFSET names any place",
	};
	struct near_symbol n = { .form = demangle_may(name) ? DEMANGLE_NOT :
					 strchr(name, '(')  ? DEMANGLE_FULL :
							      DEMANGLE_SHORT };

	suggest_init(&n.near, name);
	usyms_each(u->file.self, symbol_offer, &n);
	log_error("%s has no function %s", u->file.path, name);
	suggest_hint(&n.near, &words);
}

int user_symbol_report(const struct probe_spec_item *item, const struct user_source *u, int err)
{
	if (err == -ENOENT) {
		symbol_unknown_report(u, item->name);
	} else if (err == -EOVERFLOW) {
		log_error("cannot probe %s:%s+0x%llx: the function ends before that", u->file.path,
			  item->name, (unsigned long long)item->offset);
		log_hint("u:FILE:0xOFFSET names any place of a file");
	} else if (err == -EILSEQ) {
		log_error("cannot probe %s:%s%s0x%llx: no instruction begins there", u->file.path,
			  item->name, *item->name ? "+" : "", (unsigned long long)item->offset);
		log_hint("a breakpoint inside an instruction changes what the program does; "
			 "objdump -d lists where they begin");
	} else if (err == -ERANGE) {
		log_error("cannot probe %s: it ends before offset 0x%llx", u->file.path,
			  (unsigned long long)u->offset);
	} else {
		return user_file_unread_report(&u->file, err);
	}
	return EXIT_USAGE;
}

int user_inside_report(const struct argdump_request *request)
{
	log_error("cannot trace %s: a return belongs to a whole function", request->text);
	return EXIT_USAGE;
}

int user_inlined_report(const struct argdump_request *request, const char *name, size_t count)
{
	log_error(
		"cannot trace %s: %s is inlined into its callers, in %zu place%s, and has no return",
		request->text, name, count, count == 1 ? "" : "s");
	log_hint("where it begins can be traced: leave out %s", request->both ? "-r" : "%return");
	return EXIT_USAGE;
}
