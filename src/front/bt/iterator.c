/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * iterator.c - iter:NAME: programs that the kernel runs for each of its tasks, files, maps …, when their file is
 * read.
 *
 * For each iterator the kernel has a struct bpf_iter__NAME, the argument of the programs, and a function to which
 * they attach.
 */
#include "front/bt/bt.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "util/errname.h"
#include "util/glob.h"
#include "util/log.h"

static const char context[] = "bpf_iter__";
enum { PREFIX = sizeof(context) - 1 };

uint32_t bt_iterator_id(const struct btf_view *btf, const char *name)
{
	char function[128];

	snprintf(function, sizeof(function), "bpf_iter_%s", name);
	return btf_view_func(btf, function);
}

/* Returns the name of the next iterator from *id on; NULL: none. */
static const char *iterator_next(const struct btf_view *btf, uint32_t *id)
{
	while (++*id < btf_view_count(btf)) {
		const struct btf_type *t = btf_view_type(btf, *id);
		const char *name = t && btf_kind(t) == BTF_KIND_STRUCT ?
					   btf_view_string(btf, t->name_off) :
					   "";

		if (!strncmp(name, context, PREFIX) && bt_iterator_id(btf, name + PREFIX))
			return name + PREFIX;
	}
	return NULL;
}

void bt_list_iterators(struct session *s, const char *pattern)
{
	const char *name;

	for (uint32_t id = 0; (name = iterator_next(s->btf, &id));)
		if (wildcard_matches(pattern, name))
			buf_printf(&s->out, "iter:%s\n", name);
}

int bt_iterator_unknown(struct session *s, struct bt *b, const struct bt_special *p)
{
	static const struct suggest_words words = {
		.before = "iter:",
		.otherwise = "bt -l 'iter:*' lists its iterators",
	};
	struct script_error e = { .span = p->attach->span };
	struct suggestion near;
	const char *name;

	suggest_init(&near, p->attach->parts[1]);
	for (uint32_t id = 0; (name = iterator_next(s->btf, &id));)
		suggest_offer(&near, name);
	snprintf(e.message, sizeof(e.message), "this kernel has no iterator %s",
		 p->attach->parts[1]);
	suggest_write(&near, &words, e.hint, sizeof(e.hint));
	bt_error_report(b, &e);
	return EXIT_USAGE;
}

/* Reads the iterator to its end: the program runs for each object, and writes records instead of bytes. */
static int iterator_run(int prog)
{
	int link = bpf_link_create(prog, 0, BPF_TRACE_ITER, NULL);
	int fd = link < 0 ? -errno : bpf_iter_create(link), err = fd < 0 ? -errno : 0;
	char bytes[4096];
	ssize_t got = 1;

	while (!err && got) {
		got = read(fd, bytes, sizeof(bytes));
		err = got < 0 && errno != EAGAIN && errno != EINTR ? -errno : 0;
	}
	if (fd >= 0)
		close(fd);
	if (link >= 0)
		close(link);
	return err;
}

/* Pins the program for the readers of the file. */
static int iterator_pin(struct bt *b, const struct bt_special *p)
{
	const char *name = p->attach->parts[2];
	int link = bpf_link_create(p->fd, 0, BPF_TRACE_ITER, NULL), err = link < 0 ? -errno : 0;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s%s", *name == '/' ? "" : "/sys/fs/bpf/", name);
	if (!err && bpf_obj_pin(link, path))
		err = -errno;
	if (!err && !b->session->options.quiet)
		buf_printf(b->show.out, "Program pinned to %s\n", path);
	if (link >= 0)
		close(link);
	return err;
}

int bt_iterators_run(struct bt *b)
{
	for (size_t i = 0; i < b->special_count; i++) {
		const struct bt_special *p = &b->specials[i];
		bool pins = script_is_pinned(p->attach);
		int err = p->attach->kind != PROBE_ITER ? 0 :
			  pins				? iterator_pin(b, p) :
							  iterator_run(p->fd);
		struct script_error e = { .span = p->attach->span };

		if (!err)
			continue;
		snprintf(e.message, sizeof(e.message), "the iterator cannot be %s: %s",
			 pins ? "pinned" : "read", errtext(-err));
		if (pins && err == -EEXIST)
			snprintf(e.hint, sizeof(e.hint), "the file exists: remove it with rm");
		else if (err == -EINVAL || err == -EBADF)
			snprintf(
				e.hint, sizeof(e.hint),
				"it needs an object (a map, a cgroup), which a program cannot pass");
		bt_error_report(b, &e);
		return EXIT_CANNOT;
	}
	return EXIT_FINE;
}
