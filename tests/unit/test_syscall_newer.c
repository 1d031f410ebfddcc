/* SPDX-License-Identifier: GPL-2.0-only */
/* test_syscall_newer.c - calls of Linux 6.5 and newer: bytes in memory → text as strace(1) prints it. */
#include <sys/socket.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "record_sample.h"

/* Structs that calls read, and those that they fill. */
static void test_structs(void **state)
{
	uint64_t range[2] = { 0x1000, 8 }, stat[5] = { 1, 2, 3, 4, 5 };
	struct {
		uint64_t xflags;
		uint32_t extsize, nextents, projid, cowextsize;
	} attr = { 2, 3, 4, 5, 6 };
	struct record r = record_of("cachestat", 0, (uint64_t[6]){ 3, 1, 2 });

	(void)state;
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, range, sizeof(range));
	chunk_add(&r, 2, TAKE_AT_RETURN, 0, stat, sizeof(stat));
	expect(&r, "cachestat(3, {off=0x1000, len=8}, {nr_cache=1, nr_dirty=2, nr_writeback=3, "
		   "nr_evicted=4, nr_recently_evicted=5}, 0) = 0");
	r = record_of("file_getattr", 0, (uint64_t[6]){ -100u, 0, 1, sizeof(attr), 0x1000 });
	chunk_add(&r, 2, TAKE_AT_RETURN, 0, &attr, sizeof(attr));
	expect(&r, "file_getattr(AT_FDCWD, NULL, {fa_xflags=FS_XFLAG_PREALLOC, fa_extsize=3, "
		   "fa_nextents=4, fa_projid=0x5, fa_cowextsize=6}, 24, AT_EMPTY_PATH) = 0");
	r = record_of("file_setattr", -22, (uint64_t[6]){ -100u, 0, 1, 16, 0 });
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &attr, 16);
	expect(&r, "file_setattr(AT_FDCWD, NULL, 0x1, 16, 0) = -1 EINVAL (Invalid argument)");
}

/* Flags and masks of futex2. */
static void test_futexes(void **state)
{
	struct {
		uint64_t val, uaddr;
		uint32_t flags, reserved;
	} waiters[2] = { { 1, 0x10, 2, 0 }, { 2, 0x20, 0x82, 3 } };
	struct record r = record_of("futex_wake", 1, (uint64_t[6]){ 16, -1u, 1, 0x82 });

	(void)state;
	expect(&r,
	       "futex_wake(0x10, FUTEX_BITSET_MATCH_ANY, 1, FUTEX2_SIZE_U32|FUTEX2_PRIVATE) = 1");
	r = record_of("futex_wait", -11, (uint64_t[6]){ 16, 7, 3, 0x100, 0, 1 });
	expect(&r, "futex_wait(0x10, 7, 0x3, FUTEX2_SIZE_U8|0x100, NULL, CLOCK_MONOTONIC) = -1 "
		   "EAGAIN (Resource temporarily unavailable)");
	r = record_of("futex_requeue", 0, (uint64_t[6]){ 1, 0, 1, 2 });
	chunk_add(&r, 0, TAKE_AT_ENTRY, 0, waiters, sizeof(waiters));
	expect(&r, "futex_requeue([{val=0x1, uaddr=0x10, flags=FUTEX2_SIZE_U32}, {val=0x2, "
		   "uaddr=0x20, flags=FUTEX2_SIZE_U32|FUTEX2_PRIVATE, __reserved=0x3}], 0, 1, 2) "
		   "= 0");
}

