/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * place.c - opens the folder of a file to be written, walking its path one component at a time.
 */
#include "kernel/place.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "kernel/capabilities.h"

enum { LINKS_MAX = 40, TRIES = 16 };

/* ---- who controls a name ---- */

static bool is_ours(uid_t uid)
{
	return uid == geteuid();
}

/* True if users other than root and us may create and rename files in the folder. */
static bool is_shared(const struct stat *folder)
{
	return (folder->st_uid && !is_ours(folder->st_uid)) ||
	       folder->st_mode & (S_IWGRP | S_IWOTH);
}

/* True if others may create files in the folder, but not rename or remove ours. */
static bool is_sticky(const struct stat *folder)
{
	return folder->st_mode & S_ISVTX && (!folder->st_uid || is_ours(folder->st_uid));
}

/* In a shared folder, follows only our own links, and only if nobody else added a hard link to them. */
static bool may_follow(int folder, const struct stat *link)
{
	struct stat st;

	if (fstat(folder, &st))
		return false;
	return !is_shared(&st) || (link->st_nlink == 1 &&
				   (is_ours(link->st_uid) || (is_sticky(&st) && !link->st_uid)));
}

/* In a shared folder, writes only our own file or, if the folder is not sticky, one of the folder's owner. */
static bool may_write(int folder, const struct stat *file)
{
	struct stat st;

	if (fstat(folder, &st))
		return false;
	if (!is_shared(&st) || S_ISDIR(file->st_mode))
		return true;
	return (file->st_nlink == 1 || !S_ISREG(file->st_mode)) &&
	       (is_ours(file->st_uid) || (!(st.st_mode & S_ISVTX) && file->st_uid == st.st_uid &&
					  !S_ISBLK(file->st_mode) && !S_ISCHR(file->st_mode)));
}

/* ---- the walk ---- */

struct walk {
	struct file_place *p;
	char rest[2 * PATH_MAX], link[PATH_MAX];
	int links;
	bool itself; /* the last component is not followed if it is a link */
};

static int folder_set(struct file_place *p, int fd)
{
	if (fd < 0)
		return -errno;
	if (p->folder >= 0)
		close(p->folder);
	p->folder = fd;
	return 0;
}

