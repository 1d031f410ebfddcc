/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * macro.h - macros of the language, shared by their definition (macro.c) and their use (expand.c).
 */
#ifndef CORETAP_SCRIPT_SYNTAX_MACRO_H
#define CORETAP_SCRIPT_SYNTAX_MACRO_H

#include "script/syntax/parser.h"

struct macro_param {
	const char *name;
	enum lex_kind kind; /* VAR, MAP; NAME: any expression */
};

struct script_macro {
	const char *name;
	struct span span; /* of the name */
	struct macro_param params[MACRO_PARAMS_MAX];
	size_t param_count;
	struct script_expr *body; /* BLOCK */
	bool is_function;	  /* from fn: may use all maps */
	bool is_active;		  /* being expanded */
	bool is_library;	  /* defined by the library */
	struct script_macro *next;
};

/* Adds the macro to the program's. A macro of the library is skipped if the program has the same one. */
void macro_add(struct parser *p, struct script_macro *m);
bool macro_exists(const struct parser *p, const char *name);
/* Returns the macro of that name that fits the arguments best; NULL after an error. */
struct script_macro *macro_choose(struct parser *p, const struct script_expr *call);

#endif
