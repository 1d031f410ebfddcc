/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_find.c - finds the sections with a program's debug information: in its own file, or in the separate one, where
 * debuggers and debuginfod's clients look for it.
 */
#include "symbols/user/dwarf_find.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "symbols/user/elf_file.h"
#include "symbols/user/regular_file.h"

enum {
	LINKED_MAX = 2 * ELF_TABLES_MAX, /* bytes of the largest file whose checksum is computed */
	LINK_BYTES = 256,		 /* bytes of a file name with its NUL */
};

struct lines_walk {
	const struct elf_file *file;
	/* names of sections; without the first, the others are useless */
	const char *const *names;
	struct dwarf_section *sections; /* bytes NULL: not found */
	size_t count;
	char build_id[BUILD_ID_SIZE]; /* in hexadecimal, or "" */
	char link[LINK_BYTES];	      /* the file name in .gnu_debuglink, or "" */
	uint32_t crc;		      /* the CRC-32 of that file */
	struct dwarf_link *other;     /* what the debug information refers to; NULL: not wanted */
};

static int lines_visit(void *ctx, const Elf64_Shdr *s)
{
	struct lines_walk *w = ctx;

	for (size_t i = 0; i < w->count; i++) {
		struct dwarf_section *to = &w->sections[i];

		if (!to->bytes && elf_section_is(w->file, s, w->names[i]))
			return dwarf_section_open(w->file, s, to);
	}
	return 0;
}

/* Writes a build ID in hexadecimal. */
static void id_write(char to[BUILD_ID_SIZE], const char *bytes, size_t size)
{
	for (size_t i = 0; i < size && 2 * i + 2 < BUILD_ID_SIZE; i++)
		snprintf(to + 2 * i, 3, "%02x", (unsigned char)bytes[i]);
}

/* A note has a header of three words, the name GNU, and then the id. */
static int build_id_visit(void *ctx, const Elf64_Shdr *s)
{
	struct lines_walk *w = ctx;
	char *bytes;
	int err;

	if (*w->build_id || s->sh_size < 18 || s->sh_size > 16 + sizeof(w->build_id) / 2 - 1 ||
	    !elf_section_is(w->file, s, ".note.gnu.build-id"))
		return 0;
	err = elf_section_bytes(w->file, s, &bytes);
	if (err)
		return err;
	id_write(w->build_id, bytes + 16, s->sh_size - 16);
	free(bytes);
	return 0;
}

int dwarf_build_id_read(int fd, const void *image, size_t size, char id[BUILD_ID_SIZE])
{
	struct elf_file file;
	struct lines_walk w = { .file = &file };
	int err = elf_file_read(&file, fd, image, size);

	err = err ?: elf_sections_each(&file, SHT_NOTE, build_id_visit, &w);
	memcpy(id, w.build_id, sizeof(w.build_id));
	return err;
}

/* Parses .gnu_debuglink, as written by objcopy --add-gnu-debuglink: a name, NULs up to a multiple of four bytes, and
 * the checksum. Any user may have made it: a name with a slash is refused. */
static int link_visit(void *ctx, const Elf64_Shdr *s)
{
	struct lines_walk *w = ctx;
	size_t crc_at = s->sh_size - sizeof(w->crc);
	char *bytes;
	int err;

	if (*w->link || s->sh_size < 8 || crc_at > sizeof(w->link) ||
	    !elf_section_is(w->file, s, ".gnu_debuglink"))
		return 0;
	err = elf_section_bytes(w->file, s, &bytes);
	if (err)
		return err;
	memcpy(&w->crc, bytes + crc_at, sizeof(w->crc));
	bytes[crc_at] = '\0';
	if (strlen(bytes) < sizeof(w->link) && !strchr(bytes, '/'))
		strcpy(w->link, bytes);
	free(bytes);
	return 0;
}

bool dwarf_path_of(int fd, char *path, size_t room)
{
	char own[32];
	ssize_t size;

	snprintf(own, sizeof(own), "/proc/self/fd/%d", fd);
	size = readlink(own, path, room - 1);
	if (size <= 0 || *path != '/')
		return false;
	path[size] = '\0';
	return true;
}

/* Finds the folder that an open file is in. */
static bool folder_of(int fd, char *folder, size_t room)
{
	if (!dwarf_path_of(fd, folder, room))
		return false;
	*strrchr(folder, '/') = '\0';
	return true;
}

