// SPDX-License-Identifier: GPL-2.0
/*
 * list_event.c - argdump --list of tracepoints and system calls, with their fields.
 *
 * BTF has a typedef for each tracepoint, and a function whose parameters have names; groups are
 * known to tracefs alone. What system calls take is in tracefs, and partly in BTF.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "argdump/event_format.h"
#include "argdump/list.h"
#include "argdump/match.h"
#include "core/diag.h"
#include "core/text.h"

enum { TYPEDEF, ITER };
static const char *const trace_prefixes[] = { "btf_trace_", "__traceiter_" };
enum { ENTRY, ENTRY_ARM, BODY, BODY_LONG };
static const char *const syscall_prefixes[] = { "__x64_sys_", "__arm64_sys_", "__do_sys_",
						"__se_sys_" };

#define SYSCALL_GROUP "syscalls"
#define SYSCALL_ENTER "sys_enter_"

struct event {
	const char *group; /* NULL: no event of tracefs */
	const char *name;
};

struct events {
	struct session *s;
	const struct argdump_request *request;
	struct btf_modules *modules; /* owned */
	struct list_names names;     /* owned */
	char *text;		     /* owned: tracefs' list; NULL: it cannot be read */
	int err;		     /* why */
	struct event *list;	     /* owned, by group and name */
	size_t count;
	size_t nameless; /* rows whose parameters are unknown */
};

/* ---- which ---- */

static int event_add(struct events *e, const char *group, const char *name)
{
	struct event *larger;

	if (!(e->count & (e->count - 1))) { /* full at each power of two */
		larger = realloc(e->list, (e->count ? e->count * 2 : 1) * sizeof(*larger));
		if (!larger)
			return -ENOMEM;
		e->list = larger;
	}
	e->list[e->count++] = (struct event){ group, name };
	return 0;
}

static int by_group(const void *a, const void *b)
{
	const struct event *one = a, *other = b;
	int order = strcmp(one->group ?: "", other->group ?: "");

	return order ? order : strcmp(one->name, other->name);
}

/* Calls take(e, group, name) for each event of tracefs. */
static int lines_take(struct events *e,
		      int (*take)(struct events *e, const char *group, const char *name))
{
	char *text = e->text, *group, *name;
	int err = 0;

	while (!err && event_line_next(&text, &group, &name))
		err = take(e, group, name);
	return err;
}

static int tracepoint_take(struct events *e, const char *group, const char *name)
{
	return match_name(&e->request->spec, name, group) ? event_add(e, group, name) : 0;
}

static bool any_group(const struct probe_spec *spec)
{
	for (size_t i = 0; i < spec->count; i++)
		if (strcmp(spec->items[i].place, "*"))
			return false;
	return true;
}

static bool in_tracefs(const struct events *e, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(e->list[i].name, name))
			return true;
	return false;
}

/* Tracepoints without an event, or all where tracefs cannot be read: no group, which "*" takes. */
static int typedefs_take(struct events *e)
{
	size_t known = e->count;
	int err = 0;

	for (size_t i = 0; i < e->names.count && !err; i++) {
		const struct list_name *n = &e->names.names[i];

		if (n->prefix == TYPEDEF && match_name(&e->request->spec, n->name, "") &&
		    !in_tracefs(e, known, n->name))
			err = event_add(e, NULL, n->name);
	}
	return err;
}

/* Names behind sys_enter_ are the kernel's own of the call. */
static int syscall_take(struct events *e, const char *group, const char *name)
{
	size_t len = strlen(SYSCALL_ENTER);

	if (strcmp(group, SYSCALL_GROUP) || strncmp(name, SYSCALL_ENTER, len) ||
	    !match_name(&e->request->spec, name + len, NULL))
		return 0;
	return event_add(e, group, name + len);
}

static int entries_take(struct events *e)
{
	int err = 0;

	for (size_t i = 0; i < e->names.count && !err; i++) {
		const struct list_name *n = &e->names.names[i];

		if (n->prefix <= ENTRY_ARM && match_name(&e->request->spec, n->name, NULL))
			err = event_add(e, NULL, n->name);
	}
	return err;
}

/* ---- rows ---- */

static const struct btf_type *proto_behind(const struct list_name *n)
{
	const struct btf_type *t = n ? btf_view_type(n->btf, n->id) : NULL;

	if (t && btf_kind(t) == BTF_KIND_TYPEDEF)
		t = btf_view_type(n->btf, t->type);
	t = t ? btf_view_type(n->btf, t->type) : NULL;
	return t && btf_kind(t) == BTF_KIND_FUNC_PROTO ? t : NULL;
}

static bool put_format(const struct event *event, const char *before, bool json, struct out *o)
{
	char path[256], *format;

	if (!event->group)
		return false;
	snprintf(path, sizeof(path), "events/%s/%s%s/format", event->group, before, event->name);
	format = list_tracefs_read(path);
	if (!format)
		return false;
	list_fields(format, json, o);
	free(format);
	return true;
}

/* The first parameter of these is the tracer's own. */
static bool put_tracepoint_params(struct events *e, const struct event *event, struct out *o)
{
	const struct list_name *name = list_names_get(&e->names, event->name, TYPEDEF);
	const struct list_name *iter = list_names_get(&e->names, event->name, ITER);
	bool json = e->s->options.json;

	if (!proto_behind(name))
		return put_format(event, "", json, o);
	if (proto_behind(iter))
		name = iter;
	list_params(name->btf, proto_behind(name), 1, json, o);
	return true;
}

