/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * field.h - describes a field of a record as data: where it is, and of which kind. value.h has its value,
 * field_kind.h how each kind is loaded and shown, shared_fields.h fields that several applets have.
 */
#ifndef CORETAP_OUTPUT_FIELD_FIELD_H
#define CORETAP_OUTPUT_FIELD_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How to interpret and show the bytes of a field. Each is a row of field_kinds[]. */
enum field_type {
	FIELD_UINT, /* 1, 2, 4 or 8 bytes, or bits of them; JSON number, exact */
	FIELD_INT,
	FIELD_HEX, /* text 0x…; a number in JSON */
	FIELD_OCT, /* text 0644; JSON string "0644" */
	FIELD_BOOL,
	FIELD_FLOAT, /* 2, 4 or 8 bytes, IEEE 754; JSON number, or string nan, inf, -inf */
	FIELD_CHAR,  /* one byte, 'c' */
	/* text and JSON string 0x…, because JSON readers do not keep 64 bits of a number; an error pointer is shown
	 * as -ENOENT */
	FIELD_PTR,
	FIELD_ENUM,  /* shown by name; a value without a name as a number */
	FIELD_FLAGS, /* names joined by |, the remaining bits in hex; JSON array of names */
	FIELD_FD,    /* s64/s32 result: a descriptor, or -1 for an error */
	FIELD_ERRNO, /* s64/s32 result: name of the error (ENOENT), or 0; JSON string or null */
	FIELD_RET,   /* s64/s32 result: number, or -ENOENT for an error; JSON number */
	FIELD_CSTR,  /* char[size] inside the record, ends at a NUL or at its size */
	FIELD_STR,   /* struct event_str */
	FIELD_PATH,  /* struct event_str: components from leaf to root, each with a NUL */
	FIELD_ARGV,  /* struct event_str or event_words: words, each with a NUL; shell-quoted; JSON
		      * array */
	FIELD_NS,    /* u64 ns: text 12.3us, JSON number of ns */
	FIELD_SPAN_NS, /* the same, signed, and also in coarser units */
	FIELD_SPAN_US,
	FIELD_SPAN_MS,
	FIELD_HUNDREDTHS, /* s64 in hundredths: 176 is 1.76; JSON number with two decimals */
	/* an error of either sign, -ENOENT or ENOENT: text and JSON string by name; other numbers unchanged */
	FIELD_ERROR,
	FIELD_MODE,	 /* st_mode: -rw-r--r--; JSON string */
	FIELD_RWBS,	 /* cmd_flags of a disk's request by blktrace's letters, WS; JSON string */
	FIELD_PORT,	 /* 1 to 8 bytes in network order; JSON number */
	FIELD_SYM,	 /* a kernel address: vfs_read+0x14; JSON string */
	FIELD_USYM,	 /* u64, an address in the process of the record; JSON string */
	FIELD_DEV,	 /* the kernel's dev_t: 8:0; JSON string */
	FIELD_USER,	 /* a user id, shown by name if it has one; JSON string */
	FIELD_CONTAINER, /* a cgroup's id: the container that it belongs to; JSON string */
	/* bytes in the order of memory; JSON strings */
	FIELD_BYTES, /* hex */
	/* s64 with the number of bytes, then the first of them: shown as text, including NULs */
	FIELD_COUNTED,
	FIELD_COUNTED_BYTES, /* the same in hex */
	/* shown as text if the bytes look like text, else as an array of numbers (output/field/value_text.h) */
	FIELD_CHARS,
	FIELD_MAC, /* 52:54:00:12:34:56 */
	FIELD_IP4,
	FIELD_IP6,
	FIELD_UUID,
	FIELD_GUID, /* the same with its first three parts in little endian */
	FIELD_SOCKADDR,
	FIELD_SOCK, /* a struct sock_common (output/field/sock.h); JSON object */
	/* the same, shown as the local ADDRESS:PORT, or that of the peer; JSON strings */
	FIELD_LOCAL,
	FIELD_PEER,
	FIELD_LOCAL_IP, /* their addresses alone */
	FIELD_PEER_IP,
	FIELD_FLOW,   /* a struct flow (output/field/flow.h); JSON object */
	FIELD_PACKET, /* a struct packet (packet/packet.h): one line; JSON object */
	FIELD_STRUCT, /* any BTF type, by field.btf and btf_id; JSON object or array */
	/* u64 CLOCK_MONOTONIC ns, formatted as --timestamp says (iso by default); JSON string as in "time"; 0 is no
	 * time: - or null */
	FIELD_TIME,
	FIELD_KERNEL_STACK, /* struct event_stack and its frames: in text on separate lines below
			     * the row; JSON array */
	FIELD_USER_STACK,
	/* a value before and after a call, follows[0] and [1]: shows what changed, OLD → NEW; JSON object */
	FIELD_DIFF,
	/* irqs-off etc. as ftrace's latency field shows them (output/field/trace_ctx.h); JSON object */
	FIELD_TRACE_CTX,
	FIELD_TEXT, /* const char *, in a row that user space builds; NULL is no value */
	FIELD_HIST, /* u64 buckets, as many as fit in `size`, divided by field.axis (output/field/hist.h):
		     * in text on separate lines below the row; JSON array of [LOW, HIGH, COUNT] */
	/* the same buckets, shown as the value below which field.percent of 100,000 values are; JSON number, null if
	 * there are none */
	FIELD_PERCENTILE,
	FIELD_TYPES,
};

