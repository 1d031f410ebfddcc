/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bpf_programs.c - reads what the kernel knows about loaded BPF programs.
 */
#include "kernel/bpf_programs.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads the BTF ids of the functions. Without types there are none. */
static int functions_read(int fd, struct bpf_program_info *info, uint32_t count, uint32_t size)
{
	struct bpf_prog_info raw = { 0 };
	__u32 len = sizeof(raw);
	char *records;
	int err;

	if (!count || size < sizeof(struct bpf_func_info))
		return 0;
	records = calloc(count, size);
	if (!records)
		return -ENOMEM;
	raw.func_info = (uintptr_t)records;
	raw.nr_func_info = count;
	raw.func_info_rec_size = size;
	err = bpf_obj_get_info_by_fd(fd, &raw, &len) ? -errno : 0;
	for (uint32_t i = 0; !err && i < count && i < BPF_PROGRAM_FUNCTIONS; i++) {
		const struct bpf_func_info *f = (const void *)(records + (size_t)i * size);

		info->functions[info->function_count++] = f->type_id;
	}
	free(records);
	return err;
}

static int info_read(int fd, struct bpf_program_info *info)
{
	struct bpf_prog_info raw = { 0 };
	__u32 len = sizeof(raw);

	if (bpf_obj_get_info_by_fd(fd, &raw, &len))
		return -errno;
	info->id = raw.id;
	info->type = raw.type;
	info->btf_id = raw.btf_id;
	info->uid = raw.created_by_uid;
	info->is_jited = raw.jited_prog_len != 0;
	info->runs = raw.run_cnt;
	info->run_ns = raw.run_time_ns;
	info->loaded = raw.load_time;
	info->map_count = raw.nr_map_ids;
	info->function_count = 0;
	snprintf(info->name, sizeof(info->name), "%s", raw.name);
	for (size_t i = 0; i < sizeof(raw.tag); i++)
		snprintf(info->tag + 2 * i, 3, "%02x", raw.tag[i]);
	return functions_read(fd, info, raw.nr_func_info, raw.func_info_rec_size);
}

/* Opens the program with the next id after `after`. Returns an fd, -ENOENT after the last one, or -errno. */
static int program_next(uint32_t after, struct bpf_program_info *info)
{
	__u32 id = after;
	int fd, err;

	while (!bpf_prog_get_next_id(id, &id)) {
		fd = bpf_prog_get_fd_by_id(id);
		if (fd < 0 && errno == ENOENT)
			continue;
		if (fd < 0)
			return -errno;
		err = info_read(fd, info);
		if (!err)
			return fd;
		close(fd);
		return err;
	}
	return -errno;
}

int bpf_programs_each(bpf_program_fn *each, void *ctx)
{
	struct bpf_program_info info = { 0 };
	int fd, stop = 0;

	while (!stop && (fd = program_next(info.id, &info)) >= 0) {
		stop = each(ctx, &info, fd);
		close(fd);
	}
	return stop ?: fd == -ENOENT ? 0 : fd;
}

/* Asks for the size first. */
static int types_copy(int fd, void **bytes, size_t *size)
{
	struct bpf_btf_info info = { 0 };
	__u32 len = sizeof(info);

	if (bpf_obj_get_info_by_fd(fd, &info, &len))
		return -errno;
	*size = info.btf_size;
	*bytes = malloc(*size);
	if (!*bytes)
		return -ENOMEM;
	info = (struct bpf_btf_info){ .btf = (uintptr_t)*bytes, .btf_size = *size };
	len = sizeof(info);
	if (!bpf_obj_get_info_by_fd(fd, &info, &len))
		return 0;
	free(*bytes);
	return -errno;
}

int bpf_types_read(uint32_t btf_id, void **bytes, size_t *size)
{
	int fd = bpf_btf_get_fd_by_id(btf_id), err;

	if (fd < 0)
		return -errno;
	err = types_copy(fd, bytes, size);
	close(fd);
	return err;
}

bool bpf_types_are_kernel(uint32_t btf_id)
{
	char name[64] = "";
	/* name, name_len and kernel_btf came in 5.11: before, only the kernel's own could be meant */
	struct bpf_btf_info info = { .name = (uintptr_t)name, .name_len = sizeof(name) };
	__u32 len = sizeof(info);
	int fd = btf_id ? bpf_btf_get_fd_by_id(btf_id) : -1;

	if (fd < 0)
		return !btf_id;
	if (bpf_obj_get_info_by_fd(fd, &info, &len))
		info.kernel_btf = 0;
	close(fd);
	return info.kernel_btf && !strcmp(name, "vmlinux");
}
