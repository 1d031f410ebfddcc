/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_proc.c - damaged files as the kernel writes them: kallsyms, lines of /proc/PID/maps, the segments of kcore. They
 * may be refused or give nonsense, but every name that is found is a text, and nothing leaves the data or never ends.
 *
 *	fuzz_proc [COUNT [SEED]]
 */
#include <string.h>
#include <sys/mman.h>

#include "fuzz.h"
#include "symbols/kernel/kcore.h"
#include "symbols/kernel/ksyms.h"
#include "symbols/user/usyms_maps.h"

enum { FILE_MAX = 24 << 10, LINES = 200 };

struct bytes {
	char data[FILE_MAX];
	size_t size;
};

static void line_add(struct bytes *b, const char *line)
{
	size_t len = strlen(line);

	if (b->size + len > sizeof(b->data))
		return;
	memcpy(b->data + b->size, line, len);
	b->size += len;
}

/* ---- samples ---- */

static void kallsyms_make(struct chance *c, struct bytes *b)
{
	static const char *const names[] = { "_stext", "vfs_read", "__pfx_vfs_read", "__cfi_f",
					     "f",      "f.isra.0", "_end",	     "bpf_prog_1_f",
					     "",       "x" };
	static const char *const modules[] = { "", "\t[ext4]", "\t[bpf]", "\t[", "\t", "\t[x" };
	uint64_t address = 0xffffffff81000000;
	char line[FUZZ_TEXT];

	for (uint32_t lines = chance_below(c, LINES); lines; lines--) {
		address += chance_below(c, 3) ? chance_below(c, 300) :
						-(uint64_t)chance_below(c, 300);
		snprintf(line, sizeof(line), "%016llx %c %s%s\n",
			 (unsigned long long)(chance_below(c, 20) ? address : chance_next(c)),
			 "TtWwDdbBA"[chance_below(c, 9)], names[chance_below(c, 10)],
			 modules[chance_below(c, 3) ? 0 : chance_below(c, 6)]);
		line_add(b, line);
	}
}

static void maps_make(struct chance *c, struct bytes *b)
{
	static const char *const paths[] = { "/usr/lib/libc.so.6", "[heap]",   "",
					     "/a b (deleted)",	   "/x\\012y", "[vdso]",
					     "/memfd:x",	   "/dev/zero" };
	char line[FUZZ_TEXT];

	for (uint32_t lines = chance_below(c, LINES / 4); lines; lines--) {
		uint64_t start = chance_next(c) >> chance_below(c, 32);

		snprintf(line, sizeof(line), "%08llx-%08llx r%cxp %08x %02x:%02x %u %s\n",
			 (unsigned long long)start,
			 (unsigned long long)(start + (chance_next(c) >> chance_below(c, 64))),
			 "w-"[chance_below(c, 2)], (uint32_t)chance_next(c), chance_below(c, 300),
			 chance_below(c, 300), chance_below(c, 9999), paths[chance_below(c, 8)]);
		line_add(b, line);
	}
}

/* The header of a core file, and random segments. */
static void kcore_make(struct chance *c, struct bytes *b)
{
	static const uint8_t head[64] = {
		0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0,  0, 0,  0, 0, 0, 0, 0, 4, 0, 62, 0, 1, 0,
		0,    0,   0,	0,   0, 0, 0, 0, 0,  0, 64, 0, 0, 0, 0, 0, 0, 0, 0,  0, 0, 0,
		0,    0,   0,	0,   0, 0, 0, 0, 64, 0, 56, 0, 3, 0, 0, 0, 0, 0, 0,  0
	};
	uint64_t words[3 * 7];

	memcpy(b->data, head, sizeof(head));
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		words[i] = i % 7 == 0	      ? 1 :
			   chance_below(c, 2) ? chance_below(c, 8192) :
						chance_next(c) >> chance_below(c, 64);
	memcpy(b->data + sizeof(head), words, sizeof(words));
	b->size = sizeof(head) + sizeof(words) + chance_below(c, 4096);
}

static void bytes_spoil(struct chance *c, struct bytes *b)
{
	for (uint32_t changes = chance_below(c, 10); changes && b->size; changes--) {
		size_t at = chance_below(c, b->size), run = 1 + chance_below(c, 3000);

		run = run < b->size - at ? run : b->size - at;
		switch (chance_below(c, 5)) {
		case 0: b->data[at] = (char)chance_next(c); break;
		case 1: b->data[at] = "\n \t[]:-\0z0"[chance_below(c, 10)]; break;
		case 2: memset(b->data + at, 'a', run); break;
		case 3:
			memmove(b->data + at, b->data + at + run, b->size - at - run);
			b->size -= run;
			break;
		default: b->size = at; break;
		}
	}
}

/* ---- what is read of them ---- */

static size_t letters; /* what was found is read, too */

static bool symbols_look(struct chance *c, const char *path)
{
	struct ksym s;
	uint64_t offset;
	const char *module, *name;
	size_t count;
	int err = ksyms_read(path);

	for (size_t i = 0; ksyms_get(i, &s); i++) {
		letters += strlen(s.name) + (s.module ? strlen(s.module) : 0);
		name = ksyms_name(s.address + chance_below(c, 50), &offset, &module);
		letters += name ? strlen(name) : 0;
		ksyms_size(s.address);
		if (chance_below(c, 20) == 0)
			ksyms_address(s.name, &count);
	}
	ksyms_name(chance_next(c), &offset, &module);
	return !err;
}

static bool lines_look(struct bytes *b)
{
	bool good = false;

	for (size_t at = 0, end; at < b->size; at = end + 1) {
		struct mapping_line l;
		char *line;

		for (end = at; end < b->size && b->data[end] != '\n'; end++)
			;
		line = strndup(b->data + at, end - at);
		if (mapping_line_parse(line, &l)) {
			letters += strlen(l.path);
			good = true;
		}
		free(line);
	}
	return good;
}

static bool memory_look(struct chance *c, const char *path)
{
	struct kcore *k;
	char bytes[64];

	if (kcore_open(path, &k))
		return false;
	for (int i = 0; i < 20; i++)
		kcore_read(k, chance_below(c, 2) ? chance_below(c, 16384) : chance_next(c), bytes,
			   sizeof(bytes));
	kcore_close(k);
	return true;
}

static bool one_round(struct chance *c, int fd, const char *path)
{
	static struct bytes b;
	uint32_t kind = chance_below(c, 3);

	b.size = 0;
	if (kind == 0)
		kallsyms_make(c, &b);
	else if (kind == 1)
		maps_make(c, &b);
	else
		kcore_make(c, &b);
	bytes_spoil(c, &b);
	if (kind == 1)
		return lines_look(&b);
	FUZZ_CHECK(!ftruncate(fd, 0) && pwrite(fd, b.data, b.size, 0) == (ssize_t)b.size);
	return kind == 0 ? symbols_look(c, path) : memory_look(c, path);
}

int main(int argc, char **argv)
{
	unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 0) : 20000;
	unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 0) : 1, good = 0;
	int fd = memfd_create("fuzz_proc", MFD_CLOEXEC);
	char path[64];

	FUZZ_CHECK(fd >= 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	for (unsigned long i = 0; i < count; i++) {
		struct chance c = { ((uint64_t)seed << 40 ^ i) * 0x9e3779b97f4a7c15ull | 1 };

		good += one_round(&c, fd, path);
	}
	printf("%lu read, %lu refused\n", good, count - good);
	close(fd);
	return 0;
}
