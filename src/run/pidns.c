/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pidns.c - finds the kernel's pids of a namespace's processes by iterating over them in the kernel.
 *
 * A program of type iter/task is called for each task of its reader's namespace (5.8 and later) and writes both pids.
 * The initial namespace is recognized by its inode; there nothing is loaded.
 */
#include "run/pidns.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attach/prog.h"
#include "event.h"
#include "kernel/insn.h"
#include "output/field/field_kind.h"
#include "output/field/field_load.h"
#include "output/field/shared_fields.h"
#include "output/field/timestamp.h"
#include "util/buf.h"
#include "output/field/value.h"
#include "output/field/value_json.h"
#include "output/field/value_number.h"

enum {
	FIRST_INODE = (int)0xeffffffc, /* PROC_PID_INIT_INO, linux/proc_ns.h */
	PIDTYPE_TGID = 1,	       /* enum pid_type, linux/pid_types.h */
};

/* The value that the program writes for each task. */
struct pidns_task {
	uint32_t tgid, pid; /* the kernel's own */
	uint32_t level;	    /* nesting level of the reader's namespace */
	uint32_t pad;
	struct event_upid upid; /* the thread's pid in that namespace */
};

/* ---- the kernel's types ---- */

static bool member_at(const struct btf_view *b, uint32_t type, const char *name, uint32_t *bytes)
{
	struct btf_found found;

	if (!type || !btf_view_member(b, type, name, strlen(name), &found))
		return false;
	*bytes = found.bit_offset / 8;
	return true;
}

static int types_read(struct pidns *n, const struct btf_view *b)
{
	struct btf_query q[] = {
		{ .kind = BTF_KIND_FUNC, .name = "bpf_iter_task" },
		{ .kind = BTF_KIND_STRUCT, .name = "task_struct" },
		{ .kind = BTF_KIND_STRUCT, .name = "signal_struct" },
		{ .kind = BTF_KIND_STRUCT, .name = "pid" },
		{ .kind = BTF_KIND_STRUCT, .name = "upid" },
	};
	struct event_numbers *at = &n->numbers;
	int err = btf_view_find_all(b, q, sizeof(q) / sizeof(q[0]));
	uint32_t ns;

	if (err)
		return err;
	n->bpf_iter = q[0];
	if (!n->bpf_iter.id || !member_at(b, q[1].id, "pid", &n->task_pid) ||
	    !member_at(b, q[1].id, "tgid", &n->task_tgid) ||
	    !member_at(b, q[1].id, "thread_pid", &at->thread_pid) ||
	    !member_at(b, q[1].id, "signal", &at->signal) ||
	    !member_at(b, q[2].id, "pids", &at->tgid) ||
	    !member_at(b, q[3].id, "level", &at->pid_level) ||
	    !member_at(b, q[3].id, "numbers", &n->upid) || !member_at(b, q[4].id, "ns", &ns) ||
	    ns != offsetof(struct event_upid, ns) ||
	    btf_view_size(b, q[4].id) != sizeof(struct event_upid))
		return -EOPNOTSUPP;
	at->tgid += PIDTYPE_TGID * sizeof(void *);
	return 0;
}

/* ---- the walk ---- */

/* Returns the stack offset of a member of the output. */
#define OUT(member) ((int)offsetof(struct pidns_task, member) - (int)sizeof(struct pidns_task) - 8)
/* r3 = the address at an offset from a register */
#define MEMBER_AT(reg, offset) INSN_MOV(BPF_REG_3, reg), INSN_ADD(BPF_REG_3, offset)
/* Copies a number from the task, in r7, to the output. */
#define NUMBER_COPY(offset, at)                                                                    \
	INSN_LOAD32(BPF_REG_1, BPF_REG_7, offset), INSN_STORE32(BPF_REG_10, BPF_REG_1, at)
/* Reads memory at r3 to the output. */
#define READ_TO(at, size)                                                                          \
	INSN_MOV(BPF_REG_1, BPF_REG_10), INSN_ADD(BPF_REG_1, at), INSN_SET(BPF_REG_2, size),       \
		INSN_CALL(BPF_FUNC_probe_read_kernel)

static int walk_insns_load(const struct pidns *n, const struct bpf_insn *insns, size_t count)
{
	const struct prog_type type = { .prog = BPF_PROG_TYPE_TRACING,
					.attach = BPF_TRACE_ITER,
					.btf_id = n->bpf_iter.id };

	return prog_load_as(insns, count, &type, NULL, 0);
}

