/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_min.c - reduces the kernel's types to the members that an object names.
 *
 * A struct keeps its size and the members that our version also has. Each member gets the kernel's offset and moves
 * out of anonymous structs: libbpf adds up the offsets on the way anyway. Pointers point to void and enums have no
 * values: libbpf compares only their kind (relo_core.c, bpf_core_fields_are_compat). If the kernel has several
 * structs of a name, the first is used, as in `make check`.
 */
#include "btf/btf_min.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "btf/bpf_elf.h"

#define SUFFIX		       "___" /* marks a second layout of a struct; libbpf ignores it */
#define MEMBERS_MAX	       64
#define BUILT_MAX	       128
#define INFO(kind, flag, vlen) ((uint32_t)(flag) << 31 | (kind) << 24 | (vlen)) /* of btf_type */

/* The part of .BTF.ext that is used: Documentation/bpf/btf.rst */
struct ext_header {
	uint16_t magic;
	uint8_t version, flags;
	uint32_t header_len;
	uint32_t func_info_off, func_info_len; /* offsets are from the end of the header */
	uint32_t line_info_off, line_info_len;
	uint32_t core_relo_off, core_relo_len;
};

struct ext_group { /* followed by the relocations of a section */
	uint32_t section_name, count;
};

/* ---- reading the relocations of the object ---- */

static int root_add(struct btf_min *m, const struct bpf_core_relo *r)
{
	const struct btf_type *t;

	if (r->kind == BPF_CORE_TYPE_ID_LOCAL)
		return 0;
	if (r->kind > BPF_CORE_FIELD_RSHIFT_U64 && r->kind != BPF_CORE_TYPE_EXISTS &&
	    r->kind != BPF_CORE_TYPE_SIZE)
		return -EOPNOTSUPP;
	for (size_t i = 0; i < m->root_count; i++)
		if (m->roots[i] == r->type_id)
			return 0;
	t = btf_view_type(m->ours, r->type_id);
	if (m->root_count == BTF_MIN_ROOTS || !t || !btf_is_composite(t) || !t->name_off)
		return -EOPNOTSUPP;
	m->roots[m->root_count++] = r->type_id;
	return 0;
}

static int roots_find(struct btf_min *m, const void *data, size_t size)
{
	const struct ext_header *h = data;
	const char *p, *end;
	int err = 0;

	if (size < sizeof(*h) || h->header_len < sizeof(*h) ||
	    size - h->header_len < (uint64_t)h->core_relo_off + h->core_relo_len)
		return -EBADMSG;
	p = (const char *)data + h->header_len + h->core_relo_off;
	end = p + h->core_relo_len;
	if (p < end && *(const uint32_t *)p != sizeof(struct bpf_core_relo))
		return -EOPNOTSUPP;
	for (p += sizeof(uint32_t); !err && p < end;) {
		const struct ext_group *g = (const void *)p;
		const struct bpf_core_relo *r = (const void *)(g + 1);

		for (uint32_t i = 0; !err && i < g->count; i++)
			err = root_add(m, &r[i]);
		p = (const char *)&r[g->count];
	}
	return err;
}

int btf_min_open(struct btf_min *m, const void *elf, size_t size)
{
	size_t types_size, ext_size;
	const void *types = bpf_elf_section(elf, size, ".BTF", &types_size);
	const void *ext = bpf_elf_section(elf, size, ".BTF.ext", &ext_size);
	int err;

	*m = (struct btf_min){ 0 };
	err = types && ext ? btf_view_from(types, types_size, &m->ours) : -EBADMSG;
	if (!err)
		err = roots_find(m, ext, ext_size);
	if (err)
		btf_min_close(m);
	return err;
}

void btf_min_close(struct btf_min *m)
{
	btf_view_close(m->ours);
	*m = (struct btf_min){ 0 };
}

static size_t essential_len(const char *name)
{
	const char *suffix = strstr(name, SUFFIX);

	return suffix && suffix != name ? (size_t)(suffix - name) : strlen(name);
}

void btf_min_want(const struct btf_min *m, struct btf_lookup *w)
{
	for (size_t i = 0; i < m->root_count; i++) {
		const char *name = btf_view_name(m->ours, m->roots[i]);

		btf_lookup_add(w, btf_view_kind(m->ours, m->roots[i]), name, essential_len(name));
	}
}

/* ---- building the types ---- */

struct bytes {
	uint8_t *data;
	size_t len, room;
};

struct maker {
	const struct btf_view *ours, *kernel;
	struct bytes types, strings;
	uint32_t count; /* number of types; their ids are 1 … count */
	struct {
		uint32_t ours, kernel, id;
	} built[BUILT_MAX];
	size_t built_count;
	int err;
};

/* Appends bytes. Returns their offset. */
static size_t bytes_append(struct maker *k, struct bytes *b, const void *data, size_t len)
{
	size_t at = b->len, room = 2 * (at + len) + 1024;
	uint8_t *grown = b->data;

	if (!len)
		return at;
	if (at + len > b->room) {
		grown = realloc(b->data, room);
		if (!grown) {
			k->err = -ENOMEM;
			return 0;
		}
		b->data = grown;
		b->room = room;
	}
	memcpy(b->data + at, data, len);
	b->len += len;
	return at;
}

static uint32_t string_append(struct maker *k, const char *s, size_t len)
{
	size_t at = bytes_append(k, &k->strings, s, len);

	bytes_append(k, &k->strings, "", 1);
	return at;
}

/* Appends a type, followed by `tail`, and returns its id. */
static uint32_t type_append(struct maker *k, const struct btf_type *t, const void *tail, size_t len)
{
	bytes_append(k, &k->types, t, sizeof(*t));
	bytes_append(k, &k->types, tail, len);
	return ++k->count;
}

