#include "live/dump/awaited.h"

#include <inttypes.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/attr.h"

/* --- The text, part by part */

struct text {
	char *at;
	size_t left;
	bool has_part;
};

PRF_PRINTF(2, 3)
static void
add(struct text *text, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	int n = vsnprintf(text->at, text->left, fmt, args);
	va_end(args);
	size_t used = n < 0                    ? 0
		      : (size_t)n < text->left ? (size_t)n
					       : text->left - 1;
	text->at += used;
	text->left -= used;
}

static void
begin_part(struct text *text)
{
	if (text->has_part)
		add(text, ", ");
	text->has_part = true;
}

/* --- What an argument can be */

struct call {
	const uint64_t *args;
	const struct prf_awaited_source *source;
};

static void
add_fd(struct text *text, const struct call *call, uint64_t value)
{
	char path[100];
	int fd = (int)value;

	begin_part(text);
	add(text, "fd %d", fd);
	if (fd < 0)
		return;
	call->source->fd(call->source->arg, fd, path, sizeof path);
	if (path[0])
		add(text, " (%s)", path);
}

static void
add_bytes(struct text *text, const struct call *call, uint64_t value)
{
	(void)call;
	begin_part(text);
	add(text, "%" PRIu64 " byte%s", value, value == 1 ? "" : "s");
}

static void
add_duration(struct text *text, double seconds)
{
	if (seconds < 1e-3)
		add(text, "%.0f us", seconds * 1e6);
	else if (seconds < 1)
		add(text, "%.4g ms", seconds * 1e3);
	else
		add(text, "%.4g s", seconds);
}

static void
add_most(struct text *text, double seconds)
{
	begin_part(text);
	add_duration(text, seconds);
	add(text, " at most");
}

/* In milliseconds; below zero: for ever. */
static void
add_ms(struct text *text, const struct call *call, uint64_t value)
{
	(void)call;
	if ((int)value >= 0)
		add_most(text, (int)value / 1e3);
}

/* Two words at ADDR: seconds, and parts of one. */
static bool
read_time(const struct call *call, uint64_t addr, double unit, double *seconds)
{
	const struct prf_awaited_source *source = call->source;
	uint64_t wide[2];
	uint32_t narrow[2];
	bool is_narrow = source->addr_bytes == 4;
	void *to = is_narrow ? (void *)narrow : (void *)wide;
	size_t n_bytes = is_narrow ? sizeof narrow : sizeof wide;

	if (!addr || source->memory(source->arg, addr, to, n_bytes) != n_bytes)
		return false;
	*seconds = is_narrow
			   ? (int32_t)narrow[0] + narrow[1] * unit
			   : (double)(int64_t)wide[0] + (double)wide[1] * unit;
	return *seconds >= 0;
}

static void
add_timespec(struct text *text, const struct call *call, uint64_t value)
{
	double seconds;

	if (read_time(call, value, 1e-9, &seconds))
		add_most(text, seconds);
}

static void
add_timeval(struct text *text, const struct call *call, uint64_t value)
{
	double seconds;

	if (read_time(call, value, 1e-6, &seconds))
		add_most(text, seconds);
}

/* Until a time of CLOCK. */
static void
add_until(struct text *text, const struct call *call, int clock, uint64_t value)
{
	double until, now = call->source->now(call->source->arg, clock);

	if (now < 0 || !read_time(call, value, 1e-9, &until))
		return;
	begin_part(text);
	add_duration(text, until > now ? until - now : 0);
	add(text, " left");
}

static void
add_sleep(struct text *text, const struct call *call, uint64_t value)
{
	enum { CLOCK = 0, FLAGS = 1, ABSTIME = 1 };

	if (call->args[FLAGS] == ABSTIME)
		add_until(text, call, (int)call->args[CLOCK], value);
	else
		add_timespec(text, call, value);
}

static void
add_files(struct text *text, const struct call *call, uint64_t value)
{
	(void)call;
	begin_part(text);
	add(text, "%" PRIu64 " file%s", value, value == 1 ? "" : "s");
}

/* The files of poll(2), of which the first is named. */
static void
add_polled(struct text *text, const struct call *call, uint64_t value)
{
	enum { COUNT = 1 };
	const struct prf_awaited_source *source = call->source;
	uint64_t n = call->args[COUNT];
	int32_t fd;

	if (n &&
	    source->memory(source->arg, value, &fd, sizeof fd) == sizeof fd)
		add_fd(text, call, (uint64_t)fd);
	if (n > 1) {
		begin_part(text);
		add(text, "%" PRIu64 " more", n - 1);
	}
}

static void
add_process(struct text *text, const struct call *call, uint64_t value)
{
	(void)call;
	begin_part(text);
	if ((int)value > 0)
		add(text, "process %d", (int)value);
	else if ((int)value == -1)
		add(text, "any child");
	else
		add(text, "a child of process group %d", -(int)value);
}

/* As waitid has them: a type, and its id. */
static void
add_waited(struct text *text, const struct call *call, uint64_t value)
{
	enum { ID = 1, ALL = 0, PROCESS = 1 };

	if (value == ALL)
		add_process(text, call, (uint64_t)-1);
	else if (value == PROCESS)
		add_process(text, call, call->args[ID]);
}

