/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * forges.c - calls whose memory is another after them than before, for the tests of syssnoop. It must not know of
 * coretap.
 *
 *   forges FIFO OTHER   opens FIFO, which is made, while a thread writes OTHER over its name; then passes the same
 *                       struct as what is to be set and as where the old one goes, sets SO_BINDTODEVICE of a socket
 *                       to "lo", and executes /proc/self/exe by execveat(2) without arguments
 *   forges              nothing
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char path[4096];
static const char *fifo, *other;

static void *forge(void *unused)
{
	(void)unused;
	usleep(300000); /* the other waits in open by then */
	strcpy(path, other);
	open(fifo, O_WRONLY);
	return NULL;
}

static void same_struct(void)
{
	struct rlimit limit = { 512, 512 };
	struct {
		void *handler;
		unsigned long flags;
		void *restorer;
		unsigned long mask;
	} action = { SIG_IGN, 0, NULL, 0 };

	syscall(SYS_rt_sigaction, SIGUSR2, &action, &action, 8);
	syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, &limit, &limit);
}

static void copy_file(void)
{
	int from = open("/proc/self/exe", O_RDONLY), to = open("/dev/null", O_WRONLY);
	off_t at = 2;

	sendfile(to, from, &at, 5);
}

int main(int argc, char **argv)
{
	static char *none[] = { "forges", NULL };
	pthread_t thread;

	if (argc < 3)
		return 0;
	fifo = argv[1];
	other = argv[2];
	strcpy(path, fifo);
	if (mkfifo(fifo, 0600) || pthread_create(&thread, NULL, forge, NULL))
		return 1;
	open(path, O_RDONLY);
	pthread_join(thread, NULL);
	same_struct();
	copy_file();
	setsockopt(socket(AF_INET, SOCK_DGRAM, 0), SOL_SOCKET, SO_BINDTODEVICE, "lo", 2);
	syscall(SYS_execveat, AT_FDCWD, "/proc/self/exe", none, none + 1, 0);
	return 1;
}
