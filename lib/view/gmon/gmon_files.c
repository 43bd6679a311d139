#include "view/gmon/gmon_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/gmon.h"
#include "core/gmon/gmon_format.h"
#include "core/gmon/gmon_writer.h"
#include "core/scope.h"
#include "view/gmon/gmon_word.h"
#include "view/gmon/run_lines.h"

PRF_DEFINE_AUTO(prf_gmon_writer, prf_gmon_writer_free);

static int
no_memory(struct prf_error *err)
{
	return prf_error_set(err, -ENOMEM, "out of memory");
}

/* What is at AT of a header of 4.4BSD, in either byte order? */
static bool
is_bsd44_version(const char *at)
{
	uint32_t version;

	memcpy(&version, at, sizeof version);
	return version == PRF_GMON_BSD44_VERSION ||
	       __builtin_bswap32(version) == PRF_GMON_BSD44_VERSION;
}

enum prf_gmon_files_writer
prf_gmon_files_writer(FILE *in)
{
	enum { BSD_BYTES_32 = 4 + 4 + 4, BSD_BYTES_64 = 8 + 8 + 4 };
	char head[BSD_BYTES_64 + 4] = "";
	const char *spare = head + PRF_GMON_COOKIE_BYTES + 4;
	size_t n = fread(head, 1, sizeof head, in);

	if (n == 0)
		return PRF_GMON_FILES_NOBODY;
	if (memcmp(head, PRF_GMON_COOKIE, PRF_GMON_COOKIE_BYTES) == 0)
		return n >= PRF_GMON_HEADER_BYTES &&
				       strncmp(spare, PRF_GMON_FILES_MARK,
					       PRF_GMON_SPARE_BYTES) == 0
			       ? PRF_GMON_FILES_PROFRUN
			       : PRF_GMON_FILES_ANOTHER;
	return is_bsd44_version(head + BSD_BYTES_32) ||
			       is_bsd44_version(head + BSD_BYTES_64)
		       ? PRF_GMON_FILES_ANOTHER
		       : PRF_GMON_FILES_NO_GMON;
}

/* --- gmon.out */

/* What is written of one binary. */
struct output {
	struct prf_gmon_writer *writer;
	const struct prf_gmon_layout_place *place;
	struct prf_error *err;
};

static int
too_many(uint64_t addr, uint64_t ticks, struct prf_error *err)
{
	return prf_error_set(err, -EOVERFLOW,
			     "%" PRIu64 " ticks at 0x%" PRIx64
			     " are more than the %" PRIu32
			     " that gprof can add",
			     ticks, addr, (uint32_t)PRF_GMON_MAX_TICKS);
}

/* Counters of 64 bits, as many as a block has. */
static int
write_wide(const struct output *output, const struct prf_tick_range *run)
{
	uint64_t addr = run->vaddr + output->place->shift;
	uint32_t ticks[PRF_BLOCK_BINS];

	for (size_t i = 0; i < run->n; i++) {
		if (run->wide[i] > PRF_GMON_MAX_TICKS)
			return too_many(addr + i * PRF_HIST_BIN_BYTES,
					run->wide[i], output->err);
		ticks[i] = (uint32_t)run->wide[i];
	}
	return prf_gmon_writer_units(output->writer, addr, ticks, run->n,
				     output->err);
}

static int
write_run(void *arg, const struct prf_tick_range *run)
{
	const struct output *output = arg;

	return run->narrow ? prf_gmon_writer_units(
				     output->writer,
				     run->vaddr + output->place->shift,
				     run->narrow, run->n, output->err)
			   : write_wide(output, run);
}

/* A function that is known by its name has no addresses of its own to tell
 * apart: what one counter of gmon.out cannot hold goes on in the next. */
static int
write_name(const struct output *output, uint64_t addr, uint64_t ticks)
{
	const uint64_t last =
		addr + PRF_GMON_LAYOUT_NAME_BYTES - PRF_HIST_BIN_BYTES;
	int rc = 0;

	for (; !rc && ticks > PRF_GMON_MAX_TICKS && addr < last;
	     addr += PRF_HIST_BIN_BYTES) {
		rc = prf_gmon_writer_ticks(output->writer, addr,
					   PRF_GMON_MAX_TICKS, output->err);
		ticks -= PRF_GMON_MAX_TICKS;
	}
	return rc || !ticks ? rc
			    : prf_gmon_writer_ticks(output->writer, addr, ticks,
						    output->err);
}

