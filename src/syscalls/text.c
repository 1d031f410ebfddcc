/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * text.c - a record → the line that strace(1) would print, or the arguments as JSON.
 *
 * The record comes from a ring: every length in it is checked before it is believed.
 */
#include "syscalls/text.h"

#include <stdio.h>
#include <string.h>

#include "util/errname.h"

#define COLUMN 40 /* of the = */

/* The chunk of an argument taken at `when`, NULL: there is none. */
static const struct syssnoop_chunk *chunk_find(const struct syssnoop_event *e, unsigned arg,
					       unsigned when, unsigned part)
{
	const char *p = (const char *)(e + 1), *end = (const char *)e + e->size;

	while ((size_t)(end - p) >= sizeof(struct syssnoop_chunk) && end > p) {
		const struct syssnoop_chunk *c = (const void *)p;

		if (c->len > (size_t)(end - p) - sizeof(*c))
			return NULL;
		if (c->arg == arg && c->when & when && c->part == part)
			return c;
		p += sizeof(*c) + ((size_t)c->len + 3) / 4 * 4;
		if (p > end)
			return NULL;
	}
	return NULL;
}

static const struct syssnoop_chunk *chunk_any(const struct syssnoop_event *e, unsigned arg)
{
	return chunk_find(e, arg, TAKE_AT_ENTRY, 0) ?: chunk_find(e, arg, ~0u, 0);
}

static bool chunk_is_good(const struct syssnoop_chunk *c)
{
	return c && (c->status == EVENT_OK || c->status == EVENT_CUT);
}

static void words_put(struct out *out, uint64_t address, const struct syssnoop_chunk *c,
		      bool is_env)
{
	const struct syssnoop_words *w = (const void *)(c + 1);
	const char *p = (const char *)(w + 1), *end = (const char *)(c + 1) + c->len;

	if (c->len < sizeof(*w)) {
		out_hex(out, address);
		return;
	}
	if (is_env && !out->options->verbose) {
		if (out->json)
			buf_uint(out->o, w->total);
		else
			buf_printf(out->o, "%#llx /* %u var%s */", (unsigned long long)address,
				   w->total, w->total == 1 ? "" : "s");
		return;
	}
	buf_char(out->o, '[');
	for (uint32_t i = 0; i < w->kept && (size_t)(end - p) >= sizeof(struct syssnoop_word);
	     i++) {
		const struct syssnoop_word *word = (const void *)p;

		p += sizeof(*word);
		if (word->len > (size_t)(end - p))
			break;
		if (i)
			buf_str(out->o, out->json ? "," : ", ");
		out_string(out, p, word->len, word->status == EVENT_CUT, false);
		p += ((size_t)word->len + 3) / 4 * 4;
		if (p > end)
			break;
	}
	if (w->kept < w->total && !out->json)
		buf_str(out->o, ", ...");
	buf_char(out->o, ']');
}

/* entries of getdents64 */
static void dirent_put(struct out *out, uint64_t address, const struct syssnoop_chunk *c)
{
	const char *p = (const char *)(c + 1);
	uint32_t at = 0, entries = 0, reclen;

	for (; at + 19 <= c->len; at += reclen, entries++) {
		reclen = (uint32_t)memory_number(p + at + 16, 2);
		if (reclen < 19 || reclen > c->len - at)
			break;
	}
	if (out->json)
		buf_uint(out->o, entries);
	else
		buf_printf(out->o, "%#llx /* %u%s entries */", (unsigned long long)address, entries,
			   c->left_out ? " or more" : "");
}

static void iovec_put(struct out *out, unsigned arg, const struct syssnoop_chunk *c, uint64_t left)
{
	unsigned word = out->event->abi ? 4 : 8, count = c->len / (2 * word);
	const char *p = (const char *)(c + 1);

	buf_char(out->o, '[');
	for (unsigned i = 0; i < count; i++, p += 2 * word) {
		uint64_t base = memory_number(p, word), len = memory_number(p + word, word), n;
		const struct syssnoop_chunk *data = chunk_find(out->event, arg, ~0u, 1 + i);

		buf_str(out->o, i ? (out->json ? "," : ", ") : "");
		buf_str(out->o, out->json ? "{\"iov_base\":" : "{iov_base=");
		n = len < left ? len : left;
		left -= n;
		if (chunk_is_good(data) || !n)
			out_string(out, n ? (const char *)(data + 1) : "",
				   n && n < data->len ? n :
				   n		      ? data->len :
							0,
				   n && data->len < n, false);
		else
			out_hex(out, base);
		buf_printf(out->o, out->json ? ",\"iov_len\":%llu}" : ", iov_len=%llu}",
			   (unsigned long long)len);
	}
	buf_char(out->o, ']');
}

