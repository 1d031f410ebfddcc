/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_trust.c - compares the file with the kernel's own types byte by byte. If the kernel has none, a program uses
 * the file's types to read this process's task, and user space checks the values.
 *
 * The program runs once on our request (BPF_PROG_TEST_RUN) and is attached to nothing.
 */
#include "run/btf_trust.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attach/attach_error.h"
#include "btf/btf.h"
#include "util/log.h"
#include "kernel/insn.h"
#include "attach/plan.h"
#include "util/small_file.h"

/* ---- the kernel has types ---- */

/* Reads until the buffer is full or the file ends: sysfs returns at most one page per read. */
static ssize_t block_read(int fd, char *to, size_t size)
{
	size_t len = 0;
	ssize_t n = 1;

	while (len < size && n > 0) {
		n = read(fd, to + len, size - len);
		if (n < 0)
			return -errno;
		len += n;
	}
	return len;
}

static bool contents_equal(int one, int other)
{
	enum { BLOCK = 1 << 16 };
	char *a = malloc(2 * BLOCK), *b = a + BLOCK;
	ssize_t len = -1, other_len = -1;

	while (a) {
		len = block_read(one, a, BLOCK);
		other_len = block_read(other, b, BLOCK);
		if (len <= 0 || len != other_len || memcmp(a, b, len))
			break;
	}
	free(a);
	return !len && !other_len;
}

static bool files_equal(int one, int other)
{
	struct stat a, b;

	if (fstat(one, &a) || fstat(other, &b) || a.st_size != b.st_size)
		return false;
	return (a.st_dev == b.st_dev && a.st_ino == b.st_ino) || contents_equal(one, other);
}

static enum btf_trust compare(const char *path, int kernel)
{
	int file = btf_image_open(path);
	bool same = file >= 0 && files_equal(file, kernel);

	if (file >= 0)
		close(file);
	if (same)
		return BTF_TRUST_SAME;
	log_error(
		"the types in '%s' are not those of the running kernel: values read with them would be "
		"wrong",
		path);
	log_hint(
		"omit --btf: this kernel has its own types; those of other kernels are for --dry-run; "
		"--list and --type show them; --btf-force uses them anyway");
	return BTF_TRUST_NONE;
}

/* ---- the kernel has no types: check the file's with this process ---- */

/* The values that the program reads, and the correct values of some of them. */
struct own {
	uint64_t pid_tgid; /* from the helper: the pid in the initial namespace */
	char comm[16];	   /* from the helper */
	uint32_t tgid, parent_tgid;
	char task_comm[16];
	uint64_t start, parent;
};

struct place {
	const char *member;
	uint32_t offset; /* bytes, in the file's struct task_struct */
};
enum { TGID, COMM, START, PARENT, PLACES };

/* Returns the missing member, or NULL. */
static const char *members_find(const struct btf_view *types, struct place *places)
{
	uint32_t task = btf_view_find(types, BTF_KIND_STRUCT, "task_struct");
	struct btf_found found;

	for (struct place *p = places; p < places + PLACES; p++) {
		if (!task || !btf_view_member(types, task, p->member, strlen(p->member), &found))
			return p->member;
		p->offset = found.bit_offset / 8;
	}
	return NULL;
}

/* r1 = the address of a member of struct own in the map */
#define OWN(member)                                                                                \
	INSN_ADDRESS(BPF_REG_1, BPF_PSEUDO_MAP_VALUE, map),                                        \
		INSN_ADD(BPF_REG_1, offsetof(struct own, member))
/* own.member = *(base + offset) */
#define READ(member, base, offset)                                                                 \
	OWN(member), INSN_SET(BPF_REG_2, sizeof(((struct own *)0)->member)),                       \
		INSN_MOV(BPF_REG_3, base), INSN_ADD(BPF_REG_3, offset),                            \
		INSN_CALL(BPF_FUNC_probe_read_kernel)

static int program_load_own(int map, const struct place *at)
{
	const struct bpf_insn insns[] = {
		INSN_CALL(BPF_FUNC_get_current_pid_tgid),
		OWN(pid_tgid),
		INSN(BPF_STX | BPF_MEM | BPF_DW, BPF_REG_1, BPF_REG_0, 0, 0),
		OWN(comm),
		INSN_SET(BPF_REG_2, sizeof(((struct own *)0)->comm)),
		INSN_CALL(BPF_FUNC_get_current_comm),
		INSN_CALL(BPF_FUNC_get_current_task),
		INSN_MOV(BPF_REG_6, BPF_REG_0),
		READ(tgid, BPF_REG_6, at[TGID].offset),
		READ(task_comm, BPF_REG_6, at[COMM].offset),
		READ(start, BPF_REG_6, at[START].offset),
		READ(parent, BPF_REG_6, at[PARENT].offset),
		OWN(parent),
		INSN_LOAD(BPF_REG_6, BPF_REG_1, 0),
		READ(parent_tgid, BPF_REG_6, at[TGID].offset),
		INSN_SET(BPF_REG_0, 0),
		INSN_EXIT,
	};
	int fd = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "own", "GPL", insns, INSN_COUNT(insns),
			       NULL);

	return fd < 0 ? -errno : fd;
}

static int own_read(const struct place *at, struct own *own)
{
	int map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "own", 4, sizeof(*own), 1, NULL);
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	uint32_t slot = 0;
	int prog, err;

	if (map < 0)
		return -errno;
	prog = program_load_own(map, at);
	err = prog < 0 ? prog : 0;
	if (!err && (bpf_prog_test_run_opts(prog, &opts) || bpf_map_lookup_elem(map, &slot, own)))
		err = -errno;
	if (prog >= 0)
		close(prog);
	close(map);
	return err;
}

/* Returns the start time of this process, in ticks since boot: field 22 of /proc/self/stat. 0: unknown. */
static uint64_t start_ticks(void)
{
	char text[1024], *at;

	small_file_read("/proc/self/stat", text, sizeof(text));
	at = strrchr(text, ')'); /* the end of field 2, the name */
	for (int field = 3; at && field <= 22; field++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at + 1, NULL, 10) : 0;
}

/* Names the first wrong value; returns NULL if all are right. */
static const char *own_wrong_value(const struct own *own, unsigned long long *read,
				   unsigned long long *is)
{
	uint64_t ticks = start_ticks();

	*read = own->tgid;
	*is = own->pid_tgid >> 32;
	if (*read != *is)
		return "process ID";
	if (*is == (uint32_t)getpid()) { /* in a pid namespace, where getppid() also differs */
		*read = own->parent_tgid;
		*is = getppid();
	}
	if (*read != *is)
		return "parent's process ID";
	*read = own->start / (1000000000 / sysconf(_SC_CLK_TCK));
	*is = ticks ?: *read;
	if (*read != *is)
		return "start time in ticks";
	*read = *is = 0;
	return strncmp(own->comm, own->task_comm, sizeof(own->comm)) ? "name" : NULL;
}

/* `missing` names a member that the file's types lack. If NULL, `wrong` names what differs; equal numbers mean that
 * it is a text. */
static void differs_report(const char *path, const char *missing, const char *wrong,
			   unsigned long long read, unsigned long long is)
{
	if (missing)
		log_error("the types in '%s' are not those of the running kernel: they have no "
			  "task_struct.%s",
			  path, missing);
	else if (read != is)
		log_error(
			"the types in '%s' are not those of the running kernel: with them coretap's own %s "
			"would be %llu, but it is %llu",
			path, wrong, read, is);
	else
		log_error(
			"the types in '%s' are not those of the running kernel: with them coretap itself "
			"would have another %s",
			path, wrong);
}

static enum btf_trust check(const char *path, const struct btf_view *types)
{
	struct place places[PLACES] = {
		{ "tgid", 0 },
		{ "comm", 0 },
		{ "start_boottime", 0 },
		{ "real_parent", 0 },
	};
	const char *missing = members_find(types, places), *wrong;
	unsigned long long read, is;
	struct own own = { 0 };
	int err = missing ? 0 : own_read(places, &own);

	if (err == -EPERM || err == -EACCES) {
		attach_explain(NULL, types, err);
		return BTF_TRUST_UNKNOWN;
	}
	if (err) {
		log_error("cannot check whether the types in '%s' are the running kernel's: %s",
			  path, strerror(-err));
		log_hint("--btf-force uses them unchecked");
		return BTF_TRUST_UNKNOWN;
	}
	wrong = missing ? NULL : own_wrong_value(&own, &read, &is);
	if (!missing && !wrong)
		return BTF_TRUST_CHECKED;
	differs_report(path, missing, wrong, read, is);
	log_hint(
		"take them from this kernel's own vmlinux: objcopy --dump-section .BTF=FILE vmlinux; "
		"--btf-force uses these anyway");
	return BTF_TRUST_NONE;
}

enum btf_trust btf_trust(const char *path, const struct btf_view *types)
{
	int kernel = open(BTF_FOLDER "/vmlinux", O_RDONLY | O_CLOEXEC);
	enum btf_trust trust;

	if (kernel < 0)
		return check(path, types);
	trust = compare(path, kernel);
	close(kernel);
	return trust;
}
