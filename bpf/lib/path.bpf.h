/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * path.bpf.h - the path of a directory or file, from its dentry up through names and mounts to the
 * root of the process. This is what the kernel's d_path does (fs/d_path.c, prepend_path), which
 * tracing programs may call only in a handful of functions.
 *
 * The components are written from leaf to root, each with a NUL (FIELD_PATH); user space joins
 * them. As in the kernel, a path that was unlinked ends in " (deleted)". The walk does not take
 * rename_lock: during a rename, each component may have the old name or the new one.
 *
 *	struct path pwd, root;
 *	path_current(&pwd, &root);
 *	struct path_walk *w = path_walk(0, &pwd, &root);
 *	if (w)
 *		at = path_append(record, at, sizeof(*record), w, &record->cwd);
 *
 * Programs of one object that may preempt each other use different slots: define PATH_SLOTS before
 * including this.
 */
#ifndef CORETAP_LIB_PATH_BPF_H
#define CORETAP_LIB_PATH_BPF_H

#include "lib/record.bpf.h"

#ifndef PATH_SLOTS
#define PATH_SLOTS 1
#endif

#define PATH_BYTES   4096 /* PATH_MAX: components beyond are counted in left_out, not stored */
#define PATH_NAME    255  /* NAME_MAX */
#define PATH_DELETED " (deleted)"
#define PATH_BATCH   2	/* components in a path_batch */
#define PATH_STRIDE  64 /* batches in a path_stride */
#define PATH_STRIDES 32 /* strides in a walk: 4096 components; beyond, left_out is 0, unknown */
/* The most that path_append adds: a component that starts within PATH_BYTES may end after it. */
#define PATH_ROOM (PATH_BYTES + PATH_NAME + sizeof(PATH_DELETED))

/* The parts of a dentry and a mount that one read fetches; see path_dentry_read, path_mount_read. */
struct path_dentry {
	struct dentry *parent;
	__u32 hash, len;
	const unsigned char *name;
};

struct path_mount {
	struct mount *parent;
	struct dentry *mountpoint;
	struct dentry *root;
};

/* A walk in progress, and its result. */
struct path_walk {
	struct dentry *dentry, *root_dentry;
	struct mount *mount, *root_mount;
	struct path_mount m; /* of `mount` */
	__u32 len;	     /* bytes in data */
	__u32 left_out;	     /* number of components */
	__u32 status;	     /* enum event_status */
	__u32 deleted;	/* the leaf is unlinked, which is still to be written behind its name */
	__u32 unlinked; /* the leaf is */
	char data[PATH_ROOM];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, PATH_SLOTS);
	__type(key, __u32);
	__type(value, struct path_walk);
} path_walks SEC(".maps");

/* Offset of a member from another member of the same struct: a constant after load. */
#define PATH_OFFSET_FROM(type, from, member)                                                       \
	((int)bpf_core_field_offset(type, member) - (int)bpf_core_field_offset(type, from))

/* d_parent and d_name are adjacent on every kernel without RANDSTRUCT: one read instead of
 * three. */
static __always_inline int path_dentry_read(struct path_dentry *to, struct dentry *d)
{
	int err;

	if (PATH_OFFSET_FROM(struct dentry, d_parent, d_name.len) == 12 &&
	    PATH_OFFSET_FROM(struct dentry, d_parent, d_name.name) == 16)
		return bpf_probe_read_kernel(
			to, sizeof(*to),
			(char *)d + bpf_core_field_offset(struct dentry, d_parent));
	err = bpf_core_read(&to->parent, sizeof(to->parent), &d->d_parent);
	err |= bpf_core_read(&to->len, sizeof(to->len), &d->d_name.len);
	err |= bpf_core_read(&to->name, sizeof(to->name), &d->d_name.name);
	return err;
}

/* mnt_parent, mnt_mountpoint and the first member of mnt are also adjacent. */
static __always_inline int path_mount_read(struct path_mount *to, struct mount *m)
{
	int err;

	if (PATH_OFFSET_FROM(struct mount, mnt_parent, mnt_mountpoint) == 8 &&
	    PATH_OFFSET_FROM(struct mount, mnt_parent, mnt.mnt_root) == 16)
		return bpf_probe_read_kernel(
			to, sizeof(*to),
			(char *)m + bpf_core_field_offset(struct mount, mnt_parent));
	err = bpf_core_read(&to->parent, sizeof(to->parent), &m->mnt_parent);
	err |= bpf_core_read(&to->mountpoint, sizeof(to->mountpoint), &m->mnt_mountpoint);
	err |= bpf_core_read(&to->root, sizeof(to->root), &m->mnt.mnt_root);
	return err;
}

