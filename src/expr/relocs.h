/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * relocs.h - what the loader must supply to a compiled program: maps and facts, and where in the
 * instructions they go.
 *
 * The compiler creates no maps and tries nothing out. It says what a program uses; the loader
 * creates the maps, or has them already, finds out the facts, and writes fds and numbers into the
 * instructions that the relocations name.
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
	EXPR_MAP_CGROUPS,  /* the cgroup to filter by */
	EXPR_MAP_NAMES,	   /* the table of filter.by_names */
	EXPR_MAP_TEXT,	   /* per CPU: room for strings that are compared with a pattern, claimed */
	/* of all programs that count together */
	EXPR_MAP_COUNTS,  /* entries by key; without a key, by expr_input.probe_number */
	EXPR_MAP_COUNTED, /* `switched`: its only entry is the EXPR_MAP_COUNTS in use */
	EXPR_MAP_BLANK,	  /* zeros, for new keys */
	EXPR_MAP_SCRATCH, /* per CPU: a key under construction, by expr_input.probe_number … */
	EXPR_MAP_CLAIMED, /* … of a program that another thread may run meanwhile: several of them */
	EXPR_MAP_PAIRS, /* what began and has not ended, by key: of all programs of a pair … */
	EXPR_MAP_PAIR_PLACES, /* … and in the array … */
	EXPR_MAP_PAIR, /* … and per CPU, what one of them works on, by expr_input.probe_number */
	EXPR_MAP_STACKS,  /* struct event_stack by struct stack_id: each different stack once … */
	EXPR_MAP_STACK,	  /* … and per CPU, the one that is being looked up … */
	EXPR_MAP_NEWS,	  /* … and struct stack_id of each new user stack, to be named early */
	EXPR_MAP_TRIGGER, /* u64 by enum expr_trigger: it was true */
	EXPR_MAP_WITHIN,  /* threads that are inside of calls (emit_within.c) */
	/* of one program, or of the two that trace a call */
	EXPR_MAP_TABLE,	 /* the table of a pattern (util/glob.h) */
	EXPR_MAP_PATHS,	 /* per CPU: the texts of paths, by number */
	EXPR_MAP_CALLS,	 /* calls under way, by key … */
	EXPR_MAP_PLACES, /* … and in the array */
	EXPR_MAP_KINDS,
};

struct expr_map {
	enum expr_map_kind kind;
	enum bpf_map_type type;
	uint32_t key_size, value_size; /* bytes */
	uint32_t entries;	       /* of a ring buffer: bytes; 0: the loader decides */
	const void *bytes; /* the contents of its only entry, owned by the program; NULL: zeros */
};

/* Numbers for $ctx that only a running kernel can tell. */
enum expr_fact {
	EXPR_FACT_NONE,
	EXPR_FACT_PREEMPT,     /* how many times the probing itself disables preemption … */
	EXPR_FACT_MIGRATE,     /* … and migration */
	EXPR_FACT_RESCHED_BIT, /* bit number of TIF_NEED_RESCHED */
	EXPR_FACT_LAZY_BIT,    /* … and of its lazy form */
	EXPR_FACTS,
};

/* The value for `imm` of instruction `insn`: a fact, or with EXPR_FACT_NONE the fd of map `map`. */
struct expr_reloc {
	uint32_t insn, map;
	enum expr_fact fact;
};

/* A map that the run shares, EXPR_MAP_RING to EXPR_MAP_TEXT. */
const struct expr_map *expr_map_of_run(enum expr_map_kind kind);
/* "ring": the name in dumps and in the kernel. */
const char *expr_map_name(enum expr_map_kind kind);
/* Does each program have its own? */
bool expr_map_is_own(enum expr_map_kind kind);
/* Do the programs of each pair have their own? */
bool expr_map_is_of_pair(enum expr_map_kind kind);
/* "preempt". */
const char *expr_fact_name(enum expr_fact fact);
/* The maps of the program; both programs of a call use the same. */
const struct expr_map *expr_maps(const struct expr_program *p, size_t *count);
/* In order of the instructions of expr_insns or expr_insns_return. */
const struct expr_reloc *expr_relocs(const struct expr_program *p, size_t *count);
const struct expr_reloc *expr_relocs_return(const struct expr_program *p, size_t *count);

#endif
