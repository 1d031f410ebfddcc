// SPDX-License-Identifier: GPL-2.0
/*
 * set_attach.c - all probes of a set of functions by one link: fentry.multi or kprobe.multi at their
 * entries, fexit.multi or kretprobe.multi at their returns, fsession.multi or kprobe.session at both.
 *
 * One link, because the kernel waits for all its processors whenever one is taken away. Each
 * function's cookie has its number in its probe in the low half. Where there are several probes the
 * high half says which: a small program in front, the switch, goes on there by a tail call.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "argdump/argdump.h"
#include "core/diag.h"

#define FENTRY(typed_, probe_read_, ...)                                                          \
	{ PROBE_RUNG_FENTRY_MULTI, EXPR_RUNG_FENTRY_MULTI, typed_, probe_read_, __VA_ARGS__ }
#define KPROBE(typed_, probe_read_, ...)                                                          \
	{ PROBE_RUNG_KPROBE_MULTI, EXPR_RUNG_KPROBE, typed_, probe_read_, __VA_ARGS__ }

static const struct argdump_way ways[] = {
	FENTRY(true, true), FENTRY(true, false),
	KPROBE(true, true), KPROBE(true, false), KPROBE(false, true),
};
static const struct argdump_way call_ways[] = {
	FENTRY(true, true, true, "fsession.multi"), FENTRY(true, false, true, "fsession.multi"),
	KPROBE(true, true, true, "kprobe.session"), KPROBE(true, false, true, "kprobe.session"),
	KPROBE(false, true, true, "kprobe.session"),
};

/* ---- programs ---- */

static int insns_load(const struct argdump_probe *p, const struct argdump_way *way,
		      const struct bpf_insn *insns, size_t count, char *log, size_t log_size)
{
	struct program_type type = { .prog = BPF_PROG_TYPE_TRACING, .attach = p->attach_type };

	if (way->rung != PROBE_RUNG_FENTRY_MULTI && !way->session)
		return program_load(insns, count, way->rung, 0, log, log_size);
	if (way->rung != PROBE_RUNG_FENTRY_MULTI)
		type = (struct program_type){ .prog = BPF_PROG_TYPE_KPROBE,
					      .attach = p->target.attach_kprobe_session };
	if (type.attach < 0)
		return -EOPNOTSUPP;
	return program_load_as(insns, count, &type, log, log_size);
}

static int set_load(struct argdump_probe *p, const struct argdump_way *way, char *log,
		    size_t log_size)
{
	size_t count;
	const struct bpf_insn *insns = expr_insns(p->expr, &count);

	return fd_list_add(&p->programs, insns_load(p, way, insns, count, log, log_size));
}

/* A session's 8 bytes are made for the program that is attached, where that asks for them. */
static int switch_load(const struct argdump_probe *p, const struct argdump_way *way, int map_fd)
{
	enum { CTX = BPF_REG_6, ATTACH_COOKIE = BPF_FUNC_get_attach_cookie, SESSION = 3 };
	const struct bpf_insn insns[] = {
		{ BPF_ALU64 | BPF_MOV | BPF_X, CTX, BPF_REG_1, 0, 0 },
		{ BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 0, p->target.session_cookie_id },
		{ BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_1, CTX, 0, 0 },
		{ BPF_ALU64 | BPF_MOV | BPF_X, CTX, BPF_REG_1, 0, 0 },
		{ BPF_JMP | BPF_CALL, 0, 0, 0, ATTACH_COOKIE },
		{ BPF_ALU64 | BPF_RSH | BPF_K, BPF_REG_0, 0, 0, 32 },
		{ BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_3, BPF_REG_0, 0, 0 },
		{ BPF_LD | BPF_DW | BPF_IMM, BPF_REG_2, BPF_PSEUDO_MAP_FD, 0, map_fd },
		{ 0 },
		{ BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_1, CTX, 0, 0 },
		{ BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_tail_call },
		{ BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0 },
		{ BPF_JMP | BPF_EXIT, 0, 0, 0, 0 },
	};

	size_t from = way->session ? 0 : SESSION;

	return insns_load(p, way, insns + from, sizeof(insns) / sizeof(insns[0]) - from, NULL, 0);
}

/* The program to attach, in the first probe's list; where it is the switch, behind its own. */
static int switch_make(struct argdump_probe *probes, size_t count, const struct argdump_way *way)
{
	int map = program_switch_open(count), err = fd_list_add(&probes->switches, map);

	for (size_t i = 0; i < count && !err; i++)
		err = program_switch_set(map, i, probes[i].programs.fds[0]);
	if (!err)
		err = fd_list_add(&probes->programs, switch_load(probes, way, map));
	return err;
}

/* ---- the link ---- */

