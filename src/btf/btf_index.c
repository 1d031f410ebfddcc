/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_index.c - reads pages when they are needed, measures all types in one pass, and returns types and strings by
 * number.
 *
 * It knows only the size of each kind of type; btf_type.c knows what the kinds mean.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "btf/btf_priv.h"

/* ---- pages ---- */

/* sysfs returns one page per read(2), so a short read is not the end. */
static int read_at(int fd, uint8_t *to, size_t off, size_t len)
{
	while (len) {
		ssize_t n = pread(fd, to, len, off);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			return -EBADMSG;
		to += n;
		off += n;
		len -= n;
	}
	return 0;
}

static size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

static bool page_read(const struct btf_view *b, size_t page)
{
	size_t off = page * VIEW_PAGE;

	if (read_at(b->fd, (uint8_t *)b->data + off, off, min_size(VIEW_PAGE, b->size - off)))
		return false;
	b->have[page / 64] |= 1ull << page % 64;
	return true;
}

bool view_read(const struct btf_view *b, size_t off, size_t len)
{
	for (size_t page = off / VIEW_PAGE; page <= (off + len - 1) / VIEW_PAGE; page++) {
		if (!(b->have[page / 64] >> page % 64 & 1) && !page_read(b, page))
			return false;
	}
	return true;
}

int view_window_init(struct view_window *w, const struct btf_view *b)
{
	*w = (struct view_window){};
	if (b->fd < 0)
		return 0;
	w->buffer = malloc(VIEW_WINDOW);
	return w->buffer ? 0 : -ENOMEM;
}

int view_window_move(struct view_window *w, const struct btf_view *b, uint32_t off, uint32_t end)
{
	w->off = off;
	w->len = end - off;
	w->data = b->data + off;
	if (!w->buffer)
		return 0;
	w->len = min_size(w->len, VIEW_WINDOW);
	w->data = w->buffer;
	return read_at(b->fd, w->buffer, off, w->len);
}

void view_window_free(struct view_window *w)
{
	free(w->buffer);
}

/* ---- the pass over the types ---- */

/* Bytes of a type, and of each of its vlen items. */
static const struct {
	uint16_t fixed, each; /* fixed 0: no such kind */
} kinds[32] = {
#define KIND(kind_, tail_, each_) [kind_] = { sizeof(struct btf_type) + (tail_), each_ }
	KIND(BTF_KIND_INT, sizeof(uint32_t), 0),
	KIND(BTF_KIND_PTR, 0, 0),
	KIND(BTF_KIND_ARRAY, sizeof(struct btf_array), 0),
	KIND(BTF_KIND_STRUCT, 0, sizeof(struct btf_member)),
	KIND(BTF_KIND_UNION, 0, sizeof(struct btf_member)),
	KIND(BTF_KIND_ENUM, 0, sizeof(struct btf_enum)),
	KIND(BTF_KIND_FWD, 0, 0),
	KIND(BTF_KIND_TYPEDEF, 0, 0),
	KIND(BTF_KIND_VOLATILE, 0, 0),
	KIND(BTF_KIND_CONST, 0, 0),
	KIND(BTF_KIND_RESTRICT, 0, 0),
	KIND(BTF_KIND_FUNC, 0, 0), /* its vlen is the linkage */
	KIND(BTF_KIND_FUNC_PROTO, 0, sizeof(struct btf_param)),
	KIND(BTF_KIND_VAR, sizeof(struct btf_var), 0),
	KIND(BTF_KIND_DATASEC, 0, sizeof(struct btf_var_secinfo)),
	KIND(BTF_KIND_FLOAT, 0, 0),
	KIND(BTF_KIND_DECL_TAG, sizeof(struct btf_decl_tag), 0),
	KIND(BTF_KIND_TYPE_TAG, 0, 0),
	KIND(BTF_KIND_ENUM64, 0, sizeof(struct btf_enum64)),
#undef KIND
};

size_t view_type_size(const struct btf_type *t)
{
	unsigned kind = btf_kind(t);

	return kinds[kind].fixed + kinds[kind].each * btf_vlen(t);
}

static void query_answer(struct btf_query *queries, const uint32_t *offsets, size_t count,
			 const struct btf_type *t, uint32_t id)
{
	for (size_t i = 0; i < count; i++) {
		if (offsets[i] == t->name_off && queries[i].kind == btf_kind(t) && !queries[i].id)
			queries[i].id = id;
	}
}

/* A set of name offsets that quickly rejects most others. */
enum { OFFSETS_WORDS = 64 };

static void offsets_gather(uint64_t *set, const uint32_t *offsets, size_t count)
{
	memset(set, 0, OFFSETS_WORDS * sizeof(*set));
	for (size_t i = 0; i < count; i++)
		if (offsets[i])
			set[offsets[i] / 64 % OFFSETS_WORDS] |= 1ull << offsets[i] % 64;
}

static bool offsets_maybe(const uint64_t *set, uint32_t off)
{
	return set[off / 64 % OFFSETS_WORDS] >> off % 64 & 1;
}

/* Measures the types whose headers are in the window. Returns the offset after the last one, or 0 for an impossible
 * type. The hottest loop at start-up (100,000 types), so there is one with labels and one without. */
static inline __attribute__((always_inline)) uint32_t
window_measure(struct btf_view *b, const struct view_window *w, struct btf_query *queries,
	       const uint32_t *offsets, size_t count, uint32_t *labels)
{
	const uint8_t *p = w->data, *stop = w->data + w->len - sizeof(struct btf_type);
	uint64_t set[OFFSETS_WORDS];
	uint32_t id = b->count;

	offsets_gather(set, offsets, count);
	while (p <= stop) {
		const struct btf_type *t = (const void *)p;
		size_t size = view_type_size(t);

		if (size < sizeof(*t)) /* too small even for an unknown kind, whose sizes are 0 */
			return 0;
		if (id % VIEW_STEP == 1)
			b->index[id / VIEW_STEP] = w->off + (p - w->data);
		if (labels)
			labels[id] = t->name_off;
		if (offsets_maybe(set, t->name_off))
			query_answer(queries, offsets, count, t, id + b->base_ids);
		p += size;
		id++;
	}
	b->count = id;
	return w->off + (p - w->data);
}

