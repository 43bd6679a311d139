#include "image/fdes.h"
#include "image/frames.h"
#include "image/image.h"
#include "support/elf_builder.h"
#include "support/elf_frames.h"
#include "support/guard.h"
#include "support/suite.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 0x1000, TEXT_BYTES = 0x200, FRAMES = 0x2000, HEADER = 0x1800 };
enum { PCREL_S4 = DW_EH_PE_pcrel | DW_EH_PE_sdata4 };

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct elf_fde two[] = {{0x1010, 0x20}, {0x1040, 0x31}};
static const struct prf_fde two_read[] = {{0x1010, 0x1030}, {0x1040, 0x1072}};

/* A file of KIND with BYTES as its .eh_frame, and HEADER_BYTES of a
 * .eh_frame_hdr that a segment, but no section, leads to. */
static char *
build(const struct elf_kind *kind, const uint8_t *bytes, size_t frames_size,
      const uint8_t *header, size_t header_size, size_t *size)
{
	struct elf_builder *builder = elf_builder_new(kind);

	elf_builder_section(builder, &(struct elf_section){
					     .name = ".text",
					     .flags = SHF_ALLOC | SHF_EXECINSTR,
					     .vaddr = TEXT,
					     .size = TEXT_BYTES});
	elf_builder_section(builder,
			    &(struct elf_section){.name = ".head",
						  .flags = SHF_ALLOC,
						  .vaddr = HEADER,
						  .bytes = header,
						  .size = header_size});
	elf_builder_section(builder,
			    &(struct elf_section){.name = ".eh_frame",
						  .flags = SHF_ALLOC,
						  .vaddr = FRAMES,
						  .bytes = bytes,
						  .size = frames_size});
	elf_builder_segment(builder, &(GElf_Phdr){.p_type = PT_LOAD,
						  .p_flags = PF_X,
						  .p_offset = TEXT,
						  .p_vaddr = TEXT,
						  .p_filesz = TEXT_BYTES});
	elf_builder_segment(builder,
			    &(GElf_Phdr){.p_type = PT_LOAD,
					 .p_offset = HEADER,
					 .p_vaddr = HEADER,
					 .p_filesz = FRAMES - HEADER + 0x1000});
	elf_builder_segment(builder, &(GElf_Phdr){.p_type = PT_GNU_EH_FRAME,
						  .p_offset = HEADER,
						  .p_vaddr = HEADER,
						  .p_filesz = header_size});
	char *file = elf_builder_finish(builder, size);
	elf_builder_free(builder);
	return file;
}

/* What is read of a file, with its warning. */
struct outcome {
	struct prf_fdes fdes;
	struct prf_error warning; /* text "": none */
};

static struct outcome
read_file(const char *bytes, size_t size)
{
	struct prf_error err = {0};
	struct prf_object object;
	struct outcome outcome = {0};

	ck_assert_int_eq(
		prf_object_open_memory(&object, bytes, size, "test", &err), 0);
	ck_assert_int_eq(prf_fdes_read(&outcome.fdes, &object, &err), 0);
	outcome.warning = object.warning;
	prf_object_close(&object);
	return outcome;
}

/* What is read of BYTES as a section .eh_frame. */
static struct outcome
read_section(const struct elf_kind *kind, const uint8_t *bytes, size_t n)
{
	size_t size;
	char *file = build(kind, bytes, n, NULL, 0, &size);
	struct outcome outcome = read_file(file, size);

	free(file);
	return outcome;
}

static struct outcome
read_frames(const struct elf_kind *kind, struct elf_frames frames)
{
	size_t n;
	frames.vaddr = FRAMES;
	uint8_t *bytes = elf_frames_build(kind, &frames, &n);
	struct outcome outcome = read_section(kind, bytes, n);

	free(bytes);
	return outcome;
}

/* OUTCOME, which is freed, is WANT; SAYS is in its warning, NULL: none. */
static void
check(struct outcome outcome, const struct prf_fde *want, size_t n,
      const char *says)
{
	for (size_t i = 0; i < n && i < outcome.fdes.n; i++) {
		ck_assert_uint_eq(outcome.fdes.all[i].lo, want[i].lo);
		ck_assert_uint_eq(outcome.fdes.all[i].hi, want[i].hi);
	}
	ck_assert_uint_eq(outcome.fdes.n, n);
	if (says)
		ck_assert_msg(strstr(outcome.warning.text, says) != NULL, "%s",
			      outcome.warning.text);
	else
		ck_assert_str_eq(outcome.warning.text, "");
	prf_fdes_free(&outcome.fdes);
}