/* Strings behind a struct, by their offsets. */
static void test_mounts(void **state)
{
	struct {
		uint32_t size, zero;
		uint64_t id, param, ns;
	} req = { 32, 0, UINT64_MAX, 0x21, 4 };
	struct {
		uint32_t size, mnt_opts;
		uint64_t mask;
		uint32_t major, minor;
		uint64_t magic;
		uint32_t flags, fs_type;
		uint64_t rest[59];
		char strings[16];
	} st = { 528, 0, 0x21, 8, 1, 0x9fa0, 1, 2, { 0 }, "x\0proc\0cut" };
	uint64_t ids[2] = { 0x80, 0x81 };
	struct record r = record_of("statmount", 0, (uint64_t[6]){ 1, 2, sizeof(st), 0 });

	(void)state;
	_Static_assert(sizeof(st) == 528, "as the kernel has it");
	chunk_add(&r, 0, TAKE_AT_ENTRY, 0, &req, sizeof(req));
	chunk_add(&r, 1, TAKE_AT_RETURN, 0, &st, sizeof(st));
	expect(&r, "statmount({size=32, mnt_ns_fd=0, mnt_id=0xffffffffffffffff, "
		   "param=STATMOUNT_SB_BASIC|STATMOUNT_FS_TYPE, mnt_ns_id=0x4}, {size=528, "
		   "mask=STATMOUNT_SB_BASIC|STATMOUNT_FS_TYPE, sb_dev_major=8, sb_dev_minor=1, "
		   "sb_magic=PROC_SUPER_MAGIC, sb_flags=MS_RDONLY, fs_type=\"proc\"}, 528, 0) = 0");
	st.fs_type = 16;
	r = record_of("statmount", 0, (uint64_t[6]){ 0, 2, sizeof(st), 0 });
	chunk_add(&r, 1, TAKE_AT_RETURN, 0, &st, sizeof(st));
	expect(&r, "statmount(NULL, {size=528, mask=STATMOUNT_SB_BASIC|STATMOUNT_FS_TYPE, "
		   "sb_dev_major=8, sb_dev_minor=1, sb_magic=PROC_SUPER_MAGIC, "
		   "sb_flags=MS_RDONLY, fs_type=0x10}, 528, 0) = 0");
	req.size = 24;
	r = record_of("listmount", 2, (uint64_t[6]){ 1, 2, 9, 1 });
	chunk_add(&r, 0, TAKE_AT_ENTRY, 0, &req, 24);
	chunk_add(&r, 1, TAKE_AT_RETURN, 0, ids, sizeof(ids));
	expect(&r, "listmount({size=24, mnt_ns_fd=0, mnt_id=LSMT_ROOT, param=0x21}, [0x80, 0x81], "
		   "9, LISTMOUNT_REVERSE) = 2");
}

/* Lists of names whose length is the result; a struct whose length the call changes. */
static void test_counts(void **state)
{
	uint64_t ids[2] = { 100, 3 };
	uint32_t before = 16, after = 24;
	struct {
		uint32_t bytes;
		int32_t type;
		char data[8];
	} in = { 128, 0, "" }, out = { 2, 1, "\1\2zz" };
	struct record r = record_of("lsm_list_modules", 2, (uint64_t[6]){ 1, 2, 0 });

	(void)state;
	chunk_add(&r, 0, TAKE_AT_RETURN, 0, ids, sizeof(ids));
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, &before, 4);
	chunk_add(&r, 1, TAKE_AT_RETURN, 0, &after, 4);
	expect(&r,
	       "lsm_list_modules([LSM_ID_CAPABILITY, 0x3 /* LSM_ID_??? */], [16 => 24], 0) = 2");
	r = record_of("name_to_handle_at", 0, (uint64_t[6]){ -100u, 0, 1, 0, 0x200 });
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &in, sizeof(in));
	chunk_add(&r, 2, TAKE_AT_RETURN, 0, &out, sizeof(out));
	expect(&r, "name_to_handle_at(AT_FDCWD, NULL, {handle_bytes=128 => 2, handle_type=1, "
		   "f_handle=\"\\x01\\x02\"}, NULL, AT_HANDLE_FID) = 0");
}

/* Values that an attribute is set to are elsewhere. */
static void test_xattr(void **state)
{
	struct {
		uint64_t value;
		uint32_t size, flags;
	} args = { 0x100, 4, 1 };
	struct record r = record_of("setxattrat", 0, (uint64_t[6]){ 3, 0, 0x100, 0, 1, 16 });

	(void)state;
	chunk_add(&r, 4, TAKE_AT_ENTRY, 0, &args, sizeof(args));
	chunk_add(&r, 4, TAKE_AT_ENTRY, 1, "abc", 4);
	expect(&r, "setxattrat(3, NULL, AT_SYMLINK_NOFOLLOW, NULL, {value=\"abc\", size=4, "
		   "flags=XATTR_CREATE}, 16) = 0");
}

