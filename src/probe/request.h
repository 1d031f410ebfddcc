/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * request.h - one PROBE with its expressions, as typed and as parsed.
 */
#ifndef CORETAP_PROBE_REQUEST_H
#define CORETAP_PROBE_REQUEST_H

#include "expr/expr.h"
#include "model/model.h"
#include "probe/legacy.h"
#include "probe/pair.h"
#include "probe/probe_spec.h"
#include "probe/providers/function_list.h"

/* One PROBE and its expressions. */
struct argdump_request {
	const char *text; /* PROBE */
	/* owned: the text after choosing among | and ?; NULL: it had neither */
	char *chosen;
	/* the model's text that `text` was when it was added; NULL: not from a user */
	const struct model_text *typed;
	struct probe_spec spec;
	const char *const *exprs;
	size_t expr_count;
	/* the probe in the model that it was built from; NULL: not from a user */
	const struct model_probe *given;
	/* in the model's arena: those common to all, then its own */
	const char **conditions;
	size_t condition_count;
	const char *triggers
		/* conditions on which the recording begins and ends; NULL: not by this probe's calls */
		[EXPR_TRIGGERS];
	uint32_t within;	 /* bit mask: the sets of --in that are its own or common to all */
	size_t first_count;	 /* number of texts before the exprs */
	const char **with_first; /* owned: exprs preceded by the caller or other texts */
	unsigned
		/* the number of `given`, to which measures and keys belong; for probes that mark calls, their set */
		owner;
	/* a definition in the kernel's notation: numbers are shown as numbers */
	bool plain;
	/* if A? has no match, the request is removed: its text is then NULL */
	bool may_be_missing;
	bool has_caller;	   /* the first of them is the caller */
	bool first_alone;	   /* and no other expression was given */
	bool both;		   /* -r follows it, or applies to all probes */
	struct argdump_pair *pair; /* the pair that it is a side of; NULL: none */
	/* it is the end of that pair, with the expressions of the begin */
	bool is_end;
	struct argdump_legacy *old; /* owned: a definition in the kernel's notation; NULL: none */
	struct function_list functions; /* the functions that match its patterns or list */
	/* another request has the same text and has already reported what is left out */
	bool is_again;
	/* the names do not come from a user: functions that do not fit are left out */
	bool is_found;
};

/* Prints the caret of an error in bytes [start, end) of r->text. */
static inline void argdump_request_caret(const struct argdump_request *r, size_t start, size_t end)
{
	bool is_typed = r->typed && r->text == r->typed->text;

	model_caret(is_typed ? r->typed : NULL, r->text, start, end);
}

#endif
