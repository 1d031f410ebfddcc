/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_section.c - sections of debug information (dwarf_section.h). It does not know what is in them.
 */
#include "symbols/user/dwarf_section.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	PAGE = 4096,
	TRIM_ABOVE = 8 << 20, /* bytes */
};

struct dwarf_window {
	int fd;		     /* owned */
	uint64_t offset;     /* of the section in the file */
	uint64_t held, room; /* bytes that were read, and the limit for them */
	int err;
	bool pages[]; /* true: read */
};

static size_t pages_of(size_t size)
{
	return (size + PAGE - 1) / PAGE;
}

static int window_make(const struct elf_file *e, const Elf64_Shdr *s, struct dwarf_section *to)
{
	struct dwarf_window *w = calloc(1, sizeof(*w) + pages_of(s->sh_size));
	void *bytes = mmap(NULL, s->sh_size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	*to = (struct dwarf_section){ .bytes = bytes, .size = s->sh_size, .window = w };
	if (w)
		w->fd = fcntl(e->fd, F_DUPFD_CLOEXEC, 0);
	if (!w || bytes == MAP_FAILED || w->fd < 0) {
		int err = w && w->fd < 0 ? -errno : -ENOMEM;

		if (bytes != MAP_FAILED)
			munmap(bytes, s->sh_size);
		free(w);
		*to = (struct dwarf_section){ 0 };
		return err;
	}
	w->offset = s->sh_offset;
	w->room = e->room;
	return 0;
}

int dwarf_section_open(const struct elf_file *e, const Elf64_Shdr *s, struct dwarf_section *to)
{
	int err;

	if (e->fd >= 0 && s->sh_size >= DWARF_WINDOW_MIN && s->sh_size <= UINT32_MAX &&
	    !(s->sh_flags & SHF_COMPRESSED) && s->sh_offset <= e->size &&
	    s->sh_size <= e->size - s->sh_offset)
		return window_make(e, s, to);
	*to = (struct dwarf_section){ .was_packed = s->sh_flags & SHF_COMPRESSED };
	err = elf_section_plain(e, s, &to->bytes, &to->size);
	if (err)
		to->bytes = NULL;
	return err;
}

static void section_free(struct dwarf_section *s)
{
	if (s->window) {
		munmap(s->bytes, s->size);
		if (s->window->fd >= 0)
			close(s->window->fd);
		free(s->window);
	} else {
		free(s->bytes);
	}
	*s = (struct dwarf_section){ 0 };
}

void dwarf_sections_free(struct dwarf_section *sections, size_t count)
{
	for (size_t i = 0; i < count; i++)
		section_free(&sections[i]);
}

/* Reads pages that follow each other. On failure they remain zeros. */
static void pages_read(const struct dwarf_section *s, size_t first, size_t end)
{
	struct dwarf_window *w = s->window;
	size_t at = first * PAGE, to = end * PAGE < s->size ? end * PAGE : s->size;
	ssize_t n = 1;

	memset(w->pages + first, true, end - first);
	if (to - at > w->room - w->held) {
		w->err = w->err ?: -EFBIG;
		return;
	}
	w->held += to - at;
	for (; at < to && n; at += n > 0 ? n : 0) {
		n = pread(w->fd, s->bytes + at, to - at, w->offset + at);
		if (n < 0 && errno != EINTR) {
			w->err = w->err ?: -errno;
			return;
		}
	}
	if (at < to) /* the file was truncated in the meantime */
		w->err = w->err ?: -ENOEXEC;
}

void dwarf_section_need(const struct dwarf_section *s, const void *at, uint64_t size)
{
	size_t offset, page, end, first;

	if (!s->window)
		return;
	offset = (const char *)at - s->bytes;
	if (offset >= s->size)
		return;
	end = size < s->size - offset ? pages_of(offset + size) : pages_of(s->size);
	for (page = offset / PAGE; page < end; page++) {
		if (s->window->pages[page])
			continue;
		for (first = page; page < end && !s->window->pages[page];)
			page++;
		pages_read(s, first, page);
	}
}

int dwarf_section_fill(struct dwarf_section *s)
{
	dwarf_section_need(s, s->bytes, s->size);
	if (s->window && s->window->fd >= 0) {
		close(s->window->fd);
		s->window->fd = -1;
	}
	return dwarf_section_error(s);
}

void dwarf_section_trim(const struct dwarf_section *s)
{
	struct dwarf_window *w = s->window;

	if (!w || w->held < TRIM_ABOVE || madvise(s->bytes, s->size, MADV_DONTNEED))
		return;
	memset(w->pages, false, pages_of(s->size));
	w->held = 0;
}

int dwarf_section_error(const struct dwarf_section *s)
{
	return s->window ? s->window->err : 0;
}
