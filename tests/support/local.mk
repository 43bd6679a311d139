# What every unit test links: a main, and helpers for hard cases.
check_PROGRAMS_UNIT =
check_LIBRARIES += %D%/libprftest.a
%C%_libprftest_a_SOURCES = %D%/suite.h %D%/suite.c
%C%_libprftest_a_SOURCES += %D%/descriptors.h %D%/descriptors.c
%C%_libprftest_a_SOURCES += %D%/guard.h %D%/guard.c
%C%_libprftest_a_SOURCES += %D%/refuse.h
%C%_libprftest_a_SOURCES += %D%/sample_sink.h
%C%_libprftest_a_SOURCES += %D%/unanswered.h
%C%_libprftest_a_SOURCES += %D%/scaled.h %D%/scaled.c
%C%_libprftest_a_CFLAGS = $(prf_test_cflags)

prf_test_cflags = $(AM_CFLAGS) $(CHECK_CFLAGS) -I$(top_srcdir)/tests
prf_test_libs = tests/support/libprftest.a $(CHECK_LIBS)

# Of programs that give a sink of stacks what it needs, and see what becomes of it.
prf_copied_stack = %D%/copied_stack.h %D%/copied_stack.c %D%/sample_sink.h

# A program under any trigger, the one of how not to do it included.
check_PROGRAMS += %D%/sampled
%C%_sampled_SOURCES = %D%/sampled.c %D%/trigger_naive.h %D%/trigger_naive.c
%C%_sampled_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
%C%_sampled_LDADD = $(prf_live_libs)

check_PROGRAMS += %D%/watched
%C%_watched_SOURCES = %D%/watched.c
%C%_watched_LDADD = $(prf_live_libs)

# A program in a place where a system call is refused.
check_PROGRAMS += %D%/refusing
%C%_refusing_SOURCES = %D%/refusing.c
%C%_refusing_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests

# A file system that falls silent.
check_PROGRAMS += %D%/mute
%C%_mute_SOURCES = %D%/mute.c

check_PROGRAMS += %D%/careless
%C%_careless_SOURCES = %D%/careless.c
%C%_careless_LDADD = $(prf_live_libs)

# A trace whose stacks are known.
check_PROGRAMS += %D%/stacked
%C%_stacked_SOURCES = %D%/stacked.c
%C%_stacked_LDADD = $(prf_image_libs)

# A terminal with somebody at its keyboard.
check_PROGRAMS += %D%/typed
%C%_typed_SOURCES = %D%/typed.c
%C%_typed_LDADD = -lutil

# Files and runs as a test wants them.
check_LIBRARIES += %D%/libprfmade.a %D%/libprfmaderun.a
%C%_libprfmaderun_a_SOURCES = %D%/made_run.h %D%/made_run.c
%C%_libprfmaderun_a_CFLAGS = $(prf_test_cflags)
%C%_libprfmade_a_SOURCES = %D%/made.h %D%/made.c
%C%_libprfmade_a_CFLAGS = $(prf_test_cflags)

# To be preloaded: an allocation fails.  -rpath makes libtool build it shared.
check_LTLIBRARIES += %D%/failing.la
%C%_failing_la_SOURCES = %D%/failing.c
%C%_failing_la_CFLAGS = -std=gnu11 $(WARN_CFLAGS)
%C%_failing_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere
