/* SPDX-License-Identifier: GPL-2.0 */
/*
 * program.c - maps, load and link of generated programs, by libbpf's thin wrappers of bpf(2).
 */
#include "core/program.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <unistd.h>

#define FOLLOWED_MAX 16384 /* processes of a family; as in bpf/common.bpf.h */

enum {
	CALLS_MAX = 16384, /* in flight at a time … */
	CALLS_MIN = 1024,
	CALLS_MIN_EACH = 128, /* of many maps */
	CALLS_BYTES = 8 << 20, /* … as many as fit here */
};

int program_map_create(enum bpf_map_type type, const char *name, int key, int value, int entries,
		       int flags)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = flags);

	return bpf_map_create(type, name, key, value, entries, &opts);
}

int program_maps_open(struct program_maps *m, size_t ring_size, bool follow, bool by_cgroup)
{
	int err = 0;

	*m = (struct program_maps){ -1, -1, -1, -1, -1 };
	if (ring_size)
		m->ring = program_map_create(BPF_MAP_TYPE_RINGBUF, "ring", 0, 0, ring_size, 0);
	m->losses = program_map_create(BPF_MAP_TYPE_PERCPU_ARRAY, "losses", 4, 8, LOSS_MAX, 0);
	if (follow)
		m->followed = program_map_create(BPF_MAP_TYPE_HASH, "followed", 4, 1, FOLLOWED_MAX, 0);
	if (by_cgroup)
		m->cgroups = program_map_create(BPF_MAP_TYPE_CGROUP_ARRAY, "cgroups", 4, 4, 1, 0);
	if ((ring_size && m->ring < 0) || m->losses < 0 ||
	    (follow && m->followed < 0) || (by_cgroup && m->cgroups < 0))
		err = -errno;
	if (err)
		program_maps_close(m);
	return err;
}

void program_maps_close(struct program_maps *m)
{
	int *fds[] = { &m->ring, &m->losses, &m->followed, &m->cgroups, &m->text };

	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
		if (*fds[i] >= 0)
			close(*fds[i]);
		*fds[i] = -1;
	}
}

int program_text_open(struct program_maps *m, size_t size)
{
	m->text = program_map_create(BPF_MAP_TYPE_PERCPU_ARRAY, "text", 4, size, 1, 0);
	return m->text < 0 ? -errno : 0;
}

int program_table_map(const void *table, size_t size)
{
	uint32_t key = 0;
	int fd = program_map_create(BPF_MAP_TYPE_ARRAY, "table", sizeof(key), size, 1, 0), err;

	if (fd < 0)
		return -errno;
	if (!bpf_map_update_elem(fd, &key, table, BPF_ANY))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

int program_switch_open(size_t count)
{
	int fd = bpf_map_create(BPF_MAP_TYPE_PROG_ARRAY, "switch", 4, 4, count, NULL);

	return fd < 0 ? -errno : fd;
}

int program_switch_set(int map_fd, uint32_t number, int prog_fd)
{
	return bpf_map_update_elem(map_fd, &number, &prog_fd, BPF_ANY) ? -errno : 0;
}

int program_load_as(const struct bpf_insn *insns, size_t count, const struct program_type *type,
		    char *log, size_t log_size)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .log_buf = log, .log_size = log_size,
		    .log_level = log ? 1 : 0, .expected_attach_type = type->attach,
		    .attach_btf_id = type->btf_id, .attach_btf_obj_fd = type->btf_fd);
	int fd = bpf_prog_load(type->prog, "argdump", "GPL", insns, count, &opts);

	return fd < 0 ? -errno : fd;
}

static int load(const struct bpf_insn *insns, size_t count, enum probe_rung rung, bool is_return,
		uint32_t func, char *log, size_t log_size)
{
	struct program_type type = { .prog = BPF_PROG_TYPE_KPROBE };

	if (rung == PROBE_RUNG_FENTRY)
		type = (struct program_type){ BPF_PROG_TYPE_TRACING,
					      is_return ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY, func, 0 };
	else if (rung == PROBE_RUNG_KPROBE_MULTI)
		type.attach = BPF_TRACE_KPROBE_MULTI;
	return program_load_as(insns, count, &type, log, log_size);
}

int program_load(const struct bpf_insn *insns, size_t count, enum probe_rung rung, uint32_t func,
		 char *log, size_t log_size)
{
	return load(insns, count, rung, false, func, log, log_size);
}

int program_load_return(const struct bpf_insn *insns, size_t count, enum probe_rung rung,
			uint32_t func, char *log, size_t log_size)
{
	return load(insns, count, rung, true, func, log, log_size);
}

static int attach(int prog_fd, enum probe_rung rung, const char *function, bool is_return)
{
	switch (rung) {
	case PROBE_RUNG_FENTRY:
		return probe_link_tracing(prog_fd);
	case PROBE_RUNG_KPROBE_MULTI:
		return probe_link_kprobe_multi(prog_fd, &(struct probe_multi){
			.count = 1, .names = &function, .is_return = is_return });
	case PROBE_RUNG_KPROBE:
		return probe_link_kprobe(prog_fd, function, 0, is_return);
	default:
		return -EINVAL;
	}
}

int program_attach(int prog_fd, enum probe_rung rung, const char *function)
{
	return attach(prog_fd, rung, function, false);
}

int program_attach_return(int prog_fd, enum probe_rung rung, const char *function)
{
	return attach(prog_fd, rung, function, true);
}

/* Its entries are there from the beginning on: making them while a call is traced may not be possible. */
int program_calls_map(uint32_t size, size_t maps)
{
	int calls = CALLS_BYTES / size / maps, min = maps > 1 ? CALLS_MIN_EACH : CALLS_MIN, fd;

	calls = calls > CALLS_MAX ? CALLS_MAX : calls < min ? min : calls;
	fd = program_map_create(BPF_MAP_TYPE_HASH, "calls", sizeof(uint64_t), size, calls, 0);
	return fd < 0 ? -errno : fd;
}

int program_places_map(uint32_t size)
{
	int fd = program_map_create(BPF_MAP_TYPE_ARRAY, "places", sizeof(uint32_t), size, 1, 0);

	return fd < 0 ? -errno : fd;
}
