/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parser.h - what the files of the parser share: lexemes, steps over them, and the rules of the grammar.
 *
 * Lexemes are read as they are needed, because attach points have rules of their own. Nothing of a state is changed in
 * place, so a rule may look ahead as far as it likes (syn_mark, syn_return). After an error all lexemes are LEX_END,
 * which ends every loop.
 */
#ifndef CORETAP_SCRIPT_SYNTAX_PARSER_H
#define CORETAP_SCRIPT_SYNTAX_PARSER_H

#include "script/inside.h"

enum {
	PARSE_TEXT_MAX = 256 << 10,
	PARSE_NESTING_MAX = 100, /* parentheses, blocks, operators before a value */
	PARSE_DEPTH_MAX = 400,	 /* of a tree: later stages recurse */
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
	const char *bytes; /* STRING: `byte_count` of them, then NUL. NAME, VAR, MAP: the name */
	const struct lex_hidden *hidden;
};

/* The #defines whose replacements a name is from: they do not replace it again. */
struct lex_hidden {
	const char *name;
	const struct lex_hidden *next;
};

/* Lexemes that replace a name: read before the text goes on. */
struct lex_pending {
	struct lexeme lexeme;
	const struct lex_pending *next;
};

/* A text: the program, or what it imports. */
struct parse_source {
	const char *text, *end;
	const char *name; /* of an imported file; NULL: the program */
	struct span span; /* … of its import */
	const struct parse_source *outer;
	const char *resume; /* in the outer text, behind the import */
	int depth;
};

/* Where the parser is. */
struct parse_place {
	const struct parse_source *source;
	const char *at; /* the next byte of the text */
	const struct lex_pending *pending;
	const struct lex_define *defines; /* the last first */
	const struct lex_group *groups;	  /* open #if */
	struct lexeme t;		  /* the next lexeme */
	const char *from;		  /* where it begins in the text */
	struct span last;		  /* of the lexeme before it … */
	const char *last_text;		  /* … and its text */
};

struct script_macro;
struct parse_imported;

struct parser {
	struct script_state *c;
	void (*directive)(
		struct parser
			*p); /* directive_read: reading lexemes may need it, and it reads some */
	struct parse_place in;
	int nesting;
	bool is_plain; /* #define replaces nothing */
	bool is_line;  /* reads a line of the preprocessor */
	bool has_config;
	bool reads_library;
	size_t replaced;		      /* lexemes that #defines made */
	size_t copies;			      /* nodes that macros made */
	unsigned expansions;		      /* of macros */
	const char *params[MACRO_PARAMS_MAX]; /* names that stand for values in this macro */
	size_t param_count;
	struct script_macro *macros;
	unsigned library;	     /* a bit for each name of the library that the program has */
	struct script_probe *probes; /* by malloc */
	size_t probe_count, probe_room;
	struct script_cdef **cdefs_end;
	struct parse_imported *imported;
};

/* Reads the next lexeme: of a replacement, or of the text. */
void lex_next(struct parser *p, struct lexeme *t);
/* The same with nothing replaced. */
void lex_plain(struct parser *p, struct lexeme *t);
/* The one that begins at in.at. */
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
/* A list of lexemes in front of `next`. */
const struct lex_pending *lex_pend(struct parser *p, const struct lexeme *t,
				   const struct lex_pending *next);

/* ---- preprocessor ---- */

/* A line that begins with #, at in.at; moves behind it, and what it leaves out. */
void directive_read(struct parser *p);
void directives_end(struct parser *p);
/* Adds `#define NAME …`, the lexemes behind the word define. */
void define_add(struct parser *p, const struct lex_pending *line);
void define_remove(struct parser *p, const struct lex_pending *line);
/* Defines what every program has. */
void constants_define(struct parser *p);
const struct lex_define *define_find(const struct parser *p, const char *name);
/* Replaces a name; false if it stays. Otherwise its replacement is pending. */
bool define_apply(struct parser *p, const struct lexeme *name);
char *syn_copy(struct parser *p, const char *text, size_t len);

/* ---- steps ---- */

