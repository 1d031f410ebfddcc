/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * wanted.bpf.h - which opens are wanted: --path, --flags, --write. A part of call.bpf.h, which includes it after what
 * it needs: struct call, the maps, and how long names are copied.
 */
#ifndef CORETAP_OPENSNOOP_WANTED_BPF_H
#define CORETAP_OPENSNOOP_WANTED_BPF_H

#define PATHS_STEP 64 /* bytes of a name to compare at once */

/* Which opens are wanted: by the name as passed (util/glob.h), for writing, with any of these flags. */
const volatile bool want_paths = false;
const volatile bool want_flags = false; /* with any of these flags */
const volatile bool want_writes = false;
const volatile __u32 flags_wanted = 0;
const volatile __u64 flag_masks[OPENSNOOP_FLAGS_MAX] = {}, flag_values[OPENSNOOP_FLAGS_MAX] = {};

/* --path: a row for each state of util/glob.h's machine. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1); /* user space sets the number of states */
	__type(key, __u32);
	__type(value, struct event_names_row);
} path_rows SEC(".maps");

static __always_inline bool flags_pass(__u64 flags)
{
	__u32 mode = flags & O_ACCMODE;

	if (want_writes && ((mode != O_WRONLY && mode != O_RDWR) || flags & O_PATH))
		return false;
	for (__u32 i = 0; i < OPENSNOOP_FLAGS_MAX && i < flags_wanted; i++)
		if ((flags & flag_masks[i]) == flag_values[i])
			return true;
	return !flags_wanted;
}

/* Continues with the name in bigs from byte `at`. A global function: see path_batch. */
__attribute__((noinline)) int paths_step(__u32 slot, __u32 at, __u32 state)
{
	struct big *b = bpf_map_lookup_elem(&bigs, &slot);

	for (int i = 0; b && i < PATHS_STEP && state > EVENT_NAMES_YES; i++) {
		struct event_names_row *row = bpf_map_lookup_elem(&path_rows, &state);

		state = row ? row->next[(__u8)b->data[(at + i) & (CALL_NAME_MAX - 1)]] : 0;
	}
	return state;
}

/* The NUL at the end of the name leads to one of the final states. */
static __always_inline bool path_passes(struct call *c, __u32 slot)
{
	struct big *b = bpf_map_lookup_elem(&bigs, &slot);
	__u32 state = EVENT_NAMES_START;

	if (!b || c->name_status == EVENT_FAULT)
		return false;
	if (c->name_len == CALL_NAME)
		long_name_copy(c, b->data);
	else
		bpf_probe_read_kernel_str(b->data, CALL_NAME, c->name);
	for (int at = 0; at < CALL_NAME_MAX && state > EVENT_NAMES_YES; at += PATHS_STEP)
		state = paths_step(slot, at, state);
	return state == EVENT_NAMES_YES;
}

#endif
