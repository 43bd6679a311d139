# bench: what profrun costs and how true it is; never part of make check.
#
#	make bench		all studies, about 20 minutes on two processors
#	make bench-NAME		one of them, within three minutes
#	make bench-truth	those about truth
#	make bench-bars		what the results so far say of bench/bars
#	make bench-digest	the table for bench/README.md
#	make bench-build	builds all that they run, and runs nothing
#
# BENCH_TIME=0.2 takes a fifth of the time, BENCH_TIME=3 three times as long.
prf_bench_cost = cost overhead threads stacks sleepers
prf_bench_truth = shares aliasing bursts lives causality stability accounts stops \
	bias unchanged
prf_bench_studies = $(prf_bench_cost) $(prf_bench_truth) programs

prf_bench_programs = \
	%D%/programs/beat \
	%D%/programs/burn \
	%D%/programs/equal \
	%D%/programs/gaps \
	%D%/programs/measure \
	%D%/programs/newborns \
	%D%/programs/ratios \
	%D%/programs/spawn \
	%D%/programs/stops \
	%D%/programs/unwound
EXTRA_PROGRAMS += $(prf_bench_programs)
CLEANFILES += $(prf_bench_programs)

# As a user's programs are built, like those of tests/workloads.
prf_bench_cflags = $(prf_workload_cflags) -I$(top_srcdir)/tests/workloads

%C%_programs_beat_SOURCES = %D%/programs/beat.c
%C%_programs_beat_CFLAGS = $(prf_bench_cflags)
%C%_programs_beat_LDFLAGS = $(prf_workload_ldflags)

%C%_programs_burn_SOURCES = %D%/programs/burn.c
%C%_programs_burn_CFLAGS = $(prf_bench_cflags)
%C%_programs_burn_LDFLAGS = $(prf_workload_ldflags)

%C%_programs_equal_SOURCES = %D%/programs/functions.h %D%/programs/equal.c
%C%_programs_equal_CFLAGS = $(prf_bench_cflags)
%C%_programs_equal_LDFLAGS = $(prf_workload_ldflags)

%C%_programs_gaps_SOURCES = %D%/programs/gaps.h %D%/programs/gaps.c
%C%_programs_gaps_CFLAGS = $(prf_bench_cflags)
%C%_programs_gaps_LDFLAGS = $(prf_workload_ldflags)

%C%_programs_measure_SOURCES = %D%/programs/measure.c
%C%_programs_measure_CFLAGS = $(prf_bench_cflags)
%C%_programs_measure_LDFLAGS = $(prf_workload_ldflags)

%C%_programs_newborns_SOURCES = %D%/programs/newborns.c
%C%_programs_newborns_CFLAGS = $(prf_bench_cflags)
%C%_programs_newborns_LDADD = $(prf_live_libs)

%C%_programs_ratios_SOURCES = %D%/programs/functions.h %D%/programs/ratios.c
%C%_programs_ratios_CFLAGS = $(prf_bench_cflags)
%C%_programs_ratios_LDFLAGS = $(prf_workload_ldflags)

%C%_programs_spawn_SOURCES = %D%/programs/spawn.c
%C%_programs_spawn_CFLAGS = $(prf_bench_cflags)
%C%_programs_spawn_LDFLAGS = $(prf_workload_ldflags)

%C%_programs_stops_SOURCES = %D%/programs/gaps.h %D%/programs/stops.c
%C%_programs_stops_CFLAGS = $(prf_bench_cflags)
%C%_programs_stops_LDFLAGS = $(prf_workload_ldflags)

%C%_programs_unwound_SOURCES = %D%/programs/unwound.c $(prf_copied_stack)
%C%_programs_unwound_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
%C%_programs_unwound_CFLAGS = $(prf_bench_cflags)
%C%_programs_unwound_LDADD = $(prf_unwind_libs)

