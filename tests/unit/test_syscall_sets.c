/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_syscall_sets.c - values of names in sets.tbl against those of the headers.
 */
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/counter.h>
#include <linux/fanotify.h>
#include <linux/fiemap.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/if_packet.h>
#include <linux/input.h>
#include <linux/io_uring.h>
#include <linux/ioprio.h>
#include <linux/keyctl.h>
#include <linux/magic.h>
#include <linux/mount.h>
#include <linux/netlink.h>
#include <linux/ptp_clock.h>
#include <linux/sched.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <termios.h>
#include <time.h>

#include "syscalls/table.h"
#include "unit.h"

#define V(set, name)                                                                               \
	{                                                                                          \
#set, #name, (uint32_t)(name)                                                      \
	}

static const struct {
	const char *set, *name;
	uint32_t value;
} values[] = {
	V(fsmagic, PIPEFS_MAGIC),
	V(fsmagic, SOCKFS_MAGIC),
	V(fsmagic, NSFS_MAGIC),
	V(fsmagic, ANON_INODE_FS_MAGIC),
	V(fsmagic, ISOFS_SUPER_MAGIC),
	V(fsmagic, MSDOS_SUPER_MAGIC),
	V(fsmagic, CIFS_SUPER_MAGIC),
	V(fsmagic, F2FS_SUPER_MAGIC),
	V(fsmagic, CEPH_SUPER_MAGIC),
	V(fsmagic, RDTGROUP_SUPER_MAGIC),
	V(fsmagic, SECRETMEM_MAGIC),
	V(prot, PROT_EXEC),
	V(prot, PROT_GROWSUP),
	V(mmap, MAP_SHARED_VALIDATE),
	V(mmap, MAP_FIXED),
	V(mmap, MAP_ANONYMOUS),
	V(mmap, MAP_GROWSDOWN),
	V(mmap, MAP_LOCKED),
	V(mmap, MAP_POPULATE),
	V(mmap, MAP_STACK),
	V(mmap, MAP_HUGETLB),
	V(mmap, MAP_SYNC),
	V(mmap, MAP_FIXED_NOREPLACE),
	V(at, AT_SYMLINK_NOFOLLOW),
	V(at, AT_SYMLINK_FOLLOW),
	V(at, AT_NO_AUTOMOUNT),
	V(at, AT_EMPTY_PATH),
	V(at, AT_REMOVEDIR),
	V(accessat, AT_EACCESS),
	V(buscode, BUS_MCEERR_AO),
	V(illcode, ILL_BADSTK),
	V(fpecode, FPE_FLTSUB),
	V(pollcode, POLL_HUP),
	V(trapcode, TRAP_HWBKPT),
	V(so, SO_RCVTIMEO_NEW),
	V(so, SO_BUF_LOCK),
	V(soget, SO_GET_FILTER),
	V(tcp, TCP_ULP),
	V(tcp, TCP_TX_DELAY),
	V(ip, IP_MULTICAST_ALL),
	V(ip, MCAST_MSFILTER),
	V(ipv6, IPV6_RECVTCLASS),
	V(ipv6, IPV6_FREEBIND),
	V(packet, PACKET_IGNORE_OUTGOING),
	V(nlopt, NETLINK_GET_STRICT_CHK),
	V(level, SOL_NETLINK),
	V(level, SOL_XDP),
	V(fanmask, FAN_EVENT_ON_CHILD),
	V(fanmark, FAN_MARK_FLUSH),
	V(mount, MS_MGC_VAL),
	V(mount, MS_LAZYTIME),
	V(mount, MS_NOUSER),
	V(keyring, KEY_SPEC_REQUESTOR_KEYRING),
	V(auditarch, AUDIT_ARCH_X86_64),
	V(clone, CLONE_VM),
	V(clone, CLONE_PIDFD),
	V(clone, CLONE_THREAD),
	V(clone, CLONE_SETTLS),
	V(clone, CLONE_PARENT_SETTID),
	V(clone, CLONE_CHILD_CLEARTID),
	V(clone, CLONE_CHILD_SETTID),
	V(clone, CLONE_NEWCGROUP),
	V(clone, CLONE_NEWNET),
	V(clone, CLONE_IO),
	V(rlimit, RLIMIT_CORE),
	V(rlimit, RLIMIT_NOFILE),
	V(rlimit, RLIMIT_AS),
	V(rlimit, RLIMIT_SIGPENDING),
	V(rlimit, RLIMIT_RTTIME),
	V(futex, FUTEX_WAIT),
	V(futex, FUTEX_LOCK_PI),
	V(futex, FUTEX_WAIT_BITSET),
	V(futex, FUTEX_CMP_REQUEUE_PI),
	V(fcntl, F_GETLK),
	V(fcntl, F_SETOWN),
	V(fcntl, F_GETOWN_EX),
	V(fcntl, F_OFD_SETLKW),
	V(fcntl, F_NOTIFY),
	V(fcntl, F_DUPFD_CLOEXEC),
	V(fcntl, F_GETPIPE_SZ),
	V(fcntl, F_ADD_SEALS),
	V(fcntl, F_SET_FILE_RW_HINT),
#ifndef __powerpc64__ /* another struct termios, with other flags (syscalls/ioctl.h) */
	V(ioctl, TCGETS),
	V(ioctl, TCSETSF),
	V(iflag, ICRNL),
	V(iflag, IUTF8),
	V(oflag, ONLCR),
	V(oflag, XTABS),
	V(oflag, FF1),
	V(oflag, OFDEL),
	V(cflag, B38400),
	V(cflag, B4000000),
	V(cflag, CS8),
	V(cflag, CREAD),
	V(cflag, CLOCAL),
	V(cflag, CRTSCTS),
	V(lflag, ICANON),
	V(lflag, ECHOKE),
	V(lflag, IEXTEN),
	V(lflag, PENDIN),
	V(lflag, EXTPROC),
#endif
	V(ioctl, TIOCSCTTY),
	V(ioctl, TIOCGPGRP),
	V(ioctl, TIOCGWINSZ),
	V(ioctl, FIONREAD),
	V(ioctl, FIONBIO),
	V(ioctl, TIOCGSID),
	V(ioctl, TIOCGPTN),
	V(ioctl, TIOCSPTLCK),
	V(ioctl, TIOCGPTPEER),
	V(ioctl, FIOCLEX),
	V(ioctl, FIOASYNC),
	V(ioctl, SIOCGIFINDEX),
	V(prctl, PR_SET_PDEATHSIG),
	V(prctl, PR_SET_NAME),
	V(prctl, PR_CAPBSET_DROP),
	V(prctl, PR_SET_NO_NEW_PRIVS),
	V(prctl, PR_CAP_AMBIENT),
	V(prctl, PR_SET_VMA),
	V(madvise, MADV_DONTNEED),
	V(madvise, MADV_FREE),
	V(madvise, MADV_DODUMP),
	V(madvise, MADV_POPULATE_WRITE),
	V(clock, CLOCK_BOOTTIME),
	V(clock, CLOCK_TAI),
	V(epoll, EPOLLRDHUP),
	V(epoll, EPOLLEXCLUSIVE),
	V(epoll, EPOLLONESHOT),
	V(epoll, EPOLLET),
	V(poll, POLLNVAL),
	V(poll, POLLWRBAND),
	V(poll, POLLRDHUP),
	V(so, SO_REUSEADDR),
	V(so, SO_LINGER),
	V(so, SO_PEERCRED),
	V(so, SO_BINDTODEVICE),
	V(so, SO_ACCEPTCONN),
	V(so, SO_MARK),
	V(so, SO_DOMAIN),
	V(so, SO_INCOMING_CPU),
	V(so, SO_ZEROCOPY),
	V(eventfd, EFD_SEMAPHORE),
	V(eventfd, EFD_CLOEXEC),
	V(memfd, MFD_HUGETLB),
	V(mremap, MREMAP_FIXED),
	V(fallocate, FALLOC_FL_PUNCH_HOLE),
	V(fallocate, FALLOC_FL_UNSHARE_RANGE),
	V(inotify, IN_CLOSE_NOWRITE),
	V(inotify, IN_MOVE_SELF),
	V(inotify, IN_UNMOUNT),
	V(inotify, IN_ONLYDIR),
	V(inotify, IN_MASK_CREATE),
	V(inotify, IN_ONESHOT),
	V(scm, SCM_RIGHTS),
	V(socktype, SOCK_SEQPACKET),
	V(socktype, SOCK_CLOEXEC),
	V(open, O_DIRECTORY),
	V(evkey, KEY_A),
	V(evkey, KEY_KBDINPUTASSIST_NEXT),
	V(evkey, BTN_TOUCH),
	V(evabs, ABS_MT_TOOL_TYPE),
	V(evff, FF_GAIN),
	V(evev, EV_FF_STATUS),
	V(uringop, IORING_OP_SENDMSG_ZC),
	V(iosqe, IOSQE_CQE_SKIP_SUCCESS),
	V(uringreg, IORING_REGISTER_FILE_ALLOC_RANGE),
	V(ioclass, IOPRIO_CLASS_IDLE),
	V(fiemap, FIEMAP_FLAG_CACHE),
	V(ptpext, PTP_STRICT_FLAGS),
	V(ptpper, PTP_PEROUT_PHASE),
	V(counterev, COUNTER_EVENT_INDEX),
	V(countertype, COUNTER_COMPONENT_EXTENSION),
	V(mmap, MAP_NORESERVE),
	V(msync, MS_SYNC),
	V(flock, LOCK_UN),
};

static void test_values(void **state)
{
	(void)state;
	syscall_name(0, 0); /* the tables are there */
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		const struct set *s = set_find(values[i].set);
		const struct field_name *f;

		assert_non_null(s);
		for (f = s->items; f->name && strcmp(f->name, values[i].name) != 0;)
			f++;
		if (!f->name || (uint32_t)f->value != values[i].value)
			fail_msg("%s of %s: %s, not %#x", values[i].name, values[i].set,
				 f->name ? "another value" : "missing", values[i].value);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_values) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
