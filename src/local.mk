# src: argv, stderr, the exit status.
bin_PROGRAMS += %D%/profrun
noinst_LIBRARIES += %D%/libprfcli.a

# All but main, so that unit tests can link it.
%C%_libprfcli_a_SOURCES = \
	%D%/commands/profile_file.c %D%/commands/profile_file.h \
	%D%/commands/cmd_annotate.c %D%/commands/cmd_annotate.h \
	%D%/commands/cmd_check.c %D%/commands/cmd_check.h \
	%D%/commands/cmd_diff.c %D%/commands/cmd_diff.h \
	%D%/commands/diff_runs.c %D%/commands/diff_runs.h \
	%D%/commands/cmd_dump.c %D%/commands/cmd_dump.h \
	%D%/commands/dump_export.c %D%/commands/dump_export.h \
	%D%/commands/dump_groups.c %D%/commands/dump_groups.h \
	%D%/commands/dump_print.c %D%/commands/dump_print.h \
	%D%/commands/dump_stacks.c %D%/commands/dump_stacks.h \
	%D%/commands/dumped.c %D%/commands/dumped.h \
	%D%/commands/cmd_export.c %D%/commands/cmd_export.h \
	%D%/commands/cmd_merge.c %D%/commands/cmd_merge.h \
	%D%/commands/cmd_record.c %D%/commands/cmd_record.h \
	%D%/commands/cmd_report.c %D%/commands/cmd_report.h \
	%D%/commands/cmd_top.c %D%/commands/cmd_top.h \
	%D%/commands/command.c %D%/commands/command.h \
	%D%/commands/infile.c %D%/commands/infile.h \
	%D%/commands/kernel_names.c %D%/commands/kernel_names.h \
	%D%/output/counters.c %D%/output/counters.h \
	%D%/exit_status.c %D%/exit_status.h \
	%D%/options/format.c %D%/options/format.h \
	%D%/message.c %D%/message.h \
	%D%/options/option_parse.c %D%/options/option_parse.h \
	%D%/options/option_table.c %D%/options/option_table.h \
	%D%/options/option_values.c %D%/options/option_values.h \
	%D%/options/options.c %D%/options/options.h \
	%D%/output/insist.c %D%/output/insist.h \
	%D%/output/outfile.c %D%/output/outfile.h \
	%D%/output/outname.c %D%/output/outname.h \
	%D%/output/output.c %D%/output/output.h \
	%D%/options/pattern.c %D%/options/pattern.h \
	%D%/options/rate.c %D%/options/rate.h \
	%D%/options/run_options.h \
	%D%/output/record_exports.c %D%/output/record_exports.h \
	%D%/output/record_files.c %D%/output/record_files.h \
	%D%/output/record_gmon.c %D%/output/record_gmon.h \
	%D%/output/record_streams.c %D%/output/record_streams.h \
	%D%/commands/figures.c %D%/commands/figures.h \
	%D%/commands/matching.c %D%/commands/matching.h \
	%D%/commands/function_called.c %D%/commands/function_called.h \
	%D%/commands/function_match.c %D%/commands/function_match.h \
	%D%/commands/function_search.c %D%/commands/function_search.h \
	%D%/commands/tree_choice.c %D%/commands/tree_choice.h \
	%D%/commands/sample_filter.c %D%/commands/sample_filter.h \
	%D%/commands/newest.c %D%/commands/newest.h \
	%D%/commands/report_file.c %D%/commands/report_file.h \
	%D%/commands/report_header.c %D%/commands/report_header.h \
	%D%/commands/report_print.c %D%/commands/report_print.h \
	%D%/commands/row_filter.c %D%/commands/row_filter.h \
	%D%/commands/not_found.c %D%/commands/not_found.h \
	%D%/commands/watching.c %D%/commands/watching.h \
	%D%/commands/reading.c %D%/commands/reading.h \
	%D%/commands/recording.c %D%/commands/recording.h \
	%D%/commands/selection.c %D%/commands/selection.h \
	%D%/output/kernel_time.c %D%/output/kernel_time.h \
	%D%/output/hints.c %D%/output/hints.h \
	%D%/output/record_past.c %D%/output/record_past.h \
	%D%/output/quoted.c %D%/output/quoted.h \
	%D%/output/next_step.c %D%/output/next_step.h \
	%D%/output/run_doubts.c %D%/output/run_doubts.h \
	%D%/signals.c %D%/signals.h \
	%D%/top/top_data.c %D%/top/top_data.h \
	%D%/top/top_lines.c %D%/top/top_lines.h \
	%D%/top/top_marks.c %D%/top/top_marks.h \
	%D%/top/top_output.c %D%/top/top_output.h \
	%D%/top/top_screen.c %D%/top/top_screen.h \
	%D%/top/top_state.c %D%/top/top_state.h \
	%D%/top/top_writer.c %D%/top/top_writer.h \
	%D%/output/summary.c %D%/output/summary.h \
	%D%/output/target.c %D%/output/target.h \
	%D%/output/teller.c %D%/output/teller.h \
	%D%/output/progress.c %D%/output/progress.h \
	%D%/output/terminal.c %D%/output/terminal.h

%C%_profrun_SOURCES = %D%/main.c
%C%_profrun_LDFLAGS = $(AM_LDFLAGS) $(HARDEN_PROGRAM_LDFLAGS)
%C%_profrun_LDADD = $(prf_program_libs) $(NCURSES_LIBS)

# What the completions in data/ are made from; it is not installed.
noinst_PROGRAMS = %D%/list_options
%C%_list_options_SOURCES = %D%/list_options.c
%C%_list_options_LDADD = $(%C%_profrun_LDADD)
