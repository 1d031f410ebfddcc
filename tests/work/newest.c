/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * newest.c - calls with requests and structs that tools may not know yet, by their numbers: the headers of the build
 * need not have them. Most fail; what they are passed is what matters. It must not know of coretap. One argument or
 * more, which it does one after the other.
 *
 *   newest drivers     requests of ioctl(2), of several drivers, on no file
 *   newest structs     requests with structs full of small numbers, on no file
 *   newest media       requests of video devices and of the device mapper, on no file
 *   newest wide        numbers of 64 bits where most are small, headers of old versions, segments of x86
 *   newest interfaces  the interfaces of the machine, as SIOCGIFCONF lists them
 *   newest route       a message of netlink about a route with two next hops
 *   newest process     descriptors of the process itself, a count and signals; a file with such a name
 *   newest filter      a filter of a socket
 *   newest console     requests of consoles, on no file: tones, keys, fonts; structs at the end of a page
 *   newest lists       lists of descriptors that structs lead to, of io_uring and on no ring
 *   newest radio       addresses of AX.25, of which not all bits are as they should be
 *   newest settings    settings of the process and of other processors, some of 64 bits
 *   newest requests    requests of io_submit: bytes, a vector, none
 *   newest own         descriptors of processes by their number, perf events, a mask that a handler's end restores
 *   newest deeper      what pointers in lists lead to, strings where others have bytes, lists of nothing
 *   newest datagrams   messages of udev and ss(8)
 *   newest later       what Linux 6.2 and newer have: bpf(2), io_uring, pidfds, namespaces, landlock, fanotify
 */
#include <linux/aio_abi.h>
#include <linux/btrfs.h>
#include <linux/dm-ioctl.h>
#include <linux/filter.h>
#include <linux/inet_diag.h>
#include <linux/io_uring.h>
#include <linux/kd.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/videodev2.h>
#include <net/if.h>
#include <netinet/in.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <linux/sockios.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static void drivers(void)
{
	static const unsigned requests[] = {
		0x40049409, 0x4020940d, 0xc01064b5, 0x80045500, 0xc0884123, 0x40044d0e,
		0x5501,	    0x4040ae9f, 0xc0445636, 0xc0481205, 0x80805016, 0xc0045002,
	};

	for (size_t i = 0; i < sizeof(requests) / sizeof(*requests); i++)
		syscall(SYS_ioctl, -1, requests[i], 0);
}

/* Of flash memory, consoles, TEE, infrared, video, KVM, userfaultfd and btrfs. */
static void structs(void)
{
	static const unsigned requests[] = {
		0x40084d02, 0x40104d14, 0xc0304d18, 0x80044d0d, 0x4b4d,	    0x4b71,	0x4b6a,
		0xc010a401, 0xc018a409, 0x8008a404, 0x40046912, 0x40045612, 0x4020ae46, 0xc028aa03,
		0x40489426, 0xd0009411, 0xd0009412, 0xc400941b, 0xc4009420, 0xc0389424, 0xca289435,
	};
	static uint32_t numbers[2048];

	for (uint32_t i = 0; i < 2048; i += 2)
		numbers[i] = i / 2 % 3;
	for (size_t i = 0; i < sizeof(requests) / sizeof(*requests); i++)
		syscall(SYS_ioctl, -1, requests[i], numbers);
}

/* A struct v4l2_format of each type. */
static void formats(void)
{
	static uint32_t numbers[sizeof(struct v4l2_format) / 4] = { 0 };

	for (uint32_t i = 2; i < sizeof(numbers) / 4; i++)
		numbers[i] = 1;
	numbers[4] = V4L2_PIX_FMT_YUYV;
	for (numbers[0] = 0; numbers[0] < 16; numbers[0]++) {
		syscall(SYS_ioctl, -1, VIDIOC_G_FMT, numbers);
		syscall(SYS_ioctl, -1, VIDIOC_TRY_FMT, numbers);
		syscall(SYS_ioctl, -1, VIDIOC_S_PARM, numbers);
	}
}

