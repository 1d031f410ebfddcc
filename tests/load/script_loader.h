/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * script_loader.h - the commands of script_loader: each returns the exit status.
 */
#ifndef CORETAP_SCRIPT_LOADER_H
#define CORETAP_SCRIPT_LOADER_H

int run_random(unsigned long count, unsigned long seed);
int run_values(unsigned long count, unsigned long seed);

#endif
