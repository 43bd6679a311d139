# tests/cli: the program as a user meets it; shell, under the harness.
dist_check_SCRIPTS += %D%/gmon_gprof.sh
TESTS += %D%/gmon_gprof.sh
