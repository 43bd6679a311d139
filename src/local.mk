# src: argv, stderr, the exit status.
bin_PROGRAMS += %D%/profrun
noinst_LTLIBRARIES += %D%/libprfcli.la

# All but main, so that unit tests can link it.
%C%_libprfcli_la_SOURCES = \
	%D%/addends.c %D%/addends.h \
	%D%/infile.c %D%/infile.h \
	%D%/exit_status.c %D%/exit_status.h \
	%D%/figures.c %D%/figures.h \
	%D%/format.c %D%/format.h \
	%D%/mainprogram.c %D%/mainprogram.h \
	%D%/message.c %D%/message.h \
	%D%/option_fault.c %D%/option_fault.h \
	%D%/option_table.c %D%/option_table.h \
	%D%/option_values.c %D%/option_values.h \
	%D%/options.c %D%/options.h \
	%D%/outfile.c %D%/outfile.h \
	%D%/outname.c %D%/outname.h \
	%D%/output.c %D%/output.h \
	%D%/pattern.c %D%/pattern.h \
	%D%/rate.c %D%/rate.h \
	%D%/record_files.c %D%/record_files.h \
	%D%/record_streams.c %D%/record_streams.h \
	%D%/reading.c %D%/reading.h \
	%D%/recording.c %D%/recording.h \
	%D%/sift.c %D%/sift.h \
	%D%/signals.c %D%/signals.h \
	%D%/trace_addends.c %D%/trace_addends.h \
	%D%/summary.c %D%/summary.h

%C%_profrun_SOURCES = \
	%D%/main.c \
	%D%/cmd_check.c %D%/cmd_check.h \
	%D%/cmd_export.c %D%/cmd_export.h \
	%D%/cmd_merge.c %D%/cmd_merge.h \
	%D%/cmd_record.c %D%/cmd_record.h \
	%D%/cmd_report.c %D%/cmd_report.h \
	%D%/command.c %D%/command.h
%C%_profrun_LDADD = %D%/libprfcli.la lib/live/libprflive.la $(prf_view_libs)
