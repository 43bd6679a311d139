/* awaited.h - what a thread is blocked for, from the arguments of its system
 * call: "fd 5 (socket:[23]), 100 ms at most".  Pure, but for what it is given to
 * ask with. */
#ifndef PRF_LIVE_DUMP_AWAITED_H
#define PRF_LIVE_DUMP_AWAITED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of the process whose call it is. */
struct prf_awaited_source {
	/* What file descriptor FD is, in PATH, SIZE bytes with the NUL; "": it
	 * is not known. */
	void (*fd)(void *arg, int fd, char *path, size_t size);
	/* At most N_BYTES of its memory at ADDR; returns how many. */
	size_t (*memory)(void *arg, uint64_t addr, void *to, size_t n_bytes);
	/* The seconds that CLOCK has now; below zero: it cannot be read. */
	double (*now)(void *arg, int clock);
	void *arg;
	uint8_t addr_bytes; /* 4 or 8: of its program */
};

enum { PRF_AWAITED_BYTES = 160 };

/* TEXT says what the ARGS of the call that is called NAME mean, as far as that is
 * known; else it is "". */
void prf_awaited_text(const char *name, const uint64_t args[6],
		      const struct prf_awaited_source *source,
		      char text[PRF_AWAITED_BYTES]);

/* Is NAME with ARGS a wait for a word of memory, as locks and conditions make
 * it? */
bool prf_awaited_is_word(const char *name, const uint64_t args[6]);

/* Is that word of ARGS one that others than this process may wake, such as the
 * kernel when a thread ends? */
bool prf_awaited_is_shared(const uint64_t args[6]);

#endif