#define BPF_RAW(c, d, s, o, i)                                                                     \
	{                                                                                          \
		.code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i)                \
	}

/* A struct in that of bpf(2), shorter than it is today and as long. */
static void test_bpf(void **state)
{
	uint32_t link[8] = { 3, 4, 46, 0x20 };
	uint64_t tracepoint[3] = { 0x100, 5, 0xc00c1e };
	uint32_t token[2] = { 0, 3 };
	struct record r = record_of("bpf", 6, (uint64_t[6]){ 28, 1, 16 });

	(void)state;
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, link, 16);
	expect(&r, "bpf(BPF_LINK_CREATE, {link_create={prog_fd=3, target_fd=4, "
		   "attach_type=BPF_TCX_INGRESS, flags=BPF_F_ID}}, 16) = 6");
	/* which struct follows depends on the type, and its first member on the flags */
	link[4] = 7;
	link[6] = 9;
	r = record_of("bpf", 6, (uint64_t[6]){ 28, 1, 32 });
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, link, 32);
	expect(&r, "bpf(BPF_LINK_CREATE, {link_create={prog_fd=3, target_fd=4, "
		   "attach_type=BPF_TCX_INGRESS, flags=BPF_F_ID, tcx={relative_id=7, "
		   "expected_revision=0x9}}}, 32) = 6");
	link[2] = 24;
	r = record_of("bpf", 6, (uint64_t[6]){ 28, 1, 32 });
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, link, 32);
	expect(&r, "bpf(BPF_LINK_CREATE, {link_create={prog_fd=3, target_fd=4, "
		   "attach_type=BPF_TRACE_FENTRY, flags=BPF_F_ID, tracing={target_btf_id=7, "
		   "cookie=0x9}}}, 32) = 6");
	link[2] = 4; /* of none, it is not known what the bytes are */
	r = record_of("bpf", 6, (uint64_t[6]){ 28, 1, 32 });
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, link, 32);
	expect(&r, "bpf(BPF_LINK_CREATE, {link_create={prog_fd=3, target_fd=4, "
		   "attach_type=BPF_SK_SKB_STREAM_PARSER, flags=BPF_F_ID}, ...}, 32) = 6");
	r = record_of("bpf", 6, (uint64_t[6]){ 17, 1, 16 });
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, tracepoint, 16);
	chunk_add(&r, 1, TAKE_AT_ENTRY, 1, "sched_switch", 13);
	expect(&r, "bpf(BPF_RAW_TRACEPOINT_OPEN, {raw_tracepoint={name=\"sched_switch\", "
		   "prog_fd=5}}, 16) = 6");
	r = record_of("bpf", 6, (uint64_t[6]){ 17, 1, 24 });
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, tracepoint, 24);
	chunk_add(&r, 1, TAKE_AT_ENTRY, 1, "sched_switch", 13);
	expect(&r, "bpf(BPF_RAW_TRACEPOINT_OPEN, {raw_tracepoint={name=\"sched_switch\", "
		   "prog_fd=5, cookie=0xc00c1e}}, 24) = 6");
	r = record_of("bpf", 4, (uint64_t[6]){ 36, 1, 8 });
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, token, 8);
	expect(&r, "bpf(BPF_TOKEN_CREATE, {token_create={flags=0, bpffs_fd=3}}, 8) = 4");
}

