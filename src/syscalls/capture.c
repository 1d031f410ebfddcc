/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * capture.c - converts the types of a call's arguments to what the programs capture.
 */
#include <limits.h>
#include <string.h>

#include "syscalls/capture.h"

#define ARGV_WORDS   32	 /* as strace(1) shows them */
#define SOCKADDR_MAX 128 /* struct sockaddr_storage */
#define MSGBUF_HEAD  8	 /* struct msgbuf: its type, then as many bytes as the call specifies */

/* Returns the number of bytes of a string or buffer. */
static uint32_t strings_of(const struct call *c, unsigned i, const struct syscall_options *o)
{
	bool is_all = (o->reads && call_moves(c, i, false)) ||
		      (o->writes && call_moves(c, i, true));

	return is_all || o->strings > SYSSNOOP_BYTES_MAX ? SYSSNOOP_BYTES_MAX : o->strings;
}

/* Captures one more byte than is printed, as strace(1) does: if it cannot be read, the rest is not printed. */
static uint32_t one_more(uint32_t strings)
{
	return strings < SYSSNOOP_BYTES_MAX ? strings + 1 : strings;
}

static void kind_set(struct syscall_take *t, const struct type *type, uint32_t strings,
		     const struct syscall_options *o)
{
	t->kind = TAKE_BYTES;
	t->max = SYSSNOOP_TAKE_MAX;
	switch (type->kind) {
	case TYPE_STR: /* for getcwd it is a path */
		t->kind = TAKE_STRING;
		t->max = type->count_arg == COUNT_NONE ? strings : t->max;
		if (type->count > 1 && t->max > type->count)
			t->max = type->count;
		break;
	case TYPE_PATH:
		t->kind = TAKE_STRING;
		t->max = type->count > 1 ? type->count - 1u : PATH_MAX - 1;
		break;
	case TYPE_BUF: t->max = one_more(strings); break;
	case TYPE_MSGBUF: t->max = t->number = MSGBUF_HEAD + strings; break;
	case TYPE_WORDS:
		t->kind = TAKE_WORDS;
		t->number = o->verbose ? SYSSNOOP_WORDS_MAX : ARGV_WORDS;
		t->max = strings;
		break;
	case TYPE_ENVP:
		t->kind = TAKE_WORDS;
		t->number = o->verbose ? SYSSNOOP_WORDS_MAX : 0;
		t->max = strings;
		break;
	case TYPE_REQUESTS:
	case TYPE_IOVEC:
		t->kind = type->kind == TYPE_IOVEC ? TAKE_IOVEC : TAKE_REQUESTS;
		t->max = one_more(strings);
		break;
	case TYPE_MSGHDR:
	case TYPE_MMSGHDR:
		t->kind = type->kind == TYPE_MSGHDR ? TAKE_MSGHDR : TAKE_MMSGHDR;
		t->number = type->ptr == '*';
		t->max = one_more(strings);
		break;
	case TYPE_FDSET: t->number = 128; break;
	case TYPE_SOCKADDR: t->max = SOCKADDR_MAX; break;
	default: break;
	}
}

#define TAIL_MAX 256 /* of a struct that ends with an array */

static bool has_tail(const struct type *type)
{
	const struct layout *l = type->kind == TYPE_STRUCT ? type->of : NULL;

	return l && l->count && l->members[l->count - 1].type.count_arg != COUNT_NONE;
}

