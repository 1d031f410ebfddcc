/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * load_order.c - the attach order of one probe: compiles, loads and attaches the first variant that
 * works.
 *
 * This file does not know what is traced; the kind of the probe does.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/argdump.h"
#include "probe/ask_kernel.h"
#include "probe/lost_calls.h"
#include "probe/within_own.h"
#include "attach/method_can.h"
#include "attach/stack_trial.h"
#include "attach/prog.h"
#include "util/errname.h"
#include "util/log.h"

/* ---- one variant ---- */

static int variant_insert(struct argdump_probe *p, const struct argdump_variant *variant, char *log,
			  size_t log_size)
{
	struct attach_target t;

	if (p->kind->load)
		return p->kind->load(p, variant, log, log_size);
	p->kind->target(p, variant, &t);
	return fdset_add(&p->fds.programs, prog_load(p->attempt.image.insns, p->attempt.image.count,
						     variant->method, &t, log, log_size));
}

static int variant_attach(struct argdump_probe *p, const struct argdump_variant *variant)
{
	struct attach_target t;

	if (p->kind->attach)
		return p->kind->attach(p, variant);
	p->kind->target(p, variant, &t);
	return fdset_add(&p->fds.links, attach_link(variant->method, &t, p->fds.programs.fds[0]));
}

enum {
	LOG_MAX = (16 << 20) - 1
}; /* bytes for the log, the most that 5.10 accepts; pages that are not written use no memory */

/* Loads a refused program again, with the verifier's log. The caller frees it. NULL: out of memory. */
static char *refusal_log(struct argdump_probe *p, const struct argdump_variant *variant)
{
	char *log = malloc(LOG_MAX);

	if (!log)
		return NULL;
	log[0] = 0;
	if (!variant_insert(p, variant, log, LOG_MAX))
		log[0] = 0;
	fdset_close(&p->fds.programs);
	verifier_reason_store(log);
	return log;
}

/* -vv: prints why the verifier refused. */
static void refusal_report(struct argdump_probe *p, const struct argdump_variant *variant, int err)
{
	char *log;

	log_debug(1 + p->one_of_many, "%s with %s loads%s: %s", argdump_method_name(p, variant),
		  variant->typed_loads ? "typed" : "probe_read",
		  variant->probe_read ? "" : ", no probe_read", errtext(-err));
	if (log_level() < 2)
		return;
	log = refusal_log(p, variant);
	if (log)
		log_debug_lines(2, log);
	free(log);
}

static int variant_compile(struct session *s, struct argdump *a, struct argdump_probe *p,
			   const struct argdump_variant *variant)
{
	struct expr_error error;
	int err = argdump_probe_compile(s, a, p, variant, &error);

	if (err)
		log_debug(1 + p->one_of_many, "not by %s: %s", argdump_method_name(p, variant),
			  error.message);
	return err;
}

/* Builds the image of the program. If a fact turns out to be unavailable, the compiler works around it or refuses. */
static int image_build(struct session *s, struct argdump *a, struct argdump_probe *p,
		       const struct argdump_variant *variant)
{
	struct program_facts facts[2] = { 0 };
	int err = p->attempt.variant == variant ? 0 : variant_compile(s, a, p, variant);

	if (!err)
		err = ctx_facts_find(p, facts);
	for (int i = 0; err == -EAGAIN && i < 2; i++)
		err = variant_compile(s, a, p, variant) ?: ctx_facts_find(p, facts);
	if (err)
		return err;
	err = program_image_build(&p->attempt.image, p->expr, &a->maps, pair_maps(p), facts);
	if (err)
		log_debug(1, "no maps for %s: %s", p->name, errtext(-err));
	return err;
}

/* Refuses a variant whose stacks would be silently incomplete, so that the next method is tried. */
static int stacks_check(const struct session *s, const struct argdump_probe *p,
			const struct argdump_variant *variant)
{
	const struct program_image *image = &p->attempt.image;

	if (!attach_has(variant->method, ATTACH_FPROBE) ||
	    (!stack_is_captured(image->insns, image->count) &&
	     !stack_is_captured(image->insns_return, image->count_return)) ||
	    stack_of_multi_is_whole())
		return 0;
	if (s->options.attach.method != ATTACH_ANY)
		log_error(
			"on this kernel, stacks captured by kprobe.multi end at their first frame");
	return -EOPNOTSUPP;
}

int argdump_variant_load(struct session *s, struct argdump *a, struct argdump_probe *p,
			 const struct argdump_variant *variant)
{
	int err = image_build(s, a, p, variant);

	if (err)
		return err;
	err = stacks_check(s, p, variant);
	if (err) {
		program_image_free(&p->attempt.image);
		return err;
	}
	err = variant_insert(p, variant, NULL, 0) ?: ended_calls_watch(p);
	if (err) {
		fdset_close(&p->fds.programs);
		refusal_report(p, variant, err);
	}
	program_image_free(&p->attempt.image);
	return err;
}

static int variant_try(struct session *s, struct argdump *a, struct argdump_probe *p,
		       const struct argdump_variant *variant)
{
	int err = argdump_variant_load(s, a, p, variant);

	if (err)
		return err;
	err = variant_attach(p, variant);
	if (!err)
		return 0;
	log_debug(1 + p->one_of_many, "cannot attach by %s: %s", argdump_method_name(p, variant),
		  errtext(-err));
	fdset_close(&p->fds.links);
	fdset_close(&p->fds.programs);
	fdset_close(&p->calls.map);
	return err;
}

/* ---- trying the variants in order ---- */

static void not_followed_report(const struct argdump_probe *p)
{
	unsigned pointers = expr_not_followed(p->expr);

	if (pointers)
		log_warn(
			"--depth: %u more pointers are not followed: a record has no room for them",
			pointers);
}

/* Loads the refused variant again for the verifier's reason, once a run. Not for errors that the program did not
 * cause. */
static void refusal_ask(struct session *s, struct argdump *a, struct argdump_probe *p,
			const struct argdump_variant *variant, int err)
{
	static bool asked;

	if (asked || !variant || err == -EPERM || err == -ENOMEM || err == -EOPNOTSUPP ||
	    err == -EMFILE || err == -ERR_SWITCHED_OFF || verifier_reason_last() ||
	    image_build(s, a, p, variant))
		return;
	asked = true;
	free(refusal_log(p, variant));
	program_image_free(&p->attempt.image);
}

int argdump_variants_try(struct session *s, struct argdump *a, struct argdump_probe *p,
			 argdump_variant_try *try)
{
	const struct argdump_variant *variant, *refused = NULL;
	int err = -EINVAL, first = 0;

	within_match(a, p, try ? argdump_request_probes(a, p) : 1);
	for (size_t n = 0; (variant = argdump_variant_at(&s->options, s->btf, p, n)); n++) {
		err = (try ?: variant_try)(s, a, p, variant);
		if (!err) {
			p->variant = variant;
			if (!try)
				log_debug(1 + p->one_of_many, "%s %s, %s loads",
					  argdump_method_name(p, variant), p->name,
					  variant->typed_loads ? "typed" : "probe_read");
			not_followed_report(p);
			return 0;
		}
		if (!first || first == -EOPNOTSUPP) {
			first = err;
			refused = variant;
		}
		/* no other variant needs fewer rights or files */
		if ((err == -EPERM && geteuid()) || err == -EMFILE)
			break;
	}
	refusal_ask(s, a, p, refused, first);
	return first ? first : err;
}