static void media(void)
{
	static const unsigned requests[] = {
		VIDIOC_QUERYCAP,
		VIDIOC_ENUM_FMT,
		VIDIOC_REQBUFS,
		VIDIOC_QUERYBUF,
		VIDIOC_QBUF,
		VIDIOC_DQBUF,
		VIDIOC_G_FBUF,
		VIDIOC_S_FBUF,
		VIDIOC_G_PARM,
		VIDIOC_ENUMSTD,
		VIDIOC_ENUMINPUT,
		VIDIOC_G_TUNER,
		VIDIOC_S_TUNER,
		VIDIOC_CROPCAP,
		VIDIOC_G_CROP,
		VIDIOC_S_CROP,
		VIDIOC_G_STD,
		VIDIOC_S_STD,
		VIDIOC_ENUM_FRAMESIZES,
		VIDIOC_ENUM_FRAMEINTERVALS,
		VIDIOC_CREATE_BUFS,
	};
	static const uint32_t controls[] = {
		0, 0x98abcd, 0x80980900, 0xc098091f, 0x990900, 0x97abcd
	};
	static uint32_t numbers[64];
	static struct dm_ioctl dm = {
		.version = { 4, 0, 0 },
		.data_size = sizeof(dm),
		.data_start = sizeof(dm),
		.target_count = 1,
		.event_nr = 7,
		.flags = DM_READONLY_FLAG | DM_UUID_FLAG,
		.dev = 0xfd01,
		.name = "vg-root",
		.uuid = "LVM-abc",
	};

	for (uint32_t i = 0; i < 64; i++)
		numbers[i] = i % 3;
	for (size_t i = 0; i < sizeof(requests) / sizeof(*requests); i++)
		syscall(SYS_ioctl, -1, requests[i], numbers);
	formats();
	for (size_t i = 0; i < sizeof(controls) / sizeof(*controls); i++) {
		numbers[0] = controls[i];
		syscall(SYS_ioctl, -1, VIDIOC_G_CTRL, numbers);
		syscall(SYS_ioctl, -1, VIDIOC_S_CTRL, numbers);
		syscall(SYS_ioctl, -1, VIDIOC_QUERYCTRL, numbers);
		syscall(SYS_ioctl, -1, VIDIOC_QUERY_EXT_CTRL, numbers);
	}
	for (unsigned nr = 0; nr < 18; nr++)
		syscall(SYS_ioctl, -1, _IOWR(DM_IOCTL, nr, struct dm_ioctl), &dm);
}

static void wide(void)
{
	static struct btrfs_ioctl_search_args search = {
		.key = { 5, ~1ull, 1ull << 32, 5ull << 32 | 7, ~1ull, 0, ~0ull, 0, ~0u, 3 },
	};
	static struct btrfs_ioctl_dev_info_args device = { .devid = 1, .uuid = { 1, 2, 3 } };
	static struct btrfs_qgroup_inherit inherit = { .num_qgroups = 1,
						       .lim = { .max_rfer = ~1ull } };
	static struct btrfs_ioctl_vol_args_v2 volume = {
		.fd = 2, .flags = 4, .size = sizeof(inherit), .name = "v"
	};
	static uint32_t caps[5] = { 0x19980330, 0, 1, 2, 4 },
			segment[4] = { 1, 0x1000, 0xfffff, 0x51 };

	volume.qgroup_inherit = &inherit;
	syscall(SYS_ioctl, -1, BTRFS_IOC_TREE_SEARCH, &search);
	syscall(SYS_ioctl, -1, BTRFS_IOC_DEV_INFO, &device);
	syscall(SYS_ioctl, -1, BTRFS_IOC_SNAP_CREATE_V2, &volume);
	syscall(SYS_ioctl, -1, BTRFS_IOC_FS_INFO, 0);
	syscall(SYS_ioctl, -1, 0x41009432, "a label"); /* FS_IOC_SETFSLABEL */
	syscall(SYS_ioctl, -1, SIOCBRADDBR, "0123456789abcdefgh");
	syscall(SYS_ioctl, -1, 0x4b3a, 1ull << 32 | 1); /* KDSETMODE: of 32 bits */
	syscall(SYS_capset, caps, caps + 2);
#ifdef SYS_mknod
	syscall(SYS_mknod, ".", 020600, 7ull << 32 | 0x103); /* the device has 32 bits */
#endif
	syscall(SYS_shmget, 0, 0, 21u << 26 | 0600); /* no segment has 0 bytes */
#ifdef SYS_modify_ldt
	syscall(SYS_modify_ldt, 7, segment, sizeof(segment));
	syscall(SYS_modify_ldt, 7, segment, 1);
#endif
	(void)segment;
}

static void interfaces(void)
{
	struct ifreq found[8];
	struct ifconf c = { .ifc_len = sizeof(found), .ifc_req = found };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	ioctl(fd, SIOCGIFCONF, &c);
	c.ifc_len = 39;
	ioctl(-1, SIOCGIFCONF, &c);
}

