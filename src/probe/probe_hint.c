/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * probe_hint.c - hints for sched_switch, sched:sched_switch and openat, typed as if they were functions, and for
 * modules that are not loaded, or built in.
 */
#include "probe/probe_hint.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "output/field/timestamp.h"
#include "probe/argdump.h"
#include "expr/hints.h"
#include "kernel/arch.h"
#include "symbols/kernel/ksyms.h"
#include "util/log.h"

static bool has_function(const struct btf_view *btf, const char *prefix, const char *name)
{
	char function[256];

	snprintf(function, sizeof(function), "%s%s", prefix, name);
	return btf_view_func(btf, function) != 0;
}

static bool is_tracepoint(const struct btf_view *btf, const char *name)
{
	char type[256];

	snprintf(type, sizeof(type), "btf_trace_%s", name);
	return btf_view_find(btf, BTF_KIND_TYPEDEF, type) != 0;
}

bool probe_hint_is_symbol(const struct session *s, const char *name)
{
	return !s->options.attach.btf && !ksyms_load() && ksyms_address(name, NULL);
}

static int named_report(const struct argdump_request *r, const char *what, const char *kind,
			const struct probe_spec_item *item, const char *name)
{
	const char *end = r->spec.is_return && strcmp(kind, "t:") ? "%return" : "";

	log_error("cannot trace %s: it is a %s, not a function", r->text, what);
	if (!r->old)
		argdump_request_caret(r, item->start, item->end);
	log_hint("%s%s%s%s%s", kind, item->scope ? item->scope : "", item->scope ? ":" : "", name,
		 end);
	return EXIT_USAGE;
}

/* ---- modules ---- */

/* A loaded module has a state; a built-in one has a folder only if it has parameters. */
static bool has_file(const char *module, const char *file)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/module/%s%s", module, file);
	return !access(path, F_OK);
}

/* True if loaded or unknown. With --btf, nothing is known about modules. */
static bool is_loaded(const struct session *s, const char *module)
{
	if (s->options.attach.btf)
		return !s->options.attach.dry_run;
	return access("/sys/module", F_OK) || has_file(module, "/initstate");
}

/* Reports 'FUNC ARG:FORMAT' in one word, as perf probe expects it. */
static int words_report(const struct argdump_request *r)
{
	size_t len = strcspn(r->text, " ");

	log_error("cannot trace %s: a PROBE contains no blanks, and each EXPR is a separate "
		  "argument",
		  r->text);
	argdump_request_caret(r, len, len + 1);
	log_hint("argdump %.*s '%s'", (int)len, r->text,
		 r->text + len + strspn(r->text + len, " "));
	return EXIT_USAGE;
}

static int module_check(const struct session *s, const struct argdump_request *r,
			const struct probe_spec_item *item)
{
	const char *module = item->scope;
	bool built_in, is_kernels;

	if (module && strchr(module, ' ') && !r->old)
		return words_report(r);
	if (!module || strpbrk(module, "*?[") || !strcmp(module, "vmlinux") || is_loaded(s, module))
		return EXIT_FINE;
	if (is_tracepoint(s->btf, item->name)) /* sched:sched_switch */
		return named_report(r, "tracepoint", "t:", item, item->name);
	built_in = !s->options.attach.btf && has_file(module, "");
	is_kernels = !s->options.attach.btf && has_function(s->btf, "", item->name);
	if (s->options.attach.btf)
		log_error("cannot trace %s: --btf FILE has no types of modules", r->text);
	else if (built_in)
		log_error("cannot trace %s: %s is built into this kernel, not a module", r->text,
			  module);
	else if (is_kernels)
		log_error("cannot trace %s: no module %s is loaded, and %s is the kernel's own",
			  r->text, module, item->name);
	else
		log_error("cannot trace %s: module %s is not loaded", r->text, module);
	if (!r->old)
		argdump_request_caret(r, item->start, item->end);
	if (s->options.attach.btf)
		log_hint("leave out --btf, or the module if it is built in");
	else if (!built_in && !is_kernels)
		log_hint(
			"load it (modprobe %s) or, if it is built in: '%s_*'; a program that is not in "
			"the PATH: 'u:/PATH/TO/%s:%s'",
			module, module, module, item->name);
	else if (!strcmp(item->name, "*"))
		log_hint("leave out the module: '%s_*'", module);
	else
		log_hint("leave out the module: %s", item->name);
	return EXIT_USAGE;
}

int probe_hint_scope(struct session *s, const struct argdump_request *r)
{
	int code = EXIT_FINE;

	for (size_t i = 0; i < r->spec.count && !code; i++)
		if (!probe_spec_is_line(&r->spec.items[i]))
			code = module_check(s, r, &r->spec.items[i]);
	return code;
}

int probe_hint_missing(struct session *s, const struct argdump_request *r)
{
	const struct probe_spec_item *item = r->spec.items;
	const char *name = item->name, *call = name;
	const char *form = hint_find(HINT_NAME, name, strlen(name));

	if (has_function(s->btf, "", name))
		return EXIT_FINE;
	if (form && !strncmp(form, "-T", 2) && s->options.rows.timestamp != TIMESTAMP_NONE) {
		log_error("'%s' is read as the PROBE, not as the format of -T", name);
		log_hint("%s", form);
		return EXIT_USAGE;
	}
	if (!strncmp(call, "sys_", 4))
		call += 4;
	if (is_tracepoint(s->btf, name) && !probe_hint_is_symbol(s, name))
		return named_report(r, "tracepoint", "t:", item, name);
	if (!item->scope && has_function(s->btf, ARCH_SYSCALLS, call) &&
	    !probe_hint_is_symbol(s, name))
		return named_report(r, "system call", "s:", item, call);
	return EXIT_FINE;
}

void probe_hint_found(const char *name)
{
	size_t len = strlen(ARCH_SYSCALLS);

	if (!strncmp(name, ARCH_SYSCALLS, len))
		log_note("s:%s shows the parameters of this system call by name", name + len);
}
