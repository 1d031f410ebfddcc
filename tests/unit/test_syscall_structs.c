/* SPDX-License-Identifier: GPL-2.0-only */
/* test_syscall_structs.c - bytes in memory → structs, options and messages as strace(1) prints them. */
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <linux/perf_event.h>
#include <linux/rtnetlink.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#define RECORD_ROOM 10000
#include "record_sample.h"

/* Members that depend on others, alternatives, and the size that the struct says itself. */
static void test_conditions(void **state)
{
	struct perf_event_attr a = { .type = PERF_TYPE_HW_CACHE,
				     .size = sizeof(a),
				     .config = PERF_COUNT_HW_CACHE_LL | 1 << 16,
				     .sample_freq = 99,
				     .freq = 1,
				     .disabled = 1 };
	struct record r = record_of("perf_event_open", 3, (uint64_t[6]){ 1, 0, -1u, -1u });

	(void)state;
	chunk_add(&r, 0, TAKE_AT_ENTRY, 0, &a, sizeof(a));
	expect(&r,
	       "perf_event_open({type=PERF_TYPE_HW_CACHE, size=PERF_ATTR_SIZE_VER7, "
	       "config=PERF_COUNT_HW_CACHE_RESULT_MISS<<16|PERF_COUNT_HW_CACHE_OP_READ<<8|"
	       "PERF_COUNT_HW_CACHE_LL, sample_freq=99, sample_type=0, read_format=0, "
	       "disabled=1, freq=1, precise_ip=0 /* arbitrary skid */, ...}, 0, -1, -1, 0) = 3");
	a.freq = 0;
	a.type = PERF_TYPE_SOFTWARE;
	r = record_of("perf_event_open", -7, (uint64_t[6]){ 1, 0, -1u, -1u });
	chunk_add(&r, 0, TAKE_AT_ENTRY, 0, &a, sizeof(a));
	a.size = PERF_ATTR_SIZE_VER6;
	chunk_add(&r, 0, TAKE_AT_RETURN, 0, &a, sizeof(a));
	expect(&r, "perf_event_open({type=PERF_TYPE_SOFTWARE, size=PERF_ATTR_SIZE_VER7 => "
		   "PERF_ATTR_SIZE_VER6, config=0x10002 /* PERF_COUNT_SW_??? */, sample_period=99, "
		   "sample_type=0, read_format=0, disabled=1, precise_ip=0 /* arbitrary skid */, "
		   "...}, 0, -1, -1, 0) = -1 E2BIG (Argument list too long)");
}

/* As long as an argument says: less than is known, and more. */
static void test_sizes(void **state)
{
	struct {
		struct clone_args a;
		uint64_t later;
	} c = { { .flags = CLONE_PIDFD, .pidfd = 0x10, .exit_signal = 17 }, 0 };
	union bpf_attr map = { .map_type = BPF_MAP_TYPE_HASH, .key_size = 4, .max_entries = 9 };
	struct record r = record_of("clone3", -22, (uint64_t[6]){ 1, sizeof(c) });

	(void)state;
	c.later = 1;
	chunk_add(&r, 0, TAKE_AT_ENTRY, 0, &c, sizeof(c));
	expect(&r,
	       "clone3({flags=CLONE_PIDFD, pidfd=0x10, exit_signal=SIGCHLD, stack=NULL, "
	       "stack_size=0, /* bytes 88..95 */ \"\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\"}, "
	       "96) = -1 EINVAL (Invalid argument)");
	r = record_of("clone3", -22, (uint64_t[6]){ 1, 8 });
	chunk_add(&r, 0, TAKE_AT_ENTRY, 0, &c, 8);
	expect(&r, "clone3(0x1, 8) = -1 EINVAL (Invalid argument)");
	r = record_of("bpf", 3, (uint64_t[6]){ BPF_MAP_CREATE, 1, 20 });
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, &map, 20);
	expect(&r, "bpf(BPF_MAP_CREATE, {map_type=BPF_MAP_TYPE_HASH, key_size=4, value_size=0, "
		   "max_entries=9, map_flags=0}, 20) = 3");
}

/* What a call fills, and what it changes. */
static void test_changes(void **state)
{
	struct ifreq i = { .ifr_name = "lo" };
	struct record r = record_of("ioctl", 0, (uint64_t[6]){ 3, SIOCGIFMTU, 1 });

	(void)state;
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &i, sizeof(i));
	i.ifr_mtu = 1500;
	chunk_add(&r, 2, TAKE_AT_RETURN, 0, &i, sizeof(i));
	expect(&r, "ioctl(3, SIOCGIFMTU, {ifr_name=\"lo\", ifr_mtu=1500}) = 0");
	r = record_of("ioctl", -19, (uint64_t[6]){ 3, SIOCGIFMTU, 1 });
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &i, sizeof(i));
	expect(&r, "ioctl(3, SIOCGIFMTU, {ifr_name=\"lo\"}) = -1 ENODEV (No such device)");
	r = record_of("bpf", 0, (uint64_t[6]){ BPF_PROG_GET_NEXT_ID, 1, 12 });
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, "\1\0\0\0\0\0\0\0\0\0\0\0", 12);
	chunk_add(&r, 1, TAKE_AT_RETURN, 0, "\1\0\0\0\5\0\0\0\0\0\0\0", 12);
	expect(&r, "bpf(BPF_PROG_GET_NEXT_ID, {start_id=1, next_id=0 => 5}, 12) = 0");
}