/* The arrays that the kernel is given, one element a function. */
struct targets {
	const char **names;
	uint64_t *addresses, *cookies;
	uint32_t *ids;
	size_t count;
	bool have_addresses;
};

static void targets_free(struct targets *t)
{
	free(t->names);
	free(t->addresses);
	free(t->cookies);
	free(t->ids);
}

static void target_add(struct targets *t, const struct function *f, uint64_t cookie)
{
	size_t i = t->count++;

	t->names[i] = f->types.name;
	t->addresses[i] = f->address;
	t->cookies[i] = cookie;
	t->ids[i] = f->types.id;
	t->have_addresses &= f->address != 0;
}

static int targets_make(struct targets *t, const struct argdump_probe *probes, size_t count)
{
	size_t total = 0;

	for (size_t i = 0; i < count; i++)
		total += probes[i].function_count;
	*t = (struct targets){
		.names = calloc(total, sizeof(*t->names)),
		.addresses = calloc(total, sizeof(*t->addresses)),
		.cookies = calloc(total, sizeof(*t->cookies)),
		.ids = calloc(total, sizeof(*t->ids)),
		.have_addresses = true,
	};
	if (!t->names || !t->addresses || !t->cookies || !t->ids)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < probes[i].function_count; j++)
			target_add(t, probes[i].functions[j], (uint64_t)i << 32 | (probes[i].first_point + j));
	return 0;
}

static int targets_link(const struct targets *t, const struct argdump_probe *p,
			const struct argdump_way *way)
{
	const struct probe_multi multi = {
		.count = t->count,
		.names = t->names,
		.addresses = t->have_addresses ? t->addresses : NULL,
		.ids = t->ids,
		.cookies = t->cookies,
		.is_return = p->kind->scope == EXPR_SCOPE_RETURN,
		.session = way->session ? p->target.attach_kprobe_session : 0,
	};
	int prog = p->programs.fds[p->programs.count - 1];

	if (way->rung == PROBE_RUNG_KPROBE_MULTI)
		return probe_link_kprobe_multi(prog, &multi);
	return probe_link_fentry_multi(prog, p->attach_type, &multi);
}

static int set_link(struct argdump_probe *probes, size_t count, const struct argdump_way *way)
{
	struct targets targets;
	int err = targets_make(&targets, probes, count);

	if (!err)
		err = fd_list_add(&probes->links, targets_link(&targets, probes, way));
	if (err)
		diag_debug(1, "cannot attach %zu functions by %s: %s", targets.count,
			   argdump_rung_name(probes, way), strerror(-err));
	else
		diag_debug(1, "%s: %zu functions, %zu program%s, %s loads",
			   argdump_rung_name(probes, way), targets.count, count,
			   count == 1 ? "" : "s", way->typed_loads ? "typed" : "probe_read");
	targets_free(&targets);
	return err;
}

/* ---- one way for all ---- */

static void set_close(struct argdump_probe *probes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		fd_list_close(&probes[i].links);
		fd_list_close(&probes[i].programs);
		fd_list_close(&probes[i].switches);
	}
}

/* `p` is the first of its request's. */
static int set_try(struct session *s, struct argdump *a, struct argdump_probe *p,
		   const struct argdump_way *way)
{
	size_t count = argdump_request_probes(a, p);
	int err = 0;

	for (size_t i = 0; i < count && !err; i++)
		err = argdump_way_load(s, a, &p[i], way);
	if (!err && count > 1)
		err = switch_make(p, count, way);
	if (!err)
		err = set_link(p, count, way);
	if (err)
		set_close(p, count);
	return err;
}

static int set_attach_all(struct session *s, struct argdump *a, struct argdump_probe *first)
{
	int err = argdump_ways_try(s, a, first, set_try);

	return err ? first->kind->explain(s, first, err) : EXIT_FINE;
}

/* No function of many is to blame. */
static int set_explain(struct session *s, struct argdump_probe *p, int err)
{
	(void)p;
	return probe_explain(NULL, s->btf, err);
}

/* A session is for as many functions as its target's type is. */
static void call_prepare(struct argdump_probe *p, const struct argdump_way *way)
{
	(void)way;
	p->input.target.attach_fsession = p->attach_type > 0 ? p->attach_type : 0;
}

#define SET_KIND(ways_) .ways = ways_, .way_count = sizeof(ways_) / sizeof(ways_[0]),              \
	.load = set_load, .explain = set_explain, .attach_all = set_attach_all

const struct probe_kind probe_kind_function_set = { SET_KIND(ways) };
const struct probe_kind probe_kind_return_set = { SET_KIND(ways), .scope = EXPR_SCOPE_RETURN };
const struct probe_kind probe_kind_call_set = {
	SET_KIND(call_ways),
	.scope = EXPR_SCOPE_CALL,
	.prepare = call_prepare,
};
