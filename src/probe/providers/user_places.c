/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_places.c - probes on places inside functions, and on what a function has besides its own code.
 *
 * A debugger's breakpoint on a function is at all of these; so is a probe here, or calls would be missing.
 */
#include "probe/providers/user_places.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attach/attach_error.h"
#include "cli/applet.h"
#include "probe/providers/providers.h"
#include "probe/providers/user_statement.h"
#include "symbols/suffix.h"
#include "symbols/user/usyms.h"
#include "util/log.h"

int user_source_again(struct user_source *u, const struct user_source *opened)
{
	u->file.fd = fcntl(opened->file.fd, F_DUPFD_CLOEXEC, 0);
	if (u->file.fd < 0)
		return -errno;
	snprintf(u->file.self, sizeof(u->file.self), "/proc/self/fd/%d", u->file.fd);
	return 0;
}

/* Adds the variables that are in scope at a place inside a function. */
static void variables_add(struct session *s, struct argdump_probe *p, const struct user_source *u,
			  const char *inlined, unsigned line)
{
	struct user_around a;

	if (user_around_find(u, &a))
		user_variables_add(s, p, a.name, a.start, inlined, line);
}

enum { NAME_SHOWN_MAX = 1024 };

static const char *name_shown(const struct user_source *u, const char *symbol)
{
	enum demangle_form form = usyms_form();

	return demangle_shown(symbol, form && u->is_overload ? DEMANGLE_FULL : form);
}

/* `statement` NULL: the item is no line of source. */
static int source_add(struct session *s, struct argdump *a, const struct argdump_request *request,
		      const struct user_source *u, const struct probe_spec_item *item,
		      const struct user_statement *statement, const struct probe_ops *kind)
{
	const char *slash = strrchr(u->file.path, '/');
	struct expr_target target;
	struct argdump_probe *p;
	uint32_t none;
	char name[sizeof(u->file.path) + NAME_SHOWN_MAX];
	int len = snprintf(name, sizeof(name), "%s:%s", u->file.path,
			   statement ? statement->source : name_shown(u, item->name));

	if (statement)
		snprintf(name + len, sizeof(name) - len, ":%u", statement->line);
	else if (item->has_offset)
		snprintf(name + len, sizeof(name) - len, "%s0x%llx", *item->name ? "+" : "",
			 (unsigned long long)item->offset);
	if (expr_target_detect(s->btf, "", &target, &none)) {
		close(u->file.fd);
		return attach_explain(NULL, s->btf, -EBADMSG);
	}
	p = user_probe_add(a, request, u, name, kind, &target);
	if (!p)
		return attach_explain(NULL, s->btf, -ENOMEM);
	/* the file's name and the function: libc.so.6:malloc */
	p->point = p->name + (slash ? slash + 1 - u->file.path : 0);
	if (!u->inside && *item->name && !(a->language && request->spec.is_return) &&
	    user_types_wanted(a, request))
		user_types_add(s, p, item->name, !a->language);
	if (u->inside && !item->has_offset && user_types_wanted(a, request))
		variables_add(s, p, u, item->name, 0);
	else if (statement && user_types_wanted(a, request))
		variables_add(s, p, u, NULL, statement->line);
	return EXIT_FINE;
}

int user_function_add(struct session *s, struct argdump *a, const struct argdump_request *request,
		      const struct user_source *u, const struct probe_spec_item *item,
		      const struct probe_ops *kind)
{
	return source_add(s, a, request, u, item, NULL, kind);
}

/* Adds a probe for the place of *u. Returns an exit code; *added: it was not there yet. */
static int place_add(struct session *s, struct argdump *a, const struct argdump_request *request,
		     struct user_source u, const struct probe_spec_item *item,
		     const struct user_statement *statement, const struct probe_ops *kind,
		     bool *added)
{
	struct user_source opened = u;
	int err;

	*added = !user_offset_is_known(a, request, &u, u.offset);
	if (!*added)
		return EXIT_FINE;
	err = user_source_again(&u, &opened);
	return err ? attach_explain_user(item->name, err) :
		     source_add(s, a, request, &u, item, statement, kind);
}

