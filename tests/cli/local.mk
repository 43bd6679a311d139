# tests/cli: the program as a user meets it; shell, under the harness.
prf_cli_tests = \
	%D%/attach.sh \
	%D%/bootstrap.sh \
	%D%/check.sh \
	%D%/churn.sh \
	%D%/completion.sh \
	%D%/control.sh \
	%D%/debuginfod.sh \
	%D%/follow.sh \
	%D%/formats.sh \
	%D%/gmon_gprof.sh \
	%D%/help.sh \
	%D%/hostile.sh \
	%D%/i386.sh \
	%D%/hangup.sh \
	%D%/jobcontrol.sh \
	%D%/killed.sh \
	%D%/kinds.sh \
	%D%/manual.sh \
	%D%/merge.sh \
	%D%/merge_traces.sh \
	%D%/mpi.sh \
	%D%/options.sh \
	%D%/options_work.sh \
	%D%/perf.sh \
	%D%/run.sh \
	%D%/relayed.sh \
	%D%/sandbox.sh \
	%D%/shares.sh \
	%D%/signals.sh \
	%D%/threads.sh \
	%D%/trees.sh \
	%D%/unbiased.sh \
	%D%/unchanged.sh \
	%D%/wall.sh

dist_check_SCRIPTS += $(prf_cli_tests)
TESTS += $(prf_cli_tests)

# Sourced by those that read a profile.
EXTRA_DIST += %D%/measure.sh
