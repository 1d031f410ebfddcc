/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format_sock.c - :sock and :flow.
 *
 * :sock of a struct sock * copies the beginning of its struct sock_common, which has the
 * addresses of both families, the ports and the family. The reader decides which of them to show,
 * so the kernel side decides nothing.
 *
 * All kinds of sockets, and their substitutes (request_sock, inet_timewait_sock), begin with a
 * sock_common.
 */
#include <string.h>

#include "expr/resolve/format.h"
#include "expr/ctype.h"
#include "output/field/sock.h"
#include "output/field/flow.h"

enum { INNER_MAX = 8 }; /* tcp6_sock → tcp_sock → … → sock → sock_common */

static uint32_t struct_of(const struct compile *c, struct ctype t)
{
	const struct btf_view *b = c->in->btf;

	if (ctype_is_pointer(b, t))
		t = ctype_target(b, t);
	return ctype_is_composite(b, t) ? btf_view_strip(b, t.id) : 0;
}

uint32_t format_sock_common(const struct compile *c, uint32_t id)
{
	const struct btf_view *b = c->in->btf;

	for (int i = 0; id && i < INNER_MAX; i++) {
		const struct btf_type *t = btf_view_type(b, id);

		if (!t || btf_kind(t) != BTF_KIND_STRUCT || !btf_vlen(t))
			return 0;
		if (!strcmp(btf_view_string(b, t->name_off), "sock_common"))
			return id;
		id = btf_view_strip(b, btf_members(t)->type);
	}
	return 0;
}

/* NULL: this kernel's types lack a member. Without IPv6 they have no IPv6 addresses. */
const struct sock_layout *format_sock_layout(struct compile *c, uint32_t common)
{
	const struct btf_view *b = c->in->btf;
	struct sock_layout *l = compile_alloc(c, sizeof(*l));
	int offset;

	if (!l || !common)
		return NULL;
	for (int i = 0; i < SOCK_PARTS; i++) {
		if (ctype_member_offset(b, common, sock_parts[i].member, &offset))
			l->offset[i] = offset;
		else if (!sock_parts[i].is_optional)
			return NULL;
		else
			continue;
		l->has |= 1u << i;
		if (l->size < l->offset[i] + sock_parts[i].size)
			l->size = l->offset[i] + sock_parts[i].size;
	}
	return l->size <= SOCK_SIZE_MAX ? l : NULL;
}

static bool is_socket(const struct compile *c, const struct slot *s)
{
	uint32_t id = struct_of(c, s->root->type);

	return id && !strcmp(btf_view_name(c->in->btf, id), "socket");
}

static void fail_no_socket(struct compile *c)
{
	compile_hint(
		c,
		"sock, local, peer, localip and peerip are for struct sock *, struct socket *, and what begins with one");
}

/* child->sk, or child.sk */
static struct node *sk_of(struct compile *c, struct node *child, bool pointer)
{
	uint32_t id = struct_of(c, child->type);
	struct btf_found found;
	struct node *n;

	if (!btf_view_member(c->in->btf, id, "sk", 2, &found))
		return child;
	n = compile_node(c, child, pointer ? NODE_ARROW : NODE_MEMBER, ctype_of(found.type), child,
			 NULL);
	if (!n)
		return child;
	n->name = child->span;
	n->category = CATEGORY_LVALUE;
	n->bit_offset = found.bit_offset;
	return n;
}

struct node *format_sock_pointer(struct compile *c, struct node *n, uint32_t *common)
{
	const struct btf_view *b = c->in->btf;
	char text[160];

	if (!strcmp(btf_view_name(b, struct_of(c, n->type)), "socket"))
		n = sk_of(c, n, ctype_is_pointer(b, n->type));
	*common = format_sock_common(c, struct_of(c, n->type));
	if (c->err || (*common && ctype_is_pointer(b, n->type)))
		return n;
	if (*common)
		return compile_node(c, n, NODE_ADDRESS, ctype_pointer_to(n->type), n, NULL);
	ctype_declare(b, n->type, "", text, sizeof(text));
	compile_fail(c, n->span, "%s is not a socket", n->kind == NODE_STRING ? "text" : text);
	fail_no_socket(c);
	return NULL;
}

bool format_sock_known(struct compile *c, const struct slot *s)
{
	return is_socket(c, s) || format_sock_common(c, struct_of(c, s->root->type));
}

void format_sock(struct compile *c, struct slot *s, const struct format_rule *rule)
{
	if (is_socket(c, s))
		format_replace_root(c, s,
				    ctype_is_pointer(c->in->btf, s->root->type) ? "->sk" : ".sk");
	s->store.sock = format_sock_layout(c, format_sock_common(c, struct_of(c, s->root->type)));
	if (s->store.sock) {
		format_bytes(c, s, rule->type, s->store.sock->size);
		return;
	}
	format_fail(c, s, "is not a socket");
	fail_no_socket(c);
}

/* ---- :flow of a struct sk_buff *: the offsets that lead to its headers ---- */

static bool offsets_find(const struct compile *c, uint32_t id, struct flow_offsets *at)
{
	const struct btf_view *b = c->in->btf;

	return ctype_member_offset(b, id, "head", &at->head) &&
	       ctype_member_offset(b, id, "network_header", &at->network) &&
	       ctype_member_offset(b, id, "protocol", &at->protocol);
}

void format_flow(struct compile *c, struct slot *s, const struct format_rule *rule)
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
		format_fail(c, s, "is not a packet");
		compile_hint(c, "flow is for a struct sk_buff *, sock for a socket");
		return;
	}
	if (!c->in->target.probe_read) {
		compile_refuse(c, s->format.span,
			       "a flow needs bpf_probe_read, which cannot be used here (lockdown)");
		return;
	}
	s->store.kind = STORE_FLOW;
	s->store.type = rule->type;
	s->store.size = sizeof(struct flow);
	s->store.flow = at;
}