static const uint8_t encodings[] = {
	PCREL_S4,
	DW_EH_PE_pcrel | DW_EH_PE_absptr,
	DW_EH_PE_pcrel | DW_EH_PE_udata4,
	DW_EH_PE_pcrel | DW_EH_PE_udata8,
	DW_EH_PE_pcrel | DW_EH_PE_sdata2,
	DW_EH_PE_pcrel | DW_EH_PE_sdata8,
	DW_EH_PE_absptr,
	DW_EH_PE_udata2,
	DW_EH_PE_udata4,
	DW_EH_PE_udata8,
	DW_EH_PE_sdata2,
	DW_EH_PE_sdata4,
	DW_EH_PE_sdata8,
};

START_TEST(every_encoding_says_the_same)
{
	for (size_t i = 0; i < COUNT(encodings); i++) {
		const struct elf_frames frames = {
			.encoding = encodings[i], .fdes = two, .n_fdes = 2};
		/* What lies before cannot be told without a sign. */
		bool narrow =
			elf_kinds[_i].class == ELFCLASS64 &&
			encodings[i] == (DW_EH_PE_pcrel | DW_EH_PE_udata4);

		if (!narrow)
			check(read_frames(&elf_kinds[_i], frames), two_read, 2,
			      NULL);
	}
}
END_TEST

START_TEST(an_encoding_that_no_file_can_answer_is_refused)
{
	static const uint8_t refused[] = {
		DW_EH_PE_indirect | PCREL_S4,
		DW_EH_PE_uleb128,
		DW_EH_PE_sleb128,
		DW_EH_PE_textrel | DW_EH_PE_udata4,
		DW_EH_PE_datarel | DW_EH_PE_sdata4,
		DW_EH_PE_funcrel | DW_EH_PE_udata4,
		DW_EH_PE_aligned,
		DW_EH_PE_omit,
		0x05,
		0x07,
	};

	for (size_t i = 0; i < COUNT(refused); i++)
		check(read_frames(&elf_kinds[_i],
				  (struct elf_frames){.encoding = refused[i],
						      .fdes = two,
						      .n_fdes = 2}),
		      NULL, 0, "2 of 3 entries");
}
END_TEST

START_TEST(the_64_bit_format_is_read)
{
	check(read_frames(&elf_kinds[_i],
			  (struct elf_frames){.encoding = PCREL_S4,
					      .wide = true,
					      .fdes = two,
					      .n_fdes = 2}),
	      two_read, 2, NULL);
}
END_TEST

START_TEST(a_section_may_end_without_an_end)
{
	check(read_frames(&elf_kinds[_i],
			  (struct elf_frames){.encoding = PCREL_S4,
					      .endless = true,
					      .fdes = two,
					      .n_fdes = 2}),
	      two_read, 2, NULL);
}
END_TEST

START_TEST(a_section_without_entries_is_no_fault)
{
	static const uint8_t nothing[8];

	for (size_t n = 1; n <= sizeof nothing; n++)
		check(read_section(&elf_kinds[_i], nothing, n), NULL, 0, NULL);
}
END_TEST

START_TEST(a_first_entry_longer_than_the_section_is_a_fault)
{
	static const uint8_t long_ones[][12] = {
		{0x7f, 0x7f, 0x7f, 0x7f},
		{0xff, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0, 0, 0, 0x7f},
		{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		 0xff, 0xff},
	};

	for (size_t i = 0; i < COUNT(long_ones); i++)
		for (size_t n = 4; n <= sizeof *long_ones; n++)
			check(read_section(&elf_kinds[_i], long_ones[i], n),
			      NULL, 0, "cannot be read from offset 0x0 on");
}
END_TEST

