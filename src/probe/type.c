/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * type.c - argdump --type: the layout of a type in the kernel, in a module or in a program, by name.
 *
 *	TYPE := [MODULE ':' | 'u:' FILE ':'] ['struct' | 'union' | 'enum'] NAME { ('.' | '->') MEMBER }
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "probe/type.h"
#include "probe/providers/providers.h"
#include "symbols/kernel/functions.h"
#include "btf/btf_modules.h"
#include "btf/btf_layout.h"
#include "util/log.h"
#include "util/suggest.h"

#define TYPES_MAX 16 /* types of the same name: some names have two or three */

struct look {
	struct session *s;
	struct btf_modules *modules; /* owned; NULL: only the kernel proper is searched */
	const char *text;
	char module[64], name[128]; /* module "": none given; name includes its keyword */
	const char *end, *members;  /* end of the name, and the members after it, in text */
	struct param_type type;	    /* points into name */
	char file[4096];	    /* "": a type of the kernel */
	/* what was found */
	const struct btf_view *btf;
	const char *found_module; /* NULL: the kernel proper */
	uint32_t ids[TYPES_MAX];
	size_t count;
};

/* ---- the text ---- */

static int wrong(const struct look *l, const char *at, const char *what)
{
	log_error("%s", what);
	log_caret(l->text, at - l->text, at - l->text + (*at ? strlen(at) : 1));
	log_hint("for example: --type 'struct file', --type file.f_path, "
		 "--type btrfs:btrfs_inode, --type u:/bin/prog:'struct node'");
	return EXIT_USAGE;
}

/* struct MODULE:NAME */
static int module_late(const struct look *l)
{
	const char *module = strrchr(l->module, ' ');

	log_error("the name of a module comes first");
	log_caret(l->text, 0, strlen(l->module));
	log_hint("--type '%s:%.*s%s'", module + 1, (int)(module + 1 - l->module), l->module,
		 l->text + strlen(l->module) + 1);
	return EXIT_USAGE;
}

static int text_parse(struct look *l)
{
	const char *at = l->text += strspn(l->text, " "), *colon = strchr(at, ':');

	if (!strncmp(at, "u:", 2)) {
		colon = strrchr(at, ':');
		if (colon < at + 3 || colon - at > (int)sizeof(l->file))
			return wrong(l, at, "a type of a program is u:FILE:TYPE");
		snprintf(l->file, sizeof(l->file), "%.*s", (int)(colon - at - 2), at + 2);
	} else if (colon && colon - at < (int)sizeof(l->module))
		snprintf(l->module, sizeof(l->module), "%.*s", (int)(colon - at), at);
	at = colon ? colon + 1 : at;
	if (strchr(l->module, ' '))
		return module_late(l);
	if (colon && !l->module[0] && !l->file[0])
		return wrong(l, l->text, "the name of a module belongs before the colon");
	l->members = at + strcspn(at, ".-");
	l->end = l->members;
	while (l->end > at && l->end[-1] == ' ')
		l->end--;
	snprintf(l->name, sizeof(l->name), "%.*s", (int)(l->end - at), at);
	if (param_type_parse(l->name, &l->type) || l->type.pointers)
		return wrong(l, at, "this is not the name of a type");
	return EXIT_FINE;
}

/* ---- the type ---- */

static bool is_kind(const struct btf_type *t)
{
	switch (btf_kind(t)) {
	case BTF_KIND_INT:
	case BTF_KIND_FLOAT:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_FWD: return true;
	default: return btf_is_composite(t);
	}
}

/* Adds a type, unless it is a forward declaration and a definition exists. */
static void found_add(struct look *l, const struct btf_view *btf, uint32_t id)
{
	bool whole = btf_view_kind(btf, id) != BTF_KIND_FWD;

	if (l->count && !whole)
		return;
	if (l->count && btf_view_kind(l->btf, l->ids[0]) == BTF_KIND_FWD)
		l->count = 0;
	if (l->count < TYPES_MAX)
		l->ids[l->count++] = id;
	l->btf = btf;
}

