/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_notation.c - random probes of bcc's trace and argdist, right, nearly right and wrong. None may
 * crash, leak or take long; what is translated has words, what is not has an error in its text.
 *
 *	fuzz_notation [COUNT [SEED]]	prints how many of them were translated
 *
 * With -fsanitize=fuzzer (and -DLIBFUZZER) the input is the text.
 */
#include <string.h>

#include "fuzz.h"
#include "front/notation/notation.h"

/* clang-format off */
static const char *const pieces[] = {
	"p:", "r:", "t:", "u:", "c:", "::", ":", ",", " ", "\n", "\t", "sys_read", "do_sys_open", "vfs_read", "(size_t size)",
	"(struct file *file, int n)", ":u64:", ":int:", "char*", "(", ")", "[", "]", "(", ")", "{", "}", ";", "@", "@user", "#label", "#",
	"$retval", "$latency", "$entry(", "$entry(size)", "$PID", "$task", "$x", "$", "retval", "arg1", "arg2@user", "arg0", "arg99",
	"args", "args->filename", "args.ret", "true", "STRCMP(", "ntohs(", "ntohl(", "bpf_ntohs(", "sizeof(", "f()", "strcmp(",
	"=", "-", "->", ".", "*", "&&", "||", "?", "==", "!=", "<<", "!", "~", "&", "%", "+", "|", "^",
	"(struct file *)", "(u64)", "(char *)", "(struct sock *)$task", "\"%d %s\\n\"", "\"%05d|%.3s|%hhX\"", "\"x=%x\"", "\"%K %U\"",
	"\"%-8d{%*d\"", "\"", "'c'", "0", "1", "1e9", "0x7f", "5UL", "//", "/*", "\"\\x41\\101\\z\"", "arg1 + 8",
};
static const char *const whole[] = {
	"p:c:open (STRCMP(\"a\", arg1)) \"opening %s %d\", arg1, arg2@user",
	"r::vfs_read(struct file *file, char *buf) (retval < 0) \"%d %x\", retval, file->f_flags",
	"r:c:malloc(size_t size):u64:$latency/$entry(size):$retval != 0#ns per byte",
	"p::__kmalloc(size_t size, gfp_t flags):gfp_t,size_t:flags,size",
	"t:block:block_rq_complete():u32:args->nr_sector",
};
/* clang-format on */
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static void require(bool good, const char *text, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "fuzz_notation: %s: %s\n", what, text);
	abort();
}

static void trace_read(struct notation *n)
{
	notation_trace(n, 0, true);
}

static void argdist_read(struct notation *n)
{
	notation_argdist(n, strlen(n->text) % 2, 0, true);
}

static bool translate(const char *text)
{
	static void (*const readers[])(struct notation * n) = { trace_read, argdist_read };
	bool good = false;

	for (size_t i = 0; i < COUNT_OF(readers); i++) {
		struct notation n;

		notation_init(&n, text);
		readers[i](&n);
		if (n.failed)
			require(n.error.message[0] && n.error.start <= n.error.end &&
					n.error.end <= strlen(text),
				text, n.error.message);
		else
			require(n.count > 0, text, "nothing made");
		good |= !n.failed;
		notation_free(&n);
	}
	return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[FUZZ_TEXT];

	size = size < sizeof(text) ? size : sizeof(text) - 1;
	memcpy(text, data, size);
	text[size] = '\0';
	translate(text);
	return 0;
}

#ifndef LIBFUZZER
static const struct fuzz_words words = {
	.pieces = pieces,
	.piece_count = COUNT_OF(pieces),
	.whole = whole,
	.whole_count = COUNT_OF(whole),
	.most = 40,
	.skips = 6,
	.head = "p::vfs_read (arg1) ",
};

int main(int argc, char **argv)
{
	texts_run(&words, argc > 1 ? strtoul(argv[1], NULL, 0) : 20000,
		  argc > 2 ? strtoul(argv[2], NULL, 0) : 1, translate);
	return 0;
}
#endif
