/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * harness.h - one expression, or several, compiled and run on the simulated machine (bpf_vm.h).
 *
 * harness_init, then what the test wants in `in` and `vm`, then compile_and_run, or its parts; the values
 * are read as the reader of real records reads them. What goes wrong is printed on stderr.
 */
#ifndef CORETAP_HARNESS_H
#define CORETAP_HARNESS_H

#include "bpf_vm.h"
#include "output/field/field.h"

struct value;

struct harness {
	struct expr_input in;
	struct expr_program *program;
	struct expr_error error;
	struct vm vm;
	uint64_t args[4]; /* of the traced function … */
	uint64_t stack;	  /* … and where its return address lies */
};

void harness_init(struct harness *h, const struct btf_view *btf, uint32_t func_id,
		  const struct expr_target *target);
/* False: it was refused, see `error`, or its maps are wrong. */
bool harness_compile(struct harness *h, const char *const *texts, size_t count);
/* Puts arguments, result (vm.returned) and stack where the kernel would have them; what a register
 * loses at the return is lost. */
void harness_context(struct harness *h, bool at_return);
/* False: the program offends. */
bool harness_run(struct harness *h, const struct vm_code *code);
/* Compiles and runs everything for the side of the call that in.scope selects. */
bool compile_and_run(struct harness *h, const char *const *texts, size_t count);
void harness_free(struct harness *h);

/* Returns field `i` of the record after its header; false: there is no record, or it is damaged. */
bool harness_value(struct harness *h, size_t i, struct value *v);
/* The link that the value's status blames. */
const char *harness_link(struct harness *h, size_t i);

#endif
