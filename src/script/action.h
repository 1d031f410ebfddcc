/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * action.h - actions: what user space does when a record of a program arrives, and the layout of these records.
 */
#ifndef CORETAP_SCRIPT_ACTION_H
#define CORETAP_SCRIPT_ACTION_H

#include "script/type.h"

struct field_name;
struct format_rule;
struct script_expr;
struct script_map;
struct sock_layout;

enum script_action_kind {
	ACTION_PRINTF,
	ACTION_ERRORF,
	ACTION_WARNF,
	ACTION_PRINT,	  /* print(value): one argument */
	ACTION_PRINT_MAP, /* arguments: top, div; each is optional */
	/* print(@m[k]): key, value. Never emitted: print(@m[k]) prints the value */
	ACTION_PRINT_ENTRY,
	ACTION_CLEAR,
	ACTION_ZERO,
	ACTION_EXIT, /* argument: the exit code; optional */
	ACTION_TIME,
	ACTION_JOIN, /* argument: struct script_join, as a BUFFER of that size */
	ACTION_CAT,
	ACTION_SYSTEM,
	ACTION_DELETE_MISSED, /* delete() whose result is not used, of a missing key */
	ACTION_PACKET,	      /* skboutput(): text is the path; arguments: bytes, length, time */
	ACTION_UNWATCH,
	ACTION_ASSERT,	/* assert(): text is the message; the run ends with exit code 1 */
	ACTION_EMIT,	/* a row: `columns` */
	ACTION_FAILURE, /* -k: argument: a struct script_failure; text is the helper's name */
	ACTION_WARNING, /* of the program's run, as a division by 0: text is the message */
};

enum { SCRIPT_JOIN_MAX = 16, SCRIPT_JOIN_ROOM = 1024 };
struct script_join {
	uint32_t count, pad;
	char words[SCRIPT_JOIN_MAX][SCRIPT_JOIN_ROOM];
};

struct script_arg {
	struct script_type type;
	uint32_t offset;		/* offset in the record; a multiple of 8 */
	bool is_literal;		/* a literal of the program's text: not in the record … */
	const struct script_expr *expr; /* … but here: is_constant */
};

/* A column of emit(). The argument with the same index is its value. */
struct script_column {
	const char *name;
	const struct format_rule *rule; /* expr/resolve/format.h; NULL: by its type */
	const struct field_name *names; /* of flags, in this kernel */
	const struct sock_layout *sock; /* of the bytes of a socket */
	uint32_t count;			/* of an array of numbers, as bytes; 0: it is none … */
	bool is_signed;			/* … whose sign its type gives */
	bool has_nothing;		/* the value may be `nothing` */
	bool is_key;			/* it is $kv.0, the key of an entry, or a part of that */
};

struct script_action {
	enum script_action_kind kind;
	unsigned number; /* index in script.actions */
	struct span span;
	const struct script_expr *call;
	const char *text; /* the format; JOIN: the separator; escapes are resolved */
	const struct script_map *map;
	struct script_arg *args;
	size_t arg_count;
	const struct script_column *columns; /* EMIT: one for each argument */
	uint32_t size;			     /* bytes of the record */
};

/* The header of each record. */
struct script_record {
	uint32_t action; /* number */
	uint32_t point;	 /* index of the probe point, in script_names */
};

/* A helper failed: memory could not be read, or a key was missing. The value is 0. */
struct script_failure {
	struct script_record head;
	int64_t result; /* -errno; 0 for a map */
};

/* A program that cannot walk a map itself asks the process that runs it for keys, and is run again with the answer. */
enum { SCRIPT_WALKS_MAX = 16 };
struct script_walk {
	uint32_t
		/* where the program resumes: from 1, at most SCRIPT_WALKS_MAX; 0: at its start */
		resume;
	enum script_walk_request {
		SCRIPT_WALK_NONE,  /* the program has ended */
		SCRIPT_WALK_FIRST, /* asks for the map's first key … */
		SCRIPT_WALK_NEXT,  /* … for the next key of the walk to resume … */
		SCRIPT_WALK_COUNT, /* … or for the number of keys */
	} request;
	uint32_t map, pad; /* number of the map */
	uint64_t answer;   /* the count; or 1 if `key` is set, 0 after the last key */
	char key[];
};
static inline uint32_t script_walk_size(uint32_t key)
{
	return (sizeof(struct script_walk) + key + 7) & ~7u;
}

#endif
