/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * output.h - where the records of a run are written: stdout, stderr, a file, another program.
 */
#ifndef CORETAP_RUN_OUTPUT_H
#define CORETAP_RUN_OUTPUT_H

struct session;

/* Opens s->out. Returns an exit status after printing any error. */
int output_open(struct session *s);
/* The program of '|COMMAND'; 0: there is none. */
int output_program(void);
/* Gives up stdin and stdout, once a command has them, if nothing is written to stdout: who closes them there wants the
 * other end to see it. */
void output_keep_alone(const struct session *s);
/* Waits for the program that reads it. */
void output_close(struct session *s);

#endif