/* Addresses by rows, and -X of those that are not. */
static void test_addresses(void **state)
{
	static const char ll[20] = { 17, 0, 0, 3, 0, 0, 0, 0, 1, 0, 4, 1, 'a', 'b' };
	static const char in[16] = { 2, 0, 0, 80, 127, 0, 0, 1 };
	struct record r = record_of("bind", 0, (uint64_t[6]){ 3, 1, sizeof(ll) });

	(void)state;
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, ll, sizeof(ll));
	expect(&r, "bind(3, {sa_family=AF_PACKET, sll_protocol=htons(ETH_P_ALL), sll_ifindex=0, "
		   "sll_hatype=ARPHRD_ETHER, sll_pkttype=PACKET_OUTGOING, sll_halen=1, "
		   "sll_addr=[0x61]}, 20) = 0");
	r.event.args[2] = 19;
	expect(&r, "bind(3, {sa_family=AF_PACKET, "
		   "sa_data=\"\\0\\3\\0\\0\\0\\0\\1\\0\\4\\1ab\\0\\0\\0\\0\\0\"}, 19) = 0");
	r = record_of("bind", 0, (uint64_t[6]){ 3, 1, sizeof(in) });
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, in, sizeof(in));
	options.style = SYSCALL_BOTH;
	expect(&r, "bind(3, {sa_family=0x2 /* AF_INET */, sin_port=\"\\x00\\x50\" /* htons(80) */, "
		   "sin_addr=\"\\x7f\\x00\\x00\\x01\" /* inet_addr(\"127.0.0.1\") */}, 16) = 0");
	options.style = SYSCALL_NAMES;
}

/* A struct of which the call fills a part, and alternatives by a member that may not be there. */
static void test_parts(void **state)
{
#ifdef __x86_64__
#define CALL_80 "__NR_chdir"
#else
#define CALL_80 "80" /* a number of another machine's */
#endif
	static const char info[80] = { 2,  0,  0,  0,  0x3e, 0,	 0,  (char)0xc0, [24] = -2,
				       -1, -1, -1, -1, -1,   -1, -1, 1 };
	static const char entry[80] = { 1, [4] = 0x3e, 0, 0, (char)0xc0, [24] = 80, [32] = 5 };
	struct record r = record_of("ptrace", 33, (uint64_t[6]){ 0x420e, 7, 88, 1 });

	(void)state;
	chunk_add(&r, 3, TAKE_AT_RETURN, 0, info, 33);
	expect(&r, "ptrace(PTRACE_GET_SYSCALL_INFO, 7, 88, {op=PTRACE_SYSCALL_INFO_EXIT, "
		   "arch=AUDIT_ARCH_X86_64, instruction_pointer=0, stack_pointer=0, "
		   "exit={rval=-ENOENT, is_error=1}}) = 33");
	r = record_of("ptrace", 33, (uint64_t[6]){ 0x420e, 7, 32, 1 });
	chunk_add(&r, 3, TAKE_AT_RETURN, 0, info, 32);
	expect(&r, "ptrace(PTRACE_GET_SYSCALL_INFO, 7, 32, {op=PTRACE_SYSCALL_INFO_EXIT, "
		   "arch=AUDIT_ARCH_X86_64, instruction_pointer=0, stack_pointer=0, "
		   "exit={rval=-2}}) = 33");
	r = record_of("ptrace", 80, (uint64_t[6]){ 0x420e, 7, 43, 1 });
	chunk_add(&r, 3, TAKE_AT_RETURN, 0, entry, 43);
	expect(&r, "ptrace(PTRACE_GET_SYSCALL_INFO, 7, 43, {op=PTRACE_SYSCALL_INFO_ENTRY, "
		   "arch=AUDIT_ARCH_X86_64, instruction_pointer=0, stack_pointer=0, "
		   "entry={nr=" CALL_80 ", args=[0x5]}}) = 80");
	r = record_of("ptrace", 80, (uint64_t[6]){ 0x420e, 7, 7, 1 });
	chunk_add(&r, 3, TAKE_AT_RETURN, 0, entry, 7);
	expect(&r, "ptrace(PTRACE_GET_SYSCALL_INFO, 7, 7, {op=PTRACE_SYSCALL_INFO_ENTRY}) = 80");
}

/* A message that is as long as the call says, and one of which the end cannot be read. */
static void test_messages(void **state)
{
	struct record r = record_of("msgsnd", 0, (uint64_t[6]){ 1, 1, 2, 0 });
	struct mmsghdr m[2] = { { .msg_hdr = { .msg_iovlen = 0 } } };

	(void)state;
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, "\7\0\0\0\0\0\0\0hi, and more", 20);
	expect(&r, "msgsnd(1, {mtype=7, mtext=\"hi\"}, 2, 0) = 0");
	r = record_of("msgrcv", 3, (uint64_t[6]){ 1, 0x10, 9, 0, 0 });
	chunk_add(&r, 1, TAKE_AT_RETURN, 0, "\7\0\0\0\0\0\0\0hi", 10);
	expect(&r, "msgrcv(1, 0x10, 9, 0, 0) = 3");
	r = record_of("sendmmsg", -9, (uint64_t[6]){ -1u, 0x1000, 2 });
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, m, sizeof(m[0]));
	((struct syssnoop_chunk *)r.chunks)->unread = 1;
	expect(&r, "sendmmsg(-1, [{msg_hdr={msg_name=NULL, msg_namelen=0, msg_iov=NULL, "
		   "msg_iovlen=0, msg_controllen=0, msg_flags=0}}, ... /* 0x1040 */], 2, 0) = -1 "
		   "EBADF (Bad file descriptor)");
	/* of no bytes at an address nothing is shown; no address is none, whatever the length */
	r = record_of("writev", -9, (uint64_t[6]){ -1u, 0x1000, 3 });
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0,
		  (struct iovec[3]){ { NULL, 0 }, { (void *)0x2000, 0 }, { NULL, 3 } }, 48);
	expect(&r, "writev(-1, [{iov_base=NULL, iov_len=0}, {iov_base=\"\", iov_len=0}, "
		   "{iov_base=NULL, iov_len=3}], 3) = -1 EBADF (Bad file descriptor)");
}

