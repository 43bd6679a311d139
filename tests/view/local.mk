# tests/view: one program for each file of lib/view; links view and below.
prf_view_test_libs = tests/support/libprfmaderun.a \
	tests/support/libprfmade.a \
	tests/support/libelfbuilder.a $(prf_view_libs) $(prf_test_libs)

# What reads a call graph is given one that is made up.
prf_made_graph = %D%/made_graph.c %D%/made_graph.h
# What writes a gmon.out, a profile.
prf_made_gmon = %D%/made_gmon.c %D%/made_gmon.h

check_PROGRAMS_UNIT += %D%/test_gmon_layout
%C%_test_gmon_layout_SOURCES = %D%/test_gmon_layout.c $(prf_made_gmon)
%C%_test_gmon_layout_CFLAGS = $(prf_test_cflags)
%C%_test_gmon_layout_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_gmon_files
%C%_test_gmon_files_SOURCES = %D%/test_gmon_files.c $(prf_made_gmon)
%C%_test_gmon_files_CFLAGS = $(prf_test_cflags)
%C%_test_gmon_files_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_gmon_round_trip
%C%_test_gmon_round_trip_SOURCES = %D%/test_gmon_round_trip.c $(prf_made_gmon)
%C%_test_gmon_round_trip_CFLAGS = $(prf_test_cflags)
%C%_test_gmon_round_trip_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_gmon_list
%C%_test_gmon_list_SOURCES = %D%/test_gmon_list.c
%C%_test_gmon_list_CFLAGS = $(prf_test_cflags)
%C%_test_gmon_list_LDADD = $(prf_view_test_libs)

# gmon.outs, and their sum.
prf_made_sum = %D%/made_sum.c %D%/made_sum.h

check_PROGRAMS_UNIT += %D%/test_gmon_source
%C%_test_gmon_source_SOURCES = %D%/test_gmon_source.c $(prf_made_sum)
%C%_test_gmon_source_CFLAGS = $(prf_test_cflags)
%C%_test_gmon_source_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_gmon_sums
%C%_test_gmon_sums_SOURCES = %D%/test_gmon_sums.c $(prf_made_sum)
%C%_test_gmon_sums_CFLAGS = $(prf_test_cflags)
%C%_test_gmon_sums_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_nm_list
%C%_test_nm_list_SOURCES = %D%/test_nm_list.c
%C%_test_nm_list_CFLAGS = $(prf_test_cflags)
%C%_test_nm_list_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_gmon_named
%C%_test_gmon_named_SOURCES = %D%/test_gmon_named.c
%C%_test_gmon_named_CFLAGS = $(prf_test_cflags)
%C%_test_gmon_named_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_run_lines
%C%_test_run_lines_SOURCES = %D%/test_run_lines.c
%C%_test_run_lines_CFLAGS = $(prf_test_cflags)
%C%_test_run_lines_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_symsfile
%C%_test_symsfile_SOURCES = %D%/test_symsfile.c
%C%_test_symsfile_CFLAGS = $(prf_test_cflags)
%C%_test_symsfile_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_listing
%C%_test_listing_SOURCES = %D%/test_listing.c
%C%_test_listing_CFLAGS = $(prf_test_cflags)
%C%_test_listing_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_lookup
%C%_test_lookup_SOURCES = %D%/test_lookup.c
%C%_test_lookup_CFLAGS = $(prf_test_cflags)
%C%_test_lookup_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_mergereport
%C%_test_mergereport_SOURCES = %D%/test_mergereport.c
%C%_test_mergereport_CFLAGS = $(prf_test_cflags)
%C%_test_mergereport_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_name_columns
%C%_test_name_columns_SOURCES = %D%/test_name_columns.c
%C%_test_name_columns_CFLAGS = $(prf_test_cflags)
%C%_test_name_columns_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_share
%C%_test_share_SOURCES = %D%/test_share.c
%C%_test_share_CFLAGS = $(prf_test_cflags)
%C%_test_share_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_distinct_names
%C%_test_distinct_names_SOURCES = %D%/test_distinct_names.c
%C%_test_distinct_names_CFLAGS = $(prf_test_cflags)
%C%_test_distinct_names_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_short_name
%C%_test_short_name_SOURCES = %D%/test_short_name.c
%C%_test_short_name_CFLAGS = $(prf_test_cflags)
%C%_test_short_name_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_plain
%C%_test_plain_SOURCES = %D%/test_plain.c
%C%_test_plain_CFLAGS = $(prf_test_cflags)
%C%_test_plain_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_report
%C%_test_report_SOURCES = %D%/test_report.c
%C%_test_report_CFLAGS = $(prf_test_cflags)
%C%_test_report_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_report_processes
%C%_test_report_processes_SOURCES = %D%/test_report_processes.c
%C%_test_report_processes_CFLAGS = $(prf_test_cflags)
%C%_test_report_processes_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_rows
%C%_test_rows_SOURCES = %D%/test_rows.c $(prf_made_graph)
%C%_test_rows_CFLAGS = $(prf_test_cflags)
%C%_test_rows_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_spread
%C%_test_spread_SOURCES = %D%/test_spread.c
%C%_test_spread_CFLAGS = $(prf_test_cflags)
%C%_test_spread_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_spread_export
%C%_test_spread_export_SOURCES = %D%/test_spread_export.c
%C%_test_spread_export_CFLAGS = $(prf_test_cflags)
%C%_test_spread_export_LDADD = $(prf_view_test_libs)

