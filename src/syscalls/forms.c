/* SPDX-License-Identifier: GPL-2.0-only */
/* forms.c - numbers in memory that are no plain ones: addresses of the network, bits, versions. */
#include <endian.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <arpa/inet.h>

#include "kernel/arch.h"
#include "kernel/interface.h"
#include "syscalls/text.h"

void out_sigset(struct out *out, uint64_t set)
{
	bool inverted = __builtin_popcountll(set) > 42, first = true;
	size_t begin;

	if (inverted)
		set = ~set;
	buf_str(out->o, inverted && !out->json ? "~[" : "[");
	for (unsigned i = 1; i <= 64; i++) {
		const char *name = set_name(set_find("signal"), i);
		char text[16];

		if (!(set >> (i - 1) & 1))
			continue;
		if (!first)
			buf_char(out->o, out->json ? ',' : ' ');
		first = false;
		snprintf(text, sizeof(text), i < 33 ? "RTMIN" : "RT_%u", i - 32);
		begin = out->o->len;
		out_word(out, name ? name + 3 : text);
		snprintf(text, sizeof(text), "%u", i);
		out_style(out, begin, text);
	}
	buf_char(out->o, ']');
}

void out_ifindex(struct out *out, unsigned index)
{
	const char *name = index ? interface_name(index) : NULL;
	size_t begin = out->o->len;
	char number[16];

	if (name && !out->json)
		buf_printf(out->o, "if_nametoindex(\"%s\")", name);
	else
		buf_uint(out->o, index);
	snprintf(number, sizeof(number), "%u", index);
	out_style(out, begin, number);
}

/* The bytes of so many requests of interfaces. */
static void ifreqs_write(struct out *out, int len)
{
	int size = out->event->abi ? 32 : 40;

	buf_printf(out->o, "%d", len);
	if (!out->json && len > 0 && len % size == 0)
		buf_printf(out->o, " /* %d * sizeof(struct ifreq) */", len / size);
}

static void version_write(struct out *out, unsigned v)
{
	size_t begin = out->o->len;
	char number[16];

	if (out->json) {
		buf_uint(out->o, v);
		return;
	}
	buf_printf(out->o, "KERNEL_VERSION(%u, %u, %u)", v >> 16, v >> 8 & 0xff, v & 0xff);
	snprintf(number, sizeof(number), "%#x", v);
	out_style(out, begin, number);
}

/* Writes a set of bits by name; if most are set, the missing ones. */
static void bits_write(struct out *out, const struct set *s, uint32_t bits)
{
	bool inverted = __builtin_popcount(bits) > 16, first = true;

	if (inverted && !out->json) {
		bits = ~bits;
		buf_char(out->o, '~');
	}
	buf_char(out->o, '[');
	for (unsigned i = 0; i < 32; i++) {
		if (!(bits >> i & 1))
			continue;
		if (!first)
			buf_char(out->o, out->json ? ',' : ' ');
		first = false;
		out_set(out, s, i, 4);
	}
	buf_char(out->o, ']');
}

void out_clock(struct out *out, uint64_t v)
{
	buf_uint(out->o, v);
	if (v && !out->json && out->options->style != SYSCALL_NUMBERS_ONLY)
		buf_printf(out->o, " /* %llu.%02u s */", (unsigned long long)v / 100,
			   (unsigned)(v % 100));
}

/* perf's precise_ip, bits 15 and 16 of its flags. */
static void skid_write(struct out *out, unsigned bits)
{
	static const char *const texts[] = { "arbitrary skid", "constant skid",
					     "requested to have 0 skid", "must have 0 skid" };

	buf_uint(out->o, bits);
	if (!out->json)
		buf_printf(out->o, " /* %s */", texts[bits]);
}

unsigned out_caps_halves(const struct out *out)
{
	const struct syssnoop_chunk *head = chunk_find(out->event, 0, TAKE_AT_ENTRY, 0);
	uint64_t version;

	if (!chunk_is_good(head) || head->len < 8)
		return 0;
	version = memory_number((const char *)(head + 1), 4);
	return version == _LINUX_CAPABILITY_VERSION_2 || version == _LINUX_CAPABILITY_VERSION_3 ?
		       2 :
		       1;
}

/* The lower halves come first, for all three; the upper ones 12 bytes behind, if there are any. */
static void caps_write(struct out *out, const char *p)
{
	uint64_t upper = out_caps_halves(out) < 2 ? 0 : memory_number(p + 12, 4) << 32;

	out_set(out, set_find("capmask"), memory_number(p, 4) | upper, 8);
}

static void shifted_write(struct out *out, const char *set, uint64_t v, const char *more)
{
	out_set(out, set_find(set), v & 0xff, 4);
	buf_str(out->o, more);
}

