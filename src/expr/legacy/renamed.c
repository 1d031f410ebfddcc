/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * renamed.c - functions and system calls that have been renamed since old definitions were
 * written. A name that the running kernel has is kept, except for functions that nothing calls.
 */
#include <string.h>

#include "expr/legacy/legacy_parse.h"

/*
 * Only replacements with the same arguments, or with the arguments that `args` gives. The first
 * row whose new function exists is used. do_sys_open still exists in every kernel but is inlined
 * into its callers, so a probe on it is never hit.
 */
static const struct legacy_rename renames[] = {
	{ "do_sys_open",
	  "do_sys_openat2",
	  { "$arg1", "$arg2", "$arg3->flags", "$arg3->mode" },
	  .dead = true },
	{ "__vfs_read", "vfs_read" },
	{ "__vfs_write", "vfs_write" },
	{ "do_filp_open", "do_file_open" },
	{ "do_unlinkat", "filename_unlinkat" },
	{ "do_fork",
	  "kernel_clone",
	  { "$arg1->flags", "$arg1->stack", "$arg1->stack_size", "$arg1->parent_tid",
	    "$arg1->child_tid" } },
	{ "_do_fork", "kernel_clone" },
	{ "do_IRQ", "__common_interrupt" },
	{ "generic_make_request", "submit_bio_noacct" },
	{ "blk_start_request", "blk_mq_start_request" },
	{ "kfree_skb", "kfree_skb_reason" },
	{ "kfree_skb", "sk_skb_reason_drop", { "$arg2" } },
	{ "__kmalloc", "__kmalloc_noprof" },
	{ "kmem_cache_alloc", "kmem_cache_alloc_noprof" },
	{ "__alloc_pages_nodemask", "__alloc_pages" },
	{ "__alloc_pages_nodemask", "__alloc_pages_noprof" },
};
enum { RENAME_COUNT = sizeof(renames) / sizeof(renames[0]) };
enum { RENAME_ARGS = sizeof(renames[0].args) / sizeof(renames[0].args[0]) };

static bool has(const struct old *o, const char *function)
{
	return o->exists(o->context, function);
}

/* sys_openat, SyS_openat → openat: since 4.17 these are wrappers that get the registers in
 * memory. */
static const char *syscall_name(const char *name)
{
	if (!strncmp(name, "sys_", 4) || !strncmp(name, "SyS_", 4))
		return name[4] ? name + 4 : NULL;
	return NULL;
}

static const struct legacy_rename *rename_find(const struct old *o, const char *name)
{
	for (size_t i = 0; i < RENAME_COUNT; i++) {
		const struct legacy_rename *r = &renames[i];

		if (!strcmp(r->gone, name) && has(o, r->now) && (r->dead || !has(o, name)))
			return r;
	}
	return NULL;
}

const char *legacy_renamed(const char *function, size_t *row, bool *dead, const char *const **args)
{
	while (*row < RENAME_COUNT) {
		const struct legacy_rename *r = &renames[(*row)++];

		if (strcmp(r->gone, function) || (r->args[0] && !r->dead))
			continue;
		*dead = r->dead;
		*args = r->args[0] ? r->args : NULL;
		return r->now;
	}
	return NULL;
}

const char *legacy_function(struct old *o, const char *name)
{
	const char *call = syscall_name(name);

	if (call && !has(o, name)) {
		o->is_syscall = true;
		legacy_note(o,
			    "%s: traced as the system call %s, whose arguments are in no register "
			    "of a function any more",
			    name, call);
		return legacy_print(o, "s:%s", call);
	}
	o->rename = rename_find(o, name);
	if (!o->rename)
		return name;
	legacy_note(o, "%s is %s: %s is traced, with its arguments instead of the old ones", name,
		    o->rename->dead ? "no longer called" : "gone", o->rename->now);
	return o->rename->now;
}

const char *legacy_argument(struct old *o, uint64_t n, uint32_t start)
{
	const struct legacy_rename *r = o->rename;

	o->has_params = true;
	if (!n || n > 128)
		legacy_fail(o, start, o->at, "arguments are $arg1, $arg2, …");
	else if (o->is_syscall && n > 6)
		legacy_fail(o, start, o->at, "a system call has at most 6 arguments");
	else if (!r || !r->args[0])
		return legacy_print(o, "$arg%u", (unsigned)n);
	else if (n > RENAME_ARGS || !r->args[n - 1])
		legacy_fail(o, start, o->at, "%s never had so many arguments", r->gone);
	else
		return r->args[n - 1];
	return "";
}
