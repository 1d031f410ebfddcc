/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * silent.c - coretap, but each program that it compiles is checked for exits at which it is silent about a loss
 * (tests/lib/silent.h). For --dry-run: `silent RECIPE --dry-run --btf FILE`.
 *
 * The linker replaces the two functions that compile (--wrap). Writes a line for each silent exit to descriptor 9,
 * and "checked" for each program, so that a test knows that there was something to check.
 */
#include <stdio.h>

#include "../lib/silent.h"
#include "expr/expr.h"
#include "script/script.h"

int __real_expr_compile(const struct expr_input *in, struct expr_program **out,
			struct expr_error *error);
int __wrap_expr_compile(const struct expr_input *in, struct expr_program **out,
			struct expr_error *error);
int __real_script_compile(struct script *s, const struct script_world *w,
			  const struct script_point *point, struct expr_program **out,
			  struct script_error *error);
int __wrap_script_compile(struct script *s, const struct script_world *w,
			  const struct script_point *point, struct expr_program **out,
			  struct script_error *error);

static void say(const char *language, int at, const char *what)
{
	if (at < 0)
		dprintf(9, "checked: %s\n", language);
	else
		dprintf(9, "silent: %s, instruction %d: %s\n", language, at, what);
}

int __wrap_expr_compile(const struct expr_input *in, struct expr_program **out,
			struct expr_error *error)
{
	int err = __real_expr_compile(in, out, error), at;
	size_t count, return_count, relocs, return_relocs;
	const struct bpf_insn *insns, *at_return;
	const struct expr_reloc *r, *rr;
	enum expr_map_kind kind;

	if (err)
		return err;
	insns = expr_insns(*out, &count);
	at_return = expr_insns_return(*out, &return_count);
	r = expr_relocs(*out, &relocs);
	rr = expr_relocs_return(*out, &return_relocs);
	at = silent_exit_find(*out, insns, count, r, relocs, &kind);
	if (at < 0)
		at = silent_exit_find(*out, at_return, return_count, rr, return_relocs, &kind);
	say("argdump", at, at < 0 ? "" : expr_map_name(kind));
	return 0;
}

int __wrap_script_compile(struct script *s, const struct script_world *w,
			  const struct script_point *point, struct expr_program **out,
			  struct script_error *error)
{
	int err = __real_script_compile(s, w, point, out, error), at;
	const char *what = "";

	if (err)
		return err;
	at = silent_script_find(*out, &what);
	say("bt", at, what);
	return 0;
}
