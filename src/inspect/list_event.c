/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list_event.c - argdump --list of tracepoints and system calls, with their fields.
 *
 * BTF has a typedef for each tracepoint, and a function with named parameters; only tracefs knows
 * the groups. The arguments of system calls are in tracefs, and some are in BTF.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probe/argdump.h"
#include "inspect/list.h"
#include "btf/btf_modules.h"
#include "probe/providers/tracefs.h"
#include "util/log.h"
#include "util/escape.h"

enum { TYPEDEF, ITER };
static const char *const trace_prefixes[] = { "btf_trace_", "__traceiter_" };
enum { ENTRY, ENTRY_ARM, ENTRY_RISCV, BODY, BODY_LONG };
static const char *const syscall_prefixes[] = { "__x64_sys_", "__arm64_sys_", "__riscv_sys_",
						"__do_sys_", "__se_sys_" };

#define SYSCALL_GROUP "syscalls"
#define SYSCALL_ENTER "sys_enter_"

struct event {
	const char *group; /* NULL: not an event of tracefs */
	const char *name;
};

struct events {
	struct session *s;
	const struct argdump_request *request;
	struct btf_modules *modules; /* owned */
	struct prefixed_names names; /* owned */
	char *text;	    /* owned: the list of events in tracefs; NULL: it cannot be read */
	int err;	    /* why it cannot be read: a negative errno */
	struct event *list; /* owned; sorted by group, then name */
	size_t count;
	size_t nameless; /* rows with unknown parameters */
};

/* ---- which events ---- */

