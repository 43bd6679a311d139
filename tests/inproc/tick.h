/* tick.h - ticks at made-up pcs, by the real handler; and CPU time to burn. */
#ifndef PRF_TESTS_INPROC_TICK_H
#define PRF_TESTS_INPROC_TICK_H

#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* Keeps real ticks from this thread.  Fixtures of tests that make their own. */
void tick_block(void);
void tick_unblock(void);

/* The handler, as the process has it, is told that the calling thread has used
 * TICKS ticks and is at PC.  Does nothing if no timer would have. */
void tick_at(uint64_t pc, uint64_t ticks);
/* The scout meets this thread at PC. */
void tick_scout(uint64_t pc);

double tick_cpu_s(clockid_t clock);
/* Uses so much of the calling thread's CPU time. */
void tick_burn(double cpu_s);
/* Burns on until this thread has just met a tick.  The kernel looks at CPU
 * clocks at its own ticks only, late where the machine is busy; what it is late
 * by comes as overruns of the next signal, so after that ticks and CPU time
 * agree, unless ticks are lost.  Gives up after 2 s of CPU time. */
void tick_catch_up(void);

/* ThreadSanitizer keeps a signal until its thread calls the C library, and has
 * a copy of the registers by then: where a tick fell cannot be tested. */
#if defined(__SANITIZE_THREAD__)
#define TICK_IS_LATE 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TICK_IS_LATE 1
#endif
#endif
#ifndef TICK_IS_LATE
#define TICK_IS_LATE 0
#endif

/* Adds TEST, of where or when ticks fall; or says that it is left out. */
#define tick_add_prompt_test(tcase, test)                                      \
	do {                                                                   \
		if (TICK_IS_LATE)                                              \
			puts("left out, for signals are late under "           \
			     "ThreadSanitizer: " #test);                       \
		else                                                           \
			tcase_add_test(tcase, test);                           \
	} while (0)

#endif