EXTRA_DIST += \
	%D%/README.md \
	%D%/bars \
	%D%/diff.py \
	%D%/gdb_stacks.py \
	%D%/run.py \
	%D%/harness/__init__.py \
	%D%/harness/bars.py \
	%D%/harness/bench.py \
	%D%/harness/digest.py \
	%D%/harness/elf.py \
	%D%/harness/figures.py \
	%D%/harness/looks.py \
	%D%/harness/machine.py \
	%D%/harness/moments.py \
	%D%/harness/pairs.py \
	%D%/harness/perf_places.py \
	%D%/harness/places.py \
	%D%/harness/process.py \
	%D%/harness/profiles.py \
	%D%/harness/score.py \
	%D%/harness/tables.py \
	%D%/harness/tools.py \
	%D%/studies/__init__.py \
	%D%/studies/accounts.py \
	%D%/studies/aliasing.py \
	%D%/studies/bias.py \
	%D%/studies/bursts.py \
	%D%/studies/causality.py \
	%D%/studies/cost.py \
	%D%/studies/lives.py \
	%D%/studies/overhead.py \
	%D%/studies/programs.py \
	%D%/studies/shares.py \
	%D%/studies/sleepers.py \
	%D%/studies/stacks.py \
	%D%/studies/stability.py \
	%D%/studies/stops.py \
	%D%/studies/threads.py \
	%D%/studies/unchanged.py

# The parts that think are tested by make check.
dist_check_SCRIPTS += %D%/tests/check.sh
TESTS += %D%/tests/check.sh
EXTRA_DIST += \
	%D%/tests/__init__.py \
	%D%/tests/test_bars.py \
	%D%/tests/test_figures.py \
	%D%/tests/test_looks.py \
	%D%/tests/test_moments.py \
	%D%/tests/test_profiles.py

