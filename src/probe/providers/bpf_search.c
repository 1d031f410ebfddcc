/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bpf_search.c - asks the kernel for all its BPF programs, and compares their names, ids and tags.
 */
#include "probe/providers/bpf_search.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>

#include "attach/attach_error.h"
#include "util/log.h"
#include "probe/providers/bpf_types.h"
#include "util/glob.h"
#include "util/log.h"

static bool is_pattern(const char *text)
{
	return strpbrk(text, "*?[");
}

static bool text_matches(const char *text, const char *name)
{
	return is_pattern(text) ? wildcard_matches(text, name) : !strcmp(text, name);
}

bool bpf_program_matches(const struct btf_view *kernel, const char *text,
			 const struct bpf_program_info *info)
{
	char id[12];

	snprintf(id, sizeof(id), "%u", info->id);
	return !strcmp(text, id) || !strcmp(text, info->tag) || text_matches(text, info->name) ||
	       text_matches(text, bpf_function_name(kernel, info, 0));
}

/* The name by which the nearest program is found. */
static const char *item_program(const struct probe_spec_item *item)
{
	return item->scope && !is_pattern(item->scope) ? item->scope : item->name;
}

/* Of a pattern, programs that trace are left out: they may trace what is traced here. */
static bool is_left_out(const struct bpf_search *c, const struct bpf_program_info *info)
{
	const struct probe_spec_item *item = c->item;

	return !c->all && (item->is_pattern || (item->scope && is_pattern(item->scope))) &&
	       (!info->function_count || !info->is_jited || info->type == BPF_PROG_TYPE_TRACING);
}

static int function_found(struct bpf_search *c, const struct bpf_program_info *info, int fd,
			  size_t function)
{
	c->found++;
	return c->found_one(c->ctx, info, fd, function);
}

/* The functions of a program that the item names: the program itself or, after b:PROGRAM:, any. */
static int functions_search(struct bpf_search *c, const struct bpf_program_info *info, int fd)
{
	int err = 0;

	if (!c->item->scope)
		return function_found(c, info, fd, 0);
	for (size_t i = 0; i < info->function_count && !err; i++)
		if (text_matches(c->item->name, bpf_function_name(c->kernel, info, i)))
			err = function_found(c, info, fd, i);
	return err;
}

/* Keeps the nearest name: types, and so names, may be gone when it is printed. */
static void near_offer(struct bpf_search *c, const struct bpf_program_info *info)
{
	const char *best = suggest_get(&c->near);

	suggest_offer(&c->near, bpf_function_name(c->kernel, info, 0));
	if (suggest_get(&c->near) == best)
		return;
	snprintf(c->nearest, sizeof(c->nearest), "%s", c->near.best);
	c->near.best = c->nearest;
}

static int program_try(void *ctx, const struct bpf_program_info *info, int fd)
{
	struct bpf_search *c = ctx;

	near_offer(c, info);
	if (!bpf_program_matches(c->kernel, c->item->scope ?: c->item->name, info))
		return 0;
	if (is_left_out(c, info)) {
		c->left_out++;
		return 0;
	}
	if (!info->function_count && !c->all)
		return -ENODATA;
	return functions_search(c, info, fd);
}

bool bpf_search_refused(const struct session *s, const struct argdump_request *request)
{
	if (!s->options.attach.btf)
		return false;
	log_error("%s: only the running kernel knows its BPF programs", request->text);
	log_hint("leave out --btf");
	return true;
}

int bpf_search_run(struct bpf_search *c)
{
	int err;

	c->found = c->left_out = 0;
	suggest_init(&c->near, item_program(c->item));
	err = bpf_programs_each(program_try, c);
	return err || c->found ? err : -ENOENT;
}

static int unknown_report(const struct bpf_search *c)
{
	const struct probe_spec_item *item = c->item;

	if (c->left_out)
		log_error(
			"b:%s matches only BPF programs that cannot be traced: they have no types, are "
			"interpreted, or trace themselves",
			item->name);
	else if (!item->scope && !strcmp(item->name, "*"))
		log_error("no BPF program is loaded");
	else
		log_error("this kernel has no BPF program %s%s%s%s",
			  item->is_pattern ? "like " : "", item->scope ?: "",
			  item->scope ? " with a function " : "", item->name);
	if (strcmp(item->name, "*"))
		suggest_hint(&c->near,
			     &(struct suggest_words){ .also = "argdump -l 'b:*' lists all",
						      .otherwise = "argdump -l 'b:*' lists all" });
	return EXIT_USAGE;
}

int bpf_search_report(const struct bpf_search *c, int err)
{
	if (err == -ENOENT)
		return unknown_report(c);
	if (err == -ENODATA) {
		log_error("cannot trace b:%s: the program was loaded without types (BTF)",
			  c->item->scope ?: c->item->name);
		log_hint(
			"build it by clang -g, and load it by libbpf or another loader that passes "
			"its BTF");
		return EXIT_CANNOT;
	}
	if (err == -EPERM) {
		log_error("cannot read the list of BPF programs: that needs CAP_SYS_ADMIN");
		log_hint("run it as root");
		return EXIT_CANNOT;
	}
	return attach_explain(NULL, c->kernel, err);
}
