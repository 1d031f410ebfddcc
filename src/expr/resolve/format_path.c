/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format_path.c - :path: which values have a path, shown, compared or counted by.
 */
#include "expr/resolve/format.h"

#include <stddef.h>
#include <string.h>

#include "expr/ctype.h"

enum {
	PATH_DEFAULT = 512, /* of names */
	PATH_KEY = 192,	    /* with the NUL; a key holds two of them */
};

static uint32_t named_struct(const struct compile *c, struct ctype t, const char *name)
{
	const struct btf_view *b = c->in->btf;
	uint32_t id;

	if (!ctype_is_composite(b, t))
		return 0;
	id = btf_view_strip(b, t.id);
	return strcmp(btf_view_name(b, id), name) ? 0 : id;
}

/* The members that the walk reads. */
static const struct {
	const char *type, *member;
	size_t at; /* in struct path_offsets */
} walked[] = {
#define WALKED(type, member, offset)                                                               \
	{                                                                                          \
		type, member, offsetof(struct path_offsets, offset)                                \
	}
	WALKED("qstr", "name", qstr_name),
	WALKED("qstr", "len", dentry_length),
	WALKED("dentry", "d_name", dentry_name),
	WALKED("dentry", "d_parent", dentry_parent),
	WALKED("dentry", "d_inode", dentry_inode),
	WALKED("dentry", "d_sb", dentry_super),
	WALKED("vfsmount", "mnt_root", mount_root),
	WALKED("mount", "mnt", mount_mnt),
	WALKED("mount", "mnt_parent", mount_parent),
	WALKED("mount", "mnt_mountpoint", mount_point),
	WALKED("inode", "i_ino", inode_number),
	WALKED("super_block", "s_type", super_type),
	WALKED("file_system_type", "name", type_name),
#undef WALKED
};

enum { WALKED_COUNT = sizeof(walked) / sizeof(walked[0]) };

void expr_path_names(struct btf_lookup *names)
{
	for (int i = 0; i < WALKED_COUNT; i++)
		btf_lookup_add(names, BTF_KIND_STRUCT, walked[i].type, strlen(walked[i].type));
}

/* Returns false if this kernel's types lack something that the walk needs. */
static bool offsets_find(const struct btf_view *btf, struct path_offsets *o)
{
	struct btf_query q[WALKED_COUNT];

	for (int i = 0; i < WALKED_COUNT; i++)
		q[i] = (struct btf_query){ BTF_KIND_STRUCT, walked[i].type, 0 };
	if (btf_view_find_all(btf, q, WALKED_COUNT))
		return false;
	for (int i = 0; i < WALKED_COUNT; i++)
		if (!ctype_member_offset(btf, q[i].id, walked[i].member,
					 (int *)((char *)o + walked[i].at)))
			return false;
	o->dentry_length += o->dentry_name;
	o->dentry_name += o->qstr_name;
	return true;
}

/* The program has a copy: the memo may be used for other types later. */
static const struct path_offsets *offsets_copy(struct compile *c)
{
	struct expr_memo own = { 0 }, *memo = c->in->run.memo ?: &own;
	struct path_offsets *copy;

	if (memo->btf != c->in->btf) {
		*memo = (struct expr_memo){ .btf = c->in->btf };
		memo->has_paths = offsets_find(memo->btf, &memo->paths);
	}
	copy = memo->has_paths ? compile_alloc(c, sizeof(*copy)) : NULL;
	if (copy)
		*copy = memo->paths;
	return copy;
}

static const struct path_offsets *offsets(struct compile *c)
{
	if (!c->paths_sought)
		c->paths = offsets_copy(c);
	c->paths_sought = true;
	return c->paths;
}

bool format_path_known(struct compile *c)
{
	return c->in->target.probe_read && offsets(c);
}

bool format_path_find(struct compile *c, const struct node *n, int *offset, bool *is_dentry)
{
	const struct btf_view *b = c->in->btf;
	bool pointer = ctype_is_pointer(b, n->type);
	struct ctype target = pointer ? ctype_target(b, n->type) : n->type;
	uint32_t file = pointer ? named_struct(c, target, "file") : 0;

	*is_dentry = pointer && named_struct(c, target, "dentry");
	if (file)
		return ctype_member_offset(b, file, "f_path", offset);
	return *is_dentry || named_struct(c, target, "path");
}

static void find_path(struct compile *c, const struct node *n, int *offset, bool *is_dentry)
{
	char text[160];

	ctype_declare(c->in->btf, n->type, "", text, sizeof(text));
	if (!format_path_find(c, n, offset, is_dentry)) {
		compile_fail(c, n->span, "%s has no path", n->kind == NODE_STRING ? "text" : text);
		compile_hint(
			c,
			"a struct path has one, and what a struct file, path or dentry * points at");
	}
}

static void check_kernel(struct compile *c, struct span where)
{
	if (!offsets(c))
		compile_fail(c, where, "this kernel's BTF lacks the types that paths need");
	if (!c->in->target.probe_read)
		compile_refuse(c, where,
			       "a path needs bpf_probe_read, which cannot be used here (lockdown)");
}

/* A string, built when it is read. */
void resolve_path(struct compile *c, struct node *n)
{
	int offset = 0;

	find_path(c, n->child, &offset, &n->is_dentry);
	check_kernel(c, n->span);
	n->bit_offset = 8 * offset;
	n->type = ctype_pointer_to(ctype_int(1, true));
	n->category = CATEGORY_RVALUE;
}

/* In a key, the text itself is compared. */
static void key_format(struct compile *c, struct slot *s)
{
	struct node *n = compile_node(c, s->root, NODE_PATH, s->root->type, s->root, NULL);

	if (!n)
		return;
	resolve_path(c, n);
	s->root = n;
	s->store.kind = STORE_STRING;
	s->store.type = FIELD_CSTR;
	s->store.size = n->room = s->format.length ? s->format.length + 1 : PATH_KEY;
}

void format_path(struct compile *c, struct slot *s, const struct format_rule *rule)
{
	if (slot_is_key(c->p, s)) {
		key_format(c, s);
		return;
	}
	s->store.kind = STORE_PATH;
	s->store.type = rule->type;
	s->store.path.names_room = s->format.length ?: PATH_DEFAULT;
	s->store.size = sizeof(struct event_str);
	s->store.path.offsets = offsets(c);
	find_path(c, s->root, &s->store.path.at, &s->store.path.is_dentry);
	if (!s->diff.part)
		check_kernel(c, s->format.span);
}
