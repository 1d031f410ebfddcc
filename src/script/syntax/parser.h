/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parser.h - shared by the files of the parser: lexemes, steps over them, and the rules of the grammar.
 *
 * Lexemes are read on demand, because attach points have their own rules. A state is never changed in place, so a
 * rule may look ahead without limit (syn_mark, syn_return). After an error all lexemes are LEX_END, which ends every
 * loop.
 */
#ifndef CORETAP_SCRIPT_SYNTAX_PARSER_H
#define CORETAP_SCRIPT_SYNTAX_PARSER_H

#include "script/inside.h"

enum {
	PARSE_TEXT_MAX = 256 << 10,
	PARSE_NESTING_MAX = 100, /* nested parentheses, blocks, prefix operators */
	PARSE_DEPTH_MAX = 400,	 /* depth of a tree: later stages recurse */
	MACRO_PARAMS_MAX = 16,
};

/* ---- lexemes ---- */

enum lex_kind {
	LEX_END,
	LEX_NAME,
	LEX_NUMBER,
	LEX_STRING,
	LEX_VAR,   /* $name */
	LEX_PARAM, /* $1: number; $#: number 0 */
	LEX_MAP,   /* @name, @ */
	LEX_PUNCT,
};

struct lex_define;

struct lexeme {
	enum lex_kind kind;
	struct span span;
	const char *text; /* as typed: `length` bytes */
	uint32_t length;
	uint32_t byte_count;
	uint64_t number;   /* NUMBER, PARAM */
	const char *bytes; /* STRING: `byte_count` bytes, then NUL. NAME, VAR, MAP: the name */
	const struct lex_hidden *hidden;
};

/* The #defines that produced a name: they do not replace it again. */
struct lex_hidden {
	const char *name;
	const struct lex_hidden *next;
};

/* Replacements of a name, read before the text continues. */
struct lex_pending {
	struct lexeme lexeme;
	const struct lex_pending *next;
};

/* A text that is read: the program, or an imported file. */
struct parse_source {
	const char *text, *end;
	const char *name; /* of an imported file; NULL: the program */
	struct span span; /* … location of its import */
	const struct parse_source *outer;
	const char *resume; /* in the outer text, after the import */
	int depth;
};

/* The parser's position. */
struct parse_place {
	const struct parse_source *source;
	const char *at; /* the next byte of the text */
	const struct lex_pending *pending;
	const struct lex_define *defines; /* newest first */
	const struct lex_group *groups;	  /* open #if groups */
	struct lexeme t;		  /* the next lexeme */
	const char *from;		  /* its start in the text */
	struct span last;		  /* of the previous lexeme … */
	const char *last_text;		  /* … and its text */
};

struct script_macro;
struct parse_imported;

struct parser {
	struct script_state *c;
	void (*directive)(
		struct parser
			/* directive_read: called while lexemes are read, and itself reads some */
			*p);
	struct parse_place in;
	int nesting;
	bool is_plain; /* disables replacement by #define */
	bool is_line;  /* reads a preprocessor line */
	bool has_config;
	bool reads_library;
	size_t replaced;     /* lexemes produced by #defines */
	size_t copies;	     /* nodes produced by macros */
	unsigned expansions; /* of macros */
	/* parameters of the current macro that stand for values */
	const char *params[MACRO_PARAMS_MAX];
	size_t param_count;
	struct script_macro *macros;
	unsigned library;	     /* a bit for each name of the library that the program uses */
	struct script_probe *probes; /* malloc'ed */
	size_t probe_count, probe_room;
	struct script_cdef **cdefs_end;
	struct parse_imported *imported;
};

/* Reads the next lexeme, from a replacement or the text. */
void lex_next(struct parser *p, struct lexeme *t);
/* The same without replacement. */
void lex_plain(struct parser *p, struct lexeme *t);
/* Reads the lexeme at in.at. */
void lex_text(struct parser *p, struct lexeme *t);
/* Skips blanks, comments and lines of the preprocessor. */
void lex_skip(struct parser *p);
/* The span of [from, to) in the source. */
struct span lex_span(const struct parser *p, const char *from, const char *to);
void lex_number(struct parser *p, struct lexeme *t);
void lex_string(struct parser *p, struct lexeme *t);
static inline bool lex_is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}
bool lexeme_is(const struct lexeme *t, const char *punct);
/* Prepends lexemes to `next`. */
const struct lex_pending *lex_pend(struct parser *p, const struct lexeme *t,
				   const struct lex_pending *next);