static int walk_load(const struct pidns *n)
{
	enum { WORD = -8 };
	const struct event_numbers *at = &n->numbers;
	struct bpf_insn insns[] = {
		INSN_MOV(BPF_REG_6, BPF_REG_1),
		INSN_LOAD(BPF_REG_7, BPF_REG_6, 8), /* the task; NULL after the last */
		INSN_SKIP_IF(BPF_REG_7, 0,
			     0), /* jumps to the end if there is no task; offset set below */
		/* r8 = the reader's level */
		INSN_CALL(BPF_FUNC_get_current_task),
		MEMBER_AT(BPF_REG_0, at->thread_pid),
		READ_TO(WORD, 8),
		INSN_LOAD(BPF_REG_3, BPF_REG_10, WORD),
		INSN_ADD(BPF_REG_3, at->pid_level),
		READ_TO(WORD, 4),
		INSN_LOAD32(BPF_REG_8, BPF_REG_10, WORD),
		/* write the output */
		NUMBER_COPY(n->task_tgid, OUT(tgid)),
		NUMBER_COPY(n->task_pid, OUT(pid)),
		INSN_STORE32(BPF_REG_10, BPF_REG_8, OUT(level)),
		INSN_PUT32(BPF_REG_10, OUT(pad), 0),
		/* numbers[level] of the task's struct pid */
		MEMBER_AT(BPF_REG_7, at->thread_pid),
		READ_TO(WORD, 8),
		INSN_LOAD(BPF_REG_3, BPF_REG_10, WORD),
		INSN_SHIFT(BPF_REG_8, 4), /* sizeof(struct upid) */
		INSN_PLUS(BPF_REG_3, BPF_REG_8),
		INSN_ADD(BPF_REG_3, n->upid),
		READ_TO(OUT(upid), sizeof(struct event_upid)),
		INSN_LOAD(BPF_REG_1, BPF_REG_6, 0), /* struct bpf_iter_meta */
		INSN_LOAD(BPF_REG_1, BPF_REG_1, 0), /* … its seq_file */
		INSN_MOV(BPF_REG_2, BPF_REG_10),
		INSN_ADD(BPF_REG_2, OUT(tgid)),
		INSN_SET(BPF_REG_3, sizeof(struct pidns_task)),
		INSN_CALL(BPF_FUNC_seq_write),
		INSN_SET(BPF_REG_0, 0),
		INSN_EXIT,
	};

	insns[2].off = INSN_COUNT(insns) - 2 - 3; /* to the exit */
	return walk_insns_load(n, insns, INSN_COUNT(insns));
}

/* Opens the iterator for reading, or returns -errno. */
static int walk_open(const struct pidns *n)
{
	int program = walk_load(n), link, fd;

	if (program < 0)
		return program;
	link = bpf_link_create(program, 0, BPF_TRACE_ITER, NULL);
	fd = link < 0 ? -errno : bpf_iter_create(link);
	if (link >= 0 && fd < 0)
		fd = -errno;
	if (link >= 0)
		close(link);
	close(program);
	return fd;
}

typedef void walk_visit(void *ctx, const struct pidns_task *t);

/* A read may end in the middle of a task's output. */
static int walk(const struct pidns *n, walk_visit *visit, void *ctx)
{
	char bytes[64 * sizeof(struct pidns_task)];
	size_t have = 0, at;
	ssize_t got = 1;
	int fd = walk_open(n);

	if (fd < 0)
		return fd;
	while ((got = read(fd, bytes + have, sizeof(bytes) - have)) > 0 ||
	       (got < 0 && (errno == EAGAIN || errno == EINTR))) {
		have += got > 0 ? got : 0;
		for (at = 0; have - at >= sizeof(struct pidns_task);
		     at += sizeof(struct pidns_task)) {
			struct pidns_task t;

			memcpy(&t, bytes + at, sizeof(t));
			visit(ctx, &t);
		}
		have -= at;
		memmove(bytes, bytes + at, have);
	}
	got = got < 0 ? -errno : 0;
	close(fd);
	return got;
}

/* ---- which namespace this is ---- */

static void self_visit(void *ctx, const struct pidns_task *t)
{
	struct pidns *n = ctx;

	if (t->upid.nr != (uint32_t)getpid())
		return;
	n->inside = t->level != 0;
	n->self = t->tgid;
	n->numbers.level = t->level;
	n->numbers.ns = t->upid.ns;
}

static int self_find(struct pidns *n, const char *btf_path, const struct btf_view *btf)
{
	struct btf_view *kernel = NULL;
	int err;

	if (btf_path && btf_view_open(NULL, &kernel))
		kernel =
			NULL; /* the kernel has no types of its own; those of the file have been checked */
	err = types_read(n, kernel ?: btf);
	btf_view_close(kernel);
	if (!err)
		err = walk(n, self_visit, n);
	if (!err && !n->self)
		err = -ESRCH;
	n->numbers.upid = n->upid + n->numbers.level * sizeof(struct event_upid);
	return err;
}

