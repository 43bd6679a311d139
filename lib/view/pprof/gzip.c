#include "view/pprof/gzip.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "core/scope.h"

enum {
	GZIP_WINDOW = 15 + 16, /* the largest, and with gzip's header */
	MEMORY_LEVEL = 8,
	IN_BYTES = 1 << 16,
	OUT_BYTES = 1 << 16,
};

/* More than any profile has: in all, and for each compressed byte. */
#define MAX_BYTES ((size_t)1 << 29)
enum { MAX_RATIO = 200, FREE_BYTES = 1 << 22 };

/* --- Compressing */

struct prf_gzip {
	FILE *out;
	z_stream stream;
	int failed; /* 0, or a negative errno value */
	size_t n_in;
	uint8_t in[IN_BYTES], packed[OUT_BYTES];
};

struct prf_gzip *
prf_gzip_new(FILE *out)
{
	PRF_AUTO(prf_auto_free) struct prf_gzip *gzip = malloc(sizeof *gzip);

	if (!gzip)
		return NULL;
	gzip->out = out;
	gzip->failed = 0;
	gzip->n_in = 0;
	gzip->stream = (z_stream){0};
	/* Twice the size of what the best compression makes, in a tenth of its
	 * time. */
	return deflateInit2(&gzip->stream, Z_BEST_SPEED, Z_DEFLATED,
			    GZIP_WINDOW, MEMORY_LEVEL,
			    Z_DEFAULT_STRATEGY) == Z_OK
		       ? PRF_TAKE(gzip)
		       : NULL;
}

static void
pack(struct prf_gzip *gzip, int flush)
{
	z_stream *stream = &gzip->stream;

	stream->next_in = gzip->in;
	stream->avail_in = (uInt)gzip->n_in;
	gzip->n_in = 0;
	do {
		stream->next_out = gzip->packed;
		stream->avail_out = sizeof gzip->packed;
		deflate(stream, flush);
		size_t n = sizeof gzip->packed - stream->avail_out;

		if (!gzip->failed && fwrite(gzip->packed, 1, n, gzip->out) != n)
			gzip->failed = -errno;
	} while (stream->avail_out == 0);
}

void
prf_gzip_write(struct prf_gzip *gzip, const void *bytes, size_t n)
{
	const uint8_t *next = bytes;

	while (n) {
		size_t room = sizeof gzip->in - gzip->n_in;
		size_t part = n < room ? n : room;

		memcpy(gzip->in + gzip->n_in, next, part);
		gzip->n_in += part;
		next += part;
		n -= part;
		if (gzip->n_in == sizeof gzip->in)
			pack(gzip, Z_NO_FLUSH);
	}
}

int
prf_gzip_finish(struct prf_gzip *gzip, struct prf_error *err)
{
	pack(gzip, Z_FINISH);
	deflateEnd(&gzip->stream);
	int rc = gzip->failed;
	free(gzip);
	return rc ? prf_error_set(err, rc, "%s", strerror(-rc)) : 0;
}

/* --- Expanding */

bool
prf_gzip_is_it(const void *bytes, size_t n)
{
	return n >= 2 && memcmp(bytes, "\x1f\x8b", 2) == 0;
}

static size_t
most_bytes(size_t n)
{
	return n < (MAX_BYTES - FREE_BYTES) / MAX_RATIO
		       ? n * MAX_RATIO + FREE_BYTES
		       : MAX_BYTES;
}

struct expansion {
	z_stream stream;
	uint8_t *bytes;
	size_t n, room, most;
};

static int
grow(struct expansion *expansion, struct prf_error *err)
{
	size_t room = expansion->room ? 2 * expansion->room : OUT_BYTES;

	if (expansion->room == expansion->most)
		return prf_error_set(err, -EFBIG,
				     "expands to more than %zu bytes, which no "
				     "profile does",
				     expansion->most);
	room = room < expansion->most ? room : expansion->most;
	uint8_t *grown = realloc(expansion->bytes, room);
	if (!grown)
		return prf_error_set(err, -ENOMEM, "out of memory");
	expansion->bytes = grown;
	expansion->room = room;
	return 0;
}

static int
complain(int rc, uint64_t off, struct prf_error *err)
{
	if (rc == Z_MEM_ERROR)
		return prf_error_set(err, -ENOMEM, "out of memory");
	return prf_error_set(err, -EBADMSG,
			     rc == Z_BUF_ERROR
				     ? "ends too early, at byte %" PRIu64
				     : "damaged at byte %" PRIu64
				       ": it cannot be expanded",
			     off);
}

/* What several runs of gzip have made is one file, too. */
static int
expand(struct expansion *expansion, struct prf_error *err)
{
	z_stream *stream = &expansion->stream;

	for (;;) {
		int rc = expansion->n == expansion->room ? grow(expansion, err)
							 : 0;

		if (rc)
			return rc;
		stream->next_out = expansion->bytes + expansion->n;
		stream->avail_out = (uInt)(expansion->room - expansion->n);
		rc = inflate(stream, Z_NO_FLUSH);
		expansion->n = expansion->room - stream->avail_out;
		if (rc == Z_STREAM_END && !stream->avail_in)
			return 0;
		if (rc == Z_STREAM_END)
			rc = inflateReset(stream);
		if (rc != Z_OK && (rc != Z_BUF_ERROR || stream->avail_out))
			return complain(rc, stream->total_in, err);
	}
}

int
prf_gzip_expand(const void *bytes, size_t n, uint8_t **out, size_t *n_out,
		struct prf_error *err)
{
	struct expansion expansion = {
		.stream.next_in = (Bytef *)bytes,
		.stream.avail_in = (uInt)n,
		.most = most_bytes(n),
	};

	if (n > MAX_BYTES)
		return prf_error_set(err, -EFBIG, "more than %zu bytes",
				     MAX_BYTES);
	if (inflateInit2(&expansion.stream, GZIP_WINDOW) != Z_OK)
		return prf_error_set(err, -ENOMEM, "out of memory");
	int rc = expand(&expansion, err);
	inflateEnd(&expansion.stream);
	if (rc)
		free(PRF_TAKE(expansion.bytes));
	*out = expansion.bytes;
	*n_out = expansion.n;
	return rc;
}
