# tests/workloads: small programs whose profile is known; each head comment
# says what it prints.  They are the programs that tests run under profrun, so
# they are built as a user's program is: no sanitizer, and none of our layers.
prf_workloads = \
	%D%/births \
	%D%/blocked \
	%D%/bursts \
	%D%/callshare \
	%D%/churn \
	%D%/crowd \
	%D%/deaths \
	%D%/deletes \
	%D%/dlopened \
	%D%/evloop \
	%D%/faults \
	%D%/flicker \
	%D%/grouped \
	%D%/heard \
	%D%/hides \
	%D%/idle \
	%D%/ignored \
	%D%/instep \
	%D%/jitted \
	%D%/longsys \
	%D%/lostwake \
	%D%/masked \
	%D%/periodic \
	%D%/receives \
	%D%/restless \
	%D%/seccompy \
	%D%/shares \
	%D%/signals \
	%D%/storm \
	%D%/syscalls \
	%D%/threads \
	%D%/ticked \
	%D%/timeouts \
	%D%/unanswered \
	%D%/traceme \
	%D%/uneven \
	%D%/urged \
	%D%/uring \
	%D%/waiters \
	%D%/waits \
	%D%/wide
check_PROGRAMS += $(prf_workloads)

prf_workload_cflags = -std=gnu11 $(WARN_CFLAGS)
prf_workload_ldflags = -pthread
# In their own libraries with an older glibc; else these are empty.
prf_workload_libs = -ldl -lrt

%C%_births_SOURCES = %D%/work.h %D%/births.c
%C%_births_CFLAGS = $(prf_workload_cflags)
%C%_births_LDFLAGS = $(prf_workload_ldflags)
%C%_births_LDADD = $(prf_workload_libs)

%C%_blocked_SOURCES = \
	%D%/work.h \
	%D%/task.h \
	%D%/blocked.h \
	%D%/blocked.c \
	%D%/blocked_files.c \
	%D%/blocked_others.c \
	%D%/blocked_sockets.c \
	%D%/blocked_times.c
%C%_blocked_CFLAGS = $(prf_workload_cflags)
%C%_blocked_LDFLAGS = $(prf_workload_ldflags)
%C%_blocked_LDADD = $(prf_workload_libs)

%C%_bursts_SOURCES = %D%/work.h %D%/task.h %D%/bursts.c
%C%_bursts_CFLAGS = $(prf_workload_cflags)
%C%_bursts_LDFLAGS = $(prf_workload_ldflags)
%C%_bursts_LDADD = $(prf_workload_libs)

%C%_callshare_SOURCES = %D%/work.h %D%/callshare.c
%C%_callshare_CFLAGS = $(prf_workload_cflags)
%C%_callshare_LDFLAGS = $(prf_workload_ldflags)
%C%_callshare_LDADD = $(prf_workload_libs)

%C%_churn_SOURCES = %D%/work.h %D%/task.h %D%/churn.c
%C%_churn_CFLAGS = $(prf_workload_cflags)
%C%_churn_LDFLAGS = $(prf_workload_ldflags)
%C%_churn_LDADD = $(prf_workload_libs)

%C%_crowd_SOURCES = %D%/work.h %D%/task.h %D%/crowd.c
%C%_crowd_CFLAGS = $(prf_workload_cflags)
%C%_crowd_LDFLAGS = $(prf_workload_ldflags)
%C%_crowd_LDADD = $(prf_workload_libs)

%C%_traceme_SOURCES = %D%/work.h %D%/traceme.c
%C%_traceme_CFLAGS = $(prf_workload_cflags)
%C%_traceme_LDFLAGS = $(prf_workload_ldflags)
%C%_traceme_LDADD = $(prf_workload_libs)

%C%_deletes_SOURCES = %D%/work.h %D%/deletes.c
%C%_deletes_CFLAGS = $(prf_workload_cflags)
%C%_deletes_LDFLAGS = $(prf_workload_ldflags)
%C%_deletes_LDADD = $(prf_workload_libs)

%C%_deaths_SOURCES = %D%/work.h %D%/deaths.c
%C%_deaths_CFLAGS = $(prf_workload_cflags)
%C%_deaths_LDFLAGS = $(prf_workload_ldflags)
%C%_deaths_LDADD = $(prf_workload_libs)

%C%_dlopened_SOURCES = %D%/work.h %D%/dlopened.c
%C%_dlopened_CFLAGS = $(prf_workload_cflags)
%C%_dlopened_LDFLAGS = $(prf_workload_ldflags)
%C%_dlopened_LDADD = $(prf_workload_libs)

%C%_evloop_SOURCES = %D%/work.h %D%/evloop.c
%C%_evloop_CFLAGS = $(prf_workload_cflags)
%C%_evloop_LDFLAGS = $(prf_workload_ldflags)
%C%_evloop_LDADD = $(prf_workload_libs)

