/* SPDX-License-Identifier: GPL-2.0 */
/*
 * doctor_attach.c - doctor's second table: every way to attach, really tried.
 *
 * Each row loads a program that counts its calls, attaches it, makes the one call that it waits
 * for, and looks at the count. Values that the build's headers may lack come from the running
 * kernel's own types.
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <link.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/diag.h"
#include "core/doctor.h"
#include "core/doctor_insn.h"
#include "core/probe.h"

#define UPROBE_PMU "/sys/bus/event_source/devices/uprobe/"

enum target { TARGET_NONE, TARGET_FUNCTION, TARGET_TRACEPOINT };

struct way {
	int type;		 /* BPF_PROG_TYPE_… */
	const char *attach_type; /* of enum bpf_attach_type; NULL: none is given */
	enum target target;	 /* what attach_btf_id names */
	uint64_t hits;		 /* of one call */
	/* Returns an fd or -errno. */
	int (*link)(struct doctor *d, int prog_fd, int attach_type);
	bool is_return;
};

/* ---- links that are not (yet) in probe.h ---- */

static int link_tracing(struct doctor *d, int prog_fd, int attach_type)
{
	(void)d, (void)attach_type;
	return probe_link_tracing(prog_fd);
}

static int link_kprobe(struct doctor *d, int prog_fd, int attach_type)
{
	(void)d, (void)attach_type;
	return probe_link_kprobe(prog_fd, DOCTOR_FUNCTION, 0, false);
}

static int link_kretprobe(struct doctor *d, int prog_fd, int attach_type)
{
	(void)d, (void)attach_type;
	return probe_link_kprobe(prog_fd, DOCTOR_FUNCTION, 0, true);
}

static int link_create(const void *attr, size_t size)
{
	int fd = syscall(SYS_bpf, BPF_LINK_CREATE, attr, size);

	return fd < 0 ? -errno : fd;
}

/* kprobe.multi and kprobe.session differ by the attach type alone. */
static int link_multi(struct doctor *d, int prog_fd, int attach_type)
{
	const char *function = DOCTOR_FUNCTION;
	union bpf_attr attr;

	(void)d;
	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = prog_fd;
	attr.link_create.attach_type = attach_type;
	attr.link_create.kprobe_multi.cnt = 1;
	attr.link_create.kprobe_multi.syms = (uintptr_t)&function;
	return link_create(&attr, sizeof(attr));
}

/* union bpf_attr.link_create.tracing_multi of 7.2; the build's headers do not have it. */
struct tracing_multi_attr {
	__u32 prog_fd, target_fd, attach_type, flags;
	__u64 ids, cookies;
	__u32 count, pad;
};

static int link_tracing_multi(struct doctor *d, int prog_fd, int attach_type)
{
	__u32 id = btf_view_func(d->btf, DOCTOR_FUNCTION);
	struct tracing_multi_attr attr = { .prog_fd = prog_fd, .attach_type = attach_type,
					   .ids = (uintptr_t)&id, .count = 1 };

	return link_create(&attr, sizeof(attr));
}

/* ---- uprobe: on a function of ours ---- */

static __attribute__((noinline)) void uprobe_target(void)
{
	__asm__ volatile("");
}

/* Where in the file of this program is that address? */
static int file_offset(struct dl_phdr_info *info, size_t size, void *ctx)
{
	uint64_t *value = ctx, at = *value - info->dlpi_addr;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type != PT_LOAD || at - p->p_vaddr >= p->p_memsz)
			continue;
		*value = at - p->p_vaddr + p->p_offset;
		return 1;
	}
	return 0;
}

static int link_uprobe(struct doctor *d, int prog_fd, int attach_type)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	uint64_t offset = (uintptr_t)uprobe_target;
	FILE *f = fopen(UPROBE_PMU "type", "re");
	int fd, err;

	(void)d, (void)attach_type;
	if (!f || fscanf(f, "%u", &attr.type) != 1)
		attr.type = 0;
	if (f)
		fclose(f);
	if (!attr.type || !dl_iterate_phdr(file_offset, &offset))
		return -EOPNOTSUPP;
	attr.config1 = (uintptr_t)"/proc/self/exe"; /* uprobe_path */
	attr.config2 = offset;
	fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (!ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog_fd) && !ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

/* ---- load, attach, call, look ---- */

/* The calls that all rows wait for: one of each. */
static void targets_call(void)
{
	char name[16];

	if (!prctl(PR_GET_NAME, name))
		prctl(PR_SET_NAME, name);
	uprobe_target();
}

static uint32_t target_id(struct doctor *d, enum target target)
{
	if (target == TARGET_FUNCTION)
		return btf_view_func(d->btf, DOCTOR_FUNCTION);
	if (target == TARGET_TRACEPOINT)
		return btf_view_find(d->btf, BTF_KIND_TYPEDEF, "btf_trace_" DOCTOR_TRACEPOINT);
	return 0;
}

/* A program that adds one to the map's only value. */
static int counter_load(struct doctor *d, const struct way *w, int attach_type, int map,
			struct doctor_result *r)
{
	struct bpf_insn insns[] = {
		INSN_ADDRESS(BPF_REG_1, BPF_PSEUDO_MAP_VALUE, map),
		INSN_SET(BPF_REG_2, 1),
		INSN(BPF_STX | BPF_ATOMIC | BPF_DW, BPF_REG_1, BPF_REG_2, 0, BPF_ADD),
		INSN_SET(BPF_REG_0, 0),
		INSN_EXIT,
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .attach_btf_id = target_id(d, w->target));

