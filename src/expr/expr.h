/* SPDX-License-Identifier: GPL-2.0 */
/*
 * expr.h - the argdump compiler: expressions in, BPF instructions and a record schema out.
 *
 * No I/O, no system calls, no globals: everything it needs comes in struct expr_input, everything
 * it makes is in struct expr_program. Stages: lex → parse → resolve → plan → layout →
 * codegen; each prints itself (expr_dump).
 */
#ifndef CORETAP_EXPR_H
#define CORETAP_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/bpf.h>

#include "core/btf.h"
#include "core/out.h"
#include "core/schema.h"
#include "event.h"

/* How the program is attached decides how it finds arguments and what it may load directly. */
enum expr_rung {
	EXPR_RUNG_FENTRY, /* ctx is u64 args[]; typed pointers */
	EXPR_RUNG_KPROBE, /* ctx is struct pt_regs: perf kprobe or kprobe.multi */
	EXPR_RUNG_EVENT,  /* ctx is the event's record, as its format file in tracefs has it */
	EXPR_RUNG_FENTRY_MULTI, /* arguments by helper, as numbers: one program, many functions */
};

/* What of a call the program sees. */
enum expr_scope {
	EXPR_SCOPE_ENTRY,
	EXPR_SCOPE_RETURN, /* fexit, kretprobe: $ret is known; parameters are only under fexit, as
	                    * they were at the entry, and memory is as at the return */
	EXPR_SCOPE_CALL,   /* entry and return in one record: two programs, or a session's one.
	                    * $ret, $lat and @ret(EXPR) are of the return, the rest of the entry */
};

enum expr_arch { EXPR_ARCH_X86_64, EXPR_ARCH_ARM64 };

/* What the running kernel offers; found by trying or from its BTF, never from its version. */
struct expr_target {
	enum expr_arch arch;
	enum expr_rung rung;
	bool typed_loads;   /* false: every hop by bpf_probe_read_kernel (the retry, see FACTS) */
	int rdonly_cast_id; /* BTF id of kfunc bpf_rdonly_cast; 0: none */
	bool rdonly_cast_void; /* it takes btf id 0 (void): 6.17 and later */
	int pt_regs_id;        /* struct pt_regs: what it is asked for instead of void; 0: none */
	int task_struct_id;    /* struct task_struct; 0: none */
	bool current_task_btf; /* helper bpf_get_current_task_btf is there */
	bool func_arg;         /* helper bpf_get_func_arg is there (and ctx may hold an int *) */
	int session_is_return_id, session_cookie_id; /* kfuncs; 0: none (expr_target_sessions) */
	int attach_kprobe_session, attach_fsession;  /* values of enum bpf_attach_type; 0: none */
	bool probe_read; /* bpf_probe_read_kernel allowed (not under lockdown=confidentiality) */
};

/* Fills a target for this machine's architecture with all that BTF tells, for the best rung:
 * fentry, typed loads, probe_read allowed. The search for `func` shares the one pass: *func_id is
 * its BTF_KIND_FUNC, or 0. Returns 0 or what btf_view_find_all returns. */
int expr_target_detect(const struct btf_view *btf, const char *func, struct expr_target *target,
                       uint32_t *func_id);

/* Where a parameter that no prototype tells of is. */
enum expr_param_where {
	EXPR_PARAM_FIELD,    /* `size` bytes at `offset` in the event's record */
	EXPR_PARAM_DATA_LOC, /* a word there says where in the record it begins: __data_loc */
	EXPR_PARAM_REGISTER, /* at `offset` in struct pt_regs, the context */
	EXPR_PARAM_CALL,     /* the same of the struct pt_regs that the first argument points at */
};

struct expr_param {
	const char *name; /* "" has none: $argN */
	const char *type; /* as C writes it, of an array's element; NULL or unknown: an integer */
	uint16_t offset, size; /* bytes */
	enum expr_param_where where;
	bool is_signed; /* of an integer */
	bool is_array;  /* the value is its address */
	bool is_user;   /* a pointer is one of user space */
	bool is_hidden; /* only where it is named */
};

enum { EXPR_TEXT_SIZE = 1024 }; /* bytes of a string that a pattern looks at */

/*
 * Instead of a record for each call: numbers that the kernel side keeps, and the expressions are the
 * key that they are kept by.
 */
enum expr_measure_kind {
	EXPR_COUNT,
	EXPR_SUM,
	EXPR_AVG,
	EXPR_MIN,
	EXPR_MAX,
	EXPR_HIST,  /* by powers of two */
	EXPR_LHIST, /* by steps */
};