/* ---- preprocessor ---- */

/* Parses a line that begins with #, at in.at. Advances past it and past the text that it excludes. */
void directive_read(struct parser *p);
void directives_end(struct parser *p);
/* Adds `#define NAME …`; `line` holds the lexemes after the word define. */
void define_add(struct parser *p, const struct lex_pending *line);
void define_remove(struct parser *p, const struct lex_pending *line);
/* Defines the macros of every program. */
void constants_define(struct parser *p);
const struct lex_define *define_find(const struct parser *p, const char *name);
/* Replaces a name; the replacement is pending then. Returns false if the name stays. */
bool define_apply(struct parser *p, const struct lexeme *name);
char *syn_copy(struct parser *p, const char *text, size_t len);

/* ---- steps ---- */

/* Sets the error; in an imported file, also its location there. */
void syn_fail(struct parser *p, struct span where, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Reports "expected …, found …" at the next lexeme. */
void syn_expected(struct parser *p, const char *what);
/* True at the end and after an error, where every loop over lexemes ends. */
bool syn_ended(const struct parser *p);
void syn_advance(struct parser *p);
bool syn_is(const struct parser *p, const char *punct);
bool syn_is_word(const struct parser *p, const char *word);
/* Consumes the next lexeme if it is this one. */
bool syn_accept(struct parser *p, const char *punct);
bool syn_accept_word(struct parser *p, const char *word);
/* … or fails; `what` names the context: "after the condition". */
bool syn_expect(struct parser *p, const char *punct, const char *what);
/* Parses a name; returns NULL after an error. */
const char *syn_name(struct parser *p, const char *what);
struct parse_place syn_mark(const struct parser *p);
void syn_return(struct parser *p, const struct parse_place *to);
/* Like syn_advance, but a name is not replaced. */
void syn_advance_plain(struct parser *p);
/* True if the lexeme after the next one is this one. */
bool syn_then(struct parser *p, const char *punct);
/* Skips ( … ) with its contents. */
void syn_skip_parentheses(struct parser *p);
/* Enters a level of nesting; returns false if there are too many. Each call needs syn_leave. */
bool syn_enter(struct parser *p);
void syn_leave(struct parser *p);

/* ---- nodes ---- */

/* Returns a node from `start` to the last lexeme; NULL if out of memory. */
struct script_expr *expr_new(struct parser *p, enum script_expr_kind kind, uint32_t start);
/* Sets the depth; returns false if it is too deep. */
bool expr_measure(struct parser *p, struct script_expr *e);
bool stmt_measure(struct parser *p, struct script_stmt *s);
/* Ends the node at the last lexeme and sets its depth; returns NULL if it is too deep. */
struct script_expr *expr_close(struct parser *p, struct script_expr *e);
struct script_stmt *stmt_new(struct parser *p, enum script_stmt_kind kind, uint32_t start);
struct script_stmt *stmt_close(struct parser *p, struct script_stmt *s);

/* Adds a map; returns NULL after an error if it is already declared. */
struct script_map *syn_map_add(struct parser *p, const char *name, struct span span);

/* A growing list. */
struct expr_list {
	struct script_expr **items;
	const char **names;
	size_t count, room;
};
bool expr_list_add(struct parser *p, struct expr_list *l, struct script_expr *e, const char *name);
/* Parses expr [, expr]… `close` and consumes `close`. */
bool expr_list_parse(struct parser *p, struct expr_list *l, const char *close);

/* ---- rules ---- */

struct script_expr *syn_expression(struct parser *p);
struct script_expr *syn_unary(struct parser *p);
struct script_expr *syn_primary(struct parser *p);
/* Parses suffixes of a value: .name ->name .0 [index] ++ -- */
struct script_expr *syn_suffixes(struct parser *p, struct script_expr *value);
/* Parses the rest of an expression whose first value is already parsed. */
struct script_expr *syn_rest(struct parser *p, struct script_expr *value);
/* Parses '(' …: a cast, a tuple, a record, or an expression. */
struct script_expr *syn_paren(struct parser *p);
/* Parses if … and its blocks. */
struct script_expr *syn_if(struct parser *p);
/* Parses { … }; its value is `a`, if it has one. */
struct script_expr *syn_block(struct parser *p);
/* Parses { … } without a value: returns the first statement; *span covers the whole. */
struct script_stmt *syn_body(struct parser *p, struct span *span);

/* True at a type that cannot be a value: uint64, struct. */
bool type_is_sure(struct parser *p);
/* True at a parameter of the macro whose body is being parsed. */
bool syn_is_param(const struct parser *p);
/* Skips a type; returns false if there is none, or a name that is a value. */
bool type_skip(struct parser *p);
/* True at a type that ends at ) or at a comma. */
bool type_is_next(struct parser *p);
bool type_qualifier_accept(struct parser *p);
/* Parses the words of a type, without stars and brackets. */
const char *syn_type_words(struct parser *p);
struct script_type_name *syn_type(struct parser *p);

/* Parses the arguments of emit(), after its parenthesis; returns false after an error. */
bool syn_columns(struct parser *p, struct script_expr *e);

void syn_probe(struct parser *p);
void syn_config(struct parser *p);
void syn_map_declaration(struct parser *p);
/* owner.c: parses the name of an owner; returns false after an error. */
bool syn_owner(struct parser *p, struct script_map *m);
/* Adds the probes that end owners, after all others. */
void owners_end(struct parser *p);
/* Switches to a file, then continues. `kind` is that of a script_import; `span` is the location of the import. */
void source_enter(struct parser *p, const char *path, int kind, struct span span);
/* Reads the files of --include in order. */
void includes_enter(struct parser *p);
void syn_import(struct parser *p);
/* Parses import "…" in a block; returns true if there is one. */
bool syn_import_here(struct parser *p);
void syn_macro(struct parser *p);
/* Notes a name of the program, which may be one of the library's macros. */
void library_note(struct parser *p, const char *name);
/* Returns the next text of macros that the program needs; *at starts as 0. */
const char *library_text(const struct parser *p, unsigned *at);
void syn_function(struct parser *p);
/* True at the definition of a C type. */
bool syn_is_cdef(struct parser *p);
/* Adds the definition to the program's types. */
void cdef_add(struct parser *p, struct script_cdef *def);
/* Parses a definition; returns false if there is none. */
bool syn_cdef(struct parser *p);
/* True if the second part of a probe of this kind (its name as typed) is a path. */
bool attach_has_path(const char *name, size_t length);
/* Parses one attach point of `length` bytes, with quotes and parameters. */
void attach_parse(struct parser *p, const char *text, size_t length, struct script_attach *a);
enum { ATTACH_KINDS_MAX = 16 };
/* If the kind is a pattern (the point then has no text), adds an attach point for each matching kind and returns how
 * many. 0: no pattern, or an error. */
size_t attach_kinds(struct parser *p, const struct script_attach *pattern,
		    struct script_attach out[ATTACH_KINDS_MAX]);
/* Turns blocks and ifs whose value is not used into statements; fails where a value is needed and missing. */
void stmts_settle(struct parser *p, struct script_stmt *s);
void expr_settle(struct parser *p, struct script_expr *e);

/* Replaces the calls of macros in all probes. */
void macros_expand(struct parser *p);
/* Computes a constant expression; returns false with an error if it is not constant. Unknown words are 0 if
 * `words_are_zero`. */
bool constant_read(struct parser *p, const struct script_expr *e, bool words_are_zero,
		   int64_t *value);
/* Parses a constant expression without commas: the size of an array, the value of an enumerator. */
bool syn_constant(struct parser *p, int64_t *value);

#endif
