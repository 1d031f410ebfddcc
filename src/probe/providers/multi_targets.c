/* SPDX-License-Identifier: GPL-2.0-only */
/* multi_targets.c - the functions of a set of probes: names, addresses, cookies and BTF ids. */
#include <errno.h>
#include <stdlib.h>

#include "probe/providers/multi_targets.h"
#include "symbols/kernel/functions.h"

void multi_targets_free(struct multi_targets *t)
{
	free(t->names);
	free(t->addresses);
	free(t->cookies);
	free(t->ids);
}

static void target_add(struct multi_targets *t, const struct function *f, uint64_t cookie)
{
	size_t i = t->count++;

	t->names[i] = f->name;
	t->addresses[i] = f->address;
	t->cookies[i] = cookie;
	t->ids[i] = f->id;
	t->have_addresses &= f->address != 0;
}

size_t multi_functions_count(struct argdump_probe *const *probes, size_t count)
{
	size_t total = 0;

	for (size_t i = 0; i < count; i++)
		total += probes[i]->functions.count ?: 1;
	return total;
}

static void probe_add(struct multi_targets *t, const struct argdump_probe *p, uint64_t number)
{
	const struct function alone = { .name = p->symbol.name, .id = p->input.site.func_id };

	if (!p->functions.count)
		target_add(t, &alone, number << 32 | p->first_point);
	for (size_t i = 0; i < p->functions.count; i++)
		target_add(t, p->functions.items[i], number << 32 | (p->first_point + i));
}

int multi_targets_build(struct multi_targets *t, struct argdump_probe *const *probes, size_t count)
{
	size_t total = multi_functions_count(probes, count);

	*t = (struct multi_targets){
		.names = calloc(total, sizeof(*t->names)),
		.addresses = calloc(total, sizeof(*t->addresses)),
		.cookies = calloc(total, sizeof(*t->cookies)),
		.ids = calloc(total, sizeof(*t->ids)),
		.have_addresses = true,
	};
	if (!t->names || !t->addresses || !t->cookies || !t->ids)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		probe_add(t, probes[i], i);
	return 0;
}