/* A set of descriptors: [3 5]. */
static void fdset_put(struct out *out, const struct syssnoop_chunk *c, unsigned limit)
{
	const unsigned char *p = (const void *)(c + 1);
	bool first = true;

	buf_char(out->o, '[');
	for (unsigned fd = 0; fd < limit && fd / 8 < c->len; fd++) {
		if (!(p[fd / 8] >> fd % 8 & 1))
			continue;
		if (!first)
			buf_char(out->o, out->json ? ',' : ' ');
		first = false;
		buf_uint(out->o, fd);
	}
	buf_char(out->o, ']');
}

static void array_put(struct out *out, const struct type *t, const struct syssnoop_chunk *c)
{
	uint32_t align, size = type_size(t, out->event->abi, &align);
	const char *p = (const char *)(c + 1);

	buf_char(out->o, '[');
	for (uint32_t at = 0; size && at + size <= c->len; at += size) {
		buf_str(out->o, at ? (out->json ? "," : ", ") : "");
		out_memory(out, t, p + at, size);
	}
	buf_char(out->o, ']');
}

/* revents are not shown with what is asked for. */
static void pollfd_put(struct out *out, const struct syssnoop_chunk *c, bool is_return)
{
	const char *p = (const char *)(c + 1);
	bool first = true;

	buf_char(out->o, '[');
	for (uint32_t at = 0; at + 8 <= c->len; at += 8) {
		uint64_t bits = memory_number(p + at + (is_return ? 6 : 4), 2);

		if (is_return && !bits)
			continue;
		buf_str(out->o, first ? "" : out->json ? "," : ", ");
		first = false;
		buf_printf(out->o, out->json ? "{\"fd\":%d,\"%s\":" : "{fd=%d, %s=",
			   (int)memory_number(p + at, 4), is_return ? "revents" : "events");
		out_set(out, set_find("poll"), bits, 2);
		buf_char(out->o, '}');
	}
	buf_char(out->o, ']');
}

static void clone_put(struct out *out, const struct call *c)
{
	const __u64 *a = out->event->args;
	uint64_t flags = a[0] & ~0xffull;
	unsigned tid = 3, tls = 4;
	struct buf *o = out->o;

	(void)c;
	if (out->event->abi) {
		tls = 3;
		tid = 4;
	}
	buf_str(o, "child_stack=");
	a[1] ? out_hex(out, a[1]) : buf_str(o, "NULL");
	buf_str(o, ", flags=");
	if (flags)
		out_set(out, set_find("clone"), flags, 8);
	if (a[0] & 0xff) {
		const char *name = set_name(set_find("signal"), a[0] & 0xff);

		buf_printf(o, flags ? "|%s" : "%s", name ?: "?");
	} else if (!flags) {
		buf_char(o, '0');
	}
	if (flags & 0x00100000) /* CLONE_PARENT_SETTID */
		buf_printf(o, ", parent_tid=%#llx", (unsigned long long)a[2]);
	if (flags & 0x00080000)
		buf_printf(o, ", tls=%#llx", (unsigned long long)a[tls]);
	if (flags & 0x01200000)
		buf_printf(o, ", child_tidptr=%#llx", (unsigned long long)a[tid]);
}

