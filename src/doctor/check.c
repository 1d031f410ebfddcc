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

#include "attach/prog.h"
#include "util/errname.h"
#include "util/escape.h"
#include "util/terminal.h"

void doctor_report(struct doctor_result *r, enum doctor_answer answer, int error, const char *fmt,
		   ...)
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
	doctor_report(r, DOCTOR_NO, err, "the kernel refuses the program");
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

/* ---- rows of the report ---- */

#define NAME_COLUMN   20
#define ANSWER_COLUMN 8

#define ROW(member, help_, ...)                                                                    \
	FIELD(struct doctor_row, member, FIELD_TEXT, 0, help_, ##__VA_ARGS__)

const struct field doctor_fields[DOCTOR_FIELDS] = {
	ROW(group, "kernel, attach, feature, applet or recipe"),
	ROW(name, "what was checked"),
	ROW(answer, "yes, partly, no, unknown or fact"),
	ROW(text, "the fact, or the reason"),
	ROW(rights, "the capabilities that the applet needs, as setcap(8) takes them, or null"),
	{ .name = "errno",
	  FIELD_AT(struct doctor_row, error),
	  .type = FIELD_TEXT,
	  .help = "name of the error if the answer is no; null for none" },
	{ .name = "needed_for",
	  FIELD_AT(struct doctor_row, why),
	  .type = FIELD_TEXT,
	  .help = "what needs it, or null" },
	ROW(todo, "remedy if the answer is no or partly, or null"),
	ROW(log, "the verifier's last line, or null"),
	ROW(kernel, "the kernel's name, with --kernel; null: the running one"),
};

static void row_text(struct buf *o, const void *record);

const struct schema doctor_schema = {
	.fields = doctor_fields,
	.count = DOCTOR_FIELDS,
	.record_min = sizeof(struct doctor_row),
	.bare = true,
	.text = row_text,
};

static void text_line(struct buf *o, const char *label, const char *text)
{
	if (!text)
		return;
	buf_repeat(o, ' ', 2 + NAME_COLUMN + ANSWER_COLUMN);
	buf_str(o, label);
	escape_write(o, text, strlen(text));
	buf_char(o, '\n');
}

static void row_text(struct buf *o, const void *record)
{
	const struct doctor_row *row = record;

	buf_printf(o, "  %-*s%s", NAME_COLUMN, row->name,
		   strlen(row->name) < NAME_COLUMN ? "" : "  ");
	doctor_answer_write(o, row->result->answer, row->text ? ANSWER_COLUMN : 0);
	if (row->text)
		escape_write(o, row->text, strlen(row->text));
	if (row->rights)
		buf_printf(o, "; needs %s", row->rights);
	if (row->error)
		buf_printf(o, row->error == row->number ? " (error %s)" : " (%s)", row->error);
	buf_char(o, '\n');
	if (row->result->answer == DOCTOR_NO || row->result->answer == DOCTOR_PARTLY)
		text_line(o, "needed for: ", row->why);
	text_line(o, "to do: ", row->todo);
	if (row->with_log)
		text_line(o, "kernel: ", row->log);
}

const char *doctor_answer_name(enum doctor_answer answer)
{
	static const char *const answers[] = {
		[DOCTOR_YES] = "yes",	      [DOCTOR_PARTLY] = "partly", [DOCTOR_NO] = "no",
		[DOCTOR_UNKNOWN] = "unknown", [DOCTOR_FACT] = "fact",
	};

	return answers[answer];
}

void doctor_answer_write(struct buf *o, enum doctor_answer answer, unsigned width)
{
	static const enum style styles[] = {
		[DOCTOR_PARTLY] = STYLE_WARNING,
		[DOCTOR_NO] = STYLE_ERROR,
		[DOCTOR_FACT] = STYLE_NONE,
	};
	const char *text = answer == DOCTOR_FACT ? "" : doctor_answer_name(answer);
	unsigned length = strlen(text);

	style_text(o, styles[answer], text);
	buf_repeat(o, ' ', width > length ? width - length : 0);
}

void doctor_row_write(struct sink *s, struct doctor_row *row)
{
	const struct doctor_result *r = row->result;

	snprintf(row->number, sizeof(row->number), "%d", r->error);
	row->answer = doctor_answer_name(r->answer);
	row->text = r->text[0] ? r->text : NULL;
	row->rights = r->needs ? capabilities_text(r->needs) : NULL;
	row->log = r->log[0] ? r->log : NULL;
	row->error = r->error ? errname(r->error) ?: row->number : NULL;
	if (r->answer != DOCTOR_NO && r->answer != DOCTOR_PARTLY)
		row->todo = NULL;
	sink_record(s, row, sizeof(*row));
	buf_flush(s->out);
}
