/* SPDX-License-Identifier: GPL-2.0-only */
/* options.h - further options of opensnoop: --path and --flags, --count, --caller. */
#ifndef CORETAP_APPLETS_OPENSNOOP_OPTIONS_H
#define CORETAP_APPLETS_OPENSNOOP_OPTIONS_H

#include <bpf/libbpf.h>
#include <linux/types.h>

#include "cli/options.h"
#include "output/field/field.h"
#include "output/field/field_kind.h"
#include "util/glob.h"
#include "opensnoop.h"

struct opensnoop_wanted {
	/* as given */
	struct option_list paths, flags;
	bool writes;
	/* set by wanted_read: the patterns; flags, any of which matches */
	glob_table path_table;
	uint64_t masks[OPENSNOOP_FLAGS_MAX], values[OPENSNOOP_FLAGS_MAX];
	uint32_t flag_count;
};

/* Prints an error and exits with EXIT_USAGE if a text is wrong. */
void wanted_read(struct opensnoop_wanted *w);
/* Sizes and fills map path_rows, before and after load. Return 0 or -errno. */
void wanted_size(const struct opensnoop_wanted *w, struct bpf_map *path_rows);
int wanted_load(const struct opensnoop_wanted *w, const struct bpf_map *path_rows);

/* opensnoop --count: counts how often each path was opened, or by which process, instead of printing records. */

/* Parses the argument of --count; returns NULL without --count. Exits with EXIT_USAGE if it is wrong or conflicts
 * with another option. */
enum opensnoop_count counts_mode(const char *what, const struct options *o, bool full_path);
/* Offers the words of --count. */
void counts_words(struct completion *c, const char *begin);
/* Makes the session report rows of that kind. */
void counts_begin(struct session *s, enum opensnoop_count mode);

extern const struct field_kind caller_kind;

/* clang-format off */
#define CALLER_FIELD                                                                               \
	{ .name = "caller", .offset = sizeof(struct opensnoop_event),                              \
	  .size = sizeof(struct opensnoop_caller), .kind = &caller_kind, .width = 32,              \
	  .flags = FIELD_OPTIONAL,                                                                 \
	  .help = "with --caller: the function that called the C library's open, and its file; empty for a kernel thread" }
/* clang-format on */

#endif
