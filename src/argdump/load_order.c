/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * load_order.c - the attach order of one probe: compiles, loads and attaches the first variant that
 * works.
 *
 * Each kind lists its variants from the cheapest on; those that may miss calls on this kernel come
 * after those that see all. This file does not know what is traced; the kind of the probe does.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "argdump/argdump.h"
#include "argdump/ctx_calibrate.h"
#include "util/log.h"

const struct argdump_variant argdump_variants[ARGDUMP_VARIANTS] = {
	{ ATTACH_FENTRY, EXPR_CTX_FENTRY, true, true },
	/* lockdown=confidentiality forbids probe_read */
	{ ATTACH_FENTRY, EXPR_CTX_FENTRY, true, false },
	{ ATTACH_FENTRY, EXPR_CTX_FENTRY, false, true },
	{ ATTACH_KPROBE_MULTI, EXPR_CTX_KPROBE, true, true },
	{ ATTACH_KPROBE_MULTI, EXPR_CTX_KPROBE, true, false },
	{ ATTACH_KPROBE, EXPR_CTX_KPROBE, true, true },
	{ ATTACH_KPROBE, EXPR_CTX_KPROBE, false, true },
};

/* ---- the order ---- */

static bool sees_return(const struct argdump_probe *p)
{
	return p->kind->scope != EXPR_SCOPE_ENTRY || p->request->spec.is_return;
}

/*
 * While a trampoline's program is preempted, calls by other tasks on the same CPU are not seen
 * (preempt.h). kprobes cannot be preempted, but those that need returns keep the calls under way in
 * a pool, which may run out; only a kprobe.multi on the function graph has no such limit.
 */
static bool may_miss(const struct options *o, const struct argdump_probe *p,
		     const struct argdump_variant *way)
{
	bool all_returns = attach_has(way->method, ATTACH_FPROBE) && p->target.multi_by_fgraph;

	if (attach_has(way->method, ATTACH_MISSES_RETURNS) && sees_return(p) && !all_returns)
		return true;
	return attach_has(way->method, ATTACH_MISSES_PREEMPTED) && session_preempts(o);
}

/*
 * Planning loads nothing, so the types must tell what the kernel would answer. x86 trampolines take
 * arguments from the stack in kernels that have the function save_args. On other machines the plan
 * assumes that it works.
 */
static bool trampoline_takes(const struct btf_view *kernel, const struct argdump_probe *p)
{
	const struct btf_view *btf = p->btf ?: kernel;
	const struct btf_type *func = btf_view_type(btf, p->input.func_id);
	const struct btf_type *proto = func ? btf_view_type(btf, func->type) : NULL;

	if (p->target.arch != EXPR_ARCH_X86_64 || !proto || btf_vlen(proto) <= ARGDUMP_REGISTERS)
		return true;
	return btf_view_func(kernel, "save_args") != 0;
}

static bool is_possible(const struct options *o, const struct btf_view *kernel,
			const struct argdump_probe *p, const struct argdump_variant *way)
{
	if (way->context == EXPR_CTX_FENTRY_MULTI && p->attach_type < 0)
		return false;
	if (attach_has(way->method, ATTACH_FPROBE) && !p->target.kprobe_multi)
		return false;
	if (p->by_kprobe && way->method != ATTACH_KPROBE)
		return false;
	if (o->dry_run && way->context == EXPR_CTX_FENTRY && way->method != ATTACH_TRACEPOINT &&
	    !trampoline_takes(kernel, p))
		return false;
	return argdump_method_asked(o, way->method);
}

const struct argdump_variant *argdump_variant_at(const struct options *o,
						 const struct btf_view *kernel,
						 const struct argdump_probe *p, size_t n)
{
	const struct argdump_variant *end = p->kind->ways + p->kind->variant_count;

	for (int missing = 0; missing <= 1; missing++)
		for (const struct argdump_variant *way = p->kind->ways; way < end; way++)
			if (is_possible(o, kernel, p, way) && may_miss(o, p, way) == missing &&
			    !n--)
				return way;
	return NULL;
}

int argdump_methods(const struct btf_view *btf, enum attach_method_id methods[ATTACH_END + 1])
{
	static const struct argdump_request request;
	struct argdump_probe p = { .kind = &probe_ops_function, .request = &request };
	const struct options none_given = { .method = ATTACH_ANY };
	const struct argdump_variant *way;
	size_t count = 0;
	uint32_t none;
	int err = expr_target_detect(btf, "", &p.target, &none);

	for (size_t n = 0; !err && (way = argdump_variant_at(&none_given, btf, &p, n)); n++)
		if (!count || methods[count - 1] != way->method)
			methods[count++] = way->method;
	methods[count] = ATTACH_END;
	return err;
}

