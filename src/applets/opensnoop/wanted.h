/* SPDX-License-Identifier: GPL-2.0-only */
/* wanted.h - which opens opensnoop is to show: --path, --flags, --write. */
#ifndef CORETAP_OPENSNOOP_WANTED_H
#define CORETAP_OPENSNOOP_WANTED_H

#include <bpf/libbpf.h>
#include <linux/types.h>

#include "cli/options.h"
#include "util/glob.h"
#include "opensnoop.h"

struct opensnoop_wanted {
	/* as given */
	struct option_list paths, flags;
	bool writes;
	/* by wanted_read: the patterns; flags, any of which is enough */
	glob_table path_table;
	uint64_t masks[OPENSNOOP_FLAGS_MAX], values[OPENSNOOP_FLAGS_MAX];
	uint32_t flag_count;
};

/* Exits with EXIT_USAGE, after it has said why, if a text is wrong. */
void wanted_read(struct opensnoop_wanted *w);
/* The rows of map path_rows, before and after load: 0 or -errno. */
void wanted_size(const struct opensnoop_wanted *w, struct bpf_map *path_rows);
int wanted_load(const struct opensnoop_wanted *w, const struct bpf_map *path_rows);

#endif
