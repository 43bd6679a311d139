/* Ticks and alternate signal stacks: they are used where the program asks for
 * it, and a program with a small one lives. */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "inproc/handler.h"
#include "inproc/profil.h"
#include "inproc/tick.h"
#include "support/suite.h"

/* The manual's, on top of the kernel's frames. */
#define OWN_BYTES 1024

#define MAX_SAMPLES 10000
#define LARGE 65536
#define UNTOUCHED 0x5a

static uintptr_t samples[MAX_SAMPLES];
static size_t frame_bytes;

/* For the calling thread; below it is a page that cannot be touched.  NULL: the
 * kernel has none that is so small. */
static unsigned char *
use_stack(size_t size_bytes)
{
	const size_t guard_bytes = 0x10000;
	unsigned char *guard =
		mmap(NULL, guard_bytes + size_bytes, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (guard == MAP_FAILED || mprotect(guard, guard_bytes, PROT_NONE) < 0)
		return NULL;
	stack_t stack = {
		.ss_sp = guard + guard_bytes,
		.ss_size = size_bytes,
	};
	memset(stack.ss_sp, UNTOUCHED, size_bytes);
	return sigaltstack(&stack, NULL) < 0 ? NULL : stack.ss_sp;
}

static size_t
used_bytes(const unsigned char *stack, size_t size_bytes)
{
	size_t n = 0;

	while (n < size_bytes && stack[n] == UNTOUCHED)
		n++;
	return size_bytes - n;
}

static void
do_nothing(int signo)
{
	(void)signo;
}

/* What the kernel puts there of this thread: less than AT_MINSIGSTKSZ, which
 * counts parts of the processor that nobody has asked for. */
static size_t
measure_frame(void)
{
	struct sigaction action = {
		.sa_handler = do_nothing,
		.sa_flags = SA_ONSTACK,
	};
	size_t size_bytes = prf_handler_stack_bytes();
	const unsigned char *stack = use_stack(size_bytes);

	if (!stack)
		return size_bytes;
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	return used_bytes(stack, size_bytes);
}

static void *
burn_shortly(void *argument)
{
	tick_burn(0.03);
	return argument;
}

/* Ticks of this thread, and of those that come and go. */
static void
take_ticks(void)
{
	for (int i = 0; i < 20; i++) {
		pthread_t thread;

		pthread_create(&thread, NULL, burn_shortly, NULL);
		tick_burn(0.03);
		pthread_join(thread, NULL);
	}
}

START_TEST(two_frames_of_the_kernel_and_little_more_is_enough)
{
	size_t size_bytes = prf_handler_stack_bytes();
	const unsigned char *stack = use_stack(size_bytes);

	ck_assert_ptr_nonnull(stack);
	prf_profil_stack(1);
	prf_pcsample(samples, MAX_SAMPLES);
	take_ticks();
	ck_assert_int_ge(prf_pcsample(samples, 0), 50);

	size_t used = used_bytes(stack, size_bytes);
	printf("used %zu bytes, a frame is %zu\n", used, frame_bytes);
	ck_assert_uint_gt(used, frame_bytes);
	ck_assert_uint_le(used, 2 * frame_bytes + OWN_BYTES);
}
END_TEST

/* From the least that there is, in which not one frame fits, to the least that
 * is large enough. */
static const size_t small[] = {2048, 4096, 5120, 7168, 0};
#define N_SMALL ((int)(sizeof small / sizeof *small))

static size_t
small_bytes(int i)
{
	return small[i] ? small[i] : prf_handler_stack_bytes() - 16;
}

START_TEST(a_program_with_a_small_stack_lives_and_has_its_ticks)
{
	size_t size_bytes = small_bytes(_i);
	const unsigned char *stack = use_stack(size_bytes);

	if (!stack)
		return;
	prf_profil_stack(1);
	prf_pcsample(samples, MAX_SAMPLES);
	take_ticks();
	ck_assert_int_ge(prf_pcsample(samples, 0), 50);
	ck_assert_uint_eq(used_bytes(stack, size_bytes), 0);
}
END_TEST

static void *
burn_on_small_stack(void *argument)
{
	(void)argument;
	use_stack(small_bytes(0));
	tick_burn(0.1);
	return NULL;
}

START_TEST(a_small_stack_that_comes_after_the_call_does_no_harm)
{
	const stack_t none = {.ss_flags = SS_DISABLE};
	pthread_t thread;

	sigaltstack(&none, NULL);
	prf_pcsample(samples, MAX_SAMPLES);
	pthread_create(&thread, NULL, burn_on_small_stack, NULL);
	pthread_join(thread, NULL);
	burn_on_small_stack(NULL);
	ck_assert_int_ge(prf_pcsample(samples, 0), 10);
}
END_TEST

/* However large that of the thread is which calls. */
START_TEST(small_stacks_of_other_threads_do_no_harm)
{
	const unsigned char *stack = use_stack(LARGE);
	pthread_t before, after;

	ck_assert_ptr_nonnull(stack);
	pthread_create(&before, NULL, burn_on_small_stack, NULL);
	prf_pcsample(samples, MAX_SAMPLES);
	pthread_create(&after, NULL, burn_on_small_stack, NULL);
	tick_burn(0.1);
	pthread_join(before, NULL);
	pthread_join(after, NULL);
	ck_assert_int_ge(prf_pcsample(samples, 0), 10);
	ck_assert_uint_eq(used_bytes(stack, LARGE), 0);
}
END_TEST

START_TEST(whether_they_are_used_is_asked_and_told)
{
	ck_assert_int_eq(prf_profil_stack(-1), 0);
	ck_assert_int_eq(prf_profil_stack(1), 0);
	ck_assert_int_eq(prf_profil_stack(2), 1);
	ck_assert_int_eq(prf_profil_stack(0), 1);
	ck_assert_int_eq(prf_profil_stack(-1), 0);
}
END_TEST

/* The last call decides, whichever has begun. */
START_TEST(a_call_uses_a_large_stack_though_the_one_before_had_none)
{
	const stack_t none = {.ss_flags = SS_DISABLE};
	size_t size_bytes = prf_handler_stack_bytes();

	sigaltstack(&none, NULL);
	prf_pcsample(samples, MAX_SAMPLES);
	prf_profil_stack(1);
	const unsigned char *stack = use_stack(size_bytes);
	prf_pcsample(samples, MAX_SAMPLES);
	tick_burn(0.1);
	tick_catch_up();
	ck_assert_uint_gt(used_bytes(stack, size_bytes), frame_bytes);
}
END_TEST

static void
skip(const char *why)
{
	printf("skipped: %s\n", why);
	exit(77);
}

Suite *
prf_suite(void)
{
	frame_bytes = measure_frame();
	if (IS_SANITIZED)
		skip("a sanitizer needs more");

	Suite *suite = suite_create("stack");
	TCase *tcase = tcase_create("stack");

	tcase_set_timeout(tcase, 600);
	tick_add_prompt_test(
		tcase, two_frames_of_the_kernel_and_little_more_is_enough);
	tcase_add_loop_test(
		tcase, a_program_with_a_small_stack_lives_and_has_its_ticks, 0,
		N_SMALL);
	tcase_add_test(tcase,
		       a_small_stack_that_comes_after_the_call_does_no_harm);
	tick_add_prompt_test(
		tcase,
		a_call_uses_a_large_stack_though_the_one_before_had_none);
	tcase_add_test(tcase, small_stacks_of_other_threads_do_no_harm);
	tcase_add_test(tcase, whether_they_are_used_is_asked_and_told);
	suite_add_tcase(suite, tcase);
	return suite;
}
