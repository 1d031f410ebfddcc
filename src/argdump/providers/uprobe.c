/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * uprobe.c - probes on functions of programs and libraries: u:PATH:SYMBOL, u:PATH:0xOFFSET.
 *
 * Their types are unknown: $arg1 … $arg6 are the registers that pass the first arguments. With -r both
 * ends of a call: emit_inflight.c has by what a call is known again.
 */
#include "argdump/providers/uprobe.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "argdump/providers/call.h"
#include "attach/attach_error.h"
#include "util/log.h"
#include "symbols/elf_file.h"
#include "symbols/usyms.h"
#include "util/suggest.h"

struct user_source {
	char path[4096];
	uint64_t offset; /* bytes in the file … */
	uint64_t size;	 /* … of so many */
	int pid;
	int fd;	       /* of that file: the owner of the path could replace it */
	char self[32]; /* the path through which it is opened: /proc/self/fd/N */
	bool is_32;    /* a 32-bit program's */
};

static const char *const folders[] = {
	"/lib/" ARCH_LIBRARIES,
	"/usr/lib/" ARCH_LIBRARIES,
	"/lib64",
	"/usr/lib64",
	"/lib",
	"/usr/lib",
	"/usr/local/lib",
};
static const char *const programs[] = { "/usr/bin", "/bin", "/usr/sbin", "/sbin",
					"/usr/local/bin" };

/* ---- the file ---- */

/* libc, libc.so, libc.so.6: is `name` the library at the end of the path? */
static bool is_library(const char *path, const char *name)
{
	const char *base = strrchr(path, '/');
	size_t len = strlen(name);

	base = base ? base + 1 : path;
	return !strncmp(base, name, len) &&
	       (!base[len] || !strncmp(base + len, ".so", 3) || base[len] == '-');
}

/* A file that the process has mapped, seen through the process's own root. */
static bool find_in_process(struct user_source *u, const char *name)
{
	char maps[64], line[4200], path[4096];
	bool found = false;
	FILE *f;

	snprintf(maps, sizeof(maps), "/proc/%d/maps", u->pid);
	f = u->pid ? fopen(maps, "re") : NULL;
	while (f && !found && fgets(line, sizeof(line), f))
		if (sscanf(line, "%*s %*s %*s %*s %*s %4095[^\n]", path) == 1 && *path == '/' &&
		    is_library(path, name))
			found = snprintf(u->path, sizeof(u->path), "/proc/%d/root%s", u->pid,
					 path) < (int)sizeof(u->path);
	if (f)
		fclose(f);
	return found;
}

static bool find_in(struct user_source *u, const char *folder, const char *name, const char *suffix)
{
	snprintf(u->path, sizeof(u->path), "%s/%s%s", folder, name, suffix);
	return !access(u->path, R_OK);
}

/* u:libc:getaddrinfo, u:bash:readline: searches where the loader and the shell would. */
static bool find_by_name(struct user_source *u, const char *name)
{
	static const char *const suffixes[] = { ".so.6", ".so.3", ".so.2", ".so.1",
						".so.0", ".so",	  "" };

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		for (size_t j = 0; j < sizeof(suffixes) / sizeof(suffixes[0]); j++)
			if (find_in(u, folders[i], name, suffixes[j]))
				return true;
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		if (find_in(u, programs[i], name, ""))
			return true;
	return false;
}

static int file_find(struct user_source *u, const char *file)
{
	if (strchr(file, '/')) {
		snprintf(u->path, sizeof(u->path), "%s", file);
		if (u->pid && *file == '/')
			snprintf(u->path, sizeof(u->path), "/proc/%d/root%s", u->pid, file);
		return access(u->path, R_OK) ? -errno : 0;
	}
	return find_in_process(u, file) || find_by_name(u, file) ? 0 : -ENOENT;
}

static int file_open(struct user_source *u)
{
	unsigned char ident[EI_CLASS + 1] = { 0 };
	struct stat st;

	u->fd = regular_open_found(regular_find(u->path, &st));
	if (u->fd < 0)
		return u->fd;
	u->size = st.st_size;
	snprintf(u->self, sizeof(u->self), "/proc/self/fd/%d", u->fd);
	u->is_32 = pread(u->fd, ident, sizeof(ident), 0) == sizeof(ident) &&
		   ident[EI_CLASS] == ELFCLASS32;
	return 0;
}

