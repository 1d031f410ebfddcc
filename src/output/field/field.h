/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * field.h - a field of a record as data: where it is, which kind it is, and how its value is loaded
 * and shown as text and as JSON.
 *
 * Everything that differs between kinds is in one table, field_kinds[] (kinds.c). This file knows
 * nothing about rows and sinks.
 */
#ifndef CORETAP_OUTPUT_FIELD_FIELD_H
#define CORETAP_OUTPUT_FIELD_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "output/field/timestamp.h"
#include "util/buf.h"
#include "util/errname.h"

/* How to interpret the bytes of a field, and so how to show them: each is a row of
 * field_kinds[]. */
enum field_type {
	FIELD_UINT, /* 1, 2, 4 or 8 bytes, or bits of them; JSON number, exact */
	FIELD_INT,
	FIELD_HEX, /* text 0x…; JSON number */
	FIELD_OCT, /* text 0644; JSON string "0644" */
	FIELD_BOOL,
	FIELD_CHAR,  /* one byte, 'c' */
	FIELD_PTR,   /* text and JSON string 0x…, because JSON readers do not keep 64 bits of a
		      * number; an error pointer as -ENOENT */
	FIELD_ENUM,  /* by name; a value without a name as a number */
	FIELD_FLAGS, /* by names joined by |, the rest in hex; JSON array of names */
	FIELD_FD,    /* s64/s32 result: a descriptor, or -1 for an error */
	FIELD_ERRNO, /* s64/s32 result: name of the error (ENOENT), or 0; JSON string or null */
	FIELD_RET,   /* s64/s32 result: number, or -ENOENT for an error; JSON number */
	FIELD_CSTR,  /* char[size] inside the record, ends at a NUL or at its size */
	FIELD_STR,   /* struct event_str */
	FIELD_PATH,  /* struct event_str: components from leaf to root, each with a NUL */
	FIELD_ARGV,  /* struct event_str or event_words: words, each with a NUL; shell-quoted; JSON
		      * array */
	FIELD_NS,    /* u64 ns: text 12.3us, JSON number of ns */
	FIELD_SPAN_NS, /* the same with a sign, and in other units */
	FIELD_SPAN_US,
	FIELD_SPAN_MS,
	FIELD_HUNDREDTHS, /* s64, in hundredths: 1.76; JSON number with two decimals */
	FIELD_ERROR, /* an error of either sign, -ENOENT or ENOENT: text and JSON string by name;
		      * other numbers unchanged */
	FIELD_MODE,  /* st_mode: -rw-r--r--; JSON string */
	FIELD_PORT,  /* 1 to 8 bytes in network order; JSON number */
	FIELD_SYM,   /* a kernel address: vfs_read+0x14; JSON string */
	FIELD_USYM,  /* u64, an address of the process that the record is of; JSON string */
	FIELD_DEV,   /* the kernel's dev_t: 8:0; JSON string */
	FIELD_USER,  /* a user's number: its name, if it has one; JSON string */
	FIELD_CONTAINER, /* a cgroup's id: the container that it belongs to; JSON string */
	/* bytes as they are in memory; JSON strings */
	FIELD_BYTES,   /* hex */
	FIELD_COUNTED, /* s64, how many bytes there are, then the first of them: text, NULs too */
	FIELD_COUNTED_BYTES, /* the same in hex */
	FIELD_CHARS, /* text if they look so, else an array of numbers (output/field/value_text.h) */
	FIELD_MAC,   /* 52:54:00:12:34:56 */
	FIELD_IP4,
	FIELD_IP6,
	FIELD_UUID,
	FIELD_GUID, /* the same with its first three parts in little endian */
	FIELD_SOCKADDR,
	FIELD_SOCK,  /* a struct sock_common (output/field/sock.h); JSON object */
	FIELD_LOCAL, /* the same: its own address and port, the other side's; JSON strings */
	FIELD_PEER,
	FIELD_PEER_IP, /* the other side's address alone */
	FIELD_FLOW,    /* a struct flow (output/field/flow.h); JSON object */
	FIELD_STRUCT,  /* any type of BTF, by field.btf and btf_id; JSON object or array */
	FIELD_TIME,    /* u64 CLOCK_MONOTONIC ns, shown in the form of --timestamp (iso by default);
		       * JSON string as in "time"; 0 is no time: -, null */
	FIELD_KERNEL_STACK, /* struct event_stack and its frames: in text on separate lines below
			     * the row; JSON array */
	FIELD_USER_STACK,
	FIELD_DIFF, /* its `follows` before and after a call, follows[0] and [1]: what changed, OLD
		     * → NEW; JSON object */
	FIELD_TRACE_CTX, /* output/field/trace_ctx.h: irqs-off … as ftrace's latency field; JSON object */
	FIELD_TEXT, /* const char *, in a row that user space builds; NULL is no value */
	FIELD_HIST, /* u64 buckets, as many as fit in `size`, divided by field.axis (output/field/hist.h):
		     * in text on separate lines below the row; JSON array of [LOW, HIGH, COUNT] */
	FIELD_PERCENTILE, /* the same buckets: the value below which field.percent of 100 values
			   * are; JSON number, null if there are none */
	FIELD_TYPES,
};

enum field_flag {
	FIELD_JSON_ONLY = 1 << 0, /* not in the table */
	FIELD_TEXT_ONLY = 1 << 1, /* not in JSON */
	FIELD_EXTENDED = 1 << 2,  /* in the table only with --extended */
	FIELD_PAIR = 1 << 3,	  /* in text as NAME=VALUE after the columns, in JSON in the object
				   * "args" (argdump) */
	FIELD_OPTIONAL = 1 << 4,  /* no column and no key unless schema.optional has its bit */
	FIELD_REMARK = 1 << 6,	  /* in text at the end of the row as a shell comment, # VALUE;
				   * omitted if it has no value */
	FIELD_ZEROS = 1 << 8,	  /* FIELD_STRUCT: also show members that are zero */
	FIELD_MAYBE = 1 << 7,	  /* a number: -, null if it is the most negative one, or if all
				   * bits of an unsigned one are set */
	FIELD_CALLER = 1 << 10,	  /* a pair before all others: in text CALLER->FUNC(their list), or
				   * (CALLER <- FUNC) with FIELD_RESULT; FUNC is `names` of the u32
				   * at `follow_at` in the record, or of 0 */
	FIELD_RESULT = 1 << 11,	  /* a pair whose value is known when the function returns */
	FIELD_SPARSE = 1 << 12, /* omitted from JSON if it is 0 or has no value, and from a report's
				 * columns if this is so in all rows */
	FIELD_SORT = 1 << 13,	/* a report's rows are sorted by it, the largest first */
	FIELD_TOTAL = 1 << 14,	/* a report ends with the sum of this field */
	FIELD_INNER = 1 << 15, /* FIELD_PATH: from its file system's root, whose mount is unknown */
	/* In metrics (output/rows/openmetrics.h) a value, not a label: of a report's rows, what only
	 * grows, as FIELD_TOTAL does; any other number */
	FIELD_COUNTER = 1 << 16,
	FIELD_GAUGE = 1 << 17,
	FIELD_FEW =
		1 << 18, /* a number that seldom has another value: its texts are kept (KIND_FEW) */
};

/* The unit of a field's numbers, which its JSON key names: latency_ns. Columns show units themselves. */
enum field_unit {
	FIELD_UNIT_KIND, /* that of its kind or axis, if it has one */
	FIELD_UNIT_NONE, /* not in the key: the user gave the name, or there is none */
	FIELD_UNIT_NS,
	FIELD_UNIT_US,
	FIELD_UNIT_MS,
};

/* What a value says about its record, for the forms that have a place of their own for it. */
enum field_role {
	FIELD_ROLE_NONE,
	FIELD_ROLE_EVENT, /* what happened, by name */
	FIELD_ROLE_CPU,	  /* where; shown nowhere else */
	/* When it began, CLOCK_MONOTONIC ns; shown nowhere else. Of one thread such records are one
	 * inside the other, or one after the other … */
	FIELD_ROLE_BEGIN,
	FIELD_ROLE_BEGIN_BESIDE, /* … or they overlap */
	FIELD_ROLE_LASTED,	 /* how long it took, ns; the same two */
	FIELD_ROLE_LASTED_BESIDE,
	FIELD_ROLES,
};

