/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * walk.c - walks maps for programs that this process runs (script/emit/walk.c): the program returns a request, is run
 * again with the answer, and so on until it ends.
 *
 * A loop visits the keys that the map had at its start; the program skips those that are gone.
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "front/bt/bt.h"

struct cursor {
	struct bt_map_copy copy;
	size_t at;
};

static int cursor_begin(const struct bt *b, struct cursor *c, const struct script_walk *w)
{
	bt_map_copy_free(&c->copy);
	*c = (struct cursor){ .at = 0 };
	if (w->map >= b->script->map_count)
		return -EBADMSG;
	return bt_map_read(b, b->script->maps[w->map], &c->copy);
}

static void key_answer(struct cursor *c, struct script_walk *w)
{
	w->answer = c->at < c->copy.count;
	if (w->answer)
		memcpy(w->key, c->copy.keys + c->at++ * c->copy.key_size, c->copy.key_size);
}

static int request_answer(const struct bt *b, struct cursor *c, struct script_walk *w)
{
	int err = w->request == SCRIPT_WALK_NEXT ? 0 : cursor_begin(b, c, w);

	if (err)
		return err;
	if (w->request == SCRIPT_WALK_COUNT)
		w->answer = c->copy.count;
	else
		key_answer(c, w);
	return 0;
}

static int steps_run(const struct bt *b, struct bt_special *p, struct script_walk *w)
{
	struct cursor cursors[SCRIPT_WALKS_MAX + 1] = { 0 };
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	uint32_t slot = 0;
	int err = 0;

	do {
		if (bpf_map_update_elem(p->walk_fd, &slot, w, BPF_ANY) ||
		    bpf_prog_test_run_opts(p->fd, &opts) ||
		    bpf_map_lookup_elem(p->walk_fd, &slot, w))
			err = -errno;
		else if (w->resume > SCRIPT_WALKS_MAX)
			err = -EBADMSG;
		else if (w->request)
			err = request_answer(b, &cursors[w->resume], w);
	} while (!err && w->request);
	p->result = opts.retval;
	for (size_t i = 0; i <= SCRIPT_WALKS_MAX; i++)
		bt_map_copy_free(&cursors[i].copy);
	return err;
}

int bt_walk_run(const struct bt *b, struct bt_special *p)
{
	struct script_walk *w = calloc(1, p->walk_size);
	int err = w ? steps_run(b, p, w) : -ENOMEM;

	free(w);
	return err;
}

/* The program's own maps are closed after loading; the kernel holds them. */
int bt_walk_open(struct bt_special *p, const struct expr_program *program,
		 const struct program_image *image)
{
	size_t count, own = 0;
	const struct expr_map *maps = expr_maps(program, &count);

	for (size_t i = 0; i < count; i++) {
		if (maps[i].kind == EXPR_MAP_WALK) {
			p->walk_size = maps[i].value_size;
			p->walk_fd = fcntl(image->maps.fds[own], F_DUPFD_CLOEXEC, 0);
			return p->walk_fd < 0 ? -errno : 0;
		}
		own += expr_map_is_own(maps[i].kind);
	}
	return 0;
}
