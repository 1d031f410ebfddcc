/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * files.c - what a record has of the files behind descriptors (-y): their paths, as /proc/PID/fd has them.
 *
 * The record comes from a ring: every length in it is checked before it is believed.
 */
#include <string.h>

#include "output/field/value_text.h"
#include "syscalls/files_special.h"

static const char deleted[] = " (deleted)";

static bool is_word(const char *s, size_t n, const char *word)
{
	return n == strlen(word) && !memcmp(s, word, n);
}

/* Memory with a name: memfd_create(2), shared memory. Its file system has no place for it. */
static bool memory_put(struct buf *o, struct value v)
{
	const char *type, *name;
	size_t type_len, len;

	if (!value_take_last(&v, &type, &type_len) || !value_take_last(&v, &name, &len) || !len)
		return false;
	if (!is_word(type, type_len, "tmpfs") && !is_word(type, type_len, "hugetlbfs"))
		return false;
	buf_char(o, '/');
	buf_bytes(o, name, len);
	buf_str(o, deleted);
	return true;
}

static void path_put(struct buf *o, struct value v)
{
	size_t len, columns = 0;
	const char *name;

	if (v.status == EVENT_ANONYMOUS) {
		if (!memory_put(o, v))
			path_put_anonymous(o, &v, ESCAPE_PLAIN, &columns);
		return;
	}
	if (v.status == EVENT_CUT || v.status == EVENT_FAULT)
		buf_str(o, "...");
	else if (v.status == EVENT_OUTSIDE)
		buf_str(o, "(unreachable)");
	if (!v.len)
		buf_char(o, '/');
	while (value_take_last(&v, &name, &len)) {
		buf_char(o, '/');
		buf_bytes(o, name, len);
	}
}

/* </path>, </path>(deleted); of a working directory it is all between < and > */
static void text_put(struct out *out, unsigned arg, const struct buf *path)
{
	bool is_cwd = arg < SYSCALL_ARGS && (int32_t)out->event->args[arg] == AT_CWD;
	size_t tail = sizeof(deleted) - 1;
	bool gone = !is_cwd && path->len > tail &&
		    !memcmp(path->data + path->len - tail, deleted, tail);

	out_bracketed(out, path->data, gone ? path->len - tail : path->len);
	buf_rewind(out->o, out->o->len - 1);
	special_put_device(out, arg);
	buf_char(out->o, '>');
	if (gone)
		buf_str(out->o, deleted + 1);
}

static void json_put(struct out *out, const char *name, const struct buf *text)
{
	buf_str(out->o, out->o->data[out->o->len - 1] == '{' ? "" : ",");
	buf_printf(out->o, "\"%s_path\":", name);
	escape_put_json(out->o, text->data, text->len);
}

void out_file(struct out *out, unsigned arg, const char *name)
{
	const struct syssnoop_chunk *c;
	struct out inner = *out;
	struct syssnoop_file f;
	struct value file;
	bool is_socket;
	struct buf text;

	if (!out->options->fd_paths)
		return;
	c = chunk_find(out->event, arg, ~0u, 0);
	if (!chunk_is_good(c) || c->len < sizeof(f))
		return;
	memcpy(&f, c + 1, sizeof(f));
	file = (struct value){ .bytes = (const char *)(c + 1) + sizeof(f),
			       .len = c->len - sizeof(f),
			       .left_out = (uint32_t)f.ino,
			       .status = (uint8_t)f.status };
	buf_init(&text, -1);
	inner.o = &text;
	is_socket = special_put_socket(&inner, arg, &file);
	if (!is_socket)
		path_put(&text, file);
	if (!is_socket && out->json)
		special_put_device(&inner, arg);
	if (text.error)
		out->o->error = text.error;
	else if (out->json)
		json_put(out, name, &text);
	else if (is_socket)
		buf_printf(out->o, "<%.*s>", (int)text.len, text.data);
	else
		text_put(out, arg, &text);
	buf_free(&text);
}
