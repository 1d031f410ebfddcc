/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz.h - shared by the fuzzers of the argdump compiler: random numbers from a seed, random expressions over a
 * kernel's types, and a compilation whose result is checked in every way.
 */
#ifndef CORETAP_FUZZ_H
#define CORETAP_FUZZ_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../lib/bpf_vm.h"
#include "../lib/chance.h"
#include "../lib/targets.h"
#include "btf/btf.h"
#include "expr/expr.h"
#include "output/rows/sink.h"

enum { FUZZ_TEXT = 512, FUZZ_EXPRS = 8, FUZZ_MEMORY = 65536 };

/* The input of -fsanitize=fuzzer as text, cut if it is longer than `room`. */
static inline void input_copy(char *text, size_t room, const uint8_t *data, size_t size)
{
	size = size < room ? size : room - 1;
	memcpy(text, data, size);
	text[size] = '\0';
}

/* ---- expressions ---- */

struct fuzz_text {
	char text[FUZZ_TEXT];
	size_t len;
};

static inline void text_add(struct fuzz_text *t, const char *s)
{
	t->len += snprintf(t->text + t->len, sizeof(t->text) - t->len, "%s", s);
	if (t->len > sizeof(t->text) - 1)
		t->len = sizeof(t->text) - 1;
}

/* `whole` with `piece` put in somewhere, mostly, and fewer than `skips` bytes left out. */
static inline void text_spoil(struct chance *c, struct fuzz_text *t, const char *whole,
			      const char *piece, unsigned skips)
{
	size_t at = chance_below(c, strlen(whole) + 1), skip = chance_below(c, skips);

	t->len = 0;
	text_add(t, whole);
	t->len = at;
	t->text[at] = '\0';
	if (chance_below(c, 3))
		text_add(t, piece);
	text_add(t, whole + at + (skip < strlen(whole + at) ? skip : 0));
}

/* Parts of random texts in a notation. */
struct fuzz_words {
	const char *const *pieces, *const *whole;
	size_t piece_count, whole_count;
	uint32_t most;	  /* pieces in a text */
	unsigned skips;	  /* text_spoil */
	const char *head; /* before half of the texts that are pieces; NULL: none */
};

/* A right one that was spoilt, or pieces in any order. */
static inline void text_random(struct chance *c, struct fuzz_text *t, const struct fuzz_words *w)
{
	size_t count = 1 + chance_below(c, w->most);

	t->len = 0;
	t->text[0] = '\0';
	if (chance_below(c, 2)) {
		text_spoil(c, t, w->whole[chance_below(c, w->whole_count)],
			   w->pieces[chance_below(c, w->piece_count)], w->skips);
		return;
	}
	if (w->head && chance_below(c, 2))
		text_add(t, w->head);
	for (size_t i = 0; i < count; i++)
		text_add(t, w->pieces[chance_below(c, w->piece_count)]);
	if (!chance_below(c, 4) && t->len)
		t->text[chance_below(c, t->len)] = 1 + chance_below(c, 255);
}

/* Calls translate for texts of the seed; prints how often it was true. */
static inline void texts_run(const struct fuzz_words *w, unsigned long count, unsigned long seed,
			     bool (*translate)(const char *text))
{
	unsigned long good = 0;
	struct fuzz_text text;

	for (unsigned long i = 0; i < count; i++) {
		struct chance c = chance_of(seed, i);

		text_random(&c, &text, w);
		good += translate(text.text);
	}
	printf("%lu translated, %lu refused\n", good, count - good);
}

static inline void text_wrap(struct fuzz_text *t, const char *before, const char *after)
{
	struct fuzz_text old = *t;

	t->len = 0;
	text_add(t, before);
	text_add(t, old.text);
	text_add(t, after);
}

static inline uint32_t member_random(struct chance *c, const struct btf_view *b, uint32_t id,
				     const char **name)
{
	const struct btf_type *t = btf_view_type(b, id);
	uint32_t i;

	*name = "";
	if (!t || !btf_is_composite(t) || !btf_vlen(t))
		return 0;
	i = chance_below(c, btf_vlen(t));
	*name = btf_view_string(b, btf_members(t)[i].name_off);
	if (**name)
		return btf_members(t)[i].type;
	return member_random(c, b, btf_view_strip(b, btf_members(t)[i].type), name);
}

