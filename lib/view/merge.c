#include "view/merge.h"

#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "view/merge_list.h"
#include "view/merge_sums.h"

static int
no_memory(struct prf_error *err)
{
	return prf_error_set(err, -ENOMEM, "out of memory");
}

struct prf_merge *
prf_merge_new(void)
{
	return calloc(1, sizeof(struct prf_merge));
}

static void
leave_alone(void *function)
{
	(void)function; /* the array of them owns it */
}

static void
free_object(struct prf_merged_object *object)
{
	free(object->path);
	free(object->build_id);
	prf_blocks_clear(&object->blocks);
	free(object->symbols);
	free(object);
}

void
prf_merge_free(struct prf_merge *merge)
{
	if (!merge)
		return;
	for (size_t i = 0; i < merge->n_files; i++)
		free(merge->files[i].name);
	for (size_t i = 0; i < merge->n_objects; i++)
		free_object(merge->objects[i]);
	tdestroy(merge->function_tree, leave_alone);
	for (size_t i = 0; i < merge->n_functions; i++) {
		free(merge->functions[i]->name);
		free(merge->functions[i]);
	}
	for (size_t i = 0; i < merge->n_hists; i++)
		free((void *)merge->hists[i].counts);
	prf_merge_lists_free(merge);
	free(merge->files);
	free(merge->objects);
	free(merge->functions);
	free(merge->hists);
	free(merge->arcs);
	free(merge->shares);
	free(merge);
}

/* --- Does it fit? */

/* As gprof has it: units of 2 bytes for a counter. */
static double
scale_of(const struct prf_gmon_hist *hist)
{
	uint64_t units = (hist->hi_vaddr - hist->lo_vaddr) / 2;

	if (hist->lo_vaddr % 2 == 0 && hist->hi_vaddr % 2 == 0 &&
	    units == hist->n_bins)
		return 1;
	/* What is 1 to gprof, and is no whole number of units, is not 1. */
	double scale = (double)units / hist->n_bins;
	return scale == 1 ? 1.0000005 : scale;
}

static int
check_reading(struct prf_merge *merge, const struct prf_gmon *gmon,
	      struct prf_error *err)
{
	const struct prf_gmon_reading *now = &gmon->reading;
	const struct prf_gmon_reading *before = &merge->reading;

	/* In a file without records it was a guess. */
	if (!gmon->n_hists && !gmon->n_arcs)
		return 0;
	if (!merge->has_reading)
		merge->reading = *now;
	merge->has_reading = true;
	if (now->addr_bytes == before->addr_bytes &&
	    now->big_endian == before->big_endian)
		return 0;
	return prf_error_set(
		err, -EINVAL,
		"%u-byte %s-endian addresses, %u-byte %s-endian before: it is "
		"of another machine",
		now->addr_bytes, now->big_endian ? "big" : "little",
		before->addr_bytes, before->big_endian ? "big" : "little");
}

static int
check_rate(struct prf_merge *merge, const struct prf_gmon *gmon,
	   struct prf_error *err)
{
	if (!gmon->rate_hz)
		return prf_error_set(err, -EINVAL,
				     "does not tell how long a tick is");
	if (gmon->rates_differ)
		return prf_error_set(err, -EINVAL,
				     "offset %" PRIu64
				     ": a record of another rate than the "
				     "first; ticks of two lengths do not add",
				     gmon->rates_differ_off);
	if (!merge->rate_hz) {
		merge->rate_hz = gmon->rate_hz;
		memcpy(merge->dimension, gmon->dimension,
		       sizeof merge->dimension);
		merge->abbreviation = gmon->abbreviation[0];
	}
	if (gmon->rate_hz != merge->rate_hz)
		return prf_error_set(err, -EINVAL,
				     "rate %" PRIu32 ", %" PRIu32
				     " before: ticks of two lengths do not add",
				     gmon->rate_hz, merge->rate_hz);
	if (strcmp(gmon->dimension, merge->dimension) != 0 ||
	    gmon->abbreviation[0] != merge->abbreviation)
		return prf_error_set(err, -EINVAL,
				     "counts %s, before it was %s",
				     gmon->dimension, merge->dimension);
	return 0;
}

