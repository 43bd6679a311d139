/* trigger_naive.h - how not to do it: at every period, every thread is
 * interrupted, whatever it is doing.  Tests of what a program must not notice
 * are shown to fail with this one. */
#ifndef PRF_TESTS_TRIGGER_NAIVE_H
#define PRF_TESTS_TRIGGER_NAIVE_H

#include "live/trigger/trigger.h"

extern const struct prf_trigger_ops prf_trigger_naive;

#endif
