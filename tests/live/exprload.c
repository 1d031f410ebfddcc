/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * exprload.c - asks a real kernel's verifier about what the argdump compiler makes. Runs in a
 * guest, as root; not part of coretap.
 *
 *	exprload               loads every case below in every way, TAP on stdout
 *	exprload WAY FUNC [EXPR…] -- CMD ARG…
 *	                       attaches, runs CMD, prints the records that it caused as JSON
 *	exprload random COUNT SEED
 *	                       loads random expressions over random functions, in every way
 *	exprload cost WAY FUNC [EXPR…] [+MEASURE[:EXPR]…]
 *	                       what a record adds to a read(2), in ns; in a guest under icount that
 *	                       is instructions. With measures (+count, +hist:count) calls are counted
 *	                       and the expressions are the key
 *
 * A case whose expression this kernel's types do not allow is skipped, with the compiler's reason.
 */
#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "../fuzz/fuzz.h"
#include "argdump/aggregate/aggregate.h"
#include "argdump/program_load.h"
#include "btf/btf.h"
#include "util/glob.h"
#include "attach/method.h"
#include "output/record.h"
#include "expr/expr.h"

enum { EXPRS_MAX = 12, LOG_SIZE = 15 << 20 };

static const struct case_ {
	const char *func;
	const char *exprs[EXPRS_MAX];
	unsigned depth;
} cases[] = {
	{ "vfs_read", { "file->f_inode->i_sb->s_type->name" } },
	{ "vfs_read", { NULL } },
	{ "do_sys_openat2", { NULL } },
	{ "ip_rcv", { NULL } },
	{ "ip_rcv", { "skb->dev->name", "skb->len", "skb->sk->__sk_common.skc_state" } },
	{ "ip_rcv", { "skb->pkt_type", "skb->ip_summed", "skb->cloned", "skb->nohdr" } },
	{ "ip_rcv", { "skb->users.refs.counter", "dev->ifindex", "dev->mtu", "dev->flags:x" } },
	{ "ip_rcv", { "dev->perm_addr[0]:x", "dev->perm_addr[5]:x", "skb->cb[47]" } },
	{ "ip_rcv", { "skb->next", "skb->prev", "skb->dev", "skb->tstamp", "skb->data" } },
	{ "ip_rcv", { "*skb->data", "skb->data[12]", "skb->head:str" } },
	{ "ip_rcv", { "dev->nd_net.net->ifindex", "dev->nd_net.net->ns.inum" } },
	{ "ip_rcv", { "pt->type", "orig_dev->name", "skb->vlan_tci", "skb->hash:x" } },
	{ "vfs_read",
	  { "file->f_path.dentry->d_name.name:str",
	    "file->f_path.dentry->d_parent->d_name.name:str", "file->f_path.mnt->mnt_sb->s_id",
	    "file->f_path.dentry->d_name.len" } },
	{ "vfs_read",
	  { "file->f_inode->i_mode:o", "file->f_inode->i_ino", "file->f_inode->i_sb->s_id",
	    "file->f_inode->i_sb->s_magic:x", "file->f_inode->i_uid.val" } },
	{ "vfs_read",
	  { "*pos", "count", "buf:x", "file->f_pos", "file->f_flags:x", "&file->f_path" } },
	{ "ip_rcv",
	  { "dev->perm_addr:mac", "dev->dev_addr:mac", "dev->perm_addr:x8[6]", "dev->perm_addr",
	    "skb->data:hex[20]", "skb->data:ip4", "skb->cb:x8", "skb->cb:u64", "skb->protocol:port",
	    "skb->len:b4@2/32", "skb->data:x16[64]" } },
	{ "vfs_read", { "*file" } },
	{ "vfs_read", { "*file", "file->f_path", "*file->f_inode", "*file->f_inode->i_sb" } },
	{ "vfs_read", { "*file" }, 1 },
	{ "wake_up_new_task", { "*p" } },
	{ "wake_up_new_task", { "*p" }, 1 },
	{ "wake_up_new_task", { "p->se", "p->cpus_mask", "p->comm", "*p->cred" }, 1 },
	{ "ip_rcv", { "*skb", "*dev", "skb->cb", "*skb->dev->nd_net.net" } },
	{ "__sys_connect", { "*uservaddr" } },
	{ "__sys_connect", { "uservaddr:sockaddr", "uservaddr:hex[32]" } },
	{ "vfs_read",
	  { "file->f_inode->i_sb->s_uuid:uuid", "file->f_inode->i_mode:filemode",
	    "file->f_flags:openflags", "file->f_op->read:sym", "buf:hex[16]", "file:hex[64]",
	    "file->f_path:hex", "pos:s64[1]", "file->f_mapping->gfp_mask:gfp", "buf:sockaddr" } },
	{ "vfs_read", { "file->f_mode:x", "file->f_op->read", "file->f_op->owner->name" } },
	{ "vfs_read",
	  { "file->f_inode->i_sb->s_bdi->dev_name", "file->f_inode->i_sb->s_uuid.b[3]" } },
	{ "vfs_read", { "file->f_inode->i_sb->s_root->d_iname:str", "(*file).f_inode->i_size" } },
	{ "vfs_read",
	  { "file->f_cred->uid.val", "file->f_cred->user_ns->level", "$uid", "$cpu", "$pid",
	    "$comm" } },
	{ "vfs_read",
	  { "file[1].f_inode", "file->f_inode->i_sb->s_type->name:16",
	    "t=file->f_inode->i_sb->s_type->name:str:200" } },
	{ "do_sys_openat2",
	  { "filename", "filename:str:4", "how->flags:x", "how->mode:o", "dfd" } },
	{ "bprm_execve",
	  { "bprm->filename", "bprm->file->f_path.dentry->d_iname:str", "bprm->argc",
	    "bprm->vma->vm_start", "bprm->mm->mmap_base:x" } },
	{ "begin_new_exec",
	  { "bprm->interp", "bprm->buf[0]", "bprm->have_execfd", "bprm->point_of_no_return",
	    "bprm->secureexec", "bprm->mm->owner->comm" } },
	{ "vfs_read",
	  { "file->f_inode->i_ino + count * 2",
	    "file->f_inode ? file->f_inode->i_mode & 0170000 : -1",
	    "file->f_inode && file->f_pos > 0", "count / (file->f_pos + 1)", "!file->private_data",
	    "file == NULL || count < 100 && count > 1", "-(int)count % 7" } },
	{ "vfs_read",
	  { "file->f_inode->i_sb->s_type->name == \"ext4\"",
	    "file->f_path.dentry->d_name.name != \"/\"", "$comm == \"exprload\"",
	    "file->f_inode->i_sb->s_id ~ \"dev*\"", "(char *)buf == \"x\"", "$comm ~ \"*\"" } },
	{ "vfs_read",
	  { "((struct seq_file *)file->private_data)->count", "$task->comm",
	    "$task->mm->owner->pid", "$task->real_parent->pid * 2", "$ts", "$cgroup", "$gid",
	    "container_of(file->f_inode->i_sb->s_list.next, struct super_block, s_list)->s_id" } },
	{ "vfs_read",
	  { "file->f_path.dentry->d_iname[count & 7]", "&file->f_path == NULL", "(u64)file >> 12",
	    "file - (struct file *)0", "(char *)file->f_path.dentry->d_name.name",
	    "*(u32 *)((char *)file + (count & 0)):x", "sizeof(struct file)" } },
	{ "wake_up_new_task",
	  { "p->comm", "p->pid", "p->real_parent->comm", "p->flags:x", "p->prio", "p->mm->pgd",
	    "p->sched_class", "p->in_execve", "p->sched_reset_on_fork" } },
	{ "wake_up_new_task",
	  { "p->signal->rlim[7].rlim_cur", "p->signal->nr_threads", "p->exit_state",
	    "p->nsproxy->uts_ns->name.nodename", "p->cred->uid.val" } },
	{ "wake_up_new_task",
	  { "p->fs->pwd.dentry->d_name.name:str", "p->files->fdt->fd[0]->f_inode->i_ino",
	    "p->group_leader->comm" } },
	{ "wake_up_new_task",
	  { "p->files->fdt->fd[1]->f_path.dentry->d_iname:str", "*p->files->fdt->fd" } },
	{ "tty_read", { NULL } },
	{ "tty_write", { NULL } },
	{ "blk_mq_start_request",
	  { "rq->q->disk->disk_name", "rq->__data_len", "rq->__sector", "rq->cmd_flags:x",
	    "rq->tag", "rq->bio->bi_iter.bi_size" } },
	{ "blk_mq_start_request", { "rq->q->nr_requests", "rq->mq_hctx->queue_num", "rq->state" } },
	{ "__sys_connect", { NULL } },
	{ "__sys_connect", { "uservaddr->sa_family", "uservaddr->sa_data", "fd", "addrlen" } },
	{ "security_file_open", { "file->f_path.dentry->d_name.name:str" } },
	{ "kill_pid_info", { NULL } },
	{ "kill_pid_info", { "pid->level", "pid->numbers[0].nr", "sig", "info" } },
	{ "security_xfrm_policy_free", { "ctx->ctx_str[2]", "ctx->ctx_str", "ctx->ctx_len" } },
	{ "kfree_skbmem", { NULL } },
	{ "wake_up_process", { "p->comm", "p->on_rq" } },
	{ "vfs_statx", { NULL } },
	{ "do_mount", { NULL } },
	{ "mm_release", { NULL } },
	{ "proc_pid_readdir", { NULL } },
	{ "set_cpus_allowed_ptr", { NULL } },
	{ "do_epoll_ctl", { NULL } },
	{ "do_wait", { NULL } },
	{ "do_wait", { "wo->wo_type", "wo->wo_pid->count.refs.counter", "wo->wo_flags" } },
	{ "hrtimer_start_range_ns", { NULL } },
	{ "hrtimer_start_range_ns",
	  { "mode", "tim", "timer->function", "timer->is_rel", "timer->base->clockid",
	    "timer->base" } },
	{ "hrtimer_start_range_ns",
	  { "timer->base->cpu_base->cpu", "timer->base->index", "timer->base->cpu_base->nr_events",
	    "timer->base->cpu_base", "timer->function:str", "timer->node.expires" } },
	{ "tcp_connect", { NULL } },
	{ "tcp_connect",
	  { "sk->sk_protocol", "sk->sk_type", "sk->__sk_common.skc_dport:x",
	    "sk->__sk_common.skc_family", "sk->__sk_common.skc_prot->name", "sk->sk_userlocks",
	    "sk->sk_kern_sock" } },
	/* at the return; as an entry's cases the compiler says no to these */
	{ "do_filp_open",
	  { "$ret", "$ret->f_inode->i_ino", "$ret->f_path.dentry->d_name.name:str" } },
	{ "do_file_open",
	  { "$ret", "$ret->f_inode->i_ino", "$ret->f_path.dentry->d_name.name:str" } },
	{ "do_sys_openat2", { "$ret", "$ret + 1", "how->flags:x", "$ret < 0" } },
	{ "vfs_read", { "$ret", "*pos", "file->f_inode->i_sb->s_type->name", "$retval > 0" } },
	{ "d_path", { "$ret", "$ret:ptr", "*$ret" } },
	{ "mutex_lock", { NULL } },
	{ "mutex_lock", { "lock->owner.counter:x" } },
	{ "alloc_pages_bulk", { "$ret" } },
	{ "get_task_exe_file", { "$ret->f_path.dentry->d_name.name:str", "task->comm" } },
	{ "lookup_bdev", { "$ret:errno", "pathname" } },
	{ "get_task_mm", { "$ret->mmap_base", "*$ret->pgd.pgd" } },
	/* of a call */
	{ "vfs_read", { "file->f_path.dentry->d_name.name:str", "@ret(*pos)", "$lat", "$ret" } },
	{ "vfs_read", { "count", "$ret", "$lat" } },
	{ "vfs_read", { "$ret - 1", "$lat / 1000" } },
	{ "vfs_read", { "@ret(file->f_inode->i_ino)", "file->f_inode->i_mode:o", "*pos" } },
	{ "vfs_read", { "*file", "@ret(*file)", "file:hex[600]" } },
};
enum { CASES = sizeof(cases) / sizeof(cases[0]) };

