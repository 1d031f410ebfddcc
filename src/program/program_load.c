/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * program_load.c - creates the maps of a compiled program, and relocates its instructions.
 *
 * The kernel holds the maps that a loaded program uses, so maps private to a program are closed
 * right after loading.
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program/program_load.h"
#include "attach/prog.h"

enum { FOLLOWED_MAX = 16384 }; /* must equal the one in bpf/lib/filter.bpf.h */

/* ---- maps ---- */

int program_map_create(const struct expr_map *map, uint32_t entries)
{
	uint32_t key = 0;
	int fd = prog_map_create(map->type, expr_map_name(map->kind), map->key_size,
				 map->value_size, map->entries ?: entries, 0),
	    err;

	if (fd < 0)
		return -errno;
	if (!map->bytes || !bpf_map_update_elem(fd, &key, map->bytes, BPF_ANY))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

void program_maps_close(struct program_maps *m)
{
	for (size_t i = 0; i < EXPR_MAP_KINDS; i++) {
		if (m->fds[i] >= 0)
			close(m->fds[i]);
	}
	for (size_t i = 0; i < m->script_count; i++)
		if (m->scripts[i] >= 0)
			close(m->scripts[i]);
	free(m->scripts);
	*m = (struct program_maps)PROGRAM_MAPS_NONE;
}

static int map_open(struct program_maps *m, enum expr_map_kind kind, uint32_t entries,
		    const void *bytes)
{
	struct expr_map map = *expr_map_of_run(kind);

	map.bytes = bytes;
	m->fds[kind] = program_map_create(&map, entries);
	return m->fds[kind] < 0 ? m->fds[kind] : 0;
}

int program_maps_open(struct program_maps *m, size_t ring_size, bool follow, bool by_cgroup,
		      const void *names)
{
	int err;

	*m = (struct program_maps)PROGRAM_MAPS_NONE;
	err = map_open(m, EXPR_MAP_LOSSES, 0, NULL);
	if (!err && ring_size)
		err = map_open(m, EXPR_MAP_RING, ring_size, NULL);
	if (!err && follow)
		err = map_open(m, EXPR_MAP_FOLLOWED, FOLLOWED_MAX, NULL);
	if (!err && by_cgroup)
		err = map_open(m, EXPR_MAP_CGROUPS, 0, NULL);
	if (!err && names)
		err = map_open(m, EXPR_MAP_NAMES, 0, names);
	if (err)
		program_maps_close(m);
	return err;
}

/* ---- maps of a script, shared by all of its programs ---- */

int program_map_script(const struct program_maps *m, uint32_t number)
{
	return number < m->script_count ? m->scripts[number] : -1;
}

static int script_map_find(struct program_maps *m, const struct expr_map *map)
{
	size_t count = map->number + 1;
	int *fds;

	if (count > m->script_count) {
		fds = realloc(m->scripts, count * sizeof(*fds));
		if (!fds)
			return -ENOMEM;
		for (size_t i = m->script_count; i < count; i++)
			fds[i] = -1;
		m->scripts = fds;
		m->script_count = count;
	}
	if (m->scripts[map->number] < 0)
		m->scripts[map->number] = program_map_create(map, 0);
	return m->scripts[map->number];
}

/* ---- a program ---- */

static int map_find(struct program_image *image, const struct expr_map *map,
		    struct program_maps *shared, struct program_maps *of_pair)
{
	int fd;

	if (expr_map_is_of_pair(map->kind))
		shared = of_pair;

	if (map->kind == EXPR_MAP_SCRIPT)
		return script_map_find(shared, map);
	if (expr_map_is_own(map->kind)) {
		fd = program_map_create(map, 0);
		return fdset_add(&image->maps, fd) ?: fd;
	}
	if (shared->fds[map->kind] < 0 && map->entries)
		shared->fds[map->kind] = program_map_create(map, 0);
	return shared->fds[map->kind];
}

static int insns_copy(struct bpf_insn **to, const struct bpf_insn *insns, size_t count)
{
	if (!count)
		return 0;
	*to = malloc(count * sizeof(*insns));
	if (!*to)
		return -ENOMEM;
	memcpy(*to, insns, count * sizeof(*insns));
	return 0;
}

bool program_needs_facts(const struct expr_program *p, bool of_return)
{
	size_t count;
	const struct expr_reloc *relocs = of_return ? expr_relocs_return(p, &count) :
						      expr_relocs(p, &count);

	for (size_t i = 0; i < count; i++)
		if (relocs[i].fact)
			return true;
	return false;
}

static void relocate(struct bpf_insn *insns, const struct expr_reloc *relocs, size_t count,
		     const int *fds, const struct program_facts *facts)
{
	for (const struct expr_reloc *r = relocs; r < relocs + count; r++)
		insns[r->insn].imm = r->fact ? facts->values[r->fact] : fds[r->map];
}

static int image_copy(struct program_image *image, const struct expr_program *p, const int *fds,
		      const struct program_facts *facts)
{
	const struct bpf_insn *insns = expr_insns(p, &image->count);
	const struct bpf_insn *insns_return = expr_insns_return(p, &image->count_return);
	const struct expr_reloc *relocs;
	size_t count;
	int err = insns_copy(&image->insns, insns, image->count) ?:
			  insns_copy(&image->insns_return, insns_return, image->count_return);

	if (err)
		return err;
	relocs = expr_relocs(p, &count);
	relocate(image->insns, relocs, count, fds, &facts[0]);
	relocs = expr_relocs_return(p, &count);
	relocate(image->insns_return, relocs, count, fds, &facts[1]);
	return 0;
}

int program_image_build(struct program_image *image, const struct expr_program *p,
			struct program_maps *shared, struct program_maps *of_pair,
			const struct program_facts facts[2])
{
	size_t count;
	const struct expr_map *maps = expr_maps(p, &count);
	int *fds = calloc(count + 1, sizeof(*fds)), err = fds ? 0 : -ENOMEM;

	*image = (struct program_image){ 0 };
	for (size_t i = 0; i < count && !err; i++) {
		fds[i] = map_find(image, &maps[i], shared, of_pair);
		err = fds[i] < 0 ? fds[i] : 0;
	}
	if (!err)
		err = image_copy(image, p, fds, facts);
	free(fds);
	if (err)
		program_image_free(image);
	return err;
}

void program_image_free(struct program_image *image)
{
	free(image->insns);
	free(image->insns_return);
	fdset_close(&image->maps);
	*image = (struct program_image){ 0 };
}

/* ---- a growing list of file descriptors ---- */

int fdset_add(struct fdset *l, int fd)
{
	int *fds;

	if (fd < 0)
		return fd;
	fds = realloc(l->fds, (l->count + 1) * sizeof(*fds));
	if (!fds) {
		close(fd);
		return -ENOMEM;
	}
	fds[l->count++] = fd;
	l->fds = fds;
	return 0;
}

void fdset_close(struct fdset *l)
{
	for (size_t i = 0; i < l->count; i++)
		close(l->fds[i]);
	free(l->fds);
	*l = (struct fdset){ 0 };
}
