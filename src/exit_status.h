/* exit_status.h - what the shell is told. */
#ifndef PRF_SRC_EXIT_STATUS_H
#define PRF_SRC_EXIT_STATUS_H

/* As env(1), nice(1) and timeout(1) have them.  Every other status is the
 * program's own. */
enum prf_exit_status {
	PRF_EXIT_OK = 0,
	PRF_EXIT_IMPOSSIBLE = 1, /* of check: nothing can be profiled here */
	PRF_EXIT_UNREADABLE = 1, /* of export, report: of a bad file */
	PRF_EXIT_NOTHING = 1,    /* of report: of what is wanted */
	PRF_EXIT_REFUSED = 1,    /* of merge: a file is bad, or does not fit */
	PRF_EXIT_SLOWER = 1,     /* of diff: something is, and it was asked */
	PRF_EXIT_TROUBLE = 2,    /* of diff: files are bad, or do not compare */
	PRF_EXIT_FAILED = 125,   /* profrun itself failed */
	PRF_EXIT_CANNOT_RUN = 126, /* the program is there and cannot run */
	PRF_EXIT_NOT_FOUND = 127,  /* there is no such program */
};

/* The status for a program that was not run: CODE is the negative errno value
 * of prf_sampler_run. */
enum prf_exit_status prf_exit_of_error(int code);

#endif