/* Counted: measures, then the key. */
static const struct count_case {
	const char *func;
	const char *measures[8];
	const char *keys[6];
} count_cases[] = {
	{ "vfs_read", { "+count" }, { NULL } },
	{ "vfs_read", { "+count" }, { "$pid", "$tid", "$comm", "$cpu" } },
	{ "vfs_read", { "+count" }, { "file", "file->f_op", "file->f_inode", "$caller:sym" } },
	{ "vfs_read", { "+count" }, { "file", "count:x16", "file->f_inode->i_mode:filemode" } },
	{ "vfs_read",
	  { "+sum:count", "+avg:count", "+min:count", "+max:*pos", "+avg:file->f_inode->i_ino" },
	  { "file->f_inode->i_sb->s_type->name", "$comm" } },
	{ "vfs_read",
	  { "+hist:count", "+hist:*pos", "+lhist:count,0,4096,64", "+lhist:*pos,-100,100,7" },
	  { "file->f_path.dentry->d_name.name:str:40", "file->f_inode->i_sb->s_type->name",
	    "file->f_path.dentry->d_iname:str" } },
	{ "vfs_read", { "+count" }, { "file->f_inode->i_sb->s_uuid:uuid", "buf:hex[16]" } },
	{ "do_sys_openat2", { "+count", "+max:how->flags" }, { "filename:str:200", "dfd" } },
	{ "ip_rcv",
	  { "+count", "+sum:skb->len", "+hist:skb->len" },
	  { "dev->name", "skb->pkt_type", "skb->protocol:port", "dev->dev_addr:mac" } },
};
enum { COUNT_CASES = sizeof(count_cases) / sizeof(count_cases[0]) };

