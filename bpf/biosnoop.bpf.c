/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * biosnoop.bpf.c - every disk request when it completes, with the task that caused it; or their number, or their
 * latency.
 *
 * A request belongs to the task that created it (lib/request.bpf.h), with two exceptions: what a kworker writes back
 * from the page cache belongs to the task that wrote to that file last, and a flush of the disk's cache to the task
 * that requested one last.
 */
#include "lib/hist.bpf.h"
#include "lib/disks.bpf.h"
#include "lib/path.bpf.h"
#include "lib/pointer.bpf.h"
#include "biosnoop.h"

const volatile __u32 mode = BIOSNOOP_RECORDS;
const volatile __u64 longer = 0;  /* ns */
const volatile __u32 pattern = 0; /* bool */

#define OP_MASK	 0xff
#define OP_WRITE 1
#define OP_FLUSH 2
#define S_IFMT	 0170000
#define S_IFREG	 0100000
#define KWORKER	 0x2f72656b726f776bull /* "kworker/" */

struct request_data {
	struct biosnoop_event e;
};

#include "lib/request.bpf.h"

struct owner {
	struct event_header header;
	struct event_task task;
	__u64 wanted;
};

/* The last writer of each file, by inode. If an entry was evicted, the kworker counts as the owner. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8192);
	__type(key, __u64);
	__type(value, struct owner);
} writers SEC(".maps");

/* The last task that requested a flush, by the disk's queue. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1024);
	__type(key, __u64);
	__type(value, struct owner);
} flushers SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, BIOSNOOP_KEYS);
	__type(key, struct biosnoop_key);
	__type(value, struct biosnoop_count);
} counts SEC(".maps");

HIST(latencies, struct biosnoop_key, BIOSNOOP_KEYS);

/* For --pattern: where the last request ended, by the disk's queue. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1024);
	__type(key, __u64);
	__type(value, __u64);
} ends SEC(".maps");

/* ---- owners ---- */

static __always_inline void owner_store(void *map, __u64 key)
{
	struct owner *old = bpf_map_lookup_elem(map, &key), o = {};

	if (old && old->header.tid == (__u32)bpf_get_current_pid_tgid() && !filter.numbers.ns)
		return;
	o.wanted = filter_pass();
	header_fill(&o.header);
	task_fill(&o.task);
	bpf_map_update_elem(map, &key, &o, BPF_ANY);
}

/*
 * Returns the inode of the file whose page the request's data begin in; NULL: none, or unknown. A page that belongs
 * to no file has something else at `mapping` (anonymous memory sets bit 0, slabs have a list there), so the inode
 * must point back to the same mapping.
 *
 * A separate function, because of a load that faults: before Linux 6.4 (0108a4e9f358) the kernel looks the address up
 * in an exception table of the whole program, which does not exist if the program has other functions, and crashes.
 * The tables of the functions exist.
 */
static __noinline struct inode *request_inode(struct request *rq)
{
	struct bio *bio = rq->bio;
	struct bio_vec *vec = bio ? bio->bi_io_vec : NULL;
	struct page *page = vec ? vec->bv_page : NULL;
	struct address_space *mapping = page ? page->mapping : NULL;
	struct inode *inode;

	if (!mapping || pointer_number(mapping) & 7)
		return NULL;
	inode = mapping->host;
	if (!inode || inode->i_mapping != mapping || (inode->i_mode & S_IFMT) != S_IFREG)
		return NULL;
	return inode;
}

static __always_inline struct owner *request_owner(struct biosnoop_event *e, struct request *rq)
{
	__u32 op = rq->cmd_flags & OP_MASK;
	__u64 key = 0;

	if (op == OP_FLUSH) {
		key = (__u64)rq->q;
		return bpf_map_lookup_elem(&flushers, &key);
	}
	if (op != OP_WRITE || *(__u64 *)e->key.header.comm != KWORKER)
		return NULL;
	key = (__u64)request_inode(rq);
	return key ? bpf_map_lookup_elem(&writers, &key) : NULL;
}

static __always_inline bool request_asked(struct request_data *data, struct request *rq)
{
	struct biosnoop_event *e = &data->e;
	bool wanted = filter_pass();
	struct owner *o;

	/* a rejected request needs no more work, unless it may belong to another task */
	if (!wanted && (rq->cmd_flags & OP_MASK) != OP_WRITE &&
	    (rq->cmd_flags & OP_MASK) != OP_FLUSH)
		return false;
	header_fill(&e->key.header);
	task_fill(&e->key.task);
	o = request_owner(e, rq);
	if (!o)
		return wanted;
	if (e->key.header.tid != o->header.tid)
		__builtin_memcpy(e->via, e->key.header.comm, sizeof(e->via));
	e->key.header = o->header;
	e->key.task = o->task;
	return o->wanted;
}

/* ---- types of requests ---- */

static __always_inline bool request_issued(struct request_data *data, struct request *rq)
{
	struct biosnoop_event *e = &data->e;

	request_disk_name(rq, e->key.disk);
	e->key.part = request_part(rq);
	if (!disk_pass(e->key.disk, e->key.part))
		return false;
	e->key.flags = rq->cmd_flags;
	e->sector = rq->__sector;
	e->bytes = rq->__data_len;
	return true;
}