/* ---- one variant ---- */

static int variant_insert(struct argdump_probe *p, const struct argdump_variant *way, char *log,
			  size_t log_size)
{
	struct attach_target t;

	if (p->kind->load)
		return p->kind->load(p, way, log, log_size);
	p->kind->target(p, way, &t);
	return fdset_add(&p->programs,
			 prog_load(p->image.insns, p->image.count, way->method, &t, log, log_size));
}

static int variant_attach(struct argdump_probe *p, const struct argdump_variant *way)
{
	struct attach_target t;

	if (p->kind->attach)
		return p->kind->attach(p, way);
	p->kind->target(p, way, &t);
	return fdset_add(&p->links, attach_link(way->method, &t, p->programs.fds[0]));
}

/* -vv: why the verifier refused. */
static void refusal_tell(struct argdump_probe *p, const struct argdump_variant *way, int err)
{
	static char log[1 << 16];

	log_debug(1, "%s with %s loads%s: %s", argdump_method_name(p, way),
		  way->typed_loads ? "typed" : "probe_read",
		  way->probe_read ? "" : ", no probe_read", strerror(-err));
	if (log_level() < 2)
		return;
	variant_insert(p, way, log, sizeof(log));
	fdset_close(&p->programs);
	log_debug(2, "%s", log);
}

static int way_compile(struct session *s, struct argdump *a, struct argdump_probe *p,
		       const struct argdump_variant *way)
{
	struct expr_error error;
	int err = argdump_probe_compile(s, a, p, way, &error);

	if (err)
		log_debug(1, "not by %s: %s", argdump_method_name(p, way), error.message);
	return err;
}

/* Makes all that the program needs. If a fact turns out to be unavailable, the compiler does
 * without it or refuses. */
static int image_make(struct session *s, struct argdump *a, struct argdump_probe *p,
		      const struct argdump_variant *way)
{
	struct program_facts facts[2] = { 0 };
	int err = p->compiled == way ? 0 : way_compile(s, a, p, way);

	if (!err)
		err = ctx_facts_find(p, facts);
	for (int i = 0; err == -EAGAIN && i < 2; i++)
		err = way_compile(s, a, p, way) ?: ctx_facts_find(p, facts);
	if (err)
		return err;
	err = program_image_make(&p->image, p->expr, &a->maps, facts);
	if (err)
		log_debug(1, "no maps for %s: %s", p->name, strerror(-err));
	return err;
}

int argdump_variant_load(struct session *s, struct argdump *a, struct argdump_probe *p,
			 const struct argdump_variant *way)
{
	int err = image_make(s, a, p, way);

	if (err)
		return err;
	err = variant_insert(p, way, NULL, 0);
	if (err) {
		fdset_close(&p->programs);
		refusal_tell(p, way, err);
	}
	program_image_free(&p->image);
	return err;
}

static int way_try(struct session *s, struct argdump *a, struct argdump_probe *p,
		   const struct argdump_variant *way)
{
	int err = argdump_variant_load(s, a, p, way);

	if (err)
		return err;
	err = variant_attach(p, way);
	if (!err)
		return 0;
	log_debug(1, "cannot attach by %s: %s", argdump_method_name(p, way), strerror(-err));
	fdset_close(&p->links);
	fdset_close(&p->programs);
	return err;
}

/* ---- down the attach order ---- */

static void not_followed_tell(const struct argdump_probe *p)
{
	unsigned pointers = expr_not_followed(p->expr);

	if (pointers)
		log_warn("--depth: %u more pointers are not followed: a record has no room for it",
			 pointers);
}

int argdump_variants_try(struct session *s, struct argdump *a, struct argdump_probe *p,
			 argdump_variant_try *try)
{
	const struct argdump_variant *way;
	int err = -EINVAL, first = 0;

	for (size_t n = 0; (way = argdump_variant_at(&s->options, s->btf, p, n)); n++) {
		err = (try ?: way_try)(s, a, p, way);
		if (!err) {
			p->way = way;
			if (!try)
				log_debug(1, "%s %s, %s loads", argdump_method_name(p, way),
					  p->name, way->typed_loads ? "typed" : "probe_read");
			not_followed_tell(p);
			return 0;
		}
		if (!first || first == -EOPNOTSUPP)
			first = err;
		if (err == -EPERM && geteuid())
			break;
	}
	return first ? first : err;
}
