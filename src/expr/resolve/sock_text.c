/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sock_text.c - sk:peer ~ "10.*" → comparisons of the numbers in a struct sock_common.
 *
 * No text is built in the kernel: "*:443" costs a comparison of a port and of the family. An IPv4
 * address also matches in IPv6 sockets (::ffff:10.0.0.1), because it is shown as an IPv4 one.
 * Sockets of other families match nothing.
 */
#include <string.h>

#include "expr/ctype.h"
#include "expr/resolve/format.h"
#include "output/field/sock.h"

enum { FAMILY_INET = 2, FAMILY_INET6 = 10, V4_IN_V6 = 12 };

/* A comparison that is being translated: its node, and its socket. */
struct sought {
	struct compile *c;
	const struct node *whole;
	struct node *common; /* a pointer to its sock_common */
	const struct sock_layout *at;
};

/* ---- new nodes, resolved already ---- */

static struct node *joined(const struct sought *s, enum node_kind kind, enum oper oper,
			   struct node *a, struct node *b)
{
	bool truth = kind != NODE_BINARY || oper == OPER_EQ;
	struct node *n = compile_node(s->c, s->whole, kind, ctype_int(4, truth), a, b);

	if (n)
		n->oper = oper;
	return n;
}

static struct node *both(const struct sought *s, struct node *a, struct node *b)
{
	return a && b ? joined(s, NODE_AND, OPER_NONE, a, b) : a ?: b;
}

static struct node *either(const struct sought *s, struct node *a, struct node *b)
{
	return joined(s, NODE_OR, OPER_NONE, a, b);
}

static struct node *number(const struct sought *s, uint32_t value)
{
	struct node *n = compile_node(s->c, s->whole, NODE_NUMBER, ctype_int(4, false), NULL, NULL);

	if (n) {
		n->number = value;
		n->number_unsigned = true;
	}
	return n;
}

/* (common's `size` bytes at `offset` & mask) == value */
static struct node *is(const struct sought *s, unsigned offset, unsigned size, uint32_t mask,
		       uint32_t value)
{
	struct node *n = compile_node(s->c, s->whole, NODE_ARROW, ctype_int(size, false), s->common,
				      NULL);

	if (!n)
		return NULL;
	n->category = CATEGORY_LVALUE;
	n->name = s->whole->child->name;
	n->bit_offset = 8 * offset;
	if (size == 4 && mask != UINT32_MAX)
		n = joined(s, NODE_BINARY, OPER_AND, n, number(s, mask));
	return joined(s, NODE_BINARY, OPER_EQ, n, number(s, value));
}

static struct node *family_is(const struct sought *s, unsigned family)
{
	return is(s, s->at->offset[SOCK_FAMILY], 2, 0, family);
}

/* ---- one end ---- */

static struct node *words_are(const struct sought *s, unsigned offset, const uint32_t *words,
			      const uint32_t *masks, unsigned count)
{
	struct node *n = NULL;

	for (unsigned i = 0; i < count && !s->c->err; i++)
		if (masks[i])
			n = both(s, n, is(s, offset + 4 * i, 4, masks[i], words[i]));
	return n;
}

static struct node *address_is(const struct sought *s, const struct sock_pattern *p, bool peer)
{
	static const uint8_t prefix[V4_IN_V6] = { [10] = 0xff, [11] = 0xff };
	static const uint32_t all[3] = { UINT32_MAX, UINT32_MAX, UINT32_MAX };
	enum sock_part six = peer ? SOCK_DADDR6 : SOCK_SADDR6;
	unsigned four_at = s->at->offset[peer ? SOCK_DADDR : SOCK_SADDR];
	bool has_six = s->at->has >> six & 1;
	unsigned six_at = s->at->offset[six];
	struct node *four = family_is(s, FAMILY_INET), *mapped = family_is(s, FAMILY_INET6);
	uint32_t words[3];