static void route(void)
{
	struct {
		struct nlmsghdr h;
		struct rtmsg r;
		struct nlattr paths;
		struct {
			struct rtnexthop h;
			struct nlattr a;
			uint8_t to[4];
		} hop[2];
		struct nlattr via;
		uint8_t address[8];
	} m = {
		.h = { .nlmsg_len = sizeof(m) - 2, .nlmsg_type = RTM_NEWROUTE },
		.r = { .rtm_family = AF_INET },
		.paths = { sizeof(m.paths) + sizeof(m.hop), RTA_MULTIPATH },
		.hop = { { { 16, 0, 1, 0 }, { 8, RTA_GATEWAY }, { 10, 0, 0, 1 } },
			 { { 16, RTNH_F_ONLINK, 2, 0 }, { 8, RTA_GATEWAY }, { 10, 0, 0, 2 } } },
		.via = { 10, RTA_VIA },
		.address = { AF_INET, 0, 10, 0, 0, 3 },
	};
	struct sockaddr_nl own = { .nl_family = AF_NETLINK };
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);

	/* strace(1) finds the protocol only of sockets that have an address */
	bind(fd, (struct sockaddr *)&own, sizeof(own));
	send(fd, &m, m.h.nlmsg_len, 0);
}

static void later(void)
{
	uint64_t link[4] = { 0xffffffffull, 46 | 0x2000ull << 32, 0, 0 }, probe[2 + 8] = { 0 },
		 info[11] = { 5 }, wait[3] = { 0, 7ull << 32, (uintptr_t)(uint64_t[2]){ 0, 1000 } };
	uint64_t insns[2] = { 0xfffffffc000001b7, 0x95 }; /* r1 = -4; exit */
	uint64_t program[5] = { 2ull << 32 | 1, (uintptr_t)insns, (uintptr_t) "none", 4ull << 32,
				(uintptr_t) "log of it" };
	uint32_t token[2] = { 0, -1u }, list[8] = { 32, 0, 0, 0, 0x20000000, 0, -1u, -1u };
	uint64_t found[4];

	syscall(SYS_bpf, 28, link, sizeof(link));
	link[1] = 24 | 0x2000ull << 32;
	link[2] = 7;
	syscall(SYS_bpf, 28, link, sizeof(link));
	syscall(SYS_bpf, 5, program, sizeof(program));
#ifdef SYS_arch_prctl
	syscall(SYS_arch_prctl, 0x1022, found); /* ARCH_GET_XCOMP_PERM */
	syscall(SYS_arch_prctl, 0x1023, 18);
#endif
	syscall(SYS_bpf, 36, token, sizeof(token));
	syscall(426, -1, 0, 1, 8 | 1, wait, sizeof(wait)); /* io_uring_enter */
	syscall(427, -1, 8, probe, 8);			   /* io_uring_register */
	syscall(SYS_ioctl, -1, 0xc058ff0b, info);
	syscall(SYS_ioctl, -1, 0xff04, 0);
	syscall(470, list, found, 4, 0); /* listns */
	syscall(SYS_fanotify_mark, -1, 0x111, 0, -1, 0);
	syscall(432, -1, 2, 0); /* fsmount */
	syscall(SYS_setsockopt, -1, SOL_SOCKET, 82, &(int){ 1 }, 4);
}

static void process(void)
{
	int fd = (int)syscall(434, getpid(), 0); /* pidfd_open */

	syscall(SYS_close, fd);
	syscall(SYS_close, eventfd(5, EFD_SEMAPHORE));
	syscall(SYS_close, syscall(SYS_signalfd4, -1,
				   &(uint64_t){ 1 << (SIGUSR1 - 1) | 1 << (SIGCHLD - 1) }, 8, 0));
	fd = open("[eventfd", O_RDONLY | O_CREAT, 0600);
	unlink("[eventfd");
	syscall(SYS_close, fd);
}

static void filter(void)
{
	struct sock_filter code[] = { { BPF_LD | BPF_W | BPF_LEN, 0, 0, 0 },
				      { BPF_RET | BPF_A, 0, 0, 0 } };
	struct sock_fprog program = { 2, code };

	setsockopt(socket(AF_INET, SOCK_DGRAM, 0), SOL_SOCKET, SO_ATTACH_FILTER, &program,
		   sizeof(program));
}

