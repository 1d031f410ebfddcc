/* SPDX-License-Identifier: GPL-2.0-only */
/* test_syscall_attrs.c - messages of netlink in memory → attributes as strace(1) prints them. */
#include <linux/if_bridge.h>
#include <linux/if_link.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "record_sample.h"

/* A message that is sent: a struct, then attributes. */
struct message {
	struct nlmsghdr h;
	char bytes[512];
};

static struct message message_of(unsigned type, const void *head, size_t len)
{
	struct message m = { .h = { .nlmsg_len = (uint32_t)(NLMSG_HDRLEN + NLMSG_ALIGN(len)),
				    .nlmsg_type = (uint16_t)type } };

	memcpy(m.bytes, head, len);
	return m;
}

/* Appends an attribute; with `open` its length is set by attr_end. Returns where it begins. */
static size_t attr_add(struct message *m, unsigned type, const void *data, size_t len)
{
	size_t at = m->h.nlmsg_len - sizeof(m->h);
	struct nlattr a = { (uint16_t)(NLA_HDRLEN + len), (uint16_t)type };

	memcpy(m->bytes + at, &a, sizeof(a));
	if (len)
		memcpy(m->bytes + at + sizeof(a), data, len);
	m->h.nlmsg_len += (uint32_t)NLMSG_ALIGN(NLA_HDRLEN + len);
	return at;
}

/* All that has been appended since is in the attribute that begins at `at`. */
static void attr_end(struct message *m, size_t at)
{
	struct nlattr a;

	memcpy(&a, m->bytes + at, sizeof(a));
	a.nla_len = (uint16_t)(m->h.nlmsg_len - sizeof(m->h) - at);
	memcpy(m->bytes + at, &a, sizeof(a));
}

static size_t missing; /* bytes of the end of a message that were not taken */

/* What is behind the head of the message. */
static void expect_message(const struct message *m, unsigned protocol, const char *text)
{
	struct record r = record_of("sendto", 1, (uint64_t[6]){ 0, 1, m->h.nlmsg_len });
	const char *at;
	struct buf o;

	chunk_add(&r, 0, TAKE_AT_ENTRY, 2, &protocol, 4);
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, m, m->h.nlmsg_len - missing);
	buf_init(&o, -1);
	syscall_write_text(&o, &r.event, &options);
	buf_char(&o, 0);
	at = strstr(o.data, text);
	if (!at)
		assert_string_equal(o.data, text);
	buf_free(&o);
}

static struct message link_message(unsigned family)
{
	struct ifinfomsg i = { .ifi_family = (unsigned char)family };

	return message_of(RTM_NEWLINK, &i, sizeof(i));
}

/* The data of a link are by its kind, and what a family says of it by the family. */
static void test_sets_by_key(void **state)
{
	struct message m = link_message(AF_UNSPEC);
	size_t at = attr_add(&m, IFLA_LINKINFO, NULL, 0), in;

	(void)state;
	attr_add(&m, IFLA_INFO_KIND, "bridge", 7);
	in = attr_add(&m, IFLA_INFO_DATA, NULL, 0);
	attr_add(&m, IFLA_BR_VLAN_PROTOCOL, "\x81\0", 2);
	attr_end(&m, in);
	attr_end(&m, at);
	expect_message(
		&m, NETLINK_ROUTE,
		"[{nla_len=28, nla_type=IFLA_LINKINFO}, [[{nla_len=11, nla_type=IFLA_INFO_KIND}, "
		"\"bridge\"], [{nla_len=12, nla_type=IFLA_INFO_DATA}, [{nla_len=6, "
		"nla_type=IFLA_BR_VLAN_PROTOCOL}, htons(ETH_P_8021Q)]]]]");
	m = link_message(AF_BRIDGE);
	at = attr_add(&m, IFLA_PROTINFO, NULL, 0);
	attr_add(&m, IFLA_BRPORT_STATE, "\3", 1);
	attr_end(&m, at);
	expect_message(&m, NETLINK_ROUTE,
		       "[{nla_len=12, nla_type=IFLA_PROTINFO}, [{nla_len=5, "
		       "nla_type=IFLA_BRPORT_STATE}, 3]]");
	m.bytes[0] = AF_UNSPEC;
	expect_message(&m, NETLINK_ROUTE,
		       "[{nla_len=12, nla_type=IFLA_PROTINFO}, "
		       "\"\\x05\\x00\\x01\\x00\\x03\\x00\\x00\\x00\"]");
}