/* A program of bpf(2) with -v, a log that has no end within its buffer, and a length that the call changed. */
static void test_bpf_program(void **state)
{
	struct bpf_insn insns[] = { BPF_RAW(BPF_ALU64 | BPF_K | BPF_MOV, 1, 0, 0, -4),
				    BPF_RAW(BPF_STX | BPF_DW | BPF_MEM, 10, 1, -8, 0),
				    BPF_RAW(BPF_JMP32 | BPF_X | BPF_JSLE, 2, 3, 5, 0) };
	union bpf_attr a = { .prog_type = BPF_PROG_TYPE_KPROBE,
			     .insn_cnt = 3,
			     .insns = 0x100,
			     .log_size = 4,
			     .log_buf = 0x200 };
	struct record r = record_of("bpf", -22, (uint64_t[6]){ BPF_PROG_LOAD, 1, 40 });

	(void)state;
	options.verbose = true;
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, &a, 40);
	chunk_add(&r, 1, TAKE_AT_ENTRY, 3, insns, sizeof(insns));
	chunk_add(&r, 1, TAKE_AT_ENTRY, 9, "log of it", 10);
	expect(&r,
	       "bpf(BPF_PROG_LOAD, {prog_type=BPF_PROG_TYPE_KPROBE, insn_cnt=3, "
	       "insns=[{code=BPF_ALU64|BPF_K|BPF_MOV, dst_reg=BPF_REG_1, src_reg=BPF_REG_0, "
	       "off=0, imm=0xfffffffc}, {code=BPF_STX|BPF_DW|BPF_MEM, dst_reg=BPF_REG_10, "
	       "src_reg=BPF_REG_1, off=-8, imm=0}, {code=BPF_JMP32|BPF_X|BPF_JSLE, "
	       "dst_reg=BPF_REG_2, src_reg=BPF_REG_3, off=5, imm=0}], license=NULL, "
	       "log_level=0, log_size=4, log_buf=\"log \"...}, 40) = -1 EINVAL (Invalid argument)");
	options.verbose = false;
	r = record_of("bpf", 0, (uint64_t[6]){ BPF_OBJ_GET_INFO_BY_FD, 1, 16 });
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, &(uint32_t[4]){ 3, 152, 0x100 }, 16);
	chunk_add(&r, 1, TAKE_AT_RETURN, 0, &(uint32_t[4]){ 3, 88, 0x100 }, 16);
	expect(&r, "bpf(BPF_OBJ_GET_INFO_BY_FD, {info={bpf_fd=3, info_len=152 => 88, "
		   "info=0x100}}, 16) = 0");
}

/* The flag for a registered ring is not a part of the operation; one struct is there only if the count is 1. */
static void test_uring_ops(void **state)
{
	struct record r = record_of("io_uring_register", 0, (uint64_t[6]){ 0, 0x80000017, 1, 1 });

	(void)state;
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &(uint64_t[5]){ 0, 3 }, 40);
	expect(&r, "io_uring_register(0, IORING_UNREGISTER_PBUF_RING|"
		   "IORING_REGISTER_USE_REGISTERED_RING, {ring_addr=NULL, ring_entries=3, "
		   "bgid=0, flags=0, min_left=0}, 1) = 0");
	r = record_of("io_uring_register", 0, (uint64_t[6]){ 3, 17, 1, 1 });
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, "\x5", 1);
	expect(&r, "io_uring_register(3, IORING_REGISTER_IOWQ_AFF, [0 2], 1) = 0");
	r = record_of("io_uring_register", 0, (uint64_t[6]){ 3, 19, 1, 2 });
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &(uint32_t[2]){ 4, 0 }, 8);
	expect(&r, "io_uring_register(3, IORING_REGISTER_IOWQ_MAX_WORKERS, "
		   "[[IO_WQ_BOUND]=4, [IO_WQ_UNBOUND]=0], 2) = 0");
	r = record_of("io_uring_register", -22, (uint64_t[6]){ 0, 0x17, 1, 2 });
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &(uint64_t[5]){ 0, 3 }, 40);
	expect(&r, "io_uring_register(0, IORING_UNREGISTER_PBUF_RING, 0x1, 2) "
		   "= -1 EINVAL (Invalid argument)");
}

