/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * uprobe.c - probes on functions of programs and libraries: u:PATH:SYMBOL, u:PATH:0xOFFSET, u:PATH:SOURCE:LINE.
 *
 * Without debug information types are unknown: $arg1 … $arg6 are the registers that pass the first arguments. With -r at both ends of a
 * call: emit_inflight.c describes how the return finds its call.
 */
#include "probe/providers/providers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/name_choice.h"
#include "probe/providers/user_file.h"
#include "probe/providers/user_places.h"
#include "probe/providers/user_statement.h"
#include "attach/attach_error.h"
#include "util/log.h"
#include "symbols/user/usyms.h"
#include "symbols/user/usyms_match.h"

/* ---- the function ---- */

static const struct probe_ops probe_ops_user_call;

/* Checks a name that is no plain function. Returns an exit code after printing any error. */
static int name_judge(const struct user_source *u, const struct probe_spec_item *item, bool returns)
{
	struct usym_functions found;
	enum usym_fault fault = USYM_FINE;

	if (!*item->name || item->has_offset)
		return EXIT_FINE;
	if (!usyms_match(u->file.self, item->name, (returns ? USYMS_RETURNS : 0) | USYMS_SYMBOLS,
			 &found))
		while (fault < USYM_FAULTS && !found.left_out[fault].count)
			fault++;
	usym_functions_free(&found);
	if (fault == USYM_INDIRECT)
		log_note("%s is an IFUNC: its code, which is traced here, chooses the function "
			 "that runs when the file is loaded",
			 item->name);
	if (fault != USYM_RETURN)
		return EXIT_FINE;
	log_error("cannot trace %s: %s", item->name, usym_faults[fault]);
	return EXIT_CANNOT;
}

static const struct probe_ops *kind_of(const struct argdump_request *request)
{
	return request->both ? &probe_ops_user_call : &probe_ops_user;
}

/* ---- lines ---- */

/* Adds a probe for each function that has code of a line. */
static int line_resolve(struct session *s, struct argdump *a, struct argdump_request *request,
			struct user_statement *statement)
{
	struct user_source u = { 0 };
	uint64_t offsets[USER_PLACES_MAX];
	int code = user_file_open(s, statement->file, &u.file);
	ssize_t count;

	if (code)
		return code;
	if (request->both || request->spec.is_return)
		code = user_inside_report(request);
	count = code ? 0 : user_statement_places(u.file.fd, statement, offsets, USER_PLACES_MAX);
	if (count < 0)
		code = user_statement_report(&u.file, statement, (int)count);
	if (count > 1)
		log_note("%s:%u is in %s%zd functions", statement->source, statement->line,
			 count == USER_PLACES_MAX ? "the first " : "", count);
	if (!code)
		code = user_lines_add(s, a, request, &u, statement, kind_of(request), offsets,
				      (size_t)count);
	close(u.file.fd);
	return code;
}

/* ---- one function ---- */

static bool has_return(const struct argdump_request *request)
{
	return request->both || request->spec.is_return;
}

/* Finds the function of an item, or the only one that has its name in C++ or Rust: *symbol is its symbol then. Returns 0, an error
 * of user_symbol_find, or -E2BIG: several have the name. */
static int one_find(struct user_source *u, const struct argdump_request *request,
		    struct probe_spec_item *item, char **symbol)
{
	int err = user_symbol_find(u, item);
	ssize_t count;

	*symbol = NULL;
	if (err != -ENOENT || !*item->name)
		return err;
	count = user_symbol_named(u->file.self, item->name, has_return(request), symbol);
	if (!*symbol)
		return count > 0 ? item->has_offset ? -ENOENT : -E2BIG : (int)count ?: err;
	u->is_overload = strchr(item->name, '(');
	item->name = *symbol;
	return user_symbol_find(u, item);
}

static int symbol_resolve(struct session *s, struct argdump *a, struct argdump_request *request,
			  struct user_source *opened, const struct probe_spec_item *item, int err)
{
	struct user_source u = *opened;
	bool is_plain = *item->name && !item->has_offset;
	int code;

	if (err == -ENOENT && is_plain) {
		code = user_other_code_add(s, a, request, &u, item, kind_of(request), false);
		if (code != -ENOENT)
			return code;
	}
	code = err ? user_symbol_report(item, &u, err) : name_judge(&u, item, has_return(request));
	if (code)
		return code;
	log_debug(1, "%s in %s: offset 0x%llx", item->name, u.file.path,
		  (unsigned long long)u.offset);
	if (user_offset_is_known(a, request, &u, u.offset))
		return EXIT_FINE;
	code = user_source_again(&u, opened);
	code = code ? attach_explain_user(item->name, code) :
		      user_function_add(s, a, request, &u, item, kind_of(request));
	/* bpftrace's uprobe is of the function's own code */
	if (!code && is_plain && !a->language)
		code = user_other_code_add(s, a, request, opened, item, kind_of(request), true);
	return code == -ENOENT ? EXIT_FINE : code;
}

