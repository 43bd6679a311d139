/* made_calls.h - a run of stacks that are made up, each a word whose letters are
 * functions, and its calls as text. */
#ifndef PRF_TESTS_PROFILE_MADE_CALLS_H
#define PRF_TESTS_PROFILE_MADE_CALLS_H

#include <stdint.h>

#include "core/attr.h"
#include "profile/call_graph.h"
#include "profile/collector.h"
#include "support/made_run.h"
#include "support/suite.h"

#define AT 0x555555555000
#define LIB 0x7f0000000000
#define JIT 0x7f0001000000

/* Functions of 0x100 bytes from MADE_TEXT on: a, b, c... */
#define FUNCTION(i) (0x100 * (uint64_t)((i) - 'a'))

/* The run of a test: it has mapped "prog" at AT, "lib" at LIB, and JIT code. */
extern struct prf_collector *run;

/* The fixture of every such test; and a run that begins as CONFIG says. */
void calls_begin(void);
void calls_begin_with(struct prf_collector_config config);
void calls_end(void);

/* Functions by letters: of prog, "q" of the library, "j" and "k" JIT code, "?"
 * nothing that is mapped. */
uint64_t calls_addr_of(char letter);
/* A sample of the path PATH, the outermost first, of which "!" makes the next a
 * guess; each frame is at another address than that before it. */
void calls_sample(const char *path, uint32_t ticks, int32_t syscall,
		  enum prf_stack_end stack_end);
/* The same in user mode, of a whole stack. */
void calls_add(const char *path, uint32_t ticks);

/* What calls_put() and calls_put_tree() have written since calls_graph_of(). */
extern char calls_text[4096];
void calls_put(const char *format, ...) PRF_PRINTF(1, 2);
struct prf_call_graph calls_graph_of(const struct prf_profile *profile);
/* The tree: "name total(children)". */
void calls_put_tree(const struct prf_call_graph *graph);

/* Fails the test unless PROFILE, or the run, which is over then, has this tree,
 * or these functions: each "name=self/total ". */
void calls_check_tree_of(const struct prf_profile *profile,
			 const char *expected);
void calls_check_tree(const char *expected);
void calls_check_functions(const char *expected);

#endif
