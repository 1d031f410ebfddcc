/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vmlinux.h - the kernel types that the suite relies on: minimal types, each with only the fields
 * that are used, relocated at load against the running kernel's BTF (CO-RE).
 *
 * Not generated. Comments mark fields that differ between kernels; a second layout of a struct has
 * a ___suffix, which libbpf ignores when it matches names. `make check` verifies each field against
 * every kernel BTF that is available (tools/check-vmlinux).
 */
#ifndef CORETAP_VMLINUX_H
#define CORETAP_VMLINUX_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s32 s32;
typedef __s64 s64;

typedef struct {
	int counter;
} atomic_t;

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

#include "task.h"
#include "fs.h"
#include "mm.h"
#include "io_uring.h"
#include "block.h"
#include "net.h"

#pragma clang attribute pop

#endif
