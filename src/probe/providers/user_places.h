/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_places.h - probes on places inside functions of a file, and on what a function has besides its own code: calls that
 * are inlined, and copies that the compiler made for some of its callers (NAME.constprop.0). Private to providers/.
 */
#ifndef CORETAP_PROBE_PROVIDERS_USER_PLACES_H
#define CORETAP_PROBE_PROVIDERS_USER_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct argdump;
struct argdump_request;
struct probe_ops;
struct probe_spec_item;
struct session;
struct user_source;
struct user_statement;

enum { USER_PLACES_MAX = 256 };

/* Opens the file of `opened` once more, because each probe owns a descriptor. Returns 0 or -errno. */
int user_source_again(struct user_source *u, const struct user_source *opened);

/* Adds a probe for the function at u->offset, whose descriptor it owns then. Returns an exit code. */
int user_function_add(struct session *s, struct argdump *a, const struct argdump_request *request,
		      const struct user_source *u, const struct probe_spec_item *item,
		      const struct probe_ops *kind);

/* Adds a probe for each of these file offsets, which have code of a line. Returns an exit code. */
int user_lines_add(struct session *s, struct argdump *a, const struct argdump_request *request,
		   const struct user_source *opened, const struct user_statement *statement,
		   const struct probe_ops *kind, const uint64_t *offsets, size_t count);

/* Adds a probe for each copy and each inlined call of a function; those that lack what the expressions name are left out with
 * a note. `has_own`: its own code is the last probe that was added. Returns -ENOENT if there are none, else an exit code. */
int user_other_code_add(struct session *s, struct argdump *a, const struct argdump_request *request,
			const struct user_source *opened, const struct probe_spec_item *item,
			const struct probe_ops *kind, bool has_own);
/* True if there are some; only copies have returns. */
bool user_other_code_exists(const struct user_source *u, const char *name, bool returns);

#endif