static int item_resolve(struct session *s, struct argdump *a, struct argdump_request *request,
			const struct probe_spec_item *item)
{
	struct probe_spec_item own = *item;
	struct user_source u = { 0 };
	struct user_statement statement;
	char *symbol;
	int code, err;

	if (user_statement_parse(s, item, &statement))
		return line_resolve(s, a, request, &statement);
	if (usdt_is_meant(s, item))
		return usdt_resolve(s, a, request, item);
	code = user_file_open(s, item->scope, &u.file);
	if (code)
		return code;
	err = one_find(&u, request, &own, &symbol);
	if (err == -E2BIG) {
		close(u.file.fd);
		return user_set_resolve(s, a, request, item, kind_of(request));
	}
	code = symbol_resolve(s, a, request, &u, &own, err);
	close(u.file.fd);
	free(symbol);
	return code;
}

/* True if a function that has no symbol has other code of which what is asked can be seen. */
static bool has_other_code(const struct argdump *a, const struct user_source *u,
			   const struct argdump_request *request,
			   const struct probe_spec_item *item)
{
	bool returns = has_return(request) || (a->both && !request->is_end);

	return *item->name && !item->has_offset && user_other_code_exists(u, item->name, returns);
}

static int user_find(struct session *s, struct argdump *a, struct argdump_request *request,
		     const struct probe_spec_item *item)
{
	struct probe_spec_item own = *item;
	struct user_source u = { 0 };
	struct user_statement statement;
	struct usym_functions found;
	char *symbol;
	bool is_line = user_statement_parse(s, item, &statement);
	int err;

	if (!is_line && usdt_is_meant(s, item))
		return usdt_find(s, item);
	err = user_file_try(s, is_line ? statement.file : item->scope, &u.file);
	if (err)
		return err;
	if (is_line) {
		err = user_statement_find(u.file.fd, &statement, &u.offset);
	} else if (!item->is_pattern) {
		err = one_find(&u, request, &own, &symbol);
		free(symbol);
		if (err == -E2BIG || (err == -ENOENT && has_other_code(a, &u, request, item)))
			err = 0;
	} else {
		err = usyms_match(u.file.self, item->name,
				  request->spec.is_return ? USYMS_RETURNS : 0, &found);
		if (!err && !found.count)
			err = -ENOENT;
		usym_functions_free(&found);
	}
	close(u.file.fd);
	return err;
}

static int user_resolve(struct session *s, struct argdump *a, struct argdump_request *request)
{
	int code = EXIT_FINE;

	for (size_t i = 0; i < request->spec.count && !code; i++) {
		const struct probe_spec_item *item = &request->spec.items[i];

		if ((request->both || request->spec.is_return) && user_is_inside(item))
			return user_inside_report(request);
		/* the * of f(char *) is none of a pattern */
		code = item->is_pattern && !strchr(item->name, '(') && !usdt_is_meant(s, item) ?
			       user_set_resolve(s, a, request, item, kind_of(request)) :
			       item_resolve(s, a, request, item);
		if (code)
			names_missing_hint(request, item->name);
	}
	return code;
}

/* ---- attaching ---- */

static int user_explain(struct session *s, struct argdump_probe *p, int err)
{
	const struct user_source *u = p->source;

	(void)s;
	if (err != -EINVAL)
		return attach_explain_user(p->name, err);
	log_error("cannot trace %s: no instruction begins at offset 0x%llx", p->name,
		  (unsigned long long)u->offset);
	return EXIT_USAGE;
}

static const struct argdump_variant variants[] = {
	ARGDUMP_VARIANT(UPROBE, KPROBE, true, true),
	ARGDUMP_VARIANT(UPROBE, KPROBE, false, true),
};

const struct probe_ops probe_ops_user = {
	.variants = variants,
	.variant_count = sizeof(variants) / sizeof(variants[0]),
	.resolve = user_resolve,
	.find = user_find,
	.prepare = user_prepare,
	.target = user_target,
	.explain = user_explain,
};

static const struct probe_ops probe_ops_user_call = {
	.variants = variants,
	.variant_count = sizeof(variants) / sizeof(variants[0]),
	.scope = EXPR_SCOPE_CALL,
	.prepare = user_prepare,
	.target = user_target,
	.load = call_load,
	.attach = call_attach,
	.explain = user_explain,
};
