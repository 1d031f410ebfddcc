/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usdt.c - probes on the places of a USDT probe.
 *
 * A probe that the compiler has copied to several places may have its arguments elsewhere in each. So there is a
 * program for each set of locations; all write the same records, because an argument has the same type everywhere
 * (expr_site.many_places), and together they are one probe.
 *
 * A semaphore counts tracers: programs prepare arguments only while it is not 0. The kernel increments it as long as
 * a link is open (ref_ctr_offset).
 */
#include "probe/providers/providers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/usdt_arg.h"
#include "attach/attach_error.h"
#include "util/log.h"

/* One set of locations of the arguments. */
struct way {
	const char *note; /* points into the notes: invalid once all ways are known */
	struct usdt_arg args[USDT_ARGS_MAX];
	size_t count;
	struct expr_param params[USDT_ARGS_MAX];
	char texts[USDT_ARGS_MAX][USDT_ARG_TEXT + 48];
};

struct place {
	uint64_t offset, semaphore;
	size_t way;
};

struct usdt_source {
	struct user_file file;
	struct session *s;
	struct argdump *a;
	struct place *places; /* owned */
	size_t place_count;
	struct way *ways; /* owned */
	size_t way_count, arg_count;
	size_t way; /* the one to compile for */
};

static void source_free(void *source)
{
	struct usdt_source *u = source;

	free(u->places);
	free(u->ways);
	close(u->file.fd);
	free(u);
}

/* ---- arguments ---- */

/* Finds one type for all places: the word, unless they agree on another. */
static void type_join(const struct usdt_source *u, size_t arg, unsigned *size, bool *is_signed)
{
	*size = u->ways[0].args[arg].size;
	*is_signed = false;
	for (size_t i = 0; i < u->way_count; i++) {
		*is_signed |= u->ways[i].args[arg].is_signed;
		if (u->ways[i].args[arg].size != *size)
			*size = 8;
	}
}

/* Sets $arg1, for example to (long)(unsigned int)($reg(di)). */
static void param_set(struct way *w, size_t arg, unsigned size, bool is_signed)
{
	const struct usdt_arg *from = &w->args[arg];
	char text[USDT_ARG_TEXT];

	strcpy(text, from->text);
	snprintf(w->texts[arg], sizeof(w->texts[arg]), "(%s)(%s)(%s)", usdt_type(size, is_signed),
		 usdt_type(from->size, from->is_signed), text);
	w->params[arg] = (struct expr_param){
		.name = "",
		.type = from->note,
		.inner = w->texts[arg],
		.where = EXPR_PARAM_INNER,
		.size = size,
	};
}

/* If an argument cannot be read at one place, it is unavailable at all of them. */
static void unreadable_set(struct usdt_source *u, size_t arg)
{
	const struct way *bad = u->ways;

	while (bad < u->ways + u->way_count && bad->args[arg].text[0])
		bad++;
	for (size_t i = 0; bad < u->ways + u->way_count && i < u->way_count; i++)
		u->ways[i].params[arg] = (struct expr_param){ .name = "",
							      .type = bad->args[arg].note,
							      .where = EXPR_PARAM_INNER,
							      .is_hidden = true };
}

static void params_set(struct usdt_source *u)
{
	u->arg_count = u->ways[0].count;
	for (size_t i = 0; i < u->way_count; i++)
		if (u->ways[i].count < u->arg_count)
			u->arg_count = u->ways[i].count;
	for (size_t arg = 0; arg < u->arg_count; arg++) {
		bool is_signed;
		unsigned size;

		type_join(u, arg, &size, &is_signed);
		for (size_t i = 0; i < u->way_count; i++)
			param_set(&u->ways[i], arg, size, is_signed);
		unreadable_set(u, arg);
	}
}

static size_t way_find(struct usdt_source *u, const struct usdt *note)
{
	struct way *w = u->ways;

	for (; w < u->ways + u->way_count; w++)
		if (!strcmp(w->note, note->args))
			return w - u->ways;
	w->note = note->args;
	w->count = usdt_args_parse(ARCH_NATIVE, note->args, w->args);
	return u->way_count++;
}

