/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_packet_filter.c - pcap( ) on the simulated machine: filters of pcap-filter(7) on packets as they may lie in memory
 * give the verdict that libpcap gives on the frame.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "../lib/chance.h"
#include "call_run.h"
#include "packet/filter.h"

/* ---- the kernel's structs ---- */

struct skb {
	uint32_t len, data_len;
	uint8_t flags, pad;
	uint16_t vlan_proto, vlan_tci, protocol, network_header, mac_header;
	uint32_t pad2;
	uint64_t head, data;
};
struct xdp {
	uint64_t data, data_end;
};

#define SKB_AT	0xffff888020000000ull
#define XDP_AT	0xffff888020000800ull
#define HEAD_AT 0xffff888020001000ull

enum { HEAD_SIZE = 512, FRAME_SIZE = 256, PACKETS = 1500 };

static struct skb skb;
static struct xdp xdp;
static uint8_t head[HEAD_SIZE];
static uint32_t receive_id, old_receive_id, xdp_id, none_id;

static uint32_t skb_build(uint32_t u8_id, uint32_t u16_id, uint32_t u32_id, uint32_t bytes,
			  bool old)
{
	struct build_part parts[] = {
		{ "len", u32_id, 0, 0 },	  { "data_len", u32_id, 32, 0 },
		{ "vlan_proto", u16_id, 80, 0 },  { "vlan_tci", u16_id, 96, 0 },
		{ "protocol", u16_id, 112, 0 },	  { "network_header", u16_id, 128, 0 },
		{ "mac_header", u16_id, 144, 0 }, { "head", bytes, 192, 0 },
		{ "data", bytes, 256, 0 },	  { "vlan_present", u8_id, 67, 1 },
	};

	return build_struct(&build, BTF_KIND_STRUCT, "sk_buff", sizeof(skb), parts, 9 + old);
}

static int packets_setup(void **state)
{
	uint32_t u8_id = build_int(&build, "unsigned char", 1, 0);
	uint32_t u16_id = build_int(&build, "unsigned short", 2, 0);
	uint32_t u32_id = build_int(&build, "unsigned int", 4, 0);
	uint32_t u64_id = build_int(&build, "unsigned long", 8, 0);
	uint32_t int_id = build_int(&build, "int", 4, BTF_INT_SIGNED);
	uint32_t bytes = build_ref(&build, BTF_KIND_PTR, "", u8_id);
	uint32_t xdp_struct, pointers[3];

	build_regs(&build, u64_id);
	xdp_struct = build_struct(
		&build, BTF_KIND_STRUCT, "xdp_buff", sizeof(xdp),
		(struct build_part[]){ { "data", bytes, 0, 0 }, { "data_end", bytes, 64, 0 } }, 2);
	for (int i = 0; i < 3; i++)
		pointers[i] = build_ref(&build, BTF_KIND_PTR, "",
					i == 2 ? xdp_struct :
						 skb_build(u8_id, u16_id, u32_id, bytes, i));
	receive_id = build_func(
		&build, "receive", int_id,
		(struct build_part[]){ { "n", int_id, 0, 0 }, { "skb", pointers[0], 0, 0 } }, 2);
	old_receive_id = build_func(
		&build, "old_receive", int_id,
		(struct build_part[]){ { "n", int_id, 0, 0 }, { "skb", pointers[1], 0, 0 } }, 2);
	xdp_id = build_func(
		&build, "xdp_receive", int_id,
		(struct build_part[]){ { "n", int_id, 0, 0 }, { "xdp", pointers[2], 0, 0 } }, 2);
	none_id = build_func(&build, "none", int_id, &(struct build_part){ "n", int_id, 0, 0 }, 1);
	return built_open(&build, &btf, state);
}

/* ---- frames ---- */

struct frame {
	uint8_t bytes[FRAME_SIZE];
	unsigned length, captured;
	unsigned header; /* bytes of link header, with tags */
};

static void put(struct frame *f, const void *bytes, size_t size)
{
	memcpy(f->bytes + f->length, bytes, size);
	f->length += size;
}

