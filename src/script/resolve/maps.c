/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * maps.c - infers the types of keys and values of maps, which grow as the program uses them.
 */
#include <string.h>

#include "script/resolve/resolve.h"

/* Requests that all points are resolved again. */
static void grew(struct resolve *r)
{
	r->grew = r->c->has_changed = true;
}

static struct script_map *map_named(const struct script *s, const char *name)
{
	for (size_t i = 0; i < s->map_count; i++) {
		if (!strcmp(s->maps[i]->name, name))
			return s->maps[i];
	}
	return NULL;
}

struct script_map *map_find(struct resolve *r, const struct script_expr *e)
{
	struct script *s = r->c->s;
	struct script_map *m = map_named(s, e->name);

	if (m)
		return m;
	m = alloc_lasting(r, sizeof(*m));
	if (!m)
		return NULL;
	*m = (struct script_map){ .name = e->name, .span = e->span, .number = s->map_count };
	m->entries = s->config.max_map_keys;
	script_append(r, (void ***)&s->maps, &s->map_count, &s->map_room, m);
	grew(r);
	return m;
}

/* ---- keys ---- */

static bool is_key(struct resolve *r, const struct script_expr *key)
{
	enum script_kind kind = key->type.kind;

	if (kind == SCRIPT_VOID || kind == SCRIPT_MODE || script_is_aggregate(&key->type))
		script_fail(r->c, key->span, "%s cannot be a key", type_text(r, &key->type));
	else
		return type_is_known(r, key);
	return false;
}

static void fail_keys(struct resolve *r, const struct script_map *m, const struct script_expr *key)
{
	script_fail(r->c, key->span, "the keys of @%s are %s, but this is %s", m->name,
		    type_text(r, &m->key), type_text(r, &key->type));
	script_hint(r->c, "all keys of a map have one type");
}

/* The first use of a map decides whether it has keys. */
static bool map_has_keys(struct resolve *r, struct script_map *m, struct span span, bool has_key)
{
	if (m->owner && !has_key) {
		script_fail(r->c, span, "@%s is owned by %s: its key must be the owner", m->name,
			    script_owner_name(m->owner));
		script_hint(r->c, "write @%s[key]", m->name);
		return false;
	}
	if (m->is_array && has_key) {
		script_fail(r->c, span, "@%s is declared as a percpuarray, which has no keys",
			    m->name);
		script_hint(r->c, "declare it as a percpuhash");
		return false;
	}
	if (m->key.kind != SCRIPT_NONE || m->has_key)
		m->is_used = m->has_key = true;
	if (!m->is_used) {
		m->is_used = true;
		m->has_key = has_key;
		grew(r);
	}
	if (m->has_key == has_key)
		return true;
	if (has_key) {
		script_fail(r->c, span, "@%s is used without a key elsewhere, but has a key here",
			    m->name);
		script_hint(r->c, "use another name for the map with keys");
	} else {
		script_fail(r->c, span, "@%s has keys elsewhere, but none here", m->name);
		script_hint(r->c, "write @%s[key]", m->name);
	}
	return false;
}

const char *pointed_struct(const struct script_type *t)
{
	struct script_type target = script_type_target(t);
	const struct btf_type *s = target.btf ? btf_view_stripped(target.btf, target.c.id) : NULL;

	return t->kind == SCRIPT_POINTER && target.kind == SCRIPT_RECORD && s ?
		       btf_view_string(target.btf, s->name_off) :
		       "";
}

static bool is_number_of_namespace(const struct resolve *r, const struct script_expr *key)
{
	return r->in->run.filter.numbers.ns && !key->value &&
	       (key->func == FUNC_TID || key->func == FUNC_PID);
}

