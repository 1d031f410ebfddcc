/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * function.c - a probe on one kernel function: fentry, kprobe.multi or kprobe; or on one of its instructions, by
 * kprobe.
 *
 * A function that is not in BTF, or whose name several functions share, is found through ftrace's list and its
 * address instead (multi.c).
 */
#include "probe/providers/providers.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "probe/probe_hint.h"
#include "attach/attach_error.h"
#include "attach/events.h"
#include "util/log.h"
#include "symbols/kernel/ksyms.h"

static const struct probe_ops probe_ops_instruction, probe_ops_place;

static int function_explain(struct session *s, struct argdump_probe *p, int err)
{
	return attach_explain(p->name, s->btf, err);
}

/* ---- whole calls ---- */

/*
 * A trampoline saves the arguments, and has room for every call. A kprobe session has neither, at least before 6.14
 * (probe_multi_unlimited), and a kretprobe misses even more calls.
 */
const struct argdump_variant call_variants[CALL_VARIANTS] = {
	ARGDUMP_VARIANT(FSESSION, FENTRY, true, true),
	/* lockdown=confidentiality forbids probe_read */
	ARGDUMP_VARIANT(FSESSION, FENTRY, true, false),
	ARGDUMP_VARIANT(FSESSION, FENTRY, false, true),
	ARGDUMP_VARIANT(FENTRY, FENTRY, true, true),
	ARGDUMP_VARIANT(FENTRY, FENTRY, true, false),
	ARGDUMP_VARIANT(FENTRY, FENTRY, false, true),
	ARGDUMP_VARIANT(KPROBE_SESSION, KPROBE, true, true),
	ARGDUMP_VARIANT(KPROBE_SESSION, KPROBE, true, false),
	ARGDUMP_VARIANT(KPROBE_SESSION, KPROBE, false, true),
	ARGDUMP_VARIANT(KPROBE, KPROBE, true, true),
	ARGDUMP_VARIANT(KPROBE, KPROBE, false, true),
};

/* Loads the program for the return first; it may be the only one. */
int call_load(struct argdump_probe *p, const struct argdump_variant *variant, char *log,
	      size_t log_size)
{
	const struct program_image *image = &p->attempt.image;
	struct attach_target t;
	int err = 0;

	p->kind->target(p, variant, &t);
	for (int i = 0; i < 2 && !err; i++) {
		const struct bpf_insn *insns = i ? image->insns : image->insns_return;
		size_t count = i ? image->count : image->count_return;

		t.is_return = i == 0;
		if (count)
			err = fdset_add(&p->fds.programs, prog_load(insns, count, variant->method,
								    &t, log, log_size));
	}
	return err;
}

/* Attaches the return first: no entry may be stored whose return is not seen. */
int call_attach(struct argdump_probe *p, const struct argdump_variant *variant)
{
	bool alone = argdump_is_return_alone(p);
	struct attach_target t;
	int err = 0;

	p->kind->target(p, variant, &t);
	for (size_t i = 0; i < p->fds.programs.count && !err; i++) {
		t.is_return = alone || (p->fds.programs.count == 2 && i == 0);
		err = fdset_add(&p->fds.links,
				attach_link(variant->method, &t, p->fds.programs.fds[i]));
	}
	return err;
}

const struct probe_ops probe_ops_call = {
	.variants = call_variants,
	.variant_count = CALL_VARIANTS,
	.scope = EXPR_SCOPE_CALL,
	.target = function_target,
	.load = call_load,
	.attach = call_attach,
	.explain = function_explain,
};

/* ---- returns alone ---- */

const struct probe_ops probe_ops_return = {
	.variants = argdump_variants,
	.variant_count = ARGDUMP_VARIANTS,
	.scope = EXPR_SCOPE_RETURN,
	.target = function_target,
	.explain = function_explain,
};

static const struct argdump_variant variants_inside[] = {
	ARGDUMP_VARIANT(KPROBE, KPROBE, true, true),
	ARGDUMP_VARIANT(KPROBE, KPROBE, false, true),
};

/* ---- finding the function ---- */

