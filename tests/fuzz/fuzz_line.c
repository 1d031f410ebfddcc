/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_line.c - whole command lines, and the files that they name: tools and recipes with options, probes, expressions
 * and one-liners in any order; --load, recipes, --btf, doctor and traced programs with damaged files. Each runs in a
 * child as the command would, may not attach anything, and must end by itself, with a status of coretap's, without a
 * byte that drives a terminal.
 *
 *	fuzz_line BTF SMALL_BTF FILES [COUNT [SEED]]
 *
 * FILES is a folder with a folder for each kind of file: probe, btf, elf, text; its files are damaged. A line that
 * fails is printed, its file stays in the folder where the fuzzer ran; the others go on.
 */
#include <ctype.h>
#include <dirent.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "applets.h"
#include "fuzz.h"
#include "front/recipe/recipe.h"
#include "cli/applet.h"
#include "cli/complete.h"
#include "front/find/find.h"
#include "cli/man.h"
#include "run/session.h"
#include "util/escape.h"
#include "util/log.h"

enum {
	WORDS = 40,
	FILES = 200,
	SEEDS_MAX = 8 << 20,
	SECONDS = 20,
	FAILED_MAX = 20,
	OUT_MAX = 1 << 20
};

const char *__asan_default_options(void);
const char *__ubsan_default_options(void);
const char *__asan_default_options(void)
{
	return "abort_on_error=1:detect_leaks=0:hard_rss_limit_mb=3000:allocator_may_return_null=1:handle_abort=0";
}

const char *__ubsan_default_options(void)
{
	return "abort_on_error=1:print_stacktrace=1";
}

/* ---- files ---- */

struct seed_file {
	char *path; /* owned */
	const char *kind;
};

static struct seed_file files[FILES];
static size_t file_count;
static const char *const kinds[] = { "probe", "btf", "elf", "text" };

static void folder_read(const char *folder, const char *kind)
{
	char path[4096];
	struct dirent *e;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/%s", folder, kind);
	dir = opendir(path);
	while (dir && (e = readdir(dir)) && file_count < FILES)
		if (e->d_name[0] != '.' &&
		    asprintf(&files[file_count].path, "%s/%s", path, e->d_name) > 0)
			files[file_count++].kind = kind;
	if (dir)
		closedir(dir);
}

/* Some bytes or words changed, copied or left out. */
static size_t bytes_damage(struct chance *c, uint8_t *bytes, size_t size)
{
	for (uint32_t changes = chance_below(c, 12); changes && size > 8; changes--) {
		size_t at = chance_below(c, chance_below(c, 2) ? size - 7 :
					    size < 512	       ? size - 7 :
								 505);
		size_t from = chance_below(c, size - 7), run = 1 + chance_below(c, 64);
		uint32_t word = chance_below(c, 2) ? chance_next(c) : chance_below(c, 300);

		switch (chance_below(c, 7)) {
		case 0: bytes[at] ^= 1u << chance_below(c, 8); break;
		case 1: memcpy(bytes + at, &word, 4); break;
		case 2: memcpy(bytes + at, bytes + from, 4); break;
		case 3: bytes[at] = "\n \t'\"$\\:{}()\x1b\xff\0-"[chance_below(c, 17)]; break;
		case 4: memset(bytes + at, 'A', size - at < run * 8 ? size - at : run * 8); break;
		case 5:
			run = size - at < run ? size - at : run;
			memmove(bytes + at, bytes + at + run, size - at - run);
			size -= run;
			break;
		default: size = chance_below(c, 6) ? size : at; break;
		}
	}
	return size;
}