/* Parses .gnu_debugaltlink: a path, a NUL, and the build ID. */
static int other_visit(void *ctx, const Elf64_Shdr *s)
{
	struct lines_walk *w = ctx;
	size_t len;
	char *bytes;
	int err;

	if (*w->other->id || s->sh_size > LINK_PATH_SIZE + BUILD_ID_SIZE ||
	    !elf_section_is(w->file, s, ".gnu_debugaltlink"))
		return 0;
	err = elf_section_bytes(w->file, s, &bytes);
	if (err)
		return err;
	len = strlen(bytes);
	if (len < sizeof(w->other->path) && len + 1 < s->sh_size) {
		strcpy(w->other->path, bytes);
		id_write(w->other->id, bytes + len + 1, s->sh_size - len - 1);
	}
	free(bytes);
	return 0;
}

/* Makes a path relative to the file `fd` absolute. */
static void path_complete(int fd, char path[LINK_PATH_SIZE])
{
	char folder[LINK_PATH_SIZE], whole[2 * LINK_PATH_SIZE];

	if (!*path || *path == '/')
		return;
	if (!folder_of(fd, folder, sizeof(folder)) ||
	    snprintf(whole, sizeof(whole), "%s/%s", folder, path) >= LINK_PATH_SIZE)
		*whole = '\0';
	strcpy(path, whole);
}

/* Reads the sections of one file; without the first, the others are dropped. */
static int sections_read(struct lines_walk *w, struct elf_file *file, int fd, const void *image,
			 size_t size)
{
	int err = elf_file_read(file, fd, image, size);

	w->file = file;
	if (!err && !w->sections[0].bytes)
		err = elf_sections_each(file, SHT_PROGBITS, lines_visit, w);
	if (!err && w->other && w->sections[0].bytes) {
		err = elf_sections_each(file, SHT_PROGBITS, other_visit, w);
		path_complete(fd, w->other->path);
	}
	if (!err && !w->sections[0].bytes)
		err = elf_sections_each(file, SHT_NOTE, build_id_visit, w);
	if (!err && !w->sections[0].bytes)
		err = elf_sections_each(file, SHT_PROGBITS, link_visit, w);
	return err;
}

static bool crc_is(int fd, uint64_t size, uint32_t crc)
{
	unsigned char buf[16 << 10];
	uLong sum = crc32(0, NULL, 0);
	ssize_t n = 1;

	if (size > LINKED_MAX)
		return false;
	for (uint64_t at = 0; at < size && n > 0; at += n) {
		n = pread(fd, buf, sizeof(buf), at);
		sum = n > 0 ? crc32(sum, buf, n) : sum;
	}
	return n > 0 && sum == crc;
}

static bool id_is(int fd, const char *id)
{
	char own[BUILD_ID_SIZE];

	return !dwarf_build_id_read(fd, NULL, 0, own) && !strcmp(own, id);
}

enum found_by { BY_NAME, BY_ID, BY_LINK };

/* Reads a separate file. If it is missing, or one of another build, that is no error. */
static int separate_read(struct lines_walk *w, const char *path, enum found_by by)
{
	struct elf_file file;
	struct stat st;
	int fd = regular_open_found(regular_find(path, &st)), err = 0;

	if (fd < 0)
		return 0;
	if (by == BY_NAME || (by == BY_ID && id_is(fd, w->build_id)) ||
	    (by == BY_LINK && crc_is(fd, st.st_size, w->crc)))
		err = sections_read(w, &file, fd, NULL, 0);
	close(fd);
	return err;
}

/* Writes where debuginfod's clients keep what they fetched. */
static bool fetched_path(const char *build_id, char *path, size_t size)
{
	static const struct {
		const char *variable, *below;
	} places[] = { { "DEBUGINFOD_CACHE_PATH", "" },
		       { "XDG_CACHE_HOME", "/debuginfod_client" },
		       { "HOME", "/.cache/debuginfod_client" } };

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		const char *folder = getenv(places[i].variable);

		if (folder && *folder)
			return (size_t)snprintf(path, size, "%s%s/%s/debuginfo", folder,
						places[i].below, build_id) < size;
	}
	return false;
}

static const char *folders; /* DIR[:DIR]; NULL: none */

void dwarf_folders_set(const char *list)
{
	folders = list;
}

