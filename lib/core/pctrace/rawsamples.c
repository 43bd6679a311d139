#include "core/rawsamples.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "core/pcsample.h"

#define FLUSH_NS UINT64_C(1000000000)

struct rawsamples {
	struct prf_sink base;
	FILE *raw, *maps;
	struct prf_pcsample state;
	uint64_t unstored;
	uint8_t addr_bytes; /* 0: no exec yet, and no sample */
	uint64_t flushed_ns;
	bool has_said; /* from which sample on, in the text: ... */
	int64_t said;  /* ... this one */
	int failed;    /* a file could not be written: why */
};

static int
note_failure(struct rawsamples *rawsamples, bool ok)
{
	if (!ok && !rawsamples->failed)
		rawsamples->failed = errno ? -errno : -EIO;
	return rawsamples->failed;
}

/* --- Samples */

static int
store(struct rawsamples *rawsamples, uint64_t addr, int64_t n)
{
	uint32_t narrow = (uint32_t)addr;
	const void *bytes = &addr;

	if (rawsamples->addr_bytes == sizeof narrow) {
		bytes = &narrow;
		if (addr > UINT32_MAX)
			return -EOVERFLOW;
	}
	errno = 0;
	for (int64_t i = 0; i < n; i++)
		if (fwrite(bytes, rawsamples->addr_bytes, 1, rawsamples->raw) <
		    1)
			return note_failure(rawsamples, false);
	prf_pcsample_stored(&rawsamples->state, n);
	return 0;
}

static int
flush(struct rawsamples *rawsamples)
{
	errno = 0;
	bool ok = !fflush(rawsamples->raw);

	if (rawsamples->maps)
		ok = !fflush(rawsamples->maps) && ok;
	return note_failure(rawsamples, ok);
}

static int
on_sample(struct prf_sink *sink, const struct prf_sample *sample)
{
	struct rawsamples *rawsamples = (struct rawsamples *)sink;
	struct prf_pcsample_room room =
		prf_pcsample_room(&rawsamples->state, sample->ticks);

	if (rawsamples->failed)
		return rawsamples->failed;
	if (!rawsamples->addr_bytes)
		rawsamples->addr_bytes = 8;
	int rc = store(rawsamples, sample->frames[0].addr, room.n);
	if (rc)
		return rc;
	rawsamples->unstored += sample->ticks - (uint64_t)room.n;
	if (sample->time_ns - rawsamples->flushed_ns < FLUSH_NS)
		return 0;
	rawsamples->flushed_ns = sample->time_ns;
	return flush(rawsamples);
}

/* --- The text */

/* As in /proc/PID/maps: what would end the line is \012. */
static void
write_string(FILE *maps, const char *string)
{
	for (; *string; string++)
		if (*string == '\n')
			fputs("\\012", maps);
		else
			putc(*string, maps);
}

/* Says from which sample on the following lines hold, unless the text says so
 * already. */
static void
say_where(struct rawsamples *rawsamples)
{
	int64_t n_stored = rawsamples->state.n_stored;

	if (rawsamples->has_said && rawsamples->said == n_stored)
		return;
	fprintf(rawsamples->maps, "# sample %" PRId64 "\n", n_stored);
	rawsamples->has_said = true;
	rawsamples->said = n_stored;
}

static int
on_exec(struct prf_sink *sink, const struct prf_exec *exec)
{
	struct rawsamples *rawsamples = (struct rawsamples *)sink;
	FILE *maps = rawsamples->maps;

	if (!rawsamples->addr_bytes)
		rawsamples->addr_bytes = exec->addr_bytes == 4 ? 4 : 8;
	if (!maps || rawsamples->failed)
		return rawsamples->failed;
	errno = 0;
	say_where(rawsamples);
	fprintf(maps, "# process %d: ", exec->pid);
	write_string(maps, exec->path);
	fputs(": ", maps);
	write_string(maps, exec->command);
	putc('\n', maps);
	return note_failure(rawsamples, !ferror(maps));
}

static void
write_line(FILE *maps, const struct prf_mapping *map)
{
	/* The end of the last page does not fit into 64 bits. */
	uint64_t end = map->addr + (map->size - 1);

	fprintf(maps,
		"%08" PRIx64 "-%08" PRIx64 " %s %08" PRIx64
		" %02x:%02x %" PRIu64,
		map->addr, end < UINT64_MAX ? end + 1 : end,
		map->kind == PRF_MAPPING_NONE ? "---p" : "r-xp", map->file_off,
		major(map->dev), minor(map->dev), map->inode);
	if (*map->path)
		putc(' ', maps);
	write_string(maps, map->path);
	fputs(map->deleted ? " (deleted)\n" : "\n", maps);
}

static int
on_mapping(struct prf_sink *sink, const struct prf_mapping *map)
{
	struct rawsamples *rawsamples = (struct rawsamples *)sink;
	FILE *maps = rawsamples->maps;

	if (!maps || rawsamples->failed)
		return rawsamples->failed;
	errno = 0;
	say_where(rawsamples);
	if (map->build_id_bytes) {
		fputs("# build-id ", maps);
		for (unsigned i = 0; i < map->build_id_bytes; i++)
			fprintf(maps, "%02x", map->build_id[i]);
		putc('\n', maps);
	}
	write_line(maps, map);
	return note_failure(rawsamples, !ferror(maps));
}

/* --- Begin and end */

static int
on_finish(struct prf_sink *sink, struct prf_error *err)
{
	int rc = flush((struct rawsamples *)sink);

	return rc ? prf_error_set(err, rc, "cannot write the samples: %s",
				  strerror(-rc))
		  : 0;
}

static void
on_free(struct prf_sink *sink)
{
	free(sink);
}

static const struct prf_sink_ops rawsamples_ops = {
	.exec = on_exec,
	.mapping = on_mapping,
	.sample = on_sample,
	.finish = on_finish,
	.free = on_free,
};

int
prf_rawsamples_sink_new(FILE *raw, FILE *maps, int64_t max_samples,
			struct prf_sink **out, struct prf_error *err)
{
	struct rawsamples *rawsamples;

	if (max_samples < 0)
		return prf_error_set(err, -EINVAL,
				     "%" PRId64 " is no number of samples",
				     max_samples);
	rawsamples = calloc(1, sizeof *rawsamples);
	if (!rawsamples)
		return prf_error_set(err, -ENOMEM, "out of memory");
	rawsamples->base.ops = &rawsamples_ops;
	rawsamples->raw = raw;
	rawsamples->maps = maps;
	prf_pcsample_call(&rawsamples->state, max_samples);
	*out = &rawsamples->base;
	return 0;
}

struct prf_rawsamples_stats
prf_rawsamples_sink_stats(const struct prf_sink *sink)
{
	const struct rawsamples *rawsamples = (const struct rawsamples *)sink;

	return (struct prf_rawsamples_stats){
		.stored = (uint64_t)rawsamples->state.n_stored,
		.unstored = rawsamples->unstored,
		.addr_bytes = rawsamples->addr_bytes,
	};
}
