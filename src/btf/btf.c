/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf.c - opens BTF: maps the file, or reserves memory for its pages, and checks the header.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "btf/btf.h"
#include "btf/btf_priv.h"

static const char kernel_btf[] = BTF_FOLDER "/vmlinux";

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "BTF is read as it lies");

static bool section_fits(const struct btf_view *b, const struct btf_header *h, uint32_t off,
			 uint32_t len)
{
	uint64_t end = (uint64_t)h->hdr_len + off + len;

	return end <= b->size && end <= INT32_MAX && !(off % 4);
}

static int header_read(struct btf_view *b)
{
	const struct btf_header *h = (const void *)b->data;

	if (!view_need(b, 0, sizeof(*h)))
		return -EBADMSG;
	if (h->magic != BTF_MAGIC || h->version != BTF_VERSION || h->hdr_len < sizeof(*h) ||
	    h->hdr_len % 4)
		return -EBADMSG;
	if (!section_fits(b, h, h->type_off, h->type_len) ||
	    !section_fits(b, h, h->str_off & ~3u, h->str_len + (h->str_off & 3)))
		return -EBADMSG;
	b->types = h->hdr_len + h->type_off;
	b->types_end = b->types + h->type_len;
	b->strings = h->hdr_len + h->str_off;
	b->strings_end = b->strings + h->str_len;
	if (!h->str_len) /* a module may use only the base's strings */
		return b->base ? 0 : -EBADMSG;
	if (!view_need(b, b->strings, 1) || !view_need(b, b->strings_end - 1, 1) ||
	    (b->data[b->strings] && !b->base) || b->data[b->strings_end - 1])
		return -EBADMSG;
	return 0;
}

static int base_use(struct btf_view *b)
{
	uint32_t count = b->base ? btf_view_count(b->base) : 1;

	if (!count)
		return -EBADMSG;
	b->base_ids = count - 1;
	b->base_strings = b->base ? btf_view_string_bytes(b->base) : 0;
	return 0;
}

static int view_begin(struct btf_view *b)
{
	int err = header_read(b);
	size_t types;

	if (!err)
		err = base_use(b);
	if (err)
		return err;
	/* room for the largest possible number of types: pages that are never written cost nothing */
	types = (b->types_end - b->types) / sizeof(struct btf_type);
	b->index = malloc((types / VIEW_STEP + 1) * sizeof(*b->index));
	return b->index ? 0 : -ENOMEM;
}

static int pages_reserve(struct btf_view *b)
{
	void *at = mmap(NULL, b->size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (at == MAP_FAILED)
		return -errno;
	/* otherwise touching the first byte would clear a page of 2 MiB */
	madvise(at, b->size, MADV_NOHUGEPAGE);
	b->data = at;
	b->mapped = b->size;
	b->have = calloc(b->size / VIEW_PAGE / 64 + 1, sizeof(*b->have));
	return b->have ? 0 : -ENOMEM;
}

/* Owns fd. */
static int file_map(struct btf_view *b, int fd, bool map)
{
	struct stat st;
	void *at;

	b->fd = fd;
	if (fstat(fd, &st))
		return -errno;
	if (st.st_size < (off_t)sizeof(struct btf_header) || st.st_size > INT32_MAX)
		return -EBADMSG;
	b->size = st.st_size;
	at = map ? mmap(NULL, b->size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
	if (at == MAP_FAILED) /* sysfs cannot be mapped before 6.16 */
		return pages_reserve(b);
	b->data = at;
	b->mapped = b->size;
	close(fd);
	b->fd = -1;
	return 0;
}

static int view_finish(struct btf_view *b, int err, struct btf_view **out)
{
	if (!err)
		err = view_begin(b);
	if (err) {
		btf_view_close(b);
		return err;
	}
	*out = b;
	return 0;
}

static struct btf_view *view_alloc(const struct btf_view *base)
{
	struct btf_view *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->base = base;
	b->fd = -1;
	return b;
}

int view_open(const struct btf_view *base, const char *path, bool map, struct btf_view **out)
{
	struct btf_view *b = view_alloc(base);
	int fd;

	if (!b)
		return -ENOMEM;
	fd = btf_image_open(path);
	return view_finish(b, fd < 0 ? fd : file_map(b, fd, map), out);
}

const char *btf_kernel_file(void)
{
	static char added[sizeof(BTF_ADDED_FOLDER) + sizeof(struct utsname)];
	struct utsname kernel;

	if (!access(kernel_btf, F_OK) || uname(&kernel))
		return kernel_btf;
	snprintf(added, sizeof(added), BTF_ADDED_FOLDER "/%s.btf", kernel.release);
	return access(added, F_OK) ? kernel_btf : added;
}

bool btf_kernel_file_added(void)
{
	return btf_kernel_file() != kernel_btf;
}

int btf_view_open(const char *path, struct btf_view **out)
{
	int err = view_open(NULL, path ?: btf_kernel_file(), true, out);

	if (!err)
		(*out)->running = !path;
	return err;
}

bool btf_view_is_running(const struct btf_view *b)
{
	return b->running;
}

int btf_view_open_split(const struct btf_view *base, const char *path, struct btf_view **out)
{
	return view_open(base, path, true, out);
}

int btf_view_from(const void *data, size_t size, struct btf_view **out)
{
	return btf_view_from_split(NULL, data, size, out);
}

int btf_view_from_split(const struct btf_view *base, const void *data, size_t size,
			struct btf_view **out)
{
	struct btf_view *b = view_alloc(base);

	if (!b)
		return -ENOMEM;
	b->data = data;
	b->size = size;
	return view_finish(b, 0, out);
}

void btf_view_close(struct btf_view *b)
{
	if (!b)
		return;
	if (b->mapped)
		munmap((void *)b->data, b->mapped);
	if (b->fd >= 0)
		close(b->fd);
	free(b->have);
	free(b->index);
	free(b->labels);
	free(b->names.slots);
	btf_lookup_free(&b->known);
	btf_lookup_free(&b->expected);
	free(b->constants.all);
	free(b);
}
