/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list_function.c - argdump --list of kernel functions, a row each: the cheapest way to attach, the
 * prototype, and what does not work and why.
 *
 *	fentry        ssize_t vfs_read(struct file *file, char *buf, size_t count, loff_t *pos)
 *
 * The catalogue of functions knows what the kernel's lists say, the attach methods what they need.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "probe/argdump.h"
#include "probe/probe_hint.h"
#include "inspect/list.h"
#include "probe/type.h"
#include "probe/providers/function_list.h"
#include "attach/attach_error.h"
#include "attach/method_can.h"
#include "util/escape.h"
#include "util/log.h"

struct listing {
	struct function_list functions;
	struct attach_kernel kernel;
	bool types_alone; /* --btf: the running kernel's lists do not apply */
	/* counts functions by their cheapest method; [ATTACH_ANY]: by none */
	size_t cheapest[ATTACH_END];
};

/* ---- what works ---- */

enum { WHY = 2 * FUNCTION_WHY }; /* bytes */

static void why_add(char why[WHY], const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void why_add(char why[WHY], const char *fmt, ...)
{
	size_t len = strlen(why);
	va_list args;

	if (len)
		len += snprintf(why + len, WHY - len, "; ");
	if (len >= WHY)
		return;
	va_start(args, fmt);
	vsnprintf(why + len, WHY - len, fmt, args);
	va_end(args);
}

/* Returns the methods that work; writes to `why` why others do not. */
static uint32_t methods_find(const struct listing *l, const struct function *f, char why[WHY])
{
	const struct functions *found = &l->functions.found;
	char reason[FUNCTION_WHY];
	uint32_t attach = 0;

	if (l->types_alone || found->symbols_err)
		return LIST_UNKNOWN;
	if (function_why_not(found, f, reason)) {
		why_add(why, "%s", reason);
		return 0;
	}
	if (found->ftrace_err)
		return LIST_UNKNOWN;
	for (int method = ATTACH_ANY + 1; method < ATTACH_END; method++) {
		if (attach_can(method, &l->kernel, f, reason))
			attach |= 1u << method;
		else if (reason[0])
			why_add(why, "no %s: %s", attach_methods[method].name, reason);
	}
	if (f->btf && f->bodies > 1)
		why_add(why, "%u functions have this name", f->bodies);
	if (f->suffixed)
		why_add(why, "there is also %s", f->suffixed);
	return attach;
}

/* ---- prototypes ---- */

static void write_name(const struct function *f, struct buf *o)
{
	if (f->module) {
		escape_write(o, f->module, strlen(f->module));
		buf_char(o, ':');
	}
	escape_write(o, f->name, strlen(f->name));
}

/* Returns NULL if the function is not in BTF. */
static const struct btf_type *proto_of(const struct function *f)
{
	const struct btf_type *func = f->btf ? btf_view_type(f->btf, f->id) : NULL;
	const struct btf_type *proto = func ? btf_view_type(f->btf, func->type) : NULL;

	return proto && btf_kind(proto) == BTF_KIND_FUNC_PROTO ? proto : NULL;
}

/* The return type may surround the function's name: void (*signal(int, …))(int). */
static void write_prototype(const struct function *f, struct buf *o)
{
	const struct btf_type *proto = proto_of(f);
	char before[LIST_DECLARED_MAX], after[LIST_DECLARED_MAX];

	if (!proto) {
		write_name(f, o);
		return;
	}
	btf_view_declare_around(f->btf, proto->type, before, after, sizeof(before));
	escape_write(o, before, strlen(before));
	write_name(f, o);
	buf_char(o, '(');
	list_params(f->btf, proto, 0, false, o);
	buf_char(o, ')');
	escape_write(o, after, strlen(after));
}

/* ---- rows ---- */

static void row_text(struct buf *o, const void *record)
{
	const struct list_row *row = record;

	buf_printf(o, "%-13s ", list_cheapest(row->attach));
	write_prototype(row->text, o);
	if (row->why)
		buf_printf(o, "  /* %s */", row->why);
	buf_char(o, '\n');
}

static void row_write(struct list_rows *rows, struct listing *l, const struct function *f)
{
	const struct btf_type *proto = proto_of(f);
	char returns[LIST_DECLARED_MAX] = "", why[WHY] = "";
	uint32_t attach = methods_find(l, f, why);
	struct list_row row = {
		.name = f->name,
		.module = f->module,
		.attach = attach,
		.why = why[0] ? why : NULL,
		.text = f,
	};

	l->cheapest[attach ? __builtin_ctz(attach) : ATTACH_ANY]++;
	if (proto && rows->sink.json)
		btf_view_declare(f->btf, proto->type, "", returns, sizeof(returns));
	if (returns[0]) {
		row.returns = returns;
		row.params = (struct list_params){ .btf = f->btf, .proto = proto };
	}
	list_write(rows, &row);
}

static void unknown_report(const struct listing *l)
{
	const struct functions *found = &l->functions.found;
	int err = found->symbols_err ? found->symbols_err : found->ftrace_err;

	if (l->types_alone)
		log_note(
			"attach methods are known only for the running kernel, not for --btf FILE");
	else if (err)
		log_warn("attach methods are unknown: %s cannot be read: %s",
			 found->symbols_err ? "/proc/kallsyms" :
					      "available_filter_functions of tracefs",
			 strerror(-err));
	if (!l->types_alone && err)
		log_hint("try again as root, with tracefs mounted on /sys/kernel/tracing");
	if (!l->types_alone && !err && found->blacklist_err)
		log_warn("functions that kprobes may not touch are unknown: "
			 "/sys/kernel/debug/kprobes/blacklist cannot be read: %s",
			 strerror(-found->blacklist_err));
}

/* 7 functions: 3 by fentry, 4 by kprobe.multi, 0 by kprobe, 0 not at all */
static void sum_report(const struct listing *l)
{
	const struct functions *found = &l->functions.found;
	char text[128] = "";
	size_t len = 0;

	if (found->count <= 1 || l->types_alone || found->symbols_err || found->ftrace_err)
		return;
	for (int method = ATTACH_ANY + 1; method < ATTACH_END; method++)
		if (attach_methods[method].can && len < sizeof(text))
			len += snprintf(text + len, sizeof(text) - len, "%zu by %s, ",
					l->cheapest[method], attach_methods[method].name);
	log_note("%zu functions: %s%zu not at all", found->count, text, l->cheapest[ATTACH_ANY]);
}

static void rows_write(struct listing *l, struct session *s)
{
	struct list_rows rows;

	list_begin(&rows, s, "function", list_function_fields, row_text, sizeof(struct list_row));
	log_busy_end();
	for (size_t i = 0; i < l->functions.found.count; i++)
		row_write(&rows, l, &l->functions.found.list[i]);
	list_end(&rows);
	unknown_report(l);
	sum_report(l);
}

/* ---- listing ---- */

static int nothing_matches(struct session *s, const struct argdump_request *request)
{
	const struct probe_spec_item *item = request->spec.items;
	int code = probe_hint_scope(s, request);

	if (probe_spec_is_line(item)) {
		log_error("cannot list %s: a line has no name", request->text);
		log_hint("argdump --dry-run shows the variables in scope there");
		return EXIT_USAGE;
	}
	if (!code && request->spec.count == 1 && !item->is_pattern)
		code = probe_hint_missing(s, request);
	if (code)
		return code;
	if (request->spec.count == 1 && !item->is_pattern && !item->scope && !s->options.attach.btf)
		return attach_explain(item->name, s->btf, -ENOENT);
	log_error("no function matches '%s'", request->text);
	if (item->type && !type_exists(s, item->type))
		return EXIT_USAGE;
	if (item->scope)
		log_hint("a module's functions are known once it is loaded; see " BTF_FOLDER);
	else if (item->type)
		log_hint("no function with such a name has a parameter of that type");
	else if (!item->is_pattern)
		log_hint("'*%s*' finds names that contain it", item->name);
	return EXIT_USAGE;
}

static int functions_collect(struct session *s, struct listing *l, struct btf_modules *modules,
			     const struct argdump_request *request)
{
	unsigned want = FUNCTIONS_FTRACE | FUNCTIONS_SYMBOLS | FUNCTIONS_BLACKLIST;
	struct probe_spec_error error;
	int err = function_list_find(&l->functions, &request->spec, s->btf, modules,
				     l->types_alone ? 0 : want, &error);

	if (err == -EINVAL) {
		log_error("%s", error.message);
		log_caret(request->text, error.start, error.end);
		log_hint("%s", error.hint);
		return EXIT_USAGE;
	}
	attach_kernel_read(s->btf, &l->kernel);
	if (!err)
		return EXIT_FINE;
	log_error("cannot list %s: %s", request->text, strerror(-err));
	return EXIT_CANNOT;
}

int list_functions(struct session *s, const struct argdump_request *request)
{
	struct listing l = { .types_alone = s->options.attach.btf != NULL };
	struct btf_modules *modules = NULL;
	int code;

	if (!l.types_alone)
		btf_modules_open(s->btf, NULL, &modules);
	code = functions_collect(s, &l, modules, request);
	if (!code && !l.functions.found.count)
		code = nothing_matches(s, request);
	if (!code)
		rows_write(&l, s);
	function_list_free(&l.functions);
	btf_modules_close(modules);
	return code;
}