/* Checks that the key of a map with an owner is that owner. */
static bool check_owner(struct resolve *r, const struct script_map *m,
			const struct script_expr *key)
{
	static const char *const structs[] = { [OWNER_TASK] = "task_struct",
					       [OWNER_SK] = "sock",
					       [OWNER_SKB] = "sk_buff",
					       [OWNER_INODE] = "inode" };
	bool is_number = m->owner == OWNER_TID || m->owner == OWNER_PID;

	if (!m->owner)
		return true;
	if (is_number && key->type.kind == SCRIPT_INT) {
		if (!is_number_of_namespace(r, key))
			return true;
		script_fail(r->c, key->span,
			    "owners are identified by their numbers in the initial namespace");
		script_hint(r->c, "write %s(init)", func_name(key->func));
		return false;
	}
	if (!is_number && !strcmp(pointed_struct(&key->type), structs[m->owner]))
		return true;
	script_fail(r->c, key->span, "@%s is owned by %s: its key must be %s, but this is %s",
		    m->name, script_owner_name(m->owner), script_owner_key(m->owner),
		    type_text(r, &key->type));
	if (is_number)
		script_hint(r->c, "a pointer to a struct task_struct is owned_by(task)");
	else if (key->type.kind == SCRIPT_INT && m->owner == OWNER_TASK)
		script_hint(
			r->c,
			"a thread's number is owned_by(tid), a process's owned_by(pid); for an address write (%s)arg0",
			script_owner_key(m->owner));
	else
		script_hint(r->c, "use the owner alone, with its type: (%s)arg0",
			    script_owner_key(m->owner));
	return false;
}

void map_check_key(struct resolve *r, struct script_map *m, struct script_expr *key)
{
	if (!map_has_keys(r, m, key->span, true) || !is_key(r, key) || !check_owner(r, m, key))
		return;
	switch (type_grow(r, &m->key, &key->type, key)) {
	case GROWN: grew(r); break;
	case GROWN_NEVER: fail_keys(r, m, key); return;
	default: break;
	}
	if (key->kind == X_TUPLE && m->key.kind == SCRIPT_TUPLE && !key->names)
		key->type = m->key;
}

/* Checks @m[a, b]: a tuple as key, of which the tree has only the parts. */
static void check_keys(struct resolve *r, struct script_map *m, struct script_expr *e)
{
	struct script_expr key = { .kind = X_TUPLE, .span = e->span };
	struct script_part *parts = script_alloc(r->c, e->count * sizeof(*parts));

	if (!parts)
		return;
	key.span.start = e->items[0]->span.start;
	key.span.end = e->items[e->count - 1]->span.end;
	if (!map_has_keys(r, m, key.span, true))
		return;
	for (size_t i = 0; i < e->count; i++) {
		if (!is_key(r, e->items[i]))
			return;
		parts[i].type = type_stored(&e->items[i]->type);
	}
	script_tuple_layout(&key.type, parts, e->count);
	map_check_key(r, m, &key);
}

void map_resolve_key(struct resolve *r, struct script_expr *e)
{
	struct script_map *m = e->map = map_find(r, e);

	if (!m)
		return;
	infer_items(r, e);
	if (failed(r))
		return;
	if (!e->count)
		map_has_keys(r, m, e->span, false);
	else if (e->count == 1)
		map_check_key(r, m, e->items[0]);
	else
		check_keys(r, m, e);
	m->is_known = m->value.kind != SCRIPT_NONE && (!m->has_key || m->key.kind != SCRIPT_NONE);
}

/* ---- values ---- */

struct script_type map_value_read(const struct script_type *value)
{
	if (script_is_number_of_map(value))
		return script_int(8, value->kind == SCRIPT_COUNT || value->is_signed);
	return *value;
}

static void fail_values(struct resolve *r, const struct script_map *m,
			const struct script_type *type, struct span span)
{
	script_fail(r->c, span, "the values of @%s are %s, but this is %s", m->name,
		    type_text(r, &m->value), type_text(r, type));
	if (m->value.kind == type->kind && script_is_aggregate(type))
		script_hint(r->c, "all assignments to a map need the same buckets");
	else if (script_is_aggregate(&m->value) || script_is_aggregate(type))
		script_hint(r->c, "a map has one aggregate: use another name for this one");
	else
		script_hint(r->c, "the first assignment sets the type: use a cast or another name");
}

/* True if no program can read the counts of other processors: all processors share one value then. */
static bool is_shared(const struct resolve *r, const struct script_map *m)
{
	return m->is_read && script_is_aggregate(&m->value) && !r->c->world->has_lookup_per_cpu;
}

/* Notes that the program reads an aggregate as a number. */
void map_note_read(struct resolve *r, struct script_map *m)
{
	if (m->is_read || !script_is_number_of_map(&m->value))
		return;
	m->is_read = true;
	grew(r);
}

/* let @m = percpuhash(5) is only for aggregates. */
static void check_storage(struct resolve *r, const struct script_map *m, struct span span)
{
	bool is_per_cpu = m->storage == SCRIPT_PER_CPU || m->storage == SCRIPT_LRU_PER_CPU;

	if (!m->is_declared || m->owner || is_per_cpu == script_is_aggregate(&m->value) ||
	    is_shared(r, m))
		return;
	script_fail(r->c, span, "@%s is declared as a map %s, but this is %s", m->name,
		    is_per_cpu ? "of per-CPU aggregates" : "of plain values",
		    type_text(r, &m->value));
	script_hint(r->c, "%s",
		    is_per_cpu ? "declare it as a hash or lruhash" :
				 "declare it as a percpuhash or percpulruhash");
}

