/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sample.c - probes that sample what runs: hz:N, every:SEC, hw:EVENT[:PERIOD], sw:EVENT[:PERIOD]; and what accesses
 * memory: watch:ADDRESS:LENGTH:MODE, of the kernel on each processor, of processes in their threads.
 *
 * There is a perf event on each processor that is online when tracing starts; every: has one, on the first of them.
 * The program gets the registers that were interrupted, then the period and an address: struct bpf_perf_event_data
 * (linux/bpf_perf_event.h), which is ABI.
 */
#include "probe/providers/providers.h"

#include <dirent.h>
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/sample_spec.h"
#include "attach/attach_error.h"
#include "attach/events.h"
#include "kernel/processors.h"
#include "run/traced.h"
#include "util/log.h"
#include "util/small_file.h"

#define RATE_MAX "/proc/sys/kernel/perf_event_max_sample_rate"

enum { PERIOD, ADDRESS, VALUES };

struct sample_source {
	struct attach_sample sample;
	const uint32_t *pids; /* processes whose memory is watched; borrowed */
	uint32_t pid_count, command;
	struct expr_param values[VALUES];
};

static const struct argdump_variant variants[] = {
	ARGDUMP_VARIANT(SAMPLE, KPROBE, true, true),
	/* lockdown=confidentiality forbids probe_read */
	ARGDUMP_VARIANT(SAMPLE, KPROBE, true, false),
	ARGDUMP_VARIANT(SAMPLE, KPROBE, false, true),
};

/* ---- what is sampled ---- */

/* Sets the members after the registers. */
static void values_set(struct sample_source *source, const struct expr_target *target,
		       const struct sample_event *event)
{
	uint16_t behind = arch_offset(target_arch(target)->sample_registers);

	source->values[PERIOD] = (struct expr_param){ .name = "period",
						      .size = 8,
						      .offset = behind,
						      .where = EXPR_PARAM_FIELD,
						      .is_hidden = true };
	source->values[ADDRESS] = (struct expr_param){ .name = "addr",
						       .type = "void *",
						       .size = 8,
						       .offset = behind + 8,
						       .where = EXPR_PARAM_FIELD,
						       .is_user = true,
						       .is_hidden = !event || !event->has_address };
}

static int sample_add(struct session *s, struct argdump *a, const struct argdump_request *request,
		      const struct probe_spec_item *item, const struct attach_sample *sample,
		      const struct sample_event *event)
{
	static const char *const prefixes[] = { [PROBE_SPEC_HZ] = "hz",
						[PROBE_SPEC_EVERY] = "every",
						[PROBE_SPEC_HARDWARE] = "hw",
						[PROBE_SPEC_SOFTWARE] = "sw",
						[PROBE_SPEC_WATCH] = "watch" };
	struct sample_source *source = calloc(1, sizeof(*source));
	struct argdump_probe *p;
	char name[96];
	uint32_t none;

	snprintf(name, sizeof(name), "%s:%s", prefixes[request->spec.kind], item->name);
	p = source ? argdump_probe_add(a, request, name) : NULL;
	if (!p) {
		free(source);
		return -ENOMEM;
	}
	p->source = source;
	p->source_free = free;
	source->sample = *sample;
	if (expr_target_detect(s->btf, "", &p->target, &none))
		return -EBADMSG;
	values_set(source, &p->target, event);
	return 0;
}

/* ---- memory ---- */

static bool is_in_process(const struct attach_sample *sample)
{
	return sample->type == PERF_TYPE_BREAKPOINT && (int64_t)sample->address > 0;
}

/* Watches only given processes: the same address means something else in another process. */
static int processes_set(struct session *s, struct argdump_probe *p)
{
	struct sample_source *source = p->source;
	bool runs = s->options.child.command && !s->options.attach.load_only &&
		    !s->options.attach.dry_run;
	int code = EXIT_FINE;

	if (!is_in_process(&source->sample))
		return EXIT_FINE;
	source->pids = s->options.tasks.pids.ids;
	source->pid_count = s->options.tasks.pids.count;
	if (!source->pid_count && runs && !s->traced.command.pid)
		/* the command waits until everything is attached */
		code = traced_command_begin(s);
	if (!source->pid_count && s->traced.command.pid > 0) {
		source->command = (uint32_t)s->traced.command.pid;
		source->pids = &source->command;
		source->pid_count = 1;
	}
	if (code || source->pid_count || s->options.attach.dry_run || s->options.attach.load_only)
		return code;
	log_error("cannot watch %s: the process that has this address is not given", p->name);
	log_hint("name the process with -p PID or a command; addresses of the kernel begin with "
		 "0xffff");
	return EXIT_USAGE;
}

