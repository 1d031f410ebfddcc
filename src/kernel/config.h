/* SPDX-License-Identifier: GPL-2.0-only */
/* config.h - the running kernel's configuration, and where distributions have its file with debug information. */
#ifndef CORETAP_KERNEL_CONFIG_H
#define CORETAP_KERNEL_CONFIG_H

#include <stdio.h>

/* Where packages of distributions, and builds, install a kernel with debug information; %1$s: its release. */
#define KERNEL_DEBUG_FILES                                                                         \
	"/usr/lib/debug/boot/vmlinux-%1$s", "/usr/lib/debug/boot/vmlinux-%1$s.debug",              \
		"/usr/lib/debug/lib/modules/%1$s/vmlinux", "/usr/lib/debug/vmlinux-%1$s",          \
		"/lib/modules/%1$s/build/vmlinux", "/lib/modules/%1$s/vmlinux",                    \
		"/lib/modules/%1$s/vmlinux-%1$s", "/lib/modules/%1$s/kernel/vmlinux",              \
		"/boot/vmlinux-%1$s"

/* The packages that have it, for messages. */
#define KERNEL_DEBUG_PACKAGES                                                                      \
	"linux-image-$(uname -r)-dbg (Debian), linux-image-$(uname -r)-dbgsym (Ubuntu), "          \
	"kernel-debuginfo (Fedora, RHEL), kernel-default-debuginfo (SUSE)"

/* Opens the configuration of the running kernel, lines of CONFIG_NAME=VALUE. The caller closes it. NULL: there is none. */
FILE *kernel_config_open(const char *release);

#endif
