/* SPDX-License-Identifier: GPL-2.0-only */
/* address.h - the address of --listen: its socket, and the address of the page that a browser opens. */
#ifndef CORETAP_RUN_ADDRESS_H
#define CORETAP_RUN_ADDRESS_H

#include <stdbool.h>

/* Returns a socket that listens, or -1 after printing the error. Sets *is_own if only this machine can reach it. */
int address_listen(const char *text, int most, bool *is_own);
/* Tells the user what to open, and who else can read what. The token is empty if none is needed. */
void address_report(const char *text, const char *token);

#endif
