#include "live/ring/ring_event.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/scope.h"
#include "live/arch.h"
#include "live/proc/descriptor.h"
#include "live/proc/procfs.h"
#include "live/proc/reach.h"
#include "live/proc/status.h"

/* A period that no thread lives to see the end of. */
#define NEVER_NS (UINT64_C(1) << 60)

static uint64_t
registers_for(bool with_all)
{
	return with_all ? prf_arch.perf_stack_registers
			: prf_arch.perf_registers;
}

/* A record that says where a mapping is, of a program that is told apart from
 * its predecessor; by the clock of all samples. */
static struct perf_event_attr
attr_of(const struct prf_ring_config *config)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(struct perf_event_attr),
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = config->period_ns,
		.sample_type =
			PRF_RING_SAMPLE_TYPE |
			(config->stack_bytes ? PERF_SAMPLE_STACK_USER : 0) |
			(config->with_kernel ? PERF_SAMPLE_CALLCHAIN : 0),
		.exclude_callchain_user = 1,
		.sample_max_stack =
			config->with_kernel && !config->with_registers,
		.sample_regs_user = registers_for(config->with_registers),
		.sample_stack_user = config->stack_bytes,
		.exclude_kernel = config->user_only,
		.exclude_hv = 1,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.comm_exec = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.wakeup_events = config->n_at_once,
	};
}

static int
open_event(pid_t tid, struct perf_event_attr *attr, int group_fd)
{
	int fd;

	prf_reach_begin();
	do
		fd = (int)syscall(SYS_perf_event_open, attr, tid, -1, group_fd,
				  PERF_FLAG_FD_CLOEXEC);
	while (fd < 0 && errno == EINTR);
	prf_reach_end();
	return fd;
}

static bool
read_setting(const char *path, int *value)
{
	PRF_AUTO(prf_auto_free) char *text = prf_procfs_slurp(path, NULL);

	return text && sscanf(text, "%d", value) == 1;
}

bool
prf_ring_event_paranoid(int *level)
{
	return read_setting("/proc/sys/kernel/perf_event_paranoid", level);
}

/* May this process lock as much memory for rings as there is? */
static bool
may_lock_all(void)
{
	struct prf_process_status own;
	int level;

	return (prf_ring_event_paranoid(&level) && level < 0) ||
	       (!prf_status_read_process(getpid(), &own) &&
		own.capabilities >> CAP_IPC_LOCK & 1);
}

uint64_t
prf_ring_event_most_bytes(void)
{
	struct rlimit own;
	int kib_for_cpu = 0;

	if (may_lock_all() || getrlimit(RLIMIT_MEMLOCK, &own) ||
	    own.rlim_cur == RLIM_INFINITY)
		return UINT64_MAX;
	read_setting("/proc/sys/kernel/perf_event_mlock_kb", &kib_for_cpu);
	return own.rlim_cur + (uint64_t)kib_for_cpu * 1024 *
				      (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
}

/* CODE, an errno value, is of perf_event_open(): whose rule is it? */
static int
refused(int code, bool user_only, struct prf_error *err)
{
	int level, most = user_only ? 2 : 1;

	if (code == EINVAL || code == E2BIG)
		return prf_error_set(err, -code,
				     "perf_event_open: the kernel is too old");
	if (code == EACCES && prf_ring_event_paranoid(&level) && level > most)
		return prf_error_set(err, -code,
				     "perf_event_open is refused: "
				     "perf_event_paranoid is %d, and more than "
				     "%d needs CAP_PERFMON",
				     level, most);
	if (code == EPERM || code == EACCES)
		return prf_error_set(err, -code,
				     "perf_event_open is refused by a seccomp "
				     "filter or a security module");
	return prf_error_set(err, -code, "perf_event_open: %s", strerror(code));
}

/* One page tells where the records are, which have a power of two of them. */
static size_t
bytes_to_map(size_t n_bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), n = page;

	while (n < n_bytes)
		n *= 2;
	return page + n;
}

static int
map_ring(struct prf_ring_event *event, size_t n_bytes, struct prf_error *err)
{
	event->n_mapped = bytes_to_map(n_bytes);
	event->mapped = mmap(NULL, event->n_mapped, PROT_READ | PROT_WRITE,
			     MAP_SHARED, event->fd, 0);
	if (event->mapped != MAP_FAILED)
		return 0;
	if (errno == EPERM)
		return prf_error_set(err, -ENOMEM,
				     "no more memory may be locked for rings "
				     "(perf_event_mlock_kb, ulimit -l)");
	return prf_error_set(err, -errno, "no memory for a ring: %s",
			     strerror(errno));
}

/* One sample, into the same ring; then the event disables itself. */
static int
open_first(pid_t tid, const struct prf_ring_config *config,
	   struct prf_ring_event *event, struct prf_error *err)
{
	struct perf_event_attr attr = attr_of(config);

