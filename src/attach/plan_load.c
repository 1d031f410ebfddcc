/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plan_load.c - applies a plan to a skeleton's programs: which are loaded, for which target, and where they are
 * attached.
 *
 * libbpf would read all of the kernel's types to find the targets of fentry programs (20 ms, 8 MB), although the plan
 * knows them. So these programs have our own section types: libbpf treats them as raw tracepoints until just before
 * they are loaded.
 */
#include "attach/plan.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/errname.h"
#include "util/log.h"

static const char *program_name(const struct hook_plan *hp)
{
	return hp->hook->program[hp->method];
}

/* ---- targets by number ---- */

/* libbpf passes only one number per section type to tracing_prepare, so the plan is passed in this variable. */
static const struct attach_plan *plan_loading;

/* libbpf calls this just before it loads a program. */
static int tracing_prepare(struct bpf_program *prog, struct bpf_prog_load_opts *opts, long attach)
{
	for (size_t i = 0; i < plan_loading->count; i++) {
		const struct hook_plan *hp = &plan_loading->hooks[i];

		if (hp->method == ATTACH_ANY || strcmp(program_name(hp), bpf_program__name(prog)))
			continue;
		if (!attach_has(hp->method, ATTACH_BY_ID))
			return bpf_program__set_type(prog, attach_methods[hp->method].prog_type);
		opts->attach_btf_id = hp->btf_id;
		opts->expected_attach_type = attach;
		return bpf_program__set_type(prog, BPF_PROG_TYPE_TRACING);
	}
	return -ESRCH;
}

/* A section has the name of its attach method: "fentry", "fexit", "tp_btf". */
static int section_register(const struct attach_method *m, bool is_return)
{
	const char *section = is_return ? m->return_name : m->name;
	LIBBPF_OPTS(libbpf_prog_handler_opts, opts, .prog_prepare_load_fn = tracing_prepare,
		    .cookie = m->types[is_return].number);
	int id;

	if (!section || !opts.cookie)
		return 0;
	id = libbpf_register_prog_handler(section, BPF_PROG_TYPE_RAW_TRACEPOINT, 0, &opts);
	return id < 0 ? id : 0;
}

int attach_plan_handle(struct attach_plan *p)
{
	static bool registered;
	int err = 0;

	plan_loading = p;
	for (int i = 0; i < 2 * ATTACH_END && !registered && !err; i++)
		if (attach_has(i / 2, ATTACH_BY_ID) && !attach_has(i / 2, ATTACH_SESSION))
			err = section_register(&attach_methods[i / 2], i % 2);
	registered |= !err;
	return err;
}

/* ---- load, attach, detach ---- */

static int method_type(const struct hook_plan *hp)
{
	return attach_methods[hp->method].types[hp->hook->is_return].number;
}

int attach_plan_apply(const struct attach_plan *p, struct bpf_object *object)
{
	struct bpf_program *prog;

	bpf_object__for_each_program(prog, object)
		bpf_program__set_autoload(prog, false);
	for (size_t i = 0; i < p->count; i++) {
		const struct hook_plan *hp = &p->hooks[i];

		if (hp->method == ATTACH_ANY)
			continue;
		prog = bpf_object__find_program_by_name(object, program_name(hp));
		if (!prog)
			return -ESRCH;
		bpf_program__set_autoload(prog, true);
		/* a program may be used for both kprobe and kprobe.multi */
		if (!attach_has(hp->method, ATTACH_BY_ID))
			bpf_program__set_expected_attach_type(prog, method_type(hp));
	}
	return 0;
}

const struct bpf_program *attach_plan_program(const struct hook_plan *hp,
					      const struct bpf_object *object)
{
	return bpf_object__find_program_by_name(object, program_name(hp));
}

/* All functions of one program get one link of kprobe.multi or kprobe.session, because each attach takes some ms. The
 * cookies are the indices of the program's hooks in the table, which also counts hooks without a function. */
struct shared {
	const char **names; /* owned */
	uint64_t *cookies;  /* owned */
	struct attach_multi multi;
};

static void shared_free(struct shared *s)
{
	free(s->names);
	free(s->cookies);
}

static bool is_shared(const struct hook *h, const struct hook_plan *hp)
{
	const char *own = h->program[hp->method];

	return own && !strcmp(own, program_name(hp));
}