static enum script_storage storage_of(const struct resolve *r, const struct script_map *m)
{
	bool is_lru = m->storage == SCRIPT_LRU_HASH || m->storage == SCRIPT_LRU_PER_CPU;

	if (script_is_aggregate(&m->value) && !is_shared(r, m))
		return is_lru ? SCRIPT_LRU_PER_CPU : SCRIPT_PER_CPU;
	return is_lru ? SCRIPT_LRU_HASH : SCRIPT_HASH;
}

void map_grow(struct resolve *r, struct script_map *m, const struct script_type *type,
	      const struct script_expr *value, struct span span)
{
	switch (type_grow(r, &m->value, type, value)) {
	case GROWN: grew(r); break;
	case GROWN_NEVER: fail_values(r, m, type, span); return;
	default: break;
	}
	check_storage(r, m, span);
	m->storage = storage_of(r, m);
	m->is_known = m->value.kind != SCRIPT_NONE && (!m->has_key || m->key.kind != SCRIPT_NONE);
}

static bool is_value(struct resolve *r, const struct script_map *m, const struct script_expr *value)
{
	enum script_kind kind = value->type.kind;

	if (kind == SCRIPT_VOID || kind == SCRIPT_MODE)
		script_fail(r->c, value->span, "@%s needs a value, but this has none", m->name);
	else
		return type_is_known(r, value);
	return false;
}

void map_assign(struct resolve *r, struct script_expr *target, const struct script_expr *value)
{
	struct script_map *m = target->map;

	if (!is_value(r, m, value))
		return;
	map_grow(r, m, &value->type, value, value->span);
	target->type = map_value_read(&m->value);
}

/* ---- reads ---- */

static void check_assigned(struct resolve *r, const struct script_map *m, struct span span)
{
	if (m->value.kind != SCRIPT_NONE || !r->c->is_final)
		return;
	script_fail(r->c, span, "@%s is never assigned", m->name);
	script_hint(r->c, "assign it somewhere, to give it a type: @%s = …", m->name);
}

/* @m[1] of a map without keys whose value has elements: changes the tree to (@m)[1]. */
static bool is_element(struct resolve *r, struct script_expr *e)
{
	struct script_map *m = map_named(r->c->s, e->name);
	enum script_kind kind = m ? m->value.kind : SCRIPT_NONE;
	struct script_expr *value;

	if (!m || !m->is_used || m->has_key || e->count != 1 ||
	    (kind != SCRIPT_ARRAY && kind != SCRIPT_TUPLE && kind != SCRIPT_STRING))
		return false;
	value = alloc_lasting(r, sizeof(*value));
	if (!value)
		return false;
	value->kind = X_MAP;
	value->name = e->name;
	value->span = e->name_span.end ? e->name_span : e->span;
	e->kind = X_INDEX;
	e->a = value;
	e->b = e->items[0];
	e->count = 0;
	return true;
}

void infer_map(struct resolve *r, struct script_expr *e)
{
	if (!e->map && is_element(r, e)) {
		infer_index(r, e);
		return;
	}
	if (!e->map)
		map_resolve_key(r, e);
	if (failed(r))
		return;
	check_assigned(r, e->map, e->span);
	map_note_read(r, e->map);
	e->type = map_value_read(&e->map->value);
	if (script_is_aggregate(&e->type)) {
		script_fail(r->c, e->span, "a value of %s cannot be read",
			    type_text(r, &e->map->value));
		script_hint(r->c, "print the whole map: print(@%s)", e->map->name);
	}
}

struct script_map *map_itself(struct resolve *r, struct script_expr *e, const char *func)
{
	if (e->kind != X_MAP) {
		script_fail(r->c, e->span, "%s needs a map, as @name", func);
		return NULL;
	}
	if (e->count) {
		script_fail(r->c, e->span, "%s needs the whole map: @%s", func, e->name);
		return NULL;
	}
	e->map = map_find(r, e);
	e->type = (struct script_type){ .kind = SCRIPT_VOID };
	if (e->map)
		check_assigned(r, e->map, e->span);
	return failed(r) ? NULL : e->map;
}
