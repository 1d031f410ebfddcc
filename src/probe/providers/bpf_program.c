/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bpf_program.c - probes on BPF programs, b:PROGRAM, and on functions of these, b:PROGRAM:FUNCTION: fentry and fexit
 * of the program's own trampoline (since 5.5).
 */
#include "probe/providers/providers.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attach/attach_error.h"
#include "kernel/insn.h"
#include "probe/providers/bpf_search.h"
#include "probe/providers/bpf_types.h"
#include "util/log.h"

static const struct probe_ops probe_ops_program_return, probe_ops_program_call;

/* ---- which programs ---- */

struct program_source {
	int fd;
	uint32_t func_id; /* in the program's own types */
	uint32_t type;	  /* enum bpf_prog_type */
};

static void source_free(void *source)
{
	struct program_source *u = source;

	close(u->fd);
	free(u);
}

/* What a request's search adds probes to. */
struct adding {
	struct session *s;
	struct argdump *a;
	struct argdump_request *request;
	struct expr_target target;
};

static int adding_begin(struct adding *c)
{
	uint32_t none;

	return expr_target_detect(c->s->btf, "", &c->target, &none);
}

static struct argdump_probe *probe_add(const struct adding *c, const struct bpf_program_info *info,
				       size_t function)
{
	const struct argdump_request *r = c->request;
	const char *program = bpf_function_name(c->s->btf, info, 0);
	struct argdump_probe *p;
	char name[256];

	snprintf(name, sizeof(name), "b:%s%s%s", program, function ? ":" : "",
		 function ? bpf_function_name(c->s->btf, info, function) : "");
	p = argdump_probe_add(c->a, r, name);
	if (!p)
		return NULL;
	p->kind = r->both	    ? &probe_ops_program_call :
		  r->spec.is_return ? &probe_ops_program_return :
				      &probe_ops_program;
	p->point = p->name + strlen("b:");
	return p;
}

/*
 * If calls of a function do not fit its types (a context that is declared as something else, or a static function
 * whose parameters the compiler changed), the kernel ignores the types: a tracer sees five numbers, and the result
 * after them. Nothing tells which functions these are, but only with five arguments may a program load the result
 * there.
 */