/* A page that nothing that can be read follows, and is in memory. */
static unsigned char *page_last(void)
{
	unsigned char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
				0);

	if (p == MAP_FAILED || mprotect(p + 4096, 4096, PROT_NONE))
		_exit(1);
	for (unsigned i = 0; i < 4096; i++)
		p[i] = (unsigned char)('a' + i % 26);
	return p;
}

static void console(void)
{
	static const uint16_t symbols[] = { 0x113, 0x11e, 0x1ff, 0x213, 0x41a, 0x604,  0x708,
					    0x841, 0x919, 0xa08, 0xc08, 0xd5c, 0xf00d, 0x500 };
	unsigned char *page = page_last(), *end = page + 4096, entry[4] = { 0 };
	struct console_font_op font = {
		.op = KD_FONT_OP_SET, .width = 8, .charcount = 2, .data = page
	};

	syscall(SYS_ioctl, -1, KIOCSOUND, 440);
	syscall(SYS_ioctl, -1, KDMKTONE, 5 << 16 | 440);
	syscall(SYS_ioctl, -1, KDADDIO, 0x3c0);
	syscall(SYS_ioctl, -1, KDSIGACCEPT, -1L);
	for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++) {
		memcpy(entry + 2, &symbols[i], 2);
		entry[0] = (unsigned char)i;
		syscall(SYS_ioctl, -1, KDSKBENT, entry);
	}
	syscall(SYS_ioctl, -1, KDGKBENT, entry);
	for (unsigned n = 1; n < 5; n++)
		syscall(SYS_ioctl, -1, KDSKBENT, end - n);
	syscall(SYS_ioctl, -1, KDSKBSENT, page);
	memcpy(end - 12, &(uint32_t){ 4 }, 4);
	syscall(SYS_ioctl, -1, KDSKBDIACR, end - 12);
	memcpy(end - 4, &(uint32_t){ 1 }, 4);
	syscall(SYS_ioctl, -1, KDSKBDIACR, end - 4);
	memcpy(end - 4, &(uint32_t){ 0 }, 4);
	syscall(SYS_ioctl, -1, KDSKBDIACR, end - 4);
	syscall(SYS_ioctl, -1, KDFONTOP, &font);
	font.op = KD_FONT_OP_COPY;
	syscall(SYS_ioctl, -1, KDFONTOP, &font);
}

static void lists(void)
{
	int32_t fds[3] = { open("/dev/null", O_RDONLY), -1, -2 };
	struct {
		uint32_t nr, flags;
		uint64_t resv2, data, tags;
	} files = { .nr = 3, .data = (uintptr_t)fds };
	struct {
		uint32_t offset, resv;
		uint64_t fds;
	} update = { .offset = 1, .fds = (uintptr_t)fds };
	struct io_uring_rsrc_update ring[20];
	uint32_t workers[3] = { 1, 2, 3 };

	syscall(427, -1, 13, &files, sizeof(files)); /* io_uring_register */
	syscall(427, -1, 6, &update, 3);
	syscall(427, -1, 6, &update, 0);
	syscall(427, fds[0], 0x80000000u | 23, &files, 1); /* the index of a ring */
	syscall(427, -1, 23, &files, 2);
	for (size_t i = 0; i < 20; i++)
		ring[i] = (struct io_uring_rsrc_update){ .offset = i ? 0x80000000u : -1u,
							 .data = (uint32_t)fds[i % 2] };
	syscall(427, -1, 20, ring, 20); /* IORING_REGISTER_RING_FDS */
	syscall(427, -1, 11, &(uint64_t[2]){ 0xef0009 }, 1);
	syscall(427, -1, 19, workers, 3);
	syscall(427, -1, 19, workers, 0);
	close(fds[0]);
}

static void radio(void)
{
	static const char address[38] = "\3\0\254\202\230\222\210@\32p\0\0\10\0\0\0"
					"\236\226@@@@\36\216\222\234\212@A\4@@@@@@\0";

	syscall(SYS_connect, -1, address, 38);
	syscall(SYS_connect, -1, address, 16);
	syscall(SYS_connect, -1, address, 15);
}