/* A call may return how much there is, of which it has written only what there was room for. */
static void test_room(void **state)
{
	struct record r = record_of("recvfrom", 4, (uint64_t[6]){ 3, 0x10, 0, MSG_TRUNC });

	(void)state;
	chunk_add(&r, 1, TAKE_AT_RETURN, 0, "", 0);
	expect(&r, "recvfrom(3, \"\", 0, MSG_TRUNC, NULL, NULL) = 4");
	r = record_of("recvfrom", 40, (uint64_t[6]){ 3, 0x10, 2, MSG_TRUNC });
	chunk_add(&r, 1, TAKE_AT_RETURN, 0, "ab", 2);
	expect(&r, "recvfrom(3, \"ab\", 2, MSG_TRUNC, NULL, NULL) = 40");
	r = record_of("keyctl", 6, (uint64_t[6]){ 11, 7, 0x10, 0 });
	expect(&r, "keyctl(KEYCTL_READ, 7, \"\", 0) = 6");
	/* of an attribute only the length */
	r = record_of("getxattr", 6, (uint64_t[6]){ 0x10, 0x20, 0x30, 0 });
	chunk_add(&r, 2, TAKE_AT_RETURN, 0, "before", 6);
	expect(&r, "getxattr(0x10, 0x20, 0x30, 0) = 6");
	r = record_of("flistxattr", 7, (uint64_t[6]){ 3, 0x30, 0 });
	chunk_add(&r, 1, TAKE_AT_RETURN, 0, "user.a", 7);
	expect(&r, "flistxattr(3, 0x30, 0) = 7");
}

/* What members of a struct point to: as much of it as was taken, else the address. */
static void test_behind(void **state)
{
	struct sock_filter f[] = { BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)SKF_AD_OFF + 4),
				   BPF_JUMP(BPF_JMP | BPF_K | BPF_JEQ, 17, 0, 5),
				   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1) };
	struct sock_fprog prog = { .len = 3, .filter = (struct sock_filter *)0x1000 };
	struct record r = record_of("seccomp", 0, (uint64_t[6]){ SECCOMP_SET_MODE_FILTER, 0, 1 });

	(void)state;
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &prog, sizeof(prog));
	chunk_add(&r, 2, TAKE_AT_ENTRY, 3, f, sizeof(f));
	expect(&r, "seccomp(SECCOMP_SET_MODE_FILTER, 0, {len=3, filter=0x1000}) = 0");
	options.verbose = true;
	expect(&r, "seccomp(SECCOMP_SET_MODE_FILTER, 0, {len=3, filter=["
		   "BPF_STMT(BPF_LD|BPF_W|BPF_ABS, 0xfffff004), "
		   "BPF_JUMP(BPF_JMP|BPF_K|BPF_JEQ, 0x11, 0, 0x5), "
		   "BPF_STMT(BPF_RET|BPF_K, SECCOMP_RET_ERRNO|0x1)]}) = 0");
	r = record_of("setsockopt", 0,
		      (uint64_t[6]){ 3, SOL_SOCKET, SO_ATTACH_FILTER, 1, sizeof(prog) });
	chunk_add(&r, 3, TAKE_AT_ENTRY, 0, &prog, sizeof(prog));
	chunk_add(&r, 3, TAKE_AT_ENTRY, 3, f, 8);
	((struct syssnoop_chunk *)(r.chunks + sizeof(struct syssnoop_chunk) + sizeof(prog)))
		->unread = 1;
	expect(&r, "setsockopt(3, SOL_SOCKET, SO_ATTACH_FILTER, {len=3, filter=["
		   "BPF_STMT(BPF_LD|BPF_W|BPF_ABS, SKF_AD_OFF+SKF_AD_PKTTYPE), "
		   "... /* 0x1008 */]}, 16) = 0");
	r = record_of("getsockopt", 0, (uint64_t[6]){ 3, SOL_SOCKET, SO_GET_FILTER, 1, 2 });
	chunk_add(&r, 3, TAKE_AT_RETURN, 0, f + 2, 8);
	chunk_add(&r, 4, TAKE_AT_ENTRY, 0, "\4\0\0\0", 4);
	chunk_add(&r, 4, TAKE_AT_RETURN, 0, "\1\0\0\0", 4);
	expect(&r, "getsockopt(3, SOL_SOCKET, SO_GET_FILTER, "
		   "[BPF_STMT(BPF_RET|BPF_K, 0x50001)], [4 => 1]) = 0");
	options.verbose = false;
	expect(&r, "getsockopt(3, SOL_SOCKET, SO_GET_FILTER, 0x1, [4 => 1]) = 0");
	r = record_of("pselect6", 0, (uint64_t[6]){ 0, 0, 0, 0, 0, 1 });
	chunk_add(&r, 5, TAKE_AT_ENTRY, 0, "\0\x10\0\0\0\0\0\0\10\0\0\0\0\0\0\0", 16);
	chunk_add(&r, 5, TAKE_AT_ENTRY, 1, "\1\0\0\0\0\0\0\0", 8);
	expect(&r, "pselect6(0, NULL, NULL, NULL, NULL, {sigmask=[HUP], sigsetsize=8}) = 0 "
		   "(Timeout)");
}

