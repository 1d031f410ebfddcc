/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * request_build.c - from the model to requests: parses each PROBE, and sets its conditions.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "packet/filter.h"
#include "probe/argdump.h"
#include "util/log.h"

static int request_parse(struct argdump_request *r)
{
	struct probe_spec_error e;
	int err = probe_spec_parse(r->text, &r->spec, &e);

	if (err != -EINVAL)
		return err;
	if (*r->text)
		log_error("cannot trace %s: %s", r->text, e.message);
	else
		log_error("%s", e.message);
	argdump_request_caret(r, e.start, e.end);
	if (e.hint[0])
		log_hint("%s", e.hint);
	return err;
}

/* True for a function's name, which is no definition in a notation of the kernel: these have signs, or begin with a
 * letter, or a letter and a number, that is a word of its own. */
static bool is_name(const char *text)
{
	static const char digits[] = "0123456789",
			  signs[] =
				  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

	return text && *text && !text[strspn(text, signs)] && text[1 + strspn(text + 1, digits)];
}

int argdump_request_add(struct argdump *a, const char *text, const char *const *exprs,
			size_t expr_count)
{
	struct argdump_request *requests, *r;
	int err;

	requests = realloc(a->requests, (a->request_count + 1) * sizeof(*requests));
	if (!requests)
		return -ENOMEM;
	a->requests = requests;
	r = &requests[a->request_count];
	*r = (struct argdump_request){ .owner = a->request_count + 1,
				       .text = text,
				       .typed = model_text_of(&a->model, text),
				       .exprs = exprs,
				       .expr_count = expr_count };
	/* other languages have no definitions */
	err = a->language || is_name(text) ? 0 : argdump_legacy_parse(r);
	if (!err && !r->old)
		err = request_parse(r);
	if (!err)
		a->request_count++;
	else if (r->old)
		argdump_legacy_free(r->old);
	return err;
}

/* ---- from the model to requests ---- */

static int packet_check(const struct model_option *o)
{
	const char *text = o->text.text;
	char error[FILTER_ERROR];
	size_t start, end;

	if (packet_filter(text, error))
		return 0;
	if (!*error)
		return -ENOMEM;
	packet_filter_place(error, text, strlen(text), &start, &end);
	log_error("cannot filter packets: %s", error);
	model_caret(&o->text, text, start, end);
	log_hint("%s", packet_filter_hint(error));
	return -EINVAL;
}

/* The filter of --packet as a condition. NULL: no memory. */
static const char *packet_condition(struct argdump *a, const char *filter)
{
	struct buf o;
	const char *text;

	buf_init(&o, -1);
	buf_str(&o, "pcap(\"");
	for (; *filter; filter++) {
		if (*filter == '"' || *filter == '\\')
			buf_char(&o, '\\');
		buf_char(&o, *filter);
	}
	buf_str(&o, "\")");
	text = o.error ? NULL : arena_text(&a->model.arena, o.data, o.len);
	buf_free(&o);
	return text;
}

static int packet_conditions_set(struct argdump *a, struct argdump_request *r)
{
	const struct model_option *o = NULL;
	int err = 0;

	while (!err && (o = model_next(&a->model, r->given, MODEL_PACKET, o))) {
		err = packet_check(o);
		if (err)
			return err;
		r->conditions[r->condition_count] = packet_condition(a, o->text.text);
		err = r->conditions[r->condition_count++] ? 0 : -ENOMEM;
	}
	return err;
}

static int conditions_set(struct argdump *a, struct argdump_request *r)
{
	size_t count = 0;

	model_each(o, &a->model, r->given, MODEL_IF) count++;
	model_each(o, &a->model, r->given, MODEL_PACKET) count++;
	r->conditions = arena_alloc(&a->model.arena, (count + 1) * sizeof(*r->conditions));
	if (!r->conditions)
		return -ENOMEM;
	model_each(o, &a->model, r->given, MODEL_IF)
		r->conditions[r->condition_count++] = o->text.text;
	return packet_conditions_set(a, r);
}

int argdump_requests_build(struct argdump *a)
{
	int err = model_end(&a->model);

	for (unsigned i = 1; i <= a->model.count && !err; i++) {
		const struct model_probe *p = model_probe_at(&a->model, i);

		err = argdump_request_add(a, p->attach.text, p->texts, p->expr_count);
		if (err)
			break;
		a->requests[a->request_count - 1].given = p;
		err = conditions_set(a, &a->requests[a->request_count - 1]);
	}
	a->both |= model_options_next(&a->model.all, MODEL_RETURN, NULL) != NULL;
	return err;
}

int argdump_request_translate(struct session *s, struct argdump_request *r)
{
	int code = argdump_legacy_translate(s, r);

	if (code || !r->text)
		return code;
	return request_parse(r) ? EXIT_USAGE : EXIT_FINE;
}
