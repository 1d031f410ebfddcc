/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * program.h - the data that the stages of the compiler share.
 *
 * Each stage reads the results of earlier stages and adds its own: tokens, nodes, types on the
 * nodes, the plan's values and steps, places in the record, instructions. All of it is in the
 * program's arena, so nothing is freed separately.
 */
#ifndef CORETAP_EXPR_PROGRAM_H
#define CORETAP_EXPR_PROGRAM_H

#include "expr/arena.h"
#include "expr/expr.h"
#include "expr/ir.h"

enum {
	SLOTS_MAX = 64,	      /* expressions of one probe */
	TEXT_MAX = 4096,      /* bytes of one expression */
	NESTING_MAX = 100,    /* nested parentheses and operators */
	TEMPS_LOCAL_MAX = 40, /* stack temps of one expression */
	LINKS_MAX = 63,	      /* pointers that one expression follows: FIELD_STATUS_LINK */
	STRING_DEFAULT = 128, /* bytes of a string's slot including the NUL */
	STRING_LIMIT = 4096,
	SOCKADDR_SIZE = 128, /* struct sockaddr_storage */
	BYTES_LIMIT = 4096,  /* bytes, or elements, of a format with [N] */
	CAST_BYTES = 128,    /* of a struct pt_regs, on every architecture */
	/* For more bytes a helper is cheaper than typed loads (measured), if it is allowed. */
	TYPED_BYTES_MAX = 192,
	STRUCT_LIMIT = 31000, /* of a struct that is shown whole */
	FOLLOW_MAX = 48,      /* pointers that --depth follows */
	ELEMENTS_MAX = 64,    /* of an array that is shown without a format */
	STACK_DEFAULT = 127,  /* frames: the default of kernel.perf_event_max_stack */
	KEY_STRING = 64,      /* the same for a key, whose bytes are all hashed */
	KEY_STRUCT = 16,      /* of a struct in a key: more does not fit a line of the table */
	KEY_LIMIT = 512,      /* of a hash key, accepted by every kernel */
	ENTRY_LIMIT = 32752,  /* of a per-CPU value: a little below PCPU_MIN_UNIT_SIZE */
};

enum builtin_id {
	BUILTIN_PID,
	BUILTIN_TID,
	BUILTIN_PPID,
	BUILTIN_UID,
	BUILTIN_GID,
	BUILTIN_COMM,
	BUILTIN_CPU,
	BUILTIN_FUNC,
	BUILTIN_TS,
	BUILTIN_CGROUP,
	BUILTIN_TASK,
	BUILTIN_CALLER,
	BUILTIN_REG,
	BUILTIN_STACK,
	BUILTIN_IP,
	BUILTIN_RET,
	BUILTIN_LAT,
	BUILTIN_CTX,
	BUILTIN_IRQ,
	BUILTIN_KSTACK,
	BUILTIN_USTACK,
	BUILTIN_DEPTH,
	BUILTIN_FRAME,
};

struct builtin {
	const char *name; /* without the $ */
	enum builtin_id id;
	uint8_t int_size; /* 0: a string ($comm) or a pointer ($task) */
	int header;	  /* offset of the copy in struct event_header; -1: none */
};

/* How the value of an expression is stored in the record. */
enum store_kind {
	STORE_HEADER,  /* already in the record's header */
	STORE_SCALAR,  /* 8 bytes; the field uses the low ones */
	STORE_STRING,  /* the bytes at an address, up to the NUL */
	STORE_BYTES,   /* a fixed number of bytes: an array, a MAC address */
	STORE_COUNTED, /* the bytes at an address, after a value that counts them */
	STORE_TEXT,    /* the bytes of a "text" */
	STORE_PATH,    /* the names of a path, last name first, after a struct event_str */
	STORE_STACK,   /* $kstack, $ustack: the key of the frames in EXPR_MAP_STACKS */
	STORE_FLOW,    /* the struct flow (output/field/flow.h) of a packet */
	STORE_PACKET,  /* the struct packet (packet/packet.h) of a packet */
	STORE_FILTER,  /* stores nothing: a 0 ends the program */
};

enum string_space {
	STRING_BY_ADDRESS, /* kernel or user memory, depending on the address */
	STRING_USER,
};