static void test_numbers(void **state)
{
	struct record r = record_of("futex", 1, (uint64_t[6]){ 1, 0x85, 1, 1, 2, 0x90003005 });

	(void)state;
	expect(&r, "futex(0x1, FUTEX_WAKE_OP_PRIVATE, 1, 1, 0x2, FUTEX_OP_OPARG_SHIFT<<28|"
		   "FUTEX_OP_ADD<<28|0x3<<12|FUTEX_OP_CMP_EQ<<24|0x5) = 1");
	r = record_of("move_pages", 0, (uint64_t[6]){ 1, 2, 0, 0, 1, 2 });
	chunk_add(&r, 4, TAKE_AT_RETURN, 0, "\362\377\377\377\1\0\0\0", 8);
	expect(&r, "move_pages(1, 2, NULL, NULL, [-EFAULT, 1], MPOL_MF_MOVE) = 0");
	r = record_of("personality", 0, (uint64_t[6]){ 0x40008 });
	expect(&r, "personality(PER_LINUX32|ADDR_NO_RANDOMIZE) = 0 (PER_LINUX)");
	options.style = SYSCALL_BOTH;
	r = record_of("utimensat", 0, (uint64_t[6]){ 3, 0, 1, 0 });
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0,
		  "\1\0\0\0\0\0\0\0\377\377\377\77\0\0\0\0"
		  "\2\0\0\0\0\0\0\0\376\377\377\77\0\0\0\0",
		  32);
	expect(&r, "utimensat(3, NULL, [{tv_sec=1, tv_nsec=1073741823} /* UTIME_NOW */, "
		   "{tv_sec=2, tv_nsec=1073741822} /* UTIME_OMIT */], 0) = 0");
	options.style = SYSCALL_NUMBERS_ONLY;
	r = record_of("personality", 6, (uint64_t[6]){ 0x40000 });
	expect(&r, "personality(0|0x40000) = 0x6 (0x6)");
	r = record_of("mount", 0, (uint64_t[6]){ 0, 0, 0, 0xc0ed0001 });
	expect(&r, "mount(NULL, NULL, NULL, 0xc0ed0000|0x1, NULL) = 0");
	r = record_of("set_mempolicy", 0, (uint64_t[6]){ 0x100000000, 0, 0 });
	expect(&r, "set_mempolicy(0, NULL, 0) = 0");
	r = record_of("mount", 0, (uint64_t[6]){ 0 });
	r.event.args[3] = 0x200001;
	expect(&r, "mount(NULL, NULL, NULL, 0x200001, NULL) = 0");
	r = record_of("semget", 0, (uint64_t[6]){ 0, 1, 01600 });
	expect(&r, "semget(0, 1, 0x200|0600) = 0");
	options.style = SYSCALL_NAMES;
	r = record_of("kexec_load", -1, (uint64_t[6]){ 0, 0, 0, 0xda7a1000 });
	expect(&r, "kexec_load(NULL, 0, NULL, 0xda7a0000 /* KEXEC_ARCH_??? */|0x1000 "
		   "/* KEXEC_??? */) = -1 EPERM (Operation not permitted)");
	r = record_of("shmget", 0, (uint64_t[6]){ 0, 4096, 01600 | 21 << 26 });
	expect(&r, "shmget(IPC_PRIVATE, 4096, IPC_CREAT|21<<SHM_HUGE_SHIFT|0600) = 0");
	r = record_of("fanotify_init", 3, (uint64_t[6]){ 12, 0 });
	expect(&r, "fanotify_init(0xc /* FAN_CLASS_??? */, O_RDONLY) = 3");
	r = record_of("quotactl", 0, (uint64_t[6]){ 0x80000301, 0, 5, 0 });
	expect(&r, "quotactl(QCMD(Q_QUOTAOFF, GRPQUOTA), NULL) = 0");
}

/* Of capabilities the version of the header says how many halves there are; without it, nothing. */
static void test_capabilities(void **state)
{
	static const char data[24] = { [0] = 1, [13] = 1 };
	uint32_t header[2] = { 0x20080522, 0 };
	struct record r = record_of("capset", 0, (uint64_t[6]){ 1, 2 });

	(void)state;
	chunk_add(&r, 0, TAKE_AT_ENTRY, 0, header, sizeof(header));
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, data, sizeof(data));
	expect(&r, "capset({version=_LINUX_CAPABILITY_VERSION_3, pid=0}, {effective=1<<CAP_CHOWN|"
		   "1<<CAP_CHECKPOINT_RESTORE, permitted=0, inheritable=0}) = 0");
	header[0] = 0x19980330;
	r = record_of("capset", 0, (uint64_t[6]){ 1, 2 });
	chunk_add(&r, 0, TAKE_AT_ENTRY, 0, header, sizeof(header));
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, data, 12);
	expect(&r, "capset({version=_LINUX_CAPABILITY_VERSION_1, pid=0}, {effective=1<<CAP_CHOWN, "
		   "permitted=0, inheritable=0}) = 0");
	r = record_of("capset", -14, (uint64_t[6]){ 1, 2 });
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, data, sizeof(data));
	expect(&r, "capset(0x1, 0x2) = -1 EFAULT (Bad address)");
}

