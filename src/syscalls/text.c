/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * text.c - prints a record as strace(1) would, or the arguments as JSON.
 *
 * The record comes from a ring: every length in it is checked before it is used.
 */
#include "syscalls/text.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <linux/sched.h>
#include <sys/stat.h>

#include "util/errname.h"

#define COLUMN 40 /* column of the = */

/* Writes what a clone prints at its start. */
static void clone_write_head(struct out *out, const __u64 *a, uint64_t flags)
{
	struct buf *o = out->o;

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
}

static void clone_write(struct out *out, const struct call *c)
{
	const __u64 *a = out->event->args;
	uint64_t flags = a[0] & ~0xffull;
	unsigned tls = strcmp(c->args[3].name, "tls") ? 4 : 3, tid = 7 - tls;
	const struct syssnoop_chunk *made = chunk_find(out->event, 2, TAKE_AT_RETURN, 0);
	uint8_t part = out->options->part;
	struct buf *o = out->o;

	if (part != SYSCALL_REST)
		clone_write_head(out, a, flags);
	if (part == SYSCALL_HEAD || part == SYSCALL_ENDED)
		return;
	if (flags & CLONE_PIDFD && out->event->ret > 0 && chunk_is_good(made) && made->len >= 4) {
		out->arg = 2;
		out->base = (const char *)(made + 1);
		buf_str(o, ", parent_tid=");
		out_elements(out, &c->args[2].type, out->base, 1);
	} else if (flags & CLONE_PARENT_SETTID &&
		   out->event->ret > 0) /* it has been written there */
		buf_printf(o, ", parent_tid=[%lld]", (long long)out->event->ret);
	else if (flags & CLONE_PARENT_SETTID)
		buf_printf(o, ", parent_tid=%#llx", (unsigned long long)a[2]);
	if (flags & CLONE_SETTLS)
		buf_printf(o, ", tls=%#llx", (unsigned long long)a[tls]);
	if (flags & (CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID))
		buf_printf(o, ", child_tidptr=%#llx", (unsigned long long)a[tid]);
}

/* Writes the number of the new thread, which the kernel has stored for the parent. */
static void clone3_write(struct out *out, const struct syssnoop_chunk *c)
{
	const char *p = (const char *)(c + 1);

	if (out->event->ret <= 0 || out->json || !chunk_is_good(c) || c->len < 32 ||
	    !(memory_number(p, 8) & CLONE_PARENT_SETTID))
		return;
	if (memory_number(p + 24, 8)) /* parent_tid */
		buf_printf(out->o, " => {parent_tid=[%lld]}", (long long)out->event->ret);
	else
		buf_str(out->o, " => {parent_tid=NULL}");
}

/* The mask in the frame of the signal, which the call restores. */
static void sigreturn_write(struct out *out)
{
	const struct syssnoop_chunk *c = chunk_find(out->event, 0, TAKE_AT_ENTRY, 0);

	if (!chunk_is_good(c) || c->len < 8)
		return;
	buf_str(out->o, out->json ? "\"mask\":" : "{mask=");
	out_sigset(out, memory_number((const char *)(c + 1), 8));
	buf_str(out->o, out->json ? "" : "}");
}

/* [16 => 12] */
static void socklen_write(struct out *out, unsigned i)
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
		buf_printf(out->o, "[%d]", (int)a);
	else
		buf_printf(out->o, "[%d => %d]", (int)a, (int)b);
}

static bool is_interrupted(int64_t ret)
{
	return ret == -516; /* ERESTART_RESTARTBLOCK */
}

/* True if the call has filled the memory of argument `i`. */
static bool is_filled(const struct syssnoop_event *e, const struct type *t)
{
	bool failed = e->ret < 0 && e->ret >= -4095;

	if (t->ptr == '<')
		return is_interrupted(e->ret);
	/* for a message the room for a name is known; for a vector its target */
	if (t->ptr == '>')
		return !failed || t->kind == TYPE_MSGHDR || t->kind == TYPE_IOVEC;
	return t->ptr != '&' || !failed || t->kind != TYPE_MMSGHDR;
}

