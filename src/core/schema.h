/* SPDX-License-Identifier: GPL-2.0 */
/*
 * schema.h - what a record holds, field by field, as data: the one description behind table
 * columns, JSON keys, help and man page. Applets declare theirs; argdump builds its own.
 */
#ifndef CORETAP_SCHEMA_H
#define CORETAP_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/out.h"

/* How the bytes of a field are to be understood, and so shown. */
enum field_type {
	FIELD_UINT,  /* 1, 2, 4 or 8 bytes, or bits of them; JSON number, exact */
	FIELD_INT,
	FIELD_HEX,   /* text 0x…; JSON number */
	FIELD_OCT,   /* text 0644; JSON string "0644" */
	FIELD_BOOL,
	FIELD_CHAR,  /* one byte, 'c' */
	FIELD_PTR,   /* text and JSON string 0x… : no JSON reader keeps 64 bits of a number; an error
		      * pointer as -ENOENT */
	FIELD_ENUM,  /* by names; a value without a name is shown as a number */
	FIELD_FLAGS, /* by names, joined by |, the rest as hex; JSON array of names */
	FIELD_FD,    /* s64/s32 result: a descriptor, or -1 when it is an error */
	FIELD_ERRNO, /* s64/s32 result: name of the error (ENOENT), or 0; JSON string or null */
	FIELD_RET,   /* s64/s32 result: number, or -ENOENT when it is an error; JSON number */
	FIELD_CSTR,  /* char[size] inside the record, ended by NUL or by its size */
	FIELD_STR,   /* struct event_str */
	FIELD_PATH,  /* struct event_str: components from leaf to root, each with its NUL */
	FIELD_ARGV,  /* struct event_str or event_words: words, each with its NUL; shell-quoted;
		      * JSON array */
	FIELD_NS,    /* u64 ns: text 12.3us, JSON number of ns */
	FIELD_ERROR, /* an error of either sign, -ENOENT or ENOENT: text and JSON string by name;
		      * other numbers as they are */
	FIELD_MODE,  /* st_mode: -rw-r--r--; JSON string */
	FIELD_PORT,  /* 2 bytes in network order; JSON number */
	FIELD_SYM,   /* a kernel address: vfs_read+0x14; JSON string */
	/* bytes as they lie in memory; JSON strings */
	FIELD_BYTES, /* hex */
	FIELD_MAC,   /* 52:54:00:12:34:56 */
	FIELD_IP4,
	FIELD_IP6,
	FIELD_UUID,
	FIELD_GUID,  /* the same with its first parts in little endian */
	FIELD_SOCKADDR,
	FIELD_STRUCT, /* any type of BTF, by field.btf and btf_id; JSON object or array */
	FIELD_TIME,  /* u64 CLOCK_MONOTONIC ns, shown as --timestamp asks (iso by default); JSON
		      * string as "time" has it; 0 is no time: -, null */
	FIELD_KERNEL_STACK, /* struct event_stack and its frames, FIELD_BELOW; JSON array */
	FIELD_USER_STACK,
	FIELD_DIFF,    /* its `follows` before and after a call, follows[0] and [1]: what changed, OLD → NEW;
		        * JSON object */
	FIELD_CONTEXT, /* core/context.h: irqs-off … as ftrace's latency field; JSON object */
};

enum field_flag {
	FIELD_JSON_ONLY = 1 << 0, /* not in the table */
	FIELD_TEXT_ONLY = 1 << 1, /* not in JSON (FD and ERR of one result) */
	FIELD_EXTENDED = 1 << 2,  /* in the table with --extended only */
	FIELD_PAIR = 1 << 3,	  /* in text as NAME=VALUE behind the columns (argdump) */
	FIELD_OPTIONAL = 1 << 4,  /* column and key left out unless schema.optional has its bit */
	FIELD_LEFT = 1 << 5,	  /* left-aligned although a number */
	FIELD_REMARK = 1 << 6,	  /* in text behind everything as a shell comment, # VALUE; nothing
				   * where there is none */
	FIELD_ZEROS = 1 << 8,	  /* FIELD_STRUCT: members that are zero are shown, too */
	FIELD_MAYBE = 1 << 7,	  /* a number: -, null when it is the most negative one, or when all
				   * bits of an unsigned one are set */
	FIELD_BELOW = 1 << 9,	  /* in text on lines of its own below the row (stacks) */
	FIELD_CALLER = 1 << 10,	  /* a pair before all others: in text CALLER->FUNC(their list), or
				   * (CALLER <- FUNC) with FIELD_RESULT; FUNC is `names` of the u32
				   * at `follow_at` in the record, or of 0 */
	FIELD_RESULT = 1 << 11,	  /* a pair that is known when the function returns */
};

