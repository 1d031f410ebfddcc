/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * core_fields.c - compares our minimal types with a kernel's BTF, field by field.
 */
#include "btf/core_fields.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "btf/bpf_elf.h"

#define PATH_LEN  192	/* bytes of "type.field.inner" */
#define SUFFIX	  "___" /* ignored by libbpf: bpf_core_essential_name_len */
#define TYPE_NAME 64	/* bytes; make check verifies that no name in vmlinux/ is longer */

struct compare {
	struct btf_view *ours, *kernel;
	core_fields_fn fn;
	void *ctx;
};

bool core_fields_optional(const char *path)
{
#define OPTIONAL(path_, why_) path_,
	static const char *const paths[] = {
#include "../../vmlinux/optional.def"
		NULL,
	};
#undef OPTIONAL
	if (strstr(path, SUFFIX))
		return true;
	for (const char *const *p = paths; *p; p++)
		if (!strcmp(*p, path))
			return true;
	return false;
}

static size_t essential_len(const char *name)
{
	const char *suffix = strstr(name, SUFFIX);

	return suffix && suffix != name ? (size_t)(suffix - name) : strlen(name);
}

/* Integers, enums and bool count as one kind; so do struct, union and their forward declaration. */
static unsigned kind_class(unsigned kind)
{
	switch (kind) {
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64: return BTF_KIND_INT;
	case BTF_KIND_UNION:
	case BTF_KIND_FWD: return BTF_KIND_STRUCT;
	default: return kind;
	}
}

static enum core_fields_fault type_compare(struct compare *c, uint32_t our_id, uint32_t kernel_id);

static enum core_fields_fault names_compare(struct compare *c, uint32_t our_id, uint32_t kernel_id)
{
	const char *ours = btf_view_name(c->ours, our_id);
	const char *theirs = btf_view_name(c->kernel, kernel_id);
	size_t len = essential_len(ours);

	/* the fields of an anonymous type of ours are compared one by one instead */
	if (!*ours || (!strncmp(ours, theirs, len) && !theirs[len]))
		return CORE_FIELDS_FINE;
	return CORE_FIELDS_TARGET;
}

/* Compares only if the target is a struct; reads of other targets have their own size. */
static enum core_fields_fault pointer_compare(struct compare *c, const struct btf_type *o,
					      const struct btf_type *k)
{
	uint32_t our_id = btf_view_strip(c->ours, o->type);
	uint32_t kernel_id = btf_view_strip(c->kernel, k->type);

	if (kind_class(btf_view_kind(c->ours, our_id)) != BTF_KIND_STRUCT)
		return CORE_FIELDS_FINE;
	if (kind_class(btf_view_kind(c->kernel, kernel_id)) != BTF_KIND_STRUCT)
		return CORE_FIELDS_TARGET;
	return names_compare(c, our_id, kernel_id);
}

static enum core_fields_fault array_compare(struct compare *c, const struct btf_type *o,
					    const struct btf_type *k)
{
	if (btf_array(k)->nelems < btf_array(o)->nelems)
		return CORE_FIELDS_SIZE;
	return type_compare(c, btf_array(o)->type, btf_array(k)->type);
}

static enum core_fields_fault type_compare(struct compare *c, uint32_t our_id, uint32_t kernel_id)
{
	const struct btf_type *o, *k;

	our_id = btf_view_strip(c->ours, our_id);
	kernel_id = btf_view_strip(c->kernel, kernel_id);
	o = btf_view_type(c->ours, our_id);
	k = btf_view_type(c->kernel, kernel_id);
	if (!o || !k || kind_class(btf_kind(o)) != kind_class(btf_kind(k)))
		return o || k ? CORE_FIELDS_KIND : CORE_FIELDS_FINE;
	switch (kind_class(btf_kind(o))) {
	case BTF_KIND_INT:
	case BTF_KIND_FLOAT: return o->size == k->size ? CORE_FIELDS_FINE : CORE_FIELDS_SIZE;
	case BTF_KIND_PTR: return pointer_compare(c, o, k);
	case BTF_KIND_ARRAY: return array_compare(c, o, k);
	case BTF_KIND_STRUCT: return names_compare(c, our_id, kernel_id);
	default: return CORE_FIELDS_FINE;
	}
}

