/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usdt_find.c - finds which of a file's USDT probes a PROBE names. Part of usdt.c, and for --list.
 */
#include "probe/providers/providers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/name_parts.h"
#include "util/glob.h"
#include "util/log.h"
#include "util/suggest.h"

/* Returns NULL if the item names no provider. */
static const char *provider_of(const struct probe_spec_item *item)
{
	const char *colon = item->scope ? name_colon(item->scope, strlen(item->scope)) : NULL;

	return colon && colon > item->scope && colon[1] && !strchr(colon, '/') ? colon + 1 : NULL;
}

bool usdt_is_meant(const struct session *s, const struct probe_spec_item *item)
{
	return provider_of(item) && !user_file_exists(s, item->scope);
}

int usdt_open(struct session *s, const struct probe_spec_item *item, struct user_file *file,
	      struct usdt_notes *notes)
{
	int len = provider_of(item) - 1 - item->scope, code, err;
	char *name = strndup(item->scope, len);

	if (!name) {
		log_error("out of memory");
		return EXIT_FAILED;
	}
	code = user_file_open(s, name, file);
	free(name);
	if (code)
		return code;
	err = usdt_read(file->self, notes);
	if (!err)
		return EXIT_FINE;
	code = user_file_unread_report(file, err);
	usdt_free(notes);
	close(file->fd);
	return code;
}

bool usdt_matches(const struct probe_spec_item *item, const struct usdt *u)
{
	return wildcard_matches(provider_of(item), u->provider) &&
	       wildcard_matches(item->name, u->name);
}

int usdt_find(const struct session *s, const struct probe_spec_item *item)
{
	int len = provider_of(item) - 1 - item->scope, err;
	char *name = strndup(item->scope, len);
	struct usdt_notes notes = { 0 };
	struct user_file file = { 0 };
	bool found = false;

	if (!name)
		return -ENOMEM;
	err = user_file_try(s, name, &file);
	free(name);
	if (err)
		return err;
	err = usdt_read(file.self, &notes);
	for (size_t i = 0; !err && i < notes.count && !found; i++)
		found = usdt_matches(item, &notes.list[i]);
	usdt_free(&notes);
	close(file.fd);
	return err ?: found ? 0 : -ENOENT;
}

int usdt_unknown_report(const struct probe_spec_item *item, const struct user_file *file,
			const struct usdt_notes *notes)
{
	struct suggestion near;
	const char *name;

	if (!notes->count) {
		log_error("%s has no USDT probes", file->path);
		log_hint("u:FILE:SYMBOL is one of its functions; some programs have probes only if "
			 "they were built with --enable-dtrace or similar");
		return EXIT_USAGE;
	}
	log_error("%s has no USDT probe %s:%s", file->path, provider_of(item), item->name);
	suggest_init(&near, item->name);
	for (size_t i = 0; i < notes->count; i += usdt_places(notes, i))
		suggest_offer(&near, notes->list[i].name);
	name = suggest_get(&near);
	for (size_t i = 0; name && i < notes->count; i += usdt_places(notes, i))
		if (notes->list[i].name == name)
			log_hint("did you mean %s:%s? argdump -l 'u:FILE:*:*' lists all",
				 notes->list[i].provider, name);
	if (!name)
		log_hint("argdump -l 'u:FILE:*:*' lists all");
	return EXIT_USAGE;
}