struct expr_measure {
	enum expr_measure_kind kind;
	const char *text;        /* [NAME=]EXPR; NULL for COUNT */
	int64_t low, high, step; /* LHIST: buckets of step from low on, below high */
};

struct expr_aggregate {
	const struct expr_measure *measures;
	size_t count;
	/* Maps, as expr_table tells them: what is kept, a per-CPU hash by key, or a per-CPU array
	 * indexed by `number` where there is no key; a one-entry array with zeros, for new keys; a
	 * per-CPU array of scratch, indexed by `number`, too. -1 where none is needed. */
	int table_fd, blank_fd, scratch_fd;
	bool switched;   /* table_fd is an array of one map, which may be exchanged */
	uint32_t number; /* programs that share maps have different ones */
};
/* What $ctx cannot see by itself. */
struct expr_context {
	unsigned preempt, migrate; /* how often the probing itself disables preemption, and migration */
	int need_resched;          /* number of TIF_NEED_RESCHED's bit; -1: not known */
};

/* Adds what it takes to trace both sides of a call by one program. */
void expr_target_sessions(const struct btf_view *btf, struct expr_target *target);

struct expr_input {
	const struct btf_view *btf;
	uint32_t func_id;         /* BTF id of the FUNC, from btf_view_func */
	const char *name;         /* in messages; NULL: the FUNC's */
	/* Instead of func_id's prototype; NULL: that, without its first `params_skipped`. */
	const struct expr_param *params;
	size_t param_count, params_skipped;
	bool params_elsewhere; /* a name that is unknown here may be known to another way */
	enum expr_scope scope;
	/* Of a call: one program sees both sides, and the kernel keeps 8 bytes from one to the other. */
	bool session;
	/* … the fd of a hash map u64 → that many bytes, of an array map with one entry of that many: each
	 * is asked for at most once, if needed. NULL where nothing will be loaded. */
	int (*calls_map)(void *ctx, uint32_t size);
	int (*places_map)(void *ctx, uint32_t size);
	size_t siblings; /* programs like it, it among them, that memory for calls is divided by; 0: 1 */
	const char *const *texts; /* [NAME=]EXPR[:FORMAT]; none: every parameter, or $ret,
	                           * or, of a call, all of these and $lat */
	size_t count;
	/* Conditions, in the order that they are evaluated: a 0 ends the program before anything else
	 * is read. */
	const char *const *conditions;
	size_t condition_count;
	const char *const *diffs; /* of a call: memory to be compared, NAME=EXPR:FORMAT */
	size_t diff_count;
	struct expr_target target;
	/* For patterns: an array map with one entry of EXPR_TEXT_SIZE bytes a CPU, needed once `table`
	 * was called; and the fd of an array map whose one entry is the given table, which the caller
	 * owns. NULL where nothing will be loaded. */
	int text_fd;
	int (*table)(void *ctx, const void *table, size_t size);
	/* For $ctx, of the entry's or the return's program: 0, or -errno where this way cannot do it. NULL
	 * where nothing will be loaded. */
	int (*context)(void *ctx, bool at_return, struct expr_context *known);
	/* The address of kernel variable @NAME, 0: there is none. May be NULL: none is known. */
	uint64_t (*symbol)(void *ctx, const char *name);
	void *ctx; /* of the two */

	void *symbol_ctx;
	const struct expr_aggregate *aggregate; /* NULL: a record for each call */
	struct event_filter filter; /* evaluated first, in the cheapest order */
	bool want_ts;
	bool many;             /* several probes share the ring: each record carries … */
	uint32_t probe_number; /* … the number of its own, */
	/* and a column for which of these was hit, which $func is too: points[i].value is i, the
	 * caller's as long as the schema is used. The program is for one of them, or (-1) for several:
	 * the low half of its attach cookie tells. NULL: there are none. */
	const struct field_name *points;
	unsigned point_count;
	unsigned point_width; /* of the column */
	bool points_hidden;   /* it is in JSON only */
	bool compat;          /* and says that the program is one of 32 bits */
	int point;
	bool caller_first;   /* texts[0] is who called, and shown as that (FIELD_CALLER) … */
	bool caller_alone;   /* … and the only text: behind it comes what is shown without any */
	unsigned depth;      /* levels of pointers to follow from structs that are shown whole */
	bool zeros;          /* show their members that are zero */
	bool kernel_stack, user_stack; /* in each record … */
	unsigned stack_depth;          /* … so many frames at most; 0: the default (127) */
	bool on_function;              /* it is a kernel function that is probed: frame 0, and … */
	uint64_t function;             /* … its address, for kernels that do not tell; or 0 */
	unsigned string_max; /* bytes of a string's slot with its NUL; 0: the default (128) */
	/* fds of: the ring buffer; a per-CPU array of u64[LOSS_MAX] entries keyed by enum loss;
	 * `followed` (hash tgid → u8) or -1; cgroup array or -1 */
	int ring_fd, losses_fd, followed_fd, cgroups_fd;
};