static enum core_fields_fault field_compare(struct compare *c, const struct btf_found *ours,
					    const struct btf_found *kernel)
{
	if (!ours->bit_size != !kernel->bit_size)
		return CORE_FIELDS_KIND;
	/* the number of bits may differ: BPF_CORE_READ_BITFIELD uses the kernel's */
	return ours->bit_size ? CORE_FIELDS_FINE : type_compare(c, ours->type, kernel->type);
}

static bool is_anonymous_struct(struct btf_view *b, uint32_t id)
{
	id = btf_view_strip(b, id);
	return kind_class(btf_view_kind(b, id)) == BTF_KIND_STRUCT && !*btf_view_name(b, id);
}

/* Compares the fields of our struct with those of the kernel's `kernel_id` (0: the kernel lacks the struct). */
static void struct_compare(struct compare *c, uint32_t our_id, uint32_t kernel_id, const char *path)
{
	const struct btf_type *t = btf_view_type(c->ours, our_id);

	for (unsigned i = 0; i < btf_vlen(t); i++) {
		const char *name = btf_view_string(c->ours, btf_members(t)[i].name_off);
		enum core_fields_fault fault = CORE_FIELDS_NO_FIELD;
		struct btf_found ours, theirs = { 0 };
		char inner[PATH_LEN];

		btf_view_member_at(c->ours, t, i, &ours);
		if (!*name) {
			struct_compare(c, btf_view_strip(c->ours, ours.type), kernel_id, path);
			continue;
		}
		snprintf(inner, sizeof(inner), "%s.%s", path, name);
		if (!kernel_id)
			fault = CORE_FIELDS_NO_TYPE;
		else if (btf_view_member(c->kernel, kernel_id, name, strlen(name), &theirs))
			fault = field_compare(c, &ours, &theirs);
		c->fn(c->ctx, inner, fault);
		if (fault == CORE_FIELDS_FINE && is_anonymous_struct(c->ours, ours.type))
			struct_compare(c, btf_view_strip(c->ours, ours.type),
				       btf_view_strip(c->kernel, theirs.type), inner);
	}
}

/* Builds queries to the kernel from the named structs of `ours`. `names` holds the names. */
static size_t queries_build(struct btf_view *ours, struct btf_query *queries, uint32_t *ids,
			    char (*names)[TYPE_NAME])
{
	uint32_t count = btf_view_count(ours);
	size_t n = 0;

	for (uint32_t id = 1; id < count; id++) {
		unsigned kind = btf_view_kind(ours, id);
		const char *name = btf_view_name(ours, id);
		size_t len = essential_len(name);

		if ((kind != BTF_KIND_STRUCT && kind != BTF_KIND_UNION) || !len || len >= TYPE_NAME)
			continue;
		memcpy(names[n], name, len);
		names[n][len] = 0;
		queries[n] = (struct btf_query){ .kind = kind, .name = names[n] };
		ids[n++] = id;
	}
	return n;
}

int core_fields_types(const void *elf, size_t size, struct btf_view **out)
{
	size_t len;
	const void *types = bpf_elf_section(elf, size, ".BTF", &len);

	return types ? btf_view_from(types, len, out) : -EBADMSG;
}

int core_fields_compare(struct btf_view *ours, struct btf_view *kernel, core_fields_fn fn,
			void *ctx)
{
	struct compare c = { .ours = ours, .kernel = kernel, .fn = fn, .ctx = ctx };
	uint32_t count = btf_view_count(ours);
	struct btf_query *queries = calloc(count, sizeof(*queries));
	uint32_t *ids = calloc(count, sizeof(*ids));
	char(*names)[TYPE_NAME] = calloc(count, sizeof(*names));
	int err = !count ? -EBADMSG : -ENOMEM;
	size_t n;

	if (!count || !queries || !ids || !names)
		goto out;
	n = queries_build(ours, queries, ids, names);
	err = btf_view_find_all(kernel, queries, n);
	for (size_t i = 0; !err && i < n; i++)
		struct_compare(&c, ids[i], queries[i].id, btf_view_name(ours, ids[i]));
out:
	free(queries);
	free(ids);
	free(names);
	return err;
}
