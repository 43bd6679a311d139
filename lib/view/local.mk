# lib/view: a named profile to bytes, for people and for tools.
noinst_LTLIBRARIES += %D%/libprfview.la

%C%_libprfview_la_SOURCES = \
	%D%/count.h \
	%D%/count.c \
	%D%/gmonfiles.h \
	%D%/gmonfiles.c \
	%D%/whole.h \
	%D%/whole.c \
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
	%D%/report.h \
	%D%/report.c \
	%D%/settle.c \
	%D%/space.h \
	%D%/space.c \
	%D%/tally.h \
	%D%/tally.c
