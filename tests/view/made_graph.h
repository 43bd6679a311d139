/* made_graph.h - call graphs that are made up. */
#ifndef PRF_TESTS_VIEW_MADE_GRAPH_H
#define PRF_TESTS_VIEW_MADE_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/call_graph.h"

/* A call, by the number of its caller among the calls before it, the first of
 * which is 1; 0: it has none. */
struct made_call {
	size_t caller;
	const char *function; /* of binary "prog"; "libx:f": of libx */
	uint64_t self;
	bool guessed;
};

/* Node I + 1 is of CALLS[I].  Freed with made_graph_free(); names are CALLS'. */
struct prf_call_graph made_graph(const struct made_call *calls, size_t n);
void made_graph_free(struct prf_call_graph *graph);

#endif
