/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gauge.h - numbers that the kernel has beside what is counted, read when a row is printed: those of /proc/meminfo.
 */
#ifndef CORETAP_COUNT_GAUGE_H
#define CORETAP_COUNT_GAUGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads the number of that name now; sizes are in bytes. Returns false if the kernel has none of that name. The first
 * call opens the file, and must be made before the right to open files is dropped. */
bool gauge_meminfo(const char *name, size_t len, uint64_t *value);

#endif