/* A value and its name; for FIELD_FLAGS, `mask` selects the bits to compare (0: value). */
struct field_name {
	uint64_t value;
	const char *name;
	uint64_t mask;
};

/* The row of this name in a table that ends with a name of NULL; NULL: there is none. */
const struct field_name *field_name_find(const struct field_name *names, const char *name);

struct btf_view;
struct value;
struct field;
struct field_kind;
struct hist_axis;

typedef void field_value_fn(const struct field *f, const void *record, struct value *v);

struct field {
	const char *name;  /* JSON key, with the unit (field_unit_suffix) */
	const char *title; /* table header; NULL: name in capitals */
	enum field_type type;
	unsigned flags;		      /* enum field_flag */
	unsigned offset;	      /* bytes from the record's start */
	unsigned size;		      /* bytes */
	uint8_t bit_offset, bit_size; /* bit_size 0: the whole field. Little-endian bit numbering */
	uint8_t unit;		      /* enum field_unit */
	uint8_t role;		      /* enum field_role */
	unsigned count;		      /* an array of that many such values; 0: a single value */
	const struct btf_view *btf; /* FIELD_STRUCT: its types, open as long as records arrive … */
	uint32_t btf_id;	    /* … and which one it is */
	union {			    /* placed here to fill a gap */
		unsigned percent;   /* FIELD_PERCENTILE: 1 to 100 */
		unsigned address;   /* FIELD_STRUCT: offset of its own address, u64; 0: unknown */
	};
	const struct field *follows; /* FIELD_STRUCT: the targets of pointers in it … */
	unsigned follow_count;
	unsigned follow_at; /* … and in such a field: the pointer's offset in the struct */
	unsigned own_link;  /* 1 + the index of the link that is the value itself; 0: none is */
	unsigned left_out;  /* number of array elements that were not captured */
	int width; /* columns, at least the title's; 0: as wide as needed (only the last one); of a
		    * stack: frames to show, 0: all */
	/* end with name == NULL; FIELD_ENUM, FIELD_FLAGS; FIELD_STRUCT: of members that are gfp_t */
	const struct field_name *names;
	unsigned name_count; /* FIELD_ENUM: names[i] is the name of i for i below it; 0: not so */
	unsigned status;     /* offset of a status byte + 1, or 0: none (argdump's slots) */
	const char *const
		*links; /* names of the links that the status byte may refer to; end with NULL */
	const char *help;
	/* Computes the value from the record in user space: sets u, or bytes and len, or status to
	 * EVENT_NONE; *v is all zeros before. NULL: the value is loaded from offset and size. */
	field_value_fn *value;
	const void *context;	       /* for `value` and for a kind of its own */
	const struct field_kind *kind; /* replaces type's row in field_kinds[]; NULL: that row */
	/* JSON: adjacent fields with the same name here are members of the object of that name.
	 * None of them, nor the field after them, may be FIELD_SPARSE */
	const char *object;
	const struct hist_axis *axis; /* FIELD_HIST, FIELD_PERCENTILE; NULL: powers of two */
};

#define FIELD_AT(type_, member)                                                                    \
	.offset = offsetof(type_, member), .size = sizeof(((type_ *)0)->member)
/* FIELD(struct x_event, pid, FIELD_UINT, 7, "help"[, .title = …, .flags = …]) */
#define FIELD(struct_, member, type_, width_, help_, ...)                                          \
	{                                                                                          \
		.name = #member, FIELD_AT(struct_, member), .type = type_, .width = width_,        \
		.help = help_, ##__VA_ARGS__                                                       \
	}

/* Of a record's struct event_task: its cgroup, and the container that is (with --with-container). */
#define TASK_CGROUP_FIELD(struct_, member)                                                         \
	{                                                                                          \
		.name = "cgroup", FIELD_AT(struct_, member.cgroup), .type = FIELD_UINT,            \
		.flags = FIELD_JSON_ONLY, .help = "cgroup v2 id"                                   \
	}
