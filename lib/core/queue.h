/* queue.h - a sink that works in a thread of its own.
 *
 * The thread that watches a program must let it run on at once; the one that
 * counts may have to read a file first.  Between them stands this queue. Events
 * leave it in the order in which they came.  A sample for which there is no
 * room is refused (-ENOBUFS), and the one who gave it counts it as lost; what
 * says how samples are to be read (exec, mapping, life) has 64 times that room, up
 * to 256 MiB, and is refused only where memory is short (-ENOMEM).  If that room,
 * too, is full, it is taken and lost, and the samples that follow of its process,
 * and of those that this forks, could not be read: they are refused, and what is
 * no sample of them is lost, until the process runs another program.
 * Several threads may give events.  Samples
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

/* A queue before INNER, which becomes its own: INNER is used in the queue's
 * thread alone, finished by finish() and freed by free().  No more than
 * ROOM_BYTES of samples wait, including some 60 bytes of administration for
 * each; samples that are given to INNER free their room some hundreds at a
 * time.  finish() returns when INNER has had every event; none may follow it.
 * -ENOMEM, -EAGAIN; then INNER stays the caller's. */
int prf_queue_sink_new(struct prf_sink *inner, size_t room_bytes,
		       struct prf_sink **out,
		       struct prf_error *err) PRF_MUST_CHECK;

/* The same, but nothing is refused for lack of room: the caller that gives an
 * event, of any kind, waits for room instead.  Only one thread may give events.
 * It hands them over many at a time, so that some reach INNER only by finish().
 * Besides the events that are being gathered (an eighth of ROOM_BYTES), no more
 * than ROOM_BYTES wait; a larger event has the queue to itself. */
int prf_queue_sink_new_waiting(struct prf_sink *inner, size_t room_bytes,
			       struct prf_sink **out,
			       struct prf_error *err) PRF_MUST_CHECK;

/* CALL is made with ARG in the queue's thread, between two events, when
 * EVERY_NS have passed since it was last made (or since now) and INNER has had
 * an event since; if it takes more than a twentieth of that time, it is made
 * less often, so that it takes no more.  To be called before the first event. */
void prf_queue_sink_every(struct prf_sink *sink, uint64_t every_ns,
			  void (*call)(void *arg), void *arg);

/* To be used by CALL alone: it is made again when its time has come, whether or not
 * there are events until then; it has not done what it was to do. */
void prf_queue_sink_again(struct prf_sink *sink);

/* CALL is made with ARG in the queue's thread at FIRST_NS (CLOCK_MONOTONIC) and
 * then whenever EVERY_NS have passed, whether or not there are events; what
 * cannot be in time is left out.  To be called before the first event. */
void prf_queue_sink_steadily(struct prf_sink *sink, uint64_t first_ns,
			     uint64_t every_ns, void (*call)(void *arg),
			     void *arg);

/* Events that the queue has taken and INNER has refused, or that are lost for room
 * (then -ENOBUFS, whatever INNER has refused).  SINK is a queue's; to
 * be called after its finish(). */
struct prf_losses prf_queue_sink_losses(const struct prf_sink *sink);

PRF_END_DECLS

#endif