/* --diff: the slots of one EXPR (expand.c), and how each finds the one that it needs. */
enum diff_part { DIFF_NONE, DIFF_PLACE, DIFF_BEFORE, DIFF_AFTER };

/* Hidden slots of pairs are last, from expr_program.hidden_first on. */
enum slot_role {
	SLOT_SHOWN,  /* … or a condition, or measured */
	SLOT_KEY,    /* part of the key that finds the begin */
	SLOT_KEPT,   /* a number of the begin that the end needs */
	SLOT_INSIDE, /* a number that a marked call keeps for calls inside of it */
};

/* STORE_FLOW: byte offsets in struct sk_buff. */
struct flow_offsets {
	int head, network, protocol;
};

/* Set by resolve: how the value is stored, and how it is shown. */
struct slot_store {
	enum store_kind kind;
	enum string_space space;
	enum field_type type;
	uint32_t size;		      /* bytes of the value; with the NUL of a string */
	uint8_t bit_offset, bit_size; /* of a bitfield in these bytes; bit_size 0: no bitfield */
	bool array;		      /* STORE_STRING: the string is the array itself */
	bool by_pointer;	      /* STORE_BYTES: the value is a pointer to the bytes */
	uint32_t count, left_out;     /* as in struct field */
	const struct field_name *names;
	unsigned name_count;		     /* $func: names[i] is the name of i */
	const struct sock_layout *sock;	     /* FIELD_SOCK, FIELD_LOCAL, FIELD_PEER */
	const struct flow_offsets *flow;     /* STORE_FLOW */
	const struct packet_offsets *packet; /* STORE_PACKET */
	struct {
		const struct path_offsets *offsets;
		int at;		     /* offset of the struct path at the value's target */
		uint32_t names_room; /* bytes of names before the last name */
		bool is_dentry;	     /* the value is a pointer to a dentry */
	} path;			     /* STORE_PATH */
};

/* A slot for the struct that a pointer in the struct of another slot points to (--depth). */
struct slot_followed {
	struct slot *parent; /* that slot; NULL: this one is no such slot */
	uint32_t at;	     /* offset of the pointer in the struct, in bytes */
	unsigned depth;	     /* pointers followed since the first struct */
	uint32_t text;	     /* BTF id of the text_type that is shown there; 0: a pointer */
	bool in_variant; /* shown only if the enum has that variant: what cannot be read need not be missing */
};

struct slot_diff {
	enum diff_part part;
	struct slot *other; /* DIFF_PLACE: its DIFF_BEFORE; DIFF_AFTER: its DIFF_PLACE */
	bool user;	    /* DIFF_PLACE: in user memory */
};

/* Set by layout: where the value is in the record, and what it is called in the output. */
struct slot_place {
	enum field_role role;
	const char *key;
	uint32_t offset;
	uint32_t room; /* bytes, a multiple of 8 */
	/* A struct with lists: offset of its own address, which an empty list contains; 0: none. */
	uint32_t address;
	uint32_t status; /* offset of the status byte; 0: it cannot fail */
};

/* One expression, in all stages. */
struct slot {
	enum slot_role role;
	enum expr_trigger trigger;
	bool at_end;	 /* pair: computed by the end's program … */
	bool needs_kept; /* … from what the begin kept */
	bool at_return;	 /* EXPR_SCOPE_CALL: computed at the return */
	bool has_depth;	 /* $depth, which is known at the begin only */
	struct span ret; /* the whole @ret( ); empty: none */
	const char *text;
	size_t text_end; /* of the expressions of the compiler behind it (parse_inner); 0: none */
	size_t input;	 /* index of its text; $arg* adds several slots */
	struct token *tokens; /* ended by TOKEN_END */
	size_t token_count;
	struct span name; /* of NAME=; empty: none */
	struct node *root;
	struct format format;

	struct slot_store store;
	struct slot_followed followed;
	struct slot_diff diff;
	struct slot_plan plan;
	struct slot_place place;
};

/* After the header of a record, if several probes share the ring. */
struct record_source {
	uint32_t probe; /* expr_input.probe_number */
	uint32_t point; /* index in expr_run.points */
};

/* The stacks of a record; all records have the same ones. */
enum { STACK_KERNEL, STACK_USER, STACKS };

