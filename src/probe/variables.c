/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * variables.c - asks the kernel for per-CPU variables (variables.h).
 *
 * BTF names them; a program that uses one is loaded only if the kernel's own table of symbols has it, too, which
 * lacks variables without CONFIG_KALLSYMS_ALL. The kernel searches it quicker than anybody reads
 * /proc/kallsyms: a program of three instructions asks it, once for each variable. Where nothing may be loaded,
 * the file is read, but only for what the user named.
 */
#include "probe/variables.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "attach/prog.h"
#include "kernel/insn.h"
#include "symbols/kernel/ksyms.h"
#include "util/log.h"

enum { ASKED_MAX = 32 };

static struct answer {
	const struct btf_view *btf;
	uint32_t var;
	bool found;
} answers[ASKED_MAX];

static size_t answer_count;

/* Only that the kernel does not find it counts: other errors are those of the program that follows. */
static bool program_loads(uint32_t var)
{
	const struct bpf_insn insns[] = {
		INSN_ADDRESS(BPF_REG_1, BPF_PSEUDO_BTF_ID, (int)var),
		INSN_SET(BPF_REG_0, 0),
		INSN_EXIT,
	};
	const struct prog_type type = { .prog = BPF_PROG_TYPE_KPROBE };
	int fd = prog_load_as(insns, INSN_COUNT(insns), &type, NULL, 0);

	if (fd >= 0)
		close(fd);
	return fd != -ENOENT;
}

static bool is_found(const struct btf_view *btf, uint32_t var)
{
	struct answer *a = answers;

	for (; a < answers + answer_count; a++)
		if (a->btf == btf && a->var == var)
			return a->found;
	if (answer_count == ASKED_MAX)
		return program_loads(var);
	*a = (struct answer){ btf, var, program_loads(var) };
	answer_count++;
	if (!a->found)
		log_debug(1, "the kernel has no symbol of variable %s",
			  btf_view_string(btf, btf_view_type(btf, var)->name_off));
	return a->found;
}

static bool is_listed(const struct btf_view *btf, uint32_t var)
{
	size_t count = 0;
	int err = ksyms_load();

	ksyms_address(btf_view_string(btf, btf_view_type(btf, var)->name_off), &count);
	return count || (err && err != -EPERM);
}

void variables_input_set(struct expr_input *in, bool elsewhere, bool tries)
{
	in->run.variable = elsewhere ? NULL : tries ? is_found : is_listed;
	if (!elsewhere && tries && in->target.preempt_var &&
	    !is_found(in->btf, in->target.preempt_var))
		in->target.preempt_var = 0;
}
