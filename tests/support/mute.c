/* mute - a file system that does not answer any more.
 *
 *	mute DIRECTORY FILE
 *
 * Mounts on DIRECTORY a file system that has the program FILE as "program", until
 * the end; from SIGUSR1 on it answers nothing.  Each time the program is opened it
 * prints a line.  Ends with 77 where that is not
 * permitted. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { ROOT = FUSE_ROOT_ID, PROGRAM = 2, REQUEST_BYTES = 1 << 18 };

static volatile sig_atomic_t is_mute;
static char *data;
static uint64_t n_bytes;

static void
fall_silent(int signal)
{
	is_mute = signal;
}

static void
answer(int fd, const struct fuse_in_header *request, int error,
       const void *bytes, size_t n)
{
	struct fuse_out_header header = {
		.len = (uint32_t)(sizeof header + n),
		.error = error,
		.unique = request->unique,
	};
	struct iovec parts[] = {{&header, sizeof header}, {(void *)bytes, n}};

	if (writev(fd, parts, 2) < 0)
		perror("mute");
}

static struct fuse_attr
attr_of(uint64_t node)
{
	return (struct fuse_attr){
		.ino = node,
		.mode = node == ROOT ? S_IFDIR | 0755 : S_IFREG | 0755,
		.nlink = 1,
		.size = node == ROOT ? 0 : n_bytes,
		.blksize = 4096,
	};
}

static void
look_up(int fd, const struct fuse_in_header *request, const char *name)
{
	const struct fuse_entry_out entry = {
		.nodeid = PROGRAM,
		.attr = attr_of(PROGRAM),
	};

	if (strcmp(name, "program") == 0)
		answer(fd, request, 0, &entry, sizeof entry);
	else
		answer(fd, request, -ENOENT, NULL, 0);
}

static void
read_some(int fd, const struct fuse_in_header *request,
	  const struct fuse_read_in *what)
{
	uint64_t off = what->offset < n_bytes ? what->offset : n_bytes;
	uint64_t n = n_bytes - off < what->size ? n_bytes - off : what->size;

	answer(fd, request, 0, data + off, n);
}

static void
serve(int fd, const struct fuse_in_header *request)
{
	const struct fuse_init_out init = {
		.major = FUSE_KERNEL_VERSION,
		.minor = 31,
		.max_write = 4096,
	};
	const struct fuse_attr_out attr = {.attr = attr_of(request->nodeid)};
	const struct fuse_open_out opened = {.open_flags = FOPEN_KEEP_CACHE};

	switch (request->opcode) {
	case FUSE_INIT:
		answer(fd, request, 0, &init, sizeof init);
		break;
	case FUSE_LOOKUP:
		look_up(fd, request, (const char *)(request + 1));
		break;
	case FUSE_GETATTR:
		answer(fd, request, 0, &attr, sizeof attr);
		break;
	case FUSE_OPEN:
		puts("opened");
		fflush(stdout);
		answer(fd, request, 0, &opened, sizeof opened);
		break;
	case FUSE_READ:
		read_some(fd, request,
			  (const struct fuse_read_in *)(request + 1));
		break;
	case FUSE_RELEASE:
	case FUSE_FLUSH:
		answer(fd, request, 0, NULL, 0);
		break;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		break;
	default:
		answer(fd, request, -ENOSYS, NULL, 0);
	}
}

static int
read_program(const char *path)
{
	FILE *file = fopen(path, "r");

	if (!file || fseek(file, 0, SEEK_END))
		return -1;
	n_bytes = (uint64_t)ftell(file);
	data = malloc(n_bytes);
	rewind(file);
	return data && fread(data, 1, n_bytes, file) == n_bytes ? 0 : -1;
}

int
main(int argc, char **argv)
{
	static char request[REQUEST_BYTES];
	struct sigaction silent = {.sa_handler = fall_silent};
	char options[128];
	int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);

	if (argc != 3 || read_program(argv[2]))
		return 2;
	snprintf(options, sizeof options,
		 "fd=%d,rootmode=40000,user_id=0,group_id=0", fd);
	if (fd < 0 || mount("mute", argv[1], "fuse", 0, options))
		return 77;
	sigaction(SIGUSR1, &silent, NULL);
	for (;;) {
		ssize_t n = read(fd, request, sizeof request);

		if (n < 0 && errno != EINTR)
			return 0;
		if (n > 0 && !is_mute)
			serve(fd, (const struct fuse_in_header *)request);
	}
}
