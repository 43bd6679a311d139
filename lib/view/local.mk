# lib/view: a profile to bytes, for people and for tools.
noinst_LIBRARIES += %D%/libprfview.a

%C%_libprfview_a_SOURCES = \
	%D%/annotate/annotation.c \
	%D%/annotate/annotation.h \
	%D%/annotate/annotation_export.c \
	%D%/annotate/annotation_export.h \
	%D%/annotate/annotation_heading.c \
	%D%/annotate/annotation_heading.h \
	%D%/annotate/annotation_print.c \
	%D%/annotate/annotation_print.h \
	%D%/annotate/inlined.c \
	%D%/annotate/inlined.h \
	%D%/annotate/source_supply.c \
	%D%/annotate/source_supply.h \
	%D%/annotate/source_text.c \
	%D%/annotate/source_text.h \
	%D%/export/callgrind.c \
	%D%/export/callgrind.h \
	%D%/export/diff_export.c \
	%D%/export/diff_export.h \
	%D%/export/export_format.c \
	%D%/export/export_format.h \
	%D%/export/export_way.h \
	%D%/export/firefox.c \
	%D%/export/firefox.h \
	%D%/export/firefox_numbers.c \
	%D%/export/firefox_numbers.h \
	%D%/export/firefox_tables.c \
	%D%/export/firefox_tables.h \
	%D%/export/firefox_threads.c \
	%D%/export/firefox_threads.h \
	%D%/export/folded.c \
	%D%/export/folded.h \
	%D%/export/folded_roots.c \
	%D%/export/folded_roots.h \
	%D%/export/json.c \
	%D%/export/json.h \
	%D%/export/perf_script.c \
	%D%/export/perf_script.h \
	%D%/export/profile_json.c \
	%D%/export/profile_json.h \
	%D%/export/report_export.c \
	%D%/export/report_export.h \
	%D%/export/share_export.c \
	%D%/export/share_export.h \
	%D%/export/speedscope.c \
	%D%/export/speedscope.h \
	%D%/export/spread_export.c \
	%D%/export/spread_export.h \
	%D%/export/stack_table.c \
	%D%/export/stack_table.h \
	%D%/export/thread_export.c \
	%D%/export/thread_export.h \
	%D%/export/timeline.c \
	%D%/export/timeline.h \
	%D%/export/utf8.c \
	%D%/export/utf8.h \
	%D%/page/diff_page.c \
	%D%/page/diff_page.h \
	%D%/page/page.c \
	%D%/page/page.h \
	%D%/page/page_json.c \
	%D%/page/page_json.h \
	%D%/page/page_samples.c \
	%D%/page/page_samples.h \
	%D%/page/page_tree.c \
	%D%/page/page_tree.h \
	%D%/page/page_text.h \
	%D%/gmon/gmon_files.c \
	%D%/gmon/gmon_files.h \
	%D%/gmon/gmon_list.c \
	%D%/gmon/gmon_list.h \
	%D%/gmon/gmon_named.c \
	%D%/gmon/gmon_named.h \
	%D%/gmon/nm_list.c \
	%D%/gmon/nm_list.h \
	%D%/gmon/gmon_source.c \
	%D%/gmon/gmon_source.h \
	%D%/gmon/gmon_layout.c \
	%D%/gmon/gmon_layout.h \
	%D%/gmon/gmon_word.c \
	%D%/gmon/gmon_word.h \
	%D%/gmon/run_lines.c \
	%D%/gmon/run_lines.h \
	%D%/gmon/symsfile.c \
	%D%/gmon/symsfile.h \
	%D%/pprof/gzip.c \
	%D%/pprof/gzip.h \
	%D%/pprof/pprof_binaries.c \
	%D%/pprof/pprof_binaries.h \
	%D%/pprof/pprof_comment.c \
	%D%/pprof/pprof_comment.h \
	%D%/pprof/cpuprofile.c \
	%D%/pprof/cpuprofile.h \
	%D%/pprof/pprof_message.c \
	%D%/pprof/pprof_message.h \
	%D%/pprof/pprof_owner.c \
	%D%/pprof/pprof_owner.h \
	%D%/pprof/pprof_places.c \
	%D%/pprof/pprof_places.h \
	%D%/pprof/pprof_read.c \
	%D%/pprof/pprof_read.h \
	%D%/pprof/pprof_unit.c \
	%D%/pprof/pprof_unit.h \
	%D%/pprof/pprof_write.c \
	%D%/pprof/pprof_write.h \
	%D%/table/call_tree.c \
	%D%/table/call_tree.h \
	%D%/table/call_tree_print.c \
	%D%/table/call_tree_print.h \
	%D%/table/clones.c \
	%D%/table/clones.h \
	%D%/table/command_line.c \
	%D%/table/command_line.h \
	%D%/table/diff.c \
	%D%/table/diff.h \
	%D%/table/diff_print.c \
	%D%/table/diff_print.h \
	%D%/table/distinct_names.c \
	%D%/table/distinct_names.h \
	%D%/table/line_ticks.c \
	%D%/table/line_ticks.h \
	%D%/table/listing.c \
	%D%/table/listing.h \
	%D%/table/lookup.c \
	%D%/table/lookup.h \
	%D%/table/mergereport.c \
	%D%/table/mergereport.h \
	%D%/table/name_columns.c \
	%D%/table/name_columns.h \
	%D%/table/plain.c \
	%D%/table/plain.h \
	%D%/table/report.c \
	%D%/table/report.h \
	%D%/table/report_processes.c \
	%D%/table/report_processes.h \
	%D%/table/rows.c \
	%D%/table/run_course.c \
	%D%/table/run_course.h \
	%D%/table/rows.h \
	%D%/table/share.c \
	%D%/table/share.h \
	%D%/table/share_columns.c \
	%D%/table/share_columns.h \
	%D%/table/short_name.c \
	%D%/table/short_name.h \
	%D%/table/spread.c \
	%D%/table/spread.h \
	%D%/table/stack_ends.c \
	%D%/table/stack_ends.h \
	%D%/table/style.h \
	%D%/table/thread_table.c \
	%D%/table/thread_table.h \
	%D%/table/wrapped.c \
	%D%/table/wrapped.h

