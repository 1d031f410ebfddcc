/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * streams.c - TCP as few programs use it, over the loopback device, for the tests of recipes. It must not know of coretap.
 *
 *   streams waitall PORT     10 pieces of 10000 bytes, 20 ms apart, received by one recv(MSG_WAITALL); before that a look at
 *                            the first by MSG_PEEK
 *   streams dontwait PORT    6 sends of 32 MB that do not block, to one who does not read; prints how many bytes the calls returned
 *   streams ephemeral        a socket bound to port 0; prints the port that it got
 *   streams unix PATH        a UNIX socket that listens there, with a backlog of 6; @NAME is an abstract name
 *   streams nonblock PORT    a connect that does not block, to one who accepts
 *   streams unread PORT N    N times: data that comes and is not read before the close, and 20 ms later a connection whose data is
 *                            read at once
 *   streams halves PORT N    N connections: 100 bytes, after which this direction is closed; 10 ms later 50 bytes come back,
 *                            and the other end is closed last
 *   streams mapped PORT N    N connections from an IPv6 socket to ::ffff:127.0.0.1, each with 1000 bytes there and 10 back
 *   streams noroute N        N connects to where there is no way, and after each 20 ms a connection that is accepted and closed
 *                            on PORT 5999
 *   streams reused PORT N    N times: a connection from port PORT + 1 whose data is not read before it is reset, and 20 ms later one
 *                            between the same ports whose data is read at once
 *   streams queued PORT      2 connections that wait to be accepted, until both sides are closed; prints their ports
 *   streams later PORT       connects that do not block, as they end: at once; refused; 2 connections that nobody takes for a
 *                            while, the second of which has its answer later; to 10.9.9.2, where nobody must
 *                            answer, one that gives up after 300 ms and one that is closed; and a send that connects
 *   streams opens PORT N     N sends of 100 bytes that open a connection, each accepted
 *   streams deaf PORT        a connection whose other side drops all that comes: 100 bytes are sent 3 times, the first of them again
 *                            until the kernel has tried three times; prints how often it has
 *   streams serves PORT N    accepts N connections, each with 100 bytes, to which it sends 10; is called "serves"
 *   streams asks ADDRESS PORT N  the other side, called "asks". Both print their name and process
 *   streams relay A B MS     frames from device A come to B, MS later, and those from B to A
 *   streams itself PORT      a socket connects to itself, as where both sides connect at once
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { PIECE = 10000, PIECES = 10, HUGE_SEND = 32 << 20 };

static struct sockaddr_in here(int port)
{
	return (struct sockaddr_in){ .sin_family = AF_INET,
				     .sin_port = htons(port),
				     .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

static int listening(int port)
{
	struct sockaddr_in at = here(port);
	int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(fd, (void *)&at, sizeof(at)) || listen(fd, 8))
		exit(1);
	return fd;
}

static int connected(int port)
{
	struct sockaddr_in at = here(port);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (connect(fd, (void *)&at, sizeof(at)))
		exit(2);
	return fd;
}

/* Both ends of a connection. */
static int ends(int server, int port, int *other)
{
	int fd = connected(port);

	*other = accept(server, NULL, NULL);
	if (*other < 0)
		exit(3);
	return fd;
}

static void bytes_write(int fd, size_t size)
{
	char *buf = calloc(1, size);

	if (write(fd, buf, size) != (ssize_t)size)
		exit(4);
	free(buf);
}

static void *pieces_send(void *fd)
{
	for (int i = 0; i < PIECES; i++) {
		bytes_write(*(int *)fd, PIECE);
		usleep(20000);
	}
	return NULL;
}

static int do_waitall(char **argv)
{
	static char buf[PIECE * PIECES];
	int port = atoi(argv[2]), other, fd = ends(listening(port), port, &other);
	pthread_t sender;
	ssize_t n;

	pthread_create(&sender, NULL, pieces_send, &fd);
	if (recv(other, buf, sizeof(buf), MSG_PEEK) <= 0)
		return 5;
	n = recv(other, buf, sizeof(buf), MSG_WAITALL);
	pthread_join(sender, NULL);
	printf("%zd\n", n);
	return 0;
}

static int do_dontwait(char **argv)
{
	int port = atoi(argv[2]), other, fd = ends(listening(port), port, &other);
	char *buf = calloc(1, HUGE_SEND);
	long sum = 0;

	for (int i = 0; i < 6; i++) {
		ssize_t n = send(fd, buf, HUGE_SEND, MSG_DONTWAIT);

		sum += n > 0 ? n : 0;
	}
	printf("%ld\n", sum);
	return 0;
}

static int do_ephemeral(char **argv)
{
	struct sockaddr_in at = here(0);
	socklen_t len = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	(void)argv;
	if (bind(fd, (void *)&at, sizeof(at)) || getsockname(fd, (void *)&at, &len))
		return 1;
	printf("%d\n", ntohs(at.sin_port));
	return 0;
}

static int do_unix(char **argv)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	socklen_t len = sizeof(at);

