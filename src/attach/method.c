/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * method.c - the table of attach methods, and the link function of each: it attaches a loaded program and returns an
 * fd. Closing that fd detaches.
 *
 * Plain system calls are used, because this code runs before argdump's first event and must not
 * depend on the version of libbpf. The kernel opens every bpf(2) link with O_CLOEXEC
 * (kernel/bpf/syscall.c, bpf_link_prime); after kill -9 nothing is left but the names of events.h.
 */
#include "attach/method.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "attach/ask_functions.h"
#include "attach/events.h"
#include "attach/method_can.h"
#include "btf/btf.h"
#include "kernel/arch.h"
#include "kernel/tracefs.h"
#include "symbols/kernel/ksyms.h"
#include "util/errname.h"

/* Values of enum bpf_attach_type, which is ABI; the build's headers may lack them. The first is of 5.18. */
enum { KPROBE_MULTI = 42, UPROBE_MULTI = 48 /* 6.6 */, KPROBE_SESSION = 56 /* 6.10 */ };
#define KPROBE_MULTI_RETURN 1u /* BPF_F_KPROBE_MULTI_RETURN */
#define UPROBE_MULTI_RETURN 1u /* BPF_F_UPROBE_MULTI_RETURN */

static int bpf_call(enum bpf_cmd cmd, union bpf_attr *attr)
{
	int fd = syscall(SYS_bpf, cmd, attr, sizeof(*attr));

	return fd < 0 ? -errno : fd;
}

/* `members` are those of link_create in a newer kernel, which the build's headers may lack. */
static int link_create(const void *members, size_t size)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	memcpy(&attr, members, size);
	return bpf_call(BPF_LINK_CREATE, &attr);
}

/* ---- trampolines: the target is set at load ---- */

static int link_tracing(const struct attach_target *t, int type, int prog_fd)
{
	union bpf_attr attr;

	(void)t, (void)type;
	memset(&attr, 0, sizeof(attr));
	attr.raw_tracepoint.prog_fd = prog_fd; /* name 0: the program itself contains the target */
	return bpf_call(BPF_RAW_TRACEPOINT_OPEN, &attr);
}

/* link_create.tracing_multi of 7.2 and later */
struct tracing_multi_attr {
	uint32_t prog_fd, target_fd, attach_type, flags;
	uint64_t ids, cookies;
	uint32_t count;
};

static int link_tracing_multi(const struct attach_target *t, int type, int prog_fd)
{
	const struct attach_multi one = { .count = 1, .ids = &t->btf_id }, *m = t->multi ?: &one;
	struct tracing_multi_attr at = {
		.prog_fd = prog_fd,
		.attach_type = type,
		.ids = (uintptr_t)m->ids,
		.cookies = (uintptr_t)m->cookies,
		.count = m->count,
	};
	return link_create(&at, sizeof(at));
}

/* ---- fprobes ---- */

static int fprobe_link(const struct attach_multi *m, int type, bool is_return, int prog_fd)
{
	union bpf_attr attr;

	if (!arches[ARCH_NATIVE].multi_has_cookies && m->cookies && (m->count > 1 || *m->cookies))
		return -EOPNOTSUPP;
	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = prog_fd;
	attr.link_create.attach_type = type;
	attr.link_create.kprobe_multi.flags = is_return && type == KPROBE_MULTI ?
						      KPROBE_MULTI_RETURN :
						      0;
	attr.link_create.kprobe_multi.cnt = m->count;
	if (m->addresses)
		attr.link_create.kprobe_multi.addrs = (uintptr_t)m->addresses;
	else
		attr.link_create.kprobe_multi.syms = (uintptr_t)m->names;
	attr.link_create.kprobe_multi.cookies = (uintptr_t)m->cookies;
	return bpf_call(BPF_LINK_CREATE, &attr);
}

/* Returns the address of the only function with that name in the module; 0 if there are several, or addresses are
 * hidden. */
static uint64_t module_address(const struct attach_target *t)
{
	uint64_t found = 0;
	struct ksym symbol;

	if (ksyms_load())
		return 0;
	for (size_t i = 0; ksyms_get(i, &symbol); i++) {
		if (!symbol.module || strcmp(symbol.module, t->module) ||
		    strcmp(symbol.name, t->function) || !ksym_type_is_code(symbol.type))
			continue;
		if (found)
			return 0;
		found = symbol.address;
	}
	return found;
}