static void settings(void)
{
	static uint32_t area[16] = { 1, -1u, 0, 0, 0x18, 2, 3, 1 };
	uintptr_t place;

	syscall(SYS_set_tid_address, 0x123456789abcul);
	prctl(PR_GET_TID_ADDRESS, &place);
	syscall(SYS_reboot, 0, 0x28121969, 0, 0);
	setsockopt(-1, 272, 2, "x", 1); /* SOL_RXRPC */
	socket(AF_PACKET, SOCK_RAW, 0x300);
	socket(AF_BLUETOOTH, -1, 1);
	socket(AF_UNIX, -1, 7);
	syscall(SYS_ptrace, 0x4204, 0, 0x100, NULL);
	prctl(PR_SET_DUMPABLE, 0xdeadc0de00000001ul);
	prctl(PR_SET_PDEATHSIG, 0xbadc0ded0000001eul);
	prctl(PR_SET_NAME, "0123456789abcdef");
	prctl(PR_SET_SECCOMP, -1ul, 1, 2, 3);
	prctl(PR_GET_SECCOMP, 0, 0, 0, 0);
	prctl(50, 0x400fful, 0, 0, 0);	  /* PR_SVE_SET_VL */
	prctl(63, 0x80000ul, 0, 0, 0);	  /* PR_SME_SET_VL */
	prctl(55, 0x57ae57f4ul, 0, 0, 0); /* PR_SET_TAGGED_ADDR_CTRL */
	prctl(60, 2, 0x11, 0, 0);	  /* PR_PAC_SET_ENABLED_KEYS */
	prctl(62, 1, 0, 1, 0);		  /* PR_SCHED_CORE */
	prctl(0x53564d41, 7, 8, 9, 10);	  /* PR_SET_VMA */
	epoll_ctl(-1, EPOLL_CTL_ADD, -1, &(struct epoll_event){ EPOLLIN, { .u64 = 5 } });
	syscall(SYS_rseq, area, 32, 0x11, 5);
	syscall(SYS_rseq, area, 31, 0, 5);
	syscall(428, -1, "", 2 | 0x200); /* open_tree */
	syscall(434, 0, 0x200);		 /* pidfd_open */
}

static void requests(void)
{
	struct iovec parts[] = { { "abc", 3 }, { "de", 2 } };
	struct iocb bytes = { .aio_data = 7,
			      .aio_lio_opcode = IOCB_CMD_PWRITE,
			      .aio_fildes = -1u,
			      .aio_buf = (uintptr_t) "hello",
			      .aio_nbytes = 5,
			      .aio_offset = 3 },
		    vector = { .aio_lio_opcode = IOCB_CMD_PWRITEV,
			       .aio_reqprio = 2 << 13 | 4,
			       .aio_fildes = -1u,
			       .aio_buf = (uintptr_t)parts,
			       .aio_nbytes = 2,
			       .aio_flags = 3,
			       .aio_resfd = 9 };
	struct iocb *list[40] = { &bytes, &vector, NULL };
	aio_context_t context = 0;

	syscall(SYS_io_setup, 1, &context);
	syscall(SYS_io_submit, context, 3, list);
	for (size_t i = 0; i < 40; i++)
		list[i] = &bytes;
	syscall(SYS_io_submit, context, 40, list);
	syscall(SYS_io_submit, context, -1l, list);
	syscall(SYS_io_submit, context, 0, list);
}

static void nothing(int signal)
{
	(void)signal;
}

static void own(void)
{
	struct sigaction act = { .sa_handler = nothing };
	static char event[120] = { 1, 0, 0, 0, 109 };
	sigset_t mask;
	int pidfd = (int)syscall(434, getpid(), 0), fd;

	fd = open("/dev/null", O_RDONLY);
	syscall(SYS_kcmp, getpid(), getpid(), 0, fd, fd);
	syscall(SYS_kcmp, getpid(), 0x7fffffff, 0, fd, fd);
	syscall(438, pidfd, fd, 0); /* pidfd_getfd */
	event[108] = 0x7f;
	event[109] = 0x7f;
	syscall(SYS_perf_event_open, event, 0, -1, -1, 0);
	syscall(431, -1, 3, "source", "/dev/null", AT_FDCWD); /* fsconfig */
	syscall(431, -1, 5, "source", NULL, fd);
	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR2);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	sigaction(SIGUSR1, &act, NULL);
	raise(SIGUSR1);
}

