#include "live/ring/ring_records.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "support/suite.h"

enum { RING_BYTES = 4096, N_REGISTERS = 4, MMAP2 = 10 };

static uint8_t ring[RING_BYTES], joined[PRF_RING_RECORD_BYTES];
static struct prf_ring_records records;
static struct prf_ring_record record;

static void
set_up(void)
{
	memset(ring, 0xee, sizeof ring);
	records = (struct prf_ring_records){
		.bytes = ring,
		.size = RING_BYTES,
		.record = joined,
		.registers = 0xf,
	};
}

static void
put(const void *from, size_t n_bytes)
{
	for (size_t i = 0; i < n_bytes; i++)
		ring[records.head++ % RING_BYTES] = ((const uint8_t *)from)[i];
}

static void
put_header(uint32_t type, uint16_t misc, size_t n_bytes)
{
	struct perf_event_header header = {
		.type = type,
		.misc = misc,
		.size = (uint16_t)(sizeof header + n_bytes),
	};

	put(&header, sizeof header);
}

/* Of thread 8 of process 7; registers are 1000 and so on. */
static void
put_sample(uint16_t misc, uint64_t abi)
{
	const int32_t ids[] = {7, 8};
	const uint64_t times[] = {111, 222};
	size_t n = abi ? N_REGISTERS : 0;

	put_header(PERF_RECORD_SAMPLE, misc,
		   sizeof ids + sizeof times + sizeof abi + 8 * n);
	put(ids, sizeof ids);
	put(times, sizeof times);
	put(&abi, sizeof abi);
	for (uint64_t i = 0; i < n; i++)
		put(&(uint64_t){1000 + i}, 8);
}

static void
put_mapping(uint16_t misc, uint64_t addr, uint64_t size, uint32_t prot,
	    const char *name, size_t name_bytes)
{
	const int32_t ids[] = {7, 8};
	const uint64_t range[] = {addr, size, 0x2000};
	const uint32_t device[] = {8, 1};
	const uint64_t file[] = {4711, 0};
	const uint32_t flags[] = {prot, MAP_PRIVATE};

	put_header(MMAP2, misc,
		   sizeof ids + sizeof range + sizeof device + sizeof file +
			   sizeof flags + name_bytes);
	put(ids, sizeof ids);
	put(range, sizeof range);
	put(device, sizeof device);
	put(file, sizeof file);
	put(flags, sizeof flags);
	put(name, name_bytes);
}

static int
next(void)
{
	memset(&record, 0x55, sizeof record);
	return prf_ring_records_next(&records, &record);
}

static void
expect_kind(enum prf_ring_kind kind)
{
	ck_assert_int_eq(next(), 1);
	ck_assert_int_eq(record.kind, kind);
}

static void
expect_nothing_more(void)
{
	ck_assert_int_eq(next(), 0);
	ck_assert_uint_eq(records.tail, records.head);
}

static void
expect_senseless(void)
{
	ck_assert_int_eq(next(), -EBADMSG);
	expect_nothing_more();
}

START_TEST(an_empty_ring_has_no_record)
{
	expect_nothing_more();
}
END_TEST

START_TEST(a_sample_has_its_thread_times_and_registers)
{
	put_sample(PERF_RECORD_MISC_USER, PRF_RING_ABI_64);
	expect_kind(PRF_RING_SAMPLE);
	ck_assert(!record.sample.in_kernel);
	ck_assert_int_eq(record.sample.pid, 7);
	ck_assert_int_eq(record.sample.tid, 8);
	ck_assert_uint_eq(record.sample.time_ns, 111);
	ck_assert_uint_eq(record.sample.clock_ns, 222);
	ck_assert_int_eq(record.sample.abi, PRF_RING_ABI_64);
	for (unsigned i = 0; i < N_REGISTERS; i++)
		ck_assert_uint_eq(record.sample.registers[i], 1000 + i);
	expect_nothing_more();
}
END_TEST

/* Registers stand where their numbers are. */
START_TEST(registers_are_told_by_their_numbers)
{
	records.registers = 1ULL << 0 | 1ULL << 7 | 1ULL << 8 | 1ULL << 63;
	put_sample(PERF_RECORD_MISC_USER, PRF_RING_ABI_64);
	expect_kind(PRF_RING_SAMPLE);
	ck_assert_uint_eq(record.sample.registers[0], 1000);
	ck_assert_uint_eq(record.sample.registers[7], 1001);
	ck_assert_uint_eq(record.sample.registers[8], 1002);
	ck_assert_uint_eq(record.sample.registers[63], 1003);
	ck_assert_ptr_null(record.sample.stack);
}
END_TEST