	attr.sample_period = config->first_ns;
	attr.disabled = 1;
	attr.mmap = attr.mmap2 = attr.comm = attr.comm_exec = 0;
	event->first_fd = open_event(tid, &attr, -1);
	if (event->first_fd < 0)
		return refused(errno, config->user_only, err);
	if (ioctl(event->first_fd, PERF_EVENT_IOC_SET_OUTPUT, event->fd) ||
	    ioctl(event->first_fd, PERF_EVENT_IOC_REFRESH, 1))
		return prf_error_set(err, -errno, "a perf event: %s",
				     strerror(errno));
	return 0;
}

static void
close_first(struct prf_ring_event *event)
{
	if (event->first_fd >= 0)
		close(event->first_fd);
	event->first_fd = -1;
}

int
prf_ring_event_open(pid_t tid, const struct prf_ring_config *config,
		    struct prf_ring_event *event, struct prf_error *err)
{
	struct perf_event_attr attr = attr_of(config);

	*event = (struct prf_ring_event){
		.fd = open_event(tid, &attr, -1),
		.first_fd = -1,
		.with_registers = config->with_registers,
		.with_stacks = config->stack_bytes > 0,
		.with_kernel = config->with_kernel,
	};
	if (event->fd < 0)
		return refused(errno, config->user_only, err);
	event->clock_fd = event->fd;
	int rc = map_ring(event, config->n_bytes, err);
	if (rc) {
		close(event->fd);
		return rc;
	}
	rc = open_first(tid, config, event, err);
	if (!rc && prf_descriptor_is_one_too_many(event->first_fd))
		rc = prf_error_set(err, -EMFILE, "too many files are open");
	if (rc)
		prf_ring_event_close(event);
	return rc;
}

void
prf_ring_event_close(struct prf_ring_event *event)
{
	close_first(event);
	munmap(event->mapped, event->n_mapped);
	close(event->fd);
	if (event->clock_fd != event->fd)
		close(event->clock_fd);
}

/* It is in the group of the other, so that each sample has what that has counted. */
int
prf_ring_event_open_next(pid_t tid, const struct prf_ring_config *config,
			 const struct prf_ring_event *event,
			 struct prf_ring_event *next, struct prf_error *err)
{
	struct perf_event_attr attr = attr_of(config);

	attr.disabled = 1;
	attr.read_format = PERF_FORMAT_GROUP;
	*next = (struct prf_ring_event){
		.fd = open_event(tid, &attr, event->clock_fd),
		.first_fd = -1,
		.clock_fd = event->clock_fd,
		.with_registers = config->with_registers,
		.with_stacks = config->stack_bytes > 0,
		.with_kernel = config->with_kernel,
	};
	if (next->fd < 0)
		return refused(errno, config->user_only, err);
	int rc =
		prf_descriptor_is_one_too_many(next->fd)
			? prf_error_set(err, -EMFILE, "too many files are open")
			: map_ring(next, config->n_bytes, err);
	if (rc)
		close(next->fd);
	return rc;
}

/* (In this order no time has the samples of both.  What is mapped meanwhile both
 * note, or one.) */
int
prf_ring_event_follow(struct prf_ring_event *next, struct prf_ring_event *event)
{
	int rc = prf_ring_event_set_period(event, NEVER_NS);

	if (!rc && ioctl(next->fd, PERF_EVENT_IOC_ENABLE, 0))
		rc = -errno;
	return rc;
}

void
prf_ring_event_retire(struct prf_ring_event *event)
{
	munmap(event->mapped, event->n_mapped);
	event->mapped = NULL;
	event->n_mapped = 0;
}

struct prf_ring_records
prf_ring_event_records(const struct prf_ring_event *event, uint8_t *record)
{
	const struct perf_event_mmap_page *page = event->mapped;
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);

	return (struct prf_ring_records){
		.bytes = (const uint8_t *)event->mapped + page_bytes,
		.size = event->n_mapped - page_bytes,
		.head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE),
		.tail = page->data_tail,
		.record = record,
		.registers = registers_for(event->with_registers),
		.with_stacks = event->with_stacks,
		.with_kernel = event->with_kernel,
		.is_in_group = event->clock_fd != event->fd,
	};
}

void
prf_ring_event_free_room(const struct prf_ring_event *event,
			 const struct prf_ring_records *records)
{
	struct perf_event_mmap_page *page = event->mapped;

	__atomic_store_n(&page->data_tail, records->tail, __ATOMIC_RELEASE);
}

int
prf_ring_event_set_period(struct prf_ring_event *event, uint64_t period_ns)
{
	close_first(event);
	return ioctl(event->fd, PERF_EVENT_IOC_PERIOD, &period_ns) ? -errno : 0;
}

int
prf_ring_event_read(const struct prf_ring_event *event, uint64_t *clock_ns)
{
	ssize_t n = read(event->clock_fd, clock_ns, sizeof *clock_ns);

	return n < 0 ? -errno : n == sizeof *clock_ns ? 0 : -EIO;
}

bool
prf_ring_event_is_over(const struct prf_ring_event *event)
{
	struct pollfd polled = {.fd = event->fd};

	return poll(&polled, 1, 0) == 1 && polled.revents & POLLHUP;
}
