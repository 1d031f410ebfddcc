/* SPDX-License-Identifier: GPL-2.0-only */
/* block.h - disk requests: linux/blk-mq.h, linux/blkdev.h. */

struct gendisk {
	char disk_name[32];
};

struct request_queue {
	struct gendisk *disk; /* from 5.15 */
};

enum mq_rq_state {
	MQ_RQ_IDLE, /* never passed to the driver, or returned by it */
};

struct request {
	struct request_queue *q;
	unsigned int cmd_flags;	 /* REQ_OP_… in the low 8 bits, then REQ_… */
	unsigned int __data_len; /* remaining bytes */
	u64 __sector;		 /* of 512 bytes, on the disk; -1: none */
	enum mq_rq_state state;
};

struct request___5 {
	struct gendisk *rq_disk; /* until 5.16 */
};
