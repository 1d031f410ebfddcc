/* SPDX-License-Identifier: GPL-2.0-only */
/* test_syscall_heads.c - structs of which only a part could be read or was passed, requests of consoles, lists of
 * descriptors, and numbers of other pid namespaces: bytes in memory → text as strace(1) prints it. */
#include <linux/bpf.h>
#include <linux/kd.h>
#include <linux/netlink.h>
#include <linux/vt.h>
#include <stdint.h>
#include <sys/socket.h>

#include "record_sample.h"

#define NOT_OPEN " = -1 EBADF (Bad file descriptor)"

/* A record of a request on no file, of whose data the end could not be read if `unread` is not 0. */
static struct record request_of(uint64_t request, const void *data, size_t len, uint8_t unread)
{
	struct record r = record_of("ioctl", -9, (uint64_t[6]){ -1u, request, 0x7000 });

	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, data, len);
	((struct syssnoop_chunk *)r.chunks)->unread = unread;
	return r;
}

/* What is before "|" is enough; lists, strings and numbers behind it. */
static void test_heads(void **state)
{
	static const unsigned char entry[4] = { 0xa8, 168, 0, 1 }, string[3] = { 1, 'a', 0 };
	static const unsigned char accents[12] = { 4, 0, 0, 0, '(', ')', '*', '+', ',', '-', '.' };
	struct record r = request_of(KDSKBENT, entry, 2, 1);

	(void)state;
	expect(&r, "ioctl(-1, KDSKBENT, {kb_table=1<<KG_ALT|1<<KG_SHIFTR|1<<KG_CTRLR, "
		   "kb_index=168, kb_value=???})" NOT_OPEN);
	r = request_of(KDSKBENT, entry, 1, 1);
	expect(&r, "ioctl(-1, KDSKBENT, 0x7000)" NOT_OPEN);
	r = request_of(KDSKBSENT, string, 3, 1);
	expect(&r, "ioctl(-1, KDSKBSENT, {kb_func=KVAL(K_F2), kb_string=\"a\"})" NOT_OPEN);
	r = request_of(KDSKBSENT, string, 2, 1);
	expect(&r, "ioctl(-1, KDSKBSENT, {kb_func=KVAL(K_F2), kb_string=0x7001})" NOT_OPEN);
	r = request_of(KDSKBDIACR, accents, sizeof(accents), 1);
	expect(&r, "ioctl(-1, KDSKBDIACR, {kb_cnt=4, kbdiacr=[{diacr='(', base=')', result='*'}, "
		   "{diacr='+', base=',', result='-'}, ... /* 0x700a */]})" NOT_OPEN);
	r = request_of(KDSKBDIACR, accents, 4, 1);
	expect(&r, "ioctl(-1, KDSKBDIACR, {kb_cnt=4, kbdiacr=0x7004})" NOT_OPEN);
	r = request_of(0x2285, "S\0\0\0", 4, 1);
	expect(&r, "ioctl(-1, SG_IO, {interface_id='S', 0x7004})" NOT_OPEN);
	r = request_of(PIO_UNISCRNMAP, "\325\357\25\360", 4, 1);
	expect(&r, "ioctl(-1, PIO_UNISCRNMAP, [0xefd5, UNI_DIRECT_BASE+0x15, ... /* 0x7004 "
		   "*/])" NOT_OPEN);
}

static void expect_number(uint64_t request, uint64_t v, const char *text)
{
	struct record r = record_of("ioctl", -9, (uint64_t[6]){ -1u, request, v });

	expect(&r, text);
}

