/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_build.h - makes BTF in memory, type by type, for tests that need to know every byte of it.
 */
#ifndef CORETAP_BTF_BUILD_H
#define CORETAP_BTF_BUILD_H

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <linux/btf.h>

#include "btf/btf.h"

struct btf_build {
	uint32_t types[4096];
	char strings[16384];
	uint32_t words, string_bytes, count; /* ids are 1 … count */
	uint32_t at[512];		     /* word of each id */
	uint8_t *made;
	size_t size;
	/* split BTF: continues where that one ended when it was built */
	const struct btf_build *base;
};

/* One member, parameter or value; `bits` is a bitfield's width. */
struct build_part {
	const char *name;
	uint32_t type;
	uint32_t offset, bits;
};

/* Split BTF has only the strings that its base has not. */
static inline uint32_t build_base_string(const struct btf_build *base, const char *s)
{
	for (uint32_t at = 1; at < base->string_bytes; at += strlen(base->strings + at) + 1)
		if (!strcmp(base->strings + at, s))
			return at;
	return 0;
}

static inline uint32_t build_string(struct btf_build *b, const char *s)
{
	uint32_t at = b->string_bytes, base = b->base ? b->base->string_bytes : 0;

	if (!at && !base)
		at = b->string_bytes = 1;
	if (!*s)
		return 0;
	if (base && build_base_string(b->base, s))
		return build_base_string(b->base, s);
	assert(at + strlen(s) + 1 < sizeof(b->strings));
	strcpy(b->strings + at, s);
	b->string_bytes += strlen(s) + 1;
	return base + at;
}

static inline void build_word(struct btf_build *b, uint32_t word)
{
	assert(b->words < 4096);
	b->types[b->words++] = word;
}

static inline uint32_t build_type(struct btf_build *b, unsigned kind, const char *name,
				  unsigned vlen, unsigned flag, uint32_t size_or_type)
{
	b->at[++b->count] = b->words;
	build_word(b, build_string(b, name));
	build_word(b, flag << 31 | kind << 24 | vlen);
	build_word(b, size_or_type);
	return b->count + (b->base ? b->base->count : 0);
}

static inline uint32_t build_int(struct btf_build *b, const char *name, uint32_t size,
				 unsigned encoding)
{
	uint32_t id = build_type(b, BTF_KIND_INT, name, 0, 0, size);

	build_word(b, encoding << 24 | size * 8);
	return id;
}

/* PTR, TYPEDEF, CONST, VOLATILE, TYPE_TAG, FWD … */
static inline uint32_t build_ref(struct btf_build *b, unsigned kind, const char *name,
				 uint32_t type)
{
	return build_type(b, kind, name, 0, 0, type);
}

static inline void build_set(struct btf_build *b, uint32_t id, uint32_t type)
{
	b->types[b->at[id - (b->base ? b->base->count : 0)] + 2] = type;
}

static inline uint32_t build_array(struct btf_build *b, uint32_t type, uint32_t count)
{
	uint32_t id = build_type(b, BTF_KIND_ARRAY, "", 0, 0, 0);

	build_word(b, type);
	build_word(b, type);
	build_word(b, count);
	return id;
}

/* Offsets are in bits, as in BTF. */
static inline uint32_t build_struct(struct btf_build *b, unsigned kind, const char *name,
				    uint32_t size, const struct build_part *parts, unsigned count)
{
	uint32_t id = build_type(b, kind, name, count, 1, size);

	for (unsigned i = 0; i < count; i++) {
		build_word(b, build_string(b, parts[i].name));
		build_word(b, parts[i].type);
		build_word(b, parts[i].bits << 24 | parts[i].offset);
	}
	return id;
}

static inline uint32_t build_enum(struct btf_build *b, const char *name,
				  const struct build_part *parts, unsigned count)
{
	uint32_t id = build_type(b, BTF_KIND_ENUM, name, count, 0, 4);

	for (unsigned i = 0; i < count; i++) {
		build_word(b, build_string(b, parts[i].name));
		build_word(b, parts[i].offset);
	}
	return id;
}

