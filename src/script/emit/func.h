/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * func.h - emitters of builtins and functions, for the table in func.c.
 */
#ifndef CORETAP_SCRIPT_EMIT_FUNC_H
#define CORETAP_SCRIPT_EMIT_FUNC_H

#include "script/emit/gen.h"

/* r0 = the value */
typedef void value_fn(struct sgen *g, struct script_expr *e);
typedef void image_fn(struct sgen *g, struct script_expr *e, const struct script_type *want,
		      struct place to, bool is_key);

/* ---- func_task.c ---- */

/* r0 = the id of the process or thread in the namespace of coretap; if e->value is 1, in the initial one. */
void id_gen(struct sgen *g, struct script_expr *e, bool is_thread);
value_fn pid_gen, tid_gen, uid_gen, gid_gen, task_gen, ppid_gen;
value_fn cpu_gen, node_gen, cpus_gen, cgroup_gen, nsecs_gen, elapsed_gen, jiffies_gen, rand_gen;
image_fn comm_gen, username_gen;

/* ---- task_find.c ---- */

/* r0 = the task whose number is the first argument, or 0. */
value_fn task_find_gen;

/* ---- func_packet.c ---- */

value_fn pcap_gen;
image_fn packet_gen;

/* ---- func_value.c ---- */

value_fn ctx_gen, usermode_gen, traced_gen, irq_gen;
image_fn point_image, number_image, usym_image, strftime_image, cgroup_path_image;

#endif