static bool inode_is_first(const struct stat *st)
{
	return st->st_ino == (ino_t)(uint32_t)FIRST_INODE;
}

bool pidns_is_first(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) || inode_is_first(&st);
}

int pidns_open(struct pidns *n, const char *btf_path, const struct btf_view *btf)
{
	struct stat st = { 0 };
	bool known = !stat("/proc/self/ns/pid", &st);
	int err;

	*n = (struct pidns){ .self = getpid() };
	if (known && inode_is_first(&st))
		return 0;
	n->self = 0;
	err = self_find(n, btf_path, btf);
	if (err || !n->inside)
		n->numbers.ns = 0;
	if (!err)
		return 0;
	n->self = getpid();
	n->inside = known;
	if (known || err == -EPERM)
		return err;
	n->unknown = true;
	return 0;
}

int pidns_layout(struct pidns *n, const struct btf_view *btf)
{
	int err = n->inside ? 0 : types_read(n, btf);

	if (!n->inside)
		n->numbers.upid = n->upid;
	return err;
}

uint32_t pidns_proc_self(void)
{
	char text[16] = "";

	return readlink("/proc/self", text, sizeof(text) - 1) > 0 ? atoi(text) : 0;
}

const char *pidns_proc_why(void)
{
	return access("/proc/stat", F_OK) ? "/proc is not mounted" :
					    "/proc shows the PIDs of another namespace";
}

/* ---- translating ids ---- */

struct translate {
	const struct event_ids *from;
	struct event_ids to; /* the kernel's ids; 0: not found yet */
	bool threads;
};

/* Finds a process by its thread with the same number. */
static void translate_visit(void *ctx, const struct pidns_task *t)
{
	struct translate *tr = ctx;

	for (uint32_t i = 0; i < tr->from->count; i++)
		if (t->upid.nr == tr->from->ids[i] && (tr->threads || t->pid == t->tgid))
			tr->to.ids[i] = t->pid;
}

int pidns_translate(const struct pidns *n, struct event_ids *ids, bool threads, uint32_t *missing)
{
	struct translate tr = { .from = ids, .to.count = ids->count, .threads = threads };
	int err;

	if (!n->inside || !ids->count)
		return 0;
	err = walk(n, translate_visit, &tr);
	for (uint32_t i = 0; !err && i < ids->count; i++) {
		if (tr.to.ids[i])
			continue;
		*missing = ids->ids[i];
		err = -ESRCH;
	}
	if (!err)
		*ids = tr.to;
	return err;
}

/* ---- --inner-pids ---- */

static int inners_fd = -1;

void inner_pids_use(int map_fd)
{
	inners_fd = map_fd;
}

uint32_t inner_of(uint32_t pid)
{
	uint32_t inner = 0;

	if (inners_fd < 0 || bpf_map_lookup_elem(inners_fd, &pid, &inner))
		return 0;
	return inner;
}

static int inner_load(const struct field *f, const void *record, size_t size, struct value *v)
{
	int err = load_unsigned(f, record, size, v);

	if (err)
		return err;
	v->u = inner_of(v->u);
	if (!v->u)
		v->status = EVENT_NONE;
	return 0;
}

static size_t pid_text(struct buf *o, const struct field *f, const struct value *v,
		       enum timestamp_form form)
{
	struct value inner = { .u = inner_of(v->u) };
	size_t width = text_uint(o, f, v, form);

	if (!inner.u)
		return width;
	buf_char(o, '/');
	return width + 1 + text_uint(o, f, &inner, form);
}

const struct field_kind field_inner_pid = { .name = "unsigned",
					    .flags = KIND_RIGHT,
					    .load = inner_load,
					    .text = text_uint,
					    .json = json_uint };
static const struct field_kind pid_kind = { .name = "unsigned",
					    .flags = KIND_RIGHT,
					    .load = load_unsigned,
					    .text = pid_text,
					    .json = json_uint };

enum { PID_WIDTH = 12 };

int inner_pids_show(struct schema *s, struct field **owned)
{
	struct field *fields = calloc(s->count + 1, sizeof(*fields));

	if (!fields)
		return -ENOMEM;
	memcpy(fields, s->fields, s->count * sizeof(*fields));
	for (size_t i = 0; i < s->count; i++) {
		if (fields[i].kind == &field_inner_pid && i < 64)
			s->optional |= 1ull << i;
		if (strcmp(fields[i].name, "pid") != 0 && strcmp(fields[i].name, "tid") != 0)
			continue;
		fields[i].kind = &pid_kind;
		fields[i].width = PID_WIDTH;
	}
	s->fields = *owned = fields;
	return 0;
}
