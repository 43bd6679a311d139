/* export_format.h - the formats of other tools in which a profile is written: a
 * row of a table for each. */
#ifndef PRF_VIEW_EXPORT_EXPORT_FORMAT_H
#define PRF_VIEW_EXPORT_EXPORT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/error.h"
#include "profile/profile.h"
#include "view/export/export_way.h"

struct prf_stack_table;

struct prf_export_format {
	const char *name;    /* for -f */
	const char *usual;   /* the name of the file */
	const char *rank;    /* the same: ranks of MPI share a directory */
	const char *suffix;  /* beside others */
	const char *about;   /* what it is, in a few words */
	bool needs_stacks;   /* a run takes them for it */
	bool by_thread;      /* it tells whose they are (profile/owners.h) */
	bool is_text;        /* fit to be seen on a terminal */
	bool needs_no_lines; /* it has them, but nobody is to wait for them */
	/* Its reader takes all files whose names begin alike: what was there
	 * before is called old.FILE, and not FILE.old. */
	bool old_is_before;
	/* -ENOMEM, with ERR.  That OUT failed is for the caller to see. */
	int (*write)(const struct prf_profile *profile,
		     const struct prf_export_way *way, FILE *out,
		     struct prf_error *err);
	/* The same of a recording's samples, with their threads and times
	 * (stack_table.h), which is taken where these are to be had; NULL: it has no
	 * room for them. */
	int (*write_stacks)(const struct prf_stack_table *stacks,
			    const struct prf_export_way *way, FILE *out,
			    struct prf_error *err);
};

/* The row with INDEX; NULL: there are no more. */
const struct prf_export_format *prf_export_format(size_t index);
/* The one that is called NAME; NULL: none is. */
const struct prf_export_format *prf_export_format_find(const char *name);

#endif
