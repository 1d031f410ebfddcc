/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * expr.h - the argdump compiler: expressions in, BPF instructions and a record schema out.
 *
 * No I/O, no system calls, no globals: all input is in struct expr_input, all output in struct
 * expr_program. Stages: lex → parse → resolve → plan → layout → codegen; each can print its result
 * (expr_dump).
 */
#ifndef CORETAP_EXPR_H
#define CORETAP_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/bpf.h>

#include "btf/btf.h"
#include "expr/relocs.h"
#include "kernel/arch.h"
#include "util/buf.h"
#include "output/field/record.h"
#include "event.h"

/* How the program is attached; this decides how it finds arguments and what it may load
 * directly. */
enum expr_ctx_type {
	EXPR_CTX_FENTRY, /* ctx is u64 args[]; typed pointers */
	EXPR_CTX_KPROBE, /* ctx is struct pt_regs: perf kprobe or kprobe.multi */
	/* ctx is the event's record, as described by its format file in tracefs */
	EXPR_CTX_EVENT,
	/* arguments as numbers, through a helper: one program, many functions */
	EXPR_CTX_FENTRY_MULTI,
};

/* Which part of a call the program sees. */
enum expr_scope {
	EXPR_SCOPE_ENTRY,
	/* fexit, kretprobe: $ret is known; parameters only with fexit, with their values at the
	 * entry; memory is read at the return */
	EXPR_SCOPE_RETURN,
	/* entry and return in one record: two programs, or one session program. $ret, $lat and
	 * @ret(EXPR) are evaluated at the return, everything else at the entry */
	EXPR_SCOPE_CALL,
};

/* What the running kernel offers: found by trying it or from its BTF, never from its version. */
struct expr_target {
	enum arch_id arch;
	enum expr_ctx_type method;
	bool typed_loads;      /* false: reads every hop with bpf_probe_read_kernel */
	int rdonly_cast_id;    /* BTF id of kfunc bpf_rdonly_cast; 0: none */
	bool rdonly_cast_void; /* which accepts btf id 0 (void): since 6.17 */
	/* struct pt_regs: the type for casts if void is not accepted; 0: none */
	int pt_regs_id;
	int task_struct_id;    /* struct task_struct; 0: none */
	bool current_task_btf; /* has helper bpf_get_current_task_btf */
	/* the per-CPU variable that has the preempt count, and its place there; 0: BTF names none */
	uint32_t preempt_var, preempt_offset;
	bool preempt_wide; /* interrupts are counted in higher bits of it */
	bool func_arg;	   /* has helper bpf_get_func_arg (and ctx may contain an int *) */
	int session_is_return_id, session_cookie_id; /* kfuncs; 0: none (expr_target_sessions) */
	/* kfuncs: what runs between them is not preempted; 0: none */
	int preempt_disable_id, preempt_enable_id;
	int attach_kprobe_session, attach_fsession; /* values of enum bpf_attach_type; 0: none */
	bool kprobe_multi;			    /* has kprobe.multi */
	/* it is based on the function graph tracer (since 6.14): it sees all returns, however many
	 * calls are under way, but few registers */
	bool multi_by_fgraph;
	bool few_registers; /* the method gives only the registers of arguments and results */
	bool probe_read; /* bpf_probe_read_kernel is allowed (not under lockdown=confidentiality) */
};
static inline const struct arch *target_arch(const struct expr_target *t)
{
	return &arches[t->arch];
}

/* Fills a target for this machine's architecture from BTF, for the best attach method: fentry,
 * typed loads, probe_read allowed. Looks up `func` in the same pass: *func_id is its BTF_KIND_FUNC,
 * or 0. Returns 0 or what btf_view_find_all returns. */
int expr_target_detect(const struct btf_view *btf, const char *func, struct expr_target *target,
		       uint32_t *func_id);

/* Adds what is needed to trace both sides of a call with one program. */
void expr_target_sessions(const struct btf_view *btf, struct expr_target *target);

