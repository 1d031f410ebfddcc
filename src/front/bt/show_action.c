/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_action.c - runs the actions that the program requests from user space, as their records arrive.
 *
 * cat() and system() first format, then run. A command's output is read to its end, which may take long: records wait
 * in the ring meanwhile, as with bpftrace.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "front/bt/show_parts.h"
#include "util/escape.h"
#include "util/log.h"

/* ---- text ---- */

/* Prints a text of the program: raw as text, or a line of that type in JSON. */
static void text_show(struct bt_show *s, const char *type, const struct buf *text)
{
	if (s->json)
		bt_json_text(s->out, type, text->data ?: "", text->len);
	else
		buf_bytes(s->out, text->data ?: "", text->len);
}

static int printf_show(struct bt_show *s, const struct script_action *a, const void *record,
		       size_t size)
{
	size_t start = s->out->len;
	struct buf text;
	int err;

	if (!s->json) {
		err = bt_format_write(s, s->out, a, record, size);
		if (err)
			buf_rewind(s->out, start);
		return err;
	}
	buf_init(&text, -1);
	err = bt_format_write(s, &text, a, record, size);
	if (!err)
		text_show(s, "printf", &text);
	buf_free(&text);
	return err;
}

static struct span place_of(const struct script_action *a)
{
	return a->call ? a->call->span : a->span;
}

static int message_show(struct bt_show *s, const struct script_action *a, const void *record,
			size_t size)
{
	struct bt_show to_err = *s;
	struct buf text;
	int err;

	if (a->kind == ACTION_WARNF && s->no_warnings)
		return 0;
	s->errors += a->kind == ACTION_ERRORF;
	to_err.out_is_terminal = s->err_is_terminal;
	buf_init(&text, -1);
	err = bt_format_write(&to_err, &text, a, record, size);
	if (!err)
		bt_message_show(s, place_of(a), a->kind == ACTION_WARNF ? "warnf" : "errorf",
				text.data ?: "", text.len);
	if (!err)
		bt_expansions_show(s, a->call, a->kind != ACTION_WARNF);
	buf_free(&text);
	return err;
}

/* -k */
static int failure_show(struct bt_show *s, const struct script_action *a, const void *record,
			size_t size)
{
	struct script_failure f;

	if (size < sizeof(f))
		return -EBADMSG;
	memcpy(&f, record, sizeof(f));
	bt_helper_show(s, a->span,
		       f.result ? strerror(-(int)f.result) :
				  "Can't lookup map element because it does not exist.",
		       a->text, -(int)f.result);
	return 0;
}

/* Argument 0 is the message. */
int bt_assert_show(struct bt_show *s, const struct script_action *a, const void *record,
		   size_t size)
{
	struct script_action said = *a;

	said.kind = ACTION_ERRORF;
	said.text = "assert failed: %s";
	return message_show(s, &said, record, size);
}

/* ---- values ---- */

/* Prints the last argument of PRINT_ENTRY, the value; the key is not printed. */
static int value_show(struct bt_show *s, const struct script_action *a, const void *record,
		      size_t size)
{
	struct bt_form f = bt_form_of(s, s->json);
	struct bt_argument v;

	if (!a->arg_count || !bt_argument_get(a, a->arg_count - 1, record, size, &v))
		return -EBADMSG;
	f.raw |= v.is_literal;
	if (s->json)
		bt_json_begin(s->out, "value");
	bt_show_value(&f, s->out, &v.type, v.image);
	if (s->json)
		bt_json_end(s->out);
	else
		buf_char(s->out, '\n');
	return 0;
}

static int time_show(struct bt_show *s, const struct script_action *a)
{
	time_t now = time(NULL);
	char text[1024];
	struct buf o;
	struct tm tm;
	size_t len;

	localtime_r(&now, &tm);
	len = strftime(text, sizeof(text), a->text ?: "%H:%M:%S\n", &tm);
	buf_init(&o, -1);
	buf_bytes(&o, text, len);
	text_show(s, "time", &o);
	buf_free(&o);
	return 0;
}

static int join_show(struct bt_show *s, const struct script_action *a, const void *record,
		     size_t size)
{
	struct bt_form f = bt_form_of(s, false);
	const struct script_join *join;
	struct bt_argument v;
	struct buf text;

	if (!a->arg_count || !bt_argument_get(a, 0, record, size, &v) ||
	    v.type.size < sizeof(*join))
		return -EBADMSG;
	join = v.image;
	buf_init(&text, -1);
	for (uint32_t i = 0; i < join->count && i < SCRIPT_JOIN_MAX; i++) {
		if (i)
			buf_str(&text, a->text ?: " ");
		bt_show_text(&f, &text, join->words[i], strnlen(join->words[i], SCRIPT_JOIN_ROOM));
	}
	if (!s->json)
		buf_char(&text, '\n');
	text_show(s, "join", &text);
	buf_free(&text);
	return 0;
}

