# lib/core: numbers, bytes and a FILE; libc only. Installed as libprofrun.
noinst_LTLIBRARIES += %D%/libprfcore.la
lib_LTLIBRARIES += %D%/libprofrun.la

prf_core_headers = \
	%D%/attr.h \
	%D%/counter.h \
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
	%D%/hist/scale.h \
	%D%/clock_ns.h \
	%D%/scope.h \
	%D%/hist/counter.c \
	%D%/byteorder.h \
	%D%/pctrace/crc32.c \
	%D%/pctrace/crc32.h \
	%D%/hist/dialect.c \
	%D%/error.c \
	%D%/worker.c \
	%D%/worker.h \
	%D%/sink/chunk.c \
	%D%/sink/chunk.h \
	%D%/sink/event.c \
	%D%/sink/event.h \
	%D%/gmon/gmon_add.c \
	%D%/gmon/gmon_add.h \
	%D%/gmon/gmon_cursor.c \
	%D%/gmon/gmon_cursor.h \
	%D%/gmon/gmon_format.h \
	%D%/gmon/gmon_read.c \
	%D%/gmon/gmon_scan.c \
	%D%/gmon/gmon_scan.h \
	%D%/gmon/gmon_scanned.h \
	%D%/gmon/gmon_write.c \
	%D%/gmon/gmon_write_hist.c \
	%D%/gmon/gmon_writer.h \
	%D%/hist/hist.c \
	%D%/hist/hist_counters.c \
	%D%/hist/hist_counters.h \
	%D%/hist/hist_shape.c \
	%D%/hist/hist_shape.h \
	%D%/hist/hist_waiting.c \
	%D%/hist/hist_waiting.h \
	%D%/hist/pcsample.c \
	%D%/pctrace/pctrace_decode.c \
	%D%/pctrace/pctrace_decode.h \
	%D%/pctrace/pctrace_decode_sample.c \
	%D%/pctrace/pctrace_format.h \
	%D%/pctrace/pctrace_info.c \
	%D%/pctrace/pctrace_info.h \
	%D%/pctrace/pctrace_input.c \
	%D%/pctrace/pctrace_input.h \
	%D%/pctrace/pctrace_past.c \
	%D%/pctrace/pctrace_past.h \
	%D%/pctrace/pctrace_read.c \
	%D%/pctrace/pctrace_state.h \
	%D%/pctrace/pctrace_write.c \
	%D%/pctrace/pctrace_write_sample.c \
	%D%/pctrace/pctrace_writer.c \
	%D%/pctrace/pctrace_writer.h \
	%D%/sink/filter.c \
	%D%/sink/filter.h \
	%D%/sink/queue.c \
	%D%/pctrace/rawsamples.c \
	%D%/hist/region.c \
	%D%/hist/search.c \
	%D%/hist/search.h \
	%D%/hist/table.c \
	%D%/sink/tee.c \
	%D%/sink/untold.c \
	%D%/sink/untold.h \
	%D%/pctrace/varint.h

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
