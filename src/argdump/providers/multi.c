/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * multi.c - probes on many functions at once: a list, or patterns.
 *
 * A few functions, or all where the kernel cannot do better, get a probe each. Otherwise functions
 * that the same program can serve form one probe, and all probes are attached together
 * (multi_attach.c). A function that does not fit the expressions is left out with a message, unless
 * it was named.
 */
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "attach/attach_error.h"
#include "argdump/argdump.h"
#include "util/log.h"
#include "symbols/ksyms.h"
#include "expr/expr.h"

/* ---- from functions to probes ---- */

/* Functions with the same prototype: the expressions fit either all of them or none. */
struct group {
	const struct btf_view *btf;
	uint32_t proto; /* 0: no types */
	size_t probe;	/* index; SIZE_MAX: left out */
};

/* The probes of a request by a digest of their programs, for same_find. */
struct program {
	uint64_t digest;
	size_t probe;	      /* index */
	struct program *next; /* another program with that digest; NULL: none */
};

struct sort {
	struct session *s;
	struct argdump *a;
	struct argdump_request *request;
	struct expr_target target;
	struct multi_mode how;
	size_t first;	      /* the first probe of the request */
	struct group *groups; /* owned */
	size_t group_count;
	void *group_tree;	  /* of tsearch(3), over `groups` */
	struct program *programs; /* owned */
	size_t program_count;
	void *program_tree;	  /* over `programs` */
	size_t left_out, untyped; /* functions that do not fit the expressions */
	char one[64];		  /* the first of them, and its error */
	struct expr_error error;
};

static uint32_t proto_of(const struct function *f)
{
	const struct btf_type *t = f->types.btf ? btf_view_type(f->types.btf, f->types.id) : NULL;

	return t ? t->type : 0;
}

static int function_join(struct argdump_probe *p, const struct function *f)
{
	const struct function **functions;

	functions = realloc(p->functions, (p->function_count + 1) * sizeof(*functions));
	if (!functions)
		return -ENOMEM;
	functions[p->function_count++] = f;
	p->functions = functions;
	return 0;
}

/* Was it named, not matched by a pattern? */
static bool is_named(const struct argdump_request *r, const struct function *f)
{
	for (size_t i = 0; i < r->spec.count; i++)
		if (!r->spec.items[i].is_pattern && !strcmp(r->spec.items[i].name, f->types.name))
			return true;
	return false;
}

/* Compiles for `f`, as the last of all probes. -EINVAL: the function does not fit the
 * expressions. */
static int probe_begin(struct sort *sort, const struct function *f)
{
	struct argdump_probe *p;
	struct expr_error error;
	int err;

	p = argdump_probe_add(sort->a, sort->request, f->types.name);
	if (!p)
		return -ENOMEM;
	p->kind = sort->how.kind;
	p->btf = f->types.btf;
	p->target = sort->target;
	p->input.func_id = f->types.id;
	argdump_probe_untyped(p);
	p->attach_type = sort->how.attach_type;
	p->symbol = f->types.name;
	p->module = f->types.module;
	p->address = f->duplicate_symbol ? f->address : 0;
	p->kprobe_addr = f->address;
	p->by_kprobe = sort->how.by_kprobe;
	err = argdump_probe_compile_any(sort->s, sort->a, p, &error);
	if (err == -EOPNOTSUPP && p->by_kprobe) {
		p->by_kprobe = false;
		err = argdump_probe_compile_any(sort->s, sort->a, p, &error);
	}
	if (err == -EOPNOTSUPP)
		err = -EINVAL;
	if (err == -EINVAL && is_named(sort->request, f))
		argdump_probe_error_tell(p, &error);
	if (!err)
		return function_join(p, f);
	if (!sort->one[0]) {
		strncpy(sort->one, p->name, sizeof(sort->one) - 1);
		sort->error = error;
	}
	argdump_probe_drop(sort->a);
	return is_named(sort->request, f) ? -ECANCELED : err;
}

/* ---- which functions have a probe in common ---- */

static uint64_t digest_add(uint64_t digest, const void *bytes, size_t size)
{
	for (const uint8_t *b = bytes, *end = b + size; b < end; b++)
		digest = (digest ^ *b) * 0x100000001b3; /* FNV-1a */
	return digest;
}

