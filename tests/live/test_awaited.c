#include "live/dump/awaited.h"

#include <linux/futex.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "support/suite.h"

/* A process whose file descriptors and memory are these. */
static void
name_fd(void *arg, int fd, char *path, size_t size)
{
	(void)arg;
	snprintf(path, size, "%s",
		 fd == 3   ? "/var/log/x"
		 : fd == 4 ? "socket:[77]"
			   : "");
}

enum {
	WIDE_TIME = 0x1000,
	NARROW_TIME = 0x2000,
	PATH = 0x3000,
	POLLED = 0x4000
};

static size_t
read_memory(void *arg, uint64_t addr, void *to, size_t n_bytes)
{
	static const uint64_t wide[2] = {1, 500000000};
	static const uint32_t narrow[2] = {0, 2000000};
	static const char path[] = "/tmp/a";
	static const int32_t polled[2] = {4, 0};
	static const struct {
		uint64_t addr;
		const void *bytes;
		size_t n_bytes;
	} parts[] = {
		{WIDE_TIME, wide, sizeof wide},
		{NARROW_TIME, narrow, sizeof narrow},
		{PATH, path, sizeof path},
		{POLLED, polled, sizeof polled},
	};

	(void)arg;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (parts[i].addr == addr) {
			if (n_bytes > parts[i].n_bytes)
				n_bytes = parts[i].n_bytes;
			memcpy(to, parts[i].bytes, n_bytes);
			return n_bytes;
		}
	return 0;
}

static double
read_clock(void *arg, int clock)
{
	(void)arg;
	return clock == CLOCK_MONOTONIC  ? 1.25
	       : clock == CLOCK_REALTIME ? 9
					 : -1;
}

#define FOR_EVER (uint64_t) - 1

static const struct {
	const char *name;
	uint64_t args[6];
	uint8_t addr_bytes;
	const char *text;
} calls[] = {
	{"read", {3, 0, 100}, 8, "fd 3 (/var/log/x), 100 bytes"},
	{"read", {9, 0, 1}, 8, "fd 9, 1 byte"},
	{"epoll_wait", {4, 0, 10, FOR_EVER}, 8, "fd 4 (socket:[77])"},
	{"epoll_wait",
	 {4, 0, 10, 250},
	 8,
	 "fd 4 (socket:[77]), 250 ms at most"},
	{"nanosleep", {WIDE_TIME}, 8, "1.5 s at most"},
	{"nanosleep", {NARROW_TIME}, 4, "2 ms at most"},
	{"nanosleep", {0x9999}, 8, ""},
	{"clock_nanosleep",
	 {CLOCK_MONOTONIC, 0, WIDE_TIME},
	 8,
	 "1.5 s at most"},
	{"clock_nanosleep",
	 {CLOCK_MONOTONIC, TIMER_ABSTIME, WIDE_TIME},
	 8,
	 "250 ms left"},
	/* It is over. */
	{"clock_nanosleep",
	 {CLOCK_REALTIME, TIMER_ABSTIME, WIDE_TIME},
	 8,
	 "0 us left"},
	{"clock_nanosleep", {55, TIMER_ABSTIME, WIDE_TIME}, 8, ""},
	{"poll", {POLLED, 1, FOR_EVER}, 8, "fd 4 (socket:[77])"},
	{"poll",
	 {POLLED, 3, 2000},
	 8,
	 "fd 4 (socket:[77]), 2 more, 2 s at most"},
	{"poll", {0, 0, 20}, 8, "20 ms at most"},
	{"openat", {0, PATH}, 8, "/tmp/a"},
	{"wait4", {FOR_EVER}, 8, "any child"},
	{"wait4", {77}, 8, "process 77"},
	{"wait4", {(uint64_t)-5}, 8, "a child of process group 5"},
	{"waitid", {1, 77}, 8, "process 77"},
	{"futex", {0x5000, FUTEX_WAIT_PRIVATE}, 8, "word 0x5000"},
	{"futex",
	 {0x5000, FUTEX_WAIT_PRIVATE, 0, WIDE_TIME},
	 8,
	 "word 0x5000, 1.5 s at most"},
	{"futex",
	 {0x5000, FUTEX_WAIT_BITSET_PRIVATE, 0, WIDE_TIME},
	 8,
	 "word 0x5000, 250 ms left"},
	{"futex", {0x5000, FUTEX_LOCK_PI_PRIVATE}, 8, "lock 0x5000"},
	{"pause", {3}, 8, ""},
	{"no_such_call", {3}, 8, ""},
};

START_TEST(a_call_says_what_it_waits_for)
{
	const struct prf_awaited_source source = {
		.fd = name_fd,
		.memory = read_memory,
		.now = read_clock,
		.addr_bytes = calls[_i].addr_bytes,
	};
	char text[PRF_AWAITED_BYTES];

	prf_awaited_text(calls[_i].name, calls[_i].args, &source, text);
	ck_assert_str_eq(text, calls[_i].text);
}
END_TEST

static void
name_at_length(void *arg, int fd, char *path, size_t size)
{
	(void)arg;
	(void)fd;
	memset(path, 'x', size - 1);
	path[size - 1] = '\0';
}

static size_t
read_anything(void *arg, uint64_t addr, void *to, size_t n_bytes)
{
	(void)arg;
	(void)addr;
	memset(to, 'y', n_bytes);
	return n_bytes;
}

/* Whatever the process has there: the text has an end. */
START_TEST(no_text_is_too_long)
{
	const struct prf_awaited_source source = {
		.fd = name_at_length,
		.memory = read_anything,
		.now = read_clock,
		.addr_bytes = 8,
	};
	const uint64_t args[6] = {1, UINT64_MAX, UINT64_MAX, 4, 5, 6};
	char text[PRF_AWAITED_BYTES];

	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		memset(text, 0x7f, sizeof text);
		prf_awaited_text(calls[i].name, args, &source, text);
		ck_assert_ptr_nonnull(memchr(text, '\0', sizeof text));
	}
}
END_TEST

START_TEST(waits_for_words_are_known)
{
	const uint64_t wait[6] = {0x5000, FUTEX_WAIT_PRIVATE};
	const uint64_t wake[6] = {0x5000, FUTEX_WAKE_PRIVATE};

	ck_assert(prf_awaited_is_word("futex", wait));
	ck_assert(!prf_awaited_is_word("futex", wake));
	ck_assert(!prf_awaited_is_word("read", wait));
}
END_TEST

START_TEST(the_end_of_a_thread_is_a_word_of_the_kernels)
{
	const uint64_t own[6] = {0x5000, FUTEX_WAIT_PRIVATE};
	const uint64_t join[6] = {0x5000,
				  FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME};
	const uint64_t lock[6] = {0x5000, FUTEX_LOCK_PI};

	ck_assert(prf_awaited_is_shared(join));
	ck_assert(!prf_awaited_is_shared(own));
	ck_assert(!prf_awaited_is_shared(lock));
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("awaited");
	TCase *tcase = tcase_create("awaited");

	tcase_add_loop_test(tcase, a_call_says_what_it_waits_for, 0,
			    sizeof calls / sizeof *calls);
	tcase_add_test(tcase, no_text_is_too_long);
	tcase_add_test(tcase, waits_for_words_are_known);
	tcase_add_test(tcase, the_end_of_a_thread_is_a_word_of_the_kernels);
	suite_add_tcase(suite, tcase);
	return suite;
}
