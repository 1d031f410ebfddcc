/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dynamic.c - a program that is linked dynamically, for recipes that look at libraries. It must not
 * know of coretap.
 *
 *   dynamic host NAME N      getaddrinfo of NAME, N times
 *   dynamic hosts            127.0.0.1 by gethostbyname, gethostbyname2 and gethostbyname_r, once each
 *   dynamic peers FUNCTION   lines of stdin, "NAME PORT": looks the name up by getaddrinfo or gethostbyname,
 *                            and connects to its first address
 *   dynamic threads N        N threads, one after the other
 *   dynamic leaks N          in first(): N times malloc(100), of which every other is freed; in second():
 *                            N times calloc(3, 50), realloc of malloc(8) to 200, and aligned_alloc(64, 128)
 *   dynamic forked N         N times each: posix_memalign(64, 100) in aligned(), reallocarray(3, 50) in arrays(),
 *                            malloc(77), which a realloc to an impossible size leaves as it was, in unmoved(), malloc(11)
 *                            in each of two children, in child(); none is freed
 *   dynamic tls LIBRARY N    SSL_write of "sent NUMBER" and SSL_read of "came NUMBER", N times each, then a
 *                            SSL_read that fails. The library is this program, built as one
 *   dynamic tls_ex LIBRARY N the same with "ex sent NUMBER" and "ex came NUMBER" by SSL_write_ex and SSL_read_ex, without a handshake
 *   dynamic tls_as LIBRARY WRITE READ N  the same as tls without a handshake by functions of these names, such as
 *                            gnutls_record_send and gnutls_record_recv
 *   dynamic readline LIBRARY lines of stdin, each from the library's function readline
 */
#include <dlfcn.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef LIBRARY
int SSL_write(void *ssl, const void *buf, int size)
{
	return ssl && buf ? size : -1;
}

int SSL_read(void *ssl, void *buf, int size)
{
	static int number;

	return ssl ? snprintf(buf, size, "came %d", number++) : -1;
}

int SSL_write_ex(void *ssl, const void *buf, size_t size, size_t *written)
{
	*written = ssl && buf ? size : 0;
	return *written != 0;
}

int SSL_read_ex(void *ssl, void *buf, size_t size, size_t *got)
{
	static int number;

	if (ssl)
		*got = snprintf(buf, size, "ex came %d", number++);
	return ssl != NULL;
}

int SSL_do_handshake(void *ssl)
{
	return ssl ? 1 : -1;
}

/* GnuTLS and NSPR */
#define SENDS(name)                                                                                \
	long name(void *to, const void *buf, size_t size)                                          \
	{                                                                                          \
		return to && buf ? (long)size : -1;                                                \
	}
