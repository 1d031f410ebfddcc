/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * attach.c - doctor's second table: tries every attach method that is used.
 *
 * Each row loads a program that counts its calls, attaches it as any applet would (attach/method.h), makes the call
 * that triggers it, and checks the count.
 */
#include "doctor/check.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <link.h>
#include <linux/perf_event.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "attach/events.h"
#include "attach/method.h"
#include "attach/method_can.h"
#include "kernel/insn.h"

enum { SAMPLES_NS = 20000000 }; /* how long to wait for samples: time for 20 of them */

/* ---- uprobe: on a function of coretap ---- */

static __attribute__((noinline)) void uprobe_target(void)
{
	__asm__ volatile("");
}

/* Finds the file offset of an address in this binary. */
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

/* ---- load, attach, call, check ---- */

/* Makes each of the calls that the rows count, once. */
static void targets_call(void)
{
	char name[16];

	if (!prctl(PR_GET_NAME, name))
		prctl(PR_SET_NAME, name);
	uprobe_target();
}

/* One side (entry or return) of an attach method. */
struct trial {
	enum attach_method_id method;
	bool is_return;
	struct attach_target target; /* complete once its attach type is known */
};

static uint64_t hits_wanted(const struct trial *t)
{
	return attach_has(t->method, ATTACH_SESSION) ? 2 : 1;
}

static void target_find(struct doctor *d, struct trial *t, int type)
{
	static const struct attach_sample clock = { .type = PERF_TYPE_SOFTWARE,
						    .config = PERF_COUNT_SW_CPU_CLOCK,
						    .period = 1000000 };
	uint64_t offset = (uintptr_t)uprobe_target;

	t->target = (struct attach_target){ .function = DOCTOR_FUNCTION,
					    .event_name = "task/" DOCTOR_TRACEPOINT,
					    .is_return = t->is_return,
					    .sample = &clock,
					    .type = type };
	if (t->method == ATTACH_UPROBE && dl_iterate_phdr(file_offset, &offset)) {
		t->target.path = "/proc/self/exe";
		t->target.offset = offset;
	}
	if (!attach_has(t->method, ATTACH_TYPED))
		return;
	t->target.btf_id = t->method == ATTACH_TRACEPOINT ?
				   btf_view_find(d->btf, BTF_KIND_TYPEDEF,
						 "btf_trace_" DOCTOR_TRACEPOINT) :
				   btf_view_func(d->btf, DOCTOR_FUNCTION);
}

/* Loads a program that increments the map's only value. */
static int counter_load(const struct trial *t, int map, struct doctor_result *r)
{
	struct bpf_insn insns[] = {
		INSN_ADDRESS(BPF_REG_1, BPF_PSEUDO_MAP_VALUE, map),
		INSN_SET(BPF_REG_2, 1),
		INSN(BPF_STX | BPF_ATOMIC | BPF_DW, BPF_REG_1, BPF_REG_2, 0, BPF_ADD),
		INSN_SET(BPF_REG_0, 0),
		INSN_EXIT,
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts);
	struct prog_type type;
	int err = attach_prog_type(t->method, &t->target, &type);

	if (err) {
		doctor_report(r, DOCTOR_NO, -err, "this kernel has no %s",
			      t->method == ATTACH_TRACEPOINT ? DOCTOR_TRACEPOINT : DOCTOR_FUNCTION);
		return err;
	}
	opts.expected_attach_type = type.attach;
	opts.attach_btf_id = type.btf_id;
	return doctor_load(type.prog, insns, INSN_COUNT(insns), &opts, r);
}

static bool forbidden(const struct doctor *d, int error)
{
	return d->rights.lockdown == PRIVILEGES_LOCKDOWN_CONFIDENTIALITY && error == EPERM;
}

static void attached_check(struct doctor *d, const struct trial *t, int prog, int map,
			   struct doctor_result *r)
{
	const struct attach_switch *off = attach_switched_off(attach_methods[t->method].traits,
							      &t->target);
	int link = attach_link(t->method, &t->target, prog);
	uint64_t hits = 0;
	uint32_t zero = 0;

	if (link == -EACCES && privileges_perf_paranoid(&d->rights)) {
		doctor_report(r, DOCTOR_NO, EACCES,
			      "kernel.perf_event_paranoid is %d: see perf events",
			      privileges_perf_paranoid(&d->rights));
		return;
	}
	if (link == -EACCES && t->method == ATTACH_UPROBE && !d->rights.admin) {
		doctor_report(r, DOCTOR_NO, EACCES, "missing CAP_SYS_ADMIN");
		return;
	}
	if (off) {
		doctor_report(r, DOCTOR_NO, 0, "not attached: %s", off->is);
		return;
	}
	if (link < 0) {
		doctor_report(r, DOCTOR_NO, -link, "%s",
			      forbidden(d, -link) ? "lockdown forbids it" :
						    "the kernel refuses to attach it");
		return;
	}
	targets_call();
	if (t->method == ATTACH_SAMPLE) /* a clock on CPU 0 */
		usleep(SAMPLES_NS / 1000);
	bpf_map_lookup_elem(map, &zero, &hits);
	close(link);
	if (hits >= hits_wanted(t))
		doctor_report(r, DOCTOR_YES, 0, "%s", "");
	else
		doctor_report(r, DOCTOR_NO, 0, "attached, but %llu of %llu test calls were seen",
			      (unsigned long long)hits, (unsigned long long)hits_wanted(t));
}

/* True, with the answer set, if the kernel's types already exclude the method. */
static bool is_known(struct doctor *d, const struct trial *t, int *type, struct doctor_result *r)
{
	const char *enumerator = attach_methods[t->method].types[t->is_return].enumerator;

	*type = 0;
	if (!enumerator)
		return true;
	if (!d->btf) {
		doctor_report(r, DOCTOR_NO, d->btf_error, "the kernel's types cannot be read");
		return false;
	}
	*type = attach_type_find(t->method, t->is_return, d->btf);
	if (*type < 0)
		doctor_report(r, DOCTOR_NO, 0, "this kernel does not know %s", enumerator);
	return *type >= 0;
}

static void method_check(struct doctor *d, const struct doctor_check *c, struct doctor_result *r)
{
	struct trial t = *(const struct trial *)c->param;
	int type, map, prog;

	if (!is_known(d, &t, &type, r))
		return;
	target_find(d, &t, type);
	map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "doctor", 4, 8, 1, NULL);
	if (map < 0) {
		doctor_report(r, DOCTOR_NO, errno, "the kernel refuses a map");
		return;
	}
	prog = counter_load(&t, map, r);
	if (prog >= 0) {
		attached_check(d, &t, prog, map, r);
		close(prog);
	}
	close(map);
	d->attaches[t.method][t.is_return] = r->answer == DOCTOR_YES;
}

const struct doctor_check *doctor_attach(void)
{
	static struct doctor_check checks[2 * ATTACH_END + 1];
	static struct trial trials[2 * ATTACH_END];
	size_t n = 0;

	for (int i = 0; i < 2 * ATTACH_END; i++) {
		const char *why = attach_methods[i / 2].needed_for[i % 2];

		if (!why)
			continue;
		trials[n] = (struct trial){ .method = i / 2, .is_return = i % 2 };
		checks[n] = (struct doctor_check){
			.name = attach_method_name(i / 2, i % 2),
			.run = method_check,
			.param = &trials[n],
			.ability = -1,
			.needs = DOCTOR_NEED_KERNEL | DOCTOR_NEED_RIGHTS,
			.why = why,
		};
		n++;
	}
	return checks;
}
