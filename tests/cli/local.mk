# tests/cli: the program as a user meets it; shell, under the harness.
prf_cli_tests = \
	%D%/allocations.sh \
	%D%/allocations_reading.sh \
	%D%/annotate.sh \
	%D%/attach.sh \
	%D%/attach_time.sh \
	%D%/big.sh \
	%D%/bootstrap.sh \
	%D%/brief.sh \
	%D%/bursts.sh \
	%D%/check.sh \
	%D%/churn.sh \
	%D%/commands.sh \
	%D%/completion.sh \
	%D%/configure.sh \
	%D%/control.sh \
	%D%/cost.sh \
	%D%/cpuprofile.sh \
	%D%/debuginfod.sh \
	%D%/diff.sh \
	%D%/dump.sh \
	%D%/dump_states.sh \
	%D%/export_intervals.sh \
	%D%/export_lines.sh \
	%D%/export_old.sh \
	%D%/export_untold.sh \
	%D%/failing_outputs.sh \
	%D%/folded.sh \
	%D%/follow.sh \
	%D%/forged.sh \
	%D%/formats.sh \
	%D%/gmon_gprof.sh \
	%D%/gprof_callers.sh \
	%D%/grouped.sh \
	%D%/held.sh \
	%D%/help.sh \
	%D%/hostile.sh \
	%D%/hostile_commands.sh \
	%D%/i386.sh \
	%D%/i386_stacks.sh \
	%D%/hangup.sh \
	%D%/hardened.sh \
	%D%/inlines.sh \
	%D%/insist.sh \
	%D%/instep.sh \
	%D%/intervals.sh \
	%D%/jobcontrol.sh \
	%D%/kernel.sh \
	%D%/kernel_time.sh \
	%D%/killed.sh \
	%D%/kinds.sh \
	%D%/linked.sh \
	%D%/manual.sh \
	%D%/maxsize.sh \
	%D%/merge.sh \
	%D%/merge_traces.sh \
	%D%/mpi.sh \
	%D%/nextsteps.sh \
	%D%/noproc.sh \
	%D%/older.sh \
	%D%/onefile.sh \
	%D%/options.sh \
	%D%/options_work.sh \
	%D%/page.sh \
	%D%/page_diff.sh \
	%D%/page_moves.sh \
	%D%/page_time.sh \
	%D%/ring.sh \
	%D%/pprof.sh \
	%D%/progress.sh \
	%D%/run.sh \
	%D%/relayed.sh \
	%D%/report.sh \
	%D%/report_keys.sh \
	%D%/report_stacks.sh \
	%D%/report_threads.sh \
	%D%/report_lines.sh \
	%D%/sandbox.sh \
	%D%/schemas.sh \
	%D%/shares.sh \
	%D%/signals.sh \
	%D%/stacks.sh \
	%D%/stacks_debugfile.sh \
	%D%/sums.sh \
	%D%/summaryfile.sh \
	%D%/tables.sh \
	%D%/templates.sh \
	%D%/threads.sh \
	%D%/ticked.sh \
	%D%/torn.sh \
	%D%/top.sh \
	%D%/top_silent.sh \
	%D%/trees.sh \
	%D%/unbiased.sh \
	%D%/unchanged.sh \
	%D%/wall.sh

dist_check_SCRIPTS += $(prf_cli_tests)
EXTRA_DIST += %D%/check_schema.py %D%/cpuprofile.py %D%/dump_csv.py
EXTRA_DIST += %D%/dump_json.py %D%/format_sums.py %D%/pprof_sums.py
TESTS += $(prf_cli_tests)

# Sourced by those that read a profile, those that attach, and those whose
# allocations fail; and who uses a page.
EXTRA_DIST += %D%/measure.sh %D%/attaching.sh %D%/page_driver.js %D%/walk.sh
EXTRA_DIST += %D%/browser.sh %D%/every_reader.sh

# Every allocation, not only some: a minute or two.
.PHONY: check-allocations
check-allocations:
	PRF_ALLOCATIONS_STEP=1 $(MAKE) $(AM_MAKEFLAGS) check \
		TESTS='%D%/allocations.sh %D%/allocations_reading.sh'

# The formats of a dozen programs, by the tools that read them: some minutes.
EXTRA_DIST += %D%/sums_programs.sh
.PHONY: check-readers
check-readers:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='%D%/sums_programs.sh'
