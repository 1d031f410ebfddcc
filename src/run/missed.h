/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * missed.h - how many hits a kprobe or kretprobe missed, on kernels that count them but do not tell: before 6.7 the
 * number is in the kernel's memory alone, where a program of ours reads it.
 */
#ifndef CORETAP_RUN_MISSED_H
#define CORETAP_RUN_MISSED_H

#include <stdbool.h>
#include <stdint.h>

struct btf_view;

/* Loads the program. by_link: the fds that it is asked about are of links, not of the perf events themselves. Returns its
 * fd, which the caller closes, or -errno: -EOPNOTSUPP if the types do not say where the number is. */
int missed_open(const struct btf_view *btf, bool by_link);
/* What the kernel's probe behind an fd of this process missed, or -errno. Of the fd attach_link must have made a
 * probe of method ATTACH_KPROBE. */
int64_t missed_read(int prog_fd, int fd);

#endif