static const struct way {
	const char *name;
	enum expr_ctx_type method;
	bool typed_loads, probe_read;
	enum expr_scope scope;
	bool session;
} ways[] = {
	{ "fentry", EXPR_CTX_FENTRY, true, true },
	{ "fentry-probe", EXPR_CTX_FENTRY, false, true },
	{ "fentry-lockdown", EXPR_CTX_FENTRY, true, false },
	{ "kprobe", EXPR_CTX_KPROBE, true, true },
	{ "kprobe-probe", EXPR_CTX_KPROBE, false, true },
	{ "kprobe-lockdown", EXPR_CTX_KPROBE, true, false },
	{ "fexit", EXPR_CTX_FENTRY, true, true, EXPR_SCOPE_RETURN },
	{ "fexit-probe", EXPR_CTX_FENTRY, false, true, EXPR_SCOPE_RETURN },
	{ "fexit-lockdown", EXPR_CTX_FENTRY, true, false, EXPR_SCOPE_RETURN },
	{ "kretprobe", EXPR_CTX_KPROBE, true, true, EXPR_SCOPE_RETURN },
	{ "kretprobe-probe", EXPR_CTX_KPROBE, false, true, EXPR_SCOPE_RETURN },
	{ "fsession", EXPR_CTX_FENTRY, true, true, EXPR_SCOPE_CALL, true },
	{ "fsession-probe", EXPR_CTX_FENTRY, false, true, EXPR_SCOPE_CALL, true },
	{ "fsession-lockdown", EXPR_CTX_FENTRY, true, false, EXPR_SCOPE_CALL, true },
	{ "fentry+fexit", EXPR_CTX_FENTRY, true, true, EXPR_SCOPE_CALL },
	{ "fentry+fexit-probe", EXPR_CTX_FENTRY, false, true, EXPR_SCOPE_CALL },
	{ "fentry+fexit-lockdown", EXPR_CTX_FENTRY, true, false, EXPR_SCOPE_CALL },
	{ "kprobe.session", EXPR_CTX_KPROBE, true, true, EXPR_SCOPE_CALL, true },
	{ "kprobe.session-probe", EXPR_CTX_KPROBE, false, true, EXPR_SCOPE_CALL, true },
	{ "kprobe+kretprobe", EXPR_CTX_KPROBE, true, true, EXPR_SCOPE_CALL },
	{ "kprobe+kretprobe-probe", EXPR_CTX_KPROBE, false, true, EXPR_SCOPE_CALL },
};
enum { WAYS = sizeof(ways) / sizeof(ways[0]) };

