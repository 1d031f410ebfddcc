/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rules.c - rules of the firewall, by netlink, and datagrams that a receiver must refuse, for the tests of skbtrace. It
 * must not know of coretap.
 *
 *	rules masquerade		what leaves a device gets the device's address
 *	rules redirect FROM TO		what is sent to address FROM goes to TO
 *	rules drop PORT			datagrams for this port are dropped as they come in
 *	rules corrupt ADDRESS PORT N	sends N datagrams whose checksum is wrong
 *	rules marked ADDRESS MARK N	sends N datagrams with that mark, to port 9
 */
#include <arpa/inet.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <netinet/ip.h>
#include <netinet/udp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int fail(const char *what)
{
	perror(what);
	return 1;
}

/* ---- a batch of messages ---- */

static char batch[8192];
static size_t used;
static unsigned sent; /* messages that are answered */

static struct nlmsghdr *message_begin(uint16_t type, uint16_t flags, uint16_t id)
{
	struct nlmsghdr *head = (void *)(batch + used);
	struct nfgenmsg *gen = NLMSG_DATA(head);

	*head = (struct nlmsghdr){ .nlmsg_type = type, .nlmsg_flags = NLM_F_REQUEST | flags };
	*gen = (struct nfgenmsg){ .nfgen_family = NFPROTO_IPV4, .res_id = htons(id) };
	used += NLMSG_LENGTH(sizeof(*gen));
	return head;
}

static void message_end(struct nlmsghdr *head)
{
	head->nlmsg_len = (uint32_t)(batch + used - (char *)head);
}

static void put(uint16_t type, const void *data, size_t size)
{
	struct nlattr *attr = (void *)(batch + used);

	*attr = (struct nlattr){ .nla_len = (uint16_t)(NLA_HDRLEN + size), .nla_type = type };
	memcpy((char *)attr + NLA_HDRLEN, data, size);
	used += NLA_ALIGN(attr->nla_len);
}

static void put_text(uint16_t type, const char *text)
{
	put(type, text, strlen(text) + 1);
}

static void put_number(uint16_t type, uint32_t number)
{
	number = htonl(number);
	put(type, &number, sizeof(number));
}

static struct nlattr *nest_begin(uint16_t type)
{
	struct nlattr *attr = (void *)(batch + used);

	put(type | NLA_F_NESTED, "", 0);
	return attr;
}

static void nest_end(struct nlattr *attr)
{
	attr->nla_len = (uint16_t)(batch + used - (char *)attr);
}

static struct nlmsghdr *request_begin(uint16_t message, uint16_t flags)
{
	sent++;
	return message_begin(NFNL_SUBSYS_NFTABLES << 8 | message, NLM_F_CREATE | NLM_F_ACK | flags,
			     0);
}

/* ---- expressions of a rule ---- */

static struct nlattr *outer, *inner;

static void expression_begin(const char *name)
{
	outer = nest_begin(NFTA_LIST_ELEM);
	put_text(NFTA_EXPR_NAME, name);
	inner = nest_begin(NFTA_EXPR_DATA);
}

static void expression_end(void)
{
	nest_end(inner);
	nest_end(outer);
}

/* Only packets with these bytes there. */
static void match(uint32_t base, uint32_t offset, const void *bytes, uint32_t size)
{
	struct nlattr *data;

	expression_begin("payload");
	put_number(NFTA_PAYLOAD_DREG, NFT_REG_1);
	put_number(NFTA_PAYLOAD_BASE, base);
	put_number(NFTA_PAYLOAD_OFFSET, offset);
	put_number(NFTA_PAYLOAD_LEN, size);
	expression_end();
	expression_begin("cmp");
	put_number(NFTA_CMP_SREG, NFT_REG_1);
	put_number(NFTA_CMP_OP, NFT_CMP_EQ);
	data = nest_begin(NFTA_CMP_DATA);
	put(NFTA_DATA_VALUE, bytes, size);
	nest_end(data);
	expression_end();
}

static void address_load(uint32_t address)
{
	struct nlattr *data;

	expression_begin("immediate");
	put_number(NFTA_IMMEDIATE_DREG, NFT_REG_1);
	data = nest_begin(NFTA_IMMEDIATE_DATA);
	put(NFTA_DATA_VALUE, &address, sizeof(address));
	nest_end(data);
	expression_end();
}

static void drop(void)
{
	struct nlattr *data, *verdict;

	expression_begin("immediate");
	put_number(NFTA_IMMEDIATE_DREG, NFT_REG_VERDICT);
	data = nest_begin(NFTA_IMMEDIATE_DATA);
	verdict = nest_begin(NFTA_DATA_VERDICT);
	put_number(NFTA_VERDICT_CODE, NF_DROP);
	nest_end(verdict);
	nest_end(data);
	expression_end();
}

/* ---- rules ---- */

static const struct rule {
	const char *name, *type;
	uint32_t hook;
	int priority;
	int arguments;
} rules[] = {
	{ "masquerade", "nat", NF_INET_POST_ROUTING, 100, 0 },
	{ "redirect", "nat", NF_INET_PRE_ROUTING, -100, 2 },
	{ "drop", "filter", NF_INET_LOCAL_IN, 0, 1 },
};

