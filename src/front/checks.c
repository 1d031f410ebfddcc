/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * checks.c - refuses combinations of argdump's options that exclude each other, or that would have no effect.
 */
#include <errno.h>
#include <string.h>

#include "front/front.h"
#include "util/log.h"

enum { STRING_BYTES_MAX = 4096 };

/* True if the command line has an EXPR. */
static bool has_exprs(const struct argdump *a)
{
	for (const struct model_probe *p = a->model.probes; p < a->model.probes + a->model.count;
	     p++)
		if (!p->is_loaded && p->expr_count)
			return true;
	return false;
}

/* Refuses options that make no sense when calls are counted instead of printed. */
static int counting_check(const struct session *s, const struct argdump *a)
{
	if (a->diff.given.count) {
		log_error("--diff shows calls; it cannot be combined with counting");
	} else if (s->options.files.trace_json || s->options.rows.ftrace || s->options.files.pcap) {
		log_error("--%s shows calls; it cannot be combined with counting",
			  s->options.rows.ftrace ? "ftrace" :
			  s->options.files.pcap	 ? "pcap" :
						   "trace-json");
	} else if (s->options.stacks.kernel || s->options.stacks.user) {
		log_error("-k and -U show calls; they cannot be combined with counting");
		log_hint(
			"--by '$kstack' and '$ustack' count calls by their stacks, and so does --folded");
	} else if (!has_exprs(a) && !s->options.limits.events) {
		return 0;
	} else if (s->options.limits.events) {
		log_error("-n stops after N records; counting prints none");
		log_hint("stop by -d SEC or -- COMMAND instead");
	} else {
		log_error("counting prints no calls, so it takes no EXPR besides PROBE");
		log_hint(
			"--by EXPR groups the results by EXPR; before PROBE, --count=NAME has a name");
	}
	return -EINVAL;
}

/* True if the rows are about the running task. A tool's own pid column, or none, cannot show other numbers. */
static bool shows_task(const char *columns)
{
	return !columns || strstr(columns, "$pid") || strstr(columns, "$tid") ||
	       strstr(columns, "inner_pid");
}

/* Reports options that would have no effect. */
static int effect_check(const struct session *s, const struct argdump *a)
{
	const struct options *o = &s->options;

	if (o->stacks.depth && !o->stacks.kernel && !o->stacks.user && !s->names.kernel &&
	    !s->names.user)
		log_error(
			"--stack-depth has no effect without -k, -U, --folded, $kstack or $ustack");
	else if (o->stacks.lines && !s->names.user && !o->stacks.user && !o->stacks.folded)
		log_error("--lines has no effect without -U, --dwarf or $ustack");
	else if (a->run.depth && !a->files.load && !has_exprs(a) && !a->diff.given.count)
		log_error("--depth has no effect without an EXPR that is a struct, e.g. '*file'");
	else if (a->run.string_max > STRING_BYTES_MAX)
		log_error("-s is at most %d bytes", STRING_BYTES_MAX);
	else if (a->files.name && !a->files.save)
		log_error("--name has no effect without --save FILE");
	else if (model_has(&a->model, MODEL_OPEN) && o->rows.ftrace)
		log_error(
			"--ftrace needs the time of each record, but --open prints records without one");
	else if (a->rows.columns && o->rows.ftrace)
		log_error("--columns is for tables: --ftrace has its own columns");
	else if (model_has(&a->model, MODEL_PRINT) && (o->rows.ftrace || a->rows.columns))
		log_error("--print sets the whole text: it cannot be combined with %s",
			  o->rows.ftrace ? "--ftrace" : "--columns");
	else if (model_has(&a->model, MODEL_PRINT) && aggregate_wanted(&a->aggregate))
		log_error("--print is for records, not for counts");
	else if (a->rows.columns && aggregate_wanted(&a->aggregate))
		log_error("--columns is for records, not for counts");
	else if (o->limits.ring && aggregate_wanted(&a->aggregate))
		log_error("--ring keeps records, but counting prints none");
	else if (o->files.rotate && aggregate_wanted(&a->aggregate))
		log_error("--rotate is for records, not for counts");
	else if (o->rows.with_container && aggregate_wanted(&a->aggregate))
		log_error("--with-container is for records: --by '$cgroup:container' counts by it");
	else if (o->rows.inner_pids && aggregate_wanted(&a->aggregate))
		log_error("--inner-pids is for records, not for counts");
	else if (o->rows.inner_pids && !shows_task(a->rows.columns))
		log_error(
			"--inner-pids is for tools whose rows show the running process: this one shows none, or another process");
	else if (a->files.save && a->files.load && !strcmp(a->files.save, a->files.load))
		log_error("--save would overwrite the file of --load: %s", a->files.load);
	else
		return 0;
	return -EINVAL;
}

static int pcap_check(const struct session *s, const struct argdump *a)
{
	const struct options *o = &s->options;
	const char *other = o->rows.json		      ? "json" :
			    o->files.trace_json		      ? "trace-json" :
			    o->rows.ftrace		      ? "ftrace" :
			    o->files.output		      ? "output" :
			    o->rows.timestamp		      ? "timestamp" :
			    a->rows.columns		      ? "columns" :
			    model_has(&a->model, MODEL_PRINT) ? "print" :
								NULL;

	if (other) {
		log_error("--pcap and --%s exclude each other", other);
		return -EINVAL;
	}
	if (model_mentions(&a->model, ":packet"))
		return 0;
	log_error("--pcap writes packets, but no value is a packet");
	log_hint("add one: skb:packet, or skb:packet:1500 for more of its bytes");
	return -EINVAL;
}

/* Checks pictures: they show histograms and stacks. */
static int pictures_check(const struct session *s, const struct argdump *a)
{
	const struct options *o = &s->options;
	const struct aggregate *counted = &a->aggregate;
	size_t count = 0;

	if (counted->is_folded)
		return 0;
	for (size_t i = 0; i < counted->input.count; i++)
		count += counted->measures[i].kind == EXPR_HIST ||
			 counted->measures[i].kind == EXPR_LHIST;
	if (count && (o->report.svg || count == 1))
		return 0;
	if (o->report.svg)
		log_error("--svg draws histograms (--hist, --lhist), and stacks (--folded, --by "
			  "'$kstack')");
	else
		log_error(
			"--heatmap draws one histogram: --hist EXPR, or --lhist EXPR,LOW,HIGH,STEP");
	return -EINVAL;
}

int argdump_options_check(const struct session *s, const struct argdump *a)
{
	const struct options *o = &s->options;
	int err = aggregate_wanted(&a->aggregate) ? counting_check(s, a) : 0;

	if (!err && o->files.pcap)
		err = pcap_check(s, a);
	if (!err && (o->report.svg || o->report.heatmap))
		err = pictures_check(s, a);
	return err ?: effect_check(s, a);
}
