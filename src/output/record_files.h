/* record_files.h - the files that are made of the profile of a run, gmon.outs and
 * those of other tools: one for all of it, or one for each program or thread
 * that has ended, written at once: what happens to the others later does not
 * lose them. */
#ifndef PRF_SRC_OUTPUT_RECORD_FILES_H
#define PRF_SRC_OUTPUT_RECORD_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "profile/collector.h"
#include "src/message.h"
#include "src/options/options.h"
#include "src/output/output.h"

/* What people read of many: as many lines. */
enum { PRF_RECORD_LINES = 8 };

/* So many others have files of their own: a program that forks all the time is
 * not to fill the directory.  The rest have one. */
enum { PRF_RECORD_MOST_FILES = 1000 };

/* A run that lives longer has its files on disk this often. */
#define PRF_RECORD_SNAPSHOT_NS UINT64_C(10000000000)

/* A file, and whose it is. */
struct prf_record_name {
	char *file, *owner;
	uint64_t ticks;
};

struct prf_record_files {
	const struct prf_options *options;
	struct prf_output *output;
	char *run_name; /* of the run's files; NULL: not chosen yet */
	char *commands; /* of the main files, for the summary */
	char *exported; /* those of other tools, for the summary */
	/* Of the others: those with the most ticks, in the order of writing. */
	struct prf_record_name names[PRF_RECORD_LINES];
	uint64_t n_others, n_left_out; /* left out: written in place, no room */
	/* Of those beyond the most: all that they have counted; NULL: none. */
	struct prf_profile *rest;
	char *rest_file; /* as it is shown */
	uint64_t n_rest;
	/* What could not be written, and why. */
	char *errors[PRF_RECORD_LINES];
	uint64_t n_errors;
	/* Why a snapshot could not be written, the first time; or NULL. */
	char *snapshot_error;
	/* Of the whole run, in what is written at its end: see
	 * view/export/export_way.h; to be filled in. */
	uint64_t duration_ns, lost_ticks;
	double doubt;
	/* With intervals. */
	uint64_t realtime_offset_ns; /* CLOCK_REALTIME - CLOCK_MONOTONIC; to be
				      * filled in */
	uint64_t interval;           /* the latest of which something came, */
	uint64_t from_ns, to_ns;     /* and its time, CLOCK_MONOTONIC */
	uint64_t n_of_interval;      /* others of it that have files */
	uint64_t n_of_intervals;     /* files of all */
	char *first_file, *last_file;
};

/* OPTIONS and OUTPUT must outlive it. */
void prf_record_files_init(struct prf_record_files *files,
			   const struct prf_options *options,
			   struct prf_output *output);
void prf_record_files_clear(struct prf_record_files *files);

/* What has files of its own: %p or %t in the pattern tells. */
enum prf_collect_each
prf_record_files_each(const struct prf_record_files *files);
/* How often a snapshot is worth writing; 0: never. */
uint64_t prf_record_files_every_ns(const struct prf_record_files *files);

/* Writes what ENDED has; FILES is a struct prf_record_files.  To be given to a
 * collector, see prf_collector_config. */
void prf_record_files_write(void *files, const struct prf_ended *ended);
/* Writes the gmon.out of PROFILE, of the run so far. */
int prf_record_files_snapshot(struct prf_record_files *files,
			      const struct prf_profile *profile,
			      struct prf_error *err) PRF_MUST_CHECK;
/* One was not written, because of ERR, which is told at the end if it is the first;
 * the next one may go well again, as when a disk was full. */
void prf_record_files_fail_snapshot(struct prf_record_files *files,
				    const struct prf_error *err);
/* Writes PROFILE, of the whole run, if that is what has a file. */
void prf_record_files_finish(struct prf_record_files *files,
			     const struct prf_profile *profile);

/* Where the files are, and how to read them. */
void prf_record_files_print(const struct prf_record_files *files, FILE *out);
/* Says which could not be written; returns how many that are. */
uint64_t prf_record_files_complain(const struct prf_record_files *files,
				   const struct prf_messages *messages);

#endif
