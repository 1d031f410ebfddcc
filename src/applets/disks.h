/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * disks.h - an applet's option for disks: their names, as bpf/lib/disks.bpf.h compares them.
 */
#ifndef CORETAP_APPLETS_DISKS_H
#define CORETAP_APPLETS_DISKS_H

#include <linux/types.h>
#include <stdbool.h>

#include "cli/options.h"
#include "disk_wanted.h"

/* Reads the names that `option` got: sda, sda1, /dev/disk/by-…. With `check` they must exist. Exits with a message
 * otherwise. */
void disks_read(const char *option, const struct option_list *names, bool check,
		struct disk_wanted disks[DISKS_MAX]);

#endif
