/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * copies.h - calls counted by user stacks that are copied (--dwarf), because only user space can unwind them.
 *
 * A program counts each call under a number of its own, and announces the number with the registers and a copy of the
 * stack (emit_stack_id.c). Here the counts are moved out of the kernel's map, again and again, and each number is
 * exchanged for the hash of the frames.
 */
#ifndef CORETAP_PROBE_COPIES_H
#define CORETAP_PROBE_COPIES_H

struct aggregate_rows;
struct argdump;
struct session;

/* Call it after stacks_open; without copies, these do nothing. Returns 0 or -errno. */
int copies_open(struct argdump *a);
/* Unwinds and names the stacks that wait. */
void copies_poll(struct session *s);
/* As aggregate_rows_read. */
int copies_rows_read(struct session *s, struct aggregate_rows *rows);
void copies_close(struct argdump *a);

#endif
