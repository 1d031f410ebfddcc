/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * request_hooks.c - the tracepoints in the life of a disk request. The end is attached first, so that no request is
 * recorded whose end would be missed.
 */
#include "applets/request_hooks.h"

bool request_copies;

const struct hook request_hooks[] = { REQUEST_HOOKS("request_complete"),
				      REQUEST_ALL_COPIES(&request_copies),
				      { 0 } };
