/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_types.c - types of a user function's parameters, or of the kernel's variables, from the debug information of its
 * file.
 */
#include "probe/providers/providers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "probe/providers/user_debug.h"
#include "symbols/suffix.h"
#include "symbols/user/demangle.h"
#include "symbols/user/dwarf_place.h"
#include "symbols/user/elf_file.h"
#include "symbols/user/usyms.h"
#include "util/log.h"

/* True for a compiler's copy or part of a function, whose parameters it may have changed. */
static bool is_copy(const char *symbol)
{
	enum symbol_suffix suffix = symbol_suffix(symbol, strcspn(symbol, "."));

	return suffix == SUFFIX_COPY || suffix == SUFFIX_PART || suffix == SUFFIX_COLD;
}

/* True if the compiler passes other parameters than the source has. */
static bool is_changed(const struct dwarf_unit *u, const struct dwarf_entry *function,
		       const char *symbol)
{
	struct dwarf_entry origin;

	return is_copy(symbol) || function->abi.passing == PASS_CHANGED ||
	       (function->origin && dwarf_entry_at(u, function->origin, &origin) &&
		origin.abi.passing == PASS_CHANGED);
}

/* True unless other files may call the function. */
static bool is_static(const struct dwarf_unit *u, const struct dwarf_entry *function)
{
	struct dwarf_entry origin = *function;

	return !function->is_external && !(dwarf_entry_origin(u, &origin) && origin.is_external);
}

/* True if the function has parameters that its debug information leaves out: clang those that are passed by address and not used,
 * GCC packs of them. */
static bool lacks_params(const struct dwarf_unit *u, const char *symbol,
			 const struct dwarf_param *params, size_t count)
{
	int listed = u->is_cpp ? demangle_parameters(symbol) : -1;
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		found += !params[i].is_artificial;
	return listed >= 0 && (size_t)listed != found;
}

/* Returns why the calling convention does not tell where the function's parameters are, or NULL. */
static const char *unknown_why(const struct dwarf_unit *u, const struct dwarf_entry *function,
			       const char *symbol, const struct dwarf_param *params, size_t count)
{
	if (is_changed(u, function, symbol))
		return "the compiler gave this function other parameters (.isra, .constprop, .part, DW_CC_nocall)";
	if (lacks_params(u, symbol, params, count))
		return "the debug information leaves out a parameter";
	return NULL;
}

struct binding {
	uint64_t offset;
	bool is_local, is_global;
};

static bool binding_visit(void *ctx, const struct usym *s)
{
	struct binding *b = ctx;

	if (s->offset == b->offset)
		*(s->rank & USYM_LOCAL ? &b->is_local : &b->is_global) = true;
	return b->is_global;
}

/* True if the linker made the function static, which the debug information does not tell: optimization at link time may have
 * left parameters out. */
static bool is_made_static(const struct user_source *u)
{
	struct binding b = { .offset = u->offset };

	return !usyms_each(u->file.self, binding_visit, &b) && b.is_local && !b.is_global;
}

/* True if a parameter has no place, or one that is not understood. */
static bool lacks_places(const struct dwarf_param *params, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (params[i].place.kind == PLACE_NONE || params[i].place.kind == PLACE_ODD ||
		    params[i].place.kind == PLACE_LATER)
			return true;
	return false;
}

/* Finds the function and the types of its unit, which are read once. Returns 0, and the caller frees *unit; or
 * -errno. */
static int function_find(const struct btf_view *kernel, int fd, const struct dwarf_info *info,
			 uint64_t address, const char *symbol, struct dwarf_unit *unit,
			 struct dwarf_entry *function, struct user_unit **types)
{
	struct stat st;
	int err = fstat(fd, &st) ? -errno :
				   dwarf_function_find(info, address, symbol, unit, function);

	if (err)
		return err;
	*types = user_unit_find(&st, unit->offset);
	if (!*types)
		err = user_unit_read(kernel, &st, unit, types);
	if (err)
		dwarf_unit_free(unit);
	return err;
}

static int params_build(struct argdump_probe *p, const struct user_call *call,
			const struct user_unit *t, const struct dwarf_param *list, size_t count)
{
	struct user_source *u = p->source;
	int err = user_params_build(call, &t->types, list, count, &u->params);

	if (!err)
		u->params->has_texts = t->has_texts;
	return err;
}

