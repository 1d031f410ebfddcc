/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * verdicts.c - loads BPF programs (bpf/verdicts.bpf.c), one on the loopback device, and sends packets of known lengths
 * through them, until the end of its input.
 *
 *	verdicts OBJECT		each line of the input is the length of a UDP payload; prints what it sent
 */
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int fail(const char *what)
{
	fprintf(stderr, "verdicts: %s: %s\n", what, strerror(errno));
	return 1;
}

static struct bpf_program *program(struct bpf_object *object, const char *name)
{
	return bpf_object__find_program_by_name(object, name);
}

/* The classifier runs only when asked (packets_send): the guests have no module for it. */
static int attach(struct bpf_object *object, int lo)
{
	if (!bpf_program__attach_xdp(program(object, "verdict_of_each_packet"), lo))
		return fail("xdp");
	return bpf_program__attach(program(object, "on_sys_enter")) ? 0 : fail("raw_tp");
}

/* The result for a frame of that length. */
static int classify(int prog, size_t len)
{
	static char frame[4096];
	LIBBPF_OPTS(bpf_test_run_opts, run, .data_in = frame, .data_size_in = len, .repeat = 1);

	return bpf_prog_test_run_opts(prog, &run) ? -1 : (int)run.retval;
}

static void packets_send(int fd, int prog)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9) };
	static char payload[4000];
	char line[32];

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	while (fgets(line, sizeof(line), stdin)) {
		size_t len = strtoul(line, NULL, 10) % sizeof(payload);

		sendto(fd, payload, len, 0, (struct sockaddr *)&to, sizeof(to));
		printf("sent %zu, classified %d\n", len, classify(prog, len));
		fflush(stdout);
	}
}

int main(int argc, char **argv)
{
	struct bpf_object *object = argc == 2 ? bpf_object__open_file(argv[1], NULL) : NULL;
	int lo = if_nametoindex("lo"), fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (!object || bpf_object__load(object))
		return fail("object");
	if (attach(object, lo))
		return 1;
	printf("ready\n");
	fflush(stdout);
	packets_send(fd, bpf_program__fd(program(object, "tc_shot_every")));
	return 0;
}
