/* SPDX-License-Identifier: GPL-2.0-only */
/* types.c - parses the types of arguments and members: [*!&^><]BASE.COUNT. */
#include <stdlib.h>
#include <string.h>

#include "kernel/arch.h"
#include "output/field/flag_names.h"
#include "syscalls/table.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* ---- types ---- */

static const struct {
	char name[10];
	uint8_t kind, size;
	bool hex;    /* as in struct type */
	uint8_t bit; /* as there */
} kinds[] = {
	{ "i", TYPE_INT, 4 },
	{ "pid", TYPE_INT, 4, .bit = 1 },
	{ "u", TYPE_UINT, 4 },
	{ "x", TYPE_HEX, 4 },
	{ "p", TYPE_PTR, SIZE_WORD },
	{ "o", TYPE_OCTAL, 4 },
	{ "m", TYPE_MODE, 4 },
	{ "e", TYPE_ENUM, 4 },
	{ "f", TYPE_FLAGS, 4 },
	{ "fd", TYPE_FD, 4 },
	{ "fdin", TYPE_FD, 4, .bit = FD_IN },
	{ "fdout", TYPE_FD, 4, .bit = FD_OUT },
	{ "fdskip", TYPE_FD, 4, .bit = FD_SKIP },
	{ "fdpid", TYPE_FD, 4, .bit = FD_PID },
	{ "fdres", TYPE_FD, 4, .bit = FD_RESULT },
	{ "at", TYPE_AT, 4 },
	{ "atnofd", TYPE_AT, 4, .bit = 1 },
	{ "id", TYPE_ID, 4 },
	{ "path", TYPE_PATH, 1 },
	{ "str", TYPE_STR, 1 },
	{ "buf", TYPE_BUF, 1 },
	{ "bufx", TYPE_BUF, 1, .hex = true },
	{ "chars", TYPE_CHARS, 1 },
	{ "charsn", TYPE_CHARS, 1, .bit = 1 },
	{ "argv", TYPE_WORDS, 1 },
	{ "envp", TYPE_ENVP, 1 },
	{ "iovec", TYPE_IOVEC, 1 },
	{ "msghdr", TYPE_MSGHDR, 1 },
	{ "mmsghdr", TYPE_MMSGHDR, 1 },
	{ "requests", TYPE_REQUESTS, SIZE_WORD },
	{ "sockaddr", TYPE_SOCKADDR, 1 },
	{ "socklen", TYPE_SOCKLEN, 4 },
	{ "optval", TYPE_OPTVAL, 248 },
	{ "opttime", TYPE_OPTVAL, 248, .bit = 1 },
	{ "opttime64", TYPE_OPTVAL, 248, .bit = 2 },
	{ "sigset", TYPE_SIGSET, 8 },
	{ "wstatus", TYPE_WSTATUS, 4 },
	{ "dirent", TYPE_DIRENT, 1 },
	{ "direntold", TYPE_DIRENT, 1, .bit = 1 },
	{ "dev", TYPE_DEV, 8 },
	{ "dev32", TYPE_DEV, 4 },
	{ "rlim", TYPE_RLIM, SIZE_WORD },
	{ "rlim64", TYPE_RLIM, 8 },
	{ "handler", TYPE_HANDLER, SIZE_WORD },
	{ "epolldata", TYPE_EPOLLDATA, 8 },
	{ "fdset", TYPE_FDSET, 1 },
	{ "cpuset", TYPE_CPUSET, 1 },
	{ "futexop", TYPE_FUTEXOP, 4 },
	{ "bitset", TYPE_BITSET, 4 },
	{ "clone", TYPE_CLONE, SIZE_WORD },
	{ "sig", TYPE_SIGNAL, 4 },
	{ "errno", TYPE_ERRNO, 4 },
	{ "nerr", TYPE_NERRNO, 4 },
	{ "msgbuf", TYPE_MSGBUF, 1 },
	{ "perm", TYPE_PERM, 4 },
	{ "siginfo", TYPE_SIGINFO, 128 },
	{ "skip", TYPE_SKIP, 4 },
	{ "none", TYPE_NONE, 4 },
	{ "time", TYPE_TIME, SIZE_WORD },
	{ "date", TYPE_TIME, SIZE_WORD, .bit = 1 },
	{ "clockt", TYPE_CLOCKT, SIZE_WORD },
	{ "swapf", TYPE_SWAPF, 4 },
	{ "xs", TYPE_HEX, 4 },
	{ "uls", TYPE_UINT, SIZE_WORD },
	{ "bit", TYPE_BIT, 8 },
	{ "bytes", TYPE_BYTES, 1 },
	{ "inet", TYPE_INET, 4 },
	{ "inet6", TYPE_INET6, 16 },
	{ "port", TYPE_PORT, 2 },
	{ "mac", TYPE_MAC, 1 },
	{ "bits", TYPE_BITS, 4 },
	{ "be", TYPE_BE, 4 },
	{ "beq", TYPE_BE, 8 },
	{ "beh", TYPE_BE, 4, .hex = true },
	{ "ifindex", TYPE_IFINDEX, 4 },
	{ "cc", TYPE_INDEXED, 1 },
	{ "ixd", TYPE_INDEXED, 4 },
	{ "ixq", TYPE_INDEXED, 8 },
	{ "nlclock", TYPE_CLOCKT, 8 },
	{ "hn", TYPE_NETWORK, 2 },
	{ "nfmsg", TYPE_NFMSG, 2 },
	{ "nfres", TYPE_PORT, 2, .hex = true },
	{ "kver", TYPE_KVER, 4 },
	{ "ifreqs", TYPE_IFREQS, 4 },
	{ "ipaddr", TYPE_ADDRESS, 4 },
	{ "strz", TYPE_STR, 1 },
	{ "bits38", TYPE_REST, 8 },
	{ "hole16", TYPE_HOLE, 2 },
	{ "hole", TYPE_HOLE, 4 },
	{ "note", TYPE_HOLE, 1, .bit = 1 },
	{ "skid", TYPE_SKID, 8 },
	{ "caps", TYPE_CAPS, 4 },
	{ "perfconf", TYPE_PERFCONF, 8 },
	{ "wakeop", TYPE_WAKEOP, 4 },
	{ "qcmd", TYPE_QCMD, 4 },
	{ "persona", TYPE_PERSONA, 4 },
	{ "bufz", TYPE_BUF, 1, .bit = 1 },
	{ "insn", TYPE_INSN, 8 },
	{ "arch", TYPE_ARCH, 4 },
	{ "nr", TYPE_NR, 8 },
	{ "nerrq", TYPE_NERRNO, 8 },
	{ "scinsn", TYPE_INSN, 8, .bit = 1 },
	{ "ebpf", TYPE_INSN, 8, .bit = 2 },
	{ "tail", TYPE_TAIL, 4 },
	{ "word", TYPE_ZHEX, SIZE_WORD },
	{ "word32", TYPE_ZHEX, 4 },
	{ "scnr", TYPE_NR, 4, .bit = 1 },
	{ "sig64", TYPE_SIGNAL, 8 },
	{ "ioprio", TYPE_IOPRIO, 4 },
	{ "ioprio16", TYPE_IOPRIO, 2 },
	{ "bit2", TYPE_BIT, 8, .hex = true },
	{ "bit8", TYPE_BIT, 1 },
	{ "bits3", TYPE_REST, 1 },
	{ "bits931", TYPE_REST, 4 },
	{ "ixu", TYPE_INDEXED, 4, .bit = 1 },
	{ "hnx", TYPE_NETWORK, 2, .bit = 1 },
	{ "uuid", TYPE_UUID, 16 },
	{ "fourcc", TYPE_FOURCC, 4 },
	{ "fract", TYPE_FRACT, 8 },
	{ "cid", TYPE_CID, 4 },
	{ "cidnext", TYPE_CID, 4, .bit = 1 },
	{ "character", TYPE_CONSOLE, 1 },
	{ "kdsound", TYPE_CONSOLE, SIZE_WORD, .bit = 1 },
	{ "kdtone", TYPE_CONSOLE, 4, .bit = 2 },
	{ "kdport", TYPE_CONSOLE, SIZE_WORD, .bit = 3 },
	{ "kdsymbol", TYPE_CONSOLE, 2, .bit = 4 },
	{ "kdfunc", TYPE_CONSOLE, 1, .bit = 5 },
	{ "kdunicode", TYPE_CONSOLE, 2, .bit = 6 },
	{ "kdglyphs", TYPE_BUF, 32, .hex = true },
};

