# tests/image: one program for each file of lib/image; links image and core.
check_LTLIBRARIES += tests/support/libelfbuilder.la
tests_support_libelfbuilder_la_SOURCES = \
	tests/support/elf_builder.c \
	tests/support/elf_builder.h
tests_support_libelfbuilder_la_CFLAGS = $(prf_test_cflags)

prf_image_test_libs = tests/support/libelfbuilder.la $(prf_image_libs) \
	$(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_demangle
%C%_test_demangle_SOURCES = %D%/test_demangle.c
%C%_test_demangle_CFLAGS = $(prf_test_cflags)
%C%_test_demangle_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_layout
%C%_test_layout_SOURCES = %D%/test_layout.c
%C%_test_layout_CFLAGS = $(prf_test_cflags)
%C%_test_layout_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_maps
%C%_test_maps_SOURCES = %D%/test_maps.c
%C%_test_maps_CFLAGS = $(prf_test_cflags)
%C%_test_maps_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_names
%C%_test_names_SOURCES = %D%/test_names.c
%C%_test_names_CFLAGS = $(prf_test_cflags)
%C%_test_names_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_perfmap
%C%_test_perfmap_SOURCES = %D%/test_perfmap.c
%C%_test_perfmap_CFLAGS = $(prf_test_cflags)
%C%_test_perfmap_LDADD = $(prf_image_test_libs)

check_PROGRAMS_UNIT += %D%/test_syscalls
%C%_test_syscalls_SOURCES = %D%/test_syscalls.c
%C%_test_syscalls_CFLAGS = $(prf_test_cflags)
%C%_test_syscalls_LDADD = $(prf_image_test_libs)

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

check_PROGRAMS_UNIT += %D%/test_symtab
%C%_test_symtab_SOURCES = %D%/test_symtab.c
%C%_test_symtab_CFLAGS = $(prf_test_cflags)
%C%_test_symtab_LDADD = $(prf_image_test_libs)

