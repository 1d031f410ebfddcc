/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frames.c - sends a frame of each of many kinds on the loopback device, with the numbers in it always the same; and
 * reads what somebody wrote of them.
 *
 *	frames send		sends them
 *	frames tunnels		sends others, of tunnels
 *	frames write FILE	writes them to FILE, as pcap(5)
 *	frames read FILE	of a pcapng file, for each packet: number of the frame that it is the beginning of, bytes
 *				there and in all, name of its interface, comment
 */
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MACS	    "\x02\0\0\0\0\2\x02\0\0\0\0\1"
#define IPV4	    MACS "\x08\0"
#define IPV6	    MACS "\x86\xdd"
#define VLAN	    MACS "\x81\0\x60\x0a\x08\0" /* 10, priority 3 */
#define BETWEEN	    "\x0a\0\0\1\x0a\0\0\2"
#define FE80(last_) "\xfe\x80\0\0\0\0\0\0\0\0\0\0\0\0\0" last_
#define FF02(last_) "\xff\2\0\0\0\0\0\0\0\0\0\0\0\0\0" last_
/* the length of the whole packet, the fragment, the protocol */
#define IP(size_, fragment_, proto_) "\x45\0\0" size_ "\0\1" fragment_ "\x40" proto_ "\0\0" BETWEEN
#define TCP(more_, flags_)	     "\x9c\x40\x01\xbb\0\0\3\xe8\0\0\7\xd0" more_ flags_ "\xff\xd7\0\0\0\0"
#define DNS_NAME		     "\7example\3com\0"

