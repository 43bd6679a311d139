#include "view/pprof/pprof_binaries.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "space/file.h"
#include "view/pprof/pprof_comment.h"
#include "view/pprof/pprof_write.h"

/* A name can be that of every place: of what is copied, paths and names, more
 * than any profile has, in all and for each byte of the file. */
enum { MAX_COPIED_RATIO = 8, FREE_COPIED_BYTES = 1 << 22 };

struct prf_pprof_binary {
	struct prf_binary *binary; /* the profile's */
	struct prf_file *file;     /* to be dropped; NULL: not looked for */
	/* Some of its locations have several functions, or no address. */
	bool needs_names;
	bool lacks_names; /* some have no function */
	char *unnamed;    /* what these are called; NULL: not made yet */
};

void
prf_pprof_binaries_clear(struct prf_pprof_binaries *binaries)
{
	for (size_t i = 0; binaries->all && i < binaries->n; i++) {
		prf_files_drop(binaries->all[i].file);
		free(binaries->all[i].unnamed);
	}
	prf_files_free(binaries->files);
	free(binaries->all);
	free(binaries->of_mapping);
	free(binaries->biases);
	free(binaries->links);
	free(binaries->first_ends);
	free(binaries->ends);
	*binaries = (struct prf_pprof_binaries){0};
}

static size_t
n_mappings(const struct prf_pprof_binaries *binaries)
{
	return binaries->message->mapping_list.n;
}

/* The number of LOCATION's mapping; that behind the last: it has none. */
static size_t
mapping_of(const struct prf_pprof_binaries *binaries,
	   const struct prf_pprof_location *location)
{
	const struct prf_pprof_message *message = binaries->message;

	return location->mapping_id
		       ? prf_pprof_message_find(&message->mapping_ids,
						location->mapping_id)
		       : n_mappings(binaries);
}

static bool
is_ours(const struct prf_pprof_message *message)
{
	const struct prf_pprof_text *first =
		message->comment_list.n
			? &message->strings[message->comments[0]]
			: NULL;
	size_t n = strlen(PRF_PPROF_MARK);

	return first && first->n >= n &&
	       memcmp(first->bytes, PRF_PPROF_MARK, n) == 0;
}

static int
no_memory(struct prf_error *err)
{
	return prf_error_set(err, -ENOMEM, "out of memory");
}

/* N bytes are to be copied. */
static int
spend(struct prf_pprof_binaries *binaries, size_t n, struct prf_error *err)
{
	uint64_t all = binaries->message->n_bytes;
	uint64_t most = all * MAX_COPIED_RATIO + FREE_COPIED_BYTES;

	binaries->n_copied += n;
	return binaries->n_copied <= most
		       ? 0
		       : prf_error_set(err, -EFBIG,
				       "more than %" PRIu64
				       " bytes of names, in %" PRIu64
				       ", which no profile has",
				       most, all);
}

/* --- Which mappings are of one file */

struct sorted {
	const struct prf_pprof_message *message;
	size_t mapping;
};

/* One that is in several places is not read for that. */
static int
compare_texts(const struct prf_pprof_text *left,
	      const struct prf_pprof_text *right)
{
	size_t n = left->n < right->n ? left->n : right->n;
	int rc = n && left->bytes != right->bytes
			 ? memcmp(left->bytes, right->bytes, n)
			 : 0;

	return rc ? rc : (left->n > right->n) - (left->n < right->n);
}

static int
by_file(const void *a, const void *b)
{
	const struct sorted *sorted = a, *other = b;
	const struct prf_pprof_text *strings = sorted->message->strings;
	const struct prf_pprof_mapping *mappings = sorted->message->mappings;
	const struct prf_pprof_mapping *left = &mappings[sorted->mapping];
	const struct prf_pprof_mapping *right = &mappings[other->mapping];
	int rc = compare_texts(&strings[left->filename],
			       &strings[right->filename]);

	return rc ? rc
		  : compare_texts(&strings[left->build_id],
				  &strings[right->build_id]);
}

