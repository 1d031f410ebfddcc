/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * expr.h - the argdump compiler: expressions in, BPF instructions and a record schema out.
 *
 * No I/O, no system calls, no globals: all input is in struct expr_input, all output in struct
 * expr_program. Stages: lex → parse → resolve → plan → layout → codegen. expr_dump prints the
 * result of any of them.
 */
#ifndef CORETAP_EXPR_H
#define CORETAP_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/bpf.h>

#include "btf/btf.h"
#include "expr/measure.h"
#include "expr/relocs.h"
#include "expr/target.h"
#include "util/buf.h"
#include "output/field/record.h"
#include "event.h"

/* The part of a call that the program sees. */
enum expr_scope {
	EXPR_SCOPE_ENTRY,
	/* fexit, kretprobe: $ret is known. Parameters only with fexit, with their values at the
	 * entry. Memory is read at the return. */
	EXPR_SCOPE_RETURN,
	/* Entry and return in one record: two programs, or one session program. $ret, $lat and
	 * @ret(EXPR) are evaluated at the return, everything else at the entry. */
	EXPR_SCOPE_CALL,
};

/* The location of a parameter without a prototype. */
enum expr_param_where {
	EXPR_PARAM_FIELD,    /* `size` bytes at `offset` in the event's record */
	EXPR_PARAM_DATA_LOC, /* __data_loc: a word at `offset` has its offset in the record */
	EXPR_PARAM_REGISTER, /* argument number `offset` of the function */
	EXPR_PARAM_INNER,    /* the value of an expression, `inner` */
	/* a parameter of a user function, of BTF type `id`: the value of `inner`, or at that address */
	EXPR_PARAM_VALUE,
	EXPR_PARAM_MEMORY,
	EXPR_PARAM_WORDS, /* a struct in registers: the values of `inner` and `next` */
	EXPR_PARAM_CALL,  /* at `offset` in the struct pt_regs that the first argument points to */
};

struct expr_param {
	const char *name; /* "": no name, only $argN */
	/* Its C declaration; of an array, the element's. NULL or unknown: an integer. */
	const char *type;
	const char *extent; /* FIELD: "16]", of an array; or NULL */
	/* INNER. NULL: the value cannot be read, because it is where `type` says. */
	const char *inner;
	const char *next;      /* WORDS: the second 8 bytes; NULL: none, or they cannot be read */
	uint16_t unknown;      /* WORDS: a bit for each byte that has no value */
	uint32_t id;	       /* its type in BTF; 0: `type` tells */
	uint16_t offset, size; /* bytes */
	uint16_t high;	       /* CALL: offset of the upper 4 bytes of 8; 0: they follow */
	enum expr_param_where where;
	bool is_signed; /* of an integer */
	bool is_array;	/* its value is its address */
	bool is_user;	/* a pointer to user memory */
	bool is_hidden; /* shown only if named */
};

enum {
	EXPR_TEXT_SIZE = 1024, /* bytes of a string that a pattern is compared with */
	EXPR_TEXT_CLAIM = 8,   /* after them: the claim word … */
	EXPR_TEXTS = 4,	       /* … of one of this many buffers per CPU */
};

enum { EXPR_COPY_STEP = 4096, EXPR_COPY_MAX = 7 * EXPR_COPY_STEP };

/* Byte offsets that the walk from a dentry to the root needs. */
struct path_offsets {
	/* in struct dentry; dentry_name: of the name's pointer */
	int dentry_parent, dentry_name, dentry_length;
	int dentry_inode, dentry_super;
	int inode_number, super_type,
		type_name; /* in struct inode, super_block, file_system_type */
	int mount_root;	   /* in struct vfsmount */
	int mount_mnt, mount_parent, mount_point; /* in struct mount */
	int qstr_name;				  /* in struct qstr */
};

/* Adds the names that the walk searches for, so that one pass finds others as well. */
void expr_path_names(struct btf_lookup *names);

/* Where a packet's bytes are: byte offsets in the struct that holds it. */
enum packet_kind { PACKET_SKB, PACKET_XDP_BUFF, PACKET_XDP_FRAME };
struct packet_offsets {
	enum packet_kind kind;
	uint32_t id; /* of the struct in BTF */
	int data;
	int end, len; /* xdp_buff: data_end; others: the length, of `len_size` bytes */
	unsigned len_size;
	/* of a struct sk_buff */
	int head, data_len, network, mac, protocol, vlan_proto, vlan_tci;
	int vlan_present; /* a byte, of which vlan_mask tells; -1: a tag is there if vlan_proto is not 0 */
	uint8_t vlan_mask;
};

