/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_split.c - debug information that compilers leave in files of its own (gcc -gsplit-dwarf): DWARF 5, section
 * 7.3.
 *
 * The program's file has a skeleton of each unit, with the name of its file (.dwo), or all units are packed into one
 * (PROGRAM.dwp). Both are appended to the program's sections, so that nothing else has to know: a unit only remembers
 * where its own pieces begin. Any user may have made the files.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "symbols/user/dwarf_split.h"
#include "util/array.h"
#include "util/log.h"

enum {
	UNITS_MAX = 4096, /* files that are read for one program */
	UNITS_TRIED =
		64, /* at the start of a program: without a skeleton among them, it has none */
	BYTES_MAX = 512 << 20, /* of a section with all that is appended */
};

/* Where each section is appended. */
static const int targets[OWN_PIECES] = { INFO_ENTRIES,	   INFO_ABBREVS,   INFO_STR,
					 INFO_STR_OFFSETS, INFO_LOCATIONS, INFO_RANGES };

/* ---- skeletons ---- */

struct skeletons {
	struct skeleton *all; /* owned */
	size_t count, room;
};

static void skeletons_free(struct skeletons *s)
{
	for (size_t i = 0; i < s->count; i++) {
		free(s->all[i].name);
		free(s->all[i].folder);
	}
	free(s->all);
}

static int skeleton_add(struct skeletons *s, const struct dwarf_unit *u)
{
	struct skeleton *k;

	if (!ARRAY_RESERVE(s->all, s->count, s->room, 16))
		return -ENOMEM;
	k = &s->all[s->count++];
	*k = (struct skeleton){ .id = u->split.id,
				.addresses = u->addresses,
				.low_pc = u->low_pc,
				.extent = u->extent,
				.name = strdup(u->split.name),
				.folder = u->split.folder ? strdup(u->split.folder) : NULL };
	return k->name && !k->folder == !u->split.folder ? 0 : -ENOMEM;
}

static int skeletons_read(const struct dwarf_info *info, struct skeletons *s)
{
	const struct dwarf_section *section = &info->sections[INFO_ENTRIES];
	struct dwarf_bytes all = dwarf_bytes(section->bytes, section->size);
	struct dwarf_unit u = { 0 };
	bool is_old = false; /* split as in DWARF 4, where units of programs have no type */
	size_t others = 0;
	int err = 0;

	if (!info->sections[INFO_ADDRESSES].bytes)
		return 0;
	while (!err && s->count < UNITS_MAX && (s->count || others < UNITS_TRIED) &&
	       dwarf_left(&all) && dwarf_unit_next(info, &all, &u)) {
		if (u.split.id && u.split.name)
			err = skeleton_add(s, &u);
		else
			others++;
		is_old |= u.split.id && !u.split.name;
	}
	if (is_old)
		log_note(
			"types are missing: what is split as in DWARF 4 is not read, only DWARF 5 (-gdwarf-5)");
	dwarf_unit_free(&u);
	return err;
}

/* ---- appending ---- */

struct joined {
	struct dwarf_info *info;
	struct {
		char *bytes; /* owned */
		size_t size, room;
	} sections[INFO_SECTIONS];
	uint64_t shared_at; /* where the texts that packed units share begin … */
	bool has_shared;    /* … once they are there */
};

/* Returns 0, -EFBIG or -ENOMEM. */
static int bytes_append(struct joined *j, int to, struct dwarf_bytes b, uint64_t *at)
{
	size_t size = j->sections[to].size, more = dwarf_left(&b);

	if (more > BYTES_MAX - size)
		return -EFBIG;
	if (size + more >= j->sections[to].room) {
		size_t room = 2 * (size + more) + 4096;
		char *bytes = realloc(j->sections[to].bytes, room);

		if (!bytes)
			return -ENOMEM;
		j->sections[to].bytes = bytes;
		j->sections[to].room = room;
	}
	if (more)
		memcpy(j->sections[to].bytes + size, b.at, more);
	j->sections[to].bytes[size + more] = '\0';
	j->sections[to].size += more;
	*at = size;
	return 0;
}

static int unit_append(struct joined *j, const struct skeleton *k, const struct unit_pieces *p,
		       bool is_packed)
{
	struct dwarf_splits *s = j->info->splits;
	struct split *to;
	int err = 0;

	if (!ARRAY_RESERVE(s->all, s->count, s->room, 16))
		return -ENOMEM;
	to = &s->all[s->count];
	*to = (struct split){ .skeleton = *k };
	to->skeleton.name = to->skeleton.folder = NULL;
	for (int i = 0; i < OWN_PIECES && !err; i++) {
		bool is_shared = is_packed && i == OWN_STR;

		if (is_shared && j->has_shared)
			to->at[i] = j->shared_at;
		else
			err = bytes_append(j, targets[i], p->of[i], &to->at[i]);
		if (is_shared && !err) {
			j->shared_at = to->at[i];
			j->has_shared = true;
		}
	}
	to->offset = (uint32_t)to->at[OWN_ENTRIES];
	s->count += !err;
	return err;
}