static void view_visit(struct look *l, const struct btf_view *btf, const char *module)
{
	uint32_t count = btf_view_count(btf);

	for (uint32_t id = btf_view_first(btf); id < count; id++) {
		const struct btf_type *t = btf_view_type(btf, id);

		if (!t || !t->name_off || !is_kind(t) || !param_type_names(btf, t, &l->type))
			continue;
		found_add(l, btf, id);
		l->found_module = module;
	}
}

static bool module_wanted(const struct look *l, const char *name)
{
	return !l->module[0] || !strcmp(l->module, name);
}

static bool is_found(const struct look *l)
{
	return l->count && btf_view_kind(l->btf, l->ids[0]) != BTF_KIND_FWD;
}

static void all_visit(struct look *l)
{
	if (module_wanted(l, "vmlinux"))
		view_visit(l, l->s->btf, NULL);
	for (size_t i = 0; i < btf_modules_count(l->modules) && !is_found(l); i++) {
		const char *name = btf_modules_name(l->modules, i);
		const struct btf_view *btf;

		if (module_wanted(l, name) && !btf_modules_view(l->modules, i, &btf))
			view_visit(l, btf, name);
	}
}

static void names_offer(const struct look *l, const struct btf_view *btf, struct suggestion *near)
{
	struct param_type any = l->type;

	for (uint32_t id = btf_view_first(btf); id < btf_view_count(btf); id++) {
		const struct btf_type *t = btf_view_type(btf, id);

		if (!t || !t->name_off || !is_kind(t))
			continue;
		any.name = btf_view_string(btf, t->name_off);
		any.len = strlen(any.name);
		any.integer = 0;
		if (param_type_names(btf, t, &any))
			suggest_offer(near, any.name);
	}
}

static int module_unknown(const struct look *l)
{
	struct suggestion near;

	suggest_init(&near, l->module);
	for (size_t i = 0; i < btf_modules_count(l->modules); i++)
		suggest_offer(&near, btf_modules_name(l->modules, i));
	log_error("no module %s is loaded, or it has no BTF", l->module);
	log_caret(l->text, 0, strlen(l->module));
	if (l->s->options.attach.btf)
		log_hint("--btf FILE has only the kernel's types");
	else if (suggest_get(&near))
		suggest_hint(&near, NULL);
	else
		log_hint("modprobe %s loads it; " BTF_FOLDER " has those that are", l->module);
	return EXIT_USAGE;
}

static bool module_known(const struct look *l)
{
	for (size_t i = 0; i < btf_modules_count(l->modules); i++)
		if (module_wanted(l, btf_modules_name(l->modules, i)))
			return true;
	return !l->module[0] || !strcmp(l->module, "vmlinux");
}

static void nearest_report(const struct look *l)
{
	char name[sizeof(l->name)];
	struct suggestion near;

	snprintf(name, sizeof(name), "%.*s", (int)l->type.len, l->type.name);
	suggest_init(&near, name);
	for (size_t i = 0; i < btf_modules_count(l->modules); i++) {
		const struct btf_view *btf;

		if (module_wanted(l, btf_modules_name(l->modules, i)) &&
		    !btf_modules_view(l->modules, i, &btf))
			names_offer(l, btf, &near);
	}
	names_offer(l, l->s->btf, &near);
	if (suggest_get(&near))
		suggest_hint(&near, NULL);
	else if (btf_view_func(l->s->btf, name))
		log_hint("it is a function: argdump --list %s", name);
	else
		log_hint("a module's types are known once it is loaded");
}

static int type_unknown(const struct look *l)
{
	log_error("unknown type %s%s", l->name,
		  l->s->options.attach.btf ? " in this BTF" : " in this kernel and its modules");
	log_caret(l->text, l->end - l->text - strlen(l->name), l->end - l->text);
	nearest_report(l);
	return EXIT_USAGE;
}

/* ---- a member of the type ---- */

static bool has_members(const struct btf_view *btf, uint32_t id)
{
	const struct btf_type *t = btf_view_type(btf, id);

	return t && btf_is_composite(t);
}