/* A value and its name; for FIELD_FLAGS `mask` is the bits it is compared under (0: value). */
struct field_name {
	uint64_t value;
	const char *name;
	uint64_t mask;
};

struct btf_view;

struct field {
	const char *name;  /* JSON key; option of --by and the man page use it too */
	const char *title; /* table header; NULL: name in capitals */
	enum field_type type;
	unsigned flags;	   /* enum field_flag */
	unsigned offset;   /* bytes from the record's start */
	unsigned size;	   /* bytes */
	uint8_t bit_offset, bit_size; /* bit_size 0: the whole field. Little endian bit numbering */
	unsigned count;	   /* an array of so many values of that type; 0: a single one */
	const struct btf_view *btf;   /* FIELD_STRUCT: its types, open as long as records come … */
	uint32_t btf_id;	      /* … and which one it is */
	const struct field *follows;  /* FIELD_STRUCT: what pointers in it point at … */
	unsigned follow_count;
	unsigned follow_at;	      /* … and in such a field: the pointer's offset in the struct */
	unsigned left_out; /* elements of the array that were not captured */
	int width;	   /* columns, at least the title's; 0: as wide as it is (only the last one);
			    * of a stack: frames to show, 0: all */
	const struct field_name *names; /* ended by name == NULL; FIELD_ENUM, FIELD_FLAGS */
	unsigned name_count; /* FIELD_ENUM: names[i] is the name of i, for so many; 0: not so */
	unsigned status;   /* offset of a status byte + 1, or 0: none (argdump's slots) */
	const char *const *links; /* names of the links that the status byte may blame; ended by NULL */
	const char *help;
};

#define FIELD_AT(type_, member)                                                                  \
	.offset = offsetof(type_, member), .size = sizeof(((type_ *)0)->member)