/* wait4(2): if a child has ended. */
static bool is_of_none(const struct call *call, const struct type *t, int64_t ret)
{
	return !ret && (t->kind == TYPE_WSTATUS || (t->ptr == '>' && !strcmp(call->name, "wait4")));
}

/* -e verbose=: prints addresses instead of data, except for strings. */
static bool is_flat(const struct out *out, const struct type *t)
{
	const struct syssnoop_event *e = out->event;

	if (t->hidden && !out->options->verbose && !out->json)
		return true;
	return t->ptr && t->kind != TYPE_STR && t->kind != TYPE_BUF && t->kind != TYPE_WORDS &&
	       t->kind != TYPE_ENVP && syscall_set_has(out->options->flat, e->abi, e->nr);
}

/* True for a buffer into which a call that succeeded wrote nothing: there was nothing, or no room. Of an attribute
 * without room for it only the length was asked for. */
static bool is_empty_buffer(const struct out *out, const struct call *call, unsigned i)
{
	const struct type *t = &call->args[i].type;
	const struct syssnoop_event *e = out->event;
	bool has_room = t->limit_arg >= SYSCALL_ARGS || e->args[t->limit_arg];

	if (t->kind != TYPE_BUF || t->ptr != '>' || !e->args[i] || e->ret < 0 ||
	    (has_room && e->ret))
		return false;
	return has_room || !strstr(call->name, "xattr");
}

static void arg_write(struct out *out, const struct call *call, unsigned i)
{
	const struct type *t = &call->args[i].type;
	const struct syssnoop_chunk *c = NULL;

	if (t->ptr || t->kind == TYPE_PATH)
		c = chunk_of(out->event, i, t);
	if (t->kind == TYPE_SOCKLEN)
		socklen_write(out, i);
	else if (!t->ptr && t->kind != TYPE_PATH)
		out_scalar(out, t, out->event->args[i]);
	else if (is_flat(out, t) || (t->condition && out->event->args[t->on] != t->with))
		out_address(out, out->event->args[i]);
	else if (is_of_none(call, t, out->event->ret))
		out_address(out, out->event->args[i]);
	else if (t->array && out->event->args[i] && out_array_is_empty(out, call, t))
		buf_str(out->o, "[]");
	else if (is_empty_buffer(out, call, i))
		out_string(out, "", 0, false, false);
	else if (chunk_is_good(c) && is_filled(out->event, t) &&
		 out_data_is_whole(out, call, t, c) &&
		 (c->len || t->kind != TYPE_BUF || t->ptr == '*'))
		out_data(out, call, i, c);
	else
		out_address(out, out->event->args[i]);
}

/* True if an argument is printed: some exist only with certain flags before them. */
static bool arg_is_shown(const struct syssnoop_event *e, const struct call *c, unsigned i)
{
	const struct type *t = &c->args[i].type;

	if (t->kind == TYPE_SKIP)
		return false;
	if (t->kind == TYPE_DEV && i)
		return S_ISCHR(e->args[i - 1]) || S_ISBLK(e->args[i - 1]);
	if (t->optional && t->kind == TYPE_PTR) /* MREMAP_FIXED */
		return e->args[3] & 2;
	if (t->optional && i && !t->condition) { /* follows the flags of open(2) or mq_open(2) */
		uint64_t flags = e->args[t->kind == TYPE_STRUCT ? 1 : i - 1];

		return flags & (O_CREAT | (*c->name == 'm' ? 0 : O_TMPFILE & ~O_DIRECTORY));
	}
	return true;
}

/* True for a plain number, like most arguments. */
static bool type_is_plain(const struct type *t)
{
	return t->kind <= TYPE_FLAGS && !t->ptr && !t->optional;
}

