/* lineage.h - a family from the inside, for family.c and ending.c. */
#ifndef PRF_VIEW_LINEAGE_H
#define PRF_VIEW_LINEAGE_H

#include "view/family.h"
#include "view/files.h"
#include "view/kin.h"

struct prf_lineage {
	struct prf_family family;
	struct prf_family_config config;
	struct prf_profile_config profile_config;
	struct prf_files *files;
	struct prf_kins kins;
};

/* An empty profile of what PROCESS is now.  NULL: out of memory. */
struct prf_profile *prf_lineage_profile(const struct prf_lineage *lineage,
					const struct prf_kin *process);

/* THREAD, called NAME ("": not known), is counted no more; and is freed. */
void prf_lineage_end_thread(struct prf_lineage *lineage,
			    struct prf_kin_thread *thread, const char *name);
/* PROCESS goes on, with nothing mapped and no program, to become another. */
void prf_lineage_end_program(struct prf_lineage *lineage,
			     struct prf_kin *process);
/* PROCESS has ended with its program; and is freed. */
void prf_lineage_end_process(struct prf_lineage *lineage,
			     struct prf_kin *process);

#endif