# gprof(1) as judge.
check_PROGRAMS += %D%/write_whole
%C%_write_whole_SOURCES = %D%/write_whole.c
%C%_write_whole_CFLAGS = $(prf_test_cflags)
%C%_write_whole_LDADD = $(prf_view_test_libs)
dist_check_SCRIPTS += %D%/check-gprof-reads-all.sh
TESTS += %D%/check-gprof-reads-all.sh

check_PROGRAMS_UNIT += %D%/test_wrapped
%C%_test_wrapped_SOURCES = %D%/test_wrapped.c
%C%_test_wrapped_CFLAGS = $(prf_test_cflags)
%C%_test_wrapped_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_command_line
%C%_test_command_line_SOURCES = %D%/test_command_line.c
%C%_test_command_line_CFLAGS = $(prf_test_cflags)
%C%_test_command_line_LDADD = $(prf_view_test_libs)

check_PROGRAMS += %D%/write_calls
%C%_write_calls_SOURCES = %D%/write_calls.c
%C%_write_calls_CFLAGS = $(prf_test_cflags)
%C%_write_calls_LDADD = $(prf_view_test_libs)
dist_check_SCRIPTS += %D%/check-gprof-calls.sh
TESTS += %D%/check-gprof-calls.sh

check_PROGRAMS_UNIT += %D%/test_call_tree
%C%_test_call_tree_SOURCES = %D%/test_call_tree.c $(prf_made_graph)
%C%_test_call_tree_CFLAGS = $(prf_test_cflags)
%C%_test_call_tree_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_call_tree_print
%C%_test_call_tree_print_SOURCES = %D%/test_call_tree_print.c $(prf_made_graph)
%C%_test_call_tree_print_CFLAGS = $(prf_test_cflags)
%C%_test_call_tree_print_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_folded
%C%_test_folded_SOURCES = %D%/test_folded.c $(prf_made_graph)
%C%_test_folded_CFLAGS = $(prf_test_cflags)
%C%_test_folded_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_folded_roots
%C%_test_folded_roots_SOURCES = %D%/test_folded_roots.c
%C%_test_folded_roots_CFLAGS = $(prf_test_cflags)
%C%_test_folded_roots_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_gmon_calls
%C%_test_gmon_calls_SOURCES = %D%/test_gmon_calls.c
%C%_test_gmon_calls_CFLAGS = $(prf_test_cflags)
%C%_test_gmon_calls_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_json
%C%_test_json_SOURCES = %D%/test_json.c
%C%_test_json_CFLAGS = $(prf_test_cflags)
%C%_test_json_LDADD = $(prf_view_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_page
%C%_test_page_SOURCES = %D%/test_page.c
%C%_test_page_CFLAGS = $(prf_test_cflags)
%C%_test_page_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_cpuprofile
%C%_test_cpuprofile_SOURCES = %D%/test_cpuprofile.c
%C%_test_cpuprofile_CFLAGS = $(prf_test_cflags)
%C%_test_cpuprofile_LDADD = $(prf_view_test_libs)

# What reads a pprof file is given one that is made up.
prf_made_pprof = %D%/made_pprof.c %D%/made_pprof.h

check_PROGRAMS_UNIT += %D%/test_pprof_read
%C%_test_pprof_read_SOURCES = %D%/test_pprof_read.c $(prf_made_pprof)
%C%_test_pprof_read_CFLAGS = $(prf_test_cflags) -I$(top_builddir)/lib
%C%_test_pprof_read_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_pprof_damage
%C%_test_pprof_damage_SOURCES = %D%/test_pprof_damage.c $(prf_made_pprof)
%C%_test_pprof_damage_CFLAGS = $(prf_test_cflags) -I$(top_builddir)/lib
%C%_test_pprof_damage_LDADD = $(prf_view_test_libs)

# It has lines of its own.
check_PROGRAMS_UNIT += %D%/test_by_function
%C%_test_by_function_SOURCES = %D%/test_by_function.c
%C%_test_by_function_CFLAGS = $(prf_test_cflags) -g -O2 -I$(top_builddir)/lib
%C%_test_by_function_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_pprof_round_trip
%C%_test_pprof_round_trip_SOURCES = %D%/test_pprof_round_trip.c $(prf_made_pprof)
%C%_test_pprof_round_trip_CFLAGS = $(prf_test_cflags) -I$(top_builddir)/lib
%C%_test_pprof_round_trip_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_utf8
%C%_test_utf8_SOURCES = %D%/test_utf8.c
%C%_test_utf8_CFLAGS = $(prf_test_cflags)
%C%_test_utf8_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_pprof_comment
%C%_test_pprof_comment_SOURCES = %D%/test_pprof_comment.c
%C%_test_pprof_comment_CFLAGS = $(prf_test_cflags)
%C%_test_pprof_comment_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_share_columns
%C%_test_share_columns_SOURCES = %D%/test_share_columns.c
%C%_test_share_columns_CFLAGS = $(prf_test_cflags)
%C%_test_share_columns_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_stack_ends
%C%_test_stack_ends_SOURCES = %D%/test_stack_ends.c $(prf_made_graph)
%C%_test_stack_ends_CFLAGS = $(prf_test_cflags)
%C%_test_stack_ends_LDADD = $(prf_view_test_libs)

# What writes a profile is given one that is made up.
prf_made_stacks = %D%/made_stacks.c %D%/made_stacks.h

check_PROGRAMS_UNIT += %D%/test_callgrind
%C%_test_callgrind_SOURCES = %D%/test_callgrind.c $(prf_made_stacks)
%C%_test_callgrind_CFLAGS = $(prf_test_cflags)
%C%_test_callgrind_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_perf_script
%C%_test_perf_script_SOURCES = %D%/test_perf_script.c $(prf_made_stacks)
%C%_test_perf_script_CFLAGS = $(prf_test_cflags)
%C%_test_perf_script_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_speedscope
%C%_test_speedscope_SOURCES = %D%/test_speedscope.c $(prf_made_stacks)
%C%_test_speedscope_CFLAGS = $(prf_test_cflags)
%C%_test_speedscope_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_firefox
%C%_test_firefox_SOURCES = %D%/test_firefox.c $(prf_made_stacks)
%C%_test_firefox_CFLAGS = $(prf_test_cflags)
%C%_test_firefox_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_profile_json
%C%_test_profile_json_SOURCES = %D%/test_profile_json.c $(prf_made_stacks)
%C%_test_profile_json_CFLAGS = $(prf_test_cflags)
%C%_test_profile_json_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_timeline
%C%_test_timeline_SOURCES = %D%/test_timeline.c
%C%_test_timeline_CFLAGS = $(prf_test_cflags)
%C%_test_timeline_LDADD = $(prf_view_test_libs)

# Profiles that are compared.
prf_made_diff = %D%/made_diff.c %D%/made_diff.h

check_PROGRAMS_UNIT += %D%/test_clones
%C%_test_clones_SOURCES = %D%/test_clones.c $(prf_made_graph)
%C%_test_clones_CFLAGS = $(prf_test_cflags)
%C%_test_clones_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_diff
%C%_test_diff_SOURCES = %D%/test_diff.c $(prf_made_diff)
%C%_test_diff_CFLAGS = $(prf_test_cflags)
%C%_test_diff_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_diff_export
%C%_test_diff_export_SOURCES = %D%/test_diff_export.c $(prf_made_diff)
%C%_test_diff_export_CFLAGS = $(prf_test_cflags)
%C%_test_diff_export_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_thread_table
%C%_test_thread_table_SOURCES = %D%/test_thread_table.c
%C%_test_thread_table_CFLAGS = $(prf_test_cflags)
%C%_test_thread_table_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_thread_export
%C%_test_thread_export_SOURCES = %D%/test_thread_export.c
%C%_test_thread_export_CFLAGS = $(prf_test_cflags)
%C%_test_thread_export_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_diff_page
%C%_test_diff_page_SOURCES = %D%/test_diff_page.c $(prf_made_diff)
%C%_test_diff_page_CFLAGS = $(prf_test_cflags)
%C%_test_diff_page_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_diff_print
%C%_test_diff_print_SOURCES = %D%/test_diff_print.c $(prf_made_diff)
%C%_test_diff_print_CFLAGS = $(prf_test_cflags)
%C%_test_diff_print_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_source_text
%C%_test_source_text_SOURCES = %D%/test_source_text.c
%C%_test_source_text_CFLAGS = $(prf_test_cflags)
%C%_test_source_text_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_source_supply
%C%_test_source_supply_SOURCES = %D%/test_source_supply.c
%C%_test_source_supply_CFLAGS = $(prf_test_cflags)
%C%_test_source_supply_LDADD = $(prf_view_test_libs)

# It annotates itself, and so has debug information.
check_PROGRAMS_UNIT += %D%/test_annotation
%C%_test_annotation_SOURCES = %D%/test_annotation.c
%C%_test_annotation_CFLAGS = $(prf_test_cflags) -g
%C%_test_annotation_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_annotation_print
%C%_test_annotation_print_SOURCES = %D%/test_annotation_print.c
%C%_test_annotation_print_CFLAGS = $(prf_test_cflags)
%C%_test_annotation_print_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_annotation_heading
%C%_test_annotation_heading_SOURCES = %D%/test_annotation_heading.c
%C%_test_annotation_heading_CFLAGS = $(prf_test_cflags)
%C%_test_annotation_heading_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_annotation_export
%C%_test_annotation_export_SOURCES = %D%/test_annotation_export.c
%C%_test_annotation_export_CFLAGS = $(prf_test_cflags)
%C%_test_annotation_export_LDADD = $(prf_view_test_libs)
