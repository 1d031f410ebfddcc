/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file.bpf.h - a record being built, its chunks, and the chunk of a file: its path.
 */
#ifndef CORETAP_SYSSNOOP_FILE_BPF_H
#define CORETAP_SYSSNOOP_FILE_BPF_H

#include "syssnoop/call.bpf.h"
#include "lib/path.bpf.h"

/* Hides bounds that the compiler derives, which the verifier does not know. */
#define OPAQUE(number) asm volatile("" : "+r"(number))

/* Tests a bit of an array of `count` bits, a power of two: the verifier forgets comparisons. */
#define BIT_OF(bits, nr, count)                                                                    \
	({                                                                                         \
		__u64 nr_ = (nr);                                                                  \
		OPAQUE(nr_);                                                                       \
		nr_ &= (count)-1;                                                                  \
		(bits)[nr_ / 64] >> (nr_ & 63) & 1;                                                \
	})

/* After SYSSNOOP_DATA there is room for the largest chunk. */
#define WORK_ROOM (SYSSNOOP_DATA + sizeof(struct syssnoop_chunk) + SYSSNOOP_BYTES_MAX + 64)
_Static_assert(SYSSNOOP_BYTES_MAX >= sizeof(struct syssnoop_file) + PATH_ROOM, "a path has room");
struct work {
	__u64 users; /* since 7.0 programs at system calls may be preempted by each other */
	struct syssnoop_event e;
	char data[WORK_ROOM];
	__u32 at;      /* bytes in data */
	__u32 now;     /* enum syscall_when */
	__u64 unread;  /* words of a list that could not be read */
	__u64 faults;  /* reads that failed */
	__u32 again;   /* bit i: argument i could not be read at the entry */
	__u64 left;    /* bytes that a vector may still add */
	__u32 netlink; /* the call is about a netlink socket */
	__u64 control_at, control_left, control[2]; /* control messages, the head of one */
	struct syssnoop_path path;		    /* the key to look up */
	__u64 alone_users;
	struct syssnoop_call alone; /* a call whose entry was not seen */
};
SCRATCH_AS(scratch_work, struct work)

#define TAG(arg, part) ((__u32)(arg) << 16 | (part))

static __always_inline struct syssnoop_chunk *chunk_begin(struct work *w, __u32 tag)
{
	struct syssnoop_chunk *c;
	__u32 at = w->at & ~3u; /* no change, but tells the verifier */

	if (at > SYSSNOOP_DATA) {
		loss_count(LOSS_CUT, 1);
		return NULL;
	}
	c = (void *)(w->data + at);
	c->arg = tag >> 16;
	c->when = w->now;
	c->status = EVENT_OK;
	c->unread = 0;
	c->part = tag;
	c->pad2 = 0;
	c->len = 0;
	c->left_out = 0;
	return c;
}

static __always_inline void chunk_end(struct work *w, struct syssnoop_chunk *c, __u32 len)
{
	c->len = len;
	w->at += sizeof(*c) + ((len + 3) & ~3u);
}

/* ---- files ---- */

#define AT_CWD (-100) /* AT_FDCWD, from linux/fcntl.h, which would define another struct open_how */

/* True for a pipe, a socket, an eventfd, as for paths in expressions: it is in no directory, and not the root of its
 * mount; the walk has not left it. */
static __always_inline bool file_is_anonymous(const struct path_walk *walk, const struct path *path)
{
	return walk->status == EVENT_OUTSIDE && walk->dentry == path->dentry &&
	       walk->dentry != walk->m.root;
}

/* Writes the number of its inode and, after its name, the file system's. Returns the bytes of the latter. */
static __always_inline __u32 file_name_anonymous(struct syssnoop_file *f, char *to,
						 struct dentry *dentry)
{
	long n = bpf_probe_read_kernel_str(to, SYSSNOOP_TYPE_MAX,
					   BPF_CORE_READ(dentry, d_inode, i_sb, s_type, name));

	f->status = EVENT_ANONYMOUS;
	f->ino = BPF_CORE_READ(dentry, d_inode, i_ino);
	return n < 0 ? 0 : n & (SYSSNOOP_TYPE_MAX * 2 - 1);
}

/* Walks up to the root of the mount namespace, as a tracer would see the path. */
__attribute__((noinline)) int put_file(__s32 fd, __u32 tag)
{
	struct work *w = scratch_work_get();
	struct syssnoop_chunk *c;
	struct syssnoop_file *f;
	struct path_walk *walk;
	struct path path = {};
	__u32 len;

	if (fd == AT_CWD)
		path_current_pwd(&path);
	else
		path_current_fd(fd, &path);
	if (!w || !path.dentry)
		return 0;
	c = chunk_begin(w, tag);
	walk = c ? path_walk(0, &path, NULL) : NULL;
	if (!walk)
		return 0;
	f = (void *)(c + 1);
	f->ino = 0;
	f->status = walk->status;
	f->unlinked = walk->unlinked;
	len = walk->len;
	OPAQUE(len);
	if (len > PATH_ROOM)
		return 0;
	bpf_probe_read_kernel(f + 1, len, walk->data);
	if (file_is_anonymous(walk, &path))
		len += file_name_anonymous(f, (char *)(f + 1) + len, path.dentry);
	chunk_end(w, c, sizeof(*f) + len);
	return 0;
}

#endif
