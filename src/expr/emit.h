/* SPDX-License-Identifier: GPL-2.0 */
/*
 * emit.h - instructions one by one, labels and their fix-ups, and what codegen's files share.
 */
#ifndef CORETAP_EXPR_EMIT_H
#define CORETAP_EXPR_EMIT_H

#include "expr/compiler.h"

/*
 * Registers, from the first filter to the exit. r0 … r5 are lost at each call.
 */
enum {
	REG_CTX = BPF_REG_6,   /* or the only thing that is wanted from it (gen.argument) */
	REG_TASK = BPF_REG_7,  /* the task or its pid_tgid, where that outlives the record's beginning */
	REG_NAMES = BPF_REG_7, /* path.c: bytes of names */
	REG_VALUE = BPF_REG_8, /* the value under way */
	REG_RECORD = BPF_REG_9,
};

/* The stack: one word for helpers to write to, a slot's status byte to be, where it may fail; then what
 * slots share, then their own. */
enum { STACK_SCRATCH = -8, STACK_STATUS = -16, STACK_TEMPS = -24, STACK_SIZE = 512 };

/* ---- instructions; 64 bits unless it says 32 ---- */

void emit_move(struct code *k, int dst, int src);
void emit_move32(struct code *k, int dst, int src);
/* The same, and `src` is not wanted any more. */
void emit_move_last(struct code *k, int dst, int src);
void emit_move_imm(struct code *k, int dst, int32_t imm);
void emit_imm64(struct code *k, int dst, uint64_t imm);
void emit_map(struct code *k, int dst, int fd);
void emit_map_value(struct code *k, int dst, int fd); /* address of the only entry */
void emit_variable(struct code *k, int dst, int btf_id); /* a per-CPU variable of the kernel */
void emit_alu(struct code *k, int op, int dst, int src);
void emit_alu_imm(struct code *k, int op, int dst, int32_t imm); /* nothing for + 0 */
void emit_negate(struct code *k, int dst);
void emit_address(struct code *k, int dst, int base, int32_t off); /* dst = base + off */
void emit_load(struct code *k, uint32_t size, int dst, int base, int off);
void emit_store(struct code *k, uint32_t size, int base, int off, int src);
void emit_store_imm(struct code *k, uint32_t size, int base, int off, int32_t imm);
/* *(u64 *)(base + off) += src; `ordered`: src is lost, and all before is seen before all behind, on
 * arm64, too (x86 always does) */
void emit_atomic_add(struct code *k, int base, int off, int src, bool ordered);
void emit_zero(struct code *k, int base, int off, uint32_t size); /* a multiple of 8 */
void emit_call(struct code *k, int helper);
void emit_kfunc(struct code *k, int btf_id);
void emit_exit(struct code *k);

/* ---- jumps ---- */

int label_new(struct code *k);
void label_place(struct code *k, int label); /* the next instruction */
void emit_goto(struct code *k, int label);
void emit_jump(struct code *k, int op, int dst, int32_t imm, int label);
void emit_jump_reg(struct code *k, int op, int dst, int src, int label);
void emit_jump32(struct code *k, int op, int dst, int32_t imm, int label);
/* Fills in where the jumps go. Returns 0, -ENOMEM, or -E2BIG for one that is too far. */
int code_finish(struct code *k);

/* ---- codegen.c and its parts ---- */

/* Where a slot's code can be entered. */
struct slot_labels {
	int exact;  /* from the start, slowly, telling which link is at fault */
	int string; /* SINK_STRING: with its address in REG_VALUE, perhaps 0 */
	int fail;   /* with REG_STATUS set */
	int done;   /* the slot is filled */
};

/* Offsets in task_struct. */
struct task_offsets {
	int pid, tgid, comm;
};

struct gen;

/* Where a record's memory comes from, and what becomes of it when its slots are filled. */
struct record_home {
	/* Sets REG_RECORD, or goes to g->full; fills what is no slot. The last to see REG_TASK. */
	void (*begin)(struct gen *g);
	void (*end)(struct gen *g);  /* falls through to the exit */
	void (*rest)(struct gen *g); /* behind the exit; places g->full, whoever goes there */
};

struct gen {
	struct compile *c;
	struct code *k;
	const struct expr_program *p;
	const struct expr_target *target;
	const struct record_home *home;
	struct slot_labels *labels; /* for each slot */
	int exit;
	int full;  /* there is no memory for a record, or no entry for a key */
	int found; /* the key's entry is in r0 */
	int foreign; /* of another process than those asked for: the exit, where that matters not */
	int calls_fd, places_fd; /* call_kept.c */
	struct task_offsets task;
	bool task_known; /* task is filled */
	bool by_task;    /* REG_TASK is a typed pointer to it, not its pid_tgid */
	bool tgid_kept;  /* the process is in REG_VALUE until the header is filled */
	int argument;    /* REG_CTX is this value instead; -1: it is the context */
	int task_reg;    /* REG_TASK, or where it is until the next call */
};

/* The current task's name, to REG_RECORD + to. Spoils what a call does. */
void gen_comm(struct gen *g, int to);
/* struct record_source, to REG_RECORD + at. */
void gen_record_source(struct gen *g, int at);
/* Which of expr_input.points was hit; spoils what a call does. */
void gen_point(struct gen *g, int dst);
/* call.c: all of EXPR_SCOPE_CALL; what its return side has. */
void gen_call(struct gen *g);
void gen_latency_load(struct gen *g);
void gen_saved_argument(struct gen *g, const struct plan_value *v);
void gen_labels_make(struct gen *g, size_t slot);
void gen_slot_fast(struct gen *g, const struct slot *s);
void gen_slot_exact(struct gen *g, const struct slot *s);