static bool put_syscall_params(struct events *e, const struct event *event, struct out *o)
{
	const struct list_name *body = list_names_get(&e->names, event->name, BODY);
	bool json = e->s->options.json;

	if (put_format(event, SYSCALL_ENTER, json, o))
		return true;
	if (!proto_behind(body))
		body = list_names_get(&e->names, event->name, BODY_LONG);
	if (!proto_behind(body))
		return false;
	list_params(body->btf, proto_behind(body), 0, json, o);
	return true;
}

static void put_params(struct events *e, const struct event *event, struct out *o,
		       bool (*put)(struct events *e, const struct event *event, struct out *o))
{
	bool json = e->s->options.json;
	size_t before;

	out_str(o, json ? ",\"params\":[" : "(");
	before = o->len;
	if (put(e, event, o)) {
		out_str(o, json ? "]" : ")");
		return;
	}
	out_rewind(o, before - 1);
	out_str(o, json ? "null" : "(?)");
	e->nameless++;
}

static void tracepoint_row(struct events *e, const struct event *event, struct out *o)
{
	bool typed = proto_behind(list_names_get(&e->names, event->name, TYPEDEF));
	const char *way = typed ? "tp_btf" : "tracepoint";

	if (e->s->options.json) {
		out_str(o, "{\"type\":\"tracepoint\"");
		text_put_json_pair(o, "group", event->group);
		text_put_json_pair(o, "name", event->name);
		out_printf(o, ",\"attach\":[\"%s\"]", way);
		put_params(e, event, o, put_tracepoint_params);
		out_str(o, "}\n");
		return;
	}
	out_printf(o, "%-13s t:%s:", way, event->group ? event->group : e->text ? "-" : "?");
	text_put(o, event->name, strlen(event->name));
	put_params(e, event, o, put_tracepoint_params);
	out_str(o, event->group || !e->text ? "\n" : "  /* it has no event in tracefs */\n");
}

static void syscall_row(struct events *e, const struct event *event, struct out *o)
{
	if (e->s->options.json) {
		out_str(o, "{\"type\":\"syscall\"");
		text_put_json_pair(o, "name", event->name);
		put_params(e, event, o, put_syscall_params);
		out_str(o, "}\n");
		return;
	}
	out_str(o, "s:");
	text_put(o, event->name, strlen(event->name));
	put_params(e, event, o, put_syscall_params);
	out_char(o, '\n');
}

/* ---- both ---- */

static int events_open(struct events *e, const char *const *prefixes, size_t count)
{
	if (!e->s->options.btf) {
		btf_modules_open(e->s->btf, NULL, &e->modules);
		e->text = list_tracefs_read("available_events");
		e->err = e->text ? 0 : -errno;
	}
	return list_names_find(&e->names, e->s->btf, e->modules, prefixes, count);
}

static int groups_unknown(const struct events *e)
{
	diag_error("cannot list %s: groups of tracepoints are known to tracefs alone, which %s%s",
		   e->request->text, e->err ? "cannot be read: " : "--btf FILE has not",
		   e->err ? strerror(-e->err) : "");
	if (e->err)
		diag_hint("try again as root, or ask for any group: 't:*:%s'",
			  e->request->spec.items[0].name);
	else
		diag_hint("ask for any group: 't:*:%s'", e->request->spec.items[0].name);
	return e->err ? EXIT_CANNOT : EXIT_USAGE;
}

static int rows_put(struct events *e, const char *what,
		    void (*row)(struct events *e, const struct event *event, struct out *o))
{
	if (!e->count) {
		diag_error("no %s matches '%s'", what, e->request->text);
		return EXIT_USAGE;
	}
	qsort(e->list, e->count, sizeof(*e->list), by_group);
	for (size_t i = 0; i < e->count; i++)
		if (!i || by_group(&e->list[i - 1], &e->list[i]))
			row(e, &e->list[i], &e->s->out);
	out_flush(&e->s->out);
	if (e->nameless)
		diag_warn("the parameters of %zu are unknown: tracefs has them%s%s", e->nameless,
			  e->err ? ", which cannot be read: " : "", e->err ? strerror(-e->err) : "");
	return EXIT_FINE;
}

static int events_close(struct events *e, int code, int err)
{
	if (err)
		diag_error("cannot list %s: %s", e->request->text, strerror(-err));
	free(e->list);
	free(e->text);
	free(e->names.names);
	btf_modules_close(e->modules);
	return err ? EXIT_CANNOT : code;
}

int list_tracepoints(struct session *s, const struct argdump_request *request)
{
	struct events e = { .s = s, .request = request };
	int err = events_open(&e, trace_prefixes, 2), code = EXIT_FINE;

	if (!err && !e.text && !any_group(&request->spec))
		return events_close(&e, groups_unknown(&e), 0);
	if (!err)
		err = lines_take(&e, tracepoint_take);
	if (!err)
		err = typedefs_take(&e);
	if (!err)
		code = rows_put(&e, "tracepoint", tracepoint_row);
	return events_close(&e, code, err);
}

int list_syscalls(struct session *s, const struct argdump_request *request)
{
	struct events e = { .s = s, .request = request };
	int err = events_open(&e, syscall_prefixes, 4), code = EXIT_FINE;

	if (!err)
		err = lines_take(&e, syscall_take);
	if (!err && !e.count) /* no tracefs, or it has no events of system calls */
		err = entries_take(&e);
	if (!err)
		code = rows_put(&e, "system call", syscall_row);
	return events_close(&e, code, err);
}
