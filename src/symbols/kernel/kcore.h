/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcore.h - the kernel's memory by address: /proc/kcore, an ELF core file with a segment for each
 * range of addresses.
 *
 * Needs root; a kernel that is locked down refuses it.
 */
#ifndef CORETAP_SYMBOLS_KERNEL_KCORE_H
#define CORETAP_SYMBOLS_KERNEL_KCORE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct kcore; /* an open file */

/* Returns 0 or -errno; -EBADMSG: it is no such file. The caller closes *k after 0. */
int kcore_open(const char *path, struct kcore **k);
/* Returns how many bytes from `address` on were read, which may be fewer than `size`, or -errno;
 * -EFAULT: the file does not have them. */
ssize_t kcore_read(const struct kcore *k, uint64_t address, void *bytes, size_t size);
void kcore_close(struct kcore *k); /* NULL is fine */

#endif