static struct btf_view *btf;
static bool want_ts = true;
static unsigned depth;
static struct program_maps maps = PROGRAM_MAPS_NONE;
static int return_prog = -1; /* of EXPR_SCOPE_CALL */
static struct expr_target target;
static char log_text[LOG_SIZE];
static struct aggregate counted; /* what +MEASUREs ask for */

static void maps_create(void)
{
	static glob_table none;
	int err = program_maps_open(&maps, 1 << 22, true, true, none);

	if (err) {
		fprintf(stderr, "maps: %s\n", strerror(-err));
		exit(2);
	}
}

static int load_side(const struct way *way, uint32_t func_id, const struct bpf_insn *insns,
		     size_t count, bool at_return)
{
	/* Level 0: libbpf asks for the log only once a program is refused, for what the verifier has
	 * to say of a long one that it takes may not fit, and then it refuses that too. */
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .log_buf = log_text, .log_size = LOG_SIZE);
	enum bpf_prog_type type = BPF_PROG_TYPE_KPROBE;

	if (way->method == EXPR_CTX_FENTRY) {
		type = BPF_PROG_TYPE_TRACING;
		opts.expected_attach_type = at_return ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY;
		opts.attach_btf_id = func_id;
	}
	if (way->session && !at_return)
		opts.expected_attach_type = func_id && type == BPF_PROG_TYPE_TRACING ?
						    target.attach_fsession :
						    target.attach_kprobe_session;
	log_text[0] = '\0';
	return bpf_prog_load(type, "exprload", "GPL", insns, count, &opts);
}

