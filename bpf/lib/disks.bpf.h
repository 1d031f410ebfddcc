/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * disks.bpf.h - limits an applet to some disks (src/applets/disks.h sets them).
 */
#ifndef CORETAP_BPF_DISKS_H
#define CORETAP_BPF_DISKS_H

#include "disk_wanted.h"

const volatile __u32 disk_count = 0;
const volatile struct disk_wanted disks[DISKS_MAX] = {};

static __always_inline bool disk_equal(const char *disk, __u32 part, __u32 i)
{
	const volatile __u64 *wanted = (const volatile __u64 *)disks[i].name;
	const volatile __u64 *mask = (const volatile __u64 *)disks[i].mask;
	const __u64 *name = (const __u64 *)disk;

	for (int j = 0; j < 4; j++)
		if ((name[j] ^ wanted[j]) & mask[j])
			return false;
	return !disks[i].is_part || part == disks[i].part;
}

/* `disk`: 32 bytes, aligned to 8. */
static __always_inline bool disk_pass(const char *disk, __u32 part)
{
	for (__u32 i = 0; i < DISKS_MAX && i < disk_count; i++)
		if (disk_equal(disk, part, i))
			return true;
	return !disk_count;
}

#endif
