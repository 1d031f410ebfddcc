/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_usdt.c - damaged notes of USDT probes, in damaged files. They may be refused or passed over; what is
 * read has texts that end, and what is made of arguments fits its room.
 *
 *	fuzz_usdt [COUNT [SEED]]
 */
#include <errno.h>
#include <sys/mman.h>
#include <string.h>
#include <unistd.h>

#include "../unit/usdt_sample.h"
#include "probe/usdt_arg.h"
#include "symbols/user/usdt.h"
#include "fuzz.h"

static const char *const words[] = {
	"8@",  "-4@",  "2@",  "-1@",  "8f@",  "@",   "%rdi",
	"%al", "%r8d", "%ah", "$5",   "$-1",  "$0x", "(",
	")",   ",",    "[",   "]",    "sp",   "x0",  "w19",
	"lsl", "16",   "-20", "%rip", "foo",  "+8",  " ",
	"  ",  "4",    "1",   "%rbp", "%rdx", "#",   "18446744073709551615",
};

static void text_make(struct chance *c, char *text, size_t size)
{
	size_t len = 0;

	*text = 0;
	for (uint32_t n = chance_below(c, 12); n && len < size; n--)
		len += snprintf(text + len, size - len, "%s",
				words[chance_below(c, sizeof(words) / sizeof(words[0]))]);
}

static void args_look(const char *text)
{
	for (int arch = 0; arch < ARCH_COUNT; arch++) {
		struct usdt_arg args[USDT_ARGS_MAX];
		size_t count = usdt_args_parse(arch, text, args);

		FUZZ_CHECK(count <= USDT_ARGS_MAX);
		for (size_t i = 0; i < count; i++) {
			FUZZ_CHECK(strlen(args[i].text) < sizeof(args[i].text) - 1);
			FUZZ_CHECK(args[i].size && args[i].size <= 8);
		}
	}
}

static void damage(struct chance *c, struct usdt_sample *s)
{
	const uint64_t values[] = { 0,	   1,	       0xff,	0xffff,	    ~0u,
				    ~0ull, sizeof(*s), 1 << 20, 1ull << 40, chance_next(c) };
	size_t used = offsetof(struct usdt_sample, notes) + s->sections[NOTE_NOTES].sh_size;
	size_t width = 1u << chance_below(c, 4);
	size_t at = chance_below(c, used < sizeof(*s) ? used : sizeof(*s)) & ~(width - 1);

	memcpy((char *)s + at, &values[chance_below(c, sizeof(values) / sizeof(values[0]))], width);
}

static void sample_fill(struct chance *c, struct usdt_sample *s)
{
	char args[200];

	usdt_sample_make(s);
	for (uint32_t n = chance_below(c, 8); n; n--) {
		const char *name = chance_below(c, 2) ? "one" : "other";

		text_make(c, args, sizeof(args));
		args_look(args);
		usdt_note(s, 0x401000 + chance_below(c, 0x700), 0x401f00,
			  chance_below(c, 2) ? 0x402000 : 0,
			  chance_below(c, 8) ? NOTE_TEXTS("p", name, args) : NOTE_TEXTS("p", name));
	}
	for (uint32_t n = chance_below(c, 4); n; n--)
		damage(c, s);
}

static bool one_round(struct chance *c, int fd, const char *path)
{
	struct usdt_sample s;
	struct usdt_notes notes;
	size_t size, sum = 0;
	int err;

	sample_fill(c, &s);
	size = chance_below(c, 8) ? sizeof(s) : chance_below(c, sizeof(s));
	FUZZ_CHECK(!ftruncate(fd, 0) && pwrite(fd, &s, size, 0) == (ssize_t)size);
	err = usdt_read(path, &notes);
	FUZZ_CHECK(!err || err == -ENOEXEC || err == -EFBIG);
	for (size_t i = 0; i < notes.count; i += usdt_places(&notes, i)) {
		sum += strlen(notes.list[i].provider) + strlen(notes.list[i].name);
		args_look(notes.list[i].args);
	}
	FUZZ_CHECK(sum <= 1 << 20);
	usdt_free(&notes);
	return !err;
}

#ifdef LIBFUZZER
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[1000];

	input_copy(text, sizeof(text), data, size);
	args_look(text);
	return 0;
}
#else
int main(int argc, char **argv)
{
	unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 0) : 20000;
	unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 0) : 1, good = 0;
	int fd = memfd_create("fuzz_usdt", MFD_CLOEXEC);
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	for (unsigned long i = 0; i < count; i++) {
		struct chance c = { ((uint64_t)seed << 40 ^ i) * 0x9e3779b97f4a7c15ull | 1 };

		good += one_round(&c, fd, path);
	}
	printf("%lu read, %lu refused\n", good, count - good);
	return 0;
}
#endif