const char *dwarf_folder_next(const char **at, int *len)
{
	const char *folder = *at ?: folders;

	if (!folder || !*folder)
		return NULL;
	*len = (int)strcspn(folder, ":");
	*at = folder + *len + (folder[*len] == ':');
	return folder;
}

/* Searches the folders that the user names: by build ID, then by the name that the program gives. */
static int by_folders_read(struct lines_walk *w)
{
	char path[PATH_MAX];
	int err = 0, len;

	for (const char *at = folders; at && *at && !err && !w->sections[0].bytes;
	     at += len + (at[len] == ':')) {
		len = (int)strcspn(at, ":");
		snprintf(path, sizeof(path), "%.*s/.build-id/%.2s/%s.debug", len, at, w->build_id,
			 *w->build_id ? w->build_id + 2 : "");
		err = separate_read(w, path, BY_ID);
		if (err || w->sections[0].bytes || !*w->link)
			continue;
		snprintf(path, sizeof(path), "%.*s/%s", len, at, w->link);
		err = separate_read(w, path, BY_LINK);
	}
	return err;
}

static int by_build_id_read(struct lines_walk *w)
{
	char path[PATH_MAX];
	int err;

	snprintf(path, sizeof(path), "/usr/lib/debug/.build-id/%.2s/%s.debug", w->build_id,
		 w->build_id + 2);
	err = separate_read(w, path, BY_ID);
	if (!err && !w->sections[0].bytes && fetched_path(w->build_id, path, sizeof(path)))
		err = separate_read(w, path, BY_ID);
	return err;
}

/* Searches where debuggers do: next to the program, in .debug there, and below /usr/lib/debug. */
static int by_link_read(struct lines_walk *w, int fd)
{
	static const char *const places[] = { "%s/%s", "%s/.debug/%s", "/usr/lib/debug%s/%s" };
	char folder[PATH_MAX], path[PATH_MAX + LINK_BYTES + 32];
	int err = 0;

	if (!folder_of(fd, folder, sizeof(folder)))
		return 0;
	for (size_t i = 0; i < 3 && !err && !w->sections[0].bytes; i++) {
		snprintf(path, sizeof(path), places[i], folder, w->link);
		err = separate_read(w, path, BY_LINK);
	}
	return err;
}

/* Reads them from the file, or from the one that contains its debug information. */
static int found_read(struct lines_walk *w, int fd, const void *image, size_t size)
{
	struct elf_file file;
	int err;

	memset(w->sections, 0, w->count * sizeof(*w->sections));
	err = sections_read(w, &file, fd, image, size);
	if (!err && !w->sections[0].bytes)
		err = by_folders_read(w);
	if (!err && *w->build_id && !w->sections[0].bytes)
		err = by_build_id_read(w);
	if (!err && *w->link && !w->sections[0].bytes)
		err = by_link_read(w, fd);
	if (err)
		dwarf_sections_free(w->sections, w->count);
	return err;
}

int dwarf_sections_read(int fd, const void *image, size_t size, const char *const *names,
			struct dwarf_section *sections, size_t count)
{
	struct lines_walk w = { .names = names, .sections = sections, .count = count };

	return found_read(&w, fd, image, size);
}

int dwarf_linking_read(int fd, const char *const *names, struct dwarf_section *sections,
		       size_t count, struct dwarf_link *link)
{
	struct lines_walk w = {
		.names = names, .sections = sections, .count = count, .other = link
	};

	return found_read(&w, fd, NULL, 0);
}

int dwarf_linked_read(const struct dwarf_link *link, const char *const *names,
		      struct dwarf_section *sections, size_t count)
{
	struct lines_walk w = { .names = names, .sections = sections, .count = count };
	int err;

	memcpy(w.build_id, link->id, sizeof(w.build_id));
	err = separate_read(&w, link->path, BY_ID);
	if (!err && !sections[0].bytes)
		err = by_build_id_read(&w);
	return err;
}

int dwarf_named_read(const char *path, const char *const *names, struct dwarf_section *sections,
		     size_t count)
{
	struct lines_walk w = { .names = names, .sections = sections, .count = count };
	int err;

	memset(sections, 0, count * sizeof(*sections));
	err = separate_read(&w, path, BY_NAME);
	if (err)
		dwarf_sections_free(sections, count);
	return err;
}