/* Enums of 64 bits that are decimal, devices and results of 32 bits, addresses of fewer bytes than a family. */
static void test_widths(void **state)
{
	struct record r = record_of("mknodat", -1,
				    (uint64_t[6]){ 3, 0, 020600, 7ull << 32 | 0x103 });

	(void)state;
	expect(&r,
	       "mknodat(3, NULL, S_IFCHR|0600, makedev(0x1, 0x3)) = -1 EPERM (Operation not permitted)");
#ifdef __x86_64__ /* the others have no such call */
	r = record_of("modify_ldt", 0xffffffda, (uint64_t[6]){ 1, 0, 16 });
	expect(&r, "modify_ldt(1, NULL, 16) = 4294967258 ENOSYS (Function not implemented)");
#endif
	r = record_of("memfd_create", 3, (uint64_t[6]){ 0x100, 1 });
	chunk_add(&r, 0, TAKE_AT_ENTRY, 0, "a name", 7);
	expect(&r, "memfd_create(\"a name\", MFD_CLOEXEC) = 3");
	r = record_of("connect", -9, (uint64_t[6]){ 3, 0x100, 1 });
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, "\1", 1);
	expect(&r, "connect(3, 0x100, 1) = -1 EBADF (Bad file descriptor)");
	r = record_of("ioctl", -1,
		      (uint64_t[6]){ 3, ioctl_native(0x40309410), 1 }); /* BTRFS_IOC_DEFRAG_RANGE */
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, (uint64_t[6]){ 0, 5ull << 32 | 7, 0, 0, 0, 0 }, 48);
	expect(&r,
	       "ioctl(3, BTRFS_IOC_DEFRAG_RANGE, {start=0, len=21474836487, flags=0, extent_thresh=0, "
	       "compress_type=BTRFS_COMPRESS_NONE}) = -1 EPERM (Operation not permitted)");
}

/* A struct in a struct without braces, two lists in one argument, and what a member of an inner struct leads to. */
static void test_inner(void **state)
{
	struct {
		uint32_t version[3], size, start, count, open, flags, event, pad;
		uint64_t dev;
		char rest[264];
	} dm = { .version = { 4, 0, 0 }, .size = 312, .count = 1, .dev = 0xfd01 };
	uint32_t format[52] = { 3, 0, 0, 0, 9, 8, 1, 0, 0x100, 0, 1 };
	int32_t clip[6] = { 1, 2, 3, 4 };
	struct record r = record_of("ioctl", -1,
				    (uint64_t[6]){ 3, 0xc138fd09, 1 }); /* DM_TABLE_LOAD */

	(void)state;
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &dm, sizeof(dm));
	expect(&r, "ioctl(3, DM_TABLE_LOAD, [{version=[4, 0, 0], data_size=312, data_start=0, "
		   "dev=makedev(0xfd, 0x1), target_count=1, flags=0}, ...]) = -1 EPERM "
		   "(Operation not permitted)");
	dm.version[0] = 3;
	r = record_of("ioctl", 0, (uint64_t[6]){ 3, ioctl_native(0xc138fd09), 1 });
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &dm, sizeof(dm));
	chunk_add(&r, 2, TAKE_AT_RETURN, 0, &dm, sizeof(dm));
	expect(&r,
	       "ioctl(3, DM_TABLE_LOAD, [{version=[3, 0, 0]}, ...] => [{version=[3, 0, 0]}]) = 0");
	r = record_of("ioctl", -1,
		      (uint64_t[6]){ 3, ioctl_native(0xc0d05605), 1 }); /* VIDIOC_S_FMT */
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, format, sizeof(format));
	chunk_add(&r, 2, TAKE_AT_ENTRY, 1 + 32 / 4, clip, sizeof(clip));
	expect(&r,
	       "ioctl(3, VIDIOC_S_FMT, {type=V4L2_BUF_TYPE_VIDEO_OVERLAY, fmt.win={w={left=0, top=0, "
	       "width=9, height=8}, field=V4L2_FIELD_NONE, chromakey=0, clips=[{c={left=1, top=2, "
	       "width=3, height=4}}], clipcount=1, bitmap=NULL}}) = -1 EPERM (Operation not permitted)");
}

