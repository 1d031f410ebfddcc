/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcore.c - finds the segment that contains an address, and reads its bytes from the file.
 */
#include "symbols/kernel/kcore.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SEGMENTS_MAX = 4096 };

struct kcore {
	int fd;
	size_t count;
	Elf64_Phdr segments[];
};

static int header_read(int fd, Elf64_Ehdr *h)
{
	ssize_t n = pread(fd, h, sizeof(*h), 0);

	if (n < 0)
		return -errno;
	if (n != sizeof(*h) || memcmp(h->e_ident, ELFMAG, SELFMAG) ||
	    h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_phentsize != sizeof(Elf64_Phdr) ||
	    h->e_phnum > SEGMENTS_MAX)
		return -EBADMSG;
	return 0;
}

static int segments_read(int fd, struct kcore **k)
{
	Elf64_Ehdr h;
	int err = header_read(fd, &h);
	size_t size = err ? 0 : h.e_phnum * sizeof(Elf64_Phdr);

	if (err)
		return err;
	*k = calloc(1, sizeof(**k) + size);
	if (!*k)
		return -ENOMEM;
	(*k)->fd = fd;
	(*k)->count = h.e_phnum;
	if (pread(fd, (*k)->segments, size, h.e_phoff) == (ssize_t)size)
		return 0;
	free(*k);
	return -EBADMSG;
}

int kcore_open(const char *path, struct kcore **k)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	err = segments_read(fd, k);
	if (err)
		close(fd);
	return err;
}

ssize_t kcore_read(const struct kcore *k, uint64_t address, void *bytes, size_t size)
{
	for (size_t i = 0; i < k->count; i++) {
		const Elf64_Phdr *s = &k->segments[i];
		uint64_t at = address - s->p_vaddr;
		ssize_t n;

		if (s->p_type != PT_LOAD || address < s->p_vaddr || at >= s->p_filesz)
			continue;
		if (size > s->p_filesz - at)
			size = s->p_filesz - at;
		n = pread(k->fd, bytes, size, s->p_offset + at);
		return n < 0 ? -errno : n;
	}
	return -EFAULT;
}

void kcore_close(struct kcore *k)
{
	if (!k)
		return;
	close(k->fd);
	free(k);
}
