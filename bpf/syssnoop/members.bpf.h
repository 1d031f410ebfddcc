/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * members.bpf.h - appends what members of a struct point to, the requests of io_submit(2), and the files of descriptors
 * in structs.
 */
#ifndef CORETAP_SYSSNOOP_MEMBERS_BPF_H
#define CORETAP_SYSSNOOP_MEMBERS_BPF_H

#include "syssnoop/memory.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1); /* as many as the wanted calls have */
	__type(key, struct syssnoop_key);
	__type(value, struct syssnoop_variant);
} variants SEC(".maps");

static __always_inline __u64 number_read(__u64 from, __u32 size)
{
	__u64 n = 0;

	if (size == 2)
		bpf_probe_read_user(&n, 2, (void *)from);
	else if (size == 4)
		bpf_probe_read_user(&n, 4, (void *)from);
	else
		bpf_probe_read_user(&n, 8, (void *)from);
	return n;
}

/* Returns the variant that the key of a call with these arguments selects; NULL: this row has none. */
static __always_inline struct syssnoop_variant *variant_of(const __u64 *args, __u32 row)
{
	struct syscall_capture *cap = bpf_map_lookup_elem(&rows, &row);
	struct syssnoop_key key = { row, SYSSNOOP_OTHERS };
	struct syssnoop_variant *v = NULL;
	__u32 arg = cap ? cap->key : SYSCALL_ARGS;

	if (arg < SYSCALL_ARGS) {
		key.value = args[arg];
		v = bpf_map_lookup_elem(&variants, &key);
	}
	key.value = SYSSNOOP_OTHERS;
	return v ?: bpf_map_lookup_elem(&variants, &key);
}

/* Returns how many elements there are behind a member. */
static __always_inline __u64 behind_count(__u64 from, const struct syscall_behind *b)
{
	__u32 arg = b->count_at;
	struct work *w;

	if (b->count_size != SYSSNOOP_OF_ARG)
		return b->count_size ? number_read(from + b->count_at, b->count_size) : b->number;
	w = scratch_work_get();
	OPAQUE(arg);
	return w && arg < SYSCALL_ARGS ? w->e.args[arg] : 0;
}

static __always_inline struct syssnoop_variant *variant_find(struct work *w, __u32 row)
{
	return variant_of(w->e.args, row);
}

/* ---- requests of io_submit ---- */

/* Members of struct iocb. */
enum { IOCB_OPCODE = 16, IOCB_BUF = 24, IOCB_NBYTES = 32, IOCB_SIZE = 64 };
enum { IOCB_PWRITE = 1, IOCB_PREADV = 7, IOCB_PWRITEV = 8 };

__attribute__((noinline)) int put_request(__u64 from, __u32 most, __u32 tag)
{
	__u32 opcode = number_read(from + IOCB_OPCODE, 2);
	__u64 buf = number_read(from + IOCB_BUF, 8), n = number_read(from + IOCB_NBYTES, 8);

	put_bytes(from, IOCB_SIZE, IOCB_SIZE, tag);
	tag += REQUEST_BUF;
	if (opcode == IOCB_PWRITE)
		put_bytes(buf, n, most, tag);
	else if (opcode == IOCB_PREADV)
		put_bytes(buf, n * 16, SYSSNOOP_IOVECS * 16, tag);
	else if (opcode == IOCB_PWRITEV)
		put_iovecs(buf, n, most, tag);
	return 0;
}

__attribute__((noinline)) int put_requests(__u64 from, __u64 count, __u32 most, __u32 tag)
{
	struct work *w = scratch_work_get();
	__u32 size;

	if (!w || (__s64)count < 0)
		return 0;
	size = w->e.abi == SYSCALL_ABI_32 ? 4 : 8;
	put_bytes(from, count * size, SYSSNOOP_REQUESTS * size, tag);
	for (__u32 i = 0; i < SYSSNOOP_REQUESTS && i < count; i++)
		put_request(pointer_read(from + i * size, size), most, tag + 1 + i * REQUEST_PARTS);
	return 0;
}

/* The first part of a list that part `tag` has. */
static __always_inline __u32 list_tag(__u32 tag)
{
	return (tag & ~0xffffu) | SYSSNOOP_IN_LIST | (tag & 0x7ff) * SYSSNOOP_LIST;
}

