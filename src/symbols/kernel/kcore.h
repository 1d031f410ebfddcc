/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcore.h - reads the kernel's memory by address from /proc/kcore, an ELF core file with a segment for each range of
 * addresses.
 *
 * Needs root; a kernel under lockdown refuses it.
 */
#ifndef CORETAP_SYMBOLS_KERNEL_KCORE_H
#define CORETAP_SYMBOLS_KERNEL_KCORE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct kcore; /* An open file. */

/* Returns 0; -EBADMSG if it is not a core file; or another -errno. After 0, the caller closes *k. */
int kcore_open(const char *path, struct kcore **k);
/* Returns how many bytes were read from `address` on, which may be fewer than `size`; -EFAULT if the file does not
 * contain them; or another -errno. */
ssize_t kcore_read(const struct kcore *k, uint64_t address, void *bytes, size_t size);
void kcore_close(struct kcore *k); /* k may be NULL */

#endif
