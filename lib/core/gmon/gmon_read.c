#include "core/gmon_read.h"

#include "core/gmon/gmon_add.h"
#include "core/gmon/gmon_scan.h"
#include "core/scope.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* --- Which way to read the file --- */

/* In the order of preference, where a file leaves the choice. */
static const struct prf_gmon_reading readings[] = {
	{8, false},
	{4, false},
	{8, true},
	{4, true},
};
#define N_READINGS (sizeof readings / sizeof *readings)

static bool
hint_allows(const struct prf_gmon_hint *hint, struct prf_gmon_reading reading)
{
	if (!hint)
		return true;
	if (hint->addr_bytes && hint->addr_bytes != reading.addr_bytes)
		return false;
	return hint->order == PRF_GMON_ORDER_UNKNOWN ||
	       (hint->order == PRF_GMON_ORDER_BIG) == reading.big_endian;
}

/* The results of the readings that were tried. */
struct trial {
	struct prf_gmon_scan best; /* if n_good */
	uint8_t n_good;            /* readings of best's format that fit */
	size_t n_bad;
	uint64_t furthest;              /* good bytes of the failure ... */
	struct prf_error failure;       /* ... that came furthest, */
	struct prf_gmon_reading failed; /* and its reading */
};

static void
trial_release(struct trial *trial)
{
	prf_gmon_scan_release(&trial->best);
}

static void
trial_add_good(struct trial *trial, struct prf_gmon_scan *scan)
{
	/* A version that is there says more than a file that merely fits. */
	if (trial->n_good && scan->format > trial->best.format) {
		prf_gmon_scan_release(scan);
		return;
	}
	if (trial->n_good && scan->format == trial->best.format) {
		trial->n_good++;
		prf_gmon_scan_release(scan);
		return;
	}
	prf_gmon_scan_release(&trial->best);
	trial->best = *scan;
	trial->n_good = 1;
}

static void
trial_add_bad(struct trial *trial, struct prf_gmon_scan *scan,
	      const struct prf_error *why)
{
	if (trial->n_bad == 0 || scan->good_bytes > trial->furthest) {
		trial->furthest = scan->good_bytes;
		trial->failure = *why;
		trial->failed = scan->reading;
	}
	trial->n_bad++;
	prf_gmon_scan_release(scan);
}

/* Tries the readings that HINT allows; whether one fits is in TRIAL.
 * -ENOMEM. */
static int
try_readings(const uint8_t *bytes, size_t size_bytes,
	     const struct prf_gmon_hint *hint, struct trial *trial,
	     struct prf_error *err)
{
	for (size_t i = 0; i < N_READINGS; i++) {
		if (!hint_allows(hint, readings[i]))
			continue;

		struct prf_gmon_scan scan;
		struct prf_error why = {0};
		int status = prf_gmon_scan(bytes, size_bytes, readings[i],
					   &scan, &why);
		if (status == 0)
			trial_add_good(trial, &scan);
		else
			trial_add_bad(trial, &scan, &why);
		if (status == -ENOMEM)
			return prf_error_set(err, status, "%s", why.text);
	}
	return 0;
}

static const char *
order_name(struct prf_gmon_reading reading)
{
	return reading.big_endian ? "big-endian" : "little-endian";
}

/* Nothing that HINT allows fits: says why, and what would. */
static int
explain(const uint8_t *bytes, size_t size_bytes,
	const struct prf_gmon_hint *hint, const struct trial *trial,
	struct prf_error *err)
{
	PRF_AUTO(trial_release) struct trial all = {0};

	if (trial->n_bad == 0)
		return prf_error_set(err, -EINVAL,
				     "gmon.out has addresses of 4 or 8 bytes, "
				     "not %u",
				     hint->addr_bytes);

	int status = try_readings(bytes, size_bytes, NULL, &all, err);
	if (status)
		return status;
	if (all.n_good)
		return prf_error_set(err, -EBADMSG,
				     "%s; it is a gmon.out with %u-byte %s "
				     "addresses",
				     trial->failure.text,
				     all.best.reading.addr_bytes,
				     order_name(all.best.reading));
	if (trial->furthest == 0)
		return prf_error_set(err, -EBADMSG,
				     "offset 0: neither \"gmon\" nor a BSD "
				     "header that fits a file of %zu bytes",
				     size_bytes);
	return prf_error_set(err, -EBADMSG,
			     "%s (read with %u-byte %s addresses)",
			     trial->failure.text, trial->failed.addr_bytes,
			     order_name(trial->failed));
}

int
prf_gmon_parse(const void *bytes, size_t size_bytes,
	       const struct prf_gmon_hint *hint, struct prf_gmon **out,
	       struct prf_error *err)
{
	PRF_AUTO(trial_release) struct trial trial = {0};
	int status = try_readings(bytes, size_bytes, hint, &trial, err);

	if (!status && trial.n_good == 0)
		status = explain(bytes, size_bytes, hint, &trial, err);
	if (!status)
		status = prf_gmon_add_records(bytes, &trial.best, out, err);
	if (!status)
		(*out)->n_readings = trial.n_good;
	return status;
}

/* --- From a file --- */

struct contents {
	uint8_t *bytes;
	size_t size_bytes, max_bytes;
};

static void
contents_release(struct contents *contents)
{
	free(contents->bytes);
}

/* Makes room for more, as much again as there is: no size is believed before as
 * much has been read. */
static int
contents_grow(struct contents *contents, struct prf_error *err)
{
	if (contents->size_bytes < contents->max_bytes)
		return 0;
	if (contents->max_bytes >= PRF_GMON_MAX_FILE_BYTES)
		return prf_error_set(err, -EFBIG,
				     "%" PRIu64
				     " bytes and more are no gmon.out",
				     PRF_GMON_MAX_FILE_BYTES);

	size_t more =
		contents->max_bytes ? contents->max_bytes * 2 : (size_t)1 << 16;
	void *grown = realloc(contents->bytes, more);
	if (!grown)
		return prf_error_set(err, -ENOMEM,
				     "no memory for a file of %zu bytes", more);
	contents->bytes = grown;
	contents->max_bytes = more;
	return 0;
}

static int
contents_read(FILE *in, struct contents *contents, struct prf_error *err)
{
	while (!feof(in)) {
		int status = contents_grow(contents, err);
		if (status)
			return status;

		errno = 0;
		contents->size_bytes +=
			fread(contents->bytes + contents->size_bytes, 1,
			      contents->max_bytes - contents->size_bytes, in);
		if (!ferror(in))
			continue;
		if (!errno)
			errno = EIO;
		return prf_error_set(err, -errno, "cannot read gmon.out: %m");
	}
	return 0;
}

int
prf_gmon_read(FILE *in, const struct prf_gmon_hint *hint, struct prf_gmon **out,
	      struct prf_error *err)
{
	PRF_AUTO(contents_release) struct contents contents = {0};
	int status = contents_read(in, &contents, err);

	if (status)
		return status;
	return prf_gmon_parse(contents.bytes, contents.size_bytes, hint, out,
			      err);
}
