# tests/fuzz: what reads files of others, under libFuzzer.
#
#	./configure --enable-fuzzers CC=clang && make
#	make -j2 fuzz FUZZ_S=300	all targets, two at a time, so many
#					seconds each
#	make fuzz FUZZ_TARGETS=elf	one of them
#
# A target is one file, a row here, and its seeds in seeds.sh.  What is found
# lies below tests/fuzz/found.  Without --enable-fuzzers the targets are built
# as programs that run the files they are given: make check gives them the
# seeds.
prf_fuzz_targets = \
	cfi \
	cpuprofile \
	elf \
	gmon \
	lines \
	maps \
	pctrace \
	perfmap \
	pprof \
	profile \
	ring \
	stacks \
	syms \
	written
FUZZ_TARGETS = $(prf_fuzz_targets)
FUZZ_S = 60

prf_fuzz_programs = \
	%D%/fuzz_cfi \
	%D%/fuzz_cpuprofile \
	%D%/fuzz_elf \
	%D%/fuzz_gmon \
	%D%/fuzz_lines \
	%D%/fuzz_maps \
	%D%/fuzz_pctrace \
	%D%/fuzz_perfmap \
	%D%/fuzz_pprof \
	%D%/fuzz_profile \
	%D%/fuzz_ring \
	%D%/fuzz_stacks \
	%D%/fuzz_syms \
	%D%/fuzz_written
check_PROGRAMS += $(prf_fuzz_programs)
prf_fuzz_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
if FUZZERS
prf_fuzz_main =
prf_fuzz_ldflags = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
else
prf_fuzz_main = %D%/run_files.c
prf_fuzz_ldflags = $(AM_LDFLAGS)
endif

%C%_fuzz_cfi_SOURCES = %D%/fuzz.h %D%/fuzz_cfi.c $(prf_fuzz_main)
%C%_fuzz_cfi_CPPFLAGS = $(prf_fuzz_cppflags)
%C%_fuzz_cfi_LDFLAGS = $(prf_fuzz_ldflags)
%C%_fuzz_cfi_LDADD = $(prf_unwind_libs)

%C%_fuzz_elf_SOURCES = %D%/fuzz.h %D%/fuzz_elf.c $(prf_fuzz_main)
%C%_fuzz_elf_CPPFLAGS = $(prf_fuzz_cppflags)
%C%_fuzz_elf_LDFLAGS = $(prf_fuzz_ldflags)
%C%_fuzz_elf_LDADD = $(prf_image_libs)

%C%_fuzz_gmon_SOURCES = %D%/fuzz.h %D%/fuzz_gmon.c $(prf_fuzz_main)
%C%_fuzz_gmon_CPPFLAGS = $(prf_fuzz_cppflags)
%C%_fuzz_gmon_LDFLAGS = $(prf_fuzz_ldflags)
%C%_fuzz_gmon_LDADD = $(prf_core_libs)

%C%_fuzz_lines_SOURCES = %D%/fuzz.h %D%/fuzz_lines.c $(prf_fuzz_main)
%C%_fuzz_lines_CPPFLAGS = $(prf_fuzz_cppflags)
%C%_fuzz_lines_LDFLAGS = $(prf_fuzz_ldflags)
%C%_fuzz_lines_LDADD = $(prf_image_libs)

%C%_fuzz_maps_SOURCES = %D%/fuzz.h %D%/fuzz_maps.c $(prf_fuzz_main)
%C%_fuzz_maps_CPPFLAGS = $(prf_fuzz_cppflags)
%C%_fuzz_maps_LDFLAGS = $(prf_fuzz_ldflags)
%C%_fuzz_maps_LDADD = $(prf_image_libs)

%C%_fuzz_pctrace_SOURCES = %D%/fuzz.h %D%/as_trace.h %D%/as_trace.c \
	%D%/fuzz_pctrace.c $(prf_fuzz_main)
%C%_fuzz_pctrace_CPPFLAGS = $(prf_fuzz_cppflags)
%C%_fuzz_pctrace_LDFLAGS = $(prf_fuzz_ldflags)
%C%_fuzz_pctrace_LDADD = $(prf_core_libs)

%C%_fuzz_perfmap_SOURCES = %D%/fuzz.h %D%/fuzz_perfmap.c $(prf_fuzz_main)
%C%_fuzz_perfmap_CPPFLAGS = $(prf_fuzz_cppflags)
%C%_fuzz_perfmap_LDFLAGS = $(prf_fuzz_ldflags)
%C%_fuzz_perfmap_LDADD = $(prf_image_libs)