struct code {
	struct bpf_insn *insns; /* malloc'ed: it grows */
	size_t count, room;
	size_t barrier; /* a label is before this instruction */
	/* Leave out what nothing can reach, which the kernel refuses; now that is so. */
	bool skips_dead, is_dead;
	int *labels; /* instruction index; -1: not bound yet */
	size_t label_count, label_room;
	struct code_fixup *fixups;
	size_t fixup_count, fixup_room;
	struct expr_reloc *relocs;
	size_t reloc_count, reloc_room;
	int err;
};

/* The amount that the entry of a call keeps for its return. */
enum call_keep { KEEP_NOTHING, KEEP_TIME, KEEP_RECORD };
enum { CALL_TEMPS = 3 }; /* words of stack for calls (emit_call.c, emit_call_store.c) */

/* Calls: what the entry keeps for the return. */
struct program_calls {
	enum call_keep keep;
	bool lat_wanted;
	/* A return without an entry is a lost call, or one that began before the tracing. */
	bool counts_no_entry;
	/* Counted calls: the entry knows some of the values, and keeps them. */
	bool entry_counts;
	/* Bits: positions of parameters that the entry saves for the return. */
	uint32_t saved_args;
	/* Offsets in what is kept: end of the record's beginning; saved arguments. */
	uint32_t entry_end, saved_at;
	uint32_t size;	 /* of all that is kept, also of a call that begins a pair */
	uint32_t record; /* offset of the record in it; counted calls have it last */
};

/* Pairs: what the begin keeps for the end. */
struct program_pair {
	uint32_t key_size;     /* bytes; 0: no pair */
	uint32_t record, size; /* offset of the record in it; size of all */
};

/* The output of the program: a record or, for counted calls, a key. */
struct program_record {
	uint32_t status_at, status_size, size;
	struct field *fields;
	struct schema schema;
	bool has_points; /* a column for the point */
	bool is_compat;	 /* 32-bit programs are told apart */
};

/* The stacks of a record. */
struct program_stacks {
	uint32_t at[STACKS];  /* offsets; 0: not wanted */
	uint32_t size, depth; /* of each: bytes, frames to show */
	uint32_t copy_size;   /* bytes of the user stack to copy; 0: no copy */
};

struct expr_program {
	struct arena arena;
	struct code code;
	struct code return_code; /* EXPR_SCOPE_CALL without a session */
	struct program_calls calls;
	struct program_pair pair;
	struct slot *slots; /* filters first */
	size_t slot_count, filter_count;
	size_t hidden_first, hidden_count; /* slots that are not SLOT_SHOWN */
	size_t slot_room;		   /* of the array; slots in between are empty */
	/* Counted calls: slots of the key, after the filters. The remaining ones are measured. */
	size_t key_count;
	struct plan plan;
	struct {
		struct expr_map *items;
		size_t count, room;
	} maps;
	struct program_record record;
	struct program_stacks stacks;
	unsigned not_followed;	 /* pointers that --depth had no room for */
	struct expr_table table; /* counted calls; count 0: the program writes records */
	struct expr_result *results;
	int *result_slots; /* index of the slot of each; -1: it counts calls */
	int reached;	   /* the last enum expr_stage that succeeded; -1: none */

	const struct btf_view *btf; /* of the input, for dumps */
	struct expr_target target;
	const char *func;
	uint32_t proto; /* BTF id of the function's prototype */
};

static inline bool slot_is_stack(const struct slot *s)
{
	return s->store.kind == STORE_STACK;
}

/* Returns the slot or, if it is empty, the next one in use, hidden ones included; NULL: none. */
static inline const struct slot *slot_used(const struct expr_program *p, const struct slot *s)
{
	while (s < p->slots + p->slot_room && !s->text)
		s++;
	return s < p->slots + p->slot_room ? s : NULL;
}

/* Counted calls: true if the slot is part of the key. */
static inline bool slot_is_key(const struct expr_program *p, const struct slot *s)
{
	size_t i = s - p->slots;

	return p->table.count && i >= p->filter_count && i < p->filter_count + p->key_count;
}
static inline bool slot_is_measured(const struct expr_program *p, const struct slot *s)
{
	return p->table.count && !s->role &&
	       (size_t)(s - p->slots) >= p->filter_count + p->key_count;
}

#endif
