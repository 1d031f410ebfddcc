/* SPDX-License-Identifier: GPL-2.0 */
/*
 * doctor_feature.c - doctor's third table: what a loaded program may do, each tried by the
 * smallest program that does it.
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/doctor.h"
#include "core/doctor_insn.h"

/* ---- loading, with the verifier's last word ---- */

/* The last line that is no statistics ("processed 5 insns …"). Kernels of 7.3 explain themselves
 * at length behind it. */
static void last_line(char *log, char *line, size_t size)
{
	char *save, *l;

	for (l = strtok_r(log, "\n", &save); l && strncmp(l, "Verification failed", 19);
	     l = strtok_r(NULL, "\n", &save))
		if (strncmp(l, "processed ", 10) && strncmp(l, "verification time", 17))
			snprintf(line, size, "%s", l);
}

int doctor_load(int prog_type, const struct bpf_insn *insns, size_t count,
		struct bpf_prog_load_opts *opts, struct doctor_result *r)
{
	static char log[1 << 14];
	int fd = bpf_prog_load(prog_type, "doctor", "GPL", insns, count, opts), err = errno;

	if (fd >= 0)
		return fd;
	doctor_say(r, DOCTOR_NO, err, "the kernel refuses the program");
	log[0] = 0;
	opts->log_buf = log;
	opts->log_size = sizeof(log);
	opts->log_level = 1;
	fd = bpf_prog_load(prog_type, "doctor", "GPL", insns, count, opts);
	if (fd >= 0)
		close(fd);
	last_line(log, r->log, sizeof(r->log));
	return -1;
}

int doctor_enum(struct doctor *d, const char *enum_name, const char *name)
{
	uint32_t id = btf_view_find(d->btf, BTF_KIND_ENUM, enum_name);
	const struct btf_type *t = btf_view_type(d->btf, id);

	for (unsigned i = 0; t && i < btf_vlen(t); i++)
		if (!strcmp(btf_view_string(d->btf, btf_enums(t)[i].name_off), name))
			return btf_enums(t)[i].val;
	return -1;
}

/* Loads a program for the entry of DOCTOR_FUNCTION(task, name, exec), and that is all. */
static void program_check(struct doctor *d, const struct bpf_insn *insns, size_t count,
			  struct bpf_prog_load_opts *opts, struct doctor_result *r)
{
	int fd;

	if (!d->btf) {
		doctor_say(r, DOCTOR_NO, d->btf_error, "the kernel's types cannot be read");
		return;
	}
	opts->expected_attach_type = BPF_TRACE_FENTRY;
	opts->attach_btf_id = btf_view_func(d->btf, DOCTOR_FUNCTION);
	fd = doctor_load(BPF_PROG_TYPE_TRACING, insns, count, opts, r);
	if (fd < 0)
		return;
	close(fd);
	doctor_say(r, DOCTOR_YES, 0, "%s", "");
}

#define PROGRAM_CHECK(d, insns, r)                                                               \
	do {                                                                                     \
		LIBBPF_OPTS(bpf_prog_load_opts, opts_);                                          \
		program_check(d, insns, INSN_COUNT(insns), &opts_, r);                           \
	} while (0)

/* ---- the features ---- */

static void ring_check(struct doctor *d, const struct doctor_check *c, struct doctor_result *r)
{
	int fd = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "doctor", 0, 0, getpagesize(), NULL);

	(void)d, (void)c;
	if (fd < 0) {
		doctor_say(r, DOCTOR_NO, errno, "the kernel refuses the map");
		return;
	}
	close(fd);
	doctor_say(r, DOCTOR_YES, 0, "%s", "");
}

/* task->pid, its place taken from the kernel's types. */
static int pid_offset(struct doctor *d)
{
	uint32_t id = d->btf ? btf_view_find(d->btf, BTF_KIND_STRUCT, "task_struct") : 0;
	struct btf_found pid;

	if (!id || !btf_view_member(d->btf, id, "pid", 3, &pid))
		return 0; /* the first word of a task can be read as well */
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

static void current_check(struct doctor *d, const struct doctor_check *c,
			  struct doctor_result *r)
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
	if (r->answer == DOCTOR_NO && d->rights.lockdown == RIGHTS_LOCKDOWN_CONFIDENTIALITY)
		doctor_say(r, DOCTOR_NO, r->error, "lockdown forbids it");
}

/* The name argument is a char *, which no program may load from until it is cast. */
static void cast_check(struct doctor *d, const struct doctor_check *c, struct doctor_result *r)
{
	uint32_t kfunc = d->btf ? btf_view_func(d->btf, "bpf_rdonly_cast") : 0;
	uint32_t as = d->btf ? btf_view_find(d->btf, BTF_KIND_STRUCT, "pt_regs") : 0;
	struct bpf_insn insns[] = {
		INSN_LOAD(BPF_REG_1, BPF_REG_1, 8),
		INSN_SET(BPF_REG_2, as),
		INSN_KFUNC(kfunc),
		INSN_LOAD(BPF_REG_0, BPF_REG_0, 0),
		INSN_SET(BPF_REG_0, 0),
		INSN_EXIT,
	};

	(void)c;
	if (kfunc)
		PROGRAM_CHECK(d, insns, r);
	else
		doctor_say(r, DOCTOR_NO, 0, "this kernel has no kfunc bpf_rdonly_cast");
}