static void fd_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* The program for the entry, or, where it is the only one, for the return; that of the return beside
 * another is in return_prog. */
static int image_load(const struct way *way, uint32_t func_id, const struct program_image *image)
{
	fd_close(&return_prog);
	if (image->count_return) {
		int fd = load_side(way, func_id, image->insns_return, image->count_return, true);

		if (fd < 0 || !image->count)
			return fd;
		return_prog = fd;
	}
	return load_side(way, func_id, image->insns, image->count, way->scope == EXPR_SCOPE_RETURN);
}

static int load(const struct way *way, uint32_t func_id, const struct expr_program *p)
{
	struct program_image image;
	static const struct program_facts none[2];
	int err = program_image_make(&image, p, &maps, none), fd;

	if (err) {
		errno = -err;
		return err;
	}
	fd = image_load(way, func_id, &image);
	program_image_free(&image);
	return fd;
}

static int compile(const struct way *way, const char *func, const char *const *exprs, size_t count,
		   bool filters, struct expr_program **p, uint32_t *func_id)
{
	struct expr_error error;
	struct expr_input in = {
		.btf = btf,
		.texts = exprs,
		.count = count,
		.scope = way->scope,
		.session = way->session,
		.run.want_ts = want_ts,
		.run.depth = depth,
		.run.aggregate = aggregate_wanted(&counted) ? &counted.input : NULL,
	};
	int err;

	if (expr_target_detect(btf, func, &in.target, func_id))
		exit(2);
	if (!*func_id) {
		snprintf(log_text, LOG_SIZE, "no function %s", func);
		return -ENOENT;
	}
	in.func_id = *func_id;
	if (way->scope == EXPR_SCOPE_CALL)
		expr_target_sessions(btf, &in.target);
	target = in.target;
	in.target.method = way->method;
	in.target.typed_loads = way->typed_loads;
	in.target.probe_read = way->probe_read;
	in.run.filter.self = filters ? 1 : getpid();
	if (filters) {
		in.run.kernel_stack = in.run.user_stack = in.on_function = true;
		in.run.filter.pids = in.run.filter.tids = in.run.filter.uids = (struct event_ids){
			2, { 42, 43 }
		};
		in.run.filter.by_comm = in.run.filter.by_cgroup = in.run.filter.follow = 1;
		in.run.filter.by_names = in.run.filter.numbers.ns = in.run.filter.numbers.level = 1;
		strcpy(in.run.filter.comm, "systemd-journa");
	}
	err = expr_compile(&in, p, &error);
	if (err)
		snprintf(log_text, LOG_SIZE, "%s", error.message);
	return err;
}

