/* SPDX-License-Identifier: GPL-2.0-only */
/* hooks.h - where opensnoop's programs are attached, and which of them. */
#ifndef CORETAP_APPLETS_OPENSNOOP_HOOKS_H
#define CORETAP_APPLETS_OPENSNOOP_HOOKS_H

#include <stdbool.h>

#include "attach/plan.h"

extern bool opensnoop_all; /* --all */
extern struct hook opensnoop_hooks[];
extern const enum attach_method_id opensnoop_order_preempted[];

/* `entry`: the entry of an open is needed on every kernel. `walk`: programs walk directories and compare names. */
void opensnoop_hooks_choose(bool entry, bool walk);

#endif