/* The last of all is what is in no mapping. */
static int
find_files(struct prf_pprof_binaries *binaries)
{
	size_t n = n_mappings(binaries);
	PRF_AUTO(prf_auto_free)
	struct sorted *sorted = calloc(n + 1, sizeof *sorted);

	binaries->all = calloc(n + 1, sizeof *binaries->all);
	binaries->of_mapping = calloc(n + 1, sizeof *binaries->of_mapping);
	binaries->biases = calloc(n + 1, sizeof *binaries->biases);
	if (!sorted || !binaries->all || !binaries->of_mapping ||
	    !binaries->biases)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		sorted[i] = (struct sorted){binaries->message, i};
	qsort(sorted, n, sizeof *sorted, by_file);
	for (size_t i = 0; i < n; i++) {
		if (i && by_file(&sorted[i - 1], &sorted[i]) != 0)
			binaries->n++;
		binaries->of_mapping[sorted[i].mapping] = binaries->n;
	}
	binaries->n += n > 0;
	binaries->of_mapping[n] = binaries->n++;
	return 0;
}

static void
look_at_locations(struct prf_pprof_binaries *binaries)
{
	const struct prf_pprof_message *message = binaries->message;
	bool ours = is_ours(message);

	for (size_t i = 0; i < message->location_list.n; i++) {
		const struct prf_pprof_location *location =
			&message->locations[i];
		struct prf_pprof_binary *binary =
			&binaries->all[binaries->of_mapping[mapping_of(
				binaries, location)]];

		binary->needs_names |=
			(location->n_lines > 1 && !ours) || !location->address;
		binary->lacks_names |= !location->n_lines;
	}
}

/* --- Binaries */

static size_t
read_build_id(const char *digits, uint8_t *build_id)
{
	size_t n = 0;
	unsigned byte;

	while (n < PRF_BUILD_ID_MAX && sscanf(digits, "%2x", &byte) == 1 &&
	       digits[1]) {
		build_id[n++] = (uint8_t)byte;
		digits += 2;
	}
	return n;
}

static struct prf_binary *
new_binary(const struct prf_pprof_message *message,
	   const struct prf_pprof_mapping *mapping, bool needs_names)
{
	PRF_AUTO(prf_auto_free)
	char *path = prf_pprof_message_text(message, mapping->filename);
	PRF_AUTO(prf_auto_free)
	char *digits = prf_pprof_message_text(message, mapping->build_id);

	if (!path || !digits)
		return NULL;
	/* perf calls it "[kernel.kallsyms]". */
	enum prf_binary_kind kind = strncmp(path, "[kernel", 7) == 0
					    ? PRF_BINARY_KERNEL
					    : prf_binary_kind_of(path);
	struct prf_binary *binary = prf_binary_new(kind, path);
	if (!binary)
		return NULL;
	if (needs_names)
		binary->form = PRF_BINARY_BY_NAME;
	if (kind == PRF_BINARY_FILE || kind == PRF_BINARY_VDSO)
		binary->build_id_bytes =
			read_build_id(digits, binary->build_id);
	return binary;
}

/* Finds the file of BINARY, which is mapped as MAPPING. */
static int
find_file(struct prf_pprof_binaries *binaries, struct prf_pprof_binary *binary,
	  const struct prf_pprof_mapping *mapping)
{
	const struct prf_binary *found = binary->binary;
	const struct prf_mapping map = {
		.kind = PRF_MAPPING_FILE,
		.addr = mapping->start,
		.size = mapping->limit - mapping->start,
		.file_off = mapping->file_off,
		.path = found->path,
		.build_id_bytes = (uint8_t)found->build_id_bytes,
		.build_id = found->build_id,
	};
	struct prf_error warning = {0};

	/* Without it, nothing shows that the file is still the same. */
	if (found->kind != PRF_BINARY_FILE || !found->build_id_bytes ||
	    binary->file)
		return 0;
	binary->file = prf_files_take(binaries->files, &map, sizeof(void *));
	if (!binary->file)
		return -ENOMEM;
	prf_files_read(binary->file, &map, &warning);
	return warning.code == -ENOMEM ? -ENOMEM : 0;
}

/* --- Where they are linked */

struct prf_pprof_link {
	uint64_t addr, vaddr;
};

static int
by_addr(const void *a, const void *b)
{
	const struct prf_pprof_link *left = a, *right = b;

	return (left->addr > right->addr) - (left->addr < right->addr);
}

