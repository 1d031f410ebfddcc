/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hostile.c - a traced process that attacks its tracer, through the files that it maps. Each is
 * traced by its calls of getpgid, which are made from code in such a file.
 *
 *   hostile swap DIR COUNT   calls, unmaps the file, and has put a link to a FIFO at its path: prints
 *                            whether somebody opened the FIFO
 *   hostile churn DIR COUNT  maps and unmaps so many files, and prints by how many KiB its parent
 *                            has grown from the first tenth on
 *   hostile rewrite DIR      calls, changes the function's name in the mapped file, and calls again;
 *                            then the same with only the file's mode changed
 *   hostile name DIR         calls from a file of names that overlap, and prints by how many KiB its
 *                            parent has grown
 *   hostile write FILE KIND  writes an ELF file: good, names (long ones that overlap), segments (as
 *                            many as a count can say), sparse (a table of a terabyte), beyond (a
 *                            table behind the end)
 */
#include <err.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../unit/elf_sample.h"

enum { TEXT = 0x1000, HELPER = 0x10, PAGE = 0x1000 };

#if defined(__x86_64__)
/* push %rbp; mov %rsp,%rbp; xor %edi,%edi; mov $121,%eax; syscall; pop %rbp; ret */
static const unsigned char code[] = { 0x55, 0x48, 0x89, 0xe5, 0x31, 0xff, 0xb8, 121,
				      0,    0,	  0,	0x0f, 0x05, 0x5d, 0xc3 };
#elif defined(__aarch64__)
/* stp x29,x30,[sp,#-16]!; mov x29,sp; mov x0,#0; mov x8,#155; svc #0; ldp x29,x30,[sp],#16; ret */
static const unsigned char code[] = { 0xfd, 0x7b, 0xbf, 0xa9, 0xfd, 0x03, 0x00, 0x91, 0, 0,
				      0x80, 0xd2, 0x68, 0x13, 0x80, 0xd2, 0x01, 0,    0, 0xd4,
				      0xfd, 0x7b, 0xc1, 0xa8, 0xc0, 0x03, 0x5f, 0xd6 };
#elif defined(__riscv)
/* li a0,0; li a7,155; ecall; ret */
static const unsigned char code[] = {
	0x01, 0x45, 0x93, 0x08, 0xb0, 0x09, 0x73, 0, 0, 0, 0x82, 0x80
};
#elif defined(__powerpc64__)
/* li r3,0; li r0,132; sc; blr */
static const unsigned char code[] = { 0,    0, 0x60, 0x38, 132,	 0, 0,	  0x38,
				      0x02, 0, 0,    0x44, 0x20, 0, 0x80, 0x4e };
#else
#error "no code for this processor"
#endif

static void put(int fd, const void *bytes, size_t size, off_t at)
{
	if (pwrite(fd, bytes, size, at) != (ssize_t)size)
		err(1, "write");
}

static int file_new(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0755);

	if (fd < 0)
		err(1, "%s", path);
	return fd;
}

/* A good file, whose function `helper` calls getpgid. */
static int library_new(const char *path)
{
	struct elf_sample e;
	int fd = file_new(path);

	sample_make(&e, false);
	put(fd, &e, sizeof(e), 0);
	put(fd, code, sizeof(code), TEXT + HELPER);
	if (ftruncate(fd, TEXT + PAGE))
		err(1, "%s", path);
	return fd;
}

static char *library_map(int fd)
{
	char *at = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, TEXT);

	if (at == MAP_FAILED)
		err(1, "mmap");
	return at;
}

static void call(const char *text)
{
	((long (*)(void))(text + HELPER))();
}

/* ---- the tracer, our parent ---- */

/* A line of its /proc/PID/status, "KEY:". */
static long parent_status(const char *key)
{
	char path[32], line[128];
	long value = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", getppid());
	f = fopen(path, "r");
	while (f && value < 0 && fgets(line, sizeof(line), f))
		if (!strncmp(line, key, strlen(key)))
			value = atol(line + strlen(key));
	if (f)
		fclose(f);
	return value;
}

static long parent_kib(void)
{
	return parent_status("VmRSS:");
}

/* Until it has looked at what there is and slept several times: what was called before it knows. */
static void parent_looks(void)
{
	static const char key[] = "voluntary_ctxt_switches:";
	long until = parent_status(key) + 5;

	for (int ms = 0; parent_status(key) < until; ms++) {
		if (ms > 60000)
			errx(1, "the tracer does not look");
		usleep(1000);
	}
}

/* ---- swap ---- */

/* A writer waits until somebody opens the other end, for however short. */
static int fifo_watch(pid_t *writer)
{
	int ends[2];

	if (mkfifo("fifo", 0600) || pipe(ends))
		err(1, "fifo");
	*writer = fork();
	if (*writer)
		return ends[0];
	if (open("fifo", O_WRONLY) < 0 || write(ends[1], "x", 1) != 1)
		_exit(1);
	_exit(0);
}

