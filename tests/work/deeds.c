/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * deeds.c - known deeds of many kinds, for the tests of recipes. It must not know of coretap.
 *
 *   deeds tcp PORT N BYTES       N connections over 127.0.0.1, one after the other: BYTES go there, 10 come
 *                                back; prints the client's port of each. tcp6: over ::1
 *   deeds refused PORT           a connection that nobody accepts
 *   deeds bind PORT              sockets bound to 127.0.0.1:PORT: TCP, UDP, TCP again, which fails, TCP over IPv6
 *   deeds udp PORT N             N datagrams of 5 bytes from PORT to PORT + 1 of 127.0.0.1, and of ::1, where nobody
 *                                listens
 *   deeds listen PORT N          a socket that listens with a backlog of N
 *   deeds unix BYTES N           N messages of BYTES through a pair of UNIX sockets
 *   deeds fds FILE N             FILE opened N times; all in one message through a pair of UNIX sockets;
 *                                prints the numbers sent, and those received
 *   deeds kill N                 N times SIGUSR1 to itself, which ignores it, and a signal to nobody
 *   deeds nap MS N               N naps
 *   deeds ids                    setuid, setreuid, setresuid, setfsuid to what it is; setuid to 7
 *   deeds readline TTY           lines of stdin, then NULL, from its own function readline; TTY 1: prints a
 *                                terminal of its own
 *   deeds term TEXT              TEXT to a terminal of its own, whose name it prints, and read from there
 *   deeds shm BYTES              a segment of shared memory: made, attached, detached; one that is not there, attached
 *   deeds peek TYPE              5 bytes to a UNIX socket of this type (1: stream, 2: datagram), read twice, first by MSG_PEEK
 *   deeds node FILE              FILE, made by mknod, and removed
 *   deeds memory MB              so much memory, touched twice
 *   deeds pages FILE N TIMES     after a line on stdin, the first N pages of FILE, each by itself and as often;
 *                                then it waits for the end of stdin
 *   deeds calls N                N times getppid(2) in each of two processes, each on a processor of its own
 *   deeds turns N                two threads that wake each other N times; prints the second's id, and how
 *                                often it got a processor, as the kernel says
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sched.h>
#include <sys/fsuid.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long number(char **argv, int at)
{
	return atol(argv[at]);
}

static union address {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
} here;

static socklen_t address_set(int family, int port)
{
	memset(&here, 0, sizeof(here));
	here.any.sa_family = family;
	if (family == AF_INET6) {
		here.in6.sin6_port = htons(port);
		here.in6.sin6_addr = in6addr_loopback;
		return sizeof(here.in6);
	}
	here.in.sin_port = htons(port);
	here.in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return sizeof(here.in);
}

static int bound(int family, int type, int port)
{
	int fd = socket(family, type, 0);

	return bind(fd, &here.any, address_set(family, port)) ? -1 : fd;
}

static int listening(int family, int port, int backlog)
{
	int fd = socket(family, SOCK_STREAM, 0), on = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(fd, &here.any, address_set(family, port)) || listen(fd, backlog))
		exit(1);
	return fd;
}

static void move(int from, int to, char *buf, long bytes)
{
	long n;

	if (write(from, buf, bytes) != bytes)
		exit(2);
	for (; bytes > 0; bytes -= n)
		if ((n = read(to, buf, bytes)) <= 0)
			exit(3);
}

static int tcp(int family, char **argv)
{
	long port = number(argv, 2), bytes = number(argv, 4);
	int server = listening(family, port, 8), client, other;
	char *buf = calloc(1, bytes);

	for (long i = 0; i < number(argv, 3); i++) {
		socklen_t len = sizeof(here);

		client = socket(family, SOCK_STREAM, 0);
		if (connect(client, &here.any, address_set(family, port)))
			return 1;
		getsockname(client, &here.any, &len);
		printf("%d\n", ntohs(here.in.sin_port));
		other = accept(server, NULL, NULL);
		move(client, other, buf, bytes);
		move(other, client, buf, 10);
		close(client);
		if (read(other, buf, 1) != 0)
			return 1;
		close(other);
	}
	return 0;
}

static int do_tcp(char **argv)
{
	return tcp(AF_INET, argv);
}

static int do_tcp6(char **argv)
{
	return tcp(AF_INET6, argv);
}

static int do_refused(char **argv)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	return !connect(fd, &here.any, address_set(AF_INET, number(argv, 2))) ||
	       errno != ECONNREFUSED;
}

