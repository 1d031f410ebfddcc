/* SPDX-License-Identifier: GPL-2.0-only */
/* pins PATH NUMBER…: pins a BPF map with these numbers as keys, as users of bcc's tools do with bpftool. */
#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static int bpf(int command, union bpf_attr *attr)
{
	int result = syscall(SYS_bpf, command, attr, sizeof(*attr));

	if (result >= 0)
		return result;
	fprintf(stderr, "pins: %s\n", strerror(errno));
	exit(1);
}

int main(int argc, char **argv)
{
	union bpf_attr create = {
		.map_type = BPF_MAP_TYPE_HASH, .key_size = 8, .value_size = 4, .max_entries = 64
	};
	union bpf_attr pin = { 0 };
	unsigned one = 1;

	if (argc < 2)
		return 2;
	/* before 5.11 maps count as locked memory, also those that ended tools have left to the kernel to free */
	setrlimit(RLIMIT_MEMLOCK, &(struct rlimit){ RLIM_INFINITY, RLIM_INFINITY });
	pin.bpf_fd = bpf(BPF_MAP_CREATE, &create);
	pin.pathname = (unsigned long)argv[1];
	for (int i = 2; i < argc; i++) {
		unsigned long long key = strtoull(argv[i], NULL, 0);
		union bpf_attr add = { 0 };

		add.map_fd = pin.bpf_fd;
		add.key = (unsigned long)&key;
		add.value = (unsigned long)&one;
		bpf(BPF_MAP_UPDATE_ELEM, &add);
	}
	bpf(BPF_OBJ_PIN, &pin);
	return 0;
}
