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
