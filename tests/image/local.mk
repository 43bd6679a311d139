# tests/image: one program for each file of lib/image; links image and core.
check_LIBRARIES += tests/support/libelfbuilder.a
tests_support_libelfbuilder_a_SOURCES = \
	tests/support/elf_builder.c \
	tests/support/elf_builder.h \
	tests/support/elf_frames.c \
	tests/support/elf_frames.h \
	tests/support/xz_stream.c \
	tests/support/xz_stream.h
tests_support_libelfbuilder_a_CFLAGS = $(prf_test_cflags)

prf_image_test_libs = tests/support/libelfbuilder.a $(prf_image_libs) \
	$(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_demangle
%C%_test_demangle_SOURCES = %D%/test_demangle.c
%C%_test_demangle_CFLAGS = $(prf_test_cflags)
%C%_test_demangle_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_disassembly
%C%_test_disassembly_SOURCES = %D%/test_disassembly.c
%C%_test_disassembly_CFLAGS = $(prf_test_cflags)
%C%_test_disassembly_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_fdes
%C%_test_fdes_SOURCES = %D%/test_fdes.c
%C%_test_fdes_CFLAGS = $(prf_test_cflags)
%C%_test_fdes_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_debug_info
%C%_test_debug_info_SOURCES = %D%/test_debug_info.c
%C%_test_debug_info_CFLAGS = $(prf_test_cflags)
%C%_test_debug_info_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_inlines
%C%_test_inlines_SOURCES = %D%/test_inlines.c
%C%_test_inlines_CFLAGS = $(prf_test_cflags)
%C%_test_inlines_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_kallsyms
%C%_test_kallsyms_SOURCES = %D%/test_kallsyms.c
%C%_test_kallsyms_CFLAGS = $(prf_test_cflags)
%C%_test_kallsyms_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_layout
%C%_test_layout_SOURCES = %D%/test_layout.c
%C%_test_layout_CFLAGS = $(prf_test_cflags)
%C%_test_layout_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_lazy
%C%_test_lazy_SOURCES = %D%/test_lazy.c
%C%_test_lazy_CFLAGS = $(prf_test_cflags)
%C%_test_lazy_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_maps
%C%_test_maps_SOURCES = %D%/test_maps.c
%C%_test_maps_CFLAGS = $(prf_test_cflags)
%C%_test_maps_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_names
%C%_test_names_SOURCES = %D%/test_names.c
%C%_test_names_CFLAGS = $(prf_test_cflags)
%C%_test_names_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_note
%C%_test_note_SOURCES = %D%/test_note.c
%C%_test_note_CFLAGS = $(prf_test_cflags)
%C%_test_note_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_perfmap
%C%_test_perfmap_SOURCES = %D%/test_perfmap.c
%C%_test_perfmap_CFLAGS = $(prf_test_cflags)
%C%_test_perfmap_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_syscalls
%C%_test_syscalls_SOURCES = %D%/test_syscalls.c
%C%_test_syscalls_CFLAGS = $(prf_test_cflags)
%C%_test_syscalls_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_vdso
%C%_test_vdso_SOURCES = %D%/test_vdso.c
%C%_test_vdso_CFLAGS = $(prf_test_cflags)
%C%_test_vdso_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_nested
%C%_test_nested_SOURCES = %D%/test_nested.c
%C%_test_nested_CFLAGS = $(prf_test_cflags)
%C%_test_nested_LDADD = $(prf_image_test_libs)

# This program's own lines are asked for.
check_PROGRAMS_UNIT += %D%/test_line_program
%C%_test_line_program_SOURCES = %D%/test_line_program.c
%C%_test_line_program_CFLAGS = $(prf_test_cflags)
%C%_test_line_program_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_lines
%C%_test_lines_SOURCES = %D%/test_lines.c
%C%_test_lines_CFLAGS = $(prf_test_cflags) -g -O2
%C%_test_lines_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_texts
%C%_test_texts_SOURCES = %D%/test_texts.c
%C%_test_texts_CFLAGS = $(prf_test_cflags)
%C%_test_texts_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_dynamic
%C%_test_dynamic_SOURCES = %D%/test_dynamic.c
%C%_test_dynamic_CFLAGS = $(prf_test_cflags)
%C%_test_dynamic_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_hostile
%C%_test_hostile_SOURCES = %D%/test_hostile.c
%C%_test_hostile_CFLAGS = $(prf_test_cflags)
%C%_test_hostile_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_plt
%C%_test_plt_SOURCES = %D%/test_plt.c
%C%_test_plt_CFLAGS = $(prf_test_cflags)
%C%_test_plt_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_starts
%C%_test_starts_SOURCES = %D%/test_starts.c
%C%_test_starts_CFLAGS = $(prf_test_cflags)
%C%_test_starts_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_symtab
%C%_test_symtab_SOURCES = %D%/test_symtab.c
%C%_test_symtab_CFLAGS = $(prf_test_cflags)
%C%_test_symtab_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_debuginfod
%C%_test_debuginfod_SOURCES = %D%/test_debuginfod.c
%C%_test_debuginfod_CFLAGS = $(prf_test_cflags)
%C%_test_debuginfod_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_debugfile
%C%_test_debugfile_SOURCES = %D%/test_debugfile.c
%C%_test_debugfile_CFLAGS = $(prf_test_cflags)
%C%_test_debugfile_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_image
%C%_test_image_SOURCES = %D%/test_image.c
%C%_test_image_CFLAGS = $(prf_test_cflags)
%C%_test_image_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_xz
%C%_test_xz_SOURCES = %D%/test_xz.c
%C%_test_xz_CFLAGS = $(prf_test_cflags)
%C%_test_xz_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_minidebug
%C%_test_minidebug_SOURCES = %D%/test_minidebug.c
%C%_test_minidebug_CFLAGS = $(prf_test_cflags)
%C%_test_minidebug_LDADD = $(prf_image_test_libs)

# nm(1) and objdump(1) as judges.
check_PROGRAMS += %D%/print_texts
%C%_print_texts_SOURCES = %D%/print_texts.c
%C%_print_texts_LDADD = $(prf_image_libs)

# libdw and bfd as judges of lines.
check_PROGRAMS += %D%/judge_lines
%C%_judge_lines_SOURCES = %D%/judge_lines.c
%C%_judge_lines_LDADD = $(prf_image_libs)

dist_check_SCRIPTS += %D%/check-fdes-as-nm.sh \
	%D%/check-lines-as-bfd.sh \
	%D%/check-plt-as-objdump.sh \
	%D%/check-syscalls-as-headers.sh \
	%D%/check-symbols-as-nm.sh
TESTS += %D%/check-fdes-as-nm.sh \
	%D%/check-lines-as-bfd.sh \
	%D%/check-plt-as-objdump.sh \
	%D%/check-syscalls-as-headers.sh \
	%D%/check-symbols-as-nm.sh

check_PROGRAMS_UNIT += %D%/test_buildid
%C%_test_buildid_SOURCES = %D%/test_buildid.c $(prf_event_log)
%C%_test_buildid_CFLAGS = $(prf_test_cflags)
%C%_test_buildid_LDADD = $(prf_image_test_libs)

# libdw as judge of CFI.
check_PROGRAMS_UNIT += %D%/test_cfi_as_libdw
%C%_test_cfi_as_libdw_SOURCES = %D%/test_cfi_as_libdw.c
%C%_test_cfi_as_libdw_CFLAGS = $(prf_test_cflags)
%C%_test_cfi_as_libdw_LDADD = $(prf_image_test_libs)

# Every row of every ELF file that is installed, as libdw has it; by hand, since it
# takes a quarter of an hour.
.PHONY: check-cfi-all
check-cfi-all: %D%/test_cfi_as_libdw$(EXEEXT)
	$(AM_V_at)find /usr/bin /usr/sbin /usr/lib /usr/lib32 /usr/libexec \
		-xdev -type f \
		\( -perm -u+x -o -name '*.so*' \) >cfi-files.txt 2>/dev/null; \
	CK_FORK=no PRF_CFI_FILES=cfi-files.txt \
		CK_RUN_CASE=list ./%D%/test_cfi_as_libdw$(EXEEXT)
CLEANFILES += cfi-files.txt

check_PROGRAMS_UNIT += %D%/test_cfi_cache
%C%_test_cfi_cache_SOURCES = %D%/test_cfi_cache.c
%C%_test_cfi_cache_CFLAGS = $(prf_test_cflags)
%C%_test_cfi_cache_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_cfi
%C%_test_cfi_SOURCES = %D%/test_cfi.c
%C%_test_cfi_CFLAGS = $(prf_test_cflags)
%C%_test_cfi_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_dwarf_bytes
%C%_test_dwarf_bytes_SOURCES = %D%/test_dwarf_bytes.c
%C%_test_dwarf_bytes_CFLAGS = $(prf_test_cflags)
%C%_test_dwarf_bytes_LDADD = $(prf_image_test_libs)
