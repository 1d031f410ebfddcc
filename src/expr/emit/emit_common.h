/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_common.h - registers, the stack, and code that the parts of a program share.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_COMMON_H
#define CORETAP_EXPR_EMIT_EMIT_COMMON_H

#include "expr/compile.h"
#include "expr/emit/emit.h"

/* Registers, from the first filter to the exit. Every call clobbers r0 … r5. */
enum {
	REG_CTX = BPF_REG_6,   /* the context, or the only value needed from it (gen.argument) */
	REG_TASK = BPF_REG_7,  /* the task or its pid_tgid, if needed after the record has begun */
	REG_NAMES = BPF_REG_7, /* emit_slot.c: bytes of names */
	REG_VALUE = BPF_REG_8, /* the current value */
	REG_RECORD = BPF_REG_9,
};

/* Stack offsets: a word for helpers to write to; the status byte of the current slot; then values
 * that slots share; then the slots' own. */
enum {
	STACK_SCRATCH = -8,
	STACK_STATUS = -16,
	STACK_TEMPS = -24,
	STACK_WORK = -400, /* string comparisons and path walks use the stack below */
	STACK_LATE = 16,   /* at the end, of which may_goto makes a counter */
	STACK_SIZE = 512
};

/* The entry points of a slot's code. */
struct slot_labels {
	int exact;  /* start of the exact way, which finds out which link fails */
	int string; /* STORE_STRING: its entry with the address in REG_VALUE, which may be 0 */
	int fail;   /* its entry with STACK_STATUS set */
	int done;   /* after the slot is filled */
};

/* Offsets in task_struct. */
struct task_offsets {
	int pid, tgid, comm;
	int preempt; /* preempt count in thread_info; 0: kept elsewhere */
	/* se.cfs_rq, and in that the run queue of the processor; set where the count is found by it */
	int cfs_rq, cfs_rq_rq;
};

struct gen;

/* The memory of a record: how to get it, and what to do when all slots are filled. */
struct record_ops {
	/* Gets memory: at r0 if REG_RECORD may still be in use, else at REG_RECORD. Jumps to
	 * g->full if there is none. */
	void (*room)(struct gen *g);
	/* Sets REG_RECORD and fills everything but the slots. The last user of REG_TASK. */
	void (*fill)(struct gen *g);
	void (*end)(struct gen *g); /* falls through to the exit */
	/* code after the exit; binds g->full if anything jumps there */
	void (*rest)(struct gen *g);
};

/* A store of open calls or pairs (emit_inflight.c). */
struct inflight {
	uint32_t hash, places;		/* maps */
	unsigned size_bits, count_bits; /* log2 of the size of a place, and of their number */
	unsigned words;			/* in the key, which is … */
	int key_at;			/* … at this stack offset */
	bool in_places;			/* false: everything is in the hash */
	bool ordered; /* additions order memory accesses; false: they must not be used for that */
	bool guarded; /* several programs may use one key at once (pairs) */
};

struct gen {
	struct compile *c;
	struct code *k;
	const struct expr_program *p;
	const struct expr_target *target;
	const struct record_ops *home;
	struct slot_labels *labels; /* one per slot */
	int exit;
	int full;    /* target if there is no memory for a record, or no entry for a key */
	int found;   /* target with the entry of the key in r0 */
	int no_slot; /* target if the entry has no slot for the processor */
	/* Target for processes that the filter excludes: the exit, unless a call has more to do. */
	int foreign;
	struct inflight calls, pairs;
	uint32_t pair_scratch; /* a map (emit_pair_store.c) */
	struct task_offsets task;
	bool task_known; /* `task` is filled in */
	bool by_task;	 /* REG_TASK is a typed pointer to the task, not its pid_tgid */
	bool numbered;	 /* the task's numbers in the namespace are on the stack (emit_task.c) */
	bool claimed;	 /* REG_RECORD is claimed memory (gen_claim) */
	bool tgid_kept;	 /* REG_VALUE holds the process id until the header is filled */
	int argument;	 /* REG_CTX holds this value instead; -1: the context */
	int frame; /* the register with the end of the program's stack, if it is not r10; 0: it is */
	int task_reg; /* REG_TASK, or the register that holds the task until the next call */
};

static inline const struct slot_labels *gen_labels(const struct gen *g, const struct slot *s)
{
	return &g->labels[s - g->p->slots];
}

/* True if a typed load from an address outside the kernel gives 0 without a fault. Without the
 * JIT's test the load faults, and the kernel fixes that up. */
static inline bool gen_loads_are_checked(const struct gen *g)
{
	return target_arch(g->target)->jit_tests_loads && g->target->func_arg;
}

/* True if another thread may run this program on the same CPU before it ends. */
static inline bool gen_is_preempted(const struct gen *g)
{
	return g->c->in->site.in_user && !g->target->preempt_disable_id;
}

/* Emits the first instructions of a program: REG_CTX = the context, if anything reads it. */
void gen_begin(struct gen *g, bool context);
/* Returns the number of the program's map of this kind, which is added if it is missing. */
uint32_t gen_map_index(struct gen *g, enum expr_map_kind kind, enum bpf_map_type type,
		       uint32_t key_size, uint32_t value_size, uint32_t entries);
