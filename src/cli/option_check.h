/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * option_check.h - checks for common options that conflict.
 */
#ifndef CORETAP_CLI_OPTION_CHECK_H
#define CORETAP_CLI_OPTION_CHECK_H

#include <netinet/in.h>
#include <sys/socket.h>

#include "cli/options.h"
#include "output/rows/report.h"

/* Derives settings from the options. Returns NULL, or what conflicts. */
const char *options_check(struct options *o);
/* … or prints it and exits with EXIT_USAGE. */
void options_check_or_exit(struct options *o);

union listen_address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

/* Parses PORT, ADDRESS:PORT or [ADDRESS]:PORT; returns the text of an error, or NULL. */
const char *listen_parse(const char *text, union listen_address *a);

/* ---- output forms ---- */

/* Returns the form of records. NULL: JSON or a table. */
const struct sink_form *option_record_form(const struct options *o);
/* Returns the form of reports. NULL: text or JSON. */
const struct report_form *option_report_form(const struct options *o);
/* Returns the command line, as the title of a picture. The caller frees it. NULL if out of memory. */
char *option_title(const struct applet *applet, int argc, char **argv);

#endif