/* A request for an interface, and the error that answers one; of other sockets the same bytes are a string. */
static void test_netlink(void **state)
{
	struct {
		struct nlmsghdr h;
		struct ifinfomsg i;
		struct rtattr a;
		char name[4];
	} m = { { sizeof(m), RTM_GETLINK, NLM_F_REQUEST, 1, 0 },
		{ .ifi_family = AF_INET },
		{ 7, IFLA_IFNAME },
		"lo" };
	struct {
		struct nlmsghdr h;
		struct nlmsgerr e;
	} e = { { sizeof(e), NLMSG_ERROR, NLM_F_CAPPED, 1, 9 }, { -19, m.h } };
	struct record r = record_of("sendto", sizeof(m), (uint64_t[6]){ 3, 1, sizeof(m) });

	(void)state;
	chunk_add(&r, 0, TAKE_AT_ENTRY, 2, "\0\0\0\0", 4);
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, &m, sizeof(m));
	expect(&r, "sendto(3, [{nlmsg_len=40, nlmsg_type=RTM_GETLINK, nlmsg_flags=NLM_F_REQUEST, "
		   "nlmsg_seq=1, nlmsg_pid=0}, {ifi_family=AF_INET, ifi_type=ARPHRD_NETROM, "
		   "ifi_index=0, ifi_flags=0, ifi_change=0}, [{nla_len=7, nla_type=IFLA_IFNAME}, "
		   "\"lo\"]], 40, 0, NULL, 0) = 40");
	r = record_of("recvfrom", sizeof(e), (uint64_t[6]){ 3, 1, 4096 });
	chunk_add(&r, 0, TAKE_AT_RETURN, 2, "\0\0\0\0", 4);
	chunk_add(&r, 1, TAKE_AT_RETURN, 0, &e, sizeof(e));
	expect(&r, "recvfrom(3, [{nlmsg_len=36, nlmsg_type=NLMSG_ERROR, nlmsg_flags=NLM_F_CAPPED, "
		   "nlmsg_seq=1, nlmsg_pid=9}, {error=-ENODEV, msg={nlmsg_len=40, "
		   "nlmsg_type=RTM_GETLINK, nlmsg_flags=NLM_F_REQUEST, nlmsg_seq=1, "
		   "nlmsg_pid=0}}], 4096, 0, NULL, NULL) = 36");
	r = record_of("sendto", 4, (uint64_t[6]){ 3, 1, 4 });
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, &m, 4);
	expect(&r, "sendto(3, \"(\\0\\0\\0\", 4, 0, NULL, 0) = 4");
}

/* No length in a message leads beyond it. */
static void test_netlink_any(void **state)
{
	unsigned seed = 1;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct record r = record_of("sendto", 64, (uint64_t[6]){ 3, 1, 64 });
		uint16_t bytes[32];
		struct buf o;

		for (size_t k = 0; k < 32; k++) {
			seed = seed * 1103515245 + 12345;
			bytes[k] = (uint16_t)(seed >> 16 & (seed >> 8 & 1 ? 0x3f : 0xffff));
		}
		bytes[1] = 0;
		chunk_add(&r, 0, TAKE_AT_ENTRY, 2, i & 1 ? "\4\0\0\0" : "\0\0\0\0", 4);
		chunk_add(&r, 1, TAKE_AT_ENTRY, 0, bytes, sizeof(bytes));
		buf_init(&o, -1);
		syscall_write_text(&o, &r.event, &options);
		assert_true(o.len > 10);
		buf_free(&o);
	}
}

/* Numbers with a form of their own, also as results and with -X. */
static void test_forms(void **state)
{
	uint32_t flags = 1u << 27;
	struct {
		int64_t start;
		uint32_t start_nsec, reserved;
		int64_t period;
		uint32_t period_nsec, reserved2, index, flags, rest[4];
	} perout = { 1, 1000000000, 0, 2, 3, 0, 4, 1, { 0 } };
	struct record r = record_of("ioprio_get", 2 << 13 | 4, (uint64_t[6]){ 1, 7 });

	(void)state;
	expect(&r, "ioprio_get(IOPRIO_WHO_PROCESS, 7) = 16388 "
		   "(IOPRIO_PRIO_VALUE(IOPRIO_CLASS_BE, 4))");
	r = record_of("ioprio_set", 0, (uint64_t[6]){ 1, 7, 9 << 13 | 1 });
	expect(&r, "ioprio_set(IOPRIO_WHO_PROCESS, 7, "
		   "IOPRIO_PRIO_VALUE(0x9 /* IOPRIO_CLASS_??? */, 1)) = 0");
	options.style = SYSCALL_BOTH;
	expect(&r, "ioprio_set(0x1 /* IOPRIO_WHO_PROCESS */, 7, 73729 /* "
		   "IOPRIO_PRIO_VALUE(0x9 /* IOPRIO_CLASS_??? */, 1) */) = 0");
	options.style = SYSCALL_NUMBERS_ONLY;
	expect(&r, "ioprio_set(0x1, 7, 73729) = 0");
	options.style = SYSCALL_NAMES;
	r = record_of("syslog", 0, (uint64_t[6]){ 8, 0, 4 });
	expect(&r, "syslog(8 /* SYSLOG_ACTION_CONSOLE_LEVEL */, NULL, 4 /* LOGLEVEL_WARNING */) "
		   "= 0");
	r = record_of("ioctl", 0, (uint64_t[6]){ 3, ioctl_native(0x40086602), 1 });
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &flags, 4);
	expect(&r, "ioctl(3, FS_IOC_SETFLAGS, [0x8000000 /* FS_???_FL */]) = 0");
	r = record_of("ioctl", 0, (uint64_t[6]){ 3, ioctl_native(0x40383d03), 1 });
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &perout, sizeof(perout));
	expect(&r, "ioctl(3, PTP_PEROUT_REQUEST, {start={sec=1, nsec=1000000000}, period={sec=2, "
		   "nsec=3}, index=4, flags=PTP_PEROUT_ONE_SHOT}) = 0");
}

/* Requests that contain what is asked for; a list whose members differ. */
static void test_input(void **state)
{
	unsigned pair[] = { 7, 30 };
	struct record r = record_of("ioctl", -9, (uint64_t[6]){ 3, ioctl_native(0x80084521), 1 });

	(void)state;
	expect(&r, "ioctl(3, EVIOCGBIT(EV_KEY, 8), 0x1) = -1 EBADF (Bad file descriptor)");
	r = record_of("ioctl", -9, (uint64_t[6]){ 3, ioctl_native(0x8018457f), 1 });
	expect(&r, "ioctl(3, EVIOCGABS(0x3f /* ABS_??? */), 0x1) = -1 EBADF (Bad file descriptor)");
	r = record_of("ioctl", 4, (uint64_t[6]){ 3, ioctl_native(0x80104506), 1 });
	chunk_add(&r, 2, TAKE_AT_RETURN, 0, "key", 4);
	expect(&r, "ioctl(3, EVIOCGNAME(16), \"key\\0\") = 4");
	r = record_of("ioctl", 0, (uint64_t[6]){ 3, ioctl_native(0x40084504), 1 });
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, pair, sizeof(pair));
	expect(&r, "ioctl(3, EVIOCSKEYCODE, [7, KEY_A]) = 0");
}