static const char *log_end(void)
{
	const char *end = log_text + strlen(log_text);

	for (int lines = 0; end > log_text && lines < 12; end--)
		lines += end[-1] == '\n';
	return end;
}

/* ---- counted ---- */

/* "+avg:count", as --avg count gives it. */
static void count_begin(const char *const *measures, bool clear)
{
	static struct option_spec specs[OPTION_LIST_MAX];
	static char names[OPTION_LIST_MAX][8];
	static struct aggregate_options options;
	const struct options common = { .clear = clear, .interval_ns = 1 };
	size_t n = 0;

	options = (struct aggregate_options){ .keys = 100 };
	for (; measures[n] && measures[n][0] == '+'; n++) {
		const char *colon = strchr(measures[n], ':');

		snprintf(names[n], sizeof(names[n]), "%.*s",
			 colon ? (int)(colon - measures[n]) - 1 : 7, measures[n] + 1);
		specs[n].name = names[n];
		options.measures.items[n] = (struct option_item){ &specs[n],
								  colon ? colon + 1 : NULL };
	}
	options.measures.count = n;
	if (n && aggregate_set(&counted, &options, &common))
		exit(2);
}

static void count_end(void)
{
	const enum expr_map_kind kinds[] = { EXPR_MAP_COUNTS, EXPR_MAP_COUNTED, EXPR_MAP_BLANK,
					     EXPR_MAP_SCRATCH };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		fd_close(&maps.fds[kinds[i]]);
	aggregate_close(&counted);
	counted = (struct aggregate){};
}

static int compile_counted(const struct way *way, const char *func, const char *const *exprs,
			   size_t count, struct expr_program **p, uint32_t *func_id)
{
	int err = compile(way, func, exprs, count, false, p, func_id);

	if (err || !aggregate_wanted(&counted))
		return err;
	if (aggregate_open(&counted, *p, 1, &maps)) {
		perror("maps to count in");
		exit(2);
	}
	return 0;
}

static unsigned tests, failures;

static void try_case(const struct way *way, const struct case_ *k, bool filters)
{
	struct expr_program *p = NULL;
	size_t count = 0, insns;
	uint32_t func_id;
	int fd;

	while (k->exprs[count])
		count++;
	depth = k->depth;
	if (compile(way, k->func, k->exprs, count, filters, &p, &func_id)) {
		printf("ok %u - %s %s # skip %s\n", ++tests, way->name, k->func, log_text);
		expr_free(p);
		return;
	}
	expr_insns(p, &insns);
	fd = load(way, func_id, p);
	printf("%s %u - %s %s %s… %zu insns\n", fd < 0 ? "not ok" : "ok", ++tests, way->name,
	       k->func, count ? k->exprs[0] : "", insns);
	if (fd < 0) {
		failures++;
		printf("# %s\n%s\n", strerror(errno), log_end());
	} else {
		close(fd);
	}
	expr_free(p);
}

static void try_count(const struct way *way, const struct count_case *k, bool clear)
{
	struct expr_program *p = NULL;
	size_t count = 0, insns;
	uint32_t func_id;
	int fd;

	while (k->keys[count])
		count++;
	count_begin(k->measures, clear);
	if (compile_counted(way, k->func, k->keys, count, &p, &func_id)) {
		printf("ok %u - %s %s %s # skip %s\n", ++tests, way->name, k->func, k->measures[0],
		       log_text);
	} else {
		expr_insns(p, &insns);
		fd = load(way, func_id, p);
		printf("%s %u - %s %s %s… by %s… %zu insns\n", fd < 0 ? "not ok" : "ok", ++tests,
		       way->name, k->func, k->measures[0], count ? k->keys[0] : "nothing", insns);
		if (fd < 0) {
			failures++;
			printf("# %s\n%s\n", strerror(errno), log_end());
		} else {
			close(fd);
		}
	}
	expr_free(p);
	count_end();
}

static int run_cases(void)
{
	for (size_t w = 0; w < WAYS; w++) {
		for (size_t i = 0; i < CASES; i++)
			try_case(&ways[w], &cases[i], false);
		try_case(&ways[w], &cases[0], true);
		for (size_t i = 0; i < COUNT_CASES && w % 2 == 0;
		     i++) /* typed, lockdown, probe_read */
			try_count(&ways[w], &count_cases[i], i % 2);
	}
	printf("1..%u\n# %u failed\n", tests, failures);
	return failures ? 1 : 0;
}