/* By several names, the kernel reads all of its symbols to find them, which takes 20 to 50 ms. */
static uint64_t *addresses_ask(const struct attach_multi *m)
{
	bool asks = m->asks && !m->addresses && m->count > 1;
	uint64_t *at = asks ? calloc(m->count, sizeof(*at)) : NULL;
	bool known = at && !kernel_symbols_ask(m->names, at, m->count);

	for (size_t i = 0; i < m->count && known; i++)
		known = at[i] != 0;
	if (known)
		return at;
	free(at);
	return NULL;
}

static int link_multi(const struct attach_target *t, int type, int prog_fd)
{
	struct attach_multi m = *t->multi;
	uint64_t *addresses = addresses_ask(&m);
	int fd;

	m.addresses = addresses ?: m.addresses;
	fd = fprobe_link(&m, type, t->is_return, prog_fd);
	free(addresses);
	return fd;
}

/* By name, the kernel attaches to the first function of that name in any module. So a function of a module is
 * attached by address. */
static int link_kprobe_multi(const struct attach_target *t, int type, int prog_fd)
{
	uint64_t address = t->address;
	struct attach_multi one = { .count = 1, .names = &t->function };

	if (t->multi)
		return link_multi(t, type, prog_fd);
	if (t->module && !address)
		address = module_address(t);
	if (t->module && !address)
		return -EOPNOTSUPP;
	if (address)
		one.addresses = &address;
	return fprobe_link(&one, type, t->is_return, prog_fd);
}

/* ---- perf events ---- */

/* For 5.15 and later: this kind of link reports what its probe missed. */
static int event_link_new(int fd, int prog_fd)
{
	union bpf_attr attr;
	int link;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = prog_fd;
	attr.link_create.target_fd = fd;
	attr.link_create.attach_type = BPF_PERF_EVENT;
	link = bpf_call(BPF_LINK_CREATE, &attr);
	if (link < 0)
		return link;
	if (!ioctl(fd, PERF_EVENT_IOC_ENABLE, 0)) {
		close(fd); /* the link holds a reference */
		return link;
	}
	close(link);
	return -errno;
}

