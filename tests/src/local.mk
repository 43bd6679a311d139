# tests/src: one program for each file of src that is not main or a command.
prf_cli_test_cflags = $(prf_test_cflags)

check_PROGRAMS_UNIT += \
	%D%/test_counters \
	%D%/test_dump_export \
	%D%/test_dump_groups \
	%D%/test_dump_print \
	%D%/test_format \
	%D%/test_function_match \
	%D%/test_kernel_time \
	%D%/test_message \
	%D%/test_progress \
	%D%/test_teller \
	%D%/test_option_parse \
	%D%/test_option_values \
	%D%/test_options \
	%D%/test_figures \
	%D%/test_newest \
	%D%/test_row_filter \
	%D%/test_top_lines \
	%D%/test_top_marks \
	%D%/test_top_output \
	%D%/test_top_state \
	%D%/test_top_writer \
	%D%/test_not_found \
	%D%/test_record_past \
	%D%/test_infile \
	%D%/test_outfile \
	%D%/test_outname \
	%D%/test_quoted \
	%D%/test_next_step \
	%D%/test_output \
	%D%/test_pattern \
	%D%/test_profile_file \
	%D%/test_rate \
	%D%/test_reading \
	%D%/test_report_header \
	%D%/test_recording \
	%D%/test_recording_count \
	%D%/test_record_files \
	%D%/test_run_doubts \
	%D%/test_selection \
	%D%/test_signals

%C%_test_option_parse_SOURCES = %D%/test_option_parse.c
%C%_test_option_parse_CFLAGS = $(prf_cli_test_cflags)
%C%_test_option_parse_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_counters_SOURCES = %D%/test_counters.c $(prf_event_log)
%C%_test_counters_CFLAGS = $(prf_cli_test_cflags)
%C%_test_counters_LDADD = $(prf_program_libs) $(prf_test_libs)

prf_made_dump = %D%/made_dump.h %D%/made_dump.c

%C%_test_dump_export_SOURCES = %D%/test_dump_export.c $(prf_made_dump)
%C%_test_dump_export_CFLAGS = $(prf_cli_test_cflags)
%C%_test_dump_export_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_dump_groups_SOURCES = %D%/test_dump_groups.c $(prf_made_dump)
%C%_test_dump_groups_CFLAGS = $(prf_cli_test_cflags)
%C%_test_dump_groups_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_dump_print_SOURCES = %D%/test_dump_print.c $(prf_made_dump)
%C%_test_dump_print_CFLAGS = $(prf_cli_test_cflags)
%C%_test_dump_print_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_selection_SOURCES = %D%/test_selection.c $(prf_event_log)
%C%_test_selection_CFLAGS = $(prf_cli_test_cflags)
%C%_test_selection_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_function_match_SOURCES = %D%/test_function_match.c $(prf_made_graph)
%C%_test_function_match_CFLAGS = $(prf_cli_test_cflags)
%C%_test_function_match_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_format_SOURCES = %D%/test_format.c
%C%_test_format_CFLAGS = $(prf_cli_test_cflags)
%C%_test_format_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_kernel_time_SOURCES = %D%/test_kernel_time.c
%C%_test_kernel_time_CFLAGS = $(prf_cli_test_cflags)
%C%_test_kernel_time_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_progress_SOURCES = %D%/test_progress.c
%C%_test_progress_CFLAGS = $(prf_cli_test_cflags)
%C%_test_progress_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_teller_SOURCES = %D%/test_teller.c
%C%_test_teller_CFLAGS = $(prf_cli_test_cflags)
%C%_test_teller_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_run_doubts_SOURCES = %D%/test_run_doubts.c
%C%_test_run_doubts_CFLAGS = $(prf_cli_test_cflags)
%C%_test_run_doubts_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_message_SOURCES = %D%/test_message.c
%C%_test_message_CFLAGS = $(prf_cli_test_cflags)
%C%_test_message_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_option_values_SOURCES = %D%/test_option_values.c
%C%_test_option_values_CFLAGS = $(prf_cli_test_cflags)
%C%_test_option_values_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_options_SOURCES = %D%/test_options.c
%C%_test_options_CFLAGS = $(prf_cli_test_cflags)
%C%_test_options_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_outfile_SOURCES = %D%/test_outfile.c
%C%_test_outfile_CFLAGS = $(prf_cli_test_cflags)
%C%_test_outfile_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_infile_SOURCES = %D%/test_infile.c
%C%_test_infile_CFLAGS = $(prf_cli_test_cflags)
%C%_test_infile_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_next_step_SOURCES = %D%/test_next_step.c
%C%_test_next_step_CFLAGS = $(prf_cli_test_cflags)
%C%_test_next_step_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_quoted_SOURCES = %D%/test_quoted.c
%C%_test_quoted_CFLAGS = $(prf_cli_test_cflags)
%C%_test_quoted_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_outname_SOURCES = %D%/test_outname.c
%C%_test_outname_CFLAGS = $(prf_cli_test_cflags)
%C%_test_outname_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_output_SOURCES = %D%/test_output.c
%C%_test_output_CFLAGS = $(prf_cli_test_cflags)
%C%_test_output_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_pattern_SOURCES = %D%/test_pattern.c
%C%_test_pattern_CFLAGS = $(prf_cli_test_cflags)
%C%_test_pattern_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_rate_SOURCES = %D%/test_rate.c
%C%_test_rate_CFLAGS = $(prf_cli_test_cflags)
%C%_test_rate_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_signals_SOURCES = %D%/test_signals.c
%C%_test_signals_CFLAGS = $(prf_cli_test_cflags)
%C%_test_signals_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_record_files_SOURCES = %D%/test_record_files.c
%C%_test_record_files_CFLAGS = $(prf_cli_test_cflags)
%C%_test_record_files_LDADD = $(prf_program_libs) $(prf_test_libs)

