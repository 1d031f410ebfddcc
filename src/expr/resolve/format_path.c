/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format_path.c - :path: which values can be shown as a path.
 */
#include "expr/resolve/format_path.h"

#include <string.h>

#include "expr/ctype.h"
#include "expr/resolve/format_type.h"

enum { PATH_DEFAULT = 512 }; /* of names */

static uint32_t named_struct(const struct compile *c, struct ctype t, const char *name)
{
	const struct btf_view *b = c->in->btf;
	uint32_t id;

	if (!ctype_is_composite(b, t))
		return 0;
	id = btf_view_strip(b, t.id);
	return strcmp(btf_view_name(b, id), name) ? 0 : id;
}

/* NULL: this kernel's types lack something that the walk needs. */
static const struct path_offsets *offsets_find(struct compile *c)
{
	struct path_offsets *o = compile_alloc(c, sizeof(*o));
	int name = 0;
	struct {
		const char *type, *member;
		int *offset;
	} wanted[] = {
		{ "qstr", "name", &name },
		{ "dentry", "d_name", &o->dentry_name },
		{ "dentry", "d_parent", &o->dentry_parent },
		{ "dentry", "d_inode", &o->dentry_inode },
		{ "dentry", "d_sb", &o->dentry_super },
		{ "vfsmount", "mnt_root", &o->mount_root },
		{ "mount", "mnt", &o->mount_mnt },
		{ "mount", "mnt_parent", &o->mount_parent },
		{ "mount", "mnt_mountpoint", &o->mount_point },
		{ "inode", "i_ino", &o->inode_number },
		{ "super_block", "s_type", &o->super_type },
		{ "file_system_type", "name", &o->type_name },
	};
	enum { WANTED = sizeof(wanted) / sizeof(wanted[0]) };
	struct btf_query q[WANTED];

	for (int i = 0; i < WANTED; i++)
		q[i] = (struct btf_query){ BTF_KIND_STRUCT, wanted[i].type, 0 };
	if (!o || btf_view_find_all(c->in->btf, q, WANTED))
		return NULL;
	for (int i = 0; i < WANTED; i++)
		if (!ctype_member_offset(c->in->btf, q[i].id, wanted[i].member, wanted[i].offset))
			return NULL;
	o->dentry_name += name;
	return o;
}

static const struct path_offsets *offsets(struct compile *c)
{
	if (!c->paths_sought)
		c->paths = offsets_find(c);
	c->paths_sought = true;
	return c->paths;
}

bool path_is_known(struct compile *c)
{
	return c->in->target.probe_read && offsets(c);
}

void path_format(struct compile *c, struct slot *s)
{
	const struct btf_view *b = c->in->btf;
	struct ctype type = s->root->type;
	struct ctype target = ctype_is_pointer(b, type) ? ctype_target(b, type) : type;
	bool pointer = ctype_is_pointer(b, type);
	uint32_t file = pointer ? named_struct(c, target, "file") : 0;

	s->sink = STORE_PATH;
	s->field_type = FIELD_PATH;
	s->names_room = s->format.length ?: PATH_DEFAULT;
	s->size = sizeof(struct event_str);
	s->path = offsets(c);
	s->is_dentry = pointer && named_struct(c, target, "dentry");
	if (file && !ctype_member_offset(b, file, "f_path", &s->path_offset))
		fail_type(c, s, "has no f_path in this kernel");
	else if (!file && !s->is_dentry && !named_struct(c, target, "path")) {
		fail_type(c, s, "has no path");
		compile_hint(c, "a struct path, and pointers to a file, a path, a dentry have");
	}
	if (!s->path && !s->diff)
		compile_fail(c, s->format.span,
			     "this kernel's BTF lacks the types that paths are found by");
	if (c->in->run.aggregate)
		compile_fail(c, s->format.span, "a path cannot be a key to count by");
	if (!c->in->target.probe_read)
		compile_refuse(
			c, s->format.span,
			"a path needs bpf_probe_read; this way does without, as under lockdown");
}