static uint32_t type_build(struct maker *k, uint32_t our_id, uint32_t kernel_id);

struct members {
	struct btf_member list[MEMBERS_MAX];
	unsigned count;
	bool bits; /* some members are bitfields */
};

static void member_build(struct maker *k, struct members *m, const struct btf_member *ours,
			 const struct btf_found *found)
{
	const char *name = btf_view_string(k->ours, ours->name_off);
	struct btf_member *to = &m->list[m->count];

	if (m->count == MEMBERS_MAX) {
		k->err = -E2BIG;
		return;
	}
	to->name_off = string_append(k, name, strlen(name));
	to->type = type_build(k, ours->type, found->type);
	to->offset = found->bit_size << 24 | found->bit_offset;
	m->bits |= found->bit_size != 0;
	m->count++;
}

/* Appends those of our members that the kernel's struct also has. */
static void members_build(struct maker *k, struct members *m, uint32_t our_id, uint32_t kernel_id)
{
	const struct btf_type *ours = btf_view_type(k->ours, our_id);

	for (unsigned i = 0; i < btf_vlen(ours); i++) {
		const struct btf_member *member = &btf_members(ours)[i];
		const char *name = btf_view_string(k->ours, member->name_off);
		struct btf_found found;

		if (!*name)
			members_build(k, m, btf_view_strip(k->ours, member->type), kernel_id);
		else if (btf_view_member(k->kernel, kernel_id, name, strlen(name), &found))
			member_build(k, m, member, &found);
	}
}

/* Records a struct that was built. If the list is full, a struct may be built twice: the result is longer, but
 * correct. */
static void built_record(struct maker *k, uint32_t our_id, uint32_t kernel_id, uint32_t id)
{
	if (k->built_count == BUILT_MAX)
		return;
	k->built[k->built_count].ours = our_id;
	k->built[k->built_count].kernel = kernel_id;
	k->built[k->built_count++].id = id;
}

static uint32_t struct_build(struct maker *k, uint32_t our_id, uint32_t kernel_id)
{
	const struct btf_type *ours = btf_view_type(k->ours, our_id);
	const char *name = btf_view_name(k->ours, our_id);
	struct btf_type t = *btf_view_type(k->kernel, kernel_id);
	struct members m = { .count = 0 };
	uint32_t id;

	for (size_t i = 0; i < k->built_count; i++)
		if (k->built[i].ours == our_id && k->built[i].kernel == kernel_id)
			return k->built[i].id;
	if (ours && btf_is_composite(ours))
		members_build(k, &m, our_id, kernel_id);
	t.name_off = *name ? string_append(k, name, essential_len(name)) : 0;
	t.info = INFO(btf_kind(&t), m.bits, m.count);
	id = type_append(k, &t, m.list, m.count * sizeof(m.list[0]));
	built_record(k, our_id, kernel_id, id);
	return id;
}

static uint32_t array_build(struct maker *k, uint32_t our_id, const struct btf_type *t)
{
	const struct btf_type *ours = btf_view_type(k->ours, our_id);
	struct btf_array array = *btf_array(t);

	our_id = ours && btf_kind(ours) == BTF_KIND_ARRAY ? btf_array(ours)->type : 0;
	array.type = type_build(k, our_id, array.type);
	array.index_type = type_build(k, 0, array.index_type);
	return type_append(k, t, &array, sizeof(array));
}

/* `our_id` determines which members are needed. */
static uint32_t type_build(struct maker *k, uint32_t our_id, uint32_t kernel_id)
{
	const struct btf_type *kernel;
	struct btf_type t;

	our_id = btf_view_strip(k->ours, our_id);
	kernel_id = btf_view_strip(k->kernel, kernel_id);
	kernel = btf_view_type(k->kernel, kernel_id);
	if (!kernel)
		return 0;
	t = *kernel;
	t.name_off = 0;
	switch (btf_kind(kernel)) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION: return struct_build(k, our_id, kernel_id);
	case BTF_KIND_ARRAY: return array_build(k, our_id, kernel);
	case BTF_KIND_INT: return type_append(k, &t, kernel + 1, sizeof(uint32_t));
	case BTF_KIND_PTR: t.type = 0; break;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64: t.info = INFO(btf_kind(kernel), 0, 0); break;
	}
	return type_append(k, &t, NULL, 0);
}

static int bytes_join(struct maker *k, void **data, size_t *size)
{
	struct btf_header h = { .magic = BTF_MAGIC,
				.version = BTF_VERSION,
				.hdr_len = sizeof(h),
				.type_len = k->types.len,
				.str_off = k->types.len,
				.str_len = k->strings.len };
	struct bytes all = { 0 };

	bytes_append(k, &all, &h, sizeof(h));
	bytes_append(k, &all, k->types.data, k->types.len);
	bytes_append(k, &all, k->strings.data, k->strings.len);
	*data = all.data;
	*size = all.len;
	if (k->err)
		free(all.data);
	return k->err;
}

int btf_min_build(const struct btf_min *m, const struct btf_view *kernel,
		  const struct btf_lookup *w, void **data, size_t *size)
{
	struct maker k = { .ours = m->ours, .kernel = kernel };
	int err;

	string_append(&k, "", 0);
	for (size_t i = 0; i < m->root_count; i++) {
		const char *name = btf_view_name(m->ours, m->roots[i]);
		unsigned kind = btf_view_kind(m->ours, m->roots[i]);
		uint32_t id = btf_lookup_id(w, kind, name, essential_len(name));

		if (id)
			type_build(&k, m->roots[i], id);
	}
	err = bytes_join(&k, data, size);
	free(k.types.data);
	free(k.strings.data);
	return err;
}