/* True if the kernel knows the event, but no device counts it. */
static bool is_uncounted(int err)
{
	return err == -ENOENT || err == -ENODEV || err == -EOPNOTSUPP;
}

static int no_counter_report(const char *name)
{
	log_error("cannot trace %s: this machine cannot count that event", name);
	log_hint("a virtual machine has counters only if its host provides them (QEMU with KVM: "
		 "-cpu host,pmu=on); hz:99 samples without counters");
	return EXIT_CANNOT;
}

/* Tries the event, also for --dry-run. Returns an exit code. */
static int counter_try(const struct session *s, const struct argdump_request *request,
		       const struct attach_sample *sample)
{
	int cpu, fd;

	if (sample->type != PERF_TYPE_HARDWARE || s->options.attach.btf ||
	    processors_online(&cpu, 1) < 1)
		return EXIT_FINE;
	fd = sample_open(sample, cpu);
	if (fd >= 0)
		close(fd);
	return is_uncounted(fd) ? no_counter_report(request->text) : EXIT_FINE;
}

static int sample_resolve(struct session *s, struct argdump *a, struct argdump_request *request)
{
	const struct probe_spec_item *item = request->spec.items;
	const struct sample_event *event;
	struct attach_sample sample;
	struct sample_error error;
	int err = 0, code;

	for (; item < request->spec.items + request->spec.count && !err; item++) {
		err = sample_spec_parse(request->spec.kind, item->name, &sample, &event, &error);
		if (err) {
			log_error("cannot trace %s: %s", request->text, error.message);
			argdump_request_caret(request, item->start, item->end);
			log_hint("%s", error.hint);
			return EXIT_USAGE;
		}
		if (counter_try(s, request, &sample))
			return EXIT_CANNOT;
		err = sample_add(s, a, request, item, &sample, event);
		code = err ? EXIT_FINE : processes_set(s, &a->probes[a->probe_count - 1]);
		if (code)
			return code;
		s->needs.samples |= !sample.once && !is_in_process(&sample);
	}
	return err ? attach_explain(NULL, s->btf, err) : EXIT_FINE;
}

/* ---- attaching ---- */

/* A sample of every: belongs to no task: its timer interrupts a random one. */
static void sample_prepare(struct argdump_probe *p, const struct argdump_variant *variant)
{
	const struct sample_source *source = p->source;

	(void)variant;
	p->input.site.name = p->name;
	p->input.site.is_sample = true;
	p->input.site.params = source->values;
	p->input.site.param_count = VALUES;
	if (source->sample.once)
		p->input.run.filter = (struct event_filter){
			.numbers = p->input.run.filter.numbers
		};
}

static void sample_target(const struct argdump_probe *p, const struct argdump_variant *variant,
			  struct attach_target *t)
{
	const struct sample_source *source = p->source;

	(void)variant;
	*t = (struct attach_target){ .sample = &source->sample };
}

/* Threads that begin later inherit it. One that ended meanwhile is left out. */
static int process_attach(struct argdump_probe *p, struct attach_target *t,
			  const struct argdump_variant *variant, uint32_t pid)
{
	const struct dirent *thread;
	char path[32];
	int err = 0;
	DIR *threads;

	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	threads = opendir(path);
	if (!threads)
		return -ESRCH;
	while (!err && (thread = readdir(threads))) {
		t->thread = atoi(thread->d_name);
		if (t->thread)
			err = fdset_add(&p->fds.links,
					attach_link(variant->method, t, p->fds.programs.fds[0]));
		if (err == -ESRCH)
			err = 0;
	}
	closedir(threads);
	return err;
}