static void expressions_put(const struct rule *r, char **arguments)
{
	if (r == &rules[0]) {
		expression_begin("masq");
		expression_end();
	} else if (r == &rules[1]) {
		uint32_t from = inet_addr(arguments[0]);

		match(NFT_PAYLOAD_NETWORK_HEADER, offsetof(struct iphdr, daddr), &from,
		      sizeof(from));
		address_load(inet_addr(arguments[1]));
		expression_begin("nat");
		put_number(NFTA_NAT_TYPE, NFT_NAT_DNAT);
		put_number(NFTA_NAT_FAMILY, NFPROTO_IPV4);
		put_number(NFTA_NAT_REG_ADDR_MIN, NFT_REG_1);
		expression_end();
	} else {
		uint16_t port = htons((uint16_t)atoi(arguments[0]));

		match(NFT_PAYLOAD_TRANSPORT_HEADER, offsetof(struct udphdr, dest), &port,
		      sizeof(port));
		drop();
	}
}

static void batch_make(const struct rule *r, char **arguments)
{
	struct nlmsghdr *head;
	struct nlattr *nest;

	message_end(message_begin(NFNL_MSG_BATCH_BEGIN, 0, NFNL_SUBSYS_NFTABLES));
	head = request_begin(NFT_MSG_NEWTABLE, 0);
	put_text(NFTA_TABLE_NAME, "ways");
	message_end(head);
	head = request_begin(NFT_MSG_NEWCHAIN, 0);
	put_text(NFTA_CHAIN_TABLE, "ways");
	put_text(NFTA_CHAIN_NAME, r->name);
	nest = nest_begin(NFTA_CHAIN_HOOK);
	put_number(NFTA_HOOK_HOOKNUM, r->hook);
	put_number(NFTA_HOOK_PRIORITY, (uint32_t)r->priority);
	nest_end(nest);
	put_text(NFTA_CHAIN_TYPE, r->type);
	message_end(head);
	head = request_begin(NFT_MSG_NEWRULE, NLM_F_APPEND);
	put_text(NFTA_RULE_TABLE, "ways");
	put_text(NFTA_RULE_CHAIN, r->name);
	nest = nest_begin(NFTA_RULE_EXPRESSIONS);
	expressions_put(r, arguments);
	nest_end(nest);
	message_end(head);
	message_end(message_begin(NFNL_MSG_BATCH_END, 0, NFNL_SUBSYS_NFTABLES));
}

/* Each request of the batch is answered. */
static int answers_read(int fd)
{
	char answers[8192];
	unsigned answered = 0;

	while (answered < sent) {
		ssize_t got = recv(fd, answers, sizeof(answers), 0);
		struct nlmsghdr *head = (void *)answers;

		if (got < 0)
			return fail("recv");
		for (; NLMSG_OK(head, got); head = NLMSG_NEXT(head, got)) {
			const struct nlmsgerr *error = NLMSG_DATA(head);

			if (head->nlmsg_type == NLMSG_ERROR && error->error) {
				fprintf(stderr, "rules: %s\n", strerror(-error->error));
				return 1;
			}
			answered++;
		}
	}
	return 0;
}

static int rule_add(const struct rule *r, char **arguments)
{
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_NETFILTER);

	batch_make(r, arguments);
	if (fd < 0 || send(fd, batch, used, 0) < 0)
		return fail("netlink");
	return answers_read(fd);
}

/* ---- datagrams ---- */

static int corrupt_send(const char *address, int port, int count)
{
	struct {
		struct udphdr udp;
		char data[8];
	} packet = { .udp = { .source = htons(1234),
			      .dest = htons(port),
			      .len = htons(16),
			      .check = htons(1) },
		     "corrupt" };
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr.s_addr = inet_addr(address) };
	int fd = socket(AF_INET, SOCK_RAW, IPPROTO_UDP);

	for (int i = 0; i < count; i++)
		if (sendto(fd, &packet, sizeof(packet), 0, (void *)&to, sizeof(to)) < 0)
			return fail("sendto");
	return 0;
}

static int marked_send(const char *address, uint32_t mark, int count)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_port = htons(9),
				  .sin_addr.s_addr = inet_addr(address) };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (setsockopt(fd, SOL_SOCKET, SO_MARK, &mark, sizeof(mark)))
		return fail("SO_MARK");
	for (int i = 0; i < count; i++)
		sendto(fd, "marked", 6, 0, (void *)&to, sizeof(to)); /* refused: nobody listens */
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 5 && !strcmp(argv[1], "corrupt"))
		return corrupt_send(argv[2], atoi(argv[3]), atoi(argv[4]));
	if (argc == 5 && !strcmp(argv[1], "marked"))
		return marked_send(argv[2], (uint32_t)strtoul(argv[3], NULL, 0), atoi(argv[4]));
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (argc == rules[i].arguments + 2 && !strcmp(argv[1], rules[i].name))
			return rule_add(&rules[i], argv + 2);
	fprintf(stderr, "usage: see rules.c\n");
	return 2;
}
