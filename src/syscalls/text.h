/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * text.h - private to syscalls/: prints values as text or JSON, by their types.
 */
#ifndef CORETAP_SYSSCALLS_TEXT_H
#define CORETAP_SYSSCALLS_TEXT_H

#include "syscalls/table.h"

#define AT_CWD (-100) /* AT_FDCWD */

#define RARE __attribute__((cold)) /* of what is seldom printed: compiled to be small, not fast */

struct out {
	struct buf *o;
	const struct syssnoop_event *event;
	const struct syscall_options *options;
	bool json;
	unsigned arg;	  /* whose data are shown, */
	const char *base; /* and where these begin */
	uint16_t part;	  /* of a descriptor in these data; 0: the argument is one */
	uint16_t list;	  /* the part of a list that a member leads to; 0: none */
	uint16_t index;	  /* of the element that is shown */
	bool list_filled; /* the call has filled it */
	bool is_cut;	  /* of a list that a member leads to not everything could be read */
	uint32_t arch;	  /* AUDIT_ARCH_… that they name, for the numbers of calls in them */
	/* out_iovec, for vectors that members lead to; set where there are such members */
	void (*vector)(struct out *out, unsigned arg, unsigned part, const struct syssnoop_chunk *c,
		       uint64_t address, uint64_t left);
};

/* Writes bytes in quotes; `more`: followed by "...". `hex`: all as \x41. */
void out_string(struct out *out, const char *s, size_t n, bool more, bool hex);
/* Writes escaped bytes between < and >. */
void out_bracketed(struct out *out, const char *s, size_t n);
/* Writes a word without a JSON form of its own: in quotes there. */
void out_word(struct out *out, const char *s);
/* Returns SIGHUP, or a number without a name, in `room`. */
const char *signal_name(unsigned nr, char room[16]);
void out_hex(struct out *out, uint64_t v);
void out_set(struct out *out, const struct set *s, uint64_t v, uint32_t size);
/* An AUDIT_ARCH_…, whose calls out_nr() names. */
void out_arch(struct out *out, uint32_t arch);
/* The number of a call of out->arch: __NR_read; of another machine the number. */
void out_nr(struct out *out, uint64_t nr);
/* -X: replaces the name of a value, which begins at `begin` in out->o, by the number, or puts the number before it. A
 * name that begins with that number stays. Does nothing without -X. */
void out_style(struct out *out, size_t begin, const char *number);
static inline bool out_is_styled(const struct out *out)
{
	return out->options->style != SYSCALL_NAMES && !out->json;
}
void out_scalar(struct out *out, const struct type *t, uint64_t v);
/* Writes an address of the call's ABI: that of memory that is not shown. */
void out_address(struct out *out, uint64_t address);
/* The same without a number before it for -X. */
void out_plain(struct out *out, const struct type *t, uint64_t v);
/* Writes everything that a type has in memory: an array, a string, an element. */
void out_value(struct out *out, const struct type *t, const char *p, size_t len);
/* Writes one element of a type in memory. */
void out_memory(struct out *out, const struct type *t, const char *p, size_t len);
void out_struct(struct out *out, const struct layout *l, const char *p, size_t len);
/* The same with what the call has changed: `after`; NULL: nothing. `room`: available bytes. */
void out_struct_changed(struct out *out, const struct type *t, const char *p, size_t len,
			const char *after, size_t after_len, uint64_t room);
/* True if its elements are shown in [ ], even if there is only one. */
bool type_is_list(const struct type *t);
/* Writes `count` elements, as many as strace(1) shows, with the names of their numbers if the type has a set. Returns
 * false if "..." replaced the others. */
