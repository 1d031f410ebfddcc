/* SPDX-License-Identifier: GPL-2.0-only */
/* disk_wanted.h - the disks and partitions to which an applet is limited. */
#ifndef CORETAP_DISK_WANTED_H
#define CORETAP_DISK_WANTED_H

#define DISKS_MAX 8

struct disk_wanted {
	char name[32];
	char mask[32]; /* of its bytes with the NUL: drivers leave others behind that */
	__u32 part;
	__u32 is_part; /* that partition alone */
};

#endif
