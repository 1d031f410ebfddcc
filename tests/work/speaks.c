/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * speaks.c - the probes (USDT) of servers and interpreters that tests do not have, with known arguments. It
 * must not know of coretap.
 *
 *   speaks queries MS N    N queries of MS milliseconds, as MySQL has them: "select 'NUMBER\nx'" of the host
 *                          "h\tost"; then one of no length
 *   speaks python N        N calls of "f\nun" in "file.py", line 7, N collections of garbage, an import
 *   speaks ruby N          N objects of the class "Thing"
 *   speaks java N          N collections of garbage, of 2 ms each, with one of the pool "Tenured Gen" and one of "Eden" in each
 *   speaks perl N          N calls of "sub" of "Package" in "file.pl", line 7
 *   speaks php N           N calls of "method" of "Class" in "file.php"
 *   speaks jvm N           N calls of Java's "method" of "Some/Class", texts without an end, and as many objects
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "usdt_note.h"

static void nap(long ms)
{
	nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
}

__attribute__((noipa)) static void query(const char *text, long ms)
{
	NOTE("mysql", "query__start", "0", "8@%0 8@%1 8@%2 8@%3 8@%4", "r"(text), "r"(1L),
	     "r"("db"), "r"("user"), "r"("h\tost"));
	if (ms)
		nap(ms);
	NOTE("mysql", "query__done", "0", "-4@%0", "r"(0));
}

static void queries(char **argv)
{
	char text[50];

	for (long i = 0; i < atol(argv[3]); i++) {
		snprintf(text, sizeof(text), "select '%ld\nx'", i);
		query(text, atol(argv[2]));
	}
	query("select fast", 0);
}

__attribute__((noipa)) static void call(const char *file, const char *function)
{
	NOTE("python", "function__entry", "0", "8@%0 8@%1 -4@%2", "r"(file), "r"(function), "r"(7));
	NOTE("python", "gc__start", "0", "-4@%0", "r"(2));
	nap(1);
	NOTE("python", "gc__done", "0", "8@%0", "r"(0L));
	NOTE("python", "function__return", "0", "8@%0 8@%1 -4@%2", "r"(file), "r"(function),
	     "r"(7));
}

static void python(char **argv)
{
	NOTE("python", "import__find__load__start", "0", "8@%0", "r"("module"));
	for (long i = 0; i < atol(argv[2]); i++)
		call("file.py", "f\nun");
}

static void ruby(char **argv)
{
	for (long i = 0; i < atol(argv[2]); i++)
		NOTE("ruby", "object__create", "0", "8@%0 8@%1 -4@%2", "r"("Thing"), "r"("file.rb"),
		     "r"(3));
}

#define POOL(probe_, name_, length_)                                                               \
	NOTE("hotspot", probe_, "0", "8@%0 -4@%1 8@%2 -4@%3 8@%4", "r"("Copy"), "r"(4),            \
	     "r"(name_), "r"(length_), "r"(4096L))

static void java(char **argv)
{
	static const char old[] = "Tenured Gen<garbage>", young[] = "Eden<garbage>";

	for (long i = 0; i < atol(argv[2]); i++) {
		NOTE("hotspot", "gc__begin", "0", "1@%0", "r"((char)1));
		POOL("mem__pool__gc__begin", old, 11);
		POOL("mem__pool__gc__begin", young, 4);
		nap(2);
		POOL("mem__pool__gc__end", old, 11);
		POOL("mem__pool__gc__end", young, 4);
		NOTE("hotspot", "gc__end", "0", "");
	}
}

static void perl(char **argv)
{
	for (long i = 0; i < atol(argv[2]); i++)
		NOTE("perl", "sub__entry", "0", "8@%0 8@%1 -4@%2 8@%3", "r"("sub"), "r"("file.pl"),
		     "r"(7), "r"("Package"));
}

static void php(char **argv)
{
	for (long i = 0; i < atol(argv[2]); i++)
		NOTE("php", "function__entry", "0", "8@%0 8@%1 -4@%2 8@%3 8@%4", "r"("method"),
		     "r"("file.php"), "r"(7), "r"("Class"), "r"("::"));
}

static void jvm(char **argv)
{
	static const char class[] = "Some/Class<garbage>", method[] = "method<garbage>";

	for (long i = 0; i < atol(argv[2]); i++) {
		NOTE("hotspot", "method__entry", "0", "8@%0 8@%1 -4@%2 8@%3 -4@%4 8@%5 -4@%6",
		     "r"(1L), "r"(class), "r"(10), "r"(method), "r"(6), "r"("()V"), "r"(3));
		NOTE("hotspot", "object__alloc", "0", "8@%0 8@%1 -4@%2 8@%3", "r"(1L), "r"(class),
		     "r"(10), "r"(24L));
	}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int args;
		void (*run)(char **argv);
	} all[] = { { "queries", 4, queries }, { "python", 3, python }, { "ruby", 3, ruby },
		    { "java", 3, java },       { "perl", 3, perl },	{ "php", 3, php },
		    { "jvm", 3, jvm } };

	for (size_t i = 0; argc > 1 && i < sizeof(all) / sizeof(all[0]); i++) {
		if (strcmp(argv[1], all[i].name) || argc != all[i].args)
			continue;
		all[i].run(argv);
		return 0;
	}
	return 2;
}