int user_lines_add(struct session *s, struct argdump *a, const struct argdump_request *request,
		   const struct user_source *opened, const struct user_statement *statement,
		   const struct probe_ops *kind, const uint64_t *offsets, size_t count)
{
	static const struct probe_spec_item line = { .name = "", .has_offset = true };
	struct user_source u = *opened;
	int code = EXIT_FINE;
	bool added;

	u.inside = true;
	for (size_t i = 0; i < count && !code; i++) {
		u.offset = offsets[i];
		code = place_add(s, a, request, u, &line, statement, kind, &added);
	}
	return code;
}

/* ---- what a function has besides its own code ---- */

enum { COPIES_MAX = 64 };

struct other_code {
	const char *name;
	uint64_t own; /* offset of its own code */
	struct {
		char name[256]; /* of a copy, or the same: of another file's static function */
		uint64_t offset;
	} copies[COPIES_MAX];
	size_t copy_count;
	uint64_t inlined[USER_PLACES_MAX]; /* file offsets */
	size_t inlined_count;
	size_t probes;		 /* of the function, its own code included */
	size_t unfit;		 /* left out: of the inlined calls, or the copy */
	struct expr_error error; /* of the first of those */
	const struct probe_ops *kind;
};

/* True for a copy, and for a static function of the same name; other code of the function leads to its parts. */
static bool is_copy_of(const struct other_code *o, const struct usym *symbol)
{
	enum symbol_suffix suffix = symbol_suffix_of(symbol->name, o->name);

	return suffix == SUFFIX_COPY || suffix == SUFFIX_RENAMED ||
	       (o->own && symbol->rank & USYM_LOCAL && !strcmp(symbol->name, o->name));
}

static bool copy_visit(void *ctx, const struct usym *symbol)
{
	struct other_code *o = ctx;

	if (!is_copy_of(o, symbol) || strlen(symbol->name) >= sizeof(o->copies->name) ||
	    symbol->offset == o->own)
		return false;
	for (size_t i = 0; i < o->copy_count; i++)
		if (o->copies[i].offset == symbol->offset)
			return false;
	strcpy(o->copies[o->copy_count].name, symbol->name);
	o->copies[o->copy_count++].offset = symbol->offset;
	return o->copy_count == COPIES_MAX;
}

/* Returns false if there is none. All of the debug information is searched only where it says of the function's own code
 * that some calls are inlined. */
static bool other_code_find(const struct user_source *u, struct other_code *o, bool has_own,
			    size_t places_max)
{
	o->own = has_own ? u->offset : 0;
	usyms_each(u->file.self, copy_visit, o);
	if (!has_own || user_is_inlined(u->file.fd, u->offset, o->name))
		o->inlined_count = user_inlined_find(u->file.fd, o->name, o->inlined, places_max);
	return o->copy_count || o->inlined_count;
}

bool user_other_code_exists(const struct user_source *u, const char *name, bool returns)
{
	struct other_code o = { .name = name };

	return other_code_find(u, &o, false, 1) && (o.copy_count || !returns);
}

/* Drops the last probe if its place lacks what the expressions name, unless it is the only one: its error is the user's. */
static int fit_check(struct session *s, struct argdump *a, struct other_code *o)
{
	struct expr_error error;
	int err = o->probes++ && !a->language ?
			  argdump_probe_compile_any(s, a, &a->probes[a->probe_count - 1], &error) :
			  0;

	if (err != -EINVAL && err != -EOPNOTSUPP)
		return err;
	if (!o->unfit++)
		o->error = error;
	o->probes--;
	argdump_probe_drop(a);
	return 0;
}

