/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * check.c - the result of a check, and loading the program that a check tries.
 */
#include "doctor/check.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "attach/verifier_words.h"

void doctor_say(struct doctor_result *r, enum doctor_answer answer, int error, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(r->text, sizeof(r->text), fmt, ap);
	va_end(ap);
	r->answer = answer;
	r->error = error;
}

bool doctor_works(const struct doctor_result *r)
{
	return r->answer == DOCTOR_YES || r->answer == DOCTOR_PARTLY;
}

/* ---- loading, with the verifier's last line ---- */

int doctor_load(int prog_type, const struct bpf_insn *insns, size_t count,
		struct bpf_prog_load_opts *opts, struct doctor_result *r)
{
	static char log[1 << 14];
	int fd = bpf_prog_load(prog_type, "doctor", "GPL", insns, count, opts), err = errno;

	if (fd >= 0)
		return fd;
	doctor_say(r, DOCTOR_NO, err, "the kernel refuses the program");
	log[0] = 0;
	opts->log_buf = log;
	opts->log_size = sizeof(log);
	opts->log_level = 1;
	fd = bpf_prog_load(prog_type, "doctor", "GPL", insns, count, opts);
	if (fd >= 0)
		close(fd);
	verifier_reason(log, r->log, sizeof(r->log));
	return -1;
}
