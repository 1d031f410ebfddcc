/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * flag_names.c - names of the flags and numbers that system calls take.
 *
 * The values are those of the build's architecture: O_DIRECTORY, O_DIRECT and similar ones differ
 * between x86 and arm64 (asm/fcntl.h).
 */
#include "output/field/flag_names.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/openat2.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "kernel/arch.h"

#define BITS(name)                                                                                 \
	{                                                                                          \
		name, #name                                                                        \
	}

/* Names whose bits include another's come first, because a bit is named only once. */
const struct field_name flags_open[] = {
	{ O_RDONLY, "O_RDONLY", O_ACCMODE },
	{ O_WRONLY, "O_WRONLY", O_ACCMODE },
	{ O_RDWR, "O_RDWR", O_ACCMODE },
	/* both bits: checks read and write permission, allows neither */
	{ O_ACCMODE, "O_ACCMODE", O_ACCMODE },
	BITS(O_CREAT),
	BITS(O_EXCL),
	BITS(O_NOCTTY),
	BITS(O_TRUNC),
	BITS(O_APPEND),
	BITS(O_NONBLOCK),
	BITS(O_SYNC), /* includes the bit of O_DSYNC */
	{ O_SYNC & ~O_DSYNC, "__O_SYNC" },
	BITS(O_DSYNC),
	BITS(O_DIRECT),
	{ ARCH_O_LARGEFILE, "O_LARGEFILE" },
	BITS(O_NOFOLLOW),
	BITS(O_NOATIME),
	BITS(O_CLOEXEC),
	BITS(O_PATH),
	BITS(O_TMPFILE), /* includes the bit of O_DIRECTORY */
	{ O_TMPFILE & ~O_DIRECTORY, "__O_TMPFILE" },
	BITS(O_DIRECTORY),
	BITS(O_ASYNC),
	{ 0x4000000, "O_EMPTYPATH" }, /* since Linux 7.2 */
	{ 0x20, "FMODE_EXEC" },	      /* set by the kernel for exec: include/linux/fs.h */
	{ 0 },
};

const struct field_name flags_resolve[] = {
	BITS(RESOLVE_NO_XDEV),
	BITS(RESOLVE_NO_MAGICLINKS),
	BITS(RESOLVE_NO_SYMLINKS),
	BITS(RESOLVE_BENEATH),
	BITS(RESOLVE_IN_ROOT),
	BITS(RESOLVE_CACHED),
	{ 0 },
};

const struct field_name flags_dirfd[] = {
	{ (uint32_t)AT_FDCWD, "AT_FDCWD" },
	{ 0 },
};

const struct field_name flags_clone[] = {
	/* the low byte: the signal that the parent gets when the child exits */
	{ SIGCHLD, "SIGCHLD", 0xff },
	BITS(CLONE_VM),
	BITS(CLONE_FS),
	BITS(CLONE_FILES),
	BITS(CLONE_SIGHAND),
	BITS(CLONE_PIDFD),
	BITS(CLONE_PTRACE),
	BITS(CLONE_VFORK),
	BITS(CLONE_PARENT),
	BITS(CLONE_THREAD),
	BITS(CLONE_NEWNS),
	BITS(CLONE_SYSVSEM),
	BITS(CLONE_SETTLS),
	BITS(CLONE_PARENT_SETTID),
	BITS(CLONE_CHILD_CLEARTID),
	BITS(CLONE_DETACHED),
	BITS(CLONE_UNTRACED),
	BITS(CLONE_CHILD_SETTID),
	BITS(CLONE_NEWCGROUP),
	BITS(CLONE_NEWUTS),
	BITS(CLONE_NEWIPC),
	BITS(CLONE_NEWUSER),
	BITS(CLONE_NEWPID),
	BITS(CLONE_NEWNET),
	BITS(CLONE_IO),
	{ 0 },
};

const struct field_name flags_prot[] = {
	BITS(PROT_READ),      BITS(PROT_WRITE),	  BITS(PROT_EXEC),
	BITS(PROT_GROWSDOWN), BITS(PROT_GROWSUP), { 0 },
};

const struct field_name flags_mmap[] = {
	BITS(MAP_SHARED_VALIDATE),
	BITS(MAP_SHARED),
	BITS(MAP_PRIVATE),
	BITS(MAP_FIXED),
	BITS(MAP_ANONYMOUS),
	BITS(MAP_GROWSDOWN),
	BITS(MAP_DENYWRITE),
	BITS(MAP_EXECUTABLE),
	BITS(MAP_LOCKED),
	BITS(MAP_NORESERVE),
	BITS(MAP_POPULATE),
	BITS(MAP_NONBLOCK),
	BITS(MAP_STACK),
	BITS(MAP_HUGETLB),
	BITS(MAP_SYNC),
	BITS(MAP_FIXED_NOREPLACE),
	{ 0 },
};

