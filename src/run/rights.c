/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rights.c - what each feature of a run still has to do once everything is attached (rights.h).
 */
#include "run/rights.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attach/method.h"
#include "kernel/least.h"
#include "run/session.h"
#include "symbols/kernel/ksyms.h"
#include "util/log.h"
#include "util/passwd.h"

static struct user_login run_as;

int rights_user_find(const char *option, const char *name, struct user_login *u)
{
	int err = user_login_find(name, u);

	if (err == -ENOENT) {
		log_error("%s: unknown user '%s': not in /etc/passwd", option, name);
		log_hint("users from other sources (LDAP, systemd-homed) are not found%s",
			 strcmp(option, "--as") ? "" :
						  "; for these, run sudo -u USER COMMAND after --");
	} else if (err) {
		log_error("%s: cannot read the groups of '%s': %s", option, name, strerror(-err));
	}
	return err;
}

int rights_open(const struct session *s)
{
	const char *name = s->options.rights.run_as;

	return name && rights_user_find("--run-as", name, &run_as) ? EXIT_USAGE : EXIT_FINE;
}

/* ---- what is needed late ---- */

/* True if the container is shown, or used by --until. */
static bool schema_has_container(const struct session *s, const struct schema *m)
{
	for (size_t i = 0; i < m->count; i++)
		if (m->fields[i].type == FIELD_CONTAINER &&
		    (schema_has(m, i) || s->options.rows.columns || s->options.limits.until ||
		     s->options.rows.where.count))
			return true;
	return false;
}

static bool opens_containers(const struct session *s)
{
	bool has = schema_has_container(s, &s->rows.schema);

	for (size_t i = 0; i < s->rows.schema_count && !has; i++)
		has = schema_has_container(s, s->rows.schemas[i]);
	return has;
}

/* True if programs without a hook are attached later, when their files are found. */
static bool attaches_late(const struct session *s)
{
	for (const struct skeleton_source *o = s->applet->objects; o && o->hooks; o++)
		if (o->unattached && o->unattached[0])
			return true;
	return false;
}

static bool names_processes(const struct session *s)
{
	return s->names.user || s->needs.reads_files;
}

/* True if files other than the open ones are created: by rotation, or at the end. */
static bool creates_files(const struct session *s)
{
	return s->options.files.rotate || s->options.files.is_split || s->options.report.svg ||
	       s->options.files.openmetrics;
}

static bool has_command(const struct session *s)
{
	return s->traced.command.pid;
}

static bool samples(const struct session *s)
{
	return s->needs.samples;
}

static bool lists_programs(const struct session *s)
{
	return s->needs.programs;
}

static unsigned late_needs(const struct session *s)
{
	static const struct {
		bool (*wants)(const struct session *s);
		unsigned late;
	} features[] = {
		{ opens_containers, LATE_CONTAINERS }, { attaches_late, LATE_PROBES },
		{ names_processes, LATE_PROCESSES },   { creates_files, LATE_FILES },
		{ has_command, LATE_COMMAND },	       { samples, LATE_SAMPLES },
		{ lists_programs, LATE_PROGRAMS },
	};
	unsigned late = LATE_MAPS;

	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++)
		late |= features[i].wants(s) ? features[i].late : 0;
	return late;
}

/* ---- giving up rights ---- */

/* Files created later belong to the user of --run-as. Those created before must too, or they could not be replaced. */
static int output_chown(const struct session *s)
{
	struct stat st;

	if (!s->options.files.output || fstat(s->out.fd, &st) || !S_ISREG(st.st_mode))
		return 0;
	return fchown(s->out.fd, run_as.uid, run_as.gids[0]) ? -errno : 0;
}

int rights_drop(struct session *s)
{
	const struct least least = { .late = late_needs(s),
				     .as = s->options.rights.run_as ? &run_as : NULL,
				     .probe_refused = attach_uprobe_refused };
	int err = least.as ? output_chown(s) : 0;

	ksyms_open();
	if (s->needs.starts_programs &&
	    !least.as) /* programs that it starts get the rights of whoever runs it */
		return EXIT_FINE;
	err = err ?: least_rights(&least);
	if (!err)
		return EXIT_FINE;
	log_error("--run-as: cannot become '%s': %s", run_as.name, strerror(-err));
	log_hint("this needs root, or CAP_SETUID and CAP_SETGID, with -o also CAP_CHOWN");
	return EXIT_CANNOT;
}
