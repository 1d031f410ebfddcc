/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * switches.h - settings of the kernel under which programs attach and are never run: which of them
 * concerns a method and its target, and whether it is set so now (switches.def).
 */
#ifndef CORETAP_ATTACH_SWITCHES_H
#define CORETAP_ATTACH_SWITCHES_H

#include "attach/method.h"

struct attach_switch {
	const char *file;
	const char *bad;    /* the first character of values under which nothing runs */
	unsigned needed_by; /* enum attach_trait: methods that always need it … */
	unsigned may_need; /* … and those that need it for targets for which `concerns` is true */
	bool (*concerns)(const struct attach_target *t);
	const char *is, *means; /* "X is 0", and what follows from that */
	const char *remedy;	/* what to do */
};

/* The first switch that is off now and that a link of a method with these traits (enum attach_trait) needs; NULL: none.
 * Reads the settings each time. */
const struct attach_switch *attach_switched_off(unsigned traits, const struct attach_target *t);
/* The last result of attach_switched_off that was not NULL: the reason of ERR_SWITCHED_OFF. */
const struct attach_switch *attach_switch_refused(void);
/* Remembers that a method with these traits made a link. */
void attach_switches_note(unsigned traits, const struct attach_target *t);
/* The first switch that is off now and that a link of this process may need; NULL: none. */
const struct attach_switch *attach_switches_check(void);

#endif
