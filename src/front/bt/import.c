/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * import.c - reads files of a program: import "…", #include, --include, -I. The user of bt must be allowed to read
 * them.
 *
 * A path is relative to the file that contains it; #include also searches the folders of -I. Importing a folder
 * imports each of its files. A tool's program may import the parts that come with the tools by name.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "front/bt/bt.h"
#include "kernel/capabilities.h"
#include "util/buf.h"

char *bt_file_read(const char *path, int *err)
{
	enum { FILE_MAX = 64 << 10 };
	int fd = strcmp(path, "-") ? own_open(path, O_RDONLY) : STDIN_FILENO;
	char *text = calloc(1, FILE_MAX + 2);
	size_t len = 0;
	ssize_t got = 1;

	*err = fd < 0 ? fd : text ? 0 : -ENOMEM;
	while (!*err && got && len <= FILE_MAX) {
		got = read(fd, text + len, FILE_MAX + 1 - len);
		*err = got < 0 ? -errno : 0;
		len += got > 0 ? got : 0;
	}
	if (fd > STDIN_FILENO)
		close(fd);
	if (!*err && len > FILE_MAX)
		*err = -EFBIG;
	for (size_t i = 0; !*err && i < len; i++)
		/* a NUL would end the program early: replaced by a character that is refused */
		text[i] = text[i] ?: '\1';
	if (*err) {
		free(text);
		return NULL;
	}
	return text;
}

static bool has_suffix(const char *name, const char *suffix)
{
	size_t length = strlen(name), end = strlen(suffix);

	return length > end && !strcmp(name + length - end, suffix);
}

static int is_importable(const struct dirent *d)
{
	return has_suffix(d->d_name, ".bt") || has_suffix(d->d_name, ".h") ||
	       has_suffix(d->d_name, ".bpf.c");
}

/* Returns an import "…" for each file of the folder. */
static char *folder_text(const char *path)
{
	struct own_rights rights = own_rights_begin();
	struct dirent **files;
	int count = scandir(path, &files, is_importable, alphasort);
	struct buf o;
	char *text;

	own_rights_end(rights);
	if (count < 0)
		return NULL;
	buf_init(&o, -1);
	for (int i = 0; i < count; i++) {
		buf_printf(&o, "import \"%s/%s\";\n", path, files[i]->d_name);
		free(files[i]);
	}
	free(files);
	buf_char(&o, 0);
	text = o.error ? NULL : strdup(o.data);
	buf_free(&o);
	return text;
}

/* True if anybody can create files in the folder. */
static bool folder_is_open(const char *path)
{
	char *copy = strdup(path);
	struct stat st;
	bool is = copy && !stat(dirname(copy), &st) && st.st_mode & S_IWOTH;

	free(copy);
	return is;
}

static const char *path_read(struct script_import *i, const char *path)
{
	struct stat st;
	int err = 0;
	char *text;

	if (stat(path, &st))
		return NULL;
	if (i->kind == SCRIPT_IMPORT && folder_is_open(path)) {
		i->why = "everybody can write to its folder";
		return NULL;
	}
	text = S_ISDIR(st.st_mode) && i->kind == SCRIPT_IMPORT ? folder_text(path) :
								 bt_file_read(path, &err);
	i->name = strdup(path); /* both are owned by the run */
	if (!text)
		i->why = strerror(err ? -err : ENOMEM);
	return text;
}

/* Reads a file relative to the one that names it; absolute paths and those of folder_text() are complete. */
static const char *relative_read(const struct bt *b, struct script_import *i)
{
	const char *from = i->from ?: b->file_path, *slash = from ? strrchr(from, '/') : NULL;
	char path[PATH_MAX];

	if (*i->path == '/' || !slash || !strncmp(i->path, from, strlen(from)))
		return path_read(i, i->path);
	snprintf(path, sizeof(path), "%.*s/%s", (int)(slash - from), from, i->path);
	return path_read(i, path);
}

/* Searches the folders of -I, for #include and --include. */
static const char *header_read(const struct bt *b, struct script_import *i)
{
	const char *text = NULL;
	char path[PATH_MAX];

	for (size_t n = 0; !text && !i->why && n < b->asked.headers.count; n++) {
		snprintf(path, sizeof(path), "%s/%s", b->asked.headers.items[n].text, i->path);
		text = path_read(i, path);
	}
	return text;
}

/* Reads a file relative to the imported one, or else to the program. */
static const char *program_read(const struct bt *b, struct script_import *i)
{
	const char *from = i->from, *text;

	i->from = NULL;
	text = relative_read(b, i);
	i->from = from;
	return text;
}

const char *bt_import(void *ctx, struct script_import *i)
{
	const struct bt *b = ctx;
	bool is_header = i->kind == SCRIPT_INCLUDE_SYSTEM && *i->path != '/' && i->from;
	const char *text = b->tool && i->kind == SCRIPT_IMPORT ? b->tool->part(i->path) : NULL;

	if (!text && !is_header)
		text = relative_read(b, i);
	if (!text && !i->why && i->from && i->kind != SCRIPT_INCLUDE_SYSTEM)
		text = program_read(b, i);
	return text || i->kind == SCRIPT_IMPORT ? text : header_read(b, i);
}
