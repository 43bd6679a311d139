/* top_writer.h - what is written to a terminal or a pipe that may take nothing, as
 * at the end of a connection that hangs: it is kept, and given when it is taken. */
#ifndef PRF_SRC_TOP_TOP_WRITER_H
#define PRF_SRC_TOP_TOP_WRITER_H

#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"

/* What FD, a terminal or a pipe, leads to, but nobody waits for it; FD again where
 * that cannot be had, and of what is never waited for.  A negative errno value. */
int prf_top_open_quick(int fd) PRF_MUST_CHECK;
/* Copies what the file FROM has from *AT on to QUICK; *AT becomes how far that has
 * come.  -EAGAIN: it has not taken all of it by END_NS (CLOCK_MONOTONIC); or what
 * write(2) failed with. */
int prf_top_copy(int from, off_t *at, int quick,
		 uint64_t end_ns) PRF_MUST_CHECK;

/* All zero: there is none. */
struct prf_top_writer {
	int fd;    /* lent: what is written to it is kept now and then, */
	int usual; /* and goes here otherwise */
	int quick; /* there, too */
	int kept; /* a file without a name; what is written to it is kept, too */
	off_t n_given;
};

/* FD is not 0.  A negative errno value; then WRITER is to be closed, too. */
int prf_top_writer_open(struct prf_top_writer *writer, int fd) PRF_MUST_CHECK;
void prf_top_writer_close(struct prf_top_writer *writer);

/* What is written to FD is kept, until the end. */
void prf_top_writer_begin(struct prf_top_writer *writer);
void prf_top_writer_end(struct prf_top_writer *writer);
/* Gives away what is kept.  -EAGAIN: not all has been taken within MS, and the rest
 * is kept; else nothing is any more, be it taken or, as write(2) has failed with
 * what is returned, lost. */
int prf_top_writer_give(struct prf_top_writer *writer, int ms) PRF_MUST_CHECK;

#endif