/* Behind a struct there are attributes, or bytes of a later kernel. */
static void test_behind_structs(void **state)
{
	struct br_port_msg port = { .family = AF_BRIDGE };
	struct message m = message_of(RTM_NEWMDB, &port, sizeof(port));
	size_t at = attr_add(&m, MDBA_ROUTER, NULL, 0), in;

	(void)state;
	in = attr_add(&m, MDBA_ROUTER_PORT, "\0\0\0", 4);
	attr_add(&m, MDBA_ROUTER_PATTR_TIMER, "\372\0\0", 4);
	attr_end(&m, in);
	attr_end(&m, at);
	expect_message(&m, NETLINK_ROUTE,
		       "{family=AF_BRIDGE, ifindex=0}, [{nla_len=20, nla_type=MDBA_ROUTER}, "
		       "[{nla_len=16, nla_type=MDBA_ROUTER_PORT}, 0, [{nla_len=8, "
		       "nla_type=MDBA_ROUTER_PATTR_TIMER}, 250 /* 2.50 s */]]]");
	m = link_message(AF_BRIDGE);
	at = attr_add(&m, IFLA_AF_SPEC, NULL, 0);
	attr_add(&m, IFLA_BRIDGE_VLAN_INFO, "\2\0\1\0\xab", 5);
	attr_end(&m, at);
	expect_message(&m, NETLINK_ROUTE,
		       "[{nla_len=9, nla_type=IFLA_BRIDGE_VLAN_INFO}, "
		       "{flags=BRIDGE_VLAN_INFO_PVID, vid=1}, \"\\xab\"]");
}

/* Elements whose numbers have names, as many as there are. */
static void test_indexed(void **state)
{
	struct message m = link_message(AF_UNSPEC);
	size_t at = attr_add(&m, IFLA_AF_SPEC, NULL, 0), in = attr_add(&m, AF_INET, NULL, 0);

	(void)state;
	attr_add(&m, IFLA_INET_CONF, "\1\0\0\0\377\377\377\377", 8);
	attr_end(&m, in);
	attr_end(&m, at);
	expect_message(&m, NETLINK_ROUTE,
		       "nla_type=IFLA_INET_CONF}, [[IPV4_DEVCONF_FORWARDING-1]=1, "
		       "[IPV4_DEVCONF_MC_FORWARDING-1]=-1]]");
}

/* An element beyond those that have names. */
static void test_index_unknown(void **state)
{
	struct message m = link_message(AF_INET6);
	size_t at = attr_add(&m, IFLA_PROTINFO, NULL, 0);
	uint64_t numbers[8] = { 0 };

	(void)state;
	attr_add(&m, IFLA_INET6_ICMP6STATS, numbers, sizeof(numbers));
	attr_end(&m, at);
	expect_message(&m, NETLINK_ROUTE,
		       "[ICMP6_MIB_RATELIMITHOST]=0, [7 /* ICMP6_MIB_??? */]=0]");
}

/* Where an array goes on that was not taken whole; what fills a struct up need not be there. */
static void test_short(void **state)
{
	struct message m = link_message(AF_UNSPEC);
	size_t at = attr_add(&m, IFLA_AF_SPEC, NULL, 0), in = attr_add(&m, AF_INET, NULL, 0);
	char map[28] = "\1";

	(void)state;
	attr_add(&m, IFLA_INET_CONF, "\1\0\0\0\2\0\0\0", 8);
	attr_end(&m, in);
	attr_end(&m, at);
	missing = 2;
	expect_message(&m, NETLINK_ROUTE, "[[IPV4_DEVCONF_FORWARDING-1]=1, ... /* 0x31 */]");
	missing = 0;
	m = link_message(AF_UNSPEC);
	attr_add(&m, IFLA_MAP, map, sizeof(map));
	expect_message(&m, NETLINK_ROUTE,
		       "{mem_start=0x1, mem_end=0, base_addr=0, irq=0, dma=0, port=0}");
	m = link_message(AF_UNSPEC);
	at = attr_add(&m, IFLA_LINKINFO, NULL, 0);
	attr_add(&m, IFLA_INFO_KIND, "bridge", 7);
	attr_add(&m, IFLA_INFO_SLAVE_DATA, "\5\0\1\0\3", 5);
	attr_end(&m, at);
	expect_message(&m, NETLINK_ROUTE,
		       "nla_type=IFLA_INFO_SLAVE_DATA}, \"\\x05\\x00\\x01\\x00\\x03\"]");
}

