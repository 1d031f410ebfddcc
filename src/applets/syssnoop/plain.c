/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plain.c - calls by number, and their arguments as numbers and strings.
 *
 * A row is a letter for each argument: d a number, o octal, x hexadecimal, s a path, a D AT_FDCWD or a
 * descriptor, w bytes that are written (as many as the next argument says), r bytes that are read (as
 * many as the result says), v a list of strings, n how many strings are in a list, i an iovec vector
 * that is written, j one that is read (the next argument has their number). A call without a row has
 * six numbers.
 */
#include <string.h>

#include "applets/syssnoop/parts.h"
#include "output/flag_names.h"
#include "util/escape.h"

static const struct {
	const char *name, *args;
} shapes[] = {
	{ "read", "drd" }, { "write", "dwd" }, { "open", "sxo" }, { "close", "d" },
	{ "stat", "sx" }, { "fstat", "dx" }, { "lstat", "sx" }, { "poll", "xdd" },
	{ "lseek", "ddd" }, { "mmap", "xdxxdx" }, { "mprotect", "xdx" }, { "munmap", "xd" },
	{ "brk", "x" }, { "rt_sigaction", "dxxd" }, { "rt_sigprocmask", "dxxd" },
	{ "rt_sigreturn", "" }, { "ioctl", "dxx" }, { "pread64", "drdd" },
	{ "pwrite64", "dwdd" }, { "readv", "djd" }, { "writev", "did" }, { "access", "so" },
	{ "pipe", "x" }, { "sched_yield", "" }, { "madvise", "xdd" }, { "dup", "d" },
	{ "dup2", "dd" }, { "nanosleep", "xx" }, { "getpid", "" }, { "socket", "ddd" },
	{ "connect", "dxd" }, { "accept", "dxx" }, { "sendto", "dwdxxd" },
	{ "recvfrom", "drdxxx" }, { "bind", "dxd" }, { "listen", "dd" }, { "fork", "" },
	{ "vfork", "" }, { "execve", "svn" }, { "exit", "d" }, { "wait4", "dxxx" },
	{ "kill", "dd" }, { "uname", "x" }, { "fcntl", "ddx" }, { "fsync", "d" },
	{ "truncate", "sd" }, { "ftruncate", "dd" }, { "getcwd", "rd" }, { "chdir", "s" },
	{ "fchdir", "d" }, { "rename", "ss" }, { "mkdir", "so" }, { "rmdir", "s" },
	{ "creat", "so" }, { "link", "ss" }, { "unlink", "s" }, { "symlink", "ss" },
	{ "readlink", "srd" }, { "chmod", "so" }, { "fchmod", "do" }, { "chown", "sdd" },
	{ "umask", "o" }, { "getuid", "" }, { "getgid", "" }, { "geteuid", "" },
	{ "getegid", "" }, { "setpgid", "dd" }, { "getppid", "" }, { "getpgrp", "" },
	{ "setsid", "" }, { "statfs", "sx" }, { "prctl", "dxxxx" }, { "arch_prctl", "xx" },
	{ "gettid", "" }, { "futex", "xxdxxx" }, { "getdents64", "dxd" },
	{ "set_tid_address", "x" }, { "exit_group", "d" }, { "tgkill", "ddd" },
	{ "openat", "Dsxo" }, { "mkdirat", "Dso" }, { "newfstatat", "Dsxx" },
	{ "unlinkat", "Dsx" }, { "renameat", "DsDs" }, { "symlinkat", "sDs" },
	{ "readlinkat", "Dsrd" }, { "fchmodat", "Dso" }, { "faccessat", "Dso" },
	{ "set_robust_list", "xd" }, { "prlimit64", "ddxx" }, { "getrandom", "rdx" },
	{ "execveat", "Dsvnx" }, { "statx", "Dsxxx" }, { "rseq", "xdxx" }, { "clone3", "xd" },
	{ "faccessat2", "Dsox" }, { "renameat2", "DsDsx" }, { "openat2", "Dsxd" },
	{ "pipe2", "xx" }, { "dup3", "ddx" }, { "memfd_create", "sx" },
};

const char *plain_name(unsigned abi, uint32_t nr)
{
	for (const struct field_name *f = flags_syscall; f->name && abi == SYSCALL_ABI_64; f++)
		if (f->value == nr)
			return f->name;
	return NULL;
}

int plain_number(const char *name, size_t len)
{
	for (const struct field_name *f = flags_syscall; f->name; f++)
		if (strlen(f->name) == len && !memcmp(f->name, name, len))
			return (int)f->value;
	return -1;
}

void plain_names(void (*offer)(void *ctx, const char *name), void *ctx)
{
	for (const struct field_name *f = flags_syscall; f->name; f++)
		offer(ctx, f->name);
}