static const struct frame {
	const char *bytes;
	size_t size;
} frames[] = {
#define FRAME(text_)                                                                               \
	{                                                                                          \
		text_, sizeof(text_) - 1                                                           \
	}
	FRAME(MACS "\x08\6\0\1\x08\0\6\4\0\1\x02\0\0\0\0\1\x0a\0\0\1\0\0\0\0\0\0\x0a\0\0\2"),
	FRAME(MACS "\x08\6\0\1\x08\0\6\4\0\2\x02\0\0\0\0\2\x0a\0\0\2\x02\0\0\0\0\1\x0a\0\0\1"),
	/* SYN with options, SYN and ACK, ACK with SACK, data, FIN, RST */
	FRAME(IPV4 IP("\x3c", "\x40\0", "\6")
		      TCP("\xa0", "\2") "\2\4\xff\xd7\4\2\x08\x0a\0\0\0\1\0\0\0\0\1\3\3\7"),
	FRAME(IPV4 IP("\x2c", "\x40\0", "\6") TCP("\x60", "\x12") "\2\4\5\xb4"),
	FRAME(IPV4 IP("\x34", "\x40\0", "\6")
		      TCP("\x80", "\x10") "\1\1\5\x0a\0\0\x0b\xb8\0\0\x0f\xa0"),
	FRAME(IPV4 IP("\x2d", "\x40\0", "\6") TCP("\x50", "\x18") "hello"),
	FRAME(IPV4 IP("\x28", "\x40\0", "\6") TCP("\x50", "\x11")),
	FRAME(IPV4 IP("\x28", "\x40\0", "\6") TCP("\x50", "\x04")),
	FRAME(IPV4 IP("\x28", "\x40\0", "\6") TCP("\x50", "\xe0")),
	FRAME(IPV4 IP("\x28", "\x40\0", "\6") TCP("\x50", "\0")),
	/* UDP, its later fragment, ICMP */
	FRAME(IPV4 IP("\x21", "\0\0", "\x11") "\x30\x39\x27\x0f\0\x0d\0\0hello"),
	FRAME(IPV4 IP("\x1c", "\0\x10", "\x11") "\x30\x39\x27\x0f\0\x0d\0\0"),
	FRAME(IPV4 IP("\x24", "\0\0", "\1") "\x08\0\0\0\0\7\0\1abcdefgh"),
	FRAME(IPV4 IP("\x24", "\0\0", "\1") "\0\0\0\0\0\7\0\1abcdefgh"),
	FRAME(IPV4 IP("\x38", "\0\0", "\1") "\3\3\0\0\0\0\0\0" IP(
		"\x1c", "\0\0", "\x11") "\x30\x39\0\x35\0\x08\0\0"),
	FRAME(IPV4 IP("\x38", "\0\0", "\1") "\3\1\0\0\0\0\0\0" IP(
		"\x1c", "\0\0", "\x11") "\x30\x39\0\x35\0\x08\0\0"),
	FRAME(IPV4 IP("\x38", "\0\0", "\1") "\x0b\0\0\0\0\0\0\0" IP(
		"\x1c", "\0\0", "\x11") "\x30\x39\0\x35\0\x08\0\0"),
	/* options of IP; a protocol without a decoder */
	FRAME(IPV4 "\x46\0\0\x20\0\1\0\0\x40\x11\0\0" BETWEEN "\1\1\1\0\x30\x39\x27\x0f\0\x08\0\0"),
	FRAME(IPV4 IP("\x18", "\0\0", "\xfd") "abcd"),
	/* DNS: a question, its answer, none */
	FRAME(IPV4 IP("\x39", "\0\0",
		      "\x11") "\x30\x39\0\x35\0\x25\0\0\x04\xd2\1\0\0\1\0\0\0\0\0\0" DNS_NAME
			      "\0\1\0\1"),
	FRAME(IPV4 IP("\x59", "\0\0",
		      "\x11") "\0\x35\x30\x39\0\x45\0\0\x04\xd2\x81\x80\0\1\0\2\0\0\0\0" DNS_NAME
			      "\0\1\0\1\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4\x0a\1\2\3"
			      "\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4\x0a\1\2\4"),
	FRAME(IPV4 IP("\x39", "\0\0",
		      "\x11") "\0\x35\x30\x39\0\x25\0\0\x04\xd2\x81\x83\0\1\0\0\0\0\0\0" DNS_NAME
			      "\0\1\0\1"),
	/* in a VLAN */
	FRAME(VLAN IP("\x21", "\0\0", "\x11") "\x30\x39\x27\x0f\0\x0d\0\0hello"),
	/* IPv6: TCP, UDP, neighbours, a report behind a hop-by-hop header */
	FRAME(IPV6 "\x60\0\0\0\0\x14\6\x40" FE80("\1") FE80("\2") TCP("\x50", "\2")),
	FRAME(IPV6 "\x60\0\0\0\0\x0d\x11\x40" FE80("\1")
		      FE80("\2") "\x30\x39\x27\x0f\0\x0d\0\0hello"),
	FRAME(IPV6 "\x60\0\0\0\0\x18\x3a\xff" FE80("\1")
		      FF02("\2") "\x87\0\0\0\0\0\0\0" FE80("\2")),
	FRAME(IPV6 "\x60\0\0\0\0\x18\x3a\xff" FE80("\2")
		      FE80("\1") "\x88\0\0\0\x60\0\0\0" FE80("\2")),
	FRAME(IPV6 "\x60\0\0\0\0\x10\x3a\x40" FE80("\1") FE80("\2") "\x80\0\0\0\0\7\0\1abcdefgh"),
	FRAME(IPV6 "\x60\0\0\0\0\x24\0\1" FE80("\1")
		      FF02("\x16") "\x3a\0\5\2\0\0\1\0\x8f\0\0\0\0\0\0\1\4\0\0\0" FF02("\x16")),
	/* HTTP; a client of TLS */
	FRAME(IPV4 IP("\x3a", "\x40\0",
		      "\6") "\x9c\x40\0\x50\0\0\3\xe8\0\0\7\xd0\x50\x18\xff\xd7\0\0\0\0"
			    "GET / HTTP/1.1\r\n\r\n"),
	FRAME(IPV4 IP("\x71", "\x40\0", "\6") TCP(
		"\x50",
		"\x18") "\x16\3\1\0\x44\1\0\0\x40\3\3abcdefghijklmnopqrstuvwxyz012345\0\0\2\x13\1\1\0"
			"\0\x15\0\0\0\x11\0\x0f\0\0\x0cwww.test.org"),
	FRAME(MACS "\x88\xcc"
		   "\2\7\4\2\0\0\0\0\1\4\2\5\1\6\2\0\x78\0\0"),
};
enum { FRAMES = sizeof(frames) / sizeof(frames[0]) };

static void need(int fine, const char *what)
{
	if (fine)
		return;
	perror(what);
	exit(1);
}