static __always_inline struct mount *path_mount_of(struct vfsmount *mnt)
{
	return (void *)((char *)mnt - bpf_core_field_offset(struct mount, mnt));
}

/* As the kernel's d_unlinked, without its test for the root, which cannot be unlinked. */
static __always_inline bool path_unlinked(struct dentry *d)
{
	void *pprev = NULL;

	return !bpf_core_read(&pprev, sizeof(pprev), &d->d_hash.pprev) && !pprev;
}

/* Appends a component. Returns false if its bytes cannot be read. */
static __always_inline bool path_name_append(struct path_walk *w, const struct path_dentry *d)
{
	__u32 at = w->len, len = d->len;

	if (at >= PATH_BYTES) {
		w->left_out++;
		return true;
	}
	if (len > PATH_NAME) { /* longer than any file system allows */
		len = PATH_NAME;
		w->status = EVENT_CUT;
	}
	if (bpf_probe_read_kernel(w->data + at, len, d->name))
		return false;
	at += len;
	if (w->deleted) {
		__builtin_memcpy(w->data + at, PATH_DELETED, sizeof(PATH_DELETED) - 1);
		at += sizeof(PATH_DELETED) - 1;
		w->deleted = 0;
	}
	w->data[at] = 0;
	w->len = at + 1;
	return true;
}

enum path_step { PATH_MORE, PATH_DONE };

static __always_inline enum path_step path_end(struct path_walk *w, __u32 status)
{
	w->status = status;
	return PATH_DONE;
}

/* At the root of a mount without a parent mount: true if the mount belongs to a namespace. mnt_ns is NULL if
 * unmounted, MNT_NS_INTERNAL (an ERR_PTR) for pipes, memfds, …; a mount of fsmount(2) counts as belonging to one. */
static __always_inline bool path_mount_is_root(struct mount *m)
{
	struct mnt_namespace *ns = NULL;

	return !bpf_core_read(&ns, sizeof(ns), &m->mnt_ns) && ns && (__u64)ns < -4095ull;
}

/* Goes from the root of a mount to its mount point in the parent. */
static __always_inline enum path_step path_mount_leave(struct path_walk *w)
{
	if (w->m.parent == w->mount) {
		if (!w->root_mount && path_mount_is_root(w->mount))
			return PATH_DONE;
		return path_end(w, EVENT_OUTSIDE);
	}
	w->dentry = w->m.mountpoint;
	w->mount = w->m.parent;
	if (path_mount_read(&w->m, w->mount))
		return path_end(w, EVENT_FAULT);
	return PATH_MORE;
}

/* Goes from a file or directory to its parent. */
static __always_inline enum path_step path_name_leave(struct path_walk *w)
{
	struct path_dentry d = {};
	char first = 0;

	if (path_dentry_read(&d, w->dentry))
		return path_end(w, EVENT_FAULT);
	if (d.parent == w->dentry) {
		/* in no tree: a file opened by handle ("/"), or a pipe, memfd, …, which has a name */
		w->deleted = 0;
		bpf_probe_read_kernel(&first, 1, d.name);
		if (first != '/' && !path_name_append(w, &d))
			return path_end(w, EVENT_FAULT);
		return path_end(w, EVENT_OUTSIDE);
	}
	if (!path_name_append(w, &d))
		return path_end(w, EVENT_FAULT);
	w->dentry = d.parent;
	return PATH_MORE;
}

/*
 * Two global functions: the kernel verifies such a function separately and only once. So three small loops cost the
 * verifier a thousand instructions and one long loop a million, and 5.10 (no bpf_loop) walks as far as other kernels.
 * On 5.10 they take only numbers, hence the slot.
 */
__attribute__((noinline)) int path_batch(__u32 slot)
{
	struct path_walk *w = bpf_map_lookup_elem(&path_walks, &slot);
	enum path_step step = PATH_MORE;

	if (!w)
		return PATH_DONE;
	for (int i = 0; i < PATH_BATCH && step == PATH_MORE; i++) {
		if (w->dentry == w->root_dentry && w->mount == w->root_mount)
			return PATH_DONE;
		if (w->dentry == w->m.root)
			step = path_mount_leave(w);
		else
			step = path_name_leave(w);
	}
	return step;
}

__attribute__((noinline)) int path_stride(__u32 slot)
{
	for (int i = 0; i < PATH_STRIDE; i++)
		if (path_batch(slot) != PATH_MORE)
			return PATH_DONE;
	return PATH_MORE;
}

/* Walks to the end. Returns PATH_MORE if components remain. */
__attribute__((noinline)) int path_climb(__u32 slot)
{
	for (int i = 0; i < PATH_STRIDES; i++)
		if (path_stride(slot) != PATH_MORE)
			return PATH_DONE;
	return PATH_MORE;
}