/* Equal for programs that are the same (expr_same), and rarely for others. */
static uint64_t program_digest(const struct expr_program *p)
{
	const struct schema *schema = expr_schema(p);
	size_t count;
	const struct bpf_insn *insns = expr_insns(p, &count);
	uint64_t digest = digest_add(0xcbf29ce484222325, insns, count * sizeof(*insns));

	for (size_t i = 0; i < schema->count; i++) {
		const struct field *f = &schema->fields[i];

		digest = digest_add(digest, f->name, strlen(f->name) + 1);
		digest = digest_add(digest, &f->btf_id, sizeof(f->btf_id));
	}
	return digest;
}

static int by_digest(const void *a, const void *b)
{
	const struct program *x = a, *y = b;

	return (x->digest > y->digest) - (x->digest < y->digest);
}

/* An earlier probe whose program also serves the last one, or the last one itself. Thousands of
 * functions have thousands of programs: comparing all of them with each other would take minutes. */
static size_t same_find(struct sort *sort)
{
	const struct argdump_probe *probes = sort->a->probes;
	size_t last = sort->a->probe_count - 1;
	struct program *program = &sort->programs[sort->program_count++], **found;

	*program = (struct program){ .digest = program_digest(probes[last].expr), .probe = last };
	found = tsearch(program, &sort->program_tree, by_digest);
	if (!found || *found == program)
		return last;
	for (const struct program *p = *found; p; p = p->next)
		if (expr_same(probes[p->probe].expr, probes[last].expr))
			return p->probe;
	program->next = (*found)->next;
	(*found)->next = program;
	return last;
}

static int by_prototype(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->btf != y->btf)
		return x->btf < y->btf ? -1 : 1;
	return (x->proto > y->proto) - (x->proto < y->proto);
}

static struct group *group_find(struct sort *sort, const struct function *f, uint32_t proto)
{
	const struct group key = { .btf = f->types.btf, .proto = proto };
	struct group **found = tfind(&key, &sort->group_tree, by_prototype);

	return found ? *found : NULL;
}

static void group_keep(struct sort *sort, const struct function *f, uint32_t proto, size_t probe)
{
	struct group *group = &sort->groups[sort->group_count++];

	*group = (struct group){ f->types.btf, proto, probe };
	tsearch(group, &sort->group_tree, by_prototype);
}

/* Adds a function with a new prototype; its probe may be new or an existing one. */
static int group_add(struct sort *sort, const struct function *f, uint32_t proto)
{
	struct argdump *a = sort->a;
	size_t probe = SIZE_MAX;
	int err = probe_begin(sort, f);

	if (err && err != -EINVAL)
		return err;
	if (!err) {
		probe = same_find(sort);
		if (probe < a->probe_count - 1) {
			argdump_probe_drop(a);
			err = function_join(&a->probes[probe], f);
		}
	}
	group_keep(sort, f, proto, probe);
	return err;
}

static int function_sort(struct sort *sort, const struct function *f)
{
	uint32_t proto = proto_of(f);
	struct group *group = NULL;
	int err;

	if (!sort->how.kind->attach_all) {
		err = probe_begin(sort, f);
	} else {
		group = group_find(sort, f, proto);
		if (!group)
			err = group_add(sort, f, proto);
		else if (group->probe == SIZE_MAX)
			err = -EINVAL;
		else
			err = function_join(&sort->a->probes[group->probe], f);
	}
	if (err != -EINVAL)
		return err;
	sort->left_out++;
	sort->untyped += !proto;
	return 0;
}

static void left_out_tell(const struct sort *sort)
{
	const struct function_list *set = &sort->request->functions;
	const struct probe_spec *spec = &sort->request->spec;

	if (set->count > 1 && spec->count == 1 && !spec->items->is_pattern && !set->unreachable)
		log_note("%zu functions are called %s: all of them are traced", set->count,
			 spec->items->name);
	if (set->untraceable)
		log_note("%zu function%s left out, as %s: the kernel cannot trace %s (inlined, "
			 "or notrace)",
			 set->untraceable, set->untraceable == 1 ? "" : "s", set->one,
			 set->untraceable == 1 ? "it" : "them");
	if (set->unreachable)
		log_note("%zu functions are not seen: others have their names, and %s",
			 set->unreachable, ksyms_hint(-EPERM));
	if (sort->left_out)
		log_note("%zu function%s left out, as %s: %s%s", sort->left_out,
			 sort->left_out == 1 ? "" : "s", sort->one, sort->error.message,
			 sort->untyped == sort->left_out ? " (BTF does not describe it)" : "");
}

