/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * online.c - asks now and then which processors are online, and attaches to those that have come.
 */
#include "front/online.h"

#include "probe/argdump.h"
#include "probe/providers/providers.h"
#include "kernel/processors.h"
#include "util/errname.h"
#include "util/log.h"

static void processor_add(void *ctx, int cpu)
{
	struct session *s = ctx;
	struct argdump *a = s->private;
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

void online_poll(struct session *s)
{
	static struct processors known;

	processors_poll(&known, processor_add, s);
}