	if (p->family == SOCK_ANY_FAMILY)
		return either(s, four, mapped);
	if (p->family == SOCK_INET6)
		return has_six ? both(s, mapped, words_are(s, six_at, p->words, p->masks, 4)) :
				 number(s, 0);
	four = both(s, four, words_are(s, four_at, p->words, p->masks, 1));
	if (!has_six)
		return four;
	memcpy(words, prefix, sizeof(words));
	mapped = both(s, mapped, words_are(s, six_at, words, all, 3));
	return either(s, four,
		      both(s, mapped, words_are(s, six_at + V4_IN_V6, p->words, p->masks, 1)));
}

static struct node *port_is(const struct sought *s, const struct sock_pattern *p, bool peer)
{
	uint16_t port = peer ? __builtin_bswap16(p->port) : p->port;

	return is(s, s->at->offset[peer ? SOCK_DPORT : SOCK_SPORT], 2, 0, port);
}

static struct node *end_is(const struct sought *s, const struct sock_pattern *p, bool peer)
{
	struct node *address = address_is(s, p, peer);

	return p->any_port ? address : both(s, port_is(s, p, peer), address);
}

/* ---- the text ---- */

static void fail_text(struct compile *c, const struct node *text)
{
	compile_fail(c, text->span, "no address has this form");
	compile_hint(c, "127.0.0.1:80 *:443 10.0.0.1:* 10.* 10.0.0.0/8 [::1]:22 [fe80::/10]:*; "
			"for :sock also both ends: 10.* -> *:443");
}

static bool pattern_read(struct compile *c, const struct node *n, const char *bytes, size_t len,
			 struct sock_pattern *p)
{
	if (!sock_pattern_read(bytes, len, p))
		fail_text(c, n->other);
	else if (n->oper != OPER_MATCH && !p->is_whole) {
		compile_fail(c, n->other->span, "%s compares with a whole address and port",
			     oper_text(n->oper));
		compile_hint(c, "~ compares with a part: *:443, 10.*");
	}
	return !c->err;
}

static struct node *text_compiled(const struct sought *s, const struct node *n, int which)
{
	const char *text = n->other->bytes, *end = text + n->other->number;
	const char *arrow = which ? NULL : memmem(text, end - text, " -> ", 4);
	struct sock_pattern first, last;

	if (!pattern_read(s->c, n, text, (arrow ?: end) - text, &first))
		return NULL;
	if (arrow && !pattern_read(s->c, n, arrow + 4, end - arrow - 4, &last))
		return NULL;
	if (arrow)
		return both(s, end_is(s, &first, false), end_is(s, &last, true));
	if (which)
		return end_is(s, &first, which == NODE_SOCK_PEER);
	return either(s, end_is(s, &first, false), end_is(s, &first, true));
}

/* ---- both sides ---- */

void resolve_sock(struct compile *c, struct node *n)
{
	uint32_t common;

	n->category = CATEGORY_RVALUE;
	n->child = format_sock_pointer(c, n->child, &common);
	if (c->err)
		return;
	n->type = ctype_pointer_to(ctype_of(common));
}

bool resolve_sock_text(struct compile *c, struct node *n)
{
	struct node *sock = n->child, *result;
	struct sought s = { .c = c, .whole = n };

	if (sock->kind != NODE_SOCK)
		return false;
	if (n->other->kind != NODE_STRING) {
		compile_fail(c, n->other->span, "addresses compare with a text: \"10.0.0.1:443\"");
		return true;
	}
	s.common = compile_node(c, sock->child, NODE_CAST, sock->type, sock->child, NULL);
	s.at = format_sock_layout(c, sock->type.id);
	if (c->err)
		return true;
	if (!s.at) {
		compile_fail(c, sock->span, "this kernel's types lack its addresses");
		return true;
	}
	result = text_compiled(&s, n, sock->number);
	if (c->err)
		return true;
	if (n->oper == OPER_NE)
		result = joined(&s, NODE_UNARY, OPER_NOT, result, NULL);
	if (!c->err)
		*n = *result;
	return true;
}
