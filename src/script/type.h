/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * type.h - types of values in programs (bpftrace's language).
 *
 * A type defines the size and layout of a value in a map, in a tuple and in a record of the ring: its image. Words
 * are in the byte order of this machine. User space prints all images of one kind with one function.
 */
#ifndef CORETAP_SCRIPT_TYPE_H
#define CORETAP_SCRIPT_TYPE_H

#include <stdbool.h>
#include <stdint.h>

#include "expr/ast.h"

enum script_kind {
	SCRIPT_NONE, /* not known yet */
	SCRIPT_VOID,
	SCRIPT_BOOL,	/* 1 byte: 0 or 1 */
	SCRIPT_INT,	/* 1, 2, 4 or 8 bytes; also an enum */
	SCRIPT_POINTER, /* 8 bytes */
	SCRIPT_RECORD,	/* a struct or union of C: its bytes */
	SCRIPT_ARRAY,	/* an array of C: its bytes */
	SCRIPT_STRING,	/* `size` bytes with the NUL; in a key all bytes after the NUL are 0 */
	SCRIPT_BUFFER,	/* buf(): u32 length, then `size` - 4 bytes */
	SCRIPT_TUPLE,	/* the parts, each at its offset; padding is 0 */
	SCRIPT_KSTACK,	/* struct stack_id (event.h) */
	SCRIPT_USTACK,	/* struct stack_id */
	SCRIPT_KSYM,	/* u64 address */
	SCRIPT_USYM,	/* struct script_usym */
	SCRIPT_INET,	/* struct script_inet */
	SCRIPT_MAC,	/* 6 bytes */
	SCRIPT_TIME,	/* strftime(): struct script_time */
	SCRIPT_CGROUP,	/* cgroup_path(): struct script_cgroup */
	SCRIPT_USER,	/* username: u32 uid */
	SCRIPT_ERROR,	/* strerror(): i32 error number */
	SCRIPT_SYSCALL, /* syscall_name(): i32 number */
	SCRIPT_SIGNAL,	/* signal_name(): i32 number */
	SCRIPT_POINT,	/* probe, func: u32 index of the point (struct script_names) */
	/* values of maps only; per CPU, except where 5.10 preempts programs */
	SCRIPT_COUNT,	/* u64 */
	SCRIPT_SUM,	/* u64 or i64 */
	SCRIPT_MIN,	/* struct script_extreme */
	SCRIPT_MAX,	/* struct script_extreme */
	SCRIPT_AVG,	/* struct script_stats */
	SCRIPT_STATS,	/* struct script_stats */
	SCRIPT_HIST,	/* u64 for each bucket: script_hist_buckets() of them */
	SCRIPT_LHIST,	/* u64 below, u64 for each step, u64 above */
	SCRIPT_TSERIES, /* struct script_interval for each of `count` */
	SCRIPT_MODE,	/* a word that a function knows: perf, boot, curr_ns; has no image */
	SCRIPT_KINDS,
};

/* dw_ustack: a USTACK of this size, with the process (as shown) and struct event_user_copy instead of an id. It has
 * room for the registers of every processor. */
enum {
	SCRIPT_COPY_STACK = 16384,
	SCRIPT_COPY_AT = 8, /* of struct event_user_copy */
	SCRIPT_COPY_SIZE = SCRIPT_COPY_AT + 8 + 512 + SCRIPT_COPY_STACK,
};

struct script_usym {
	uint64_t address;
	uint32_t tgid;	/* as shown */
	uint32_t point; /* point whose file the address belongs to */
};
struct script_inet {
	uint32_t family; /* AF_INET: the first 4 bytes; AF_INET6: 16 */
	uint8_t address[16];
	uint32_t pad;
};
struct script_time {
	uint64_t ns;
	uint32_t format; /* index in script.texts */
	uint32_t clock;	 /* enum script_clock */
};
struct script_cgroup {
	uint64_t id;
	uint32_t filter; /* index in script.texts; 0: none */
	uint32_t pad;
};
struct script_extreme {
	int64_t value;
	uint64_t is_set; /* 0: no value yet */
};
struct script_stats {
	int64_t total;
	uint64_t count;
};
struct script_interval {
	uint64_t number; /* ns / length + 1 of the interval; 0: unused */
	int64_t value;	 /* last, sum, min or max … */
	uint64_t count;	 /* … of that many values */
};
enum script_clock {
	SCRIPT_CLOCK_BOOT,
	SCRIPT_CLOCK_MONOTONIC,
	SCRIPT_CLOCK_TAI,
	SCRIPT_CLOCK_SW_TAI
};
enum script_stack_mode {
	SCRIPT_STACK_BPFTRACE,
	SCRIPT_STACK_PERF,
	SCRIPT_STACK_RAW,
	SCRIPT_STACK_BUILD_ID, /* USTACK only */
};
enum script_series {
	SCRIPT_SERIES_LAST,
	SCRIPT_SERIES_AVG,
	SCRIPT_SERIES_MAX,
	SCRIPT_SERIES_MIN,
	SCRIPT_SERIES_SUM
};

struct script_type {
	enum script_kind kind;
	uint32_t size;	/* bytes of the image; 0: none */
	bool is_signed; /* INT; SUM, MIN, MAX, AVG, STATS: their numbers */
	/* INT, SUM …: all values are non-negative literals, which may take either sign */
	bool is_literal;
	bool is_user; /* POINTER, RECORD, ARRAY: the target, or the bytes, are in user memory */
	/* POINTER, RECORD, ARRAY: the verifier knows the pointer; plain loads may follow it */
	bool is_typed;
	bool by_arg;   /* RECORD of `args`: its members are the parameters */
	bool of_bools; /* ARRAY from a cast: of BOOL */
	/* INT of an enum: the enum's id; else 0. POINTER, RECORD, ARRAY: the type in `btf`. ARRAY from a cast of an
	 * integer: int_size is the size of an element, and `count` the number of elements. */
	struct ctype c;
	/* The types that c.id refers to: those of the point where the value first appeared, with the program's own on
	 * top. NULL if c.id is 0. Lives as long as the script. */
	const struct btf_view *btf;
	uint32_t count; /* number of: TUPLE parts; ARRAY elements; LHIST steps; TSERIES intervals */
	/* TUPLE; POINTER to a type that C lacks: that type, and count is 1. In the program's arena */
	const struct script_part *parts;
	uint8_t mode;	/* KSTACK, USTACK: enum script_stack_mode. TSERIES: enum script_series */
	uint32_t depth; /* KSTACK, USTACK: frames; 0: the default */
	int64_t low, high, step; /* LHIST. TSERIES: step is the length in ns */
	uint8_t bits;		 /* HIST: k of 2^k buckets for each power of two */
	bool is_func;		 /* POINT: func, not probe */
};

struct script_part {
	const char *name; /* of a record (name=value); NULL: none */
	uint32_t offset;
	struct script_type type;
};

static inline bool script_is_copy(const struct script_type *t)
{
	return t->kind == SCRIPT_USTACK && t->size == SCRIPT_COPY_SIZE;
}

/* HIST: bucket 0 for values below 0, 1 for 0, then bpftrace's numbering. */
static inline uint32_t script_hist_buckets(uint8_t bits)
{
	return (65u - bits + 1) << bits;
}

/* ---- names_of.c ---- */

/* Returns the name of a system call; NULL: unknown. */
typedef const char *script_syscall_fn(uint32_t number);
enum { SCRIPT_NAME_ROOM = 64 }; /* for the name of a number, and its NUL */

/* True for numbers that are printed as their names. */
bool script_is_named(enum script_kind kind);
/* Returns the text of strerror(), syscall_name() or signal_name() for a number: kind is SCRIPT_ERROR, SYSCALL or
 * SIGNAL. */
const char *script_number_name(enum script_kind kind, int number, script_syscall_fn *syscall);

/* ---- types.c ---- */

struct buf;
struct btf_view;

static inline struct script_type script_int(uint32_t size, bool is_signed)
{
	return (struct script_type){ .kind = SCRIPT_INT, .size = size, .is_signed = is_signed };
}
static inline struct script_type script_string(uint32_t size)
{
	return (struct script_type){ .kind = SCRIPT_STRING, .size = size };
}
/* True for INT, BOOL and POINTER: values in a register. */
static inline bool script_is_scalar(const struct script_type *t)
{
	return t->kind == SCRIPT_INT || t->kind == SCRIPT_BOOL || t->kind == SCRIPT_POINTER;
}
/* True for values of maps that aggregate: COUNT to TSERIES. */
static inline bool script_is_aggregate(const struct script_type *t)
{
	return t->kind >= SCRIPT_COUNT && t->kind <= SCRIPT_TSERIES;
}
/* True for aggregates that an expression may use as a number: COUNT, SUM, MIN, MAX, AVG. */
static inline bool script_is_number_of_map(const struct script_type *t)
{
	return t->kind >= SCRIPT_COUNT && t->kind <= SCRIPT_AVG;
}
/* True if values of both have the same image and print alike. */
bool script_type_equal(const struct script_type *a, const struct script_type *b);
/* Appends the type as programs write it: uint64, string[64], struct file *, (int32,string[5]). `btf` is for a type
 * without a view of its own; may be NULL. */
void script_type_write(const struct btf_view *btf, const struct script_type *t, struct buf *o);
/* Returns the alignment of a value in a tuple: 1, 2, 4 or 8. Structs and arrays as in C; strings the largest of these
 * that does not exceed their size. */
uint32_t script_type_align(const struct script_type *t);
/* Returns the part of a TUPLE with the name or, if that is NULL, with the number; parts of records may have any
 * order. NULL: none. */
const struct script_part *script_part_of(const struct script_type *t, uint32_t number,
					 const char *name);
/* Sets `parts` (count of them, whose types are set), their offsets, and the size. */
void script_tuple_layout(struct script_type *t, struct script_part *parts, uint32_t count);
/* Returns the type of a literal: the smallest signed integer that holds it; is_big: above INT64_MAX, and unsigned. */
struct script_type script_int_of(int64_t value, bool is_big);
/* True if the integer type can hold that number. */
bool script_int_has(const struct script_type *t, int64_t value, bool is_big);
/* True if an operation with both is signed: if one of them is. A literal takes the sign of the other operand. */
bool script_sign_join(const struct script_type *a, const struct script_type *b);
/*
 * Finds the integer type that holds all values of both (INT only); returns false if there is none. Comparisons and,
 * where it matters, other operators are signed if that type is. If possible, resolve gives constants a type that
 * leaves the other operand's unchanged.
 */
bool script_int_join(const struct script_type *a, const struct script_type *b,
		     struct script_type *joined);

/* ---- types_c.c: types of C ---- */

/* Returns the type of a value of that C type: an array of bytes is a STRING. SCRIPT_NONE: a value of this size has no
 * type here (a float, an integer of 16 bytes). */
struct script_type script_type_of(const struct btf_view *btf, struct ctype c);
/* Returns the alignment in C of a type: 1 to 16. */
/* Returns the bytes of a value in memory: those of an array of C, without the room for a NUL. */
uint32_t script_c_bytes(const struct script_type *t);
/* Returns the bytes of a string: one that fills them may have been cut. In bpftrace an array of debug information has no
 * room for a NUL, other arrays of the program's own types have. */
uint32_t script_text_bytes(const struct script_type *t);
uint32_t script_c_align(const struct btf_view *btf, uint32_t id);
/* Returns the target of a POINTER, or the element type of an ARRAY; address space and trust are inherited.
 * SCRIPT_VOID: unknown. */
struct script_type script_type_target(const struct script_type *t);
/* Returns the name of the struct that a value is or points to; "" if there is none. */
const char *script_type_struct(const struct script_type *t);
/* Returns a pointer to the type. */
struct script_type script_pointer_to(const struct btf_view *btf, struct ctype c);

#endif
