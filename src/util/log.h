/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log.h - all messages on stderr, and the exit statuses.
 *
 * A message names what failed, on what, why, and what to do: log_error("cannot attach to %s: %s", …) then
 * log_hint("…"). Each message is checked for control bytes as a whole before it is written, so text from outside is
 * escaped.
 */
#ifndef CORETAP_UTIL_LOG_H
#define CORETAP_UTIL_LOG_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

enum exit_code {
	EXIT_FINE = 0,
	EXIT_USAGE = 1,	 /* the command line is wrong */
	EXIT_CANNOT = 2, /* cannot trace here: kernel, rights, lockdown */
	EXIT_FAILED = 3, /* failed while tracing */
	EXIT_LOST = 4,	 /* finished, but records were lost */
};

/* From now on, whatever is printed to stdio's stderr is escaped like a message: argp and getopt quote the command
 * line. */
void log_libraries(void);
/* Sets the name printed before each message: the applet's, or "coretap" until this is called. */
void log_name(const char *name);
/* The tool was started as "coretap WORD", where WORD is a name or a file, not by its name alone. */
void log_name_after_coretap(const char *word);
const char *
log_name_before(void); /* Returns "coretap " or "": what the user types before the name. */
/* Appends what the user typed to start the tool, the file or else `name`, as a shell word. */
void log_name_typed(struct buf *o, const char *name);
void log_verbose(int level); /* Sets the number of -v; 0 prints no debug messages. */
int log_level(void);
void log_quiet(bool quiet); /* -q: print errors only. */
bool log_is_quiet(void);
bool log_is_watched(void); /* True if a person reads stderr at a terminal and -q is not given. */

void log_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Prints a second line under an error or a warning: what to do. */
void log_hint(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Prints the hint "see NAME --help", with the command that the user typed. */
void log_hint_help(void);
/* Sets the test for options of the running tool; NULL: all exist. A part of a hint, separated by "; ", that names an
 * option the tool does not have is left out: nobody could follow it. An option after the name of a tool, as in
 * "coretap --list", belongs to that tool. */
void log_options(bool (*has)(const char *name, size_t len));
/* Prints a note, unless -q is given. */
void log_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* As log_note, for a command line: its words are escaped for a shell. */
void log_command(const char *words);
/* Printed with -v (level 1) or -vv (level 2). */
void log_debug(int level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Prints a text with -v as it is: several lines, with tabs, without the name of the tool. */
void log_program(const char *text);
/* Prints each line of a text. Overwrites its newlines. */
void log_debug_lines(int level, char *text);
/*
 * Shows the progress of slow work to a person at a terminal: "argdump: attaching 386 functions... 120". Between
 * log_busy_begin and log_busy_end the line is shown if the work takes longer than a second, or at once if `total` is
 * large, and updated in place; any message removes it. `total` 0: unknown. Cheap enough for every thousandth line of
 * a list. After log_busy_end, log_busy does nothing.
 */
void log_busy_begin(void);
void log_busy(const char *doing, size_t done, size_t total);
void log_busy_end(void);
/* Prints the source line, and a caret with tildes under bytes [start, end):
 *     file->f_inde->i_sb
 *           ^~~~~~            */
void log_caret(const char *source, size_t start, size_t end);
/* As log_caret for a text of several lines: prints only the line that contains `start`, with tabs as blanks. */
void log_caret_line(const char *text, size_t start, size_t end);
/* The text is the contents of the file `name` from line `line` on, without the bytes before `begin`: errors about a
 * place in it begin with NAME:LINE. All pointers must outlive the last error. */
void log_source(const char *text, const char *name, size_t begin, unsigned line);
/* From now on, errors are about bytes [start, end) of a text that the user wrote: log_error prints its line with a
 * caret, and log_caret prints nothing. text NULL ends this. */
void log_place(const char *text, size_t start, size_t end);

/* From now on, what is wrong is no error: the run goes on without a probe. log_error prints a warning without a caret,
 * or, as log_hint, nothing. */
enum log_sparing { LOG_SPARES_NOTHING, LOG_SPARES_ALOUD, LOG_SPARES_SILENTLY };
void log_spare(enum log_sparing how);

#endif