/* Augmentations, and whether the pointers of an FDE are then known. */
static const struct {
	const char *letters;
	uint8_t data[16];
	uint8_t n;
	uint8_t encoding;
	bool known;
} augmentations[] = {
	{"", {0}, 0, DW_EH_PE_absptr, true},
	{"eh", {0}, 0, DW_EH_PE_absptr, true},
	{"z", {0}, 0, DW_EH_PE_absptr, true},
	{"zS", {0}, 0, DW_EH_PE_absptr, true},
	{"zR", {PCREL_S4}, 1, PCREL_S4, true},
	{"zRS", {PCREL_S4}, 1, PCREL_S4, true},
	{"zSR", {PCREL_S4}, 1, PCREL_S4, true},
	{"zBGR", {PCREL_S4}, 1, PCREL_S4, true},
	{"zLR", {0x1b, PCREL_S4}, 2, PCREL_S4, true},
	{"zPLR", {0x9b, 1, 2, 3, 4, 0x1b, PCREL_S4}, 7, PCREL_S4, true},
	{"zRx", {PCREL_S4}, 1, PCREL_S4, true},
	{"zxR", {PCREL_S4}, 1, PCREL_S4, false},
	{"R", {0}, 0, PCREL_S4, false},
	{"zR", {0}, 0, PCREL_S4, false},
	{"zPR", {0x9b, 1, 2, 3, PCREL_S4}, 3, PCREL_S4, false},
	{"zPR", {0x01, 0x80, 0x00, PCREL_S4}, 4, PCREL_S4, false},
	{"zPR", {0x50, 0, 0, 0, 0, 0, 0, 0, 0, PCREL_S4}, 10, PCREL_S4, false},
	{"zPL", {0x9b, 1, 2, 3, 4}, 5, PCREL_S4, false},
};

START_TEST(the_letters_of_an_augmentation_lead_to_the_encoding)
{
	for (size_t i = 0; i < COUNT(augmentations); i++) {
		bool known = augmentations[i].known;

		check(read_frames(
			      &elf_kinds[_i],
			      (struct elf_frames){
				      .encoding = augmentations[i].encoding,
				      .augmentation = augmentations[i].letters,
				      .data = augmentations[i].data,
				      .data_size = augmentations[i].n,
				      .fdes = two,
				      .n_fdes = 2}),
		      two_read, known ? 2 : 0, known ? NULL : "cannot be read");
	}
}
END_TEST

START_TEST(what_overlaps_is_the_later_ones)
{
	static const struct elf_fde fdes[] = {
		{0x1100, 0x10}, {0x1000, 0x20}, {0x1018, 0x40}, {0x1020, 0x08},
		{0x1080, 0x10}, {0x1080, 0x20}, {0x1080, 0x08}, {0x1121, 1},
		{0x1122, 1},    {0x1131, 0x10}, {0x1141, 0x10}};
	static const struct prf_fde want[] = {
		{0x1000, 0x1018}, {0x1018, 0x1020}, {0x1020, 0x1028},
		{0x1080, 0x10a0}, {0x1100, 0x1110}, {0x1120, 0x1122},
		{0x1122, 0x1124}, {0x1130, 0x1140}, {0x1140, 0x1152}};

	check(read_frames(&elf_kinds[_i],
			  (struct elf_frames){.encoding = PCREL_S4,
					      .fdes = fdes,
					      .n_fdes = COUNT(fdes)}),
	      want, COUNT(want), NULL);
}
END_TEST

START_TEST(an_fde_of_nothing_is_none)
{
	static const struct elf_fde fdes[] = {{0x1010, 0}, {0x1040, 0x31}};

	check(read_frames(&elf_kinds[_i],
			  (struct elf_frames){.encoding = PCREL_S4,
					      .fdes = fdes,
					      .n_fdes = 2}),
	      two_read + 1, 1, NULL);
}
END_TEST

START_TEST(the_last_addresses_do_not_wrap)
{
	static const struct elf_fde fdes[] = {{UINT64_MAX, 16},
					      {UINT64_MAX - 1, 1},
					      {UINT64_MAX - 2, UINT64_MAX},
					      {UINT64_MAX - 16, 15}};
	static const struct prf_fde want[] = {{UINT64_MAX - 17, UINT64_MAX - 3},
					      {UINT64_MAX - 3, UINT64_MAX - 1}};

	check(read_frames(&elf_kinds[_i],
			  (struct elf_frames){.encoding = DW_EH_PE_absptr,
					      .fdes = fdes,
					      .n_fdes = COUNT(fdes)}),
	      want, 2, NULL);
}
END_TEST

