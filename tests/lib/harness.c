/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * harness.c - compiling and running expressions on the simulated machine (harness.h).
 */
#include "harness.h"

#include <stdio.h>
#include <string.h>

#include "btf/btf.h"
#include "output/field/value.h"

enum { HEADER_FIELDS = 3 };

void harness_init(struct harness *h, const struct btf_view *btf, uint32_t func_id,
		  const struct expr_target *target)
{
	memset(h, 0, sizeof(*h));
	h->in = (struct expr_input){
		.btf = btf,
		.site.func_id = func_id,
		.target = *target,
		.run.filter.self = 1,
	};
	h->vm.probe_read_forbidden = !target->probe_read;
}

bool harness_compile(struct harness *h, const char *const *texts, size_t count)
{
	h->in.texts = texts;
	h->in.count = count;
	if (expr_compile(&h->in, &h->program, &h->error)) {
		fprintf(stderr, "%s: %s\n", count ? texts[0] : "all", h->error.message);
		return false;
	}
	if (!vm_take(&h->vm, h->program)) {
		fprintf(stderr, "%s: its maps are not right\n", count ? texts[0] : "all");
		return false;
	}
	return true;
}

static void word_put(struct harness *h, size_t at, uint64_t value)
{
	memcpy(h->vm.ctx + at, &value, sizeof(value));
}

static unsigned params_of(const struct harness *h)
{
	const struct btf_type *func = btf_view_type(h->in.btf, h->in.site.func_id);

	return btf_vlen(btf_view_type(h->in.btf, func->type));
}

void harness_context(struct harness *h, bool at_return)
{
	static const uint8_t x86_args[] = { 112, 104, 96, 88 };
	bool kprobe = h->in.target.method == EXPR_CTX_KPROBE;
	bool arm64 = h->in.target.arch == ARCH_ARM64;
	unsigned params = params_of(h);

	memset(h->vm.ctx, 0xee, sizeof(h->vm.ctx));
	h->vm.is_return = at_return;
	if (kprobe)
		word_put(h, arm64 ? 248 : 152, h->stack + (at_return && !arm64 ? 8 : 0));
	for (unsigned i = 0; i < params && !(kprobe && at_return); i++)
		word_put(h, kprobe && !arm64 ? x86_args[i] : 8 * i, h->args[i]);
	if (at_return)
		word_put(h, !kprobe ? 8 * params : arm64 ? 0 : 80, h->vm.returned);
}

bool harness_run(struct harness *h, const struct vm_code *code)
{
	const char *name = h->in.count ? h->in.texts[0] : "all";
	struct buf o;

	h->vm.steps = 0;
	if (!vm_reachable(code)) {
		fprintf(stderr, "%s: instructions that cannot be reached\n", name);
		return false;
	}
	if (vm_run(&h->vm, code))
		return true;
	buf_init(&o, 2);
	expr_dump(h->program, EXPR_STAGE_INSNS, &o);
	buf_flush(&o);
	buf_free(&o);
	fprintf(stderr, "%s: %s\n", name, h->vm.trouble);
	return false;
}

bool compile_and_run(struct harness *h, const char *const *texts, size_t count)
{
	harness_context(h, h->in.scope == EXPR_SCOPE_RETURN);
	return harness_compile(h, texts, count) && harness_run(h, &h->vm.code);
}

void harness_free(struct harness *h)
{
	vm_drop(&h->vm);
	expr_free(h->program);
	h->program = NULL;
}

bool harness_value(struct harness *h, size_t i, struct value *v)
{
	const struct schema *schema = expr_schema(h->program);

	*v = (struct value){};
	return h->vm.submitted && i + HEADER_FIELDS < schema->count &&
	       h->vm.record_size == expr_record_size(h->program) &&
	       !field_load(&schema->fields[i + HEADER_FIELDS], h->vm.record, h->vm.record_size, v);
}

const char *harness_link(struct harness *h, size_t i)
{
	struct value v;

	if (!harness_value(h, i, &v))
		return "";
	return expr_schema(h->program)->fields[i + HEADER_FIELDS].links[v.link];
}
