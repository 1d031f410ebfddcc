/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list.h - shared by the files of --list.
 */
#ifndef CORETAP_ARGDUMP_INSPECT_LIST_H
#define CORETAP_ARGDUMP_INSPECT_LIST_H

#include "argdump/argdump.h"
#include "btf/btf_modules.h"

/* A function, and what the kernel's lists say of it. */
struct list_func {
	const char *name;
	const char *module;	    /* NULL: the kernel proper */
	const struct btf_view *btf; /* NULL: not in BTF */
	uint32_t id;
	const char *suffixed; /* a copy that the compiler changed: NAME.isra.0 …; NULL: none */
	unsigned bodies;      /* functions of that name */
	/* it is discarded after boot (if there are several: the last of them) */
	bool at_boot;
	bool ftrace, blacklisted;
};

struct list {
	struct list_func *funcs; /* owned, by name */
	size_t count, room;
	size_t sorted;		     /* the first `sorted` functions are in order */
	struct btf_modules *modules; /* owned */
	bool types_alone;	     /* --btf: do not ask the running kernel's lists */
	int symbols_err, ftrace_err, blacklist_err; /* -errno if a list cannot be read */
	bool has_multi, has_struct_args;	    /* this kernel supports them */
};

/* ---- rows (list_params.c) ---- */

enum { LIST_DECLARED_MAX = 640 }; /* bytes */

/* The ways to attach. NULL in JSON where they are unknown. */
enum { LIST_FENTRY = 1, LIST_MULTI = 2, LIST_KPROBE = 4, LIST_TP_BTF = 8, LIST_TRACEPOINT = 16 };
#define LIST_UNKNOWN UINT32_MAX

/* Where the parameters are known from. Neither is set: they are unknown. */
struct list_params {
	const struct btf_view *btf;
	const struct btf_type *proto; /* leaves out the first `skip` */
	unsigned skip;
	char *format; /* or a format file of tracefs */
};
static inline bool list_params_known(const struct list_params *p)
{
	return p->format || p->proto;
}
/* (int a, char *b); (?) */
void list_params_put(struct buf *o, const struct list_params *p);

/* The JSON form of one row; NULL: not there. */
struct list_row {
	const char *group, *name, *module, *returns, *why;
	uint32_t attach;
	struct list_params params;
	const void *text; /* for the text form only */
};
/* The fields of each kind of row, ended by name == NULL; the schema of such rows, with their text
 * form. */
extern const struct field list_function_fields[], list_tracepoint_fields[], list_syscall_fields[];
struct schema list_schema(const struct field *fields,
			  void (*text)(struct buf *o, const void *record));

/* The parameters of a function's prototype, without parentheses and without the first `skip`. */
void list_params(const struct btf_view *btf, const struct btf_type *proto, unsigned skip, bool json,
		 struct buf *o);
/* list_row.c: prints all functions, and a note that sums them up. */
void list_rows(const struct list *l, bool json, struct buf *o);

/* list_format.c: reads a file in tracefs, wherever it is mounted. NULL with errno set on error. */
char *list_tracefs_read(const char *path);
/* Prints what is missing and why, if tracefs is mounted but cannot be read. */
void list_tracefs_tell(const char *lack);
/* The fields of an event's format file, without those that the tracer adds. Otherwise as
 * list_params. */
void list_fields(const char *format, bool json, struct buf *o);

/* The functions and typedefs with a given prefix, in the BTF of the kernel and its modules. */
struct list_name {
	const char *name; /* after the prefix */
	size_t prefix;	  /* index of the prefix */
	const struct btf_view *btf;
	uint32_t id;
};
struct list_names {
	struct list_name *names; /* owned; sorted by name, then prefix */
	size_t count, room;
};
/* Returns 0 or -ENOMEM; the caller frees *n. */
int list_names_find(struct list_names *n, const struct btf_view *kernel,
		    struct btf_modules *modules, const char *const *prefixes, size_t count);
/* The first of that name, or NULL. */
const struct list_name *list_names_get(const struct list_names *n, const char *name, size_t prefix);

/* One function for each kind of PROBE. They return exit codes. */
int list_functions(struct session *s, const struct argdump_request *request);
int list_tracepoints(struct session *s, const struct argdump_request *request);
int list_syscalls(struct session *s, const struct argdump_request *request);

#endif
