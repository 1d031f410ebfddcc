/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * files_special.h - private to syscalls/: sockets and devices behind descriptors. Nothing is written
 * where the record has no more than the path.
 */
#ifndef CORETAP_SYSCALLS_FILES_SPECIAL_H
#define CORETAP_SYSCALLS_FILES_SPECIAL_H

#include "syscalls/text.h"

/* TCP:[127.0.0.1:80->127.0.0.1:4711]. `file`: its path as the record has it. Returns false if it is no
 * socket, or of a family whose sockets are told by their inode alone. */
bool special_put_socket(struct out *out, unsigned arg, const struct value *file);
/* Behind the path of a device: <char 1:3> */
void special_put_device(struct out *out, unsigned arg);

#endif