const struct field_name flags_msg[] = {
	BITS(MSG_OOB),
	BITS(MSG_PEEK),
	BITS(MSG_DONTROUTE),
	BITS(MSG_CTRUNC),
	{ MSG_PROXY, "MSG_PROBE" }, /* as the kernel names it */
	BITS(MSG_TRUNC),
	BITS(MSG_DONTWAIT),
	BITS(MSG_EOR),
	BITS(MSG_WAITALL),
	BITS(MSG_FIN),
	BITS(MSG_SYN),
	BITS(MSG_CONFIRM),
	BITS(MSG_RST),
	BITS(MSG_ERRQUEUE),
	BITS(MSG_NOSIGNAL),
	BITS(MSG_MORE),
	BITS(MSG_WAITFORONE),
	BITS(MSG_BATCH),
	BITS(MSG_ZEROCOPY),
	BITS(MSG_FASTOPEN),
	BITS(MSG_CMSG_CLOEXEC),
	{ 0x2000000, "MSG_SOCK_DEVMEM" },
	{ 0 },
};

/*
 * From include/linux/gfp.h and gfp_types.h. The numbers did not change from 4.20 until the kernel made them an enum,
 * which is then in its BTF. Higher bits depended on the configuration, so they are shown as numbers.
 */
const struct field_name flags_gfp[] = {
	{ 0x1, "DMA" },
	{ 0x2, "HIGHMEM" },
	{ 0x4, "DMA32" },
	{ 0x8, "MOVABLE" },
	{ 0x10, "RECLAIMABLE" },
	{ 0x20, "HIGH" },
	{ 0x40, "IO" },
	{ 0x80, "FS" },
	{ 0x100, "ZERO" },
	{ 0x200, "ATOMIC" },
	{ 0x400, "DIRECT_RECLAIM" },
	{ 0x800, "KSWAPD_RECLAIM" },
	{ 0x1000, "WRITE" },
	{ 0x2000, "NOWARN" },
	{ 0x4000, "RETRY_MAYFAIL" },
	{ 0x8000, "NOFAIL" },
	{ 0x10000, "NORETRY" },
	{ 0x20000, "MEMALLOC" },
	{ 0x40000, "COMP" },
	{ 0x80000, "NOMEMALLOC" },
	{ 0x100000, "HARDWALL" },
	{ 0x200000, "THISNODE" },
	{ 0x400000, "ACCOUNT" },
	{ 0 },
};

/* From linux/blk_types.h: those with the same number in all kernels. */
const struct field_name flags_block[] = {
	{ 0x7, "FAILFAST", 0x7 },
	{ 0x8, "SYNC" },
	{ 0x10, "META" },
	{ 0x20, "PRIO" },
	{ 0x40, "NOMERGE" },
	{ 0x80, "IDLE" },
	{ 0x100, "INTEGRITY" },
	{ 0x200, "FUA" },
	{ 0x400, "PREFLUSH" },
	{ 0x800, "RAHEAD" },
	{ 0x1000, "BACKGROUND" },
	{ 0x2000, "NOWAIT" },
	{ 0 },
};

const struct field_name flags_block_op[] = {
	{ 0, "read" },	    { 1, "write" },	 { 2, "flush" },       { 3, "discard" },
	{ 5, "erase" },	    { 9, "zeroes" },	 { 32, "scsi-in" }, /* until 5.13 */
	{ 33, "scsi-out" }, { 34, "driver-in" }, { 35, "driver-out" }, { 0 },
};