enum field_flag {
	FIELD_JSON_ONLY = 1 << 0, /* not shown in the table */
	FIELD_TEXT_ONLY = 1 << 1, /* not shown in JSON */
	FIELD_EXTENDED = 1 << 2,  /* shown in the table only with --extended */
	FIELD_PAIR = 1 << 3,	  /* in text as NAME=VALUE after the columns, in JSON in the object
				   * "args" (argdump) */
	FIELD_OPTIONAL = 1 << 4,  /* shown only if schema.optional has its bit */
	FIELD_REMARK = 1 << 6,	  /* in text at the end of the row as a shell comment, # VALUE;
				   * omitted if it has no value */
	FIELD_ZEROS = 1 << 8,	  /* FIELD_STRUCT: also show members that are zero */
	/* a number that may be missing: shown as - or null if it is the most negative one or, if unsigned, if all its
	 * bits are set */
	FIELD_MAYBE = 1 << 7,
	/* precedes all pairs: in text CALLER->FUNC(their list), or (CALLER <- FUNC) with FIELD_RESULT. FUNC is
	 * `names` of the u32 at `follow_at` in the record, or names[0] */
	FIELD_CALLER = 1 << 10,
	FIELD_RESULT = 1 << 11, /* a pair whose value is known only when the function returns */
	/* omitted from JSON if it is 0 or has no value; omitted from a report's columns if that is so in all rows */
	FIELD_SPARSE = 1 << 12,
	FIELD_SORT = 1 << 13,  /* sorts a report's rows, the largest value first */
	FIELD_TOTAL = 1 << 14, /* a report ends with the sum of this field */
	/* FIELD_PATH: relative to the root of its file system, because the mount is unknown */
	FIELD_INNER = 1 << 15,
	/* In metrics (output/rows/openmetrics.h) this is a value, not a label: a counter that only grows in a
	 * report's rows, as FIELD_TOTAL; or any other number */
	FIELD_COUNTER = 1 << 16,
	FIELD_GAUGE = 1 << 17,
	FIELD_FEW = 1 << 18,   /* a number that rarely changes: its texts are cached (KIND_FEW) */
	FIELD_MINOR = 1 << 19, /* hidden on a terminal that is too narrow for all columns */
};

/* The unit of a field's numbers, which is part of its JSON key: latency_ns. Columns show units themselves. */
enum field_unit {
	FIELD_UNIT_KIND, /* the unit of its kind or axis, if that has one */
	FIELD_UNIT_NONE, /* not part of the key: the user chose the name, or there is no unit */
	FIELD_UNIT_NS,
	FIELD_UNIT_US,
	FIELD_UNIT_MS,
};