/* An error with its place in one of the texts. */
struct expr_error {
	size_t text;       /* index into texts, behind them into conditions, then measures or diffs;
	                    * (size_t)-1: the function itself */
	size_t start, end; /* bytes of the text that it is about */
	char message[256]; /* what is wrong: struct inode has no member i_sbb */
	char hint[320];    /* what to do: did you mean i_sb? May be empty */
};

struct expr_program; /* opaque; owns everything it hands out */

/* Returns 0, or -EINVAL with *error filled (a user's mistake), -EOPNOTSUPP with *error filled (this
 * way to attach or to read cannot do it, another one may), or -ENOMEM. *out is set in all but the last
 * case (after a failure: for expr_dump of the stages before it), to be freed by the caller. */
int expr_compile(const struct expr_input *in, struct expr_program **out, struct expr_error *error);
void expr_free(struct expr_program *p);

const struct bpf_insn *expr_insns(const struct expr_program *p, size_t *count);
/* Of a call: the program for the return, none where the other is a session's. If there is none for the
 * entry, the return knows all, and needs no session. */
const struct bpf_insn *expr_insns_return(const struct expr_program *p, size_t *count);
/* The record: struct event_header first, then a slot and a status byte for each expression. The
 * fields are FIELD_PAIRs named as the user named them; pid, tid, comm come first as columns. */
const struct schema *expr_schema(const struct expr_program *p);
size_t expr_record_size(const struct expr_program *p);
/* Pointers that `depth` asks for and that the record has no room for. */
unsigned expr_not_followed(const struct expr_program *p);

/* Where a measure's numbers are in an entry of a table. Sums, counts and buckets are added up over
 * the CPUs. MIN and MAX keep what is the larger the better it fits, so 0 is none and the largest
 * counts: a value with its sign bit turned if it is signed, and all bits turned for MIN. */
struct expr_result {
	enum expr_measure_kind kind;
	const char *name; /* as the user named it, or NULL */
	const char *text; /* EXPR; NULL for COUNT */
	struct field field; /* how one value is shown, of 8 bytes */
	bool is_signed;
	unsigned word, words; /* of 8 bytes in the entry */
	unsigned unread;      /* word that counts values that could not be read; 0: they always can */
	int64_t low, step;    /* LHIST: first and last bucket are below and above */
};

/* Buckets of a HIST: below 0, 0, then one for each number of bits. */
enum { EXPR_HIST_BUCKETS = 66 };

/* An entry's word 0 counts the calls. The schema is the key's: its fields, from its first byte. Where
 * several probes share the maps, the key begins with two u32: probe_number, and at which point. */
struct expr_table {
	bool has_source;
	uint32_t key_size, scratch_size; /* bytes; 0: none */
	uint32_t words;
	const struct expr_result *results; /* a measure each */
	size_t count;
};
/* NULL: the program makes records. */
const struct expr_table *expr_table(const struct expr_program *p);
/* Do they do the same for the same record? Then one can stand for both. */
bool expr_same(const struct expr_program *a, const struct expr_program *b);
/* Are their records alike? */
bool expr_alike(const struct expr_program *a, const struct expr_program *b);
/* The probe_number in a record of a program compiled with `many`; UINT32_MAX: it is too short. */
uint32_t expr_record_probe(const void *record, size_t size);
/* How each expression will be read, one line each, for -v and --dry-run. This and expr_dump need
 * the input's BTF still open. */
void expr_describe(const struct expr_program *p, struct out *o);

enum expr_stage {
	EXPR_STAGE_TOKENS,
	EXPR_STAGE_AST,
	EXPR_STAGE_TYPES,
	EXPR_STAGE_PLAN,
	EXPR_STAGE_LAYOUT,
	EXPR_STAGE_INSNS,
};
/* Prints a stage's result; of a failed compilation the stages before the failure. */
void expr_dump(const struct expr_program *p, enum expr_stage stage, struct out *o);

#endif
