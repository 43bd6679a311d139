# tests/core: one program for each file of lib/core; links core alone.
check_PROGRAMS_UNIT += %D%/test_error

%C%_test_error_SOURCES = %D%/test_error.c
%C%_test_error_CFLAGS = $(prf_test_cflags)
%C%_test_error_LDADD = $(prf_core_libs) $(prf_test_libs)
