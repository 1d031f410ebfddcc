/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * library.c - functions written in the language itself: macros available in every program.
 *
 * Those that a program names are parsed after it. A macro of the program with the same name and parameters takes
 * precedence.
 */
#include "script/syntax/macro.h"

static const struct library_macro {
	const char *name, *text; /* the text of all macros with that name */
} library[] = {
	{ "is_err", "macro is_err(p) { (uint64)(p) >= 0xfffffffffffff001 }" },
	{ "leader_tid", "macro leader_tid(t) { (t).group_leader.pid }"
			"macro leader_tid() { curtask.group_leader.pid }" },
	{ "leader_comm", "macro leader_comm(t) { (t).group_leader.comm }"
			 "macro leader_comm() { curtask.group_leader.comm }" },
	{ "container_of", "macro container_of(p, t, m) { (t*)((uint64)(p) - offsetof(t, m)) }" },
	{ "default_str_length", "macro default_str_length() { sizeof(str((int8 *)0)) }" },
	/* memory outside of the buffer's own is not copied: the file records the packet's full length */
	{ "skboutput",
	  "macro skboutput(path, skb, length, offset) {"
	  " let $s = skb; let $o = (uint64)offset; let $n = (uint64)length;"
	  " let $own = (uint64)$s.len - (uint64)$s.data_len;"
	  " $own = $own > $o ? (uint64)($own - $o) : (uint64)0;"
	  " __packet(path, buf((uint64)$s.data + $o, $n < $own ? $n : $own), $n, nsecs);"
	  " (uint32)0 }" },
	{ "memcmp_record",
	  "macro memcmp_record(l, r, n) { let $l = l; let $r: typeof($l) = r; memcmp($l, $r, n) }" },
	{ "abs_path",
	  "macro abs_path(name, depth) {"
	  " let $n = name; let $d = path(curtask.fs.pwd);"
	  " if ($n[0] == 47) { $n } else { str_concat($d == \"/\" ? \"\" : $d, str_concat(\"/\", $n)) } }" },
	{ "cwd",
	  "macro cwd() { let $d = path(curtask.fs.pwd); str_concat($d, $d == \"/\" ? \"\" : \"/\") }" },
	/* a cgroup is in itself; cgroups nested deeper than this do not occur */
	{ "in_cgroup",
	  "macro in_cgroup(id) {"
	  " let $id = (uint64)(id); let $c = curtask.cgroups.dfl_cgrp; let $is_in = false;"
	  " for ($i : 0..32) {"
	  " if ($is_in || (uint64)$c == 0) { break; }"
	  " $is_in = $c.kn.id == $id; $c = $c.self.parent.cgroup; }"
	  " $is_in }" },
	{ "__always_true", "macro __always_true() { 1 }" },
	{ "assert_str", "macro assert_str(s) { _ = strlen(s); }" },
};
enum { LIBRARY = sizeof(library) / sizeof(library[0]) };

void library_note(struct parser *p, const char *name)
{
	for (unsigned i = 0; i < LIBRARY; i++)
		if (!strcmp(library[i].name, name))
			p->library |= 1u << i;
}

const char *library_text(const struct parser *p, unsigned *at)
{
	for (; *at < LIBRARY; ++*at)
		if (p->library & 1u << *at)
			return library[(*at)++].text;
	return NULL;
}