/* Tones, ports, signals and symbols of keys. */
static void test_consoles(void **state)
{
	static const struct {
		uint16_t symbol;
		const char *text;
	} symbols[] = { { 0x113, "0x113 /* K_F20 */" },
			{ 0x11d, "0x11d /* K_PAUSE */" },
			{ 0x11e, "0x11e /* K_F21 */" },
			{ 0x1fe, "0x1fe /* K_F245 */" },
			{ 0x1ff, "0x1ff /* K_UNDO */" },
			{ 0x20a, "0x20a /* K_SCROLLFORW */" },
			{ 0x41a, "0x41a /* K_DGREEK */" },
			{ 0x919, "0x919 /* K_HEXf */" },
			{ 0xb40, "0xb40 /* K(KT_LETTER, '@') */" },
			{ 10, "0xa /* K(KT_LATIN, '\\n') */" },
			{ 0x500, "0x500 /* K(KT_CONS, 0) */" },
			{ 0xf00d, "0xf00d /* K(0xf0, 0xd) */" } };
	char entry[4] = { 0 }, text[128];

	(void)state;
	expect_number(KIOCSOUND, 440, "ioctl(-1, KIOCSOUND, 440 /* 2711 Hz */)" NOT_OPEN);
	expect_number(KIOCSOUND, 1193183, "ioctl(-1, KIOCSOUND, 1193183 /* off */)" NOT_OPEN);
	expect_number(KDMKTONE, 0x10001,
		      "ioctl(-1, KDMKTONE, 1<<16|1 /* 1193182 Hz, 1 ms */)" NOT_OPEN);
	expect_number(KDMKTONE, 440, "ioctl(-1, KDMKTONE, 440 /* off */)" NOT_OPEN);
	expect_number(KDADDIO, 0x3c0, "ioctl(-1, KDADDIO, 0x3c0 /* GPFIRST + 12 */)" NOT_OPEN);
	expect_number(KDDELIO, 0x3e0, "ioctl(-1, KDDELIO, 0x3e0)" NOT_OPEN);
	expect_number(KDSIGACCEPT, -1ull, "ioctl(-1, KDSIGACCEPT, 18446744073709551615)" NOT_OPEN);
	options.style = SYSCALL_NUMBERS_ONLY;
	expect_number(KDMKTONE, 0x10001, "ioctl(-1, 0x4b30, 1<<16|1)" NOT_OPEN);
	options.style = SYSCALL_NAMES;
	for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++) {
		struct record r;

		memcpy(entry + 2, &symbols[i].symbol, 2);
		r = request_of(KDSKBENT, entry, sizeof(entry), 0);
		snprintf(
			text, sizeof(text),
			"ioctl(-1, KDSKBENT, {kb_table=K_NORMTAB, kb_index=0, kb_value=%s})" NOT_OPEN,
			symbols[i].text);
		expect(&r, text);
	}
}

/* What is before "0|" is 0 where a struct is too short, as the kernel has it. */
static void test_zeros(void **state)
{
	struct record r = record_of("bpf", -22, (uint64_t[6]){ BPF_MAP_CREATE, 1, 4 });

	(void)state;
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, "\2\0\0\0", 4);
	expect(&r, "bpf(BPF_MAP_CREATE, {map_type=BPF_MAP_TYPE_ARRAY, key_size=0, value_size=0, "
		   "max_entries=0}, 4) = -1 EINVAL (Invalid argument)");
	r = record_of("bpf", -9, (uint64_t[6]){ BPF_OBJ_GET_INFO_BY_FD, 1, 4 });
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, "\377\377\377\377", 4);
	expect(&r,
	       "bpf(BPF_OBJ_GET_INFO_BY_FD, {info={bpf_fd=-1, info_len=0, info=NULL}}, 4)" NOT_OPEN);
}

/* A request that is shown only as it was passed, if it was not all 0, or only as it was filled. */
static void test_received(void **state)
{
	char passed[80] = { 1 }, filled[80] = { 2 };
	struct record r;

	(void)state;
	r = request_of(ioctl_native(0xc0502100), passed, sizeof(passed), 0);
	expect(&r, "ioctl(-1, SECCOMP_IOCTL_NOTIF_RECV, {id=0x1, pid=0, flags=0, data={nr=0, "
		   "arch=0 /* AUDIT_ARCH_??? */, instruction_pointer=NULL, args=[0, 0, 0, 0, 0, "
		   "0]}} => 0x7000)" NOT_OPEN);
	passed[0] = 0;
	r = request_of(ioctl_native(0xc0502100), passed, sizeof(passed), 0);
	expect(&r, "ioctl(-1, SECCOMP_IOCTL_NOTIF_RECV, 0x7000)" NOT_OPEN);
	r.event.ret = 0;
	chunk_add(&r, 2, TAKE_AT_RETURN, 0, filled, sizeof(filled));
	expect(&r, "ioctl(-1, SECCOMP_IOCTL_NOTIF_RECV, {id=0x2, pid=0, flags=0, data={nr=0, "
		   "arch=0 /* AUDIT_ARCH_??? */, instruction_pointer=NULL, args=[0, 0, 0, 0, 0, "
		   "0]}}) = 0");
}

/* Call signs: plain, with bits that should be 0, any, and not all there. */
static void test_radio(void **state)
{
	static const char address[38] = "\3\0\254\202\230\222\210@\32p\0\0\10\0\0\0"
					"\236\226@@@@\36\216\222\234\212@A\4@@@@@@\0";
	struct record r = record_of("connect", -9, (uint64_t[6]){ -1u, 1, 38 });

	(void)state;
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, address, sizeof(address));
	expect(&r, "connect(-1, {sa_family=AF_AX25, fsa_ax25={sax25_call=VALID-13, "
		   "sax25_ndigis=8}, fsa_digipeater=[OK-15, "
		   "{ax25_call=\"\\x8e\\x92\\x9c\\x8a\\x40\\x41\\x04\"} /* GINE-2 */, *, ...], "
		   "...}, 38)" NOT_OPEN);
	r.event.args[2] = 16;
	expect(&r, "connect(-1, {sa_family=AF_AX25, fsa_ax25={sax25_call=VALID-13, "
		   "sax25_ndigis=8}, fsa_digipeater=[...]}, 16)" NOT_OPEN);
}