/* Sets the number of elements. */
static void count_set(struct syscall_take *t, const struct type *type, const struct call *c,
		      unsigned abi)
{
	uint32_t align;

	t->size = type_size(type, abi, &align) + (has_tail(type) ? TAIL_MAX : 0);
	if (type->kind == TYPE_FDSET || type->kind == TYPE_MSGBUF)
		return;
	if (type->limit_arg < SYSCALL_ARGS) {
		const struct type *limit = &c->args[type->limit_arg].type;

		t->size = t->number = 1;
		t->count_arg = type->limit_arg;
		if (type->count_arg == SYSCALL_RESULT)
			t->count = COUNT_ARG_LESS;
		else
			t->count = limit->kind == TYPE_SOCKLEN	? COUNT_BEHIND32 :
				   scalar_size(limit, abi) == 4 ? COUNT_ARG32 :
								  COUNT_ARG;
		return;
	}
	if (t->kind == TAKE_BYTES && !type->array && t->size > t->max)
		t->max = t->size;
	t->number = type->count_at ? t->max : t->number ?: type->count;
	if (type->count_at)
		return;
	if (type->count_arg == COUNT_NONE)
		return;
	t->count = COUNT_ARG;
	t->count_arg = type->count_arg;
	if (type->count_arg < SYSCALL_ARGS && scalar_size(&c->args[type->count_arg].type, abi) == 4)
		t->count = COUNT_ARG32;
	if (type->kind == TYPE_MMSGHDR && type->ptr == '&') /* as many as arrived */
		t->count = COUNT_ARG_LESS;
	if (type->kind == TYPE_MMSGHDR)
		t->number = type->ptr == '*';
	if (type->count_arg < SYSCALL_ARGS && c->args[type->count_arg].type.kind == TYPE_SOCKLEN)
		t->count = COUNT_BEHIND32;
}

/* ---- what members of structs point to ---- */

/* Returns how to capture the target of member `m`, at offset `at`. */
static struct syscall_behind behind_of(const struct type *m, unsigned arg, uint32_t at,
				       unsigned abi, uint32_t strings)
{
	uint32_t align, size = type_size(m, abi, &align) + (has_tail(m) ? TAIL_MAX : 0);
	bool is_string = m->kind == TYPE_STR || m->kind == TYPE_PATH;

	return (struct syscall_behind){
		.arg = (uint8_t)arg,
		.kind = is_string ? TAKE_STRING : TAKE_BYTES,
		.word = abi ? 4 : 8,
		.at = (uint16_t)at,
		.number = m->count,
		.size = size,
		.max = m->kind == TYPE_STR || m->kind == TYPE_BUF ? strings :
		       is_string				  ? PATH_MAX - 1 :
								    SYSSNOOP_BYTES_MAX,
	};
}

/* A string where another variant has bytes: their parts differ. */
static void strings_part(struct syssnoop_variant *out, unsigned arg, uint16_t at)
{
	struct syscall_behind *string = NULL;
	bool has_bytes = false;

	for (unsigned i = 0; i < SYSSNOOP_BEHIND; i++) {
		struct syscall_behind *b = &out->behind[i];

		if (!b->kind || b->arg != arg || b->at != at)
			continue;
		has_bytes |= b->kind == TAKE_BYTES;
		string = b->kind == TAKE_STRING ? b : string;
	}
	if (string && has_bytes)
		string->count_at = SYSSNOOP_SPECIAL;
}

static void behind_add(struct syssnoop_variant *out, const struct syscall_behind *b)
{
	out->leads |= (uint8_t)(1 << b->arg);
	for (unsigned i = 0; i < SYSSNOOP_BEHIND; i++) {
		if (!out->behind[i].kind)
			out->behind[i] = *b;
		if (out->behind[i].arg != b->arg || out->behind[i].at != b->at ||
		    out->behind[i].kind != b->kind)
			continue;
		if (b->max > out->behind[i].max)
			out->behind[i] = *b;
		break;
	}
	strings_part(out, b->arg, b->at);
}

/* Sets how many bytes or elements there are, if another member says so. */
static void behind_count(struct syscall_behind *b, const struct layout *l, const struct type *m,
			 const uint32_t *at, uint32_t base, unsigned abi)
{
	bool is_bytes = m->limit_arg < l->count && !m->is_exact;
	uint8_t i = is_bytes ? m->limit_arg : m->count_arg;

	if (b->kind == TAKE_STRING) /* ends where it ends */
		return;
	if (!is_bytes && i >= COUNT_OF_ARG && i != COUNT_NONE) {
		b->count_at = i - COUNT_OF_ARG;
		b->count_size = SYSSNOOP_OF_ARG;
		return;
	}
	if (i >= l->count)
		return;
	b->count_at = (uint16_t)(base + at[i]);
	b->count_size = (uint8_t)scalar_size(&l->members[i].type, abi);
	if (is_bytes && m->kind == TYPE_STRUCT && !m->array)
		b->max = b->size;
	b->size = is_bytes ? 1 : b->size;
}

