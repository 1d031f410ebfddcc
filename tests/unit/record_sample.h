/* SPDX-License-Identifier: GPL-2.0-only */
/* record_sample.h - records of calls, filled by hand, and the text that they become. */
#ifndef CORETAP_TESTS_RECORD_SAMPLE_H
#define CORETAP_TESTS_RECORD_SAMPLE_H

#include <string.h>

#include "syscalls/ioctl.h"
#include "syscalls/syscalls.h"
#include "unit.h"

static struct syscall_options options = { .strings = 32, .column = 1 };

#ifndef RECORD_ROOM
#define RECORD_ROOM 1024
#endif

struct record {
	struct syssnoop_event event;
	char chunks[RECORD_ROOM];
};

static inline void chunk_add(struct record *r, unsigned arg, unsigned when, unsigned part,
			     const void *bytes, size_t len)
{
	struct syssnoop_chunk c = { .arg = (uint8_t)arg,
				    .when = (uint8_t)when,
				    .part = (uint16_t)part,
				    .len = (uint32_t)len };
	char *to = (char *)r + r->event.size;

	memcpy(to, &c, sizeof(c));
	memcpy(to + sizeof(c), bytes, len);
	r->event.size += (uint32_t)(sizeof(c) + (len + 3) / 4 * 4);
}

static inline void expect(const struct record *r, const char *text)
{
	struct buf o;

	buf_init(&o, -1);
	syscall_write_text(&o, &r->event, &options);
	buf_char(&o, 0);
	assert_string_equal(o.data, text);
	buf_free(&o);
}

/* `args`: six; NULL: all 0 */
static inline struct record record_of(const char *name, int64_t ret, const uint64_t *args)
{
	struct record r = { .event = { .ret = ret, .size = sizeof(r.event) } };

	r.event.nr = (uint32_t)syscall_number(SYSCALL_ABI_64, name, strlen(name));
	if (args)
		memcpy(r.event.args, args, sizeof(r.event.args));
	return r;
}

#endif
