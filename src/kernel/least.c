/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * least.c - tables of the capabilities and system calls that each job of a run (enum least_late) needs.
 *
 * The filter is a deny list: the calls that the C library makes for malloc, time and output differ by version and
 * architecture; the calls that an intruder wants do not. Since 5.11 the kernel caches which calls a filter always
 * allows, and skips the filter for them.
 */
#include "kernel/least.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel/arch.h"
#include "kernel/capabilities.h"
#include "kernel/privileges.h"
#include "util/log.h"
#include "util/passwd.h"

/* ---- capabilities ---- */

/* Before 5.19, kernel.unprivileged_bpf_disabled forbids all of bpf(2) to the unprivileged, and may be set during the
 * run. */
static bool maps_refused(void)
{
	union bpf_attr attr = { .map_fd = -1 };
	int file = open("/proc/sys/kernel/unprivileged_bpf_disabled", O_RDONLY | O_CLOEXEC);
	char value = '0';

	if (file >= 0) {
		if (read(file, &value, 1) != 1)
			value = '0';
		close(file);
	}
	return value == '0' ||
	       (syscall(SYS_bpf, BPF_MAP_LOOKUP_ELEM, &attr, sizeof(attr)) && errno == EPERM);
}

enum trial { ALWAYS, MAPS_REFUSED, PROBE_REFUSED, PERF_REFUSED };

/* In order of preference: a row with `refused` is used only if the rows before it are not enough. */
static const struct {
	uint8_t late, number, trial;
} needs[] = {
	{ LATE_PROCESSES | LATE_PROBES, CAP_SYS_PTRACE },
	{ LATE_PROCESSES | LATE_PROBES, CAP_CHECKPOINT_RESTORE }, /* for /proc/PID/map_files */
	{ LATE_PROCESSES | LATE_PROBES | LATE_CONTAINERS, CAP_DAC_READ_SEARCH },
	{ LATE_FILES, CAP_DAC_OVERRIDE },
	{ LATE_FILES, CAP_FOWNER }, /* for folders with the sticky bit */
	{ LATE_COMMAND, CAP_KILL },
	{ LATE_PROBES | LATE_SAMPLES, CAP_BPF },
	{ LATE_PROBES | LATE_SAMPLES, CAP_PERFMON },
	{ LATE_PROBES, CAP_SYS_ADMIN, PROBE_REFUSED },
	{ LATE_SAMPLES, CAP_SYS_ADMIN, PERF_REFUSED },
	{ LATE_PROGRAMS, CAP_SYS_ADMIN },
	{ LATE_MAPS, CAP_BPF, MAPS_REFUSED },
	{ LATE_MAPS, CAP_SYS_ADMIN, MAPS_REFUSED }, /* used where CAP_BPF is missing */
};

static capabilities kept_find(const struct least *l, capabilities has)
{
	bool (*const refused[])(void) = { [MAPS_REFUSED] = maps_refused,
					  [PROBE_REFUSED] = l->probe_refused,
					  [PERF_REFUSED] = privileges_perf_refused };
	capabilities kept = 0;

	for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++) {
		capabilities one = has & CAPABILITY(needs[i].number);

		if (needs[i].late & l->late && one & ~kept &&
		    (!needs[i].trial || capabilities_try(kept, refused[needs[i].trial])))
			kept |= one;
	}
	/* another user's files are created with that user's rights */
	return l->as ? kept & ~(CAPABILITY(CAP_DAC_OVERRIDE) | CAPABILITY(CAP_FOWNER)) : kept;
}

static int user_switch(const struct user_login *u)
{
	gid_t gid = u->gids[0];

	prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0);
	return setgroups(u->count, u->gids) || setresgid(gid, gid, gid) ||
			       setresuid(u->uid, u->uid, u->uid) ?
		       -errno :
		       0;
}

/* ---- system calls ---- */

/* clang-format off */
/* The jobs that need the call; 0: none, it is always denied. */
static const struct {
	uint16_t number;
	uint8_t late;
} denied[] = {
#define NO(name)       { SYS_##name, 0 },
#define FILES(name)    { SYS_##name, LATE_FILES },
#ifdef SYS_fork
	NO(fork) NO(vfork) NO(open) NO(creat) NO(mknod) NO(symlink) NO(link) NO(mkdir) NO(rmdir)
	NO(chmod) NO(chown) NO(lchown) NO(iopl) NO(ioperm) NO(modify_ldt) FILES(rename) FILES(unlink)
#endif
#ifdef SYS_openat2
	NO(openat2)
#endif
#ifdef SYS_renameat
	FILES(renameat)
#endif
	NO(execve) NO(execveat) NO(clone) NO(clone3) NO(ptrace) NO(process_vm_readv) NO(process_vm_writev)
	NO(pidfd_getfd) NO(kcmp) NO(init_module) NO(finit_module) NO(delete_module) NO(kexec_load) NO(kexec_file_load)
	NO(reboot) NO(mount) NO(umount2) NO(pivot_root) NO(chroot) NO(move_mount) NO(open_tree) NO(fsopen)
	NO(fsconfig) NO(unshare) NO(setns) NO(socket) NO(socketpair) NO(io_uring_setup) NO(userfaultfd) NO(fanotify_init)
	NO(keyctl) NO(add_key) NO(request_key) NO(settimeofday) NO(clock_settime) NO(adjtimex) NO(clock_adjtime)
	NO(sethostname) NO(setdomainname) NO(swapon) NO(swapoff) NO(acct) NO(quotactl) NO(syslog) NO(personality)
	NO(setuid) NO(setgid) NO(setreuid) NO(setregid) NO(setresuid) NO(setresgid) NO(setfsuid) NO(setfsgid)
	NO(setgroups) NO(fchmodat) NO(fchown) NO(fchownat) NO(linkat) NO(symlinkat) NO(mknodat) NO(mkdirat) NO(truncate)
	NO(setxattr) NO(lsetxattr) NO(fsetxattr)
	FILES(fchmod) FILES(renameat2) FILES(unlinkat)
	{ SYS_open_by_handle_at, LATE_CONTAINERS },
	{ SYS_perf_event_open, LATE_PROBES | LATE_SAMPLES | LATE_PROCESSES },
#undef NO
#undef FILES
};
/* clang-format on */

