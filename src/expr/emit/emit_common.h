/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_common.h - registers, the stack, and code that several parts of a program share.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_COMMON_H
#define CORETAP_EXPR_EMIT_EMIT_COMMON_H

#include "expr/compile.h"
#include "expr/emit/emit.h"

/* Registers, from the first filter to the exit. Each call clobbers r0 … r5. */
enum {
	REG_CTX = BPF_REG_6,   /* or the only value needed from it (gen.argument) */
	REG_TASK = BPF_REG_7,  /* the task or its pid_tgid, if needed after the record has begun */
	REG_NAMES = BPF_REG_7, /* emit_slot.c: bytes of names */
	REG_VALUE = BPF_REG_8, /* the current value */
	REG_RECORD = BPF_REG_9,
};

/* The stack: a word that helpers write to; the future status byte of a slot that can fail; then
 * values that slots share; then the slots' own. */
enum {
	STACK_SCRATCH = -8,
	STACK_STATUS = -16,
	STACK_TEMPS = -24,
	STACK_WORK = -400, /* below: where strings are compared, and paths are walked */
	STACK_SIZE = 512
};

/* The entry points of a slot's code. */
struct slot_labels {
	int exact;  /* the exact way, from the start; finds out which link fails */
	int string; /* STORE_STRING: with the address in REG_VALUE, which may be 0 */
	int fail;   /* with REG_STATUS set */
	int done;   /* after the slot is filled */
};

/* Offsets in task_struct. */
struct task_offsets {
	int pid, tgid, comm;
	int preempt; /* thread_info's preempt count; 0: it is kept elsewhere */
};

struct gen;

/* Where the memory of a record comes from, and what happens to it when all slots are filled. */
struct record_ops {
	/* Memory for a record, at r0 if REG_RECORD may still be in use, else at REG_RECORD; or
	 * jumps to g->full. */
	void (*room)(struct gen *g);
	/* Fills everything except the slots, and sets REG_RECORD. The last user of REG_TASK. */
	void (*fill)(struct gen *g);
	void (*end)(struct gen *g); /* falls through to the exit */
	/* code after the exit; places g->full if anything jumps there */
	void (*rest)(struct gen *g);
};

/* Where something is kept by its key (emit_inflight.c). */
struct inflight {
	uint32_t hash, places;		/* maps */
	unsigned size_bits, count_bits; /* of a place, and how many there are */
	unsigned words;			/* of the key, which is … */
	int key_at;			/* … here on the stack */
	bool in_places;			/* else the hash has all */
	bool ordered; /* additions order what is before and after; else they must not try to */
	bool guarded; /* several programs may use one key at once: a pair */
};

struct gen {
	struct compile *c;
	struct code *k;
	const struct expr_program *p;
	const struct expr_target *target;
	const struct record_ops *home;
	struct slot_labels *labels; /* one for each slot */
	int exit;
	int full;  /* no memory for a record, or no entry for a key */
	int found; /* the entry of the key is in r0 */
	/* for processes that the filter excludes; the plain exit, unless a call has more to do */
	int foreign;
	struct inflight calls, pairs;
	uint32_t pair_scratch; /* a map (emit_pair_store.c) */
	struct task_offsets task;
	bool task_known; /* `task` is filled in */
	bool by_task;	 /* REG_TASK is a typed pointer to the task, not its pid_tgid */
	bool numbered;	 /* the task's numbers in the namespace are on the stack (emit_pid.c) */
	bool claimed;	 /* REG_RECORD is memory that has to be given back */
	bool tgid_kept;	 /* REG_VALUE holds the process until the header is filled */
	int argument;	 /* REG_CTX holds this value instead; -1: the context */
	int task_reg;	 /* REG_TASK, or the register that holds the task until the next call */
};

static inline const struct slot_labels *gen_labels(const struct gen *g, const struct slot *s)
{
	return &g->labels[s - g->p->slots];
}

/* Does a typed load from an address outside the kernel give 0 without a fault? Without the JIT's
 * test, the load causes a page fault, which the kernel fixes up. */
static inline bool gen_loads_are_checked(const struct gen *g)
{
	return target_arch(g->target)->jit_tests_loads && g->target->func_arg;
}

/* May another thread run this program on its CPU before it ends? */
static inline bool gen_is_preempted(const struct gen *g)
{
	return g->c->in->in_user && !g->target->preempt_disable_id;
}