	strncpy(at.sun_path, argv[2], sizeof(at.sun_path) - 1);
	if (*at.sun_path == '@') {
		*at.sun_path = 0;
		len = offsetof(struct sockaddr_un, sun_path) + strlen(argv[2]);
	}
	return bind(fd, (void *)&at, len) || listen(fd, 6);
}

static int do_nonblock(char **argv)
{
	int port = atoi(argv[2]), server = listening(port);
	struct sockaddr_in at = here(port);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);

	if (!connect(fd, (void *)&at, sizeof(at)) || errno != EINPROGRESS)
		return 1;
	return accept(server, NULL, NULL) < 0;
}

static int do_halves(char **argv)
{
	int port = atoi(argv[2]), server = listening(port);
	char buf[100];

	for (int i = 0; i < atoi(argv[3]); i++) {
		int other, fd = ends(server, port, &other);

		bytes_write(fd, 100);
		shutdown(fd, SHUT_WR);
		usleep(10000);
		if (read(other, buf, 100) != 100 || read(other, buf, 1))
			return 5;
		bytes_write(other, 50);
		usleep(10000);
		if (read(fd, buf, 100) != 50)
			return 6;
		close(fd);
		close(other);
	}
	return 0;
}

static int do_unread(char **argv)
{
	int port = atoi(argv[2]), server = listening(port);
	char buf[100];

	for (int i = 0; i < atoi(argv[3]); i++) {
		int other, fd = ends(server, port, &other);

		bytes_write(fd, 100);
		usleep(5000);
		close(other);
		close(fd);
		usleep(20000);
		fd = ends(server, port, &other);
		bytes_write(fd, 100);
		if (read(other, buf, 100) != 100)
			return 5;
		close(fd);
		close(other);
	}
	return 0;
}

static int do_mapped(char **argv)
{
	int port = atoi(argv[2]), server = listening(port);
	struct sockaddr_in6 at = { .sin6_family = AF_INET6, .sin6_port = htons(port) };
	char buf[1000];

	inet_pton(AF_INET6, "::ffff:127.0.0.1", &at.sin6_addr);
	for (int i = 0; i < atoi(argv[3]); i++) {
		int fd = socket(AF_INET6, SOCK_STREAM, 0), other;

		if (connect(fd, (void *)&at, sizeof(at)))
			return 1;
		other = accept(server, NULL, NULL);
		bytes_write(fd, 1000);
		if (recv(other, buf, 1000, MSG_WAITALL) != 1000)
			return 5;
		bytes_write(other, 10);
		if (recv(fd, buf, 10, MSG_WAITALL) != 10)
			return 5;
		close(fd);
		close(other);
	}
	return 0;
}

static int do_noroute(char **argv)
{
	int server = listening(5999);

	for (int i = 0; i < atoi(argv[2]); i++) {
		struct sockaddr_in at = here(80);
		int fd = socket(AF_INET, SOCK_STREAM, 0), other;

		at.sin_addr.s_addr = htonl(0xc6336401); /* 198.51.100.1 */
		if (!connect(fd, (void *)&at, sizeof(at)) || errno != ENETUNREACH)
			return 1;
		close(fd);
		usleep(20000);
		fd = ends(server, 5999, &other);
		close(fd);
		close(other);
	}
	return 0;
}

static int do_itself(char **argv)
{
	struct sockaddr_in at = here(atoi(argv[2]));
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	char byte = 0;

	if (bind(fd, (void *)&at, sizeof(at)) || connect(fd, (void *)&at, sizeof(at)) ||
	    write(fd, &byte, 1) != 1 || read(fd, &byte, 1) != 1)
		return 1;
	return close(fd);
}

/* From a port, by a socket that is reset when it is closed. */
static int connected_from(int port, int to)
{
	struct sockaddr_in from = here(port), at = here(to);
	struct linger reset = { .l_onoff = 1 };
	int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
	if (bind(fd, (void *)&from, sizeof(from)) || connect(fd, (void *)&at, sizeof(at)))
		exit(2);
	return fd;
}

