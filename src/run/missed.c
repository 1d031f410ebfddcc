/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * missed.c - reads from the kernel's memory how many hits a kprobe or kretprobe missed.
 *
 * The program follows pointers from our task's table of files to the perf event and its struct trace_kprobe, which
 * has both counters: hits while another kprobe ran on that CPU, and calls for whose return there was no room. It is
 * attached to nothing: BPF_PROG_TEST_RUN runs it with the fd as its argument.
 */
#include "run/lost.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <string.h>

#include "btf/btf.h"
#include "kernel/insn.h"

enum {
	UNKNOWN = -1, /* the program's result if memory cannot be read */
	WORD = -8,    /* stack offset of the value just read */
	ROOM = 192,   /* the most instructions of the program */
};

/* The members that the program reads. */
enum {
	FILES,
	FDT,
	FD,
	PRIVATE,
	PERF_FILE,
	TP_EVENT,
	CALL,
	PROBES,
	LIST,
	TP,
	RP,
	KP,
	NO_ROOM,
	NESTED,
	MEMBERS
};

static const struct {
	const char *type, *member;
} members[MEMBERS] = {
	[FILES] = { "task_struct", "files" },
	[FDT] = { "files_struct", "fdt" },
	[FD] = { "fdtable", "fd" },
	[PRIVATE] = { "file", "private_data" },
	[PERF_FILE] = { "bpf_perf_link", "perf_file" }, /* 5.15 and later */
	[TP_EVENT] = { "perf_event", "tp_event" },
	[CALL] = { "trace_probe_event", "call" },
	[PROBES] = { "trace_probe_event", "probes" },
	[LIST] = { "trace_probe", "list" },
	[TP] = { "trace_kprobe", "tp" },
	[RP] = { "trace_kprobe", "rp" },
	[KP] = { "kretprobe", "kp" },
	[NO_ROOM] = { "kretprobe", "nmissed" },
	[NESTED] = { "kprobe", "nmissed" },
};

/* Finds the offsets of the members in their structs, in bytes. */
static int offsets_find(const struct btf_view *btf, bool by_link, int at[MEMBERS])
{
	struct btf_query q[MEMBERS];
	struct btf_found found;
	int err;

	for (int i = 0; i < MEMBERS; i++)
		q[i] = (struct btf_query){ .kind = BTF_KIND_STRUCT, .name = members[i].type };
	err = btf_view_find_all(btf, q, MEMBERS);
	for (int i = 0; i < MEMBERS && !err; i++) {
		const char *name = members[i].member;

		if (q[i].id && btf_view_member(btf, q[i].id, name, strlen(name), &found))
			at[i] = found.bit_offset / 8;
		else if (i != PERF_FILE || by_link)
			err = -EOPNOTSUPP;
	}
	return err;
}

/* ---- the program ---- */

struct program {
	struct bpf_insn insns[ROOM];
	size_t count; /* if larger than ROOM, the program is incomplete */
};

#define PUT(p, ...)                                                                                \
	insn_append(p, (const struct bpf_insn[]){ __VA_ARGS__ },                                   \
		    INSN_COUNT(((const struct bpf_insn[]){ __VA_ARGS__ })))

static void insn_append(struct program *p, const struct bpf_insn *insns, size_t count)
{
	if (p->count + count <= ROOM)
		memcpy(p->insns + p->count, insns, count * sizeof(*insns));
	p->count += count;
}

/* r6 = the number or pointer at r6 + offset. If it cannot be read, the program ends. */
static void follow(struct program *p, int offset, int size)
{
	PUT(p, INSN_MOV(BPF_REG_1, BPF_REG_10), INSN_ADD(BPF_REG_1, WORD),
	    INSN_PUT32(BPF_REG_10, WORD + 4, 0), INSN_SET(BPF_REG_2, size),
	    INSN_MOV(BPF_REG_3, BPF_REG_6), INSN_ADD(BPF_REG_3, offset),
	    INSN_CALL(BPF_FUNC_probe_read_kernel), INSN_SKIP_IF(BPF_REG_0, 0, 2),
	    INSN_SET(BPF_REG_0, UNKNOWN), INSN_EXIT, INSN_LOAD(BPF_REG_6, BPF_REG_10, WORD));
}

/* r6 = the perf event of the fd in the context. */
static void event_find(struct program *p, const int at[MEMBERS], bool by_link)
{
	PUT(p, INSN_LOAD(BPF_REG_7, BPF_REG_1, 0), INSN_SHIFT(BPF_REG_7, 3),
	    INSN_CALL(BPF_FUNC_get_current_task), INSN_MOV(BPF_REG_6, BPF_REG_0));
	follow(p, at[FILES], 8);
	follow(p, at[FDT], 8);
	follow(p, at[FD], 8);
	PUT(p, INSN_PLUS(BPF_REG_6, BPF_REG_7));
	follow(p, 0, 8);
	follow(p, at[PRIVATE], 8);
	if (by_link) { /* the fd is the link's, which points to the file of the event */
		follow(p, at[PERF_FILE], 8);
		follow(p, at[PRIVATE], 8);
	}
}

int missed_open(const struct btf_view *btf, bool by_link)
{
	int at[MEMBERS], err = offsets_find(btf, by_link, at), fd;
	struct program p = { .count = 0 };

	if (err)
		return err;
	event_find(&p, at, by_link);
	follow(&p, at[TP_EVENT], 8);
	follow(&p, at[PROBES] - at[CALL], 8); /* the list of probes has exactly one entry */
	PUT(&p, INSN_ADD(BPF_REG_6, at[RP] - at[TP] - at[LIST]), INSN_MOV(BPF_REG_7, BPF_REG_6));
	follow(&p, at[KP] + at[NESTED], 8);
	PUT(&p, INSN_MOV(BPF_REG_8, BPF_REG_6), INSN_MOV(BPF_REG_6, BPF_REG_7));
	follow(&p, at[NO_ROOM], 4);
	PUT(&p, INSN_MOV(BPF_REG_0, BPF_REG_6), INSN_PLUS(BPF_REG_0, BPF_REG_8), INSN_EXIT);
	if (p.count > ROOM)
		return -E2BIG;
	fd = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "missed", "GPL", p.insns, p.count, NULL);
	return fd < 0 ? -errno : fd;
}

int64_t missed_read(int prog_fd, int fd)
{
	const uint64_t context = fd;
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = &context, .ctx_size_in = sizeof(context));

	if (bpf_prog_test_run_opts(prog_fd, &opts))
		return -errno;
	return opts.retval == (uint32_t)UNKNOWN ? -EFAULT : (int64_t)opts.retval;
}
