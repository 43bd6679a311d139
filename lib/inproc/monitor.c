#include "inproc/monitor.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/dialect.h"
#include "core/gmon.h"
#include "inproc/counting.h"
#include "inproc/lock.h"
#include "inproc/monitorfile.h"

/* As fine as gmon.out is. */
#define UNIT_BYTES 2
/* Four bytes of counter for two of text: 2.0. */
#define SCALE 0x20000

enum { WRITTEN = -1 };

/* One for the process: it has one end. */
static struct {
	bool is_on, has_hooks;
	pid_t writing; /* the thread that does; 0: none yet; WRITTEN */
	uintptr_t lowpc, bias;
	uint32_t *counters;
	size_t n_counters;
	pid_t process; /* whose counters these are */
	struct prf_monitorfile file;
	struct prf_gmon_writer *writer;
} monitor;

/* --- Writing. */

static size_t
size_bytes(void)
{
	return monitor.n_counters * sizeof *monitor.counters;
}

/* Turns profiling off, if it is still ours. */
static void
stop_counting(void)
{
	uint64_t mask = prf_lock_enter();
	struct prf_counting now = *prf_counting_now();

	if (now.kind == PRF_PROFIL_PROFIL &&
	    now.region.base == monitor.counters)
		prf_counting_set(&now, false);
	prf_lock_leave(mask);
}

static bool
has_ticks(void)
{
	for (size_t i = 0; i < monitor.n_counters; i++)
		if (monitor.counters[i] > 0)
			return true;
	return false;
}

static int
write_counters(void)
{
	for (size_t i = 0; i < monitor.n_counters; i++) {
		uint32_t ticks = monitor.counters[i];
		uint64_t vaddr = monitor.lowpc - monitor.bias + i * UNIT_BYTES;

		/* The first, be it 0: gprof wants a histogram. */
		if (ticks == 0 && i > 0)
			continue;
		int rc = prf_gmon_writer_ticks(monitor.writer, vaddr, ticks,
					       NULL);
		if (rc < 0)
			return rc;
	}
	return prf_gmon_writer_finish(monitor.writer, NULL);
}

/* All signals that end the process by default, but for SIGPROF and the
 * real-time ones: of those, profilers and runtimes take one that has no handler
 * yet. */
static const struct {
	int signo;
	bool is_crash; /* what runs as process 1 survives the others */
} fatal[] = {
	{SIGSEGV, true},    {SIGBUS, true},     {SIGILL, true},
	{SIGFPE, true},     {SIGSYS, true},     {SIGABRT, true},
	{SIGTRAP, true},    {SIGTERM, false},   {SIGINT, false},
	{SIGHUP, false},    {SIGQUIT, false},   {SIGPIPE, false},
	{SIGALRM, false},   {SIGUSR1, false},   {SIGUSR2, false},
	{SIGXCPU, false},   {SIGXFSZ, false},   {SIGIO, false},
	{SIGVTALRM, false}, {SIGSTKFLT, false}, {SIGPWR, false},
};

/* The signals of a write to a FIFO that nobody reads, or to a file that would
 * become too long: here they are an error, and not the end of the process. */
static const int of_writing[] = {SIGPIPE, SIGXFSZ};

/* Returns what was blocked before; *OURS are the signals of these that are not
 * pending yet. */
static sigset_t
block_signals(sigset_t *ours)
{
	sigset_t blocked, before, pending;

	sigemptyset(&blocked);
	for (size_t i = 0; i < sizeof of_writing / sizeof *of_writing; i++)
		sigaddset(&blocked, of_writing[i]);
	pthread_sigmask(SIG_BLOCK, &blocked, &before);
	sigpending(&pending);
	sigemptyset(ours);
	for (size_t i = 0; i < sizeof of_writing / sizeof *of_writing; i++)
		if (!sigismember(&pending, of_writing[i]))
			sigaddset(ours, of_writing[i]);
	return before;
}