static uint32_t pass_window(struct btf_view *b, const struct view_window *w,
			    struct btf_query *queries, const uint32_t *offsets, size_t count)
{
	return b->labels ? window_measure(b, w, queries, offsets, count, b->labels) :
			   window_measure(b, w, queries, offsets, count, NULL);
}

static int pass_all(struct btf_view *b, struct view_window *w, struct btf_query *queries,
		    const uint32_t *offsets, size_t count)
{
	uint32_t off = b->types;

	b->count = 1;
	while (off < b->types_end) {
		int err = view_window_move(w, b, off, b->types_end);
		uint32_t next;

		if (err)
			return err;
		if (w->len < sizeof(struct btf_type))
			return -EBADMSG;
		next = pass_window(b, w, queries, offsets, count);
		if (next <= off || next > b->types_end)
			return -EBADMSG;
		off = next;
	}
	return 0;
}

/* Once the names are known, nothing else is read. */
static int pass_labels(const struct btf_view *b, struct btf_query *queries, const uint32_t *offsets,
		       size_t count)
{
	const uint32_t *labels = b->labels, end = b->count;

	for (size_t i = 0; i < count; i++) {
		const uint32_t wanted = offsets[i];

		for (uint32_t id = 1; wanted && id < end && !queries[i].id; id++) {
			while (id < end && labels[id] != wanted)
				id++;
			if (id < end && btf_view_kind(b, id + b->base_ids) == queries[i].kind)
				queries[i].id = id + b->base_ids;
		}
	}
	return 0;
}

int view_pass(const struct btf_view *view, struct btf_query *queries, const uint32_t *offsets,
	      size_t count)
{
	/* cast: every view is created non-const (see btf.h) */
	struct btf_view *b = (struct btf_view *)view;
	struct view_window window;
	int err = b->damage;

	if (!err && b->labels)
		return pass_labels(b, queries, offsets, count);
	if (!err && b->count)
		b->labels = malloc(b->count * sizeof(*b->labels));
	if (!err)
		err = view_window_init(&window, b);
	if (err)
		return err;
	err = pass_all(b, &window, queries, offsets, count);
	view_window_free(&window);
	if (err) {
		b->count = 0;
		b->damage = err;
		free(b->labels);
		b->labels = NULL;
	}
	return err;
}

uint32_t btf_view_count(const struct btf_view *b)
{
	if (!b->count)
		view_pass(b, NULL, NULL, 0);
	return b->count ? b->count + b->base_ids : 0;
}

uint32_t btf_view_first(const struct btf_view *b)
{
	return b->base_ids + 1;
}

static const struct btf_type *type_at(const struct btf_view *b, uint32_t off)
{
	if (!view_need(b, off, sizeof(struct btf_type)))
		return NULL;
	return (const void *)(b->data + off);
}

uint32_t btf_view_string_bytes(const struct btf_view *b)
{
	return b->base_strings + (b->strings_end - b->strings);
}

const struct btf_type *btf_view_type(const struct btf_view *b, uint32_t id)
{
	const struct btf_type *t;
	uint32_t off, at;

	if (id <= b->base_ids)
		return b->base ? btf_view_type(b->base, id) : NULL;
	id -= b->base_ids;
	if (id >= b->count && (b->count || id + b->base_ids >= btf_view_count(b)))
		return NULL;
	at = (id - 1) / VIEW_STEP * VIEW_STEP + 1;
	off = b->index[(id - 1) / VIEW_STEP];
	if (b->near_id >= at && b->near_id <= id) {
		at = b->near_id;
		off = b->near_off;
	}
	t = type_at(b, off);
	for (; t && at < id; at++) {
		off += view_type_size(t);
		t = type_at(b, off);
	}
	if (!t || !view_need(b, off, view_type_size(t)))
		return NULL;
	/* cast: every view is created non-const */
	((struct btf_view *)b)->near_id = id;
	((struct btf_view *)b)->near_off = off;
	return t;
}

const char *btf_view_string(const struct btf_view *b, uint32_t off)
{
	const char *s;
	size_t end;

	if (off < b->base_strings)
		return btf_view_string(b->base, off);
	off -= b->base_strings;
	s = (const char *)b->data + b->strings + off;
	end = b->strings + (size_t)off;
	if (off >= b->strings_end - b->strings)
		return "";
	do {
		size_t from = end;

		end = (end / VIEW_PAGE + 1) * VIEW_PAGE;
		if (end > b->strings_end)
			end = b->strings_end;
		if (!view_need(b, from, end - from))
			return "";
		if (memchr(b->data + from, 0, end - from))
			return s;
	} while (end < b->strings_end);
	return "";
}

const char *btf_view_name(const struct btf_view *b, uint32_t id)
{
	const struct btf_type *t = btf_view_type(b, id);

	return t ? btf_view_string(b, t->name_off) : "";
}

bool btf_view_is_variants(const struct btf_view *b, uint32_t id)
{
	return !strcmp(btf_view_name(b, id), BTF_VARIANTS);
}

unsigned btf_view_kind(const struct btf_view *b, uint32_t id)
{
	const struct btf_type *t = btf_view_type(b, id);

	return t ? btf_kind(t) : BTF_KIND_UNKN;
}
