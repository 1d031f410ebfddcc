/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * providers.h - the kinds of probes (struct probe_ops), and what their files share.
 */
#ifndef CORETAP_PROBE_PROVIDERS_PROVIDERS_H
#define CORETAP_PROBE_PROVIDERS_PROVIDERS_H

#include "probe/argdump.h"
#include "probe/providers/user_file.h"
#include "symbols/kernel/functions.h"
#include "symbols/user/usdt.h"
#include "symbols/user/usyms_match.h"
#include "expr/arena.h"

extern const struct probe_ops probe_ops_function, probe_ops_return, probe_ops_call;
extern const struct probe_ops probe_ops_syscall;
extern const struct probe_ops probe_ops_tracepoint;
extern const struct probe_ops probe_ops_sample; /* hz:, every:, hw: and sw: */
extern const struct probe_ops probe_ops_user;
extern const struct probe_ops probe_ops_program; /* bpf_program.c */

/* ---- function.c: one kernel function, or one of its instructions ---- */

/* The `target` function of kinds of probe on one function. */
void function_target(const struct argdump_probe *p, const struct argdump_variant *variant,
		     struct attach_target *t);

/* The variants, `load` and `attach` of a probe on a whole call. */
enum { CALL_VARIANTS = 11 };
extern const struct argdump_variant call_variants[CALL_VARIANTS];
int call_load(struct argdump_probe *p, const struct argdump_variant *variant, char *log,
	      size_t log_size);
int call_attach(struct argdump_probe *p, const struct argdump_variant *variant);

/* ---- multi.c, multi_attach.c: many functions, by a list or patterns ---- */

/* The `resolve` function of PROBE_SPEC_FUNCTION for more than one plain name; `single` is the kind for a function
 * that gets its own probe. */
int multi_resolve(struct session *s, struct argdump *a, struct argdump_request *request,
		  const struct probe_ops *single);

/* How a set of functions is attached. */
struct multi_mode {
	const struct probe_ops *kind;
	/* for functions that `kind` cannot attach to because no BTF id identifies them; NULL if `kind` attaches to
	 * all */
	const struct probe_ops *rest;
	int attach_type; /* for `kind`: fentry.multi etc.; -1: none */
	bool by_kprobe;	 /* many functions, each with its own kprobe */
};
/* True if so few functions are attached one by one: a call costs a fifth to a half of that by a multi link. */
bool multi_is_few(const struct session *s, const struct argdump *a, size_t functions);
struct multi_mode multi_mode_choose(const struct session *s, const struct argdump *a,
				    struct argdump_request *r, const struct expr_target *target,
				    const struct probe_ops *single);
/* Raises the limit of open files for a probe on each of that many functions: programs, links and maps. If it cannot
 * be raised, the kernel refuses later, and that is reported. */
void files_allow(size_t functions);

/* ---- sample.c ---- */

/* Attaches a sampling probe to one more processor. Does nothing for other kinds, and for every:, which samples one
 * processor. Returns 0 or -errno. */
int sample_attach_cpu(struct argdump_probe *p, int cpu);

/* ---- user_source.c: functions of programs and libraries ---- */

/* The functions that match a pattern: u:libc:'m*alloc'. */
struct user_set {
	struct usym_functions found;
	struct function *list; /* owned: name as shown and, as address, the file offset */
	char **symbols;	       /* owned, the texts not: the symbol of each */
	char **names;	       /* owned: names that are no symbols, in any order */
	size_t count, name_count;
};

/* The argdump_probe.source of a probe on a user function. */
struct user_source {
	struct user_file file; /* fd -1: another probe owns the descriptor */
	uint64_t offset;       /* file offset in bytes */
	bool inside;	       /* not at the first instruction of a function */
	bool is_overload;      /* the user named its parameters, too */
	bool in_kernel;	       /* the file is the kernel's own (kernel_place.c) */
	char *symbol;	       /* owned: in_kernel: the function that contains the place */
	struct user_set *set;  /* owned: the functions of a pattern; NULL: one function */
	/* owned: its parameters, whose types are those of argdump_probe.btf; NULL: unknown, because … */
	struct user_params *params;
	const char *unnamed;
};

/* Adds a probe on u->offset, or u->set, which then owns everything in `u`. Returns NULL, with all of `u` freed, if
 * out of memory. */