/* Arguments and results with names, of processors that this one is not, too. */
static void test_prctl(void **state)
{
	static const struct {
		uint64_t args[6];
		int64_t ret;
		const char *text;
	} calls[] = {
		{ { 52, 0 },
		  3,
		  "PR_GET_SPECULATION_CTRL, PR_SPEC_STORE_BYPASS) = 0x3 "
		  "(PR_SPEC_PRCTL|PR_SPEC_ENABLE)" },
		{ { 52, 9 },
		  -19,
		  "PR_GET_SPECULATION_CTRL, 0x9 /* PR_SPEC_??? */) = -1 ENODEV "
		  "(No such device)" },
		{ { 53, 1, 4 },
		  0,
		  "PR_SET_SPECULATION_CTRL, PR_SPEC_INDIRECT_BRANCH, "
		  "PR_SPEC_DISABLE) = 0" },
		{ { 69, 0x19 },
		  0,
		  "PR_RISCV_V_SET_CONTROL, PR_RISCV_V_VSTATE_CTRL_OFF|"
		  "PR_RISCV_V_VSTATE_CTRL_ON<<2|PR_RISCV_V_VSTATE_CTRL_INHERIT) "
		  "= 0" },
		{ { 71, 0, 1 },
		  0,
		  "PR_RISCV_SET_ICACHE_FLUSH_CTX, PR_RISCV_CTX_SW_FENCEI_ON, "
		  "PR_RISCV_SCOPE_PER_THREAD) = 0" },
		{ { 45, 2 }, 0, "PR_SET_FP_MODE, PR_FP_MODE_FRE) = 0" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		struct record r = record_of("prctl", calls[i].ret, (uint64_t *)calls[i].args);
		char text[200];

		snprintf(text, sizeof(text), "prctl(%s", calls[i].text);
		expect(&r, text);
	}
}

/* Requests whose structs have names, and one that drivers share. */
static void test_requests_named(void **state)
{
	struct {
		uint32_t memfd, flags;
		uint64_t offset, size;
	} dma = { 5, 1, 4096, 8192 };
	struct record r = record_of("ioctl", 7, (uint64_t[6]){ 3, ioctl_native(0x40187542), 1 });

	(void)state;
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &dma, sizeof(dma));
	expect(&r, "ioctl(3, UDMABUF_CREATE, {memfd=5, flags=UDMABUF_FLAGS_CLOEXEC, offset=4096, "
		   "size=8192}) = 7");
	r = record_of("ioctl", 0, (uint64_t[6]){ 3, ioctl_native(0x8004587d), 1 });
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &(uint32_t){ 2 }, 4);
	expect(&r, "ioctl(3, FS_IOC_SHUTDOWN, [FS_SHUTDOWN_FLAGS_NOLOGFLUSH]) = 0");
	r = record_of("ioctl", -25, (uint64_t[6]){ 3, 0x3b76 });
	expect(&r, "ioctl(3, VFIO_DEVICE_BIND_IOMMUFD or VFIO_IOMMU_SPAPR_UNREGISTER_MEMORY, 0) = "
		   "-1 ENOTTY (Inappropriate ioctl for device)");
	r = record_of("ioctl", -25, (uint64_t[6]){ 3, 0x8b1b });
	expect(&r, "ioctl(3, SIOCGIWESSID, 0) = -1 ENOTTY (Inappropriate ioctl for device)");
}

