/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file_error.h - a file that cannot be written: which, and why.
 */
#ifndef CORETAP_RUN_FILE_ERROR_H
#define CORETAP_RUN_FILE_ERROR_H

struct session;

/* Prints that a file, or the output, cannot be written; err: -errno. Returns EXIT_FAILED. */
int file_failed(const char *path, int err);
int output_failed(const struct session *s);
/* The name of the output in messages. */
const char *output_name(const struct session *s);

#endif
