// SPDX-License-Identifier: GPL-2.0
/*
 * way.c - the ladder of one probe: compile, load, attach, in the first way that works.
 *
 * It must not know what is traced: the probe's kind does.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "argdump/argdump.h"
#include "core/diag.h"

const struct argdump_way argdump_ways[ARGDUMP_WAYS] = {
	{ PROBE_RUNG_FENTRY, EXPR_RUNG_FENTRY, true, true },
	/* lockdown=confidentiality forbids probe_read */
	{ PROBE_RUNG_FENTRY, EXPR_RUNG_FENTRY, true, false },
	{ PROBE_RUNG_FENTRY, EXPR_RUNG_FENTRY, false, true },
	{ PROBE_RUNG_KPROBE_MULTI, EXPR_RUNG_KPROBE, true, true },
	{ PROBE_RUNG_KPROBE_MULTI, EXPR_RUNG_KPROBE, true, false },
	{ PROBE_RUNG_KPROBE, EXPR_RUNG_KPROBE, true, true },
	{ PROBE_RUNG_KPROBE, EXPR_RUNG_KPROBE, false, true },
};

/* -vv: why the verifier said no. */
static void refusal_tell(struct argdump_probe *p, const struct argdump_way *way, int err)
{
	static char log[1 << 16];

	diag_debug(1, "%s with %s loads%s: %s", argdump_rung_name(p, way),
		   way->typed_loads ? "typed" : "probe_read",
		   way->probe_read ? "" : ", no probe_read", strerror(-err));
	if (diag_level() < 2)
		return;
	p->kind->load(p, way, log, sizeof(log));
	fd_list_close(&p->programs);
	diag_debug(2, "%s", log);
}

int argdump_way_load(struct session *s, struct argdump *a, struct argdump_probe *p,
		     const struct argdump_way *way)
{
	struct expr_error error;
	int err = argdump_probe_compile(s, a, p, way, &error);

	if (err) {
		diag_debug(1, "not by %s: %s", argdump_rung_name(p, way), error.message);
		return err;
	}
	err = p->kind->load(p, way, NULL, 0);
	if (err) {
		fd_list_close(&p->programs);
		refusal_tell(p, way, err);
	}
	return err;
}

static int way_try(struct session *s, struct argdump *a, struct argdump_probe *p,
		   const struct argdump_way *way)
{
	int err = argdump_way_load(s, a, p, way);

	if (err)
		return err;
	err = p->kind->attach(p, way);
	if (!err)
		return 0;
	diag_debug(1, "cannot attach by %s: %s", argdump_rung_name(p, way),
		   strerror(-err));
	fd_list_close(&p->links);
	fd_list_close(&p->programs);
	return err;
}

static void not_followed_tell(const struct argdump_probe *p)
{
	unsigned pointers = expr_not_followed(p->expr);

	if (pointers)
		diag_warn("--depth: %u more pointers are not followed: a record has no room for it",
			  pointers);
}

int argdump_ways_try(struct session *s, struct argdump *a, struct argdump_probe *p,
		     argdump_way_try *try)
{
	const struct argdump_way *way = p->kind->ways, *end = way + p->kind->way_count;
	int err = -EINVAL, first = 0;

	for (; way < end; way++) {
		if (!argdump_way_possible(s, p, way))
			continue;
		err = (try ?: way_try)(s, a, p, way);
		if (!err) {
			p->way = way;
			if (!try)
				diag_debug(1, "%s %s, %s loads", argdump_rung_name(p, way), p->name,
					   way->typed_loads ? "typed" : "probe_read");
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
