/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_elf.c - damaged ELF files: their functions by name and by place. They may be refused or give
 * nonsense, but nothing may leave the data or never end, and the memory taken, at any moment and for
 * good, is in proportion to the file.
 *
 *	fuzz_elf [COUNT [SEED]]
 *
 * With -fsanitize=fuzzer (and -DLIBFUZZER) the input is the file.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "../unit/elf_sample.h"
#include "symbols/user/elf_file.h"
#include "symbols/user/usyms.h"
#include "symbols/user/usyms_elf.h"
#include "symbols/user/usyms_match.h"
#include "fuzz.h"

enum {
	KEPT_FACTOR = 3, /* of the file's size */
	PEAK_FACTOR = 5, /* the same, while it is read and sorted */
	MEMORY_MIN = 32 << 10,
	PADDING = 8192, /* of a file: more symbols and names than the sample has */
};

/* ---- memory ---- */

/* Of AddressSanitizer; without it nothing is measured. */
__attribute__((weak)) int
__sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
					  void (*on_free)(const volatile void *));
__attribute__((weak)) size_t __sanitizer_get_allocated_size(const volatile void *p);

static size_t taken_now, taken_most;

static void malloc_seen(const volatile void *p, size_t size)
{
	(void)p;
	taken_now += size;
	if (taken_now > taken_most)
		taken_most = taken_now;
}

static void free_seen(const volatile void *p)
{
	if (p)
		taken_now -= __sanitizer_get_allocated_size(p);
}

static void memory_watch(void)
{
	static bool watched;

	if (!watched && __sanitizer_install_malloc_and_free_hooks)
		__sanitizer_install_malloc_and_free_hooks(malloc_seen, free_seen);
	watched = true;
}

/* ---- lookups in a file ---- */

static bool name_look(void *ctx, const struct usym *s)
{
	FUZZ_CHECK(*s->name);
	*(size_t *)ctx += strnlen(s->name, 64);
	return false;
}

/* In the order of places, and inside of what they are called by. */
static void look_at_places(struct chance *c, const struct usyms_elf *e)
{
	for (int i = 0; i < 32; i++) {
		uint64_t place = chance_below(c, 4) ? chance_below(c, 0x3000) : chance_next(c);
		uint64_t offset = 0;
		const char *name = usyms_elf_name(e, place, &offset);

		FUZZ_CHECK(!name || offset <= place);
		FUZZ_CHECK(!name || strlen(name) <= 4096 + strlen("..."));
		usyms_elf_address(e, place);
	}
}

static bool look_at(struct chance *c, int fd, const void *image, size_t size)
{
	struct usyms_elf *e;
	size_t before = taken_now;
	int err;

	taken_most = taken_now;
	err = usyms_elf_read(fd, image, size, &e);
	FUZZ_CHECK(!err || err == -ENOEXEC || err == -EFBIG);
	FUZZ_CHECK(taken_most - before <= PEAK_FACTOR * size + MEMORY_MIN);
	FUZZ_CHECK(taken_now - before <= KEPT_FACTOR * size + MEMORY_MIN);
	FUZZ_CHECK(usyms_elf_bytes(e) <= KEPT_FACTOR * size + MEMORY_MIN);
	if (e) {
		FUZZ_CHECK(usyms_elf_equal(e, e));
		look_at_places(c, e);
	}
	usyms_elf_free(e);
	FUZZ_CHECK(taken_now == before);
	return !err;
}