static struct usdt_source *source_build(const struct usdt *notes, size_t count,
					const struct user_file *file)
{
	struct usdt_source *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	u->file = *file;
	u->file.fd = fcntl(file->fd, F_DUPFD_CLOEXEC, 0);
	snprintf(u->file.self, sizeof(u->file.self), "/proc/self/fd/%d", u->file.fd);
	u->places = calloc(count, sizeof(*u->places));
	u->ways = calloc(count, sizeof(*u->ways));
	if (!u->places || !u->ways || u->file.fd < 0) {
		source_free(u);
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		u->places[i] = (struct place){ notes[i].offset, notes[i].semaphore,
					       way_find(u, &notes[i]) };
	u->place_count = count;
	params_set(u);
	return u;
}

/* ---- which probes ---- */

static const struct probe_ops probe_ops_usdt;
enum { PLACES_MAX = 1000 }; /* places of one probe, each of which is attached separately */

static int probe_add(struct session *s, struct argdump *a, const struct argdump_request *request,
		     const struct user_file *file, const struct usdt *notes, size_t count)
{
	char name[sizeof(file->path) + 256];
	struct usdt_source *u;
	struct argdump_probe *p;
	uint32_t none;

	snprintf(name, sizeof(name), "%s:%s:%s", file->path, notes->provider, notes->name);
	if (count > PLACES_MAX) {
		log_error("cannot trace %s: it has %zu places; at most %d can be traced", name,
			  count, PLACES_MAX);
		return EXIT_CANNOT;
	}
	u = source_build(notes, count, file);
	p = u ? argdump_probe_add(a, request, name) : NULL;
	if (!p) {
		if (u)
			source_free(u);
		return attach_explain(NULL, s->btf, -ENOMEM);
	}
	u->s = s;
	u->a = a;
	p->source = u;
	p->source_free = source_free;
	p->kind = &probe_ops_usdt;
	log_debug(1, "%s: %zu places, %zu ways to its arguments", name, count, u->way_count);
	return expr_target_detect(s->btf, "", &p->target, &none) ?
		       attach_explain(NULL, s->btf, -EBADMSG) :
		       EXIT_FINE;
}

static int return_refuse(const struct argdump *a, const struct argdump_request *request)
{
	log_error("cannot trace %s: a USDT probe has no return", request->text);
	log_hint(a->both ? "leave out -r" : "leave out %%return");
	return EXIT_USAGE;
}

int usdt_resolve(struct session *s, struct argdump *a, struct argdump_request *request,
		 const struct probe_spec_item *item)
{
	struct usdt_notes notes;
	struct user_file file;
	size_t found = 0;
	int code;

	if (a->both || request->spec.is_return)
		return return_refuse(a, request);
	code = usdt_open(s, item, &file, &notes);
	if (code)
		return code;
	for (size_t i = 0, count; i < notes.count && !code; i += count) {
		count = usdt_places(&notes, i);
		if (!usdt_matches(item, &notes.list[i]))
			continue;
		code = probe_add(s, a, request, &file, &notes.list[i], count);
		found++;
	}
	if (!code && !found)
		code = usdt_unknown_report(item, &file, &notes);
	usdt_free(&notes);
	close(file.fd);
	return code;
}

/* ---- attaching ---- */

static void usdt_prepare(struct argdump_probe *p, const struct argdump_variant *variant)
{
	const struct usdt_source *u = p->source;

	(void)variant;
	p->input.site.name = p->name;
	p->input.site.in_user = true;
	p->input.site.in_user32 = u->file.is_32;
	p->input.site.many_places = u->way_count > 1;
	p->input.site.params = u->ways[u->way].params;
	p->input.site.param_count = u->arg_count;
}

static bool is_alike(const struct expr_program *a, const struct expr_program *b)
{
	const struct schema *x = expr_schema(a), *y = expr_schema(b);
	bool alike = x->count == y->count && expr_record_size(a) == expr_record_size(b);

	for (size_t i = 0; i < x->count && alike; i++)
		alike = x->fields[i].offset == y->fields[i].offset &&
			x->fields[i].size == y->fields[i].size &&
			x->fields[i].type == y->fields[i].type &&
			x->fields[i].status == y->fields[i].status;
	return alike;
}

static int image_load(struct argdump_probe *p, const struct argdump_variant *variant,
		      const struct program_image *image, char *log, size_t log_size)
{
	struct attach_target t = { 0 };

	return fdset_add(&p->fds.programs,
			 prog_load(image->insns, image->count, variant->method, &t, log, log_size));
}

/* Compiles for another way; the programs compiled before stay valid. */
static int way_compile(struct argdump_probe *p, const struct argdump_variant *variant, size_t way,
		       struct expr_program **expr)
{
	struct expr_program *first = p->expr;
	struct usdt_source *u = p->source;
	struct expr_error error;
	int err;

	p->expr = NULL;
	u->way = way;
	err = argdump_probe_compile(u->s, u->a, p, variant, &error);
	u->way = 0;
	*expr = p->expr;
	p->expr = first;
	p->attempt.variant = variant;
	usdt_prepare(p, variant);
	if (err == -EINVAL || err == -EOPNOTSUPP)
		log_debug(1, "%s, way %zu: %s", p->name, way, error.message);
	return err ?: is_alike(first, *expr) ? 0 : -EINVAL;
}

static int way_load(struct argdump_probe *p, const struct argdump_variant *variant, size_t way,
		    char *log, size_t log_size)
{
	static const struct program_facts none[2];
	const struct usdt_source *u = p->source;
	struct expr_program *expr;
	struct program_image image;
	int err = way_compile(p, variant, way, &expr);

	if (!err)
		err = program_image_build(&image, expr, &u->a->maps, pair_maps(p), none);
	if (!err) {
		err = image_load(p, variant, &image, log, log_size);
		program_image_free(&image);
	}
	expr_free(expr);
	return err;
}

static int usdt_load(struct argdump_probe *p, const struct argdump_variant *variant, char *log,
		     size_t log_size)
{
	const struct usdt_source *u = p->source;
	int err = image_load(p, variant, &p->attempt.image, log, log_size);

	for (size_t i = 1; i < u->way_count && !err; i++)
		err = way_load(p, variant, i, log, log_size);
	return err;
}

static void usdt_target_set(const struct usdt_source *u, const struct place *place,
			    struct attach_target *t)
{
	*t = (struct attach_target){ .path = u->file.self,
				     .offset = place->offset,
				     .semaphore = place->semaphore };
}

static void usdt_target(const struct argdump_probe *p, const struct argdump_variant *variant,
			struct attach_target *t)
{
	const struct usdt_source *u = p->source;

	(void)variant;
	usdt_target_set(u, u->places, t);
}

static int usdt_attach(struct argdump_probe *p, const struct argdump_variant *variant)
{
	const struct usdt_source *u = p->source;
	struct attach_target t;
	int err = 0;

	for (size_t i = 0; i < u->place_count && !err; i++) {
		usdt_target_set(u, &u->places[i], &t);
		err = fdset_add(&p->fds.links, attach_link(variant->method, &t,
							   p->fds.programs.fds[u->places[i].way]));
	}
	return err;
}

static int usdt_explain(struct session *s, struct argdump_probe *p, int err)
{
	(void)s;
	if (err != -EINVAL)
		return attach_explain_user(p->name, err);
	log_error("cannot trace %s: no instruction begins where its notes say", p->name);
	return EXIT_USAGE;
}

static const struct argdump_variant variants[] = {
	ARGDUMP_VARIANT(UPROBE, KPROBE, true, true),
	ARGDUMP_VARIANT(UPROBE, KPROBE, false, true),
};

static const struct probe_ops probe_ops_usdt = {
	.variants = variants,
	.variant_count = sizeof(variants) / sizeof(variants[0]),
	.prepare = usdt_prepare,
	.target = usdt_target,
	.load = usdt_load,
	.attach = usdt_attach,
	.explain = usdt_explain,
};
