/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * memory.bpf.h - appends memory of a program to its record, as chunks: bytes, strings, lists, vectors, messages.
 *
 * Global functions, which the kernel verifies separately and once. On 5.10 they take only numbers as arguments; the
 * record is this CPU's scratch.
 */
#ifndef CORETAP_SYSSNOOP_MEMORY_BPF_H
#define CORETAP_SYSSNOOP_MEMORY_BPF_H

#include "syssnoop/caller.bpf.h"
#include "syssnoop/special.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, SYSCALL_ROWS);
	__type(key, __u32);
	__type(value, struct syscall_capture);
} rows SEC(".maps");

/* Returns how many of `len` bytes are in the first page; 0: all of them. Pages have at least 4096 bytes. */
static __always_inline __u32 page_rest(__u64 from, __u32 len)
{
	__u32 rest = 4096 - (from & 4095);

	OPAQUE(rest);
	return rest < len ? rest : 0;
}

/* Appends `want` bytes, at most `most`; if not all can be read, those of the first page. */
__attribute__((noinline)) int put_bytes(__u64 from, __u64 want, __u32 most, __u32 tag)
{
	struct work *w = scratch_work_get();
	struct syssnoop_chunk *c;
	__u32 len = want < most ? want : most;

	c = w && from ? chunk_begin(w, tag) : NULL;
	if (!c)
		return 0;
	OPAQUE(len);
	if (len > SYSSNOOP_BYTES_MAX)
		len = SYSSNOOP_BYTES_MAX;
	if (bpf_probe_read_user(c + 1, len, (void *)from)) {
		c->unread = 1;
		w->faults++;
		len = page_rest(from, len);
		if (!len || len > SYSSNOOP_BYTES_MAX ||
		    bpf_probe_read_user(c + 1, len, (void *)from)) {
			c->status = EVENT_FAULT;
			len = 0;
		}
	}
	c->left_out = want - len > 0xffffffff ? 0xffffffff : want - len;
	chunk_end(w, c, len);
	return 0;
}

/* Reads as much as is shown of a string whose end cannot be read; a path has to go on. */
static __always_inline long string_head(struct syssnoop_chunk *c, __u64 from, __u32 most)
{
	__u32 rest = page_rest(from, most + 2),
	      need = most < SYSSNOOP_TAKE_MAX - 1 ? most : most + 1;

	if (rest >= need && !bpf_probe_read_user(c + 1, most, (void *)from))
		return most + 2;
	c->status = EVENT_FAULT;
	return 0;
}

/* Reads two bytes more than are kept, one of them for the NUL: they tell whether the string is longer. */
__attribute__((noinline)) int put_string(__u64 from, __u32 most, __u32 tag)
{
	struct work *w = scratch_work_get();
	struct syssnoop_chunk *c;
	long n;

	c = w && from ? chunk_begin(w, tag) : NULL;
	if (!c)
		return 0;
	if (most > SYSSNOOP_BYTES_MAX)
		most = SYSSNOOP_BYTES_MAX;
	n = bpf_probe_read_user_str(c + 1, most + 2, (void *)from);
	if (n < 0) {
		w->faults++;
		n = string_head(c, from, most);
	}
	if (n <= 0) /* of an empty string it is 0: strncpy_from_user_nofault */
		n = 1;
	n--;
	if (n > most) {
		c->status = EVENT_CUT;
		n = most;
	}
	chunk_end(w, c, n);
	return 0;
}

/* ---- argv, envp ---- */

#define WORDS_BATCH 16

static __always_inline __u64 pointer_read(__u64 from, __u8 size)
{
	__u64 p = 0;

	if (size == 4)
		bpf_probe_read_user(&p, 4, (void *)from);
	else
		bpf_probe_read_user(&p, 8, (void *)from);
	return p;
}

/* Returns how many of the next pointers precede a NULL, or one that cannot be read. */
__attribute__((noinline)) int words_count(__u64 from, __u32 size)
{
	for (int i = 0; i < WORDS_BATCH; i++) {
		__u64 p = 0;

		if (bpf_probe_read_user(&p, size == 4 ? 4 : 8, (void *)(from + i * size)))
			return i | SYSSNOOP_WORDS_OPEN;
		if (!p)
			return i;
	}
	return WORDS_BATCH;
}

__attribute__((noinline)) int put_word(__u64 from, __u32 most)
{
	struct work *w = scratch_work_get();
	struct syssnoop_word *word;
	__u32 at;
	long n;

	if (!w)
		return 0;
	at = w->at & ~3u;
	if (at > SYSSNOOP_DATA)
		return 0;
	word = (void *)(w->data + at);
	if (most > SYSSNOOP_BYTES_MAX)
		most = SYSSNOOP_BYTES_MAX;
	n = bpf_probe_read_user_str(word + 1, most + 2, (void *)from);
	word->status = n < 0 ? EVENT_FAULT : n - 1 > most ? EVENT_CUT : EVENT_OK;
	if (n < 0) {
		((__u32 *)(word + 1))[0] = from; /* aligned to only 4 bytes */
		((__u32 *)(word + 1))[1] = from >> 32;
		word->len = sizeof(from);
		w->at = at + sizeof(*word) + sizeof(from);
		w->unread++;
		w->faults++;
		return 1;
	}
	n = n <= 0 ? 0 : n - 1 > most ? most : n - 1;
	word->len = n;
	w->at = at + sizeof(*word) + ((n + 3) & ~3u);
	return 1;
}

