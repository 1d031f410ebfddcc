/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vmlinux.c - finds the kernel's file with debug information, and compares its build ID with that of the running kernel
 * (/sys/kernel/notes: the notes of elf(5)).
 */
#include "symbols/user/vmlinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "kernel/config.h"
#include "symbols/user/elf_file.h"

static const char *const places[] = { KERNEL_DEBUG_FILES };

enum { NOTES_MAX = 64 << 10, ID_MAX = 64 };

struct id {
	unsigned char bytes[ID_MAX];
	size_t size; /* 0: none */
};

/* A note has a header of three words (sizes of name and value, type), then name and value, each padded to words. */
static struct id id_find(const char *notes, size_t size)
{
	struct id id = { .size = 0 };

	for (size_t at = 0; at + sizeof(Elf64_Nhdr) <= size;) {
		Elf64_Nhdr head;
		size_t name = at + sizeof(head), value, end;

		memcpy(&head, notes + at, sizeof(head));
		value = name + ((head.n_namesz + 3ull) & ~3ull);
		end = value + ((head.n_descsz + 3ull) & ~3ull);
		if (end > size || end <= at)
			break;
		if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == sizeof("GNU") &&
		    !memcmp(notes + name, "GNU", sizeof("GNU")) && head.n_descsz <= ID_MAX) {
			memcpy(id.bytes, notes + value, head.n_descsz);
			id.size = head.n_descsz;
		}
		at = end;
	}
	return id;
}

static struct id running_id(void)
{
	static char notes[NOTES_MAX];
	int fd = open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);
	ssize_t size = fd < 0 ? 0 : read(fd, notes, sizeof(notes));

	if (fd >= 0)
		close(fd);
	return id_find(notes, size > 0 ? (size_t)size : 0);
}

struct notes_walk {
	const struct elf_file *file;
	struct id id;
};

static int notes_visit(void *ctx, const Elf64_Shdr *s)
{
	struct notes_walk *w = ctx;
	char *bytes;

	if (w->id.size || s->sh_size > NOTES_MAX || elf_section_bytes(w->file, s, &bytes))
		return 0;
	w->id = id_find(bytes, s->sh_size);
	free(bytes);
	return 0;
}

/* True if nothing says that the file is of another build. */
static bool is_of_this_kernel(int fd)
{
	struct elf_file file;
	struct notes_walk w = { .file = &file };
	struct id running = running_id();

	if (!elf_file_read(&file, fd, NULL, 0))
		elf_sections_each(&file, SHT_NOTE, notes_visit, &w);
	return !running.size || !w.id.size ||
	       (running.size == w.id.size && !memcmp(running.bytes, w.id.bytes, w.id.size));
}

static int try(const char *path, bool any)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (any || is_of_this_kernel(fd))
		return fd;
	close(fd);
	return -ESTALE;
}

int vmlinux_open(const char *given, bool any, char *path, size_t size)
{
	struct utsname kernel;
	int fd = -ENOENT;

	if (given) {
		snprintf(path, size, "%s", given);
		return try(given, any);
	}
	*path = '\0';
	if (uname(&kernel))
		return -errno;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && fd == -ENOENT; i++) {
		snprintf(path, size, places[i], kernel.release);
		fd = try(path, any);
	}
	return fd;
}