/* ---- one program, attached ---- */

struct reader {
	struct sink sink;
	pid_t child;
};

static int on_record(void *ctx, void *data, size_t size)
{
	struct reader *r = ctx;
	const struct event_header *h = data;

	if ((pid_t)h->pid == r->child && sink_record(&r->sink, data, size))
		printf("bad record\n");
	return 0;
}

static int attach_side(const struct way *way, int prog, const char *func, bool at_return)
{
	const struct attach_target t = { .function = func,
					 .is_return = at_return,
					 .type = target.attach_kprobe_session };

	if (way->method == EXPR_CTX_FENTRY)
		return attach_link(ATTACH_FENTRY, &t, prog);
	return attach_link(way->session ? ATTACH_KPROBE_SESSION : ATTACH_KPROBE, &t, prog);
}

static int attach(const struct way *way, int prog, const char *func)
{
	if (return_prog >= 0 && attach_side(way, return_prog, func, true) < 0)
		return -1;
	return attach_side(way, prog, func,
			   way->scope == EXPR_SCOPE_RETURN ||
				   (way->scope && !way->session && return_prog < 0));
}

static uint64_t loss_of(uint32_t loss)
{
	int cpus = libbpf_num_possible_cpus();
	uint64_t values[cpus], sum = 0;

	if (!bpf_map_lookup_elem(maps.fds[EXPR_MAP_LOSSES], &loss, values))
		for (int i = 0; i < cpus; i++)
			sum += values[i];
	return sum;
}

static pid_t child_start(char **argv, int *go)
{
	int fds[2];
	pid_t pid;
	char c;

	if (pipe(fds))
		exit(2);
	pid = fork();
	if (!pid) {
		close(fds[1]);
		if (read(fds[0], &c, 1) == 1)
			execvp(argv[0], argv);
		_exit(127);
	}
	*go = fds[1];
	return pid;
}

static int run_one(const struct way *way, char **argv)
{
	struct expr_program *p;
	struct ring_buffer *rb;
	struct reader reader = { .sink.json = true, .sink.applet = "argdump" };
	struct buf out;
	size_t count = 0;
	uint32_t func_id;
	int prog, go;

	while (argv[1 + count] && strcmp(argv[1 + count], "--"))
		count++;
	if (compile(way, argv[0], (const char *const *)argv + 1, count, false, &p, &func_id)) {
		printf("%s\n", log_text);
		return 1;
	}
	prog = load(way, func_id, p);
	if (prog < 0) {
		printf("%s\n", log_text);
		return 1;
	}
	buf_init(&out, STDOUT_FILENO);
	reader.sink.schema = expr_schema(p);
	reader.sink.out = &out;
	reader.child = child_start(argv + count + 2, &go);
	rb = ring_buffer__new(maps.fds[EXPR_MAP_RING], on_record, &reader, NULL);
	if (attach(way, prog, argv[0]) < 0)
		perror("attach");
	if (write(go, "", 1) != 1)
		return 1;
	waitpid(reader.child, NULL, 0);
	ring_buffer__consume(rb);
	buf_printf(&out, "# full %llu fault %llu\n", (unsigned long long)loss_of(LOSS_RING_FULL),
		   (unsigned long long)loss_of(LOSS_FAULT));
	buf_flush(&out);
	return 0;
}

/* ---- random expressions ---- */

