# tests/core: one program for each file of lib/core; links core alone.
check_PROGRAMS_UNIT += \
	%D%/test_bump \
	%D%/test_dialect \
	%D%/test_error \
	%D%/test_hist \
	%D%/test_pcsample \
	%D%/test_region \
	%D%/test_search \
	%D%/test_table \
	%D%/test_vectors

%C%_test_bump_SOURCES = \
	%D%/test_bump.c %D%/random.h %D%/vectors.c %D%/vectors.h
%C%_test_bump_CFLAGS = $(prf_test_cflags)
%C%_test_bump_LDADD = $(prf_core_libs) $(prf_test_libs)

%C%_test_dialect_SOURCES = %D%/test_dialect.c
%C%_test_dialect_CFLAGS = $(prf_test_cflags)
%C%_test_dialect_LDADD = $(prf_core_libs) $(prf_test_libs)

%C%_test_error_SOURCES = %D%/test_error.c
%C%_test_error_CFLAGS = $(prf_test_cflags)
%C%_test_error_LDADD = $(prf_core_libs) $(prf_test_libs)

%C%_test_hist_SOURCES = %D%/test_hist.c %D%/random.h
%C%_test_hist_CFLAGS = $(prf_test_cflags)
%C%_test_hist_LDADD = $(prf_core_libs) $(prf_test_libs)

%C%_test_pcsample_SOURCES = \
	%D%/test_pcsample.c %D%/vectors.c %D%/vectors.h
%C%_test_pcsample_CFLAGS = $(prf_test_cflags)
%C%_test_pcsample_LDADD = $(prf_core_libs) $(prf_test_libs)

%C%_test_region_SOURCES = %D%/test_region.c %D%/random.h
%C%_test_region_CFLAGS = $(prf_test_cflags)
%C%_test_region_LDADD = $(prf_core_libs) $(prf_test_libs)

%C%_test_search_SOURCES = %D%/test_search.c %D%/random.h
%C%_test_search_CFLAGS = $(prf_test_cflags)
%C%_test_search_LDADD = $(prf_core_libs) $(prf_test_libs)

%C%_test_table_SOURCES = %D%/test_table.c %D%/random.h
%C%_test_table_CFLAGS = $(prf_test_cflags)
%C%_test_table_LDADD = $(prf_core_libs) $(prf_test_libs)

%C%_test_vectors_SOURCES = \
	%D%/test_vectors.c %D%/vectors.c %D%/vectors.h
%C%_test_vectors_CFLAGS = $(prf_test_cflags)
%C%_test_vectors_LDADD = $(prf_core_libs) $(prf_test_libs)

EXTRA_DIST += tests/fixtures/vectors.csv tests/fixtures/vectors.txt