static const char *shape_of(unsigned abi, uint32_t nr)
{
	const char *name = plain_name(abi, nr);

	for (size_t i = 0; name && i < sizeof(shapes) / sizeof(shapes[0]); i++)
		if (!strcmp(shapes[i].name, name))
			return shapes[i].args;
	return "xxxxxx";
}

static struct syscall_take take_of(char letter, unsigned next, bool is_exec, uint32_t max)
{
	struct syscall_take t = { .when = TAKE_AT_RETURN, .max = max };

	t.count_arg = (uint8_t)next;
	t.count = COUNT_ARG;
	switch (letter) {
	case 's':
		t.kind = TAKE_STRING;
		t.max = SYSSNOOP_TAKE_MAX;
		t.when = is_exec ? TAKE_AT_ENTRY : TAKE_AT_RETURN;
		break;
	case 'r':
		t.count_arg = SYSCALL_RESULT;
		t.when = TAKE_AT_SUCCESS;
		t.kind = TAKE_BYTES;
		break;
	case 'w': t.kind = TAKE_BYTES; break;
	case 'i': t.kind = TAKE_IOVEC; break;
	case 'j':
		t.kind = TAKE_IOVEC;
		t.when = TAKE_AT_SUCCESS;
		break;
	case 'v':
	case 'n':
		t.kind = TAKE_WORDS;
		t.when = TAKE_AT_ENTRY;
		t.number = letter == 'v' ? 32 : 0;
		break;
	default: t.when = 0;
	}
	return t;
}

void plain_capture(unsigned abi, uint32_t nr, uint32_t max, struct syscall_capture *out)
{
	const char *name = plain_name(abi, nr), *args = shape_of(abi, nr);
	bool is_exec = name && !strncmp(name, "execve", 6);

	*out = (struct syscall_capture){ .nargs = (uint8_t)strlen(args) };
	for (unsigned i = 0; args[i]; i++)
		out->values[i] = take_of(args[i], i + 1, is_exec, max);
	if (!name) /* clone is 120, vfork 190, fork 2 of i386; arm has the same */
		out->flags = nr == 2 || nr == 120 || nr == 190 || nr == 435 ? SYSCALL_FORKS :
			     nr == 1 || nr == 252			    ? SYSCALL_NO_RETURN :
									      0;
	else if (!strcmp(name, "exit") || !strcmp(name, "exit_group"))
		out->flags = SYSCALL_NO_RETURN;
	else if (strstr(name, "fork") || !strncmp(name, "clone", 5))
		out->flags = SYSCALL_FORKS;
}

/* ---- values ---- */

static const struct syssnoop_chunk *chunk_find(const struct syssnoop_event *e, unsigned arg,
					       unsigned part)
{
	const char *at = (const char *)(e + 1), *end = (const char *)e + e->size;
	const struct syssnoop_chunk *c;

	for (; at + sizeof(*c) <= end; at += sizeof(*c) + ((c->len + 3) & ~3u)) {
		c = (const void *)at;
		if (c->len > (size_t)(end - at) - sizeof(*c))
			return NULL;
		if (c->arg == arg && c->part == part)
			return c;
	}
	return NULL;
}

typedef void put_fn(struct buf *o, const char *s, size_t n, bool cut);

static void put_quoted(struct buf *o, const char *s, size_t n, bool cut)
{
	escape_put_quoted(o, s, n);
	if (cut)
		buf_str(o, "...");
}

static void put_json(struct buf *o, const char *s, size_t n, bool cut)
{
	(void)cut;
	escape_put_json(o, s, n);
}

static void put_words(struct buf *o, const struct syssnoop_chunk *c, put_fn *put)
{
	const struct syssnoop_words *words = (const void *)(c + 1);
	const char *at = (const char *)(words + 1), *end = (const char *)(c + 1) + c->len;
	const struct syssnoop_word *word;

	if (c->len < sizeof(*words))
		return;
	buf_char(o, '[');
	for (uint32_t i = 0; i < words->kept && at + sizeof(*word) <= end; i++) {
		word = (const void *)at;
		if (word->len > (size_t)(end - at) - sizeof(*word))
			break;
		if (i)
			buf_str(o, put == put_json ? "," : ", ");
		put((struct buf *)o, (const char *)(word + 1), word->len,
		    word->status == EVENT_CUT);
		at += sizeof(*word) + ((word->len + 3) & ~3u);
	}
	if (words->kept < words->total && put != put_json)
		buf_str(o, words->kept ? ", ..." : "...");
	buf_char(o, ']');
}