/* Resolves "MODULE:FUNCTION", with the module's types. A function without types may still exist. */
static int module_find(struct session *s, struct argdump *a, struct argdump_probe *p,
		       const struct probe_spec_item *item)
{
	int err = a->modules ? 0 : btf_modules_open(s->btf, NULL, &a->modules);

	p->symbol.module = item->scope;
	for (size_t i = 0; !err && i < btf_modules_count(a->modules); i++) {
		if (strcmp(btf_modules_name(a->modules, i), item->scope))
			continue;
		err = btf_modules_view(a->modules, i, &p->btf);
		if (!err)
			p->input.site.func_id = btf_view_func(p->btf, item->name);
		return p->input.site.func_id >= btf_view_first(p->btf) ? 0 : -ENOENT;
	}
	return err ? err : -ENOENT;
}

static bool in_module(const struct probe_spec_item *item)
{
	return item->scope && strcmp(item->scope, "vmlinux");
}

/* Sets p->input.site.func_id. Returns 0 or -errno. */
static int function_find(struct session *s, struct argdump *a, struct argdump_probe *p,
			 const struct probe_spec_item *item)
{
	int err = expr_target_detect(s->btf, item->name, &p->target, &p->input.site.func_id);

	if (!err && in_module(item))
		return module_find(s, a, p, item);
	return err || p->input.site.func_id ? err : -ENOENT;
}

/* Refuses an offset beyond the function: the kernel would probe the next function. */
static int offset_check(const struct session *s, const struct argdump_request *request,
			const struct probe_spec_item *item)
{
	size_t count = 0;
	uint64_t address = s->options.attach.btf ? 0 : ksyms_address(item->name, &count);
	uint64_t size = address && count == 1 ? ksyms_size(address) : 0;

	if (!size || item->offset < size)
		return EXIT_FINE;
	log_error("cannot trace %s: the function ends before that", request->text);
	log_hint("%s has at most %llu bytes", item->name, (unsigned long long)size);
	return EXIT_USAGE;
}

/* Resolves a probe at an instruction, where the values of the parameters are unknown. */
static int inside_resolve(struct session *s, struct argdump *a, struct argdump_request *request)
{
	const struct probe_spec_item *item = request->spec.items;
	struct argdump_probe *p = argdump_probe_add(a, request, request->text);
	int err = p ? function_find(s, a, p, item) : -ENOMEM;

	if (err && err != -ENOENT)
		return attach_explain(NULL, s->btf, err);
	p->kind = &probe_ops_instruction;
	p->symbol.name = item->name;
	p->symbol.offset = item->offset;
	p->input.site.func_id = 0;
	argdump_probe_untyped(p);
	return EXIT_FINE;
}

/*
 * True if several functions share the name. BTF has such a name only once, and fentry attaches to the first function
 * it finds. Attaching to all of them needs their addresses, and so a search of all symbols; this is done only if the
 * kernel says that there are several. On 5.10 (which lacks bpf_get_func_arg) asking would take 10 ms and tell
 * nothing; there post_attach.c finds the others.
 */
static bool name_is_shared(struct session *s, struct argdump_probe *p,
			   const struct probe_spec_item *item)
{
	int shared = -EOPNOTSUPP;

	if (s->options.attach.btf || in_module(item))
		return false;
	if (p->target.func_arg)
		shared = function_name_is_shared(item->name);
	p->symbol.is_ambiguous = shared < 0;
	return shared > 0;
}

