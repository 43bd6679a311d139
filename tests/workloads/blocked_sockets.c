/* blocked_sockets - waits at sockets, with and without a time-out: those with
 * one are not restarted after a signal. */
#include "blocked.h"

#include <errno.h>
#include <stddef.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

static const struct timeval long_time = {LONG_S, 0};

static int
make_pair(struct seat *seat)
{
	int ends[2];

	seat_needs(seat, socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	return ends[0];
}

/* FD, with a time-out for OPTION: SO_RCVTIMEO or SO_SNDTIMEO. */
static int
with_limit(struct seat *seat, int fd, int option)
{
	seat_needs(seat, setsockopt(fd, SOL_SOCKET, option, &long_time,
				    sizeof long_time));
	return fd;
}

static void
sit_receiving(struct seat *seat, int fd)
{
	char byte;

	SIT(seat, recv(fd, &byte, 1, 0));
}

static void
in_recv(struct seat *seat)
{
	sit_receiving(seat, make_pair(seat));
}

static void
in_recv_limit(struct seat *seat)
{
	sit_receiving(seat, with_limit(seat, make_pair(seat), SO_RCVTIMEO));
}

static void
in_read_limit(struct seat *seat)
{
	int fd = with_limit(seat, make_pair(seat), SO_RCVTIMEO);
	char byte;

	SIT(seat, read(fd, &byte, 1));
}

static void
in_recvmsg(struct seat *seat)
{
	struct msghdr message = {0};
	int fd = make_pair(seat);

	SIT(seat, recvmsg(fd, &message, MSG_PEEK));
}

static void
in_recvmmsg(struct seat *seat)
{
	struct mmsghdr message = {0};
	int fd = make_pair(seat);

	SIT(seat, recvmmsg(fd, &message, 1, 0, NULL));
}

static void
fill_up(int fd)
{
	static char buffer[4096];

	while (send(fd, buffer, sizeof buffer, MSG_DONTWAIT) > 0)
		continue;
}

/* A close that waits until a peer who does not read has read all. */
static void
in_close_lingering(struct seat *seat)
{
	const struct linger linger = {1, LONG_S};
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t length = sizeof address;
	int listener = seat_needs(seat, socket(AF_INET, SOCK_STREAM, 0));
	int fd = seat_needs(seat, socket(AF_INET, SOCK_STREAM, 0));

	seat_needs(seat, bind(listener, (struct sockaddr *)&address, length));
	seat_needs(seat,
		   getsockname(listener, (struct sockaddr *)&address, &length));
	seat_needs(seat, listen(listener, 1));
	seat_needs(seat, connect(fd, (struct sockaddr *)&address, length));
	seat_needs(seat, setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger,
				    sizeof linger));
	fill_up(fd);
	SIT(seat, close(fd));
}

/* Fills FD up, then sends more. */
static void
sit_sending(struct seat *seat, int fd)
{
	static char buffer[4096];

	fill_up(fd);
	SIT(seat, send(fd, buffer, sizeof buffer, 0));
}

static void
in_send(struct seat *seat)
{
	sit_sending(seat, make_pair(seat));
}

static void
in_send_limit(struct seat *seat)
{
	sit_sending(seat, with_limit(seat, make_pair(seat), SO_SNDTIMEO));
}

/* A socket that listens at an ADDRESS the kernel chose. */
static int
make_listener(struct seat *seat, struct sockaddr_un *address, socklen_t *length)
{
	int fd = seat_needs(seat, socket(AF_UNIX, SOCK_STREAM, 0));

	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	seat_needs(seat, bind(fd, (struct sockaddr *)address,
			      offsetof(struct sockaddr_un, sun_path)));
	*length = sizeof *address;
	seat_needs(seat, getsockname(fd, (struct sockaddr *)address, length));
	seat_needs(seat, listen(fd, 0));
	return fd;
}

static void
in_accept(struct seat *seat)
{
	struct sockaddr_un address;
	socklen_t length;
	int fd = make_listener(seat, &address, &length);

	SIT(seat, accept(fd, NULL, NULL));
}

static void
in_accept_limit(struct seat *seat)
{
	struct sockaddr_un address;
	socklen_t length;
	int fd = make_listener(seat, &address, &length);

	with_limit(seat, fd, SO_RCVTIMEO);
	SIT(seat, accept(fd, NULL, NULL));
}

/* Nobody accepts, so that there is no room after the first few. */
static void
sit_connecting(struct seat *seat, int fd)
{
	struct sockaddr_un address;
	socklen_t length;
	int rc;

	make_listener(seat, &address, &length);
	do {
		int other = seat_needs(
			seat, socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0));

		rc = connect(other, (struct sockaddr *)&address, length);
	} while (!rc);
	SIT(seat, connect(fd, (struct sockaddr *)&address, length));
}

static int
make_socket(struct seat *seat)
{
	return seat_needs(seat, socket(AF_UNIX, SOCK_STREAM, 0));
}

static void
in_connect(struct seat *seat)
{
	sit_connecting(seat, make_socket(seat));
}

static void
in_connect_limit(struct seat *seat)
{
	sit_connecting(seat, with_limit(seat, make_socket(seat), SO_SNDTIMEO));
}

const struct place blocked_sockets[] = {
	{"recv", in_recv},
	{"recv_limit", in_recv_limit},
	{"read_limit", in_read_limit},
	{"recvmsg", in_recvmsg},
	{"recvmmsg", in_recvmmsg},
	{"close_lingering", in_close_lingering},
	{"send", in_send},
	{"send_limit", in_send_limit},
	{"accept", in_accept},
	{"accept_limit", in_accept_limit},
	{"connect", in_connect},
	{"connect_limit", in_connect_limit},
	{NULL, NULL},
};
