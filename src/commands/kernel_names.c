#include "src/commands/kernel_names.h"

#include <errno.h>
#include <stdio.h>

int
prf_kernel_names_read(struct prf_kallsyms **names, struct prf_error *err)
{
	PRF_AUTO(prf_auto_fclose) FILE *file = fopen("/proc/kallsyms", "re");

	if (!file)
		return prf_error_set(err, -errno, "%m");
	return prf_kallsyms_read(file, names, err);
}

struct prf_kallsyms *
prf_kernel_names(const struct prf_options *options,
		 const struct prf_messages *messages)
{
	struct prf_kallsyms *names = NULL;
	struct prf_error err;

	if (options->kernel && prf_kernel_names_read(&names, &err))
		prf_message_warn(messages,
				 "--kernel: /proc/kallsyms: %s; system calls "
				 "alone are told%s",
				 err.text,
				 err.code == -EACCES
					 ? " (CAP_SYSLOG, or, as root: sysctl "
					   "kernel.kptr_restrict=0)"
					 : "");
	return names;
}