DISTCLEANFILES = %D%/results/*.json

PYTHON3 = python3
BENCH_TIME = 1
prf_bench_run = $(PYTHON3) $(top_srcdir)/%D%/run.py --source $(top_srcdir) \
	--build $(top_builddir) --cc '$(CC)'
prf_bench_built = $(prf_bench_programs) $(prf_workloads) \
	tests/workloads/in_first.la tests/workloads/in_second.la \
	tests/support/sampled$(EXEEXT) src/profrun$(EXEEXT)

.PHONY: bench bench-truth bench-bars bench-digest
bench: $(prf_bench_built)
	$(AM_V_at)$(prf_bench_run) --time $(BENCH_TIME)

bench-truth: $(prf_bench_built)
	$(AM_V_at)$(prf_bench_run) --time $(BENCH_TIME) $(prf_bench_truth)

bench-cost bench-overhead bench-threads bench-shares bench-aliasing \
bench-bursts bench-lives bench-causality bench-stability bench-accounts \
bench-stops bench-bias bench-unchanged bench-stacks bench-sleepers bench-programs: \
$(prf_bench_built)
	$(AM_V_at)$(prf_bench_run) --time $(BENCH_TIME) $(@:bench-%=%)
.PHONY: bench-cost bench-overhead bench-threads bench-shares bench-aliasing \
	bench-bursts bench-lives bench-causality bench-stability \
	bench-accounts bench-stops bench-bias bench-unchanged bench-stacks \
	bench-sleepers \
	bench-programs

bench-bars bench-digest:
	$(AM_V_at)$(prf_bench_run) $(@:bench-%=--%)

# Speed of the library's own parts.
EXTRA_PROGRAMS += %D%/symbols
%C%_symbols_SOURCES = %D%/symbols.c
%C%_symbols_LDADD = $(prf_image_libs)
CLEANFILES += %D%/symbols$(EXEEXT)

# make bench-symbols BENCH_FILES='/usr/bin/node /usr/lib/libLLVM.so'
BENCH_FILES = %D%/symbols$(EXEEXT)
bench-symbols: %D%/symbols$(EXEEXT)
	%D%/symbols $(BENCH_FILES)
.PHONY: bench-symbols

# make bench-lines LINES_FILES='/usr/lib/x86_64-linux-gnu/libc.so.6'
EXTRA_PROGRAMS += %D%/lines
%C%_lines_SOURCES = %D%/lines.c
%C%_lines_LDADD = $(prf_image_libs)
CLEANFILES += %D%/lines$(EXEEXT)
LINES_FILES = src/profrun$(EXEEXT)
bench-lines: %D%/lines$(EXEEXT)
	%D%/lines $(LINES_FILES)
.PHONY: bench-lines

EXTRA_PROGRAMS += %D%/engine
CLEANFILES += %D%/engine$(EXEEXT)

%C%_engine_SOURCES = %D%/engine.c
%C%_engine_LDADD = $(prf_core_libs)

.PHONY: bench-engine
bench-engine: %D%/engine$(EXEEXT)
	$(AM_V_at)./%D%/engine$(EXEEXT)

# make bench-replay: from a trace of 10^7 samples to a gmon.out.
EXTRA_PROGRAMS += %D%/replay
CLEANFILES += %D%/replay$(EXEEXT)
%C%_replay_SOURCES = %D%/replay.c
%C%_replay_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/src -I$(top_srcdir)/tests
%C%_replay_LDADD = $(prf_program_libs)
EXTRA_DIST += %D%/replay.sh

.PHONY: bench-replay
bench-replay: %D%/replay$(EXEEXT)
	$(AM_V_at)CC='$(CC)' $(SHELL) $(srcdir)/%D%/replay.sh \
		./%D%/replay$(EXEEXT)

# make bench-export: from a trace of 10^6 samples with stacks to each format.
EXTRA_DIST += %D%/export.py
.PHONY: bench-export
bench-export: %D%/replay$(EXEEXT) src/profrun$(EXEEXT)
	$(AM_V_at)CC='$(CC)' \
		COMMAND='python3 $(srcdir)/%D%/export.py src/profrun$(EXEEXT)' \
		$(SHELL) $(srcdir)/%D%/replay.sh ./%D%/replay$(EXEEXT)

# make bench-family FAMILY_ARGS='-p 2000 -t 10 -w' BENCH_FILES='/bin/sh /lib/...'
EXTRA_PROGRAMS += %D%/family
CLEANFILES += %D%/family$(EXEEXT)

%C%_family_SOURCES = %D%/family.c
%C%_family_LDADD = $(prf_view_libs)

.PHONY: bench-family
bench-family: %D%/family$(EXEEXT)
	%D%/family $(FAMILY_ARGS) $(BENCH_FILES)

EXTRA_PROGRAMS += %D%/inprocess
CLEANFILES += %D%/inprocess$(EXEEXT)

%C%_inprocess_SOURCES = %D%/inprocess.c
%C%_inprocess_LDADD = $(prf_inproc_libs)

.PHONY: bench-inprocess
bench-inprocess: %D%/inprocess$(EXEEXT)
	$(AM_V_at)./%D%/inprocess$(EXEEXT)

# make bench-diff DIFF_PAIRS=100: how often diff is wrong, with real runs.
DIFF_PAIRS = 100
.PHONY: bench-diff
bench-diff: %D%/programs/ratios$(EXEEXT) src/profrun$(EXEEXT)
	$(AM_V_at)$(PYTHON3) $(srcdir)/%D%/diff.py src/profrun$(EXEEXT) \
		%D%/programs/ratios$(EXEEXT) $(DIFF_PAIRS)

# make bench-gdb STOPS=200 GDB_STUDIES='perl xz': stacks beside gdb's.
STOPS = 200
GDB_STUDIES =
EXTRA_DIST += %D%/gdb_stacks.sh %D%/programs/handlers.c
.PHONY: bench-gdb
bench-gdb: %D%/programs/unwound$(EXEEXT)
	$(AM_V_at)abs_top_builddir='$(abs_top_builddir)' \
		abs_top_srcdir='$(abs_top_srcdir)' CC='$(CC)' STOPS='$(STOPS)' \
		$(SHELL) $(srcdir)/%D%/gdb_stacks.sh $(GDB_STUDIES)

# make bench-stepped: stacks at each instruction beside what calls have made.
.PHONY: bench-stepped
bench-stepped: tests/unwind/stepped$(EXEEXT)
	$(AM_V_at)abs_top_builddir='$(abs_top_builddir)' \
		abs_top_srcdir='$(abs_top_srcdir)' CC='$(CC)' STEPPED=all \
		$(SHELL) $(srcdir)/tests/unwind/check-as-stepped.sh

# All that make bench and make bench-NAME would build.
.PHONY: bench-build
bench-build: $(EXTRA_PROGRAMS)