static int
write_names(const struct output *output)
{
	const struct prf_gmon_layout_place *place = output->place;
	const struct prf_binary *binary = place->binary;
	int rc = 0;

	for (size_t i = 0; !rc && i < place->n_names; i++) {
		uint64_t ticks = binary->pid
					 ? binary->total.ticks
					 : binary->names.all[place->sorted[i]]
						   .count.ticks;

		rc = write_name(output,
				place->lo + i * PRF_GMON_LAYOUT_NAME_BYTES,
				ticks);
	}
	return rc;
}

static int
write_place(struct prf_gmon_writer *writer,
	    const struct prf_gmon_layout_place *place, struct prf_error *err)
{
	struct output output = {writer, place, err};

	if (place->binary->form == PRF_BINARY_BY_NAME)
		return write_names(&output);
	int rc = prf_binary_walk(place->binary, write_run, &output);
	return rc == -ENOMEM ? no_memory(err) : rc;
}

static bool
has_ticks(const struct prf_gmon_layout *layout)
{
	for (size_t i = 0; i < layout->n; i++)
		if (layout->places[i].binary->total.ticks)
			return true;
	return layout->profile->n_hists > 0;
}

static int
by_addresses(const void *a, const void *b)
{
	const struct prf_gmon_arc *left = a, *right = b;

	if (left->from_vaddr != right->from_vaddr)
		return left->from_vaddr < right->from_vaddr ? -1 : 1;
	return (left->to_vaddr > right->to_vaddr) -
	       (left->to_vaddr < right->to_vaddr);
}

/* Arcs as they are written. */
struct arcs {
	const struct prf_gmon_layout *layout;
	struct prf_gmon_arc *all;
	size_t n;
};

/* A single binary's layout has no place for the others. */
static void
put_arc(struct arcs *arcs, const struct prf_arc *arc)
{
	struct prf_gmon_arc *put = &arcs->all[arcs->n];

	put->count = arc->count;
	if (!prf_gmon_layout_addr(arcs->layout, &arc->from, &put->from_vaddr) &&
	    !prf_gmon_layout_addr(arcs->layout, &arc->to, &put->to_vaddr))
		arcs->n++;
}

static void
put_calls(struct arcs *arcs)
{
	const struct prf_gmon_layout *layout = arcs->layout;
	const struct prf_call_graph *calls = &layout->calls;

	for (size_t i = 0; i < calls->n_arcs; i++) {
		const struct prf_arc arc = {
			prf_gmon_layout_end(layout, calls->arcs[i].caller),
			prf_gmon_layout_end(layout, calls->arcs[i].callee),
			calls->arcs[i].total.ticks,
		};

		put_arc(arcs, &arc);
	}
}

/* The root calls all outermost functions but itself. */
static void
put_root_calls(struct arcs *arcs)
{
	const struct prf_gmon_layout *layout = arcs->layout;
	const struct prf_call_node *nodes = layout->calls.nodes;
	size_t at = layout->root.binary ? nodes[0].child : PRF_CALL_NONE;

	for (; at != PRF_CALL_NONE; at = nodes[at].sibling) {
		const struct prf_arc arc = {
			layout->root,
			prf_gmon_layout_end(layout, nodes[at].function),
			nodes[at].total.ticks,
		};

		if (arc.to.binary != arc.from.binary ||
		    arc.to.vaddr != arc.from.vaddr)
			put_arc(arcs, &arc);
	}
}

static int
write_arcs(struct prf_gmon_writer *writer, const struct prf_gmon_layout *layout,
	   struct prf_error *err)
{
	const struct prf_arcs *read = &layout->profile->arcs;
	PRF_AUTO(prf_auto_free)
	struct prf_gmon_arc *all = calloc(read->n + layout->calls.n_arcs +
						  layout->calls.n_functions + 1,
					  sizeof *all);
	struct arcs arcs = {layout, all, 0};
	int rc = 0;

	if (!all)
		return no_memory(err);
	for (size_t i = 0; i < read->n; i++)
		put_arc(&arcs, &read->all[i]);
	put_calls(&arcs);
	put_root_calls(&arcs);
	qsort(all, arcs.n, sizeof *all, by_addresses);
	for (size_t i = 0; !rc && i < arcs.n; i++)
		rc = prf_gmon_writer_arc(writer, all[i].from_vaddr,
					 all[i].to_vaddr, all[i].count, err);
	return rc;
}