const struct field_name flags_family[] = {
	BITS(AF_UNSPEC),
	BITS(AF_UNIX),
	BITS(AF_INET),
	BITS(AF_AX25),
	BITS(AF_IPX),
	BITS(AF_APPLETALK),
	BITS(AF_NETROM),
	BITS(AF_BRIDGE),
	BITS(AF_ATMPVC),
	BITS(AF_X25),
	BITS(AF_INET6),
	BITS(AF_ROSE),
	BITS(AF_DECnet),
	BITS(AF_NETBEUI),
	BITS(AF_SECURITY),
	BITS(AF_KEY),
	BITS(AF_NETLINK),
	BITS(AF_PACKET),
	BITS(AF_ASH),
	BITS(AF_ECONET),
	BITS(AF_ATMSVC),
	BITS(AF_RDS),
	BITS(AF_SNA),
	BITS(AF_IRDA),
	BITS(AF_PPPOX),
	BITS(AF_WANPIPE),
	BITS(AF_LLC),
	BITS(AF_IB),
	BITS(AF_MPLS),
	BITS(AF_CAN),
	BITS(AF_TIPC),
	BITS(AF_BLUETOOTH),
	BITS(AF_IUCV),
	BITS(AF_RXRPC),
	BITS(AF_ISDN),
	BITS(AF_PHONET),
	BITS(AF_IEEE802154),
	BITS(AF_CAIF),
	BITS(AF_ALG),
	BITS(AF_NFC),
	BITS(AF_VSOCK),
	BITS(AF_KCM),
	BITS(AF_QIPCRTR),
	BITS(AF_SMC),
	BITS(AF_XDP),
	{ 45, "AF_MCTP" },

	{ 0 },
};

const struct field_name flags_signal[] = {
	BITS(SIGHUP),	 BITS(SIGINT),	BITS(SIGQUIT),	BITS(SIGILL),  BITS(SIGTRAP),
	BITS(SIGABRT),	 BITS(SIGBUS),	BITS(SIGFPE),	BITS(SIGKILL), BITS(SIGUSR1),
	BITS(SIGSEGV),	 BITS(SIGUSR2), BITS(SIGPIPE),	BITS(SIGALRM), BITS(SIGTERM),
	BITS(SIGSTKFLT), BITS(SIGCHLD), BITS(SIGCONT),	BITS(SIGSTOP), BITS(SIGTSTP),
	BITS(SIGTTIN),	 BITS(SIGTTOU), BITS(SIGURG),	BITS(SIGXCPU), BITS(SIGXFSZ),
	BITS(SIGVTALRM), BITS(SIGPROF), BITS(SIGWINCH), BITS(SIGIO),   BITS(SIGPWR),
	BITS(SIGSYS),	 { 0 },
};

/* The file type as an enum under S_IFMT, and permissions. */
static const struct field_name flags_mode[] = {
	BITS(S_IFMT),  BITS(S_IFSOCK), BITS(S_IFLNK), BITS(S_IFREG), BITS(S_IFBLK), BITS(S_IFDIR),
	BITS(S_IFCHR), BITS(S_IFIFO),  BITS(S_ISUID), BITS(S_ISGID), BITS(S_ISVTX), BITS(S_IRUSR),
	BITS(S_IWUSR), BITS(S_IXUSR),  BITS(S_IRGRP), BITS(S_IWGRP), BITS(S_IXGRP), BITS(S_IROTH),
	BITS(S_IWOTH), BITS(S_IXOTH),  BITS(S_IRWXU), BITS(S_IRWXG), BITS(S_IRWXO), { 0 },
};

/* From linux/fs.h: those with the same number in all kernels. */
static const struct field_name flags_fmode[] = {
	{ 0x1, "FMODE_READ" },
	{ 0x2, "FMODE_WRITE" },
	{ 0x4, "FMODE_LSEEK" },
	{ 0x8, "FMODE_PREAD" },
	{ 0x10, "FMODE_PWRITE" },
	{ 0x20, "FMODE_EXEC" },
	{ 0 },
};

#define SOCK_KIND(name)                                                                            \
	{                                                                                          \
		name, #name, 0xf                                                                   \
	}
const struct field_name flags_socktype[] = {
	SOCK_KIND(SOCK_STREAM),	   SOCK_KIND(SOCK_DGRAM),
	SOCK_KIND(SOCK_RAW),	   SOCK_KIND(SOCK_RDM),
	SOCK_KIND(SOCK_SEQPACKET), SOCK_KIND(SOCK_DCCP),
	SOCK_KIND(SOCK_PACKET),	   BITS(SOCK_NONBLOCK),
	BITS(SOCK_CLOEXEC),	   { 0 },
};