static int
read_links(struct prf_pprof_binaries *binaries)
{
	const struct prf_pprof_message *message = binaries->message;
	size_t n = is_ours(message) ? message->comment_list.n : 0;

	binaries->links = calloc(n + 1, sizeof *binaries->links);
	if (!binaries->links)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		PRF_AUTO(prf_auto_free)
		char *text =
			prf_pprof_message_text(message, message->comments[i]);
		struct prf_pprof_link *link =
			&binaries->links[binaries->n_links];

		if (!text)
			return -ENOMEM;
		binaries->n_links += prf_pprof_comment_is_link(
			text, &link->addr, &link->vaddr);
	}
	qsort(binaries->links, binaries->n_links, sizeof *binaries->links,
	      by_addr);
	return 0;
}

/* Where MAPPING of a file of ours is linked: as it says, or it did not have
 * to. */
static uint64_t
linked_at(const struct prf_pprof_binaries *binaries,
	  const struct prf_pprof_mapping *mapping)
{
	const struct prf_pprof_link wanted = {.addr = mapping->start};
	const struct prf_pprof_link *link =
		bsearch(&wanted, binaries->links, binaries->n_links,
			sizeof wanted, by_addr);

	return link ? link->vaddr : mapping->file_off;
}

/* How far MAPPING is from where it is linked. */
static int
find_bias(struct prf_pprof_binaries *binaries, struct prf_pprof_binary *binary,
	  const struct prf_pprof_mapping *mapping, uint64_t *bias)
{
	bool ours = is_ours(binaries->message);
	int rc = !ours || binary->lacks_names
			 ? find_file(binaries, binary, mapping)
			 : 0;

	*bias = mapping->start - linked_at(binaries, mapping);
	if (ours || rc || binary->binary->form != PRF_BINARY_BY_ADDRESS)
		return rc;
	binary->binary->is_offsets =
		!binary->file || !binary->file->image ||
		prf_image_bias(binary->file->image, mapping->start,
			       mapping->limit - mapping->start,
			       mapping->file_off, bias);
	return 0;
}

static void
extend(struct prf_binary *binary, uint64_t lo, uint64_t hi)
{
	if (binary->form == PRF_BINARY_BY_NAME || lo >= hi)
		return;
	if (binary->lo == binary->hi)
		binary->lo = binary->hi = lo;
	binary->lo = lo < binary->lo ? lo : binary->lo;
	binary->hi = hi > binary->hi ? hi : binary->hi;
}

/* Makes BINARY of MAPPING, or of what is in none.  Those that are the same,
 * whatever they are called, are one. */
static int
make_binary(struct prf_pprof_binaries *binaries,
	    struct prf_pprof_binary *binary,
	    const struct prf_pprof_mapping *mapping, bool is_none,
	    struct prf_error *err)
{
	const struct prf_pprof_message *message = binaries->message;
	int rc = is_none ? 0
			 : spend(binaries,
				 message->strings[mapping->filename].n, err);

	if (rc)
		return rc;
	binary->binary = prf_profile_take(
		binaries->profile,
		is_none ? prf_binary_new(PRF_BINARY_UNKNOWN, "")
			: new_binary(message, mapping, binary->needs_names));
	return binary->binary ? 0 : no_memory(err);
}

static int
take_mapping(struct prf_pprof_binaries *binaries, size_t number,
	     struct prf_error *err)
{
	static const struct prf_pprof_mapping none;
	bool is_none = number == n_mappings(binaries);
	const struct prf_pprof_mapping *mapping =
		is_none ? &none : &binaries->message->mappings[number];
	struct prf_pprof_binary *binary =
		&binaries->all[binaries->of_mapping[number]];
	uint64_t *bias = &binaries->biases[number];
	int rc = binary->binary
			 ? 0
			 : make_binary(binaries, binary, mapping, is_none, err);

	if (rc)
		return rc;
	if (!is_none && find_bias(binaries, binary, mapping, bias))
		return no_memory(err);
	extend(binary->binary, mapping->start - *bias, mapping->limit - *bias);
	return 0;
}

/* --- Functions */

/* What is called NAME from VADDR on. */
struct named {
	struct prf_binary *binary;
	uint64_t vaddr;
	struct prf_pprof_text name; /* lent */
};