/* Where a parameter without a prototype is found. */
enum expr_param_where {
	EXPR_PARAM_FIELD,    /* `size` bytes at `offset` in the event's record */
	EXPR_PARAM_DATA_LOC, /* a word there tells where in the record it starts: __data_loc */
	EXPR_PARAM_REGISTER, /* passed to a function as argument number `offset` */
	EXPR_PARAM_INNER,    /* the value of an expression, `inner` */
	EXPR_PARAM_CALL, /* at `offset` in the struct pt_regs that the first argument points to */
};

struct expr_param {
	const char *name; /* "": none, only $argN */
	/* as C writes it; for an array, the element's; NULL or unknown: an integer */
	const char *type;
	/* of INNER; NULL: the value cannot be had, because it is where `type` says */
	const char *inner;
	uint16_t offset, size; /* bytes */
	uint16_t high; /* CALL: where the upper 4 bytes of 8 are, in the same way; 0: they follow */
	enum expr_param_where where;
	bool is_signed; /* of an integer */
	bool is_array;	/* the value is its address */
	bool is_user;	/* a pointer points to user memory */
	bool is_hidden; /* shown only if named */
};

enum {
	EXPR_TEXT_SIZE = 1024, /* how many bytes of a string a pattern looks at */
	EXPR_TEXT_CLAIM = 8,   /* behind them: who has that room … */
	EXPR_TEXTS = 4,	       /* … of as many on each CPU */
};

/*
 * Numbers that the kernel side keeps, instead of a record for each call; the expressions are the
 * key.
 */
enum expr_measure_kind {
	EXPR_COUNT,
	EXPR_SUM,
	EXPR_AVG,
	EXPR_MIN,
	EXPR_MAX,
	EXPR_HIST,  /* by powers of two */
	EXPR_LHIST, /* by steps */
	EXPR_PCT,   /* by powers of two in 8 steps each, for percentiles */
};

struct expr_measure {
	enum expr_measure_kind kind;
	const char *text;	 /* [NAME=]EXPR; NULL for COUNT */
	int64_t low, high, step; /* LHIST: buckets of step from low on, below high */
	const char *name;	 /* COUNT: the user's name, or NULL */
	const uint8_t *percents; /* PCT: those that are shown, then 0 */
	unsigned owner;		 /* only programs with this expr_input.owner measure it; 0: all */
};

struct expr_aggregate {
	const struct expr_measure *measures;
	size_t count;
	bool switched; /* the map may be exchanged during counting: EXPR_MAP_COUNTED */
};

enum { EXPR_COPY_STEP = 4096, EXPR_COPY_MAX = 7 * EXPR_COPY_STEP };

/* What the walk from a dentry to the root reads, as byte offsets. */
struct path_offsets {
	/* in struct dentry; of the name's pointer, of its length */
	int dentry_parent, dentry_name, dentry_length;
	int dentry_inode, dentry_super;
	int inode_number, super_type,
		type_name; /* in struct inode, super_block, file_system_type */
	int mount_root;	   /* in struct vfsmount */
	int mount_mnt, mount_parent, mount_point; /* in struct mount */
};

/* What compilations for the same types need not look for again: a pass over all types takes
 * milliseconds, and there may be thousands of programs. Begins with zeros. */
struct expr_memo {
	const struct btf_view *btf; /* of these types; NULL: nothing is known yet */
	bool has_paths;		    /* else they lack something that the walk needs */
	struct path_offsets paths;
};

