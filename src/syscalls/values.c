/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * values.c - prints numbers and names of flags like strace(1), or as JSON.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "output/field/flag_names.h"
#include "syscalls/text.h"
#include "util/errname.h"

static void mode_write(struct out *out, uint64_t v)
{
	static const char *const types[16] = {
		[1] = "S_IFIFO", [2] = "S_IFCHR",  [4] = "S_IFDIR",  [6] = "S_IFBLK",
		[8] = "S_IFREG", [10] = "S_IFLNK", [12] = "S_IFSOCK"
	};
	const char *type = types[v >> 12 & 15];
	char text[64];

	if (!type && v >> 12) /* not a kind of file */
		snprintf(text, sizeof(text), "%#o", (unsigned)v);
	else
		snprintf(text, sizeof(text), "%s%s%s%s%s%#03o", type ?: "", type ? "|" : "",
			 v & S_ISUID ? "S_ISUID|" : "", v & S_ISGID ? "S_ISGID|" : "",
			 v & S_ISVTX ? "S_ISVTX|" : "", (unsigned)v & 0777);
	out_word(out, text);
}

static void rlim_write(struct out *out, uint64_t v, uint32_t size)
{
	bool is_none = size == 4 ? (uint32_t)v == ~0u : v == ~0ull;
	char text[40];

	if (is_none) {
		out_word(out, size == 8 ? "RLIM64_INFINITY" : "RLIM_INFINITY");
	} else if (!out->json && v > 1024 && v % 1024 == 0) {
		snprintf(text, sizeof(text), "%llu*1024", (unsigned long long)v / 1024);
		out_word(out, text);
	} else {
		buf_uint(out->o, v);
	}
}

const char *signal_name(unsigned nr, char room[16])
{
	const char *name = set_name(set_find("signal"), nr);

	if (nr < 32 || nr > 64)
		snprintf(room, 16, "%u", nr);
	else
		snprintf(room, 16, nr == 32 ? "SIGRTMIN" : "SIGRT_%u", nr - 32);
	return name ?: room;
}

static void signal_write(struct out *out, uint64_t v)
{
	char room[16];

	if (v && v <= 64)
		out_word(out, signal_name((unsigned)v, room));
	else
		buf_int(out->o, (int)v);
}

/* A result of the kernel: the name of an error if it is negative, else a number. */
static void nerrno_write(struct out *out, int v)
{
	char text[32];

	if (v >= 0 || !errname(-v)) {
		buf_int(out->o, v);
		return;
	}
	snprintf(text, sizeof(text), "-%s", errname(-v));
	out_word(out, text);
}

/* Only operations with a time-out may have FUTEX_CLOCK_REALTIME. */
static void futexop_write(struct out *out, uint64_t v)
{
	const char *name = set_name(set_find("futex"), v & 127);
	bool waits = name && strstr(name, "_WAIT") != NULL, is_fd = (v & 127) == 2;
	char text[80];

	if (!name || v >> 9 || (v & 256 && !waits))
		snprintf(text, sizeof(text), "%#x /* FUTEX_??? */", (unsigned)v);
	else
		snprintf(text, sizeof(text), "%s%s%s", name,
			 !(v & 128) ? "" :
			 is_fd	    ? "|FUTEX_PRIVATE_FLAG" :
				      "_PRIVATE",
			 v & 256 ? "|FUTEX_CLOCK_REALTIME" : "");
	out_word(out, text);
}

/* Flags and a priority. */
static void swapf_write(struct out *out, uint32_t v)
{
	if (out->json) {
		out_hex(out, v);
		return;
	}
	if (v & ~0x7fffu) {
		out_set(out, set_find("swap"), v & ~0x7fffu, 4);
		buf_char(out->o, '|');
	}
	buf_uint(out->o, v & 0x7fff);
}

static void qcmd_names_write(struct out *out, uint32_t v)
{
	const char *type = set_name(set_find("quotatype"), v & 0xff);

	buf_str(out->o, "QCMD(");
	out_set(out, set_find("quotacmd"), v >> 8, 4);
	if (type)
		buf_printf(out->o, ", %s)", type);
	else
		buf_printf(out->o, ", %#x /* ???QUOTA */)", v & 0xff);
}