struct argdump_probe *user_probe_add(struct argdump *a, const struct argdump_request *request,
				     const struct user_source *u, const char *name,
				     const struct probe_ops *kind,
				     const struct expr_target *target);
/* True if an earlier item of the request has a probe at that offset of the file. */
bool user_offset_is_known(const struct argdump *a, const struct argdump_request *request,
			  const struct user_source *u, uint64_t offset);
void user_prepare(struct argdump_probe *p, const struct argdump_variant *variant);
void user_target(const struct argdump_probe *p, const struct argdump_variant *variant,
		 struct attach_target *t);

/* u may be NULL. */
void user_set_free(struct user_set *set);

/* ---- user_symbol.c ---- */

/* True if the place is inside a function. There, no register holds a known parameter; nor can the return be traced, because the
 * kernel replaces the word at the stack pointer, which is the return address only at the first instruction. */
bool user_is_inside(const struct probe_spec_item *item);
/* Sets u->offset. Returns 0; -ENOENT: there is no such function; -EOVERFLOW: the function ends before the place; -ERANGE: the
 * file does; -EILSEQ: no instruction begins there; or an error of usyms_find. */
int user_symbol_find(struct user_source *u, const struct probe_spec_item *item);
/* Finds a function by its name in C++ or Rust. Returns how many have the name, or an error of usyms_match; if it is one,
 * *symbol is its symbol, which the caller frees. */
ssize_t user_symbol_named(const char *path, const char *name, bool at_return, char **symbol);
/* Reports such an error. Returns the exit code. */
int user_symbol_report(const struct probe_spec_item *item, const struct user_source *u, int err);

/* Reports a return of a place inside a function. Returns the exit code. */
int user_inside_report(const struct argdump_request *request);
/* Reports a return of a function that is inlined into `count` places. Returns the exit code. */
int user_inlined_report(const struct argdump_request *request, const char *name, size_t count);

/* The function that contains a place of a file. */
struct user_around {
	uint64_t place, start; /* file offsets */
	bool found;
	char name[256];
};

/* Returns false if no symbol contains u->offset. */
bool user_around_find(const struct user_source *u, struct user_around *a);

/* ---- user_names.c ---- */

/* True if an expression has a name, as of a parameter or type. */
bool user_names_wanted(const struct argdump_request *r);
/* False if no expression of the request can use types: debug information is large. */
bool user_types_wanted(const struct argdump *a, const struct argdump_request *r);

/* ---- user_types.c ---- */

/* Adds the types of the function's parameters, and where they are, if the file's debug information has them. Without
 * `has_expressions`, another language finds the parameters by the prototype. */
void user_types_add(struct session *s, struct argdump_probe *p, const char *symbol,
		    bool has_expressions);

/* The same of the variables in scope at a place inside of the function that begins at file offset `start`. `inlined`:
 * those of a function that is inlined there; NULL: the innermost. `line`: of the source; 0: unknown. */
void user_variables_add(struct session *s, struct argdump_probe *p, const char *symbol,
			uint64_t start, const char *inlined, unsigned line);
/* Finds the line of the source on which a function is declared, and its code in the file. Returns 0; -ENOENT; -ENODATA if there
 * is no debug information; or another error of reading. */
int user_function_line(int fd, const char *name, uint64_t *offset, uint64_t *size, unsigned *line);
/* Finds where calls of a function are inlined, as the debug information of a file tells: file offsets of their first
 * instructions, at most `most`. Returns how many there are; 0 also if there is no debug information. */
size_t user_inlined_find(int fd, const char *name, uint64_t *offsets, size_t most);

/* True if the debug information says of the function at that offset of the file that calls of it are inlined as well. (Of an
 * inline function of C++, the unit that has its code may have none.) */
bool user_is_inlined(int fd, uint64_t offset, const char *symbol);

/* Returns the prototype of a function at that offset of a file, in *types, which last until exit; NULL if its debug
 * information does not tell, or the compiler changed this copy. */
const struct btf_type *user_prototype(const struct btf_view *kernel, int fd, uint64_t offset,
				      const char *symbol, const struct btf_view **types);

/* Returns the types of the first part of a file that defines the type; they last until exit. NULL: *why tells why not. */
const struct btf_view *user_type_view(const struct btf_view *kernel, int fd,
				      const struct param_type *type, const char **why);

/* ---- user_params.c ---- */