static int
write_all(struct prf_gmon_writer *writer, const struct prf_gmon_layout *layout,
	  struct prf_error *err)
{
	const struct prf_profile *profile = layout->profile;
	int rc = 0;

	/* gprof refuses a file without a block: one says that there is
	 * nothing. */
	if (!has_ticks(layout) && !profile->arcs.n)
		rc = prf_gmon_writer_ticks(
			writer, layout->n ? layout->places[0].lo : 0, 0, err);
	for (size_t i = 0; !rc && i < layout->n; i++)
		rc = write_place(writer, &layout->places[i], err);
	for (size_t i = 0; !rc && i < profile->n_hists; i++)
		rc = prf_gmon_writer_hist(writer, &profile->hists[i], err);
	if (!rc)
		rc = write_arcs(writer, layout, err);
	return rc ? rc : prf_gmon_writer_finish(writer, err);
}

int
prf_gmon_files_write_ticks(const struct prf_gmon_layout *layout, FILE *out,
			   struct prf_error *err)
{
	const struct prf_profile_unit *unit = &layout->profile->unit;
	const struct prf_gmon_target target = {
		.addr_bytes = layout->addr_bytes,
		.big_endian = layout->big_endian,
		.rate_hz = unit->rate_hz ? unit->rate_hz : 1,
		.dimension = *unit->dimension ? unit->dimension : NULL,
		.abbreviation = unit->abbreviation,
		.mark = PRF_GMON_FILES_MARK,
	};
	PRF_AUTO(prf_gmon_writer_auto) struct prf_gmon_writer *writer = NULL;
	int rc = prf_gmon_writer_new(out, &target, &writer, err);

	return rc ? rc : write_all(writer, layout, err);
}

/* --- gmon.syms */

/* gprof reads lines of up to 1022 bytes, and takes what is left of a longer one
 * for another line. */
enum { MAX_NAME_BYTES = 960 };

/* A line of the list: there can be tens of thousands in one file, so that they
 * are made by hand. */
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

/* gprof takes a name to end at a blank, and a line without one for no symbol.
 * What is called as the end of the list is must not be taken for it. */
static void
put_name(struct line *line, const char *name)
{
	if (strcmp(name, "[end]") == 0)
		name = "[end]_";
	for (size_t i = 0; name[i] && i < MAX_NAME_BYTES; i++) {
		unsigned char c = (unsigned char)name[i];

		line->text[line->n++] = (char)(c <= ' ' || c == 0x7f ? '_' : c);
	}
	if (!name[0])
		line->text[line->n++] = '?';
}

/* In the kernel a function is a system call, and says so. */
static void
write_symbol(FILE *out, const struct prf_gmon_layout_place *place,
	     uint64_t addr, const char *name)
{
	struct line line;

	line.n = 0;
	put_address(&line, addr);
	put_text(&line, " T ");
	if (place->binary->kind == PRF_BINARY_KERNEL)
		put_text(&line, "[kernel]:");
	put_name(&line, name);
	line.text[line.n++] = '\n';
	fwrite(line.text, 1, line.n, out);
}

/* A line that gprof passes over: where which binary was put.  Its second word
 * must not begin with a T. */
static void
write_object_line(FILE *out, const struct prf_gmon_layout_place *place)
{
	const struct prf_binary *binary = place->binary;

	fprintf(out, "# object %" PRIx64 " %" PRIx64 " %" PRIx64 " ", place->lo,
		place->hi, place->shift);
	if (!binary->build_id_bytes)
		fputc('-', out);
	for (size_t i = 0; i < binary->build_id_bytes; i++)
		fprintf(out, "%02x", binary->build_id[i]);
	fputc(' ', out);
	/* However long it is: what gprof takes for a line of its own is then
	 * one word, and no symbol. */
	prf_gmon_word_write(*binary->path   ? binary->path
			    : *binary->name ? binary->name
					    : "?",
			    SIZE_MAX, out);
	if (binary->is_program)
		fprintf(out, " %" PRIx64, binary->program_ticks);
	fputc('\n', out);
}

/* The symbols of one binary, of which those that are NEEDED are marked. */
struct symbols {
	const struct prf_binary *binary;
	bool *needed;
	size_t n;
};

static uint64_t
symbol_vaddr(const struct symbols *symbols, size_t i)
{
	const struct prf_binary *binary = symbols->binary;

	return binary->form == PRF_BINARY_BY_TEXT
		       ? binary->file->pieces[i].lo
		       : binary->symbols.all[i].vaddr;
}