static void
unblock_signals(const sigset_t *before, const sigset_t *ours)
{
	const struct timespec at_once = {0};

	/* Not sigtimedwait, where a thread can be cancelled. */
	while (syscall(SYS_rt_sigtimedwait, ours, NULL, &at_once, 8) > 0)
		;
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* A thread that is to be cancelled is not cancelled here, where the process
 * ends. */
static int
write_whole(void)
{
	int cancel_state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	sigset_t ours, before = block_signals(&ours);
	int rc = write_counters();
	int closed = prf_monitorfile_close(&monitor.file, rc == 0);

	unblock_signals(&before, &ours);
	pthread_setcancelstate(cancel_state, &cancel_state);
	return rc < 0 ? rc : closed;
}

/* A signal that ends the process has to wait until the file is there.  Returns what
 * was blocked before.  (A crash cannot wait: the kernel ends who blocks it.) */
static sigset_t
block_fatal(void)
{
	sigset_t blocked, before;

	sigemptyset(&blocked);
	for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
		if (!fatal[i].is_crash)
			sigaddset(&blocked, fatal[i].signo);
	pthread_sigmask(SIG_BLOCK, &blocked, &before);
	return before;
}

/* This thread may be about to end the process, and WRITER has not written yet; but
 * it may never have, and may wait for something that this thread holds.  (Not
 * nanosleep, where a thread can be cancelled.) */
static void
wait_for(pid_t writer)
{
	enum { MOMENT_NS = 1000000, MOST_MOMENTS = 5000 };
	const struct timespec moment = {0, MOMENT_NS};

	for (int i = 0;
	     i < MOST_MOMENTS &&
	     __atomic_load_n(&monitor.writing, __ATOMIC_ACQUIRE) == writer;
	     i++)
		syscall(SYS_nanosleep, &moment, NULL);
}

/* What is no regular file may keep us for ever: there a signal ends the process,
 * as it would have. */
static int
write_unless_idle(const sigset_t *before)
{
	stop_counting();
	if (prf_monitorfile_is_childs(&monitor.file) && !has_ticks())
		return 0;
	if (prf_monitorfile_is_in_place(&monitor.file))
		pthread_sigmask(SIG_SETMASK, before, NULL);
	return write_whole();
}

/* Also called in a handler, of a crash in this very function, too; writes once.  A
 * child of vfork has the memory of its parent, who goes on counting. */
static int
write_file(void)
{
	pid_t self = (pid_t)syscall(SYS_gettid), writer = 0;
	int rc = 0;

	if (!__atomic_load_n(&monitor.is_on, __ATOMIC_ACQUIRE) ||
	    getpid() != monitor.process)
		return 0;
	sigset_t before = block_fatal();
	if (__atomic_compare_exchange_n(&monitor.writing, &writer, self, false,
					__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
		rc = write_unless_idle(&before);
		__atomic_store_n(&monitor.writing, WRITTEN, __ATOMIC_RELEASE);
	} else if (writer != WRITTEN && writer != self) {
		wait_for(writer);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc;
}

static void
on_exit_write(void)
{
	write_file();
}

/* --- Signals that end the process. */

/* Of stack that writing takes, besides the kernel's frame: measured on x86_64 as
 * 3816, of which 1504 are the dynamic linker's. */
#define WRITE_BYTES 4096

/* An alternate stack may be too small, and whatever lies below it is not to be
 * overwritten. */
static bool
has_stack(void)
{
	stack_t stack;

	return sigaltstack(NULL, &stack) < 0 ||
	       !(stack.ss_flags & SS_ONSTACK) ||
	       stack.ss_size >= getauxval(AT_MINSIGSTKSZ) + WRITE_BYTES;
}

/* SIGNO has its default action when all is written, and is raised once more when
 * this returns.  (Not before: another thread may get the next.) */
static void
on_fatal(int signo)
{
	const struct sigaction usual = {.sa_handler = SIG_DFL};
	int saved_errno = errno;

	if (has_stack())
		write_file();
	sigaction(signo, &usual, NULL);
	raise(signo);
	errno = saved_errno;
}

static bool
is_handler(int signo, void (*handler)(int))
{
	struct sigaction now;

	/* SIG_DFL is what it is with SA_SIGINFO, too. */
	return sigaction(signo, NULL, &now) == 0 && now.sa_handler == handler;
}

/* For signals for which the program has no handler. */
static void
watch_signals(void)
{
	const bool is_first = getpid() == 1;
	struct sigaction action = {
		.sa_handler = on_fatal,
		.sa_flags = SA_ONSTACK,
	};

	sigfillset(&action.sa_mask);
	for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) {
		if (is_first && !fatal[i].is_crash)
			continue;
		if (is_handler(fatal[i].signo, SIG_DFL))
			sigaction(fatal[i].signo, &action, NULL);
	}
}

static void
unwatch_signals(void)
{
	for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
		if (is_handler(fatal[i].signo, on_fatal))
			signal(fatal[i].signo, SIG_DFL);
}

/* --- Beginning and ending. */

static void
clean_up(void)
{
	prf_gmon_writer_free(monitor.writer);
	prf_monitorfile_fini(&monitor.file);
	prf_monitorfile_close(&monitor.file, false);
	if (monitor.counters)
		munmap(monitor.counters, size_bytes());
	monitor.writer = NULL;
	monitor.counters = NULL;
}

/* A thread may crash meanwhile, and have seen that it is on: it finds that all
 * is written.  In a child of fork nobody has stopped the counting if its parent
 * was about to. */
static int
end(void)
{
	int rc = write_file();

	if (monitor.is_on) {
		unwatch_signals();
		__atomic_store_n(&monitor.is_on, false, __ATOMIC_RELEASE);
		stop_counting();
		clean_up();
	}
	return rc;
}

/* Of a thread that was writing the child has only what it had begun, and that
 * is the parent's. */
static void
after_fork(void)
{
	monitor.process = getpid();
	if (monitor.writing) {
		monitor.writing = WRITTEN;
		prf_monitorfile_leave(&monitor.file);
	}
}

/* At the first call.  0, or -ENOMEM. */
static int
add_hooks(void)
{
	if (!monitor.has_hooks && (atexit(on_exit_write) != 0 ||
				   pthread_atfork(NULL, NULL, after_fork) != 0))
		return -ENOMEM;
	monitor.has_hooks = true;
	return 0;
}

struct object {
	uintptr_t low, high; /* the last pc */
	uintptr_t bias;
};

/* Is this the object?  Both ends lie in its segments. */
static int
check_object(struct dl_phdr_info *info, size_t size, void *context)
{
	struct object *object = context;
	bool has_low = false, has_high = false;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uintptr_t first = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type != PT_LOAD)
			continue;
		has_low |= object->low - first < segment->p_memsz;
		has_high |= object->high - first < segment->p_memsz;
	}
	object->bias = info->dlpi_addr;
	return has_low && has_high;
}

