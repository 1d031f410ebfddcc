/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bpf_vm.h - runs what argdump's compiler makes, without a kernel: the instructions, the helpers that
 * they call, the maps that the program asks for, and memory that is there only where a test puts it.
 *
 * It is as strict as the verifier: a register or a byte of the stack is read only after it was written,
 * a call loses r1 to r5, and record, stack, context and values of maps are touched only inside.
 * `trouble` tells the first offence. A typed load of memory that is not there gives 0, as in the kernel.
 *
 * A test clears a struct vm, adds regions, sets the fields under "the world", takes a program
 * (vm_take), runs it (vm_run) as often as it likes, looks at the record and the maps, and drops it.
 */
#ifndef CORETAP_BPF_VM_H
#define CORETAP_BPF_VM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/bpf.h>

#include "event.h"
#include "expr/expr.h"

enum {
	VM_REGIONS = 16,
	VM_MAPS = 16,
	VM_HASH_ROOM = 4,    /* entries of a hash at most … */
	VM_SCRIPT_ROOM = 64, /* … or of a script's map */
	VM_SENT = 256,	     /* records that are kept */
	VM_FRAMES_DEEP = 4,  /* of calls: the program, callbacks */
	VM_RECORD = 32768,
	VM_CPU = 3,
	VM_FRAMES = 200,
	VM_CGROUP = 4711,
	VM_COOKIE = 815, /* of any socket */
};

#define VM_STACK_AT    0xffffc90000010000ull /* its lowest byte; r10 is 512 above … */
#define VM_STACK_STEP  0x1000ull /* … and that of a callback so far above that of its caller */
#define VM_CODE_AT     0xffffc90000050000ull /* + number of the instruction: a callback */
#define VM_CTX_AT      0xffffc90000020000ull
#define VM_RING_AT     0xffffc90000030008ull
#define VM_COOKIE_AT   0xffffc90000040000ull
#define VM_TASK_AT     0xffff888000060000ull
#define VM_PER_CPU_AT  0xffff888000070000ull /* any variable of this CPU */
#define VM_MAP_AT      0xffff888100000000ull /* + number: a map as a register holds it */
#define VM_VALUES_AT   0xffff889000000000ull /* + VM_VALUES_ROOM for each map: its values */
#define VM_KEYS_AT     0xffff888800000000ull /* the same of keys, as a walk shows them */
#define VM_VALUES_ROOM 0x1000000ull

/* A map that a program asked for. */
struct vm_map {
	const struct expr_map *asked;
	uint32_t stride; /* from value to value */
	uint32_t room;	 /* entries; of a hash it may be lowered before the first run */
	uint32_t count;	 /* of a hash, entries in use; an array's all are */
	bool used[VM_SCRIPT_ROOM];
	uint8_t *keys, *values; /* owned */
	bool values_shared;	/* they are another machine's … */
	struct vm_map *shared;	/* … and so is the whole hash; or NULL */
};

struct vm_region {
	uint64_t at;
	size_t size;
	void *bytes;
};

/* A program with the numbers of its maps in it. */
struct vm_code {
	struct bpf_insn *insns; /* owned */
	size_t count;
};

struct vm {
	/* the world */
	struct vm_region regions[VM_REGIONS]; /* kernel and user memory (vm_region_add) */
	unsigned region_count;
	uint8_t ctx[512];
	uint64_t pid_tgid, uid_gid, now, returned, queued, cookie, random;
	uint32_t followed; /* the process that is in EXPR_MAP_FOLLOWED; 0: none */
	bool in_cgroup, ring_full, probe_read_forbidden, is_return;
	const void *names;	    /* the table of EXPR_MAP_NAMES */
	uint64_t frames[VM_FRAMES]; /* of any stack, up to the first 0 */
	uint64_t function;	    /* the address of the probed one */
	bool stack_fails;

	/* what came of it */
	_Alignas(8) uint8_t record[VM_RECORD];
	bool written[VM_RECORD];
	uint64_t record_size; /* of the reservation; 0: none */
	bool submitted;
	uint64_t submit_flags;
	unsigned pushed; /* into EXPR_MAP_NEWS */
	struct vm_sent {
		uint32_t size;
		uint8_t *bytes; /* owned */
	} sent[VM_SENT];
	unsigned sent_count; /* submitted records, of all runs until vm_drop */
	int signal;	     /* that was sent; 0: none */
	char trouble[160];

	/* the program */
	struct vm_code code, code_return;
	struct vm_map maps[VM_MAPS];
	size_t map_count;

	/* while it runs */
	unsigned steps;
	bool not_preempted; /* at the exit it has to be again */
	uint64_t reg[11];
	bool known[11];
	uint8_t stack[VM_FRAMES_DEEP][512];
	bool stack_known[VM_FRAMES_DEEP][512];
	unsigned depth; /* of callbacks */
	const struct vm_code *running;
};

/* The first offence stays. */
void vm_trouble(struct vm *m, size_t pc, const char *what);
/* Until the end of `m`; regions may touch. */
void vm_region_add(struct vm *m, uint64_t at, void *bytes, size_t size);

/* Takes a program, with empty maps, until vm_drop; the program has to stay. False: its maps are not
 * what they should be. */
bool vm_take(struct vm *m, const struct expr_program *p);
void vm_drop(struct vm *m);
/* NULL: the program asked for none. */
struct vm_map *vm_map_of(struct vm *m, enum expr_map_kind kind);
/* How often LOSS_… was counted. */
uint64_t vm_loss(struct vm *m, enum loss loss);

/* Runs to the exit. False: see trouble. */
bool vm_run(struct vm *m, const struct vm_code *k);
/* The same step by step. What other runs left in registers and on the stack is gone. */
void vm_begin(struct vm *m);
/* The instruction at *pc. False: that was the exit, or there is trouble. */
bool vm_next(struct vm *m, const struct vm_code *k, size_t *pc);
/* A helper calls the program's function, with two to four arguments: its result. */
uint64_t vm_callback(struct vm *m, size_t pc, uint64_t function, const uint64_t args[4]);
/* Can every instruction be reached, and does every jump land in the program? */
bool vm_reachable(const struct vm_code *k);

#endif
