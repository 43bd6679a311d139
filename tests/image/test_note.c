#include "image/note.h"

#include <stdlib.h>
#include <string.h>

#include "support/elf_builder.h"
#include "support/elf_frames.h"
#include "support/suite.h"

/* One after the other; each begins where the alignment has it. */
struct note {
	const char *owner;
	uint32_t type;
	const char *text;
};

static size_t
put_note(const struct elf_kind *kind, size_t alignment, const struct note *note,
	 uint8_t *bytes)
{
	size_t owner_bytes = strlen(note->owner) + 1;
	size_t text_at =
		(12 + owner_bytes + alignment - 1) / alignment * alignment;

	elf_put(kind, bytes, owner_bytes, 4);
	elf_put(kind, bytes + 4, strlen(note->text), 4);
	elf_put(kind, bytes + 8, note->type, 4);
	memcpy(bytes + 12, note->owner, owner_bytes);
	memcpy(bytes + text_at, note->text, strlen(note->text));
	return (text_at + strlen(note->text) + alignment - 1) / alignment *
	       alignment;
}

/* A file with SIZE bytes of notes, to which a section and a segment lead. */
static char *
build(const struct elf_kind *kind, const uint8_t *notes, size_t n_notes,
      size_t alignment, size_t *size)
{
	struct elf_builder *builder = elf_builder_new(kind);

	elf_builder_section(builder, &(struct elf_section){.name = ".note",
							   .type = SHT_NOTE,
							   .flags = SHF_ALLOC,
							   .vaddr = 0x1000,
							   .size = n_notes});
	elf_builder_segment(builder, &(GElf_Phdr){.p_type = PT_NOTE,
						  .p_offset = 0x1000,
						  .p_vaddr = 0x1000,
						  .p_filesz = n_notes,
						  .p_align = alignment});
	char *file = elf_builder_finish(builder, size);
	elf_builder_free(builder);
	/* libelf would convert them. */
	memcpy(file + 0x1000, notes, n_notes);
	return file;
}

/* The build-id of FILE is WANT, which is "" for none; at most 8 bytes of it are
 * wanted. */
static void
check(const char *file, size_t size, const char *want)
{
	struct prf_object object;
	uint8_t id[8];

	ck_assert_int_eq(prf_object_open_memory(&object, file, size, "t", NULL),
			 0);
	ck_assert_uint_eq(prf_note_build_id(&object, id, sizeof id),
			  strlen(want));
	ck_assert_mem_eq(id, want, strlen(want));
	prf_object_close(&object);
}

/* What is read of the NOTES by the section, where ALIGNMENT is 4, and by the
 * segment. */
static void
check_notes(const struct elf_kind *kind, const struct note *notes, size_t n,
	    size_t alignment, const char *want)
{
	uint8_t bytes[256] = {0};
	size_t n_bytes = 0, size;

	for (size_t i = 0; i < n; i++)
		n_bytes +=
			put_note(kind, alignment, &notes[i], bytes + n_bytes);
	char *file = build(kind, bytes, n_bytes, alignment, &size);
	if (alignment == 4)
		check(file, size, want);
	elf_drop_sections(file);
	check(file, size, want);
	free(file);
}

START_TEST(the_build_id_is_found_behind_other_notes)
{
	static const struct note notes[] = {
		{"GNU", 5, "12345"},
		{"Linux", NT_GNU_BUILD_ID, "not it"},
		{"", NT_GNU_BUILD_ID, ""},
		{"GNU", NT_GNU_BUILD_ID, "abc"},
		{"GNU", NT_GNU_BUILD_ID, "second"},
	};

	check_notes(&elf_kinds[_i], notes, 5, 4, "abc");
	check_notes(&elf_kinds[_i], notes, 5, 8, "abc");
	check_notes(&elf_kinds[_i], notes, 3, 4, "");
}
END_TEST

START_TEST(a_build_id_that_is_too_long_is_none)
{
	static const struct note longest = {"GNU", NT_GNU_BUILD_ID, "12345678"};
	static const struct note longer = {"GNU", NT_GNU_BUILD_ID, "123456789"};

	check_notes(&elf_kinds[_i], &longest, 1, 4, longest.text);
	check_notes(&elf_kinds[_i], &longer, 1, 4, "");
}
END_TEST

/* Flush against the end of the file, where no other byte follows. */
START_TEST(notes_that_are_cut_have_no_build_id)
{
	static const struct note note = {"GNU", NT_GNU_BUILD_ID, "abcd"};
	uint8_t bytes[32] = {0};
	size_t n = put_note(&elf_kinds[_i], 4, &note, bytes), size;
	char *file = build(&elf_kinds[_i], bytes, n, 4, &size);

	elf_drop_sections(file);
	for (size_t cut = 0; cut <= n; cut++) {
		char *copy = malloc(0x1000 + cut);

		memcpy(copy, file, 0x1000 + cut);
		check(copy, 0x1000 + cut, cut == n ? "abcd" : "");
		free(copy);
	}
	free(file);
}
END_TEST

START_TEST(no_length_leads_out_of_the_notes)
{
	static const struct note note = {"GNU", NT_GNU_BUILD_ID, "abcd"};
	uint8_t bytes[32] = {0};
	size_t n = put_note(&elf_kinds[_i], 4, &note, bytes);

	for (size_t field = 0; field < 8; field += 4) {
		uint8_t damaged[32];
		size_t size;

		memcpy(damaged, bytes, sizeof damaged);
		elf_put(&elf_kinds[_i], damaged + field, UINT32_MAX, 4);
		char *file = build(&elf_kinds[_i], damaged, n, 4, &size);
		check(file, size, "");
		free(file);
	}
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("note");
	TCase *tcase = tcase_create("note");

	tcase_add_loop_test(tcase, the_build_id_is_found_behind_other_notes, 0,
			    4);
	tcase_add_loop_test(tcase, a_build_id_that_is_too_long_is_none, 0, 4);
	tcase_add_loop_test(tcase, notes_that_are_cut_have_no_build_id, 0, 4);
	tcase_add_loop_test(tcase, no_length_leads_out_of_the_notes, 0, 4);
	suite_add_tcase(suite, tcase);
	return suite;
}
