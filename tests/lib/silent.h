/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * silent.h - checks whether a program ends silently after a lookup found nothing.
 *
 * After a failed lookup each path to the exit must write something: a loss, a value, a record. The exceptions are
 * maps whose answer is a decision: who is followed, who is inside of --in, which call or which begin a return or an
 * end belongs to.
 *
 * A program in bpftrace's language reads its maps as it likes, and an absent value is 0. There each failure of the
 * kernel must be counted before anything else is called: memory that is not found, a value that a map does not
 * accept, a record for which there is no room, rounds that do not run.
 */
#ifndef CORETAP_SILENT_H
#define CORETAP_SILENT_H

#include "expr/expr.h"
#include "expr/relocs.h"

/* The first instruction of `insns`, a program of `p` with these relocations, that branches to a silent exit;
 * -1: none. *map is then the map's kind. */
int silent_exit_find(const struct expr_program *p, const struct bpf_insn *insns, size_t count,
		     const struct expr_reloc *relocs, size_t reloc_count, enum expr_map_kind *map);

/* The same for a program of a script. *what names the helper that fails. */
int silent_script_find(const struct expr_program *p, const char **what);

#endif
