/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * prog.h - a program made of generated instructions: its maps and its loading. Replaces the skeleton and libbpf of
 * the other applets, because argdump has only milliseconds.
 */
#ifndef CORETAP_ATTACH_PROG_H
#define CORETAP_ATTACH_PROG_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attach/method.h"

/* Creates a map. Returns its fd, or -1 with errno set. */
int prog_map_create(enum bpf_map_type type, const char *name, int key, int value, int entries,
		    int flags);
/* Loads a program for an attach method and a target (attach_link). Returns the program's fd or -errno. If `log` is
 * not NULL, the verifier's log is written there. */
int prog_load(const struct bpf_insn *insns, size_t count, enum attach_method_id method,
	      const struct attach_target *t, char *log, size_t log_size);
/* The same for any program type. */
int prog_load_as(const struct bpf_insn *insns, size_t count, const struct prog_type *type,
		 char *log, size_t log_size);
/* Creates a map for tail calls by number. Returns its fd, or -errno. Closing the fd removes the programs from it. */
int prog_switch_open(size_t count);
int prog_switch_set(int map_fd, uint32_t number, int prog_fd); /* returns 0 or -errno */

/* False if the kernel has no programs that trace at all. Loads one of two instructions. */
bool prog_tracing_exists(void);
/* Why not, and what to do. */
#define PROG_NO_TRACING                                                                            \
	"this kernel runs no BPF programs for tracing: it was built without CONFIG_BPF_EVENTS"
#define PROG_NO_TRACING_TODO                                                                       \
	"boot a kernel with CONFIG_BPF_EVENTS=y, which needs CONFIG_PERF_EVENTS, and CONFIG_KPROBE_EVENTS or CONFIG_UPROBE_EVENTS"

/* ---- the reason in a verifier's log ---- */

/* Returns the remedy for an error of a load (-errno) that means the program is too long for the verifier to follow;
 * else NULL. */
const char *verifier_remedy(int err);

/* Copies the line that tells why a program was refused; "" if there is none. */
void verifier_reason(const char *log, char *line, size_t size);

/* Stores the reason of the last refused program, for a later message. A log without a reason changes nothing. */
void verifier_reason_store(const char *log);
/* Returns the stored reason or NULL. It is foreign text: escape it. Valid until the next verifier_reason_store. */
const char *verifier_reason_last(void);

#endif
