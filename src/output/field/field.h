/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * field.h - a field of a record as data: where it is, and of which kind. value.h has its value,
 * field_kind.h how each kind is loaded and shown, shared_fields.h the fields that several applets have.
 */
#ifndef CORETAP_OUTPUT_FIELD_FIELD_H
#define CORETAP_OUTPUT_FIELD_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How to interpret and show the bytes of a field: a row of field_kinds[] each. */
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
	FIELD_PACKET,  /* a struct packet (packet/packet.h): one line; JSON object */
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

/* The meaning of a value for its record, for forms that show it in a special place. */
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
struct field_kind; /* field_kind.h */
struct hist_axis;  /* hist.h */

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

#endif