/* The meaning of a value for its record, for forms that print it in a special place. */
enum field_role {
	FIELD_ROLE_NONE,
	FIELD_ROLE_EVENT, /* the name of the event */
	FIELD_ROLE_CPU,	  /* the CPU; not shown elsewhere */
	/* When it began, CLOCK_MONOTONIC ns; not shown elsewhere. Such records of a thread are nested, or follow one
	 * another */
	FIELD_ROLE_BEGIN,
	FIELD_ROLE_BEGIN_BESIDE, /* the same, but such records may overlap */
	FIELD_ROLE_LASTED,	 /* duration in ns: nested, and overlapping */
	FIELD_ROLE_LASTED_BESIDE,
	FIELD_ROLES,
};

/* A value and its name; for FIELD_FLAGS, `mask` selects the bits to compare (0: value). */
struct field_name {
	uint64_t value;
	const char *name;
	uint64_t mask;
};

/* Returns the row of this name in a table that ends with a name of NULL, or NULL. */
const struct field_name *field_name_find(const struct field_name *names, const char *name);

struct btf_view;
struct value;
struct field;
struct field_kind; /* field_kind.h */
struct hist_axis;  /* hist.h */

typedef void field_value_fn(const struct field *f, const void *record, struct value *v);

struct field {
	const char *name;  /* the JSON key, without its unit (field_unit_suffix) */
	const char *title; /* heading in the table; NULL: the name in capitals */
	enum field_type type;
	unsigned flags;	 /* a mask of enum field_flag */
	unsigned offset; /* bytes from the start of the record */
	unsigned size;	 /* bytes */
	/* the bits of the value; bit_size 0: the whole field. Bits are numbered as in little-endian */
	uint8_t bit_offset, bit_size;
	uint8_t unit;	/* enum field_unit */
	uint8_t role;	/* enum field_role */
	unsigned count; /* an array of this many values; 0: a single value */
	/* FIELD_STRUCT: the types, which stay open as long as records arrive */
	const struct btf_view *btf;
	uint32_t btf_id;	  /* FIELD_STRUCT: which type it is */
	union {			  /* here, to fill a gap in the struct */
		uint32_t percent; /* FIELD_PERCENTILE: in thousandths of a percent, 1 to 100,000 */
		/* FIELD_STRUCT: offset in the record of the struct's own address, u64; 0: unknown */
		unsigned address;
	};
	const struct field *follows; /* FIELD_STRUCT: fields with the targets of pointers in it */
	unsigned follow_count;
	unsigned follow_at; /* in such a field: the pointer's offset in the struct */
	unsigned own_link;  /* 1 + the index of the link that is the value itself; 0: none */
	unsigned left_out;  /* how many array elements were not captured */
	/* columns, at least the title's; 0: as wide as needed (only for the last field). For a stack: frames to show,
	 * 0: all */
	int width;
	/* FIELD_ENUM, FIELD_FLAGS: end with name == NULL. FIELD_STRUCT: names for members of type gfp_t */
	const struct field_name *names;
	/* FIELD_ENUM: for i below it, names[i] is the name of i; 0: names are in no order */
	unsigned name_count;
	unsigned status; /* 1 + offset of a status byte, or 0: none (argdump's slots) */
	/* names of the links that the status byte may refer to; ends with NULL */
	const char *const *links;
	const char *help;
	/* Computes the value from the record: sets u, or bytes and len, or status to EVENT_NONE. *v is zero before.
	 * NULL: the value is loaded from offset and size. */
	field_value_fn *value;
	const void *context; /* for `value` and for `kind` */
	/* used instead of the type's row in field_kinds[]; NULL: that row */
	const struct field_kind *kind;
	/* JSON: adjacent fields with the same `object` are members of an object of that name. None of them, nor the
	 * field after them, may be FIELD_SPARSE */
	const char *object;
	/* FIELD_HIST, FIELD_PERCENTILE: the buckets; NULL: powers of two */
	const struct hist_axis *axis;
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