%C%_heard_SOURCES = %D%/work.h %D%/heard.c
%C%_heard_CFLAGS = $(prf_workload_cflags)
%C%_heard_LDFLAGS = $(prf_workload_ldflags)
%C%_heard_LDADD = $(prf_workload_libs)

%C%_grouped_SOURCES = %D%/work.h %D%/grouped.c
%C%_grouped_CFLAGS = $(prf_workload_cflags)
%C%_grouped_LDFLAGS = $(prf_workload_ldflags)
%C%_grouped_LDADD = $(prf_workload_libs)

%C%_hides_SOURCES = %D%/work.h %D%/hides.c
%C%_hides_CFLAGS = $(prf_workload_cflags)
%C%_hides_LDFLAGS = $(prf_workload_ldflags)
%C%_hides_LDADD = $(prf_workload_libs)

%C%_idle_SOURCES = %D%/work.h %D%/idle.c
%C%_idle_CFLAGS = $(prf_workload_cflags)
%C%_idle_LDFLAGS = $(prf_workload_ldflags)
%C%_idle_LDADD = $(prf_workload_libs)

%C%_ignored_SOURCES = %D%/work.h %D%/task.h %D%/ignored.c
%C%_ignored_CFLAGS = $(prf_workload_cflags)
%C%_ignored_LDFLAGS = $(prf_workload_ldflags)
%C%_ignored_LDADD = $(prf_workload_libs)

%C%_instep_SOURCES = %D%/work.h %D%/instep.c
%C%_instep_CFLAGS = $(prf_workload_cflags)
%C%_instep_LDFLAGS = $(prf_workload_ldflags)
%C%_instep_LDADD = $(prf_workload_libs)

%C%_jitted_SOURCES = %D%/work.h %D%/jitted.c
%C%_jitted_CFLAGS = $(prf_workload_cflags)
%C%_jitted_LDFLAGS = $(prf_workload_ldflags)
%C%_jitted_LDADD = $(prf_workload_libs)

%C%_longsys_SOURCES = %D%/work.h %D%/longsys.c
%C%_longsys_CFLAGS = $(prf_workload_cflags)
%C%_longsys_LDFLAGS = $(prf_workload_ldflags)
%C%_longsys_LDADD = $(prf_workload_libs)

%C%_lostwake_SOURCES = %D%/work.h %D%/lostwake.c
%C%_lostwake_CFLAGS = $(prf_workload_cflags)
%C%_lostwake_LDFLAGS = $(prf_workload_ldflags)
%C%_lostwake_LDADD = $(prf_workload_libs)

%C%_masked_SOURCES = %D%/work.h %D%/masked.c
%C%_masked_CFLAGS = $(prf_workload_cflags)
%C%_masked_LDFLAGS = $(prf_workload_ldflags)
%C%_masked_LDADD = $(prf_workload_libs)

%C%_periodic_SOURCES = %D%/work.h %D%/periodic.c
%C%_periodic_CFLAGS = $(prf_workload_cflags)
%C%_periodic_LDFLAGS = $(prf_workload_ldflags)
%C%_periodic_LDADD = $(prf_workload_libs)

%C%_receives_SOURCES = %D%/work.h %D%/receives.c
%C%_receives_CFLAGS = $(prf_workload_cflags)
%C%_receives_LDFLAGS = $(prf_workload_ldflags)
%C%_receives_LDADD = $(prf_workload_libs)

%C%_restless_SOURCES = %D%/restless.c
%C%_restless_CFLAGS = $(prf_workload_cflags)
%C%_restless_LDFLAGS = $(prf_workload_ldflags)
%C%_restless_LDADD = $(prf_workload_libs)

%C%_seccompy_SOURCES = %D%/work.h %D%/seccompy.c
%C%_seccompy_CFLAGS = $(prf_workload_cflags)
%C%_seccompy_LDFLAGS = $(prf_workload_ldflags)
%C%_seccompy_LDADD = $(prf_workload_libs)

%C%_faults_SOURCES = %D%/work.h %D%/faults.c
%C%_faults_CFLAGS = $(prf_workload_cflags)
%C%_faults_LDFLAGS = $(prf_workload_ldflags)
%C%_faults_LDADD = $(prf_workload_libs)

%C%_flicker_SOURCES = tests/support/unanswered.h %D%/flicker.c
%C%_flicker_CFLAGS = $(prf_workload_cflags)
%C%_flicker_LDFLAGS = $(prf_workload_ldflags)
%C%_flicker_LDADD = $(prf_workload_libs) -lpthread

