/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * method.h - the attach methods: a table with everything about each (methods.def), and one function that links. This
 * file does not know what is traced or which method is preferable.
 */
#ifndef CORETAP_ATTACH_METHOD_H
#define CORETAP_ATTACH_METHOD_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct attach_kernel;
struct attach_sample;
struct btf_view;
struct function;

enum attach_method_id {
	ATTACH_ANY, /* none, or any that works */
#define METHOD(id, ...) ATTACH_##id,
#include "attach/methods.def"
	ATTACH_END, /* ends a list */
};

enum attach_trait {
	ATTACH_TYPED = 1 << 0,	 /* the program gets typed arguments, also at returns */
	ATTACH_BY_ID = 1 << 1,	 /* the target is passed at load, by its BTF id */
	ATTACH_SESSION = 1 << 2, /* one program sees both entry and return of a call */
	ATTACH_FPROBE = 1 << 3,	 /* needs a kernel with fprobes */
	/* while one task's program is preempted, other tasks on its CPU do not run it (preempt.h) */
	ATTACH_MISSES_PREEMPTED = 1 << 4,
	/* calls in flight use a pool that may be exhausted; from 6.14 on, those of fprobes do not (methods.def) */
	ATTACH_MISSES_RETURNS = 1 << 5,
	/* all of it uses ftrace: while that is switched off, programs attach but never run */
	ATTACH_NEEDS_FTRACE = 1 << 6,
	ATTACH_MAY_NEED_FTRACE = 1 << 7, /* some targets use ftrace (switches.def) */
	ATTACH_NEEDS_KPROBES = 1 << 8,	 /* the same if all kprobes are switched off */
};

struct attach_target;

struct attach_method {
	/* for the entry, for the return; used by --attach, -v, doctor */
	const char *name, *return_name;
	const char *pair_name; /* for whole calls; NULL: not possible */
	/* Also used if the user chooses that method by --attach. */
	enum attach_method_id asked_as;
	enum bpf_prog_type prog_type;
	struct {
		const char *enumerator; /* an enumerator of bpf_attach_type; NULL: none */
		/* 0: look it up in the kernel's types (attach_type_find) */
		int number;
	} types[2]; /* for the entry, for the return */
	unsigned traits;
	int (*link)(const struct attach_target *t, int type, int prog_fd);
	/* True if it works for the entry of a function; else sets `why` (method_can.h). NULL: --list does not show
	 * the method, because it works wherever another one does. */
	bool (*can)(const struct attach_kernel *k, const struct function *f, char *why);
	/* what needs it at the entry and at the return, for doctor; NULL: doctor does not try it */
	const char *needed_for[2];
};
extern const struct attach_method attach_methods[ATTACH_END];
extern const char *const attach_method_choices[]; /* the choices for --attach */
const char *attach_method_name(enum attach_method_id method, bool is_return);
bool attach_has(enum attach_method_id method, enum attach_trait trait);

/* Several functions attached by one link. */
struct attach_multi {
	size_t count;
	const char *const *names;  /* for fprobes if addresses is NULL */
	const uint64_t *addresses; /* for fprobes; for uprobes, offsets in the file */
	const uint32_t *ids;	   /* for trampolines: BTF ids */
	const uint64_t *cookies;   /* what bpf_get_attach_cookie returns for each; NULL: 0 */
	bool asks; /* names become addresses first, by a table that the kernel keeps sorted since 6.2 */
};

/* What a program is attached to; each method uses the members it needs. */
struct attach_target {
	const char *function, *module; /* module NULL: the kernel proper, or unknown */
	uint64_t address;	       /* used if the name is not enough; 0: unknown */
	/* from the function's first byte; for uprobes, the offset in file `path` */
	uint64_t offset;
	uint32_t
		btf_id; /* of the function or tracepoint, in the types of its module or BPF program */
	int program_fd;		/* the BPF program whose function it is; 0: the kernel's */
	const char *path;	/* for uprobes */
	uint64_t semaphore;	/* file offset of the counter of tracers, or 0 */
	int event;		/* an event's number in tracefs; 0: use event_name */
	const char *event_name; /* "GROUP/NAME" */
	const struct attach_sample *sample; /* what is sampled */
	int cpu;			    /* the processor to sample */
	int thread;			    /* the thread to sample; 0: all */
	const struct attach_multi *multi;   /* used instead of the single function */
	bool is_return;
	int type; /* this kernel's attach type, if the method's row has no number */
};

/* True if this kernel can attach with that method to a function for which function_why_not has no reason. Else sets
 * `why` (FUNCTION_WHY bytes) to the reason, or to "" if it is not the function's fault. False for methods that are
 * not for functions. */
bool attach_can(enum attach_method_id method, const struct attach_kernel *k,
		const struct function *f, char *why);
/* Returns the number of the method's attach type in the kernel's types, or -1 if this kernel lacks it. */
int attach_type_find(enum attach_method_id method, bool is_return, const struct btf_view *btf);
/* How to load a program for a target. Returns 0, or -EOPNOTSUPP if the target lacks something. */
struct prog_type {
	int prog, attach; /* enum bpf_prog_type and enum bpf_attach_type */
	uint32_t btf_id;  /* attach_btf_id; 0: none */
	/* of what btf_id belongs to: a module's types, or a BPF program; both 0: the kernel proper */
	int btf_fd, program_fd;
};
int attach_prog_type(enum attach_method_id method, const struct attach_target *t,
		     struct prog_type *type);
/* Attaches a loaded program. Returns the link's fd, whose closing detaches; or -errno; -ERR_SWITCHED_OFF: the program
 * would never run (method_can.h). */
int attach_link(enum attach_method_id method, const struct attach_target *t, int prog_fd);
/* From now on, attach_link attaches nothing and returns a dummy fd (--load-only). */
void attach_nothing(void);
/* Attaches in spite of attach_nothing: for trials on which the choice of a program depends. */
int attach_link_real(enum attach_method_id method, const struct attach_target *t, int prog_fd);

/* True if this process may not attach uprobes with its effective capabilities. */
bool attach_uprobe_refused(void);

#endif
