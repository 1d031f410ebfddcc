/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * model.h - what is to be traced: probes, each with its expressions and its own options, and the options common to
 * all.
 *
 * The command line, files, recipes and notations fill it in the order of their words: an option belongs to the probe
 * before it, or to all if no probe has begun. If there is only one probe, all its options count as common. probe/ and
 * count/ read the model.
 *
 * Each text knows which bytes of the user's own text its bytes stand for, so that an error can point there.
 */
#ifndef CORETAP_MODEL_MODEL_H
#define CORETAP_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/options.h"
#include "expr/arena.h"
#include "util/buf.h"

/* Options of a probe or of all, in the order in which --save writes them. See option_spec.setting. */
enum model_setting {
	MODEL_NONE, /* another option: stored to be printed, but set elsewhere */
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
	MODEL_AND, /* begins another probe */
};

#define MODEL_BIT(setting_) (1u << (setting_))
enum {
	MODEL_PAIR = MODEL_BIT(MODEL_UNTIL) | MODEL_BIT(MODEL_ON) | MODEL_BIT(MODEL_FIRST) |
		     MODEL_BIT(MODEL_OPEN),
	MODEL_WINDOW = MODEL_BIT(MODEL_BEGIN_IF) | MODEL_BIT(MODEL_STOP_IF),
};

/* Bytes [at, at_end) of a text stand for bytes [start, end) of its source. */
struct model_place {
	size_t at, at_end, start, end;
};

struct model_text {
	const char *text; /* NULL: an option without an argument */
	char *cut;	  /* a copy to be cut into pieces (model_cut); only for options */
	/* What the user typed, and the places in it. NULL: the text itself. */
	const char *source;
	const struct model_place *places;
	size_t place_count;
	const char *file; /* of --load, where the text is in this line; or NULL */
	unsigned line;
};

struct model_option {
	const struct option_spec *spec;
	struct model_text text;
	bool is_spelled;     /* written by its name, although it has a letter */
	size_t exprs_before; /* how many of the probe's expressions precede it */
};

struct model_options {
	struct model_option *list; /* owned; in the order given */
	size_t count, room;
};

struct model_probe {
	unsigned number; /* from 1 on, in the order in which probes are traced */
	bool is_loaded;	 /* read from a file: such probes come before those of the command line */
	bool is_joined;	 /* begun by --and */
	struct model_text attach;
	struct model_text *exprs; /* owned */
	const char **texts;	  /* owned: the strings of exprs, filled by model_end */
	size_t expr_count, expr_room;
	struct model_options own;
};

struct model {
	struct model_options all;
	struct model_probe *probes; /* owned; in the order given */
	size_t count, room;
	bool has_begun; /* options and expressions belong to the last probe */
	unsigned given; /* MODEL_BIT of each setting that an option gives, of any probe */
	/* The file that is being read, or NULL, and the line in it. */
	const char *file;
	unsigned line;
	struct arena arena;
};

/* ---- filling it ---- */

/* Returns a text that the user typed. */
struct model_text model_typed(const char *text);
/* All functions copy the text, but not its source. They return 0 or -ENOMEM. */
int model_probe_add(struct model *m, struct model_text attach);
int model_expr_add(struct model *m, struct model_text expr);
/* Adds an option of the last probe or, if none has begun, of all. Returns NULL or the text of an error. */
const char *model_option_add(struct model *m, const struct option_spec *spec,
			     struct model_text text);
/* Marks the last option as given by its long name: it is written the same way. */
void model_option_spell(struct model *m);
/* Adds a word that is no option: the first one is a PROBE. `is_name`: if it follows an option, it may be that
 * option's name. */
int model_word_add(struct model *m, const char *word, bool is_name);
/* Begins a file, whose name must outlive the model: its probes come first. */
void model_load_begin(struct model *m, const char *file);
/* Ends filling and checks the model. Returns 0, -EINVAL after printing an error, or -ENOMEM. */
int model_end(struct model *m);
void model_free(struct model *m);

/* ---- reading it, after model_end ---- */

/* Returns the probe with that number, from 1 on. */
struct model_probe *model_probe_at(const struct model *m, unsigned number);
/* Returns the next option of this kind that holds for a probe: the common ones, then its own. `after` NULL: the
 * first. p NULL: common ones only. Returns NULL at the end. */
const struct model_option *model_next(const struct model *m, const struct model_probe *p,
				      enum model_setting setting, const struct model_option *after);
#define model_each(option_, m_, p_, setting_)                                                      \
	for (const struct model_option *option_ = NULL;                                            \
	     (option_ = model_next(m_, p_, setting_, option_));)
/* The same for one list. */
const struct model_option *model_options_next(const struct model_options *o,
					      enum model_setting setting,
					      const struct model_option *after);
/* Returns a copy of an option's text to be cut into pieces. Each call restores the text as it was given. */
char *model_cut(const struct model_option *o);
/* True if the common options or those of any probe contain this kind. */
bool model_has(const struct model *m, enum model_setting setting);
/* True, after printing an error, if an option that a probe may have once is given twice for it. */
bool model_is_twice(const struct model *m, enum model_setting setting);
/* True if an expression, or an option that holds one, contains the word. */
bool model_mentions(const struct model *m, const char *word);
/* The same of the common options and of those of one probe; NULL: none. */
bool model_mentions_for(const struct model *m, const struct model_probe *p, const char *word);

/* Finds, by its address, the model's text that contains `text`, or NULL. */
const struct model_text *model_text_of(const struct model *m, const char *text);
/* Prints a caret below bytes [start, end) of a text; `t` is its model_text_of and may be NULL. Shows what the user
 * typed for the narrowest place around these bytes, or the bytes themselves if both are the same; without a place,
 * shows the text. */
void model_caret(const struct model_text *t, const char *text, size_t start, size_t end);

/* ---- model_write.c ---- */

/* Writes an option as a file of probes has it. */
void model_option_write(struct buf *o, const struct model_option *option);
/* Writes everything that was added, in its order, as a command line. Call it before model_end. */
void model_command_write(struct buf *o, const struct model *m);
/* Writes the common options of the command line but those that look at the probes instead of running them. */
void model_typed_write(struct buf *o, const struct options *options);
/* Writes a probe with everything of its own; options by kind, in the order of enum model_setting. */
void model_probe_write(struct buf *o, const struct model_probe *p);

#endif
