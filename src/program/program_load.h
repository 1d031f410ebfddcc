/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * program_load.h - prepares a compiled program for the kernel: creates its maps and writes their
 * fds into its instructions, as libbpf does for the relocations of an object file.
 */
#ifndef CORETAP_PROGRAM_PROGRAM_LOAD_H
#define CORETAP_PROGRAM_PROGRAM_LOAD_H

#include <stddef.h>

#include "expr/expr.h"

/* File descriptors that are closed together: programs, links, maps. */
struct fdset {
	int *fds; /* owned */
	size_t count;
};

/* Takes ownership of fd. Without memory, closes it and returns -ENOMEM. Returns a negative fd
 * unchanged. */
int fdset_add(struct fdset *l, int fd);
void fdset_close(struct fdset *l);

/* The maps that programs share, by kind; -1: not created. Owned. */
struct program_maps {
	int fds[EXPR_MAP_KINDS];
	int *scripts; /* owned: of EXPR_MAP_SCRIPT, by number */
	size_t script_count;
};
#define PROGRAM_MAPS_NONE                                                                          \
	{                                                                                          \
		.fds = { [0 ... EXPR_MAP_KINDS - 1] = -1 }                                         \
	}

/* Creates the maps of a run: the losses and, if requested, the others. ring_size is in bytes, a power of two; 0: no
 * ring. `names`: the table of event_filter.by_names, or NULL. Returns 0, or -errno with nothing left open. */
int program_maps_open(struct program_maps *m, size_t ring_size, bool follow, bool by_cgroup,
		      const void *names);
void program_maps_close(struct program_maps *m);
/* Returns the fd of a script's map; -1: no program uses it. */
int program_map_script(const struct program_maps *m, uint32_t number);

/* Creates a map as the compiler describes it, with `entries` if the description leaves their number open. Returns its
 * fd or -errno. */
int program_map_create(const struct expr_map *map, uint32_t entries);

/* Values of facts for relocations. */
struct program_facts {
	int32_t values[EXPR_FACTS];
};

/* True if the program for the entry, or the one for the return, needs facts. */
bool program_needs_facts(const struct expr_program *p, bool of_return);

/* Relocated instructions, and the program's own maps. Needed only until they are loaded. */
struct program_image {
	struct bpf_insn *insns, *insns_return; /* owned; NULL: no such program */
	size_t count, count_return;
	struct fdset maps;
};

/* Creates the program's own maps, and missing maps of `shared` and of its pair (NULL: none).
 * `facts`: for expr_insns and expr_insns_return. Returns 0, or -errno with an empty image. */
int program_image_build(struct program_image *image, const struct expr_program *p,
			struct program_maps *shared, struct program_maps *of_pair,
			const struct program_facts facts[2]);
void program_image_free(struct program_image *image);

#endif