# Made by the build.
nodist_%C%_libprfview_a_SOURCES =

# The page of a profile, as lines of text.
nodist_%C%_libprfview_a_SOURCES += %D%/page/page_text.c
CLEANFILES += %D%/page/page_text.c
prf_page_parts = %D%/page/page.html %D%/page/page.css %D%/page/trees.js \
	%D%/page/choice.js %D%/page/numbers.js %D%/page/comparison.js \
	%D%/page/drawing.js %D%/page/axis.js %D%/page/view.js \
	%D%/page/table.js %D%/page/paper.js %D%/page/page.js %D%/page/embed.awk
EXTRA_DIST += $(prf_page_parts)
%D%/page/page_text.c: $(prf_page_parts)
	$(AM_V_GEN)$(MKDIR_P) %D%/page && \
	LC_ALL=C $(AWK) -v dir=$(srcdir)/%D%/page -f $(srcdir)/%D%/page/embed.awk \
		$(srcdir)/%D%/page/page.html >$@.out && \
	mv $@.out $@

# The message of a pprof file, as C.
nodist_%C%_libprfview_a_SOURCES += \
	%D%/pprof/profile.pb-c.c \
	%D%/pprof/profile.pb-c.h
BUILT_SOURCES += %D%/pprof/profile.pb-c.h
CLEANFILES += %D%/pprof/profile.pb-c.c %D%/pprof/profile.pb-c.h
EXTRA_DIST += %D%/pprof/profile.proto
%C%_libprfview_a_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_builddir)/lib \
	$(PROTOBUF_C_CFLAGS)
%D%/pprof/profile.pb-c.c: %D%/pprof/profile.proto
	$(AM_V_GEN)$(MKDIR_P) %D%/pprof && \
	$(PROTOC_C) --proto_path=$(srcdir)/%D%/pprof --c_out=%D%/pprof \
		$(srcdir)/%D%/pprof/profile.proto
%D%/pprof/profile.pb-c.h: %D%/pprof/profile.pb-c.c