/* A .eh_frame_hdr that says where .eh_frame is and that it has N_FDES. */
static size_t
put_header(const struct elf_kind *kind, uint8_t encoding, uint64_t frames,
	   uint64_t n_fdes, uint8_t *header)
{
	const uint8_t head[] = {1, encoding, DW_EH_PE_udata4, DW_EH_PE_omit};

	memcpy(header, head, 4);
	if ((encoding & 0x70) == DW_EH_PE_pcrel)
		frames -= HEADER + 4;
	if ((encoding & 0x70) == DW_EH_PE_datarel)
		frames -= HEADER;
	elf_put(kind, header + 4, frames, 4);
	elf_put(kind, header + 8, n_fdes, 4);
	return 12;
}

/* The same frames without section headers. */
static struct outcome
read_by_header(const struct elf_kind *kind, const struct elf_frames *frames,
	       const uint8_t *header, size_t header_size)
{
	size_t n, size;
	uint8_t *bytes = elf_frames_build(kind, frames, &n);
	char *file = build(kind, bytes, n, header, header_size, &size);

	elf_drop_sections(file);
	struct outcome outcome = read_file(file, size);
	free(bytes);
	free(file);
	return outcome;
}

static const struct elf_frames two_frames = {
	.vaddr = FRAMES,
	.encoding = PCREL_S4,
	.fdes = two,
	.n_fdes = 2,
};

START_TEST(without_sections_a_segment_leads_to_them)
{
	static const uint8_t ways[] = {
		PCREL_S4, DW_EH_PE_datarel | DW_EH_PE_sdata4, DW_EH_PE_udata4};
	uint8_t header[12];

	for (size_t i = 0; i < COUNT(ways); i++) {
		size_t n =
			put_header(&elf_kinds[_i], ways[i], FRAMES, 2, header);

		check(read_by_header(&elf_kinds[_i], &two_frames, header, n),
		      two_read, 2, NULL);
	}
}
END_TEST

START_TEST(without_sections_no_end_is_needed)
{
	struct elf_frames endless = two_frames;
	uint8_t header[12];
	size_t n = put_header(&elf_kinds[_i], PCREL_S4, FRAMES, 2, header);

	/* The names of the sections follow at once. */
	endless.endless = true;
	check(read_by_header(&elf_kinds[_i], &endless, header, n), two_read, 2,
	      NULL);
}
END_TEST

START_TEST(fewer_than_the_header_counts_is_a_warning)
{
	uint8_t header[12];
	size_t n = put_header(&elf_kinds[_i], PCREL_S4, FRAMES, 3, header);

	check(read_by_header(&elf_kinds[_i], &two_frames, header, n), two_read,
	      2, "2 entries of .eh_frame can be read, not 3");
}
END_TEST

START_TEST(a_header_that_leads_nowhere_is_a_warning)
{
	const struct elf_kind *kind = &elf_kinds[_i];
	uint8_t header[12];
	size_t n = put_header(kind, PCREL_S4, 0x70000000, 2, header);

	check(read_by_header(kind, &two_frames, header, n), NULL, 0,
	      "points outside");
	n = put_header(kind, DW_EH_PE_indirect | PCREL_S4, FRAMES, 2, header);
	check(read_by_header(kind, &two_frames, header, n), NULL, 0,
	      ".eh_frame_hdr cannot be read");
	n = put_header(kind, PCREL_S4, FRAMES, 2, header);
	for (size_t cut = 1; cut < 8; cut++)
		check(read_by_header(kind, &two_frames, header, cut), NULL, 0,
		      ".eh_frame_hdr cannot be read");
	header[0] = 2; /* version */
	check(read_by_header(kind, &two_frames, header, n), NULL, 0,
	      ".eh_frame_hdr cannot be read");
}
END_TEST

START_TEST(an_entry_without_its_cie_is_left_out)
{
	size_t n;
	uint8_t *bytes = elf_frames_build(&elf_kinds[_i], &two_frames, &n);
	size_t first = 4 + bytes[0] + bytes[3]; /* of which one is 0 */

	/* The first FDE refers to the middle of the CIE. */
	elf_put(&elf_kinds[_i], bytes + first + 4, first, 4);
	check(read_section(&elf_kinds[_i], bytes, n), two_read + 1, 1,
	      "1 of 3 entries");
	free(bytes);
}
END_TEST