/* A sample of which the kernel has read N_BYTES of the stack, where it has room
 * for ROOM. */
static void
put_stack_sample(uint64_t room, uint64_t n_bytes)
{
	const uint8_t stack[64] = "the stack";
	const int32_t ids[] = {7, 8};
	const uint64_t words[] = {111,  222, PRF_RING_ABI_64, 1000, 1001,
				  1002, 1003};

	records.with_stacks = true;
	put_header(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER,
		   sizeof ids + sizeof words + sizeof room +
			   (room ? sizeof stack + sizeof n_bytes : 0));
	put(ids, sizeof ids);
	put(words, sizeof words);
	put(&room, sizeof room);
	if (!room)
		return;
	put(stack, sizeof stack);
	put(&n_bytes, sizeof n_bytes);
}

START_TEST(a_stack_is_as_long_as_it_could_be_read)
{
	put_stack_sample(64, 40);
	put_stack_sample(64, 64);
	expect_kind(PRF_RING_SAMPLE);
	ck_assert_uint_eq(record.sample.stack_bytes, 40);
	ck_assert(!record.sample.is_stack_full);
	ck_assert_str_eq((const char *)record.sample.stack, "the stack");
	expect_kind(PRF_RING_SAMPLE);
	ck_assert_uint_eq(record.sample.stack_bytes, 64);
	ck_assert(record.sample.is_stack_full);
	ck_assert_uint_eq(record.sample.registers[3], 1003);
	expect_nothing_more();
}
END_TEST

START_TEST(a_sample_may_have_no_stack)
{
	put_stack_sample(0, 0);
	expect_kind(PRF_RING_SAMPLE);
	ck_assert_ptr_null(record.sample.stack);
	ck_assert_uint_eq(record.sample.stack_bytes, 0);
	ck_assert(!record.sample.is_stack_full);
	expect_nothing_more();
}
END_TEST

/* The record is too short for it, has nothing behind it, or less than was
 * read. */
START_TEST(a_stack_that_is_not_all_there_makes_no_sense)
{
	static const uint64_t sizes[][2] = {
		{80, 40}, {72, 40}, {65, 40}, {64, 65}, {UINT64_MAX, 1}};

	put_stack_sample(sizes[_i][0], sizes[_i][1]);
	expect_senseless();
}
END_TEST

/* A sample of an event in a group: N of them have counted, it says. */
static void
put_group_sample(uint64_t n)
{
	const int32_t ids[] = {7, 8};
	const uint64_t words[] = {111, n, 222, 5, PRF_RING_NO_REGISTERS};

	records.is_in_group = true;
	put_header(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER,
		   sizeof ids + sizeof words);
	put(ids, sizeof ids);
	put(words, sizeof words);
}

START_TEST(a_groups_clock_is_that_of_its_first)
{
	put_group_sample(2);
	expect_kind(PRF_RING_SAMPLE);
	ck_assert_uint_eq(record.sample.time_ns, 111);
	ck_assert_uint_eq(record.sample.clock_ns, 222);
	ck_assert_int_eq(record.sample.abi, PRF_RING_NO_REGISTERS);
	expect_nothing_more();
}
END_TEST

START_TEST(a_group_of_none_or_of_more_than_there_are_makes_no_sense)
{
	static const uint64_t numbers[] = {0, 4, UINT64_MAX / 8 + 2,
					   UINT64_MAX};

	put_group_sample(numbers[_i]);
	expect_senseless();
}
END_TEST

START_TEST(it_is_told_where_the_thread_was_in_the_kernel)
{
	put_sample(PERF_RECORD_MISC_KERNEL, PRF_RING_ABI_32);
	expect_kind(PRF_RING_SAMPLE);
	ck_assert(record.sample.in_kernel);
	ck_assert_int_eq(record.sample.abi, PRF_RING_ABI_32);
}
END_TEST

/* ADDRS, N of them, and what N says. */
static void
put_kernel_sample(uint64_t n, const uint64_t *addrs, size_t n_addrs)
{
	const int32_t ids[] = {7, 8};
	const uint64_t times[] = {111, 222}, abi = PRF_RING_NO_REGISTERS;

	records.with_kernel = true;
	put_header(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL,
		   sizeof ids + sizeof times + sizeof n + 8 * n_addrs +
			   sizeof abi);
	put(ids, sizeof ids);
	put(times, sizeof times);
	put(&n, sizeof n);
	put(addrs, 8 * n_addrs);
	put(&abi, sizeof abi);
}