/* Sets the error, with the place in an imported file, if it is in one. */
void syn_fail(struct parser *p, struct span where, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* "expected …, found …" at the next lexeme. */
void syn_expected(struct parser *p, const char *what);
/* True at the end, and after an error: every loop over lexemes ends then. */
bool syn_ended(const struct parser *p);
void syn_advance(struct parser *p);
bool syn_is(const struct parser *p, const char *punct);
bool syn_is_word(const struct parser *p, const char *word);
/* Consumes the next lexeme if it is this one. */
bool syn_accept(struct parser *p, const char *punct);
bool syn_accept_word(struct parser *p, const char *word);
/* … or fails; `what` says what it belongs to: "after the condition". */
bool syn_expect(struct parser *p, const char *punct, const char *what);
/* A name, or NULL with an error. */
const char *syn_name(struct parser *p, const char *what);
struct parse_place syn_mark(const struct parser *p);
void syn_return(struct parser *p, const struct parse_place *to);
/* As syn_advance, but a name there is not replaced. */
void syn_advance_plain(struct parser *p);
/* True if the lexeme after the next is this one. */
bool syn_then(struct parser *p, const char *punct);
/* Moves behind ( … ) with all that is in it. */
void syn_skip_parentheses(struct parser *p);
/* Deeper by one; false if that is too deep. Each call needs syn_leave. */
bool syn_enter(struct parser *p);
void syn_leave(struct parser *p);

/* ---- nodes ---- */

/* From `start` to the last lexeme; NULL without memory. */
struct script_expr *expr_new(struct parser *p, enum script_expr_kind kind, uint32_t start);
/* Sets the depth; false if it is too deep. */
bool expr_measure(struct parser *p, struct script_expr *e);
bool stmt_measure(struct parser *p, struct script_stmt *s);
/* Ends the node at the last lexeme and measures it; NULL if it is too deep. */
struct script_expr *expr_close(struct parser *p, struct script_expr *e);
struct script_stmt *stmt_new(struct parser *p, enum script_stmt_kind kind, uint32_t start);
struct script_stmt *stmt_close(struct parser *p, struct script_stmt *s);

/* NULL after an error: it is declared already. */
struct script_map *syn_map_add(struct parser *p, const char *name, struct span span);

/* A list that grows. */
struct expr_list {
	struct script_expr **items;
	const char **names;
	size_t count, room;
};
bool expr_list_add(struct parser *p, struct expr_list *l, struct script_expr *e, const char *name);
/* expr [, expr]… `close`, which is consumed. */
bool expr_list_parse(struct parser *p, struct expr_list *l, const char *close);

/* ---- rules ---- */

struct script_expr *syn_expression(struct parser *p);
struct script_expr *syn_unary(struct parser *p);
struct script_expr *syn_primary(struct parser *p);
/* What is behind a value: .name ->name .0 [index] ++ -- */
struct script_expr *syn_suffixes(struct parser *p, struct script_expr *value);
/* The rest of an expression whose first value was parsed already. */
struct script_expr *syn_rest(struct parser *p, struct script_expr *value);
/* '(' …: a cast, a tuple, a record, or an expression. */
struct script_expr *syn_paren(struct parser *p);
/* if …, with its blocks. */
struct script_expr *syn_if(struct parser *p);
/* { … }; its value is `a`, if it has one. */
struct script_expr *syn_block(struct parser *p);
/* { … } without a value: the first statement; *span is that of the whole. */
struct script_stmt *syn_body(struct parser *p, struct span *span);

/* A type begins here that cannot be a value: uint64, struct. */
bool type_is_sure(struct parser *p);
/* True at a parameter of the macro whose body is read. */
bool syn_is_param(const struct parser *p);
/* Moves behind a type; false if none is here, or a name that is a value. */
bool type_skip(struct parser *p);
/* True if a type is here and ends at ) or at a comma. */
bool type_is_next(struct parser *p);
bool type_qualifier_accept(struct parser *p);
/* The words of a type, without stars and brackets. */
const char *syn_type_words(struct parser *p);
struct script_type_name *syn_type(struct parser *p);

/* The arguments of emit(), behind its parenthesis; false after an error. */
bool syn_columns(struct parser *p, struct script_expr *e);

void syn_probe(struct parser *p);
void syn_config(struct parser *p);
void syn_map_declaration(struct parser *p);
/* owner.c: the name of an owner; false after an error. */
bool syn_owner(struct parser *p, struct script_map *m);
/* Adds the probes that end owners, behind all others. */
void owners_end(struct parser *p);
/* Reads a file next, and then goes on; `kind` is that of a script_import, `span` where it is named. */
void source_enter(struct parser *p, const char *path, int kind, struct span span);
/* Those of --include, in their order. */
void includes_enter(struct parser *p);
void syn_import(struct parser *p);
/* import "…"; in a block: true if it is one. */
bool syn_import_here(struct parser *p);
void syn_macro(struct parser *p);
/* The program has this name, which may be one of the library's macros. */
void library_note(struct parser *p, const char *name);
/* The next text of macros that the program needs; *at is 0 at first. */
const char *library_text(const struct parser *p, unsigned *at);
void syn_function(struct parser *p);
/* True if the definition of a C type begins here. */
bool syn_is_cdef(struct parser *p);
/* Adds it to the program's types. */
void cdef_keep(struct parser *p, struct script_cdef *def);
/* Parses one; false if there is none. */
bool syn_cdef(struct parser *p);
/* True if the second part of a probe of this kind, by its name as typed, is the path of a file. */
bool attach_has_path(const char *name, size_t length);
/* One attach point of `length` bytes, with quotes and parameters. */
void attach_parse(struct parser *p, const char *text, size_t length, struct script_attach *a);
enum { ATTACH_KINDS_MAX = 16 };
/* If its kind is a pattern (then it has no text): an attach point for each kind; returns how many. 0: it is no pattern, or an
 * error. */
size_t attach_kinds(struct parser *p, const struct script_attach *pattern,
		    struct script_attach out[ATTACH_KINDS_MAX]);
/* Makes statements of blocks and ifs whose value nobody needs; fails where one is needed and missing. */
void stmts_settle(struct parser *p, struct script_stmt *s);
void expr_settle(struct parser *p, struct script_expr *e);

/* Replaces the calls of macros in all probes. */
void macros_expand(struct parser *p);
/* The value of a constant expression; false with an error if it has none. Unknown words are 0 if `words_are_zero`. */
bool constant_read(struct parser *p, const struct script_expr *e, bool words_are_zero,
		   int64_t *value);
/* Reads a constant expression without commas: the size of an array, the value of an enumerator. */
bool syn_constant(struct parser *p, int64_t *value);

#endif
