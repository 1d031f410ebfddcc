/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bpf_search.h - finds the BPF programs, and functions of these, that an item of a PROBE names.
 */
#ifndef CORETAP_PROBE_PROVIDERS_BPF_SEARCH_H
#define CORETAP_PROBE_PROVIDERS_BPF_SEARCH_H

#include "btf/btf.h"
#include "kernel/bpf_programs.h"
#include "probe/argdump.h"
#include "util/suggest.h"

/* Called for each function; 0: the program itself. `fd` is the program's, and is closed afterwards. Returns 0, or
 * -errno, which ends the search. */
typedef int bpf_found_one(void *ctx, const struct bpf_program_info *info, int fd, size_t function);

struct bpf_search {
	const struct btf_view *kernel;
	const struct probe_spec_item *item;
	bool all; /* also those that cannot be traced */
	bpf_found_one *found_one;
	void *ctx;
	/* results */
	size_t found,
		left_out; /* left_out: programs that a pattern matches, but that cannot be traced */
	struct suggestion near;
	char nearest[64];
};

/* True if the text is the program's name, id or tag, or a pattern of its name. */
bool bpf_program_matches(const struct btf_view *kernel, const char *text,
			 const struct bpf_program_info *info);
/* True, after printing an error, if --btf has another kernel's types: its programs are unknown. */
bool bpf_search_refused(const struct session *s, const struct argdump_request *request);
/* Returns 0; -ENOENT: nothing matches; -ENODATA: the program has no types; or another -errno. */
int bpf_search_run(struct bpf_search *c);
/* Reports that error. Returns the exit code. */
int bpf_search_report(const struct bpf_search *c, int err);

#endif