static void qcmd_write(struct out *out, uint32_t v)
{
	struct syscall_options options = *out->options;
	struct out plain = *out;

	plain.options = &options;
	options.style = SYSCALL_NAMES;
	if (out->json) {
		out_hex(out, v);
	} else if (out->options->style == SYSCALL_NUMBERS_ONLY) {
		buf_uint(out->o, v);
	} else if (out->options->style == SYSCALL_BOTH) {
		buf_printf(out->o, "%u /* ", v);
		qcmd_names_write(&plain, v);
		buf_str(out->o, " */");
	} else {
		qcmd_names_write(out, v);
	}
}

/* FUTEX_OP_ADD<<28|0x1<<12|FUTEX_OP_CMP_GT<<24|0x3 */
static void wakeop_write(struct out *out, uint32_t v)
{
	const struct set *ops = set_find("futexwake"), *cmps = set_find("futexcmp");
	const char *op = set_name(ops, v >> 28 & 7), *cmp = set_name(cmps, v >> 24 & 15);

	if (out->json) {
		out_hex(out, v);
		return;
	}
	buf_str(out->o, v >> 31 ? "FUTEX_OP_OPARG_SHIFT<<28|" : "");
	op ? buf_str(out->o, op) : out_hex(out, v >> 28 & 7);
	buf_str(out->o, op ? "<<28|" : "<<28 /* FUTEX_OP_??? */|");
	out_hex(out, v >> 12 & 0xfff);
	buf_str(out->o, "<<12|");
	cmp ? buf_str(out->o, cmp) : out_hex(out, v >> 24 & 15);
	buf_str(out->o, cmp ? "<<24|" : "<<24 /* FUTEX_OP_CMP_??? */|");
	out_hex(out, v & 0xfff);
}

/* A class and a level. */
static void ioprio_write(struct out *out, uint32_t v)
{
	if (out->json) {
		out_hex(out, v);
		return;
	}
	buf_str(out->o, "IOPRIO_PRIO_VALUE(");
	out_set(out, set_find("ioclass"), v >> 13, 4);
	buf_printf(out->o, ", %u)", v & 0x1fff);
}

static void octal_number_write(struct out *out, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "%#03llo", (unsigned long long)v);
	out_word(out, text);
}

/* Flags and the bits of a mode: IPC_CREAT|0600. */
static void perm_write(struct out *out, const struct set *s, uint64_t v)
{
	uint64_t flags = v & ~0777ull;
	char text[24];

	if (out->json) {
		out_hex(out, v);
		return;
	}
	if (flags) {
		out_set(out, s, flags, 4);
		buf_char(out->o, '|');
	}
	snprintf(text, sizeof(text), "%#03o", (unsigned)v & 0777);
	buf_str(out->o, text);
}

static void pointer_write(struct out *out, uint64_t v)
{
	if (v)
		out_hex(out, v);
	else
		buf_str(out->o, out->json ? "null" : "NULL");
}

void out_address(struct out *out, uint64_t address)
{
	pointer_write(out, out->event->abi ? (uint32_t)address : address);
}

void out_dev(struct out *out, uint64_t v)
{
	size_t begin = out->o->len;
	char number[24], text[48];

	snprintf(text, sizeof(text), "makedev(%#x, %#x)",
		 (unsigned)((v >> 8 & 0xfff) | (v >> 32 & 0xfffff000)),
		 (unsigned)((v & 0xff) | (v >> 12 & 0xffffff00)));
	out_word(out, text);
	snprintf(number, sizeof(number), "%#llx", (unsigned long long)v);
	out_style(out, begin, number);
}

/* Returns the format of a value without a name; NULL: none. */
static const char *number_format(const struct type *t)
{
	switch (t->kind) {
	case TYPE_AT:
	case TYPE_IOPRIO:
	case TYPE_SIGNAL:
	case TYPE_NERRNO:
	case TYPE_ERRNO: return "%lld";
	case TYPE_MODE: return "%#03llo";
	case TYPE_RLIM: return "%llu";
	case TYPE_FUTEXOP:
	case TYPE_BITSET:
	case TYPE_HANDLER: return "%#llx";
	default: return NULL;
	}
}

/* A number in a member of 64 bits that no signal can be. */
static bool is_no_signal(const struct type *t, uint32_t size, uint64_t v)
{
	return t->kind == TYPE_SIGNAL && size == 8 && v > INT_MAX;
}

