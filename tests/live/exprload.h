/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * exprload.h - what the parts of exprload share: the ways to load, and compiling and loading by one of them.
 * exprload.c says what each command does.
 */
#ifndef CORETAP_EXPRLOAD_H
#define CORETAP_EXPRLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "program/program_load.h"
#include "btf/btf.h"
#include "expr/expr.h"

struct way {
	const char *name;
	enum expr_ctx_type method;
	bool typed_loads, probe_read;
	enum expr_scope scope;
	bool session;
};

enum { WAYS = 21 };
extern const struct way ways[WAYS];

extern struct btf_view *btf;	 /* this kernel's types */
extern struct program_maps maps; /* of every program that is loaded */
extern struct expr_target target;
extern bool want_ts;
extern unsigned depth;		   /* of structs, of what is compiled next */
extern int return_prog;		   /* of EXPR_SCOPE_CALL; -1: none */
extern const char *const log_text; /* why something was refused */

/* 0, or a negative errno and log_text. With all filters there are, or none. */
int compile(const struct way *way, const char *func, const char *const *exprs, size_t count,
	    bool filters, struct expr_program **p, uint32_t *func_id);
/* The program's descriptor; that of the return beside one of the entry is in return_prog. Negative: errno and
 * log_text. */
int load(const struct way *way, uint32_t func_id, const struct expr_program *p);
/* The last lines of log_text. */
const char *log_end(void);

/* From here to count_end calls are counted, by measures as in "+avg:count". */
void count_begin(const char *const *measures, bool clear);
/* As compile; exprs are the key. */
int compile_counted(const struct way *way, const char *func, const char *const *exprs, size_t count,
		    struct expr_program **p, uint32_t *func_id);
void count_end(void);

/* The commands: exit statuses. */
int run_cases(void);
int run_random(unsigned long count, unsigned long seed);
int run_one(const struct way *way, char **argv);
int run_cost(const struct way *way, char **argv);

#endif
