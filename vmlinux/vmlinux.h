/* SPDX-License-Identifier: GPL-2.0 */
/*
 * vmlinux.h - the kernel surface the suite relies on: minimal types, each with only the fields
 * used, relocated at load against the running kernel's BTF (CO-RE).
 *
 * Not generated. A field that differs between kernels says so here; a second layout of the same
 * struct has a ___suffix, which libbpf ignores when it matches names. `make check` verifies each
 * field against every kernel BTF at hand (tools/check-vmlinux).
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

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

#include "task.h"
#include "fs.h"
#include "mm.h"
#include "io_uring.h"

#pragma clang attribute pop

#endif