/* gmon_read.h promises one scale in all of a file. */
static int
check_scale(struct prf_merge *merge, const struct prf_gmon *gmon, bool has_list,
	    struct prf_error *err)
{
	double scale = scale_of(&gmon->hists[0]);

	for (size_t i = 1; i < gmon->n_hists && scale == 1; i++)
		scale = scale_of(&gmon->hists[i]);
	if (has_list && scale != 1)
		return prf_error_set(err, -EINVAL,
				     "a counter for %g bytes, and a list of "
				     "symbols, which goes with 2",
				     2 * scale);
	if (merge->scale == 0)
		merge->scale = scale;
	/* The tolerance is gprof's. */
	double off = scale - merge->scale;
	if (off > 1e-6 || off < -1e-6 || (scale == 1) != (merge->scale == 1))
		return prf_error_set(err, -EINVAL,
				     "a counter for %g bytes of text, for %g "
				     "before",
				     2 * scale, 2 * merge->scale);
	return 0;
}

static int
check_fits(struct prf_merge *merge, const struct prf_gmon *gmon, bool has_list,
	   struct prf_error *err)
{
	int rc = check_reading(merge, gmon, err);

	if (!rc && gmon->n_hists)
		rc = check_rate(merge, gmon, err);
	if (!rc && gmon->n_hists)
		rc = check_scale(merge, gmon, has_list, err);
	if (rc)
		return rc;
	if (merge->n_files == 0)
		merge->has_lists = has_list;
	if (merge->has_lists != has_list)
		return prf_error_set(err, -EINVAL,
				     "%s list of symbols beside it, unlike the "
				     "files before: their addresses mean "
				     "something else",
				     has_list ? "a" : "no");
	if (gmon->ticks > UINT64_MAX - merge->ticks)
		return prf_error_set(err, -EOVERFLOW,
				     "too many ticks for 64 bits");
	return 0;
}

/* --- Adding */

static int
add_file(struct prf_merge *merge, const char *name, uint64_t ticks,
	 struct prf_error *err)
{
	struct prf_merged_file *grown = merge->files;

	if ((merge->n_files & (merge->n_files - 1)) == 0)
		grown = reallocarray(grown, merge->n_files * 2 + 1,
				     sizeof *grown);
	if (!grown)
		return no_memory(err);
	merge->files = grown;
	grown[merge->n_files] = (struct prf_merged_file){strdup(name), ticks};
	if (!grown[merge->n_files].name)
		return no_memory(err);
	merge->n_files++;
	merge->ticks += ticks;
	return 0;
}

/* Without lists there is one object, which has all addresses. */
static int
add_only_object(struct prf_merge *merge, struct prf_error *err)
{
	if (merge->n_objects)
		return 0;
	merge->objects = calloc(1, sizeof(*merge->objects));
	if (!merge->objects ||
	    !(merge->objects[0] = calloc(1, sizeof **merge->objects)))
		return no_memory(err);
	merge->n_objects = 1;
	return 0;
}

int
prf_merge_add(struct prf_merge *merge, const char *name,
	      const struct prf_gmon *gmon, const char *syms_text,
	      size_t syms_bytes, struct prf_error *err)
{
	const struct prf_merge_list *list = NULL;
	struct prf_error why = {0};
	int rc = check_fits(merge, gmon, syms_text, err);

	if (!rc && syms_text)
		rc = prf_merge_list_find(merge, syms_text, syms_bytes, &list,
					 &why);
	else if (!rc)
		rc = add_only_object(merge, err);
	if (why.code)
		return prf_error_set(
			err, why.code, "%s%s",
			why.code == -EBADMSG ? "its list of symbols: " : "",
			why.text);
	if (!rc)
		rc = prf_merge_add_hists(merge, gmon, list, err);
	if (!rc)
		rc = prf_merge_add_arcs(merge, gmon, list, err);
	merge->n_bbs += gmon->n_bbs;
	return rc ? rc : add_file(merge, name, gmon->ticks, err);
}
