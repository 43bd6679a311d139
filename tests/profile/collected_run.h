/* collected_run.h - a run that is made up, event by event, and what its collector
 * hands out of it. */
#ifndef PRF_TESTS_PROFILE_COLLECTED_RUN_H
#define PRF_TESTS_PROFILE_COLLECTED_RUN_H

#include <stdint.h>

#include "profile/collector.h"
#include "support/made_run.h"
#include "support/suite.h"

/* Where programs have their text, and JIT code its own. */
#define AT 0x555555555000
#define JIT 0x7f0001000000

/* A profile that was handed out. */
struct run_seen {
	pid_t pid, tid;
	unsigned n_execs;
	bool is_earlier, is_main;
	uint64_t ticks;
	uint64_t interval, from_ns, to_ns;
	char program[16]; /* the profile's; "": none */
	char text[256];   /* each function, hottest first: "name=ticks " */
	char owners[64];  /* each, as it came: "tid:name " */
};

enum { RUN_MAX_SEEN = 64 };

/* The run of a test. */
extern struct run {
	struct prf_collector *collector;
	uint64_t now_ns; /* the time of its events */
	struct run_seen seen[RUN_MAX_SEEN];
	size_t n_seen;
	uint64_t ticks_seen; /* also in those for which there is no room */
} run;

/* It begins, at time 0 and at 100 Hz, in other respects as CONFIG says; there are
 * the files "prog", of the functions f and g, and "other", of h and k, each of 2
 * KiB. */
void run_begin(struct prf_collector_config config);
/* Each program has a profile of its own. */
void run_begin_each(void);
/* There is a file NAME with the functions of "other", too. */
void run_make_other(const char *name);
/* It ends with TICKS, wherever they are summed up; it is freed. */
void run_finish(uint64_t ticks);
void run_end(void);
struct prf_profile *run_snapshot(void);

/* What PID does.  An event that is tried may be refused. */
int run_try_exec(pid_t pid, const char *name);
void run_exec(pid_t pid, const char *name);
int run_try_life(enum prf_life_kind kind, pid_t pid, pid_t tid, pid_t parent);
void run_fork(pid_t parent, pid_t pid);
void run_exit(pid_t pid);
int run_try_ticks(pid_t pid, pid_t tid, uint64_t addr, uint32_t ticks);
void run_ticks(pid_t pid, uint64_t addr, uint32_t n);
void run_map(pid_t pid, struct prf_mapping map);
/* Memory for code, at JIT. */
void run_map_jit(pid_t pid);

/* The Ith that was handed out is of PID and has these functions. */
void run_check(size_t i, pid_t pid, const char *functions);
/* Wherever ticks of a run are summed up there are TICKS. */
void run_check_sums(const struct prf_profile *profile, uint64_t ticks);

/* SUITE has a case of this name, whose tests may make files. */
void run_add_case(Suite *suite, const char *name, void (*add)(TCase *tcase));

#endif
