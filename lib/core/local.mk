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
	%D%/losses.h \
	%D%/pcsample.h \
	%D%/pctrace.h \
	%D%/queue.h \
	%D%/rawsamples.h \
	%D%/region.h \
	%D%/sample.h \
	%D%/table.h \
	%D%/tee.h

%C%_libprfcore_la_SOURCES = \
	$(prf_core_headers) \
	%D%/scale.h \
	%D%/scope.h \
	%D%/bump.c \
	%D%/byteorder.h \
	%D%/crc32.c \
	%D%/crc32.h \
	%D%/dialect.c \
	%D%/error.c \
	%D%/chunk.c \
	%D%/chunk.h \
	%D%/event.c \
	%D%/event.h \
	%D%/gmon_add.c \
	%D%/gmon_add.h \
	%D%/gmon_cursor.c \
	%D%/gmon_cursor.h \
	%D%/gmon_format.h \
	%D%/gmon_read.c \
	%D%/gmon_scan.c \
	%D%/gmon_scan.h \
	%D%/gmon_write.c \
	%D%/gmon_write_hist.c \
	%D%/gmon_writer.h \
	%D%/hist.c \
	%D%/hist_counters.c \
	%D%/hist_counters.h \
	%D%/hist_shape.c \
	%D%/hist_shape.h \
	%D%/hist_waiting.c \
	%D%/hist_waiting.h \
	%D%/pcsample.c \
	%D%/pctrace_decode.c \
	%D%/pctrace_decode.h \
	%D%/pctrace_decode_sample.c \
	%D%/pctrace_format.h \
	%D%/pctrace_info.c \
	%D%/pctrace_info.h \
	%D%/pctrace_input.c \
	%D%/pctrace_input.h \
	%D%/pctrace_read.c \
	%D%/pctrace_state.h \
	%D%/pctrace_write.c \
	%D%/pctrace_write_sample.c \
	%D%/pctrace_writer.c \
	%D%/pctrace_writer.h \
	%D%/queue.c \
	%D%/rawsamples.c \
	%D%/region.c \
	%D%/search.c \
	%D%/search.h \
	%D%/table.c \
	%D%/tee.c \
	%D%/varint.h

%C%_libprofrun_la_SOURCES =
%C%_libprofrun_la_LIBADD = lib/inproc/libprfinproc.la %D%/libprfcore.la
%C%_libprofrun_la_LDFLAGS = $(AM_LDFLAGS) -no-undefined \
	-Wl,-z,nodelete -Wl,-z,now \
	-version-info $(LIBPROFRUN_VERSION_INFO) \
	-Wl,--version-script=$(srcdir)/%D%/libprofrun.map
EXTRA_%C%_libprofrun_la_DEPENDENCIES = %D%/libprofrun.map
EXTRA_DIST += %D%/libprofrun.map

profrunincludedir = $(includedir)/profrun
profruninclude_HEADERS = $(prf_core_headers) $(prf_inproc_headers)