START_TEST(calls_in_the_kernel_are_told_from_marks_between_them)
{
	const uint64_t addrs[] = {PERF_CONTEXT_KERNEL, 0xffffffff81000010,
				  0xffffffff81000020};
	uint64_t many[PRF_RING_KERNEL_CALLS + 10];

	put_kernel_sample(3, addrs, 3);
	expect_kind(PRF_RING_SAMPLE);
	ck_assert_uint_eq(record.sample.n_kernel, 2);
	ck_assert_uint_eq(record.sample.kernel[0], 0xffffffff81000010);
	ck_assert_uint_eq(record.sample.kernel[1], 0xffffffff81000020);
	put_kernel_sample(0, NULL, 0);
	expect_kind(PRF_RING_SAMPLE);
	ck_assert_uint_eq(record.sample.n_kernel, 0);
	for (size_t i = 0; i < sizeof many / sizeof *many; i++)
		many[i] = i;
	put_kernel_sample(sizeof many / sizeof *many, many,
			  sizeof many / sizeof *many);
	expect_kind(PRF_RING_SAMPLE);
	ck_assert_uint_eq(record.sample.n_kernel, PRF_RING_KERNEL_CALLS);
	expect_nothing_more();
}
END_TEST

START_TEST(more_calls_than_the_record_has_make_no_sense)
{
	static const uint64_t numbers[] = {3, UINT64_MAX, UINT64_MAX / 8};
	const uint64_t addr = 0xffffffff81000010;

	put_kernel_sample(numbers[_i], &addr, 1);
	expect_senseless();
}
END_TEST

START_TEST(a_sample_may_have_no_registers)
{
	put_sample(PERF_RECORD_MISC_KERNEL, PRF_RING_NO_REGISTERS);
	expect_kind(PRF_RING_SAMPLE);
	ck_assert_int_eq(record.sample.abi, PRF_RING_NO_REGISTERS);
	expect_nothing_more();
}
END_TEST

/* However the first of them is cut by the ring's end. */
START_TEST(records_go_on_at_the_beginning)
{
	records.head = records.tail = (uint64_t)RING_BYTES * 5 - (uint64_t)_i;
	put_sample(PERF_RECORD_MISC_USER, PRF_RING_ABI_64);
	put_sample(PERF_RECORD_MISC_USER, PRF_RING_ABI_64);
	for (int i = 0; i < 2; i++) {
		expect_kind(PRF_RING_SAMPLE);
		ck_assert_uint_eq(record.sample.clock_ns, 222);
		ck_assert_uint_eq(record.sample.registers[3], 1003);
	}
	expect_nothing_more();
}
END_TEST

START_TEST(lost_records_are_counted)
{
	const uint64_t lost[] = {99, 12};

	put_header(PERF_RECORD_LOST, 0, sizeof lost);
	put(lost, sizeof lost);
	expect_kind(PRF_RING_LOST);
	ck_assert_uint_eq(record.n_lost, 12);
}
END_TEST

START_TEST(a_mapping_has_its_file_and_name)
{
	put_mapping(0, 0x7000, 0x1000, PROT_READ | PROT_EXEC,
		    "/lib/a.so\0\0\0\0\0\0", 16);
	expect_kind(PRF_RING_MAPPING);
	const struct prf_ring_mapping *mapping = &record.mapping;
	ck_assert(mapping->is_executable);
	ck_assert(!mapping->is_shared);
	ck_assert_uint_eq(mapping->addr, 0x7000);
	ck_assert_uint_eq(mapping->size, 0x1000);
	ck_assert_uint_eq(mapping->file_off, 0x2000);
	ck_assert_uint_eq(mapping->major, 8);
	ck_assert_uint_eq(mapping->minor, 1);
	ck_assert_uint_eq(mapping->inode, 4711);
	ck_assert_str_eq(mapping->name, "/lib/a.so");
	expect_nothing_more();
}
END_TEST

START_TEST(a_mapping_that_is_no_range_makes_no_sense)
{
	static const uint64_t ranges[][2] = {{0x7000, 0}, {UINT64_MAX, 2}};

	put_mapping(0, ranges[_i][0], ranges[_i][1], PROT_EXEC, "a\0\0\0\0\0\0",
		    8);
	put_sample(0, PRF_RING_ABI_64);
	expect_senseless();
}
END_TEST

START_TEST(a_name_without_an_end_makes_no_sense)
{
	put_mapping(0, 0x7000, 0x1000, PROT_EXEC, "12345678", 8);
	put_sample(0, PRF_RING_ABI_64);
	expect_senseless();
}
END_TEST

START_TEST(another_program_is_told_from_another_name)
{
	const char comm[16] = "\7\0\0\0\10\0\0\0name";

	put_header(PERF_RECORD_COMM, 0, sizeof comm);
	put(comm, sizeof comm);
	put_header(PERF_RECORD_COMM, 1 << 13, sizeof comm);
	put(comm, sizeof comm);
	expect_kind(PRF_RING_OTHER);
	expect_kind(PRF_RING_EXEC);
	expect_nothing_more();
}
END_TEST

