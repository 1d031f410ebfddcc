/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bashreadline.h - records of bashreadline: a line that was typed, or a shell that has just started.
 */
#ifndef CORETAP_BASHREADLINE_H
#define CORETAP_BASHREADLINE_H

#include "event.h"

#define BASHREADLINE_SHELLS 8	 /* --shell, at most */
#define BASHREADLINE_NAME   32	 /* bytes of a program's name, with its NUL */
#define BASHREADLINE_TTY    64	 /* as in tty_struct */
#define BASHREADLINE_LINE   4096 /* bytes of a line, with its NUL; the rest is left out */

enum bashreadline_kind {
	BASHREADLINE_LINE_READ,
	BASHREADLINE_ZSH_READ, /* as zsh keeps it: some bytes as Meta and another, and with its newline */
	BASHREADLINE_STARTED, /* a shell was executed: has its file been seen? For the reader only. */
};

struct bashreadline_event {
	struct event_header header;
	struct event_task task;
	__u32 kind;
	__u32 uid;
	char tty[BASHREADLINE_TTY]; /* the kernel's name: pts0; "" for none */
	struct event_str line;	    /* FIELD_STR */
};

#endif