struct naming {
	struct prf_pprof_binaries *binaries;
	struct named *all; /* of binaries that count by address */
	size_t n;
	struct prf_error *err;
};

static struct prf_pprof_text
text_of(const char *text)
{
	return (struct prf_pprof_text){text, strlen(text)};
}

/* The name of a location of BINARY without one. */
static int
find_name(struct naming *naming, struct prf_pprof_binary *binary,
	  uint64_t vaddr, struct prf_pprof_text *name)
{
	const struct prf_file *file = binary->file;
	size_t text = file && file->image
			      ? prf_image_text_at(file->image, vaddr)
			      : (size_t)-1;

	if (text != (size_t)-1) {
		*name = text_of(
			file->functions[file->pieces[text].function].name);
		return 0;
	}
	if (!binary->unnamed &&
	    asprintf(&binary->unnamed,
		     binary->binary->kind == PRF_BINARY_FILE ? "[%s]" : "%s",
		     binary->binary->name) < 0) {
		binary->unnamed = NULL;
		return no_memory(naming->err);
	}
	*name = text_of(binary->unnamed);
	return 0;
}

/* The name of line number LINE of LOCATION. */
static int
name_of(struct naming *naming, struct prf_pprof_binary *binary,
	const struct prf_pprof_location *location, size_t line, uint64_t vaddr,
	struct prf_pprof_text *name)
{
	static const char prefix[] = "[kernel]:";
	const struct prf_pprof_message *message = naming->binaries->message;
	size_t n = sizeof prefix - 1;

	if (!location->n_lines)
		return find_name(naming, binary, vaddr, name);
	size_t function = prf_pprof_message_find(
		&message->function_ids,
		message->lines[location->first_line + line]);
	*name = message->strings[message->functions[function].name];
	if (binary->binary->kind == PRF_BINARY_KERNEL && name->n > n &&
	    memcmp(name->bytes, prefix, n) == 0)
		*name = (struct prf_pprof_text){name->bytes + n, name->n - n};
	if (!name->n)
		*name = text_of("[unknown]");
	return 0;
}

/* *NUMBER: that of NAME among those of BINARY, which are copies. */
static int
intern(struct naming *naming, struct prf_binary *binary,
       const struct prf_pprof_text *name, uint64_t *number)
{
	PRF_AUTO(prf_auto_free) char *text = strndup(name->bytes, name->n);
	size_t found, n_before = binary->names.n;

	if (!text || prf_named_counts_intern(&binary->names, text, &found))
		return no_memory(naming->err);
	*number = found;
	return binary->names.n > n_before
		       ? spend(naming->binaries, name->n, naming->err)
		       : 0;
}

static int
take_line(struct naming *naming, const struct prf_pprof_location *location,
	  size_t line, struct prf_arc_end *end)
{
	struct prf_pprof_binaries *binaries = naming->binaries;
	size_t mapping = mapping_of(binaries, location);
	struct prf_pprof_binary *binary =
		&binaries->all[binaries->of_mapping[mapping]];
	uint64_t vaddr = location->address - binaries->biases[mapping];
	uint64_t lo = vaddr - vaddr % PRF_HIST_BIN_BYTES;
	struct prf_pprof_text name;
	int rc = name_of(naming, binary, location, line, vaddr, &name);

	*end = (struct prf_arc_end){binary->binary, vaddr};
	if (rc)
		return rc;
	if (binary->binary->form != PRF_BINARY_BY_ADDRESS)
		return intern(naming, binary->binary, &name, &end->vaddr);
	naming->all[naming->n++] = (struct named){binary->binary, lo, name};
	extend(binary->binary, lo, lo + PRF_HIST_BIN_BYTES);
	return 0;
}

/* What is inlined at an address of ours is found again where its lines are. */
static int
take_location(struct naming *naming, const struct prf_pprof_location *location,
	      struct prf_arc_end *ends, size_t *n_ends)
{
	size_t n = location->n_lines ? location->n_lines : 1;
	int rc = 0;

	for (size_t i = is_ours(naming->binaries->message) ? n - 1 : 0;
	     !rc && i < n; i++)
		rc = take_line(naming, location, i, &ends[(*n_ends)++]);
	return rc;
}

