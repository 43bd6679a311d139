/* Buffers that go away while threads tick: profiling turns off, the program
 * lives, and its own handlers of faults are not asked. */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/dialect.h"
#include "core/table.h"
#include "core/region.h"
#include "inproc/profil.h"
#include "inproc/tick.h"
#include "support/suite.h"

#define PC UINT64_C(0x400000)
#define ONE 0x10000
#define BUFFER_BYTES 65536
#define N_THREADS 3
#define N_ROUNDS 150

static volatile sig_atomic_t n_faults;

static void
on_fault(int signo)
{
	(void)signo;
	n_faults++;
	_exit(3);
}

static void
watch_faults(void)
{
	struct sigaction action = {.sa_handler = on_fault};

	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	tick_block();
}

/* Where nothing else is mapped: the moment it is gone, others of the process,
 * a sanitizer among them, could be given the place of a buffer that is counted
 * in. */
#define PLACE ((void *)0x7e9000000000)

static char *
map_buffer(int *fd)
{
	FILE *file = tmpfile();

	*fd = dup(fileno(file));
	fclose(file);
	ck_assert_int_eq(ftruncate(*fd, BUFFER_BYTES), 0);
	char *buffer = mmap(PLACE, BUFFER_BYTES, PROT_READ | PROT_WRITE,
			    MAP_SHARED, *fd, 0);
	ck_assert_ptr_ne(buffer, MAP_FAILED);
	return buffer;
}

/* --- Ways for a buffer to go away. */

static void
unmap(char *buffer, int fd)
{
	(void)fd;
	munmap(buffer, BUFFER_BYTES);
}

static void
protect(char *buffer, int fd)
{
	(void)fd;
	mprotect(buffer, BUFFER_BYTES, PROT_READ);
}

static void
deny(char *buffer, int fd)
{
	(void)fd;
	mprotect(buffer, BUFFER_BYTES, PROT_NONE);
}

static void
truncate_file(char *buffer, int fd)
{
	(void)buffer;
	ck_assert_int_eq(ftruncate(fd, 0), 0);
}

static void (*const ways[])(char *buffer, int fd) = {unmap, protect, deny,
						     truncate_file};
#define N_WAYS (sizeof ways / sizeof *ways)

/* --- Who counts in it. */

static void
count_profil(char *buffer)
{
	ck_assert_int_eq(
		prf_profil(prf_dialect_svr4(), buffer, BUFFER_BYTES, PC, ONE),
		0);
}

static void
count_sprofil(char *buffer)
{
	struct prf_region region = {buffer, BUFFER_BYTES, PC, ONE};

	ck_assert_int_eq(prf_sprofil(&region, 1, NULL, PRF_TABLE_UINT64), 0);
}

static void
count_pcsample(char *buffer)
{
	long n = BUFFER_BYTES / sizeof(uintptr_t);

	ck_assert_int_ge(prf_pcsample((uintptr_t *)(void *)buffer, n), 0);
}

static void (*const counts[])(char *buffer) = {count_profil, count_sprofil,
					       count_pcsample};
#define N_COUNTS (sizeof counts / sizeof *counts)

static void
drop(char *buffer, int fd)
{
	munmap(buffer, BUFFER_BYTES);
	close(fd);
}

START_TEST(a_buffer_that_goes_away_turns_profiling_off_and_nothing_else)
{
	for (size_t way = 0; way < N_WAYS; way++) {
		for (size_t i = 0; i < N_COUNTS; i++) {
			struct prf_profil_state state;
			int fd;
			char *buffer = map_buffer(&fd);

			counts[i](buffer);
			tick_at(PC, 1);
			ways[way](buffer, fd);
			tick_at(PC, 2);
			tick_at(PC, 1);
			prf_profil_state(&state);
			ck_assert(!state.on);
			ck_assert_int_eq(state.why, PRF_PROFIL_FAULT);
			ck_assert_uint_ge(state.fault_addr, (uintptr_t)buffer);
			ck_assert_uint_lt(state.fault_addr,
					  (uintptr_t)buffer + BUFFER_BYTES);
			ck_assert_uint_eq(state.ticks, 3);
			ck_assert_uint_eq(state.counted, 1);
			ck_assert_uint_eq(state.dropped, 2);
			drop(buffer, fd);
		}
	}
	ck_assert_int_eq(n_faults, 0);
}
END_TEST

