/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * version.c - what --version prints.
 */
#include <argp.h>

#include "version.h"

const char *argp_program_version = "coretap " CORETAP_VERSION; /* -V and --version of applets */
