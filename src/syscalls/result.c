/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * result.c - prints the result of a call as strace(1) would: a number, its meaning, an error, what is left of a timeout.
 */
#include <stdio.h>
#include <string.h>

#include "syscalls/text.h"
#include "util/errname.h"
#include "util/terminal.h"

static void error_write(struct buf *o, int err)
{
	static const char *const restart[] = { "ERESTARTSYS (To be restarted if SA_RESTART is set)",
					       "ERESTARTNOINTR (To be restarted)",
					       "ERESTARTNOHAND (To be restarted if no handler)", "",
					       "ERESTART_RESTARTBLOCK (Interrupted by signal)" };

	if (err >= 512 && err <= 516 && err != 515)
		buf_printf(o, "? %s", restart[err - 512]);
	else if (errname(err))
		buf_printf(o, "-1 %s (%s)", errname(err), strerror(err));
	else
		buf_printf(o, "-1 (errno %d)", err);
}

/* Writes the rest of a call's timeout. */
static void left_write(struct out *out, const struct call *call, unsigned arg, const char *before)
{
	const struct syssnoop_chunk *c = chunk_find(out->event, arg, TAKE_AT_RETURN, 0);

	if (!out->event->args[arg] || !chunk_is_good(c))
		return;
	buf_str(out->o, before);
	out_memory(out, &call->args[arg].type, (const char *)(c + 1), c->len);
}

static void polled_write(struct out *out, const struct call *c)
{
	const struct syssnoop_chunk *chunk = chunk_find(out->event, 0, TAKE_AT_RETURN, 0);

	if (!out->event->ret)
		buf_str(out->o, " (Timeout)");
	else if (chunk_is_good(chunk)) {
		buf_str(out->o, " (");
		out_pollfds(out, chunk, true);
		if (c->special == SPECIAL_PPOLL)
			left_write(out, c, 2, ", left ");
		buf_char(out->o, ')');
	}
}

static void selected_write(struct out *out, const struct call *call)
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
		out_fdset(out, c, (unsigned)out->event->args[0]);
		if (out->o->len > at + 2 && out->o->data[out->o->len - 2] == '[')
			buf_rewind(out->o, at);
		else
			first = false;
	}
	if (first)
		buf_str(out->o, " (");
	left_write(out, call, 4, first ? "left " : ", left ");
	buf_char(out->o, ')');
}

/* recvmmsg */
static void messages_left_write(struct out *out, const struct call *call)
{
	size_t at = out->o->len;

	if (!out->event->ret) {
		buf_str(out->o, " (Timeout)");
		return;
	}
	left_write(out, call, 4, " (left ");
	if (out->o->len > at)
		buf_char(out->o, ')');
}

/* 0x1 (flags FD_CLOEXEC) */
static void meaning_write(struct out *out, const struct call *c)
{
	const struct type *t = &c->result;
	unsigned long long ret = (unsigned long long)out->event->ret;

	bool is_decimal = *c->result_word == '+' || t->kind == TYPE_SIGNAL;
	const char *word = c->result_word + (*c->result_word == '+');

	buf_printf(out->o, is_decimal ? "%lld" : "%#llx", ret);
	if (t->kind == TYPE_IOPRIO) {
		if (out->options->style == SYSCALL_NUMBERS_ONLY)
			return;
		buf_str(out->o, " (");
		out_plain(out, t, ret);
		buf_char(out->o, ')');
		return;
	}
	if (t->kind == TYPE_SIGNAL	 ? !ret :
	    t->kind == TYPE_ENUM || !ret ? !set_name(t->of, ret) :
					   false)
		return;
	buf_printf(out->o, *word ? " (%s " : " (%s", word);
	out_scalar(out, t, ret);
	buf_char(out->o, ')');
}

static bool returns_pid(const struct call *c)
{
	static const char names[] =
		" fork vfork clone clone3 getpid gettid getppid getpgid getpgrp getsid "
		"setsid wait4 waitpid set_tid_address ";
	const char *at = strstr(names, c->name);
	size_t len = strlen(c->name);

	return (at && at[-1] == ' ' && at[len] == ' ') ||
	       (c->result.kind == TYPE_INT && c->result.bit); /* pid, in the table */
}

/* An error of 32 bits: to the program, which sees 64, it is a large number. */
static bool short_error_write(struct out *out, int64_t ret)
{
	int err = (int)-(int32_t)ret;

	if (out->event->flags || ret < 0 || err <= 0 || err > 4095 || !errname(err))
		return false;
	style_begin(out->o, STYLE_ERROR);
	buf_printf(out->o, "%lld %s (%s)", (long long)ret, errname(err), strerror(err));
	style_end(out->o, STYLE_ERROR);
	return true;
}

/* A new process has the name of its parent. */
static void pid_name_write(struct out *out, const struct call *c, int64_t ret)
{
	const char *comm = out->event->header.comm;

	if (strchr(c->classes, 'b') && ret > 0)
		out_bracketed(out, comm, strnlen(comm, EVENT_COMM_LEN));
	else
		out_pid_name(out, "pid", &c->result, (uint64_t)ret);
}

void out_result(struct out *out, const struct call *c)
{
	const struct syssnoop_event *e = out->event;
	int64_t ret = e->ret;

	if (c && c->result.kind == TYPE_INT && c->result.size == 4 && !c->result_word &&
	    short_error_write(out, ret))
		return;
	if (e->flags & SYSSNOOP_NO_RETURN || (e->flags & SYSSNOOP_UNFINISHED)) {
		buf_char(out->o, '?');
	} else if (ret < 0 && ret >= -4095) {
		style_begin(out->o, STYLE_ERROR);
		error_write(out->o, (int)-ret);
		style_end(out->o, STYLE_ERROR);
	} else if (out_is_raw(out)) {
		buf_printf(out->o, "%#llx", (unsigned long long)ret);
	} else if (c && c->result_word) {
		meaning_write(out, c);
	} else if (c && c->result.kind == TYPE_HEX) {
		buf_printf(out->o, ret ? "%#llx" : "%llx", (unsigned long long)ret);
	} else if (c && c->result.kind == TYPE_OCTAL) {
		buf_printf(out->o, "%#03llo", (unsigned long long)ret);
	} else {
		buf_int(out->o, ret);
		if (c && c->result.kind == TYPE_TIME)
			out_date(out, ret);
		if (c && type_is_fd(&c->result))
			out_file(out, SYSCALL_RESULT, "ret");
		if (c && out->options->pid_names && returns_pid(c))
			pid_name_write(out, c, ret);
		if (c && out->options->pid_here && returns_pid(c))
			out_pid_here(out, "pid", &c->result, (uint64_t)ret);
	}
	if (!c || ret < 0 || e->flags || out_is_raw(out))
		return;
	if (c->special == SPECIAL_POLL || c->special == SPECIAL_PPOLL)
		polled_write(out, c);
	else if (c->special == SPECIAL_SELECT)
		selected_write(out, c);
	else if (c->special == SPECIAL_RECVMMSG)
		messages_left_write(out, c);
}
