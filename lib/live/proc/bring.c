#include "live/proc/bring.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "core/clock_ns.h"
#include "core/scope.h"
#include "core/worker.h"
#include "live/proc/pagemap.h"

/* What the thread that tries and the one that waits share.  The last of them to
 * look at it frees it. */
struct attempt {
	pid_t tid;
	uint64_t addr;
	size_t n_bytes;

	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t ended;
	bool has_ended, is_left;
	int rc;
};

static int
touch(const struct attempt *attempt)
{
	uint8_t bytes[PRF_BRING_MOST_BYTES];
	struct iovec here = {bytes, attempt->n_bytes};
	struct iovec there = {(void *)(uintptr_t)attempt->addr,
			      attempt->n_bytes};
	ssize_t n = process_vm_readv(attempt->tid, &here, 1, &there, 1, 0);

	return n < 0 ? -errno : n == (ssize_t)attempt->n_bytes ? 0 : -EFAULT;
}

static void
discard(struct attempt *attempt)
{
	pthread_cond_destroy(&attempt->ended);
	pthread_mutex_destroy(&attempt->lock);
	free(attempt);
}

static void *
try(void *arg)
{
	struct attempt *attempt = arg;
	int rc = touch(attempt);

	pthread_mutex_lock(&attempt->lock);
	attempt->has_ended = true;
	attempt->rc = rc;
	bool is_left = attempt->is_left;
	pthread_cond_signal(&attempt->ended);
	pthread_mutex_unlock(&attempt->lock);
	if (is_left)
		discard(attempt);
	return NULL;
}

static int
start(struct attempt *attempt)
{
	pthread_t thread;
	int rc = prf_worker_begin(&thread, try, attempt);

	if (!rc)
		pthread_detach(thread);
	return rc;
}

static int
wait_for(struct attempt *attempt, uint64_t end_ns)
{
	const struct timespec end = {
		.tv_sec = (time_t)(end_ns / 1000000000),
		.tv_nsec = (long)(end_ns % 1000000000),
	};
	int rc = 0;

	pthread_mutex_lock(&attempt->lock);
	while (!attempt->has_ended && rc != ETIMEDOUT)
		rc = pthread_cond_timedwait(&attempt->ended, &attempt->lock,
					    &end);
	rc = attempt->has_ended ? attempt->rc : -ETIMEDOUT;
	attempt->is_left = !attempt->has_ended;
	bool is_left = attempt->is_left;
	pthread_mutex_unlock(&attempt->lock);
	if (!is_left)
		discard(attempt);
	return rc;
}

static void
init_ended(pthread_cond_t *ended)
{
	pthread_condattr_t monotonic;

	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(ended, &monotonic);
	pthread_condattr_destroy(&monotonic);
}

static int
bring_absent(pid_t tid, uint64_t addr, size_t n_bytes, uint64_t end_ns)
{
	struct attempt *attempt = malloc(sizeof *attempt);

	if (!attempt)
		return -ENOMEM;
	*attempt = (struct attempt){
		.tid = tid,
		.addr = addr,
		.n_bytes = n_bytes,
	};
	pthread_mutex_init(&attempt->lock, NULL);
	init_ended(&attempt->ended);
	int rc = start(attempt);
	if (rc) {
		discard(attempt);
		return rc;
	}
	return wait_for(attempt, end_ns);
}

/* The pages that hold the N_BYTES at ADDR: 0 if all are there. */
static int
check(pid_t tid, uint64_t addr, size_t n_bytes)
{
	uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t entries[2];
	size_t n_pages =
		addr / page_bytes != (addr + n_bytes - 1) / page_bytes ? 2 : 1;
	PRF_AUTO(prf_auto_close) int fd = prf_pagemap_open(tid);

	if (fd < 0 ||
	    prf_pagemap_pread(fd, addr, entries, n_pages) != (ssize_t)n_pages)
		return -EAGAIN;
	for (size_t i = 0; i < n_pages; i++)
		if (prf_pagemap_is_protected(entries[i]))
			return -EFAULT;
		else if (!prf_pagemap_is_there(entries[i]))
			return -EAGAIN;
	return 0;
}

int
prf_bring_until(pid_t tid, uint64_t addr, size_t n_bytes, uint64_t end_ns)
{
	if (n_bytes == 0)
		return 0;
	if (n_bytes > PRF_BRING_MOST_BYTES || addr > UINT64_MAX - n_bytes)
		return -EFAULT;
	int rc = check(tid, addr, n_bytes);
	return rc == -EAGAIN ? bring_absent(tid, addr, n_bytes, end_ns) : rc;
}

int
prf_bring(pid_t tid, uint64_t addr, size_t n_bytes)
{
	return prf_bring_until(tid, addr, n_bytes, prf_bring_end_ns());
}

uint64_t
prf_bring_end_ns(void)
{
	enum { PATIENCE_NS = 1000000000 };

	return prf_clock_ns(CLOCK_MONOTONIC) + PATIENCE_NS;
}