const struct field_name flags_proto[] = {
	BITS(IPPROTO_IP),	 BITS(IPPROTO_ICMP),
	BITS(IPPROTO_IGMP),	 BITS(IPPROTO_TCP),
	BITS(IPPROTO_UDP),	 BITS(IPPROTO_DCCP),
	BITS(IPPROTO_IPV6),	 BITS(IPPROTO_GRE),
	BITS(IPPROTO_ESP),	 BITS(IPPROTO_AH),
	BITS(IPPROTO_ICMPV6),	 BITS(IPPROTO_SCTP),
	BITS(IPPROTO_UDPLITE),	 BITS(IPPROTO_RAW),
	BITS(IPPROTO_MPTCP),	 BITS(IPPROTO_IPIP),
	BITS(IPPROTO_EGP),	 BITS(IPPROTO_PUP),
	BITS(IPPROTO_IDP),	 BITS(IPPROTO_TP),
	BITS(IPPROTO_RSVP),	 BITS(IPPROTO_MTP),
	BITS(IPPROTO_BEETPH),	 BITS(IPPROTO_ENCAP),
	BITS(IPPROTO_PIM),	 BITS(IPPROTO_COMP),
	BITS(IPPROTO_MPLS),	 BITS(IPPROTO_ETHERNET),
	{ 115, "IPPROTO_L2TP" }, { 144, "IPPROTO_AGGFRAG" },
	{ 256, "IPPROTO_SMC" },	 { 0 },
};

/* From linux/capability.h. */
const struct field_name flags_cap[] = {
	BITS(CAP_CHOWN),
	BITS(CAP_DAC_OVERRIDE),
	BITS(CAP_DAC_READ_SEARCH),
	BITS(CAP_FOWNER),
	BITS(CAP_FSETID),
	BITS(CAP_KILL),
	BITS(CAP_SETGID),
	BITS(CAP_SETUID),
	BITS(CAP_SETPCAP),
	BITS(CAP_LINUX_IMMUTABLE),
	BITS(CAP_NET_BIND_SERVICE),
	BITS(CAP_NET_BROADCAST),
	BITS(CAP_NET_ADMIN),
	BITS(CAP_NET_RAW),
	BITS(CAP_IPC_LOCK),
	BITS(CAP_IPC_OWNER),
	BITS(CAP_SYS_MODULE),
	BITS(CAP_SYS_RAWIO),
	BITS(CAP_SYS_CHROOT),
	BITS(CAP_SYS_PTRACE),
	BITS(CAP_SYS_PACCT),
	BITS(CAP_SYS_ADMIN),
	BITS(CAP_SYS_BOOT),
	BITS(CAP_SYS_NICE),
	BITS(CAP_SYS_RESOURCE),
	BITS(CAP_SYS_TIME),
	BITS(CAP_SYS_TTY_CONFIG),
	BITS(CAP_MKNOD),
	BITS(CAP_LEASE),
	BITS(CAP_AUDIT_WRITE),
	BITS(CAP_AUDIT_CONTROL),
	BITS(CAP_SETFCAP),
	BITS(CAP_MAC_OVERRIDE),
	BITS(CAP_MAC_ADMIN),
	BITS(CAP_SYSLOG),
	BITS(CAP_WAKE_ALARM),
	BITS(CAP_BLOCK_SUSPEND),
	BITS(CAP_AUDIT_READ),
	BITS(CAP_PERFMON),
	BITS(CAP_BPF),
	BITS(CAP_CHECKPOINT_RESTORE),
	{ 0 },
};

const struct field_name flags_mount[] = {
	BITS(MS_RDONLY),
	BITS(MS_NOSUID),
	BITS(MS_NODEV),
	BITS(MS_NOEXEC),
	BITS(MS_SYNCHRONOUS),
	BITS(MS_REMOUNT),
	BITS(MS_MANDLOCK),
	BITS(MS_DIRSYNC),
	BITS(MS_NOSYMFOLLOW),
	BITS(MS_NOATIME),
	BITS(MS_NODIRATIME),
	BITS(MS_BIND),
	BITS(MS_MOVE),
	BITS(MS_REC),
	BITS(MS_SILENT),
	BITS(MS_POSIXACL),
	BITS(MS_UNBINDABLE),
	BITS(MS_PRIVATE),
	BITS(MS_SLAVE),
	BITS(MS_SHARED),
	BITS(MS_RELATIME),
	BITS(MS_I_VERSION),
	BITS(MS_STRICTATIME),
	BITS(MS_LAZYTIME),
	{ 0 },
};

/* Numbers of system calls on this architecture: the Makefile builds syscalls.h from numbers.tbl. */
const struct field_name flags_syscall[] = {
#include "syscalls.h"
	{ 0 },
};

const struct field_name *const flags_constants[] = {
	flags_open,  flags_resolve, flags_dirfd,  flags_clone, flags_prot,  flags_mmap,
	flags_msg,   flags_family,  flags_signal, flags_mode,  flags_fmode, flags_socktype,
	flags_proto, flags_cap,	    flags_mount,  NULL,
};