static __always_inline __u32 words_total(__u64 from, __u32 size)
{
	__u32 total = 0;

	for (int i = 0; i < SYSSNOOP_WORDS_MAX / WORDS_BATCH; i++) {
		__u32 n = words_count(from + total * size, size);

		total += n;
		if (n != WORDS_BATCH)
			break;
	}
	return total;
}

/* Appends the next words, at most a batch of `number`. Returns how many were kept. Loops are short, each in a function
 * of its own: the verifier follows every turn of them. */
__attribute__((noinline)) int put_batch(__u64 from, __u32 number, __u32 size, __u32 most)
{
	for (__u32 i = 0; i < WORDS_BATCH; i++)
		if (i >= number || !put_word(pointer_read(from + i * size, size), most))
			return i;
	return WORDS_BATCH;
}

#define WORDS_KEPT 1024

__attribute__((noinline)) int put_words(__u64 from, __u32 number, __u32 most, __u32 tag)
{
	struct work *w = scratch_work_get();
	__u32 total, size, begun, kept = 0, is_open;
	struct syssnoop_words *words;
	struct syssnoop_chunk *c;

	c = w && from ? chunk_begin(w, tag) : NULL;
	if (!c)
		return 0;
	size = w->e.abi == SYSCALL_ABI_32 ? 4 : 8;
	begun = w->at;
	total = words_total(from, size);
	is_open = total & SYSSNOOP_WORDS_OPEN;
	total -= is_open;
	if (number > total)
		number = total;
	w->at += sizeof(*c) + sizeof(*words);
	w->unread = 0;
	for (int i = 0; i < WORDS_KEPT / WORDS_BATCH; i++) {
		__u32 n = put_batch(from + kept * size, number - kept, size, most);

		kept += n;
		if (n != WORDS_BATCH)
			break;
	}
	words = (void *)(c + 1);
	words->total = total | is_open;
	w->faults += is_open != 0;
	words->kept = kept;
	c->left_out = total - kept;
	c->unread = w->unread != 0;
	c->len = w->at - begun - sizeof(*c);
	return 0;
}

/* ---- vectors, messages ---- */

/* Appends the data of a struct iovec, or of a 32-bit one: 2 words of `size` bytes. */
__attribute__((noinline)) int put_iovec_entry(__u64 from, __u32 most, __u32 tag)
{
	struct work *w = scratch_work_get();
	__u64 base, len;
	__u32 size;

	if (!w || !w->left)
		return 0;
	size = w->e.abi == SYSCALL_ABI_32 ? 4 : 8;
	base = pointer_read(from, size);
	len = pointer_read(from + size, size);
	if (len > w->left)
		len = w->left;
	if (w->left != ~0ull)
		w->left -= len;
	return put_bytes(base, len, w->netlink ? SYSSNOOP_TAKE_MAX : most, tag);
}

/* `tag` is that of the vector itself; its entries have the next one. */
__attribute__((noinline)) int put_iovecs(__u64 from, __u64 count, __u32 most, __u32 tag)
{
	struct work *w = scratch_work_get();
	__u32 size;

	if (!w)
		return 0;
	size = w->e.abi == SYSCALL_ABI_32 ? 8 : 16;
	if (count > 1024) /* UIO_MAXIOV */
		count = 1024;
	put_bytes(from, count * size, SYSSNOOP_IOVECS * size, tag);
	for (__u32 i = 0; i < SYSSNOOP_IOVECS && i < count; i++)
		put_iovec_entry(from + i * size, most, tag + 1 + i);
	return 0;
}

/* For struct msghdr, and the 32-bit one. */
__attribute__((noinline)) int put_message(__u64 from, __u32 most, __u32 tag)
{
	struct work *w = scratch_work_get();
	__u32 p, length = 0;
	__u64 control;

	if (!w)
		return 0;
	p = w->e.abi == SYSCALL_ABI_32 ? 4 : 8;
	bpf_probe_read_user(&length, sizeof(length), (void *)(from + p));
	put_bytes(pointer_read(from, p), length, 128, tag + MSGHDR_NAME);
	control = pointer_read(from + p * 5, p);
	put_bytes(pointer_read(from + p * 4, p), control, SYSSNOOP_TAKE_MAX, tag + MSGHDR_CONTROL);
	put_iovecs(pointer_read(from + p * 2, p), pointer_read(from + p * 3, p), most,
		   tag + MSGHDR_IOVEC);
	return 0;
}

static __always_inline __u32 message_size(struct work *w)
{
	return w->e.abi == SYSCALL_ABI_32 ? 28 : 56;
}

/* w->left is the limit for each message; 0: as many bytes as its msg_len. At the entry of a receive it is the room of
 * each for a name; at the return of a send, how much was sent. */
__attribute__((noinline)) int put_messages(__u64 from, __u64 count, __u32 most, __u32 tag)
{
	struct work *w = scratch_work_get();
	__u32 size, length = 0;
	__u64 left;

	if (!w)
		return 0;
	size = w->e.abi == SYSCALL_ABI_32 ? 32 : 64;
	left = w->left;
	if (count > 1024)
		count = 1024;
	put_bytes(from, count * size, SYSSNOOP_MESSAGES * size, tag);
	if (!left == (w->now == TAKE_AT_ENTRY) && !(w->again >> (tag >> 16) & 1))
		return 0;
	for (__u32 i = 0; i < SYSSNOOP_MESSAGES && i < count; i++) {
		bpf_probe_read_user(&length, sizeof(length),
				    (void *)(from + i * size + message_size(w)));
		w->left = left ?: length;
		put_message(from + i * size, most, tag + (i + 1) * MSGHDR_PARTS);
	}
	return 0;
}

#endif
