/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * view.c - unpacks the page and puts a nonce into it: a browser runs only the script and the style that have it.
 */
#include "run/view.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "util/unpack.h"

/* made by tools/pack-recipes */
extern const unsigned char view_packed[];
extern const size_t view_size, view_packed_size;

/* what stands in the page where the nonce belongs */
#define NONCE	     "NONCENONCENONCENONCENONCENONCE00"
#define NONCE_LENGTH (sizeof(NONCE) - 1)

static struct buf page;
static char nonce[NONCE_LENGTH + 1], headers[512];

int view_random(char *text, size_t length)
{
	unsigned char bytes[64];

	if (length > sizeof(bytes) || getrandom(bytes, length, 0) != (ssize_t)length)
		return -EIO;
	for (size_t i = 0; i < length; i++)
		text[i] = "0123456789abcdef"[bytes[i] % 16];
	text[length] = '\0';
	return 0;
}

static void nonce_insert(char *text)
{
	while ((text = strstr(text, NONCE)))
		memcpy(text, nonce, NONCE_LENGTH);
}

const struct buf *view_page(void)
{
	char *text;

	if (page.len || view_random(nonce, NONCE_LENGTH))
		return &page;
	text = unpack_embedded(view_packed, view_packed_size, view_size);
	if (!text)
		return &page;
	nonce_insert(text);
	buf_init(&page, -1);
	buf_str(&page, text);
	free(text);
	return &page;
}

const char *view_headers(void)
{
	snprintf(headers, sizeof(headers),
		 "Content-Security-Policy: default-src 'none'; script-src 'nonce-%s'; "
		 "style-src 'nonce-%s'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
		 "frame-ancestors 'none'\r\n"
		 "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
		 "Cache-Control: no-store\r\n",
		 nonce, nonce);
	return headers;
}

void view_close(void)
{
	buf_free(&page);
}
