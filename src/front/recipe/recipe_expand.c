/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recipe_expand.c - replaces abbreviations and arguments in one word of a recipe.
 *
 * An abbreviation stands for a whole operand, so it is put in parentheses. If it is the whole value, it also becomes
 * the value's name, and its format applies: with `disk = EXPR:str` the word disk is disk=EXPR:str, and disk == "sda"
 * is (EXPR) == "sda".
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "front/recipe/recipe.h"

enum { NESTED_MAX = 16 };

struct expand {
	struct recipe *r;
	enum recipe_word kind;
	const struct recipe_option *from;
	unsigned line;
	struct buf out;
	const char *word, *at; /* at: the current position */
	unsigned ternary;      /* ? still without their : */
	const char *otherwise; /* the last : of a ? */
	int err;
};

static bool is_letter(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static const char *skip_blanks(const char *at)
{
	return at + strspn(at, " ");
}

/* ---- the value of a name ---- */

static bool is_name(const char *name, const char *text, size_t len)
{
	return name && strlen(name) == len && !strncmp(name, text, len);
}

/* Finds the ARG of the option that the word belongs to, or an argument of the recipe. */
static const char *argument_find(const struct expand *x, const char *text, size_t len)
{
	if (x->from && is_name(x->from->spec.arg, text, len))
		return x->from->value;
	for (size_t i = 0; i < x->r->argument_count; i++)
		if (is_name(x->r->arguments[i].spec.arg, text, len))
			return x->r->arguments[i].value;
	return NULL;
}

/* Returns the last definition: options append theirs to the recipe's own. */
static const struct recipe_definition *definition_find(const struct expand *x, const char *text,
						       size_t len)
{
	for (size_t i = x->r->definition_count; i-- > 0;)
		if (is_name(x->r->definitions[i].name, text, len))
			return &x->r->definitions[i];
	return NULL;
}

/* ---- the context of a name ---- */

/* True in struct page, file->f_path, $pid, @jiffies, (…):path */
static bool is_part_of(const struct expand *x)
{
	const char *before = x->at;

	while (before > x->word && before[-1] == ' ')
		before--;
	if (before == x->word)
		return false;
	if (before == x->at && strchr("$@", before[-1]))
		return true;
	if (x->kind == RECIPE_PLAIN)
		return false;
	if (before[-1] == '.' || (before[-1] == '>' && before - x->word > 1 && before[-2] == '-'))
		return true;
	if (before[-1] == ':')
		return before - 1 != x->otherwise;
	for (const char *const *tag = (const char *const[]){ "struct", "union", "enum", NULL };
	     *tag; tag++) {
		size_t len = strlen(*tag);

		if (before - x->word >= (long)len && !strncmp(before - len, *tag, len) &&
		    (before - len == x->word || !is_letter(before[-len - 1])))
			return before != x->at;
	}
	return false;
}

/* @LOCK: a variable of the kernel that the user names. */
static bool is_variable(const struct expand *x)
{
	return x->at > x->word && x->at[-1] == '@';
}

/* True for NAME= before a value. */
static bool is_label(const struct expand *x, size_t len)
{
	const char *next = skip_blanks(x->at + len);

	return x->kind == RECIPE_VALUE && next[0] == '=' && next[1] != '=';
}

/* True if the text is a whole value: between commas, after NAME=, before :FORMAT. */
static bool is_whole(const struct expand *x, size_t len, bool *has_name, bool *has_format)
{
	const char *next = skip_blanks(x->at + len), *before = x->at;

	while (before > x->word && before[-1] == ' ')
		before--;
	*has_name = before - x->word > 1 && before[-1] == '=' && is_letter(before[-2]);
	*has_format = *next == ':';
	return (before == x->word || before[-1] == ',' || *has_name) &&
	       (!*next || *next == ',' || (*has_format && !x->ternary));
}

/* ---- replacement ---- */

static bool is_simple(const char *text)
{
	return text[strspn(text, "$@")] &&
	       !text[strspn(text, "$@_.abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")];
}

static void write_operand(struct expand *x, const char *text, size_t len)
{
	char copy[len + 1];
	bool simple;

	memcpy(copy, text, len);
	copy[len] = 0;
	simple = x->kind == RECIPE_PLAIN || is_simple(copy);
	buf_str(&x->out, simple ? "" : "(");
	buf_str(&x->out, copy);
	buf_str(&x->out, simple ? "" : ")");
}

/* Returns the length of the expression without its :FORMAT. */
static size_t without_format(const char *text)
{
	size_t colon = strlen(text);
	int depth = 0, ternary = 0;
	char quote = 0;

	for (size_t i = 0; text[i]; i++) {
		char c = text[i];

		if (quote) {
			i += c == '\\' && text[i + 1];
			quote = c == quote ? 0 : quote;
		} else if (c == '"' || c == '\'') {
			quote = c;
		} else if (c == '?' && text[i + 1] == '?') {
			i++;
		} else if (c == '?') {
			ternary++;
		} else if (c == ':' && ternary) {
			ternary--;
		} else if (c == ':' && !depth) {
			return i;
		}
		depth += (c == '(' || c == '[') - (c == ')' || c == ']');
	}
	return colon;
}

static char *definition_expand(struct expand *x, const struct recipe_definition *d)
{
	const char *text = NULL;
	static unsigned nested;

	if (nested == NESTED_MAX) {
		recipe_wrong(x->r, x->line, "this name is defined by itself", d->name);
		x->err = -EINVAL;
		return NULL;
	}
	nested++;
	text = recipe_expand(x->r, d->text, x->kind == RECIPE_PLAIN ? RECIPE_PLAIN : RECIPE_EXPR,
			     d->from, x->line);
	nested--;
	if (!text)
		x->err = -EINVAL;
	return (char *)text;
}

/* True for NAME=EXPR. */
static bool has_own_name(const char *text)
{
	size_t len = recipe_name_length(text);

	return len && text[len] == '=' && text[len + 1] != '=';
}

static void write_definition(struct expand *x, const struct recipe_definition *d, size_t len)
{
	const char *text = definition_expand(x, d);
	bool has_name = false, has_format = false;

	if (!text)
		return;
	if (x->kind == RECIPE_PLAIN) { /* of a probe, like sw:cpu-clock:1000 */
		write_operand(x, text, strlen(text));
	} else if (x->kind != RECIPE_VALUE || !is_whole(x, len, &has_name, &has_format)) {
		write_operand(x, text, without_format(text));
	} else {
		if (!has_name && !has_own_name(text))
			buf_printf(&x->out, "%s=", d->name);
		if (has_format)
			write_operand(x, text, without_format(text));
		else
			buf_str(&x->out, text);
	}
	x->at += len;
}

/* Within "…" an argument is text. */
static void write_string(struct expand *x)
{
	char quote = *x->at;

	buf_char(&x->out, *x->at++);
	while (*x->at && *x->at != quote) {
		size_t len = recipe_name_length(x->at);
		const char *value = len ? argument_find(x, x->at, len) : NULL;

		if (value) {
			for (; *value; value++) {
				if (*value == quote || *value == '\\')
					buf_char(&x->out, '\\');
				buf_char(&x->out, *value);
			}
			x->at += len;
			continue;
		}
		if (*x->at == '\\' && x->at[1])
			buf_char(&x->out, *x->at++);
		buf_bytes(&x->out, x->at, len ?: 1);
		x->at += len ?: 1;
	}
	if (*x->at)
		buf_char(&x->out, *x->at++);
}

static void write_identifier(struct expand *x, size_t len)
{
	const struct recipe_definition *d = NULL;
	const char *value = NULL;

	if (is_variable(x)) {
		value = argument_find(x, x->at, len);
	} else if (!is_part_of(x) && !is_label(x, len)) {
		value = argument_find(x, x->at, len);
		d = value ? NULL : definition_find(x, x->at, len);
	}
	if (d) {
		write_definition(x, d, len);
		return;
	}
	if (value && len == strlen(x->word))
		buf_str(&x->out, value);
	else if (value)
		write_operand(x, value, strlen(value));
	else
		buf_bytes(&x->out, x->at, len);
	x->at += len;
}

static void write_other(struct expand *x)
{
	if (x->at[0] == '?' && x->at[1] == '?')
		buf_char(&x->out, *x->at++);
	else if (*x->at == '?')
		x->ternary++;
	else if (*x->at == ':' && x->ternary && x->ternary--)
		x->otherwise = x->at;
	buf_char(&x->out, *x->at++);
	while (isdigit((unsigned char)x->at[-1]) && is_letter(*x->at)) /* 0x10, 10ms */
		buf_char(&x->out, *x->at++);
}

static const char first_of[] = "@first";

/* ${ARG} in a probe: as typed, also as a part of a name. */
static bool write_text(struct expand *x)
{
	size_t len = strncmp(x->at, "${", 2) ? 0 : strcspn(x->at + 2, "}");
	const char *value = len ? argument_find(x, x->at + 2, len) : NULL;

	if (!value)
		return false;
	buf_str(&x->out, value);
	x->at += len + 3;
	return true;
}

/* Expands a condition with a list to one that is true for any of its items; @first(CONDITION) is the number, from 0 on,
 * of the first item for which it is true. */
static const char *list_expand(struct recipe *r, const char *word, const struct recipe_option *from,
			       unsigned line)
{
	char *items = recipe_own(r, strdup(from->value)), *item;
	struct recipe_option one = *from;
	bool counts = !strncmp(word, first_of, sizeof(first_of) - 1);
	const char *text,
		*before = strncmp(word, "@ret(", 5) ? "" : "@ret"; /* for a whole condition */
	unsigned number = 0;
	struct buf o;

	word += counts ? sizeof(first_of) - 1 : strlen(before);
	buf_init(&o, -1);
	while ((item = strsep(&items, ","))) {
		one.value = item;
		text = recipe_expand(r, word, RECIPE_EXPR, &one, line);
		if (!text)
			break;
		if (counts)
			buf_printf(&o, "(%s) ? %u : ", text, number++);
		else
			buf_printf(&o, "%s(%s)", o.len ? " || " : before, text);
	}
	if (counts)
		buf_printf(&o, "%u", number);
	buf_char(&o, 0);
	return item ? NULL : recipe_own(r, o.data);
}

/* True if the word contains a list of several items. */
static bool has_list(const char *word, enum recipe_word kind, const struct recipe_option *from)
{
	return kind == RECIPE_EXPR && from && from->value && recipe_list_kind(from->spec.arg) &&
	       (strchr(from->value, ',') || !strncmp(word, first_of, sizeof(first_of) - 1)) &&
	       strstr(word, from->spec.arg);
}

const char *recipe_expand(struct recipe *r, const char *word, enum recipe_word kind,
			  const struct recipe_option *from, unsigned line)
{
	struct expand x = {
		.r = r, .kind = kind, .from = from, .line = line, .word = word, .at = word
	};

	if (kind == RECIPE_NAMES)
		return word;
	if (has_list(word, kind, from))
		return list_expand(r, word, from, line);
	buf_init(&x.out, -1);
	while (*x.at && !x.err) {
		size_t len = recipe_name_length(x.at);

		if (len)
			write_identifier(&x, len);
		else if (kind == RECIPE_PLAIN && write_text(&x))
			continue;
		else if ((*x.at == '"' || *x.at == '\'') && kind != RECIPE_PLAIN)
			write_string(&x);
		else
			write_other(&x);
	}
	buf_char(&x.out, 0);
	if (!x.out.error && !x.err)
		return recipe_own(r, x.out.data);
	buf_free(&x.out);
	return NULL;
}