static uint32_t pid_plus_100(uint32_t tid, uint32_t nr)
{
	return tid == 7 && nr < 10 ? nr + 100 : 0;
}

/* Arguments, results, members, signals: all that are numbers of processes, and nothing else. */
static void test_pids(void **state)
{
	struct ucred from = { .pid = 5, .uid = 5, .gid = 5 };
	struct record r = record_of("kill", 0, (uint64_t[6]){ 3, 9 });

	(void)state;
	options.pid_here = pid_plus_100;
	r.event.header.tid = 7;
	expect(&r, "kill(3 /* 103 in strace's PID NS */, SIGKILL) = 0");
	r.event.args[0] = 10;
	expect(&r, "kill(10, SIGKILL) = 0");
	r = record_of("getpid", 4, NULL);
	r.event.header.tid = 7;
	expect(&r, "getpid() = 4 /* 104 in strace's PID NS */");
	r.event.header.tid = 8;
	expect(&r, "getpid() = 4");
	r = record_of("getpriority", 20, (uint64_t[6]){ 0, 2 });
	r.event.header.tid = 7;
	expect(&r, "getpriority(PRIO_PROCESS, 2 /* 102 in strace's PID NS */) = 20");
	r.event.args[0] = 2; /* a user */
	expect(&r, "getpriority(PRIO_USER, 2) = 20");
	r = record_of("getsockopt", 0, (uint64_t[6]){ 3, SOL_SOCKET, SO_PEERCRED, 1, 2 });
	r.event.header.tid = 7;
	chunk_add(&r, 3, TAKE_AT_RETURN, 0, &from, sizeof(from));
	chunk_add(&r, 4, TAKE_AT_ENTRY, 0, "\14\0\0\0", 4);
	expect(&r, "getsockopt(3, SOL_SOCKET, SO_PEERCRED, {pid=5 /* 105 in strace's PID NS */, "
		   "uid=5, gid=5}, [12]) = 0");
	r = record_of("sendto", 16, (uint64_t[6]){ 3, 1, 16 });
	r.event.header.tid = 7;
	chunk_add(&r, 0, TAKE_AT_ENTRY, 2, "\0\0\0\0", 4);
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, &(struct nlmsghdr){ 16, NLMSG_NOOP, 0, 1, 6 }, 16);
	expect(&r, "sendto(3, {nlmsg_len=16, nlmsg_type=NLMSG_NOOP, nlmsg_flags=0, nlmsg_seq=1, "
		   "nlmsg_pid=6 /* 106 in strace's PID NS */}, 16, 0, NULL, 0) = 16");
	options.pid_here = NULL;
}

/* Paths of descriptors in a list that a member leads to: part 0x4000 | its part * 8 | the index. */
static void test_lists(void **state)
{
	struct {
		struct syssnoop_file f;
		char path[12];
	} file = { .path = "null\0dev" };
	struct {
		uint32_t offset, resv;
		uint64_t fds;
	} update = { 1, 0, 0x9000 };
	int32_t fds[3] = { 5, -1, -2 };
	struct record r = record_of("io_uring_register", -95, (uint64_t[6]){ 3, 6, 1, 3 });

	(void)state;
	options.fd_paths = true;
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, &update, sizeof(update));
	chunk_add(&r, 2, TAKE_AT_ENTRY, 3, fds, sizeof(fds));
	chunk_add(&r, 2, TAKE_AT_ENTRY, SYSSNOOP_IN_LIST | 3 * SYSSNOOP_LIST, &file,
		  sizeof(file.f) + 9);
	expect(&r, "io_uring_register(3, IORING_REGISTER_FILES_UPDATE, {offset=1, "
		   "fds=[5</dev/null>, -1, IORING_REGISTER_FILES_SKIP]}, 3) = -1 EOPNOTSUPP "
		   "(Operation not supported)");
	options.fd_paths = false;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_heads), cmocka_unit_test(test_consoles),
		cmocka_unit_test(test_zeros), cmocka_unit_test(test_received),
		cmocka_unit_test(test_pids),  cmocka_unit_test(test_lists),
		cmocka_unit_test(test_radio),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
