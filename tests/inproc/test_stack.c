/* A tick on a small alternate signal stack. */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "inproc/profil.h"
#include "inproc/tick.h"
#include "support/suite.h"

/* What SIGSTKSZ was, when it was a number. */
#define STACK_BYTES 8192
/* The manual's, on top of the kernel's frames. */
#define OWN_BYTES 1024

#define MAX_SAMPLES 10000
#define UNTOUCHED 0x5a

static uintptr_t samples[MAX_SAMPLES];
static size_t frame_bytes;

/* For the calling thread; below it is a page that cannot be touched. */
static unsigned char *
use_stack(void)
{
	const size_t guard_bytes = 0x10000;
	unsigned char *guard =
		mmap(NULL, guard_bytes + STACK_BYTES, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (guard == MAP_FAILED || mprotect(guard, guard_bytes, PROT_NONE) < 0)
		return NULL;
	stack_t stack = {
		.ss_sp = guard + guard_bytes,
		.ss_size = STACK_BYTES,
	};
	memset(stack.ss_sp, UNTOUCHED, STACK_BYTES);
	return sigaltstack(&stack, NULL) < 0 ? NULL : stack.ss_sp;
}

static size_t
used_bytes(const unsigned char *stack)
{
	size_t n = 0;

	while (n < STACK_BYTES && stack[n] == UNTOUCHED)
		n++;
	return STACK_BYTES - n;
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
	unsigned char *stack = use_stack();

	if (!stack)
		return STACK_BYTES;
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	return used_bytes(stack);
}

static void *
burn_shortly(void *argument)
{
	tick_burn(0.03);
	return argument;
}

START_TEST(two_frames_of_the_kernel_and_little_more_is_enough)
{
	unsigned char *stack = use_stack();

	ck_assert_ptr_nonnull(stack);
	prf_pcsample(samples, MAX_SAMPLES);
	for (int i = 0; i < 20; i++) {
		pthread_t thread;

		pthread_create(&thread, NULL, burn_shortly, NULL);
		tick_burn(0.03);
		pthread_join(thread, NULL);
	}
	ck_assert_int_ge(prf_pcsample(samples, 0), 50);

	size_t used = used_bytes(stack);
	printf("used %zu bytes, a frame is %zu\n", used, frame_bytes);
	ck_assert_uint_gt(used, frame_bytes);
	ck_assert_uint_le(used, 2 * frame_bytes + OWN_BYTES);
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
	if (2 * frame_bytes + OWN_BYTES > STACK_BYTES)
		skip("two frames of this kernel do not fit");

	Suite *suite = suite_create("stack");
	TCase *tcase = tcase_create("stack");

	tcase_set_timeout(tcase, 600);
	tick_add_prompt_test(
		tcase, two_frames_of_the_kernel_and_little_more_is_enough);
	suite_add_tcase(suite, tcase);
	return suite;
}