static const char *
symbol_name(const struct symbols *symbols, size_t i)
{
	const struct prf_binary *binary = symbols->binary;
	const struct prf_file *file = binary->file;

	return binary->form == PRF_BINARY_BY_TEXT
		       ? file->functions[file->pieces[i].function].name
		       : binary->symbols.all[i].name;
}

/* The last symbol at or below VADDR; the first, if there is none. */
static size_t
symbol_at(const struct symbols *symbols, uint64_t vaddr)
{
	size_t lo = 0, hi = symbols->n;

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;

		if (symbol_vaddr(symbols, middle) <= vaddr)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo ? lo - 1 : 0;
}

static int
mark_run(void *arg, const struct prf_tick_range *run)
{
	const struct symbols *symbols = arg;

	for (size_t i = 0; symbols->n && i < run->n; i++)
		if (prf_tick_range_at(run, i)) {
			uint64_t vaddr = run->vaddr + i * PRF_HIST_BIN_BYTES;
			size_t at = symbol_at(symbols, vaddr);

			symbols->needed[at] = true;
			/* A symbol may begin in the middle of a counter. */
			if (at + 1 < symbols->n &&
			    symbol_vaddr(symbols, at + 1) <= vaddr + 1)
				symbols->needed[at + 1] = true;
			if (symbols->binary->form == PRF_BINARY_BY_TEXT)
				break; /* the run is one symbol's */
		}
	return 0;
}

static void
mark_arcs(const struct symbols *symbols, const struct prf_gmon_layout *layout)
{
	size_t n;
	const struct prf_arc_end *ends =
		prf_gmon_layout_ends(layout, symbols->binary, &n);

	for (size_t i = 0; symbols->n && i < n; i++)
		symbols->needed[symbol_at(symbols, ends[i].vaddr)] = true;
}

static int
write_addressed(const struct prf_gmon_layout *layout,
		const struct prf_gmon_layout_place *place, bool all, FILE *out)
{
	const struct prf_binary *binary = place->binary;
	size_t n = binary->form == PRF_BINARY_BY_TEXT ? binary->file->n_pieces
						      : binary->symbols.n;
	PRF_AUTO(prf_auto_free) bool *needed = calloc(n + 1, sizeof *needed);
	struct symbols symbols = {binary, needed, n};

	if (!needed || prf_binary_walk(binary, mark_run, &symbols))
		return -ENOMEM;
	mark_arcs(&symbols, layout);
	for (size_t i = 0; i < n; i++) {
		uint64_t vaddr = symbol_vaddr(&symbols, i);

		/* One name for a whole file that could not be read. */
		if (binary->is_offsets && vaddr < binary->lo)
			vaddr = binary->lo;
		if (all || needed[i] || (i && needed[i - 1]))
			write_symbol(out, place, vaddr + place->shift,
				     symbol_name(&symbols, i));
	}
	return 0;
}

static int
write_symbols(const struct prf_gmon_layout *layout,
	      const struct prf_gmon_layout_place *place, bool all, FILE *out)
{
	const struct prf_binary *binary = place->binary;

	if (binary->form != PRF_BINARY_BY_NAME)
		return write_addressed(layout, place, all, out);
	for (size_t i = 0; i < place->n_names; i++)
		write_symbol(
			out, place, place->lo + i * PRF_GMON_LAYOUT_NAME_BYTES,
			binary->pid ? binary->name
				    : binary->names.all[place->sorted[i]].text);
	return 0;
}

int
prf_gmon_files_write_syms(const struct prf_gmon_layout *layout, bool all,
			  FILE *out, struct prf_error *err)
{
	int rc = 0;

	errno = 0;
	fputs("# gmon.syms 2\n", out);
	prf_run_lines_write(layout->profile, out);
	for (size_t i = 0; i < layout->n; i++)
		write_object_line(out, &layout->places[i]);
	for (size_t i = 0; !rc && i < layout->n; i++)
		rc = write_symbols(layout, &layout->places[i], all, out);
	if (rc)
		return no_memory(err);
	/* gprof gives nothing to the last symbol of all. */
	fprintf(out, "%016" PRIx64 " T [end]\n", layout->end);
	if (fflush(out) || ferror(out))
		return prf_error_set(err, errno ? -errno : -EIO,
				     "the symbols cannot be written: %s",
				     strerror(errno ? errno : EIO));
	return 0;
}
