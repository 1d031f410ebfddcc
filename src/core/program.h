/* SPDX-License-Identifier: GPL-2.0 */
/*
 * program.h - a program made of bare instructions: its maps, its load, its link. What a skeleton
 * and libbpf are to the other applets, in the milliseconds that argdump has.
 */
#ifndef CORETAP_PROGRAM_H
#define CORETAP_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/bpf.h>

#include "core/probe.h"
#include "event.h"

/* The maps that every generated program knows; same contents as bpf/common.bpf.h. */
struct program_maps {
	int ring, losses;
	int followed, cgroups; /* -1 unless asked for */
	int text; /* a string a CPU, for patterns; -1 until program_text_open */
};

/* The fd of a new map, or -1 with errno set. */
int program_map_create(enum bpf_map_type type, const char *name, int key, int value, int entries,
		       int flags);
/* ring_size in bytes, a power of two; 0: no ring. Returns 0 or -errno, with nothing left open. */
int program_maps_open(struct program_maps *m, size_t ring_size, bool follow, bool by_cgroup);
void program_maps_close(struct program_maps *m);
/* Makes m->text, of `size` bytes a CPU. 0 or -errno. */
int program_text_open(struct program_maps *m, size_t size);
/* The fd of an array map whose one entry is `table`, or -errno. */
int program_table_map(const void *table, size_t size);

/* Loads for a rung on function `func` (BTF id). Returns the program's fd or -errno. With `log`,
 * the verifier's log goes there. */
int program_load(const struct bpf_insn *insns, size_t count, enum probe_rung rung, uint32_t func,
		 char *log, size_t log_size);
/* The same for any type of program. */
struct program_type {
	int prog, attach; /* enum bpf_prog_type, enum bpf_attach_type */
	uint32_t btf_id;  /* attach_btf_id; 0: none */
	int btf_fd;	  /* of the module whose btf_id it is; 0: the kernel's */
};
int program_load_as(const struct bpf_insn *insns, size_t count, const struct program_type *type,
		    char *log, size_t log_size);
/* A map of programs to go on with by number: its fd, or -errno. Its programs are gone from it when
 * the fd is closed. */
int program_switch_open(size_t count);
int program_switch_set(int map_fd, uint32_t number, int prog_fd); /* 0 or -errno */
/* The link's fd, or -errno. */
int program_attach(int prog_fd, enum probe_rung rung, const char *function);
/* The same for the function's return. */
int program_load_return(const struct bpf_insn *insns, size_t count, enum probe_rung rung,
			uint32_t func, char *log, size_t log_size);
int program_attach_return(int prog_fd, enum probe_rung rung, const char *function);
/* Calls under way: a hash map u64 → `size` bytes, one of so many. The fd or -errno. */
int program_calls_map(uint32_t size, size_t maps);
/* An array map with one entry of `size` bytes. */
int program_places_map(uint32_t size);

#endif
