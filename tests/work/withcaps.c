/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * withcaps CAPS COMMAND [ARG…]: runs a command as user 65534 with these capabilities and no others, as
 * a service manager's ambient capabilities do. CAPS: bpf,perfmon,… or - for none.
 * withcaps --file FILE CAPS is setcap(8): the file gives them (CAPS=ep) to whoever executes it.
 */
#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

/* clang-format off */
static const struct { const char *name; int number; } known[] = {
	{ "dac_read_search", CAP_DAC_READ_SEARCH }, { "sys_ptrace", CAP_SYS_PTRACE },
	{ "sys_admin", CAP_SYS_ADMIN },		    { "sys_resource", CAP_SYS_RESOURCE },
	{ "syslog", 34 },			    { "perfmon", 38 },
	{ "bpf", 39 },			    { "checkpoint_restore", 40 },
};
/* clang-format on */

static void die(const char *what)
{
	fprintf(stderr, "withcaps: %s: %s\n", what, strerror(errno));
	exit(125);
}

static unsigned long long caps_read(char *text)
{
	unsigned long long mask = 0;
	size_t i;

	for (char *word = strtok(text, ","); word; word = strtok(NULL, ",")) {
		for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
			if (!strcmp(known[i].name, word))
				break;
		errno = EINVAL;
		if (i == sizeof(known) / sizeof(known[0]))
			die(word);
		mask |= 1ull << known[i].number;
	}
	return mask;
}

static void caps_set(unsigned long long mask)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2];

	for (int i = 0; i < 2; i++)
		data[i].effective = data[i].permitted = data[i].inheritable = mask >> 32 * i;
	if (syscall(SYS_capset, &header, data))
		die("capset");
	for (int cap = 0; cap < 64; cap++)
		if (mask >> cap & 1 && prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, cap, 0, 0))
			die("ambient");
}

/* What a file system keeps of them: little-endian, as linux/capability.h has it. */
static void file_set(const char *file, unsigned long long mask)
{
	struct vfs_cap_data data = { .magic_etc = VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE };

	data.data[0].permitted = mask;
	data.data[1].permitted = mask >> 32;
	if (setxattr(file, "security.capability", &data, sizeof(data), 0))
		die(file);
}

int main(int argc, char **argv)
{
	unsigned long long mask;

	if (argc == 4 && !strcmp(argv[1], "--file")) {
		file_set(argv[2], caps_read(argv[3]));
		return 0;
	}
	if (argc < 3)
		return 125;
	mask = strcmp(argv[1], "-") ? caps_read(argv[1]) : 0;
	if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) || setgroups(0, NULL) ||
	    setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534))
		die("setresuid");
	caps_set(mask);
	execvp(argv[2], argv + 2);
	die(argv[2]);
}
