/* <unistd.h> with the profil(2) that a program was written for.
 *
 * Found in front of the system's by pkg-config --cflags profrun-compat.  Which
 * profil it is, one macro tells: PRF_DIALECT_SVR4 (the default),
 * PRF_DIALECT_SOLARIS, PRF_DIALECT_FREEBSD or PRF_DIALECT_HPUX; IRIX has that
 * of System V. */
#pragma GCC system_header
#include_next <unistd.h>
#include "unistd_profil.h"
