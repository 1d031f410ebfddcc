/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * field.c - the table of kinds of fields, and queries about values.
 */
#include "output/field.h"

#include <string.h>
#include <linux/types.h>

#include "output/chars.h"
#include "output/container.h"
#include "output/field_load.h"
#include "output/hist.h"
#include "output/flow.h"
#include "output/sock.h"
#include "output/stack.h"
#include "output/value_json.h"
#include "output/value_number.h"
#include "output/value_text.h"
#include "event.h"

#define ERRNO_MAX 4095 /* MAX_ERRNO of the kernel, err.h */

/* The number of values in a histogram. */
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

const struct field_kind field_kinds[FIELD_TYPES] = {
	KIND(UINT, "unsigned", RIGHT, unsigned, uint, uint),
	KIND(INT, "signed", RIGHT | SIGNED, signed, int, int),
	KIND(HEX, "hex", RIGHT, unsigned, hex, uint, .width = 10),
	KIND(OCT, "octal", RIGHT, unsigned, octal, octal, .width = 6),
	KIND(BOOL, "bool", FEW, unsigned, bool, bool, .width = 5),
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
	KIND(PEER_IP, "peer's address", 0, raw, sock_peer_ip, quoted, .width = 15),
	KIND(FLOW, "flow", 0, raw, flow, flow, .width = 37),
	KIND(STRUCT, "struct", 0, raw, struct, struct),
	KIND(DIFF, "what changed", 0, record, diff, diff),
	KIND(TRACE_CTX, "context", 0, unsigned, trace_ctx, trace_ctx),
	KIND(KERNEL_STACK, "stack", BELOW, kernel_stack, stack, stack),
	KIND(USER_STACK, "stack", BELOW, user_stack, stack, stack),
	KIND(HIST, "histogram", BELOW, raw, hist, hist, .weight = hist_weight),
	KIND(PERCENTILE, "percentile", RIGHT, raw, percentile, percentile,
	     .weight = percentile_weight),
};

bool field_is_right_aligned(const struct field *f)
{
	return field_kind(f)->flags & KIND_RIGHT && !(f->flags & (FIELD_PAIR | FIELD_REMARK));
}

bool field_is_number(const struct field *f)
{
	return field_kind(f)->weight || field_kind(f)->flags & KIND_RIGHT;
}

const char *field_unit_suffix(const struct field *f)
{
	static const char suffixes[][4] = { "", "", "_ns", "_us", "_ms" };
	unsigned flags = field_kind(f)->flags;
	unsigned kind = flags & KIND_NS ? FIELD_UNIT_NS :
			flags & KIND_US ? FIELD_UNIT_US :
			flags & KIND_MS ? FIELD_UNIT_MS :
					  FIELD_UNIT_NONE;

	return suffixes[f->unit ?: f->axis ? f->axis->unit : kind];
}

double field_weight(const struct field *f, const struct value *v)
{
	const struct field_kind *kind = field_kind(f);

	if (v->status != EVENT_OK)
		return -1e30;
	if (kind->weight)
		return kind->weight(f, v);
	return kind->flags & KIND_SIGNED ? (double)(int64_t)v->u : (double)v->u;
}

/* ---- values ---- */

int value_errno(const struct value *v)
{
	int64_t result = (int64_t)v->u;

	return result < 0 && result >= -ERRNO_MAX ? (int)-result : 0;
}

const char *value_error_name(const struct field *f, const struct value *v, bool *negative)
{
	*negative = (int64_t)v->u < 0;
	if (f->type == FIELD_PTR)
		return v->u >= (uint64_t)-ERRNO_MAX ? errname(value_errno(v)) : NULL;
	if (f->type != FIELD_ERROR || !v->u)
		return NULL;
	if (*negative)
		return errname(value_errno(v));
	return v->u <= ERRNO_MAX ? errname((int)v->u) : NULL;
}

int value_element(const struct field *f, const struct value *v, unsigned i, struct field *ef,
		  struct value *ev)
{
	*ef = *f;
	ef->count = ef->left_out = ef->status = 0;
	ef->value = NULL;
	ef->size = f->size / f->count;
	ef->offset = i * ef->size;
	return field_load(ef, v->bytes, v->len, ev);
}

bool value_is_unreadable(const struct value *v)
{
	return v->status == EVENT_FAULT || v->status == EVENT_NULL;
}

bool value_is_nothing(const struct value *v)
{
	return v->status == EVENT_NONE || (v->status == EVENT_OK && !v->u && !v->len);
}

const char *value_link(const struct field *f, const struct value *v)
{
	return f->status && f->links ? f->links[v->link] : NULL;
}

/* Compares in the field's width: an enumerator of -1 is 0xff in a byte. */
const char *value_enum_name(const struct field *f, const struct value *v)
{
	if (f->name_count)
		return v->u < f->name_count ? f->names[v->u].name : NULL;
	for (const struct field_name *n = f->names; n && n->name; n++)
		if (!low_bits(n->value ^ v->u, field_bits(f)))
			return n->name;
	return NULL;
}

/* Bits that a name covers are not named again, so O_SYNC before O_DSYNC wins. */
const struct field_name *value_flag_next(const struct field *f, const struct value *v,
					 uint64_t *named)
{
	for (const struct field_name *n = f->names; n && n->name; n++) {
		uint64_t mask = n->mask ? n->mask : n->value;

		if (!mask || mask & *named || (v->u & mask) != n->value)
			continue;
		*named |= mask;
		return n;
	}
	return NULL;
}

bool value_take_first(struct value *v, const char **word, size_t *len)
{
	const char *nul = v->len ? memchr(v->bytes, '\0', v->len) : NULL;
	size_t used;

	*word = v->bytes;
	*len = nul ? (size_t)(nul - v->bytes) : v->len;
	used = nul ? *len + 1 : *len;
	v->bytes += used;
	v->len -= used;
	return used > 0;
}

bool value_take_last(struct value *v, const char **word, size_t *len)
{
	const char *nul;

	if (!v->len)
		return false;
	nul = memrchr(v->bytes, '\0', v->len - 1);
	*word = nul ? nul + 1 : v->bytes;
	*len = v->bytes + v->len - 1 - *word;
	v->len = *word - v->bytes;
	return true;
}

const struct field_name *field_name_find(const struct field_name *names, const char *name)
{
	while (names->name && strcmp(names->name, name))
		names++;
	return names->name ? names : NULL;
}
