# tests/inproc: one program for each subject; links inproc and core.
prf_inproc_tests = \
	%D%/test_descriptors \
	%D%/test_faults \
	%D%/test_fork \
	%D%/test_cputime \
	%D%/test_threadlist \
	%D%/test_lists \
	%D%/test_safemem \
	%D%/test_profil \
	%D%/test_rows \
	%D%/test_sizes \
	%D%/test_stack \
	%D%/test_threads
check_PROGRAMS_UNIT += $(prf_inproc_tests)
prf_inproc_tick = %D%/tick.h %D%/tick.c

%C%_test_descriptors_SOURCES = %D%/test_descriptors.c
%C%_test_descriptors_CFLAGS = $(prf_test_cflags)
%C%_test_descriptors_LDADD = $(prf_inproc_libs) $(prf_test_libs)

%C%_test_safemem_SOURCES = %D%/test_safemem.c
%C%_test_safemem_CFLAGS = $(prf_test_cflags)
%C%_test_safemem_LDADD = $(prf_inproc_libs) $(prf_test_libs)

%C%_test_lists_SOURCES = %D%/test_lists.c $(prf_inproc_tick) \
	%D%/counters.c %D%/counters.h tests/core/random.h
%C%_test_lists_CFLAGS = $(prf_test_cflags)
%C%_test_lists_LDADD = $(prf_inproc_libs) $(prf_test_libs)

%C%_test_rows_SOURCES = %D%/test_rows.c $(prf_inproc_tick) \
	%D%/counters.c %D%/counters.h tests/core/vectors.c tests/core/vectors.h
%C%_test_rows_CFLAGS = $(prf_test_cflags)
%C%_test_rows_LDADD = $(prf_inproc_libs) $(prf_test_libs)

%C%_test_faults_SOURCES = %D%/test_faults.c $(prf_inproc_tick)
%C%_test_faults_CFLAGS = $(prf_test_cflags)
%C%_test_faults_LDADD = $(prf_inproc_libs) $(prf_test_libs)

%C%_test_fork_SOURCES = %D%/test_fork.c $(prf_inproc_tick)
%C%_test_fork_CFLAGS = $(prf_test_cflags)
%C%_test_fork_LDADD = $(prf_inproc_libs) $(prf_test_libs)

%C%_test_cputime_SOURCES = %D%/test_cputime.c
%C%_test_cputime_CFLAGS = $(prf_test_cflags)
%C%_test_cputime_LDADD = $(prf_inproc_libs) $(prf_test_libs)

%C%_test_threadlist_SOURCES = %D%/test_threadlist.c
%C%_test_threadlist_CFLAGS = $(prf_test_cflags)
%C%_test_threadlist_LDADD = $(prf_inproc_libs) $(prf_test_libs)

%C%_test_profil_SOURCES = %D%/test_profil.c $(prf_inproc_tick)
%C%_test_profil_CFLAGS = $(prf_test_cflags)
%C%_test_profil_LDADD = $(prf_inproc_libs) $(prf_test_libs)

%C%_test_sizes_SOURCES = %D%/test_sizes.c
%C%_test_sizes_CFLAGS = $(prf_test_cflags)
%C%_test_sizes_LDADD = $(prf_inproc_libs) $(prf_test_libs)

%C%_test_stack_SOURCES = %D%/test_stack.c $(prf_inproc_tick)
%C%_test_stack_CFLAGS = $(prf_test_cflags)
%C%_test_stack_LDADD = $(prf_inproc_libs) $(prf_test_libs)

%C%_test_threads_SOURCES = %D%/test_threads.c $(prf_inproc_tick)
%C%_test_threads_CFLAGS = $(prf_test_cflags)
%C%_test_threads_LDADD = $(prf_inproc_libs) $(prf_test_libs)

# Runs of a second of CPU time, in one thread and in each of 8, and asleep: within
# 2 % in the mean, half a minute on two processors.  A thread that
# ends takes about half a tick with it that has not reached it; what that comes to
# in whole ticks is told as unseen when the state is asked for.  make check has the
# same in short, with wider bounds.
check_PROGRAMS += %D%/test_counting
%C%_test_counting_SOURCES = %D%/test_counting.c $(prf_inproc_tick)
%C%_test_counting_CFLAGS = $(prf_test_cflags)
%C%_test_counting_LDADD = $(prf_inproc_libs) $(prf_test_libs)

.PHONY: check-counting
check-counting: %D%/test_counting$(EXEEXT)
	$(AM_V_at)top_srcdir='$(top_srcdir)' ./%D%/test_counting$(EXEEXT)

# After ./configure --enable-thread-sanitizer: what has threads in lib/inproc and
# lib/core.  Tests that cannot hold there are named as they are left out.
prf_threaded_tests = $(prf_inproc_tests) tests/core/test_queue \
	tests/core/test_queue_waiting tests/core/test_queue_rounds
prf_check_threaded = $(prf_threaded_tests:%=check-threaded/%)
.PHONY: check-threads $(prf_check_threaded)
check-threads: $(prf_check_threaded)
$(prf_check_threaded): check-threaded/%: %$(EXEEXT)
	@top_srcdir='$(top_srcdir)' ./$*$(EXEEXT) || [ $$? -eq 77 ]

prf_inproc_scripts = %D%/examples.sh %D%/monitor.sh \
	%D%/monitor_errors.sh %D%/monitor_paths.sh %D%/monitor_signals.sh \
	%D%/monitor_threads.sh \
	%D%/synopses.sh
dist_check_SCRIPTS += $(prf_inproc_scripts)
TESTS += $(prf_inproc_scripts)
# Sourced, and compiled, by those.
EXTRA_DIST += %D%/installed.sh %D%/monitored.c
