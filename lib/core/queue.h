/* queue.h - a sink that works in a thread of its own.
 *
 * The thread that watches a program must let it run on at once; the one that
 * counts may have to read a file first.  Between them stands this queue. Events
 * leave it in the order in which they came.  A sample for which there is no
 * room is refused (-ENOBUFS), and the one who gave it counts it as lost; what
 * says how samples are to be read (exec, mapping, life, figure) is refused only
 * where memory is short (-ENOMEM).  Several threads may give events.  Samples
 * reach the sink within some 500 ms: its thread is not woken for each.
 *
 * A reader of a trace can wait instead: then nothing is refused for room,
 * and the two of them work at the same time. */
#ifndef PRF_CORE_QUEUE_H
#define PRF_CORE_QUEUE_H

#include <stddef.h>

#include "attr.h"
#include "error.h"
#include "losses.h"
#include "sample.h"

PRF_BEGIN_DECLS

/* A queue before INNER, which becomes its own: it is used in the queue's
 * thread alone, finished by finish() and freed by free().  No more than
 * ROOM_BYTES of samples wait, an account of some 60 bytes for each included;
 * those that are given to INNER give their room back some hundreds at a time.
 * finish() returns when INNER has had every event; none may follow it.
 * -ENOMEM, -EAGAIN; then INNER stays the caller's. */
int prf_queue_sink_new(struct prf_sink *inner, size_t room_bytes,
		       struct prf_sink **out,
		       struct prf_error *err) PRF_MUST_CHECK;

/* The same, but nothing is refused for room: the caller that gives an event, of
 * any kind, may wait for that.  One thread alone gives, and it gives them many
 * at a time: some reach INNER by finish() alone.  Besides those that are being
 * gathered (an eighth of it), no more than ROOM_BYTES of events wait; one that
 * is larger has the queue to itself. */
int prf_queue_sink_new_waiting(struct prf_sink *inner, size_t room_bytes,
			       struct prf_sink **out,
			       struct prf_error *err) PRF_MUST_CHECK;

/* CALL is made with ARG in the queue's thread, between two events, when
 * EVERY_NS have passed since it was last made (or since now) and INNER has had
 * an event since.  Before the first event. */
void prf_queue_sink_every(struct prf_sink *sink, uint64_t every_ns,
			  void (*call)(void *arg), void *arg);

/* What INNER would not take, of what the queue has taken.  Of a queue's sink,
 * after its finish(). */
struct prf_losses prf_queue_sink_losses(const struct prf_sink *sink);

PRF_END_DECLS

#endif
