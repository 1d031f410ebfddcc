/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * flow.c - writes the addresses of a packet as text and JSON.
 */
#include "output/field/flow.h"

#include <arpa/inet.h>
#include <string.h>

#include "output/field/flag_names.h"
#include "output/field/value.h"
#include "output/field/value_text.h"

static struct flow flow_read(const struct value *v)
{
	struct flow f = { 0 };

	memcpy(&f, v->bytes, v->len < sizeof(f) ? v->len : sizeof(f));
	return f;
}

static unsigned word_at(const uint8_t *bytes)
{
	return bytes[0] << 8 | bytes[1];
}

static void address_write(struct buf *o, const struct flow *f, const uint8_t *bytes)
{
	char text[INET6_ADDRSTRLEN];

	buf_str(o,
		inet_ntop(f->family == AF_INET6 ? AF_INET6 : AF_INET, bytes, text, sizeof(text)));
}

static void proto_write(struct buf *o, unsigned proto)
{
	const struct field_name *n = flags_proto;

	while (n->name && n->value != proto)
		n++;
	if (n->name)
		buf_str(o, n->name);
	else
		buf_uint(o, proto);
}

static void end_write(struct buf *o, const struct flow *f, const uint8_t *address,
		      const uint8_t *port)
{
	bool ports = f->state == FLOW_PORTS, brackets = ports && f->family == AF_INET6;

	if (brackets)
		buf_char(o, '[');
	address_write(o, f, address);
	if (brackets)
		buf_char(o, ']');
	if (ports)
		buf_printf(o, ":%u", word_at(port));
}

static void flow_write(struct buf *o, const struct value *v)
{
	struct flow f = flow_read(v);

	if (f.state == FLOW_UNSET) {
		buf_str(o, "no headers yet");
		return;
	}
	if (f.state == FLOW_OTHER) {
		buf_printf(o, "EtherType 0x%04x", word_at(f.ports));
		return;
	}
	end_write(o, &f, f.source, f.ports);
	buf_str(o, " -> ");
	end_write(o, &f, f.destination, f.ports + 2);
	if (f.state == FLOW_PORTS)
		return;
	buf_char(o, ' ');
	proto_write(o, f.proto);
}

TEXT_ASCII(flow, flow_write(o, v))

static void end_write_json(struct buf *o, const struct flow *f, char side, const uint8_t *address,
			   const uint8_t *port)
{
	buf_printf(o, ",\"%caddr\":\"", side);
	address_write(o, f, address);
	buf_char(o, '"');
	if (f->state == FLOW_PORTS)
		buf_printf(o, ",\"%cport\":%u", side, word_at(port));
}

void json_flow(struct buf *o, const struct field *field, const struct value *v)
{
	struct flow f = flow_read(v);

	(void)field;
	if (f.state == FLOW_UNSET) {
		buf_str(o, "null");
		return;
	}
	if (f.state == FLOW_OTHER) {
		buf_printf(o, "{\"ethertype\":%u}", word_at(f.ports));
		return;
	}
	buf_printf(o, "{\"family\":\"%s\"", f.family == AF_INET6 ? "AF_INET6" : "AF_INET");
	end_write_json(o, &f, 's', f.source, f.ports);
	end_write_json(o, &f, 'd', f.destination, f.ports + 2);
	buf_str(o, ",\"proto\":\"");
	proto_write(o, f.proto);
	buf_str(o, "\"}");
}
