#include "inproc/safemem.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/refuse.h"
#include "support/suite.h"

#define TOP 65535 /* of 2 bytes */

static long page_bytes;

static char *
map(int protection, int flags)
{
	char *page = mmap(NULL, (size_t)page_bytes, protection,
			  flags | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(page, MAP_FAILED);
	return page;
}

/* --- Ways for memory not to be there. */

static char *
unmapped(void)
{
	char *page = map(PROT_READ | PROT_WRITE, MAP_PRIVATE);

	munmap(page, (size_t)page_bytes);
	return page;
}

static char *
inaccessible(void)
{
	return map(PROT_NONE, MAP_PRIVATE);
}

static char *
nothing(void)
{
	return NULL;
}

static char *
of_a_file_cut_short(void)
{
	FILE *file = tmpfile();
	int fd = fileno(file);

	ck_assert_int_eq(ftruncate(fd, page_bytes), 0);
	char *page = mmap(NULL, (size_t)page_bytes, PROT_READ | PROT_WRITE,
			  MAP_SHARED, fd, 0);
	ck_assert_ptr_ne(page, MAP_FAILED);
	page[0] = 1;
	ck_assert_int_eq(ftruncate(fd, 0), 0);
	fclose(file);
	return page;
}

static char *(*const absent[])(void) = {unmapped, inaccessible, nothing,
					of_a_file_cut_short};
#define N_ABSENT (sizeof absent / sizeof *absent)

static void
check_absent(void)
{
	for (size_t i = 0; i < N_ABSENT; i++) {
		uintptr_t addr = (uintptr_t)absent[i]();
		uint64_t word = 0;

		ck_assert_int_eq(prf_safemem_read(&word, addr, 8), -EFAULT);
		ck_assert_int_eq(prf_safemem_write(addr, &word, 8), -EFAULT);
		ck_assert(!prf_safemem_is_writable(addr));
		for (unsigned width = 2; width <= 8; width *= 2)
			ck_assert_int_eq(prf_safemem_change(addr, width, 0, 1),
					 -EFAULT);
		ck_assert_int_eq(prf_safemem_change(addr, 2, TOP - 1, TOP),
				 -EFAULT);
		ck_assert_int_eq(prf_safemem_change(addr, 2, TOP, 0), -EFAULT);
	}
}

static void
check_read_only(int flags)
{
	char *page = map(PROT_READ, flags);
	uint64_t word = 1;

	ck_assert_int_eq(prf_safemem_read(&word, (uintptr_t)page, 8), 0);
	ck_assert_uint_eq(word, 0);
	ck_assert_int_eq(prf_safemem_write((uintptr_t)page, &word, 8), -EFAULT);
	ck_assert(!prf_safemem_is_writable((uintptr_t)page));
	for (unsigned width = 2; width <= 8; width *= 2)
		ck_assert_int_eq(
			prf_safemem_change((uintptr_t)page, width, 0, 1),
			-EFAULT);
	ck_assert_int_eq(prf_safemem_change((uintptr_t)page, 2, TOP - 1, TOP),
			 -EFAULT);
	for (long i = 0; i < page_bytes; i++)
		ck_assert_int_eq(page[i], 0);
}

START_TEST(what_is_not_there_is_a_fault_and_no_signal)
{
	check_absent();
}
END_TEST

START_TEST(read_only_memory_is_read_and_not_written)
{
	check_read_only(MAP_PRIVATE);
	check_read_only(MAP_SHARED);
}
END_TEST

START_TEST(a_copy_that_runs_out_of_memory_is_a_fault)
{
	char *pages = mmap(NULL, 2 * (size_t)page_bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uintptr_t last = (uintptr_t)pages + (uintptr_t)page_bytes - 4;
	char bytes[8] = "abcdefg", got[8];

	ck_assert_int_eq(prf_safemem_write(last, bytes, 8), 0);
	ck_assert_int_eq(prf_safemem_read(got, last, 8), 0);
	ck_assert_str_eq(got, bytes);
	munmap(pages + page_bytes, (size_t)page_bytes);
	ck_assert_int_eq(prf_safemem_read(got, last, 8), -EFAULT);
	ck_assert_int_eq(prf_safemem_write(last, bytes, 8), -EFAULT);
}
END_TEST

/* --- Changing counters. */

/* A counter at BYTE of a row of other counters, before and after. */
static void
check_change(unsigned width, size_t byte, uint64_t before, uint64_t after)
{
	_Alignas(8) unsigned char row[24], expected[24];

	memset(row, 0xa5, sizeof row);
	memcpy(row + byte, &before, width);
	memcpy(expected, row, sizeof row);
	memcpy(expected + byte, &after, width);
	ck_assert_int_eq(prf_safemem_change((uintptr_t)(row + byte), width,
					    before, after),
			 0);
	ck_assert_msg(memcmp(row, expected, sizeof row) == 0,
		      "%u bytes at %zu, %llx to %llx", width, byte,
		      (unsigned long long)before, (unsigned long long)after);
}

START_TEST(a_counter_changes_and_its_neighbours_do_not)
{
	static const struct {
		uint64_t before, after;
	} changes[] = {
		{0, 1},
		{0, 65535},
		{41, 44},
		{65535, 0},
		{65534, 3},
		{7, 7},
		{65535, 65536},
		{1, UINT32_MAX},
		{UINT32_MAX, 0},
		{UINT32_MAX, UINT64_C(1) << 32},
		{5, UINT64_MAX},
		{UINT64_MAX, 4},
		{UINT64_C(0x1ffffffff), UINT64_C(0x200000000)},
	};

	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
		for (unsigned width = 2; width <= 8; width *= 2)
			for (size_t byte = 0; byte + width <= 16; byte++) {
				uint64_t max = UINT64_MAX >> (64 - 8 * width);

				if (changes[i].before <= max &&
				    changes[i].after <= max)
					check_change(width, byte,
						     changes[i].before,
						     changes[i].after);
			}
}
END_TEST

/* Adds N to two neighbours, by turns. */
static void
add_many(uint16_t *counters, int n)
{
	for (int i = 0; i < 2 * n; i++) {
		uint16_t *counter = &counters[i % 2];
		uint16_t before = *(volatile uint16_t *)counter;

		prf_safemem_change((uintptr_t)counter, 2, before, before + 1u);
	}
}

START_TEST(processes_that_share_a_counter_lose_no_increment)
{
	enum { N = 15000 };
	uint16_t *counters =
		(uint16_t *)(void *)map(PROT_READ | PROT_WRITE, MAP_SHARED);
	pid_t child = fork();
	int status;

	add_many(counters, N);
	if (child == 0)
		_exit(0);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_uint_eq(counters[0], 2 * N);
	ck_assert_uint_eq(counters[1], 2 * N);
}
END_TEST

/* Two processes have read a counter that has room for one of them: whichever
 * is second is told so, and carries nothing into the neighbour, nor twice into
 * an upper half. */
static const struct {
	unsigned width;
	uint64_t before, after;
} crowded[] = {
	{2, TOP - 1, TOP},
	{2, TOP, 0},
	{2, TOP - 3, 2},
	{4, UINT32_MAX - 1, UINT32_MAX},
	{4, UINT32_MAX, 0},
	{4, UINT32_MAX - 3, 2},
	{8, UINT64_MAX - 1, UINT64_MAX},
	{8, UINT64_MAX, 0},
	{8, UINT32_MAX, UINT64_C(1) << 32},
	{8, UINT64_C(0x4fffffffd), UINT64_C(0x500000002)},
};
#define N_CROWDED ((int)(sizeof crowded / sizeof *crowded))

START_TEST(the_second_to_fill_a_shared_counter_is_refused)
{
	unsigned width = crowded[_i].width;
	uint64_t before = crowded[_i].before, after = crowded[_i].after;

	for (unsigned place = 0; place < 2; place++) {
		char *counters = map(PROT_READ | PROT_WRITE, MAP_SHARED);
		char *counter = counters + place * width;
		char *neighbour = counters + (1 - place) * width;
		uint64_t got = 0, seven = 7;

		memcpy(counter, &before, width);
		memcpy(neighbour, &seven, width);
		ck_assert_int_eq(prf_safemem_change((uintptr_t)counter, width,
						    before, after),
				 0);
		ck_assert_int_eq(prf_safemem_change((uintptr_t)counter, width,
						    before, after),
				 -EAGAIN);
		memcpy(&got, counter, width);
		ck_assert_uint_eq(got, after);
		got = 0;
		memcpy(&got, neighbour, width);
		ck_assert_uint_eq(got, 7);
	}
}
END_TEST

/* --- Where the kernel's own copying is forbidden. */

/* What the calls before have left on the stack. */
__attribute__((noinline)) static void
soil_stack(void)
{
	volatile char junk[4096];

	for (size_t i = 0; i < sizeof junk; i++)
		junk[i] = (char)0xff;
}

/* The kernel answers before anything is asked or touched: asking is futex(2)'s,
 * and would be told that all is well. */
START_TEST(the_kernel_copies_where_it_may)
{
	char *gone = unmapped();
	uint64_t word = 0;

	if (prf_refuse_call(SYS_futex, EPERM))
		_exit(3);
	soil_stack();
	int read = prf_safemem_read(&word, (uintptr_t)gone, sizeof word);
	soil_stack();
	int written = prf_safemem_write((uintptr_t)gone, &word, sizeof word);
	ck_assert_int_eq(read, -EFAULT);
	ck_assert_int_eq(written, -EFAULT);
}
END_TEST

static void
forbid_copying(void)
{
	ck_assert_int_eq(prf_refuse_call(SYS_process_vm_readv, EPERM), 0);
	ck_assert_int_eq(prf_refuse_call(SYS_process_vm_writev, EPERM), 0);
	ck_assert_int_eq(
		syscall(SYS_process_vm_readv, getpid(), NULL, 0, NULL, 0, 0),
		-1);
}

START_TEST(all_that_holds_without_the_copying_system_calls_too)
{
	uint64_t word = 5, got = 0;

	forbid_copying();
	check_absent();
	check_read_only(MAP_PRIVATE);
	check_read_only(MAP_SHARED);
	ck_assert_int_eq(prf_safemem_read(&got, (uintptr_t)&word, 8), 0);
	ck_assert_uint_eq(got, 5);
	got = 9;
	ck_assert_int_eq(prf_safemem_write((uintptr_t)&word, &got, 8), 0);
	ck_assert_uint_eq(word, 9);
}
END_TEST

static void
find_page_size(void)
{
	page_bytes = sysconf(_SC_PAGESIZE);
}

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("own");
	TCase *tcase = tcase_create("own");

	tcase_add_checked_fixture(tcase, find_page_size, NULL);
	tcase_add_test(tcase, what_is_not_there_is_a_fault_and_no_signal);
	tcase_add_test(tcase, read_only_memory_is_read_and_not_written);
	tcase_add_test(tcase, a_copy_that_runs_out_of_memory_is_a_fault);
	tcase_add_test(tcase, a_counter_changes_and_its_neighbours_do_not);
	tcase_add_test(tcase, processes_that_share_a_counter_lose_no_increment);
	tcase_add_loop_test(tcase,
			    the_second_to_fill_a_shared_counter_is_refused, 0,
			    N_CROWDED);
	tcase_add_test(tcase, the_kernel_copies_where_it_may);
	tcase_add_test(tcase,
		       all_that_holds_without_the_copying_system_calls_too);
	suite_add_tcase(suite, tcase);
	return suite;
}