/* ---- completion ---- */

static __always_inline void count_add(const struct biosnoop_key *key,
				      const struct biosnoop_event *e)
{
	struct biosnoop_count zero = {}, *c = bpf_map_lookup_elem(&counts, key);

	if (!c) {
		bpf_map_update_elem(&counts, key, &zero, BPF_NOEXIST);
		c = bpf_map_lookup_elem(&counts, key);
	}
	if (!c) {
		loss_count(LOSS_KEYS_FULL, 1);
		return;
	}
	__sync_fetch_and_add(&c->requests, 1);
	__sync_fetch_and_add(&c->bytes, e->bytes);
	if (e->ret)
		__sync_fetch_and_add(&c->failed, 1);
	if (e->latency != BIOSNOOP_NO_TIME)
		__sync_fetch_and_add(&c->latency, e->latency);
}

static __always_inline void report_add(const struct biosnoop_event *e)
{
	struct biosnoop_key key = e->key;

	key.flags &= OP_MASK;
	key.header.ts = key.header.tid = 0;
	if (mode == BIOSNOOP_COUNT) {
		comm_trim(key.header.comm);
		count_add(&key, e);
		return;
	}
	key.header = (struct event_header){};
	key.task = (struct event_task){};
	if (e->latency != BIOSNOOP_NO_TIME)
		hist_add(&latencies, &key, e->latency / 1000);
}

static __always_inline void pattern_fill(struct biosnoop_event *e, __u64 queue)
{
	__u64 *last = bpf_map_lookup_elem(&ends, &queue), end = e->sector + (e->bytes >> 9);

	if (last)
		e->pattern = *last == e->sector ? BIOSNOOP_SEQUENTIAL : BIOSNOOP_RANDOM;
	bpf_map_update_elem(&ends, &queue, &end, BPF_ANY);
}

/* Fills in what is known at the end. Returns true if the request is to be shown. */
static __always_inline bool request_finish(struct request_call *c, struct request *rq)
{
	struct biosnoop_event *e = &c->data.e;
	__u64 now = bpf_ktime_get_ns();

	if (pattern && e->bytes)
		pattern_fill(e, (__u64)rq->q);
	if (filter.failed_only && !c->error)
		return false;
	if (longer && now - c->seen <= longer)
		return false;
	e->key.header.ts = now;
	e->queued = c->waited && c->issued ? c->issued - c->seen : BIOSNOOP_NO_TIME;
	e->latency = c->issued ? now - c->issued : BIOSNOOP_NO_TIME;
	e->ret = c->error;
	e->requeues = c->requeues;
	return true;
}

static __always_inline void request_done(struct request_call *c, struct request *rq)
{
	if (!request_finish(c, rq))
		return;
	if (mode == BIOSNOOP_RECORDS)
		record_output(&c->data.e, sizeof(c->data.e));
	else
		report_add(&c->data.e);
}

/* ---- --files ---- */

struct file_event {
	struct biosnoop_event e;
	char data[PATH_ROOM];
};

SCRATCH(struct file_event)

static __always_inline struct dentry *inode_name(struct inode *inode)
{
	struct dentry___6 *old = NULL;
	struct hlist_node *node = BPF_CORE_READ(inode, i_dentry.first);
	__u64 at = bpf_core_field_exists(struct dentry, d_alias) ?
			   bpf_core_field_offset(struct dentry, d_alias) :
			   bpf_core_field_offset(struct dentry___6, d_u.d_alias);

	(void)old;
	return node ? (struct dentry *)((char *)node - at) : NULL;
}

static __always_inline void done_with_file(struct request_call *c, struct request *rq)
{
	struct file_event *f = scratch_get();
	struct inode *inode = request_inode(rq);
	struct dentry *dentry = inode ? inode_name(inode) : NULL;
	struct path_walk *w = dentry ? path_walk_inner(0, dentry) : NULL;
	__u64 size = sizeof(f->e);

	if (!f || !request_finish(c, rq))
		return;
	f->e = c->data.e;
	f->e.file.status = EVENT_NONE;
	if (w)
		size = path_append(f, size, sizeof(*f), w, &f->e.file);
	if (size <= sizeof(*f))
		record_output(f, size);
}

REQUEST_END(request_complete_file, done_with_file)

/* ---- tasks that write to files, and that flush ---- */

SEC("tp_btf")
int BPF_PROG(page_written, void *page, struct address_space *mapping)
{
	struct inode *inode = mapping ? mapping->host : NULL;

	if (inode && (inode->i_mode & S_IFMT) == S_IFREG)
		owner_store(&writers, (__u64)inode);
	return 0;
}

/* blk_insert_flush: a request that needs a flush of the disk's cache before it, after it or alone. */
SEC("fentry")
int BPF_PROG(flush_asked, struct request *rq)
{
	owner_store(&flushers, (__u64)rq->q);
	return 0;
}

SEC("kprobe")
int BPF_KPROBE(flush_asked_kprobe, struct request *rq)
{
	owner_store(&flushers, (__u64)BPF_CORE_READ(rq, q));
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