/* io_uring_register(2): a flag of the operation says that the number is not a descriptor, but the index of a ring. */
static bool fd_is_index(const struct call *c, const __u64 *args)
{
	const struct set *s = c->nargs > 1 && c->args[1].type.kind == TYPE_ENUM ?
				      c->args[1].type.of :
				      NULL;

	return s && s->is_split && (uint32_t)(args[1] & ~s->items->mask);
}

/* AT_FDCWD is a descriptor only where a call expects one. */
static bool fd_has_path(const struct call *c, unsigned i, const __u64 *args)
{
	const struct type *t = &c->args[i].type;

	return type_is_fd(t) && (t->kind == TYPE_AT || (int32_t)args[i] != AT_CWD) &&
	       !fd_is_index(c, args);
}

/* -e raw= */
/* Returns the first argument that the return prints. */
static unsigned args_split(const struct call *c)
{
	unsigned i = 0;

	if (c->special == SPECIAL_POLL || c->special == SPECIAL_PPOLL ||
	    c->special == SPECIAL_SELECT || c->special == SPECIAL_CLONE)
		return c->nargs;
	if (c->special == SPECIAL_CLONE3) /* the return adds to the first one */
		return 1;
	while (i < c->nargs && c->args[i].type.kind != TYPE_SOCKLEN &&
	       (!c->args[i].type.ptr || strchr("*!", c->args[i].type.ptr)))
		i++;
	return i;
}

static void arg_lead(struct out *out, const struct call *c, unsigned i)
{
	if (out->json && c)
		buf_printf(out->o, "\"%s\":", c->args[i].name);
	else if (out->json)
		buf_printf(out->o, "\"arg%u\":", i);
	else if (out->options->arg_names && c)
		buf_printf(out->o, "%s=", c->args[i].name);
	else if (out->options->arg_names)
		buf_printf(out->o, "arg%u=", i);
}

static void arg_show(struct out *out, const struct call *c, unsigned i, bool is_raw)
{
	uint64_t v = out->event->args[i];

	if (!c || is_raw) {
		out_hex(out, v);
		return;
	}
	if (type_is_plain(&c->args[i].type))
		out_scalar(out, &c->args[i].type, v);
	else
		arg_write(out, c, i);
	if (out->options->fd_paths && fd_has_path(c, i, out->event->args))
		out_file(out, c->args[i].type.bit == FD_RESULT ? SYSCALL_RESULT : i,
			 c->args[i].name);
	if (out->options->pid_names)
		out_pid_name(out, c->args[i].name, &c->args[i].type, v);
	if (out->options->pid_here && !c->args[i].type.ptr)
		out_pid_here(out, c->args[i].name, &c->args[i].type, v);
	if (!i && c->special == SPECIAL_CLONE3)
		clone3_write(out, chunk_of(out->event, 0, &c->args[0].type));
}

/* Writes the separator before an argument if this part of the call prints it; returns whether it does. */
static bool arg_is_due(struct out *out, unsigned i, unsigned split, bool first)
{
	bool is_due = out->options->part == SYSCALL_REST ? i >= split : i < split;

	if (is_due && !first)
		buf_str(out->o, ", ");
	return is_due;
}

static void args_write(struct out *out, const struct call *c)
{
	uint8_t part = out->options->part;
	unsigned nargs = c ? c->nargs : SYSCALL_ARGS, split = nargs;
	bool first = true, is_raw = out_is_raw(out);

	if (part == SYSCALL_REST_ENDED)
		return;
	if (c && c->special == SPECIAL_CLONE && !out->json && !is_raw) {
		clone_write(out, c);
		return;
	}
	if (c && c->special == SPECIAL_SIGRETURN && !is_raw && part != SYSCALL_REST) {
		sigreturn_write(out);
		return;
	}
	if (c && part != SYSCALL_WHOLE)
		split = args_split(c);
	for (unsigned i = 0; i < nargs; i++) {
		if (c && !is_raw && !type_is_plain(&c->args[i].type) &&
		    !arg_is_shown(out->event, c, i))
			continue;
		if (part != SYSCALL_WHOLE) {
			if (!arg_is_due(out, i, split, first)) {
				first = false;
				if (part == SYSCALL_REST && c && c->special == SPECIAL_CLONE3)
					clone3_write(out,
						     chunk_of(out->event, 0, &c->args[0].type));
				continue;
			}
		} else if (!first) {
			buf_str(out->o, out->json ? "," : ", ");
		}
		first = false;
		arg_lead(out, c, i);
		arg_show(out, c, i, is_raw);
	}
}

