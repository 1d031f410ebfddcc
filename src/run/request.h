/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * request.h - judges a request of HTTP: which page it asks for, and whether whoever asks may see it.
 *
 * It knows nothing of sockets.
 */
#ifndef CORETAP_RUN_REQUEST_H
#define CORETAP_RUN_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

enum { TOKEN_LENGTH = 32 };

enum request_page {
	REQUEST_NOTHING,
	REQUEST_METRICS,
	REQUEST_VIEW,
	REQUEST_EVENTS,
};

struct request {
	const char *status; /* the first line of the answer, and the headers that belong to it */
	enum request_page page;
	bool has_last; /* a reader of the events comes back: */
	uint64_t last; /* the number of the last row that it got */
};

/* Judges a request, which ends with an empty line. The view and its events show rows, so they need the token, or, if
 * `token` is NULL, the name of this machine itself as the Host: a page of another site has another one. /metrics is for
 * everyone. */
struct request request_judge(const char *text, const char *token);
/* True if the request is complete, or can never be. */
bool request_is_whole(const char *text);

#endif