#define TASK_CONTAINER_FIELD(struct_, member)                                                      \
	{                                                                                          \
		.name = "container", FIELD_AT(struct_, member.cgroup), .type = FIELD_CONTAINER,    \
		.width = 12, .flags = FIELD_OPTIONAL,                                              \
		.help = "its container, with --with-container: id or name; null on the host"       \
	}

/* Of a record's event_header: with --inner-pids. The field "pid" is shown with it. */
extern const struct field_kind field_inner_pid; /* run/inner_pids.c */
#define TASK_INNER_FIELD(struct_, member)                                                              \
	{                                                                                              \
		.name = "inner_pid", FIELD_AT(struct_, member.pid), .type = FIELD_UINT,                \
		.kind = &field_inner_pid, .flags = FIELD_OPTIONAL | FIELD_JSON_ONLY,                   \
		.help = "with --inner-pids: its number in its own pid namespace; null if that is ours" \
	}

/* A histogram by which a report's rows are sorted; JSON also gets its percentiles. The member is an
 * array of u64 (HIST_BUCKETS of them if axis_ is one of powers of two). */
#define FIELD_PERCENTILE_ROW(struct_, member, axis_, percent_)                                     \
	{                                                                                          \
		.name = "p" #percent_, FIELD_AT(struct_, member), .type = FIELD_PERCENTILE,        \
		.axis = axis_, .percent = percent_, .flags = FIELD_JSON_ONLY,                      \
		.help = "below it lie " #percent_ " of 100 values, as estimated from the buckets"  \
	}
#define FIELD_HIST_ROWS(struct_, member, axis_, title_, help_)                                     \
	{ .name = #member,                                                                         \
	  .title = title_,                                                                         \
	  FIELD_AT(struct_, member),                                                               \
	  .type = FIELD_HIST,                                                                      \
	  .axis = axis_,                                                                           \
	  .flags = FIELD_SORT | FIELD_TOTAL,                                                       \
	  .help = help_ },                                                                         \
		FIELD_PERCENTILE_ROW(struct_, member, axis_, 50),                                  \
		FIELD_PERCENTILE_ROW(struct_, member, axis_, 90),                                  \
		FIELD_PERCENTILE_ROW(struct_, member, axis_, 99)

/*
 * A slot's status byte: 0 is fine; the low 6 bits are the link's index in `links`, the upper bits
 * are the reason.
 */
enum field_status {
	FIELD_STATUS_NULL = 0x40,  /* that link was NULL */
	FIELD_STATUS_FAULT = 0x80, /* the memory behind that link could not be read */
	FIELD_STATUS_CUT = 0xc0,   /* string longer than its slot: shown with … */
	FIELD_STATUS_REASON = 0xc0,
	FIELD_STATUS_LINK = 0x3f,
	FIELD_STATUS_NONE = 0x3f, /* the whole byte: there is no value, and nothing went wrong */
};

/* A field's value, taken from its record. bytes point into the record. */
struct value {
	uint64_t u;	   /* zero- or sign-extended to 64 bits; stacks: see output/field/stack.h */
	const char *bytes; /* strings, frames; NULL if there is none */
	size_t len;
	uint32_t left_out;
	unsigned status;     /* enum event_status */
	unsigned link;	     /* EVENT_NULL, EVENT_FAULT: index into field.links */
	uint64_t unreadable; /* FIELD_ARGV, bit i: word i could not be read and is empty; else 0 */
	/* stacks: their frames with the names of an earlier look; NULL: there was none */
	const struct frame *named;
};

/* Like strnlen, but faster for strings that end in their first words, as most do. */
static inline size_t text_length(const char *s, size_t size)
{
	uint64_t word, zero;
	size_t i = 0;

	for (; i + 8 <= size; i += 8) {
		memcpy(&word, s + i, 8);
		zero = (word - 0x0101010101010101ULL) & ~word & 0x8080808080808080ULL;
		if (zero)
			return i + __builtin_ctzll(zero) / 8;
	}
	return i + strnlen(s + i, size - i);
}

/* Loads a field with its sign, width and bits. Checks every offset that the record itself has
 * against `size`. Returns 0, or -EBADMSG for a record that contradicts itself. */
int field_load(const struct field *f, const void *record, size_t size, struct value *v);

/* ---- kinds ---- */