	if (attach_type >= 0)
		opts.expected_attach_type = attach_type;
	return doctor_load(w->type, insns, INSN_COUNT(insns), &opts, r);
}

static bool forbidden(const struct doctor *d, int error)
{
	return d->rights.lockdown == RIGHTS_LOCKDOWN_CONFIDENTIALITY && error == EPERM;
}

static void attached_check(struct doctor *d, const struct way *w, int prog, int attach_type,
			   int map, struct doctor_result *r)
{
	uint64_t hits = 0;
	uint32_t zero = 0;
	int link = w->link(d, prog, attach_type);

	if (link < 0) {
		doctor_say(r, DOCTOR_NO, -link, "%s",
			   forbidden(d, -link) ? "lockdown forbids it" :
						 "the kernel refuses to attach it");
		return;
	}
	targets_call();
	bpf_map_lookup_elem(map, &zero, &hits);
	close(link);
	if (hits >= w->hits)
		doctor_say(r, DOCTOR_YES, 0, "%s", "");
	else
		doctor_say(r, DOCTOR_NO, 0, "attached, but %llu of %llu test calls were seen",
			   (unsigned long long)hits, (unsigned long long)w->hits);
}

/* Words what the kernel's types already rule out. */
static bool known(struct doctor *d, const struct way *w, int *attach_type,
		  struct doctor_result *r)
{
	*attach_type = -1;
	if (!w->attach_type)
		return true;
	if (!d->btf) {
		doctor_say(r, DOCTOR_NO, d->btf_error, "the kernel's types cannot be read");
		return false;
	}
	*attach_type = doctor_enum(d, "bpf_attach_type", w->attach_type);
	if (*attach_type < 0)
		doctor_say(r, DOCTOR_NO, 0, "this kernel does not know %s", w->attach_type);
	return *attach_type >= 0;
}

static void way_check(struct doctor *d, const struct doctor_check *c, struct doctor_result *r)
{
	const struct way *w = c->param;
	int attach_type, map, prog;

	if (!known(d, w, &attach_type, r))
		return;
	map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "doctor", 4, 8, 1, NULL);
	if (map < 0) {
		doctor_say(r, DOCTOR_NO, errno, "the kernel refuses a map");
		return;
	}
	prog = counter_load(d, w, attach_type, map, r);
	if (prog >= 0) {
		attached_check(d, w, prog, attach_type, map, r);
		close(prog);
	}
	close(map);
}

#define TRACING(attach_type_, target_, hits_)                                                    \
	&(const struct way){ .type = BPF_PROG_TYPE_TRACING, .attach_type = attach_type_,          \
			     .target = target_, .hits = hits_, .link = link_tracing }
#define KPROBE(attach_type_, hits_, link_)                                                       \
	&(const struct way){ .type = BPF_PROG_TYPE_KPROBE, .attach_type = attach_type_,           \
			     .hits = hits_, .link = link_ }

static const struct way tracing_multi = {
	.type = BPF_PROG_TYPE_TRACING, .attach_type = "BPF_TRACE_FENTRY_MULTI", .hits = 1,
	.link = link_tracing_multi,
};

#define NEEDS (DOCTOR_NEED_KERNEL | DOCTOR_NEED_RIGHTS)

const struct doctor_check doctor_attach[] = {
	{ "fentry", way_check, TRACING("BPF_TRACE_FENTRY", TARGET_FUNCTION, 1), DOCTOR_FENTRY,
	  NEEDS, "functions at the lowest cost; else kprobe.multi, kprobe", NULL },
	{ "fexit", way_check, TRACING("BPF_TRACE_FEXIT", TARGET_FUNCTION, 1), DOCTOR_FEXIT, NEEDS,
	  "returns at the lowest cost; else kretprobe", NULL },
	{ "fsession", way_check, TRACING("BPF_TRACE_FSESSION", TARGET_FUNCTION, 2),
	  DOCTOR_FSESSION, NEEDS, "calls with their returns at the lowest cost; else fentry, fexit",
	  NULL },
	{ "tracing.multi", way_check, &tracing_multi, DOCTOR_TRACING_MULTI, NEEDS,
	  "many functions at once, at the lowest cost; else kprobe.multi", NULL },
	{ "kprobe.multi", way_check, KPROBE("BPF_TRACE_KPROBE_MULTI", 1, link_multi),
	  DOCTOR_KPROBE_MULTI, NEEDS, "many functions at once; else one probe for each", NULL },
	{ "kprobe.session", way_check, KPROBE("BPF_TRACE_KPROBE_SESSION", 2, link_multi),
	  DOCTOR_KPROBE_SESSION, NEEDS,
	  "many functions with their returns; else two probes for each", NULL },
	{ "kprobe", way_check, KPROBE(NULL, 1, link_kprobe), DOCTOR_KPROBE, NEEDS,
	  "functions where fentry fails, instructions inside of functions", NULL },
	{ "kretprobe", way_check, KPROBE(NULL, 1, link_kretprobe), DOCTOR_KRETPROBE, NEEDS,
	  "returns where fexit fails", NULL },
	{ "tp_btf", way_check, TRACING("BPF_TRACE_RAW_TP", TARGET_TRACEPOINT, 1), DOCTOR_TP_BTF,
	  NEEDS, "tracepoints", NULL },
	{ "uprobe", way_check, KPROBE(NULL, 1, link_uprobe), DOCTOR_UPROBE, NEEDS,
	  "functions of programs and libraries", NULL },
	{ 0 },
};
