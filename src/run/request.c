/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * request.c - judges requests (request.h).
 */
#include "run/request.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Part of a request. */
struct part {
	const char *at;
	size_t len;
};

static struct part line_of(const char *at)
{
	return (struct part){ at, strcspn(at, "\r\n") };
}

/* Returns the value of a header; len is 0 if there is none. */
static struct part header_find(const char *text, const char *name)
{
	size_t len = strlen(name);
	const char *newline = text;

	while ((newline = strchr(newline, '\n'))) {
		const char *line = ++newline;

		if (strncasecmp(line, name, len) || line[len] != ':')
			continue;
		line += len + 1;
		return line_of(line + strspn(line, " \t"));
	}
	return (struct part){ text, 0 };
}

/* Returns the value of a key in the query of a path; len is 0 if there is none. */
static struct part query_find(struct part path, const char *key)
{
	const char *end = path.at + path.len, *at = memchr(path.at, '?', path.len);
	size_t len = strlen(key);

	for (; at && at < end; at = memchr(at, '&', end - at)) {
		at++;
		if ((size_t)(end - at) <= len || strncmp(at, key, len) || at[len] != '=')
			continue;
		at += len + 1;
		return (struct part){ at, strcspn(at, "& \r\n") };
	}
	return (struct part){ path.at, 0 };
}

static bool part_is(struct part p, const char *text)
{
	return p.len == strlen(text) && !strncasecmp(p.at, text, p.len);
}

/* ---- who asks ---- */

/* Takes the same time wherever the first difference is. */
static bool token_is_right(struct part given, const char *token)
{
	unsigned char difference = 0;

	if (given.len != TOKEN_LENGTH)
		return false;
	for (size_t i = 0; i < TOKEN_LENGTH; i++)
		difference |= given.at[i] ^ token[i];
	return !difference;
}

/* A name that leads here although it belongs to another site is that site's (DNS rebinding). */
static bool host_is_here(struct part host)
{
	size_t port = 0;

	while (port < host.len && strchr("0123456789", host.at[host.len - 1 - port]))
		port++;
	if (port < host.len && host.at[host.len - 1 - port] == ':')
		host.len -= port + 1;
	return part_is(host, "localhost") || part_is(host, "[::1]") ||
	       (host.len >= 4 && !strncmp(host.at, "127.", 4) &&
		strspn(host.at, "0123456789.") >= host.len);
}

static bool may_see(const char *text, struct part path, const char *token)
{
	struct part host = header_find(text, "Host");
	struct part site = header_find(text, "Sec-Fetch-Site");

	if (token)
		return token_is_right(query_find(path, "token"), token);
	return host_is_here(host) &&
	       (!site.len || part_is(site, "same-origin") || part_is(site, "none"));
}

/* ---- what for ---- */

static enum request_page page_find(struct part path)
{
	static const struct {
		const char *path;
		enum request_page page;
	} pages[] = { { "/metrics", REQUEST_METRICS },
		      { "/", REQUEST_VIEW },
		      { "/events", REQUEST_EVENTS } };

	path.len = strcspn(path.at, "? \r\n");
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++)
		if (path.len == strlen(pages[i].path) && !strncmp(path.at, pages[i].path, path.len))
			return pages[i].page;
	return REQUEST_NOTHING;
}

/* Returns the number after Last-Event-ID. A browser that comes back sends it. */
static bool last_find(const char *text, uint64_t *last)
{
	struct part id = header_find(text, "Last-Event-ID");

	*last = id.len ? strtoull(id.at, NULL, 10) : 0;
	return id.len && *id.at >= '0' && *id.at <= '9';
}

struct request request_judge(const char *text, const char *token)
{
	struct part path = line_of(strchr(text, ' ') ?: "");
	const char *version = memmem(path.at, path.len, " HTTP/1.", 8);
	struct request r = { .status = "400 Bad Request\r\n" };

	if (!version || *text < 'A' || *text > 'Z')
		return r;
	r.status = "405 Method Not Allowed\r\nAllow: GET\r\n";
	if (strncmp(text, "GET ", 4))
		return r;
	path = (struct part){ path.at + 1, path.len - 1 };
	r.page = page_find(path);
	r.status = "200 OK\r\n";
	if (r.page == REQUEST_NOTHING) {
		r.status = "404 Not Found\r\n";
	} else if (r.page != REQUEST_METRICS && !may_see(text, path, token)) {
		r.page = REQUEST_NOTHING;
		r.status = "403 Forbidden\r\n";
	}
	r.has_last = last_find(text, &r.last);
	return r;
}

bool request_is_whole(const char *text)
{
	return strstr(text, "\r\n\r\n") || strstr(text, "\n\n");
}
