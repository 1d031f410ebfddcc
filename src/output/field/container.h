/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * container.h - shows a cgroup's id as the container that it belongs to.
 */
#ifndef CORETAP_OUTPUT_FIELD_CONTAINER_H
#define CORETAP_OUTPUT_FIELD_CONTAINER_H

#include "output/field/field.h"
#include "output/field/timestamp.h"
#include "output/field/value.h"

int load_container(const struct field *f, const void *record, size_t size, struct value *v);
/* Shortens an id to its first digits, as docker prints it; JSON has all digits. */
size_t text_container(struct buf *o, const struct field *f, const struct value *v,
		      enum timestamp_form form);
/* Returns where the cgroup file system (version 2) is mounted; NULL: nowhere. */
const char *cgroup_mount(void);
/* Opens a cgroup by its number: a descriptor, or -1. */
int cgroup_open_id(uint64_t id, int how);

#endif
