/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * features.c - doctor's third table: what a loaded program can do; each feature is tried with the smallest program
 * that uses it.
 */
#include "doctor/check.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kernel/insn.h"

/* Loads, but does not attach, a program for the entry of DOCTOR_FUNCTION(task, name, exec). */
static void program_check(struct doctor *d, const struct bpf_insn *insns, size_t count,
			  struct bpf_prog_load_opts *opts, struct doctor_result *r)
{
	int fd;

	if (!d->btf) {
		doctor_report(r, DOCTOR_NO, d->btf_error, "the kernel's types cannot be read");
		return;
	}
	opts->expected_attach_type = BPF_TRACE_FENTRY;
	opts->attach_btf_id = btf_view_func(d->btf, DOCTOR_FUNCTION);
	fd = doctor_load(BPF_PROG_TYPE_TRACING, insns, count, opts, r);
	if (fd < 0)
		return;
	close(fd);
	doctor_report(r, DOCTOR_YES, 0, "%s", "");
}

#define PROGRAM_CHECK(d, insns, r)                                                                 \
	do {                                                                                       \
		LIBBPF_OPTS(bpf_prog_load_opts, opts_);                                            \
		program_check(d, insns, INSN_COUNT(insns), &opts_, r);                             \
	} while (0)

static void ring_check(struct doctor *d, const struct doctor_check *c, struct doctor_result *r)
{
	int fd = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "doctor", 0, 0, getpagesize(), NULL);

	(void)d, (void)c;
	if (fd < 0) {
		doctor_report(r, DOCTOR_NO, errno, "the kernel refuses the map");
		return;
	}
	close(fd);
	doctor_report(r, DOCTOR_YES, 0, "%s", "");
}

/* Returns the offset of task->pid, from the kernel's types. */
static int pid_offset(struct doctor *d)
{
	uint32_t id = d->btf ? btf_view_find(d->btf, BTF_KIND_STRUCT, "task_struct") : 0;
	struct btf_found pid;

	if (!id || !btf_view_member(d->btf, id, "pid", 3, &pid))
		return 0; /* the first word of a task serves as well */
	return pid.bit_offset / 8;
}

static void typed_check(struct doctor *d, const struct doctor_check *c, struct doctor_result *r)
{
	struct bpf_insn insns[] = {
		INSN_LOAD(BPF_REG_1, BPF_REG_1, 0),
		INSN_LOAD32(BPF_REG_0, BPF_REG_1, pid_offset(d)),
		INSN_SET(BPF_REG_0, 0),
		INSN_EXIT,
	};

	(void)c;
	PROGRAM_CHECK(d, insns, r);
}

static void current_check(struct doctor *d, const struct doctor_check *c, struct doctor_result *r)
{
	struct bpf_insn insns[] = {
		INSN_CALL(BPF_FUNC_get_current_task_btf),
		INSN_LOAD32(BPF_REG_0, BPF_REG_0, pid_offset(d)),
		INSN_SET(BPF_REG_0, 0),
		INSN_EXIT,
	};

	(void)c;
	PROGRAM_CHECK(d, insns, r);
}

static void probe_read_check(struct doctor *d, const struct doctor_check *c,
			     struct doctor_result *r)
{
	struct bpf_insn insns[] = {
		INSN_LOAD(BPF_REG_3, BPF_REG_1, 0),
		INSN_MOV(BPF_REG_1, BPF_REG_10),
		INSN_ADD(BPF_REG_1, -8),
		INSN_SET(BPF_REG_2, 1),
		INSN_CALL(BPF_FUNC_probe_read_kernel),
		INSN_SET(BPF_REG_0, 0),
		INSN_EXIT,
	};

	(void)c;
	PROGRAM_CHECK(d, insns, r);
	if (r->answer == DOCTOR_NO && d->rights.lockdown == PRIVILEGES_LOCKDOWN_CONFIDENTIALITY)
		doctor_report(r, DOCTOR_NO, r->error, "lockdown forbids it");
}

/* The name argument is a char *, from which a program may load only after a cast. */
static void cast_check(struct doctor *d, const struct doctor_check *c, struct doctor_result *r)
{
	uint32_t kfunc = d->btf ? btf_view_func(d->btf, "bpf_rdonly_cast") : 0;
	uint32_t as = d->btf ? btf_view_find(d->btf, BTF_KIND_STRUCT, "pt_regs") : 0;
	struct bpf_insn insns[] = {
		INSN_LOAD(BPF_REG_1, BPF_REG_1, 8), INSN_SET(BPF_REG_2, as), INSN_KFUNC(kfunc),
		INSN_LOAD(BPF_REG_0, BPF_REG_0, 0), INSN_SET(BPF_REG_0, 0),  INSN_EXIT,
	};

	(void)c;
	if (kfunc)
		PROGRAM_CHECK(d, insns, r);
	else
		doctor_report(r, DOCTOR_NO, 0, "this kernel has no kfunc bpf_rdonly_cast");
}

struct program {
	const struct bpf_insn *insns;
	size_t count;
};

static const struct bpf_insn func_arg_insns[] = {
	INSN_SET(BPF_REG_2, 0),		  INSN_MOV(BPF_REG_3, BPF_REG_10), INSN_ADD(BPF_REG_3, -8),
	INSN_CALL(BPF_FUNC_get_func_arg), INSN_SET(BPF_REG_0, 0),	   INSN_EXIT,
};
static const struct program func_arg = { func_arg_insns, INSN_COUNT(func_arg_insns) };

static const struct bpf_insn cookie_insns[] = {
	INSN_CALL(BPF_FUNC_get_attach_cookie),
	INSN_SET(BPF_REG_0, 0),
	INSN_EXIT,
};
static const struct program cookie = { cookie_insns, INSN_COUNT(cookie_insns) };

static void insns_check(struct doctor *d, const struct doctor_check *c, struct doctor_result *r)
{
	const struct program *p = c->param;
	LIBBPF_OPTS(bpf_prog_load_opts, opts);

	program_check(d, p->insns, p->count, &opts, r);
}

#define NEEDS (DOCTOR_NEED_KERNEL | DOCTOR_NEED_RIGHTS)

const struct doctor_check doctor_features[] = {
	{ "ring buffer", ring_check, NULL, DOCTOR_RING, NEEDS, "every applet", NULL },
	{ "typed loads", typed_check, NULL, DOCTOR_TYPED_LOADS, NEEDS,
	  "following pointers at the lowest cost; else bpf_probe_read_kernel", NULL },
	{ "probe_read_kernel", probe_read_check, NULL, DOCTOR_PROBE_READ, NEEDS,
	  "what typed loads do not reach", NULL },
	{ "rdonly_cast", cast_check, NULL, DOCTOR_RDONLY_CAST, NEEDS,
	  "strings, and pointers from kprobes, by plain loads; else bpf_probe_read_kernel", NULL },
	{ "current_task_btf", current_check, NULL, -1, NEEDS,
	  "the current task by plain loads; else bpf_probe_read_kernel", NULL },
	{ "get_func_arg", insns_check, &func_arg, -1, NEEDS,
	  "arguments of many functions by one program; else one program for each", NULL },
	{ "attach cookie", insns_check, &cookie, -1, NEEDS,
	  "many probes with one program; else one program for each", NULL },
	{ 0 },
};