/* Results that compilations for the same types share: a pass over all types takes milliseconds,
 * and thousands of programs may exist. Initialized with zeros. */
struct expr_memo {
	const struct btf_view *btf; /* the types; NULL: nothing is known yet */
	bool has_paths;		    /* false: the types lack something that the walk needs */
	struct path_offsets paths;
	/* the members of struct sk_buff, in the types of the last program that has a packet; NULL: none has yet */
	const struct btf_view *packet_btf;
	struct packet_offsets packet;
};

/* Settings shared by all programs of a run. */
struct expr_run {
	struct expr_memo *memo; /* owned by the caller; NULL: none */
	size_t siblings;	/* number of programs, which divide or share memory; 0: 1 */
	bool many; /* several probes share the ring: each record has its probe's number, … */
	/* … and a column for the point that was hit, which is also $func: points[i].value is i.
	 * Owned by the caller, as long as the schema lives. NULL: none. */
	const struct field_name *points;
	unsigned point_count;
	unsigned point_width;	  /* of the column */
	bool points_any;	  /* $func ~ "x" may match no point */
	bool points_hidden;	  /* the column is only in JSON */
	const char *const *diffs; /* of calls: memory to compare, NAME=EXPR:FORMAT */
	size_t diff_count;
	const struct expr_aggregate *aggregate; /* NULL: a record for each call */
	struct event_filter filter;		/* evaluated first, in order of cost */
	bool want_ts;
	/* Adds values with a role of their own (enum field_role) at the end of the record: the
	 * CPU; when a call or pair began. */
	bool want_cpu, want_begin;
	unsigned depth; /* levels of pointers to follow from structs that are shown whole */
	bool zeros;	/* show zero members of structs */
	bool kernel_stack, user_stack; /* store the stack in each record … */
	unsigned stack_depth;	       /* … with at most this many frames; 0: the default (127) */
	/* Bytes, a multiple of EXPR_COPY_STEP: store the registers and a copy of the user stack.
	 * 0: store the frames that the kernel finds. */
	unsigned stack_copy;
	/* --keys: capacity for different stacks of each kind, and for open pairs; 0: the
	 * defaults */
	unsigned keys;
	unsigned string_max; /* bytes of a string's slot including the NUL; 0: the default (128) */
	/* Returns the address of kernel variable @NAME; 0: unknown. NULL: no variable is known. */
	uint64_t (*symbol)(void *ctx, const char *name);
	void *symbol_ctx;
	/* True if a program can use per-CPU variable `var` of these types. NULL: all can be
	 * used. */
	bool (*variable)(const struct btf_view *btf, uint32_t var);
};

/*
 * Two probes of any kind, whose events belong together if they have the same key: one begins
 * something, the other ends it. Both inputs have the same expressions: @end(EXPR) and $lat are
 * evaluated by the end's program, all else by the begin's, which stores it until then.
 */
enum { EXPR_INSIDE_MAX = 4 }; /* values that a marked call keeps */
enum { EXPR_PAIR_KEYS = 6 };
struct expr_pair {
	const struct expr_input *begin, *end;
	/* EXPR for both sides, or EXPR == @end(EXPR); none: the thread */
	const char *const *keys;
	size_t key_count;
	bool keep_first; /* ignore a second begin with the same key; false: it replaces the first */
	bool open;	 /* show only what does not end: the end writes no record */
	bool makes_end;	 /* compile the end's program; false: the begin's */
};

/* Conditions that begin and end the recording. */
enum expr_trigger { EXPR_TRIGGER_NONE, EXPR_TRIGGER_BEGIN, EXPR_TRIGGER_STOP, EXPR_TRIGGERS };