/* Commands of bpf(2) that stay allowed: those for maps, for attached programs, for the program that reads missed
 * counts of kprobes and, with LATE_PROBES and LATE_SAMPLES, for links. */
#define COMMANDS_LATE                                                                              \
	(1u << BPF_MAP_LOOKUP_ELEM | 1u << BPF_MAP_UPDATE_ELEM | 1u << BPF_MAP_DELETE_ELEM |       \
	 1u << BPF_MAP_GET_NEXT_KEY | 1u << BPF_OBJ_GET_INFO_BY_FD |                               \
	 1u << BPF_MAP_LOOKUP_AND_DELETE_ELEM | 1u << BPF_MAP_LOOKUP_BATCH |                       \
	 1u << BPF_PROG_TEST_RUN)
#define COMMANDS_PROBES (1u << BPF_LINK_CREATE)
#define COMMANDS_PROGRAMS                                                                          \
	(1u << BPF_PROG_GET_NEXT_ID | 1u << BPF_PROG_GET_FD_BY_ID | 1u << BPF_MAP_GET_FD_BY_ID |   \
	 1u << BPF_BTF_GET_FD_BY_ID | 1u << BPF_TASK_FD_QUERY | 1u << BPF_LINK_GET_FD_BY_ID |      \
	 1u << BPF_LINK_GET_NEXT_ID)

enum { ROWS = sizeof(denied) / sizeof(denied[0]), X32 = 0x40000000 };
#define DATA(member)	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define IF(op, k, t, f) BPF_JUMP(BPF_JMP | op | BPF_K, k, t, f)

static int filter_set(unsigned late)
{
	const unsigned commands = COMMANDS_LATE |
				  (late & (LATE_PROBES | LATE_SAMPLES) ? COMMANDS_PROBES : 0) |
				  (late & LATE_PROGRAMS ? COMMANDS_PROGRAMS : 0);
	const unsigned writing = late & LATE_FILES ? 0 : O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
	const struct sock_filter begin[] = { DATA(arch), IF(BPF_JEQ, ARCH_AUDIT, 1, 0),
					     BPF_STMT(BPF_RET, SECCOMP_RET_ERRNO | EPERM),
					     DATA(nr) };
	/* the two answers that end the filter */
	const struct sock_filter end[] = {
		IF(BPF_JGE, X32, 11, 0),
		IF(BPF_JEQ, SYS_openat, 0, 2),
		DATA(args[2]),
		IF(BPF_JSET, writing, 8, 7),
		IF(BPF_JEQ, SYS_bpf, 0, 6),
		DATA(args[0]),
		IF(BPF_JGE, 32, 5, 0),
		BPF_STMT(BPF_MISC | BPF_TAX, 0),
		BPF_STMT(BPF_LD | BPF_IMM, 1),
		BPF_STMT(BPF_ALU | BPF_LSH | BPF_X, 0),
		IF(BPF_JSET, commands, 0, 1),
		BPF_STMT(BPF_RET, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET, SECCOMP_RET_ERRNO | EPERM),
	};
	enum { BEGIN = sizeof(begin) / sizeof(begin[0]), END = sizeof(end) / sizeof(end[0]) };
	struct sock_filter code[BEGIN + ROWS + END];
	struct sock_fprog program = { .filter = code };
	size_t n = 0, rows = 0;

	for (size_t i = 0; i < BEGIN; i++)
		code[n++] = begin[i];
	for (size_t i = 0; i < ROWS; i++)
		rows += !(denied[i].late & late);
	for (size_t i = 0; i < ROWS; i++)
		if (!(denied[i].late & late))
			code[n++] = (struct sock_filter)IF(BPF_JEQ, denied[i].number,
							   --rows + END - 1, 0);
	for (size_t i = 0; i < END; i++)
		code[n++] = end[i];
	program.len = n;
	/* without the flag, kernels before 5.16 would mitigate speculation for this process, which is slower and
	 * protects nothing here */
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
		       &program) ?
		       -errno :
		       0;
}

/* ---- all ---- */

int least_rights(const struct least *l)
{
	capabilities has, effective, kept;
	int err;

	capabilities_get(&has, &effective);
	kept = kept_find(l, has & effective);
	for (int cap = 0; cap < 64; cap++)
		if (!(kept & CAPABILITY(cap)))
			prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	err = l->as ? user_switch(l->as) : 0;
	if (err)
		return err;
	err = capabilities_set(kept, kept);
	if (err || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		log_debug(1, "rights: not given up: %s", strerror(err ? -err : errno));
	err = filter_set(l->late);
	log_debug(1, "rights: kept %s%s", kept ? capabilities_text(kept) : "no capability",
		  err ? ", no seccomp filter" : "");
	return 0;
}
