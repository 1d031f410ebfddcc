/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frozen.c - a kernel in miniature that never changes: its BTF is what the golden tests compile
 * expressions against. Only types and prototypes matter.
 *
 * clang describes a struct in full only where one is held by value: hence `struct everything`.
 */
typedef _Bool bool;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char s8;
typedef short s16;
typedef int s32;
typedef long long s64;
typedef u64 size_t;
typedef s64 loff_t;
typedef u32 fmode_t;

#define __user	 __attribute__((btf_type_tag("user")))
#define __percpu __attribute__((btf_type_tag("percpu")))

struct list_head {
	struct list_head *next, *prev;
};

struct module {
	int state;
	char name[56];
};

struct file_system_type {
	const char *name;
	int fs_flags;
	struct module *owner;
};

struct super_block {
	struct list_head s_list;
	u32 s_dev;
	u8 s_blocksize_bits;
	struct file_system_type *s_type;
	char s_id[32];
	u8 s_uuid[16];
	char s_long[300];
	char s_end[];
};

enum inode_kind { INODE_NONE, INODE_FILE = 1, INODE_DIR = 2, INODE_ODD = -5 };

struct inode {
	u16 i_mode;
	u32 i_flags;
	struct super_block *i_sb;
	u64 i_ino;
	s64 i_size;
	s8 i_s8;
	s16 i_s16;
	s32 i_s32;
	enum inode_kind i_kind;
	bool i_dirty;
	char i_letter;
	union {
		u32 i_nlink;
		const u32 __i_nlink;
	};
	union {
		struct list_head i_lru;
		struct {
			void *i_first;
			void *i_second;
		};
		u64 i_words[2];
	};
	int i_matrix[3][4];
	void *i_private;
};

struct qstr {
	union {
		struct {
			u32 hash;
			u32 len;
		};
		u64 hash_len;
	};
	const unsigned char *name;
};

struct dentry {
	struct dentry *d_parent;
	struct qstr d_name;
	struct inode *d_inode;
	char d_iname[40];
};

struct vfsmount;

struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
};

struct file_operations {
	long (*read)(void *file, char *buf, size_t n, loff_t *pos);
	struct module *owner;
};

struct file {
	fmode_t f_mode;
	const struct file_operations *f_op;
	struct path f_path;
	struct inode *f_inode;
	loff_t f_pos;
	void *private_data;
	double f_float;
};

struct bits {
	u8 a : 1;
	u8 b : 3;
	s32 c : 5;
	u32 d : 20;
	u32 : 3;
	u32 e : 7;
	enum inode_kind f : 4;
	bool g : 1;
	u64 h : 40;
	u64 i : 24;
	s64 j : 63;
	u64 k : 1;
	u8 last;
	u8 l : 7;
} __attribute__((packed));

struct crossing {
	u8 first;
	u32 wide : 30;
	u64 wider : 60;
} __attribute__((packed));

struct cred {
	u32 uid;
};

struct task_struct {
	union { /* it is 192 bytes long: TYPED_BYTES_MAX */
		u64 state;
		void *stack;
		struct thread_info {
			u64 flags;
		} thread_info;
	};
	int pid;
	int tgid;
	char comm[16];
	const struct cred *cred;
	struct file *files[8];
	struct file **table;
	char **argv;
	u32 *scalar;
	char __user *user_name;
	struct cred __user *user_cred;
	struct cred __percpu *percpu_cred;
	struct bits bits;
	struct crossing crossing;
};

struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax, ip,
		cs, flags, sp, ss;
};

struct big {
	u8 head[40000];
	u32 tail;
};

struct everything {
	struct file file;
	struct inode inode;
	struct super_block super_block;
	struct file_system_type file_system_type;
	struct module module;
	struct dentry dentry;
	struct file_operations file_operations;
	struct task_struct task_struct;
	struct cred cred;
	struct pt_regs pt_regs;
	struct big big;
} everything;

long vfs_read(struct file *file, char __user *buf, size_t count, loff_t *pos)
{
	return 0;
}

long do_sys_open(int dfd, const char *filename, int flags, u16 mode)
{
	return 0;
}

void wake_up_new_task(struct task_struct *p)
{
}

void kinds(enum inode_kind kind, bool yes, char letter, void *any, struct file **files)
{
}

void big(struct big *big, struct list_head *list, struct super_block *sb, s64 *numbers)
{
}

struct inode *find_inode(struct file *file, struct list_head *list)
{
	return 0;
}

s64 *find_number(struct file *file)
{
	return 0;
}

void none(void)
{
}

void by_value(struct cred cred, int after)
{
}

void clashing(int pid, int comm, struct file *a, struct file *b)
{
}

/* What $ctx is made of. */
enum trace_flag_type {
	TRACE_FLAG_IRQS_OFF = 1,
	TRACE_FLAG_NEED_RESCHED_LAZY = 2,
	TRACE_FLAG_BH_OFF = 128,
} trace_flags;
unsigned long __preempt_count, local_interrupt_disable_state;

/* Sockets, and numbers in network byte order. */
typedef u16 __be16;
typedef u32 __be32;
typedef struct {
	u32 val;
} kuid_t;
struct in6_addr {
	u8 bytes[16];
};
struct sock_common {
	union {
		u64 skc_addrpair;
		struct {
			__be32 skc_daddr, skc_rcv_saddr;
		};
	};
	u32 skc_hash;
	union {
		u32 skc_portpair;
		struct {
			__be16 skc_dport;
			u16 skc_num;
		};
	};
	u16 skc_family;
	u8 skc_state;
	void *skc_prot;
	struct in6_addr skc_v6_daddr, skc_v6_rcv_saddr;
	u64 skc_cookie;
};
struct sock {
	struct sock_common __sk_common;
	kuid_t sk_uid;
	u32 sk_dev;
};
struct tcp_sock {
	struct sock inet;
	__be32 sequence;
};
struct socket {
	int state;
	struct sock *sk;
};
struct {
	struct tcp_sock tcp_sock;
	struct socket socket;
} sockets;

void send(struct sock *sk, struct socket *sock, struct tcp_sock *tcp, __be16 port, s64 took)
{
}

struct sk_buff {
	struct {
		u16 protocol, transport_header, network_header;
	};
	unsigned char *head;
};

int receive(struct sk_buff *skb)
{
	return 0;
}
