/* made_stacks.h - a run that is made up, for the tests of formats: a program whose
 * functions are called as a test wants. */
#ifndef PRF_TESTS_VIEW_MADE_STACKS_H
#define PRF_TESTS_VIEW_MADE_STACKS_H

#include <stddef.h>
#include <stdint.h>

#include "support/made_run.h"
#include "view/export/export_way.h"

/* The functions of the program "prog", 0x100 bytes each from 0x1000 on. */
enum {
	MADE_MAIN,
	MADE_F,
	MADE_G,
	MADE_HOSTILE, /* its name would steer a reader */
	MADE_TEMPLATE,
	MADE_N,
};

extern const char made_hostile_name[];

/* The fixture of every such test. */
void made_stacks_begin(void);
void made_stacks_end(void);

/* TICKS at DEPTH functions, the outermost first; in system call NUMBER, or
 * PRF_NO_SYSCALL. */
void made_stacks_add(uint32_t ticks, int32_t number, size_t depth,
		     const int *path);
/* What WRITE makes of the run, which is over then; good until the end. */
const char *made_stacks_written(int (*write)(const struct prf_profile *,
					     const struct prf_export_way *,
					     FILE *, struct prf_error *),
				const struct prf_export_way *way);
/* Fails the test unless TEXT has EXPECTED in it. */
void made_stacks_has(const char *text, const char *expected);

#define MADE_PATH(...)                                                         \
	sizeof((const int[]){__VA_ARGS__}) / sizeof(int), (const int[])        \
	{                                                                      \
		__VA_ARGS__                                                    \
	}

#endif
