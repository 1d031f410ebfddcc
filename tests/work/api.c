/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * api.c - the program of docs/tutorial.md: a server that is slow now and then, and who asks it.
 *
 *	api serve LOG   answers requests on 127.0.0.1:8080; each is written to LOG, and to the disk
 *	api ask SEC     sends a request every 20 ms, and prints the slowest answer and the average, in ms
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static struct sockaddr_in here(void)
{
	return (struct sockaddr_in){ .sin_family = AF_INET,
				     .sin_port = htons(8080),
				     .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

static void check(int is_fine, const char *what)
{
	if (is_fine)
		return;
	perror(what);
	exit(1);
}

/* ---- the server ---- */

__attribute__((noinline)) void settings_read(void)
{
	int fd = open("/etc/api/features.conf", O_RDONLY);

	if (fd >= 0)
		close(fd);
}

__attribute__((noinline)) int order_save(int log, const char *order)
{
	check(write(log, order, strlen(order)) > 0, "write");
	return fsync(log);
}

__attribute__((noinline)) void request_answer(int client, int log)
{
	static const char answer[] = "HTTP/1.0 200 OK\r\n\r\nsaved\n";
	char text[256];
	ssize_t len = read(client, text, sizeof(text) - 1);

	if (len <= 0)
		return;
	text[len] = 0;
	settings_read();
	order_save(log, text);
	check(write(client, answer, sizeof(answer) - 1) > 0, "write");
}

static void serve(const char *path)
{
	int server = socket(AF_INET, SOCK_STREAM, 0), on = 1;
	int log = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
	struct sockaddr_in at = here();

	setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	check(log >= 0, path);
	check(!bind(server, (struct sockaddr *)&at, sizeof(at)), "bind");
	check(!listen(server, 16), "listen");
	for (;;) {
		int client = accept(server, NULL, NULL);

		check(client >= 0, "accept");
		request_answer(client, log);
		close(client);
	}
}

/* ---- who asks ---- */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static double ask_once(int number)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	struct sockaddr_in at = here();
	double begin = now();
	char text[256];

	check(!connect(fd, (struct sockaddr *)&at, sizeof(at)), "connect");
	snprintf(text, sizeof(text), "POST /orders/%d HTTP/1.0\r\n\r\n", number);
	check(write(fd, text, strlen(text)) > 0, "write");
	while (read(fd, text, sizeof(text)) > 0)
		;
	close(fd);
	return now() - begin;
}

static void ask(double seconds)
{
	double end = now() + seconds * 1e3, sum = 0, most = 0;
	int count = 0;

	while (now() < end) {
		double took = ask_once(++count);

		sum += took;
		most = took > most ? took : most;
		usleep(20000);
	}
	printf("%d requests, %.1f ms on average, slowest %.1f ms\n", count, sum / count, most);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "serve"))
		serve(argv[2]);
	if (argc != 3 || strcmp(argv[1], "ask"))
		return 1;
	ask(atof(argv[2]));
	return 0;
}