/* A function that fentry cannot have fails with an empty program, too. */
static bool is_attachable(const struct way *way, const char *func, uint32_t func_id)
{
	static const char *const none[] = { "$pid" };
	struct expr_program *p;
	int fd = -1;

	if (way->method != EXPR_CTX_FENTRY)
		return true;
	if (!compile(way, func, none, 1, false, &p, &func_id))
		fd = load(way, func_id, p);
	expr_free(p);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* 1: loaded, 0: not a case, -1: refused. */
static int random_one(struct chance *c, const struct way *way, const char *func)
{
	struct fuzz_text texts[4];
	const char *list[4];
	struct expr_program *p = NULL;
	size_t count = 1 + chance_below(c, 4);
	uint32_t func_id = btf_view_func(btf, func);
	int fd, result = 0;

	for (size_t i = 0; i < count; i++) {
		list[i] = texts[i].text;
		for (int tries = 0; tries < 20; tries++) {
			expression_random(c, btf, func_id, &texts[i]);
			if (!compile(way, func, &list[i], 1, false, &p, &func_id))
				tries = 20;
			expr_free(p);
		}
	}
	if (compile(way, func, list, count, false, &p, &func_id))
		goto out;
	fd = load(way, func_id, p);
	result = fd >= 0 ? 1 : is_attachable(way, func, func_id) ? -1 : 0;
	if (result < 0) {
		load(way, func_id, p);
		printf("refused: %s %s", way->name, func);
		for (size_t i = 0; i < count; i++)
			printf(" '%s'", list[i]);
		printf("\n%s\n", log_end());
	}
	if (fd >= 0)
		close(fd);
out:
	expr_free(p);
	return result;
}

static int run_random(unsigned long count, unsigned long seed)
{
	struct chance c = { seed * 0x9e3779b97f4a7c15ull | 1 };
	unsigned long loaded = 0, refused = 0;

	while (loaded + refused < count) {
		uint32_t id = chance_below(&c, btf_view_count(btf));
		int result;

		if (btf_view_kind(btf, id) != BTF_KIND_FUNC)
			continue;
		result = random_one(&c, &ways[chance_below(&c, WAYS)], btf_view_name(btf, id));
		loaded += result > 0;
		refused += result < 0;
	}
	printf("# %lu loaded, %lu refused\n", loaded, refused);
	return refused ? 1 : 0;
}

/* ---- what it costs ---- */

enum { READS = 8000 };

static double read_cost(int fd)
{
	struct timespec start, end;
	char byte;

	clock_gettime(CLOCK_MONOTONIC, &start);
	for (int i = 0; i < READS; i++)
		if (pread(fd, &byte, 1, 0) != 1)
			exit(2);
	clock_gettime(CLOCK_MONOTONIC, &end);
	return ((end.tv_sec - start.tv_sec) * 1e9 + (end.tv_nsec - start.tv_nsec)) / READS;
}

static int run_cost(const struct way *way, char **argv)
{
	int fd = open("/proc/self/exe", O_RDONLY), status;
	size_t count = 0, insns;
	struct expr_program *p;
	uint32_t func_id;
	double before;
	int prog;

	while (argv[1 + count] && argv[1 + count][0] != '+')
		count++;
	count_begin((const char *const *)argv + 1 + count, false);
	if (compile_counted(way, argv[0], (const char *const *)argv + 1, count, &p, &func_id))
		return 1;
	prog = load(way, func_id, p);
	read_cost(fd);
	before = read_cost(fd);
	if (prog < 0 || attach(way, prog, argv[0]) < 0)
		return 1;
	if (!fork()) { /* the program leaves out its own process */
		double with = read_cost(fd);

		expr_insns(p, &insns);
		printf("%s %s: %.0f added, %zu insns, full %llu\n", way->name,
		       argv[1] ? argv[1] : "all", with - before, insns,
		       (unsigned long long)loss_of(LOSS_RING_FULL));
		fflush(stdout);
		_exit(0);
	}
	wait(&status);
	return 0;
}

static const struct way *way_find(const char *name)
{
	for (size_t i = 0; i < WAYS; i++) {
		if (!strcmp(ways[i].name, name))
			return &ways[i];
	}
	exit(2);
}

int main(int argc, char **argv)
{
	if (btf_view_open(NULL, &btf)) {
		printf("no BTF\n");
		return 2;
	}
	maps_create();
	if (argc < 3)
		return run_cases();
	if (!strcmp(argv[1], "random"))
		return run_random(strtoul(argv[2], NULL, 0),
				  argc > 3 ? strtoul(argv[3], NULL, 0) : 1);
	want_ts = strcmp(argv[1], "cost");
	if (!want_ts)
		return run_cost(way_find(argv[2]), argv + 3);
	return run_one(way_find(argv[1]), argv + 2);
}
