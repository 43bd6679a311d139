# tests/live: one program for each file of lib/live; links live and below.
check_PROGRAMS_UNIT += %D%/test_procfs
%C%_test_procfs_SOURCES = %D%/test_procfs.c
%C%_test_procfs_CFLAGS = $(prf_test_cflags)
%C%_test_procfs_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_repair
%C%_test_repair_SOURCES = %D%/test_repair.c
%C%_test_repair_CFLAGS = $(prf_test_cflags)
%C%_test_repair_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_stop
%C%_test_stop_SOURCES = %D%/test_stop.c
%C%_test_stop_CFLAGS = $(prf_test_cflags)
%C%_test_stop_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_tasks
%C%_test_tasks_SOURCES = %D%/test_tasks.c
%C%_test_tasks_CFLAGS = $(prf_test_cflags)
%C%_test_tasks_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_trigger
%C%_test_trigger_SOURCES = %D%/test_trigger.c
%C%_test_trigger_CFLAGS = $(prf_test_cflags)
%C%_test_trigger_LDADD = $(prf_live_libs) $(prf_test_libs)

# Tests of what is done to a process share how to have one.
prf_traced = %D%/traced.h %D%/traced.c

check_PROGRAMS_UNIT += %D%/test_inject
%C%_test_inject_SOURCES = %D%/test_inject.c $(prf_traced)
%C%_test_inject_CFLAGS = $(prf_test_cflags)
%C%_test_inject_LDADD = $(prf_live_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_launch
%C%_test_launch_SOURCES = %D%/test_launch.c
%C%_test_launch_CFLAGS = $(prf_test_cflags)
%C%_test_launch_LDADD = $(prf_live_libs) $(prf_test_libs)
