/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * endpoint.c - prints one side of a connection as text and JSON. output/field/sock.c handles addresses; the name of a
 * unix socket, which its program chose, follows the event.
 */
#include "applets/connsnoop/endpoint.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "output/field/field_kind.h"
#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "output/rows/table_cell.h"
#include "output/field/value_text.h"
#include "util/escape.h"
#include "connsnoop.h"

#define PART(member) offsetof(struct connsnoop_addresses, member)

const struct sock_layout endpoint_layout = {
	.offset = { [SOCK_FAMILY] = PART(family),
		    [SOCK_SPORT] = PART(sport),
		    [SOCK_DPORT] = PART(dport),
		    [SOCK_SADDR] = PART(saddr),
		    [SOCK_DADDR] = PART(daddr),
		    [SOCK_SADDR6] = PART(saddr),
		    [SOCK_DADDR6] = PART(daddr) },
	.has = (1 << SOCK_PARTS) - 1,
	.size = sizeof(struct connsnoop_addresses),
};

/* v->u: the value is the name of a unix socket. */
static int load(const struct field *f, const void *record, size_t size, struct value *v,
		bool is_peer)
{
	const struct connsnoop_event *e = record;
	const struct connsnoop_unix *u = record;

	*v = (struct value){ .u = e->addresses.family == AF_UNIX };
	if (!v->u) {
		v->bytes = (const char *)record + f->offset;
		v->len = f->size;
		return 0;
	}
	if (size < sizeof(*u))
		return -EBADMSG;
	v->bytes = is_peer ? u->peer : u->local;
	v->len = is_peer ? u->peer_len : u->local_len;
	if (v->len > CONNSNOOP_PATH_MAX)
		return -EBADMSG;
	if (v->len && v->bytes[0])
		v->len = text_length(v->bytes, v->len);
	if (!v->len)
		v->status = EVENT_NONE;
	return 0;
}

static int load_local(const struct field *f, const void *record, size_t size, struct value *v)
{
	return load(f, record, size, v, false);
}

static int load_peer(const struct field *f, const void *record, size_t size, struct value *v)
{
	return load(f, record, size, v, true);
}

/* Fast path: most addresses are IPv4. */
static int write_all(struct row *r, const struct sink_cell *c, const void *record, size_t size,
		     const uint8_t *address, uint16_t port)
{
	const struct connsnoop_event *e = record;
	size_t start;

	if (e->addresses.family != AF_INET)
		return table_write_column(r, c, record, size);
	start = cell_begin(r);
	sock_put4(r->out, address, port);
	cell_end(r, start, r->out->len - start, c->field->width, c->right);
	return 0;
}

static int write_local(struct row *r, const struct sink_cell *c, const void *record, size_t size)
{
	const struct connsnoop_addresses *a = &((const struct connsnoop_event *)record)->addresses;

	return write_all(r, c, record, size, a->saddr, a->sport);
}

static int write_peer(struct row *r, const struct sink_cell *c, const void *record, size_t size)
{
	const struct connsnoop_addresses *a = &((const struct connsnoop_event *)record)->addresses;

	return write_all(r, c, record, size, a->daddr, ntohs(a->dport));
}

/* An abstract name begins with a NUL, which is printed as @. */
static size_t text_name(struct buf *o, const struct value *v)
{
	bool abstract = !v->bytes[0];

	if (abstract)
		buf_char(o, '@');
	return abstract + escape_write(o, v->bytes + abstract, v->len - abstract);
}

static size_t text_local(struct buf *o, const struct field *f, const struct value *v,
			 enum timestamp_form form)
{
	return v->u ? text_name(o, v) : text_sock_local(o, f, v, form);
}

static size_t text_peer(struct buf *o, const struct field *f, const struct value *v,
			enum timestamp_form form)
{
	return v->u ? text_name(o, v) : text_sock_peer(o, f, v, form);
}

static void json_name(struct buf *o, const struct value *v)
{
	char name[CONNSNOOP_PATH_MAX];

	memcpy(name, v->bytes, v->len);
	if (!name[0])
		name[0] = '@';
	escape_write_json(o, name, v->len);
}

static void json(struct buf *o, const struct field *f, const struct value *v, field_text_fn *text)
{
	if (v->u) {
		json_name(o, v);
		return;
	}
	buf_char(o, '"');
	text(o, f, v, TIMESTAMP_NONE);
	buf_char(o, '"');
}

static void json_local(struct buf *o, const struct field *f, const struct value *v)
{
	json(o, f, v, text_sock_local);
}

static void json_peer(struct buf *o, const struct field *f, const struct value *v)
{
	json(o, f, v, text_sock_peer);
}

const struct field_kind endpoint_local = { .name = "socket's own address",
					   .load = load_local,
					   .text = text_local,
					   .json = json_local,
					   .write = write_local };
const struct field_kind endpoint_peer = { .name = "socket's peer",
					  .load = load_peer,
					  .text = text_peer,
					  .json = json_peer,
					  .write = write_peer };
