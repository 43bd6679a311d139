# tests/profile: one program for each file of lib/profile; links profile and
# below.
prf_profile_test_libs = tests/support/libprfmaderun.a \
	tests/support/libprfmade.a \
	tests/support/libelfbuilder.a $(prf_profile_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_count
%C%_test_count_SOURCES = %D%/test_count.c
%C%_test_count_CFLAGS = $(prf_test_cflags)
%C%_test_count_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_ranks
%C%_test_ranks_SOURCES = %D%/test_ranks.c
%C%_test_ranks_CFLAGS = $(prf_test_cflags)
%C%_test_ranks_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_tally
%C%_test_tally_SOURCES = %D%/test_tally.c
%C%_test_tally_CFLAGS = $(prf_test_cflags)
%C%_test_tally_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_blocks
%C%_test_blocks_SOURCES = %D%/test_blocks.c
%C%_test_blocks_CFLAGS = $(prf_test_cflags)
%C%_test_blocks_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_named_counts
%C%_test_named_counts_SOURCES = %D%/test_named_counts.c
%C%_test_named_counts_CFLAGS = $(prf_test_cflags)
%C%_test_named_counts_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_origin
%C%_test_origin_SOURCES = %D%/test_origin.c
%C%_test_origin_CFLAGS = $(prf_test_cflags)
%C%_test_origin_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_symbol_list
%C%_test_symbol_list_SOURCES = %D%/test_symbol_list.c
%C%_test_symbol_list_CFLAGS = $(prf_test_cflags)
%C%_test_symbol_list_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_arcs
%C%_test_arcs_SOURCES = %D%/test_arcs.c
%C%_test_arcs_CFLAGS = $(prf_test_cflags)
%C%_test_arcs_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_programs
%C%_test_programs_SOURCES = %D%/test_programs.c
%C%_test_programs_CFLAGS = $(prf_test_cflags)
%C%_test_programs_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_tree
%C%_test_tree_SOURCES = %D%/test_tree.c
%C%_test_tree_CFLAGS = $(prf_test_cflags)
%C%_test_tree_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_thread_rows
%C%_test_thread_rows_SOURCES = %D%/test_thread_rows.c
%C%_test_thread_rows_CFLAGS = $(prf_test_cflags)
%C%_test_thread_rows_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_thread_states
%C%_test_thread_states_SOURCES = %D%/test_thread_states.c
%C%_test_thread_states_CFLAGS = $(prf_test_cflags)
%C%_test_thread_states_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_warnings
%C%_test_warnings_SOURCES = %D%/test_warnings.c
%C%_test_warnings_CFLAGS = $(prf_test_cflags)
%C%_test_warnings_LDADD = $(prf_profile_test_libs)

prf_counted_binary = %D%/counted_binary.h %D%/counted_binary.c

check_PROGRAMS_UNIT += %D%/test_binary
%C%_test_binary_SOURCES = %D%/test_binary.c $(prf_counted_binary)
%C%_test_binary_CFLAGS = $(prf_test_cflags)
%C%_test_binary_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_binary_sum
%C%_test_binary_sum_SOURCES = %D%/test_binary_sum.c $(prf_counted_binary)
%C%_test_binary_sum_CFLAGS = $(prf_test_cflags)
%C%_test_binary_sum_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_functions
%C%_test_functions_SOURCES = %D%/test_functions.c
%C%_test_functions_CFLAGS = $(prf_test_cflags)
%C%_test_functions_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_profile
%C%_test_profile_SOURCES = %D%/test_profile.c
%C%_test_profile_CFLAGS = $(prf_test_cflags)
%C%_test_profile_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_profile_add
%C%_test_profile_add_SOURCES = %D%/test_profile_add.c
%C%_test_profile_add_CFLAGS = $(prf_test_cflags)
%C%_test_profile_add_LDADD = $(prf_profile_test_libs)

prf_collected_run = %D%/collected_run.h %D%/collected_run.c

check_PROGRAMS_UNIT += %D%/test_collector
%C%_test_collector_SOURCES = %D%/test_collector.c $(prf_collected_run)
%C%_test_collector_CFLAGS = $(prf_test_cflags)
%C%_test_collector_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_snapshots
%C%_test_snapshots_SOURCES = %D%/test_snapshots.c $(prf_collected_run)
%C%_test_snapshots_CFLAGS = $(prf_test_cflags)
%C%_test_snapshots_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_intervals
%C%_test_intervals_SOURCES = %D%/test_intervals.c $(prf_collected_run)
%C%_test_intervals_CFLAGS = $(prf_test_cflags)
%C%_test_intervals_LDADD = $(prf_profile_test_libs)

prf_made_calls = %D%/made_calls.h %D%/made_calls.c

check_PROGRAMS_UNIT += %D%/test_calls
%C%_test_calls_SOURCES = %D%/test_calls.c $(prf_made_calls)
%C%_test_calls_CFLAGS = $(prf_test_cflags)
%C%_test_calls_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_call_graph
%C%_test_call_graph_SOURCES = %D%/test_call_graph.c $(prf_made_calls)
%C%_test_call_graph_CFLAGS = $(prf_test_cflags)
%C%_test_call_graph_LDADD = $(prf_profile_test_libs)

# What compares runs is given some that are made up.
prf_made_runs = %D%/made_runs.c %D%/made_runs.h

check_PROGRAMS_UNIT += %D%/test_change
%C%_test_change_SOURCES = %D%/test_change.c $(prf_made_runs)
%C%_test_change_CFLAGS = $(prf_test_cflags)
%C%_test_change_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_clearest
%C%_test_clearest_SOURCES = %D%/test_clearest.c $(prf_made_runs)
%C%_test_clearest_CFLAGS = $(prf_test_cflags)
%C%_test_clearest_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_sides
%C%_test_sides_SOURCES = %D%/test_sides.c
%C%_test_sides_CFLAGS = $(prf_test_cflags)
%C%_test_sides_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_course
%C%_test_course_SOURCES = %D%/test_course.c $(prf_made_runs)
%C%_test_course_CFLAGS = $(prf_test_cflags)
%C%_test_course_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_hash_index
%C%_test_hash_index_SOURCES = %D%/test_hash_index.c
%C%_test_hash_index_CFLAGS = $(prf_test_cflags)
%C%_test_hash_index_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_large
%C%_test_large_SOURCES = %D%/test_large.c
%C%_test_large_CFLAGS = $(prf_test_cflags)
%C%_test_large_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_discoveries
%C%_test_discoveries_SOURCES = %D%/test_discoveries.c
%C%_test_discoveries_CFLAGS = $(prf_test_cflags)
%C%_test_discoveries_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_student
%C%_test_student_SOURCES = %D%/test_student.c
%C%_test_student_CFLAGS = $(prf_test_cflags)
%C%_test_student_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_two_shares
%C%_test_two_shares_SOURCES = %D%/test_two_shares.c
%C%_test_two_shares_CFLAGS = $(prf_test_cflags)
%C%_test_two_shares_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_variation
%C%_test_variation_SOURCES = %D%/test_variation.c $(prf_made_runs)
%C%_test_variation_CFLAGS = $(prf_test_cflags)
%C%_test_variation_LDADD = $(prf_profile_test_libs)

check_PROGRAMS_UNIT += %D%/test_owners
%C%_test_owners_SOURCES = %D%/test_owners.c
%C%_test_owners_CFLAGS = $(prf_test_cflags)
%C%_test_owners_LDADD = $(prf_profile_test_libs)

# This program's own lines are asked for.
check_PROGRAMS_UNIT += %D%/test_binary_lines
%C%_test_binary_lines_SOURCES = %D%/test_binary_lines.c
%C%_test_binary_lines_CFLAGS = $(prf_test_cflags) -g -O2
%C%_test_binary_lines_LDADD = $(prf_profile_test_libs)
