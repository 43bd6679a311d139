# tests/view: one program for each file of lib/view; links view and below.
check_LTLIBRARIES += %D%/libprfmade.la
%C%_libprfmade_la_SOURCES = %D%/made.h %D%/made.c
%C%_libprfmade_la_CFLAGS = $(prf_test_cflags)

prf_view_test_libs = tests/view/libprfmade.la tests/support/libelfbuilder.la \
	$(prf_view_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_count
%C%_test_count_SOURCES = %D%/test_count.c
%C%_test_count_CFLAGS = $(prf_test_cflags)
%C%_test_count_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_tally
%C%_test_tally_SOURCES = %D%/test_tally.c
%C%_test_tally_CFLAGS = $(prf_test_cflags)
%C%_test_tally_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_space
%C%_test_space_SOURCES = %D%/test_space.c
%C%_test_space_CFLAGS = $(prf_test_cflags)
%C%_test_space_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_object
%C%_test_object_SOURCES = %D%/test_object.c
%C%_test_object_CFLAGS = $(prf_test_cflags)
%C%_test_object_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_objectfile
%C%_test_objectfile_SOURCES = %D%/test_objectfile.c
%C%_test_objectfile_CFLAGS = $(prf_test_cflags)
%C%_test_objectfile_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_perfmapfile
%C%_test_perfmapfile_SOURCES = %D%/test_perfmapfile.c
%C%_test_perfmapfile_CFLAGS = $(prf_test_cflags)
%C%_test_perfmapfile_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_settle
%C%_test_settle_SOURCES = %D%/test_settle.c
%C%_test_settle_CFLAGS = $(prf_test_cflags)
%C%_test_settle_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_points
%C%_test_points_SOURCES = %D%/test_points.c
%C%_test_points_CFLAGS = $(prf_test_cflags)
%C%_test_points_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_plain
%C%_test_plain_SOURCES = %D%/test_plain.c
%C%_test_plain_CFLAGS = $(prf_test_cflags)
%C%_test_plain_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_profile
%C%_test_profile_SOURCES = %D%/test_profile.c
%C%_test_profile_CFLAGS = $(prf_test_cflags)
%C%_test_profile_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_whole
%C%_test_whole_SOURCES = %D%/test_whole.c
%C%_test_whole_CFLAGS = $(prf_test_cflags)
%C%_test_whole_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_gmonfiles
%C%_test_gmonfiles_SOURCES = %D%/test_gmonfiles.c
%C%_test_gmonfiles_CFLAGS = $(prf_test_cflags)
%C%_test_gmonfiles_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_report
%C%_test_report_SOURCES = %D%/test_report.c
%C%_test_report_CFLAGS = $(prf_test_cflags)
%C%_test_report_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_file
%C%_test_file_SOURCES = %D%/test_file.c
%C%_test_file_CFLAGS = $(prf_test_cflags)
%C%_test_file_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_files
%C%_test_files_SOURCES = %D%/test_files.c
%C%_test_files_CFLAGS = $(prf_test_cflags)
%C%_test_files_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_family
%C%_test_family_SOURCES = %D%/test_family.c
%C%_test_family_CFLAGS = $(prf_test_cflags)
%C%_test_family_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_totals
%C%_test_totals_SOURCES = %D%/test_totals.c
%C%_test_totals_CFLAGS = $(prf_test_cflags)
%C%_test_totals_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_tree
%C%_test_tree_SOURCES = %D%/test_tree.c
%C%_test_tree_CFLAGS = $(prf_test_cflags)
%C%_test_tree_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_threads
%C%_test_threads_SOURCES = %D%/test_threads.c
%C%_test_threads_CFLAGS = $(prf_test_cflags)
%C%_test_threads_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_report_family
%C%_test_report_family_SOURCES = %D%/test_report_family.c
%C%_test_report_family_CFLAGS = $(prf_test_cflags)
%C%_test_report_family_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_warnings
%C%_test_warnings_SOURCES = %D%/test_warnings.c
%C%_test_warnings_CFLAGS = $(prf_test_cflags)
%C%_test_warnings_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_merge
%C%_test_merge_SOURCES = %D%/test_merge.c
%C%_test_merge_CFLAGS = $(prf_test_cflags)
%C%_test_merge_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_merge_objects
%C%_test_merge_objects_SOURCES = %D%/test_merge_objects.c
%C%_test_merge_objects_CFLAGS = $(prf_test_cflags)
%C%_test_merge_objects_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_symsfile
%C%_test_symsfile_SOURCES = %D%/test_symsfile.c
%C%_test_symsfile_CFLAGS = $(prf_test_cflags)
%C%_test_symsfile_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_mergereport
%C%_test_mergereport_SOURCES = %D%/test_mergereport.c
%C%_test_mergereport_CFLAGS = $(prf_test_cflags)
%C%_test_mergereport_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_blocks
%C%_test_blocks_SOURCES = %D%/test_blocks.c
%C%_test_blocks_CFLAGS = $(prf_test_cflags)
%C%_test_blocks_LDADD = $(prf_view_test_libs)

# gprof(1) as judge.
check_PROGRAMS += %D%/write_whole
%C%_write_whole_SOURCES = %D%/write_whole.c
%C%_write_whole_CFLAGS = $(prf_test_cflags)
%C%_write_whole_LDADD = $(prf_view_test_libs)
dist_check_SCRIPTS += %D%/check-gprof-reads-all.sh
TESTS += %D%/check-gprof-reads-all.sh

check_PROGRAMS_UNIT += %D%/test_lookup
%C%_test_lookup_SOURCES = %D%/test_lookup.c
%C%_test_lookup_CFLAGS = $(prf_test_cflags)
%C%_test_lookup_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_listing
%C%_test_listing_SOURCES = %D%/test_listing.c
%C%_test_listing_CFLAGS = $(prf_test_cflags)
%C%_test_listing_LDADD = $(prf_view_test_libs)

check_PROGRAMS_UNIT += %D%/test_rows
%C%_test_rows_SOURCES = %D%/test_rows.c
%C%_test_rows_CFLAGS = $(prf_test_cflags)
%C%_test_rows_LDADD = $(prf_view_test_libs)
