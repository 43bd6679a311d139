# What every unit test links: a main, and helpers for hard cases.
check_PROGRAMS_UNIT =
check_LTLIBRARIES += %D%/libprftest.la
%C%_libprftest_la_SOURCES = %D%/suite.h %D%/suite.c
%C%_libprftest_la_SOURCES += %D%/guard.h %D%/guard.c
%C%_libprftest_la_CFLAGS = $(prf_test_cflags)

prf_test_cflags = $(AM_CFLAGS) $(CHECK_CFLAGS) -I$(top_srcdir)/tests
prf_test_libs = tests/support/libprftest.la $(CHECK_LIBS)
