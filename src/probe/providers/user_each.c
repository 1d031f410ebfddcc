/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_each.c - a probe for each user function that matches a pattern: where the kernel has no uprobe.multi, in pairs,
 * and where expressions name parameters, which differ by function.
 */
#include "probe/providers/providers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "util/log.h"

/* Functions that lack what the expressions use. */
struct unfit {
	size_t count;
	char first[128];
	struct expr_error error;
};

/* Drops the last probe if its function does not fit the expressions. */
static int fit_check(struct session *s, struct argdump *a, struct unfit *unfit)
{
	struct argdump_probe *p = &a->probes[a->probe_count - 1];
	struct expr_error error;
	int err = argdump_probe_compile_any(s, a, p, &error);

	if (err != -EINVAL && err != -EOPNOTSUPP)
		return err;
	if (!unfit->count++) {
		snprintf(unfit->first, sizeof(unfit->first), "%s", p->name);
		unfit->error = error;
	}
	argdump_probe_drop(a);
	return 0;
}

static int unfit_report(const struct unfit *unfit, size_t count)
{
	if (unfit->count && unfit->count < count)
		log_note("%zu function%s left out, %s%s: %s", unfit->count,
			 unfit->count == 1 ? "" : "s", unfit->count == 1 ? "" : "e.g. ",
			 unfit->first, unfit->error.message);
	if (unfit->count < count)
		return 0;
	log_error("no function fits the expressions, e.g. %s: %s", unfit->first,
		  unfit->error.message);
	if (*unfit->error.hint)
		log_hint("%s", unfit->error.hint);
	return -EINVAL;
}

int user_each_add(struct session *s, struct argdump *a, const struct argdump_request *request,
		  struct user_source *u, const struct probe_ops *kind,
		  const struct expr_target *target, bool typed)
{
	struct user_set *set = u->set;
	struct unfit unfit = { 0 };
	size_t count = set->count;
	int err = 0;

	u->set = NULL;
	files_allow(set->count);
	for (size_t i = 0; i < set->count && !err; i++) {
		struct argdump_probe *p;

		u->offset = set->list[i].address;
		p = user_probe_add(a, request, u, set->list[i].name, kind, target);
		u->file.fd =
			typed ? fcntl(u->file.fd, F_DUPFD_CLOEXEC, 0) :
				-1; /* owned by the first probe, which lives as long as these */
		err = p ? 0 : -ENOMEM;
		if (!err && typed) {
			user_types_add(s, p, set->symbols[i], !a->language);
			err = fit_check(s, a, &unfit);
		}
	}
	if (typed && u->file.fd >= 0)
		close(u->file.fd);
	user_set_free(set);
	return err ?: unfit_report(&unfit, count);
}

bool user_each_needs_types(struct session *s, struct argdump *a,
			   const struct argdump_request *request, const struct user_source *u,
			   const struct probe_ops *single, const struct expr_target *target)
{
	struct user_source one = *u;
	struct expr_error error;
	int err;

	if (!user_names_wanted(request))
		return false;
	one.set = NULL;
	one.offset = u->set->list[0].address;
	one.file.fd = fcntl(u->file.fd, F_DUPFD_CLOEXEC, 0);
	if (!user_probe_add(a, request, &one, u->set->list[0].name, single, target))
		return false;
	err = argdump_probe_compile_any(s, a, &a->probes[a->probe_count - 1], &error);
	argdump_probe_drop(a);
	return err == -EINVAL;
}
