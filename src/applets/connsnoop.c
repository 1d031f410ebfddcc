/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * connsnoop.c - connections as they are opened, accepted and closed.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/connsnoop/endpoint.h"
#include "applets/connsnoop/lookups.h"
#include "applets/connsnoop/only.h"
#include "attach/attach_error.h"
#include "output/field/shared_fields.h"
#include "output/rows/columns.h"
#include "run/session.h"
#include "util/clock.h"
#include "util/log.h"
#include "connsnoop.h"
#include "connsnoop.skel.h"

static struct option_list only;
static bool dns; /* --dns */

/* True for kinds that need hooks: set by --only. */
static bool want_kinds[CONNSNOOP_KINDS] = {
	[CONNSNOOP_CONNECT] = true, [CONNSNOOP_ACCEPT] = true, [CONNSNOOP_CLOSE] = true
};
static bool want_protos[CONNSNOOP_PROTOS] = { true, true, true };
static bool want_tcp_accept, want_unix_accept, want_unix_close, want_udp_packets, want_connects;
static bool want_dns;	/* names of hosts are also needed */
static bool want_names; /* … by C libraries */

/* The program that sees TCP's states needs copies, because this kernel preempts programs. */
static bool state_copies;

/* clang-format off */
static const struct option_spec options[] = {
	{ .name = "only", .type = OPTION_LIST, .arg = "WHAT[,WHAT]", .value = &only,
	  .help = "only these events: connect accept close (the default), listen, retrans (a "
		  "retransmission, if the connection's start was seen); only these protocols: tcp udp unix",
	  .complete = only_words },
	{ .name = "dns", .type = OPTION_FLAG, .value = &dns,
	  .help = "instead of connections, trace DNS lookups over UDP: question, answer and duration" },
	{ 0 },
};
/* clang-format on */

static const struct field_name directions[] = { { CONNSNOOP_OUT, "out" },
						{ CONNSNOOP_IN, "in" },
						{ 0 } };