static void file_write(const char *path)
{
	static const uint32_t head[] = { 0xa1b2c3d4, 0x00040002, 0, 0, 65535, 1 };
	FILE *f = fopen(path, "w");

	need(f != NULL, path);
	fwrite(head, sizeof(head), 1, f);
	for (int i = 0; i < FRAMES; i++) {
		uint32_t size = frames[i].size, record[] = { i, 0, size, size };

		fwrite(record, sizeof(record), 1, f);
		fwrite(frames[i].bytes, size, 1, f);
	}
	need(!fclose(f), path);
}

/* ---- a reader of pcapng ---- */

static uint8_t file[1 << 20];
static char interfaces[8][64];

static uint32_t word(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Option `code` of those between p and end; "": none. */
static char *option_of(const uint8_t *p, const uint8_t *end, unsigned code)
{
	static char text[4096];

	*text = '\0';
	for (; p + 4 <= end && word(p) & 0xffff; p += 4 + (((word(p) >> 16) + 3) & ~3u))
		if ((word(p) & 0xffff) == code)
			sprintf(text, "%.*s", (int)(word(p) >> 16), (const char *)p + 4);
	return text;
}

static void packet_print(const uint8_t *block, const uint8_t *end)
{
	uint32_t there = word(block + 20), all = word(block + 24);
	const uint8_t *bytes = block + 28;
	int i = 0;

	while (i < FRAMES && (frames[i].size != all || memcmp(frames[i].bytes, bytes, there)))
		i++;
	printf("%d %u %u %s %s\n", i, there, all, interfaces[word(block + 8) & 7],
	       option_of(bytes + ((there + 3) & ~3u), end, 1));
}

static void file_read(const char *path)
{
	FILE *f = fopen(path, "r");
	size_t size, count = 0;

	need(f != NULL, path);
	size = fread(file, 1, sizeof(file), f);
	fclose(f);
	for (size_t at = 0; at + 12 <= size; at += word(file + at + 4)) {
		const uint8_t *end = file + at + word(file + at + 4) - 4;

		if (word(file + at) != (at ? word(file + at) : 0x0a0d0d0a) ||
		    word(end) != word(file + at + 4)) {
			printf("damaged at %zu\n", at);
			exit(1);
		}
		if (word(file + at) == 1)
			snprintf(interfaces[count++ & 7], 64, "%s",
				 option_of(file + at + 16, end, 2));
		else if (word(file + at) == 6)
			packet_print(file + at, end);
	}
}

/* What tunnels carry: IP, IP6, GRE, Ethernet in GRE, VXLAN, Geneve. */
static const struct frame tunnels[] = {
	FRAME("\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01\x08\x00\x45\x00\x00\x38\x00\x01"
	      "\x00\x00\x40\x04\x66\xbf\x0a\x00\x00\x01\x0a\x00\x00\x02\x45\x00\x00\x24\x00\x01"
	      "\x00\x00\x40\x01\xf9\x84\xc0\xa8\x00\x01\xc0\xa8\x00\x02\x08\x00\x16\x16\x00\x07"
	      "\x00\x01\x78\x78\x78\x78\x78\x78\x78\x78"),
	FRAME("\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01\x08\x00\x45\x00\x00\x4c\x00\x01"
	      "\x00\x00\x40\x29\x66\x86\x0a\x00\x00\x01\x0a\x00\x00\x02\x60\x00\x00\x00\x00\x10"
	      "\x3a\x40\xfd\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\xfd\x00"
	      "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x80\x00\x00\x00\x00\x07"
	      "\x00\x01\x78\x78\x78\x78\x78\x78\x78\x78"),
	FRAME("\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01\x08\x00\x45\x00\x00\x44\x00\x01"
	      "\x00\x00\x40\x2f\x66\x88\x0a\x00\x00\x01\x0a\x00\x00\x02\x30\x00\x08\x00\x00\x00"
	      "\x00\x42\x00\x00\x00\x05\x45\x00\x00\x24\x00\x01\x00\x00\x40\x01\xf9\x84\xc0\xa8"
	      "\x00\x01\xc0\xa8\x00\x02\x08\x00\x16\x16\x00\x07\x00\x01\x78\x78\x78\x78\x78\x78"
	      "\x78\x78"),
	FRAME("\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01\x08\x00\x45\x00\x00\x46\x00\x01"
	      "\x00\x00\x40\x2f\x66\x86\x0a\x00\x00\x01\x0a\x00\x00\x02\x20\x00\x65\x58\x00\x12"
	      "\x34\x56\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01\x08\x06\x00\x01\x08\x00"
	      "\x06\x04\x00\x01\x02\x00\x00\x00\x00\x01\xc0\xa8\x00\x01\x00\x00\x00\x00\x00\x00"
	      "\xc0\xa8\x00\x02"),
	FRAME("\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01\x08\x00\x45\x00\x00\x56\x00\x01"
	      "\x00\x00\x40\x11\x66\x94\x0a\x00\x00\x01\x0a\x00\x00\x02\x9c\x40\x12\xb5\x00\x42"
	      "\x00\x00\x08\x00\x00\x00\x00\x00\x2a\x00\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00"
	      "\x00\x01\x08\x00\x45\x00\x00\x24\x00\x01\x00\x00\x40\x01\xf9\x84\xc0\xa8\x00\x01"
	      "\xc0\xa8\x00\x02\x08\x00\x16\x16\x00\x07\x00\x01\x78\x78\x78\x78\x78\x78\x78\x78"),
	FRAME("\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01\x08\x00\x45\x00\x00\x56\x00\x01"
	      "\x00\x00\x40\x11\x66\x94\x0a\x00\x00\x01\x0a\x00\x00\x02\x9c\x40\x17\xc1\x00\x42"
	      "\x00\x00\x00\x00\x65\x58\x00\x00\x0a\x00\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00"
	      "\x00\x01\x08\x00\x45\x00\x00\x24\x00\x01\x00\x00\x40\x01\xf9\x84\xc0\xa8\x00\x01"
	      "\xc0\xa8\x00\x02\x08\x00\x16\x16\x00\x07\x00\x01\x78\x78\x78\x78\x78\x78\x78\x78"),
	FRAME("\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01\x08\x00\x45\x00\x00\x5b\x00\x01"
	      "\x00\x00\x40\x11\x66\x8f\x0a\x00\x00\x01\x0a\x00\x00\x02\x9c\x40\x17\xc1\x00\x47"
	      "\x00\x00\x02\x40\x65\x58\x00\x00\x0a\x00\x01\x02\x80\x01\x00\x00\x00\x01\x02\x00"
	      "\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01\x08\x00\x45\x00\x00\x21\x00\x01\x00\x00"
	      "\x40\x11\xf9\x77\xc0\xa8\x00\x01\xc0\xa8\x00\x02\x30\x39\x27\x0f\x00\x0d\x00\x00"
	      "\x68\x65\x6c\x6c\x6f"),
	FRAME("\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01\x08\x00\x45\x00\x00\x4e\x00\x01"
	      "\x00\x00\x40\x11\x66\x9c\x0a\x00\x00\x01\x0a\x00\x00\x02\x9c\x40\x17\xc1\x00\x3a"
	      "\x00\x00\x00\xc0\x65\x58\x00\x00\x0a\x00\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00"
	      "\x00\x01\x08\x06\x00\x01\x08\x00\x06\x04\x00\x01\x02\x00\x00\x00\x00\x01\xc0\xa8"
	      "\x00\x01\x00\x00\x00\x00\x00\x00\xc0\xa8\x00\x02"),
};

static void frames_send(const struct frame *list, size_t count)
{
	struct sockaddr_ll at = { .sll_family = AF_PACKET, .sll_ifindex = if_nametoindex("lo") };
	int fd = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL));

	need(fd >= 0, "socket");
	for (size_t i = 0; i < count; i++)
		need(sendto(fd, list[i].bytes, list[i].size, 0, (struct sockaddr *)&at,
			    sizeof(at)) == (ssize_t)list[i].size,
		     "sendto");
	close(fd);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "write"))
		file_write(argv[2]);
	else if (argc == 3 && !strcmp(argv[1], "read"))
		file_read(argv[2]);
	else if (argc == 2 && !strcmp(argv[1], "tunnels"))
		frames_send(tunnels, sizeof(tunnels) / sizeof(*tunnels));
	else
		frames_send(frames, FRAMES);
	return 0;
}