static void
add_string(struct text *text, const struct call *call, uint64_t value)
{
	const struct prf_awaited_source *source = call->source;
	char string[81];
	size_t n =
		source->memory(source->arg, value, string, sizeof string - 1);

	string[n] = '\0';
	if (!string[0])
		return;
	begin_part(text);
	add(text, "%s%s", string,
	    strlen(string) == sizeof string - 1 ? "..." : "");
}

enum { FUTEX_OP = 1 };

static unsigned
futex_op(const uint64_t args[6])
{
	return (unsigned)args[FUTEX_OP] & (unsigned)FUTEX_CMD_MASK;
}

static void
add_word(struct text *text, const struct call *call, uint64_t value)
{
	begin_part(text);
	add(text, "%s 0x%" PRIx64,
	    futex_op(call->args) == FUTEX_LOCK_PI ? "lock" : "word", value);
}

static void
add_futex_time(struct text *text, const struct call *call, uint64_t value)
{
	bool is_real = call->args[FUTEX_OP] & FUTEX_CLOCK_REALTIME;
	unsigned op = futex_op(call->args);

	if (op == FUTEX_WAIT)
		add_timespec(text, call, value);
	else if (op == FUTEX_WAIT_BITSET)
		add_until(text, call,
			  is_real ? CLOCK_REALTIME : CLOCK_MONOTONIC, value);
	else if (op == FUTEX_LOCK_PI)
		add_until(text, call, CLOCK_REALTIME, value);
}

/* --- Which call has what */

typedef void add_argument(struct text *text, const struct call *call,
			  uint64_t value);

enum { MOST_PARTS = 3 };

static const struct {
	const char *name;
	struct {
		unsigned char which; /* argument */
		add_argument *add;
	} parts[MOST_PARTS];
} calls[] = {
	{"accept", {{0, add_fd}}},
	{"accept4", {{0, add_fd}}},
	{"clock_nanosleep", {{2, add_sleep}}},
	{"close", {{0, add_fd}}},
	{"connect", {{0, add_fd}}},
	{"epoll_pwait", {{0, add_fd}, {3, add_ms}}},
	{"epoll_pwait2", {{0, add_fd}, {3, add_timespec}}},
	{"epoll_wait", {{0, add_fd}, {3, add_ms}}},
	{"fcntl", {{0, add_fd}}},
	{"fdatasync", {{0, add_fd}}},
	{"flock", {{0, add_fd}}},
	{"fsync", {{0, add_fd}}},
	{"futex", {{0, add_word}, {3, add_futex_time}}},
	{"io_uring_enter", {{0, add_fd}}},
	{"ioctl", {{0, add_fd}}},
	{"nanosleep", {{0, add_timespec}}},
	{"open", {{0, add_string}}},
	{"openat", {{1, add_string}}},
	{"poll", {{0, add_polled}, {2, add_ms}}},
	{"ppoll", {{0, add_polled}, {2, add_timespec}}},
	{"pread64", {{0, add_fd}, {2, add_bytes}}},
	{"preadv", {{0, add_fd}}},
	{"pselect6", {{0, add_files}, {4, add_timespec}}},
	{"pwrite64", {{0, add_fd}, {2, add_bytes}}},
	{"pwritev", {{0, add_fd}}},
	{"read", {{0, add_fd}, {2, add_bytes}}},
	{"readv", {{0, add_fd}}},
	{"recvfrom", {{0, add_fd}, {2, add_bytes}}},
	{"recvmmsg", {{0, add_fd}}},
	{"recvmsg", {{0, add_fd}}},
	{"rt_sigtimedwait", {{2, add_timespec}}},
	{"select", {{0, add_files}, {4, add_timeval}}},
	{"sendfile", {{1, add_fd}, {3, add_bytes}}},
	{"sendmsg", {{0, add_fd}}},
	{"sendto", {{0, add_fd}, {2, add_bytes}}},
	{"splice", {{0, add_fd}, {4, add_bytes}}},
	{"wait4", {{0, add_process}}},
	{"waitid", {{0, add_waited}}},
	{"waitpid", {{0, add_process}}},
	{"write", {{0, add_fd}, {2, add_bytes}}},
	{"writev", {{0, add_fd}}},
};

void
prf_awaited_text(const char *name, const uint64_t args[6],
		 const struct prf_awaited_source *source,
		 char text[PRF_AWAITED_BYTES])
{
	const struct call call = {args, source};
	struct text to = {.at = text, .left = PRF_AWAITED_BYTES};
	size_t i = 0;

	text[0] = '\0';
	while (i < sizeof calls / sizeof *calls && strcmp(calls[i].name, name))
		i++;
	if (i == sizeof calls / sizeof *calls)
		return;
	for (size_t part = 0; part < MOST_PARTS && calls[i].parts[part].add;
	     part++)
		calls[i].parts[part].add(&to, &call,
					 args[calls[i].parts[part].which]);
}

bool
prf_awaited_is_word(const char *name, const uint64_t args[6])
{
	unsigned op = futex_op(args);

	return !strcmp(name, "futex") &&
	       (op == FUTEX_WAIT || op == FUTEX_WAIT_BITSET ||
		op == FUTEX_LOCK_PI);
}

bool
prf_awaited_is_shared(const uint64_t args[6])
{
	return futex_op(args) != FUTEX_LOCK_PI &&
	       !(args[FUTEX_OP] & FUTEX_PRIVATE_FLAG);
}
