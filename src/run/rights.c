/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rights.c - what each feature of a run still does when all is attached (rights.h).
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
		log_error("%s: there is no user '%s' in /etc/passwd", option, name);
		log_hint("users of other sources (LDAP, systemd-homed) are not known here%s",
			 strcmp(option, "--as") ? "" :
						  "; sudo -u USER COMMAND behind -- runs as any");
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

/* Whether it is shown, or asked for by --until. */
static bool schema_has_container(const struct session *s, const struct schema *m)
{
	for (size_t i = 0; i < m->count; i++)
		if (m->fields[i].type == FIELD_CONTAINER &&
		    (schema_has(m, i) || s->options.rows.columns || s->options.limits.until ||
		     s->options.rows.where))
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

/* Programs that no hook names are attached when their files are found. */
static bool attaches(const struct session *s)
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

/* Beyond those that are open: a file of an option that is begun anew, or written at the end. */
static bool makes_files(const struct session *s)
{
	return s->options.files.rotate || s->options.report.svg || s->options.files.openmetrics;
}

static bool has_command(const struct session *s)
{
	return s->traced.command.pid;
}

static bool samples(const struct session *s)
{
	return s->needs.samples;
}

static unsigned late_find(const struct session *s)
{
	static const struct {
		bool (*wants)(const struct session *s);
		unsigned late;
	} features[] = {
		{ opens_containers, LATE_CONTAINERS }, { attaches, LATE_PROBES },
		{ names_processes, LATE_PROCESSES },   { makes_files, LATE_FILES },
		{ has_command, LATE_COMMAND },	       { samples, LATE_SAMPLES },
	};
	unsigned late = LATE_MAPS;

	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++)
		late |= features[i].wants(s) ? features[i].late : 0;
	return late;
}

/* ---- giving up ---- */

/* Files that are created later belong to the user. Files created before must also, or they could not be replaced. */
static int output_chown(const struct session *s)
{
	struct stat st;

	if (!s->options.files.output || fstat(s->out.fd, &st) || !S_ISREG(st.st_mode))
		return 0;
	return fchown(s->out.fd, run_as.uid, run_as.gids[0]) ? -errno : 0;
}

int rights_drop(struct session *s)
{
	const struct least least = { .late = late_find(s),
				     .as = s->options.rights.run_as ? &run_as : NULL,
				     .probe_refused = attach_uprobe_refused };
	int err = least.as ? output_chown(s) : 0;

	ksyms_keep_open();
	if (s->needs.starts_programs && !least.as) /* they have the rights of whoever runs this */
		return EXIT_FINE;
	err = err ?: least_rights(&least);
	if (!err)
		return EXIT_FINE;
	log_error("--run-as: cannot become '%s': %s", run_as.name, strerror(-err));
	log_hint("only root may become another user: CAP_SETUID, CAP_SETGID, with -o CAP_CHOWN");
	return EXIT_CANNOT;
}