START_TEST(what_is_not_known_is_passed_over)
{
	put_header(12345, 0, 8);
	put("12345678", 8);
	put_header(PERF_RECORD_THROTTLE, 0, 0);
	put_sample(0, PRF_RING_ABI_64);
	expect_kind(PRF_RING_OTHER);
	expect_kind(PRF_RING_OTHER);
	expect_kind(PRF_RING_SAMPLE);
	expect_nothing_more();
}
END_TEST

START_TEST(a_record_cut_anywhere_makes_no_sense)
{
	put_sample(0, PRF_RING_ABI_64);
	records.head = (uint64_t)_i;
	expect_senseless();
}
END_TEST

/* Its header says so itself. */
START_TEST(a_record_that_is_too_short_for_its_kind_makes_no_sense)
{
	static const uint32_t kinds[] = {PERF_RECORD_SAMPLE, PERF_RECORD_LOST,
					 MMAP2};

	put_header(kinds[_i], 0, 8);
	put("12345678", 8);
	put_sample(0, PRF_RING_ABI_64);
	expect_senseless();
}
END_TEST

START_TEST(a_size_that_cannot_be_makes_no_sense)
{
	static const uint16_t sizes[] = {0, 7, UINT16_MAX};
	struct perf_event_header header = {
		.type = PERF_RECORD_LOST,
		.size = sizes[_i],
	};

	put(&header, sizeof header);
	put_sample(0, PRF_RING_ABI_64);
	expect_senseless();
}
END_TEST

START_TEST(an_abi_that_is_not_known_makes_no_sense)
{
	put_sample(0, 3);
	expect_senseless();
}
END_TEST

START_TEST(more_bytes_than_the_ring_has_make_no_sense)
{
	records.head = RING_BYTES + 8;
	expect_senseless();
}
END_TEST

Suite *
prf_suite(void)
{
	enum { SAMPLE_BYTES = 8 + 8 + 16 + 8 + 8 * N_REGISTERS };
	Suite *suite = suite_create("ring_records");
	TCase *tcase = tcase_create("ring_records");

	tcase_add_checked_fixture(tcase, set_up, NULL);
	tcase_add_test(tcase, an_empty_ring_has_no_record);
	tcase_add_test(tcase, a_sample_has_its_thread_times_and_registers);
	tcase_add_test(tcase, registers_are_told_by_their_numbers);
	tcase_add_test(tcase, a_stack_is_as_long_as_it_could_be_read);
	tcase_add_test(tcase, a_sample_may_have_no_stack);
	tcase_add_loop_test(tcase, a_stack_that_is_not_all_there_makes_no_sense,
			    0, 5);
	tcase_add_test(tcase, a_groups_clock_is_that_of_its_first);
	tcase_add_loop_test(
		tcase, a_group_of_none_or_of_more_than_there_are_makes_no_sense,
		0, 4);
	tcase_add_test(tcase, it_is_told_where_the_thread_was_in_the_kernel);
	tcase_add_test(tcase,
		       calls_in_the_kernel_are_told_from_marks_between_them);
	tcase_add_loop_test(tcase, more_calls_than_the_record_has_make_no_sense,
			    0, 3);
	tcase_add_test(tcase, a_sample_may_have_no_registers);
	tcase_add_loop_test(tcase, records_go_on_at_the_beginning, 0,
			    SAMPLE_BYTES + 1);
	tcase_add_test(tcase, lost_records_are_counted);
	tcase_add_test(tcase, a_mapping_has_its_file_and_name);
	tcase_add_loop_test(tcase, a_mapping_that_is_no_range_makes_no_sense, 0,
			    2);
	tcase_add_test(tcase, a_name_without_an_end_makes_no_sense);
	tcase_add_test(tcase, another_program_is_told_from_another_name);
	tcase_add_test(tcase, what_is_not_known_is_passed_over);
	tcase_add_loop_test(tcase, a_record_cut_anywhere_makes_no_sense, 1,
			    SAMPLE_BYTES);
	tcase_add_loop_test(
		tcase, a_record_that_is_too_short_for_its_kind_makes_no_sense,
		0, 3);
	tcase_add_loop_test(tcase, a_size_that_cannot_be_makes_no_sense, 0, 3);
	tcase_add_test(tcase, an_abi_that_is_not_known_makes_no_sense);
	tcase_add_test(tcase, more_bytes_than_the_ring_has_make_no_sense);
	suite_add_tcase(suite, tcase);
	return suite;
}
