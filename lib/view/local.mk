# lib/view: a named profile to bytes, for people and for tools.
noinst_LTLIBRARIES += %D%/libprfview.la

%C%_libprfview_la_SOURCES = \
	%D%/count.h \
	%D%/count.c \
	%D%/ending.c \
	%D%/family.h \
	%D%/family.c \
	%D%/file.h \
	%D%/file.c \
	%D%/files.h \
	%D%/files.c \
	%D%/gmonfiles.h \
	%D%/gmonfiles.c \
	%D%/whole.h \
	%D%/whole.c \
	%D%/kin.h \
	%D%/kin.c \
	%D%/lineage.h \
	%D%/listing.h \
	%D%/listing.c \
	%D%/lookup.h \
	%D%/lookup.c \
	%D%/mapped.h \
	%D%/mapped.c \
	%D%/object.h \
	%D%/object.c \
	%D%/objectfile.h \
	%D%/objectfile.c \
	%D%/perfmapfile.h \
	%D%/perfmapfile.c \
	%D%/plain.h \
	%D%/plain.c \
	%D%/profile.h \
	%D%/profile.c \
	%D%/program.h \
	%D%/program.c \
	%D%/report.h \
	%D%/report.c \
	%D%/report_family.h \
	%D%/report_family.c \
	%D%/settle.c \
	%D%/space.h \
	%D%/space.c \
	%D%/tally.h \
	%D%/tally.c \
	%D%/threads.h \
	%D%/threads.c \
	%D%/totals.h \
	%D%/totals.c \
	%D%/tree.h \
	%D%/tree.c \
	%D%/warnings.h \
	%D%/warnings.c
