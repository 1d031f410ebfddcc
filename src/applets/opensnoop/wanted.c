/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * wanted.c - opensnoop --path and --flags: their texts → what the programs compare.
 */
#include "applets/opensnoop/wanted.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/field/flag_names.h"
#include "cli/applet.h"
#include "util/log.h"
#include "util/suggest.h"

static void fail_option(const char *name, const char *arg, const char *wrong)
{
	log_error("--%s '%s': %s", name, arg, wrong);
	exit(EXIT_USAGE);
}

static void paths_compile(struct opensnoop_wanted *w)
{
	struct glob_pattern patterns[OPTION_LIST_MAX];
	int err;

	for (size_t i = 0; i < w->paths.count; i++)
		patterns[i] = (struct glob_pattern){ w->paths.items[i].text,
						     strlen(w->paths.items[i].text) };
	err = w->paths.count ? glob_compile_any(patterns, w->paths.count, w->path_table) : 0;
	if (err)
		fail_option("path", w->paths.items[w->paths.count - 1].text,
			    err == -EINVAL ? "a [ in a pattern has no ]" :
			    err == -E2BIG  ? "the patterns are too complex together" :
					     "out of memory");
}

static void fail_flag(const char *name)
{
	struct suggestion nearest;

	suggest_init(&nearest, name);
	for (const struct field_name *f = flags_open; f->name; f++)
		suggest_offer(&nearest, f->name);
	log_error("--flags '%s': there is no such flag of open(2)", name);
	if (suggest_get(&nearest))
		log_hint("did you mean %s?", suggest_get(&nearest));
	exit(EXIT_USAGE);
}

/* "O_CREAT,O_EXCL" */
static void flags_take(struct opensnoop_wanted *w, const char *text)
{
	const struct field_name *f;
	char name[32];
	size_t len;

	for (;; text += len + 1) {
		len = strcspn(text, ",");
		snprintf(name, sizeof(name), "%.*s", (int)len, text);
		f = field_name_find(flags_open, name);
		if (!f)
			fail_flag(name);
		if (w->flag_count == OPENSNOOP_FLAGS_MAX)
			fail_option("flags", text, "there are too many");
		w->masks[w->flag_count] = f->mask ?: f->value;
		w->values[w->flag_count++] = f->value;
		if (!text[len])
			return;
	}
}

void wanted_read(struct opensnoop_wanted *w)
{
	paths_compile(w);
	for (size_t i = 0; i < w->flags.count; i++)
		flags_take(w, w->flags.items[i].text);
}

void wanted_size(const struct opensnoop_wanted *w, struct bpf_map *path_rows)
{
	if (w->paths.count)
		bpf_map__set_max_entries(path_rows, glob_rows((void *)w->path_table));
}

int wanted_load(const struct opensnoop_wanted *w, const struct bpf_map *path_rows)
{
	uint32_t rows = w->paths.count ? glob_rows((void *)w->path_table) : 0;

	for (uint32_t i = 0; i < rows; i++)
		if (bpf_map_update_elem(bpf_map__fd(path_rows), &i, w->path_table[i], BPF_ANY))
			return -errno;
	return 0;
}
