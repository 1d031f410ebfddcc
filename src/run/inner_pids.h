/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inner_pids.h - --inner-pids: processes of other pid namespaces with the numbers that these have for
 * them. The programs keep these in a map (bpf/lib/record.bpf.h), so that no record is larger.
 */
#ifndef CORETAP_RUN_INNER_PIDS_H
#define CORETAP_RUN_INNER_PIDS_H

#include "output/field/record.h"

/* argdump's EXPR for it. */
#define INNER_PID_EXPR "inner_pid=$task->signal->pids[1]->numbers[$task->signal->pids[1]->level].nr"

/* From now on: the map (borrowed). */
void inner_pids_use(int map_fd);
/* The number of a process or thread as it is shown; 0: it is in our namespace, or not known. */
uint32_t inner_of(uint32_t pid);
/* Shows them: the fields are replaced by *owned, which the caller frees after the schema's last use. 0 or
 * -ENOMEM. */
int inner_pids_show(struct schema *s, struct field **owned);

#endif