static void func_arg_check(struct doctor *d, const struct doctor_check *c,
			   struct doctor_result *r)
{
	struct bpf_insn insns[] = {
		INSN_SET(BPF_REG_2, 0),
		INSN_MOV(BPF_REG_3, BPF_REG_10),
		INSN_ADD(BPF_REG_3, -8),
		INSN_CALL(BPF_FUNC_get_func_arg),
		INSN_SET(BPF_REG_0, 0),
		INSN_EXIT,
	};

	(void)c;
	PROGRAM_CHECK(d, insns, r);
}

static void cookie_check(struct doctor *d, const struct doctor_check *c, struct doctor_result *r)
{
	struct bpf_insn insns[] = {
		INSN_CALL(BPF_FUNC_get_attach_cookie),
		INSN_SET(BPF_REG_0, 0),
		INSN_EXIT,
	};

	(void)c;
	PROGRAM_CHECK(d, insns, r);
}

/* ---- bpf_loop calls a function of the program, which must have a type: a BTF by hand ---- */

#define LOOP_STRINGS "\0int\0prog\0body\0ctx\0i"
enum { STRING_INT = 1, STRING_PROG = 5, STRING_BODY = 10, STRING_CTX = 15, STRING_I = 19 };

static const struct loop_btf {
	struct btf_header header;
	struct {
		struct btf_type integer; /* 1: int */
		__u32 integer_bits;
		struct btf_type pointer; /* 2: void * */
		struct btf_type proto;	 /* 3: int (void *ctx) */
		struct btf_param proto_ctx;
		struct btf_type prog;	 /* 4: FUNC of 3 */
		struct btf_type callback; /* 5: int (int i, void *ctx) */
		struct btf_param callback_i, callback_ctx;
		struct btf_type body;	 /* 6: FUNC of 5 */
	} types;
	char strings[sizeof(LOOP_STRINGS)];
} __attribute__((packed)) loop_btf = {
	.header = { .magic = BTF_MAGIC, .version = BTF_VERSION,
		    .hdr_len = sizeof(struct btf_header), .type_len = sizeof(loop_btf.types),
		    .str_off = sizeof(loop_btf.types), .str_len = sizeof(LOOP_STRINGS) },
	.types = {
		.integer = { STRING_INT, BTF_KIND_INT << 24, { 4 } },
		.integer_bits = BTF_INT_SIGNED << 24 | 32,
		.pointer = { 0, BTF_KIND_PTR << 24, { 0 } },
		.proto = { 0, BTF_KIND_FUNC_PROTO << 24 | 1, { 1 } },
		.proto_ctx = { STRING_CTX, 2 },
		.prog = { STRING_PROG, BTF_KIND_FUNC << 24, { 3 } },
		.callback = { 0, BTF_KIND_FUNC_PROTO << 24 | 2, { 1 } },
		.callback_i = { STRING_I, 1 },
		.callback_ctx = { STRING_CTX, 2 },
		.body = { STRING_BODY, BTF_KIND_FUNC << 24, { 5 } },
	},
	.strings = LOOP_STRINGS,
};

static void loop_check(struct doctor *d, const struct doctor_check *c, struct doctor_result *r)
{
	static const struct bpf_func_info functions[] = { { 0, 4 }, { 8, 6 } };
	const struct bpf_insn insns[] = {
		INSN_SET(BPF_REG_1, 1),
		INSN_ADDRESS(BPF_REG_2, BPF_PSEUDO_FUNC, 6), /* instruction 8, from the next */
		INSN_SET(BPF_REG_3, 0),
		INSN_SET(BPF_REG_4, 0),
		INSN_CALL(BPF_FUNC_loop),
		INSN_SET(BPF_REG_0, 0),
		INSN_EXIT,
		INSN_SET(BPF_REG_0, 0), /* 8: body */
		INSN_EXIT,
	};
	int btf = bpf_btf_load(&loop_btf, sizeof(loop_btf), NULL);
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .prog_btf_fd = btf, .func_info = functions,
		    .func_info_cnt = 2, .func_info_rec_size = sizeof(functions[0]));

	(void)c;
	if (btf < 0) {
		doctor_say(r, DOCTOR_NO, errno, "the kernel refuses the program's types");
		return;
	}
	program_check(d, insns, INSN_COUNT(insns), &opts, r);
	close(btf);
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
	{ "current_task_btf", current_check, NULL, DOCTOR_CURRENT_TASK, NEEDS,
	  "the current task by plain loads; else bpf_probe_read_kernel", NULL },
	{ "bpf_loop", loop_check, NULL, DOCTOR_LOOP, NEEDS,
	  "long loops; else they are bounded at build time", NULL },
	{ "get_func_arg", func_arg_check, NULL, DOCTOR_FUNC_ARG, NEEDS,
	  "arguments of many functions by one program; else one program for each", NULL },
	{ "attach cookie", cookie_check, NULL, DOCTOR_COOKIE, NEEDS,
	  "many probes with one program; else one program for each", NULL },
	{ 0 },
};
