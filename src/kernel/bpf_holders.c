/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bpf_holders.c - reads /proc/PID/fd and /proc/PID/fdinfo.
 *
 * The link of a descriptor tells what it is, so only the fdinfo of those is opened that may have a program.
 */
#include "kernel/bpf_holders.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void found_fn(void *ctx, const struct bpf_holder *holder);

/* Returns the number behind "KEY:" in a file of fdinfo; 0: none. */
static uint64_t info_number(const char *path, const char *key)
{
	FILE *f = fopen(path, "re");
	size_t len = strlen(key);
	char line[128];
	uint64_t number = 0;

	while (f && !number && fgets(line, sizeof(line), f))
		if (!strncmp(line, key, len) && line[len] == ':')
			number = strtoull(line + len + 1, NULL, 10);
	if (f)
		fclose(f);
	return number;
}

/* By the names of their descriptors, in brackets or not. */
static enum bpf_holding what_of(const char *target)
{
	static const struct {
		const char *name;
		enum bpf_holding what;
	} names[] = {
		{ "bpf-prog", BPF_HOLDS_PROGRAM },   { "bpf-map", BPF_HOLDS_MAP },
		{ "bpf-link", BPF_HOLDS_LINK },	     { "bpf_link", BPF_HOLDS_LINK },
		{ "[perf_event]", BPF_HOLDS_EVENT },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strstr(target, names[i].name))
			return names[i].what;
	return BPF_HOLDINGS;
}

static void descriptor_read(uint32_t pid, const char *name, found_fn *found, void *ctx)
{
	static const char inode[] = "anon_inode:";
	struct bpf_holder holder = { .pid = pid, .fd = atoi(name) };
	char path[64], target[64] = "";

	snprintf(path, sizeof(path), "/proc/%u/fd/%.12s", pid, name);
	if (readlink(path, target, sizeof(target) - 1) < 0 || strncmp(target, inode, strlen(inode)))
		return;
	holder.what = what_of(target);
	if (holder.what == BPF_HOLDINGS)
		return;
	if (holder.what == BPF_HOLDS_PROGRAM || holder.what == BPF_HOLDS_LINK) {
		snprintf(path, sizeof(path), "/proc/%u/fdinfo/%.12s", pid, name);
		holder.program = (uint32_t)info_number(path, "prog_id");
	}
	if (holder.what == BPF_HOLDS_LINK)
		holder.link = (uint32_t)info_number(path, "link_id");
	found(ctx, &holder);
}

static void process_read(uint32_t pid, found_fn *found, void *ctx)
{
	char path[32];
	struct dirent *e;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%u/fd", pid);
	dir = opendir(path);
	while (dir && (e = readdir(dir)))
		if (isdigit((unsigned char)*e->d_name))
			descriptor_read(pid, e->d_name, found, ctx);
	if (dir)
		closedir(dir);
}

void bpf_holders_each(found_fn *found, void *ctx)
{
	DIR *dir = opendir("/proc");
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		if (isdigit((unsigned char)*e->d_name))
			process_read((uint32_t)atoi(e->d_name), found, ctx);
	if (dir)
		closedir(dir);
}

uint64_t bpf_program_memory(int fd)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	return info_number(path, "memlock");
}
