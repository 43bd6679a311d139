/* share.h - the first columns of a table: the share of all ticks, in per cent,
 * and the interval in which the true one is with a confidence of 95 %. */
#ifndef PRF_VIEW_TABLE_SHARE_H
#define PRF_VIEW_TABLE_SHARE_H

#include <stdint.h>
#include <stdio.h>

#include "profile/count.h"
#include "view/table/style.h"

/* Above the columns of prf_share_print(), and as wide. */
#define PRF_SHARE_HEADING "  self %    95 % interval"
enum { PRF_SHARE_WIDTH = sizeof PRF_SHARE_HEADING - 1 };

/* The same in less room, for tables that have more columns: of a function
 * itself, and with all that it calls. */
#define PRF_SHARE_SELF_HEADING "  self %  95 % range"
#define PRF_SHARE_TOTAL_HEADING " total %  95 % range"
enum { PRF_SHARE_RANGE_WIDTH = sizeof PRF_SHARE_SELF_HEADING - 1 };

double prf_share_percent(const struct prf_count *count,
			 const struct prf_count *all);
/* Of ALL the part DOUBT, which is 0 as a rule, may be anything: the interval
 * allows for that. */
void prf_share_print(const struct prf_count *count, const struct prf_count *all,
		     double doubt, const struct prf_style *style, FILE *out);
/* The columns below PRF_SHARE_SELF_HEADING or PRF_SHARE_TOTAL_HEADING. */
void prf_share_print_range(const struct prf_count *count,
			   const struct prf_count *all, double doubt,
			   const struct prf_style *style, FILE *out);
/* The columns of prf_share_print() for REST, all that is not shown by itself. */
void prf_share_print_rest(uint64_t rest, const struct prf_count *all,
			  FILE *out);

#endif