/* A BTF id identifies only one of the functions that share a name, and none in a module. */
static bool has_id(const struct function *f)
{
	return f->types.id && !f->types.module && !f->duplicate_symbol;
}

enum some { ALL, WITH_ID, WITHOUT_ID };

static void in_array(void *node)
{
	(void)node;
}

static void groups_forget(struct sort *sort)
{
	tdestroy(sort->group_tree, in_array);
	tdestroy(sort->program_tree, in_array);
	sort->group_tree = sort->program_tree = NULL;
	sort->group_count = sort->program_count = 0;
}

static int some_sort(struct sort *sort, enum some some)
{
	const struct function_list *set = &sort->request->functions;
	int err = 0;

	for (size_t i = 0; i < set->count && !err; i++)
		if (some == ALL || has_id(&set->list[i]) == (some == WITH_ID))
			err = function_sort(sort, &set->list[i]);
	groups_forget(sort);
	return err;
}

/* Functions that fentry.multi cannot attach to get a link of their own. */
static int functions_sort(struct sort *sort)
{
	size_t count = sort->request->functions.count;
	bool split = sort->how.rest != NULL;
	int err = -ENOMEM;

	sort->groups = calloc(count, sizeof(*sort->groups));
	sort->programs = calloc(count, sizeof(*sort->programs));
	if (sort->groups && sort->programs)
		err = some_sort(sort, split ? WITH_ID : ALL);
	if (!err && split) {
		sort->how = (struct multi_mode){ .kind = sort->how.rest, .attach_type = -1 };
		err = some_sort(sort, WITHOUT_ID);
	}
	free(sort->groups);
	free(sort->programs);
	return err;
}

/* ---- which functions ---- */

static int none_tell(const struct argdump_request *r)
{
	const struct function_list *set = &r->functions;

	if (set->untraceable)
		log_error("cannot trace %s: the kernel cannot trace %s%s (inlined, or notrace)",
			  r->text, set->one, set->untraceable > 1 ? " or another of them" : "");
	else
		log_error("cannot trace %s: no function is like that", r->text);
	log_hint("functions are listed in /sys/kernel/tracing/available_filter_functions");
	return set->untraceable ? EXIT_CANNOT : EXIT_USAGE;
}

/* Checks that each plain name exists. Returns an exit code. */
static int names_check(struct session *s, const struct argdump_request *r)
{
	for (size_t i = 0; i < r->spec.count; i++) {
		const struct probe_spec_item *item = &r->spec.items[i];

		if (!item->is_pattern && !function_list_named(&r->functions, item->name))
			return attach_explain(r->spec.count > 1 ? item->name : r->text, s->btf,
					      -ENOENT);
	}
	return r->functions.count ? EXIT_FINE : none_tell(r);
}

static int find_tell(const struct argdump_request *r, const struct probe_spec_error *error, int err)
{
	if (err == -EINVAL) {
		log_error("%s", error->message);
		log_caret(r->text, error->start, error->end);
		log_hint("%s", error->hint);
		return EXIT_USAGE;
	}
	log_error("cannot look for %s: %s", r->text, strerror(-err));
	return EXIT_CANNOT;
}

static int functions_find(struct session *s, struct argdump *a, struct argdump_request *r)
{
	struct probe_spec_error error = { 0 };
	int err = 0;

	if (!a->modules && !s->options.btf)
		/* on failure, modules are not searched */
		btf_modules_open(s->btf, NULL, &a->modules);
	err = function_list_find(&r->spec, s->btf, a->modules, &r->functions, &error);
	return err ? find_tell(r, &error, err) : names_check(s, r);
}

int function_list_resolve(struct session *s, struct argdump *a, struct argdump_request *request)
{
	struct sort sort = { .s = s, .a = a, .request = request, .first = a->probe_count };
	uint32_t none;
	int code = functions_find(s, a, request), err;

	if (code)
		return code;
	a->run.many |= request->functions.count > 1;
	err = expr_target_detect(s->btf, "", &sort.target, &none);
	if (a->both)
		expr_target_sessions(s->btf, &sort.target);
	if (!err) {
		sort.how = multi_mode_choose(s, a, request, &sort.target);
		err = functions_sort(&sort);
	}
	if (err == -ECANCELED) /* already printed */
		return EXIT_USAGE;
	if (err)
		return find_tell(request, NULL, err);
	left_out_tell(&sort);
	if (a->probe_count > sort.first)
		return EXIT_FINE;
	log_error("cannot trace %s: the expressions fit none of its functions", request->text);
	return EXIT_USAGE;
}
