/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list_row.c - one function of --list as a row: the cheapest way to attach, the prototype, and what
 * does not work and why.
 *
 *	fentry        ssize_t vfs_read(struct file *file, char *buf, size_t count, loff_t *pos)
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "argdump/inspect/list.h"
#include "output/sink.h"
#include "util/log.h"
#include "util/escape.h"

enum {
	PARAMS_MAX = 12, /* MAX_BPF_FUNC_ARGS, the same in every kernel */
	PARAM_BYTES = 8,
	PARAM_BYTES_MAX = 16,
};

/* What works for a function, and why the others do not. */
struct ways {
	bool known; /* false: the kernel's lists cannot be read */
	bool fentry, multi, kprobe;
	char why[320]; /* "": nothing to say */
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

/* Why trampolines do not accept a prototype. NULL: they do. */
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

/* True: nothing can be attached, and w->why says why. */
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

/* ---- prototypes ---- */

static void put_name(const struct list_func *f, struct buf *o)
{
	if (f->module) {
		escape_put(o, f->module, strlen(f->module));
		buf_char(o, ':');
	}
	escape_put(o, f->name, strlen(f->name));
}

/* NULL: not in BTF. */
static const struct btf_type *proto_of(const struct list_func *f)
{
	const struct btf_type *func = f->btf ? btf_view_type(f->btf, f->id) : NULL;
	const struct btf_type *proto = func ? btf_view_type(f->btf, func->type) : NULL;

	return proto && btf_kind(proto) == BTF_KIND_FUNC_PROTO ? proto : NULL;
}

/* The return type of a function may surround its name: void (*signal(int, …))(int). */
static void put_prototype(const struct list_func *f, struct buf *o)
{
	const struct btf_type *proto = proto_of(f);
	char text[LIST_DECLARED_MAX], *name;

	if (!proto) {
		put_name(f, o);
		return;
	}
	btf_view_declare(f->btf, proto->type, "@", text, sizeof(text));
	name = strchr(text, '@');
	escape_put(o, text, name - text);
	put_name(f, o);
	buf_char(o, '(');
	list_params(f->btf, proto, 0, false, o);
	buf_char(o, ')');
	escape_put(o, name + 1, strlen(name + 1));
}

/* ---- rows ---- */

/* The cheapest way. */
static const char *best(uint32_t attach)
{
	return attach == LIST_UNKNOWN ? "?" :
	       attach & LIST_FENTRY   ? "fentry" :
	       attach & LIST_MULTI    ? "kprobe.multi" :
	       attach & LIST_KPROBE   ? "kprobe" :
					"-";
}

static void row_text(struct buf *o, const void *record)
{
	const struct list_row *row = record;

	buf_printf(o, "%-13s ", best(row->attach));
	put_prototype(row->text, o);
	if (row->why)
		buf_printf(o, "  /* %s */", row->why);
	buf_char(o, '\n');
}

static uint32_t attach_of(const struct ways *w)
{
	if (!w->known)
		return LIST_UNKNOWN;
	return (w->fentry ? LIST_FENTRY : 0) | (w->multi ? LIST_MULTI : 0) |
	       (w->kprobe ? LIST_KPROBE : 0);
}

static void row_put(struct sink *s, const struct list_func *f, const struct ways *w)
{
	const struct btf_type *proto = proto_of(f);
	char returns[LIST_DECLARED_MAX] = "";
	struct list_row row = { .name = f->name,
				.module = f->module,
				.attach = attach_of(w),
				.why = w->why[0] ? w->why : NULL,
				.text = f };

	if (proto && s->json)
		btf_view_declare(f->btf, proto->type, "", returns, sizeof(returns));
	if (returns[0]) {
		row.returns = returns;
		row.params = (struct list_params){ .btf = f->btf, .proto = proto };
	}
	sink_record(s, &row, sizeof(row));
}

static void unknown_tell(const struct list *l)
{
	int err = l->symbols_err ? l->symbols_err : l->ftrace_err;

	if (l->types_alone)
		log_note("how they can be attached is known of the running kernel alone, not of "
			 "--btf FILE");
	else if (err)
		log_warn("how they can be attached is unknown: %s cannot be read: %s",
			 l->symbols_err ? "/proc/kallsyms" :
					  "available_filter_functions of tracefs",
			 strerror(-err));
	if (!l->types_alone && err)
		log_hint("try again as root, with tracefs mounted on /sys/kernel/tracing");
	if (!l->types_alone && !err && l->blacklist_err)
		log_warn("which functions kprobes may not touch is unknown: "
			 "/sys/kernel/debug/kprobes/blacklist cannot be read: %s",
			 strerror(-l->blacklist_err));
}

static void sum_tell(const struct list *l, const size_t *counts)
{
	if (l->count > 1 && !l->types_alone && !l->symbols_err && !l->ftrace_err)
		log_note("%zu functions: %zu by fentry, %zu by kprobe.multi, %zu by kprobe, "
			 "%zu not at all",
			 l->count, counts[0], counts[1], counts[2], counts[3]);
}

void list_rows(const struct list *l, bool json, struct buf *o)
{
	const struct schema schema = list_schema(list_function_fields, row_text);
	struct sink s = { .schema = &schema, .out = o, .json = json, .applet = "function" };
	size_t counts[4] = { 0 }; /* by their cheapest way to attach */
	struct ways w;

	for (size_t i = 0; i < l->count; i++) {
		ways_find(l, &l->funcs[i], &w);
		counts[w.fentry ? 0 : w.multi ? 1 : w.kprobe ? 2 : 3]++;
		row_put(&s, &l->funcs[i], &w);
	}
	sink_free(&s);
	buf_flush(o); /* the note must come after the rows */
	unknown_tell(l);
	sum_tell(l, counts);
}