START_TEST(what_stands_before_a_cut_is_read)
{
	size_t n;
	uint8_t *bytes = elf_frames_build(&elf_kinds[_i], &two_frames, &n);
	size_t last = 0;

	for (size_t cut = 1; cut < n; cut++) {
		struct outcome outcome =
			read_section(&elf_kinds[_i], bytes, cut);
		size_t n_read = outcome.fdes.n;

		ck_assert_uint_ge(n_read, last);
		last = n_read;
		for (size_t i = 0; i < n_read; i++)
			ck_assert_uint_eq(outcome.fdes.all[i].lo,
					  two_read[i].lo);
		prf_fdes_free(&outcome.fdes);
	}
	ck_assert_uint_eq(last, 2);
	check(read_section(&elf_kinds[_i], bytes, n - 8), two_read, 1,
	      "cannot be read from offset");
	free(bytes);
}
END_TEST

START_TEST(any_byte_may_have_any_value)
{
	const struct elf_kind *kind = &elf_kinds[_i];
	size_t n, size;
	uint8_t header[12];
	uint8_t *bytes = elf_frames_build(kind, &two_frames, &n);
	size_t header_size = put_header(kind, PCREL_S4, FRAMES, 2, header);

	for (size_t at = 0; at < n + header_size; at++) {
		uint8_t *byte = at < n ? &bytes[at] : &header[at - n];
		uint8_t was = *byte;

		for (int value = 0; value < 256; value++) {
			*byte = (uint8_t)value;
			char *file = build(kind, bytes, n, header, header_size,
					   &size);
			for (int way = 0; way < 2; way++) {
				struct outcome outcome = read_file(file, size);
				const struct prf_fdes *fdes = &outcome.fdes;

				for (size_t i = 0; i < fdes->n; i++)
					ck_assert(fdes->all[i].lo <
							  fdes->all[i].hi &&
						  (i == 0 ||
						   fdes->all[i - 1].hi <=
							   fdes->all[i].lo));
				prf_fdes_free(&outcome.fdes);
				elf_drop_sections(file);
			}
			free(file);
		}
		*byte = was;
	}
	free(bytes);
}
END_TEST

/* A CIE whose personality is a number of which no byte is the last: who looks
 * for its end looks at all that follows. */
START_TEST(a_million_entries_without_an_end_do_not_take_for_ever)
{
	enum { N = 1000000, CIE_BYTES = 20 };
	static const uint8_t cie[CIE_BYTES] = {
		16,  0,   0,   0, 0, 0, 0, 0, 1,
		'z', 'P', 'R', 0, 1, 1, 1, 2, DW_EH_PE_uleb128};
	uint8_t *bytes = malloc((size_t)N * CIE_BYTES);

	for (size_t i = 0; i < N; i++)
		memcpy(bytes + i * CIE_BYTES, cie, CIE_BYTES);
	struct outcome outcome =
		read_section(&elf_kinds[0], bytes, (size_t)N * CIE_BYTES);
	free(bytes);
	check(outcome, NULL, 0, NULL);
}
END_TEST

static int
count(void *arg, uint64_t at, uint64_t vaddr, uint64_t size)
{
	(void)at, (void)vaddr, (void)size;
	++*(size_t *)arg;
	return 0;
}

/* Reads MADE entry by entry, then its first two entries as an FDE each, where
 * memory ends with it.  How many FDEs there were. */