/* True if the link was created with an earlier hook of the same program. */
static bool is_linked(const struct attach_plan *p, const struct hook_plan *hp)
{
	for (const struct hook_plan *h = p->hooks; h < hp; h++)
		if (h->method == hp->method && is_shared(h->hook, hp))
			return true;
	return false;
}

/* Collects the first hook of a program and the hooks that share its link. Returns 0 or -ENOMEM. */
static int shared_find(const struct attach_plan *p, const struct hook_plan *hp, struct shared *s)
{
	uint64_t cookie = 0;

	s->names = calloc(p->count, sizeof(*s->names));
	s->cookies = calloc(p->count, sizeof(*s->cookies));
	if (!s->names || !s->cookies)
		return -ENOMEM;
	s->multi = (struct attach_multi){ .names = s->names,
					  .cookies = s->cookies,
					  .asks = p->has_session };
	for (const struct hook_plan *h = p->hooks; h < p->hooks + p->count; h++) {
		if (!is_shared(h->hook, hp))
			continue;
		if (h->method == hp->method) {
			s->names[s->multi.count] = h->function;
			s->cookies[s->multi.count++] = cookie;
		}
		cookie++;
	}
	return 0;
}

/* Returns a link's fd, or -errno. */
static int hook_link(const struct attach_plan *p, const struct hook_plan *hp, int prog_fd)
{
	struct attach_target t = { .function = hp->function,
				   .event_name = hp->hook->event,
				   .is_return = hp->hook->is_return };
	struct shared s = { 0 };
	int fd = 0;

	if (attach_has(hp->method, ATTACH_FPROBE)) {
		fd = shared_find(p, hp, &s);
		t.multi = &s.multi;
	}
	if (!fd)
		fd = attach_link(hp->method, &t, prog_fd);
	shared_free(&s);
	return fd;
}

static int hook_attach(struct attach_plan *p, struct hook_plan *hp, struct bpf_object *object)
{
	if (!attach_has(hp->method, ATTACH_FPROBE) || !is_linked(p, hp)) {
		hp->link_fd = hook_link(p, hp, bpf_program__fd(attach_plan_program(hp, object)));
		if (hp->link_fd < 0)
			return hp->link_fd;
	}
	log_debug(1, "%s %s: %s", attach_method_name(hp->method, hp->hook->is_return), hp->function,
		  hp->hook->name);
	return 0;
}

/* Skips all hooks with the same `without` text, because an entry without its return is useless. */
static void hook_skip(struct attach_plan *p, const struct hook_plan *failed, int err)
{
	const char *without = failed->hook->without;

	for (struct hook_plan *hp = p->hooks; hp < p->hooks + p->count; hp++) {
		if (hp != failed &&
		    (!without || !hp->hook->without || strcmp(hp->hook->without, without)))
			continue;
		if (hp->link_fd >= 0)
			close(hp->link_fd);
		hp->link_fd = -1;
		hp->method = ATTACH_ANY;
		hp->why = errtext(-err);
	}
	p->refused = err;
}

/* True if the applet can run, and report so, without a hook whose kprobe, the last attach method, failed. */
static bool may_be_skipped(const struct hook_plan *hp)
{
	return hp->hook->optional && hp->method == ATTACH_KPROBE;
}

int attach_plan_attach(struct attach_plan *p, struct bpf_object *object)
{
	/* returns before entries, so that no entry is seen without its return */
	for (int is_return = 1; is_return >= 0; is_return--) {
		for (size_t i = 0; i < p->count; i++) {
			struct hook_plan *hp = &p->hooks[i];
			int err;

			if (hp->method == ATTACH_ANY || hp->hook->is_return != is_return)
				continue;
			err = hook_attach(p, hp, object);
			if (!err)
				continue;
			log_debug(1, "cannot attach %s to %s: %s",
				  attach_method_name(hp->method, is_return), hp->function,
				  errtext(-err));
			if (may_be_skipped(hp)) {
				hook_skip(p, hp, err);
				continue;
			}
			p->failed = hp->function;
			attach_plan_detach(p);
			return err;
		}
	}
	return 0;
}

void attach_plan_detach(struct attach_plan *p)
{
	/* entries first: the returns of calls whose entry was seen still arrive */
	for (int is_return = 0; is_return <= 1; is_return++) {
		for (size_t i = 0; i < p->count; i++) {
			struct hook_plan *hp = &p->hooks[i];

			if (hp->hook->is_return != is_return || hp->link_fd < 0)
				continue;
			close(hp->link_fd);
			hp->link_fd = -1;
		}
	}
}
