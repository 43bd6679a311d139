/* kernel_names.h - the functions of the kernel that --kernel asks for. */
#ifndef PRF_SRC_COMMANDS_KERNEL_NAMES_H
#define PRF_SRC_COMMANDS_KERNEL_NAMES_H

#include "core/scope.h"
#include "image/kallsyms.h"
#include "src/message.h"
#include "src/options/options.h"

PRF_DEFINE_AUTO(prf_kallsyms, prf_kallsyms_free);

/* Those of the running kernel.  -EACCES: it hides where they are. */
int prf_kernel_names_read(struct prf_kallsyms **names,
			  struct prf_error *err) PRF_MUST_CHECK;

/* To be freed.  NULL: they are not asked for, or cannot be had, which MESSAGES
 * tell. */
struct prf_kallsyms *prf_kernel_names(const struct prf_options *options,
				      const struct prf_messages *messages);

#endif