static int do_bind(char **argv)
{
	long port = number(argv, 2);

	return bound(AF_INET, SOCK_STREAM, port) < 0 || bound(AF_INET, SOCK_DGRAM, port) < 0 ||
	       bound(AF_INET, SOCK_STREAM, port) >= 0 || bound(AF_INET6, SOCK_STREAM, port) < 0;
}

static int udp(int family, long port, long count)
{
	int fd = bound(family, SOCK_DGRAM, port);
	socklen_t len = address_set(family, port + 1);

	for (long i = 0; i < count; i++)
		if (sendto(fd, "uuuuu", 5, 0, &here.any, len) != 5)
			return 1;
	return close(fd);
}

static int do_udp(char **argv)
{
	return udp(AF_INET, number(argv, 2), number(argv, 3)) ||
	       udp(AF_INET6, number(argv, 2), number(argv, 3));
}

static int do_listen(char **argv)
{
	return listening(AF_INET, number(argv, 2), number(argv, 3)) < 0;
}

static int do_unix(char **argv)
{
	long bytes = number(argv, 2);
	char *buf = malloc(bytes);
	int pair[2];

	memset(buf, 'u', bytes);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		return 1;
	for (long i = 0; i < number(argv, 3); i++)
		move(pair[0], pair[1], buf, bytes);
	return 0;
}

static int do_peek(char **argv)
{
	char buf[5] = "ppppp";
	int pair[2];

	if (socketpair(AF_UNIX, number(argv, 2), 0, pair) ||
	    write(pair[0], buf, sizeof(buf)) != sizeof(buf))
		return 1;
	return recv(pair[1], buf, sizeof(buf), MSG_PEEK) != sizeof(buf) ||
	       recv(pair[1], buf, sizeof(buf), 0) != sizeof(buf);
}

static void numbers_print(const int *fds, long n)
{
	for (long i = 0; i < n; i++)
		printf("%d%c", fds[i], i < n - 1 ? ' ' : '\n');
}