static int event_add(struct events *e, const char *group, const char *name)
{
	struct event *larger;

	if (!(e->count &
	      (e->count - 1))) { /* grows the array each time its size reaches a power of two */
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

/* Calls add(e, group, name) for each event of tracefs. */
static int lines_parse(struct events *e,
		       int (*add)(struct events *e, const char *group, const char *name))
{
	char *text = e->text, *group, *name;
	int err = 0;

	while (!err && event_line_next(&text, &group, &name))
		err = add(e, group, name);
	return err;
}

static int tracepoint_parse(struct events *e, const char *group, const char *name)
{
	return probe_spec_accepts(&e->request->spec, group, name) ? event_add(e, group, name) : 0;
}

static bool any_group(const struct probe_spec *spec)
{
	for (size_t i = 0; i < spec->count; i++)
		if (spec->items[i].scope && strcmp(spec->items[i].scope, "*"))
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

/* Adds the tracepoints without an event, or all of them if tracefs cannot be read. They have no group; the pattern
 * "*" matches that. */
static int typedefs_parse(struct events *e)
{
	size_t known = e->count;
	int err = 0;

	for (size_t i = 0; i < e->names.count && !err; i++) {
		const struct prefixed_name *n = &e->names.names[i];

		if (n->prefix == TYPEDEF && probe_spec_accepts(&e->request->spec, "", n->name) &&
		    !in_tracefs(e, known, n->name))
			err = event_add(e, NULL, n->name);
	}
	return err;
}

/* The name after sys_enter_ is the kernel's internal name of the call. */
static int syscall_add(struct events *e, const char *group, const char *name)
{
	size_t len = strlen(SYSCALL_ENTER);

	if (strcmp(group, SYSCALL_GROUP) || strncmp(name, SYSCALL_ENTER, len) ||
	    !probe_spec_accepts(&e->request->spec, "", name + len))
		return 0;
	return event_add(e, group, name + len);
}

static int entries_parse(struct events *e)
{
	int err = 0;

	for (size_t i = 0; i < e->names.count && !err; i++) {
		const struct prefixed_name *n = &e->names.names[i];

		if (n->prefix <= ENTRY_RISCV && probe_spec_accepts(&e->request->spec, "", n->name))
			err = event_add(e, NULL, n->name);
	}
	return err;
}

/* ---- rows ---- */

static const struct btf_type *proto_named(const struct prefixed_name *n)
{
	const struct btf_type *t = n ? btf_view_type(n->btf, n->id) : NULL;

	if (t && btf_kind(t) == BTF_KIND_TYPEDEF)
		t = btf_view_type(n->btf, t->type);
	t = t ? btf_view_type(n->btf, t->type) : NULL;
	return t && btf_kind(t) == BTF_KIND_FUNC_PROTO ? t : NULL;
}

static char *format_read(const struct event *event, const char *before)
{
	char path[256];

	if (!event->group)
		return NULL;
	snprintf(path, sizeof(path), "events/%s/%s%s/format", event->group, before, event->name);
	return tracefs_read(path);
}

static void proto_parse(struct list_params *p, const struct prefixed_name *name, unsigned skip)
{
	const struct btf_type *proto = proto_named(name);

	if (proto)
		*p = (struct list_params){ .btf = name->btf, .proto = proto, .skip = skip };
}

/* The first parameter of these functions belongs to the tracer. Only the second kind of function has parameter
 * names. */
static void tracepoint_row(const struct events *e, const struct event *event, struct list_row *row)
{
	const struct prefixed_name *name = prefixed_names_get(&e->names, event->name, TYPEDEF);
	bool typed = proto_named(name);

	row->group = event->group;
	row->attach = 1u << (typed ? ATTACH_TRACEPOINT : ATTACH_EVENT);
	proto_parse(&row->params, name, 1);
	if (typed)
		proto_parse(&row->params, prefixed_names_get(&e->names, event->name, ITER), 1);
	else
		row->params.format = format_read(event, "");
}

static void syscall_row(const struct events *e, const struct event *event, struct list_row *row)
{
	row->params.format = format_read(event, SYSCALL_ENTER);
	if (row->params.format)
		return;
	proto_parse(&row->params, prefixed_names_get(&e->names, event->name, BODY_LONG), 0);
	proto_parse(&row->params, prefixed_names_get(&e->names, event->name, BODY), 0);
}

static void tracepoint_text(struct buf *o, const void *record)
{
	const struct list_row *row = record;
	const struct events *e = row->text;

	buf_printf(o, "%-13s t:%s:", list_cheapest(row->attach),
		   row->group ? row->group :
		   e->text    ? "-" :
				"?");
	escape_write(o, row->name, strlen(row->name));
	list_params_write(o, &row->params);
	buf_str(o, row->group || !e->text ? "\n" : "  /* it has no event in tracefs */\n");
}

static void syscall_text(struct buf *o, const void *record)
{
	const struct list_row *row = record;

	buf_str(o, "s:");
	escape_write(o, row->name, strlen(row->name));
	list_params_write(o, &row->params);
	buf_char(o, '\n');
}

/* A kind of listed events. */
struct event_kind {
	const char *what; /* what was searched, for the message that nothing was found */
	const char *type; /* the type of a row in JSON */
	const struct field *fields;
	void (*text)(struct buf *o, const void *record);
	void (*fill)(const struct events *e, const struct event *event, struct list_row *row);
};
static const struct event_kind tracepoints = { "tracepoint", "tracepoint", list_tracepoint_fields,
					       tracepoint_text, tracepoint_row };
static const struct event_kind syscalls = { "system call", "syscall", list_syscall_fields,
					    syscall_text, syscall_row };

static void row_write(struct events *e, struct list_rows *rows, const struct event_kind *kind,
		      const struct event *event)
{
	struct list_row row = { .name = event->name, .text = e };

	kind->fill(e, event, &row);
	e->nameless += !list_params_known(&row.params);
	list_write(rows, &row);
	free(row.params.format);
}

/* ---- tracepoints and system calls ---- */

static int events_open(struct events *e, const char *const *prefixes, size_t count)
{
	if (!e->s->options.attach.btf) {
		btf_modules_open(e->s->btf, NULL, &e->modules);
		e->text = tracefs_read("available_events");
		e->err = e->text ? 0 : -errno;
	}
	return prefixed_names_find(&e->names, e->s->btf, e->modules, prefixes, count);
}

static int groups_unknown(const struct events *e)
{
	log_error("cannot list %s: groups of tracepoints are only in tracefs, which %s%s",
		  e->request->text, e->err ? "cannot be read: " : "--btf FILE does not have",
		  e->err ? strerror(-e->err) : "");
	if (e->err)
		log_hint("try again as root, or ask for any group: 't:*:%s'",
			 e->request->spec.items[0].name);
	else
		log_hint("ask for any group: 't:*:%s'", e->request->spec.items[0].name);
	return e->err ? EXIT_CANNOT : EXIT_USAGE;
}

static int rows_write(struct events *e, const struct event_kind *kind)
{
	struct list_rows rows;

	if (!e->count) {
		log_error("no %s matches '%s'", kind->what, e->request->text);
		return EXIT_USAGE;
	}
	qsort(e->list, e->count, sizeof(*e->list), by_group);
	list_begin(&rows, e->s, kind->type, kind->fields, kind->text, sizeof(struct list_row));
	for (size_t i = 0; i < e->count; i++)
		if (!i || by_group(&e->list[i - 1], &e->list[i]))
			row_write(e, &rows, kind, &e->list[i]);
	list_end(&rows);
	if (e->nameless)
		log_warn("the parameters of %zu are unknown: they are in tracefs%s%s", e->nameless,
			 e->err ? ", which cannot be read: " : "", e->err ? strerror(-e->err) : "");
	return EXIT_FINE;
}

static int events_close(struct events *e, int code, int err)
{
	if (err)
		log_error("cannot list %s: %s", e->request->text, strerror(-err));
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
		err = lines_parse(&e, tracepoint_parse);
	if (!err)
		err = typedefs_parse(&e);
	if (!err)
		code = rows_write(&e, &tracepoints);
	return events_close(&e, code, err);
}

int list_syscalls(struct session *s, const struct argdump_request *request)
{
	struct events e = { .s = s, .request = request };
	int err = events_open(&e, syscall_prefixes, BODY_LONG + 1), code = EXIT_FINE;

	if (!err)
		err = lines_parse(&e, syscall_add);
	if (!err && !e.count) /* tracefs is missing or lists no system calls */
		err = entries_parse(&e);
	if (!err)
		code = rows_write(&e, &syscalls);
	return events_close(&e, code, err);
}
