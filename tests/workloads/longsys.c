/* longsys - system calls that run long, and may not be cut short.
 *
 *	longsys [SECONDS [NAME...]]
 *
 * Makes each call of the table below (or those named) again and again for
 * SECONDS (0.05) of CPU time, at least once.  What they work on never ends or is
 * large enough, most take milliseconds, and nobody sends a signal: a result that
 * is short or EINTR was brought about from outside.  Prints for each
 * call, and for all with the name `total`:
 *
 *	calls NAME N
 *	short NAME N	results of less than was asked for; 0
 *	eintr NAME N	0
 *	refused NAME	instead, if the machine does not allow it */
#include "work.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>

#define BIG (8 << 20)
#define MIB (1 << 20)

struct scene {
	char *memory, *more; /* BIG bytes each */
	int zero, urandom;
	int full, scratch; /* files: of BIG bytes, and one to be written */
	int in_memory;     /* the same without a disk */
	int pipe_in;       /* somebody reads what is written here */
	int socket_in;     /* ... and what is sent here */
	int socket_out;    /* somebody sends what is received here */
};

static long
read_zero(struct scene *scene)
{
	return read(scene->zero, scene->memory, BIG);
}

static long
call_getrandom(struct scene *scene)
{
	return getrandom(scene->memory, BIG, 0);
}

static long
read_urandom(struct scene *scene)
{
	return read(scene->urandom, scene->memory, BIG);
}

static long
call_sendfile(struct scene *scene)
{
	off_t from = 0;

	if (lseek(scene->scratch, 0, SEEK_SET))
		return -1;
	return sendfile(scene->scratch, scene->full, &from, BIG);
}

static long
call_copy_file_range(struct scene *scene)
{
	off_t from = 0, to = 0;

	return copy_file_range(scene->full, &from, scene->scratch, &to, BIG, 0);
}

static long
write_pipe(struct scene *scene)
{
	return write(scene->pipe_in, scene->memory, MIB);
}

static long
call_send(struct scene *scene)
{
	return send(scene->socket_in, scene->memory, MIB, MSG_NOSIGNAL);
}

static long
recv_waitall(struct scene *scene)
{
	return recv(scene->socket_out, scene->memory, MIB, MSG_WAITALL);
}

static long
read_file(struct scene *scene)
{
	return pread(scene->full, scene->memory, BIG, 0);
}

static long
write_file(struct scene *scene)
{
	return pwrite(scene->scratch, scene->memory, BIG, 0);
}

static long
call_fallocate(struct scene *scene)
{
	if (ftruncate(scene->scratch, 0))
		return -1;
	return fallocate(scene->scratch, 0, 0, BIG);
}

static long
fallocate_memory(struct scene *scene)
{
	if (ftruncate(scene->in_memory, 0))
		return -1;
	return fallocate(scene->in_memory, 0, 0, BIG);
}

static long
call_fsync(struct scene *scene)
{
	if (pwrite(scene->scratch, scene->memory, MIB, 0) != MIB)
		return -1;
	return fsync(scene->scratch);
}

static long
call_mlock(struct scene *scene)
{
	if (munlock(scene->more, BIG / 2) ||
	    madvise(scene->more, BIG / 2, MADV_DONTNEED))
		return -1;
	return mlock(scene->more, BIG / 2);
}

static long
call_madvise(struct scene *scene)
{
	memset(scene->memory, 1, BIG);
	return madvise(scene->memory, BIG, MADV_DONTNEED);
}

static long
call_process_vm_readv(struct scene *scene)
{
	struct iovec to = {scene->more, BIG}, from = {scene->memory, BIG};

	return process_vm_readv(getpid(), &to, 1, &from, 1, 0);
}

struct call {
	const char *name;
	long (*make)(struct scene *scene);
	long whole; /* the result of a call that was not cut short */
};

static const struct call calls[] = {
	{"read_zero", read_zero, BIG},
	{"getrandom", call_getrandom, BIG},
	{"read_urandom", read_urandom, BIG},
	{"sendfile", call_sendfile, BIG},
	{"copy_file_range", call_copy_file_range, BIG},
	{"write_pipe", write_pipe, MIB},
	{"send", call_send, MIB},
	{"recv_waitall", recv_waitall, MIB},
	{"read_file", read_file, BIG},
	{"write_file", write_file, BIG},
	{"fallocate", call_fallocate, 0},
	{"fallocate_memory", fallocate_memory, 0},
	{"fsync", call_fsync, 0},
	{"madvise", call_madvise, 0},
	{"process_vm_readv", call_process_vm_readv, BIG},
	{"mlock", call_mlock, 0},
};

