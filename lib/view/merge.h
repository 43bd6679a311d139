/* merge.h - the sum of gmon.outs, whichever way round they come.
 *
 * Files with a list of symbols (gmon.syms) are added object by object, at the
 * objects' own addresses: it does not matter where each file has put them.
 * Files without are added at the addresses they have.  Counts have 64 bits. */
#ifndef PRF_VIEW_MERGE_H
#define PRF_VIEW_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/attr.h"
#include "core/error.h"
#include "core/gmon_read.h"
#include "view/blocks.h"
#include "view/symsfile.h"

/* A function, or what else has a line in a list; pieces of one name are one. */
struct prf_merged_function {
	struct prf_merged_object *object;
	char *name;
	uint64_t place; /* the lowest of its own addresses */
	uint64_t ticks;
	size_t id;
};

struct prf_merged_symbol {
	uint64_t vaddr; /* its object's own address */
	struct prf_merged_function *function;
};

struct prf_merged_object {
	char *path, *build_id; /* as in struct prf_syms_object */
	bool is_program;
	size_t first_file; /* that has it; an index of files */
	/* JIT code, system calls and the unknown have no addresses that would
	 * be the same in two files: functions are added by name. */
	bool by_name;
	uint64_t lo, hi;          /* its own addresses; unless BY_NAME */
	uint64_t first_free;      /* with BY_NAME: below it places are fixed */
	struct prf_blocks blocks; /* unless BY_NAME */
	struct prf_merged_symbol *symbols; /* ascending; unless BY_NAME */
	size_t n_symbols;
};

struct prf_merged_arc {
	/* NULL: the files have no lists. */
	const struct prf_merged_object *from_object, *to_object;
	uint64_t from, to; /* own addresses */
	uint64_t count;
};

/* What one function has in one file. */
struct prf_merged_share {
	size_t function, file;
	uint64_t ticks;
};

struct prf_merged_file {
	char *name;
	uint64_t ticks;
};

struct prf_merge {
	struct prf_merged_file *files;
	size_t n_files;
	uint64_t ticks;

	/* Of the first file that shows them. */
	struct prf_gmon_reading reading;
	bool has_reading;
	uint32_t rate_hz; /* 0: no histogram yet */
	char dimension[16], abbreviation;
	double scale; /* as gprof reckons it; 1: blocks are used */

	bool has_lists; /* all files have one, or none has */
	struct prf_merged_object **objects; /* [0] alone without lists */
	size_t n_objects;
	struct prf_merged_function **functions; /* by id */
	size_t n_functions;
	void *function_tree;          /* by object and name, see tsearch(3) */
	struct prf_merge_list *lists; /* those met lately */
	size_t n_lists, next_list;

	struct prf_gmon_hist *hists; /* of another scale than 1; ascending */
	size_t n_hists;
	struct prf_merged_arc *arcs;
	size_t n_arcs;
	struct prf_merged_share *shares;
	size_t n_shares, shares_room;
	uint64_t n_bbs; /* basic-block counts, which are left out */
};

struct prf_merge *prf_merge_new(void);        /* NULL: out of memory */
void prf_merge_free(struct prf_merge *merge); /* takes NULL */

/* Adds GMON, a file called NAME.  SYMS_TEXT is its list; NULL: it has none.
 * ERR says why it cannot be added (-EINVAL: it does not fit the files before;
 * -EBADMSG: it is damaged; -EOVERFLOW, -ENOMEM); MERGE is then good for
 * nothing. */
int prf_merge_add(struct prf_merge *merge, const char *name,
		  const struct prf_gmon *gmon, const char *syms_text,
		  size_t syms_bytes, struct prf_error *err) PRF_MUST_CHECK;

#endif