/* Writes a damaged copy of a file of that kind as "f". */
static void file_make(struct chance *c, const char *kind)
{
	static uint8_t bytes[SEEDS_MAX];
	size_t first = chance_below(c, file_count), size = 0;
	FILE *f = NULL, *to;

	for (size_t i = 0; i < file_count && !f; i++) {
		const struct seed_file *s = &files[(first + i) % file_count];

		if (s->kind == kind && (f = fopen(s->path, "re"))) {
			size = fread(bytes, 1, sizeof(bytes), f);
			fclose(f);
		}
	}
	size = bytes_damage(c, bytes, size);
	to = fopen("f", "we");
	if (!to || fwrite(bytes, 1, size, to) != size)
		abort();
	fclose(to);
}

/* ---- lines ---- */

struct line {
	char *words[WORDS + 1];
	int count;
	char texts[WORDS][FUZZ_TEXT];
};

static const char *btf, *small;

static void word_add(struct line *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void word_add(struct line *l, const char *fmt, ...)
{
	va_list args;

	if (l->count == WORDS)
		return;
	va_start(args, fmt);
	vsnprintf(l->texts[l->count], FUZZ_TEXT, fmt, args);
	va_end(args);
	l->words[l->count] = l->texts[l->count];
	l->count++;
}

#define PICK(c, list) (list)[chance_below((c), sizeof(list) / sizeof((list)[0]))]

/* clang-format off */
static const char *const probes[] = {
	"vfs_read", "vfs_*", "tcp_sendmsg", "vfs_read%return", "vfs_read+0x10", "vfs_read(struct file *f, int n)", "t:sched_switch",
	"t:sched:sched_switch", "s:openat", "s:*", "s:read%return", "hz:99", "every:1ms", "hw:cycles:1000", "sw:faults:1", "raw:sys_enter",
	"u:f:main", "u:libc:malloc", "u:./f:*", "usdt:f:a:b", "u:f:a:b", "u:f:main%return", "u:f:main+4", "-:x", "-:", "p:my vfs_read", "p vfs_read n=$arg3:u64",
	"p:g/my vfs_read a=%di b=+8(%si):string", "r:my vfs_read ret=$retval", "f:x vfs_read%return $retval", "t:a sched_switch",
	"vfs_read(file *f, u64 n)", "file_*(struct file *)", "vfs_read|vfs_write", "vfs_reed?", "*", "[", "vfs_[rw]*", "*:vfs_read", "ext4:*", "__x64_sys_*", "_text",
	"find_task", "signal", "0xffffffff81000000", "u64 vfs_read(u64 a, char *b, struct file f[3])", "do_sys_openat2,vfs_open", "", ":", "%return", "r", "p",
};
static const char *const exprs[] = {
	"file", "*file", "count", "$ret", "$lat", "file->f_inode->i_ino", "$comm", "$pid", "$kstack", "$ustack", "file->f_path:path", "buf:str", "$ret < 0",
	"n=count*2", "$arg1", "$arg*", "filename:str", "((struct task_struct *)buf)->comm", "prev->comm", "next_pid", "@sum(x in file->f_inode: x)", "@list(t in $task->children: t.pid)",
	"@count(i in 0..3: sk->owner[i])", "@any(o in sk->owner: o)", "@ret($cpu)", "@in(count)", "@end($ts)", "sk:sock", "sk:peer ~ \"10.*\"", "counter", "&counter", "percpu(counter)", "$depth", "$frame",
	"file->f_mode:x", "file->f_op->read:sym", "count:hex[16]", "buf:hex[n]", "$cgroup:container", "$ctx", "type == PIDTYPE_PID", "MOST", "sizeof(struct file)", "sk->__sk_common.skc_state:b4@2/32",
	"file->f_inode->i_mtime", "how", "$reg(di)", "$reg(", "1/0", "1<<70", "0x", "'a'", "\"a\\x1b\"", "a ? b : c", "-9223372036854775808/-1", "count % 0", "file->f_pos >> 200", "(u8)count", "(int[3])buf",
	"($ret, $lat)", "*", "->", ")", "((((((((((((((((((((((((((((((((", "!!!!!!!!!!!!!!!!!!!!!!!!!!!~~~~~~~~~~~~count", "file.", "+0(+8($arg1)):string", "$retval", "%di:x64", "@stack", "x=y=z", "count:str:99999", "$ts:ms", ":", "=", "count,count,100",
	"count,0,100,10", "count,-5,5,0", "count,0,99999999999,1", "*pos", "pos->x", "file->f_inod", "$errno", "$ret:errno", "delta=@begin(count)", "$comm ~ \"a*\"", "filename ~ \"/etc/*\"", "$func == \"vfs_read\"",
};
static const char *const programs[] = {
	"kprobe:vfs_read { @[comm] = count(); }", "kprobe:vfs_read { @s[tid] = nsecs; } kretprobe:vfs_read /@s[tid]/ { @ = hist(nsecs - @s[tid]); delete(@s[tid]); }",
	"t:sched:sched_switch { printf(\"%s %d\\n\", args.prev_comm, args->next_pid); }", "BEGIN { printf(\"%s\", str($1)); exit(); }", "uprobe:f:main { @[ustack] = count(); }",
	"profile:hz:99 { @[kstack] = count(); } interval:s:1 { print(@); clear(@); }", "usdt:f:a:b { printf(\"%d\", arg0); }", "p::vfs_read(struct file *file):u64:file->f_pos", "r::vfs_read \"%d\", retval",
	"t:sched:sched_switch \"%d\", args->next_pid", "u:f:main \"%s\", arg1", "p:c:malloc(size_t size):size_t:size#sizes", "vfs_read \"%llx\", arg1", "p:libc:open (STRCMP(\"x\", arg1)) \"%s\", arg1",
};
static const char *const values[] = {
	"1", "0", "-1", "4294967296", "17,18", "root", "0.1", "5s", "1h", "64K", "3G", "x", "", "f", "./f", "/nonexistent/f", "a*,[", "comm", "path", "\x1b[31m", "\xff\xfe", "a\nb", "$pid > 3", "$ret < 0", "name=$ret", "vfs_read",
	"trace=openat,read", "%file", "/open", "!read", "all", "write=1", "@f", "O_CREAT|O_TRUNC", "O_CREAT,O_RDWR", "/etc/*", "127.0.0.1:99", ":0", "10.0.0.0/8", "time,pid,+x", "pid", "-time", "clock", "unix", "json", "struct file", "struct fi", "vfs_*", "enum pid_type",
	"struct sock.__sk_common", "count,0,100,10", "{pid} {comm} {", "%s %d", "count 100 / sum", "sched:*", "tokens", "insns", "kprobe", "fentry", "kprobe.multi", "bash", "zsh", "options", "examples", "all", "99999999999999999999", "1e400", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33",
};
static const char *const tools[] = { "argdump", "argdump", "argdump", "argdump", "bt", "trace", "argdist", "syssnoop", "opensnoop", "connsnoop", "biosnoop", "biolatency", "execsnoop", "funcgraph", "bashreadline", "doctor" };
/* clang-format on */

static const char *value_random(struct chance *c)
{
	switch (chance_below(c, 6)) {
	case 0: return PICK(c, exprs);
	case 1: return PICK(c, probes);
	case 2: return PICK(c, programs);
	default: return PICK(c, values);
	}
}

static const struct applet *tool_random(struct chance *c)
{
	const char *const *names = recipe_names();
	size_t count = 0;

	if (chance_below(c, 3))
		return applet_find(PICK(c, tools));
	while (names[count])
		count++;
	return count ? recipe_named(names[chance_below(c, count)]) : applet_find("argdump");
}

static void option_random(struct chance *c, struct line *l, const struct applet *a)
{
	const struct option_spec *spec = NULL, *found = NULL;
	uint32_t seen = 0;

	while ((spec = option_next(a, spec)))
		if (!chance_below(c, ++seen))
			found = spec;
	if (!found)
		return;
	if (!found->arg && chance_below(c, 20))
		word_add(l, "--%s", found->name);
	else if (chance_below(c, 2))
		word_add(l, "--%s=%s", found->name, value_random(c));
	else {
		word_add(l, "--%s", found->name);
		word_add(l, "%s", value_random(c));
	}
}

static void argument_random(struct chance *c, struct line *l, const struct applet *a)
{
	bool has_program = !strcmp(a->name, "bt") || !strcmp(a->name, "trace") ||
			   !strcmp(a->name, "argdist");

	if (!strcmp(a->name, "bt"))
		word_add(l, "-e");
	if (!strcmp(a->name, "argdist"))
		word_add(l, chance_below(c, 2) ? "-C" : "-H");
	word_add(l, "%s", has_program && chance_below(c, 8) ? PICK(c, programs) : PICK(c, probes));
	while (chance_below(c, 3))
		word_add(l, "%s", chance_below(c, 8) ? PICK(c, exprs) : value_random(c));
}

static void word_spoil(struct chance *c, struct line *l)
{
	struct fuzz_text t;
	char *word;

	if (l->count < 2)
		return;
	word = l->words[1 + chance_below(c, l->count - 1)];
	text_spoil(c, &t, word, value_random(c), 5);
	snprintf(word, FUZZ_TEXT, "%s", t.text);
}

/* A tool with options and words. */
static void line_of_tool(struct chance *c, struct line *l)
{
	const struct applet *a = tool_random(c);

	if (!a)
		a = applet_find("argdump");
	word_add(l, "%s", a->name);
	word_add(l, "--btf=%s", chance_below(c, 60) ? small : btf);
	if (strcmp(a->name, "doctor"))
		word_add(l, "--dry-run");
	if (chance_below(c, 4))
		argument_random(c, l, a);
	while (chance_below(c, 3))
		option_random(c, l, a);
	if (!chance_below(c, 4))
		argument_random(c, l, a);
	if (!chance_below(c, 3))
		word_spoil(c, l);
}

static void line_of_probe_file(struct chance *c, struct line *l)
{
	file_make(c, kinds[0]);
	if (chance_below(c, 2)) {
		word_add(l, "./f");
	} else {
		word_add(l, "argdump");
		word_add(l, "--load=f");
	}
	word_add(l, "--btf=%s", chance_below(c, 10) ? small : btf);
	word_add(l, chance_below(c, 8) ? "--dry-run" : chance_below(c, 2) ? "--help=all" : "--man");
	while (!chance_below(c, 3))
		word_add(l, "%s", value_random(c));
}

static void line_of_btf(struct chance *c, struct line *l)
{
	static const char *const asked[] = { "--list", "--type", "--list", "--dump=insns" };

	file_make(c, kinds[1]);
	if (!chance_below(c, 8)) {
		word_add(l, "doctor");
		word_add(l, "f");
		return;
	}
	word_add(l, "%s", chance_below(c, 4) ? "argdump" : PICK(c, tools));
	word_add(l, "--btf=f");
	if (chance_below(c, 2))
		word_add(l, "%s", PICK(c, asked));
	word_add(l, "--dry-run");
	word_add(l, "%s", chance_below(c, 2) ? "vfs_*" : value_random(c));
	if (chance_below(c, 2))
		word_add(l, "%s", PICK(c, exprs));
	if (!chance_below(c, 4))
		word_add(l, "-j");
}

static void line_of_elf(struct chance *c, struct line *l)
{
	static const char *const asked[] = {
		"u:./f:*",	"usdt:./f:*",	"u:./f:main",
		"usdt:./f:*:*", "u:./f:main+4", "u:./f:*%return",
	};

	file_make(c, kinds[2]);
	word_add(l, "argdump");
	word_add(l, "--btf=%s", small);
	word_add(l, chance_below(c, 2) ? "--list" : "--dry-run");
	word_add(l, "%s", PICK(c, asked));
	if (chance_below(c, 2))
		word_add(l, "%s", PICK(c, exprs));
	if (!chance_below(c, 4))
		word_add(l, "-j");
}

static void line_of_text(struct chance *c, struct line *l)
{
	file_make(c, kinds[3]);
	word_add(l, "bt");
	word_add(l, "--btf=%s", small);
	word_add(l, "--dry-run");
	word_add(l, "f");
	while (!chance_below(c, 3))
		word_add(l, "%s", value_random(c));
}

static void line_of_completion(struct chance *c, struct line *l)
{
	line_of_tool(c, l);
	memmove(l->words + 1, l->words,
		sizeof(l->words[0]) * (l->count < WORDS ? l->count : WORDS - 1));
	l->words[0] = (char *)"--complete";
	l->count += l->count < WORDS;
}

/* A shell finishes words with the recipes of all: slow; so it is one of many. */
static void line_random(struct chance *c, struct line *l)
{
	static void (*const makers[])(struct chance *, struct line *) = {
		line_of_tool, line_of_tool, line_of_tool, line_of_probe_file,
		line_of_btf,  line_of_elf,  line_of_text, line_of_completion,
	};

	l->count = 0;
	PICK(c, makers)(c, l);
	l->words[l->count] = NULL;
}

/* ---- a run ---- */

static int line_run(struct line *l)
{
	const struct applet *a;
	struct buf o;
	bool wrong;

	buf_init(&o, STDOUT_FILENO);
	if (!strcmp(l->words[0], "--complete")) {
		complete_print(&o, l->count - 1, l->words + 1, recipe_names(), recipe_named,
			       find_complete);
		return buf_flush(&o) ? EXIT_FAILED : 0;
	}
	a = applet_find(l->words[0]) ?: recipe_applet(l->words[0], &wrong);
	if (!a)
		return EXIT_USAGE;
	if (l->count > 2 && !strcmp(l->words[2], "--man")) {
		man_page(a, "x", &o);
		return buf_flush(&o) ? EXIT_FAILED : 0;
	}
	return session_main(a, l->count, l->words);
}

static void child(struct line *l, int out)
{
	struct rlimit core = { 0, 0 }, seconds = { SECONDS, SECONDS };

	setrlimit(RLIMIT_CORE, &core);
	setrlimit(RLIMIT_CPU, &seconds);
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	log_libraries();
	exit(line_run(l));
}

/* Returns the length of one of the colors that --color asks for; 0: none begins there. */
static size_t color_length(const char *text, ssize_t len)
{
	ssize_t at = 2;

	if (len < 4 || text[0] != '\033' || text[1] != '[')
		return 0;
	while (at < len && at < 4 && isdigit((unsigned char)text[at]))
		at++;
	return at > 2 && at < len && text[at] == 'm' ? at + 1 : 0;
}

static bool has_color(const struct line *l)
{
	for (int i = 0; i < l->count; i++)
		if (!strncmp(l->words[i], "--color", strlen("--color")))
			return true;
	return false;
}

/* JSON and tables escape; nothing prints a control character but newlines, tabs of texts, and colors if asked. */
static const char *raw_find(const struct line *l, int out)
{
	static char text[OUT_MAX];
	ssize_t len = pread(out, text, sizeof(text), 0);

	for (ssize_t i = 0; i < len; i++) {
		size_t color = has_color(l) ? color_length(text + i, len - i) : 0;

		if (color)
			i += color - 1;
		else if ((unsigned char)text[i] < ' ' && text[i] != '\n' && text[i] != '\t')
			return "prints control characters";
	}
	return NULL;
}

/* Why the run was not as it must be; NULL: it was. */
static const char *line_try(struct line *l, int out)
{
	static char why[64];
	int status;
	pid_t pid;

	if (ftruncate(out, 0) || lseek(out, 0, SEEK_SET))
		abort();
	fflush(stdout);
	pid = fork();
	if (!pid)
		child(l, out);
	if (waitpid(pid, &status, 0) != pid)
		abort();
	if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
		return "takes too long";
	if (WIFSIGNALED(status) || WEXITSTATUS(status) > EXIT_LOST) {
		snprintf(why, sizeof(why), "status %#x", status);
		return why;
	}
	return raw_find(l, out);
}

static void failure_tell(const struct line *l, const char *why, int out, unsigned long number)
{
	char name[32], text[6000];
	ssize_t len = pread(out, text, sizeof(text) - 1, 0);
	struct buf o;

	buf_init(&o, STDOUT_FILENO);
	buf_printf(&o, "%lu: %s:", number, why);
	for (int i = 0; i < l->count; i++) {
		buf_char(&o, ' ');
		escape_write_shell(&o, l->words[i], strlen(l->words[i]));
	}
	buf_char(&o, '\n');
	for (ssize_t at = 0, end; at < len; at = end + 1) {
		for (end = at; end < len && text[end] != '\n'; end++)
			;
		escape_write(&o, text + at, end - at);
		buf_char(&o, '\n');
	}
	buf_flush(&o);
	buf_free(&o);
	snprintf(name, sizeof(name), "f.%lu", number);
	link("f", name);
	unlink("f");
}

/* ---- forbidden effects of a line ---- */

/* Runs as nobody, and without the calls that trace or change the system. */
static void rights_drop(void)
{
	static const int denied[] = { SYS_bpf,	  SYS_perf_event_open,
				      SYS_ptrace, SYS_mount,
				      SYS_execve, SYS_kill,
				      SYS_socket, SYS_setns };
	struct sock_filter filter[2 * 8 + 2];
	struct sock_fprog program = { .filter = filter };

	filter[program.len++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
							     offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < 8; i++) {
		filter[program.len++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
								     denied[i], 0, 1);
		filter[program.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
								     SECCOMP_RET_ERRNO | EPERM);
	}
	filter[program.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	if (!getuid() && (setgid(65534) || setuid(65534)))
		abort();
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		abort();
}

static void folder_enter(void)
{
	static char folder[] = "/tmp/fuzz_line.XXXXXX";

	if (!mkdtemp(folder) || chown(folder, 65534, 65534) || chdir(folder))
		abort();
	printf("in %s\n", folder);
	setenv("HOME", folder, 1);
	unsetenv("XDG_CONFIG_HOME");
}

/* Removes files that options of a line wrote: the next lines would read them. */
static void folder_clean(void)
{
	DIR *dir = opendir(".");
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		if (e->d_name[0] != '.' && strncmp(e->d_name, "f.", 2))
			unlink(e->d_name);
	if (dir)
		closedir(dir);
}

int main(int argc, char **argv)
{
	unsigned long count = argc > 4 ? strtoul(argv[4], NULL, 0) : 20000;
	unsigned long seed = argc > 5 ? strtoul(argv[5], NULL, 0) : 1, failed = 0;
	static struct line line;
	int out;

	applets = applets_all;
	if (argc < 4)
		return EXIT_USAGE;
	applets = applets_all;
	btf = realpath(argv[1], NULL);
	small = realpath(argv[2], NULL);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		folder_read(realpath(argv[3], NULL) ?: argv[3], kinds[i]);
	folder_enter();
	out = open("out", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	rights_drop();
	recipe_names();
	for (unsigned long i = 0; i < count && failed < FAILED_MAX; i++) {
		struct chance c = { ((uint64_t)seed << 40 ^ i) * 0x9e3779b97f4a7c15ull | 1 };
		const char *why;

		line_random(&c, &line);
		why = line_try(&line, out);
		if (why) {
			failure_tell(&line, why, out, i);
			failed++;
		}
		if (i % 64 == 0)
			folder_clean();
	}
	folder_clean();
	printf("%lu lines, %lu failed\n", count, failed);
	return failed ? EXIT_FAILED : 0;
}
