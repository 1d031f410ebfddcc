/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * packets.c - skboutput(): writes files of packets in libpcap's format, without a link layer (LINKTYPE_RAW), in ns.
 *
 * The files are created before the tracing starts, because afterwards the process may not open files.
 */
#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "front/bt/bt.h"
#include "front/bt/show_parts.h"
#include "kernel/place.h"
#include "util/clock.h"
#include "util/log.h"

struct pcap_head {
	uint32_t magic;
	uint16_t major, minor;
	uint32_t zone, accuracy, snap, link;
};
struct pcap_packet {
	uint32_t seconds, ns, captured, length;
};
enum { PCAP_NS = 0xa1b23c4d, LINKTYPE_RAW = 101, SNAP_MOST = 1 << 18 };

/* Returns the file of a path; NULL: not opened yet. */
static struct bt_packet_file *file_of(struct bt_show *s, const char *path)
{
	for (size_t i = 0; i < s->packets.count; i++)
		if (!strcmp(s->packets.files[i].path, path))
			return &s->packets.files[i];
	return NULL;
}

static int file_create(struct bt_show *s, const char *path)
{
	static const struct pcap_head head = { (uint32_t)PCAP_NS, 2,	       4, 0, 0,
					       SNAP_MOST,	  LINKTYPE_RAW };
	int fd = place_create_at(path, 0666);

	if (fd < 0) {
		log_error("cannot write to '%s': %s", path, place_why(fd));
		return fd;
	}
	s->packets.files[s->packets.count++] = (struct bt_packet_file){ path, fd };
	return write(fd, &head, sizeof(head)) == sizeof(head) ? 0 : -errno;
}

int bt_packets_open(struct bt_show *s)
{
	int err = 0;

	for (size_t i = 0; i < s->script->action_count && !err; i++) {
		const struct script_action *a = s->script->actions[i];

		if (a->kind != ACTION_PACKET || file_of(s, a->text))
			continue;
		if (s->packets.count == BT_PACKET_FILES) {
			log_error("skboutput() writes to at most %d files", BT_PACKET_FILES);
			return -E2BIG;
		}
		err = file_create(s, a->text);
	}
	return err;
}

int bt_packet_write(struct bt_show *s, const struct script_action *a, const void *record,
		    size_t size)
{
	const char *bytes = (const char *)record + a->args[0].offset;
	uint64_t time = bt_wall(s, SCRIPT_CLOCK_BOOT, bt_action_number(a, 2, record, size, 0));
	struct pcap_packet head = { .seconds = time / NS_PER_SEC, .ns = time % NS_PER_SEC };
	const struct bt_packet_file *file = file_of(s, a->text);
	struct iovec parts[] = { { &head, sizeof(head) }, { (char *)bytes + 4, 0 } };

	memcpy(&head.captured, bytes, sizeof(head.captured));
	head.length = (uint32_t)bt_action_number(a, 1, record, size, 0);
	if (head.captured > a->args[0].type.size - 4)
		return -EBADMSG;
	if (head.length < head.captured)
		head.length = head.captured;
	parts[1].iov_len = head.captured;
	if (writev(file->fd, parts, 2) == (ssize_t)(sizeof(head) + head.captured))
		return 0;
	return errno ? -errno : -EIO;
}

void bt_packets_close(struct bt_show *s)
{
	for (size_t i = 0; i < s->packets.count; i++)
		close(s->packets.files[i].fd);
}