enum field_kind_flag {
	KIND_SIGNED = 1 << 0,
	KIND_RIGHT = 1 << 1, /* right-aligned in a column */
	KIND_BELOW = 1 << 2, /* text: on separate lines below the row */
	/* how long something took: the unit is part of the key */
	KIND_NS = 1 << 3,
	KIND_US = 1 << 4,
	KIND_MS = 1 << 5,
	/* has few values, whose text depends on nothing but the field's bytes */
	KIND_FEW = 1 << 6,
};

/* Loads the value from the record, whose bytes [offset, offset + size) exist. Sets all of *v.
 * Returns 0, or -EBADMSG for a record that contradicts itself. */
typedef int field_load_fn(const struct field *f, const void *record, size_t size, struct value *v);
/* Writes a value that was captured as text for a cell; strings of a FIELD_PAIR are quoted. Returns
 * the width in columns; 0: several lines. */
typedef size_t field_text_fn(struct buf *o, const struct field *f, const struct value *v,
			     enum timestamp_form form);
/* Writes such a value as JSON. */
typedef void field_json_fn(struct buf *o, const struct field *f, const struct value *v);

struct row;
struct sink_cell;
/* Writes a field of the record. Returns 0 or -EBADMSG. */
typedef int sink_put_fn(struct row *r, const struct sink_cell *c, const void *record, size_t size);

struct field_kind {
	const char *name;  /* the name in argdump --dump=types */
	unsigned flags;	   /* enum field_kind_flag */
	unsigned size_min; /* for kinds that are not numbers: bytes; 0: any */
	int width; /* of most of its values, in columns; 0: as their size says, or unknown */
	field_load_fn *load;
	field_text_fn *text;
	field_json_fn *json;
	sink_put_fn *put; /* a column, in fewer steps than by `load` and `text`; NULL: by these */
	double (*weight)(const struct field *f,
			 const struct value *v); /* FIELD_SORT; NULL: the number */
};
extern const struct field_kind *field_kinds; /* [FIELD_TYPES] */

static inline const struct field_kind *field_kind(const struct field *f)
{
	return __builtin_expect(f->kind != NULL, 0) ? f->kind : &field_kinds[f->type];
}
bool field_is_right_aligned(const struct field *f);
/* Is it sorted, and compared, as a number? */
bool field_is_number(const struct field *f);
/* What follows the name in the JSON key: "_ns", or "". */
const char *field_unit_suffix(const struct field *f);
/* For FIELD_SORT: rows with a larger weight come first. */
double field_weight(const struct field *f, const struct value *v);

/* ---- values ---- */

/* "ENOENT" for a pointer that is an error, or for a FIELD_ERROR of either sign; NULL for anything
 * else. *negative: a minus precedes the name. */
const char *value_error_name(const struct field *f, const struct value *v, bool *negative);
/* Results in [-4095, -1] are errors, as in the kernel: returns the errno, or 0. */
int value_errno(const struct value *v);
/* Element i of an array: its field and value. Returns 0 or -EBADMSG. */
int value_element(const struct field *f, const struct value *v, unsigned i, struct field *ef,
		  struct value *ev);
/* The link that caused an unreadable value, or NULL if it is not known. */
const char *value_link(const struct field *f, const struct value *v);
/* NULL if the value has no name. */
const char *value_enum_name(const struct field *f, const struct value *v);
/* Iterates over the names of a FIELD_FLAGS value: start with *named 0. Returns NULL at the end; any
 * bits outside *named have no name. */
const struct field_name *value_flag_next(const struct field *f, const struct value *v,
					 uint64_t *named);
bool value_is_unreadable(const struct value *v);
/* 0, or no value: FIELD_SPARSE omits it. */
bool value_is_nothing(const struct value *v);
/* Word i of a FIELD_ARGV could not be read. */
static inline bool value_word_unreadable(const struct value *v, size_t i)
{
	return i < 64 && v->unreadable >> i & 1;
}
/* Removes the first (FIELD_ARGV) or last (FIELD_PATH) NUL-terminated word from *v. */
bool value_pop_first(struct value *v, const char **word, size_t *len);
bool value_pop_last(struct value *v, const char **word, size_t *len);

#endif
