/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kernel_place.c - places inside the kernel's functions that only its debug information knows: lines of source, and calls
 * of functions that the compiler inlined; with the variables that are in scope there.
 *
 * The place is found in the vmlinux file, by the readers of programs' debug information, and probed as FUNCTION+OFFSET: the
 * address at which the kernel runs does not matter.
 */
#include "probe/providers/providers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attach/attach_error.h"
#include "probe/providers/user_statement.h"
#include "symbols/suffix.h"
#include "symbols/user/vmlinux.h"
#include "symbols/user/elf_file.h"
#include "symbols/user/usyms.h"
#include "kernel/config.h"
#include "util/errname.h"
#include "util/log.h"

enum { PLACES_MAX = 1024 };

/* ---- the kernel's file ---- */

/* `given`: the user named the file. */
static int file_report(const char *path, bool given, int err)
{
	if (err == -ESTALE) {
		log_error("cannot use %s: it is not of the running kernel's build", path);
		log_hint(
			"install the debug information of this kernel, or name it: --vmlinux FILE");
	} else if (err == -ENOENT && !given) {
		log_error("the kernel's debug information is not installed");
		log_hint("lines and inlined functions need it: " KERNEL_DEBUG_PACKAGES
			 ", or --vmlinux FILE");
	} else {
		log_error("cannot read %s: %s", path, errtext(-err));
	}
	return EXIT_CANNOT;
}

/* Returns 0, or an error of vmlinux_open. Fills in all of *file, also after an error. */
static int file_open(const struct session *s, const struct argdump *a, struct user_file *file)
{
	const struct options *o = &s->options;

	*file = (struct user_file){ .fd = -1 };
	if (o->attach.btf && !a->files.vmlinux) /* another kernel's */
		return -ENOENT;
	file->fd = vmlinux_open(a->files.vmlinux, o->attach.btf, file->path, sizeof(file->path));
	snprintf(file->self, sizeof(file->self), "/proc/self/fd/%d", file->fd);
	return file->fd < 0 ? file->fd : 0;
}

/* ---- probes ---- */

/* The places of an item. */
struct places {
	const struct argdump_request *request;
	const struct probe_ops *kind;
	const char *name;    /* for messages and records */
	const char *inlined; /* the function that begins there; NULL: a line */
	unsigned line;
	uint64_t offsets[PLACES_MAX]; /* in the file */
	size_t count;
	/* what the compiler left of the inlined function: NAME.isra.0; "": nothing */
	char copy[128];
	/* of each, the function that contains it */
	struct around {
		char *symbol; /* owned; NULL: none found */
		uint64_t start;
	} around[PLACES_MAX];
};

static bool symbol_visit(void *ctx, const struct usym *s)
{
	struct places *l = ctx;
	enum symbol_suffix suffix = l->inlined ? symbol_suffix_of(s->name, l->inlined) :
						 SUFFIX_NONE;

	if (suffix != SUFFIX_NONE && suffix != SUFFIX_COLD)
		snprintf(l->copy, sizeof(l->copy), "%s", s->name);
	for (size_t i = 0; i < l->count; i++) {
		struct around *a = &l->around[i];

		if (l->offsets[i] - s->offset >= s->size || a->symbol)
			continue;
		a->symbol = strdup(s->name);
		a->start = s->offset;
	}
	return false;
}

static int place_add(struct session *s, struct argdump *a, struct user_file *file,
		     const struct places *l, size_t i)
{
	struct user_source u = {
		.file = *file, .offset = l->offsets[i], .inside = true, .in_kernel = true
	};
	struct expr_target target;
	struct argdump_probe *p;
	uint32_t none;

	u.file.fd = fcntl(file->fd, F_DUPFD_CLOEXEC, 0);
	if (u.file.fd < 0)
		return -errno;
	if (expr_target_detect(s->btf, "", &target, &none)) {
		close(u.file.fd);
		return -EBADMSG;
	}
	u.symbol = strdup(l->around[i].symbol);
	p = u.symbol ? user_probe_add(a, l->request, &u, l->name, l->kind, &target) : NULL;
	if (!p)
		return -ENOMEM;
	p->symbol.name = u.symbol;
	p->symbol.offset = l->offsets[i] - l->around[i].start;
	log_debug(1, "%s: %s+0x%llx", l->name, u.symbol, (unsigned long long)p->symbol.offset);
	if (user_types_wanted(a, l->request))
		user_variables_add(s, p, u.symbol, l->around[i].start, l->inlined, l->line);
	return 0;
}