static size_t
read_at_the_end(const struct elf_kind *kind, const struct elf_frames *made)
{
	struct prf_object object;
	struct prf_frames_entry entry;
	size_t n, n_fdes, n_told = 0, size;
	uint8_t *bytes = elf_frames_build(kind, made, &n);
	struct prf_guard guard = prf_guard_new(n);
	Elf_Data data = {.d_buf = prf_guard_copy(&guard, bytes, n),
			 .d_size = n};
	const struct prf_frames frames = {
		.data = &data,
		.vaddr = made->vaddr,
		.has_end = true,
		.is_debug = made->is_debug,
	};
	char *file = build(kind, NULL, 0, NULL, 0, &size);

	ck_assert_int_eq(
		prf_object_open_memory(&object, file, size, "test", NULL), 0);
	ck_assert_int_eq(
		prf_frames_read(&frames, &object, count, &n_told, &n_fdes), 0);
	ck_assert_uint_eq(n_told, n_fdes);
	uint64_t second = 4 + bytes[0] + bytes[3]; /* of which one is 0 */
	prf_frames_entry_at(&object, &frames, 0, &entry);
	bool found = prf_frames_entry_at(&object, &frames, second, &entry);
	ck_assert_int_eq(found, n_fdes > 0);
	prf_object_close(&object);
	prf_guard_free(&guard);
	free(bytes);
	free(file);
	return n_fdes;
}

/* A CIE whose letters say that it has more data than it has. */
START_TEST(letters_without_data_lead_nowhere_behind_the_end)
{
	static const char letters[] = "LRP";
	enum { MOST = 64 };

	for (size_t i = 0; i < (COUNT(letters) - 1) * MOST; i++) {
		char augmentation[MOST + 2] = "z";
		struct elf_frames frames = {
			.vaddr = FRAMES,
			.encoding = DW_EH_PE_absptr,
			.augmentation = augmentation,
			.endless = true,
			.fdes = two,
		};

		memset(augmentation + 1, letters[i / MOST], i % MOST + 1);
		for (int way = 0; way < 4; way++) {
			frames.is_debug = way & 1;
			frames.n_fdes = way >> 1;
			ck_assert_uint_eq(
				read_at_the_end(&elf_kinds[_i], &frames), 0);
		}
	}
}
END_TEST

/* The shortest entries, of which each byte counts. */
START_TEST(an_entry_is_read_to_its_last_byte)
{
	for (int is_debug = 0; is_debug < 2; is_debug++)
		ck_assert_uint_eq(
			read_at_the_end(&elf_kinds[_i],
					&(struct elf_frames){
						.vaddr = FRAMES,
						.encoding = DW_EH_PE_absptr,
						.augmentation = "",
						.endless = true,
						.is_debug = is_debug,
						.fdes = two,
						.n_fdes = 1}),
			1);
}
END_TEST

/* Many headers of sections lie over the same bytes, which are most of the file. */
START_TEST(sections_are_not_read_again_and_again_under_other_headers)
{
	enum { N = 20, FRAMES_BYTES = 1 << 16 };
	struct elf_builder *builder = elf_builder_new(&elf_kinds[0]);
	size_t size;

	for (size_t i = 0; i < N; i++)
		elf_builder_section(
			builder,
			&(struct elf_section){.name = ".eh_frame",
					      .flags = SHF_ALLOC,
					      .size = i ? 4 : FRAMES_BYTES});
	char *file = elf_builder_finish(builder, &size);
	elf_builder_free(builder);
	const Elf64_Ehdr *ehdr = (void *)file;
	Elf64_Shdr *first = (Elf64_Shdr *)(void *)(file + ehdr->e_shoff) + 1;
	for (size_t i = 1; i < N; i++) {
		first[i].sh_offset = first->sh_offset;
		first[i].sh_size = first->sh_size;
	}
	check(read_file(file, size), NULL, 0, "larger than the file");
	free(file);
}
END_TEST

START_TEST(of_two_sections_both_are_read)
{
	struct elf_builder *builder = elf_builder_new(&elf_kinds[_i]);
	size_t n, size;
	struct elf_frames one = two_frames;

	for (size_t i = 0; i < 2; i++) {
		one.vaddr = FRAMES + 0x100 * i;
		one.fdes = two + 1 - i;
		one.n_fdes = 1;
		uint8_t *bytes = elf_frames_build(&elf_kinds[_i], &one, &n);
		elf_builder_section(builder, &(struct elf_section){
						     .name = ".eh_frame",
						     .type = i ? 0x70000001 : 0,
						     .flags = SHF_ALLOC,
						     .vaddr = one.vaddr,
						     .bytes = bytes,
						     .size = n});
		free(bytes);
	}
	char *file = elf_builder_finish(builder, &size);
	elf_builder_free(builder);
	check(read_file(file, size), two_read, 2, NULL);
	free(file);
}
END_TEST