static __always_inline bool path_walk_begin(struct path_walk *w, const struct path *path,
					    const struct path *root)
{
	w->len = 0;
	w->left_out = 0;
	w->status = EVENT_NONE;
	if (!path->dentry || !path->mnt)
		return false;
	w->dentry = path->dentry;
	w->mount = path_mount_of(path->mnt);
	w->root_dentry = root ? root->dentry : NULL;
	w->root_mount = root ? path_mount_of(root->mnt) : NULL;
	w->status = EVENT_FAULT;
	if (path_mount_read(&w->m, w->mount))
		return false;
	w->status = EVENT_OK;
	w->deleted = w->unlinked = w->dentry != w->m.root && path_unlinked(w->dentry);
	return true;
}

/* Walks from `path` up to `root`; NULL: up to the root of the mount namespace, beyond any chroot. The result stays in
 * this CPU's slot until its next walk. */
static __always_inline struct path_walk *path_walk(__u32 slot, const struct path *path,
						   const struct path *root)
{
	struct path_walk *w = bpf_map_lookup_elem(&path_walks, &slot);

	if (!w || !path_walk_begin(w, path, root))
		return w;
	if (path_climb(slot) == PATH_MORE) {
		w->status = EVENT_CUT;
		w->left_out = 0;
	} else if (w->left_out && w->status != EVENT_FAULT) {
		w->status = EVENT_CUT;
	}
	return w;
}

/* Walks from a name up to the root of its file system, whose mount is unknown (FIELD_INNER). */
static __always_inline struct path_walk *path_walk_inner(__u32 slot, struct dentry *dentry)
{
	struct path_walk *w = bpf_map_lookup_elem(&path_walks, &slot);

	if (!w)
		return w;
	w->len = w->left_out = 0;
	w->mount = w->root_mount = NULL;
	w->root_dentry = NULL;
	w->m = (struct path_mount){};
	w->dentry = dentry;
	w->status = EVENT_OK;
	w->deleted = path_unlinked(dentry);
	if (path_climb(slot) == PATH_MORE || w->left_out)
		w->status = EVENT_CUT;
	else if (w->status == EVENT_OUTSIDE)
		w->status = EVENT_OK;
	return w;
}

/*
 * Copies a walk's result to byte `at` of a record of `size` bytes (a constant), and describes it in *str. Returns the
 * record's new length. Needs PATH_ROOM bytes after `at`; otherwise the path is cut to nothing.
 */
static __always_inline __u64 path_append(void *record, __u64 at, const __u64 size,
					 struct path_walk *w, struct event_str *str)
{
	__u64 len = w->len;

	str->off = at;
	str->len = 0;
	str->left_out = w->left_out;
	str->status = w->status;
	/* hides bounds that the compiler derives, which the verifier does not know */
	asm volatile("" : "+r"(at), "+r"(len));
	if (at > size - PATH_ROOM || len > PATH_ROOM) {
		str->status = EVENT_CUT;
		return at;
	}
	bpf_probe_read_kernel((char *)record + at, len, w->data);
	str->len = len;
	return at + len;
}

/* ---- starting points of walks ---- */

static __always_inline struct fs_struct *path_current_fs(void)
{
	struct task_struct *task = (void *)bpf_get_current_task();

	return BPF_CORE_READ(task, fs);
}

static __always_inline void path_read(struct path *to, struct path *from)
{
	if (bpf_core_read(to, sizeof(*to), from))
		*to = (struct path){};
}

/* Gets working directory and root of the current task; both are empty after exit_fs. */
static __always_inline void path_current(struct path *pwd, struct path *root)
{
	struct fs_struct *fs = path_current_fs();

	path_read(pwd, &fs->pwd);
	path_read(root, &fs->root);
}

static __always_inline void path_current_pwd(struct path *pwd)
{
	path_read(pwd, &path_current_fs()->pwd);
}

static __always_inline void path_current_root(struct path *root)
{
	path_read(root, &path_current_fs()->root);
}

/* Returns the file behind descriptor `fd` of the current task; NULL if it is not open. */
static __always_inline struct file *path_current_file(int fd)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct fdtable *fdt = BPF_CORE_READ(task, files, fdt);
	struct file **fds = BPF_CORE_READ(fdt, fd), *file = NULL;

	if ((__u32)fd < BPF_CORE_READ(fdt, max_fds))
		bpf_probe_read_kernel(&file, sizeof(file), &fds[(__u32)fd]);
	return file;
}

/* Gets the path of a descriptor; empty if it is not open. */
static __always_inline void path_current_fd(int fd, struct path *path)
{
	struct file *file = path_current_file(fd);

	*path = (struct path){};
	if (file)
		path_read(path, &file->f_path);
}

#endif