/* Appends what a pointer in each element of a list leads to. `shape`: SYSSNOOP_INNER, above it the bytes of an element. */
__attribute__((noinline)) int put_in_list(__u64 from, __u32 count, __u64 shape, __u32 most,
					  __u32 tag)
{
	struct work *w = scratch_work_get();
	__u32 word, size = shape >> 32;

	if (!w || !from)
		return 0;
	word = w->e.abi == SYSCALL_ABI_32 ? 4 : 8;
	for (__u32 i = 0; i < SYSSNOOP_LIST && i < count; i++) {
		__u64 at = from + i * size;

		put_bytes(number_read(at + (shape & 0xff), word),
			  number_read(at + (shape >> 8 & 0xff), shape >> 16 & 0xff), most,
			  list_tag(tag) + i);
	}
	return 0;
}

/* Appends what a member of the struct at `from` leads to. */
static __always_inline void put_member(__u64 from, const struct syscall_behind *b, __u32 i)
{
	__u64 to = number_read(from + b->at, b->word), count = behind_count(from, b);
	__u32 tag = TAG(i, 1 + b->at / 4);

	if (b->kind == TAKE_STRING)
		put_string(to, b->max, tag | b->count_at);
	else if (b->kind == TAKE_IN_LIST)
		put_in_list(to, count, (__u64)b->size << 32 | b->number, b->max, tag);
	else
		put_bytes(to, count * b->size, b->max, tag);
}

static __always_inline void put_behind(__u64 from, const struct syssnoop_variant *v, __u32 i)
{
	for (__u32 k = 0; from && k < SYSSNOOP_BEHIND; k++) {
		const struct syscall_behind *b;
		__u32 place = k;

		OPAQUE(place);
		b = &v->behind[place & (SYSSNOOP_BEHIND - 1)];

		if (b->kind == TAKE_NONE)
			break;
		if (b->arg == i && b->kind != TAKE_FD)
			put_member(from, b, i);
	}
}

/* ---- descriptors in structs (-y) ---- */

const volatile bool want_files = false;

static __always_inline void put_fd(__s32 fd, __u32 tag, __u32 special)
{
	put_file(fd, tag);
	if (want_special)
		put_special(fd, special);
}

/* Those of a list, which part `tag` has. */
__attribute__((noinline)) int put_fd_list(__u64 from, __u32 count, __u32 tag)
{
	__u32 first = list_tag(tag);

	for (__u32 i = 0; from && i < SYSSNOOP_LIST && i < count; i++)
		put_fd(number_read(from + 4 * i, 4), first + i, (first + i) | SYSSNOOP_SPECIAL);
	return 0;
}

#define FD_ROWS 32 /* as many elements as are shown */

/* Those of the elements of a list, which the argument itself leads to: each has the part of its place. The size is a
 * constant: with the walk of a path there is stack for few variables. */
__attribute__((noinline)) int put_fd_rows(__u64 from, __u32 count, __u32 tag)
{
	for (__u32 i = 0; from && i < FD_ROWS && i < count; i++)
		put_fd(number_read(from + SYSSNOOP_ROW * i, 4), tag + SYSSNOOP_ROW / 4 * i,
		       (tag + SYSSNOOP_ROW / 4 * i) | SYSSNOOP_SPECIAL);
	return 0;
}

static __always_inline void put_fds(__u64 from, const struct syssnoop_variant *v, __u32 i)
{
	for (__u32 k = 0; from && k < SYSSNOOP_BEHIND; k++) {
		const struct syscall_behind *b;
		__u32 place = k, tag;

		OPAQUE(place);
		b = &v->behind[place & (SYSSNOOP_BEHIND - 1)];
		if (b->kind == TAKE_NONE)
			break;
		tag = TAG(i, 1 + b->at / 4);
		if (b->arg != i || b->kind != TAKE_FD)
			continue;
		if (b->word == SYSSNOOP_ROWS)
			put_fd_rows(from + b->at, behind_count(from, b), tag);
		else if (b->word == 4)
			put_fd(number_read(from + b->at, 4), tag, tag | SYSSNOOP_SPECIAL);
		else
			put_fd_list(number_read(from + b->at, b->word == SYSSNOOP_WORD32 ? 4 : 8),
				    behind_count(from, b), tag);
	}
}

#endif