/* What the program is attached to, and what it finds there. */
struct expr_site {
	uint32_t func_id; /* BTF id of the FUNC (btf_view_func) */
	const char *name; /* for messages; NULL: the name of the FUNC */
	/* Replaces the prototype of func_id. NULL: use the prototype, without its first
	 * `params_skipped`. */
	const struct expr_param *params;
	size_t param_count, params_skipped;
	/* the parameters whose registers $arg1 … are: they follow those with names */
	size_t first_register;
	/* why the parameters of a user function have no names; NULL: they have */
	const char *unnamed;
	bool result_pointed; /* the result is where the return register points */
	bool own_types; /* the types are a program's or, without in_user, of a part of the kernel */
	bool has_texts; /* … and have strings of C++, Rust or Go: expr_texts_exist of them */
	unsigned
		result_slot; /* a trampoline's word with the result; 0: it follows the parameters */
	bool in_body;	     /* inside of a function: the parameters are all variables in scope */
	bool params_unknown; /* inside of a function: no register has a known parameter */
	bool params_elsewhere; /* another variant may know a name that is unknown here */
	bool compat;	       /* records tell that the program is a 32-bit one */
	bool is_sample;	       /* not a call: registers are those of the interrupted code */
	/* Programs with other parameters write the same records: all need the same layout. */
	bool many_places;
	bool in_user;	   /* a user function … */
	bool in_user32;	   /* … of 32 bits */
	bool args_trusted; /* the verifier trusts its pointers: a tracepoint's */
	bool on_function;  /* a kernel function: it is frame 0 … */
	uint64_t function; /* … with this address, for kernels that do not provide it; or 0 */
	bool at_entry;	   /* before the first instruction of a function, not at its return */
};

/* The program's points in expr_run.points. */
struct expr_point {
	int index; /* -1: several; the low half of the attach cookie is the index */
	unsigned first, count;
};

/* Sets of functions, whose calls are marked. They have numbers from 1 to 31 (emit_within.c). */
struct expr_within {
	/* The program marks the calls of this set, and does nothing else. 0: an ordinary program … */
	unsigned marks;
	uint32_t sets; /* … for threads that are inside of all these sets: bits 1 << number … */
	uint32_t user; /* … of which these are of user functions … */
	uint32_t others;   /* … and these do not contain the traced functions */
	unsigned depth_of; /* $depth counts the calls of this set; 0: none … */
	bool depth_own;	   /* … which contains the traced function: its own call does not count */
};

/* The values that calls of a set store. */
struct expr_inside {
	/* The texts of @in(EXPR). A program that marks also has them as its `texts`. */
	const char *const *texts;
	size_t count;
	size_t most; /* the largest number of any set, because all share a map */
	/* The inputs of the programs that mark that set: the first, and the next of each. NULL: no
	 * set or, with `many`, several. */
	const struct expr_input *of, *next;
	bool many;
};

struct expr_input {
	struct expr_run run;
	const struct expr_pair *pair; /* NULL: none */
	const struct btf_view *btf;
	struct expr_site site;
	enum expr_scope scope;
	/* Calls: one program sees both sides, and the kernel keeps 8 bytes between them. */
	bool session;
	/* [NAME=]EXPR[:FORMAT]. None: every parameter, or $ret; for calls all parameters, $ret and
	 * $lat. */
	const char *const *texts;
	size_t count;
	bool plain;	   /* show values by size and kind alone, as the kernel's tracer does */
	bool caller_first; /* texts[0] is the caller, and shown as one (FIELD_CALLER) */
	bool first_alone;  /* texts[0] is the only text: add what is shown without texts */
	/* Conditions, evaluated in this order. A 0 ends the program before anything else is
	 * read. */
	const char *const *conditions;
	size_t condition_count;
	/* By enum expr_trigger; NULL: none. The program decides, for all programs of the run
	 * (EXPR_MAP_TRIGGER); if in_record, the reader decides by a value in the record
	 * (expr_triggers). */
	const char *triggers[EXPR_TRIGGERS];
	bool in_record[EXPR_TRIGGERS];
	struct expr_target target;
	/* $ctx, at the entry and at the return: the loader cannot find out what the probing itself
	 * adds … */
	bool context_unknown[2];
	bool resched_unknown;  /* … or cannot find EXPR_FACT_RESCHED_BIT */
	uint32_t probe_number; /* from 0 to run.siblings - 1 */
	unsigned owner;	       /* of measures: its entries have 0 for those of other owners */
	struct expr_point point;
	struct expr_within within;
	struct expr_inside inside;
};

/* An error and its position in one of the texts. */
struct expr_error {
	/* Index into texts, then conditions, then measures or diffs, then a pair's keys.
	 * (size_t)-1: about the function itself. Below that: -1 - enum expr_trigger. */
	size_t text;
	size_t start, end; /* position in the text, in bytes */
	int stage;	   /* the last enum expr_stage that succeeded; -1: none */
	char message[256]; /* the error: struct inode has no member i_sbb */
	char hint[400];	   /* the remedy: did you mean i_sb? May be empty. */
};

/* True if a program's own types have a string of C++, Rust or Go: a pass over them. */
bool expr_texts_exist(const struct btf_view *btf);