static void user_free(void *source)
{
	struct user_source *u = source;

	close(u->fd);
	free(u);
}

/* ---- the function ---- */

static const struct probe_ops probe_ops_user_call;

static int symbol_find(struct user_source *u, const struct probe_spec_item *item)
{
	int err = 0;

	u->offset = 0;
	if (*item->name)
		err = usyms_find(u->self, item->name, &u->offset);
	u->offset += item->has_offset ? item->offset : 0;
	return err ?: u->offset < u->size ? 0 : -ERANGE;
}

/* The nearest name of a file's symbols, which are gone once all were visited. */
struct near_symbol {
	struct suggestion near;
	char best[128];
};

static bool symbol_offer(void *ctx, const struct usym *symbol)
{
	struct near_symbol *n = ctx;
	char name[sizeof(n->best)];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(symbol->name, "@"), symbol->name);
	suggest_offer(&n->near, name);
	if (n->near.best == name)
		n->near.best = strcpy(n->best, name);
	return false;
}

static void symbol_unknown_tell(const struct user_source *u, const char *name)
{
	struct near_symbol n;

	suggest_init(&n.near, name);
	usyms_each(u->self, symbol_offer, &n);
	log_error("%s has no function %s", u->path, name);
	if (suggest_get(&n.near))
		log_hint("did you mean %s?", suggest_get(&n.near));
	else
		log_hint("a stripped file has only what it exports; nm -D lists that. "
			 "u:FILE:0xOFFSET names any place");
}

static int unknown_tell(const struct probe_spec_item *item, const struct user_source *u, int err,
			bool file)
{
	if (file) {
		log_error("cannot find '%s': %s", item->scope, strerror(-err));
		log_hint(
			"a path, or the name of a library as libc; with -p PID as that process sees it");
	} else if (err == -ENOENT) {
		symbol_unknown_tell(u, item->name);
	} else if (err == -ERANGE) {
		log_error("cannot probe %s: it ends before offset 0x%llx", u->path,
			  (unsigned long long)u->offset);
	} else {
		log_error("cannot probe %s: %s", u->path, elf_strerror(err));
		if (err == -EFBIG)
			log_hint("u:FILE:0xOFFSET needs no symbols");
	}
	return EXIT_USAGE;
}

static int function_add(struct session *s, struct argdump *a, const struct argdump_request *request,
			const struct user_source *u, const struct probe_spec_item *item)
{
	struct user_source *copy = malloc(sizeof(*copy));
	struct argdump_probe *p;
	uint32_t none;
	char name[sizeof(u->path) + 256];
	int len = snprintf(name, sizeof(name), "%s:%s", u->path, item->name);

	if (item->has_offset)
		snprintf(name + len, sizeof(name) - len, "%s0x%llx", *item->name ? "+" : "",
			 (unsigned long long)item->offset);
	p = copy ? argdump_probe_add(a, request, name) : NULL;
	if (!p) {
		close(u->fd);
		free(copy);
		return attach_explain(NULL, s->btf, -ENOMEM);
	}
	*copy = *u;
	p->source = copy;
	p->source_free = user_free;
	if (a->both)
		p->kind = &probe_ops_user_call;
	return expr_target_detect(s->btf, "", &p->target, &none) ?
		       attach_explain(NULL, s->btf, -EBADMSG) :
		       EXIT_FINE;
}

/* The file as process `i` of -p sees it; as we see it, if there is no such process or its number is
 * not known in our /proc. */
static int file_of(const struct session *s, uint32_t i, struct user_source *u, const char *file,
		   struct stat *st)
{
	int err;

	u->pid = i < s->options.pids.count && !s->proc_is_other ? s->options.pids.ids[i] : 0;
	err = file_find(u, file);
	return err ?: stat(u->path, st) ? -errno : 0;
}

static int differ_tell(const struct session *s, uint32_t i, const char *file)
{
	log_error("'%s' is not the same file for processes %u and %u", file, s->options.pids.ids[0],
		  s->options.pids.ids[i]);
	log_hint("trace them one by one: -p %u, -p %u", s->options.pids.ids[0],
		 s->options.pids.ids[i]);
	return EXIT_USAGE;
}

