# tests/space: one program for each file of lib/space; links space and below.
prf_space_test_libs = tests/support/libprfmade.a \
	tests/support/libelfbuilder.a $(prf_space_libs) $(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_space
%C%_test_space_SOURCES = %D%/test_space.c
%C%_test_space_CFLAGS = $(prf_test_cflags)
%C%_test_space_LDADD = $(prf_space_test_libs)

check_PROGRAMS_UNIT += %D%/test_objectfile
%C%_test_objectfile_SOURCES = %D%/test_objectfile.c
%C%_test_objectfile_CFLAGS = $(prf_test_cflags)
%C%_test_objectfile_LDADD = $(prf_space_test_libs)

check_PROGRAMS_UNIT += %D%/test_perfmapfile
%C%_test_perfmapfile_SOURCES = %D%/test_perfmapfile.c
%C%_test_perfmapfile_CFLAGS = $(prf_test_cflags)
%C%_test_perfmapfile_LDADD = $(prf_space_test_libs)

check_PROGRAMS_UNIT += %D%/test_file
%C%_test_file_SOURCES = %D%/test_file.c
%C%_test_file_CFLAGS = $(prf_test_cflags)
%C%_test_file_LDADD = $(prf_space_test_libs)

check_PROGRAMS_UNIT += %D%/test_files
%C%_test_files_SOURCES = %D%/test_files.c
%C%_test_files_CFLAGS = $(prf_test_cflags)
%C%_test_files_LDADD = $(prf_space_test_libs)

check_PROGRAMS_UNIT += %D%/test_mapped
%C%_test_mapped_SOURCES = %D%/test_mapped.c
%C%_test_mapped_CFLAGS = $(prf_test_cflags)
%C%_test_mapped_LDADD = $(prf_space_test_libs)

check_PROGRAMS_UNIT += %D%/test_procs
%C%_test_procs_SOURCES = %D%/test_procs.c
%C%_test_procs_CFLAGS = $(prf_test_cflags)
%C%_test_procs_LDADD = $(prf_space_test_libs)

check_PROGRAMS_UNIT += %D%/test_program
%C%_test_program_SOURCES = %D%/test_program.c
%C%_test_program_CFLAGS = $(prf_test_cflags)
%C%_test_program_LDADD = $(prf_space_test_libs)

check_PROGRAMS_UNIT += %D%/test_fetch
%C%_test_fetch_SOURCES = %D%/test_fetch.c
%C%_test_fetch_CFLAGS = $(prf_test_cflags)
%C%_test_fetch_LDADD = $(prf_space_test_libs)

check_PROGRAMS_UNIT += %D%/test_mounts
%C%_test_mounts_SOURCES = %D%/test_mounts.c
%C%_test_mounts_CFLAGS = $(prf_test_cflags)
%C%_test_mounts_LDADD = $(prf_space_test_libs)