/* A list whose length the call changes, in bytes. */
static void test_interfaces(void **state)
{
	struct ifreq found = { .ifr_name = "lo", .ifr_addr = { .sa_family = AF_INET } };
	struct {
		int len, pad;
		uint64_t buf;
	} c = { 2 * sizeof(found), 0, 0x100 };
	struct record r = record_of("ioctl", 0, (uint64_t[6]){ 3, SIOCGIFCONF, 1 });

	(void)state;
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &c, sizeof(c));
	c.len = sizeof(found);
	chunk_add(&r, 2, TAKE_AT_RETURN, 0, &c, sizeof(c));
	chunk_add(&r, 2, TAKE_AT_RETURN, 3, &found, sizeof(found));
	expect(&r, "ioctl(3, SIOCGIFCONF, {ifc_len=80 /* 2 * sizeof(struct ifreq) */ => 40 "
		   "/* 1 * sizeof(struct ifreq) */, ifc_buf=[{ifr_name=\"lo\", "
		   "ifr_addr={sa_family=AF_INET, sin_port=htons(0), "
		   "sin_addr=inet_addr(\"0.0.0.0\")}}]}) = 0");
	c.len = 7;
	r = record_of("ioctl", -14, (uint64_t[6]){ 3, SIOCGIFCONF, 1 });
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &c, sizeof(c));
	chunk_add(&r, 2, TAKE_AT_RETURN, 0, &c, sizeof(c));
	expect(&r, "ioctl(3, SIOCGIFCONF, {ifc_len=7, ifc_buf=0x100}) = -1 EFAULT (Bad address)");
}

/* What a disk is asked, and what it answers, by the direction. */
static void test_scsi(void **state)
{
	struct {
		int id, direction;
		uint8_t len, sense_max;
		uint16_t iovecs;
		uint32_t size;
		uint64_t data, command, sense;
		uint32_t timeout, flags, pack[4];
		uint8_t status, masked, message, sense_len;
		uint16_t host, driver;
		int rest;
		uint32_t duration, info;
	} s = { .id = 'S', .direction = -3, .len = 2, .size = 3, .data = 0x100, .command = 0x200 };
	struct record r = record_of("ioctl", 0, (uint64_t[6]){ 3, 0x2285, 1 });

	(void)state;
	s.timeout = 1000;
	s.sense = 0x300;
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &s, sizeof(s));
	chunk_add(&r, 2, TAKE_AT_ENTRY, 7, "\x12\1", 2);
	s.duration = 5;
	chunk_add(&r, 2, TAKE_AT_RETURN, 0, &s, sizeof(s));
	chunk_add(&r, 2, TAKE_AT_RETURN, 5, "abc", 3);
	expect(&r,
	       "ioctl(3, SG_IO, {interface_id='S', dxfer_direction=SG_DXFER_FROM_DEV, cmd_len=2, "
	       "cmdp=\"\\x12\\x01\", mx_sb_len=0, iovec_count=0, dxfer_len=3, timeout=1000, "
	       "flags=0, dxferp=\"\\x61\\x62\\x63\", status=0, masked_status=0, msg_status=0, "
	       "sb_len_wr=0, sbp=\"\", host_status=0, driver_status=0, resid=0, duration=5, "
	       "info=0}) = 0");
	/* what the device has not sent is not what it was asked for */
	r = record_of("ioctl", 0, (uint64_t[6]){ 3, 0x2285, 1 });
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &s, sizeof(s));
	s.rest = 2;
	chunk_add(&r, 2, TAKE_AT_RETURN, 0, &s, sizeof(s));
	chunk_add(&r, 2, TAKE_AT_RETURN, 5, "abc", 3);
	s.rest = 0;
	expect(&r,
	       "ioctl(3, SG_IO, {interface_id='S', dxfer_direction=SG_DXFER_FROM_DEV, cmd_len=2, "
	       "cmdp=0x200, mx_sb_len=0, iovec_count=0, dxfer_len=3, timeout=1000, "
	       "flags=0, dxferp=\"\\x61\", status=0, masked_status=0, msg_status=0, "
	       "sb_len_wr=0, sbp=\"\", host_status=0, driver_status=0, resid=2, duration=5, "
	       "info=0}) = 0");
	/* of vectors, which are not the data, only where they are */
	r = record_of("ioctl", -22, (uint64_t[6]){ 3, 0x2285, 1 });
	s.iovecs = 2;
	s.direction = -2;
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &s, sizeof(s));
	chunk_add(&r, 2, TAKE_AT_ENTRY, 5, "abc", 3);
	chunk_add(&r, 2, TAKE_AT_ENTRY, 7, "\x12\1", 2);
	expect(&r, "ioctl(3, SG_IO, {interface_id='S', dxfer_direction=SG_DXFER_TO_DEV, cmd_len=2, "
		   "cmdp=\"\\x12\\x01\", mx_sb_len=0, iovec_count=2, dxfer_len=3, timeout=1000, "
		   "flags=0, dxferp=0x100, sbp=0x300}) = -1 EINVAL (Invalid argument)");
	/* the other struct has another number first */
	r = record_of("ioctl", -22, (uint64_t[6]){ 3, 0x2285, 1 });
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &(uint32_t[40]){ 'Q', 0, 1, 0 }, 160);
	expect(&r, "ioctl(3, SG_IO, {guard='Q', protocol=BSG_PROTOCOL_SCSI, "
		   "subprotocol=BSG_SUB_PROTOCOL_SCSI_TMF, request_len=0, request=NULL, "
		   "request_tag=0, request_attr=0, request_priority=0, request_extra=0, "
		   "max_response_len=0, dout_iovec_count=0, dout_xfer_len=0, din_iovec_count=0, "
		   "din_xfer_len=0, dout_xferp=NULL, timeout=0, flags=0, usr_ptr=0, "
		   "response=NULL, din_xferp=NULL}) = -1 EINVAL (Invalid argument)");
}

