/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * option_check.h - common options that do not fit together.
 */
#ifndef CORETAP_CLI_OPTION_CHECK_H
#define CORETAP_CLI_OPTION_CHECK_H

#include <netinet/in.h>
#include <sys/socket.h>

#include "cli/options.h"

/* Sets what follows from the options; exits with EXIT_USAGE, and says why, if they do not fit. */
void options_check_or_exit(struct options *o);

union listen_address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

/* Parses PORT, ADDRESS:PORT or [ADDRESS]:PORT; returns what is wrong with it, or NULL. */
const char *listen_parse(const char *text, union listen_address *a);

#endif