/* Settings shared by all programs of a run. */
struct expr_run {
	struct expr_memo *memo; /* the caller's; NULL: none */
	size_t siblings; /* number of programs, among which memory is divided or shared; 0: 1 */
	bool many;	 /* several probes share the ring: each record has its probe's number, */
	/* and a column for the point that was hit, which is also $func: points[i].value is i. The
	 * array is the caller's and must live as long as the schema. NULL: none. */
	const struct field_name *points;
	unsigned point_count;
	unsigned point_width;	  /* of the column */
	bool points_any;	  /* $func ~ "x": that no point is called so is no mistake */
	bool points_hidden;	  /* it is only in JSON */
	const char *const *diffs; /* for calls: memory to compare, NAME=EXPR:FORMAT */
	size_t diff_count;
	const struct expr_aggregate *aggregate; /* NULL: a record for each call */
	struct event_filter filter;		/* evaluated first, the cheapest part first */
	bool want_ts;
	/* A record also has, as the last values, what has a role of its own (enum field_role): the CPU;
	 * of calls and pairs, when they began. */
	bool want_cpu, want_begin;
	unsigned depth; /* levels of pointers to follow from structs that are shown whole */
	bool zeros;	/* show members of structs that are zero */
	bool kernel_stack, user_stack; /* store it in each record … */
	unsigned stack_depth;	       /* … with at most this many frames; 0: the default (127) */
	/* bytes, a multiple of EXPR_COPY_STEP: of the user stack, store a copy and the registers; 0:
	 * frames, as the kernel finds them */
	unsigned stack_copy;
	/* --keys: different stacks in EXPR_MAP_STACKS, of each kind, and keys in EXPR_MAP_PAIRS; 0: the
	 * defaults */
	unsigned keys;
	unsigned string_max; /* bytes of a string's slot including the NUL; 0: the default (128) */
	/* The address of kernel variable @NAME; 0: there is none. The function may be NULL: no
	 * variable is known. */
	uint64_t (*symbol)(void *ctx, const char *name);
	void *symbol_ctx;
	/* Can a program have per-CPU variable `var` of these types? NULL: each that they name. */
	bool (*variable)(const struct btf_view *btf, uint32_t var);
};

/*
 * Two probes, of any kinds, whose events belong together if they have the same key: one begins
 * something, the other ends it. Both inputs have the same expressions: @end(EXPR) and $lat are
 * evaluated by the end's program, all else by the begin's, which keeps it until then.
 */
enum { EXPR_INSIDE_MAX = 4 }; /* values that a marked call keeps */
enum { EXPR_PAIR_KEYS = 6 };
struct expr_pair {
	const struct expr_input *begin, *end;
	/* EXPR of both sides, or EXPR == @end(EXPR); none: $tid */
	const char *const *keys;
	size_t key_count;
	bool keep_first; /* a second begin with the same key is ignored; else it replaces the first */
	bool open;	 /* only what does not end is wanted: the end writes no record */
	bool makes_end; /* which of the two programs is made */
};

/* Conditions that begin and end the recording. */
enum expr_trigger { EXPR_TRIGGER_NONE, EXPR_TRIGGER_BEGIN, EXPR_TRIGGER_STOP, EXPR_TRIGGERS };

struct expr_input {
	struct expr_run run;
	const struct expr_pair *pair; /* NULL: none */
	const struct btf_view *btf;
	uint32_t func_id; /* BTF id of the FUNC, from btf_view_func */
	const char *name; /* for messages; NULL: the name of the FUNC */
	/* Replaces the prototype of func_id. NULL: use the prototype, without its first
	 * `params_skipped`. */
	const struct expr_param *params;
	size_t param_count, params_skipped;
	bool params_unknown;   /* a place inside a function: none has a known register */
	bool params_elsewhere; /* a name unknown here may be known in another variant */
	enum expr_scope scope;
	/* For calls: one program sees both sides, and the kernel keeps 8 bytes between them. */
	bool session;
	/* [NAME=]EXPR[:FORMAT]; none: every parameter, or $ret; for calls all parameters, $ret and
	 * $lat */
	const char *const *texts;
	size_t count;
	bool plain; /* values are shown by size and kind alone, as the kernel's tracer does */
	bool caller_first; /* texts[0] is the caller, and shown as such (FIELD_CALLER) */
	bool first_alone;  /* texts[0] is the only text: after it comes what is shown without any */
	/* Conditions, evaluated in this order: a 0 ends the program before anything else is
	 * read. */
	const char *const *conditions;
	size_t condition_count;
	/* By enum expr_trigger; NULL: none. Either the program decides, for all programs of the run
	 * (EXPR_MAP_TRIGGER), or the value is in the record, for its reader (expr_triggers). */
	const char *triggers[EXPR_TRIGGERS];
	bool in_record[EXPR_TRIGGERS];
	struct expr_target target;
	/* For $ctx, at the entry and at the return: the loader cannot find out what the probing
	 * itself adds … */
	bool context_unknown[2];
	bool resched_unknown;  /* … or cannot find EXPR_FACT_RESCHED_BIT */
	uint32_t probe_number; /* from 0 to run.siblings - 1 */
	unsigned owner; /* of measures: those of other owners are in its entries, too, as 0 */
	/* The index in run.points that the program is for; -1: there are several, and the low half
	 * of the attach cookie is the index. */
	int point;
	unsigned points_first, points_count; /* those of the program in run.points */
	/* Sets of functions, by numbers from 1 to 31 (emit_within.c). The program marks the calls of this
	 * one, and does nothing else; 0: it is a usual program … */
	unsigned marks;
	uint32_t within; /* … for threads that are inside of all of these: bits 1 << number … */
	uint32_t within_user;	/* … of which these are of user functions … */
	uint32_t within_others; /* … and to these the traced functions do not belong themselves */
	/* What the calls of a set keep for @in(EXPR): the texts, which a program that marks has as its own
	 * `texts`, too; how many the set has that keeps most, for all sets share a map. */
	const char *const *inside;
	size_t inside_count, inside_most;
	/* Inputs of the programs that mark that set: the first, and, of one of them, the next. NULL: none,
	 * or, with inside_many, more than one set. */
	const struct expr_input *inside_of, *inside_next;
	bool inside_many;
	unsigned depth_of; /* … and $depth counts the calls of this one; 0: of none … */
	bool depth_own; /* … to which the traced function belongs: its own call does not count */
	bool compat;	/* records say that the program is a 32-bit one */
	bool is_sample; /* no call: registers are those of whatever was interrupted */
	/* Other programs, with other parameters, write the same records: all have the same layout. */
	bool many_places;
	bool in_user;	   /* a function of a program; … */
	bool in_user32;	   /* … of 32 bits */
	bool on_function;  /* a kernel function is probed: it is frame 0, and … */
	uint64_t function; /* … its address, for kernels that do not tell it; or 0 */
	bool at_entry; /* the probe is before a function's first instruction, and not at its return */
};