/* The function and its prototype; returns the BTF_KIND_FUNC. */
static inline uint32_t build_func(struct btf_build *b, const char *name, uint32_t result,
				  const struct build_part *parts, unsigned count)
{
	uint32_t proto = build_type(b, BTF_KIND_FUNC_PROTO, "", count, 0, result);

	for (unsigned i = 0; i < count; i++) {
		build_word(b, build_string(b, parts[i].name));
		build_word(b, parts[i].type);
	}
	return build_type(b, BTF_KIND_FUNC, name, 1, 0, proto);
}

/* What argdump's compiler looks for itself: registers, and what $task is. */
static inline uint32_t build_regs(struct btf_build *b, uint32_t u64_id)
{
	struct build_part regs[21] = {};
	char names[21][4];

	for (unsigned i = 0; i < 21; i++) {
		memcpy(names[i], (char[]){ 'r', 'a' + i, 0 }, 3);
		regs[i] = (struct build_part){ names[i], u64_id, 64 * i, 0 };
	}
	return build_struct(b, BTF_KIND_STRUCT, "pt_regs", 168, regs, 21);
}

static inline uint32_t build_task(struct btf_build *b, uint32_t int_id, uint32_t char_id)
{
	uint32_t comm = build_array(b, char_id, 16);

	return build_struct(b, BTF_KIND_STRUCT, "task_struct", 64,
			    (struct build_part[]){ { "pid", int_id, 64, 0 },
						   { "tgid", int_id, 96, 0 },
						   { "comm", comm, 128, 0 },
						   { "self_exec_id", int_id, 320, 0 } },
			    4);
}

/* The same by another name, and with the preempt count in it, or a way to the run queue. */
static inline uint32_t build_task_with(struct btf_build *b, uint32_t int_id, uint32_t char_id,
				       bool count)
{
	uint32_t rq = build_ref(b, BTF_KIND_PTR, "", 0), comm = build_array(b, char_id, 16);
	uint32_t queue = build_struct(b, BTF_KIND_STRUCT, "cfs_rq", 16,
				      &(struct build_part){ "rq", rq, 64, 0 }, 1);
	uint32_t pointer = build_ref(b, BTF_KIND_PTR, "", queue);
	uint32_t info = build_struct(b, BTF_KIND_STRUCT, "thread_info", 8,
				     &(struct build_part){ "preempt_count", int_id, 32, 0 }, 1);
	uint32_t entity = build_struct(b, BTF_KIND_STRUCT, "sched_entity", 8,
				       &(struct build_part){ "cfs_rq", pointer, 0, 0 }, 1);

	return build_struct(b, BTF_KIND_STRUCT, count ? "count_task" : "queue_task", 64,
			    (struct build_part[]){ { "pid", int_id, 64, 0 },
						   { "tgid", int_id, 96, 0 },
						   { "comm", comm, 128, 0 },
						   { count ? "thread_info" : "se",
						     count ? info : entity, 448, 0 } },
			    4);
}

/* The bytes, to be freed by the caller. */
static inline uint8_t *build_bytes(struct btf_build *b, size_t *size)
{
	struct btf_header h = {
		.magic = BTF_MAGIC,
		.version = BTF_VERSION,
		.hdr_len = sizeof(h),
		.type_len = b->words * 4,
		.str_off = b->words * 4,
	};
	uint8_t *bytes;

	build_string(b, "");
	h.str_len = b->string_bytes;
	*size = sizeof(h) + h.type_len + h.str_len;
	bytes = malloc(*size);
	assert(bytes);
	memcpy(bytes, &h, sizeof(h));
	memcpy(bytes + sizeof(h), b->types, h.type_len);
	memcpy(bytes + sizeof(h) + h.type_len, b->strings, h.str_len);
	return bytes;
}

struct built {
	struct btf_view *btf;
	uint8_t *bytes;
};

/* For the setup of a group of tests: a view of all that was built, until built_close. */
static inline int built_open(struct btf_build *b, struct btf_view **btf, void **state)
{
	struct built *built = calloc(1, sizeof(*built));
	size_t size;
	int err;

	assert(built);
	*state = built;
	built->bytes = build_bytes(b, &size);
	err = btf_view_from(built->bytes, size, &built->btf);
	*btf = built->btf;
	return err;
}

/* The teardown of such a group. */
static inline int built_close(void **state)
{
	struct built *built = *state;

	btf_view_close(built->btf);
	free(built->bytes);
	free(built);
	return 0;
}

#endif
