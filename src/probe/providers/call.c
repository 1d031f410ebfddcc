/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * call.c - probes on whole calls of kernel functions: entry and return in one record (-r). System
 * calls (syscall.c) are such functions with parameters of their own.
 *
 * The function is found as for a probe on its entry (function.c).
 */
#include "probe/providers/call.h"

#include "probe/providers/function.h"

/*
 * A trampoline keeps the arguments, and has room for every call. A kprobe session has neither, at
 * least before 6.14 (probe_multi_unlimited), and a kretprobe misses even more calls.
 */
const struct argdump_variant call_variants[CALL_VARIANTS] = {
	ARGDUMP_VARIANT(FSESSION, FENTRY, true, true),
	/* lockdown=confidentiality forbids probe_read */
	ARGDUMP_VARIANT(FSESSION, FENTRY, true, false),
	ARGDUMP_VARIANT(FSESSION, FENTRY, false, true),
	ARGDUMP_VARIANT(FENTRY, FENTRY, true, true),
	ARGDUMP_VARIANT(FENTRY, FENTRY, true, false),
	ARGDUMP_VARIANT(FENTRY, FENTRY, false, true),
	ARGDUMP_VARIANT(KPROBE_SESSION, KPROBE, true, true),
	ARGDUMP_VARIANT(KPROBE_SESSION, KPROBE, true, false),
	ARGDUMP_VARIANT(KPROBE_SESSION, KPROBE, false, true),
	ARGDUMP_VARIANT(KPROBE, KPROBE, true, true),
	ARGDUMP_VARIANT(KPROBE, KPROBE, false, true),
};

/* Loads the program for the return first; it may be the only one. */
int call_load(struct argdump_probe *p, const struct argdump_variant *variant, char *log,
	      size_t log_size)
{
	const struct program_image *image = &p->image;
	struct attach_target t;
	int err = 0;

	p->kind->target(p, variant, &t);
	for (int i = 0; i < 2 && !err; i++) {
		const struct bpf_insn *insns = i ? image->insns : image->insns_return;
		size_t count = i ? image->count : image->count_return;

		t.is_return = i == 0;
		if (count)
			err = fdset_add(&p->programs, prog_load(insns, count, variant->method, &t,
								log, log_size));
	}
	return err;
}

/* Attaches the return first: no entry may be stored whose return is not seen. */
int call_attach(struct argdump_probe *p, const struct argdump_variant *variant)
{
	bool alone = argdump_is_return_alone(p);
	struct attach_target t;
	int err = 0;

	p->kind->target(p, variant, &t);
	for (size_t i = 0; i < p->programs.count && !err; i++) {
		t.is_return = alone || (p->programs.count == 2 && i == 0);
		err = fdset_add(&p->links, attach_link(variant->method, &t, p->programs.fds[i]));
	}
	return err;
}

const struct probe_ops probe_ops_call = {
	.variants = call_variants,
	.variant_count = CALL_VARIANTS,
	.scope = EXPR_SCOPE_CALL,
	.target = function_target,
	.load = call_load,
	.attach = call_attach,
	.explain = function_explain,
};
