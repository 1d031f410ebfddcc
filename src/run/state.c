/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * state.c - parts of a session that are opened at first use, and errors of its files.
 */
#include <errno.h>
#include <string.h>

#include "btf/btf.h"
#include "kernel/limits.h"
#include "kernel/place.h"
#include "kernel/preempt.h"
#include "kernel/privileges.h"
#include "run/session.h"
#include "symbols/kernel/ksyms.h"
#include "symbols/user/usyms.h"
#include "util/log.h"

static struct btf_view *lent;

void session_types_lend(struct btf_view *types)
{
	lent = types;
}

int session_types_open(struct session *s)
{
	const char *path = s->options.attach.btf;
	int err = 0;

	if (!s->btf)
		s->btf = lent;
	if (!s->btf)
		err = btf_view_open(path, &s->btf);
	if (!err)
		return EXIT_FINE;
	if (limit_error(err, btf_image_why(err), "cannot read the kernel's types from %s",
			path ?: btf_kernel_file()))
		return EXIT_CANNOT;
	if (path)
		log_hint("--btf needs a vmlinux, a vmlinuz or raw BTF of a kernel built with "
			 "CONFIG_DEBUG_INFO_BTF=y");
	else
		log_hint(
			"the kernel needs CONFIG_DEBUG_INFO_BTF=y, and sysfs mounted on /sys; or a "
			"file of its types as %s/$(uname -r).btf or for --btf",
			BTF_ADDED_FOLDER);
	return path ? EXIT_USAGE : EXIT_CANNOT;
}

/* If they cannot be read, addresses are still worth showing. */
void session_name_kernel(void)
{
	static bool done;
	int err = done ? 0 : ksyms_load();

	done = true;
	if (!err)
		return;
	log_warn("no symbols in kernel stacks: %s", strerror(-err));
	log_hint("%s%s", ksyms_hint(err),
		 err == -EPERM ? capabilities_hint(CAPABILITY(CAP_SYSLOG)) : "");
}

/* Finds processes in /proc by the pids in the records. */
void session_name_users(struct session *s)
{
	int err;

	if (s->names.is_watching)
		return;
	s->names.user = s->names.is_watching = true;
	if (!s->traced.proc_is_other) {
		err = usyms_watch();
		if (err)
			log_debug(1, "cannot watch processes as they map files: %s",
				  strerror(-err));
		return;
	}
	usyms_disable();
	log_warn("no symbols in user stacks: %s", pidns_proc_why());
	log_hint(s->options.tasks.host_pids ? "try it without --host-pids" :
					      "mount -t proc proc /proc, in this pid namespace");
}

bool session_preempts(const struct options *o)
{
	return !(o->attach.dry_run && o->attach.btf) && preempt_possible();
}

/* ---- errors of files ---- */

int file_failed(const char *path, int err)
{
	limit_error(err, place_why(err), "cannot write to '%s'", path);
	if (err == -ELOOP)
		log_hint("give the path that the link leads to, or better a folder where nobody "
			 "else may write");
	return EXIT_FAILED;
}

const char *output_name(const struct session *s)
{
	return s->options.files.output ?: "stdout";
}

int output_failed(const struct session *s)
{
	return file_failed(output_name(s), s->out.error);
}
