/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * targets.c - the kernels and ways that tests compile for (targets.h).
 */
#include "targets.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "btf/btf.h"

enum { KPROBE_SESSION = 56, FSESSION = 58 }; /* of enum bpf_attach_type */

const char *const target_kernels[TARGET_KERNELS] = { "5.10", "6.1", "6.12", "6.18" };

const char *const target_ways[TARGET_WAYS] = {
	"fentry", "untyped", "kprobe", "kprobe,untyped", "kprobe,arm64", "lockdown",
};

/* Sets the features of a kernel. */
static void kernel_set(struct expr_target *t, unsigned kernel)
{
	t->current_task_btf = t->func_arg = t->kprobe_multi = kernel >= 1;
	t->rdonly_cast_id = kernel >= 2 ? TARGET_CAST_ID : 0;
	t->rdonly_cast_void = kernel >= 3;
	t->session_is_return_id = TARGET_IS_RETURN_ID;
	t->session_cookie_id = TARGET_COOKIE_ID;
	t->preempt_disable_id = kernel >= 2 ? TARGET_PREEMPT_OFF_ID : 0;
	t->preempt_enable_id = kernel >= 2 ? TARGET_PREEMPT_ON_ID : 0;
	t->attach_kprobe_session = kernel >= 2 ? KPROBE_SESSION : 0;
	t->attach_fsession = kernel >= 3 ? FSESSION : 0;
}

static bool word_set(struct expr_target *t, const char *word)
{
	unsigned kernel = 0;

	if (!strcmp(word, "fentry"))
		t->method = EXPR_CTX_FENTRY;
	else if (!strcmp(word, "kprobe"))
		t->method = EXPR_CTX_KPROBE;
	else if (!strcmp(word, "multi"))
		t->method = EXPR_CTX_FENTRY_MULTI;
	else if (!strcmp(word, "untyped"))
		t->typed_loads = false;
	else if (!strcmp(word, "lockdown"))
		t->probe_read = false;
	else if (!strcmp(word, "few"))
		t->few_registers = true;
	else if (!strcmp(word, "late"))
		t->may_goto = true;
	else if (!strcmp(word, "arm64"))
		t->arch = ARCH_ARM64;
	else {
		while (kernel < TARGET_KERNELS && strcmp(target_kernels[kernel], word))
			kernel++;
		if (kernel == TARGET_KERNELS)
			return false;
		kernel_set(t, kernel);
	}
	return true;
}

bool target_words(struct expr_target *t, const char *words, const char **bad)
{
	static char copy[64];

	snprintf(copy, sizeof(copy), "%s", words);
	for (char *word = strtok(copy, ","); word; word = strtok(NULL, ",")) {
		*bad = word;
		if (!word_set(t, word))
			return false;
	}
	return true;
}

struct expr_target target_of(const struct btf_view *btf, const char *words)
{
	struct expr_target t = {
		.arch = ARCH_X86_64,
		.method = EXPR_CTX_FENTRY,
		.typed_loads = true,
		.probe_read = true,
		.pt_regs_id = btf_view_find(btf, BTF_KIND_STRUCT, "pt_regs"),
		.task_struct_id = btf_view_find(btf, BTF_KIND_STRUCT, "task_struct"),
		.preempt.var = btf_view_find(btf, BTF_KIND_VAR, "__preempt_count"),
	};
	const char *bad;
	bool known = target_words(&t, words, &bad);

	assert(known);
	(void)known;
	return t;
}

const char *target_name(unsigned i)
{
	static char name[64];

	snprintf(name, sizeof(name), "%s,%s", target_kernels[i / TARGET_WAYS],
		 target_ways[i % TARGET_WAYS]);
	return name;
}