prf_recorded = %D%/recorded.h %D%/recorded.c

%C%_test_reading_SOURCES = %D%/test_reading.c
%C%_test_reading_CFLAGS = $(prf_cli_test_cflags)
%C%_test_reading_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_report_header_SOURCES = %D%/test_report_header.c
%C%_test_report_header_CFLAGS = $(prf_cli_test_cflags)
%C%_test_report_header_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_recording_SOURCES = %D%/test_recording.c $(prf_recorded) \
	$(prf_event_log)
%C%_test_recording_CFLAGS = $(prf_cli_test_cflags)
%C%_test_recording_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_recording_count_SOURCES = %D%/test_recording_count.c $(prf_recorded)
%C%_test_recording_count_CFLAGS = $(prf_cli_test_cflags)
%C%_test_recording_count_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_profile_file_SOURCES = %D%/test_profile_file.c $(prf_recorded)
%C%_test_profile_file_CFLAGS = $(prf_cli_test_cflags)
%C%_test_profile_file_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_figures_SOURCES = %D%/test_figures.c $(prf_event_log)
%C%_test_figures_CFLAGS = $(prf_cli_test_cflags)
%C%_test_figures_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_newest_SOURCES = %D%/test_newest.c $(prf_recorded)
%C%_test_newest_CFLAGS = $(prf_cli_test_cflags)
%C%_test_newest_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_top_lines_SOURCES = %D%/test_top_lines.c
%C%_test_top_lines_CFLAGS = $(prf_cli_test_cflags)
%C%_test_top_lines_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_top_marks_SOURCES = %D%/test_top_marks.c
%C%_test_top_marks_CFLAGS = $(prf_cli_test_cflags)
%C%_test_top_marks_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_top_output_SOURCES = %D%/test_top_output.c
%C%_test_top_output_CFLAGS = $(prf_cli_test_cflags)
%C%_test_top_output_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_top_state_SOURCES = %D%/test_top_state.c
%C%_test_top_state_CFLAGS = $(prf_cli_test_cflags)
%C%_test_top_state_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_top_writer_SOURCES = %D%/test_top_writer.c
%C%_test_top_writer_CFLAGS = $(prf_cli_test_cflags)
%C%_test_top_writer_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_row_filter_SOURCES = %D%/test_row_filter.c
%C%_test_row_filter_CFLAGS = $(prf_cli_test_cflags)
%C%_test_row_filter_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_not_found_SOURCES = %D%/test_not_found.c
%C%_test_not_found_CFLAGS = $(prf_cli_test_cflags)
%C%_test_not_found_LDADD = $(prf_program_libs) $(prf_test_libs)

%C%_test_record_past_SOURCES = %D%/test_record_past.c $(prf_event_log)
%C%_test_record_past_CFLAGS = $(prf_cli_test_cflags)
%C%_test_record_past_LDADD = $(prf_program_libs) $(prf_test_libs)