struct tally {
	unsigned calls, n_short, eintr;
};

/* Why a machine may refuse a call that is right. */
static int
is_refusal(int code)
{
	return code == ENOSYS || code == EPERM || code == EACCES ||
	       code == EOPNOTSUPP || code == EXDEV || code == EINVAL ||
	       code == ENOMEM || code == EAGAIN;
}

/* 0, or the errno value of a call that failed for another reason than EINTR. */
static int
repeat(const struct call *call, struct scene *scene, uint64_t quota_ns,
       struct tally *tally)
{
	struct budget time = budget(quota_ns);
	uint64_t wall_end = wall_ns() + 4 * quota_ns; /* fsync mostly sleeps */

	do {
		long result = call->make(scene);

		if (result < 0 && errno != EINTR)
			return errno;
		tally->calls++;
		tally->eintr += result < 0;
		tally->n_short += result >= 0 && result != call->whole;
	} while (is_left(&time) && wall_ns() < wall_end);
	return 0;
}

static void
say(const char *name, const struct tally *tally)
{
	printf("calls %s %u\nshort %s %u\neintr %s %u\n", name, tally->calls,
	       name, tally->n_short, name, tally->eintr);
}

/* Takes what others put in, to the end of the program. */
static void *
drain(void *arg)
{
	char *buffer = malloc(65536);

	while (buffer && read(*(int *)arg, buffer, 65536))
		continue;
	return NULL;
}

/* Gives others what to take. */
static void *
pour(void *arg)
{
	char *buffer = calloc(1, 65536);

	while (buffer)
		send(*(int *)arg, buffer, 65536, MSG_NOSIGNAL);
	return NULL;
}

static void
start(void *(*run)(void *), int *fd)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, fd))
		die("pthread_create");
	pthread_detach(thread);
}

static int
open_scratch(void)
{
	const char *folder = getenv("TMPDIR");
	char path[4096];
	int fd;

	snprintf(path, sizeof path, "%s/longsys-XXXXXX",
		 folder && *folder ? folder : "/tmp");
	fd = mkstemp(path);
	if (fd < 0 || unlink(path))
		die(path);
	return fd;
}

static char *
map_memory(void)
{
	char *memory = mmap(NULL, BIG, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		die("mmap");
	return memset(memory, 1, BIG);
}

static void
set_scene(struct scene *scene)
{
	static int pipes[2], sent[2], received[2];

	scene->memory = map_memory();
	scene->more = map_memory();
	scene->zero = open("/dev/zero", O_RDONLY);
	scene->urandom = open("/dev/urandom", O_RDONLY);
	scene->full = open_scratch();
	scene->scratch = open_scratch();
	scene->in_memory = memfd_create("longsys", 0);
	if (pipe(pipes) || socketpair(AF_UNIX, SOCK_STREAM, 0, sent) ||
	    socketpair(AF_UNIX, SOCK_STREAM, 0, received) ||
	    pwrite(scene->full, scene->memory, BIG, 0) != BIG)
		die("the scene");
	scene->pipe_in = pipes[1];
	scene->socket_in = sent[1];
	scene->socket_out = received[1];
	start(drain, &pipes[0]);
	start(drain, &sent[0]);
	start(pour, &received[0]);
}

static int
is_asked_for(const char *name, int argc, char **argv)
{
	for (int i = 2; i < argc; i++) {
		if (!strcmp(argv[i], name))
			return 1;
	}
	return argc <= 2;
}

int
main(int argc, char **argv)
{
	uint64_t quota_ns = number_ns(argc, argv, 1, 0.05);
	struct tally total = {0};
	struct scene scene;

	set_scene(&scene);
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		const struct call *call = &calls[i];
		struct tally tally = {0};
		int code;

		if (!is_asked_for(call->name, argc, argv))
			continue;
		code = repeat(call, &scene, quota_ns, &tally);
		if (code && (!is_refusal(code) || tally.calls > 0)) {
			errno = code;
			die(call->name);
		}
		if (code)
			printf("refused %s\n", call->name);
		else
			say(call->name, &tally);
		total.calls += tally.calls;
		total.n_short += tally.n_short;
		total.eintr += tally.eintr;
	}
	say("total", &total);
	return 0;
}