/* perf's config, behind size and type, which says what it is. */
static void perfconf_write(struct out *out, const char *p)
{
	uint64_t v = memory_number(p, 8);
	uint32_t type = (uint32_t)memory_number(p - 8, 4), low = (uint32_t)v;

	if (out->json || type > 3) {
		out_hex(out, v);
	} else if (type == 1) {
		out_set(out, set_find("perfsw"), v, 8);
	} else if (type == 2) {
		buf_uint(out->o, v);
	} else {
		if (v >> 32)
			buf_printf(out->o, "%#x<<32|", (uint32_t)(v >> 32));
		if (type == 3 && low >> 24)
			buf_printf(out->o, "%#x<<24|", low >> 24);
		if (type == 3) {
			shifted_write(out, "perfresult", low >> 16, "<<16|");
			shifted_write(out, "perfop", low >> 8, "<<8|");
		}
		out_set(out, set_find(type ? "perfcache" : "perfhw"), type ? low & 0xff : low, 4);
	}
}

/* An element whose number has a name. */
static void indexed_write(struct out *out, const struct type *t, const char *p)
{
	switch (t->size) {
	case 1: out_hex(out, (unsigned char)*p); break;
	case 4:
		if (t->bit)
			buf_uint(out->o, memory_number(p, 4));
		else
			buf_int(out->o, (int)memory_number(p, 4));
		break;
	default: buf_uint(out->o, memory_number(p, 8));
	}
}

void out_arch(struct out *out, uint32_t arch)
{
	out->arch = arch;
	out_set(out, set_find("auditarch"), arch, 4);
}

/* NULL: not a call of this machine. */
static const char *name_of_arch(uint32_t arch, uint64_t nr)
{
	if (nr >= SYSCALL_NUMBERS || (arch != ARCH_AUDIT && arch != ARCH_AUDIT_32))
		return NULL;
	return syscall_name(arch == ARCH_AUDIT ? SYSCALL_ABI_64 : SYSCALL_ABI_32, (uint32_t)nr);
}

void out_nr(struct out *out, uint64_t nr)
{
	const char *name = name_of_arch(out->arch, nr);
	size_t begin = out->o->len;
	char text[48];

	snprintf(text, sizeof(text), name ? "__NR_%s" : "%.0s%llu", name ?: "",
		 (unsigned long long)nr);
	out_word(out, text);
	snprintf(text, sizeof(text), "%llu", (unsigned long long)nr);
	out_style(out, begin, text);
}

static void port_write(struct out *out, const char *p)
{
	size_t begin = out->o->len;

	buf_printf(out->o, out->json ? "%u" : "htons(%u)", ntohs((uint16_t)memory_number(p, 2)));
	out_bytes_style(out, begin, p, 2);
}

static void be_write(struct out *out, const char *p, uint32_t size, bool is_hex)
{
	uint64_t v = memory_number(p, size);
	size_t begin = out->o->len;

	if (size == 8)
		buf_printf(out->o, out->json ? "%llu" : "htobe64(%llu)",
			   (unsigned long long)be64toh(v));
	else
		buf_printf(out->o,
			   out->json ? "%u" :
			   is_hex    ? "htonl(%#x)" :
				       "htonl(%u)",
			   ntohl((uint32_t)v));
	out_bytes_style(out, begin, p, size);
}

/* The names of a subsystem of netfilter. */
static const struct set *nf_set(uint16_t type)
{
	char name[8];

	snprintf(name, sizeof(name), "nf%u", type >> 8);
	return set_find(name);
}

const char *nfmsg_name(uint16_t type)
{
	const struct set *s = nf_set(type);

	return s ? set_name(s, type & 0xff) : NULL;
}

/* The type of a message: subsystem and message. */
static void nfmsg_write(struct out *out, uint16_t v)
{
	const struct set *s = nf_set(v);
	unsigned subsys = v >> 8;

	if (!subsys && set_name(set_find("nfbatch"), v)) {
		out_set(out, set_find("nfbatch"), v, 2);
		return;
	}
	out_set(out, set_find("nfsubsys"), subsys, 1);
	buf_str(out->o, "<<8|");
	if (s)
		out_set(out, s, v & 0xff, 1);
	else
		out_hex(out, v & 0xff);
}

#define NF_TABLES 10 /* NFNL_SUBSYS_NFTABLES */

/* The resource of a message of nf_tables, 14 bytes behind its type: the subsystem, in whatever order of bytes. */
static bool resource_write(struct out *out, const char *p)
{
	uint16_t v = (uint16_t)memory_number(p, 2);

	if (out->json || p[-13] != NF_TABLES || (v != NF_TABLES && ntohs(v) != NF_TABLES))
		return false;
	buf_printf(out->o, v == NF_TABLES ? "%s" : "htons(%s)", "NFNL_SUBSYS_NFTABLES");
	return true;
}