struct btf_view;
struct dwarf_param;
struct dwarf_types;

/* The parameters of a user function, followed by the registers of its arguments. */
struct user_params {
	struct expr_param *list; /* owned */
	size_t count, named;	 /* in all; those with names */
	bool result_pointed;	 /* the function returns the address of its result */
	bool has_texts;		 /* expr_site.has_texts */
	struct arena texts;	 /* owned: what the list points to */
};

/* What the calling convention of a function depends on. */
struct user_call {
	const struct btf_view *btf;
	enum arch_id arch;
	uint64_t address;    /* of the probe, as the file counts addresses */
	bool is_hidden;	     /* its first argument is the address for its result */
	const char *unknown; /* why no convention tells where its parameters are; NULL: one does */
	bool is_rust;	     /* its convention has structs of more than two words at an address */
	bool is_gnu;	     /* GCC made it */
	bool is_static;	     /* the compiler may have removed parameters that it does not use */
	bool is_inside;	     /* not at its first instruction: no convention applies */
	bool in_kernel;	     /* memory is the kernel's */
};

/* Returns 0 or -ENOMEM. */
int user_params_build(const struct user_call *call, const struct dwarf_types *types,
		      const struct dwarf_param *from, size_t count, struct user_params **out);
void user_params_free(struct user_params *p);

/* ---- kernel_place.c: lines of the kernel's source, and functions that are inlined ---- */

/* Adds the probes, of that kind, of an item that is a line (probe_spec_is_line). Returns an exit code after printing any error. */
int kernel_line_resolve(struct session *s, struct argdump *a, struct argdump_request *request,
			const struct probe_spec_item *item, const struct probe_ops *kind);
/* Adds probes where a function that has no code of its own is inlined. Returns -ENOENT, with nothing printed, if no debug
 * information tells of one; else an exit code. */
int kernel_inlined_resolve(struct session *s, struct argdump *a, struct argdump_request *request,
			   const struct probe_spec_item *item, const struct probe_ops *kind);
/* Notes in how many places a function that is traced in its own code is inlined as well, if the user named the kernel's file. */
void kernel_inlined_note(const struct session *s, const struct argdump *a, const char *name);

/* ---- user_set.c ---- */

/* Adds the probes of a pattern; `single` is the kind for a function that gets its own probe. Returns an exit code
 * after printing any error. */
int user_set_resolve(struct session *s, struct argdump *a, struct argdump_request *request,
		     const struct probe_spec_item *item, const struct probe_ops *single);

/* ---- user_each.c ---- */

/* True if the expressions have names that only types explain: registers alone do not suffice. */
bool user_each_needs_types(struct session *s, struct argdump *a,
			   const struct argdump_request *request, const struct user_source *u,
			   const struct probe_ops *single, const struct expr_target *target);
/* Adds a probe for each function of u->set, which it frees. `typed`: with the types of each; those that do not fit the
 * expressions are left out, and reported. Returns 0 or -errno; -EINVAL was reported: none fits. */
int user_each_add(struct session *s, struct argdump *a, const struct argdump_request *request,
		  struct user_source *u, const struct probe_ops *kind,
		  const struct expr_target *target, bool typed);

/* ---- usdt.c, usdt_find.c: probes that programs define themselves, u:FILE:PROVIDER:NAME ---- */

/* True if the colon before the name separates a provider from its file; a path may contain colons. */
bool usdt_is_meant(const struct session *s, const struct probe_spec_item *item);
/* Adds the probes that the item names. Returns an exit code after printing any error. */
int usdt_resolve(struct session *s, struct argdump *a, struct argdump_request *request,
		 const struct probe_spec_item *item);

/* Opens the item's file, and reads its notes. Returns an exit code; after EXIT_FINE the caller closes file->fd and
 * frees *notes. */
int usdt_open(struct session *s, const struct probe_spec_item *item, struct user_file *file,
	      struct usdt_notes *notes);
/* Returns 0 if the file has a probe that the item names, else -errno. */
int usdt_find(const struct session *s, const struct probe_spec_item *item);
/* True if the item names that probe. */
bool usdt_matches(const struct probe_spec_item *item, const struct usdt *u);
/* Reports that the file has no probe like the item. Returns the exit code. */
int usdt_unknown_report(const struct probe_spec_item *item, const struct user_file *file,
			const struct usdt_notes *notes);

#endif