/* A base: a kind, or a kind and its size (8, 16, 64, l for a word), or a struct. */
static void base_read(struct type *t, char *base)
{
	size_t len = strcspn(base, "0123456789");
	const char *size = base + len;

	t->of = layout_find(base);
	t->kind = !t->of ? TYPE_HEX : *base == '%' ? TYPE_ATTRS : TYPE_STRUCT;
	t->size = t->of ? 1 : 4;
	for (size_t i = 0; i < COUNT(kinds) && !t->of; i++) {
		const char *name = kinds[i].name;

		if (*name != *base)
			continue;
		if (!strcmp(base, name)) {
			t->kind = kinds[i].kind;
			t->size = kinds[i].size;
			t->hex = kinds[i].hex;
			t->bit = kinds[i].bit;
			return;
		}
		if (!name[1] && (len == 1 || !strcmp(base + 1, "l"))) {
			t->kind = kinds[i].kind;
			t->size = *size ? (uint8_t)(atoi(size) / 8) : SIZE_WORD;
		}
	}
}

static uint8_t arg_find(const char *name, const struct member *args, uint8_t nargs)
{
	for (uint8_t i = 0; i < nargs; i++)
		if (args[i].name && !strcmp(args[i].name, name))
			return i;
	return COUNT_NONE;
}