%C%_unanswered_SOURCES = tests/support/unanswered.h %D%/unanswered.c
%C%_unanswered_CFLAGS = $(prf_workload_cflags)
%C%_unanswered_LDFLAGS = $(prf_workload_ldflags)
%C%_unanswered_LDADD = $(prf_workload_libs)

%C%_uneven_SOURCES = %D%/work.h %D%/uneven.c
%C%_uneven_CFLAGS = $(prf_workload_cflags)
%C%_uneven_LDFLAGS = $(prf_workload_ldflags)
%C%_uneven_LDADD = $(prf_workload_libs)

%C%_shares_SOURCES = %D%/work.h %D%/shares.c
%C%_shares_CFLAGS = $(prf_workload_cflags)
%C%_shares_LDFLAGS = $(prf_workload_ldflags)
%C%_shares_LDADD = $(prf_workload_libs)

%C%_signals_SOURCES = %D%/work.h %D%/signals.c
%C%_signals_CFLAGS = $(prf_workload_cflags)
%C%_signals_LDFLAGS = $(prf_workload_ldflags)
%C%_signals_LDADD = $(prf_workload_libs)

%C%_storm_SOURCES = %D%/work.h %D%/storm.c
%C%_storm_CFLAGS = $(prf_workload_cflags)
%C%_storm_LDFLAGS = $(prf_workload_ldflags)
%C%_storm_LDADD = $(prf_workload_libs)

%C%_syscalls_SOURCES = %D%/work.h %D%/syscalls.c
%C%_syscalls_CFLAGS = $(prf_workload_cflags)
%C%_syscalls_LDFLAGS = $(prf_workload_ldflags)
%C%_syscalls_LDADD = $(prf_workload_libs)

%C%_threads_SOURCES = %D%/work.h %D%/threads.c
%C%_threads_CFLAGS = $(prf_workload_cflags)
%C%_threads_LDFLAGS = $(prf_workload_ldflags)
%C%_threads_LDADD = $(prf_workload_libs)

%C%_waits_SOURCES = %D%/work.h %D%/task.h %D%/waits.c
%C%_waits_CFLAGS = $(prf_workload_cflags)
%C%_waits_LDFLAGS = $(prf_workload_ldflags)
%C%_waits_LDADD = $(prf_workload_libs)

%C%_ticked_SOURCES = %D%/work.h %D%/ticked.c
%C%_ticked_CFLAGS = $(prf_workload_cflags)
%C%_ticked_LDFLAGS = $(prf_workload_ldflags)
%C%_ticked_LDADD = $(prf_workload_libs)

%C%_timeouts_SOURCES = %D%/work.h %D%/timeouts.c
%C%_timeouts_CFLAGS = $(prf_workload_cflags)
%C%_timeouts_LDFLAGS = $(prf_workload_ldflags)
%C%_timeouts_LDADD = $(prf_workload_libs)

%C%_urged_SOURCES = %D%/work.h %D%/urged.c
%C%_urged_CFLAGS = $(prf_workload_cflags)
%C%_urged_LDFLAGS = $(prf_workload_ldflags)
%C%_urged_LDADD = $(prf_workload_libs)

%C%_uring_SOURCES = %D%/work.h %D%/uring.c
%C%_uring_CFLAGS = $(prf_workload_cflags)
%C%_uring_LDFLAGS = $(prf_workload_ldflags)
%C%_uring_LDADD = $(prf_workload_libs)

%C%_waiters_SOURCES = %D%/work.h %D%/waiters.c
%C%_waiters_CFLAGS = $(prf_workload_cflags)
%C%_waiters_LDFLAGS = $(prf_workload_ldflags)
%C%_waiters_LDADD = $(prf_workload_libs)

%C%_wide_SOURCES = %D%/work.h %D%/wide.c
%C%_wide_CFLAGS = $(prf_workload_cflags)
%C%_wide_LDFLAGS = $(prf_workload_ldflags)
%C%_wide_LDADD = $(prf_workload_libs)

# Libraries for dlopened, in tests/workloads/.libs/; -rpath makes libtool build
# them shared, and installs nothing.
check_LTLIBRARIES += %D%/in_first.la %D%/in_second.la
prf_workload_module_ldflags = -module -avoid-version -shared -rpath /nowhere

%C%_in_first_la_SOURCES = %D%/work.h %D%/in_first.c
%C%_in_first_la_CFLAGS = $(prf_workload_cflags)
%C%_in_first_la_LDFLAGS = $(prf_workload_module_ldflags)

%C%_in_second_la_SOURCES = %D%/work.h %D%/in_second.c
%C%_in_second_la_CFLAGS = $(prf_workload_cflags)
%C%_in_second_la_LDFLAGS = $(prf_workload_module_ldflags)

dist_check_SCRIPTS += %D%/run-bare.sh
TESTS += %D%/run-bare.sh
