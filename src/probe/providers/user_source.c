/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_source.c - the attach target of a probe on functions of a user's file: one offset, or a set of them.
 */
#include "probe/providers/providers.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void user_set_free(struct user_set *set)
{
	if (!set)
		return;
	usym_functions_free(&set->found);
	for (size_t i = 0; i < set->name_count; i++)
		free(set->names[i]);
	free(set->names);
	free(set->symbols);
	free(set->list);
	free(set);
}

static bool user_set_has(const struct user_set *set, uint64_t offset)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->list[i].address == offset)
			return true;
	return false;
}

static void user_free(void *source)
{
	struct user_source *u = source;

	if (u->file.fd >= 0)
		close(u->file.fd);
	user_set_free(u->set);
	user_params_free(u->params);
	free(u->symbol);
	free(u);
}

struct argdump_probe *user_probe_add(struct argdump *a, const struct argdump_request *request,
				     const struct user_source *u, const char *name,
				     const struct probe_ops *kind, const struct expr_target *target)
{
	struct user_source *copy = malloc(sizeof(*copy));
	struct argdump_probe *p = copy ? argdump_probe_add(a, request, name) : NULL;

	if (!p) {
		if (u->file.fd >= 0)
			close(u->file.fd);
		user_set_free(u->set);
		free(copy);
		return NULL;
	}
	*copy = *u;
	p->source = copy;
	p->source_free = user_free;
	p->target = *target;
	p->kind = kind;
	return p;
}

bool user_offset_is_known(const struct argdump *a, const struct argdump_request *request,
			  const struct user_source *u, uint64_t offset)
{
	for (const struct argdump_probe *p = a->probes; p < a->probes + a->probe_count; p++) {
		const struct user_source *other = p->source;

		if (p->request != request || strcmp(other->file.path, u->file.path))
			continue;
		if (other->set ? user_set_has(other->set, offset) : other->offset == offset)
			return true;
	}
	return false;
}

void user_prepare(struct argdump_probe *p, const struct argdump_variant *variant)
{
	const struct user_source *u = p->source;

	(void)variant;
	if (p->kind->scope != EXPR_SCOPE_CALL)
		p->input.scope = p->request->spec.is_return ? EXPR_SCOPE_RETURN : EXPR_SCOPE_ENTRY;
	p->input.site.in_user = !u->in_kernel;
	p->input.site.at_entry = !u->inside;
	p->input.site.in_user32 = u->file.is_32;
	p->input.site.name = p->name;
	p->input.site.unnamed = u->unnamed;
	if (u->params) {
		p->input.site.params = u->params->list;
		p->input.site.param_count = u->params->count;
		p->input.site.first_register = u->params->named;
		p->input.site.own_types = true;
		p->input.site.has_texts = u->params->has_texts;
		p->input.site.in_body = u->inside;
		p->input.site.result_pointed = u->params->result_pointed;
	} else if (!p->btf) {
		argdump_registers_set(&p->input.site, u->inside);
	}
}

void user_target(const struct argdump_probe *p, const struct argdump_variant *variant,
		 struct attach_target *t)
{
	const struct user_source *u = p->source;

	(void)variant;
	*t = (struct attach_target){ .path = u->file.self,
				     .offset = u->offset,
				     .is_return = p->request->spec.is_return };
}
