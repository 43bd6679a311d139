#include "view/gmonfiles.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "core/gmon.h"
#include "core/gmon_writer.h"
#include "core/scope.h"
#include "view/points.h"

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
	struct prf_points points = {.object = laid->object};
	struct prf_points_text text;
	struct prf_point point;
	int rc = 0;

	while (!rc && prf_points_next_text(&points, &text))
		rc = prf_gmon_writer_units(writer, text.lo + laid->shift,
					   text.ticks, text.n, err);
	while (!rc && prf_points_next(&points, &point))
		rc = prf_gmon_writer_ticks(writer, point.vaddr + laid->shift,
					   point.ticks, err);
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
	if (!rc && !has_ticks(whole))
		rc = prf_gmon_writer_ticks(
			writer, whole->n ? whole->laid[0].lo : 0, 0, err);
	for (size_t i = 0; !rc && i < whole->n; i++)
		rc = write_points(writer, &whole->laid[i], err);
	return rc ? rc : prf_gmon_writer_finish(writer, err);
}

/* --- gmon.syms */

/* gprof reads lines of up to 1022 bytes, and takes what is left of a longer one
 * for another line. */
enum { MAX_NAME_BYTES = 960 };

/* A line of the list: there are tens of thousands in one file, and a file for
 * each process, so that they are made by hand. */
struct line {
	char text[MAX_NAME_BYTES + 64];
	size_t n;
};

static void
put_text(struct line *line, const char *text)
{
	size_t n = strlen(text);

	memcpy(line->text + line->n, text, n);
	line->n += n;
}

/* As %016x. */
static void
put_address(struct line *line, uint64_t addr)
{
	for (int shift = 60; shift >= 0; shift -= 4)
		line->text[line->n++] = "0123456789abcdef"[addr >> shift & 15];
}

/* gprof takes a name to end at a blank, and a line without one for no symbol. */
static void
put_name(struct line *line, const char *name)
{
	for (size_t i = 0; name[i] && i < MAX_NAME_BYTES; i++) {
		unsigned char c = (unsigned char)name[i];

		line->text[line->n++] = (char)(c <= ' ' || c == 0x7f ? '_' : c);
	}
	if (!name[0])
		line->text[line->n++] = '?';
}

/* What is not plain ASCII is written as %xx, as in a URL.  However long it is:
 * what gprof takes for a line of its own is then one word, and no symbol. */
static void
write_path(FILE *out, const char *path)
{
	for (; *path; path++) {
		unsigned char c = (unsigned char)*path;

		if (c <= ' ' || c >= 0x7f || c == '%')
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
write_symbol(FILE *out, const struct prf_laid *laid,
	     const struct prf_piece *piece)
{
	const struct prf_object *object = laid->object;
	struct line line;

	line.n = 0;
	put_address(&line, piece->lo + laid->shift);
	put_text(&line, " T ");
	if (object->kind == PRF_OBJECT_KERNEL)
		put_text(&line, "[kernel]:");
	put_name(&line, object->functions[piece->function].name);
	line.text[line.n++] = '\n';
	fwrite(line.text, 1, line.n, out);
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

		for (size_t p = 0; p < laid->object->n_pieces; p++)
			write_symbol(out, laid, &laid->object->pieces[p]);
	}
	/* gprof gives nothing to the last symbol of all. */
	fprintf(out, "%016" PRIx64 " T [end]\n", whole->end);
	if (fflush(out) || ferror(out))
		return prf_error_set(err, errno ? -errno : -EIO,
				     "the symbols cannot be written: %s",
				     strerror(errno ? errno : EIO));
	return 0;
}