/* Flags that a call does not take have no names there, though others have. */
static void test_flags_of_call(void **state)
{
	static const struct {
		const char *call, *text;
		uint64_t args[6];
	} calls[] = {
		{ "accept4", "-1, NULL, NULL, 0x1 /* SOCK_??? */)", { -1u, 0, 0, 1 } },
		{ "accept4", "-1, NULL, NULL, SOCK_CLOEXEC)", { -1u, 0, 0, 0x80000 } },
		{ "move_pages",
		  "0, 0, NULL, NULL, NULL, 0x1 /* MPOL_MF_??? */)",
		  { 0, 0, 0, 0, 0, 1 } },
		{ "fchmodat2", "-1, NULL, 000, 0x200 /* AT_??? */)", { -1u, 0, 0, 0x200 } },
		{ "umount2", "NULL, 0x10 /* MNT_??? */)", { 0, 16 } },
		{ "userfaultfd", "0x8 /* UFFD_??? */)", { 8 } },
		{ "renameat2", "-1, NULL, -1, NULL, 0x8 /* RENAME_??? */)", { -1u, 0, -1u, 0, 8 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		uint64_t args[6];
		struct record r;
		char text[200];

		memcpy(args, calls[i].args, sizeof(args));
		r = record_of(calls[i].call, -22, args);
		snprintf(text, sizeof(text), "%s(%s = -1 EINVAL (Invalid argument)", calls[i].call,
			 calls[i].text);
		expect(&r, text);
	}
}

/* Options whose values have names, and names that no header of today has. */
static void test_sockopts(void **state)
{
	struct record r = record_of("getsockopt", 0, (uint64_t[6]){ 3, 0, 52, 1, 2 });

	(void)state;
	chunk_add(&r, 3, TAKE_AT_RETURN, 0, &(uint32_t){ 6 }, 4);
	chunk_add(&r, 4, TAKE_AT_ENTRY, 0, "\4\0\0\0", 4);
	expect(&r, "getsockopt(3, SOL_IP, IP_PROTOCOL, [IPPROTO_TCP], [4]) = 0");
	r = record_of("getsockopt", 0, (uint64_t[6]){ 3, SOL_SOCKET, SO_PEERCRED, 1, 2 });
	chunk_add(&r, 3, TAKE_AT_RETURN, 0, &(int[3]){ 0, -1, -1 }, 12);
	chunk_add(&r, 4, TAKE_AT_ENTRY, 0, "\14\0\0\0", 4);
	expect(&r, "getsockopt(3, SOL_SOCKET, SO_PEERCRED, {pid=0, uid=-1, gid=-1}, [12]) = 0");
	r = record_of("getsockopt", -95, (uint64_t[6]){ 3, 41, 63, 1, 0 });
	expect(&r, "getsockopt(3, SOL_IPV6, IPV6_USE_MIN_MTU, 0x1, NULL) = "
		   "-1 EOPNOTSUPP (Operation not supported)");
	r = record_of("getsockopt", -95, (uint64_t[6]){ 3, 255, 2, 1, 0 });
	expect(&r, "getsockopt(3, SOL_RAW, 0x2 /* RAW_??? */, 0x1, NULL) = "
		   "-1 EOPNOTSUPP (Operation not supported)");
}

#ifdef __x86_64__ /* the others have no such call */
/* What arch_prctl(2) is asked decides what its argument is. */
static void test_arch_prctl(void **state)
{
	struct record r = record_of("arch_prctl", 0, (uint64_t[6]){ 0x1004, 1 });

	(void)state;
	chunk_add(&r, 1, TAKE_AT_RETURN, 0, &(uint64_t){ 0x7f00 }, 8);
	expect(&r, "arch_prctl(ARCH_GET_GS, [0x7f00]) = 0");
	r = record_of("arch_prctl", 0, (uint64_t[6]){ 0x1021, 1 });
	chunk_add(&r, 1, TAKE_AT_RETURN, 0, &(uint64_t){ 0x60003 }, 8);
	expect(&r, "arch_prctl(ARCH_GET_XCOMP_SUPP, [0x60003 /* XFEATURE_MASK_FPSSE|"
		   "XFEATURE_MASK_XTILE */]) = 0");
	r = record_of("arch_prctl", -95, (uint64_t[6]){ 0x1023, 18 });
	expect(&r, "arch_prctl(ARCH_REQ_XCOMP_PERM, 0x12 /* XFEATURE_XTILE_DATA */) "
		   "= -1 EOPNOTSUPP (Operation not supported)");
	r = record_of("arch_prctl", 1, (uint64_t[6]){ 0x1011, 5 });
	expect(&r, "arch_prctl(ARCH_GET_CPUID) = 1");
}
#endif

/* Requests that only headers newer than 6.1 have, and numbers that drivers share. */
static void test_requests(void **state)
{
	static const struct {
		uint32_t request;
		const char *name;
	} all[] = { { 0xff01, "PIDFD_GET_CGROUP_NAMESPACE" },
		    { 0xc0686611, "PROCMAP_QUERY" },
		    { 0xc040aed4, "KVM_CREATE_GUEST_MEMFD" },
		    { 0xc0106440, "DRM_IOCTL_ETNAVIV_GET_PARAM or DRM_IOCTL_EXYNOS_GEM_CREATE or "
				  "DRM_IOCTL_IVPU_GET_PARAM or DRM_IOCTL_LIMA_GET_PARAM or "
				  "DRM_IOCTL_NOUVEAU_GETPARAM or DRM_IOCTL_OMAP_GET_PARAM or "
				  "DRM_IOCTL_PVR_DEV_QUERY or DRM_IOCTL_QAIC_MANAGE or "
				  "DRM_IOCTL_TEGRA_GEM_CREATE" },
		    { 0x40044d0e, "MIXER_WRITE(14) or OTPGETREGIONCOUNT" } };
	struct record r;
	char text[512];

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		r = record_of("ioctl", -9, (uint64_t[6]){ 3, ioctl_native(all[i].request), 0x10 });
		snprintf(text, sizeof(text), "ioctl(3, %s, 0x10) = -1 EBADF (Bad file descriptor)",
			 all[i].name);
		expect(&r, text);
	}
	r = record_of("ioctl", 0, (uint64_t[6]){ 3, ioctl_native(0x80111500), 0x10 });
	chunk_add(&r, 2, TAKE_AT_RETURN, 0, "\3abcdefghijklmnop", 17);
	expect(&r, "ioctl(3, FS_IOC_GETFSUUID, {len=3, uuid=\"\\x61\\x62\\x63\"}) = 0");
}

/* io_uring: what a request is passed, and what it fills; what waiting is passed. */
static void test_uring(void **state)
{
	uint8_t probe[16 + 2 * 8] = { 64, 2, [16] = 0, [18] = 1, [24] = 64 };
	uint64_t files[4] = { 2, 0, 0x100, 0 }, wait[3] = { 0, 5ull << 32, 0x200 },
		 time[2] = { 1, 2 };
	int fds[2] = { 5, -1 };
	uint32_t ring[10] = { 0x1000, 0, 8, 3 | 1 << 16, 7 };
	struct record r = record_of("io_uring_register", 0, (uint64_t[6]){ 3, 8, 1, 2 });

	(void)state;
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &(char[32]){ 0 }, 32);
	chunk_add(&r, 2, TAKE_AT_RETURN, 0, probe, sizeof(probe));
	expect(&r, "io_uring_register(3, IORING_REGISTER_PROBE, {last_op=IORING_OP_URING_CMD128, "
		   "ops_len=2, ops=[{op=IORING_OP_NOP, flags=IO_URING_OP_SUPPORTED}, "
		   "{op=IORING_OP_URING_CMD128, flags=0}]}, 2) = 0");
	/* what one that fails was passed, which has to be 0: as many elements as the argument says */
	r = record_of("io_uring_register", -22, (uint64_t[6]){ 3, 8, 1, 1 });
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, probe, sizeof(probe));
	expect(&r, "io_uring_register(3, IORING_REGISTER_PROBE, {last_op=IORING_OP_URING_CMD128, "
		   "ops_len=2, ops=[{op=IORING_OP_NOP, flags=IO_URING_OP_SUPPORTED}]}, 1) = "
		   "-1 EINVAL (Invalid argument)");
	/* memory may end where the elements do */
	((struct syssnoop_chunk *)r.chunks)->unread = 1;
	expect(&r, "io_uring_register(3, IORING_REGISTER_PROBE, {last_op=IORING_OP_URING_CMD128, "
		   "ops_len=2, ops=[{op=IORING_OP_NOP, flags=IO_URING_OP_SUPPORTED}]}, 1) = "
		   "-1 EINVAL (Invalid argument)");
	r = record_of("io_uring_register", -9, (uint64_t[6]){ 3, 8, 0x10, 1 });
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &(char[24]){ 0 }, 24);
	expect(&r, "io_uring_register(3, IORING_REGISTER_PROBE, 0x10, 1) = "
		   "-1 EBADF (Bad file descriptor)");
	r = record_of("io_uring_register", -9, (uint64_t[6]){ 3, 20, 0x10, 1 });
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &(uint32_t[4]){ ~0u, 0, 5 }, 16);
	expect(&r, "io_uring_register(3, IORING_REGISTER_RING_FDS, [{offset=-1, data=5}], 1) = "
		   "-1 EBADF (Bad file descriptor)");
	options.style = SYSCALL_NUMBERS_ONLY;
	expect(&r, "io_uring_register(3, 0x14, [{offset=-1, data=5}], 1) = "
		   "-1 EBADF (Bad file descriptor)");
	options.style = SYSCALL_NAMES;
	r = record_of("io_uring_register", 0, (uint64_t[6]){ 3, 13, 1, 32 });
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, files, sizeof(files));
	chunk_add(&r, 2, TAKE_AT_ENTRY, 5, fds, sizeof(fds));
	expect(&r, "io_uring_register(3, IORING_REGISTER_FILES2, {nr=2, flags=0, data=[5, -1], "
		   "tags=NULL}, 32) = 0");
	r = record_of("io_uring_register", 0, (uint64_t[6]){ 3, 22, 1, 1 });
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, ring, sizeof(ring));
	expect(&r, "io_uring_register(3, IORING_REGISTER_PBUF_RING, {ring_addr=0x1000, "
		   "ring_entries=8, bgid=3, flags=0x1, min_left=7}, 1) = 0");
	r = record_of("io_uring_enter", -62, (uint64_t[6]){ 3, 0, 1, 9, 1, 24 });
	chunk_add(&r, 4, TAKE_AT_ENTRY, 0, wait, sizeof(wait));
	chunk_add(&r, 4, TAKE_AT_ENTRY, 5, time, sizeof(time));
	expect(&r, "io_uring_enter(3, 0, 1, IORING_ENTER_GETEVENTS|IORING_ENTER_EXT_ARG, "
		   "{sigmask=NULL, sigmask_sz=0, min_wait_usec=5, ts={tv_sec=1, tv_nsec=2}}, 24) = "
		   "-1 ETIME (Timer expired)");
}