static void data_put(struct out *out, const struct call *call, unsigned i,
		     const struct syssnoop_chunk *c)
{
	const struct type *t = &call->args[i].type;
	uint64_t address = out->event->args[i], wanted = c->len;
	const char *p = (const char *)(c + 1);
	bool more;

	switch (t->kind) {
	case TYPE_PATH:
	case TYPE_STR: {
		size_t n = strnlen(p, c->len);

		if (t->count_arg != SYSCALL_RESULT && t->kind == TYPE_STR)
			more = n == c->len && c->status == EVENT_CUT;
		else
			more = c->status == EVENT_CUT;
		out_string(out, p, n, more, false);
		break;
	}
	case TYPE_BUF:
		if (t->count_arg < SYSCALL_ARGS)
			wanted = out->event->args[t->count_arg];
		else if (t->count_arg == SYSCALL_RESULT)
			wanted = (uint64_t)out->event->ret;
		out_string(out, p, c->len, c->len < wanted, t->hex);
		break;
	case TYPE_WORDS:
	case TYPE_ENVP: words_put(out, address, c, t->kind == TYPE_ENVP); break;
	case TYPE_DIRENT: dirent_put(out, address, c); break;
	case TYPE_IOVEC:
		iovec_put(out, i, c, t->ptr == '>' ? (uint64_t)out->event->ret : ~0ull);
		break;
	case TYPE_FDSET: fdset_put(out, c, (unsigned)out->event->args[0]); break;
	case TYPE_STRUCT:
		if (!strcmp(((const struct layout *)t->of)->name, "pollfd")) {
			pollfd_put(out, c, false);
			break;
		} /* fallthrough */
	default:
		if (t->array)
			array_put(out, t, c);
		else
			out_memory(out, t, p, c->len);
	}
}

/* [16 => 12] */
static void socklen_put(struct out *out, unsigned i)
{
	const struct syssnoop_chunk *before = chunk_find(out->event, i, TAKE_AT_ENTRY, 0),
				    *after = chunk_find(out->event, i, TAKE_AT_RETURN, 0);
	uint32_t a, b;

	if (!chunk_is_good(before) || before->len < 4) {
		out->event->args[i] || out->json ? out_hex(out, out->event->args[i]) :
						   buf_str(out->o, "NULL");
		return;
	}
	a = (uint32_t)memory_number((const char *)(before + 1), 4);
	b = chunk_is_good(after) && after->len >= 4 ?
		    (uint32_t)memory_number((const char *)(after + 1), 4) :
		    a;
	if (out->json)
		buf_uint(out->o, b);
	else if (a == b)
		buf_printf(out->o, "[%u]", a);
	else
		buf_printf(out->o, "[%u => %u]", a, b);
}

static void arg_put(struct out *out, const struct call *call, unsigned i)
{
	static const struct type pointer = { .kind = TYPE_PTR, .size = SIZE_WORD };
	const struct type *t = &call->args[i].type;
	const struct syssnoop_chunk *c = chunk_any(out->event, i);
	bool failed = out->event->ret < 0 && out->event->ret >= -4095;

	if (t->kind == TYPE_PROTO && out->event->args[0] != 2 && out->event->args[0] != 10)
		buf_int(out->o, (int)out->event->args[i]);
	else if (t->kind == TYPE_SOCKLEN)
		socklen_put(out, i);
	else if (!t->ptr && t->kind != TYPE_PATH)
		out_scalar(out, t, out->event->args[i]);
	else if (t->kind == TYPE_WSTATUS && !out->event->ret)
		out_scalar(out, &pointer, out->event->args[i]);
	else if (out->event->args[i] && t->kind == TYPE_BUF && t->ptr == '>' && !out->event->ret &&
		 !strstr(call->name, "xattr"))
		out_string(out, "", 0, false, false);
	else if (chunk_is_good(c) && !(t->ptr == '>' && failed) &&
		 (c->len || t->kind != TYPE_BUF || t->ptr == '*'))
		data_put(out, call, i, c);
	else
		out_scalar(out, &pointer, out->event->args[i]);
}

/* An argument that is there only with certain flags before it. */
static bool arg_is_shown(const struct syssnoop_event *e, const struct call *c, unsigned i)
{
	const struct type *t = &c->args[i].type;

	if (t->kind == TYPE_SKIP)
		return false;
	if (t->optional && i)
		return e->args[i - 1] & 0100 || (e->args[i - 1] & 020200000) == 020200000;
	return true;
}

