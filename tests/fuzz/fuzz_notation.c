/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_notation.c - random probes of bcc's trace and argdist, right, nearly right and wrong. None may
 * crash, leak or take long; what is translated is a probe whose texts have places, what is not has an error in its text.
 *
 *	fuzz_notation [COUNT [SEED]]	prints how many of them were translated
 *
 * With -fsanitize=fuzzer (and -DLIBFUZZER) the input is the text.
 */
#include <string.h>

#include "fuzz.h"
#include "applets.h"
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
	notation_trace(n, true);
}

static void argdist_read(struct notation *n)
{
	notation_argdist(n, strlen(n->text) % 2, 0, true);
}

/* All places are in the text that they are of, and in the one that was typed. */
static void places_check(const struct model_text *t, const char *typed)
{
	for (size_t i = 0; i < t->place_count; i++) {
		const struct model_place *p = &t->places[i];

		require(p->at <= p->at_end && p->at_end <= strlen(t->text) && p->start <= p->end &&
				p->end <= strlen(typed),
			typed, "a place is outside");
	}
}

static void model_check(struct model *m, const char *typed)
{
	const struct model_probe *p = m->probes;

	require(m->count == 1, typed, "nothing made");
	places_check(&p->attach, typed);
	for (size_t i = 0; i < p->expr_count; i++)
		places_check(&p->exprs[i], typed);
	for (size_t i = 0; i < p->own.count; i++)
		places_check(&p->own.list[i].text, typed);
}

static bool translate(const char *text)
{
	static void (*const readers[])(struct notation * n) = { trace_read, argdist_read };
	bool good = false;

	applets = applets_all;
	for (size_t i = 0; i < COUNT_OF(readers); i++) {
		struct model m = { 0 };
		struct notation n;

		notation_init(&n, text, &m);
		readers[i](&n);
		if (n.failed)
			require(n.error.message[0] && n.error.start <= n.error.end &&
					n.error.end <= strlen(text),
				text, n.error.message);
		else
			model_check(&m, text);
		good |= !n.failed;
		notation_free(&n);
		model_free(&m);
	}
	return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[FUZZ_TEXT];

	input_copy(text, sizeof(text), data, size);
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