/* Adds a probe for each place; closes the file. Returns an exit code. */
static int places_add(struct session *s, struct argdump *a, struct user_file *file,
		      struct places *l)
{
	size_t added = 0;
	int err = usyms_each(file->self, symbol_visit, l);

	for (size_t i = 0; i < l->count; i++) {
		if (l->around[i].symbol && !err) {
			err = place_add(s, a, file, l, i);
			added++;
		}
		free(l->around[i].symbol);
	}
	close(file->fd);
	if (err)
		return attach_explain(l->name, s->btf, err);
	if (*l->copy)
		log_note("other calls of %s are of %s, and are not seen", l->name, l->copy);
	if (added)
		return EXIT_FINE;
	log_error("cannot trace %s: its code is in no function", l->name);
	return EXIT_CANNOT;
}

/* ---- lines ---- */

int kernel_line_resolve(struct session *s, struct argdump *a, struct argdump_request *request,
			const struct probe_spec_item *item, const struct probe_ops *kind)
{
	struct user_statement statement = { .line = (unsigned)strtoul(item->name, NULL, 10) };
	struct user_file file;
	struct places *l;
	ssize_t count;
	int err;

	if (request->both || request->spec.is_return)
		return user_inside_report(request);
	err = file_open(s, a, &file);
	if (err)
		return file_report(file.path, a->files.vmlinux, err);
	snprintf(statement.source, sizeof(statement.source), "%s", item->scope);
	l = calloc(1, sizeof(*l));
	count = l ? user_statement_places(file.fd, &statement, l->offsets, PLACES_MAX) : -ENOMEM;
	if (count < 0) {
		int code = user_statement_report(&file, &statement, (int)count);

		close(file.fd);
		free(l);
		return code;
	}
	l->request = request;
	l->kind = kind;
	l->name = request->text;
	l->line = statement.line;
	l->count = (size_t)count;
	if (count > 1)
		log_note("%s is in %zd functions", request->text, count);
	err = places_add(s, a, &file, l);
	free(l);
	return err;
}

/* ---- inlined functions ---- */

int kernel_inlined_resolve(struct session *s, struct argdump *a, struct argdump_request *request,
			   const struct probe_spec_item *item, const struct probe_ops *kind)
{
	struct places *l = calloc(1, sizeof(*l));
	struct user_file file;
	int code;

	if (!l || file_open(s, a, &file)) {
		free(l);
		return -ENOENT;
	}
	l->request = request;
	l->kind = kind;
	l->name = l->inlined = item->name;
	l->count = user_inlined_find(file.fd, item->name, l->offsets, PLACES_MAX);
	if (!l->count) {
		close(file.fd);
		free(l);
		return -ENOENT;
	}
	if (request->both || request->spec.is_return) {
		code = user_inlined_report(request, item->name, l->count);
		close(file.fd);
		free(l);
		return code;
	}
	log_note("%s is inlined into its callers: traced in %s%zu place%s", item->name,
		 l->count == PLACES_MAX ? "the first " : "", l->count, l->count == 1 ? "" : "s");
	code = places_add(s, a, &file, l);
	free(l);
	return code;
}

void kernel_inlined_note(const struct session *s, const struct argdump *a, const char *name)
{
	uint64_t offsets[PLACES_MAX];
	struct user_file file;
	size_t count;

	if (!a->files.vmlinux || file_open(s, a, &file))
		return;
	count = user_inlined_find(file.fd, name, offsets, PLACES_MAX);
	close(file.fd);
	if (!count)
		return;
	log_note("calls of %s are not seen where it is inlined, in %s%zu place%s", name,
		 count == PLACES_MAX ? "at least " : "", count, count == 1 ? "" : "s");
	log_hint("a line of its source is traced there, too: SOURCE.c:LINE");
}