/* ---- files and commands ---- */

static void file_read(struct bt_show *s, struct buf *o, const char *path)
{
	size_t left = s->script ? s->script->config.max_cat_bytes : 10240;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : 1;
	char bytes[4096];

	while (n > 0 && left) {
		n = read(fd, bytes, left < sizeof(bytes) ? left : sizeof(bytes));
		if (n < 0 && errno == EINTR) {
			n = 1;
		} else if (n > 0) {
			buf_bytes(o, bytes, (size_t)n);
			left -= (size_t)n;
		}
	}
	if (n < 0) {
		int err = errno;

		buf_str(s->err, "ERROR: failed to open file '");
		escape_write_lines(s->err, path, strlen(path));
		buf_printf(s->err, "' (%s)\n", strerror(err));
	}
	if (fd >= 0)
		close(fd);
}

static int command_run(struct buf *o, const char *command)
{
	FILE *pipe = popen(command, "re");
	char bytes[4096];
	int status;
	size_t n;

	if (!pipe)
		return -errno;
	while ((n = fread(bytes, 1, sizeof(bytes), pipe)))
		buf_bytes(o, bytes, n);
	status = pclose(pipe);
	if (WIFEXITED(status) && WEXITSTATUS(status))
		log_warn("system(): the command exited with code %d", WEXITSTATUS(status));
	return 0;
}

/* Prints a command's output, followed by a newline, as in bpftrace. A command may control the terminal, as in a
 * shell; the contents of a file may not. */
static int done_show(struct bt_show *s, const struct script_action *a, const void *record,
		     size_t size)
{
	bool is_command = a->kind == ACTION_SYSTEM;
	struct bt_show raw = *s;
	struct buf words, text;
	int err;

	raw.out_is_terminal = false;
	buf_init(&words, -1);
	buf_init(&text, -1);
	err = bt_format_write(&raw, &words, a, record, size);
	buf_char(&words, '\0');
	err = err ?: words.error;
	if (!err && is_command)
		err = command_run(&text, words.data);
	else if (!err)
		file_read(s, &text, words.data);
	if (!err && is_command && !s->json)
		buf_char(&text, '\n');
	if (!err && !is_command && s->out_is_terminal && !s->json)
		escape_write_lines(s->out, text.data ?: "", text.len);
	else if (!err)
		text_show(s, is_command ? "syscall" : "cat", &text);
	buf_free(&words);
	buf_free(&text);
	return err;
}

/* ---- all ---- */

int bt_action_show(struct bt_show *s, const struct script_action *a, const void *record,
		   size_t size)
{
	const struct btf_view *btf = s->btf;
	struct script_record head;
	int err = 0;

	if (size < sizeof(head))
		return -EBADMSG;
	memcpy(&head, record, sizeof(head));
	if (s->names.types)
		s->btf = s->names.types(s->names.ctx, head.point);
	switch (a->kind) {
	case ACTION_PRINTF: err = printf_show(s, a, record, size); break;
	case ACTION_ERRORF:
	case ACTION_WARNF: err = message_show(s, a, record, size); break;
	case ACTION_PRINT:
	case ACTION_PRINT_ENTRY: err = value_show(s, a, record, size); break;
	case ACTION_EMIT: err = bt_row_show(s, a, record, size); break;
	case ACTION_TIME: err = time_show(s, a); break;
	case ACTION_JOIN: err = join_show(s, a, record, size); break;
	case ACTION_CAT:
	case ACTION_SYSTEM: err = done_show(s, a, record, size); break;
	case ACTION_PACKET: err = bt_packet_write(s, a, record, size); break;
	case ACTION_FAILURE: err = failure_show(s, a, record, size); break;
	case ACTION_WARNING: bt_warning_show(s, place_of(a), "%s", a->text); break;
	case ACTION_DELETE_MISSED:
		bt_helper_show(s, place_of(a),
			       "Can't delete map element because it does not exist.",
			       "map_delete_elem", ENOENT);
		break;
	default: s->btf = btf; return 0;
	}
	s->btf = btf;
	return err ?: 1;
}
