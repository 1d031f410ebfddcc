/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * terminal.h - for tests on a pseudo terminal: can its state be had?
 *
 * C libraries from 2.42 on ask for it, and set it, by TCGETS2 and TCSETS2, which emulators may lack.
 */
#ifndef CORETAP_TESTS_UNIT_TERMINAL_H
#define CORETAP_TESTS_UNIT_TERMINAL_H

#include <errno.h>
#include <pty.h>
#include <termios.h>
#include <unistd.h>

#include "unit.h"

/* Skips the test where it cannot. */
static inline void terminal_needed(void)
{
	struct termios t;
	bool lacks;
	int fds[2];

	assert_int_equal(openpty(&fds[0], &fds[1], NULL, NULL, NULL), 0);
	lacks = tcgetattr(fds[1], &t) && errno == ENOSYS;
	close(fds[0]);
	close(fds[1]);
	if (lacks) {
		print_message(
			"the state of terminals is not to be had: an emulator without TCGETS2\n");
		skip();
	}
}

#endif
