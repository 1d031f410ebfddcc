/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list_params.h - the parameters of a function or an event, as text and as JSON.
 */
#ifndef CORETAP_INSPECT_LIST_PARAMS_H
#define CORETAP_INSPECT_LIST_PARAMS_H

#include "btf/btf.h"
#include "util/buf.h"

enum { LIST_DECLARED_MAX = 640 }; /* bytes */

/* Where the parameters are known from. Neither is set: they are unknown. */
struct list_params {
	const struct btf_view *btf;
	const struct btf_type *proto; /* leaves out the first `skip` */
	unsigned skip;
	char *format; /* or a format file of tracefs */
};
static inline bool list_params_known(const struct list_params *p)
{
	return p->format || p->proto;
}
/* (int a, char *b); (?) */
void list_params_put(struct buf *o, const struct list_params *p);
/* The same without parentheses; they must be known. */
void list_params_items(struct buf *o, const struct list_params *p, bool json);
/* The parameters of a function's prototype, without parentheses and without the first `skip`. */
void list_params(const struct btf_view *btf, const struct btf_type *proto, unsigned skip, bool json,
		 struct buf *o);
/* The fields of an event's format file, without those that the tracer adds. */
void list_fields(const char *format, bool json, struct buf *o);

#endif