#define RECEIVES(name)                                                                             \
	long name(void *from, void *buf, size_t size)                                              \
	{                                                                                          \
		return from ? snprintf(buf, size, #name) : -1;                                     \
	}
SENDS(gnutls_record_send)
RECEIVES(gnutls_record_recv)
SENDS(PR_Send)
SENDS(PR_Write)
RECEIVES(PR_Recv)
RECEIVES(PR_Read)

char *readline(char *text)
{
	__asm__ volatile("" : "+r"(text) : : "memory");
	return text;
}

#else
static void *nothing(void *arg)
{
	return arg;
}

static int threads(int n)
{
	pthread_t thread;

	for (int i = 0; i < n; i++)
		if (pthread_create(&thread, NULL, nothing, NULL) || pthread_join(thread, NULL))
			return 1;
	return 0;
}

static int hosts(void)
{
	struct hostent entry, *found;
	char room[1000];
	int error;

	if (!gethostbyname("127.0.0.1") || !gethostbyname2("127.0.0.1", AF_INET))
		return 1;
	return gethostbyname_r("127.0.0.1", &entry, room, sizeof(room), &found, &error);
}

static int host(const char *name, int n)
{
	struct addrinfo *found;

	for (int i = 0; i < n; i++)
		if (!getaddrinfo(name, NULL, NULL, &found))
			freeaddrinfo(found);
	return 0;
}

static int peer_find(const char *function, const char *name, struct sockaddr_in *to)
{
	const struct addrinfo v4 = { .ai_family = AF_INET };
	struct addrinfo *found;
	struct hostent *host;

	if (!strcmp(function, "getaddrinfo")) {
		if (getaddrinfo(name, NULL, &v4, &found))
			return 1;
		memcpy(to, found->ai_addr, sizeof(*to));
		freeaddrinfo(found);
		return 0;
	}
	host = gethostbyname(name);
	if (!host)
		return 1;
	to->sin_family = AF_INET;
	memcpy(&to->sin_addr, host->h_addr_list[0], sizeof(to->sin_addr));
	return 0;
}

static int peers(const char *function)
{
	struct sockaddr_in to = { 0 };
	char line[300], name[256];
	int port, fd;

	while (fgets(line, sizeof(line), stdin)) {
		if (sscanf(line, "%255s %d", name, &port) != 2 || peer_find(function, name, &to))
			return 1;
		to.sin_port = htons(port);
		fd = socket(AF_INET, SOCK_STREAM, 0);
		if (fd < 0 || !connect(fd, (void *)&to, sizeof(to)))
			return 1; /* nobody listens */
		close(fd);
	}
	return 0;
}

/* What must stay where the compiler would leave it out. */
static void *kept(void *at)
{
	__asm__ volatile("" : "+r"(at) : : "memory");
	return at;
}

__attribute__((noipa)) static void first(int n)
{
	for (int i = 0; i < n; i++) {
		void *at = kept(malloc(100));

		if (i % 2)
			free(at);
	}
	kept(NULL);
}

__attribute__((noipa)) static void second(int n)
{
	for (int i = 0; i < n; i++) {
		kept(calloc(3, 50));
		kept(realloc(kept(malloc(8)), 200));
		kept(aligned_alloc(64, 128));
	}
	kept(NULL);
}

static int leaks(int n)
{
	first(n);
	second(n);
	return 0;
}

#define ALONE __attribute__((noinline, noclone, noipa))

static void keep(void *p)
{
	__asm__ volatile("" : : "r"(p) : "memory");
}

static ALONE void aligned(void)
{
	void *p;

	if (posix_memalign(&p, 64, 100))
		exit(1);
	keep(p);
}

static ALONE void arrays(void)
{
	keep(reallocarray(NULL, 3, 50));
	__asm__ volatile("");
}

static ALONE void unmoved(void)
{
	volatile size_t much = (size_t)-1 / 2;
	char *p = malloc(77);

	keep(p);
	keep(realloc(p, much));
}

static ALONE void child(int n)
{
	if (!fork()) {
		for (int i = 0; i < n; i++)
			keep(malloc(11));
		_exit(0);
	}
	wait(NULL);
}

static int forked(int n)
{
	for (int i = 0; i < n; i++) {
		aligned();
		arrays();
		unmoved();
	}
	child(n);
	child(n);
	return 0;
}

static int tls(const char *library, int n)
{
	void *at = dlopen(library, RTLD_NOW);
	int (*hand)(void *) = at ? dlsym(at, "SSL_do_handshake") : NULL;
	int (*write_it)(void *, const void *, int) = at ? dlsym(at, "SSL_write") : NULL;
	int (*read_it)(void *, void *, int) = at ? dlsym(at, "SSL_read") : NULL;
	char buf[100];

	if (!hand || !write_it || !read_it || hand(buf) != 1)
		return 1;
	for (int i = 0; i < n; i++) {
		snprintf(buf, sizeof(buf), "sent %d", i);
		if (write_it(buf, buf, strlen(buf)) < 0 || read_it(buf, buf, sizeof(buf)) < 0)
			return 1;
	}
	return read_it(NULL, buf, sizeof(buf)) >= 0;
}

static int tls_ex(const char *library, int n)
{
	void *at = dlopen(library, RTLD_NOW);
	int (*write_it)(void *, const void *, size_t, size_t *) = at ? dlsym(at, "SSL_write_ex") :
								       NULL;
	int (*read_it)(void *, void *, size_t, size_t *) = at ? dlsym(at, "SSL_read_ex") : NULL;
	char buf[100];
	size_t bytes = 50;

	if (!write_it || !read_it)
		return 1;
	for (int i = 0; i < n; i++) {
		snprintf(buf, sizeof(buf), "ex sent %d", i);
		if (write_it(buf, buf, strlen(buf), &bytes) != 1 ||
		    read_it(buf, buf, sizeof(buf), &bytes) != 1)
			return 1;
	}
	return read_it(NULL, buf, sizeof(buf), &bytes) != 0;
}

static int tls_as(char *const *names, int n)
{
	void *at = dlopen(names[0], RTLD_NOW);
	long (*write_it)(void *, const void *, size_t) = at ? dlsym(at, names[1]) : NULL;
	long (*read_it)(void *, void *, size_t) = at ? dlsym(at, names[2]) : NULL;
	char buf[100] = "sent";

	for (int i = 0; i < n; i++)
		if (!write_it || !read_it || write_it(buf, "sent", 4) < 0 ||
		    read_it(buf, buf, sizeof(buf)) < 0)
			return 1;
	return read_it(NULL, buf, sizeof(buf)) >= 0;
}

static int readlines(const char *library)
{
	void *at = dlopen(library, RTLD_NOW);
	char *(*readline)(char *) = at ? dlsym(at, "readline") : NULL;
	char line[100];

	while (readline && fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = 0;
		readline(line);
	}
	return !readline;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "host"))
		return host(argv[2], atoi(argv[3]));
	if (argc == 2 && !strcmp(argv[1], "hosts"))
		return hosts();
	if (argc == 3 && !strcmp(argv[1], "peers"))
		return peers(argv[2]);
	if (argc == 3 && !strcmp(argv[1], "threads"))
		return threads(atoi(argv[2]));
	if (argc == 3 && !strcmp(argv[1], "leaks"))
		return leaks(atoi(argv[2]));
	if (argc == 3 && !strcmp(argv[1], "forked"))
		return forked(atoi(argv[2]));
	if (argc == 4 && !strcmp(argv[1], "tls"))
		return tls(argv[2], atoi(argv[3]));
	if (argc == 4 && !strcmp(argv[1], "tls_ex"))
		return tls_ex(argv[2], atoi(argv[3]));
	if (argc == 6 && !strcmp(argv[1], "tls_as"))
		return tls_as(argv + 2, atoi(argv[5]));
	if (argc == 3 && !strcmp(argv[1], "readline"))
		return readlines(argv[2]);
	return 2;
}
#endif
