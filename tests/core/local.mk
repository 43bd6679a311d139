# tests/core: one program for each file of lib/core; links core alone.
check_PROGRAMS_UNIT += \
	%D%/test_counter \
	%D%/test_dialect \
	%D%/test_error \
	%D%/test_hist \
	%D%/test_hist_counters \
	%D%/test_hist_shape \
	%D%/test_hist_waiting \
	%D%/test_pcsample \
	%D%/test_region \
	%D%/test_search \
	%D%/test_table \
	%D%/test_vectors \
	%D%/test_worker

%C%_test_counter_SOURCES = \
	%D%/test_counter.c %D%/random.h %D%/vectors.c %D%/vectors.h
%C%_test_counter_CFLAGS = $(prf_test_cflags)
%C%_test_counter_LDADD = $(prf_core_libs) $(prf_test_libs)

%C%_test_dialect_SOURCES = %D%/test_dialect.c
%C%_test_dialect_CFLAGS = $(prf_test_cflags)
%C%_test_dialect_LDADD = $(prf_core_libs) $(prf_test_libs)

%C%_test_error_SOURCES = %D%/test_error.c
%C%_test_error_CFLAGS = $(prf_test_cflags)
%C%_test_error_LDADD = $(prf_core_libs) $(prf_test_libs)

prf_gmon_tests = %D%/test_gmon_write %D%/test_gmon_write_hist %D%/test_gmon_read \
	%D%/test_gmon_bsd %D%/test_gmon_damage %D%/test_gmon_roundtrip
check_PROGRAMS_UNIT += $(prf_gmon_tests)
prf_gmon_file = %D%/gmon_file.h %D%/gmon_file.c

%C%_test_gmon_write_SOURCES = %D%/test_gmon_write.c
%C%_test_gmon_write_CFLAGS = $(prf_test_cflags)
%C%_test_gmon_write_LDADD = $(prf_core_libs) $(prf_test_libs)

%C%_test_gmon_write_hist_SOURCES = %D%/test_gmon_write_hist.c
%C%_test_gmon_write_hist_CFLAGS = $(prf_test_cflags)
%C%_test_gmon_write_hist_LDADD = $(prf_core_libs) $(prf_test_libs)

%C%_test_gmon_read_SOURCES = %D%/test_gmon_read.c $(prf_gmon_file)
%C%_test_gmon_read_CFLAGS = $(prf_test_cflags)
%C%_test_gmon_read_LDADD = $(prf_core_libs) $(prf_test_libs)

%C%_test_gmon_bsd_SOURCES = %D%/test_gmon_bsd.c $(prf_gmon_file)
%C%_test_gmon_bsd_CFLAGS = $(prf_test_cflags)
%C%_test_gmon_bsd_LDADD = $(prf_core_libs) $(prf_test_libs)

%C%_test_gmon_damage_SOURCES = %D%/test_gmon_damage.c $(prf_gmon_file)
%C%_test_gmon_damage_CFLAGS = $(prf_test_cflags)
%C%_test_gmon_damage_LDADD = $(prf_core_libs) $(prf_test_libs)

%C%_test_gmon_roundtrip_SOURCES = %D%/test_gmon_roundtrip.c $(prf_gmon_file)
%C%_test_gmon_roundtrip_CFLAGS = $(prf_test_cflags)
%C%_test_gmon_roundtrip_LDADD = $(prf_core_libs) $(prf_test_libs)

# A gmon.out for shell tests.
check_PROGRAMS += %D%/gmon_from_text
%C%_gmon_from_text_SOURCES = %D%/gmon_from_text.c
%C%_gmon_from_text_LDADD = $(prf_core_libs)

%C%_test_hist_SOURCES = %D%/test_hist.c %D%/random.h
%C%_test_hist_CFLAGS = $(prf_test_cflags)
%C%_test_hist_LDADD = $(prf_core_libs) $(prf_test_libs)

%C%_test_hist_counters_SOURCES = %D%/test_hist_counters.c
%C%_test_hist_counters_CFLAGS = $(prf_test_cflags)
%C%_test_hist_counters_LDADD = $(prf_core_libs) $(prf_test_libs)

%C%_test_hist_shape_SOURCES = %D%/test_hist_shape.c %D%/random.h
%C%_test_hist_shape_CFLAGS = $(prf_test_cflags)
%C%_test_hist_shape_LDADD = $(prf_core_libs) $(prf_test_libs)

%C%_test_hist_waiting_SOURCES = %D%/test_hist_waiting.c %D%/random.h
%C%_test_hist_waiting_CFLAGS = $(prf_test_cflags)
%C%_test_hist_waiting_LDADD = $(prf_core_libs) $(prf_test_libs)

%C%_test_pcsample_SOURCES = \
	%D%/test_pcsample.c %D%/vectors.c %D%/vectors.h
%C%_test_pcsample_CFLAGS = $(prf_test_cflags)
%C%_test_pcsample_LDADD = $(prf_core_libs) $(prf_test_libs)

%C%_test_region_SOURCES = %D%/test_region.c %D%/random.h
%C%_test_region_CFLAGS = $(prf_test_cflags)
%C%_test_region_LDADD = $(prf_core_libs) $(prf_test_libs)

%C%_test_search_SOURCES = %D%/test_search.c %D%/random.h
%C%_test_search_CFLAGS = $(prf_test_cflags)
%C%_test_search_LDADD = $(prf_core_libs) $(prf_test_libs)

