/* SPDX-License-Identifier: GPL-2.0-only */
/* terminal.h - what the terminal that reads a descriptor can show: how many columns, and colors. */
#ifndef CORETAP_UTIL_TERMINAL_H
#define CORETAP_UTIL_TERMINAL_H

#include "util/buf.h"

enum color_when { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
extern int terminal_color_when; /* --color: enum color_when */

enum style {
	STYLE_NONE,
	STYLE_TITLE,   /* of columns */
	STYLE_TASK,    /* the name of a process */
	STYLE_ERROR,   /* the error of a call, and of this program */
	STYLE_WARNING, /* also a value that could not be read */
};

/* True for a terminal with colors, unless $NO_COLOR is set (no-color.org); --color decides before both. */
bool terminal_has_colors(int fd);
/* Returns the columns of a line, which $COLUMNS overrides; 0: unknown, or no terminal. */
unsigned terminal_columns(int fd);
/* Asks for the columns again. Returns true if they have changed; never for a buffer without. */
bool terminal_resized(struct buf *o);
/* Sets per_line, columns and is_colored of a buffer for what reads its descriptor. */
void terminal_find(struct buf *o);

/* Text written between the two calls has the style, if o->is_colored. */
void style_begin(struct buf *o, enum style style);
void style_end(struct buf *o, enum style style);
void style_text(struct buf *o, enum style style, const char *text);
/* Writes the text as STYLE_TITLE, and the rest of the line as it is. */
void style_title(struct buf *o, const char *text, const char *rest);

#endif