static void count_read(struct type *t, char *s, const struct member *args, uint8_t nargs)
{
	char *at = strchr(s, '#');

	if (at) {
		*at = 0;
		t->count_at = (uint8_t)atoi(at + 1);
	}
	if (!strncmp(s, "arg", 3) && s[3] >= '0' && s[3] < '0' + SYSCALL_ARGS && !s[4])
		t->count_arg = (uint8_t)(COUNT_OF_ARG + s[3] - '0');
	else
		t->count_arg = !strcmp(s, "ret") ? SYSCALL_RESULT : arg_find(s, args, nargs);
}

/* The names of the numbers of elements, and how many there are, as the set has or as .COUNT says; of a terminal's
 * characters the count is given. */
static void index_read(struct type *t, char *s, const struct member *args, uint8_t nargs)
{
	bool is_count = *s >= '0' && *s <= '9';
	char *count = strchr(s, '.');
	const struct set *set;

	if (count) {
		*count++ = 0;
		count_read(t, count, args, nargs);
	}
	set = set_find(is_count ? "termcc" : s);
	t->of = set;
	t->array = true;
	t->count = (uint16_t)(is_count ? atoi(s) : 0);
	for (const struct field_name *f = set ? set->items : NULL; !is_count && f && f->name; f++)
		t->count++;
}

/* NAME.COUNT or e.SET or e.SET.COUNT; COUNT is a number, an argument's name, ret. */
static void suffix_read(struct type *t, char *s, const struct member *args, uint8_t nargs)
{
	bool is_bit = t->kind == TYPE_BIT;
	char *count = t->kind == TYPE_ENUM || t->kind == TYPE_FLAGS ? strchr(s, '.') : NULL;

	if (t->kind == TYPE_INDEXED) {
		index_read(t, s, args, nargs);
	} else if (t->kind == TYPE_ENUM || t->kind == TYPE_FLAGS || t->kind == TYPE_PERM ||
		   t->kind == TYPE_BITS || t->kind == TYPE_PERSONA || t->kind == TYPE_NETWORK ||
		   t->kind == TYPE_FOURCC) {
		if (count)
			*count++ = 0;
		t->of = set_find(s);
		if (count)
			count_read(t, count, args, nargs);
	} else if (*s >= '0' && *s <= '9') {
		t->count = is_bit ? 1 : (uint16_t)atoi(s);
		t->bit = is_bit ? (uint8_t)atoi(s) : t->bit;
		t->array = t->kind != TYPE_CHARS && t->kind != TYPE_BYTES && t->kind != TYPE_BUF &&
			   t->kind != TYPE_MAC && t->kind != TYPE_STR && t->kind != TYPE_PATH &&
			   t->kind != TYPE_SOCKADDR && !is_bit;
	} else {
		count_read(t, s, args, nargs);
	}
}

/* ?0x4: with bits of the first member; ?NAME&0x4 of another. ?NAME^0x4: without them. ?NAME=2 or ?NAME!2: by its value. ?-: if none at this
 * offset was shown; ?.: if none at all; ?<: if the call failed, ?NAME<: and
 * it is not 0; ?>: if it did not. ?NAME*0x4: its value is the number of one of these bits. ?NAME+0: it is there. */
static void condition_read(struct type *t, char *s, const struct member *members, uint8_t count)
{
	size_t len = strcspn(s, "&=!^*+<>");
	char sign = s[len];

	t->condition = *s == '-' || *s == '.' ? *s : sign ?: '&';
	if (*s == '-' || *s == '.')
		return;
	t->with = strtoull(s + (sign ? len + 1 : 0), NULL, 0);
	s[len] = 0;
	t->on = sign ? arg_find(s, members, count) : 0;
}

/* Cuts off what follows the base: ]~+ */
static void marks_cut(struct type *t, char *s)
{
	for (char *end = s + strlen(s); end > s && strchr("]~+", end[-1]); *--end = 0) {
		t->hidden |= end[-1] == '~';
		t->whole |= end[-1] == '+';
	}
}

