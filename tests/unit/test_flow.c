/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_flow.c - :flow on the simulated machine: packets as they may lie in memory, and what is shown of them.
 */
#include <string.h>

#include "call_run.h"
#include "output/field/field_kind.h"
#include "output/field/value.h"
#include "util/buf.h"

struct packet {
	uint64_t head;
	uint16_t network, protocol;
	uint32_t pad;
};

#define PACKET_AT 0xffff888020000000ull
#define HEAD_AT	  0xffff888020001000ull
#define IPV4(first_, fragment_, proto_)                                                            \
	first_ "\0\0\x20\0\1" fragment_ "\x40" proto_ "\xab\xcd\x7f\0\0\1\x0a\0\0\2"
#define IPV6(next_)                                                                                \
	"\x60\0\0\0\0\x08" next_ "\x40\x20\1\xd\xb8\0\0\0\0\0\0\0\0\0\0\0\1"                       \
	"\xfe\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\2"
#define PORTS "\x30\x39\x01\xbb"

static struct packet packet;
static uint8_t head[128];
static uint32_t receive_id;

static int packets_setup(void **state)
{
	uint32_t u16_id = build_int(&build, "unsigned short", 2, 0);
	uint32_t u64_id = build_int(&build, "unsigned long", 8, 0);
	uint32_t int_id = build_int(&build, "int", 4, BTF_INT_SIGNED);
	uint32_t bytes = build_ref(&build, BTF_KIND_PTR, "", build_int(&build, "char", 1, 0));
	uint32_t skb, pointer;

	build_regs(&build, u64_id);
	skb = build_struct(&build, BTF_KIND_STRUCT, "sk_buff", sizeof(packet),
			   (struct build_part[]){ { "head", bytes, 0, 0 },
						  { "network_header", u16_id, 64, 0 },
						  { "protocol", u16_id, 80, 0 } },
			   3);
	pointer = build_ref(&build, BTF_KIND_PTR, "", skb);
	receive_id = build_func(&build, "receive", int_id,
				&(struct build_part){ "skb", pointer, 0, 0 }, 1);
	return built_open(&build, &btf, state);
}

static void run_on(struct harness *r, const char *target_words, unsigned network, unsigned protocol,
		   const char *bytes, size_t len)
{
	static const char *const texts[] = { "skb:flow" };
	struct expr_target target = target_of(btf, target_words);

	harness_init(r, btf, receive_id, &target);
	packet = (struct packet){ HEAD_AT, network, __builtin_bswap16(protocol), 0 };
	memset(head, 0xa5, sizeof(head));
	memcpy(head + network, bytes, len);
	r->args[0] = PACKET_AT;
	vm_region_add(&r->vm, PACKET_AT, &packet, sizeof(packet));
	vm_region_add(&r->vm, HEAD_AT, head, network + len);
	assert_true(compile_and_run(r, texts, 1));
}

static void check(unsigned network, unsigned protocol, const char *bytes, size_t len,
		  const char *want, const char *want_json)
{
	static const char *const targets[] = { "6.18",	      "6.18,untyped", "6.18,kprobe",
					       "5.10,kprobe", "5.10",	      "6.18,arm64" };

	for (size_t i = 0; i < COUNT(targets); i++) {
		struct field f = { .name = "skb", .type = FIELD_FLOW };
		struct harness r;
		struct value v;
		struct buf o;

		run_on(&r, targets[i], network, protocol, bytes, len);
		v = value_of(&r, "skb");
		buf_init(&o, -1);
		field_kinds[FIELD_FLOW].text(&o, &f, &v, 0);
		buf_char(&o, '|');
		field_kinds[FIELD_FLOW].json(&o, &f, &v);
		buf_char(&o, '\0');
		if (strncmp(o.data, want, strlen(want)) || o.data[strlen(want)] != '|' ||
		    strcmp(o.data + strlen(want) + 1, want_json))
			fail_msg("%s: %s, not %s|%s", targets[i], o.data, want, want_json);
		buf_free(&o);
		harness_free(&r);
	}
}

#define CHECK(network_, protocol_, bytes_, ...)                                                    \
	check(network_, protocol_, bytes_, sizeof(bytes_) - 1, __VA_ARGS__)
#define ENDS(with_)                                                                                \
	"{\"family\":\"AF_INET\",\"saddr\":\"127.0.0.1\"" with_(                                   \
		"s", "12345") ",\"daddr\":\"10.0.0.2\"" with_("d", "443") ",\"proto\":\""
#define PORT(side_, port_) ",\"" side_ "port\":" port_
#define NO_PORT(side_, port_)

static void test_ports(void **state)
{
	(void)state;
	CHECK(16, 0x0800, IPV4("\x45", "\0\0", "\6") PORTS, "127.0.0.1:12345 -> 10.0.0.2:443",
	      ENDS(PORT) "IPPROTO_TCP\"}");
	/* with options; the kernel does not say yet what it is */
	CHECK(16, 0, IPV4("\x46", "\x40\0", "\x11") "\1\1\1\1" PORTS,
	      "127.0.0.1:12345 -> 10.0.0.2:443", ENDS(PORT) "IPPROTO_UDP\"}");
	CHECK(14, 0x86dd, IPV6("\x11") PORTS, "[2001:db8::1]:12345 -> [fe80::2]:443",
	      "{\"family\":\"AF_INET6\",\"saddr\":\"2001:db8::1\",\"sport\":12345,\"daddr\":\"fe80::2\","
	      "\"dport\":443,\"proto\":\"IPPROTO_UDP\"}");
}

static void test_no_ports(void **state)
{
	(void)state;
	CHECK(16, 0x0800, IPV4("\x45", "\0\0", "\1") PORTS, "127.0.0.1 -> 10.0.0.2 IPPROTO_ICMP",
	      ENDS(NO_PORT) "IPPROTO_ICMP\"}");
	/* a later fragment; what is behind the header cannot be read */
	CHECK(16, 0x0800, IPV4("\x45", "\0\1", "\x11") PORTS, "127.0.0.1 -> 10.0.0.2 IPPROTO_UDP",
	      ENDS(NO_PORT) "IPPROTO_UDP\"}");
	CHECK(16, 0x0800, IPV4("\x45", "\0\0", "\x11"), "127.0.0.1 -> 10.0.0.2 IPPROTO_UDP",
	      ENDS(NO_PORT) "IPPROTO_UDP\"}");
	CHECK(14, 0x86dd, IPV6("\0") PORTS, "2001:db8::1 -> fe80::2 IPPROTO_IP",
	      "{\"family\":\"AF_INET6\",\"saddr\":\"2001:db8::1\",\"daddr\":\"fe80::2\","
	      "\"proto\":\"IPPROTO_IP\"}");
}

static void test_no_ip(void **state)
{
	(void)state;
	CHECK(14, 0x0806, IPV4("\x45", "\0\0", "\6") PORTS, "EtherType 0x0806",
	      "{\"ethertype\":2054}");
	CHECK(14, 0, "\0\1\x08\0\6\4\0\1zzzzzzzzzzzzzzzz", "EtherType 0x0000", "{\"ethertype\":0}");
	CHECK(0, 0x0800, IPV4("\x45", "\0\0", "\6") PORTS, "no headers yet", "null");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ports),
		cmocka_unit_test(test_no_ports),
		cmocka_unit_test(test_no_ip),
	};

	(void)setup;
	return cmocka_run_group_tests(tests, packets_setup, built_close);
}
