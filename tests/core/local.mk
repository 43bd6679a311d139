# tests/core: one program for each file of lib/core; links core alone.
check_PROGRAMS_UNIT += %D%/test_error

%C%_test_error_SOURCES = %D%/test_error.c
%C%_test_error_CFLAGS = $(prf_test_cflags)
%C%_test_error_LDADD = $(prf_core_libs) $(prf_test_libs)

prf_gmon_tests = %D%/test_gmon_write %D%/test_gmon_read \
	%D%/test_gmon_bsd %D%/test_gmon_damage %D%/test_gmon_roundtrip
check_PROGRAMS_UNIT += $(prf_gmon_tests)
prf_gmon_file = %D%/gmon_file.h %D%/gmon_file.c

%C%_test_gmon_write_SOURCES = %D%/test_gmon_write.c
%C%_test_gmon_write_CFLAGS = $(prf_test_cflags)
%C%_test_gmon_write_LDADD = $(prf_core_libs) $(prf_test_libs)

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