static int params_add(struct argdump_probe *p, const struct dwarf_unit *unit,
		      const struct dwarf_entry *function, const struct user_unit *t,
		      uint64_t address, const char *symbol)
{
	struct user_call call = { .btf = t->view,
				  .arch = p->target.arch,
				  .address = address,
				  .is_hidden = dwarf_result_is_hidden(unit, function),
				  .is_rust = unit->is_rust,
				  .is_gnu = dwarf_unit_is_gnu(unit),
				  .is_static = is_static(unit, function) };
	struct dwarf_param params[DWARF_PARAMS_MAX];
	size_t count = dwarf_params_read(unit, function, address, &arches[call.arch], params);

	call.unknown = unknown_why(unit, function, symbol, params, count);
	call.is_static |= lacks_places(params, count) && is_made_static(p->source);
	return params_build(p, &call, t, params, count);
}

static int variables_find(struct session *s, struct argdump_probe *p, const struct dwarf_info *info,
			  const struct elf_file *file, const char *symbol, uint64_t start,
			  const struct dwarf_spot *spot)
{
	struct user_source *u = p->source;
	struct dwarf_frame frame = user_debug_frame(u->file.fd, spot->address);
	struct dwarf_param list[DWARF_PARAMS_MAX];
	struct dwarf_entry function;
	struct dwarf_unit unit;
	struct user_unit *t;
	struct user_call call = { .arch = p->target.arch,
				  .address = spot->address,
				  .is_inside = true,
				  .in_kernel = u->in_kernel };
	size_t count;
	int err = function_find(s->btf, u->file.fd, info, elf_address(file, start), symbol, &unit,
				&function, &t);

	if (err)
		return err;
	p->btf = call.btf = t->view;
	count = dwarf_variables_read(&unit, &function, spot, &arches[call.arch], &frame, list);
	err = params_build(p, &call, t, list, count);
	dwarf_unit_free(&unit);
	return err;
}

static int types_find(struct session *s, struct argdump_probe *p, const struct dwarf_info *info,
		      uint64_t address, const char *symbol, bool has_expressions)
{
	const struct user_source *u = p->source;
	struct dwarf_entry function;
	struct dwarf_unit unit;
	struct user_unit *t;
	int err = function_find(s->btf, u->file.fd, info, address, symbol, &unit, &function, &t);

	if (err)
		return err;
	p->btf = t->view;
	p->input.site.func_id = dwarf_types_function(&t->types, &function);
	if (has_expressions)
		err = params_add(p, &unit, &function, t, address, symbol);
	else if (is_changed(&unit, &function, symbol) || !p->input.site.func_id)
		p->btf = NULL;
	if (err || !p->btf)
		p->input.site.func_id = 0;
	dwarf_unit_free(&unit);
	return err;
}

/* Opens the debug information of a probe's file. Returns false after noting why names are unknown. */
static bool types_open(struct argdump_probe *p, struct elf_file *file, struct dwarf_info **info)
{
	struct user_source *u = p->source;
	int err;

	if (u->file.is_32) {
		u->unnamed = "parameters of 32-bit programs have no names";
		return false;
	}
	if (u->file.fd < 0 || elf_file_read(file, u->file.fd, NULL, 0))
		return false;
	err = user_debug_open(u->file.fd, file, info);
	u->unnamed = err ? user_debug_reason(err) : NULL;
	return !err;
}

static void types_note(struct argdump_probe *p, int err)
{
	struct user_source *u = p->source;

	if (err)
		u->unnamed = user_debug_reason(err);
	log_debug(1, "types of %s: %s", p->name, u->unnamed ?: "found");
}

void user_types_add(struct session *s, struct argdump_probe *p, const char *symbol,
		    bool has_expressions)
{
	const struct user_source *u = p->source;
	struct dwarf_info *info;
	struct elf_file file;
	int err = 0;

	if (types_open(p, &file, &info)) {
		info->has_bools = has_expressions;
		err = types_find(s, p, info, elf_address(&file, u->offset), symbol,
				 has_expressions);
	}
	types_note(p, err);
}

