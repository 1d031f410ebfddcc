/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * words.bpf.h - argv and envp of a failed exec, read word by word from the caller's memory.
 *
 * The work is split into many small global functions: the kernel verifies each separately and only once, so loops of
 * many thousand iterations quickly pass the verifier of 5.10 (no bpf_loop). On 5.10 such a function takes only
 * numbers, so they share data in this CPU's scratch_failed, which the caller has claimed.
 */
#ifndef CORETAP_EXECSNOOP_WORDS_BPF_H
#define CORETAP_EXECSNOOP_WORDS_BPF_H

#include "execsnoop/record.bpf.h"

#define WORDS_BATCH 4 /* words in one call of execsnoop_batch */
/* calls per level above the batches: 16384 words in total, further ones are not counted */
#define WORDS_CALLS 16
#define WORDS_MOST  (8 << 20) /* bytes to read at most: more than a successful exec may have */

enum words_step { WORDS_MORE, WORDS_END };

static __always_inline void word_unreadable(struct execsnoop_scratch *s)
{
	struct words *w = &s->words;
	__u64 at = (__u64)w->base + w->total;

	OPAQUE(at);
	loss_count(LOSS_FAULT, 1);
	if (w->count > 64) { /* the count includes this word */
		w->over = 1;
		return;
	}
	w->unreadable |= 1ull << (w->count - 1);
	if (w->total < w->most && at < sizeof(s->bytes))
		s->bytes[at] = 0;
	w->total++;
}

/* Reads a piece of a word. Without room, copies it to after the record, only to measure it. */
__attribute__((noinline)) int execsnoop_piece(__u64 from)
{
	struct execsnoop_scratch *s = scratch_failed_get();
	__u64 at;
	long n;

	if (!s)
		return WORDS_END;
	at = s->words.total < s->words.most ? s->words.total : s->words.most;
	at += s->words.base;
	OPAQUE(at);
	if (at > sizeof(s->bytes) - WORD_PIECE)
		return WORDS_END;
	n = bpf_probe_read_user_str(s->bytes + at, WORD_PIECE, (void *)from);
	if (n < 0) {
		word_unreadable(s);
		return WORDS_END;
	}
	if (!n) { /* an empty word, see string_end */
		s->bytes[at] = 0;
		n = 1;
	}
	/* cut to fit: its last byte is a NUL that the word does not have */
	s->words.total += n < WORD_PIECE ? n : WORD_PIECE - 1;
	return n < WORD_PIECE ? WORDS_END : WORDS_MORE;
}

__attribute__((noinline)) int execsnoop_word(__u64 from)
{
#pragma clang loop unroll(disable)
	for (int i = 0; i <= EXECSNOOP_ARGS / WORD_PIECE; i++)
		if (execsnoop_piece(from + i * (WORD_PIECE - 1)) != WORDS_MORE)
			return WORDS_MORE;
	return WORDS_END;
}

__attribute__((noinline)) int execsnoop_batch(void)
{
	struct execsnoop_scratch *s = scratch_failed_get();
	__u64 word[2] = {};
	long err;

#pragma clang loop unroll(disable)
	for (int i = 0; s && i < WORDS_BATCH; i++) {
		/* 4 or 8 bytes; the mask is for the verifier */
		err = bpf_probe_read_user(word, s->words.pointer & 15, (void *)s->words.argv);
		if (!err && !word[0])
			return WORDS_END;
		s->words.count += !err;
		s->words.argv += s->words.pointer;
		if (err || execsnoop_word(word[0]) != WORDS_MORE || s->words.total > WORDS_MOST)
			s->words.over = 1;
		if (s->words.over)
			return WORDS_END;
	}
	return WORDS_MORE;
}

/* The verifier follows every iteration of a loop, so three nested loops of 16 are cheaper than one of 4096. */
#define WORDS_LEVEL(name, below)                                                                   \
	__attribute__((noinline)) int name(void)                                                   \
	{                                                                                          \
		_Pragma("clang loop unroll(disable)") for (int i = 0; i < WORDS_CALLS;             \
							   i++) if (below() !=                     \
								    WORDS_MORE) return WORDS_END;  \
		return WORDS_MORE;                                                                 \
	}

WORDS_LEVEL(execsnoop_batches, execsnoop_batch)
WORDS_LEVEL(execsnoop_lots, execsnoop_batches)
WORDS_LEVEL(execsnoop_all, execsnoop_lots)

/* Reads the words of the list at a user address, whose pointers have `pointer` bytes. Keeps at most `most` bytes, at
 * `at`. Returns how many. */
static __always_inline __u64 words_read(struct execsnoop_scratch *s, __u64 at, __u64 list,
					__u32 pointer, __u32 most)
{
	s->words = (struct words){ .base = at, .argv = list, .pointer = pointer, .most = most };
	/* a missing list equals an empty one: count() in fs/exec.c */
	if (list && execsnoop_all() == WORDS_MORE)
		s->words.over = 1;
	return s->words.total < most ? s->words.total : most;
}

static __always_inline __u64 args_describe(struct execsnoop_scratch *s, __u64 kept)
{
	struct event_words *args = &s->event.args;
	struct words *w = &s->words;

	s->event.argc = w->count;
	args->unreadable = w->unreadable;
	args->str.off = w->base;
	args->str.len = kept;
	args->str.left_out = w->over ? 0 : w->total - kept;
	args->str.status = EVENT_OK;
	if (w->over && !w->count)
		args->str.status = EVENT_FAULT;
	else if (w->over || w->total != kept)
		args->str.status = EVENT_CUT;
	if (args->str.status != EVENT_OK)
		loss_count(args->str.status == EVENT_CUT ? LOSS_CUT : LOSS_FAULT, 1);
	return w->base + kept;
}

/* Appends the arguments. */
static __always_inline __u64 words_add(struct execsnoop_scratch *s, __u64 at, __u64 argv,
				       __u32 pointer)
{
	return args_describe(s, words_read(s, at, argv, pointer, EXECSNOOP_ARGS));
}

/* Appends the environment. An unreadable variable may be any, so it counts for all. */
static __always_inline __u64 env_words_add(struct execsnoop_scratch *s, __u64 at, __u64 envp,
					   __u32 pointer)
{
	struct words *w = &s->words;
	__u64 kept = words_read(s, at, envp, pointer, EXECSNOOP_ENV);

	s->more.env = (struct event_str){ .off = at, .len = kept };
	if (w->total != kept || w->over || w->unreadable)
		s->more.env.status = EVENT_CUT;
	if (w->total != kept && !w->over)
		s->more.env.left_out = w->total - kept;
	if (w->total != kept || w->over)
		loss_count(LOSS_CUT, 1);
	return at + kept;
}

#endif
