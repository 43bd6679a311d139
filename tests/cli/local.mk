# tests/cli: the program as a user meets it; shell, under the harness.
prf_cli_tests = \
	%D%/bootstrap.sh \
	%D%/check.sh \
	%D%/completion.sh \
	%D%/gmon_gprof.sh \
	%D%/help.sh \
	%D%/kinds.sh \
	%D%/manual.sh \
	%D%/merge.sh \
	%D%/mpi.sh \
	%D%/options.sh \
	%D%/options_work.sh \
	%D%/perf.sh \
	%D%/run.sh \
	%D%/shares.sh \
	%D%/threads.sh \
	%D%/trees.sh \
	%D%/unbiased.sh \
	%D%/unchanged.sh

dist_check_SCRIPTS += $(prf_cli_tests)
TESTS += $(prf_cli_tests)

# Sourced by those that read a profile.
EXTRA_DIST += %D%/measure.sh