void type_read(struct type *t, char *s, const struct member *args, uint8_t nargs)
{
	char *at, *dot, *end;

	*t = (struct type){ .count = 1,
			    .count_arg = COUNT_NONE,
			    .limit_arg = COUNT_NONE,
			    .less_arg = COUNT_NONE,
			    .offset = -1 };
	at = strchr(s, '?');
	if (at) {
		t->optional = true;
		if (at[1])
			condition_read(t, at + 1, args, nargs);
		*at = 0;
	}
	end = strchr(s, '|');
	if (end) {
		*end = 0;
		t->most = (uint32_t)atoi(end + 1);
		t->is_short = strchr(end + 1, '~') != NULL;
	}
	end = strchr(s, '%');
	if (end && end > s + 1) {
		*end = 0;
		t->each = atoi(end + 1);
	}
	at = strchr(s, '@');
	if (at) {
		*at = 0;
		t->offset = at[1] == '=' ? OFFSET_SAME : (int16_t)atoi(at + 1);
	}
	end = strchr(s, '/');
	if (end) {
		*end = 0;
		t->is_exact = end[1] == '=';
		at = strchr(end + 1, '>');
		if (at) {
			*at = 0;
			t->least = (uint8_t)atoi(at + 1);
		}
		at = strchr(end + 1, '-');
		if (at) {
			*at = 0;
			t->less_arg = arg_find(at + 1, args, nargs);
		}
		t->limit_arg = end[1] == '.' ? LIMIT_SIZE :
					       arg_find(end + 1 + t->is_exact, args, nargs);
	}
	if (strchr("*!&^><", *s) && *s)
		t->ptr = *s++;
	if (t->ptr == '*' && *s == '>') {
		t->is_filled = true;
		s++;
	}
	if (*s == '[') {
		t->array = true;
		s++;
	}
	dot = strchr(s, '.');
	if (dot)
		*dot++ = 0;
	marks_cut(t, s);
	base_read(t, s);
	if (!dot)
		return;
	marks_cut(t, dot);
	suffix_read(t, dot, args, nargs);
}

/* Returns the offset of member `i`, after one that begins at `last` and those that end at `end`. */
static uint32_t member_place(const struct layout *l, uint8_t i, unsigned abi, uint32_t last,
			     uint32_t end)
{
	const struct type *t = &l->members[i].type;
	uint32_t align;

	member_size(t, abi, &align);
	if (t->offset == OFFSET_SAME)
		return last;
	if (t->offset >= 0)
		return (uint32_t)t->offset;
	return align ? (end + align - 1) / align * align : end;
}

uint32_t member_size(const struct type *m, unsigned abi, uint32_t *align)
{
	if (m->ptr == '*')
		return *align = abi ? 4 : 8;
	return type_size(m, abi, align) * (m->count_arg == COUNT_NONE ? m->count : 0);
}

void members_place(const struct layout *l, unsigned abi, uint32_t at[MEMBERS_MAX])
{
	uint32_t last = 0, end = 0, stop, align;

	for (uint8_t i = 0; i < l->count && i < MEMBERS_MAX; i++) {
		at[i] = last = member_place(l, i, abi, last, end);
		stop = last + member_size(&l->members[i].type, abi, &align);
		end = stop > end ? stop : end;
	}
}

uint32_t type_size(const struct type *t, unsigned abi, uint32_t *align)
{
	uint32_t size = scalar_size(t, abi), at = 0, end = 0, most = 1, a, n;
	const struct layout *l = t->of;

	*align = abi && size > 4 ? 4 : size;
	if (t->kind == TYPE_SIGINFO || t->kind == TYPE_OPTVAL || t->kind == TYPE_INET6 ||
	    t->kind == TYPE_FRACT)
		*align = 4;
	if (t->kind == TYPE_UUID)
		*align = 1;
	if (t->kind != TYPE_STRUCT || !l)
		return size;
	for (uint8_t i = 0; i < l->count; i++) {
		const struct type *m = &l->members[i].type;

		n = member_size(m, abi, &a);
		if (m->offset >= 0 && a > 4)
			a = 4;
		at = member_place(l, i, abi, at, end);
		end = at + n > end ? at + n : end;
		most = a > most ? a : most;
	}
	*align = most;
	return (end + most - 1) / most * most;
}

bool type_has_size_first(const struct type *t)
{
	const struct layout *l = t->of;

	return t->kind == TYPE_STRUCT && !strcmp(l->members[0].name, "size");
}