/* -X: of attributes, addresses and names of elements, too. */
static void test_styles(void **state)
{
	struct message m = link_message(AF_UNSPEC);
	size_t at, in;

	(void)state;
	attr_add(&m, IFLA_ADDRESS, "\2\0\1", 3);
	options.style = SYSCALL_BOTH;
	expect_message(&m, NETLINK_ROUTE,
		       "[{nla_len=7, nla_type=0x1 /* IFLA_ADDRESS */}, "
		       "\"\\x02\\x00\\x01\" /* 02:00:01 */]");
	options.style = SYSCALL_NUMBERS_ONLY;
	expect_message(&m, NETLINK_ROUTE, "[{nla_len=7, nla_type=0x1}, \"\\x02\\x00\\x01\"]");
	m = link_message(AF_UNSPEC);
	at = attr_add(&m, IFLA_AF_SPEC, NULL, 0);
	in = attr_add(&m, AF_INET, NULL, 0);
	attr_add(&m, IFLA_INET_CONF, "\1\0\0\0\2\0\0\0", 8);
	attr_end(&m, in);
	attr_end(&m, at);
	expect_message(&m, NETLINK_ROUTE, "{nla_len=12, nla_type=0x1}, [[0]=1, [1]=2]]");
	options.style = SYSCALL_NAMES;
}

static void test_netfilter(void **state)
{
	struct nfgenmsg g = { .nfgen_family = AF_INET, .res_id = 0x0a00 };
	struct message m = message_of(NFNL_SUBSYS_NFTABLES << 8 | 3, &g, sizeof(g));

	(void)state;
	attr_add(&m, 1, "t", 2);
	expect_message(
		&m, NETLINK_NETFILTER,
		"nlmsg_type=NFNL_SUBSYS_NFTABLES<<8|NFT_MSG_NEWCHAIN, nlmsg_flags=0, nlmsg_seq=0, "
		"nlmsg_pid=0}, {nfgen_family=AF_INET, version=NFNETLINK_V0, res_id=htons(NFNL_SUBSYS_NFTABLES)}, "
		"[{nla_len=6, nla_type=0x1}, \"\\x74\\x00\"]");
	m.h.nlmsg_type = NFNL_MSG_BATCH_BEGIN;
	expect_message(&m, NETLINK_NETFILTER, "nlmsg_type=NFNL_MSG_BATCH_BEGIN,");
	expect_message(&m, NETLINK_NETFILTER, "res_id=htons(10)}, \"\\x06\\x00\\x01");
	m.h.nlmsg_type = NFNL_SUBSYS_NFTABLES << 8 | 1;
	m.h.nlmsg_flags = NLM_F_DUMP;
	expect_message(&m, NETLINK_NETFILTER, "NFT_MSG_GETTABLE, nlmsg_flags=NLM_F_DUMP,");
	m.h.nlmsg_type = 0xff07;
	expect_message(&m, NETLINK_NETFILTER, "nlmsg_type=0xff /* NFNL_SUBSYS_??? */<<8|0x7,");
}

/* Structs that say their length, with attributes in it; an address by the family that is before it. */
static void test_lengths(void **state)
{
	struct rtmsg head = { .rtm_family = AF_INET };
	struct message m = message_of(RTM_NEWROUTE, &head, sizeof(head));
	struct {
		struct rtnexthop h;
		struct nlattr a;
		char to[4];
	} hop[2] = { { { 16, 1, 2, 0 }, { 8, RTA_GATEWAY }, { 10, 0, 0, 1 } } };
	static const char via[6] = { 2, 0, 10, 0, 0, 2 };

	(void)state;
	hop[1] = hop[0];
	hop[1].h.rtnh_len = 8;
	attr_add(&m, RTA_MULTIPATH, hop, 24);
	attr_add(&m, RTA_VIA, via, sizeof(via));
	expect_message(&m, NETLINK_ROUTE,
		       "[{nla_len=28, nla_type=RTA_MULTIPATH}, [[{rtnh_len=16, "
		       "rtnh_flags=RTNH_F_DEAD, rtnh_hops=2, rtnh_ifindex=0}, [{nla_len=8, "
		       "nla_type=RTA_GATEWAY}, inet_addr(\"10.0.0.1\")]], {rtnh_len=8, "
		       "rtnh_flags=RTNH_F_DEAD, rtnh_hops=2, rtnh_ifindex=0}]], [{nla_len=10, "
		       "nla_type=RTA_VIA}, {rtvia_family=AF_INET, "
		       "rtvia_addr=inet_addr(\"10.0.0.2\")}]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sets_by_key), cmocka_unit_test(test_behind_structs),
		cmocka_unit_test(test_indexed),	    cmocka_unit_test(test_styles),
		cmocka_unit_test(test_netfilter),   cmocka_unit_test(test_short),
		cmocka_unit_test(test_lengths),	    cmocka_unit_test(test_index_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