/* What a file of a process tells, as far as it was asked and the kernel knows it; namespaces. */
static void test_pidfds(void **state)
{
	struct {
		uint64_t mask, cgroup;
		uint32_t pid[3], ids[8], status, core[4];
		uint64_t supported;
	} info = { .mask = 0x29 };
	uint32_t list[8] = { 32, 0, 5, 0, 0x20000000, 0, -1u, -1u };
	uint64_t found[2] = { 0xa, 0xb };
	struct record r = record_of("ioctl", 0, (uint64_t[6]){ 3, ioctl_native(0xc058ff0b), 1 });

	(void)state;
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &info, sizeof(info));
	info.mask = 5;
	info.cgroup = 7;
	info.pid[0] = info.pid[1] = 42;
	info.pid[2] = 1;
	chunk_add(&r, 2, TAKE_AT_RETURN, 0, &info, sizeof(info));
	expect(&r, "ioctl(3, PIDFD_GET_INFO, {mask=PIDFD_INFO_PID|PIDFD_INFO_EXIT|"
		   "PIDFD_INFO_SUPPORTED_MASK => PIDFD_INFO_PID|PIDFD_INFO_CGROUPID, cgroupid=7, "
		   "pid=42, tgid=42, ppid=1}) = 0");
	r = record_of("ioctl", 4, (uint64_t[6]){ 3, 0xff05, 0 });
	expect(&r, "ioctl(3, PIDFD_GET_PID_NAMESPACE, 0) = 4");
	r = record_of("listns", 2, (uint64_t[6]){ 1, 2, 8, 0 });
	chunk_add(&r, 0, TAKE_AT_ENTRY, 0, list, sizeof(list));
	chunk_add(&r, 1, TAKE_AT_RETURN, 0, found, sizeof(found));
	expect(&r, "listns({size=32, ns_id=0x5, ns_type=PID_NS, user_ns_id=LISTNS_CURRENT_USER}, "
		   "[0xa, 0xb], 8, 0) = 2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_structs),	       cmocka_unit_test(test_futexes),
		cmocka_unit_test(test_mounts),	       cmocka_unit_test(test_counts),
		cmocka_unit_test(test_xattr),	       cmocka_unit_test(test_bpf),
		cmocka_unit_test(test_bpf_program),    cmocka_unit_test(test_uring_ops),
		cmocka_unit_test(test_requests),       cmocka_unit_test(test_uring),
		cmocka_unit_test(test_pidfds),	       cmocka_unit_test(test_prctl),
		cmocka_unit_test(test_sockopts),       cmocka_unit_test(test_flags_of_call),
		cmocka_unit_test(test_requests_named),
#ifdef __x86_64__
		cmocka_unit_test(test_arch_prctl),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
