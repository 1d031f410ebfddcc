/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * request_hooks.h - the hooks of an applet that follows disk requests: the programs of
 * bpf/lib/request.bpf.h.
 */
#ifndef CORETAP_APPLETS_REQUEST_HOOKS_H
#define CORETAP_APPLETS_REQUEST_HOOKS_H

#include "attach/plan.h"

extern const struct hook request_hooks[];

#endif
