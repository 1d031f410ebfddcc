/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * json_meta.c - the members are the same in each line, so they are written once.
 * Metrics have them as labels.
 */
#include "output/rows/json_meta.h"

#include <fcntl.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "util/buf.h"
#include "util/escape.h"

static const char *text = "";

static void member_put(struct buf *o, const char *name, const char *value)
{
	escape_put_json_key(o, name);
	if (*value)
		escape_put_json(o, value, strlen(value));
	else
		buf_str(o, "null");
}

/* The kernel makes one at each boot; "" without /proc. */
static void boot_id_read(char *id, size_t size)
{
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, id, size - 1);

	if (fd >= 0)
		close(fd);
	id[n > 0 ? n : 0] = 0;
	id[strcspn(id, "\n")] = 0;
}

void json_meta_each(struct buf *o, const char *applet,
		    void (*put)(struct buf *o, const char *name, const char *value))
{
	struct utsname name = { 0 };
	char boot_id[64];

	uname(&name);
	boot_id_read(boot_id, sizeof(boot_id));
	put(o, "host_name", name.nodename);
	put(o, "boot_id", boot_id);
	put(o, "kernel_release", name.release);
	put(o, "applet", applet);
}

void json_meta_set(const char *applet)
{
	struct buf o;

	buf_init(&o, -1);
	json_meta_each(&o, applet, member_put);
	buf_char(&o, 0);
	if (!o.error)
		text = strdup(o.data) ?: "";
	buf_free(&o);
}

const char *json_meta_text(void)
{
	return text;
}
