#include "view/gmonfiles.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "core/gmon.h"
#include "core/scope.h"

PRF_DEFINE_AUTO(prf_gmon_writer, prf_gmon_writer_free);

/* --- gmon.out */

static struct prf_gmon_target
target_of(const struct prf_whole *whole, uint32_t rate_hz)
{
	const struct prf_object *object = whole->image;

	return (struct prf_gmon_target){
		.addr_bytes = whole->addr_bytes,
		.big_endian =
			object && prf_image_info(object->image)->big_endian,
		.rate_hz = rate_hz,
	};
}

static int
write_points(struct prf_gmon_writer *writer, const struct prf_laid *laid,
	     struct prf_error *err)
{
	const struct prf_object *object = laid->object;
	int rc = 0;

	for (size_t i = 0; !rc && i < object->n_points; i++)
		rc = prf_gmon_writer_ticks(
			writer, object->points[i].vaddr + laid->shift,
			object->points[i].ticks, err);
	return rc;
}

static bool
has_ticks(const struct prf_whole *whole)
{
	for (size_t i = 0; i < whole->n; i++)
		if (whole->laid[i].object->total.ticks)
			return true;
	return false;
}

int
prf_gmonfiles_write_ticks(const struct prf_whole *whole, uint32_t rate_hz,
			  FILE *out, struct prf_error *err)
{
	struct prf_gmon_target target = target_of(whole, rate_hz);
	PRF_AUTO(prf_gmon_writer_auto) struct prf_gmon_writer *writer = NULL;
	int rc = prf_gmon_writer_new(out, &target, &writer, err);

	/* gprof refuses a file without a block: one says that there is
	 * nothing. */
	if (!rc && whole->n && !has_ticks(whole))
		rc = prf_gmon_writer_ticks(writer, whole->laid[0].lo, 0, err);
	for (size_t i = 0; !rc && i < whole->n; i++)
		rc = write_points(writer, &whole->laid[i], err);
	return rc ? rc : prf_gmon_writer_finish(writer, err);
}

/* --- gmon.syms */

/* gprof reads lines of up to 1023 bytes and takes a name to end at a blank. */
enum { MAX_NAME_BYTES = 900 };

static void
write_word(FILE *out, const char *word, char blank)
{
	for (size_t i = 0; word[i] && i < MAX_NAME_BYTES; i++) {
		unsigned char c = (unsigned char)word[i];

		fputc(c <= ' ' || c == 0x7f ? blank : c, out);
	}
}

/* A blank or percent sign in a path is written as %xx, as in a URL. */
static void
write_path(FILE *out, const char *path)
{
	for (size_t i = 0; path[i] && i < MAX_NAME_BYTES; i++) {
		unsigned char c = (unsigned char)path[i];

		if (c <= ' ' || c == 0x7f || c == '%')
			fprintf(out, "%%%02x", c);
		else
			fputc(c, out);
	}
}

static void
write_build_id(FILE *out, const struct prf_object *object)
{
	const struct prf_image_info *info =
		object->image ? prf_image_info(object->image) : NULL;

	if (!info || !info->build_id_size)
		fputc('-', out);
	for (size_t i = 0; info && i < info->build_id_size; i++)
		fprintf(out, "%02x", info->build_id[i]);
}

/* A line that gprof passes over: where which object was put.  Its second word
 * must not begin with a T. */
static void
write_object_line(FILE *out, const struct prf_laid *laid)
{
	fprintf(out, "# object %" PRIx64 " %" PRIx64 " %" PRIx64 " ", laid->lo,
		laid->hi, laid->shift);
	write_build_id(out, laid->object);
	fputc(' ', out);
	if (laid->object->kind == PRF_OBJECT_FILE)
		write_path(out, laid->object->path);
	else
		fputs(laid->object->name, out);
	fputc('\n', out);
}

/* In the kernel's object a function is a system call, and says so. */
static void
write_symbol(FILE *out, const struct prf_function *function, uint64_t shift)
{
	fprintf(out, "%016" PRIx64 " T ", function->lo + shift);
	if (function->object->kind == PRF_OBJECT_KERNEL)
		fputs("[kernel]:", out);
	write_word(out, function->name, '_');
	fputc('\n', out);
}

int
prf_gmonfiles_write_syms(const struct prf_whole *whole, FILE *out,
			 struct prf_error *err)
{
	errno = 0;
	fputs("# gmon.syms 1\n", out);
	for (size_t i = 0; i < whole->n; i++)
		write_object_line(out, &whole->laid[i]);
	for (size_t i = 0; i < whole->n; i++) {
		const struct prf_laid *laid = &whole->laid[i];
		const struct prf_object *object = laid->object;

		for (size_t f = 0; f < object->n_functions; f++)
			write_symbol(out, &object->functions[f], laid->shift);
	}
	/* gprof gives nothing to the last symbol of all. */
	fprintf(out, "%016" PRIx64 " T [end]\n", whole->end);
	if (fflush(out) || ferror(out))
		return prf_error_set(err, errno ? -errno : -EIO,
				     "the symbols cannot be written: %s",
				     strerror(errno ? errno : EIO));
	return 0;
}
