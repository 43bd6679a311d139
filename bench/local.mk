# bench: speed, measured; never part of make check.
EXTRA_PROGRAMS += %D%/engine
CLEANFILES += %D%/engine$(EXEEXT)

%C%_engine_SOURCES = %D%/engine.c
%C%_engine_LDADD = $(prf_core_libs)

.PHONY: bench-engine
bench-engine: %D%/engine$(EXEEXT)
	$(AM_V_at)./%D%/engine$(EXEEXT)