static void put_number(struct buf *o, char letter, uint64_t v, bool json)
{
	if (!json && letter == 'D' && (int32_t)v == -100) {
		buf_str(o, "AT_FDCWD");
	} else if (letter == 'd' || letter == 'D') {
		buf_int(o, v >> 32 ? (int64_t)v : (int32_t)v);
	} else if (!json && letter == 'o') {
		buf_char(o, '0');
		buf_octal(o, v);
	} else if (json) {
		buf_uint(o, v);
	} else if (letter == 'n' || letter == 'v' || v) {
		buf_str(o, "0x");
		buf_hex(o, v);
	} else {
		buf_char(o, '0');
	}
}

static void put_arg(struct buf *o, const struct syssnoop_event *e, unsigned i, char letter, bool json)
{
	const struct syssnoop_chunk *c = chunk_find(e, i, letter == 'i' || letter == 'j' ? 1 : 0);
	put_fn *put = json ? put_json : put_quoted;

	if (!c || c->status == EVENT_FAULT || letter == 'n')
		put_number(o, letter, e->args[i], json);
	else if (letter == 'v')
		put_words(o, c, put);
	else
		put(o, (const char *)(c + 1), c->len, c->status == EVENT_CUT || c->left_out);
}

void plain_json(struct buf *o, const struct syssnoop_event *e)
{
	const char *args = shape_of(e->abi, e->nr);

	buf_char(o, '[');
	for (unsigned i = 0; args[i] && e->kind == SYSSNOOP_CALL; i++) {
		if (i)
			buf_char(o, ',');
		put_arg(o, e, i, args[i], true);
	}
	buf_char(o, ']');
}

/* ---- lines ---- */

static void put_result(struct buf *o, const struct syssnoop_event *e)
{
	const char *name = e->ret < 0 && e->ret >= -4095 ? errname((int)-e->ret) : NULL;

	if (e->flags & (SYSSNOOP_NO_RETURN | SYSSNOOP_UNFINISHED)) {
		buf_char(o, '?');
	} else if (name) {
		buf_printf(o, "-1 %s (%s)", name, errtext((int)-e->ret));
	} else if (e->ret >> 32) {
		buf_str(o, "0x");
		buf_hex(o, (uint64_t)e->ret);
	} else {
		buf_int(o, e->ret);
	}
}

static void put_call(struct buf *o, const struct syssnoop_event *e, unsigned column)
{
	const char *args = shape_of(e->abi, e->nr), *name = plain_name(e->abi, e->nr);
	size_t begun = o->len;

	if (name)
		buf_str(o, name);
	else
		buf_printf(o, "syscall_0x%x", e->nr);
	buf_char(o, '(');
	for (unsigned i = 0; args[i]; i++) {
		if (i)
			buf_str(o, ", ");
		put_arg(o, e, i, args[i], false);
	}
	if (e->flags & SYSSNOOP_UNFINISHED && e->latency == SYSSNOOP_NO_LATENCY && e->ret) {
		buf_str(o, " <unfinished ...>");
		return;
	}
	buf_char(o, ')');
	if (o->len - begun < column)
		buf_repeat(o, ' ', column - (o->len - begun));
	buf_str(o, " = ");
	put_result(o, e);
}

static void put_signal(struct buf *o, const struct syssnoop_event *e)
{
	const char *name = sigabbrev_np((int)e->nr);
	int32_t info[6];

	memcpy(info, e->siginfo, sizeof(info));
	buf_str(o, "--- ");
	if (name)
		buf_printf(o, "SIG%s", name);
	else
		buf_printf(o, "signal %u", e->nr);
	buf_printf(o, " {si_signo=%d, si_code=%d", info[0], info[2]);
	if (info[2] <= 0 || e->nr == 17)
		buf_printf(o, ", si_pid=%d, si_uid=%d", info[4], info[5]);
	buf_str(o, "} ---");
}

static void put_exit(struct buf *o, const struct syssnoop_event *e)
{
	const char *name = e->ret & 0x7f ? sigabbrev_np(e->ret & 0x7f) : NULL;

	if (name)
		buf_printf(o, "+++ killed by SIG%s%s +++", name,
			   e->ret & 0x80 ? " (core dumped)" : "");
	else if (e->ret & 0x7f)
		buf_printf(o, "+++ killed by signal %d +++", (int)e->ret & 0x7f);
	else
		buf_printf(o, "+++ exited with %d +++", (int)(e->ret >> 8) & 0xff);
}

void plain_text(struct buf *o, const struct syssnoop_event *e, unsigned column)
{
	if (e->kind == SYSSNOOP_SIGNAL)
		put_signal(o, e);
	else if (e->kind == SYSSNOOP_EXIT)
		put_exit(o, e);
	else
		put_call(o, e, column);
}