static int folder_enter(struct file_place *p, const char *name)
{
	int from = p->folder >= 0 ? p->folder : AT_FDCWD;

	return folder_set(p, openat(from, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

/* Moves the first component of `rest` to the name. Sets *last if it is the last one. */
static int part_split(struct walk *w, bool *last)
{
	char *part = w->rest + strspn(w->rest, "/");
	size_t len = strcspn(part, "/");

	*last = !part[len];
	if (len > NAME_MAX)
		return -ENAMETOOLONG;
	if (!len || (*last && part[len - 1] == '.' && (len == 1 || !strcmp(part, ".."))))
		return -EISDIR;
	memcpy(w->p->name, part, len);
	w->p->name[len] = '\0';
	memmove(w->rest, part + len, strlen(part + len) + 1);
	return 0;
}

/* Links in /proc may lead to objects without a path: /dev/stdout may lead to a pipe. */
static int kernel_link_follow(struct walk *w, bool last)
{
	int fd = openat(w->p->folder, w->p->name, O_PATH | O_CLOEXEC | (last ? 0 : O_DIRECTORY));

	if (!last)
		return folder_set(w->p, fd);
	w->p->object = fd;
	return fd < 0 ? -errno : 0;
}

static int link_follow(struct walk *w, const struct stat *link, bool last)
{
	struct statfs fs;
	ssize_t len;

	if (!may_follow(w->p->folder, link) || ++w->links > LINKS_MAX)
		return -ELOOP;
	if (!fstatfs(w->p->folder, &fs) && fs.f_type == PROC_SUPER_MAGIC)
		return kernel_link_follow(w, last);
	len = readlinkat(w->p->folder, w->p->name, w->link, sizeof(w->link));
	if (len < 0)
		return -errno;
	if (len + strlen(w->rest) + 1 > sizeof(w->rest))
		return -ENAMETOOLONG;
	memmove(w->rest + len, w->rest, strlen(w->rest) + 1);
	memcpy(w->rest, w->link, len);
	return *w->rest == '/' ? folder_enter(w->p, "/") : 0;
}

/* Walks one component of the path. Sets *done when the file's name, or the target of its link, is found. */
static int step(struct walk *w, bool *done)
{
	struct stat st;
	bool last;
	int err = part_split(w, &last);

	if (err)
		return err;
	if (fstatat(w->p->folder, w->p->name, &st, AT_SYMLINK_NOFOLLOW)) {
		*done = last && errno == ENOENT;
		return *done ? 0 : -errno;
	}
	if (S_ISLNK(st.st_mode) && !(last && w->itself)) {
		err = link_follow(w, &st, last);
		*done = w->p->object >= 0;
		return err;
	}
	*done = last;
	return last ? 0 : folder_enter(w->p, w->p->name);
}

static int walk(struct file_place *p, const char *path, bool itself)
{
	struct walk w = { .p = p, .itself = itself };
	bool done = false;
	int err;

	*p = (struct file_place){ .folder = -1, .object = -1 };
	if (!*path)
		return -ENOENT;
	if (strlen(path) >= PATH_MAX)
		return -ENAMETOOLONG;
	strcpy(w.rest, path);
	err = folder_enter(p, *path == '/' ? "/" : ".");
	while (!err && !done)
		err = step(&w, &done);
	if (err)
		place_close(p);
	return err;
}

static int path_walk_as_user(struct file_place *p, const char *path, bool itself)
{
	struct own_rights r = own_rights_begin();
	int err = walk(p, path, itself);

	own_rights_end(r);
	return err;
}

int place_open(struct file_place *p, const char *path)
{
	return path_walk_as_user(p, path, false);
}

int place_open_itself(struct file_place *p, const char *path)
{
	return path_walk_as_user(p, path, true);
}

void place_close(struct file_place *p)
{
	if (p->folder >= 0)
		close(p->folder);
	if (p->object >= 0)
		close(p->object);
	p->folder = p->object = -1;
}

const char *place_why(int err)
{
	switch (err) {
	case -ELOOP: return "a symbolic link in a folder where others may write is not followed";
	case -EEXIST: return "it is another user's file, in a folder where others may write";
	default: return strerror(-err);
	}
}

/* ---- the file ---- */

/* Reopens the object itself, even if its name leads elsewhere by now. */
static int object_open(int object, int flags)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", object);
	fd = open(path, flags | O_NOCTTY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Opens what the name leads to now, with O_PATH. */
static int object_find(const struct file_place *p, struct stat *st)
{
	int fd = openat(p->folder, p->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 || !fstat(fd, st))
		return fd < 0 ? -errno : fd;
	close(fd);
	return -EIO;
}

/* Opens the existing file, which `how` truncates or appends to. */
static int existing_open(const struct file_place *p, int how)
{
	struct stat st;
	int object = object_find(p, &st), fd;

	if (object < 0)
		return object;
	fd = S_ISLNK(st.st_mode)	? -ELOOP :
	     !may_write(p->folder, &st) ? -EEXIST :
					  object_open(object, O_WRONLY | how);
	close(object);
	return fd;
}

static int created_open(const struct file_place *p, mode_t mode, int how)
{
	int fd = -ENOENT;

	if (p->object >= 0)
		return object_open(p->object, O_WRONLY | how);
	/* either opening or creating succeeds, unless someone removes the file in between */
	for (int tries = 0; tries < TRIES && fd == -ENOENT; tries++) {
		fd = openat(p->folder, p->name,
			    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | (how & O_APPEND),
			    mode);
		if (fd < 0 && errno == EEXIST)
			fd = existing_open(p, how);
		else if (fd < 0)
			return -errno;
	}
	return fd;
}

static int place_create(const struct file_place *p, mode_t mode, int how)
{
	struct own_rights r = own_rights_begin();
	int fd = created_open(p, mode, how);

	own_rights_end(r);
	return fd;
}

static int open_at(const char *path, mode_t mode, int how)
{
	struct file_place p;
	int fd = place_open(&p, path);

	if (fd)
		return fd;
	fd = place_create(&p, mode, how);
	place_close(&p);
	return fd;
}

int place_create_at(const char *path, mode_t mode)
{
	return open_at(path, mode, O_TRUNC);
}

int place_append_at(const char *path, mode_t mode)
{
	return open_at(path, mode, O_APPEND);
}

int place_open_special(const struct file_place *p, mode_t *mode)
{
	struct stat st;
	int object, fd;

	*mode = 0;
	if (p->object >= 0)
		return object_open(p->object, O_WRONLY);
	object = object_find(p, &st);
	if (object < 0)
		return object;
	if (S_ISREG(st.st_mode) && is_ours(st.st_uid) && st.st_nlink == 1)
		*mode = st.st_mode & 0777;
	fd = S_ISREG(st.st_mode) || S_ISLNK(st.st_mode) ? -ENOENT :
	     S_ISDIR(st.st_mode)			? -EISDIR :
	     !may_write(p->folder, &st)			? -EEXIST :
							  object_open(object, O_WRONLY);
	close(object);
	return fd;
}
