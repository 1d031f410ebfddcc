/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_old.c - random definitions in the kernel's own notations, right, nearly right and wrong. None
 * may crash or leak; what is translated has a probe and texts that the compiler can at least read, what
 * is not has an error in its text.
 *
 *	fuzz_old BTF [COUNT [SEED]]	prints how many of them were translated
 *
 * With -fsanitize=fuzzer (and -DLIBFUZZER) the input is the text; FUZZ_BTF names the BTF.
 */
#include <string.h>

#include "fuzz.h"
#include "expr/legacy/legacy.h"

/* clang-format off */
static const char *const pieces[] = {
	"p", "r", "f", "t", "e", "-", "p:", "r10:", ":", "grp/ev", " ", " ", " ", "\t", ",", "vfs_read",
	"do_sys_open", "sys_execve", "kfree_skb", "btrfs:f", "/bin/bash:0x4245c0", "sched_switch",
	"sched.sched_switch", "%return", "+0x10", "+0", "0", "7", "18446744073709551615", "name=",
	"a=", "$arg1", "$arg2", "$arg*", "$retval", "$stack", "$stack3", "$comm", "$current", "%di",
	"%si", "%ax", "@jiffies", "@0xffffffff81000000", "@x-8", "\\123", "\\-1", "\\\"te\\xt\"",
	"+8(", "+u0(", "-16(", "+0(", ")", ")", "(", "(task_struct)", "(sk_buff,cb)", "this_cpu_read(", "this_cpu_ptr(", "kprobe:", "@runqueues", "file", "prev",
	"->comm", ".x", ":u8", ":x64", ":string", ":ustring", ":symbol", ":b4@2/32", ":x8[6]",
	":string[2]", ":%pd", "[3]", "(NULL", "(string name", "int x", "x8[6] perm", "unsigned int y",
	"+40", "[0]", "|", "=0x10", "=$jiffies", "char *", ";", " if ", "#", "prev_pid == 1", "g-h/e", "\"", "!",
};
/* clang-format on */
static const char *const whole[] = {
	"p:my do_sys_open dfd=%ax filename=%dx flags=%cx mode=+4($stack)",
	"p:crazy __vfs_read name=+0(+0(+40(+40(+32($arg1))))):string",
	"r:myret do_sys_open $retval",
	"t:ev sched_switch prev_pid=prev->pid $arg*",
	"p:zfree /bin/zsh:0x46420 %ip %ax a=+u8(%si):ustring",
	"ip_rcv(x64 skb | int skb[32], x8[6] perm_addr+558, NULL)",
	"__vfs_read(string name+32[0]+40[0]+40[0][0])",
	"do_IRQ(int total_forks=0xffffffff82354c18, symbol regs[16])",
};
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static struct btf_view *btf;
static struct expr_target target;
static uint32_t func;

static bool exists(const void *context, const char *function)
{
	/* half of all names, always the same */
	(void)context;
	return strlen(function) % 2;
}

static void require(bool good, const char *text, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "fuzz_old: %s: %s\n", what, text);
	abort();
}

/* A name may be none of vfs_read's, a type may not fit: but each text is an expression. */
static void read_back(const struct legacy_probe *p, const char *text)
{
	const char *exprs[64];
	struct expr_input in = {
		.btf = btf, .site.func_id = func, .texts = exprs, .target = target
	};
	struct expr_program *program;
	struct expr_error error;

	for (; in.count < p->count; in.count++)
		exprs[in.count] = p->texts[in.count].text;
	expr_compile(&in, &program, &error);
	require(!strstr(error.message, " expected"), text, error.message);
	expr_free(program);
}

static void prepare(const char *path)
{
	if (btf_view_open(path, &btf) || expr_target_detect(btf, "vfs_read", &target, &func)) {
		fprintf(stderr, "fuzz_old: cannot read %s\n", path);
		exit(2);
	}
}

static bool translate(const char *text)
{
	const char *words[] = { text, "x" };
	struct expr_error error;
	struct legacy_probe *p;
	int err = legacy_translate(text, exists, NULL, &p, &error);

	require(legacy_words(words, 2) <= 2, text, "words");
	if (err) {
		require(err == -EINVAL && !p && error.message[0], text, "no message");
		require(error.start <= error.end && error.end <= strlen(text), text, "span");
		return false;
	}
	require(p->probe ? *p->probe != '\0' : p->note_count > 0, text, "nothing made");
	for (size_t i = 0; i < p->count; i++) {
		require(*p->texts[i].text && p->texts[i].start < p->texts[i].end &&
				p->texts[i].end <= strlen(text),
			text, "text");
	}
	read_back(p, text);
	legacy_free(p);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[FUZZ_TEXT];

	if (!btf)
		prepare(getenv("FUZZ_BTF"));
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
	.most = 20,
	.skips = 4,
	.head = NULL,
};

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: fuzz_old BTF [COUNT [SEED]]\n");
		return 2;
	}
	prepare(argv[1]);
	texts_run(&words, argc > 2 ? strtoul(argv[2], NULL, 0) : 20000,
		  argc > 3 ? strtoul(argv[3], NULL, 0) : 1, translate);
	btf_view_close(btf);
	return 0;
}
#endif
