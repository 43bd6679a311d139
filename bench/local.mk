# bench: speed, measured; never part of make check.
EXTRA_PROGRAMS += %D%/symbols
%C%_symbols_SOURCES = %D%/symbols.c
%C%_symbols_LDADD = $(prf_image_libs)
CLEANFILES += %D%/symbols$(EXEEXT)

# make bench-symbols BENCH_FILES='/usr/bin/node /usr/lib/libLLVM.so'
BENCH_FILES = %D%/symbols$(EXEEXT)
bench-symbols: %D%/symbols$(EXEEXT)
	%D%/symbols $(BENCH_FILES)
.PHONY: bench-symbols

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
%C%_replay_LDADD = $(prf_view_libs)
EXTRA_DIST += %D%/replay.sh

.PHONY: bench-replay
bench-replay: %D%/replay$(EXEEXT)
	$(AM_V_at)CC='$(CC)' $(SHELL) $(srcdir)/%D%/replay.sh \
		./%D%/replay$(EXEEXT)

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