static void fd_add(struct syssnoop_variant *out, unsigned arg, uint32_t at,
		   const struct syscall_options *o)
{
	struct syscall_behind b = {
		.arg = (uint8_t)arg, .kind = TAKE_FD, .word = 4, .at = (uint16_t)at
	};

	if (o->fd_paths)
		behind_add(out, &b);
}

/* Adds what the first pointer to bytes in each element of a list leads to; `list`: what the list is. */
static void inner_add(struct syssnoop_variant *out, const struct syscall_behind *list,
		      const struct layout *l, unsigned abi, uint32_t strings)
{
	struct syscall_behind b = *list;
	uint32_t at[MEMBERS_MAX];

	members_place(l, abi, at);
	for (uint8_t k = 0; k < l->count && k < MEMBERS_MAX; k++) {
		const struct type *m = &l->members[k].type;

		if (m->ptr != '*' || m->kind != TYPE_BUF || m->limit_arg >= l->count)
			continue;
		b.kind = TAKE_IN_LIST;
		b.number = SYSSNOOP_INNER(at[k], at[m->limit_arg],
					  scalar_size(&l->members[m->limit_arg].type, abi));
		b.max = strings;
		behind_add(out, &b);
		return;
	}
}

/* Collects the pointers and descriptors in a struct at offset `base` of argument `i`. */
static void members_collect(struct syssnoop_variant *out, const struct layout *l, unsigned i,
			    uint32_t base, unsigned abi, const struct syscall_options *o)
{
	uint32_t at[MEMBERS_MAX];

	members_place(l, abi, at);
	for (uint8_t k = 0; k < l->count && k < MEMBERS_MAX; k++) {
		const struct type *m = &l->members[k].type;
		struct syscall_behind b;

		if (m->ptr != '*' && (m->kind == TYPE_FD || m->kind == TYPE_AT) && !m->array)
			fd_add(out, i, base + at[k], o);
		if (m->ptr != '*' && m->kind == TYPE_STRUCT && m->count == 1)
			members_collect(out, m->of, i, base + at[k], abi, o);
		if (m->ptr != '*' || (m->hidden && !o->verbose))
			continue;
		b = behind_of(m, i, base + at[k], abi, o->strings);
		behind_count(&b, l, m, at, base, abi);
		behind_add(out, &b);
		if (m->kind == TYPE_STRUCT && m->array)
			inner_add(out, &b, m->of, abi, o->strings);
		if (m->kind != TYPE_FD || !m->array || !o->fd_paths)
			continue;
		b.kind = TAKE_FD;
		b.word = b.word == 4 ? SYSSNOOP_WORD32 : 8;
		behind_add(out, &b);
	}
}

#define SIGINFO_FD 24 /* offset of si_fd */
#define XDP_FD	   12 /* of sxdp_shared_umem_fd */

/* Adds the descriptors in the structs of a list that argument `i` leads to. */
static void rows_add(struct syssnoop_variant *out, const struct type *type, unsigned i,
		     unsigned abi, const struct syscall_options *o)
{
	const struct layout *l = type->of;
	uint32_t at[MEMBERS_MAX], align;
	struct syscall_behind b = { .arg = (uint8_t)i,
				    .kind = TAKE_FD,
				    .word = SYSSNOOP_ROWS,
				    .count_at = type->count_arg,
				    .count_size = SYSSNOOP_OF_ARG,
				    .size = type_size(type, abi, &align) };
	uint8_t k = 0;

	while (k < l->count && (l->members[k].type.kind != TYPE_FD || l->members[k].type.ptr))
		k++;
	if (!o->fd_paths || k == l->count || b.size != SYSSNOOP_ROW ||
	    type->count_arg >= SYSCALL_ARGS)
		return;
	members_place(l, abi, at);
	b.at = (uint16_t)at[k];
	behind_add(out, &b);
}

