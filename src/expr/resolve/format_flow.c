/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format_flow.c - :flow of a struct sk_buff *: where it says that its headers are.
 */
#include "expr/resolve/format.h"

#include <string.h>

#include "expr/ctype.h"
#include "output/field/flow.h"

static bool offsets_find(const struct compile *c, uint32_t id, struct flow_offsets *at)
{
	const struct btf_view *b = c->in->btf;

	return ctype_member_offset(b, id, "head", &at->head) &&
	       ctype_member_offset(b, id, "network_header", &at->network) &&
	       ctype_member_offset(b, id, "protocol", &at->protocol);
}

void flow_format(struct compile *c, struct slot *s)
{
	const struct btf_view *b = c->in->btf;
	struct ctype t = s->root->type;
	struct flow_offsets *at = compile_alloc(c, sizeof(*at));
	uint32_t id = 0;

	if (!at)
		return;
	if (ctype_is_pointer(b, t) && ctype_is_composite(b, ctype_target(b, t)))
		id = btf_view_strip(b, ctype_target(b, t).id);
	if (!id || strcmp(btf_view_name(b, id), "sk_buff") || !offsets_find(c, id, at)) {
		fail_type(c, s, "is no packet");
		compile_hint(c, "flow is for a struct sk_buff *, sock for a socket");
		return;
	}
	if (!c->in->target.probe_read) {
		compile_refuse(
			c, s->format.span,
			"a flow needs bpf_probe_read; this way does without, as under lockdown");
		return;
	}
	s->sink = STORE_FLOW;
	s->field_type = FIELD_FLOW;
	s->size = sizeof(struct flow);
	s->flow = at;
}
