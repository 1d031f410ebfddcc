/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * form.h - in which form records are written, as the options say.
 */
#ifndef CORETAP_CLI_FORM_H
#define CORETAP_CLI_FORM_H

#include "output/rows/report.h"
#include "cli/options.h"

/* Sets what follows from the options. Do they fit together? NULL, or what is wrong. */
const char *session_form_check(struct options *o);
/* The form; NULL: JSON or a table. */
const struct sink_form *session_form(const struct options *o);
/* That of reports; NULL: text or JSON. */
const struct report_form *session_report_form(const struct options *o);
/* The command line, as the title of a picture. The caller frees it; NULL: no memory. */
char *session_title(const struct applet *applet, int argc, char **argv);

#endif