static void args_put(struct out *out, const char *name, const struct call *c)
{
	bool first = true;

	if (c && name && !strcmp(name, "clone") && !out->json) {
		clone_put(out, c);
		return;
	}
	for (unsigned i = 0; i < (c ? c->nargs : SYSCALL_ARGS); i++) {
		if (c && !arg_is_shown(out->event, c, i))
			continue;
		buf_str(out->o, first ? "" : out->json ? "," : ", ");
		first = false;
		if (out->json && c)
			buf_printf(out->o, "\"%s\":", c->args[i].name);
		else if (out->json)
			buf_printf(out->o, "\"arg%u\":", i);
		if (c)
			arg_put(out, c, i);
		else
			out_hex(out, out->event->args[i]);
	}
}

/* ---- the result ---- */

static void error_put(struct buf *o, int err)
{
	static const char *const restart[] = { "ERESTARTSYS (To be restarted if SA_RESTART is set)",
					       "ERESTARTNOINTR (To be restarted)",
					       "ERESTARTNOHAND (To be restarted if no handler)", "",
					       "ERESTART_RESTARTBLOCK (Interrupted by signal)" };

	if (err >= 512 && err <= 516 && err != 515)
		buf_printf(o, "? %s", restart[err - 512]);
	else if (errname(err))
		buf_printf(o, "-1 %s (%s)", errname(err), errtext(err));
	else
		buf_printf(o, "-1 (errno %d)", err);
}

static void polled_put(struct out *out, const struct call *c)
{
	const struct syssnoop_chunk *chunk = chunk_find(out->event, 0, TAKE_AT_RETURN, 0);

	if (strcmp(c->name, "poll") && strcmp(c->name, "ppoll"))
		return;
	if (!out->event->ret)
		buf_str(out->o, " (Timeout)");
	else if (chunk_is_good(chunk)) {
		buf_str(out->o, " (");
		pollfd_put(out, chunk, true);
		buf_char(out->o, ')');
	}
}

static void selected_put(struct out *out)
{
	static const char *const words[] = { "in", "out", "except" };
	bool first = true;

	if (!out->event->ret) {
		buf_str(out->o, " (Timeout)");
		return;
	}
	for (unsigned i = 1; i < 4; i++) {
		const struct syssnoop_chunk *c = chunk_find(out->event, i, TAKE_AT_RETURN, 0);
		size_t at = out->o->len;

		if (!chunk_is_good(c) || !out->event->args[i])
			continue;
		buf_printf(out->o, first ? " (%s " : ", %s ", words[i - 1]);
		fdset_put(out, c, (unsigned)out->event->args[0]);
		if (out->o->len > at + 2 && out->o->data[out->o->len - 2] == '[')
			buf_rewind(out->o, at);
		else
			first = false;
	}
	if (!first)
		buf_char(out->o, ')');
}

static void result_put(struct out *out, const struct call *c)
{
	const struct syssnoop_event *e = out->event;
	int64_t ret = e->ret;

	if (e->flags & SYSSNOOP_NO_RETURN || (e->flags & SYSSNOOP_UNFINISHED)) {
		buf_char(out->o, '?');
	} else if (ret < 0 && ret >= -4095) {
		error_put(out->o, (int)-ret);
	} else if (c && c->result.kind == TYPE_FLAGS) {
		buf_printf(out->o, "%#llx (flags ", (unsigned long long)ret);
		out_set(out, c->result.of, (uint64_t)ret, 8);
		buf_char(out->o, ')');
	} else if (c && c->result.kind == TYPE_HEX) {
		buf_printf(out->o, ret ? "%#llx" : "%llx", (unsigned long long)ret);
	} else if (c && c->result.kind == TYPE_OCTAL) {
		buf_printf(out->o, "%#03llo", (unsigned long long)ret);
	} else if (c && ret == 1 && !strcmp(c->name, "fcntl") && c->variants && e->args[1] == 1) {
		buf_str(out->o, "0x1 (flags FD_CLOEXEC)");
	} else {
		buf_int(out->o, ret);
	}
	if (!c || ret < 0 || e->flags)
		return;
	polled_put(out, c);
	if (!strcmp(c->name, "select") || !strcmp(c->name, "pselect6"))
		selected_put(out);
}