static int do_reused(char **argv)
{
	int port = atoi(argv[2]), server = listening(port);
	char buf[100];

	for (int i = 0; i < 2 * atoi(argv[3]); i++) {
		int fd = connected_from(port + 1, port), other = accept(server, NULL, NULL);

		bytes_write(fd, 100);
		if (i % 2 && read(other, buf, 100) != 100)
			return 5;
		usleep(i % 2 ? 0 : 5000);
		close(fd);
		close(other);
		usleep(i % 2 ? 0 : 20000);
	}
	return 0;
}

static int port_of(int fd)
{
	struct sockaddr_in at;
	socklen_t len = sizeof(at);

	return getsockname(fd, (void *)&at, &len) ? 0 : ntohs(at.sin_port);
}

static int do_queued(char **argv)
{
	int port = atoi(argv[2]), server = listening(port);

	for (int i = 0; i < 2; i++) {
		int fd = connected(port);

		printf("%d\n", port_of(fd));
		bytes_write(fd, 7);
		close(fd);
	}
	usleep(20000);
	return close(server);
}

/* ---- connects that do not block ---- */

static int begun(uint32_t address, int port, unsigned give_up_ms)
{
	struct sockaddr_in at = here(port);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);

	at.sin_addr.s_addr = htonl(address);
	setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &give_up_ms, sizeof(give_up_ms));
	if (!connect(fd, (void *)&at, sizeof(at)) || errno != EINPROGRESS)
		exit(6);
	return fd;
}

/* What became of it; another connect(2) asks, too. */
static int ended(int fd, uint32_t address, int port)
{
	struct sockaddr_in at = here(port);
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	socklen_t len = sizeof(int);
	int error = 0;

	at.sin_addr.s_addr = htonl(address);
	if (poll(&p, 1, 10000) != 1 || getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len))
		exit(7);
	if (!error)
		connect(fd, (void *)&at, sizeof(at));
	return error;
}

/* The queue of those that wait to be accepted has room for one. */
static int do_later(char **argv)
{
	enum { NOBODY = 0x0a090902 /* 10.9.9.2 */ };
	int port = atoi(argv[2]), server = listening(port), fd, second;
	struct sockaddr_in at = here(port);

	if (ended(begun(INADDR_LOOPBACK, port, 0), INADDR_LOOPBACK, port) ||
	    ended(begun(INADDR_LOOPBACK, port + 1, 0), INADDR_LOOPBACK, port + 1) != ECONNREFUSED)
		return 1;
	close(accept(server, NULL, NULL));
	if (listen(server, 0))
		return 1;
	fd = begun(INADDR_LOOPBACK, port, 0);
	second = begun(INADDR_LOOPBACK, port, 0);
	usleep(50000);
	close(accept(server, NULL, NULL));
	if (ended(fd, INADDR_LOOPBACK, port) || ended(second, INADDR_LOOPBACK, port))
		return 2;
	if (ended(begun(NOBODY, port, 300), NOBODY, port) != ETIMEDOUT)
		return 3;
	close(begun(NOBODY, port, 0));
	close(accept(server, NULL, NULL));
	fd = socket(AF_INET, SOCK_STREAM, 0);
	if (sendto(fd, "x", 1, MSG_FASTOPEN, (void *)&at, sizeof(at)) != 1)
		return 4;
	return close(fd);
}

static int do_opens(char **argv)
{
	int port = atoi(argv[2]), server = listening(port);
	struct sockaddr_in at = here(port);
	char bytes[100] = { 0 };

	for (int i = 0; i < atoi(argv[3]); i++) {
		int fd = socket(AF_INET, SOCK_STREAM, 0);

		if (sendto(fd, bytes, sizeof(bytes), MSG_FASTOPEN, (void *)&at, sizeof(at)) !=
		    sizeof(bytes))
			return 4;
		close(accept(server, NULL, NULL));
		close(fd);
	}
	return 0;
}

static int do_deaf(char **argv)
{
	struct sock_filter none = { .code = BPF_RET };
	struct sock_fprog filter = { 1, &none };
	int port = atoi(argv[2]), other, fd = ends(listening(port), port, &other);
	struct tcp_info info = { 0 };
	socklen_t size = sizeof(info);

	if (setsockopt(other, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof(filter)))
		return 5;
	for (int i = 0; i < 3; i++)
		bytes_write(fd, 100);
	while (info.tcpi_total_retrans < 3) {
		usleep(20000);
		if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size))
			return 6;
	}
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &(struct linger){ 1, 0 }, sizeof(struct linger));
	printf("%u\n", info.tcpi_total_retrans);
	return close(fd);
}

static void named(const char *name)
{
	prctl(PR_SET_NAME, name);
	printf("%s %d\n", name, getpid());
	fflush(stdout);
}