static int
make_counters(uintptr_t low, uintptr_t high)
{
	monitor.lowpc = low - low % UNIT_BYTES;
	monitor.n_counters =
		(high - monitor.lowpc + UNIT_BYTES - 1) / UNIT_BYTES;
	void *counters =
		mmap(NULL, size_bytes(), PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (counters == MAP_FAILED)
		return -ENOMEM;
	monitor.counters = counters;
	/* A child begins at 0, however it was made. */
	madvise(counters, size_bytes(), MADV_WIPEONFORK);
	return 0;
}

static int
make_writer(const char *path)
{
	const struct prf_gmon_target target = {
		.addr_bytes = sizeof(void *),
		.big_endian = false,
		.rate_hz = (uint32_t)sysconf(_SC_CLK_TCK),
	};
	int rc = prf_monitorfile_init(&monitor.file, path);

	if (rc < 0)
		return rc;
	return prf_gmon_writer_new(monitor.file.stream, &target,
				   &monitor.writer, NULL);
}

static int
start_counting(void)
{
	const struct prf_counting counting = {
		.kind = PRF_PROFIL_PROFIL,
		.width_bytes = sizeof *monitor.counters,
		.dialect = *prf_dialect_hpux(),
		.region = {monitor.counters, size_bytes(), monitor.lowpc,
			   SCALE},
	};
	uint64_t mask = prf_lock_enter();
	int rc = prf_counting_set(&counting, true);

	prf_lock_leave(mask);
	return rc;
}

static int
begin(uintptr_t low, uintptr_t high, const char *path)
{
	struct object object = {.low = low, .high = high - 1};

	if (low >= high || !dl_iterate_phdr(check_object, &object))
		return -EINVAL;
	monitor.bias = object.bias;
	monitor.file = (struct prf_monitorfile){.fd = -1};
	monitor.process = getpid();

	int rc = add_hooks();
	if (rc == 0)
		rc = make_counters(low, high);
	if (rc == 0)
		rc = make_writer(path);
	if (rc == 0)
		rc = start_counting();
	if (rc < 0) {
		clean_up();
		return rc;
	}
	/* Only now, with all that writing takes. */
	__atomic_store_n(&monitor.writing, 0, __ATOMIC_RELEASE);
	__atomic_store_n(&monitor.is_on, true, __ATOMIC_RELEASE);
	watch_signals();
	return 0;
}

int
prf_monitor(const void *lowpc, const void *highpc, const char *path)
{
	int saved_errno = errno;
	int rc = end();

	if (rc == 0 && lowpc)
		rc = begin((uintptr_t)lowpc, (uintptr_t)highpc,
			   path ? path : "gmon.out");
	errno = rc < 0 ? -rc : saved_errno;
	return rc < 0 ? -1 : 0;
}
