/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_path_walk.h - the walk from a dentry to the root, whatever becomes of the names.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_PATH_WALK_H
#define CORETAP_EXPR_EMIT_EMIT_PATH_WALK_H

#include "expr/emit/emit_common.h"

enum {
	NAME_ROOM = 256,  /* NAME_MAX and its NUL */
	WALK_ROUNDS = 64, /* names and mounts to pass: the verifier walks all of them */

	/* the lowest part of the stack */
	AT_PATH = -512,	  /* struct path: two pointers; then the number of an inode */
	AT_ROUND = -496,  /* number of the iteration */
	AT_ONE = -488,	  /* the parent of the dentry, or of the mount */
	AT_TWO = -480,	  /* the hash of the name, and its length, which is */
	AT_LENGTH = -476, /* here: 4 bytes; or the mount point */
	AT_NAME = -472,	  /* the name's address */
	AT_MOUNT = -464,  /* the mount of the dentry; 0: unknown */
	AT_ROOT = -456,	  /* its root */
	AT_OWN = -448,	  /* from here on: of the caller */
};

struct path_code {
	struct gen *g;
	struct code *k;
	const struct path_offsets *at;
	bool is_dentry; /* REG_VALUE points to a dentry, else to a struct path */
	/* Takes the name at AT_NAME; jumps to `cut` if it has no room, to `doubt` if it cannot be read. */
	void (*put)(struct path_code *w);
	const struct slot *s;
	int32_t limit;
	/* where the walk ends: `outside`, at a dentry that is not the root of its mount, but has no
	 * parent */
	int doubt, end, cut, outside;
	int next, up;
};

/* From REG_VALUE; falls through to where w->cut is to be placed. */
void gen_walk(struct path_code *w);
/* `size` bytes at register `base` + off, to the stack; jumps to `doubt` if they cannot be read. */
void gen_walk_read(struct path_code *w, int to, uint32_t size, int base, int off);
/* Of the dentry at REG_VALUE: its inode's number to AT_PATH, the name of its file system's type to r3. */
void gen_walk_anonymous(struct path_code *w);

#endif