/* The name and the arguments, without the closing parenthesis. */
static void call_head_write(struct out *out, const struct call *c)
{
	const struct syssnoop_event *e = out->event;
	bool is_rest = out->options->part == SYSCALL_REST ||
		       out->options->part == SYSCALL_REST_ENDED;

	if (is_rest)
		buf_str(out->o, "<... ");
	buf_str(out->o, syscall_label(e->abi, e->nr));
	buf_str(out->o, is_rest ? " resumed>" : "(");
	args_write(out, c);
}

static void call_write(struct out *out)
{
	const struct syssnoop_event *e = out->event;
	const struct call *c = call_row(e->abi, e->nr);
	size_t start = out->o->len, column = out->options->column ?: COLUMN, width;

	if (c && c->first)
		c = call_variant(c, e->args);
	call_head_write(out, c);
	if (out->options->part == SYSCALL_HEAD) {
		buf_str(out->o, " <unfinished ...>");
		return;
	}
	if (e->flags & SYSSNOOP_UNFINISHED && e->ret == -1) {
		buf_str(out->o, " <detached ...>");
		return;
	}
	if (e->flags & SYSSNOOP_UNFINISHED && c && args_split(c) < c->nargs)
		buf_str(out->o, " <unfinished ...>");
	buf_char(out->o, ')');
	width = out->o->len - start;
	buf_repeat(out->o, ' ', width + 1 < column ? column - width : 1);
	buf_str(out->o, "= ");
	out_result(out, c);
}

/* Applies the sets of calls, and the way the call ended, to the options for this call. */
static const struct syscall_options *options_of(const struct syssnoop_event *e,
						const struct syscall_options *options,
						struct syscall_options *own)
{
	bool is_full = !options->verbose && syscall_set_has(options->full, e->abi, e->nr);

	if (!is_full && !(e->flags & SYSSNOOP_UNFINISHED))
		return options;
	*own = *options;
	own->verbose |= is_full;
	if (e->flags & SYSSNOOP_UNFINISHED)
		own->part = own->part == SYSCALL_REST ? SYSCALL_REST_ENDED : SYSCALL_ENDED;
	return own;
}

void syscall_write_text(struct buf *o, const struct syssnoop_event *e,
			const struct syscall_options *options)
{
	struct syscall_options own;
	struct out out = { o, e, options_of(e, options, &own), false, 0, NULL };

	if (options->pid_names)
		pid_name_keep(&e->header);
	if (e->kind == SYSSNOOP_CALL || e->kind == SYSSNOOP_ENTRY) {
		call_write(&out);
		return;
	}
	syscall_name(0, 0); /* loads the tables */
	if (e->kind == SYSSNOOP_SIGNAL)
		out_signal(&out);
	else
		out_exit(&out);
}

void syscall_write_json(struct buf *o, const struct syssnoop_event *e,
			const struct syscall_options *options)
{
	struct syscall_options own = *options;
	struct out out = { o, e, &own, true, 0, NULL };
	const struct call *c = e->kind == SYSSNOOP_CALL ? call_row(e->abi, e->nr) : NULL;

	own.part = SYSCALL_WHOLE;
	if (c)
		c = call_variant(c, e->args);
	buf_char(o, '{');
	if (e->kind == SYSSNOOP_CALL)
		args_write(&out, c);
	if (c && type_is_fd(&c->result))
		out_file(&out, SYSCALL_RESULT, "ret");
	buf_char(o, '}');
}