struct expr_program; /* opaque; owns everything that it returns */

/* Returns 0, -EINVAL with *error filled (a mistake of the user), -EOPNOTSUPP with *error filled
 * (this variant cannot do it, another one may), or -ENOMEM. Sets *out except for -ENOMEM (after a
 * failure: for expr_dump of the stages that succeeded); the caller frees it. */
int expr_compile(const struct expr_input *in, struct expr_program **out, struct expr_error *error);
void expr_free(struct expr_program *p);

const struct bpf_insn *expr_insns(const struct expr_program *p, size_t *count);
/* Calls: the program for the return; none for a session, which has one program. Without a program
 * for the entry, the return knows everything, and no session is needed. */
const struct bpf_insn *expr_insns_return(const struct expr_program *p, size_t *count);
/* True if the program for the return counts each return without an entry (LOSS_NO_ENTRY). */
bool expr_counts_no_entry(const struct expr_program *p);
/* The record: struct event_header, then a slot and a status byte for each expression. The fields
 * are FIELD_PAIRs with the user's names, after the columns pid, tid and comm. */
const struct schema *expr_schema(const struct expr_program *p);
size_t expr_record_size(const struct expr_program *p);
/* The number of pointers within `depth` that the record has no room for. */
unsigned expr_not_followed(const struct expr_program *p);

/* Word 0 of an entry counts all calls. The schema is the key's, whose fields start at its first
 * byte. If several probes share the maps, the key begins with two u32: probe_number, and the index
 * of the point. */
struct expr_table {
	bool has_source;
	uint32_t key_size; /* bytes; 0: no key */
	uint32_t words;
	const struct expr_result *results; /* one per measure */
	size_t count;
};
/* NULL: the program writes records. */
const struct expr_table *expr_table(const struct expr_program *p);
/* 128 bits of everything that a program does and writes: programs with the same digest can replace
 * each other. */
struct expr_digest {
	uint64_t words[2];
};
struct expr_digest expr_digest(const struct expr_program *p);
/* True if both programs write records of the same layout. */
bool expr_alike(const struct expr_program *a, const struct expr_program *b);
/* The probe_number in a record of a program compiled with `many`; UINT32_MAX: the record is too
 * short. */
uint32_t expr_record_probe(const void *record, size_t size);
/* True if that condition, whose value is in the record, is true. */
bool expr_triggers(const struct expr_program *p, enum expr_trigger trigger, const void *record);
/* Bytes that a begin stores for its end, and bytes of its key. 0: no pair. */
size_t expr_kept_size(const struct expr_program *p);
size_t expr_kept_key_size(const struct expr_program *p);
/* Bytes from one place of EXPR_MAP_PAIR_PLACES to the next, and of all places. */
size_t expr_places_stride(const struct expr_program *p);
size_t expr_places_size(const struct expr_program *p);
/* True if the place is in use; true if a program is at it, so that the contents may be half
 * written. */
bool expr_place_taken(const void *place);
bool expr_place_busy(const void *place);
/* Builds the record (expr_record_size) of an open begin: $lat runs until `now` (CLOCK_MONOTONIC,
 * ns), values of the end are empty. Returns $lat. */
uint64_t expr_kept_record(const struct expr_program *p, const void *kept, uint64_t now,
			  void *record);
/* Adds the record to the words of an entry, which must be 0. */
void expr_kept_words(const struct expr_program *p, const struct expr_measure *measures,
		     const void *record, uint64_t *words);
/* True if both programs store the same for the end of a pair, under the same kind of key. */
bool expr_keep_alike(const struct expr_program *a, const struct expr_program *b);
/* Prints how each expression is read, one line each, for -v and --dry-run; of a pair only those of
 * one side. Like expr_dump, needs the input's BTF. */
void expr_describe(const struct expr_program *p, bool at_end, struct buf *o);

enum expr_stage {
	EXPR_STAGE_TOKENS,
	EXPR_STAGE_AST,
	EXPR_STAGE_TYPES,
	EXPR_STAGE_PLAN,
	EXPR_STAGE_LAYOUT,
	EXPR_STAGE_INSNS,
};
/* Prints the result of a stage, if that stage succeeded. */
void expr_dump(const struct expr_program *p, enum expr_stage stage, struct buf *o);

/* The names of $words and of formats, for completion; NULL after the last one. */
const char *expr_word_name(size_t number);
const char *expr_format_name(size_t number);

#endif
