/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * packet_field.c - packets → text and JSON (packet/packet.h).
 */
#include "output/field/packet_field.h"

#include "output/field/value.h"
#include "output/field/value_text.h"
#include "packet/packet.h"
#include "util/escape.h"

static void packet_write(struct buf *o, const struct value *v)
{
	struct packet_frame f;

	if (packet_read(&f, v->bytes, v->len))
		packet_line(o, &f);
	else
		buf_str(o, "no headers yet");
}

TEXT_ASCII(packet, packet_write(o, v))

void json_packet(struct buf *o, const struct field *field, const struct value *v)
{
	struct packet_frame f;
	struct buf line;

	(void)field;
	if (!packet_read(&f, v->bytes, v->len)) {
		buf_str(o, "null");
		return;
	}
	buf_init(&line, -1);
	packet_line(&line, &f);
	buf_str(o, "{\"text\":");
	escape_write_json(o, line.data, line.len);
	buf_printf(o, ",\"length\":%u,\"captured\":%u}", f.length, f.captured);
	buf_free(&line);
}