static void put_number(struct frame *f, uint64_t value, int size)
{
	while (size--)
		f->bytes[f->length++] = value >> 8 * size;
}

static uint32_t one_of(struct chance *c, const uint32_t *values, unsigned count)
{
	return chance_below(c, 8) ? values[chance_below(c, count)] : (uint32_t)chance_next(c);
}
#define ONE_OF(c_, ...)                                                                            \
	one_of(c_, (const uint32_t[]){ __VA_ARGS__ },                                              \
	       sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

static void put_ports(struct frame *f, struct chance *c)
{
	put_number(f, ONE_OF(c, 443, 53, 80, 22, 1500), 2);
	put_number(f, ONE_OF(c, 443, 53, 80, 22, 1500), 2);
}

static void put_transport(struct frame *f, struct chance *c, unsigned proto)
{
	if (proto == 1 || proto == 58)
		put_number(f, ONE_OF(c, 0x0800, 0, 0x0303, 0x8000, 0x8700), 2);
	else
		put_ports(f, c);
	put_number(f, chance_next(c), 8);
	f->bytes[f->length++] = ONE_OF(c, 0x50, 0x60, 0xf0);
	f->bytes[f->length++] = ONE_OF(c, 2, 0x12, 0x10, 4, 1);
	for (unsigned left = chance_below(c, 60); left; left--)
		f->bytes[f->length++] = chance_below(c, 3) ? 0 : chance_next(c);
}

static void put_ipv4(struct frame *f, struct chance *c)
{
	unsigned words = chance_below(c, 3) ? 5 : chance_below(c, 16),
		 proto = ONE_OF(c, 6, 17, 1, 47, 132) & 255;

	f->bytes[f->length++] = 0x40 | words;
	f->bytes[f->length++] = ONE_OF(c, 0, 4, 0xb8);
	put_number(f, ONE_OF(c, 40, 60, 1500), 2);
	put_number(f, chance_next(c), 2);
	put_number(f, chance_below(c, 4) ? 0x4000 : chance_next(c), 2);
	f->bytes[f->length++] = ONE_OF(c, 1, 64, 255);
	f->bytes[f->length++] = proto;
	put_number(f, chance_next(c), 2);
	put_number(f, ONE_OF(c, 0x0a000001, 0x0a010203, 0x7f000001, 0xe0000001), 4);
	put_number(f, ONE_OF(c, 0x0a000001, 0x0a010203, 0x7f000001, 0xffffffff), 4);
	for (unsigned i = 5; i < words; i++)
		put_number(f, chance_next(c), 4);
	put_transport(f, c, proto);
}

static void put_ipv6(struct frame *f, struct chance *c)
{
	unsigned next = ONE_OF(c, 6, 17, 58, 0, 44) & 255;

	put_number(f, 0x60000000, 4);
	put_number(f, ONE_OF(c, 40, 8), 2);
	f->bytes[f->length++] = next;
	f->bytes[f->length++] = 64;
	for (int i = 0; i < 2; i++) {
		put_number(f, ONE_OF(c, 0x20010db8, 0xfe800000, 0xff020000, 0), 4);
		put_number(f, 0, 8);
		put_number(f, ONE_OF(c, 1, 2), 4);
	}
	if (next == 0 || next == 44)
		put_number(f, (uint64_t)ONE_OF(c, 6, 17) << 56, 8);
	put_transport(f, c, next);
}

static void put_arp(struct frame *f, struct chance *c)
{
	put(f, "\0\1\x08\0\6\4\0", 7);
	f->bytes[f->length++] = ONE_OF(c, 1, 2);
	put_number(f, chance_next(c), 6);
	put_number(f, ONE_OF(c, 0x0a000001, 0x0a010203), 4);
	put_number(f, 0, 6);
	put_number(f, ONE_OF(c, 0x0a000001, 0x0a010203), 4);
}

/* `macs`: false for a frame whose addresses the kernel does not know: they are 0. */
static struct frame frame_make(struct chance *c, bool macs, unsigned tags)
{
	struct frame f = { 0 };
	unsigned type = ONE_OF(c, 0x0800, 0x0800, 0x86dd, 0x0806, 0x88cc);

	for (int i = 0; i < 2; i++) {
		put_number(&f, macs ? ONE_OF(c, 0x0102, 0xffff, 0x3333) : 0, 2);
		put_number(&f, macs ? ONE_OF(c, 0x03040506, 0xffffffff) : 0, 4);
	}
	while (tags--) {
		put_number(&f, 0x8100, 2);
		put_number(&f, ONE_OF(c, 10, 20, 0x600a), 2);
	}
	put_number(&f, type, 2);
	f.header = f.length;
	if ((uint16_t)type == 0x0800)
		put_ipv4(&f, c);
	else if ((uint16_t)type == 0x86dd)
		put_ipv6(&f, c);
	else
		put_arp(&f, c);
	f.captured = chance_below(c, 3) ? f.length : 18 + chance_below(c, f.length - 17);
	return f;
}

static void frame_untag(struct frame *f)
{
	memmove(f->bytes + 12, f->bytes + 16, f->length - 16);
	f->length -= 4;
	f->captured -= 4;
}

/* ---- packets in memory ---- */

enum place { LINK, LINK_ONLY, NETWORK, OUTER, BESIDE, BESIDE_OLD, XDP, PLACES };

/* The frame lies from `at` on; its tag beside the packet is not in memory. */
static void lay(const struct frame *f, enum place place, struct chance *c)
{
	unsigned at = 64, tag = place == BESIDE || place == BESIDE_OLD ? 4 : 0, data;
	unsigned network = at + f->header - tag, end = at + f->captured - tag;
	bool is_ip = (f->bytes[12] == 0x08 && !f->bytes[13]) || f->bytes[12] == 0x86;
	/* OUTER: mac_header is that of IP in IP or, as far from here as two tags are, of ESP */
	unsigned outer = network - (is_ip && chance_below(c, 2) ? 22 : 34);

	memset(head, 0xa5, sizeof(head));
	memcpy(head + at, f->bytes, 12);
	memcpy(head + at + 12, f->bytes + 12 + tag, f->captured - 12 - tag);
	data = chance_below(c, 2) ? at :
	       chance_below(c, 2) ? network :
				    at + chance_below(c, end - at);
	skb = (struct skb){ .len = at + f->length - tag - data,
			    .data_len = f->length - f->captured,
			    .flags = place == BESIDE_OLD ? 8 : 0xf7,
			    .network_header = place == LINK_ONLY ? 0 : network,
			    .mac_header = place == NETWORK ? 0xffff :
					  place == OUTER   ? outer :
							     at,
			    .head = HEAD_AT,
			    .data = HEAD_AT + data };
	memcpy(&skb.protocol, f->bytes + 12 + tag, 2);
	if (place == NETWORK && (skb.protocol == htons(0x0800) || skb.protocol == htons(0x86dd)) &&
	    chance_below(c, 2))
		skb.protocol = 0;
	if (tag || place == BESIDE_OLD) {
		skb.vlan_proto = htons(0x8100);
		skb.vlan_tci = f->bytes[14] << 8 | f->bytes[15];
	}
	xdp = (struct xdp){ HEAD_AT + at, HEAD_AT + end };
}

static const struct {
	const char *text;
	bool macs; /* asks for addresses of the link */
} filters[] = {
	{ "tcp port 443 and host 10.0.0.1", false },
	{ "arp", false },
	{ "ip6", false },
	{ "not ip", false },
	{ "udp", false },
	{ "icmp", false },
	{ "icmp6", false },
	{ "port 53", false },
	{ "src port 80 or dst port 22", false },
	{ "portrange 20-100", false },
	{ "udp portrange 1000-2000", false },
	{ "net 10.1.0.0/16", false },
	{ "src net 10.0.0.0/8 and not dst host 127.0.0.1", false },
	{ "ip6 host 2001:db8::1", false },
	{ "ip6 net fe80::/10", false },
	{ "ip proto 47", false },
	{ "proto gre", false },
	{ "ip6 proto 6", false },
	{ "ip multicast", false },
	{ "ip6 multicast", false },
	{ "ip dst 255.255.255.255", false },
	{ "tcp[tcpflags] & (tcp-syn|tcp-fin) != 0", false },
	{ "tcp[tcpflags] == tcp-syn|tcp-ack", false },
	{ "icmp[icmptype] == icmp-echo", false },
	{ "icmp6[icmp6type] == icmp6-echo", false },
	{ "ip[8] < 5", false },
	{ "ip[2:2] > 40 and ip[6:2] & 0x1fff = 0", false },
	{ "ip[0] & 0xf != 5", false },
	{ "((ip[2:2] - ((ip[0]&0xf)<<2)) - ((tcp[12]&0xf0)>>2)) != 0", false },
	{ "greater 60", false },
	{ "less 70", false },
	{ "len > 50 and len <= 90", false },
	{ "vlan", false },
	{ "vlan 10", false },
	{ "vlan 10 and ip", false },
	{ "vlan and tcp port 443", false },
	{ "vlan 10 and vlan 20", false },
	{ "ether proto 0x88cc", false },
	{ "ether[12:2] = 0x0800", false },
	{ "ether[13:2] = 69", false },
	{ "ether[14:4] != 0 and ether[16:4] > 1000", false },
	{ "ether[17] & 1 = 1 or ether[15:4] & 0xff00 = 0", false },
	{ "ether[ip[0] & 15 + 8 : 2] > 3", false },
	{ "ip[ip[0] & 15 : 4] > 3", false },
	{ "ip[2:2] / ip[9] = 6", false },
	{ "ip[4:2] % ip[9] > 4", false },
	{ "ip[4:2] << ip[9] > 1000000", false },
	{ "ip[4:2] >> ip[9] = 0", false },
	{ "ip[4:4] * ip[12:4] > 0x80000000", false },
	{ "ip[16:4] ^ 0xffffffff = 0 or ip[12:4] | 1 = 0x0a000001", false },
	{ "-ip[8] < 0xfffffff0", false },
	{ "ip[12:4] - ip[16:4] > ip[4:2]", false },
	{ "arp[6:2] = 1 and arp host 10.0.0.1", false },
	{ "ether host 01:02:03:04:05:06", true },
	{ "ether src 01:02:03:04:05:06 and tcp", true },
	{ "not ether dst ff:ff:ff:ff:ff:ff", true },
	{ "ether broadcast", true },
	{ "ether multicast or ip proto 1", true },
	{ "ether[2:4] = 0x03040506 or ether[5:4] = 1 or ether[10:4] & 0xff = 6", true },
};

struct tally {
	unsigned yes, no;
};

static unsigned function_of(enum place place)
{
	return place == XDP ? xdp_id : place == BESIDE_OLD ? old_receive_id : receive_id;
}

static void check_place(size_t i, const char *target_words, enum place place, unsigned packets,
			struct tally *tally)
{
	static const char *const texts[] = { "n" };
	struct expr_target target = target_of(btf, target_words);
	struct chance c = chance_of(i, place);
	char condition[160], error[FILTER_ERROR];
	const char *conditions[] = { condition };
	const struct packet_filter *f = packet_filter(filters[i].text, error);
	struct harness r;

	if (!f)
		fail_msg("%s: %s", filters[i].text, error);
	harness_init(&r, btf, function_of(place), &target);
	snprintf(condition, sizeof(condition), "pcap(\"%s\")", filters[i].text);
	r.in.conditions = conditions;
	r.in.condition_count = 1;
	r.args[1] = place == XDP ? XDP_AT : SKB_AT;
	vm_region_add(&r.vm, SKB_AT, &skb, sizeof(skb));
	vm_region_add(&r.vm, XDP_AT, &xdp, sizeof(xdp));
	vm_region_add(&r.vm, HEAD_AT, head, sizeof(head));
	assert_true(harness_compile(&r, texts, 1));
	while (packets--) {
		bool beside = place == BESIDE || place == BESIDE_OLD;
		struct frame frame = frame_make(&c, place != NETWORK && place != OUTER,
						beside		    ? 1 + !chance_below(&c, 6) :
						chance_below(&c, 5) ? 0 :
								      1);
		bool want;

		if (place == OUTER || place == NETWORK)
			frame = frame_make(&c, false, 0);
		if (place == XDP)
			frame.length = frame.captured;
		lay(&frame, place, &c);
		if (beside &&
		    !f->has_vlan) /* as tcpdump has it on a device: the tag is in no byte */
			frame_untag(&frame);
		want = packet_filter_judge(f, frame.bytes, frame.length, frame.captured);
		r.vm.submitted = false;
		r.vm.record_size = 0;
		harness_context(&r, false);
		assert_true(harness_run(&r, &r.vm.code));
		if (r.vm.submitted != want)
			fail_msg("%s, %s, place %d: %s, libpcap says %d of %u bytes, %u there",
				 filters[i].text, target_words, place, want ? "dropped" : "shown",
				 want, frame.length, frame.captured);
		*(want ? &tally->yes : &tally->no) += 1;
		for (unsigned s = 0; s < r.vm.sent_count; s++)
			free(r.vm.sent[s].bytes);
		r.vm.sent_count = 0;
	}
	harness_free(&r);
}

/* Each filter both accepts and rejects. */
static void test_verdicts(void **state)
{
	static const char *const targets[] = { "6.18", "5.10,kprobe", "6.12", "6.18,lockdown" };

	(void)state;
	for (size_t i = 0; i < COUNT(filters); i++) {
		struct tally tally = { 0 };

		for (enum place place = 0; place < PLACES; place++)
			if (!filters[i].macs || (place != NETWORK && place != OUTER))
				check_place(i, targets[place % COUNT(targets)], place,
					    PACKETS / PLACES * 7, &tally);
		if (!tally.yes || !tally.no)
			fail_msg("%s: %u yes, %u no", filters[i].text, tally.yes, tally.no);
	}
}

static void test_refused(void **state)
{
	static const struct {
		const char *text, *message;
		uint32_t start, end; /* of the text that is marked */
		const uint32_t *function;
	} wrong[] = {
		{ "pcap(n, \"tcp\")", "int is not a packet", 5, 6, &receive_id },
		{ "pcap(\"tcp\")", "none has no parameter that is a packet", 0, 11, &none_id },
		{ "pcap(\"tcp and\")", "can't parse filter expression: syntax error", 5, 14,
		  &receive_id },
		{ "pcap(skb, \"host x.invalid\")", "unknown host 'x.invalid'", 16, 25,
		  &receive_id },
		{ "pcap(\"port nosuch or udp\")", "unknown port 'nosuch'", 11, 17, &receive_id },
		{ "pcap(\"inbound\")",
		  "the direction and the interface of a packet are not in its bytes", 5, 14,
		  &receive_id },
		{ "pcap(\"ip6 protochain 6\")",
		  "protochain loops over headers, which a program in the kernel cannot", 5, 23,
		  &receive_id },
		{ "pcap(skb, 5)", "expected a filter as of tcpdump, in quotes, not '5'", 10, 11,
		  &receive_id },
		{ "pcap(skb)", "expected ',' and a filter as of tcpdump, in quotes, not ')'", 8, 9,
		  &receive_id },
	};
	struct expr_target target = target_of(btf, "6.12");

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		struct harness r;

		harness_init(&r, btf, *wrong[i].function, &target);
		r.in.texts = &wrong[i].text;
		r.in.count = 1;
		assert_int_equal(expr_compile(&r.in, &r.program, &r.error), -EINVAL);
		assert_string_equal(r.error.message, wrong[i].message);
		assert_int_equal(r.error.start, wrong[i].start);
		assert_int_equal(r.error.end, wrong[i].end);
		assert_true(*r.error.hint || strstr(wrong[i].message, "expected"));
		expr_free(r.program);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verdicts),
		cmocka_unit_test(test_refused),
	};

	(void)setup;
	return cmocka_run_group_tests(tests, packets_setup, built_close);
}