static int item_resolve(struct session *s, struct argdump *a, struct argdump_request *request,
			const struct probe_spec_item *item)
{
	struct user_source u = { 0 };
	struct stat first, st;
	int err = file_of(s, 0, &u, item->scope, &first);

	if (err)
		return unknown_tell(item, &u, err, true);
	if (s->proc_is_other && s->options.pids.count)
		log_note("'%s' is the file that coretap sees: /proc does not show the PIDs of -p",
			 item->scope);
	for (uint32_t i = 1; i < s->options.pids.count; i++) {
		err = file_of(s, i, &u, item->scope, &st);
		if (err)
			return unknown_tell(item, &u, err, true);
		if (st.st_dev != first.st_dev || st.st_ino != first.st_ino)
			return differ_tell(s, i, item->scope);
	}
	err = file_open(&u);
	if (err)
		return unknown_tell(item, &u, err, false);
	err = symbol_find(&u, item);
	if (err) {
		err = unknown_tell(item, &u, err, false);
		close(u.fd);
		return err;
	}
	log_debug(1, "%s in %s: offset 0x%llx", item->name, u.path, (unsigned long long)u.offset);
	return function_add(s, a, request, &u, item);
}

/* The kernel replaces what the stack pointer points to, which only at the beginning of a function is
 * the return address. */
static bool is_inside(const struct probe_spec_item *item)
{
	return *item->name && item->has_offset && item->offset;
}

static int user_resolve(struct session *s, struct argdump *a, struct argdump_request *request)
{
	int code = EXIT_FINE;

	for (size_t i = 0; i < request->spec.count && !code; i++) {
		const struct probe_spec_item *item = &request->spec.items[i];

		if ((a->both || request->spec.is_return) && is_inside(item)) {
			log_error("cannot trace %s: a return belongs to a whole function",
				  request->text);
			return EXIT_USAGE;
		}
		code = item_resolve(s, a, request, item);
	}
	return code;
}

/* ---- into the kernel ---- */

static void user_prepare(struct argdump_probe *p, const struct argdump_variant *variant)
{
	const struct user_source *u = p->source;

	(void)variant;
	if (p->kind->scope != EXPR_SCOPE_CALL)
		p->input.scope = p->request->spec.is_return ? EXPR_SCOPE_RETURN : EXPR_SCOPE_ENTRY;
	p->input.in_user = true;
	p->input.in_user32 = u->is_32;
	p->input.name = p->name;
	p->input.params = argdump_registers;
	p->input.param_count = ARCH_SYSCALL_ARGUMENTS;
}

static void user_target(const struct argdump_probe *p, const struct argdump_variant *variant,
			struct attach_target *t)
{
	const struct user_source *u = p->source;

	(void)variant;
	*t = (struct attach_target){ .path = u->self,
				     .offset = u->offset,
				     .is_return = p->request->spec.is_return };
}

static int user_explain(struct session *s, struct argdump_probe *p, int err)
{
	const struct user_source *u = p->source;

	(void)s;
	if (err != -EINVAL)
		return probe_explain_user(p->name, err);
	log_error("cannot trace %s: no instruction begins at offset 0x%llx", p->name,
		  (unsigned long long)u->offset);
	return EXIT_USAGE;
}

static const struct argdump_variant variants[] = {
	ARGDUMP_VARIANT(UPROBE, KPROBE, true, true),
	ARGDUMP_VARIANT(UPROBE, KPROBE, false, true),
};

const struct probe_ops probe_ops_user = {
	.variants = variants,
	.variant_count = sizeof(variants) / sizeof(variants[0]),
	.resolve = user_resolve,
	.prepare = user_prepare,
	.target = user_target,
	.explain = user_explain,
};

static const struct probe_ops probe_ops_user_call = {
	.variants = variants,
	.variant_count = sizeof(variants) / sizeof(variants[0]),
	.scope = EXPR_SCOPE_CALL,
	.prepare = user_prepare,
	.target = user_target,
	.load = call_load,
	.attach = call_attach,
	.explain = user_explain,
};