/* FIELD(struct x_event, pid, FIELD_UINT, 7, "help"[, .title = …, .flags = …]) */
#define FIELD(struct_, member, type_, width_, help_, ...)                                        \
	{ .name = #member, FIELD_AT(struct_, member), .type = type_, .width = width_,             \
	  .help = help_, ##__VA_ARGS__ }

/*
 * A slot's status byte: 0 is fine; low 6 bits the link's index in `links`, upper bits the reason.
 */
enum field_status {
	FIELD_STATUS_NULL = 0x40,  /* that link was NULL */
	FIELD_STATUS_FAULT = 0x80, /* the memory behind that link could not be read */
	FIELD_STATUS_CUT = 0xc0,   /* string longer than its slot: shown with … */
	FIELD_STATUS_REASON = 0xc0,
	FIELD_STATUS_LINK = 0x3f,
};

enum timestamp_form {
	TIMESTAMP_NONE,
	TIMESTAMP_ISO,	/* local time, RFC 3339 with microseconds */
	TIMESTAMP_REL,	/* seconds since the first record */
	TIMESTAMP_MONO, /* seconds of CLOCK_MONOTONIC */
	TIMESTAMP_UNIX, /* seconds since 1970 */
	TIMESTAMP_UTC,	/* RFC 3339 in UTC: JSON's "time", no choice of --timestamp */
};

struct schema {
	const struct field *fields;
	size_t count;
	size_t record_min;	    /* a shorter record is refused before any field is read */
	bool extended;
	enum timestamp_form timestamp;
	uint64_t optional;	    /* bit i: fields[i], a FIELD_OPTIONAL one, is there (i < 64) */
};

/* A field's value, already taken out of its record. bytes point into the record. */
struct value {
	uint64_t u;	    /* zero- or sign-extended to 64 bits; stacks: see core/stack.h */
	const char *bytes;  /* strings, frames; NULL where there is none */
	size_t len;
	uint32_t left_out;
	unsigned status;    /* enum event_status */
	unsigned link;	    /* EVENT_NULL, EVENT_FAULT: index into field.links */
	uint64_t unreadable; /* FIELD_ARGV, bit i: word i could not be read and stands empty */
};

/* As strnlen: most strings end in their first words. */
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

/* Loads a field with its sign, width and bits. Every offset that the record itself carries is
 * checked against `size`. Returns 0, or -EBADMSG for a record that contradicts itself. */
int field_load(const struct field *f, const void *record, size_t size, struct value *v);

/* "ENOENT" for 2; NULL for a number that is no errno. */
const char *errno_name(int err);

/* The shown form of a CLOCK_MONOTONIC time; iso and unix use the offset taken at start. */
void timestamp_put(struct out *o, uint64_t mono_ns, enum timestamp_form form);

/* ---- what the sinks share ---- */

/* The fixed part of a record is all there: record_min, and the event_header in any case. */
bool schema_accepts(const struct schema *s, size_t size);
/* False for a FIELD_OPTIONAL field that this run does not have. */
static inline bool schema_has(const struct schema *s, size_t i)
{
	return !(s->fields[i].flags & FIELD_OPTIONAL) || (i < 64 && s->optional >> i & 1);
}
/* -ENOENT: of a pointer that is an error, or of a FIELD_ERROR of either sign; NULL for anything
 * else. *negative: a minus stands before the name. */
const char *value_error_name(const struct field *f, const struct value *v, bool *negative);
/* Results in [-4095, -1] are errors, as in the kernel: returns the errno, or 0. */
int value_errno(const struct value *v);
/* Element i of an array: its field and value. Returns 0 or -EBADMSG. */
int value_element(const struct field *f, const struct value *v, unsigned i, struct field *ef,
		  struct value *ev);
/* The link to blame for an unreadable value, or NULL where none is known. */
const char *value_link(const struct field *f, const struct value *v);
/* NULL where the value has no name. */
const char *value_enum_name(const struct field *f, const struct value *v);
/* The names of a FIELD_FLAGS value one by one: start with *named 0; NULL at the end, when the bits
 * outside of *named have no name. */
const struct field_name *value_flag_next(const struct field *f, const struct value *v,
					 uint64_t *named);
/* Word i of a FIELD_ARGV could not be read. */
static inline bool value_word_unreadable(const struct value *v, size_t i)
{
	return i < 64 && v->unreadable >> i & 1;
}
/* Takes the first (FIELD_ARGV) or last (FIELD_PATH) NUL-ended word off *v. */
bool value_take_first(struct value *v, const char **word, size_t *len);
bool value_take_last(struct value *v, const char **word, size_t *len);

/* ---- sinks ---- */

/* A field that a sink shows, with what need not be worked out again for each record. */
struct sink_cell {
	const struct field *field;
	unsigned lead, lead_len; /* in sink.leads: what stands before the value (,"pid": name= #) */
	bool right;		 /* right-aligned */
	bool plain;		 /* 4 unsigned bytes, certain to be inside of the record */
	bool text;		 /* a FIELD_CSTR, as certain, and its status byte */
};

struct folded;

/* A sink turns records into lines in `out`. The caller sets the first five members; the schema must
 * stay as it is from the first header or record on. */
struct sink {
	const struct schema *schema;
	struct out *out;
	bool json;
	const char *applet; /* JSON: value of "type" */
	struct folded *folded; /* records are only counted by their stacks, there; or NULL */
	uint64_t rows;

	struct sink_cell *cells; /* owned, made by the first sink_header or sink_record */
	size_t cell_count;
	struct out leads;	 /* texts before the values; JSON: the object's beginning first */
	size_t head_len;

	/* table: so many cells in front tell of the event_header alone, behind its ts, and that is the
	 * same in most records that follow each other: how they look, and blanks owed behind them */
	size_t task_cells;
	uint64_t task[3];
	char task_text[64];
	size_t task_len, task_owed; /* 0: nothing is known */
};

/* The table's header line; nothing for JSON. */
void sink_header(struct sink *s);
/* One record, one line. Returns 0, -EBADMSG or -ENOMEM. */
int sink_record(struct sink *s, const void *record, size_t size);
/* What the sink made for itself; `out` and `schema` are the caller's. */
void sink_free(struct sink *s);

/* The two forms behind sink_record; s->cells are there. Return 0 or -EBADMSG. */
void table_put_header(const struct sink *s);
int table_put_record(struct sink *s, const void *record, size_t size);
int json_put_record(const struct sink *s, const void *record, size_t size);
/* A value that is there, as JSON. */
void json_put_value(struct out *o, const struct field *f, const struct value *v);

/* For lines that no sink makes: a value, null where there is none; why not ("fault: file->f_inode").
 * Numbers and the like stand on the right of their columns. */
void json_put_value_or_null(struct out *o, const struct field *f, const struct value *v);
void json_put_error(struct out *o, const struct field *f, const struct value *v);
bool field_is_right_aligned(const struct field *f);

#endif
