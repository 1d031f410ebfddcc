// SPDX-License-Identifier: GPL-2.0
/*
 * list_row.c - a function of --list as a row: the cheapest way to attach, the prototype, and what
 * does not work and why.
 *
 *	fentry        ssize_t vfs_read(struct file *file, char *buf, size_t count, loff_t *pos)
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "argdump/list.h"
#include "core/diag.h"
#include "core/text.h"

enum {
	PARAMS_MAX = 12, /* MAX_BPF_FUNC_ARGS of every kernel */
	PARAM_BYTES = 8, PARAM_BYTES_MAX = 16,
	DECLARED_MAX = 640,
};

/* What works for a function, and why the rest does not. */
struct ways {
	bool known; /* false: the lists that tell cannot be read */
	bool fentry, multi, kprobe;
	char why[320]; /* "" there is nothing to say */
};

static void why(struct ways *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void why(struct ways *w, const char *fmt, ...)
{
	size_t len = strlen(w->why);
	va_list args;

	if (len)
		len += snprintf(w->why + len, sizeof(w->why) - len, "; ");
	va_start(args, fmt);
	vsnprintf(w->why + len, sizeof(w->why) - len, fmt, args);
	va_end(args);
}

/* ---- what works ---- */

static bool is_by_value(const struct btf_view *btf, uint32_t type)
{
	const struct btf_type *t = btf_view_type(btf, btf_view_strip(btf, type));

	return t && btf_is_composite(t);
}

/* The prototypes that trampolines do not take; NULL: this one is fine. */
static const char *proto_refused(const struct list *l, const struct list_func *f)
{
	const struct btf_type *func = btf_view_type(f->btf, f->id);
	const struct btf_type *proto = btf_view_type(f->btf, func->type);
	uint64_t most = l->has_struct_args ? PARAM_BYTES_MAX : 0;

	if (!proto || btf_kind(proto) != BTF_KIND_FUNC_PROTO)
		return "it has no prototype";
	if (btf_vlen(proto) > PARAMS_MAX)
		return "too many parameters";
	if (is_by_value(f->btf, proto->type))
		return "it returns a struct";
	for (unsigned i = 0; i < btf_vlen(proto); i++) {
		uint32_t type = btf_params(proto)[i].type;

		if (!type)
			return "variadic";
		if (is_by_value(f->btf, type) && btf_view_size(f->btf, type) > most)
			return "a struct by value";
	}
	return NULL;
}

/* True: nothing can be attached, and it is said why. */
static bool has_no_body(const struct list_func *f, struct ways *w)
{
	if (f->bodies)
		return false;
	if (f->suffixed)
		why(w, "changed by the compiler: there is only %s", f->suffixed);
	else if (f->module)
		why(w, "it has no body: inlined, or it ran at loading and is gone");
	else
		why(w, "inlined: it has no body of its own");
	return true;
}

static bool cannot_be_patched(const struct list_func *f, struct ways *w)
{
	if (f->ftrace)
		return false;
	if (f->at_boot)
		why(w, "it runs at boot and is gone");
	else
		why(w, "notrace, as all that are marked inline: ftrace has no place in it");
	return true;
}

static void fentry_look(const struct list *l, const struct list_func *f, struct ways *w)
{
	const char *refused = f->btf ? proto_refused(l, f) : NULL;

	w->fentry = f->btf && !refused;
	if (refused)
		why(w, "no fentry: %s", refused);
	else if (!f->btf && f->bodies > 1)
		why(w, "not in BTF: %u functions have this name", f->bodies);
	else if (!f->btf && strchr(f->name, '.'))
		why(w, "not in BTF: a copy that the compiler changed");
	else if (!f->btf)
		why(w, "not in BTF");
}

static void ways_find(const struct list *l, const struct list_func *f, struct ways *w)
{
	*w = (struct ways){ .known = !l->types_alone && !l->symbols_err };
	if (!w->known || has_no_body(f, w))
		return;
	w->known = !l->ftrace_err;
	if (!w->known || cannot_be_patched(f, w))
		return;
	fentry_look(l, f, w);
	w->multi = l->has_multi;
	w->kprobe = !f->blacklisted;
	if (f->blacklisted)
		why(w, "no kprobe: blacklisted");
	if (f->btf && f->bodies > 1)
		why(w, "%u functions have this name", f->bodies);
	if (f->suffixed)
		why(w, "there is also %s", f->suffixed);
}

static const char *best(const struct ways *w)
{
	return !w->known ? "?" : w->fentry ? "fentry" : w->multi ? "kprobe.multi" :
	       w->kprobe ? "kprobe" : "-";
}

/* ---- prototypes ---- */

static void put_param(const struct btf_view *btf, const struct btf_param *param, bool json,
		      struct out *o)
{
	const char *name = btf_view_string(btf, param->name_off);
	char text[DECLARED_MAX] = "...";

	if (param->type)
		btf_view_declare(btf, param->type, json ? "" : name, text, sizeof(text));
	if (!json) {
		text_put(o, text, strlen(text));
		return;
	}
	out_str(o, "{\"name\":");
	if (*name)
		text_put_json(o, name, strlen(name));
	else
		out_str(o, "null");
	text_put_json_key(o, "ctype");
	text_put_json(o, text, strlen(text));
	out_char(o, '}');
}

void list_params(const struct btf_view *btf, const struct btf_type *proto, unsigned skip,
		 bool json, struct out *o)
{
	for (unsigned i = skip; i < btf_vlen(proto); i++) {
		if (i > skip)
			out_str(o, json ? "," : ", ");
		put_param(btf, &btf_params(proto)[i], json, o);
	}
	if (!json && btf_vlen(proto) <= skip)
		out_str(o, "void");
}

static void put_name(const struct list_func *f, struct out *o)
{
	if (f->module) {
		text_put(o, f->module, strlen(f->module));
		out_char(o, ':');
	}
	text_put(o, f->name, strlen(f->name));
}

/* What a function returns stands around its name: void (*signal(int, …))(int). */
static void put_prototype(const struct list_func *f, struct out *o)
{
	const struct btf_type *func = f->btf ? btf_view_type(f->btf, f->id) : NULL;
	const struct btf_type *proto = func ? btf_view_type(f->btf, func->type) : NULL;
	char text[DECLARED_MAX], *name;

	if (!proto || btf_kind(proto) != BTF_KIND_FUNC_PROTO) {
		put_name(f, o);
		return;
	}
	btf_view_declare(f->btf, proto->type, "@", text, sizeof(text));
	name = strchr(text, '@');
	text_put(o, text, name - text);
	put_name(f, o);
	out_char(o, '(');
	list_params(f->btf, proto, 0, false, o);
	out_char(o, ')');
	text_put(o, name + 1, strlen(name + 1));
}

/* ---- rows ---- */

static void row_text(const struct list_func *f, const struct ways *w, struct out *o)
{
	out_printf(o, "%-13s ", best(w));
	put_prototype(f, o);
	if (w->why[0])
		out_printf(o, "  /* %s */", w->why);
	out_char(o, '\n');
}

static void put_attach(const struct ways *w, struct out *o)
{
	const char *comma = "";

	text_put_json_key(o, "attach");
	if (!w->known) {
		out_str(o, "null");
		return;
	}
	out_char(o, '[');
	if (w->fentry) {
		out_str(o, "\"fentry\"");
		comma = ",";
	}
	if (w->multi) {
		out_printf(o, "%s\"kprobe.multi\"", comma);
		comma = ",";
	}
	if (w->kprobe)
		out_printf(o, "%s\"kprobe\"", comma);
	out_char(o, ']');
}

static void put_json_prototype(const struct list_func *f, struct out *o)
{
	const struct btf_type *func = f->btf ? btf_view_type(f->btf, f->id) : NULL;
	const struct btf_type *proto = func ? btf_view_type(f->btf, func->type) : NULL;
	char text[DECLARED_MAX] = "";

	if (proto && btf_kind(proto) == BTF_KIND_FUNC_PROTO)
		btf_view_declare(f->btf, proto->type, "", text, sizeof(text));
	text_put_json_pair(o, "returns", text);
	text_put_json_key(o, "params");
	out_str(o, *text ? "[" : "null");
	if (*text)
		list_params(f->btf, proto, 0, true, o);
	out_str(o, *text ? "]" : "");
}

static void row_json(const struct list_func *f, const struct ways *w, struct out *o)
{
	out_str(o, "{\"type\":\"function\"");
	text_put_json_pair(o, "name", f->name);
	text_put_json_pair(o, "module", f->module);
	put_json_prototype(f, o);
	put_attach(w, o);
	text_put_json_pair(o, "why", w->why);
	out_str(o, "}\n");
}

static void unknown_tell(const struct list *l)
{
	int err = l->symbols_err ? l->symbols_err : l->ftrace_err;

	if (l->types_alone)
		diag_note("how they can be attached is known of the running kernel alone, not of "
			  "--btf FILE");
	else if (err)
		diag_warn("how they can be attached is unknown: %s cannot be read: %s",
			  l->symbols_err ? "/proc/kallsyms" :
					   "available_filter_functions of tracefs",
			  strerror(-err));
	if (!l->types_alone && err)
		diag_hint("try again as root, with tracefs mounted on /sys/kernel/tracing");
	if (!l->types_alone && !err && l->blacklist_err)
		diag_warn("which functions kprobes may not touch is unknown: "
			  "/sys/kernel/debug/kprobes/blacklist cannot be read: %s",
			  strerror(-l->blacklist_err));
}

static void sum_tell(const struct list *l, const size_t *counts)
{
	if (l->count > 1 && !l->types_alone && !l->symbols_err && !l->ftrace_err)
		diag_note("%zu functions: %zu by fentry, %zu by kprobe.multi, %zu by kprobe, "
			  "%zu not at all",
			  l->count, counts[0], counts[1], counts[2], counts[3]);
}

void list_rows(const struct list *l, bool json, struct out *o)
{
	size_t counts[4] = { 0 }; /* by the best way */
	struct ways w;

	for (size_t i = 0; i < l->count; i++) {
		ways_find(l, &l->funcs[i], &w);
		counts[w.fentry ? 0 : w.multi ? 1 : w.kprobe ? 2 : 3]++;
		if (json)
			row_json(&l->funcs[i], &w, o);
		else
			row_text(&l->funcs[i], &w, o);
	}
	out_flush(o); /* what is said of the rows stands behind them */
	unknown_tell(l);
	sum_tell(l, counts);
}