void user_variables_add(struct session *s, struct argdump_probe *p, const char *symbol,
			uint64_t start, const char *inlined, unsigned line)
{
	const struct user_source *u = p->source;
	struct dwarf_spot spot = { .inlined = inlined, .line = line };
	struct dwarf_info *info;
	struct elf_file file;
	int err = 0;

	if (types_open(p, &file, &info)) {
		info->has_bools = true;
		info->in_kernel = u->in_kernel;
		spot.address = elf_address(&file, u->offset);
		err = variables_find(s, p, info, &file, symbol, start, &spot);
	}
	types_note(p, err);
}

int user_function_line(int fd, const char *name, uint64_t *offset, uint64_t *size, unsigned *line)
{
	struct dwarf_info *info;
	struct dwarf_entry function;
	struct dwarf_unit unit;
	struct elf_file file;
	char self[32], *symbol = NULL;
	int err;

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	err = usyms_find(self, name, offset, size);
	if (err == -ENOENT && user_symbol_named(self, name, false, &symbol) == 1)
		err = usyms_find(self, symbol, offset, size);
	err = err ?: elf_file_read(&file, fd, NULL, 0);
	err = err ?: user_debug_open(fd, &file, &info);
	err = err   ?:
		      dwarf_function_find(info, elf_address(&file, *offset), symbol ?: name, &unit,
					  &function);
	free(symbol);
	if (err)
		return err;
	*line = function.line;
	for (int hops = 0; hops < 2 && !*line && dwarf_entry_origin(&unit, &function); hops++)
		*line = function.line;
	dwarf_unit_free(&unit);
	return *line ? 0 : -ENOENT;
}

size_t user_inlined_find(int fd, const char *name, uint64_t *offsets, size_t most)
{
	struct dwarf_info *info;
	struct elf_file file;
	ssize_t count;
	size_t kept = 0;

	if (elf_file_read(&file, fd, NULL, 0) || user_debug_open(fd, &file, &info))
		return 0;
	count = dwarf_inlined_find(info, name, offsets, most);
	for (ssize_t i = 0; i < count; i++)
		kept += elf_code_offset(&file, offsets[i], &offsets[kept]);
	return kept;
}

bool user_is_inlined(int fd, uint64_t offset, const char *symbol)
{
	struct dwarf_info *info;
	struct dwarf_entry function;
	struct dwarf_unit unit;
	struct elf_file file;

	if (elf_file_read(&file, fd, NULL, 0) || user_debug_open(fd, &file, &info) ||
	    dwarf_function_find(info, elf_address(&file, offset), symbol, &unit, &function))
		return false;
	dwarf_unit_free(&unit);
	return function.origin;
}

const struct btf_type *user_prototype(const struct btf_view *kernel, int fd, uint64_t offset,
				      const char *symbol, const struct btf_view **types)
{
	struct dwarf_info *info;
	const struct btf_type *func;
	struct dwarf_entry function;
	struct dwarf_unit unit;
	struct user_unit *t;
	struct elf_file file;

	if (is_copy(symbol) || elf_file_read(&file, fd, NULL, 0) ||
	    user_debug_open(fd, &file, &info) ||
	    function_find(kernel, fd, info, elf_address(&file, offset), symbol, &unit, &function,
			  &t))
		return NULL;
	dwarf_unit_free(&unit);
	func = btf_view_type(t->view, dwarf_types_function(&t->types, &function));
	*types = t->view;
	return func ? btf_view_type(t->view, func->type) : NULL;
}

const struct btf_view *user_type_view(const struct btf_view *kernel, int fd,
				      const struct param_type *type, const char **why)
{
	struct dwarf_info *info;
	struct user_unit *t = NULL;
	struct dwarf_unit unit;
	struct elf_file file;
	struct stat st;
	int err = fstat(fd, &st) ? -errno : elf_file_read(&file, fd, NULL, 0);

	err = err ?: user_debug_open(fd, &file, &info);
	if (!err) {
		info->has_bools = true;
		err = dwarf_type_find(info, type->name, type->len, type->kind, &unit);
	}
	if (!err) {
		err = user_unit_read(kernel, &st, &unit, &t);
		dwarf_unit_free(&unit);
	}
	*why = err == -ENOENT ? "the file's debug information does not have this type" :
	       err	      ? user_debug_reason(err) :
				NULL;
	return err ? NULL : t->view;
}