/* Messages of udev and, to a socket that knows sockets, the conditions of a filter. */
static void datagrams(void)
{
	static const struct {
		struct nlmsghdr h;
		struct inet_diag_req_v2 r;
		struct nlattr code;
		struct inet_diag_bc_op op;
		struct inet_diag_hostcond cond;
		uint8_t address[4];
	} m = {
		.h = { .nlmsg_len = sizeof(m), .nlmsg_type = 20, .nlmsg_flags = NLM_F_REQUEST },
		.r = { .sdiag_family = AF_INET, .sdiag_protocol = IPPROTO_TCP },
		.code = { 20, INET_DIAG_REQ_BYTECODE },
		.op = { INET_DIAG_BC_S_COND, 20, 24 },
		.cond = { .family = AF_INET, .prefix_len = 8, .port = 80 },
		.address = { 127, 0, 0, 1 },
	};
	static const char event[48] = "libudev\0\4\3\2\1\50\0\0\0\50\0\0\0\10\0\0\0\0\0\0\0\0\0\0"
				      "\0\0\0\0\0\0\0\0\0ACTION=";
	struct sockaddr_nl own = { .nl_family = AF_NETLINK };
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_SOCK_DIAG);

	/* strace(1) finds the protocol only of sockets that have an address */
	bind(fd, (struct sockaddr *)&own, sizeof(own));
	send(fd, &m, sizeof(m), 0);
	close(fd);
	fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT);
	bind(fd, (struct sockaddr *)&own, sizeof(own));
	send(fd, event, sizeof(event), 0);
	close(fd);
}

static void deeper(void)
{
	unsigned char *page = page_last(), *end = page + 4096;
	struct v4l2_ext_control list[] = { { .id = V4L2_CID_BRIGHTNESS, .value = 5 },
					   { .id = V4L2_CID_CONTRAST, .size = 4 } };
	struct v4l2_ext_controls controls = { .count = 2, .error_idx = 1, .controls = list };
	struct console_font_op font = { .op = KD_FONT_OP_SET_DEFAULT, .width = 3 };
	uint64_t tee[2] = { 0, 56 + 96 };

	list[1].string = (char *)page;
	syscall(SYS_ioctl, -1, VIDIOC_S_EXT_CTRLS, &controls);
	syscall(SYS_ioctl, -1, VIDIOC_G_EXT_CTRLS, &controls);
	controls.count = 0;
	syscall(SYS_ioctl, -1, VIDIOC_S_EXT_CTRLS, &controls);
	controls = (struct v4l2_ext_controls){ .count = 2, .controls = (void *)(end - 20) };
	memcpy(end - 20, list, 20);
	syscall(SYS_ioctl, -1, VIDIOC_TRY_EXT_CTRLS, &controls);
	memcpy(end - 6, "latin", 6);
	font.data = end - 6;
	syscall(SYS_ioctl, -1, KDFONTOP, &font);
	font = (struct console_font_op){ .op = KD_FONT_OP_SET, .charcount = 1, .data = end };
	syscall(SYS_ioctl, -1, KDFONTOP, &font);
	syscall(SYS_move_pages, -1, 0, page, NULL, end, 0);
	memcpy(end - 4, &(uint32_t){ 12 }, 4);
#ifdef SYS_get_thread_area
	syscall(SYS_set_thread_area, (uint32_t[]){ 12, 1, 2, 0x80 });
	syscall(SYS_get_thread_area, end - 4);
#endif
	memset(page, 0, 160);
	tee[0] = (uintptr_t)page;
	memcpy(page + 32, &(uint32_t){ 2 }, 4);
	memcpy(page + 52, &(uint32_t){ 3 }, 4);
	memcpy(page + 56, (uint64_t[12]){ 1, 2, 3, 4, 6, 7, 8, 9, 0x100 }, 96);
	syscall(SYS_ioctl, -1, 0x8010a402, tee); /* TEE_IOC_OPEN_SESSION */
	tee[1]--;
	syscall(SYS_ioctl, -1, 0x8010a402, tee);
	memset(end - 48, 0, 48);
	memcpy(end - 44, &(uint32_t){ 112 }, 4);
	syscall(SYS_perf_event_open, end - 48, 0, -1, -1, 0);
}

static const struct {
	const char *name;
	void (*run)(void);
} parts[] = { { "drivers", drivers },	{ "structs", structs },	      { "media", media },
	      { "wide", wide },		{ "interfaces", interfaces }, { "route", route },
	      { "process", process },	{ "filter", filter },	      { "later", later },
	      { "console", console },	{ "lists", lists },	      { "radio", radio },
	      { "settings", settings }, { "requests", requests },     { "own", own },
	      { "deeper", deeper },	{ "datagrams", datagrams } };

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		for (size_t k = 0; k < sizeof(parts) / sizeof(*parts); k++)
			if (!strcmp(argv[i], parts[k].name))
				parts[k].run();
	return argc > 1 ? 0 : 2;
}