#define AT(member) FIELD_AT(struct connsnoop_event, member)
#define EVENT(member, type, width, help, ...)                                                      \
	FIELD(struct connsnoop_event, member, type, width, help, ##__VA_ARGS__)

/* clang-format off */
static const struct field fields[] = {
	{ .name = "comm", AT(header.comm), .type = FIELD_CSTR, .width = 15,
	  .help = "command name of the thread that connected or accepted" },
	{ .name = "pid", AT(header.pid), .type = FIELD_UINT, .width = 7, .help = "its process" },
	{ .name = "tid", AT(header.tid), .type = FIELD_UINT, .width = 7, .flags = FIELD_EXTENDED,
	  .help = "the thread" },
	TASK_INNER_FIELD(struct connsnoop_event, header),
	{ .name = "event", AT(kind), .flags = FIELD_OPTIONAL, .type = FIELD_ENUM, .width = 7, .names = connection_kinds,
	  .help = "connect, accept, close, listen, retrans" },
	EVENT(proto, FIELD_ENUM, 5, "tcp, udp, unix", .names = connection_protos, .flags = FIELD_OPTIONAL | FIELD_MINOR),
	{ .name = "direction", .title = "DIR", AT(direction), .type = FIELD_ENUM, .width = 3,
	  .flags = FIELD_OPTIONAL, .names = directions, .help = "out: this side connected; in: it accepted" },
	{ .name = "local", AT(addresses), .kind = &endpoint_local, .context = &endpoint_layout,
	  .flags = FIELD_OPTIONAL | FIELD_MINOR, .width = 21, .help = "this side's address and port, or the name of its unix socket" },
	{ .name = "peer", AT(addresses), .kind = &endpoint_peer, .context = &endpoint_layout,
	  .flags = FIELD_OPTIONAL, .width = 21, .help = "the peer's address and port, or socket name" },
	{ .name = "host", .type = FIELD_TEXT, .flags = FIELD_OPTIONAL | FIELD_EXTENDED, .width = 20,
	  .value = lookup_host,
	  .help = "the name that this process looked up to get the peer's address, null if unknown" },
	{ .name = "errno", .title = "ERR", AT(ret), .type = FIELD_ERRNO, .flags = FIELD_OPTIONAL, .width = 12,
	  .help = "name of the error, null for none (in text 0)" },
	EVENT(ret, FIELD_RET, 0, "0, or a negative errno", .flags = FIELD_OPTIONAL | FIELD_JSON_ONLY),
	{ .name = "name", .type = FIELD_TEXT, .flags = FIELD_OPTIONAL, .width = 30, .value = lookup_name,
	  .help = "--dns: the name in the question; dots and backslashes in a label are escaped by a "
		  "backslash" },
	{ .name = "qtype", .title = "TYPE", .type = FIELD_TEXT, .flags = FIELD_OPTIONAL, .width = 5,
	  .value = lookup_type, .help = "--dns: the type of record: A, AAAA, PTR, TYPE999" },
	{ .name = "answer", .kind = &lookup_answer, .flags = FIELD_OPTIONAL, .width = 30,
	  .help = "--dns: the addresses and names in the answer, or (in text) the error, no data, no answer" },
	{ .name = "rcode", .type = FIELD_TEXT, .flags = FIELD_OPTIONAL | FIELD_JSON_ONLY,
	  .value = lookup_status, .help = "--dns: NOERROR, NXDOMAIN, SERVFAIL; null without an answer" },
	{ .name = "server", AT(addresses), .kind = &endpoint_peer, .context = &endpoint_layout,
	  .flags = FIELD_OPTIONAL, .width = 21, .help = "--dns: the server" },
	EVENT(took, FIELD_NS, 8, "connect: until the connection was open; accept: from then until it was "
	      "accepted; close: how long it was open; --dns: until the answer was read",
	      .flags = FIELD_MAYBE, .role = FIELD_ROLE_LASTED_BESIDE),
	EVENT(sent, FIELD_UINT, 8, "close: bytes of data that this side sent, each counted once; empty for "
	      "unix", .flags = FIELD_OPTIONAL | FIELD_MAYBE, .title = "TX"),
	EVENT(received, FIELD_UINT, 8, "close: bytes of data that arrived",
	      .flags = FIELD_OPTIONAL | FIELD_MAYBE, .title = "RX"),
	EVENT(retransmits, FIELD_UINT, 7, "number of retransmissions so far", .flags = FIELD_OPTIONAL | FIELD_EXTENDED,
	      .title = "RETRANS"),
};

/* Only with a kprobe: fexit knows what a function was given, a kretprobe does not. */
#define BY_KPROBE_ALONE .methods = 1u << ATTACH_KPROBE | 1u << ATTACH_KPROBE_MULTI
#define OR_KPROBE(name) BY(KPROBE) = name
#define STATE_COPY(number)                                                                         \
	{ .name = "TCP, state", .functions = "inet_sock_set_state", BY(TRACEPOINT) = "tcp_state" number, \
	  .copy_of = "tcp_state", .optional = true, .only_if = &state_copies }

static const struct hook hooks[] = {
	{ .name = "C libraries, mapped", .functions = "vm_mmap_pgoff", BY(FENTRY) = "library_mapped",
	  OR_KPROBE("library_leave"), .is_return = true, .params = 6, .only_if = &want_names, .optional = true,
	  .without = "names looked up by C libraries that no process has mapped yet" },
	{ .name = "C libraries, entry", .functions = "vm_mmap_pgoff", OR_KPROBE("library_enter"), BY_KPROBE_ALONE, .params = 6, .only_if = &want_names, .optional = true },
	{ .name = "UDP, closed", .functions = "udp_destroy_sock", BY(FENTRY) = "udp_close",
	  OR_KPROBE("udp_close_kprobe"), .only_if = &want_udp_packets },
	{ .name = "UDP over IPv6, closed", .functions = "udpv6_destroy_sock", BY(FENTRY) = "udp_close6",
	  OR_KPROBE("udp_close_kprobe"), .only_if = &want_udp_packets, .optional = true },
	{ .name = "UDP, bytes sent", .functions = "udp_send_skb", BY(FENTRY) = "udp_send",
	  OR_KPROBE("udp_send_kprobe"), .only_if = &want_udp_packets, .optional = true, .without = "bytes that UDP sends" },
	{ .name = "UDP over IPv6, bytes sent", .functions = "udp_v6_send_skb", BY(FENTRY) = "udp_send6",
	  OR_KPROBE("udp_send6_kprobe"), .only_if = &want_udp_packets, .optional = true, .without = "bytes that UDP sends over IPv6" },
	{ .name = "UDP, bytes received", .functions = "skb_consume_udp", BY(FENTRY) = "udp_received",
	  OR_KPROBE("udp_received_kprobe"), .only_if = &want_udp_packets, .optional = true, .without = "bytes that UDP receives" },
	{ .name = "unix, closed", .functions = "unix_release", BY(FENTRY) = "unix_close",
	  OR_KPROBE("unix_close_kprobe"), .only_if = &want_unix_close },
	{ .name = "unix, accept", .functions = "unix_accept", OR_KPROBE("unix_accept_enter"), BY_KPROBE_ALONE, .only_if = &want_unix_accept },
	{ .name = "unix, accepted", .functions = "unix_accept", BY(FENTRY) = "unix_accept",
	  OR_KPROBE("unix_accept_leave"), .is_return = true, .params = 3, .or_next = true, .only_if = &want_unix_accept },
	{ .name = "unix, accepted", .functions = "unix_accept", BY(FENTRY) = "unix_accept_old",
	  OR_KPROBE("unix_accept_leave"), .is_return = true, .params = 4, .only_if = &want_unix_accept },
	{ .name = "TCP, accepted", .functions = "inet_csk_accept", BY(FENTRY) = "tcp_accept",
	  OR_KPROBE("tcp_accept_leave"), .is_return = true, .params = 2, .or_next = true, .only_if = &want_tcp_accept },
	{ .name = "TCP, accepted", .functions = "inet_csk_accept", BY(FENTRY) = "tcp_accept_old",
	  OR_KPROBE("tcp_accept_leave"), .is_return = true, .params = 4, .only_if = &want_tcp_accept },
	{ .name = "TCP, sent again", .functions = "tcp_retransmit_skb", BY(TRACEPOINT) = "tcp_again",
	  .only_if = &want_kinds[CONNSNOOP_RETRANS] },
	{ .name = "TCP, state", .functions = "inet_sock_set_state", BY(TRACEPOINT) = "tcp_state",
	  .only_if = &want_protos[CONNSNOOP_TCP] },
	STATE_COPY("_2"), STATE_COPY("_3"),
	{ .name = "connect, entry", .functions = "__sys_connect_file", OR_KPROBE("connect_enter"), BY_KPROBE_ALONE, .only_if = &want_connects },
	{ .name = "connect, return", .functions = "__sys_connect_file", BY(FENTRY) = "connect_returned",
	  OR_KPROBE("connect_leave"), .is_return = true, .only_if = &want_connects },
	{ 0 },
};
/* clang-format on */

/* The first one is NULL if names are not needed. */
static const char *unattached[] = { "name_asked", "addrinfo_found", "hostent_found", NULL };

static const struct example examples[] = {
	{ "connsnoop", "every connection, opened, accepted and closed, until Ctrl-C" },
	{ "connsnoop --only connect -x", "only failed connects, with the error" },
	{ "connsnoop --only close,tcp",
	  "TCP connections when they are closed: bytes and duration" },
	{ "connsnoop --only tcp,listen,retrans -e", "listening sockets, and retransmissions" },
	{ "connsnoop --only connect -- make", "connections that make and its children open" },
	{ "connsnoop --only connect --columns comm,pid,host,peer,errno",
	  "who connects where, by host name" },
	{ "connsnoop --dns", "DNS lookups: process, name, answer and duration" },
	{ "connsnoop --dns -x", "failed lookups: unknown names, and servers that do not answer" },
	{ "connsnoop -j | jq 'select(.event == \"connect\" and .took_ns > 100000000)'",
	  "connections that took more than 100 ms to open" },
	{ 0 },
};

static void connsnoop_prepare(const struct options *o)
{
	bool ends;

	if (dns && only.count) {
		log_error("--dns prints lookups, but --only selects connections");
		exit(EXIT_USAGE);
	}
	if (dns)
		memset(want_protos, 0, sizeof(want_protos));
	only_parse(&only, want_kinds, want_protos);
	ends = want_kinds[CONNSNOOP_CLOSE];
	/* accepted connections are stored for later events */
	want_tcp_accept = want_protos[CONNSNOOP_TCP] &&
			  (want_kinds[CONNSNOOP_ACCEPT] || ends || want_kinds[CONNSNOOP_RETRANS]);
	want_unix_accept = want_protos[CONNSNOOP_UNIX] && (want_kinds[CONNSNOOP_ACCEPT] || ends);
	want_unix_close = want_protos[CONNSNOOP_UNIX];
	want_names = !dns &&
		     (options_fill_all(o) ||
		      (o->rows.columns ? columns_have(o->rows.columns, "host") : o->rows.extended));
	if (!want_names)
		unattached[0] = NULL;
	want_dns = dns || want_names;
	want_udp_packets = want_dns || want_protos[CONNSNOOP_UDP];
	want_connects = !dns;
	state_copies = want_protos[CONNSNOOP_TCP] && session_preempts(o);
}

static int connsnoop_open(struct skeleton *sk, const void *param)
{
	struct connsnoop_bpf *skel = SKELETON_OPEN(sk, connsnoop);

	(void)param;
	if (!skel)
		return -errno;
	for (int i = 0; i < CONNSNOOP_KINDS; i++)
		skel->rodata->want_kinds |= (uint32_t)want_kinds[i] << i;
	skel->rodata->want_tcp = want_protos[CONNSNOOP_TCP];
	skel->rodata->want_udp = want_protos[CONNSNOOP_UDP];
	skel->rodata->want_dns = want_dns;
	skel->rodata->want_unix = want_protos[CONNSNOOP_UNIX];
	skel->rodata->has_copies = state_copies;
	return 0;
}

/* ---- C libraries ---- */

static int connsnoop_attached(struct session *s)
{
	const struct connsnoop_bpf *skel = s->objects->skel;
	int err;

	if (!want_names)
		return EXIT_FINE;
	if (s->traced.proc_is_other) {
		log_note("names are only known by DNS: %s", pidns_proc_why());
		return EXIT_FINE;
	}
	err = libc_begin(&(struct libc_programs){
		.asked = bpf_program__fd(skel->progs.name_asked),
		.addrinfo_found = bpf_program__fd(skel->progs.addrinfo_found),
		.hostent_found = bpf_program__fd(skel->progs.hostent_found),
		.libraries = bpf_map__fd(skel->maps.libraries),
	});
	if (err)
		attach_reason_hint(err);
	return EXIT_FINE;
}

static void connsnoop_ending(struct skeleton *sk)
{
	(void)sk;
	libc_end();
}

static int name_consume(const struct session *s, const struct connsnoop_event *e, size_t size)
{
	bool is_found = e->kind == CONNSNOOP_FOUND;

	if (size < (is_found ? sizeof(struct connsnoop_found) : sizeof(struct connsnoop_library)))
		return -EBADMSG;
	if (is_found)
		libc_found((const void *)e);
	else if (!s->traced.proc_is_other && e->header.pid)
		libc_mapped((const void *)e);
	return 0;
}

/* ---- --dns, and the names of hosts ---- */

#define ANSWER_NS 5000000000ull

static int lookup_show(struct session *s, const struct lookup *l)
{
	if (!dns || (s->options.rows.failed_only && !lookup_failed(l)))
		return 0;
	s->losses.local[LOSS_CUT] += l->m.is_cut;
	return recorder_output(s, l, sizeof(*l));
}

static int connsnoop_record(struct session *s, const void *record, size_t size)
{
	const struct connsnoop_event *e = record;
	const struct lookup *l;

	if (size < sizeof(*e) || e->kind < CONNSNOOP_KINDS)
		return recorder_output(s, record, size);
	if (e->kind >= CONNSNOOP_FOUND)
		return name_consume(s, e, size);
	if (size < sizeof(struct connsnoop_packet))
		return -EBADMSG;
	if (dns)
		s->losses.local[LOSS_FAULT] += lookups_unreadable(record);
	if (e->kind == CONNSNOOP_ASKED) {
		s->losses.local[LOSS_MAP_FULL] += !lookups_asked(record);
		return 0;
	}
	l = lookups_answered(record);
	return l ? lookup_show(s, l) : 0;
}

static void unanswered_show(struct session *s, uint64_t before)
{
	const struct lookup *l;

	while (!session_limit_reached(s) && (l = lookups_expired(before)))
		lookup_show(s, l);
}

static void connsnoop_poll(struct session *s)
{
	unanswered_show(s, now_ns() - ANSWER_NS);
}

static void connsnoop_rest(struct session *s)
{
	unanswered_show(s, UINT64_MAX);
}

/* Columns: those of a lookup are "name" to "server". */
static int connsnoop_args(struct session *s, int argc, char **argv)
{
	const struct applet *a = s->applet;
	bool is_lookup = false;

	(void)argc, (void)argv;
	s->rows.schema = (struct schema){ .fields = a->fields,
					  .count = a->field_count,
					  .record_min = a->record_min };
	for (size_t i = 0; i < a->field_count; i++) {
		is_lookup |= a->fields[i].value == lookup_name;
		if (a->fields[i].flags & FIELD_OPTIONAL && is_lookup == dns &&
		    a->fields[i].kind != &field_inner_pid)
			s->rows.schema.optional |= 1ull << i;
		is_lookup &= strcmp(a->fields[i].name, "server") != 0;
	}
	if (want_dns)
		s->record = connsnoop_record;
	return 0;
}

/* Where BPF programs can be preempted, fentry misses calls that kprobes see. */
static const enum attach_method_id order_preempted[] = { ATTACH_KPROBE_MULTI, ATTACH_KPROBE,
							 ATTACH_ANY, ATTACH_END };

static const struct skeleton_source objects[] = {
	{ .hooks = hooks,
	  .order_preempted = order_preempted,
	  .unattached = unattached,
	  .open = connsnoop_open,
	  .ending = connsnoop_ending },
	{ 0 },
};

static const char *const parts[] = { "--dns", "--only tcp", "--only udp", "--only unix", NULL };

const struct applet connsnoop_applet = {
	.name = "connsnoop",
	.summary = "trace connections of TCP, UDP and unix sockets: opened, accepted, closed",
	.description =
		"Shows a connection when it is opened (connect), accepted, and closed: TCP and UDP "
		"over IPv4 and IPv6, and unix sockets, through system calls or io_uring. Failed "
		"connects are shown with their error. An IPv6 socket that uses IPv4 is shown with its "
		"IPv4 addresses.\n\n"
		"PID and COMM are those of the task that connected or accepted, even in the row of a "
		"close; filters apply to that task.\n\n"
		"TCP: a non-blocking connect (EINPROGRESS) is shown when its result is known; "
		"ECANCELED means that the program closed the socket before. A close is shown when the "
		"kernel has finished with the connection, after both sides have closed. Its error is "
		"that of the connection (ECONNRESET: the other side reset it).\n\n"
		"UDP: a connection is a socket on which connect was called. Bytes do not include "
		"headers.\n\n"
		"--dns shows a row for each question sent to port 53 over UDP, when its answer is "
		"read. Without an answer the row is shown after 5 s, or at the end. PID and COMM are "
		"those of the task that asked.\n\n"
		"HOST is the name that the process looked up. It comes from getaddrinfo and "
		"gethostbyname of each C library that a process maps, also in containers, whatever "
		"their source (/etc/hosts, any resolver). For other programs it comes from DNS over "
		"UDP.",
	.common = OPTION_GROUPS_TRACER | OPTION_GROUP_MOUNTS | OPTION_GROUP_RECORDS |
		  OPTION_GROUP_RING | OPTION_GROUP_UNTIL | OPTION_GROUP_FAILED |
		  OPTION_GROUP_EXTENDED,
	.options = options,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.record_min = sizeof(struct connsnoop_event),
	.objects = objects,
	.parts = parts,
	.examples = examples,
	.prepare = connsnoop_prepare,
	.args_set = connsnoop_args,
	.hooks.attached = connsnoop_attached,
	.hooks.look = connsnoop_poll,
	.hooks.rest = connsnoop_rest,
	.overhead =
		"On 6.12 a TCP connection over loopback, opened, accepted and closed by both sides (four rows), "
		"costs 3,670 instructions more in the tasks themselves, and 5,760 in coretap, which writes "
		"them. With -p, a connection of another process costs 2,110.",
	.blind_spots =
		"Connections that began before tracing: their close is not shown. UDP sockets that "
		"send without connect. An MPTCP socket is shown as its TCP connections. Bytes of unix "
		"sockets, and how long their connect took.\n\n"
		"--dns: DNS over TCP, TLS and HTTPS, and lookups through a daemon with another "
		"protocol (nscd). A truncated answer ends with …; an answer that the network driver "
		"left in its own pages is shown as unreadable.\n\n"
		"HOST: names that another process looked up, or this process before tracing. Lookups "
		"that do not use DNS over UDP, in programs without a shared C library (static ones, "
		"Go), in 32-bit programs, and in programs that call gethostbyname_r. Addresses of a "
		"name beyond the 16th. The first lookup of the first process with a new C library, "
		"within the milliseconds that it takes to probe the library.\n\n"
		"Connects of the kernel itself that fail before a packet is sent; connects by sendto "
		"with MSG_FASTOPEN.\n\n"
		"A TCP connection that is closed before it was accepted is not shown if the listener "
		"is also closed. Failed accepts and failed listens.",
};
