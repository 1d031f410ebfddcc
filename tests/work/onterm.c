/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * onterm TEXT COMMAND [ARG…]: runs a command on a terminal of its own, whose output it prints; types
 * ^C once TEXT was printed, or with TYPES=TEXT,KEYS,TEXT,KEYS… (of the environment) the KEYS once each
 * TEXT was printed after the keys before. Exits as the command does, with 128 + N after signal N.
 */
#include <errno.h>
#include <pty.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static char shown[1 << 20];

/* Types what is due of TYPES. */
static void keys_type(int fd)
{
	static char *text, *from = shown;
	char *keys, *at;

	text = text ?: strtok(getenv("TYPES"), ",");
	while (text && (at = strstr(from, text))) {
		from = at + strlen(text);
		keys = strtok(NULL, ",");
		if (keys && write(fd, keys, strlen(keys)) < 0)
			perror("onterm");
		text = strtok(NULL, ",");
	}
}

/* Is the terminal as it was given to the command? */
static void terminal_check(int fd)
{
	struct termios t;

	if (tcgetattr(fd, &t) || (t.c_lflag & (ICANON | ECHO)) == (ICANON | ECHO))
		return;
	puts("onterm: the terminal was not restored");
}

int main(int argc, char **argv)
{
	size_t len = 0;
	int fd, status;
	bool typed = false, types = getenv("TYPES");
	ssize_t n;
	pid_t pid;

	if (argc < 3) {
		fputs("usage: onterm TEXT COMMAND [ARG…]\n", stderr);
		return 125;
	}
	pid = forkpty(&fd, NULL, NULL, NULL);
	if (!pid) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	/* EIO: nobody has the terminal any more */
	while (pid > 0 && len < sizeof(shown) - 1 &&
	       (n = read(fd, shown + len, sizeof(shown) - 1 - len)) > 0) {
		len += n;
		shown[len] = '\0';
		if (types)
			keys_type(fd);
		else if (!typed && strstr(shown, argv[1]))
			typed = write(fd, "\003", 1) == 1;
	}
	fwrite(shown, 1, len, stdout);
	if (pid < 0 || waitpid(pid, &status, 0) != pid) {
		fprintf(stderr, "onterm: %s\n", strerror(errno));
		return 125;
	}
	terminal_check(fd);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