static int do_asks(char **argv)
{
	struct sockaddr_in to = here(atoi(argv[3]));
	char buf[100] = "";

	named("asks");
	to.sin_addr.s_addr = inet_addr(argv[2]);
	for (int n = atoi(argv[4]); n > 0; n--) {
		int fd = socket(AF_INET, SOCK_STREAM, 0);

		if (connect(fd, (void *)&to, sizeof(to)) || write(fd, buf, 100) != 100 ||
		    recv(fd, buf, 10, MSG_WAITALL) != 10)
			return 1;
		close(fd);
	}
	return 0;
}

static int do_serves(char **argv)
{
	struct sockaddr_in at = here(atoi(argv[2]));
	int listens = socket(AF_INET, SOCK_STREAM, 0);
	char buf[100];

	prctl(PR_SET_NAME, "serves");
	at.sin_addr.s_addr = htonl(INADDR_ANY);
	if (bind(listens, (void *)&at, sizeof(at)) || listen(listens, 8))
		return 1;
	named("serves");
	for (int n = atoi(argv[3]); n > 0; n--) {
		int fd = accept(listens, NULL, NULL);

		if (fd < 0 || recv(fd, buf, 100, MSG_WAITALL) != 100 || write(fd, buf, 10) != 10 ||
		    read(fd, buf, 1) != 0) /* the other side closes first */
			return 1;
		close(fd);
	}
	return 0;
}

/* ---- a line between two devices that takes its time ---- */

enum { FRAMES = 64, FRAME_SIZE = 2048 };

struct frame {
	uint64_t due;
	ssize_t len;
	int to;
	char bytes[FRAME_SIZE];
};

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ull + t.tv_nsec / 1000000;
}

/* Frames come and go with what the kernel has yet to do with them: their checksum. */
static int device_open(const char *name)
{
	struct sockaddr_ll at = { .sll_family = AF_PACKET,
				  .sll_protocol = htons(ETH_P_ALL),
				  .sll_ifindex = (int)if_nametoindex(name) };
	int fd = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL)), on = 1;

	if (setsockopt(fd, SOL_PACKET, PACKET_VNET_HDR, &on, sizeof(on)) ||
	    bind(fd, (void *)&at, sizeof(at)))
		exit(1);
	return fd;
}

/* Returns false for what this side has sent itself. */
static int frame_receive(int from, struct frame *f)
{
	struct sockaddr_ll by;
	socklen_t len = sizeof(by);

	f->len = recvfrom(from, f->bytes, sizeof(f->bytes), 0, (void *)&by, &len);
	return f->len > 0 && by.sll_pkttype != PACKET_OUTGOING;
}

static int do_relay(char **argv)
{
	static struct frame frames[FRAMES];
	struct pollfd sides[2] = { { device_open(argv[2]), POLLIN, 0 },
				   { device_open(argv[3]), POLLIN, 0 } };
	unsigned first = 0, end = 0;

	for (;;) {
		uint64_t now = now_ms();

		for (; first != end && frames[first % FRAMES].due <= now; first++) {
			const struct frame *f = &frames[first % FRAMES];

			if (write(f->to, f->bytes, f->len) != f->len)
				return 1;
		}
		poll(sides, 2, first == end ? -1 : (int)(frames[first % FRAMES].due - now));
		for (int i = 0; i < 2; i++) {
			struct frame *f = &frames[end % FRAMES];

			if (!(sides[i].revents & POLLIN) || !frame_receive(sides[i].fd, f))
				continue;
			f->due = now_ms() + (unsigned)atoi(argv[4]);
			f->to = sides[!i].fd;
			end++;
		}
	}
}

int main(int argc, char **argv)
{
	static const struct deed {
		const char *name;
		int words;
		int (*run)(char **argv);
	} deeds[] = {
		{ "waitall", 3, do_waitall },	  { "dontwait", 3, do_dontwait },
		{ "ephemeral", 2, do_ephemeral }, { "nonblock", 3, do_nonblock },
		{ "unread", 4, do_unread },	  { "mapped", 4, do_mapped },
		{ "noroute", 3, do_noroute },	  { "unix", 3, do_unix },
		{ "itself", 3, do_itself },	  { "reused", 4, do_reused },
		{ "queued", 3, do_queued },	  { "later", 3, do_later },
		{ "deaf", 3, do_deaf },		  { "serves", 4, do_serves },
		{ "asks", 5, do_asks },		  { "relay", 5, do_relay },
		{ "opens", 4, do_opens },	  { "halves", 4, do_halves },
	};

	for (size_t i = 0; i < sizeof(deeds) / sizeof(deeds[0]); i++)
		if (argc == deeds[i].words && !strcmp(argv[1], deeds[i].name))
			return deeds[i].run(argv);
	return 1;
}
