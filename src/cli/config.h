/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * config.h - defaults of options that the user keeps in a file.
 *
 * The file is $CORETAP_CONFIG, or coretap/config in $XDG_CONFIG_HOME or ~/.config. A line is NAME or NAME = ARGUMENT, as after
 * -- on the command line; "[TOOL TOOL...]" begins lines of these tools only, and # a comment. Lines before the first
 * [TOOL] name common options, and hold for each tool that has them.
 */
#ifndef CORETAP_CLI_CONFIG_H
#define CORETAP_CLI_CONFIG_H

#include "cli/options.h"

struct applet;

/* Sets an option of a tool, as the command line does. `arg` may be NULL, and lives as long as the process. Returns
 * NULL, or the text of an error. */
typedef const char *config_set_fn(void *ctx, const struct option_spec *spec, const char *arg);

/* Passes each line for the tool to `set`, in the order of the file. Returns the path of the file if a line was passed, else
 * NULL. Exits with EXIT_USAGE after an error. */
const char *config_read_or_exit(const struct applet *applet, config_set_fn *set, void *ctx);

/* Returns the user's folder of coretap, with the file and recipes; NULL: none. Valid until the next call. */
const char *config_folder(void);

/* Returns true if a tool has this name. NULL: names of tools are not checked. */
extern bool (*config_is_tool)(const char *name);

#endif