%C%_test_table_SOURCES = %D%/test_table.c %D%/random.h
%C%_test_table_CFLAGS = $(prf_test_cflags)
%C%_test_table_LDADD = $(prf_core_libs) $(prf_test_libs)

%C%_test_vectors_SOURCES = \
	%D%/test_vectors.c %D%/vectors.c %D%/vectors.h
%C%_test_vectors_CFLAGS = $(prf_test_cflags)
%C%_test_vectors_LDADD = $(prf_core_libs) $(prf_test_libs)

%C%_test_worker_SOURCES = %D%/test_worker.c
%C%_test_worker_CFLAGS = $(prf_test_cflags)
%C%_test_worker_LDADD = $(prf_core_libs) $(prf_test_libs)

EXTRA_DIST += tests/fixtures/vectors.csv tests/fixtures/vectors.txt

prf_queued = %D%/queued.c %D%/queued.h

check_PROGRAMS_UNIT += %D%/test_queue
%C%_test_queue_SOURCES = %D%/test_queue.c $(prf_queued)
%C%_test_queue_CFLAGS = $(prf_test_cflags)
%C%_test_queue_LDADD = $(prf_core_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_queue_waiting %D%/test_queue_rounds
%C%_test_queue_waiting_SOURCES = %D%/test_queue_waiting.c $(prf_queued)
%C%_test_queue_waiting_CFLAGS = $(prf_test_cflags)
%C%_test_queue_waiting_LDADD = $(prf_core_libs) $(prf_test_libs)

%C%_test_queue_rounds_SOURCES = %D%/test_queue_rounds.c $(prf_queued)
%C%_test_queue_rounds_CFLAGS = $(prf_test_cflags)
%C%_test_queue_rounds_LDADD = $(prf_core_libs) $(prf_test_libs)

# Traces: a sink that writes events down, and traces in memory.
prf_event_log = %D%/random.h %D%/event_log.h %D%/event_log.c
prf_trace_file = $(prf_event_log) %D%/trace_file.h %D%/trace_file.c

check_PROGRAMS_UNIT += %D%/test_untold
%C%_test_untold_SOURCES = %D%/test_untold.c
%C%_test_untold_CFLAGS = $(prf_test_cflags)
%C%_test_untold_LDADD = $(prf_core_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_chunk
%C%_test_chunk_SOURCES = %D%/test_chunk.c $(prf_event_log)
%C%_test_chunk_CFLAGS = $(prf_test_cflags)
%C%_test_chunk_LDADD = $(prf_core_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_event
%C%_test_event_SOURCES = %D%/test_event.c $(prf_event_log)
%C%_test_event_CFLAGS = $(prf_test_cflags)
%C%_test_event_LDADD = $(prf_core_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_pctrace
%C%_test_pctrace_SOURCES = %D%/test_pctrace.c $(prf_trace_file)
%C%_test_pctrace_CFLAGS = $(prf_test_cflags)
%C%_test_pctrace_LDADD = $(prf_core_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_pctrace_damage
%C%_test_pctrace_damage_SOURCES = %D%/test_pctrace_damage.c $(prf_trace_file)
%C%_test_pctrace_damage_CFLAGS = $(prf_test_cflags)
%C%_test_pctrace_damage_LDADD = $(prf_core_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_pctrace_past
%C%_test_pctrace_past_SOURCES = %D%/test_pctrace_past.c $(prf_trace_file)
%C%_test_pctrace_past_CFLAGS = $(prf_test_cflags)
%C%_test_pctrace_past_LDADD = $(prf_core_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_filter
%C%_test_filter_SOURCES = %D%/test_filter.c $(prf_event_log)
%C%_test_filter_CFLAGS = $(prf_test_cflags)
%C%_test_filter_LDADD = $(prf_core_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_crc32 %D%/test_varint %D%/test_tee
%C%_test_crc32_SOURCES = %D%/test_crc32.c %D%/random.h
%C%_test_crc32_CFLAGS = $(prf_test_cflags)
%C%_test_crc32_LDADD = $(prf_core_libs) $(prf_test_libs)

%C%_test_varint_SOURCES = %D%/test_varint.c %D%/random.h
%C%_test_varint_CFLAGS = $(prf_test_cflags)
%C%_test_varint_LDADD = $(prf_core_libs) $(prf_test_libs)

%C%_test_tee_SOURCES = %D%/test_tee.c $(prf_event_log)
%C%_test_tee_CFLAGS = $(prf_test_cflags)
%C%_test_tee_LDADD = $(prf_core_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_rawsamples
%C%_test_rawsamples_SOURCES = %D%/test_rawsamples.c
%C%_test_rawsamples_CFLAGS = $(prf_test_cflags)
%C%_test_rawsamples_LDADD = $(prf_core_libs) $(prf_test_libs)

# A trace for what is not C.
check_PROGRAMS += %D%/write_trace
%C%_write_trace_SOURCES = %D%/write_trace.c $(prf_trace_file)
%C%_write_trace_CFLAGS = $(prf_test_cflags)
%C%_write_trace_LDADD = $(prf_core_libs) $(prf_test_libs)
dist_check_SCRIPTS += %D%/check-pctrace-as-documented.sh \
	%D%/check-pctrace-damage.sh
TESTS += %D%/check-pctrace-as-documented.sh \
	%D%/check-pctrace-damage.sh
EXTRA_DIST += %D%/read_pctrace.py