/* The first instructions of a program: REG_CTX = the context, unless nobody reads that. */
void gen_begin(struct gen *g, bool context);
/* The number of the program's map of this kind, which is added if it has none. */
uint32_t gen_map_index(struct gen *g, enum expr_map_kind kind, enum bpf_map_type type,
		       uint32_t key_size, uint32_t value_size, uint32_t entries);
/* dst = the map of this kind that the run shares. */
void gen_map(struct gen *g, int dst, enum expr_map_kind kind);
/* The name of the current task, to REG_RECORD + to. Clobbers r0 … r5. */
void gen_comm(struct gen *g, int to);
/* With by_task: the same, to memory at any register. */
void gen_comm_typed(struct gen *g, int base, int to);
/* struct record_source, to REG_RECORD + at. */
void gen_record_source(struct gen *g, int at);
/* The index in expr_input.points of the point that was hit; clobbers r0 … r5. */
void gen_point(struct gen *g, int dst);
/* Sets the error of the current slot, if it fails: enum field_status and the link. */
void gen_blame(struct gen *g, int status);
/* A session's one program: the entry's part (context in r1, too) or the return's (in REG_CTX). */
void gen_session(struct gen *g, void (*entry)(struct gen *g), void (*at_return)(struct gen *g));
/* r0 = address of the 8 bytes that a session's two sides share. */
void gen_cookie(struct gen *g);
void gen_return(struct gen *g, int value);
/* Places g->exit; returns 0. */
void gen_exit(struct gen *g);
/* The offset of a member of task_struct; negative: unknown. */
int gen_task_offset(const struct gen *g, const char *name);
/* Stores 4 bytes of the current task, from that member on, to base + to. Returns false, and emits nothing, if
 * they cannot be read. Clobbers r0 … r5. */
bool gen_task_word(struct gen *g, const char *name, int base, int to);
/* losses[loss]++ */
void gen_count_loss(struct gen *g, enum loss loss);
/* r0 = entry `index` of an array, or NULL. */
void gen_lookup(struct gen *g, uint32_t map, uint32_t index);
/* Both; `none` is the exit. */
void gen_lookup_index(struct gen *g, uint32_t map, uint32_t index);
/* Sets REG_RECORD to `size` bytes of stack (a multiple of 8) below those that filters and slots
 * use, without clearing them. Returns false and emits nothing if there are not enough. */
bool gen_record_on_stack(struct gen *g, uint32_t size);
/* The lowest stack offset that filters and slots use. */
int gen_stack_end(const struct gen *g);

/* ---- emit_pid.c: the task's numbers in the namespace of filter.numbers ---- */

/* Begin: before any slot, if one needs them; make: otherwise, when a record or key needs them. Both
 * clobber r0 … r5. */
void gen_numbers_begin(struct gen *g);
void gen_numbers(struct gen *g);
/* The number of the process or the thread, after it was made. */
void gen_number(struct gen *g, int dst, bool thread);

/* ---- emit_filter.c: which task is running, and is it wanted? ---- */

/* Sets REG_CTX and REG_TASK; jumps to g->exit for unwanted tasks. */
void gen_filters(struct gen *g);
void gen_filter_task(struct gen *g); /* the first part: process and thread */
/* Sets REG_TASK again after an exact way has used the register. */
void gen_task(struct gen *g);
/* The ids of process and thread, in the low half of `dst`; the high half may have any value. */
void gen_tgid(struct gen *g, int dst);
void gen_tid(struct gen *g, int dst);

/* ---- conditions that begin and end the recording, as the program decides them ---- */

/* Before it is evaluated: skips it if the recording has begun, ends the program if it has ended. */
void gen_trigger_check(struct gen *g, const struct slot *s);
/* It is true. */
void gen_trigger_set(struct gen *g, const struct slot *s);
/* Where a condition goes that is false: an end that is not yet goes on. */
int gen_reject(const struct gen *g, const struct slot *s);

/* ---- memory by CPU that one program has for itself, whoever interrupts or preempts it ---- */

enum {
	CLAIMS = 4,	/* pieces on each CPU: so many may have begun there and not ended */
	CLAIM_BYTES = 8 /* of a piece, behind what it is for: how many want it */
};

/* r0 = one of the map's entries from `first` on, of `size` bytes and CLAIM_BYTES, that nobody has; jumps to `none` if there is
 * none. Clobbers r0 … r5. */
void gen_claim(struct gen *g, uint32_t map, uint32_t first, int size, int none);
/* Gives back what is at `reg`, which stays. Clobbers r1. */
void gen_unclaim(struct gen *g, int reg, int size);

#endif
