/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * check_vmlinux.c - every field of vmlinux/ against the BTF of every kernel at hand.
 *
 *     check_vmlinux SURFACE.o BTF...
 *
 * vmlinux/optional.def lists fields that a kernel may lack, because the programs ask
 * bpf_core_field_exists first; fields of a ___suffix type always may. A kernel that lacks any
 * other field fails. Speaks TAP, with the table of what is lacking as comments in front.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "btf/core_fields.h"

#define FIELDS_MAX   1024
#define KERNELS_MAX  64
#define PATH_LEN     192
#define FIELD_COLUMN 34
#define ALL_KERNELS  5 /* what `make test` fetches at least */

struct field_row {
	char path[PATH_LEN];
	bool optional;
	unsigned char faults[KERNELS_MAX]; /* enum core_fields_fault */
};

static struct field_row fields[FIELDS_MAX];
static size_t field_count;
static char kernels[KERNELS_MAX][80];
static size_t kernel_count; /* while comparing: the index of this one */
static int number, failed;

static void result(bool fine, const char *what, const char *more)
{
	printf("%s %d - vmlinux/: %s%s\n", fine ? "ok" : "not ok", ++number, what, more);
	failed |= !fine;
}

static void die(const char *what, const char *path, int err)
{
	printf("not ok %d - %s %s: %s\n", ++number, what, path, strerror(-err));
	exit(1);
}

static struct field_row *field_find(const char *path, bool add)
{
	for (size_t i = 0; i < field_count; i++)
		if (!strcmp(fields[i].path, path))
			return &fields[i];
	if (!add || field_count == FIELDS_MAX)
		return NULL;
	snprintf(fields[field_count].path, PATH_LEN, "%s", path);
	fields[field_count].optional = core_fields_optional(path);
	return &fields[field_count++];
}

static void compared(void *ctx, const char *path, enum core_fields_fault fault)
{
	struct field_row *f = field_find(path, true);

	(void)ctx;
	if (!f)
		die("too many fields:", path, -E2BIG);
	f->faults[kernel_count] = fault;
}

/* "6.1.0-50-cloud-amd64" of ".../6.1.0-50-cloud-amd64/btf"; else the file's name. */
static void kernel_name(const char *path)
{
	char *name = kernels[kernel_count];
	const char *end = strrchr(path, '/'), *start = end;

	if (end && !strcmp(end, "/btf")) {
		while (start > path && start[-1] != '/')
			start--;
		snprintf(name, sizeof(kernels[0]), "%.*s", (int)(end - start), start);
	} else {
		snprintf(name, sizeof(kernels[0]), "%s", end ? end + 1 : path);
	}
}

static void kernel_compare(struct btf_view *ours, const char *path)
{
	struct btf_view *kernel;
	int err = btf_view_open(path, &kernel);

	if (err)
		die("cannot read", path, err);
	kernel_name(path);
	err = core_fields_compare(ours, kernel, compared, NULL);
	if (err)
		die("cannot compare", path, err);
	btf_view_close(kernel);
	kernel_count++;
}

static struct btf_view *ours_open(const char *path)
{
	struct btf_view *ours = NULL;
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;
	void *elf = MAP_FAILED;

	if (fd >= 0 && !fstat(fd, &st))
		elf = mmap(NULL, st.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	if (elf == MAP_FAILED)
		die("cannot open", path, -errno);
	err = core_fields_types(elf, st.st_size, &ours);
	if (err)
		die("no BTF in", path, err);
	close(fd);
	return ours;
}

/* A line of optional.def about a field that we do not have (any more) is a mistake. */
static void optional_judge(void)
{
#define OPTIONAL(path_, why_) path_,
	static const char *const paths[] = {
#include "../../vmlinux/optional.def"
	};
#undef OPTIONAL

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (!field_find(paths[i], false))
			result(false, "optional.def has a field that vmlinux/ has not: ", paths[i]);
}

static size_t lacking_count(const struct field_row *f)
{
	size_t n = 0;

	for (size_t k = 0; k < kernel_count; k++)
		n += f->faults[k] != CORE_FIELDS_FINE;
	return n;
}

static void table_print(void)
{
	printf("# %zu fields; + there, - lacking, ! of another kind or size; (optional)\n#\n",
	       field_count);
	for (size_t k = 0; k < kernel_count; k++)
		printf("#   %c: %s\n", (char)('A' + k % 26), kernels[k]);
	printf("#\n#   %-*s", FIELD_COLUMN, "lacking somewhere");
	for (size_t k = 0; k < kernel_count; k++)
		printf(" %c", (char)('A' + k % 26));
	printf("\n");
	for (size_t i = 0; i < field_count; i++) {
		const struct field_row *f = &fields[i];
		char name[PATH_LEN + 2];

		if (!lacking_count(f))
			continue;
		snprintf(name, sizeof(name), f->optional ? "(%s)" : "%s", f->path);
		printf("#   %-*s", FIELD_COLUMN, name);
		for (size_t k = 0; k < kernel_count; k++)
			printf(" %c", f->faults[k] == CORE_FIELDS_FINE	   ? '+' :
				      f->faults[k] <= CORE_FIELDS_NO_FIELD ? '-' :
									     '!');
		printf("\n");
	}
}

static const char *fault_text(enum core_fields_fault fault)
{
	static const char *const texts[] = {
		[CORE_FIELDS_FINE] = "fine",
		[CORE_FIELDS_NO_TYPE] = "no such struct",
		[CORE_FIELDS_NO_FIELD] = "no such field",
		[CORE_FIELDS_KIND] = "another kind",
		[CORE_FIELDS_SIZE] = "another size",
		[CORE_FIELDS_TARGET] = "another struct",
	};
	return texts[fault];
}

static void kernel_judge(size_t k)
{
	bool fine = true;

	for (size_t i = 0; i < field_count; i++) {
		const struct field_row *f = &fields[i];

		if (f->faults[k] == CORE_FIELDS_FINE || f->optional)
			continue;
		printf("# %s: %s: %s\n", kernels[k], f->path, fault_text(f->faults[k]));
		fine = false;
	}
	result(fine, "has every field that is not optional: ", kernels[k]);
}

/* With all kernels there, a field that none of them has is a mistake, optional or not. */
static void fields_judge(void)
{
	for (size_t i = 0; i < field_count; i++) {
		if (lacking_count(&fields[i]) < kernel_count)
			continue;
		if (kernel_count >= ALL_KERNELS)
			result(false, "no kernel has ", fields[i].path);
		else
			printf("# none of these has %s\n", fields[i].path);
	}
}

int main(int argc, char **argv)
{
	struct btf_view *ours;

	if (argc < 3 || argc - 2 > KERNELS_MAX) {
		fprintf(stderr, "usage: check_vmlinux SURFACE.o BTF...\n");
		return 1;
	}
	ours = ours_open(argv[1]);
	for (int i = 2; i < argc; i++)
		kernel_compare(ours, argv[i]);
	optional_judge();
	table_print();
	for (size_t k = 0; k < kernel_count; k++)
		kernel_judge(k);
	fields_judge();
	printf("1..%d\n", number);
	btf_view_close(ours);
	return failed;
}
