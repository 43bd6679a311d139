# lib/core: numbers, bytes and a FILE; libc only. Installed as libprofrun.
noinst_LTLIBRARIES += %D%/libprfcore.la
lib_LTLIBRARIES += %D%/libprofrun.la

prf_core_headers = \
	%D%/attr.h \
	%D%/bump.h \
	%D%/dialect.h \
	%D%/error.h \
	%D%/gmon.h \
	%D%/gmon_read.h \
	%D%/hist.h \
	%D%/pcsample.h \
	%D%/queue.h \
	%D%/region.h \
	%D%/sample.h \
	%D%/table.h

%C%_libprfcore_la_SOURCES = \
	$(prf_core_headers) \
	%D%/scale.h \
	%D%/scope.h \
	%D%/bump.c \
	%D%/byteorder.h \
	%D%/dialect.c \
	%D%/error.c \
	%D%/gmon_add.c \
	%D%/gmon_add.h \
	%D%/gmon_cursor.c \
	%D%/gmon_cursor.h \
	%D%/gmon_format.h \
	%D%/gmon_read.c \
	%D%/gmon_scan.c \
	%D%/gmon_scan.h \
	%D%/gmon_write.c \
	%D%/hist.c \
	%D%/pcsample.c \
	%D%/queue.c \
	%D%/region.c \
	%D%/search.c \
	%D%/search.h \
	%D%/table.c

%C%_libprofrun_la_SOURCES =
%C%_libprofrun_la_LIBADD = lib/inproc/libprfinproc.la %D%/libprfcore.la
%C%_libprofrun_la_LDFLAGS = $(AM_LDFLAGS) -no-undefined -Wl,-z,nodelete \
	-version-info $(LIBPROFRUN_VERSION_INFO) \
	-Wl,--version-script=$(srcdir)/%D%/libprofrun.map
EXTRA_%C%_libprofrun_la_DEPENDENCIES = %D%/libprofrun.map
EXTRA_DIST += %D%/libprofrun.map

profrunincludedir = $(includedir)/profrun
profruninclude_HEADERS = $(prf_core_headers) $(prf_inproc_headers)