START_TEST(what_pcsample_has_stored_before_a_fault_stays_counted)
{
	int fd;
	char *buffer = map_buffer(&fd);

	count_pcsample(buffer);
	tick_at(PC, 5);
	unmap(buffer, fd);
	tick_at(PC, 1);
	ck_assert_int_eq(prf_pcsample(NULL, 0), 5);
}
END_TEST

START_TEST(private_read_only_memory_is_not_written_through)
{
	char *buffer = mmap(NULL, BUFFER_BYTES, PROT_READ,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	count_profil(buffer);
	tick_at(PC, 1);
	ck_assert_int_eq(buffer[0], 0);
	struct prf_profil_state state;
	prf_profil_state(&state);
	ck_assert_int_eq(state.why, PRF_PROFIL_FAULT);
}
END_TEST

/* --- The same while other threads tick, and a buffer of every age. */

static volatile bool is_over;

static void *
tick_on(void *argument)
{
	(void)argument;
	tick_block();
	while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
		tick_at(PC + 16, 1);
		tick_scout(PC + 32);
	}
	return NULL;
}

START_TEST(a_buffer_goes_away_at_any_moment_while_threads_tick)
{
	pthread_t threads[N_THREADS];

	for (int i = 0; i < N_THREADS; i++)
		ck_assert_int_eq(
			pthread_create(&threads[i], NULL, tick_on, NULL), 0);
	for (int round = 0; round < N_ROUNDS; round++) {
		int fd;
		char *buffer = map_buffer(&fd);

		counts[(size_t)round % N_COUNTS](buffer);
		for (int i = 0; i < round; i++)
			tick_at(PC, 1);
		ways[(size_t)round % N_WAYS](buffer, fd);
		tick_at(PC, 1);
		drop(buffer, fd);
	}
	__atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
	for (int i = 0; i < N_THREADS; i++)
		pthread_join(threads[i], NULL);
	ck_assert_int_eq(n_faults, 0);
}
END_TEST

/* After the second call nothing may add to the first buffer: it is filled with
 * a pattern at once. */
START_TEST(the_buffer_before_is_untouched_once_a_call_has_returned)
{
	static uint16_t buffers[2][1024], zeros[1024];
	pthread_t threads[N_THREADS];

	for (int i = 0; i < N_THREADS; i++)
		ck_assert_int_eq(
			pthread_create(&threads[i], NULL, tick_on, NULL), 0);
	for (int round = 0; round < 20 * N_ROUNDS; round++) {
		uint16_t *before = buffers[round % 2];

		count_profil((char *)buffers[(round + 1) % 2]);
		memset(before, 0, sizeof buffers[0]);
		tick_at(PC, 1);
		ck_assert_int_eq(memcmp(before, zeros, sizeof zeros), 0);
	}
	__atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
	for (int i = 0; i < N_THREADS; i++)
		pthread_join(threads[i], NULL);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("faults");
	TCase *tcase = tcase_create("faults");

	tcase_set_timeout(tcase, 300);
	tcase_add_checked_fixture(tcase, watch_faults, NULL);
	tcase_add_test(
		tcase,
		a_buffer_that_goes_away_turns_profiling_off_and_nothing_else);
	tcase_add_test(tcase,
		       what_pcsample_has_stored_before_a_fault_stays_counted);
	tcase_add_test(tcase, private_read_only_memory_is_not_written_through);
	tcase_add_test(tcase,
		       a_buffer_goes_away_at_any_moment_while_threads_tick);
	tcase_add_test(tcase,
		       the_buffer_before_is_untouched_once_a_call_has_returned);
	suite_add_tcase(suite, tcase);
	return suite;
}
