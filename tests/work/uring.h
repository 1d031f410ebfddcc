/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * uring.h - io_uring by its system calls, one request at a time. Whoever includes it has die().
 */
#ifndef CORETAP_WORK_URING_H
#define CORETAP_WORK_URING_H

#include <linux/io_uring.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static void die(const char *what);

struct uring {
	int fd;
	struct io_uring_params p;
	char *sq, *cq;
	struct io_uring_sqe *sqes;
};

static inline void *uring_map(struct uring *u, size_t size, uint64_t offset)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, u->fd,
		       offset);

	if (p == MAP_FAILED)
		die("mmap of io_uring");
	return p;
}

static inline void uring_open(struct uring *u)
{
	memset(u, 0, sizeof(*u));
	u->fd = (int)syscall(SYS_io_uring_setup, 4, &u->p);
	if (u->fd < 0)
		die("io_uring_setup");
	u->sq = uring_map(u, u->p.sq_off.array + 64, IORING_OFF_SQ_RING);
	u->cq = uring_map(u, u->p.cq_off.cqes + 64 * sizeof(struct io_uring_cqe),
			  IORING_OFF_CQ_RING);
	u->sqes = uring_map(u, 4 * sizeof(struct io_uring_sqe), IORING_OFF_SQES);
}

static inline int uring_do(struct uring *u, const struct io_uring_sqe *sqe)
{
	uint32_t *tail = (void *)(u->sq + u->p.sq_off.tail),
		 *head = (void *)(u->cq + u->p.cq_off.head);
	uint32_t mask = *(uint32_t *)(u->cq + u->p.cq_off.ring_mask);
	struct io_uring_cqe *cqes = (void *)(u->cq + u->p.cq_off.cqes);

	u->sqes[0] = *sqe;
	*(uint32_t *)(u->sq + u->p.sq_off.array + 4 * (*tail & 3)) = 0;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, u->fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0)
		die("io_uring_enter");
	return cqes[(*head)++ & mask].res;
}

#endif
