/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * online.c - asks now and then which processors are online. The kernel removes the events of one that goes offline, and
 * makes none when it comes back.
 */
#include "argdump/online.h"

#include <string.h>

#include "argdump/argdump.h"
#include "argdump/providers/sample.h"
#include "attach/sample.h"
#include "util/errname.h"
#include "util/log.h"

static void processor_add(struct session *s, struct argdump *a, int cpu)
{
	int err = 0;

	for (size_t i = 0; i < a->probe_count && !err; i++)
		err = sample_attach_cpu(&a->probes[i], cpu);
	if (err) {
		s->losses.local[LOSS_CPU]++;
		log_debug(1, "processor %d: %s", cpu, errtext(-err));
		return;
	}
	log_note("processor %d came online: its samples begin now", cpu);
}

void online_look(struct session *s)
{
	static unsigned char before[SAMPLE_CPUS_MAX], now[SAMPLE_CPUS_MAX];
	static int cpus[SAMPLE_CPUS_MAX];
	static bool looked;
	int count = sample_cpus(cpus, SAMPLE_CPUS_MAX);

	if (count < 0)
		return;
	memset(now, 0, sizeof(now));
	for (int i = 0; i < count; i++) {
		if (cpus[i] >= SAMPLE_CPUS_MAX)
			continue;
		now[cpus[i]] = true;
		if (looked && !before[cpus[i]])
			processor_add(s, s->private, cpus[i]);
	}
	memcpy(before, now, sizeof(before));
	looked = true;
}
