/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inspect.c - --list and --type: parses their arguments and calls the function that does the work.
 */
#include "inspect/inspect.h"

#include <errno.h>

#include "inspect/list.h"
#include "probe/type.h"
#include "probe/name_choice.h"
#include "util/log.h"

int inspect_args(struct session *s, struct argdump *a, int argc, char **argv)
{
	int err = 0;

	s->options.dry_run = true;
	if (a->look.type && a->look.type[0] == '-') {
		log_error("--type needs a TYPE, e.g. 'struct file'; '%s' is an option",
			  a->look.type);
		return -EINVAL;
	}
	if (a->look.type && a->look.list) {
		log_error("--list and --type exclude each other");
		return -EINVAL;
	}
	if (a->look.type && argc) {
		log_error("--type prints one type and nothing else: '%s' is too much", argv[0]);
		return -EINVAL;
	}
	if (s->options.command) {
		log_error("--list and --type trace nothing: there can be no command after --");
		return -EINVAL;
	}
	for (int i = 0; i < argc && !err; i++)
		err = argdump_request_add(a, argv[i], NULL, 0);
	if (a->look.list && !argc)
		err = argdump_request_add(a, "*", NULL, 0);
	return err;
}

static int list_one(struct session *s, struct argdump_request *request)
{
	if (!request->text) {
		log_error("--list needs a PROBE, e.g. 'tcp_*'");
		return EXIT_USAGE;
	}
	switch (request->spec.kind) {
	case PROBE_SPEC_FUNCTION: return list_functions(s, request);
	case PROBE_SPEC_TRACEPOINT: return list_tracepoints(s, request);
	case PROBE_SPEC_SYSCALL: return list_syscalls(s, request);
	case PROBE_SPEC_HARDWARE:
	case PROBE_SPEC_SOFTWARE: return list_samples(s, request);
	case PROBE_SPEC_USER: return list_user(s, request);
	default:
		log_error("cannot list %s: it is a rate, which can be any", request->text);
		return EXIT_USAGE;
	}
}

int inspect_run(struct session *s, struct argdump *a)
{
	int code = a->look.type ? inspect_type(s, a->look.type) : EXIT_FINE;

	for (size_t i = 0; i < a->request_count && !code; i++)
		if (a->requests[i].old)
			code = argdump_request_translate(s, &a->requests[i]);
	if (!code)
		code = names_choose(s, a);
	for (size_t i = 0; i < a->request_count && !code; i++)
		code = list_one(s, &a->requests[i]);
	return code;
}
