/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * legacy.c - requests in the kernel's own notations: recognizes them, and looks up in the kernel which functions it
 * has. expr/legacy/legacy.c translates them.
 */
#include "probe/legacy.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attach/attach_error.h"
#include "probe/argdump.h"
#include "util/log.h"
#include "symbols/kernel/ksyms.h"
#include "expr/legacy/legacy.h"

struct argdump_legacy {
	char *definition; /* owned */
	bool joined;	  /* the definition is the whole request: no coretap expressions follow */
	struct legacy_probe *probe; /* owned */
	/* the caller expression of `probe`, if this kernel supports it */
	const char *caller;
	char *place;		 /* owned: FUNCTION+OFFSET, converted from an address */
	const char **exprs;	 /* owned */
	const char **conditions; /* owned */
	char **replaced;	 /* owned: conditions with the values of its names; end with NULL */
};

/* ---- which requests are definitions ---- */

static char *words_join(const char *const *words, size_t count)
{
	size_t size = 1;
	char *text, *at;

	for (size_t i = 0; i < count; i++)
		size += strlen(words[i]) + 1;
	text = at = calloc(size, 1);
	for (size_t i = 0; text && i < count; i++)
		at += sprintf(at, "%s%s", i ? " " : "", words[i]);
	return text;
}

int argdump_legacy_parse(struct argdump_request *request)
{
	size_t count = 1 + request->expr_count, taken;
	const char **words = calloc(count, sizeof(*words));
	struct argdump_legacy *old;

	if (!words)
		return -ENOMEM;
	words[0] = request->text;
	for (size_t i = 1; i < count; i++)
		words[i] = request->exprs[i - 1];
	taken = legacy_words(words, count);
	if (taken) {
		old = request->old = calloc(1, sizeof(*old));
		if (old) {
			old->definition = words_join(words, taken);
			old->joined = taken == count;
		}
	}
	free(words);
	return taken && (!request->old || !request->old->definition) ? -ENOMEM : 0;
}

bool argdump_legacy_clears(const struct argdump_legacy *old)
{
	return strchr("-:", old->definition[strspn(old->definition, " ")]);
}

const char *argdump_legacy_caller(const struct argdump_legacy *old)
{
	return old->caller;
}

/* ---- translation ---- */

static bool exists(const void *context, const char *function)
{
	return btf_view_func(context, function) != 0;
}

static int fail(const struct argdump_legacy *old, const struct expr_error *e)
{
	log_error("%s", e->message);
	log_caret(old->definition, e->start, e->end);
	if (e->hint[0])
		log_hint("%s", e->hint);
	return EXIT_USAGE;
}

static int fail_memory(void)
{
	log_error("out of memory");
	return EXIT_FAILED;
}

/* Converts a kernel address to FUNCTION+OFFSET. */
static int offset_find(struct argdump_legacy *old, struct argdump_request *request)
{
	int err = ksyms_load();
	const char *module, *name;
	uint64_t offset;

	if (err) {
		log_error("cannot find the function that contains address %s: %s", request->text,
			  ksyms_hint(err));
		return EXIT_CANNOT;
	}
	name = ksyms_name(strtoull(request->text, NULL, 0), &offset, &module);
	if (!name) {
		log_error("no kernel function is at address %s", request->text);
		return EXIT_USAGE;
	}
	if (asprintf(&old->place, offset ? "%s%s%s+0x%llx" : "%s%s%s", module ? module : "",
		     module ? ":" : "", name, (unsigned long long)offset) < 0)
		return fail_memory();
	request->text = old->place;
	return EXIT_FINE;
}

/* On older kernels return probes do not know the caller (expr/lower/lower.c). */
static int caller_choose(struct session *s, struct argdump_legacy *old)
{
	const char *probe = old->probe->probe;
	bool is_return = probe && strncmp(probe, "u:", 2) && strstr(probe, "%return");
	struct expr_target target = { .func_arg = true };
	uint32_t none;
	int err = is_return ? expr_target_detect(s->btf, "", &target, &none) : 0;

	if (err)
		return attach_explain(NULL, s->btf, err);
	if (probe && target.func_arg)
		old->caller = old->probe->caller;
	else if (probe && old->probe->caller)
		log_note("this kernel's return probes do not know the caller; -k shows it");
	return EXIT_FINE;
}

