/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_copy.c - copies types on top of others: ids and names in them are renumbered (Documentation/bpf/btf.rst has
 * what follows a type of each kind).
 */
#include "btf/btf_copy.h"

#include <errno.h>
#include <stdlib.h>

#include "btf/btf.h"
#include "btf/btf_write.h"

struct copy {
	const struct btf_view *base, *from;
	struct btf_write out;
};

uint32_t btf_copy_id(const struct btf_view *base, uint32_t id)
{
	return id ? btf_view_count(base) - 1 + id : 0;
}

static void id_append(struct copy *c, uint32_t id)
{
	btf_write_word(&c->out.types, btf_copy_id(c->base, id));
}

static void name_append(struct copy *c, uint32_t offset)
{
	btf_write_word(&c->out.types, btf_write_string(&c->out, btf_view_string(c->from, offset)));
}

/* What each of the records after a type consists of: N: a name, T: a type's id, 4: a word that is copied. */
static const struct shape {
	const char *record;
	bool is_list;  /* as many records as the type's count says, else one */
	bool has_type; /* the word after its info is a type's id, not a size */
} shapes[] = {
	[BTF_KIND_INT] = { "4", false, false },	      [BTF_KIND_PTR] = { "", false, true },
	[BTF_KIND_ARRAY] = { "TT4", false, false },   [BTF_KIND_STRUCT] = { "NT4", true, false },
	[BTF_KIND_UNION] = { "NT4", true, false },    [BTF_KIND_ENUM] = { "N4", true, false },
	[BTF_KIND_FWD] = { "", false, false },	      [BTF_KIND_TYPEDEF] = { "", false, true },
	[BTF_KIND_VOLATILE] = { "", false, true },    [BTF_KIND_CONST] = { "", false, true },
	[BTF_KIND_RESTRICT] = { "", false, true },    [BTF_KIND_FUNC] = { "", false, true },
	[BTF_KIND_FUNC_PROTO] = { "NT", true, true }, [BTF_KIND_VAR] = { "4", false, true },
	[BTF_KIND_DATASEC] = { "T44", true, false },  [BTF_KIND_FLOAT] = { "", false, false },
	[BTF_KIND_DECL_TAG] = { "4", false, true },   [BTF_KIND_TYPE_TAG] = { "", false, true },
	[BTF_KIND_ENUM64] = { "N44", true, false },
};

static const uint32_t *record_append(struct copy *c, const char *record, const uint32_t *word)
{
	for (; *record; record++, word++) {
		if (*record == 'N')
			name_append(c, *word);
		else if (*record == 'T')
			id_append(c, *word);
		else
			btf_write_word(&c->out.types, *word);
	}
	return word;
}

static int type_append(struct copy *c, const struct btf_type *t)
{
	const struct shape *shape = &shapes[btf_kind(t)];
	const uint32_t *word = (const uint32_t *)(t + 1);

	if (btf_kind(t) >= sizeof(shapes) / sizeof(shapes[0]) || !shape->record)
		return -EBADMSG;
	name_append(c, t->name_off);
	btf_write_word(&c->out.types, t->info);
	btf_write_word(&c->out.types, shape->has_type ? btf_copy_id(c->base, t->type) : t->size);
	for (unsigned i = 0; i < (shape->is_list ? btf_vlen(t) : 1); i++)
		word = record_append(c, shape->record, word);
	return 0;
}

int btf_copy_on(const struct btf_view *base, const struct btf_view *from, void **bytes,
		size_t *size)
{
	struct copy c = { .base = base, .from = from };
	uint32_t count = btf_view_count(from);
	int err = count && btf_view_count(base) ? 0 : -EBADMSG;

	btf_write_begin(&c.out, base);
	for (uint32_t id = 1; id < count && !err; id++)
		err = type_append(&c, btf_view_type(from, id));
	*bytes = err ? NULL : btf_write_bytes(&c.out, size);
	btf_write_free(&c.out);
	return err || *bytes ? err : -ENOMEM;
}