/* ---- the files ---- */

struct search {
	char program[PATH_MAX]; /* "": unknown */
	struct dwarf_section packed[OWN_SECTIONS];
};

/* Appends the unit if the file has it. */
static int file_append(struct joined *j, const struct skeleton *k, const char *path, bool *found)
{
	struct dwarf_section sections[OWN_SECTIONS];
	struct unit_pieces p;
	int err = dwarf_named_read(path, dwarf_own_names, sections, OWN_SECTIONS);

	if (err)
		return 0; /* damaged: as if it were missing */
	for (int i = 0; i < OWN_SECTIONS && !err; i++)
		err = dwarf_section_fill(&sections[i]);
	if (!err && dwarf_own_find(sections, k->id, &p)) {
		err = unit_append(j, k, &p, false);
		*found = !err;
	}
	dwarf_sections_free(sections, OWN_SECTIONS);
	return err;
}

static const char *last_component(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Searches where the compiler left the file, next to the program, and in the folders that the user names. */
static int unit_search(struct joined *j, struct search *s, const struct skeleton *k, bool *found)
{
	char path[2 * PATH_MAX];
	const char *at = NULL, *folder;
	int err = 0, len;

	if (*k->name == '/' || k->folder) {
		snprintf(path, sizeof(path), "%s%s%s", *k->name == '/' ? "" : k->folder,
			 *k->name == '/' ? "" : "/", k->name);
		err = file_append(j, k, path, found);
	}
	if (!err && !*found && *s->program) {
		len = (int)(last_component(s->program) - s->program);
		snprintf(path, sizeof(path), "%.*s%s", len, s->program, last_component(k->name));
		err = file_append(j, k, path, found);
	}
	while (!err && !*found && (folder = dwarf_folder_next(&at, &len))) {
		snprintf(path, sizeof(path), "%.*s/%s", len, folder, last_component(k->name));
		err = file_append(j, k, path, found);
	}
	return err;
}

static int unit_find(struct joined *j, struct search *s, const struct skeleton *k, bool *found)
{
	struct unit_pieces p;

	if (!dwarf_packed_find(s->packed, k->id, &p))
		return unit_search(j, s, k, found);
	*found = true;
	return unit_append(j, k, &p, true);
}

static int packed_open(int fd, struct search *s)
{
	char path[PATH_MAX + 8];
	int err = 0;

	memset(s->packed, 0, sizeof(s->packed));
	if (!dwarf_path_of(fd, s->program, sizeof(s->program)))
		*s->program = '\0';
	snprintf(path, sizeof(path), "%s.dwp", s->program);
	if (!*s->program || dwarf_named_read(path, dwarf_own_names, s->packed, OWN_SECTIONS))
		return 0;
	for (int i = 0; i < OWN_SECTIONS && !err; i++)
		err = dwarf_section_fill(&s->packed[i]);
	return err;
}

/* Starts with the program's own sections. */
static int joined_begin(struct joined *j)
{
	uint64_t at;
	int err = 0;

	for (int i = 0; i < OWN_PIECES && !err; i++) {
		struct dwarf_section *from = &j->info->sections[targets[i]];

		err = dwarf_section_fill(from) ?:
			      bytes_append(j, targets[i], dwarf_own_section(from), &at);
	}
	return err;
}

static void joined_end(struct joined *j, bool is_used)
{
	for (int i = 0; i < OWN_PIECES; i++) {
		int to = targets[i];

		if (!is_used) {
			free(j->sections[to].bytes);
			continue;
		}
		dwarf_sections_free(&j->info->sections[to], 1);
		j->info->sections[to] = (struct dwarf_section){ .bytes = j->sections[to].bytes,
								.size = j->sections[to].size };
	}
}

static int units_append(int fd, struct dwarf_info *info, const struct skeletons *skeletons)
{
	struct joined j = { .info = info };
	const char *missing = NULL;
	struct search *s = calloc(1, sizeof(*s));
	int err;

	info->splits = calloc(1, sizeof(*info->splits));
	err = s && info->splits ? packed_open(fd, s) ?: joined_begin(&j) : -ENOMEM;
	for (size_t i = 0; i < skeletons->count && !err; i++) {
		bool found = false;

		err = unit_find(&j, s, &skeletons->all[i], &found);
		if (!found && !missing)
			missing = skeletons->all[i].name;
	}
	err = err == -EFBIG ? 0 : err; /* the rest is left out */
	joined_end(&j, !err);
	if (s)
		dwarf_sections_free(s->packed, OWN_SECTIONS);
	free(s);
	if (!err && missing)
		log_note(
			"types may be missing: debug information is in a file that is not found, %s",
			missing);
	return err;
}

int dwarf_split_read(int fd, struct dwarf_info *info)
{
	struct skeletons skeletons = { 0 };
	int err = skeletons_read(info, &skeletons);

	if (!err && skeletons.count)
		err = units_append(fd, info, &skeletons);
	skeletons_free(&skeletons);
	return err;
}