/* An error and its position in one of the texts. */
struct expr_error {
	/* index into texts, then conditions, then measures or diffs, then a pair's keys;
	 * (size_t)-1: about the function itself; below that, -1 - enum expr_trigger */
	size_t text;
	size_t start, end; /* position in the text, in bytes */
	int stage;	   /* the last enum expr_stage that succeeded; -1: none */
	char message[256]; /* what is wrong: struct inode has no member i_sbb */
	char hint[352];	   /* what to do: did you mean i_sb? May be empty */
};

struct expr_program; /* opaque; owns everything it hands out */

/* Returns 0, -EINVAL with *error filled (a mistake of the user), -EOPNOTSUPP with *error filled
 * (this variant cannot do it, another one may), or -ENOMEM. *out is set except for -ENOMEM (after a
 * failure: for expr_dump of the stages that succeeded); the caller frees it. */
int expr_compile(const struct expr_input *in, struct expr_program **out, struct expr_error *error);
void expr_free(struct expr_program *p);

const struct bpf_insn *expr_insns(const struct expr_program *p, size_t *count);
/* For calls: the program for the return; none for a session, which has one program. If there is no
 * program for the entry, the return knows everything, and no session is needed. */
const struct bpf_insn *expr_insns_return(const struct expr_program *p, size_t *count);
/* Does the program for the return count each return without an entry (LOSS_NO_ENTRY)? */
bool expr_counts_no_entry(const struct expr_program *p);
/* The record: struct event_header first, then a slot and a status byte for each expression. The
 * fields are FIELD_PAIRs with the user's names; pid, tid and comm come first as columns. */
const struct schema *expr_schema(const struct expr_program *p);
size_t expr_record_size(const struct expr_program *p);
/* The number of pointers that `depth` covers but the record has no room for. */
unsigned expr_not_followed(const struct expr_program *p);

/* Where the numbers of a measure are in a table entry. Sums, counts and buckets are added up over
 * the CPUs. MIN and MAX store a value such that the largest wins and 0 means none: signed values
 * have the sign bit inverted, and for MIN all bits are inverted. */
