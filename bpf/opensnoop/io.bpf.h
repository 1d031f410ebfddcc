/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * io.bpf.h - opens by io_uring: io_openat2, and requests that fail before it.
 */
#ifndef CORETAP_OPENSNOOP_IO_BPF_H
#define CORETAP_OPENSNOOP_IO_BPF_H

#include "opensnoop/call.bpf.h"

#define IO_AGAIN      11 /* EAGAIN */
#define IO_OP_OPENAT  18 /* IORING_OP_OPENAT, linux/io_uring.h */
#define IO_OP_OPENAT2 28

/* The part of linux/io_uring.h's struct io_uring_sqe that opens use. */
struct sqe {
	__u8 opcode, flags;
	__u16 ioprio;
	__s32 fd;
	__u64 how; /* for OPENAT2: the address of how */
	__u64 name;
	__u32 mode; /* for OPENAT */
	__u32 open_flags;
};

static __always_inline struct filename *io_filename(struct io_open *open)
{
	struct io_open___5 *v5 = (void *)open;
	struct io_open___7 *v7 = (void *)open;

	if (bpf_core_field_exists(v5->filename))
		return BPF_CORE_READ(v5, filename);
	return BPF_CORE_READ(v7, filename.__incomplete_filename);
}

/* Returns true if the call's return is wanted. */
static __always_inline bool io_enter(struct io_kiocb *req, const bool full)
{
	struct call *c = call_begin(call_find(), OPENSNOOP_IO_URING);
	struct io_open *open = (void *)req;
	struct filename *filename;
	struct how how = {};

	if (!c)
		return false;
	c->req = req;
	c->fixed = BPF_CORE_READ(open, file_slot) != 0;
	c->start = bpf_ktime_get_ns();
	bpf_core_read(&how, sizeof(how), &open->how);
	call_how(c, BPF_CORE_READ(open, dfd), &how);
	filename = io_filename(open);
	name_read(c, filename, BPF_CORE_READ(filename, name), full);
	return true;
}

static __always_inline __s64 io_result(const struct call *c)
{
	struct io_kiocb *req = c->req;
	__s32 result;

	if (bpf_core_field_exists(req->cqe.res))
		result = BPF_CORE_READ(req, cqe.res);
	else
		result = c->completed ? c->result : (__s32)BPF_CORE_READ(req, result);
	return c->fixed && result >= 0 ? OPENSNOOP_NO_FD : result;
}

static __always_inline int io_leave(int ret, const bool full)
{
	struct call *c = call_find();

	if (!c) {
		calls_missing();
		return 0;
	}
	if (ret != -IO_AGAIN) /* after EAGAIN, a thread that may block tries again */
		call_end(c, io_result(c), SLOT_IO, full);
	call_drop(c);
	return 0;
}

/* Before 5.19, a request that is not completed in a batch has been freed when io_openat2 returns. */
SEC("kprobe")
int BPF_KPROBE(io_done_kprobe, struct io_kiocb *req, long result)
{
	struct call *c;

	if (bpf_core_field_exists(req->cqe.res))
		return 0;
	c = call_find();
	if (c && c->req == req) {
		c->result = result;
		c->completed = true;
	}
	return 0;
}

/* From 6.0: requests that are rejected before they are issued, because of their name or flags. */
static __always_inline int io_refused(const struct sqe *sqe, int error, const bool full)
{
	struct how how = { sqe->open_flags, sqe->mode };
	struct call *c;

	if (sqe->opcode != IO_OP_OPENAT && sqe->opcode != IO_OP_OPENAT2)
		return 0;
	c = call_fresh(SLOT_REFUSED);
	if (!c)
		return 0;
	if (sqe->opcode == IO_OP_OPENAT2 &&
	    bpf_probe_read_user(&how, sizeof(how), (const void *)sqe->how))
		how = (struct how){};
	c->e.kind = OPENSNOOP_IO_URING;
	call_refuse(c, sqe->fd, sqe->name, &how, error, SLOT_REFUSED, full);
	return 0;
}

#endif
