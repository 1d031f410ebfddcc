/* SPDX-License-Identifier: GPL-2.0 */
/* io_uring.h - requests that open files: io_uring/openclose.c, fs/io_uring.c before 6.0. */

struct io_cqe {
	s32 res;
};

struct io_kiocb {
	struct io_cqe cqe; /* from 5.19 */
	u32 result;	   /* before, and only until the request is completed at once */
};

/* Lies at the start of its request: `open` of a union before 6.0, `cmd` since. */
struct io_open {
	int dfd;
	u32 file_slot; /* not 0: into the ring's own table of files, no descriptor */
	struct open_how how;
};

struct io_open___5 {
	struct filename *filename;
};

/* From 7.0: a name that is copied already, but not yet told to audit. */
struct delayed_filename___7 {
	struct filename *__incomplete_filename;
};

struct io_open___7 {
	struct delayed_filename___7 filename;
};