static int other_place_add(struct session *s, struct argdump *a,
			   const struct argdump_request *request, const struct user_source *u,
			   const struct probe_spec_item *item, struct other_code *o)
{
	bool added;
	int code = place_add(s, a, request, *u, item, NULL, o->kind, &added);
	int err = code || !added ? 0 : fit_check(s, a, o);

	return err ? attach_explain(NULL, s->btf, err) : code;
}

static int copies_add(struct session *s, struct argdump *a, const struct argdump_request *request,
		      const struct user_source *opened, struct other_code *o)
{
	struct user_source u = *opened;
	int code = EXIT_FINE;

	for (size_t i = 0; i < o->copy_count && !code; i++) {
		const struct probe_spec_item item = { .name = o->copies[i].name };
		bool is_copy = strcmp(item.name, o->name);

		o->unfit = 0;
		u.offset = o->copies[i].offset;
		code = other_place_add(s, a, request, &u, &item, o);
		if (o->unfit)
			log_note("calls of %s%s are not seen: %s", is_copy ? "" : "another file's ",
				 item.name, o->error.message);
		else if (!code && !is_copy)
			log_note("another file's %s is traced as well", o->name);
		else if (!code)
			log_note("%s is traced: a copy of %s for some of its callers", item.name,
				 o->name);
	}
	if (o->copy_count == COPIES_MAX)
		log_note("%s has more code than these %d places", o->name, COPIES_MAX);
	o->unfit = 0;
	return code;
}

static int inlined_add(struct session *s, struct argdump *a, const struct argdump_request *request,
		       const struct user_source *opened, const struct probe_spec_item *item,
		       struct other_code *o)
{
	struct user_source u = *opened;
	int code = EXIT_FINE;

	u.inside = true;
	for (size_t i = 0; i < o->inlined_count && !code; i++) {
		u.offset = o->inlined[i];
		code = other_place_add(s, a, request, &u, item, o);
	}
	return code;
}

static void other_code_note(const struct other_code *o, bool has_own, bool returns)
{
	size_t traced = returns ? 0 : o->inlined_count - o->unfit;
	const char *also = has_own || o->copy_count ? "also " : "";
	bool is_most = o->inlined_count == USER_PLACES_MAX;

	if (o->inlined_count && returns)
		log_note(
			"%s is also inlined, in %s%zu place%s: these calls have no return, and are "
			"not seen",
			o->name, is_most ? "at least " : "", o->inlined_count,
			o->inlined_count == 1 ? "" : "s");
	if (traced)
		log_note("%s is %sinlined into its callers: traced in %s%zu place%s", o->name, also,
			 is_most ? "the first " : "", traced, traced == 1 ? "" : "s");
	if (o->unfit)
		log_note("calls of %s are not seen where it is inlined, in %zu place%s: %s",
			 o->name, o->unfit, o->unfit == 1 ? "" : "s", o->error.message);
}

int user_other_code_add(struct session *s, struct argdump *a, const struct argdump_request *request,
			const struct user_source *opened, const struct probe_spec_item *item,
			const struct probe_ops *kind, bool has_own)
{
	bool returns = request->both || request->spec.is_return;
	struct other_code o = { .name = item->name, .probes = has_own, .kind = kind };
	struct expr_error error;
	int code;

	if (!other_code_find(opened, &o, has_own, USER_PLACES_MAX))
		return -ENOENT;
	/* the begins of a pair keep the same values, those of its own code */
	if (has_own && request->pair)
		argdump_probe_compile_any(s, a, &a->probes[a->probe_count - 1], &error);
	if (returns && !has_own && !o.copy_count)
		return user_inlined_report(request, item->name, o.inlined_count);
	code = copies_add(s, a, request, opened, &o);
	if (!code && !returns)
		code = inlined_add(s, a, request, opened, item, &o);
	if (!code)
		other_code_note(&o, has_own, returns);
	return code;
}