/* v4l2_fourcc('Y', 'U', 'Y', 'V'), with the name of that format as a comment. */
static void fourcc_write(struct out *out, const struct set *s, const char *p)
{
	uint64_t v = memory_number(p, 4);
	const char *name = set_name(s, v);

	if (out->json || out->options->style == SYSCALL_NUMBERS_ONLY) {
		out_set(out, s, v, 4);
		return;
	}
	buf_str(out->o, "v4l2_fourcc(");
	for (unsigned i = 0; i < 4; i++) {
		buf_str(out->o, i ? ", " : "");
		out_character(out, (unsigned char)p[i]);
	}
	buf_char(out->o, ')');
	if (name)
		buf_printf(out->o, " /* %s */", name);
}

/* A control without a name is shown by its class. `next`: the upper bits ask for the one behind it. */
static void control_write(struct out *out, uint64_t v, bool next)
{
	const struct set *controls = set_find("v4lcid");
	uint64_t asks = next ? v & 0xc0000000 : 0, id = v & ~asks;
	const char *class = set_name(set_find("v4lclass"), id & ~0xffffull);
	char name[64], number[16];
	size_t begin;

	if (asks && !out->json && out->options->style != SYSCALL_NUMBERS_ONLY) {
		out_set(out, set_find("v4lnext"), asks, 4);
		buf_char(out->o, '|');
	} else {
		id = v;
	}
	if (!class || set_name(controls, id)) {
		out_set(out, controls, id, 4);
		return;
	}
	begin = out->o->len;
	snprintf(name, sizeof(name), "%s+%#x", class, (unsigned)id & 0xffff);
	snprintf(number, sizeof(number), "%#x", (unsigned)id);
	out_word(out, name);
	out_style(out, begin, number);
}

/* 01234567-89ab-cdef-fedc-ba9876543210: its bytes, in their order. */
static void uuid_write(struct out *out, const char *p)
{
	buf_str(out->o, out->json ? "\"" : "");
	for (unsigned i = 0; i < 16; i++) {
		buf_str(out->o, i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "");
		buf_hex_pad(out->o, (unsigned char)p[i], 2);
	}
	buf_str(out->o, out->json ? "\"" : "");
}

static void fraction_write(struct out *out, const char *p)
{
	buf_printf(out->o, out->json ? "\"%u/%u\"" : "%u/%u", (unsigned)memory_number(p, 4),
		   (unsigned)memory_number(p + 4, 4));
}

bool out_form(struct out *out, const struct type *t, const char *p)
{
	switch (t->kind) {
	case TYPE_CONSOLE: out_console(out, t->bit, memory_number(p, t->size)); break;
	case TYPE_FOURCC: fourcc_write(out, t->of, p); break;
	case TYPE_FRACT: fraction_write(out, p); break;
	case TYPE_CID: control_write(out, memory_number(p, 4), t->bit); break;
	case TYPE_BIT: buf_uint(out->o, type_bits(t, memory_number(p, t->size))); break;
	case TYPE_UUID: uuid_write(out, p); break;
	case TYPE_INET: out_inet(out, p); break;
	case TYPE_MAC: out_mac(out, p, t->count); break;
	case TYPE_BITS: bits_write(out, t->of, (uint32_t)memory_number(p, 4)); break;
	case TYPE_BE: be_write(out, p, t->size, t->hex); break;
	case TYPE_IFINDEX: out_ifindex(out, (unsigned)memory_number(p, 4)); break;
	case TYPE_TIME: out_time(out, p, !t->bit); break;
	case TYPE_CLOCKT: out_clock(out, memory_number(p, out->event->abi ? 4 : 8)); break;
	case TYPE_KVER: version_write(out, (unsigned)memory_number(p, 4)); break;
	case TYPE_IFREQS: ifreqs_write(out, (int)memory_number(p, 4)); break;
	case TYPE_CAPS: caps_write(out, p); break;
	case TYPE_PERFCONF: perfconf_write(out, p); break;
	case TYPE_REST: /* flags of a later kernel */
		out_hex(out, type_bits(t, memory_number(p, t->size)));
		if (!out->json)
			buf_str(out->o, t->size == 1 ? " /* bits 3..8 */" :
					t->size == 4 ? " /* Bits 931..959 */" :
						       " /* Bits 63..38 */");
		break;
	case TYPE_ARCH: out_arch(out, (uint32_t)memory_number(p, 4)); break;
	case TYPE_NR:
		if (t->bit) /* the architecture is behind it */
			out->arch = (uint32_t)memory_number(p + 4, 4);
		out_nr(out, memory_number(p, t->size));
		break;
	case TYPE_INSN:
		if (t->bit == 2)
			out_ebpf(out, p);
		else
			out_insn(out, p, t->bit);
		break;
	case TYPE_SKID: skid_write(out, memory_number(p, 8) >> 15 & 3); break;
	case TYPE_INDEXED: indexed_write(out, t, p); break;
	case TYPE_NETWORK: out_network(out, t, (uint16_t)memory_number(p, 2)); break;
	case TYPE_NFMSG: nfmsg_write(out, (uint16_t)memory_number(p, 2)); break;
	case TYPE_PORT:
		if (!t->hex || !resource_write(out, p))
			port_write(out, p);
		break;
	default: return false;
	}
	return true;
}
