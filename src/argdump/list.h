/* SPDX-License-Identifier: GPL-2.0 */
/*
 * list.h - what the files of --list share.
 */
#ifndef CORETAP_ARGDUMP_LIST_H
#define CORETAP_ARGDUMP_LIST_H

#include "argdump/argdump.h"
#include "core/btf_modules.h"

/* A function, and what the kernel's lists say of it. */
struct list_func {
	const char *name;
	const char *module;	    /* NULL: the kernel proper */
	const struct btf_view *btf; /* NULL: it is not in BTF */
	uint32_t id;
	const char *suffixed; /* a copy that the compiler changed: NAME.isra.0 …; NULL: none */
	unsigned bodies;      /* functions of that name */
	bool at_boot;	      /* the last of them is gone after booting */
	bool ftrace, blacklisted;
};

struct list {
	struct list_func *funcs; /* owned, by name */
	size_t count, room;
	size_t sorted; /* so many of them are in order */
	struct btf_modules *modules; /* owned */
	bool types_alone;	     /* --btf: the running kernel's lists say nothing of it */
	int symbols_err, ftrace_err, blacklist_err; /* -errno where a list cannot be read */
	bool has_multi, has_struct_args;	    /* the kernel's programs may */
};

/* The parameters between the parentheses of a function's prototype; `skip` of them are left out. */
void list_params(const struct btf_view *btf, const struct btf_type *proto, unsigned skip,
		 bool json, struct out *o);
/* list_row.c: all functions, and a note that sums them up. */
void list_rows(const struct list *l, bool json, struct out *o);

/* list_format.c: a file below tracefs, wherever that is mounted; NULL with errno set. */
char *list_tracefs_read(const char *path);
/* The fields of an event's format file, but those that the tracer adds. As list_params. */
void list_fields(const char *format, bool json, struct out *o);

/* The functions and typedefs of the kernel's and its modules' BTF that begin with a prefix. */
struct list_name {
	const char *name; /* behind the prefix */
	size_t prefix;	  /* its index */
	const struct btf_view *btf;
	uint32_t id;
};
struct list_names {
	struct list_name *names; /* owned, by name and prefix */
	size_t count, room;
};
/* Returns 0 or -ENOMEM; *n is to be freed by the caller. */
int list_names_find(struct list_names *n, const struct btf_view *kernel, struct btf_modules *modules,
		    const char *const *prefixes, size_t count);
/* The first of that name, or NULL. */
const struct list_name *list_names_get(const struct list_names *n, const char *name, size_t prefix);

/* One kind of PROBE each; they return exit codes. */
int list_functions(struct session *s, const struct argdump_request *request);
int list_tracepoints(struct session *s, const struct argdump_request *request);
int list_syscalls(struct session *s, const struct argdump_request *request);

#endif
