/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * joint.c - which probes share a link of kprobe.session, because each link takes a long time. How they are attached is in
 * providers/multi_attach.c.
 */
#include <string.h>

#include "probe/argdump.h"

static bool joins(const struct argdump_probe *p)
{
	return p->kind->joins && !p->request->pair && p->target.kprobe_multi &&
	       p->target.attach_kprobe_session && p->kind->joins(p);
}

/* Returns the link of a probe: one after those of earlier probes on the same function. */
static unsigned joint_number(const struct argdump *a, const struct argdump_probe *p)
{
	unsigned number = 1;

	for (const struct argdump_probe *q = a->probes; q < p; q++)
		number += q->limits.joint && !strcmp(q->symbol.name, p->symbol.name);
	return number;
}

enum { JOINT_LEAST = 3 }; /* fewer are attached one by one as fast */

void joint_choose(const struct session *s, struct argdump *a)
{
	struct argdump_probe *p, *end = a->probes + a->probe_count;
	size_t count = 0;

	for (p = a->probes; p < end; p++)
		count += joins(p);
	if (count < JOINT_LEAST || s->options.attach.method != ATTACH_ANY || a->language ||
	    a->within.marks || argdump_marks(a))
		return;
	for (p = a->probes; p < end; p++) {
		if (!joins(p))
			continue;
		p->limits.joint = joint_number(a, p);
		p->limits.method = ATTACH_KPROBE_SESSION;
	}
}