static void look_by_name(const char *path)
{
	struct usym_functions found;
	uint64_t offset;
	size_t sum = 0;

	usyms_each(path, name_look, &sum);
	usyms_find(path, "helper", &offset, NULL);
	usyms_match(path, "*r*", sum & 1, &found);
	usym_functions_free(&found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct chance chance = { size + 1 };
	uint8_t *copy = malloc(size + 1);

	memory_watch();
	memcpy(copy, data, size);
	look_at(&chance, -1, copy, size);
	free(copy);
	return 0;
}

#ifndef LIBFUZZER
/* A field of a header is what reaches far; values near an end are what goes wrong. */
static void damage(struct chance *c, uint8_t *file, size_t size)
{
	const uint64_t values[] = { 0,
				    1,
				    0xff,
				    0xffff,
				    PN_XNUM - 1,
				    ~0u,
				    ~0ull,
				    ~0ull >> 1,
				    size,
				    size - 1,
				    size + 1,
				    -(uint64_t)size,
				    1ull << 40,
				    chance_below(c, size),
				    chance_next(c) };
	const size_t starts[] = { 0, offsetof(struct elf_sample, segments),
				  offsetof(struct elf_sample, sections), 0 };
	const size_t sizes[] = { sizeof(Elf64_Ehdr), sizeof(Elf64_Phdr) * 2,
				 sizeof(Elf64_Shdr) * SAMPLE_SECTIONS, size };
	size_t part = chance_below(c, 4), width = 1u << chance_below(c, 4);
	size_t at = (starts[part] + chance_below(c, sizes[part])) & ~(width - 1);
	uint64_t value = values[chance_below(c, sizeof(values) / sizeof(values[0]))];

	memcpy(file + at, &value, width < size - at ? width : size - at);
}

/* Adds larger tables after the sample: names that overlap, and as many symbols as fit. */
static void tables_grow(struct chance *c, uint8_t *file)
{
	struct elf_sample *e = (struct elf_sample *)file;
	Elf64_Sym *symbols = (Elf64_Sym *)(e + 1);
	size_t count = chance_below(c, PADDING / 2 / sizeof(*symbols));
	char *names = (char *)(symbols + count);
	size_t len = PADDING - count * sizeof(*symbols);

	for (size_t i = 0; i < count; i++)
		symbols[i] = sample_symbol(chance_below(c, len), chance_below(c, 3), STT_FUNC,
					   0x401000 + chance_below(c, 0x1000), chance_below(c, 64));
	memset(names, chance_below(c, 2) ? '_' : 'a', len - chance_below(c, 2));
	sample_section(e, SAMPLE_SYMTAB, SHT_SYMTAB, (uint8_t *)symbols - file,
		       count * sizeof(*symbols), SAMPLE_STRTAB, sizeof(*symbols));
	sample_section(e, SAMPLE_STRTAB, SHT_STRTAB, (uint8_t *)names - file, len, 0, 0);
}

/* Returns whether its functions could be read. */
static bool one_round(struct chance *c, int fd, const char *path)
{
	size_t size = sizeof(struct elf_sample) + PADDING;
	uint8_t *file = calloc(1, size);
	bool good;

	sample_make((struct elf_sample *)file, chance_below(c, 4) == 0);
	if (chance_below(c, 2))
		tables_grow(c, file);
	for (uint32_t changes = chance_below(c, 6); changes; changes--)
		damage(c, file, size);
	if (!chance_below(c, 8))
		size = chance_below(c, size);
	file = realloc(file, size + !size);
	good = look_at(c, -1, file, size);
	if (!chance_below(c, 4)) {
		FUZZ_CHECK(!ftruncate(fd, 0) && pwrite(fd, file, size, 0) == (ssize_t)size);
		FUZZ_CHECK(look_at(c, fd, NULL, size) == good);
		look_by_name(path);
	}
	free(file);
	return good;
}

int main(int argc, char **argv)
{
	unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 0) : 20000;
	unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 0) : 1, good = 0;
	int fd = memfd_create("fuzz_elf", MFD_CLOEXEC);
	char path[32];

	memory_watch();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	for (unsigned long i = 0; i < count; i++) {
		struct chance c = { ((uint64_t)seed << 40 ^ i) * 0x9e3779b97f4a7c15ull | 1 };

		good += one_round(&c, fd, path);
	}
	printf("%lu read, %lu refused\n", good, count - good);
	return 0;
}
#endif