/* Collects what is known only when argument `i` of a call or a variant has been read. */
void behind_collect(struct syssnoop_variant *out, const struct call *c, unsigned i, unsigned abi,
		    const struct syscall_options *o)
{
	const struct type *type = &c->args[i].type;

	if (type->kind == TYPE_STRUCT && !type->array)
		members_collect(out, type->of, i, 0, abi, o);
	else if (type->kind == TYPE_SIGINFO)
		fd_add(out, i, SIGINFO_FD, o);
	else if (type->kind == TYPE_SOCKADDR && type->ptr == '*')
		fd_add(out, i, XDP_FD, o);
	if (type->ptr && type->array && type->kind == TYPE_STRUCT)
		rows_add(out, type, i, abi, o);
	for (uint32_t at = 0; type->kind == TYPE_FD && type->ptr && at < SYSSNOOP_BEHIND * 4;
	     at += 4)
		fd_add(out, i, at, o);
}

/* calls.tbl explains the letters. */
static uint8_t when_of(const struct type *type)
{
	switch (type->ptr) {
	case '!': return TAKE_AT_ENTRY | TAKE_AT_FAILURE | TAKE_UNREAD;
	case '&': return TAKE_AT_ENTRY | TAKE_AT_SUCCESS;
	case '^': return TAKE_AT_ENTRY | TAKE_AT_RETURN;
	/* for a message: the room is known before the call, and also if the call fails */
	case '>':
		if (type->kind == TYPE_MSGHDR)
			return TAKE_AT_ENTRY | TAKE_AT_RETURN;
		return type->kind == TYPE_IOVEC ? TAKE_AT_RETURN : TAKE_AT_SUCCESS;
	case '<': return TAKE_AT_FAILURE;
	default: break;
	}
	if (type->limit_arg == LIMIT_SIZE) /* the kernel reports its own size */
		return TAKE_AT_ENTRY | TAKE_AT_FAILURE;
	if (type->kind == TYPE_MMSGHDR) /* again, for the bytes moved per message */
		return TAKE_AT_ENTRY | TAKE_AT_SUCCESS;
	return TAKE_AT_ENTRY | TAKE_AT_RETURN | TAKE_UNREAD;
}

static struct syscall_take fd_claim(const struct syscall_options *o, uint8_t when)
{
	return (struct syscall_take){ .kind = o->fd_paths ? TAKE_FD : TAKE_NONE, .when = when };
}

static struct syscall_take fd_capture(const struct type *type, unsigned i,
				      const struct syscall_options *o)
{
	struct syscall_take t = fd_claim(o, TAKE_AT_ENTRY);
	uint8_t when = type->bit == FD_IN ? TAKE_AT_SUCCESS : TAKE_AT_ENTRY;

	if (type->kind != TYPE_FD || !type->bit)
		return t;
	if (type->bit == FD_PID) {
		t.count = COUNT_PID;
		t.count_arg = (uint8_t)(i - FD_PID_BEFORE);
		return t;
	}
	if (type->bit == FD_RESULT)
		return (struct syscall_take){ .kind = TAKE_NONE };
	if (t.kind == TAKE_NONE)
		return (struct syscall_take){ .kind = TAKE_NETLINK, .when = when };
	t.size = 1;
	t.when |= when;
	return t;
}

struct syscall_take capture_of(const struct call *c, unsigned i, unsigned abi,
			       const struct syscall_options *o)
{
	const struct type *type = &c->args[i].type;
	struct syscall_take t = { .when = when_of(type) };

	if (type_is_fd(type)) /* at the entry: close(2) */
		return fd_capture(type, i, o);
	if (type->kind == TYPE_SOCKLEN) {
		t = (struct syscall_take){
			TAKE_BYTES, TAKE_AT_ENTRY | TAKE_AT_RETURN, COUNT_NUMBER, 0, 4, 1, 4
		};
		return t;
	}
	if (!type->ptr && type->kind != TYPE_PATH)
		return (struct syscall_take){ .kind = TAKE_NONE };
	kind_set(&t, type, strings_of(c, i, o), o);
	if (type->limit_arg != COUNT_NONE && t.kind == TAKE_STRING)
		t.kind = TAKE_BYTES;
	if (t.kind == TAKE_BYTES || t.kind == TAKE_IOVEC || t.kind == TAKE_MMSGHDR ||
	    t.kind == TAKE_REQUESTS)
		count_set(&t, type, c, abi);
	return t;
}
