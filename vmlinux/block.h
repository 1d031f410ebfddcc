/* SPDX-License-Identifier: GPL-2.0-only */
/* block.h - disk requests: linux/blk-mq.h, linux/blkdev.h, linux/blk_types.h. */

struct gendisk {
	char disk_name[32];
};

struct request_queue {
	struct gendisk *disk; /* from 5.15 */
};

struct block_device {
	u8 bd_partno;	     /* until 6.9 */
	atomic_t __bd_flags; /* from 6.10: the same in its low 8 bits */
};

/* A partition, until 5.10. */
struct hd_struct {
	int partno;
};

struct page {
	struct address_space *mapping;
};

struct bio_vec {
	struct page *bv_page;
};

struct bio {
	struct bio_vec *bi_io_vec;
};

enum mq_rq_state {
	MQ_RQ_IDLE, /* never passed to the driver, or returned by it */
};

struct request {
	struct request_queue *q;
	unsigned int cmd_flags;	 /* REQ_OP_… in the low 8 bits, then REQ_… */
	unsigned int __data_len; /* remaining bytes */
	u64 __sector;		 /* of 512 bytes, on the disk; -1: none */
	u64 start_time_ns;	 /* of its allocation; 0: not kept */
	enum mq_rq_state state;
	struct bio *bio; /* the first of those it was made of */
};

struct request___5 {
	struct gendisk *rq_disk; /* until 5.16 */
	struct hd_struct *part;	 /* until 5.10 */
};

struct request___6 {
	struct block_device *part; /* set if it is accounted for */
};