bool out_items(struct out *out, const struct type *t, const char *p, uint32_t count);
/* The same, in [ ] if the type is a list. */
void out_elements(struct out *out, const struct type *t, const char *p, uint32_t count);
/* Ticks of times(2), 100 of a second. */
void out_clock(struct out *out, uint64_t v);
/* The name of a message of netfilter by its type; NULL: it has none. */
const char *nfmsg_name(uint16_t type);
void out_ifindex(struct out *out, unsigned index);
/* How many halves of capabilities the version in the header of capset(2) or capget(2) has; 0: it is unknown. */
unsigned out_caps_halves(const struct out *out);
void out_mac(struct out *out, const char *p, unsigned len);
/* Writes a time with its date; `has_part`: followed by a word with the fraction of a second. */
void out_time(struct out *out, const char *p, bool has_part);
/* Writes the date after a time; `digits`: of the fraction of a second. */
void out_part_date(struct out *out, int64_t sec, uint64_t part, int digits);
/* For utimensat(2): with the date. */
bool out_utime(struct out *out, const char *p, bool is_usec);
void out_sigset(struct out *out, uint64_t set);
/* Writes (DATE) after a result. */
void out_date(struct out *out, int64_t sec);
void out_inet(struct out *out, const char *p);
/* `name`: of the member, which strace shows as the address that is written. */
void out_inet6(struct out *out, const char *p, const char *name);
/* A name in the network's order of bytes: htons(ETH_P_IP). If t->bit is set, -X is about the name, else about the bytes. */
void out_network(struct out *out, const struct type *t, uint16_t v);
/* -X of what begins at `begin`: its bytes. */
void out_bytes_style(struct out *out, size_t begin, const char *p, unsigned len);
/* Writes kinds without a form in values.c. Returns false for other kinds. */
bool out_form(struct out *out, const struct type *t, const char *p);
void out_sockaddr(struct out *out, const char *p, size_t len);
/* Writes what follows the family in an address of AX.25. Returns false if it is too short. */
bool out_ax25(struct out *out, const char *p, size_t len);
void out_dev(struct out *out, uint64_t v);
uint64_t memory_number(const char *p, uint32_t size);
/* True if any byte is not 0. */
bool memory_any(const char *p, size_t len);

/* Returns the chunk of an argument captured at `when`, NULL: none. */
const struct syssnoop_chunk *chunk_find(const struct syssnoop_event *e, unsigned arg, unsigned when,
					unsigned part);
/* Returns the chunk with the target of an argument of this type. */
const struct syssnoop_chunk *chunk_of(const struct syssnoop_event *e, unsigned arg,
				      const struct type *t);
bool chunk_is_good(const struct syssnoop_chunk *c);
/* True for an array (type.array) of no elements, whatever its address is: nothing is read. */
bool out_array_is_empty(struct out *out, const struct call *call, const struct type *t);
/* Returns the bytes that the target of an argument has: the kernel's value, at most the room; ~0: its type has no limit. */
uint64_t out_room(struct out *out, const struct call *call, const struct type *t,
		  const struct syssnoop_chunk *c);
/* Returns the number of bytes, or elements, that another argument says there are; ~0: that was not captured. */
uint64_t out_buffer_size(struct out *out, const struct call *call, const struct type *t,
			 const struct syssnoop_chunk *c);
/* True if everything was captured that is needed to print a value of this type. */
bool out_data_is_whole(struct out *out, const struct call *call, const struct type *t,
		       const struct syssnoop_chunk *c);
/* Writes the target of member `t` of a struct, `count` elements, from chunk `part`; if it was not captured, its address. */
void out_behind(struct out *out, const struct type *t, unsigned part, uint64_t address,
		uint64_t count);
/* The same, of `len` bytes of a type, which may be fewer or more than it has; %N: a multiple of N. */
void out_behind_bytes(struct out *out, const struct type *t, unsigned part, uint64_t address,
		      uint64_t len);