/* Builds the values that the definition records, followed by any coretap expressions. */
static int exprs_build(struct argdump_legacy *old, struct argdump_request *request)
{
	const struct legacy_probe *p = old->probe;
	size_t more = old->joined ? 0 : request->expr_count, count = 0;

	old->exprs = calloc(p->count + more + 1, sizeof(*old->exprs));
	if (!old->exprs)
		return fail_memory();
	for (size_t i = 0; i < p->count; i++)
		old->exprs[count++] = p->texts[i].text;
	for (size_t i = 0; i < more; i++)
		old->exprs[count++] = request->exprs[i];
	request->exprs = old->exprs;
	request->expr_count = count;
	return EXIT_FINE;
}

static void translation_print(struct session *s, const struct argdump_request *request)
{
	static const char same[] = "the same in coretap's words: argdump ";
	const struct legacy_probe *p = request->old->probe;
	char *exprs = words_join(request->exprs, request->expr_count), *whole = NULL;
	const char *words;

	for (size_t i = 0; i < p->note_count; i++)
		log_note("%s", p->notes[i]);
	if (p->condition && exprs &&
	    asprintf(&whole, "%s%s--if '%s'", exprs, *exprs ? " " : "", p->condition) < 0)
		whole = NULL;
	words = whole ?: exprs;
	if (request->text && words && (*words || !p->note_count)) {
		if (s->options.attach.dry_run)
			log_note("%s%s%s%s", same, request->text, *words ? " " : "", words);
		else
			log_debug(1, "%s%s%s%s", same, request->text, *words ? " " : "", words);
	}
	free(exprs);
	free(whole);
}

/* Sets the request's conditions: those that it has, with the values of the definition's names, and that of the definition
 * itself. */
static int conditions_set(struct argdump_legacy *old, struct argdump_request *request)
{
	size_t count = request->condition_count, replaced = 0;

	old->conditions = calloc(count + 1, sizeof(*old->conditions));
	old->replaced = calloc(count + 1, sizeof(*old->replaced));
	if (!old->conditions || !old->replaced)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		char *text = legacy_names_replace(old->probe, request->conditions[i]);

		old->conditions[i] = text ?: request->conditions[i];
		if (text)
			old->replaced[replaced++] = text;
	}
	if (old->probe->condition)
		old->conditions[count++] = old->probe->condition;
	request->conditions = old->conditions;
	request->condition_count = count;
	return 0;
}

int argdump_legacy_translate(struct session *s, struct argdump_request *request)
{
	struct argdump_legacy *old = request->old;
	struct expr_error error;
	int err = legacy_translate(old->definition, exists, s->btf, &old->probe, &error), code;

	if (err)
		return err == -EINVAL ? fail(old, &error) : fail_memory();
	request->text = old->probe->probe;
	request->plain = old->probe->count > 0;
	if (conditions_set(old, request))
		return fail_memory();
	code = exprs_build(old, request);
	if (!code)
		code = caller_choose(s, old);
	if (!code && request->text && isdigit((unsigned char)*request->text))
		code = offset_find(old, request);
	if (!code)
		translation_print(s, request);
	return code;
}

bool argdump_legacy_caret(const struct argdump_request *request, size_t text, size_t start,
			  size_t end)
{
	const struct argdump_legacy *old = request->old;

	text -= request->first_count;
	if (!old || !old->probe || text >= old->probe->count)
		return false;
	legacy_place_find(&old->probe->texts[text], &start, &end);
	log_caret(old->definition, start, end);
	return true;
}

void argdump_legacy_free(struct argdump_legacy *old)
{
	legacy_free(old->probe);
	free(old->definition);
	free(old->place);
	free(old->exprs);
	free(old->conditions);
	for (char **text = old->replaced; text && *text; text++)
		free(*text);
	free(old->replaced);
	free(old);
}