void out_plain(struct out *out, const struct type *t, uint64_t v)
{
	uint32_t size = scalar_size(t, out->event->abi);

	if (size < 8 && size)
		v &= (1ull << size * 8) - 1;
	switch (t->kind) {
	case TYPE_INT:
		buf_int(out->o, size == 1 ? (int8_t)v :
				size == 2 ? (int16_t)v :
				size == 4 ? (int32_t)v :
					    (int64_t)v);
		break;
	case TYPE_FD:
		if (t->bit == FD_SKIP && (int32_t)v == -2)
			out_set(out, set_find("uringskip"), v, 4);
		else
			buf_int(out->o, (int32_t)v);
		break;
	case TYPE_AT:
		if ((int32_t)v == AT_CWD || (t->bit && (int32_t)v == -1))
			out_word(out, (int32_t)v == -1 ? "FAN_NOFD" : "AT_FDCWD");
		else
			buf_int(out->o, (int32_t)v);
		break;
	case TYPE_ID: buf_int(out->o, (uint32_t)v == ~0u ? -1 : (int64_t)v); break;
	case TYPE_UINT: buf_uint(out->o, v); break;
	case TYPE_OCTAL: octal_number_write(out, v); break;
	case TYPE_MODE: mode_write(out, v); break;
	case TYPE_ENUM:
	case TYPE_FLAGS: out_set(out, t->of, v, size); break;
	case TYPE_RLIM: rlim_write(out, v, size); break;
	case TYPE_ERRNO:
		errname((int)v) ? out_word(out, errname((int)v)) : buf_uint(out->o, (uint32_t)v);
		break;
	case TYPE_NERRNO: nerrno_write(out, (int)v); break;
	case TYPE_PERM: perm_write(out, t->of, v); break;
	case TYPE_SIGNAL:
		is_no_signal(t, size, v) ? buf_uint(out->o, v) : signal_write(out, v);
		break;
	case TYPE_FUTEXOP: futexop_write(out, v); break;
	case TYPE_SWAPF: swapf_write(out, (uint32_t)v); break;
	case TYPE_IOPRIO: ioprio_write(out, (uint32_t)v); break;
	case TYPE_QCMD: qcmd_write(out, (uint32_t)v); break;
	case TYPE_WAKEOP: wakeop_write(out, (uint32_t)v); break;
	case TYPE_PERSONA:
		(uint32_t) v == ~0u ? out_hex(out, ~0u) : out_set(out, t->of, v, 4);
		break;
	case TYPE_BITSET:
		v == 0xffffffff ? out_word(out, "FUTEX_BITSET_MATCH_ANY") : out_hex(out, v);
		break;
	case TYPE_HANDLER:
		v < 2 ? out_word(out, v ? "SIG_IGN" : "SIG_DFL") : out_hex(out, v);
		break;
	case TYPE_ZHEX:
		buf_printf(out->o, out->json ? "\"%#0*llx\"" : "%#0*llx", (int)size * 2,
			   (unsigned long long)v);
		break;
	case TYPE_CONSOLE: out_console(out, t->bit, v); break;
	case TYPE_HEX: out_hex(out, v); break;
	case TYPE_DEV: out_dev(out, v); break;
	case TYPE_NETWORK: out_network(out, t, (uint16_t)v); break;
	default: pointer_write(out, v);
	}
}

void out_scalar(struct out *out, const struct type *t, uint64_t v)
{
	const char *format = out_is_styled(out) ? number_format(t) : NULL;
	uint32_t size = scalar_size(t, out->event->abi);
	size_t begin = out->o->len;
	char number[32];

	out_plain(out, t, v);
	if (!format || is_no_signal(t, size, v))
		return;
	if (size < 8 && size)
		v &= (1ull << size * 8) - 1;
	if (t->kind == TYPE_AT || t->kind == TYPE_SIGNAL || t->kind == TYPE_NERRNO ||
	    t->kind == TYPE_IOPRIO)
		v = (uint64_t)(int32_t)v;
	snprintf(number, sizeof(number), format, v);
	out_style(out, begin, number);
}

void syscall_write_name(struct buf *o, const char *name, size_t len,
			const struct syscall_options *options)
{
	struct out out = { .o = o, .options = options };

	out_bracketed(&out, name, len);
}