START_TEST(an_image_without_symbols_has_a_piece_for_each)
{
	static const struct prf_text pieces[] = {
		{TEXT, 0x1010, .kind = PRF_TEXT_GAP},
		{0x1010, 0x1030, .kind = PRF_TEXT_UNNAMED},
		{0x1030, 0x1040, .kind = PRF_TEXT_GAP},
		{0x1040, 0x1072, .kind = PRF_TEXT_UNNAMED},
		{0x1072, TEXT + TEXT_BYTES, .kind = PRF_TEXT_GAP},
	};
	uint8_t header[12];
	size_t n, size;
	uint8_t *bytes = elf_frames_build(&elf_kinds[_i], &two_frames, &n);
	char *file = build(
		&elf_kinds[_i], bytes, n, header,
		put_header(&elf_kinds[_i], PCREL_S4, FRAMES, 2, header), &size);

	for (int way = 0; way < 2; way++) {
		struct prf_image *image = NULL;
		ck_assert_int_eq(
			prf_image_open_memory(file, size, "t", &image, NULL),
			0);
		ck_assert_ptr_null(prf_image_warning(image));
		const struct prf_text *texts = prf_image_texts(image, &n);
		ck_assert_uint_eq(n, COUNT(pieces));
		for (size_t i = 0; i < n; i++) {
			ck_assert_uint_eq(texts[i].lo, pieces[i].lo);
			ck_assert_uint_eq(texts[i].hi, pieces[i].hi);
			ck_assert_int_eq(texts[i].kind, pieces[i].kind);
			ck_assert_str_eq(texts[i].name,
					 way ? "[text]" : "[.text]");
		}
		prf_image_close(image);
		elf_drop_sections(file);
	}
	free(bytes);
	free(file);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("fdes");
	TCase *tcase = tcase_create("fdes");

	tcase_set_timeout(tcase, 300);
	tcase_add_loop_test(tcase, every_encoding_says_the_same, 0, 4);
	tcase_add_loop_test(
		tcase, an_encoding_that_no_file_can_answer_is_refused, 0, 4);
	tcase_add_loop_test(tcase, the_64_bit_format_is_read, 0, 4);
	tcase_add_loop_test(tcase, a_section_without_entries_is_no_fault, 0, 4);
	tcase_add_loop_test(
		tcase, a_first_entry_longer_than_the_section_is_a_fault, 0, 4);
	tcase_add_loop_test(tcase, a_section_may_end_without_an_end, 0, 4);
	tcase_add_loop_test(tcase,
			    the_letters_of_an_augmentation_lead_to_the_encoding,
			    0, 4);
	tcase_add_loop_test(tcase, what_overlaps_is_the_later_ones, 0, 4);
	tcase_add_loop_test(tcase, an_fde_of_nothing_is_none, 0, 4);
	tcase_add_loop_test(tcase, the_last_addresses_do_not_wrap, 0, 2);
	tcase_add_loop_test(tcase, without_sections_a_segment_leads_to_them, 0,
			    4);
	tcase_add_loop_test(tcase, without_sections_no_end_is_needed, 0, 4);
	tcase_add_loop_test(tcase, fewer_than_the_header_counts_is_a_warning, 0,
			    4);
	tcase_add_loop_test(tcase, a_header_that_leads_nowhere_is_a_warning, 0,
			    4);
	tcase_add_loop_test(tcase, an_entry_without_its_cie_is_left_out, 0, 4);
	tcase_add_loop_test(tcase, what_stands_before_a_cut_is_read, 0, 4);
	tcase_add_loop_test(tcase, any_byte_may_have_any_value, 0, 4);
	tcase_add_test(tcase,
		       a_million_entries_without_an_end_do_not_take_for_ever);
	tcase_add_loop_test(
		tcase, letters_without_data_lead_nowhere_behind_the_end, 0, 4);
	tcase_add_loop_test(tcase, an_entry_is_read_to_its_last_byte, 0, 4);
	tcase_add_test(
		tcase,
		sections_are_not_read_again_and_again_under_other_headers);
	tcase_add_loop_test(tcase, of_two_sections_both_are_read, 0, 4);
	tcase_add_loop_test(
		tcase, an_image_without_symbols_has_a_piece_for_each, 0, 4);
	suite_add_tcase(suite, tcase);
	return suite;
}
