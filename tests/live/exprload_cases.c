/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * exprload_cases.c - chosen expressions, loaded in every way (exprload.h).
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "exprload.h"

enum { EXPRS_MAX = 12 };

static const struct case_ {
	const char *func;
	const char *exprs[EXPRS_MAX];
	unsigned depth;
	bool is_slow; /* the verifier takes seconds for it */
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
	{ "vfs_read",
	  { "@sum(i < count, file->f_path.dentry->d_sb->s_id[i])",
	    "@count(@list(&file->f_path.dentry->d_sb->s_inodes, struct inode, i_sb_list)->i_mode & "
	    "0x4000)" },
	  .is_slow = true },
	{ "ip_rcv",
	  { "skb->sk:sock ~ \"10.* -> [::1]:443\"", "skb->sk:peer != \"127.0.0.1:80\"",
	    "skb->sk:local ~ \"[fe80::/10]:*\"" } },
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
	{ "vfs_read", { "file:path", "d=file->f_path.dentry:path", "p=file->f_path:path:2000" } },
	{ "vfs_read",
	  { "file:path ~ \"/etc/*\"", "file->f_path.dentry:path != \"/passwd\"",
	    "file->f_path:path ~ \"*[0-9]?x*\"", "file:path == \"/\" || count > 5" },
	  .is_slow = true },
	{ "vfs_read",
	  { "((struct seq_file *)file->private_data)->count", "$task->comm",
	    "$task->mm->owner->pid", "$task->real_parent->pid * 2", "$ts", "$cgroup", "$gid",
	    "container_of(file->f_inode->i_sb->s_list.next, struct super_block, s_list)->s_id" } },
	{ "vfs_read",
	  { "file->f_path.dentry->d_iname[count & 7]", "&file->f_path == NULL", "(u64)file >> 12",
	    "file - (struct file *)0", "(char *)file->f_path.dentry->d_name.name",
	    "*(u32 *)((char *)file + (count & 0)):x", "sizeof(struct file)" } },
	{ "vfs_read", { "$kstack", "$ustack", "file->f_inode->i_ino", "count" } },
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
	/* as many bytes as another value */
	{ "vfs_read",
	  { "buf:str[count]", "buf:hex[count & 31]", "buf:ustr[*pos + 4]:7", "file:hex[count]:64",
	    "file->f_path.dentry->d_name.name:str[file->f_path.dentry->d_name.len]",
	    "file->f_path.dentry->d_iname:str[count > 8 ? 8 : count]", "buf:str[3]",
	    "file->f_inode:hex[file->f_pos % 100 - 3]" } },
	{ "vfs_read", { "buf:str[$ret]", "$ret", "file:hex[$ret]", "@ret(buf)", "buf", "$lat" } },
	{ "vfs_read", { "@ret(buf):hex[*pos]:4096", "buf:str[count]:300", "$lat" } },
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
	{ "vfs_read", { "+count" }, { "file:p", "file->f_op", "file->f_inode", "$caller:sym" } },
	{ "vfs_read",
	  { "+count", "+sum:count" },
	  { "$kstack", "$ustack", "file->f_inode", "$comm" } },
	{ "vfs_read", { "+count" }, { "file:p", "count:x16", "file->f_inode->i_mode:filemode" } },
	{ "vfs_read",
	  { "+sum:count", "+avg:count", "+min:count", "+max:*pos", "+avg:file->f_inode->i_ino" },
	  { "file->f_inode->i_sb->s_type->name", "$comm" } },
	{ "vfs_read",
	  { "+hist:count", "+hist:*pos", "+lhist:count,0,4096,64", "+lhist:*pos,-100,100,7" },
	  { "file->f_path.dentry->d_name.name:str:40", "file->f_inode->i_sb->s_type->name",
	    "file->f_path.dentry->d_iname:str" } },
	{ "vfs_read",
	  { "+pct:50=count", "+pct:1,99=*pos", "+pct:9=*pos - (long)count" },
	  { "$pid" } },
	{ "vfs_read", { "+count" }, { "file->f_inode->i_sb->s_uuid:uuid", "buf:hex[16]" } },
	{ "vfs_read", { "+count" }, { "file", "$comm", "d=file->f_path.dentry:path:64" } },
	{ "do_sys_openat2", { "+count", "+max:how->flags" }, { "filename:str:200", "dfd" } },
	{ "ip_rcv",
	  { "+count", "+sum:skb->len", "+hist:skb->len" },
	  { "dev->name", "skb->pkt_type", "skb->protocol:port", "dev->dev_addr:mac" } },
};
enum { COUNT_CASES = sizeof(count_cases) / sizeof(count_cases[0]) };

static unsigned tests, failures;

/* arm64's JIT does not test the addresses of typed loads, so the verifier adds instructions to each: 7000 of them, a whole
 * task_struct without helpers, are more than a jump can pass. */
static bool is_too_long(void)
{
	return strstr(log_text, "cannot be patched due to 16-bit range");
}

static void try_case(const struct way *way, const struct case_ *k, bool filters)
{
	struct expr_program *p = NULL;
	size_t count = 0, insns;
	bool patched;
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
	patched = fd < 0 && is_too_long();
	printf("%s %u - %s %s %s… %zu insns%s\n", fd < 0 && !patched ? "not ok" : "ok", ++tests,
	       way->name, k->func, count ? k->exprs[0] : "", insns,
	       patched ?
		       " # skip the kernel's tests of each address make it too long for its jumps" :
		       "");
	if (patched) {
		expr_free(p);
		return;
	}
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

static bool is_of_return(const struct case_ *k)
{
	for (size_t i = 0; k->exprs[i]; i++)
		if (strstr(k->exprs[i], "$ret") || strstr(k->exprs[i], "$lat") ||
		    strstr(k->exprs[i], "@ret"))
			return true;
	return false;
}

/* How an expression reads memory is much the same at a return: each way there takes another fifth of
 * the cases, and all of those that only a return has. The verifier takes 0.1 s for one; slow
 * ones are loaded by one way in four. */
static bool is_tried(size_t w, size_t i)
{
	if (cases[i].is_slow)
		return w % 4 == 0;
	return ways[w].scope == EXPR_SCOPE_ENTRY || is_of_return(&cases[i]) || (i + w) % 5 == 0;
}

int run_cases(void)
{
	for (size_t w = 0; w < WAYS; w++) {
		for (size_t i = 0; i < CASES; i++)
			if (is_tried(w, i))
				try_case(&ways[w], &cases[i], false);
		try_case(&ways[w], &cases[0], true);
		for (size_t i = 0; i < COUNT_CASES && w % 2 == 0;
		     i++) /* typed, lockdown, probe_read */
			try_count(&ways[w], &count_cases[i], i % 2);
	}
	printf("1..%u\n# %u failed\n", tests, failures);
	return failures ? 1 : 0;
}