static void call_put(struct out *out)
{
	const struct syssnoop_event *e = out->event;
	const char *name = syscall_name(e->abi, e->nr);
	const struct call *c = call_row(e->abi, e->nr);
	size_t start = out->o->len, column = out->options->column ?: COLUMN, width;

	if (c)
		c = call_variant(c, e->args);
	if (name)
		buf_str(out->o, name);
	else
		buf_printf(out->o, "syscall_0x%x", e->nr);
	buf_char(out->o, '(');
	args_put(out, name, c);
	if (e->flags & SYSSNOOP_UNFINISHED) {
		buf_str(out->o, " <unfinished ...>");
		return;
	}
	buf_char(out->o, ')');
	width = out->o->len - start;
	if (width < column - 1)
		buf_repeat(out->o, ' ', column - 1 - width);
	buf_str(out->o, width < column - 1 ? "= " : " = ");
	if (width < column - 1 && out->o->len > 2)
		memcpy(out->o->data + out->o->len - 2, "= ", 2);
	result_put(out, c);
}

/* ---- signals and ends ---- */

static const char *signal_name(unsigned nr, char room[16])
{
	const char *name = set_name(set_find("signal"), nr);

	snprintf(room, 16, nr == 32 ? "SIGRTMIN" : "SIGRT_%u", nr - 32);
	return name ?: room;
}

static void ticks_put(struct buf *o, const char *name, long ticks)
{
	buf_printf(o, ", %s=%ld", name, ticks);
	if (ticks)
		buf_printf(o, " /* %ld.%02ld s */", ticks / 100, ticks % 100);
}

static void signal_put(struct out *out)
{
	const struct syssnoop_event *e = out->event;
	const char *info = (const char *)e->siginfo;
	int code = (int)memory_number(info + 8, 4);
	char room[16];
	const char *name = signal_name(e->nr, room);
	struct buf *o = out->o;

	buf_printf(o, "--- %s {si_signo=%s, si_code=", name, name);
	if (code > 0 && code != 0x80)
		out_set(out, set_find(e->nr == 17 ? "cldcode" : "segvcode"), (uint32_t)code, 4);
	else
		out_set(out, set_find("sicode"), (uint32_t)code, 4);
	if (e->nr == 17 && code > 0) {
		unsigned status = (unsigned)memory_number(info + 24, 4);

		buf_printf(o,
			   ", si_pid=%d, si_uid=%u, si_status=", (int)memory_number(info + 16, 4),
			   (unsigned)memory_number(info + 20, 4));
		if (code == 1)
			buf_uint(o, status);
		else
			buf_str(o, signal_name(status, room));
		ticks_put(o, "si_utime", (long)memory_number(info + 32, 8));
		ticks_put(o, "si_stime", (long)memory_number(info + 40, 8));
	} else if (code <= 0) {
		buf_printf(o, ", si_pid=%d, si_uid=%u", (int)memory_number(info + 16, 4),
			   (unsigned)memory_number(info + 20, 4));
	} else if (code != 0x80) {
		uint64_t at = memory_number(info + 16, 8);

		buf_printf(o, at ? ", si_addr=%#llx" : ", si_addr=NULL", (unsigned long long)at);
	}
	buf_str(o, "} ---");
}

static void exit_put(struct out *out)
{
	unsigned status = (unsigned)out->event->ret;
	char room[16];

	if (status & 127)
		buf_printf(out->o, "+++ killed by %s%s +++", signal_name(status & 127, room),
			   status & 128 ? " (core dumped)" : "");
	else
		buf_printf(out->o, "+++ exited with %u +++", status >> 8 & 255);
}

void syscall_put_text(struct buf *o, const struct syssnoop_event *e,
		      const struct syscall_options *options)
{
	struct out out = { o, e, options, false };

	syscall_name(0, 0); /* the tables are there */
	if (e->kind == SYSSNOOP_SIGNAL)
		signal_put(&out);
	else if (e->kind == SYSSNOOP_EXIT)
		exit_put(&out);
	else
		call_put(&out);
}

void syscall_put_json(struct buf *o, const struct syssnoop_event *e,
		      const struct syscall_options *options)
{
	struct out out = { o, e, options, true };
	const struct call *c = call_row(e->abi, e->nr);

	buf_char(o, '{');
	if (e->kind == SYSSNOOP_CALL)
		args_put(&out, syscall_name(e->abi, e->nr), c ? call_variant(c, e->args) : NULL);
	buf_char(o, '}');
}
