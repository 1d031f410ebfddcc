// SPDX-License-Identifier: GPL-2.0
/*
 * source_user.c - probes on functions of programs and libraries: u:PATH:SYMBOL, u:PATH:0xOFFSET.
 *
 * Nobody tells their types: $arg1 … $arg6 are the registers that the first arguments are passed in.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "argdump/argdump.h"
#include "core/diag.h"
#include "core/usyms.h"

#ifdef __aarch64__
#define MULTIARCH "aarch64-linux-gnu"
#else
#define MULTIARCH "x86_64-linux-gnu"
#endif

struct user_source {
	char path[4096];
	uint64_t offset; /* bytes in the file */
	int pid;
};

static const char *const folders[] = {
	"/lib/" MULTIARCH, "/usr/lib/" MULTIARCH, "/lib64", "/usr/lib64", "/lib", "/usr/lib",
	"/usr/local/lib",
};
static const char *const programs[] = { "/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin" };

/* ---- the file ---- */

/* libc, libc.so, libc.so.6: is it that of a path's end? */
static bool is_library(const char *path, const char *name)
{
	const char *base = strrchr(path, '/');
	size_t len = strlen(name);

	base = base ? base + 1 : path;
	return !strncmp(base, name, len) &&
	       (!base[len] || !strncmp(base + len, ".so", 3) || base[len] == '-');
}

/* What the process itself has mapped, seen through its own root. */
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
			found = snprintf(u->path, sizeof(u->path), "/proc/%d/root%s", u->pid, path) <
				(int)sizeof(u->path);
	if (f)
		fclose(f);
	return found;
}

static bool find_in(struct user_source *u, const char *folder, const char *name, const char *suffix)
{
	snprintf(u->path, sizeof(u->path), "%s/%s%s", folder, name, suffix);
	return !access(u->path, R_OK);
}

/* u:libc:getaddrinfo, u:bash:readline: where the loader and the shell would look. */
static bool find_by_name(struct user_source *u, const char *name)
{
	static const char *const suffixes[] = { ".so.6", ".so.3", ".so.2", ".so.1", ".so.0", ".so", "" };

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		for (size_t j = 0; j < sizeof(suffixes) / sizeof(suffixes[0]); j++)
			if (find_in(u, folders[i], name, suffixes[j]))
				return true;
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		if (find_in(u, programs[i], name, ""))
			return true;
	return false;
}

static int file_find(struct user_source *u, const char *place)
{
	if (strchr(place, '/')) {
		snprintf(u->path, sizeof(u->path), "%s", place);
		if (u->pid && *place == '/')
			snprintf(u->path, sizeof(u->path), "/proc/%d/root%s", u->pid, place);
		return access(u->path, R_OK) ? -errno : 0;
	}
	return find_in_process(u, place) || find_by_name(u, place) ? 0 : -ENOENT;
}

/* ---- the function ---- */

static int symbol_find(struct user_source *u, const struct probe_spec_item *item)
{
	int err = 0;

	u->offset = 0;
	if (*item->name)
		err = usyms_find(u->path, item->name, &u->offset);
	u->offset += item->has_offset ? item->offset : 0;
	return err;
}

static int unknown_tell(const struct probe_spec_item *item, const struct user_source *u, int err,
			bool file)
{
	if (file) {
		diag_error("cannot find '%s': %s", item->place, strerror(-err));
		diag_hint("a path, or the name of a library as libc; with -p PID as that process sees it");
	} else if (err == -ENOENT) {
		diag_error("%s has no function %s", u->path, item->name);
		diag_hint("a stripped file has only what it exports; nm -D lists that. "
			  "u:FILE:0xOFFSET names any place");
	} else {
		diag_error("cannot read the symbols of %s: %s", u->path, strerror(-err));
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
		free(copy);
		return probe_explain(NULL, s->btf, -ENOMEM);
	}
	*copy = *u;
	p->source = copy;
	p->source_free = free;
	return expr_target_detect(s->btf, "", &p->target, &none) ?
		       probe_explain(NULL, s->btf, -EBADMSG) : EXIT_FINE;
}

static int item_resolve(struct session *s, struct argdump *a, struct argdump_request *request,
			const struct probe_spec_item *item)
{
	struct user_source u = { .pid = s->options.pid };
	int err = file_find(&u, item->place);

	if (err)
		return unknown_tell(item, &u, err, true);
	err = symbol_find(&u, item);
	if (err)
		return unknown_tell(item, &u, err, false);
	diag_debug(1, "%s in %s: offset 0x%llx", item->name, u.path, (unsigned long long)u.offset);
	return function_add(s, a, request, &u, item);
}

static int user_resolve(struct session *s, struct argdump *a, struct argdump_request *request)
{
	int code = EXIT_FINE;

	for (size_t i = 0; i < request->spec.count && !code; i++)
		code = item_resolve(s, a, request, &request->spec.items[i]);
	return code;
}

/* ---- into the kernel ---- */

static void user_prepare(struct argdump_probe *p, const struct argdump_way *way)
{
	(void)way;
	p->input.scope = p->request->spec.is_return ? EXPR_SCOPE_RETURN : EXPR_SCOPE_ENTRY;
	p->input.name = p->name;
	p->input.params = argdump_registers;
	p->input.param_count = ARGDUMP_REGISTERS;
}

static int user_load(struct argdump_probe *p, const struct argdump_way *way, char *log,
		     size_t log_size)
{
	static const struct program_type type = { .prog = BPF_PROG_TYPE_KPROBE };
	size_t count;
	const struct bpf_insn *insns = expr_insns(p->expr, &count);

	(void)way;
	return fd_list_add(&p->programs, program_load_as(insns, count, &type, log, log_size));
}

static int user_attach(struct argdump_probe *p, const struct argdump_way *way)
{
	const struct user_source *u = p->source;

	(void)way;
	return fd_list_add(&p->links,
			   probe_link_uprobe(p->programs.fds[0], u->path, u->offset,
					     p->request->spec.is_return, 0));
}

static int user_explain(struct session *s, struct argdump_probe *p, int err)
{
	const struct user_source *u = p->source;

	if (err != -EINVAL)
		return probe_explain(NULL, s->btf, err);
	diag_error("cannot trace %s: no instruction begins at offset 0x%llx", p->name,
		   (unsigned long long)u->offset);
	return EXIT_USAGE;
}

static const struct argdump_way ways[] = {
	{ PROBE_RUNG_KPROBE, EXPR_RUNG_KPROBE, true, true },
	{ PROBE_RUNG_KPROBE, EXPR_RUNG_KPROBE, false, true },
};

const struct probe_kind probe_kind_user = {
	.ways = ways,
	.way_count = sizeof(ways) / sizeof(ways[0]),
	.resolve = user_resolve,
	.prepare = user_prepare,
	.load = user_load,
	.attach = user_attach,
	.explain = user_explain,
};
