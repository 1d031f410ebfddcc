/* SPDX-License-Identifier: GPL-2.0-only */
/* fields.c - the fields of a record, for JSON and the filters. */
#include <stdio.h>
#include <string.h>

#include "applets/syssnoop/parts.h"
#include "output/field/field_kind.h"
#include "output/field/shared_fields.h"
#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "output/field/value_json.h"

static void name_value(const struct field *f, const void *record, struct value *v)
{
	const struct syssnoop_event *e = record;

	(void)f;
	if (e->kind != SYSSNOOP_CALL) {
		v->status = EVENT_NONE;
		return;
	}
	v->bytes = syscall_label(e->abi, e->nr);
	v->len = strlen(v->bytes);
}

/* A call that has not returned at the end may be of a thread that is gone: its name is unknown. */
static void comm_value(const struct field *f, const void *record, struct value *v)
{
	const struct syssnoop_event *e = record;

	(void)f;
	v->bytes = e->header.comm;
	v->len = strnlen(e->header.comm, sizeof(e->header.comm));
	if (!v->len && e->flags & SYSSNOOP_UNFINISHED)
		v->status = EVENT_NONE;
}

static void text_value(const struct field *f, const void *record, struct value *v)
{
	static struct buf line;

	(void)f;
	if (!line.data)
		buf_init(&line, -1);
	line.len = 0;
	syscall_write_text(&line, record, &how.text);
	v->bytes = line.data;
	v->len = line.len;
}

static int args_load(const struct field *f, const void *record, size_t size, struct value *v)
{
	(void)f, (void)size;
	*v = (struct value){ .bytes = record, .len = sizeof(struct syssnoop_event) };
	return 0;
}

static void args_json(struct buf *o, const struct field *f, const struct value *v)
{
	(void)f;
	syscall_write_json(o, (const void *)v->bytes, &how.text);
}

static size_t args_text(struct buf *o, const struct field *f, const struct value *v,
			enum timestamp_form form)
{
	size_t begun = o->len;

	(void)form;
	args_json(o, f, v);
	return o->len - begun;
}

static const struct field_kind args_kind = {
	.name = "arguments", .load = args_load, .text = args_text, .json = args_json
};

#define EVENT(member, type, width, help, ...)                                                      \
	FIELD(struct syssnoop_event, member, type, width, help, ##__VA_ARGS__)

/* clang-format off */
static const struct field_name kinds[] = {
	{ SYSSNOOP_CALL, "call" }, { SYSSNOOP_SIGNAL, "signal" }, { SYSSNOOP_EXIT, "exit" }, { 0 },
};
static const struct field_name abis[] = {
	{ SYSCALL_ABI_64, "64" }, { SYSCALL_ABI_32, "32" }, { 0 },
};
const struct field syssnoop_fields[SYSSNOOP_FIELDS] = {
	{ .name = "pid", FIELD_AT(struct syssnoop_event, header.pid), .type = FIELD_UINT, .width = 7,
	  .help = "process" },
	{ .name = "tid", FIELD_AT(struct syssnoop_event, header.tid), .type = FIELD_UINT, .width = 7,
	  .help = "thread" },
	TASK_INNER_FIELD(struct syssnoop_event, header),
	{ .name = "comm", FIELD_AT(struct syssnoop_event, header.comm), .type = FIELD_CSTR,
	  .width = 15, .value = comm_value,
	  .help = "command name of the thread; null if it is gone before its call has returned" },
	EVENT(kind, FIELD_ENUM, 6, "call, signal, exit (the end of a thread)", .names = kinds),
	{ .name = "syscall", .type = FIELD_TEXT, .value = name_value,
	  .help = "name of the call; null for signals and exits" },
	EVENT(nr, FIELD_UINT, 4, "number of the call or signal"),
	EVENT(abi, FIELD_ENUM, 3, "64, or 32 for calls of 32-bit programs", .names = abis),
	{ .name = "args", .kind = &args_kind,
	  .help = "arguments of the call by name: numbers, strings, lists, structs" },
	EVENT(ret, FIELD_RET, 0, "result: a negative errno is an error; of an exit the status as of "
	      "wait(2)"),
	{ .name = "errno", FIELD_AT(struct syssnoop_event, ret), .type = FIELD_ERRNO,
	  .help = "name of the error, null for none" },
	EVENT(latency, FIELD_NS, 7, "duration of the call", .flags = FIELD_MAYBE,
	      .role = FIELD_ROLE_LASTED_BESIDE),
	{ .name = "text", .type = FIELD_TEXT, .value = text_value, .help = "the line of text" },
};
/* clang-format on */
