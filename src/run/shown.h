/* SPDX-License-Identifier: GPL-2.0-only */
/* shown.h - from the applet's fields and the common options to what is written. */
#ifndef CORETAP_RUN_SHOWN_H
#define CORETAP_RUN_SHOWN_H

struct session;

/* Sets the session's schema and sink. Returns an exit status after printing any error. */
int shown_set(struct session *s);

#endif