/* dst = the shared map of this kind. */
void gen_map(struct gen *g, int dst, enum expr_map_kind kind);
/* Copies the name of the current task to REG_RECORD + to. Clobbers r0 … r5. */
void gen_comm(struct gen *g, int to);
/* The same with by_task, to memory at any register. */
void gen_comm_typed(struct gen *g, int base, int to);
/* Stores a struct record_source at REG_RECORD + at. */
void gen_record_source(struct gen *g, int at);
/* dst = the index in expr_run.points of the point that was hit. Clobbers r0 … r5. */
void gen_point(struct gen *g, int dst);
/* Sets the status that the current slot gets if it fails: enum field_status and the link. */
void gen_blame(struct gen *g, int status);
/* Emits a session's only program: the entry's part (context also in r1) and the return's (in
 * REG_CTX). */
void gen_session(struct gen *g, void (*entry)(struct gen *g), void (*at_return)(struct gen *g));
/* r0 = the address of the 8 bytes that both sides of a session share. */
void gen_cookie(struct gen *g);
void gen_return(struct gen *g, int value);
/* Binds g->exit; the program returns 0. */
void gen_exit(struct gen *g);
/* The offset of a member of task_struct; negative: unknown. */
int gen_task_offset(const struct gen *g, const char *name);
/* Stores 4 bytes of the current task, from member `name` on, at base + to. Returns false and emits
 * nothing if they cannot be read. Clobbers r0 … r5. */
bool gen_task_word(struct gen *g, const char *name, int base, int to);
/* losses[loss]++ */
void gen_count_loss(struct gen *g, enum loss loss);
/* r0 = entry `index` of an array, or NULL. */
void gen_lookup(struct gen *g, uint32_t map, uint32_t index);
/* The same; counts a loss and jumps to the exit if the entry is missing. */
void gen_lookup_index(struct gen *g, uint32_t map, uint32_t index);
/* REG_RECORD = `size` bytes of stack (a multiple of 8), not cleared, below what filters and slots
 * use. Returns false and emits nothing if the stack is too small. */
bool gen_record_on_stack(struct gen *g, uint32_t size);
/* True if the guards of a pair may use emit_leave_late, for which the stack needs STACK_LATE bytes. */
bool gen_loops_late(const struct gen *g);
/* The lowest stack offset that filters and slots use. */
int gen_stack_end(const struct gen *g);

/* ---- emit_task.c: ids of the task in the namespace of filter.numbers ---- */

/* gen_numbers_begin reads them before the slots, if a slot needs one; gen_numbers later, when a
 * record or key does. Clobber r0 … r5. */
void gen_numbers_begin(struct gen *g);
void gen_numbers(struct gen *g);
/* dst = the id of the process or thread, which must have been read. */
void gen_number(struct gen *g, int dst, bool thread);

/* ---- emit_task.c: the current task ---- */

/* Sets REG_TASK; also after an exact way has clobbered it. */
void gen_task(struct gen *g);
/* Finds the members of the task (g->task); false if they are not known, or not reached by loads. */
bool gen_task_find(struct gen *g);
/* dst = the id of the process or thread in the low half; the high half is undefined. */
void gen_tgid(struct gen *g, int dst);
void gen_tid(struct gen *g, int dst);
/* How a program gets the preempt count. */
enum preempt_way {
	PREEMPT_UNKNOWN,
	PREEMPT_VARIABLE,  /* a per-CPU variable, by its type */
	PREEMPT_TASK,	   /* typed load from the task */
	PREEMPT_TASK_READ, /* the same by a helper, on older kernels */
	/* near the run queue: x86-64 before BTF had variables, or where a program that names one loads slowly */
	PREEMPT_QUEUE
};
/* `seldom`: an expensive way is better than a slow start. Needs gen_task_find. */
enum preempt_way gen_preempt_way(struct gen *g, bool seldom);
/* r1 = the preempt count. All ways but PREEMPT_TASK clobber r0 … r5. */
void gen_preempt_load(struct gen *g, enum preempt_way way);
/* r0 = 0 in a task, 1 in a soft interrupt, 2 in a hard one, 3 in a hard one in a soft one. Clobbers r1 … r5. False: this
 * kernel does not tell. */
bool gen_interrupt(struct gen *g);

/* ---- emit_filter.c ---- */

/* Sets REG_CTX and REG_TASK; jumps to g->exit for unwanted tasks. */
void gen_filters(struct gen *g);
/* The same for a program that does not read REG_TASK: after this it is undefined, unless task_stays. */
void gen_filters_alone(struct gen *g, bool task_stays);
void gen_filter_task(struct gen *g); /* only the filters by process and thread */

/* ---- triggers: conditions that begin and end the recording, decided by the program ---- */

/* Before the condition: skips it if the recording has begun, ends the program if it has ended. */
void gen_trigger_check(struct gen *g, const struct slot *s);
/* After a condition that is true. */
void gen_trigger_set(struct gen *g, const struct slot *s);
/* The target for a condition that is false. A false stop condition continues. */
int gen_reject(const struct gen *g, const struct slot *s);

/* ---- claims: per-CPU memory for one program, even if it is preempted ---- */

enum {
	CLAIMS = 4,	/* pieces on each CPU: the most programs that can be in progress there */
	CLAIM_BYTES = 8 /* the word after a piece that counts its claimants */
};

/* r0 = an unclaimed entry of the map, of `size` bytes and CLAIM_BYTES, from index `first` on.
 * Jumps to `none` if all are claimed. Clobbers r0 … r5. */
void gen_claim(struct gen *g, uint32_t map, uint32_t first, int size, int none);
/* Releases the piece at `reg`. Clobbers r1. */
void gen_unclaim(struct gen *g, int reg, int size);

#endif
