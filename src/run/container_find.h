/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * container_find.h - --container: an id or name → the cgroups to filter by.
 */
#ifndef CORETAP_RUN_CONTAINER_FIND_H
#define CORETAP_RUN_CONTAINER_FIND_H

struct session;

/* Adds the cgroups of the container `text` (filter_cgroup_add). Returns an exit status after printing any
 * error. */
int container_find(struct session *s, const char *text);

#endif
