/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * throng.c - many threads that call functions which tools probe by themselves, in a program that is linked dynamically.
 *
 *   throng lines T N   T threads, each calls the program's own readline N times: it returns "line THREAD NUMBER"
 *   throng names T N   T threads, each looks N names up by getaddrinfo, hTHREAD-NUMBER.test, and connects to the
 *                      first address, port 5080, where nobody listens
 *
 * Prints "line THREAD NUMBER", or "ADDRESS NAME", for each call that was made.
 */
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { THREADS_MAX = 100, PORT = 5080 };

static pthread_barrier_t all;
static int each;

__attribute__((noipa)) char *readline(char *text)
{
	return text;
}

static void *lines(void *number)
{
	char line[40];

	pthread_barrier_wait(&all);
	for (int i = 0; i < each; i++) {
		snprintf(line, sizeof(line), "line %d %d", *(int *)number, i);
		puts(readline(line));
	}
	return NULL;
}

static void peer_connect(const char *name)
{
	const struct addrinfo v4 = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM };
	struct addrinfo *found;
	struct sockaddr_in to;
	int fd;

	if (getaddrinfo(name, NULL, &v4, &found))
		return;
	memcpy(&to, found->ai_addr, sizeof(to));
	freeaddrinfo(found);
	to.sin_port = htons(PORT);
	fd = socket(AF_INET, SOCK_STREAM, 0);
	if (fd < 0 || !connect(fd, (void *)&to, sizeof(to)))
		abort();
	close(fd);
	printf("%s %s\n", inet_ntoa(to.sin_addr), name);
}

static void *names(void *number)
{
	char name[40];

	pthread_barrier_wait(&all);
	for (int i = 0; i < each; i++) {
		snprintf(name, sizeof(name), "h%d-%d.test", *(int *)number, i);
		peer_connect(name);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static int numbers[THREADS_MAX];
	static pthread_t threads[THREADS_MAX];
	int count = argc == 4 ? atoi(argv[2]) : 0;

	if (count < 1 || count > THREADS_MAX)
		return 2;
	each = atoi(argv[3]);
	pthread_barrier_init(&all, NULL, count);
	for (int i = 0; i < count; i++) {
		numbers[i] = i;
		pthread_create(&threads[i], NULL, strcmp(argv[1], "names") ? lines : names,
			       &numbers[i]);
	}
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
