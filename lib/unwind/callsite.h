/* callsite.h - which instruction is before a return address. */
#ifndef PRF_UNWIND_CALLSITE_H
#define PRF_UNWIND_CALLSITE_H

#include <stdint.h>

#include "unwind/machine.h"

/* x86's instructions can be read from any byte on, so that it may be either. */
enum prf_callsite {
	PRF_CALLSITE_NONE = 0,     /* it cannot be a call */
	PRF_CALLSITE_INDIRECT = 1, /* one to where a register or memory says */
	PRF_CALLSITE_DIRECT = 2,
	PRF_CALLSITE_EITHER = PRF_CALLSITE_INDIRECT | PRF_CALLSITE_DIRECT
};

/* No call takes more bytes. */
enum { PRF_CALLSITE_BYTES = 7 };

/* Which call ends at ADDR, as the PRF_CALLSITE_BYTES bytes at BYTES, which end
 * there, too, have it; *TARGET is where a direct one leads. */
enum prf_callsite prf_callsite_before(const struct prf_machine *machine,
				      const uint8_t *bytes, uint64_t addr,
				      uint64_t *target);

#endif