/* True if a member's type has a layout to show beyond its name. */
static bool has_layout(const struct btf_view *btf, uint32_t id)
{
	const struct btf_type *t = btf_view_type(btf, id);

	return t && t->name_off && btf_kind(t) != BTF_KIND_INT && btf_kind(t) != BTF_KIND_FLOAT;
}

static int member_unknown(const struct look *l, uint32_t id, const char *at, size_t len)
{
	char name[128], type[128];
	struct suggestion near;

	snprintf(name, sizeof(name), "%.*s", (int)len, at);
	suggest_init(&near, name);
	btf_view_member_names(l->btf, id, &near);
	btf_view_declare(l->btf, id, "", type, sizeof(type));
	if (!len)
		log_error("the name of a member is missing");
	else if (!has_members(l->btf, id))
		log_error("%s has no members", type);
	else
		log_error("%s has no member %s", type, name);
	log_caret(l->text, at - l->text, at - l->text + (len ?: 1));
	suggest_hint(&near, NULL);
	return EXIT_USAGE;
}

/* Follows the members in the text from type `id`; prints the last one and its type. */
static int member_print(const struct look *l, uint32_t id)
{
	const char *at = l->members;
	struct btf_found found;
	char name[128];

	while (*at) {
		size_t dash = strncmp(at, "->", 2) ? 0 : 2, len;

		if (!dash && *at != '.')
			return wrong(l, at, "only .MEMBER can follow the name of a type");
		at += dash ?: 1;
		len = strcspn(at, ".- ");
		id = btf_layout_pointee(l->btf, id);
		id = btf_view_strip(l->btf, id);
		if (!btf_view_member(l->btf, id, at, len, &found))
			return member_unknown(l, id, at, len);
		snprintf(name, sizeof(name), "%.*s", (int)len, at);
		id = found.type;
		at += len + strspn(at + len, " ");
	}
	btf_layout_member(l->btf, name, &found, l->s->options.rows.json, &l->s->out);
	id = btf_layout_pointee(l->btf, id);
	if (has_layout(l->btf, id))
		btf_layout_layout(l->btf, id, l->found_module, l->s->options.rows.json, &l->s->out);
	return EXIT_FINE;
}

static int found_print(const struct look *l)
{
	if (*l->members)
		return member_print(l, l->ids[0]);
	for (size_t i = 0; i < l->count; i++)
		btf_layout_layout(l->btf, l->ids[i], l->found_module, l->s->options.rows.json,
				  &l->s->out);
	if (l->count == TYPES_MAX)
		log_note("there may be more types of this name: the first %d are shown", TYPES_MAX);
	return EXIT_FINE;
}

bool type_exists(struct session *s, const char *type)
{
	struct look l = { .s = s, .text = type };

	if (param_type_parse(type, &l.type))
		return true; /* its layout is printed elsewhere */
	if (!s->options.attach.btf)
		btf_modules_open(s->btf, NULL, &l.modules);
	all_visit(&l);
	if (!l.count)
		nearest_report(&l);
	btf_modules_close(l.modules);
	return l.count;
}

static int user_print(struct look *l)
{
	struct user_file f;
	const char *why;
	int code = user_file_open(l->s, l->file, &f);

	if (code)
		return code;
	l->btf = user_type_view(l->s->btf, f.fd, &l->type, &why);
	close(f.fd);
	if (!l->btf) {
		log_error("no %s in %s: %s", l->name, l->file, why);
		log_caret(l->text, l->end - l->text - strlen(l->name), l->end - l->text);
		return EXIT_USAGE;
	}
	view_visit(l, l->btf, l->file);
	return found_print(l);
}

int type_print(struct session *s, const char *text)
{
	struct look l = { .s = s, .text = text };
	int code = text_parse(&l);

	if (code || l.file[0])
		return code ?: user_print(&l);
	if (!s->options.attach.btf)
		btf_modules_open(s->btf, NULL, &l.modules);
	if (!module_known(&l)) {
		code = module_unknown(&l);
	} else {
		all_visit(&l);
		code = l.count ? found_print(&l) : type_unknown(&l);
	}
	btf_modules_close(l.modules);
	return code;
}
