/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * world.c - facts about this machine for the compiler: its symbols, cgroups, helpers and kfuncs.
 */
#include "front/bt/bt.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "attach/prog.h"
#include "probe/providers/user_file.h"
#include "attach/ask_functions.h"
#include "symbols/kernel/ksyms.h"
#include "symbols/user/usyms.h"
#include "output/field/timestamp.h"
#include "util/clock.h"
#include "util/log.h"

/* ---- names ---- */

static uint64_t kernel_symbol(void *ctx, const char *name)
{
	const struct session *s = ctx;

	return s->options.attach.dry_run ? ksyms_address(name, NULL) : kernel_symbol_ask(name);
}

static int user_symbol(void *ctx, const char *file, const char *name, uint64_t *address,
		       uint64_t *size)
{
	struct user_file f;
	int err = user_file_try(ctx, file, &f);

	if (err)
		return err;
	err = usyms_object(f.self, name, address, size);
	close(f.fd);
	return err;
}

/* The id of a cgroup is the inode of its folder. */
static int64_t cgroup_id(void *ctx, const char *path)
{
	struct statfs fs;
	struct stat st;

	(void)ctx;
	if (stat(path, &st) || statfs(path, &fs))
		return -errno;
	if (fs.f_type != CGROUP2_SUPER_MAGIC && fs.f_type != CGROUP_SUPER_MAGIC)
		return -EXDEV;
	return S_ISDIR(st.st_mode) ? (int64_t)st.st_ino : -ENOTDIR;
}

/* ---- features of the kernel ---- */

/* True if the kernel names the helper in enum bpf_func_id, `helpers`. */
static bool has_helper(const struct btf_view *btf, uint32_t helpers, const char *name)
{
	return btf_view_enumerator(btf, helpers, name, 0) != 0;
}

enum { KEY_TRIED = 1024, KEY_MOST = 512, STRING_OF_KEYS = 200 };

/* Before 5.11 a key has at most 512 bytes, too few for a string of the default length. Tested by creating such a map. */
static void strings_fit(struct script_world *w, struct script_config *c)
{
	int fd = prog_map_create(BPF_MAP_TYPE_HASH, "keys", KEY_TRIED, 4, 1, 0);

	if (fd >= 0)
		close(fd);
	else if (errno == E2BIG)
		w->key_most = KEY_MOST;
	if (!w->key_most || c->max_strlen < KEY_TRIED)
		return;
	log_debug(1, "this kernel limits keys to %d bytes: strings are limited to %d", KEY_MOST,
		  STRING_OF_KEYS);
	c->max_strlen = STRING_OF_KEYS;
}

/* ---- kfuncs ---- */

/* Returns the type of a kind's programs; those that are not probes run like BEGIN. */
static struct prog_type type_of_kind(const struct session *s, enum script_probe_kind kind)
{
	uint32_t any = btf_view_func(s->btf, "bpf_fentry_test1"),
		 iter = btf_view_func(s->btf, "bpf_iter_task");

	switch (kind) {
	case PROBE_KPROBE:
	case PROBE_KRETPROBE:
	case PROBE_UPROBE:
	case PROBE_URETPROBE:
	case PROBE_USDT: return (struct prog_type){ .prog = BPF_PROG_TYPE_KPROBE };
	case PROBE_FENTRY:
		return (struct prog_type){ BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, any, 0 };
	case PROBE_FEXIT:
		return (struct prog_type){ BPF_PROG_TYPE_TRACING, BPF_TRACE_FEXIT, any, 0 };
	case PROBE_ITER:
		return (struct prog_type){ BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER, iter, 0 };
	case PROBE_TRACEPOINT: return (struct prog_type){ .prog = BPF_PROG_TYPE_TRACEPOINT };
	case PROBE_PROFILE:
	case PROBE_INTERVAL:
	case PROBE_SOFTWARE:
	case PROBE_HARDWARE:
	case PROBE_WATCHPOINT: return (struct prog_type){ .prog = BPF_PROG_TYPE_PERF_EVENT };
	default: return (struct prog_type){ .prog = BPF_PROG_TYPE_RAW_TRACEPOINT };
	}
}

enum { KFUNC_LOG = 64 << 10 };

/* Asks the verifier with a call without arguments. It is refused in any case, but the message shows whether the kfunc
 * itself is allowed. Kernels without kfuncs do not know the name. */
static bool kfunc_allowed(void *ctx, enum script_probe_kind kind, const char *name)
{
	static char log[KFUNC_LOG];
	const struct session *s = ctx;
	struct prog_type type = type_of_kind(s, kind);
	struct bpf_insn insns[] = {
		{ .code = BPF_JMP | BPF_CALL,
		  .src_reg = BPF_PSEUDO_KFUNC_CALL,
		  .imm = (int)btf_view_func(s->btf, name) },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	char call[160], refused[200];
	int fd;

	if (s->options.attach.dry_run || !insns[0].imm)
		return false;
	log[0] = 0;
	fd = prog_load_as(insns, sizeof(insns) / sizeof(insns[0]), &type, log, sizeof(log));
	if (fd >= 0)
		close(fd);
	snprintf(call, sizeof(call), "call %s#", name);
	/* since 7.3 the log explains other refusals by a line that ends with "is not allowed in this context" */
	snprintf(refused, sizeof(refused), "function %s is not allowed", name);
	return fd >= 0 || (strstr(log, call) && !strstr(log, refused));
}

void bt_world_set(struct session *s, struct bt *b)
{
	struct script_world *w = &b->world;
	uint32_t helpers = btf_view_find(s->btf, BTF_KIND_ENUM, "bpf_func_id");
	int cpus = libbpf_num_possible_cpus();

	if (!s->options.attach.dry_run)
		strings_fit(w, &b->script->config);
	w->ctx = s;
	w->kernel_symbol = kernel_symbol;
	w->user_symbol = user_symbol;
	w->cgroup_id = cgroup_id;
	w->kfunc_allowed = kfunc_allowed;
	w->cpus = cpus < 1 ? 1 : cpus;
	w->syscall_name = bt_syscall_name;
	w->child = s->traced.command.pid > 0 ? s->traced.command.pid : 0;
	w->boot_time = clock_ns(CLOCK_BOOTTIME);
	w->has_boot_clock = has_helper(s->btf, helpers, "BPF_FUNC_ktime_get_boot_ns");
	w->real_offset = timestamp_offset(w->has_boot_clock ? WALL_BOOT : WALL_MONOTONIC);
	w->tai_offset = w->real_offset - timestamp_offset(WALL_TAI);
	w->has_tai_clock = has_helper(s->btf, helpers, "BPF_FUNC_ktime_get_tai_ns");
	w->has_for_each = has_helper(s->btf, helpers, "BPF_FUNC_for_each_map_elem");
	w->has_lookup_per_cpu = has_helper(s->btf, helpers, "BPF_FUNC_map_lookup_percpu_elem");
	w->has_loop = has_helper(s->btf, helpers, "BPF_FUNC_loop");
}
