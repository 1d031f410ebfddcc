/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kinds.c - the table of kinds of fields and the forms of records. It depends on all of them; values and sinks, which
 * they depend on, get pointers to these tables before main begins.
 */
#include "output/field/field_kind.h"
#include "output/field/value.h"
#include "output/field/value_text.h"
#include "output/field/container.h"
#include "output/field/field_load.h"
#include "output/field/hist.h"
#include "output/field/flow.h"
#include "output/field/packet_field.h"
#include "output/field/sock.h"
#include "output/field/stack.h"
#include "output/field/value_json.h"
#include "output/field/value_float.h"
#include "output/field/value_number.h"
#include "output/rows/sink_priv.h"
#include "event.h"

/* Returns the number of values in a histogram. */
static double hist_weight(const struct field *f, const struct value *v)
{
	struct hist h = hist_of(f, v);

	return (double)hist_total(&h);
}

static double percentile_weight(const struct field *f, const struct value *v)
{
	struct hist h = hist_of(f, v);
	struct hist_percentile p;

	return hist_percentile(&h, f->percent, &p) ? (double)p.value : -1e30;
}

#define KIND(type, title, bits, loader, texter, jsoner, ...)                                       \
	[FIELD_##type] = { .name = title,                                                          \
			   .flags = bits,                                                          \
			   .load = load_##loader,                                                  \
			   .text = text_##texter,                                                  \
			   .json = json_##jsoner,                                                  \
			   ##__VA_ARGS__ }
#define RIGHT  KIND_RIGHT
#define SIGNED KIND_SIGNED
#define BELOW  KIND_BELOW
#define FEW    KIND_FEW

static const struct field_kind kinds[FIELD_TYPES] = {
	KIND(UINT, "unsigned", RIGHT, unsigned, uint, uint),
	KIND(INT, "signed", RIGHT | SIGNED, signed, int, int),
	KIND(HEX, "hex", RIGHT, unsigned, hex, uint, .width = 10),
	KIND(OCT, "octal", RIGHT, unsigned, octal, octal, .width = 6),
	KIND(BOOL, "bool", FEW, unsigned, bool, bool, .width = 5),
	KIND(FLOAT, "float", RIGHT, unsigned, float, float, .width = 8, .weight = float_weight),
	KIND(CHAR, "char", 0, unsigned, char, char, .width = 4),
	KIND(PTR, "pointer", RIGHT, unsigned, pointer, pointer, .width = 18),
	KIND(ENUM, "enum", FEW, unsigned, enum, enum, .width = 12),
	KIND(FLAGS, "flags", FEW, unsigned, flags, flags, .width = 18),
	KIND(FD, "descriptor", RIGHT | SIGNED, signed, fd, fd, .width = 4),
	KIND(ERRNO, "errno", FEW | SIGNED, signed, errno, errno, .width = 8),
	KIND(RET, "result", RIGHT | SIGNED, signed, result, int, .width = 8),
	KIND(ERROR, "error", SIGNED, signed, error, error, .width = 8),
	KIND(CSTR, "string", 0, cstr, string, string, .width = 16),
	KIND(STR, "string", 0, str, string, string, .width = 16),
	KIND(TEXT, "string", 0, text, string, string, .width = 16),
	KIND(PATH, "path", 0, path, path, path, .width = 32),
	KIND(ARGV, "words", 0, argv, argv, argv, .width = 32),
	KIND(NS, "duration", RIGHT | KIND_NS, unsigned, duration, uint, .width = 8),
	KIND(SPAN_NS, "time span", RIGHT | SIGNED | KIND_NS, signed, span_ns, int, .width = 8),
	KIND(SPAN_US, "time span", RIGHT | SIGNED | KIND_US, signed, span_us, int, .width = 8),
	KIND(SPAN_MS, "time span", RIGHT | SIGNED | KIND_MS, signed, span_ms, int, .width = 8),
	KIND(HUNDREDTHS, "number in hundredths", RIGHT | SIGNED, signed, hundredths, hundredths,
	     .width = 8),
	KIND(TIME, "time", RIGHT, unsigned, time, time, .width = 15),
	KIND(MODE, "file mode", FEW, unsigned, mode, quoted, .width = 10),
	KIND(RWBS, "operation of a disk", FEW, unsigned, rwbs, quoted, .width = 4),
	KIND(PORT, "port", 0, unsigned, port, port, .width = 5),
	KIND(SYM, "symbol", 0, unsigned, symbol, quoted, .width = 24),
	KIND(USYM, "user symbol", 0, user_symbol, user_symbol, user_symbol, .width = 24),
	KIND(DEV, "device", FEW, unsigned, device, quoted, .width = 7),
	KIND(USER, "user", 0, unsigned, user, user, .width = 8),
	KIND(CONTAINER, "container", 0, container, container, string, .width = 12),
	KIND(BYTES, "bytes", 0, raw, bytes, quoted),
	KIND(COUNTED, "text", 0, counted, string, string, .size_min = 8),
	KIND(COUNTED_BYTES, "bytes", 0, counted, bytes, quoted, .size_min = 8),
	KIND(CHARS, "characters", 0, raw, chars, chars),
	KIND(MAC, "MAC", 0, raw, mac, quoted, .width = 17),
	KIND(IP4, "IPv4", 0, raw, ip4, quoted, .size_min = 4, .width = 15),
	KIND(IP6, "IPv6", 0, raw, ip6, quoted, .size_min = 16, .width = 25),
	KIND(UUID, "UUID", 0, raw, uuid, quoted, .size_min = 16, .width = 36),
	KIND(GUID, "GUID", 0, raw, guid, quoted, .size_min = 16, .width = 36),
	KIND(SOCKADDR, "socket address", 0, raw, sockaddr, sockaddr, .size_min = 2, .width = 21),
	KIND(SOCK, "socket", 0, raw, sock, sock, .width = 37),
	KIND(LOCAL, "socket's own address", 0, raw, sock_local, quoted, .width = 21),
	KIND(PEER, "socket's peer", 0, raw, sock_peer, quoted, .width = 21),
	KIND(LOCAL_IP, "socket's own address", 0, raw, sock_local_ip, quoted, .width = 15),
	KIND(PEER_IP, "peer's address", 0, raw, sock_peer_ip, quoted, .width = 15),
	KIND(FLOW, "flow", 0, raw, flow, flow, .width = 37),
	KIND(PACKET, "packet", 0, raw, packet, packet, .width = 80),
	KIND(STRUCT, "struct", 0, raw, struct, struct),
	KIND(DIFF, "what changed", 0, record, diff, diff),
	KIND(TRACE_CTX, "context", 0, unsigned, trace_ctx, trace_ctx),
	KIND(KERNEL_STACK, "stack", BELOW, kernel_stack, stack, stack),
	KIND(USER_STACK, "stack", BELOW, user_stack, stack, stack),
	KIND(HIST, "histogram", BELOW, raw, hist, hist, .weight = hist_weight),
	KIND(PERCENTILE, "percentile", RIGHT, raw, percentile, percentile,
	     .weight = percentile_weight),
};

static __attribute__((constructor)) void output_begin(void)
{
	field_kinds = kinds;
	sink_forms[SINK_TABLE] = &sink_form_table;
	sink_forms[SINK_FITTED] = &sink_form_fitted;
	sink_forms[SINK_JSON] = &sink_form_json;
}