/* One operator more, one that fits most of the time; returns the type then, 0: the end. */
static inline uint32_t expression_grow(struct chance *c, const struct btf_view *b,
				       struct fuzz_text *t, uint32_t type)
{
	uint32_t id = btf_view_strip(b, type), target = 0;
	const struct btf_type *bt = btf_view_type(b, id);
	char index[32];
	const char *name;

	if (!bt)
		return 0;
	switch (btf_kind(bt)) {
	case BTF_KIND_PTR:
		target = btf_view_strip(b, bt->type);
		if (chance_below(c, 8) == 0) {
			text_wrap(t, "(*", ")");
			return bt->type;
		}
		if (chance_below(c, 8) == 0) {
			snprintf(index, sizeof(index), "[%d]", (int)chance_below(c, 9) - 2);
			text_add(t, index);
			return bt->type;
		}
		type = member_random(c, b, target, &name);
		text_add(t, type ? "->" : "");
		text_add(t, name);
		return type;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		type = member_random(c, b, id, &name);
		text_add(t, ".");
		text_add(t, name);
		return type;
	case BTF_KIND_ARRAY:
		snprintf(index, sizeof(index), "[%u]",
			 chance_below(c, (btf_array(bt)->nelems ?: 4) + 1));
		text_add(t, index);
		return btf_array(bt)->type;
	default: return 0;
	}
}

static inline void text_damage(struct chance *c, struct fuzz_text *t)
{
	static const char bytes[] = "->.[]()*&:=$0123456789 abcfx\x01\xff";
	uint32_t at = t->len ? chance_below(c, t->len) : 0;

	switch (chance_below(c, 3)) {
	case 0: t->text[at] = bytes[chance_below(c, sizeof(bytes) - 1)]; break;
	case 1:
		t->text[at] = '\0';
		t->len = at;
		break;
	default:
		memmove(t->text + at, t->text + at + 1, strlen(t->text + at));
		t->len = strlen(t->text);
		break;
	}
}

static inline void expression_random(struct chance *c, const struct btf_view *b, uint32_t func,
				     struct fuzz_text *t)
{
	static const char *const formats[] = {
		":x",	":d",	      ":str",	  ":ustr",    ":16",	 ":str:300",
		":mac", ":x8[6]",     ":u64[40]", ":hex[16]", ":hex",	 ":sockaddr",
		":s8",	":x64",	      ":b4@2/32", ":ip4",     ":ip4[4]", ":uuid",
		":gfp", ":openflags", ":errno",	  ":sock",    ":sock",	 ":usym",
		":dev", ":user",      ":ns",	  ":ms",      ":be",	 ":sym",
		":c",	":str",	      ":b",	  ":p",	      ":zz",	 ":str:4096"
	};
	const struct btf_type *proto = btf_view_type(b, btf_view_type(b, func)->type);
	uint32_t param, type;

	*t = (struct fuzz_text){};
	if (chance_below(c, 20) == 0) {
		text_add(t, chance_below(c, 2) ? "$kstack" :
			    chance_below(c, 2) ? "$ustack" :
						 "$depth");
		return;
	}
	if (!proto || btf_kind(proto) != BTF_KIND_FUNC_PROTO || !btf_vlen(proto))
		return;
	param = chance_below(c, btf_vlen(proto));
	text_add(t, btf_view_string(b, btf_params(proto)[param].name_off));
	type = btf_params(proto)[param].type;
	for (int steps = chance_below(c, 10); steps && type; steps--)
		type = expression_grow(c, b, t, type);
	if (chance_below(c, 10) == 0)
		text_wrap(t, "&", "");
	if (chance_below(c, 10) == 0)
		text_wrap(t, "name=", "");
	if (chance_below(c, 4) == 0)
		text_add(t, formats[chance_below(c, sizeof(formats) / sizeof(formats[0]))]);
	if (chance_below(c, 6) == 0)
		text_damage(c, t);
}