/* Owns the event's fd, which may become the link. */
static int event_link(int fd, int prog_fd)
{
	int err;

	if (fd < 0)
		return fd;
	err = event_link_new(fd, prog_fd);
	if (err >= 0)
		return err;
	if (!ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog_fd) && !ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

/* If a kprobe is given by name, the name includes the module. If tracefs refuses a return, the PMU opens it, because
 * its error describes the problem of the function. */
static int link_kprobe(const struct attach_target *t, int type, int prog_fd)
{
	char name[192];
	int fd;

	(void)type;
	if (t->address)
		snprintf(name, sizeof(name), "0x%" PRIx64, t->address);
	else
		snprintf(name, sizeof(name), "%s%s%s", t->module ?: "", t->module ? ":" : "",
			 t->function);
	fd = t->is_return ? tracefs_event_open(kretprobe_define(name)) : -EOPNOTSUPP;
	if (fd < 0)
		fd = pmu_event_open("kprobe", t->address ? NULL : name, t->address ?: t->offset, 0,
				    t->is_return);
	return event_link(fd, prog_fd);
}

/* The kernel checks the right first. A folder has no functions, so no probe is created. */
bool attach_uprobe_refused(void)
{
	int fd = pmu_event_open("uprobe", "/", 0, 0, false);

	return fd == -EACCES || fd == -EPERM;
}

static int link_uprobe(const struct attach_target *t, int type, int prog_fd)
{
	(void)type;
	return event_link(pmu_event_open("uprobe", t->path, t->offset, t->semaphore, t->is_return),
			  prog_fd);
}

/* link_create.uprobe_multi of 6.6 and later */
struct uprobe_multi_attr {
	uint32_t prog_fd, target_fd, attach_type, flags;
	uint64_t path, offsets, ref_ctr_offsets, cookies;
	uint32_t count, new_flags, pid;
};

static int link_uprobe_multi(const struct attach_target *t, int type, int prog_fd)
{
	const struct attach_multi one = { .count = 1, .addresses = &t->offset },
				  *m = t->multi ?: &one;
	struct uprobe_multi_attr at = {
		.prog_fd = prog_fd,
		.attach_type = type,
		.path = (uintptr_t)t->path,
		.offsets = (uintptr_t)m->addresses,
		.cookies = (uintptr_t)m->cookies,
		.count = m->count,
		.new_flags = t->is_return ? UPROBE_MULTI_RETURN : 0,
	};
	return link_create(&at, sizeof(at));
}

static int link_event(const struct attach_target *t, int type, int prog_fd)
{
	int number = t->event ?: tracefs_event(t->event_name);

	(void)type;
	/* without tracefs, another method may do */
	return event_link(number == -ENOENT ? -EOPNOTSUPP : tracefs_event_open(number), prog_fd);
}

static int link_sample(const struct attach_target *t, int type, int prog_fd)
{
	(void)type;
	return event_link(t->thread ? sample_open_thread(t->sample, t->thread) :
				      sample_open(t->sample, t->cpu),
			  prog_fd);
}

/* ---- the table ---- */

const struct attach_method attach_methods[ATTACH_END] = {
	[ATTACH_ANY] = { .name = "nothing", .return_name = "nothing" },
#define METHOD(id, name_, ...) [ATTACH_##id] = { .name = name_, __VA_ARGS__ },
#include "attach/methods.def"
};

const char *const attach_method_choices[] = {
	"any",
#define CHOICE(id, name, ...) name,
#define METHOD(id, ...)
#include "attach/methods.def"
	NULL,
};

const char *attach_method_name(enum attach_method_id method, bool is_return)
{
	const struct attach_method *m = &attach_methods[method];

	return is_return && m->return_name ? m->return_name : m->name;
}

bool attach_has(enum attach_method_id method, enum attach_trait trait)
{
	return attach_methods[method].traits & trait;
}

bool attach_can(enum attach_method_id method, const struct attach_kernel *k,
		const struct function *f, char *why)
{
	why[0] = 0;
	return attach_methods[method].can && attach_methods[method].can(k, f, why);
}

int attach_type_find(enum attach_method_id method, bool is_return, const struct btf_view *btf)
{
	const char *name = attach_methods[method].types[is_return].enumerator;

	if (!name)
		return -1;
	return btf_view_enumerator(btf, btf_view_find(btf, BTF_KIND_ENUM, "bpf_attach_type"), name,
				   -1);
}

static int type_number(const struct attach_method *m, const struct attach_target *t)
{
	if (!m->types[t->is_return].enumerator)
		return 0;
	return m->types[t->is_return].number ?: t->type;
}

int attach_prog_type(enum attach_method_id method, const struct attach_target *t,
		     struct prog_type *type)
{
	const struct attach_method *m = &attach_methods[method];

	*type = (struct prog_type){ .prog = m->prog_type, .attach = type_number(m, t) };
	if (type->attach < 0 || (m->types[t->is_return].enumerator && !type->attach))
		return -EOPNOTSUPP;
	if (!(m->traits & ATTACH_BY_ID))
		return 0;
	type->btf_id = t->btf_id;
	type->program_fd = t->program_fd;
	return t->btf_id ? 0 : -EOPNOTSUPP;
}

int attach_link_real(enum attach_method_id method, const struct attach_target *t, int prog_fd)
{
	const struct attach_method *m = &attach_methods[method];
	int fd;

	if (!m->link)
		return -EINVAL;
	if (attach_switched_off(m->traits, t))
		return -ERR_SWITCHED_OFF;
	fd = m->link(t, type_number(m, t), prog_fd);
	if (fd >= 0)
		attach_switches_note(m->traits, t);
	return fd;
}

static bool links_nothing;

void attach_nothing(void)
{
	links_nothing = true;
}

int attach_link(enum attach_method_id method, const struct attach_target *t, int prog_fd)
{
	int fd;

	if (!links_nothing)
		return attach_link_real(method, t, prog_fd);
	if (attach_switched_off(attach_methods[method].traits, t))
		return -ERR_SWITCHED_OFF;
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}