struct expr_result {
	enum expr_measure_kind kind;
	const char *name;   /* the user's name, or NULL */
	const char *text;   /* EXPR; NULL for COUNT */
	struct field field; /* how one value of 8 bytes is shown */
	bool is_signed;
	/* it may be added up with values of the other sign: a constant that is not negative */
	bool fits_both;
	unsigned word, words; /* 8-byte words of the entry */
	unsigned unread;      /* word that counts unreadable values; 0: they can always be read */
	unsigned calls;	      /* word that counts the calls of its owner; 0 if all are */
	bool is_own;	   /* the program measures it: else field, is_signed, … are not known */
	int64_t low, step; /* LHIST: the first and last bucket are for values below and above */
	const uint8_t *percents; /* the measure's */
};

/* Buckets of a HIST: negative values, 0, then one for each number of bits. After the buckets of any
 * histogram come its ends: the largest value and the least one, as those of MAX and MIN. */
enum { EXPR_HIST_BUCKETS = 66, EXPR_HIST_ENDS = 2 };
/* Those of a PCT: negative values, 0 to 15 by themselves, then 8 for each power of two (the largest is
 * 2^63). */
enum { EXPR_PCT_BUCKETS = 1 + 16 + 8 * 60 };

static inline bool result_is_hist(const struct expr_result *r)
{
	return r->kind == EXPR_HIST || r->kind == EXPR_LHIST || r->kind == EXPR_PCT;
}

/* Word 0 of an entry counts all calls. The schema is that of the key, whose fields start at its
 * first byte. If several probes share the maps, the key begins with two u32: probe_number, and the
 * index of the point. */
struct expr_table {
	bool has_source;
	uint32_t key_size; /* bytes; 0: there is no key */
	uint32_t words;
	const struct expr_result *results; /* one per measure */
	size_t count;
};
/* NULL: the program writes records. */
const struct expr_table *expr_table(const struct expr_program *p);
/* 128 bits of all that a program does and writes: programs that have the same can replace each
 * other. */
struct expr_digest {
	uint64_t words[2];
};
struct expr_digest expr_digest(const struct expr_program *p);
/* Do both programs write records of the same layout? */
bool expr_alike(const struct expr_program *a, const struct expr_program *b);
/* The probe_number in a record of a program compiled with `many`; UINT32_MAX: the record is too
 * short. */
uint32_t expr_record_probe(const void *record, size_t size);
/* Is that condition, which is in the record, true? */
bool expr_triggers(const struct expr_program *p, enum expr_trigger trigger, const void *record);
/* What a begin keeps for its end: bytes of it, and of its key. 0: no pair. */
size_t expr_kept_size(const struct expr_program *p);
size_t expr_kept_key_size(const struct expr_program *p);
/* In EXPR_MAP_PAIR_PLACES: bytes from one place to the next, and of all. */
size_t expr_places_stride(const struct expr_program *p);
size_t expr_places_size(const struct expr_program *p);
/* Does the place keep anything? Is a program at it, so that this may be half of it? */
bool expr_place_taken(const void *place);
bool expr_place_busy(const void *place);
/* Makes a record (expr_record_size) of what began and has not ended at `now` (CLOCK_MONOTONIC, ns):
 * $lat is the time since, the end's other values are none. Returns that time. */
uint64_t expr_kept_record(const struct expr_program *p, const void *kept, uint64_t now,
			  void *record);
/* The words of an entry for that record alone, in which all are 0 before. */
void expr_kept_words(const struct expr_program *p, const struct expr_measure *measures,
		     const void *record, uint64_t *words);
/* Do both keep the same for the end of a pair, and under the same kind of key? */
bool expr_keep_alike(const struct expr_program *a, const struct expr_program *b);
/* Prints how each expression will be read, one line each, for -v and --dry-run; of a pair those of
 * the end, or of the begin. This and expr_dump need the input's BTF to be still open. */
void expr_describe(const struct expr_program *p, bool at_end, struct buf *o);

enum expr_stage {
	EXPR_STAGE_TOKENS,
	EXPR_STAGE_AST,
	EXPR_STAGE_TYPES,
	EXPR_STAGE_PLAN,
	EXPR_STAGE_LAYOUT,
	EXPR_STAGE_INSNS,
};
/* Prints the result of a stage; after a failed compilation, of those before the failure. */
void expr_dump(const struct expr_program *p, enum expr_stage stage, struct buf *o);

#endif