static int processes_attach(struct argdump_probe *p, const struct argdump_variant *variant)
{
	const struct sample_source *source = p->source;
	struct attach_target t = { .sample = &source->sample };
	int err = 0;

	for (uint32_t i = 0; i < source->pid_count && !err; i++)
		err = process_attach(p, &t, variant, source->pids[i]);
	return err;
}

/* Skips a processor that has gone offline, unless all have. */
static int processors_attach(struct argdump_probe *p, const struct argdump_variant *variant)
{
	const struct sample_source *source = p->source;
	int *cpus = calloc(PROCESSORS_MAX, sizeof(*cpus));
	int count = cpus ? processors_online(cpus, PROCESSORS_MAX) : -ENOMEM;
	int err = count < 0 ? count : 0;
	struct attach_target t;

	sample_target(p, variant, &t);
	if (source->sample.once && count > 1)
		count = 1;
	for (int i = 0; i < count && !err; i++) {
		t.cpu = cpus[i];
		err = fdset_add(&p->fds.links,
				attach_link(variant->method, &t, p->fds.programs.fds[0]));
		if (err == -ENODEV && (i + 1 < count || p->fds.links.count))
			err = 0;
	}
	free(cpus);
	return err;
}

static int sample_attach(struct argdump_probe *p, const struct argdump_variant *variant)
{
	const struct sample_source *source = p->source;

	return is_in_process(&source->sample) ? processes_attach(p, variant) :
						processors_attach(p, variant);
}

int sample_attach_cpu(struct argdump_probe *p, int cpu)
{
	const struct sample_source *source = p->source;
	struct attach_target t;

	if (p->kind != &probe_ops_sample || !p->variant || !p->fds.links.count ||
	    source->sample.once || is_in_process(&source->sample))
		return 0;
	sample_target(p, p->variant, &t);
	t.cpu = cpu;
	return fdset_add(&p->fds.links,
			 attach_link(p->variant->method, &t, p->fds.programs.fds[0]));
}

/* ---- reporting why not ---- */

static unsigned long rate_max(void)
{
	char text[32];

	small_file_read(RATE_MAX, text, sizeof(text));
	return strtoul(text, NULL, 10);
}

static int watch_explain(const struct argdump_probe *p, int err)
{
	const struct sample_source *source = p->source;
	bool reads = source->sample.access == HW_BREAKPOINT_R;

	if (err == -ENOSPC) {
		log_error("cannot watch %s: all of the processor's watchpoints are in use",
			  p->name);
		log_hint("x86 has four: watch fewer addresses, or stop debuggers that use some");
	} else if (err == -EINVAL || err == -EOPNOTSUPP || err == -ENOENT) {
		log_error("cannot watch %s: this processor cannot, or the kernel forbids it there",
			  p->name);
		log_hint(reads ? "x86 cannot watch reads alone: use rw" :
				 "the kernel's entry and debugging code cannot be watched");
	} else {
		return attach_explain(NULL, NULL, err);
	}
	return EXIT_CANNOT;
}

static int sample_explain(struct session *s, struct argdump_probe *p, int err)
{
	const struct sample_source *source = p->source;
	const struct attach_sample *sample = &source->sample;

	if (sample->type == PERF_TYPE_HARDWARE && is_uncounted(err))
		return no_counter_report(p->name);
	if (sample->type == PERF_TYPE_BREAKPOINT)
		return watch_explain(p, err);
	if (sample->per_second && err == -EINVAL && rate_max() && sample->period > rate_max()) {
		log_error("cannot trace %s: the kernel allows %lu samples a second", p->name,
			  rate_max());
		log_hint("sysctl kernel.perf_event_max_sample_rate=%llu allows that many",
			 (unsigned long long)sample->period);
		return EXIT_CANNOT;
	}
	return attach_explain(NULL, s->btf, err);
}

const struct probe_ops probe_ops_sample = {
	.variants = variants,
	.variant_count = sizeof(variants) / sizeof(variants[0]),
	.resolve = sample_resolve,
	.prepare = sample_prepare,
	.target = sample_target,
	.attach = sample_attach,
	.explain = sample_explain,
};