static bool types_are_ignored(const struct program_source *u)
{
	const struct bpf_insn insns[] = { INSN_LOAD(BPF_REG_0, BPF_REG_1, BPF_ARGUMENTS * 8),
					  INSN_SET(BPF_REG_0, 0), INSN_EXIT };
	const struct attach_target t = { .btf_id = u->func_id,
					 .program_fd = u->fd,
					 .is_return = true };
	int fd = prog_load(insns, sizeof(insns) / sizeof(insns[0]), ATTACH_FENTRY, &t, NULL, 0);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

/* Sets what the verifier knows of its arguments and its result, and where they are. */
static int values_find(const struct adding *c, struct argdump_probe *p,
		       const struct bpf_program_info *info, size_t function)
{
	bool ignored = types_are_ignored(p->source);
	unsigned what = (c->a->language ? 0 : BPF_TYPES_VERDICTS) |
			(ignored && function ? BPF_TYPES_UNNAMED : 0);
	struct btf_view *view;
	int err = bpf_function_types(c->s->btf, info, function, what, &view,
				     &p->input.site.func_id);

	if (err)
		return err;
	p->btf = view;
	p->target = c->target;
	p->target.untyped_id = ignored ? 1 : btf_view_count(c->s->btf);
	p->input.site.result_slot = ignored ? BPF_ARGUMENTS : 0;
	if (what & BPF_TYPES_UNNAMED)
		log_note("%s: its calls do not fit its types, because compilers change static "
			 "functions: its parameters have no names, and the result may be wrong",
			 p->name);
	return 0;
}

/* Adds a probe on a function of the program, which gets its own descriptor. */
static int function_add(void *ctx, const struct bpf_program_info *info, int fd, size_t function)
{
	const struct adding *c = ctx;
	struct program_source *u = malloc(sizeof(*u));
	struct argdump_probe *p = u ? probe_add(c, info, function) : NULL;

	if (!p) {
		free(u);
		return -ENOMEM;
	}
	*u = (struct program_source){ fcntl(fd, F_DUPFD_CLOEXEC, 0), info->functions[function],
				      info->type };
	p->source = u;
	p->source_free = source_free;
	return u->fd < 0 ? -errno : values_find(c, p, info, function);
}

static int program_find(struct session *s, struct argdump *a, struct argdump_request *request,
			const struct probe_spec_item *item)
{
	struct adding adding = { .s = s, .a = a, .request = request };
	struct bpf_search search = {
		.kernel = s->btf, .item = item, .found_one = function_add, .ctx = &adding
	};

	if (s->options.attach.btf)
		return -ENOENT;
	return adding_begin(&adding) ?: bpf_search_run(&search);
}

static void left_out_note(size_t count)
{
	if (count)
		log_note("%zu other BPF program%s cannot be traced: they have no types, are "
			 "interpreted, or trace themselves",
			 count, count == 1 ? "" : "s");
}

static int program_resolve(struct session *s, struct argdump *a, struct argdump_request *request)
{
	struct adding adding = { .s = s, .a = a, .request = request };
	struct bpf_search search = { .kernel = s->btf, .found_one = function_add, .ctx = &adding };
	size_t before = a->probe_count;
	int err;

	if (bpf_search_refused(s, request))
		return EXIT_USAGE;
	err = adding_begin(&adding);
	if (err)
		return attach_explain(NULL, s->btf, err);
	for (size_t i = 0; i < request->spec.count; i++) {
		search.item = &request->spec.items[i];
		err = bpf_search_run(&search);
		if (err)
			return bpf_search_report(&search, err);
		left_out_note(search.left_out);
	}
	return argdump_points_allow(s, a, a->probe_count - before);
}

static void program_target(const struct argdump_probe *p, const struct argdump_variant *variant,
			   struct attach_target *t)
{
	const struct program_source *u = p->source;

	(void)variant;
	*t = (struct attach_target){
		.function = p->point,
		.btf_id = u->func_id,
		.program_fd = u->fd,
		.is_return = p->input.scope == EXPR_SCOPE_RETURN,
	};
}

static int program_explain(struct session *s, struct argdump_probe *p, int err)
{
	const struct program_source *u = p->source;

	(void)s;
	log_error("cannot trace %s", p->name);
	if (u->type == BPF_PROG_TYPE_TRACING && err == -EINVAL)
		log_hint("it traces functions itself (fentry, fexit), and before 6.8 such programs "
			 "cannot be traced");
	else
		attach_reason_hint(err);
	return EXIT_CANNOT;
}

static const struct argdump_variant variants[] = {
	ARGDUMP_VARIANT(FENTRY, FENTRY, true, true),
	/* lockdown=confidentiality forbids probe_read */
	ARGDUMP_VARIANT(FENTRY, FENTRY, true, false),
	ARGDUMP_VARIANT(FENTRY, FENTRY, false, true),
};
enum { VARIANTS = sizeof(variants) / sizeof(variants[0]) };

const struct probe_ops probe_ops_program = {
	.variants = variants,
	.variant_count = VARIANTS,
	.resolve = program_resolve,
	.find = program_find,
	.target = program_target,
	.explain = program_explain,
};

static const struct probe_ops probe_ops_program_return = {
	.variants = variants,
	.variant_count = VARIANTS,
	.scope = EXPR_SCOPE_RETURN,
	.target = program_target,
	.explain = program_explain,
};

static const struct probe_ops probe_ops_program_call = {
	.variants = variants,
	.variant_count = VARIANTS,
	.scope = EXPR_SCOPE_CALL,
	.target = program_target,
	.load = call_load,
	.attach = call_attach,
	.explain = program_explain,
};