static int do_fds(char **argv)
{
	long n = number(argv, 3), bytes = n * sizeof(int);
	char byte = 'x', control[512] = "";
	struct iovec part = { &byte, 1 };
	struct msghdr m = { .msg_iov = &part,
			    .msg_iovlen = 1,
			    .msg_control = control,
			    .msg_controllen = CMSG_SPACE(bytes) };
	struct cmsghdr *head = (struct cmsghdr *)control;
	int *fds = (int *)CMSG_DATA(head), pair[2];

	if (m.msg_controllen > sizeof(control) || socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		return 1;
	*head = (struct cmsghdr){ CMSG_LEN(bytes), SOL_SOCKET, SCM_RIGHTS };
	for (long i = 0; i < n; i++)
		fds[i] = open(argv[2], O_RDONLY);
	numbers_print(fds, n);
	if (sendmsg(pair[0], &m, 0) != 1)
		return 1;
	memset(fds, 0, bytes);
	if (recvmsg(pair[1], &m, 0) != 1 || head->cmsg_len != CMSG_LEN(bytes))
		return 1;
	numbers_print(fds, n);
	return 0;
}

static int do_kill(char **argv)
{
	signal(SIGUSR1, SIG_IGN);
	for (long i = 0; i < number(argv, 2); i++)
		kill(getpid(), SIGUSR1);
	return !kill(0x3fffffff, SIGTERM);
}

static int do_nap(char **argv)
{
	struct timespec time = { .tv_nsec = number(argv, 2) * 1000000 };

	for (long i = 0; i < number(argv, 3); i++)
		nanosleep(&time, NULL);
	return 0;
}

static int do_ids(char **argv)
{
	(void)argv;
	if (setuid(0) || setreuid(0, 0) || setresuid(0, 0, 0))
		return 1;
	setfsuid(0);
	return setuid(7) || !setuid(0);
}

__attribute__((noinline)) char *readline(char *text)
{
	__asm__ volatile("" : "+r"(text) : : "memory");
	return text;
}

static int do_readline(char **argv)
{
	char name[100], *line = NULL;
	size_t room = 0;
	int master, slave;

	if (number(argv, 2)) {
		if (setsid() < 0 || openpty(&master, &slave, name, NULL, NULL) ||
		    ioctl(slave, TIOCSCTTY, 0))
			return 1;
		puts(name);
		fflush(stdout);
	}
	while (getline(&line, &room, stdin) > 0) {
		line[strcspn(line, "\n")] = 0;
		readline(line);
	}
	return readline(NULL) != NULL;
}

static int do_term(char **argv)
{
	char name[100];
	int master, slave;

	if (openpty(&master, &slave, name, NULL, NULL))
		return 1;
	puts(name);
	return write(slave, argv[2], strlen(argv[2])) < 0 || read(master, name, sizeof(name)) <= 0;
}

static int do_shm(char **argv)
{
	int id = shmget(IPC_PRIVATE, number(argv, 2), 0600);
	void *at = shmat(id, NULL, 0);

	shmat(-1, NULL, SHM_RDONLY);
	printf("%d\n", id);
	return shmdt(at) || shmctl(id, IPC_RMID, NULL);
}

static int do_memory(char **argv)
{
	long bytes = number(argv, 2) << 20;
	char *at = malloc(bytes);

	for (int times = 0; times < 2; times++)
		for (long i = 0; i < bytes; i += 4096)
			((volatile char *)at)[i] = 1;
	return 0;
}

static int do_pages(char **argv)
{
	long count = number(argv, 3), reads = count * number(argv, 4);
	int fd = open(argv[2], O_RDONLY);
	static char buf[4096];

	memset(buf, 1, sizeof(buf));
	posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
	if (read(0, buf, 1) != 1)
		return 1;
	for (long i = 0; i < reads; i++)
		if (pread(fd, buf, sizeof(buf), i % count * sizeof(buf)) != sizeof(buf))
			return 2;
	return read(0, buf, 1) != 0;
}

static int turns[2][2];

static void turns_print(void)
{
	FILE *f = fopen("/proc/thread-self/schedstat", "r");
	long times;

	if (!f || fscanf(f, "%*d %*d %ld", &times) != 1)
		exit(4);
	printf("%d %ld\n", gettid(), times);
	fclose(f);
}

static void *turn(void *arg)
{
	char byte;

	while (read(turns[0][0], &byte, 1) == 1 && write(turns[1][1], &byte, 1) == 1)
		;
	turns_print();
	return arg;
}

static int do_turns(char **argv)
{
	pthread_t thread;
	char byte = 0;

	if (pipe(turns[0]) || pipe(turns[1]) || pthread_create(&thread, NULL, turn, NULL))
		return 1;
	for (long i = 0; i < number(argv, 2); i++)
		if (write(turns[0][1], &byte, 1) != 1 || read(turns[1][0], &byte, 1) != 1)
			return 1;
	close(turns[0][1]);
	return pthread_join(thread, NULL);
}

static int do_node(char **argv)
{
	return mknod(argv[2], S_IFREG | 0600, 0) || unlink(argv[2]);
}

static int do_calls(char **argv)
{
	long count = number(argv, 2);
	int status = 0, failed = 0;

	for (int cpu = 0; cpu < 2; cpu++) {
		cpu_set_t set;

		if (fork())
			continue;
		CPU_ZERO(&set);
		CPU_SET(cpu, &set);
		if (sched_setaffinity(0, sizeof(set), &set))
			_exit(1);
		while (count--)
			syscall(SYS_getppid);
		_exit(0);
	}
	while (wait(&status) > 0)
		failed |= status;
	return failed != 0;
}

static const struct {
	const char *name;
	int args;
	int (*run)(char **argv);
} deeds[] = {
	{ "tcp", 3, do_tcp },		{ "tcp6", 3, do_tcp6 },	    { "refused", 1, do_refused },
	{ "bind", 1, do_bind },		{ "listen", 2, do_listen }, { "unix", 2, do_unix },
	{ "kill", 1, do_kill },		{ "nap", 2, do_nap },	    { "ids", 0, do_ids },
	{ "readline", 1, do_readline }, { "term", 1, do_term },	    { "shm", 1, do_shm },
	{ "udp", 2, do_udp },		{ "memory", 1, do_memory }, { "turns", 1, do_turns },
	{ "pages", 3, do_pages },	{ "fds", 2, do_fds },	    { "calls", 1, do_calls },
	{ "peek", 1, do_peek },		{ "node", 1, do_node },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(deeds) / sizeof(deeds[0]); i++)
		if (!strcmp(argv[1], deeds[i].name) && argc == deeds[i].args + 2)
			return deeds[i].run(argv);
	fprintf(stderr, "deeds: see the head of deeds.c\n");
	return 2;
}
