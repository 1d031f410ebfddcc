/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * openmetrics.h - writes the rows of a report as metrics: the text that Prometheus scrapes, and that node_exporter's
 * textfile collector and promtool read (format 0.0.4, with the naming rules of OpenMetrics).
 *
 * A field's flags decide what it is: FIELD_COUNTER, FIELD_TOTAL and FIELD_GAUGE are samples, and so are histograms
 * and percentiles; the others are labels. Times are in seconds.
 */
#ifndef CORETAP_OUTPUT_ROWS_OPENMETRICS_H
#define CORETAP_OUTPUT_ROWS_OPENMETRICS_H

#include "output/rows/report.h"

/* Writes the rows into report.picture. The report's sink must have sink_form_openmetrics, and the applet whose name
 * metrics begin with. */
extern const struct report_form report_form_openmetrics;
extern const struct sink_form sink_form_openmetrics;

/* Begins a family: writes # HELP and # TYPE. Its samples must follow. */
void openmetrics_write_family(struct buf *o, const char *name, const char *type, const char *help);
/* Writes name="value", escaped. */
void openmetrics_write_label(struct buf *o, const char *name, const char *value);
/* Writes a text; each line of one with several lines (a stack) as "LINE;". `quoted`: between quotes. */
void openmetrics_write_escaped(struct buf *o, const char *s, size_t len, bool quoted);

#endif
