/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * also.c - opensnoop --also: selects the deletes and renames to trace, and prints new names.
 */
#include "applets/opensnoop/also.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output/field/field_kind.h"
#include "output/field/field_load.h"
#include "output/field/value.h"
#include "output/field/value_json.h"
#include "output/field/value_text.h"
#include "cli/applet.h"
#include "util/log.h"
#include "opensnoop_also.skel.h"

struct opensnoop_also also;
static bool deletes, renames;

static void word_parse(const char *word, size_t len)
{
	if (len == strlen("unlink") && !strncmp(word, "unlink", len)) {
		deletes = true;
	} else if (len == strlen("rename") && !strncmp(word, "rename", len)) {
		renames = true;
	} else {
		log_error("--also '%.*s': expected unlink or rename", (int)len, word);
		exit(EXIT_USAGE);
	}
}

void also_read(bool counting)
{
	if (counting && also.words.count) {
		log_error("--count counts only opens: it cannot be combined with --also");
		exit(EXIT_USAGE);
	}
	for (size_t i = 0; i < also.words.count; i++) {
		const char *text = also.words.items[i].text;
		size_t len;

		do {
			len = strcspn(text, ",");
			word_parse(text, len);
			text += len + 1;
		} while (text[-1]);
	}
}

/* ---- the programs ---- */

#define HOOK(name_, functions_, params_, program, wanted_)                                         \
	{ .name = name_ ", entry",                                                                 \
	  .functions = functions_,                                                                 \
	  .params = params_,                                                                       \
	  BY(FENTRY) = program "_enter_fentry",                                                    \
	  BY(KPROBE) = program "_enter_kprobe",                                                    \
	  BY(KPROBE_MULTI) = program "_enter_kprobe",                                              \
	  .only_if = wanted_ },                                                                    \
	{                                                                                          \
		.name = name_ ", return", .functions = functions_, .params = params_,              \
		BY(FENTRY) = program "_leave_fexit", BY(KPROBE) = program "_leave_kprobe",         \
		BY(KPROBE_MULTI) = program "_leave_kprobe", .is_return = true, .only_if = wanted_  \
	}

static const struct hook hooks[] = {
	HOOK("delete", "filename_unlinkat do_unlinkat", 2, "unlink", &deletes),
	HOOK("delete of a directory", "filename_rmdir do_rmdir", 2, "rmdir", &deletes),
	HOOK("rename", "filename_renameat2 do_renameat2", 5, "rename", &renames),
	{ 0 },
};

static int also_open(struct skeleton *sk, const void *options)
{
	struct opensnoop_also_bpf *skel = SKELETON_OPEN(sk, opensnoop_also);

	(void)options;
	if (!skel)
		return -errno;
	skel->rodata->want_details = also.details;
	skel->rodata->want_base = also.base;
	skel->rodata->want_paths = also.wanted->paths.count;
	skel->rodata->returns_counted = sk->method == ATTACH_ANY || sk->method == ATTACH_FENTRY;
	bpf_map__set_max_entries(skel->maps.counts, 1);
	wanted_size(also.wanted, skel->maps.path_rows);
	return 0;
}

static int also_loaded(struct skeleton *sk)
{
	struct opensnoop_also_bpf *skel = sk->skel;

	return wanted_load(also.wanted, skel->maps.path_rows);
}

static void also_ending(struct skeleton *sk)
{
	struct opensnoop_also_bpf *skel = sk->skel;

	skel->bss->calls_ended = true;
}

/* The same as opensnoop's: see there. */
static const enum attach_method_id order_preempted[] = { ATTACH_KPROBE_MULTI, ATTACH_KPROBE,
							 ATTACH_END };

const struct skeleton_source also_source = { .hooks = hooks,
					     .order_preempted = order_preempted,
					     .open = also_open,
					     .loaded = also_loaded,
					     .ending = also_ending };

/* ---- the new names ---- */

static int new_load(unsigned offset, field_load_fn *load, const void *record, size_t size,
		    struct value *v)
{
	const struct field f = { .offset = offset, .size = sizeof(struct event_str) };
	const struct opensnoop_event *e = record;

	*v = (struct value){ .status = EVENT_NONE };
	if (e->kind != OPENSNOOP_RENAME)
		return 0;
	return size < sizeof(struct opensnoop_rename) ? -EBADMSG : load(&f, record, size, v);
}

static int new_path_load(const struct field *f, const void *record, size_t size, struct value *v)
{
	(void)f;
	return new_load(offsetof(struct opensnoop_rename, new_path), load_str, record, size, v);
}

static int new_full_path_load(const struct field *f, const void *record, size_t size,
			      struct value *v)
{
	(void)f;
	return new_load(offsetof(struct opensnoop_rename, new_full_path), load_path, record, size,
			v);
}

const struct field_kind also_new_path = {
	.name = "string", .load = new_path_load, .text = text_string, .json = json_string
};
const struct field_kind also_new_full_path = {
	.name = "path", .load = new_full_path_load, .text = text_path, .json = json_path
};