/* Subvolumes: a descriptor and a name in a page; what the call fills in. */
static void test_subvolumes(void **state)
{
	struct {
		int64_t fd;
		uint64_t id, flags, unused[4];
		char name[4040];
	} v = { .fd = 4, .flags = 2, .name = "snap" };
	struct {
		uint64_t start, len, flags;
		uint32_t threshold, compress, unused[4];
	} d = { 1, -1ull, 1, 5, 3, { 0 } };
	struct record r = record_of("ioctl", 0, (uint64_t[6]){ 3, ioctl_native(0x50009417), 1 });

	(void)state;
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &v, sizeof(v));
	v.id = 9;
	chunk_add(&r, 2, TAKE_AT_RETURN, 0, &v, sizeof(v));
	expect(&r, "ioctl(3, BTRFS_IOC_SNAP_CREATE_V2, {fd=4, flags=BTRFS_SUBVOL_RDONLY, "
		   "name=\"snap\"} => {transid=9}) = 0");
	r = record_of("ioctl", 0, (uint64_t[6]){ 3, ioctl_native(0x40309410), 1 });
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &d, sizeof(d));
	expect(&r, "ioctl(3, BTRFS_IOC_DEFRAG_RANGE, {start=1, len=UINT64_MAX, "
		   "flags=BTRFS_DEFRAG_RANGE_COMPRESS, extent_thresh=5, "
		   "compress_type=BTRFS_COMPRESS_ZSTD}) = 0");
}

/* Of what drivers share, the one that has a row says what there is. */
static void test_shared(void **state)
{
	uint64_t erase = 0x2000ull << 32 | 0x1000;
	uint64_t d[3 + 4] = { 1, 2, 1, 5, 6 }, key[13] = { 1, 256, -256ull, 0, -1ull };
	struct record r = record_of("ioctl", -1, (uint64_t[6]){ 3, ioctl_native(0x40084d02), 1 });

	(void)state;
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &erase, sizeof(erase));
	expect(&r, "ioctl(3, MIXER_WRITE(2) or MEMERASE, {start=0x1000, length=0x2000}) = -1 EPERM "
		   "(Operation not permitted)");
	r = record_of("ioctl", 0, (uint64_t[6]){ 3, ioctl_native(0xc0189436), 1 });
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, d, sizeof(d));
	d[5] = 9;
	chunk_add(&r, 2, TAKE_AT_RETURN, 0, d, sizeof(d));
	expect(&r, "ioctl(3, BTRFS_IOC_FILE_EXTENT_SAME or FIDEDUPERANGE, {src_offset=1, "
		   "src_length=2, dest_count=1, info=[{dest_fd=5, dest_offset=6}]} => "
		   "{info=[{bytes_deduped=9, status=0}]}) = 0");
	r = record_of("ioctl", 0, (uint64_t[6]){ 3, ioctl_native(0xd0009411), 1 });
	key[7] = 1 | 253ull << 32;
	key[8] = 7;
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, key, sizeof(key));
	key[8] = 2;
	chunk_add(&r, 2, TAKE_AT_RETURN, 0, key, sizeof(key));
	expect(&r, "ioctl(3, BTRFS_IOC_TREE_SEARCH, {key={tree_id=BTRFS_ROOT_TREE_OBJECTID, "
		   "min_offset=0, max_offset=UINT64_MAX, min_transid=0, max_transid=0, "
		   "min_type=BTRFS_INODE_ITEM_KEY, max_type=BTRFS_STRING_ITEM_KEY, nr_items=7}} => "
		   "{key={nr_items=2}}) = 0");
	r = record_of("ioctl", 1, (uint64_t[6]){ 3, 0xae03, 10 });
	expect(&r, "ioctl(3, KVM_CHECK_EXTENSION, KVM_CAP_NR_MEMSLOTS) = 1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_conditions), cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_changes),	   cmocka_unit_test(test_interfaces),
		cmocka_unit_test(test_shared),	   cmocka_unit_test(test_subvolumes),
		cmocka_unit_test(test_scsi),	   cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_netlink),	   cmocka_unit_test(test_netlink_any),
		cmocka_unit_test(test_messages),   cmocka_unit_test(test_room),
		cmocka_unit_test(test_behind),	   cmocka_unit_test(test_parts),
		cmocka_unit_test(test_addresses),  cmocka_unit_test(test_forms),
		cmocka_unit_test(test_input),	   cmocka_unit_test(test_capabilities),
		cmocka_unit_test(test_widths),	   cmocka_unit_test(test_inner),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
