/* SPDX-License-Identifier: GPL-2.0-only */
/* io_uring.h - requests that open files: io_uring/openclose.c, fs/io_uring.c before 6.0. */

struct io_cqe {
	s32 res;
};

struct io_kiocb {
	struct io_cqe cqe; /* from 5.19 */
	u32 result;	   /* before 5.19, and only until the request completes at once */
};

/* At the start of its request: `open` of a union before 6.0, `cmd` since. */
struct io_open {
	int dfd;
	u32 file_slot; /* not 0: a slot in the ring's own file table, no descriptor */
	struct open_how how;
};

struct io_open___5 {
	struct filename *filename;
};

/* From 7.0: a name that has been copied, but not yet reported to audit. */
struct delayed_filename___7 {
	struct filename *__incomplete_filename;
};

struct io_open___7 {
	struct delayed_filename___7 filename;
};
