/* trigger.h - what makes a thread stop to be looked at: a row of a table. */
#ifndef PRF_LIVE_TRIGGER_H
#define PRF_LIVE_TRIGGER_H
/* Filled in with lib/live. */
#endif
