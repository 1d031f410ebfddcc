/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inner_pids.c - looks up the numbers when a record is written (inner_pids.h).
 */
#include "run/inner_pids.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "output/field/field_load.h"
#include "output/field/value_json.h"
#include "output/field/value_number.h"

static int inners_fd = -1;

void inner_pids_use(int map_fd)
{
	inners_fd = map_fd;
}

uint32_t inner_of(uint32_t pid)
{
	uint32_t inner = 0;

	if (inners_fd < 0 || bpf_map_lookup_elem(inners_fd, &pid, &inner))
		return 0;
	return inner;
}

static int inner_load(const struct field *f, const void *record, size_t size, struct value *v)
{
	int err = load_unsigned(f, record, size, v);

	if (err)
		return err;
	v->u = inner_of(v->u);
	if (!v->u)
		v->status = EVENT_NONE;
	return 0;
}

static size_t pid_text(struct buf *o, const struct field *f, const struct value *v,
		       enum timestamp_form form)
{
	struct value inner = { .u = inner_of(v->u) };
	size_t width = text_uint(o, f, v, form);

	if (!inner.u)
		return width;
	buf_char(o, '/');
	return width + 1 + text_uint(o, f, &inner, form);
}

const struct field_kind field_inner_pid = { .name = "unsigned",
					    .flags = KIND_RIGHT,
					    .load = inner_load,
					    .text = text_uint,
					    .json = json_uint };
static const struct field_kind pid_kind = { .name = "unsigned",
					    .flags = KIND_RIGHT,
					    .load = load_unsigned,
					    .text = pid_text,
					    .json = json_uint };

enum { PID_WIDTH = 12 };

int inner_pids_show(struct schema *s, struct field **owned)
{
	struct field *fields = calloc(s->count + 1, sizeof(*fields));

	if (!fields)
		return -ENOMEM;
	memcpy(fields, s->fields, s->count * sizeof(*fields));
	for (size_t i = 0; i < s->count; i++) {
		if (fields[i].kind == &field_inner_pid && i < 64)
			s->optional |= 1ull << i;
		if (strcmp(fields[i].name, "pid") != 0 && strcmp(fields[i].name, "tid") != 0)
			continue;
		fields[i].kind = &pid_kind;
		fields[i].width = PID_WIDTH;
	}
	s->fields = *owned = fields;
	return 0;
}