/* Does a typed load of what is no kernel address give 0 without a fault? The JIT of x86 tests for it on
 * all kernels that have bpf_get_func_arg; without such a test it is a page fault, mended. */
static inline bool gen_loads_are_checked(const struct gen *g)
{
	return g->target->arch == EXPR_ARCH_X86_64 && g->target->func_arg;
}

/* This is what is wrong with the slot, if something is: enum field_status and the link. */
void gen_blame(struct gen *g, int status);
/* losses[loss]++ */
void gen_count_loss(struct gen *g, enum loss loss);
/* Sets REG_RECORD to so many bytes (a multiple of 8) of the stack, below what filters and slots use;
 * false, and nothing is emitted, where there are not as many. They are not cleared. */
bool gen_record_on_stack(struct gen *g, uint32_t size);

/* filter.c: sets REG_CTX and REG_TASK; goes to g->exit for what nobody asked to see. */
void gen_filters(struct gen *g);
void gen_filter_task(struct gen *g); /* its first part: process and thread */
/* Sets REG_TASK again, where an exact way has used it. */
void gen_task(struct gen *g);
/* Process and thread, in the low half of `dst`; what is in the high half does not matter. */
void gen_tgid(struct gen *g, int dst);
void gen_tid(struct gen *g, int dst);

/* steps.c: the steps of a slot, leaving its result in REG_VALUE. */
void gen_steps_fast(struct gen *g, const struct slot *s);
void gen_steps_exact(struct gen *g, const struct slot *s);

/* read.c: a value that comes from no other; a hop from REG_VALUE. `last`: no later step would
 * notice that a typed load failed. `kept`: another slot made what it starts from. */
void gen_source(struct gen *g, const struct plan_value *v);
int gen_context_offset(const struct gen *g, const struct plan_value *v); /* an argument's */
void gen_hop_fast(struct gen *g, const struct slot *s, const struct plan_value *v, bool last,
                  bool kept);
void gen_hop_exact(struct gen *g, const struct slot *s, const struct plan_value *v, int link);
/* REG_VALUE + add, cast to a BTF type by bpf_rdonly_cast, in r0. */
void gen_cast(struct gen *g, int32_t add, int btf_id);
/* A probe_read of the kind that fits the address: r1 … r3 are set, r3 came from REG_VALUE. */
void gen_read_by_address(struct gen *g, enum string_space space, int kernel_helper, int user_helper,
                         const struct slot *s);

/* compute.c: BITS, SCALAR and UNARY of REG_VALUE; BINARY of it and r1, or a constant that the
 * instruction takes. */
void gen_bits(struct gen *g, const struct plan_value *v);
void gen_scalar(struct gen *g);
void gen_unary(struct gen *g, const struct plan_value *v);
bool gen_takes_constant(const struct plan_value *v, int64_t constant);
void gen_binary(struct gen *g, const struct plan_value *v, const int32_t *constant);
static inline bool is_comparison(const struct plan_value *v)
{
	return v->op == PLAN_BINARY && v->oper >= OPER_LT && v->oper <= OPER_NE;
}
/* Goes to `label` when the comparison of REG_VALUE and r1 (or the constant) is, or is not, true. */
void gen_branch(struct gen *g, const struct plan_value *v, const int32_t *constant, bool if_true,
                int label);

/* path.c: the path at REG_VALUE into the slot. */
void gen_path(struct gen *g, const struct slot *s, bool exact);

/* match.c: REG_VALUE = is the string there the one? */
void gen_match(struct gen *g, const struct slot *s, const struct plan_value *v, int link, bool exact);

/* string.c: REG_VALUE's string into the slot. */
void gen_string_fast(struct gen *g, const struct slot *s);
void gen_string_exact(struct gen *g, const struct slot *s);
/* r2 = high bits of (at least the first of) the zero bytes of r1; r4 and r5 hold the constants, r3 is
 * lost. Where r2 is not 0, gen_end_word clears all of r1 from the first zero byte on. */
#define STRING_LOW_BITS  0x0101010101010101ull
#define STRING_HIGH_BITS 0x8080808080808080ull
void gen_find_zero(struct code *k);
void gen_end_word(struct code *k);

/* aggregate.c */
extern const struct record_home home_aggregate;
/* Clears what of REG_VALUE does not belong to the slot's field. */
void gen_key_bits(struct gen *g, const struct slot *s);

/* stack.c: the stacks that were asked for. */
void gen_stacks(struct gen *g);

static inline const struct slot_labels *gen_labels(const struct gen *g, const struct slot *s)
{
	return &g->labels[s - g->p->slots];
}

/* Ids of helpers, as in include/uapi/linux/bpf.h. */
enum {
	HELPER_MAP_LOOKUP = 1,
	HELPER_MAP_UPDATE = 2,
	HELPER_MAP_DELETE = 3,
	HELPER_KTIME = 5,
	HELPER_CPU = 8,
	HELPER_PID_TGID = 14,
	HELPER_UID_GID = 15,
	HELPER_COMM = 16,
	HELPER_TASK = 35,
	HELPER_UNDER_CGROUP = 37,
	HELPER_STACK = 67,
	HELPER_CGROUP = 80,
	HELPER_READ_USER = 112,
	HELPER_READ_KERNEL = 113,
	HELPER_READ_USER_STR = 114,
	HELPER_READ_KERNEL_STR = 115,
	HELPER_RING_RESERVE = 131,
	HELPER_RING_SUBMIT = 132,
	HELPER_RING_QUERY = 134,
	HELPER_THIS_CPU = 154,
	HELPER_TASK_BTF = 158,
	HELPER_FUNC_IP = 173,
	HELPER_ATTACH_COOKIE = 174,
	HELPER_FUNC_ARG = 183,
	HELPER_FUNC_RET = 184,
};

#endif