static int swap(long count)
{
	struct pollfd opened = { .events = POLLIN };
	pid_t writer;
	bool touched;

	opened.fd = fifo_watch(&writer);
	while (count--) {
		int fd = library_new("lib");
		char *text = library_map(fd);

		close(fd);
		if (unlink("lib") || symlink("fifo", "lib"))
			err(1, "lib");
		call(text);
		munmap(text, PAGE);
		parent_looks();
		unlink("lib");
	}
	touched = poll(&opened, 1, 0) == 1;
	printf("%s\n", touched ? "opened" : "left alone");
	kill(writer, SIGKILL);
	return 0;
}

/* ---- churn ---- */

/* One file, of another name each time: that is another file to who looks. */
static int churn(long count)
{
	char name[300] = "lib", next[300];
	int fd = library_new(name);
	long before = 0;

	for (long i = 0; i < count; i++) {
		char *text;

		memset(next, 'n', 240);
		snprintf(next + 240, sizeof(next) - 240, "%ld", i);
		if (rename(name, next))
			err(1, "%s", next);
		strcpy(name, next);
		text = library_map(fd);
		if (i % 500 == 0) {
			call(text);
			parent_looks(); /* while it is there */
		}
		if (i == count / 10)
			before = parent_kib();
		munmap(text, PAGE);
	}
	printf("%ld\n", parent_kib() - before);
	return 0;
}

/* ---- rewrite ---- */

static int rewrite(void)
{
	struct elf_sample e;
	int same = library_new("same"), lib = library_new("lib");
	char *same_text = library_map(same), *lib_text = library_map(lib);

	call(same_text);
	call(lib_text);
	parent_looks();
	sample_make(&e, false);
	sample_rename(&e, "helper", "hacker");
	put(lib, &e, sizeof(e), 0);
	fchmod(same, 0700);
	parent_looks();
	call(same_text);
	call(lib_text);
	parent_looks();
	return 0;
}

/* ---- names ---- */

enum { LONG_COUNT = 50000 };

/* Each symbol's name is the end of one string, which has no other NUL. */
static void names_write(int fd)
{
	Elf64_Sym *symbols = calloc(LONG_COUNT, sizeof(*symbols));
	char *text = malloc(LONG_COUNT + 1);
	struct elf_sample e;

	sample_make(&e, false);
	memset(text, 'a', LONG_COUNT);
	text[LONG_COUNT] = '\0';
	for (int i = 0; i < LONG_COUNT; i++)
		symbols[i] = sample_symbol(i, STB_GLOBAL, STT_FUNC, 0x401000 + i % PAGE, 1);
	e.segments[0].p_filesz = PAGE;
	sample_section(&e, SAMPLE_SYMTAB, SHT_SYMTAB, TEXT + PAGE, LONG_COUNT * sizeof(*symbols),
		       SAMPLE_STRTAB, sizeof(*symbols));
	sample_section(&e, SAMPLE_STRTAB, SHT_STRTAB, TEXT + PAGE + LONG_COUNT * sizeof(*symbols),
		       LONG_COUNT + 1, 0, 0);
	put(fd, &e, sizeof(e), 0);
	put(fd, symbols, LONG_COUNT * sizeof(*symbols), TEXT + PAGE);
	put(fd, text, LONG_COUNT + 1, TEXT + PAGE + LONG_COUNT * sizeof(*symbols));
}

static int name_all(void)
{
	int fd = file_new("lib"), good = library_new("good");
	char *text;
	long before;

	names_write(fd);
	put(fd, code, sizeof(code), TEXT + HELPER);
	call(library_map(good));
	parent_looks();
	before = parent_kib();
	text = library_map(fd);
	call(text);
	parent_looks();
	printf("%ld\n", parent_kib() - before);
	return 0;
}

/* ---- files ---- */

static int write_kind(int fd, const char *kind)
{
	const uint64_t terabyte = 1ull << 40;
	struct elf_sample e;

	sample_make(&e, false);
	if (!strcmp(kind, "names")) {
		names_write(fd);
		return 0;
	}
	if (!strcmp(kind, "segments")) {
		e.head.e_phnum = PN_XNUM;
		e.sections[0].sh_info = 20000000;
	} else if (!strcmp(kind, "sparse")) {
		e.sections[SAMPLE_SYMTAB].sh_size = terabyte;
	} else if (!strcmp(kind, "beyond")) {
		e.sections[SAMPLE_STRTAB].sh_offset = terabyte * 2;
	} else if (strcmp(kind, "good")) {
		return 1;
	}
	put(fd, &e, sizeof(e), 0);
	return ftruncate(fd, strcmp(kind, "good") ? terabyte + (1 << 20) : TEXT + PAGE);
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";
	long count = argc > 3 ? atol(argv[3]) : 0;

	if (!strcmp(what, "write") && argc > 3)
		return write_kind(file_new(argv[2]), argv[3]);
	if (argc > 2 && chdir(argv[2]))
		err(1, "%s", argv[2]);
	if (!strcmp(what, "swap") && count > 0)
		return swap(count);
	if (!strcmp(what, "churn") && count > 0)
		return churn(count);
	if (!strcmp(what, "rewrite"))
		return rewrite();
	if (!strcmp(what, "name"))
		return name_all();
	fprintf(stderr, "usage: hostile swap DIR COUNT | churn DIR COUNT | rewrite DIR | "
			"name DIR | write FILE KIND\n");
	return 1;
}
