/* SPDX-License-Identifier: GPL-2.0-only */
/* fs.h - files, names and mounts: linux/fs.h, linux/dcache.h, linux/path.h, fs/mount.h. */

struct qstr {
	u32 len;
	const unsigned char *name;
};

struct hlist_bl_node {
	struct hlist_bl_node **pprev; /* NULL: not in a list */
};

struct hlist_node {
	struct hlist_node *next;
};

struct hlist_head {
	struct hlist_node *first;
};

struct dentry {
	struct hlist_bl_node d_hash; /* in the dentry cache; removed when unlinked */
	struct dentry *d_parent;
	struct qstr d_name;
	struct inode *d_inode;
	union {
		struct hlist_node d_alias; /* of the names of an inode; from 7.0 on */
	};
};

struct dentry___6 {
	union {
		struct hlist_node d_alias;
	} d_u;
};

struct vfsmount {
	struct dentry *mnt_root;
};

/* The mount that contains a vfsmount; found by the offset of its member mnt. */
struct mount {
	struct mount *mnt_parent;
	struct dentry *mnt_mountpoint;
	struct vfsmount mnt;
	struct mnt_namespace *mnt_ns; /* NULL once unmounted, an ERR_PTR for the kernel's own */
};

struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
};

struct file_system_type {
	const char *name;
};

struct super_block {
	u32 s_dev;
	struct file_system_type *s_type;
	unsigned long s_magic;
};

struct inode {
	unsigned short i_mode;
	unsigned long i_ino;
	void *i_private; /* of pidfs: struct pid */
	u32 i_rdev;
	struct super_block *i_sb;
	struct address_space *i_mapping;
	struct hlist_head i_dentry; /* its names */
};

struct address_space {
	struct inode *host;
};

struct file {
	struct path f_path;
	struct inode *f_inode;
	unsigned int f_flags;
	void *private_data; /* of a socket: struct socket; of a pidfd before 6.9: struct pid */
};

struct eventfd_ctx {
	u64 count;
	unsigned int flags;
	int id;
};

struct signalfd_ctx {
	struct {
		unsigned long sig[1];
	} sigmask; /* those that it does not read */
};

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

struct fs_struct {
	struct path root;
	struct path pwd;
};

struct filename {
	const char *name; /* the kernel's copy */
	const char *uptr; /* the caller's address of it, NULL: the kernel's own; up to 6.19 */
};

/* The options of do_filp_open, made from open_how. */
struct open_flags {
	int open_flag;
	unsigned short mode;
};

struct open_how {
	u64 flags;
	u64 mode;
	u64 resolve;
};
