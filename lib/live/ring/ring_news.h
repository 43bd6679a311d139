/* ring_news.h - which of many rings have something to read.
 *
 * The kernel tells of a ring once, whoever asks: to poll(2) an epoll(7) of
 * rings takes away what it would say.  So a thread waits for them, and notes
 * which they are. */
#ifndef PRF_LIVE_RING_RING_NEWS_H
#define PRF_LIVE_RING_RING_NEWS_H

#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "core/error.h"

struct prf_ring_news;

int prf_ring_news_new(struct prf_ring_news **out,
		      struct prf_error *err) PRF_MUST_CHECK;
void prf_ring_news_free(struct prf_ring_news *news); /* takes NULL */

/* FD is of a ring that OWNER reads, which is not NULL.  Returns the ring's
 * number, or a negative errno value. */
int prf_ring_news_add(struct prf_ring_news *news, int fd,
		      void *owner) PRF_MUST_CHECK;
/* FD, which is still open, is not one any more. */
void prf_ring_news_remove(struct prf_ring_news *news, int fd, int number);

/* The ring of that NUMBER is read at LOOK_NS (CLOCK_MONOTONIC), too; 0: no. */
void prf_ring_news_look(struct prf_ring_news *news, int number,
			uint64_t look_ns);

/* Readable when some have news. */
int prf_ring_news_fd(const struct prf_ring_news *news);
/* Calls READ for the owner of each that has, once. */
void prf_ring_news_each(struct prf_ring_news *news,
			void (*read)(void *arg, void *owner), void *arg);

#endif