/* Writes the address at which a list continues that could not be read further; nothing in JSON. */
void out_unread(struct out *out, uint64_t address);
/* Writes a NUL-terminated string, or the captured part of it. */
void out_text(struct out *out, const struct type *t, const struct syssnoop_chunk *c, size_t len);
/* Writes what only requests of consoles are passed: type.bit of a TYPE_CONSOLE says what it is. */
enum console_form {
	CONSOLE_CHARACTER,
	CONSOLE_SOUND,
	CONSOLE_TONE,
	CONSOLE_PORT,
	CONSOLE_SYMBOL,
	CONSOLE_FUNCTION,
	CONSOLE_UNICODE,
};
void out_console(struct out *out, unsigned form, uint64_t v);
/* Writes 'a', '\n', '\x01'. */
void out_character(struct out *out, unsigned char c);
/* Writes a message of msgsnd(2); out_msgbuf_is_whole: true if all bytes to print were captured. */
void out_msgbuf(struct out *out, const struct type *t, const struct syssnoop_chunk *c);
bool out_msgbuf_is_whole(struct out *out, const struct type *t, const struct syssnoop_chunk *c);
/* Writes an instruction of classic BPF. */
void out_insn(struct out *out, const char *p, bool is_seccomp);
/* The same of bpf(2). */
void out_ebpf(struct out *out, const char *p);
/* Writes the result of a call, after its " = "; `c` may be NULL. */
void out_result(struct out *out, const struct call *c);
/* True if the call and its result are printed as numbers (raw=). */
static inline bool out_is_raw(const struct out *out)
{
	return out->options->raw && !out->json &&
	       syscall_set_has(out->options->raw, out->event->abi, out->event->nr);
}
/* Prints argument `i` from its chunk. */
void out_data(struct out *out, const struct call *call, unsigned i, const struct syssnoop_chunk *c);
#define IOVEC_ADDRESSES (~0ull - 1) /* nothing has arrived: print the addresses */
/* The vector is part `part`, the memory of entry i is part + 1 + i; `left`: bytes in all. */
void out_iovec(struct out *out, unsigned arg, unsigned part, const struct syssnoop_chunk *c,
	       uint64_t address, uint64_t left);
/* Writes the requests that an array of pointers leads to. */
void out_requests(struct out *out, const struct syssnoop_chunk *c, uint64_t count);
/* A struct msghdr, of which `len` bytes were captured; what it points to is in the parts after
 * `part`. */
void out_message(struct out *out, unsigned arg, unsigned part, const char *p, size_t len,
		 uint64_t left);
/* Writes a message of udev. Returns false if it is none. */
bool out_udev(struct out *out, const struct syssnoop_chunk *c, uint64_t len);
/* True if the call is about a netlink socket whose messages are known. */
bool out_is_netlink(const struct out *out, uint32_t *protocol);
/* Writes `len` bytes at `address`, as far as they were captured. */
void out_netlink(struct out *out, uint32_t protocol, const struct syssnoop_chunk *c,
		 uint64_t address, uint64_t len);
/* Writes an array of struct mmsghdr; of received ones as many as the result. */
void out_messages(struct out *out, unsigned arg, bool came);
/* With -v writes each entry of a directory, else their number. */
void out_dirents(struct out *out, const struct type *t, uint64_t address,
		 const struct syssnoop_chunk *c);
void out_fdset(struct out *out, const struct syssnoop_chunk *c, unsigned limit);
void out_pollfds(struct out *out, const struct syssnoop_chunk *c, bool is_return);
/* Writes, after descriptor `arg` (SYSCALL_RESULT: the result), its <PATH>, in JSON a member NAME_path; nothing if the
 * record has none. */
void out_file(struct out *out, unsigned arg, const char *name);
/* The same, of a descriptor at `p` in the data of out->arg. */
void out_member_file(struct out *out, const char *p, const char *name);
/* The same, of the descriptor with this index in out->list, if there is one. */
void out_list_file(struct out *out, uint32_t index);
/* Returns the part of what the pointer at `p` leads to: a member, or that of an element of a list. */
unsigned out_part(const struct out *out, const char *p);
/* Remembers the name of a record's thread, for numbers of processes that have ended when they are shown. */
void pid_name_keep(const struct event_header *h);
/* Writes <its name> after an argument of this name and type that is the number of a process. */
void out_pid_name(struct out *out, const char *name, const struct type *t, uint64_t v);
/* Writes what number it is here, if the caller is in another pid namespace, as a comment. */
void out_pid_here(struct out *out, const char *name, const struct type *t, uint64_t v);
/* Writes a siginfo_t, of a kernel or program whose words have `word` bytes. */
void out_siginfo(struct out *out, const char *info, unsigned nr, unsigned word);
/* The same, of an argument of this machine. */
void out_info(struct out *out, const char *p);
void out_wstatus(struct out *out, unsigned status);
void out_signal(struct out *out);
void out_exit(struct out *out);

#endif