static int function_resolve(struct session *s, struct argdump *a, struct argdump_request *request)
{
	const struct probe_ops *kind = request->both	       ? &probe_ops_call :
				       request->spec.is_return ? &probe_ops_return :
								 &probe_ops_function;
	const struct probe_spec_item *item = request->spec.items;
	struct argdump_probe *p;
	int err, code;

	if (request->both && item->has_offset) {
		log_error("cannot trace %s: -r is for whole functions", request->text);
		return EXIT_USAGE;
	}
	if (request->spec.count > 1 || item->is_pattern)
		return multi_resolve(s, a, request, kind);
	if (probe_spec_is_line(item))
		return kernel_line_resolve(s, a, request, item, &probe_ops_place);
	if (item->has_offset)
		return offset_check(s, request, item) ?: inside_resolve(s, a, request);
	p = argdump_probe_add(a, request, request->text);
	if (!p)
		return attach_explain(NULL, s->btf, -ENOMEM);
	p->kind = kind;
	p->symbol.name = item->name;
	err = function_find(s, a, p, item);
	if (request->both)
		expr_target_sessions(s->btf, &p->target);
	if (!err && name_is_shared(s, p, item))
		err = -ENOENT;
	if (!err) {
		probe_hint_found(item->name);
		if (!item->scope)
			kernel_inlined_note(s, a, item->name);
	}
	if (err != -ENOENT)
		return err ? attach_explain(p->name, s->btf, err) : EXIT_FINE;
	argdump_probe_drop(a);
	code = item->scope || probe_hint_is_symbol(s, item->name) ?
		       -ENOENT :
		       kernel_inlined_resolve(s, a, request, item, &probe_ops_place);
	if (code != -ENOENT)
		return code;
	code = probe_hint_missing(s, request);
	return code ? code : multi_resolve(s, a, request, kind);
}

/* ---- load and attach ---- */

/* If the name is shared, attaches by address: by BTF id the kernel takes the first function. */
void function_target(const struct argdump_probe *p, const struct argdump_variant *variant,
		     struct attach_target *t)
{
	*t = (struct attach_target){
		.function = p->symbol.name,
		.module = p->symbol.module,
		.address = p->symbol.address ?: p->symbol.kprobe_addr,
		.offset = p->symbol.offset,
		.btf_id = p->symbol.address ? 0 : p->input.site.func_id,
		.is_return = p->input.scope == EXPR_SCOPE_RETURN,
	};
	if (attach_has(variant->method, ATTACH_SESSION))
		t->type = attach_has(variant->method, ATTACH_FPROBE) ?
				  p->target.attach_kprobe_session :
				  p->target.attach_fsession;
}

static int instruction_explain(struct session *s, struct argdump_probe *p, int err)
{
	/* EINVAL: no instruction begins at this offset, or (5.10) lockdown disabled a helper */
	if ((err != -EILSEQ && err != -EINVAL && err != -ENOENT) ||
	    attach_diagnose(p->symbol.name, s->btf, err) == ATTACH_FAULT_LOCKDOWN)
		return attach_explain(p->symbol.name, s->btf, err);
	log_error("cannot trace %s: %s", p->name,
		  err == -EILSEQ ? "no instruction begins there" :
				   "no such function, or no instruction begins there");
	log_hint("objdump -d on the kernel's vmlinux shows where instructions begin");
	return EXIT_USAGE;
}

static void function_names(struct btf_lookup *names, const struct probe_spec_item *item)
{
	btf_lookup_add(names, BTF_KIND_FUNC, item->name, strlen(item->name));
}

const struct probe_ops probe_ops_function = {
	.names = function_names,
	.variants = argdump_variants,
	.variant_count = ARGDUMP_VARIANTS,
	.resolve = function_resolve,
	.target = function_target,
	.explain = function_explain,
};

static const struct probe_ops probe_ops_instruction = {
	.is_instruction = true,
	.variants = variants_inside,
	.variant_count = sizeof(variants_inside) / sizeof(variants_inside[0]),
	.target = function_target,
	.explain = instruction_explain,
};

/* Its variables have types of their own, which the verifier does not know. */
static const struct probe_ops probe_ops_place = {
	.is_instruction = true,
	.variants = &variants_inside[1],
	.variant_count = 1,
	.prepare = user_prepare,
	.target = function_target,
	.explain = instruction_explain,
};

int argdump_methods(const struct btf_view *btf, enum attach_method_id methods[ATTACH_END + 1])
{
	static const struct argdump_request request;
	struct argdump_probe p = { .kind = &probe_ops_function, .request = &request };
	const struct options none_given = { .attach.method = ATTACH_ANY };
	const struct argdump_variant *variant;
	size_t count = 0;
	uint32_t none;
	int err = expr_target_detect(btf, "", &p.target, &none);

	for (size_t n = 0; !err && (variant = argdump_variant_at(&none_given, btf, &p, n)); n++)
		if (!count || methods[count - 1] != variant->method)
			methods[count++] = variant->method;
	methods[count] = ATTACH_END;
	return err;
}