static int
take_locations(struct naming *naming)
{
	static const struct prf_pprof_location nowhere;
	struct prf_pprof_binaries *binaries = naming->binaries;
	const struct prf_pprof_message *message = binaries->message;
	size_t n = message->location_list.n, n_ends = 0;
	int rc = 0;

	for (size_t i = 0; !rc && i <= n; i++) {
		binaries->first_ends[i] = n_ends;
		rc = take_location(naming,
				   i < n ? &message->locations[i] : &nowhere,
				   binaries->ends, &n_ends);
	}
	binaries->first_ends[n + 1] = n_ends;
	return rc;
}

static int
by_place(const void *a, const void *b)
{
	const struct named *left = a, *right = b;

	if (left->binary != right->binary)
		return left->binary->number < right->binary->number ? -1 : 1;
	if (left->vaddr != right->vaddr)
		return left->vaddr < right->vaddr ? -1 : 1;
	return compare_texts(&left->name, &right->name);
}

static int
list_name(struct naming *naming, const struct named *named)
{
	int rc = spend(naming->binaries, named->name.n, naming->err);

	if (rc)
		return rc;
	PRF_AUTO(prf_auto_free)
	char *text = strndup(named->name.bytes, named->name.n);
	return text && !prf_symbol_list_append(&named->binary->symbols,
					       named->vaddr, text)
		       ? 0
		       : no_memory(naming->err);
}

/* The names of addresses become those of all up to the next; there is nothing
 * between them. */
static int
list_names(struct naming *naming)
{
	const struct named *last = NULL;
	int rc = 0;

	qsort(naming->all, naming->n, sizeof *naming->all, by_place);
	for (size_t i = 0; !rc && i < naming->n; i++) {
		const struct named *named = &naming->all[i];

		if (last && last->binary == named->binary &&
		    (last->vaddr == named->vaddr ||
		     compare_texts(&last->name, &named->name) == 0))
			continue;
		rc = list_name(naming, named);
		last = named;
	}
	return rc;
}

static int
take_names(struct prf_pprof_binaries *binaries, struct prf_error *err)
{
	const struct prf_pprof_message *message = binaries->message;
	size_t n_locations = message->location_list.n;
	size_t n = n_locations + message->line_list.n + 1;
	PRF_AUTO(prf_auto_free) struct named *all = calloc(n, sizeof *all);
	struct naming naming = {binaries, all, 0, err};

	binaries->first_ends =
		calloc(n_locations + 2, sizeof *binaries->first_ends);
	binaries->ends = calloc(n, sizeof *binaries->ends);
	if (!all || !binaries->first_ends || !binaries->ends)
		return no_memory(err);
	int rc = take_locations(&naming);
	return rc ? rc : list_names(&naming);
}

/* --- All of them */

int
prf_pprof_binaries_init(struct prf_pprof_binaries *binaries,
			const struct prf_pprof_message *message,
			const struct prf_objectfile_way *way,
			struct prf_profile *profile, struct prf_error *err)
{
	*binaries = (struct prf_pprof_binaries){
		.message = message,
		.profile = profile,
		.files = prf_files_new(way),
	};
	if (!binaries->files || find_files(binaries))
		return no_memory(err);
	if (binaries->n > PRF_PPROF_BINARIES_MAX)
		return prf_error_set(err, -EFBIG, "more than %d binaries",
				     PRF_PPROF_BINARIES_MAX);
	look_at_locations(binaries);
	int rc = read_links(binaries) ? no_memory(err) : 0;
	for (size_t i = 0; !rc && i <= n_mappings(binaries); i++)
		rc = take_mapping(binaries, i, err);
	return rc ? rc : take_names(binaries, err);
}

const struct prf_arc_end *
prf_pprof_binaries_ends(const struct prf_pprof_binaries *binaries,
			size_t location, size_t *n)
{
	*n = binaries->first_ends[location + 1] -
	     binaries->first_ends[location];
	return &binaries->ends[binaries->first_ends[location]];
}

size_t
prf_pprof_binaries_nowhere(const struct prf_pprof_binaries *binaries)
{
	return binaries->message->location_list.n;
}

struct prf_binary *
prf_pprof_binaries_first(const struct prf_pprof_binaries *binaries)
{
	return n_mappings(binaries)
		       ? binaries->all[binaries->of_mapping[0]].binary
		       : NULL;
}
