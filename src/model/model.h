/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * model.h - what is to be traced: probes, each with its expressions and its own options, and the options of all.
 *
 * The command line, files, recipes and notations fill it in the order of their words: an option belongs to the probe
 * before it, or to all if none has begun. Of a single probe all options are everybody's. probe/ and count/ read it.
 *
 * Every text knows the bytes of what the user typed that its own bytes stand for, so an error has its place there.
 */
#ifndef CORETAP_MODEL_MODEL_H
#define CORETAP_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/options.h"
#include "expr/arena.h"
#include "util/buf.h"

/* Options of a probe, or of all; in the order in which --save writes them. option_spec.setting. */
enum model_setting {
	MODEL_NONE, /* another one: it is kept to be shown, and set elsewhere */
	MODEL_IF,
	MODEL_PACKET,
	MODEL_RETURN,
	MODEL_UNTIL,
	MODEL_ON,
	MODEL_FIRST,
	MODEL_OPEN,
	MODEL_IN,
	MODEL_BEGIN_IF,
	MODEL_STOP_IF,
	MODEL_MEASURE,
	MODEL_BY,
	MODEL_PRINT,
	MODEL_SETTINGS,
	MODEL_AND, /* it begins another probe */
};

/* Bytes [at, at_end) of a text stand for bytes [start, end) of its source. */
struct model_place {
	size_t at, at_end, start, end;
};

struct model_text {
	const char *text; /* NULL: an option without an argument */
	char *cut;	  /* a copy to be cut into pieces (model_cut); only of options */
	/* What the user typed, and the places there. NULL: the text itself. */
	const char *source;
	const struct model_place *places;
	size_t place_count;
};

struct model_option {
	const struct option_spec *spec;
	struct model_text text;
	bool is_spelled; /* by its name, though it has a letter */
	size_t behind;	 /* how many of the probe's expressions came before it */
};

struct model_options {
	struct model_option *list; /* owned; in the order given */
	size_t count, room;
};

struct model_probe {
	unsigned number; /* from 1 on, in the order in which they are traced */
	bool is_loaded;	 /* of a file, whose probes come before those of the command line */
	bool is_joined;	 /* by --and */
	struct model_text attach;
	struct model_text *exprs; /* owned */
	const char **texts;	  /* owned: the same as bare texts, by model_end */
	size_t expr_count, expr_room;
	struct model_options own;
};

struct model {
	struct model_options all;
	struct model_probe *probes; /* owned; in the order given */
	size_t count, room;
	bool has_begun,
		loads; /* options and expressions are the last probe's; it is a file that is read */
	struct arena arena;
};

/* ---- filling it ---- */

/* A text that the user typed. */
struct model_text model_typed(const char *text);
/* All functions copy the text, but not its source. 0 or -ENOMEM. */
int model_probe_add(struct model *m, struct model_text attach);
int model_expr_add(struct model *m, struct model_text expr);
/* Adds an option of the last probe or, if none has begun, of all. Returns NULL, or what is wrong with it. */
const char *model_option_add(struct model *m, const struct option_spec *spec,
			     struct model_text text);
/* The last option was given by its name: so it is written. */
void model_option_spell(struct model *m);
/* A word that is no option: the first is a PROBE. `is_name`: the option before it may be called so. */
int model_word_add(struct model *m, const char *word, bool is_name);
/* What follows is of a file: its probes come first. */
void model_load_begin(struct model *m);
/* All is there. Returns 0, -EINVAL after printing what is wrong, or -ENOMEM. */
int model_end(struct model *m);
void model_free(struct model *m);

/* ---- reading it, after model_end ---- */

/* The probe with that number, from 1 on. */
struct model_probe *model_probe_at(const struct model *m, unsigned number);
/* The next option of this kind that holds for a probe: those of all, then its own. `after` NULL: the first. A probe
 * NULL has those of all. NULL: no more. */
const struct model_option *model_next(const struct model *m, const struct model_probe *p,
				      enum model_setting setting, const struct model_option *after);
#define model_each(option_, m_, p_, setting_)                                                      \
	for (const struct model_option *option_ = NULL;                                            \
	     (option_ = model_next(m_, p_, setting_, option_));)
/* The same for one list. */
const struct model_option *model_options_next(const struct model_options *o,
					      enum model_setting setting,
					      const struct model_option *after);
/* A text of an option to be cut into pieces: its own bytes, each time as they were given. */
char *model_cut(const struct model_option *o);
/* True if all have such an option, or some probe. */
bool model_has(const struct model *m, enum model_setting setting);
/* True, after printing the error, if an option that a probe may have once is given twice for it. */
bool model_is_twice(const struct model *m, enum model_setting setting);
/* True if an expression or an option that holds one contains the word. */
bool model_mentions(const struct model *m, const char *word);

/* The text of the model's that this one is, or is a piece of, by its address. NULL: none. */
const struct model_text *model_text_of(const struct model *m, const char *text);
/* Prints the caret below bytes [start, end) of a text of which `t` is model_text_of: what the user typed for the narrowest
 * place around them, or just these bytes where both are the same; else the text itself. `t` may be NULL. */
void model_caret(const struct model_text *t, const char *text, size_t start, size_t end);

/* ---- model_write.c ---- */

/* As in a file of probes. */
void model_option_write(struct buf *o, const struct model_option *option);
/* All that was added, in its order, as a command line. Before model_end. */
void model_command_write(struct buf *o, const struct model *m);
/* A probe with all that is its own; options by kinds, in the order of enum model_setting. */
void model_probe_write(struct buf *o, const struct model_probe *p);

#endif
