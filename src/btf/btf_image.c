/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_image.c - finds the BTF in a kernel's file, in whatever it is packed.
 */
#include "btf/btf.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "btf/bpf_elf.h"
#include "kernel/capabilities.h"
#include "util/unpack.h"

#define DEPTH_MAX 3 /* levels of packing: an Image.gz in an EFI image */

struct bytes {
	const uint8_t *at;
	size_t size;
};

static const char *unread; /* the format of the last -ENOPKG */

static uint32_t word_at(struct bytes b, size_t off)
{
	uint32_t word = 0;

	if (off <= b.size && b.size - off >= sizeof(word))
		memcpy(&word, b.at + off, sizeof(word));
	return word;
}

static struct bytes part(struct bytes b, uint64_t off, uint64_t size)
{
	if (off > b.size || size > b.size - off)
		return (struct bytes){ 0 };
	return (struct bytes){ b.at + off, size };
}

static bool begins(struct bytes b, size_t off, const void *magic, size_t size)
{
	return off <= b.size && size <= b.size - off && !memcmp(b.at + off, magic, size);
}

/* ---- files in memory ---- */

static int map(int fd, struct bytes *b)
{
	struct stat st;
	void *at;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode) || !st.st_size)
		return -EBADMSG;
	at = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (at == MAP_FAILED)
		return -errno;
	*b = (struct bytes){ at, st.st_size };
	return 0;
}

/* Creates a file with these bytes, open at its start. */
static int file_of(struct bytes b)
{
	int fd = memfd_create("btf", MFD_CLOEXEC);
	size_t done = 0;

	while (fd >= 0 && done < b.size) {
		ssize_t n = write(fd, b.at + done, b.size - done);

		if (n <= 0) {
			close(fd);
			return -EIO;
		}
		done += n;
	}
	return fd < 0 || lseek(fd, 0, SEEK_SET) ? -errno : fd;
}

/* ---- packed images ---- */

/* Finds the payload by x86's boot protocol (Documentation/arch/x86/boot.rst): it follows the real-mode sectors. */
static struct bytes payload_x86(struct bytes b)
{
	uint64_t sectors = word_at(b, 0x1f1) & 0xff;

	if (!begins(b, 0x202, "HdrS", 4) || (word_at(b, 0x206) & 0xffff) < 0x208)
		return b;
	return part(b, ((sectors ?: 4) + 1) * 512 + word_at(b, 0x248), word_at(b, 0x24c));
}

/* Finds the payload of an EFI image that unpacks itself (drivers/firmware/efi/libstub/zboot-header.S). */
static struct bytes payload(struct bytes b)
{
	if (begins(b, 0, "MZ", 2) && begins(b, 4, "zimg", 4))
		return part(b, word_at(b, 8), word_at(b, 12));
	return payload_x86(b);
}

/* Returns an fd of the unpacked bytes; -EBADMSG if they are not packed. */
static int unpack(struct bytes b)
{
	int to, err;

	if (!unpack_format(b.at, b.size))
		return -EBADMSG;
	to = memfd_create("image", MFD_CLOEXEC);
	err = to < 0 ? -errno : unpack_to(to, b.at, b.size);
	if (err == -ENOPKG)
		unread = unpack_format(b.at, b.size);
	if (err && to >= 0)
		close(to);
	return err ?: to;
}

/* ---- BTF among other bytes ---- */

static struct bytes btf_at(struct bytes b, size_t off)
{
	struct btf_header h;

	if (b.size - off < sizeof(h))
		return (struct bytes){ 0 };
	memcpy(&h, b.at + off, sizeof(h));
	if (h.hdr_len != sizeof(h) || h.type_off || h.str_off != h.type_len)
		return (struct bytes){ 0 };
	return part(b, off, sizeof(h) + (uint64_t)h.str_off + h.str_len);
}

/* An arm64 image has no sections: the largest BTF in it is the kernel's. */
static struct bytes btf_search(struct bytes b)
{
	const uint8_t magic[] = { BTF_MAGIC & 0xff, BTF_MAGIC >> 8, BTF_VERSION, 0 };
	struct bytes best = { 0 };
	const uint8_t *at = b.at;

	while ((at = memmem(at, b.size - (at - b.at), magic, sizeof(magic)))) {
		struct bytes one = btf_at(b, at - b.at);

		if (one.size > best.size)
			best = one;
		at++;
	}
	return best;
}

static struct bytes btf_find(struct bytes b)
{
	struct bytes found = { 0 };

	if (begins(b, 0, ELFMAG, SELFMAG))
		found.at = bpf_elf_section(b.at, b.size, ".BTF", &found.size);
	return found.at ? found : btf_search(b);
}

static int image_read(int fd, int depth)
{
	struct bytes file = { 0 }, found = { 0 };
	int err = map(fd, &file), inner;

	if (err)
		return err;
	inner = depth < DEPTH_MAX ? unpack(payload(file)) : -EBADMSG;
	if (inner >= 0) {
		err = image_read(inner, depth + 1);
		close(inner);
	} else if (inner == -EBADMSG) {
		found = btf_find(file);
		err = found.size ? file_of(found) : -EBADMSG;
	} else {
		err = inner;
	}
	munmap((void *)file.at, file.size);
	return err;
}

/* ---- opening ---- */

static bool is_raw(int fd)
{
	uint16_t magic = 0;

	return pread(fd, &magic, sizeof(magic), 0) == sizeof(magic) && magic == BTF_MAGIC;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_dev == b->st_dev && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static int inside(int fd)
{
	static struct stat known;
	static int answer = -1;
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	if (answer < 0 || !is_same(&st, &known)) {
		int found = image_read(fd, 0);

		if (found < 0)
			return found;
		if (answer >= 0)
			close(answer);
		answer = found;
		known = st;
	}
	return fcntl(answer, F_DUPFD_CLOEXEC, 0);
}

int btf_image_open(const char *path)
{
	int fd = own_open(path, O_RDONLY), inner;

	if (fd < 0)
		return fd;
	if (is_raw(fd))
		return fd;
	inner = inside(fd);
	close(fd);
	return inner;
}

const char *btf_image_why(int err)
{
	static char text[80];

	if (err == -EBADMSG)
		return "it contains no BTF";
	if (err != -ENOPKG)
		return strerror(-err);
	snprintf(text, sizeof(text), "it is compressed by %s: unpack it first (%s -dc)", unread,
		 unread);
	return text;
}