%C%_fuzz_cpuprofile_SOURCES = %D%/fuzz.h %D%/fuzz_cpuprofile.c $(prf_fuzz_main)
%C%_fuzz_cpuprofile_CPPFLAGS = $(prf_fuzz_cppflags)
%C%_fuzz_cpuprofile_LDFLAGS = $(prf_fuzz_ldflags)
%C%_fuzz_cpuprofile_LDADD = $(prf_view_libs)

%C%_fuzz_pprof_SOURCES = %D%/fuzz.h %D%/exported.h %D%/exported.c \
	%D%/fuzz_pprof.c $(prf_fuzz_main)
%C%_fuzz_pprof_CPPFLAGS = $(prf_fuzz_cppflags)
%C%_fuzz_pprof_LDFLAGS = $(prf_fuzz_ldflags)
%C%_fuzz_pprof_LDADD = $(prf_view_libs)

%C%_fuzz_profile_SOURCES = %D%/fuzz.h %D%/rewritten.h %D%/rewritten.c \
	%D%/fuzz_profile.c $(prf_fuzz_main)
%C%_fuzz_profile_CPPFLAGS = $(prf_fuzz_cppflags)
%C%_fuzz_profile_LDFLAGS = $(prf_fuzz_ldflags)
%C%_fuzz_profile_LDADD = $(prf_view_libs)

%C%_fuzz_ring_SOURCES = %D%/fuzz.h %D%/fuzz_ring.c $(prf_fuzz_main)
%C%_fuzz_ring_CPPFLAGS = $(prf_fuzz_cppflags)
%C%_fuzz_ring_LDFLAGS = $(prf_fuzz_ldflags)
%C%_fuzz_ring_LDADD = $(prf_live_libs)

%C%_fuzz_stacks_SOURCES = %D%/fuzz.h %D%/fuzz_stacks.c \
	$(prf_copied_stack) $(prf_fuzz_main)
%C%_fuzz_stacks_CPPFLAGS = $(prf_fuzz_cppflags)
%C%_fuzz_stacks_LDFLAGS = $(prf_fuzz_ldflags)
%C%_fuzz_stacks_LDADD = $(prf_unwind_libs)

%C%_fuzz_syms_SOURCES = %D%/fuzz.h %D%/fuzz_syms.c $(prf_fuzz_main)
%C%_fuzz_syms_CPPFLAGS = $(prf_fuzz_cppflags)
%C%_fuzz_syms_LDFLAGS = $(prf_fuzz_ldflags)
%C%_fuzz_syms_LDADD = $(prf_view_libs)

%C%_fuzz_written_SOURCES = %D%/fuzz.h %D%/as_trace.h %D%/as_trace.c \
	%D%/exported.h %D%/exported.c \
	%D%/rewritten.h %D%/rewritten.c %D%/fuzz_written.c $(prf_fuzz_main)
%C%_fuzz_written_CPPFLAGS = $(prf_fuzz_cppflags)
%C%_fuzz_written_LDFLAGS = $(prf_fuzz_ldflags)
%C%_fuzz_written_LDADD = $(prf_view_libs)

# A seed that no compiler makes.
check_PROGRAMS += %D%/foreign
%C%_foreign_SOURCES = %D%/foreign.c
%C%_foreign_CPPFLAGS = $(prf_fuzz_cppflags)
%C%_foreign_CFLAGS = $(prf_test_cflags)
%C%_foreign_LDADD = tests/support/libelfbuilder.a $(prf_image_libs) \
	$(prf_test_libs)

EXTRA_DIST += %D%/seeds.sh
dist_check_SCRIPTS += %D%/check-seeds.sh
TESTS += %D%/check-seeds.sh

.PHONY: fuzz fuzz-seeds $(prf_fuzz_targets:%=fuzz-%)
if FUZZERS
fuzz: $(FUZZ_TARGETS:%=fuzz-%)

fuzz-seeds: $(prf_fuzz_programs) tests/core/gmon_from_text \
		tests/core/write_trace tests/support/stacked %D%/foreign
	@top='$(abs_top_builddir)' CC='$(CC)' $(SHELL) $(srcdir)/%D%/seeds.sh \
		%D%/found

$(prf_fuzz_targets:%=fuzz-%): fuzz-%: fuzz-seeds
	@%D%/fuzz_$* -max_total_time=$(FUZZ_S) -timeout=10 \
		-rss_limit_mb=2048 -verbosity=0 -print_final_stats=1 \
		-artifact_prefix=%D%/found/$*- %D%/found/$*
else
fuzz:
	@echo 'fuzzing needs ./configure --enable-fuzzers CC=clang' >&2
	@exit 1
endif
