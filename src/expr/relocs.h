/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * relocs.h - what the loader supplies to a compiled program: maps and facts, and the instructions
 * that use them.
 *
 * The compiler creates no maps and tries nothing. It lists what a program uses; the loader
 * creates missing maps, finds out the facts, and writes fds and numbers into the instructions
 * that the relocations name.
 */
#ifndef CORETAP_EXPR_RELOCS_H
#define CORETAP_EXPR_RELOCS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/bpf.h>

struct expr_program;

enum expr_map_kind {
	/* of a run: shared by all programs */
	EXPR_MAP_RING,	   /* the records */
	EXPR_MAP_LOSSES,   /* u64 by enum loss */
	EXPR_MAP_FOLLOWED, /* followed processes, by tgid */
	EXPR_MAP_CGROUPS,  /* the cgroups to filter by */
	EXPR_MAP_NAMES,	   /* the table of filter.by_names */
	EXPR_MAP_TEXT,	   /* per CPU: claimed buffers for strings that patterns match */
	/* of all programs that count together */
	EXPR_MAP_COUNTS,      /* entries by key; without a key, by expr_input.probe_number */
	EXPR_MAP_COUNTED,     /* `switched`: its only entry is the EXPR_MAP_COUNTS in use */
	EXPR_MAP_BLANK,	      /* zeros, for new keys */
	EXPR_MAP_SCRATCH,     /* per CPU: keys under construction, by expr_input.probe_number … */
	EXPR_MAP_CLAIMED,     /* … for programs that another thread may preempt: claimed */
	EXPR_MAP_PAIRS,	      /* open begins by key, of all programs of a pair: the hash … */
	EXPR_MAP_PAIR_PLACES, /* … the array … */
	EXPR_MAP_PAIR,	      /* … and per CPU, working copies, by expr_input.probe_number */
	EXPR_MAP_STACKS,      /* struct event_stack by struct stack_id: each stack once … */
	EXPR_MAP_STACK,	      /* … per CPU, the stack that is looked up … */
	EXPR_MAP_NEWS,	      /* … and struct stack_id of new user stacks, to be named early */
	EXPR_MAP_TRIGGER,     /* u64 by enum expr_trigger: 1 after it was true */
	EXPR_MAP_WITHIN,      /* threads inside of calls (emit_within.c) */
	EXPR_MAP_SCRIPT,      /* of a script: several, by `number` */
	/* of one program, or of both programs of a call */
	EXPR_MAP_TABLE,	 /* the table of a pattern (util/glob.h) */
	EXPR_MAP_PATHS,	 /* per CPU: the texts of paths, by number */
	EXPR_MAP_CALLS,	 /* open calls by key: the hash … */
	EXPR_MAP_PLACES, /* … and the array */
	EXPR_MAP_WORK,	 /* of a script's program, per CPU: memory for strings and the like */
	EXPR_MAP_WALK,	 /* … and what it asks of user space (struct script_walk) */
	EXPR_MAP_KINDS,
};

struct expr_map {
	enum expr_map_kind kind;
	enum bpf_map_type type;
	uint32_t key_size, value_size; /* bytes */
	uint32_t entries;	       /* of a ring buffer: bytes; 0: the loader decides */
	const void *bytes; /* contents of its only entry, owned by the program; NULL: zeros */
	uint32_t number;   /* SCRIPT: index in script.maps */
};

/* Numbers for $ctx that only a running kernel knows. */
enum expr_fact {
	EXPR_FACT_NONE,
	EXPR_FACT_PREEMPT,     /* how often the probing itself disables preemption … */
	EXPR_FACT_MIGRATE,     /* … and migration */
	EXPR_FACT_RESCHED_BIT, /* bit number of TIF_NEED_RESCHED */
	EXPR_FACT_LAZY_BIT,    /* … and of the lazy one */
	EXPR_FACTS,
};

/* Instruction `insn` has a value for its `imm`: a fact or, with EXPR_FACT_NONE, the fd of map
 * `map`. */
struct expr_reloc {
	uint32_t insn, map;
	enum expr_fact fact;
};

/* A map of the run, EXPR_MAP_RING to EXPR_MAP_TEXT. */
const struct expr_map *expr_map_of_run(enum expr_map_kind kind);
/* "ring": the name in dumps and in the kernel. */
const char *expr_map_name(enum expr_map_kind kind);
/* True if each program has a map of its own. */
bool expr_map_is_own(enum expr_map_kind kind);
/* True if the programs of each pair have a map of their own. */
bool expr_map_is_of_pair(enum expr_map_kind kind);
/* "preempt". */
const char *expr_fact_name(enum expr_fact fact);
/* The maps of the program; both programs of a call use the same. */
const struct expr_map *expr_maps(const struct expr_program *p, size_t *count);
/* In the order of the instructions of expr_insns or expr_insns_return. */
const struct expr_reloc *expr_relocs(const struct expr_program *p, size_t *count);
const struct expr_reloc *expr_relocs_return(const struct expr_program *p, size_t *count);

#endif