/* A random one of all, and other ones yet; `base` is any of this BTF (target_of). */
static inline struct expr_target target_random(struct chance *c, const struct expr_target *base)
{
	struct expr_target t = *base;
	const char *bad;

	if (!target_words(&t, target_name(chance_below(c, TARGETS)), &bad))
		abort();
	t.arch = chance_below(c, 2) ? ARCH_ARM64 : ARCH_X86_64;
	t.typed_loads = chance_below(c, 3);
	t.probe_read = chance_below(c, 4);
	return t;
}

/* ---- a compilation, and what must be true of it ---- */

#define FUZZ_CHECK(condition_)                                                                     \
	do {                                                                                       \
		if (!(condition_)) {                                                               \
			fprintf(stderr, "fuzz: not true: %s\n", #condition_);                      \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

/* Stores what is being compiled, for the analysis of a crash. */
static inline void fuzz_note(const struct expr_input *in)
{
	static const char *verbose;

	if (!verbose)
		verbose = getenv("FUZZ_VERBOSE") ?: "";
	for (size_t i = 0; *verbose && i < in->count; i++)
		fprintf(stderr, "%s '%s'\n", btf_view_name(in->btf, in->site.func_id),
			in->texts[i]);
}

static inline void check_error(const struct expr_input *in, const struct expr_error *e)
{
	const char *text;

	FUZZ_CHECK(e->message[0]);
	if (e->text == (size_t)-1)
		return;
	if ((size_t)-1 - e->text < EXPR_TRIGGERS) {
		text = in->triggers[(size_t)-1 - e->text];
	} else if (in->pair && e->text >= in->count && !in->run.aggregate) {
		FUZZ_CHECK(e->text - in->count < in->pair->key_count);
		text = in->pair->keys[e->text - in->count];
	} else if (in->pair && e->text >= in->count &&
		   e->text - in->count >= in->run.aggregate->count) {
		FUZZ_CHECK(e->text - in->count - in->run.aggregate->count < in->pair->key_count);
		text = in->pair->keys[e->text - in->count - in->run.aggregate->count];
	} else if (e->text >= in->count) {
		FUZZ_CHECK(in->run.aggregate && e->text - in->count < in->run.aggregate->count);
		text = in->run.aggregate->measures[e->text - in->count].text;
	} else {
		text = in->texts[e->text];
	}
	FUZZ_CHECK(e->start <= e->end);
	FUZZ_CHECK(e->end <= strlen(text));
}

/* Memory full of addresses: of itself, of nothing, of user space, of errors. */
static inline void memory_random(struct chance *c, uint64_t *memory)
{
	for (size_t i = 0; i < FUZZ_MEMORY / 8; i++) {
		uint64_t r = chance_next(c);

		memory[i] = r % 16 == 0 ? 0 :
			    r % 16 == 1 ? 0x7f0000000000 + r % FUZZ_MEMORY :
			    r % 16 == 2 ? -(r >> 8) % 4096 :
			    r % 16 == 3 ? r :
					  VM_TASK_AT + 0x10000 + r / 16 % FUZZ_MEMORY;
	}
}

/* Prints the recorded value, from a heap block of its exact size, so that ASAN sees over-reads. */
static inline void check_shown(const struct vm *m, const struct expr_program *p)
{
	struct buf o;

	buf_init(&o, -1);
	for (int json = 0; m->submitted && json < 2; json++) {
		struct sink sink = {
			.schema = expr_schema(p), .out = &o, .json = json, .applet = "argdump"
		};
		void *record = malloc(m->record_size);

		memcpy(record, m->record, m->record_size);
		FUZZ_CHECK(!sink_record(&sink, record, m->record_size));
		FUZZ_CHECK(!memchr(o.data, '\x1b', o.len));
		free(record);
		sink_free(&sink);
		o.len = 0;
	}
	buf_free(&o);
}

/* A full map, or one with room. */
static inline void hash_shrink(struct vm *m, uint32_t room)
{
	struct vm_map *counts = vm_map_of(m, EXPR_MAP_COUNTS);

	if (counts && counts->asked->type == BPF_MAP_TYPE_PERCPU_HASH)
		counts->room = room;
}

/* The program runs to its end, well-behaved, whatever is in memory. */
static inline void check_run(struct chance *c, const struct expr_program *p)
{
	static struct vm m;
	static uint64_t memory[FUZZ_MEMORY / 8];
	uint64_t task[1024] = {};

	memset(&m, 0, sizeof(m));
	FUZZ_CHECK(vm_take(&m, p));
	if (expr_table(p))
		hash_shrink(&m, chance_below(c, 2));
	memory_random(c, memory);
	memcpy(m.ctx, memory, sizeof(m.ctx));
	vm_region_add(&m, VM_TASK_AT, task, sizeof(task));
	vm_region_add(&m, VM_TASK_AT + 0x10000, memory, sizeof(memory));
	vm_region_add(&m, 0x7f0000000000, memory, sizeof(memory));
	FUZZ_CHECK(vm_reachable(&m.code));
	if (!vm_run(&m, &m.code)) {
		fprintf(stderr, "fuzz: %s\n", m.trouble);
		abort();
	}
	check_shown(&m, p);
	vm_drop(&m);
}

static inline void check_dumps(const struct expr_program *p)
{
	static int null = -1;
	struct buf o;

	if (null < 0)
		null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	buf_init(&o, null);
	for (int stage = EXPR_STAGE_TOKENS; stage <= EXPR_STAGE_INSNS; stage++)
		expr_dump(p, stage, &o);
	expr_describe(p, false, &o);
	buf_flush(&o);
	buf_free(&o);
}

/* Returns whether it compiled. */
static inline bool fuzz_compile(struct chance *c, const struct btf_view *b, uint32_t func,
				const struct expr_target *target, const char *const *texts,
				size_t count)
{
	struct expr_input in = {
		.btf = b,
		.site.func_id = func,
		.texts = texts,
		.count = count,
		.target = *target,
		.run.filter.self = 1,
		.owner = chance_below(c, 3),
		.run.want_ts = chance_below(c, 2),
		.run.depth = chance_below(c, 4) ? 0 : chance_below(c, 4),
		.run.zeros = chance_below(c, 4) == 0,
		.run.string_max = chance_below(c, 3) ? 0 : chance_below(c, 300),
	};
	/* the last text counted by the others */
	const char *measured = count ? texts[count - 1] : NULL;
	const struct expr_measure measures[] = {
		{ EXPR_HIST, measured },
		{ EXPR_COUNT },
		{ EXPR_LHIST, measured, -100, chance_below(c, 3000), 10 + chance_below(c, 1000) },
		{ EXPR_MIN, measured },
		{ EXPR_AVG, measured },
		{ EXPR_PCT, measured, .owner = chance_below(c, 3) },
		{ EXPR_SUM, measured, .owner = 1 },
	};
	struct expr_aggregate aggregate = {
		.measures = measures,
		.count = 1 + chance_below(c, 7),
	};
	const char *key = count ? texts[chance_below(c, count)] : NULL;
	struct expr_input end;
	struct expr_pair pair = {
		.begin = &in,
		.end = &end,
		.keys = &key,
		.key_count = count && !chance_below(c, 3),
		.keep_first = chance_below(c, 2),
		.open = chance_below(c, 8) == 0,
		.makes_end = chance_below(c, 2),
	};
	struct expr_program *p;
	struct expr_error error;
	int err;

	if (count && !chance_below(c, 4)) {
		in.run.aggregate = &aggregate;
		in.count--;
	}
	if (!chance_below(c, 4)) {
		in.pair = &pair;
		end = in;
	}
	for (int i = EXPR_TRIGGER_BEGIN; i < EXPR_TRIGGERS && count; i++) {
		in.triggers[i] = chance_below(c, 4) ? NULL : texts[chance_below(c, count)];
		in.in_record[i] = !in.run.aggregate && chance_below(c, 2);
	}
	in.within.sets = chance_below(c, 4) ? 0 : chance_below(c, 8) << 1;
	in.within.depth_of = chance_below(c, 3);
	in.within.depth_own = chance_below(c, 2);
	if (in.pair)
		end = in;
	fuzz_note(&in);
	err = expr_compile(&in, &p, &error);
	if (err)
		check_error(&in, &error);
	else /* an end finds nothing: the simulated machine has one program at a time */
		check_run(c, p);
	check_dumps(p);
	expr_free(p);
	return !err;
}

#endif
