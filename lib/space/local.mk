# lib/space: which binary lies at an address of a process; the cache of binaries.
noinst_LIBRARIES += %D%/libprfspace.a

%C%_libprfspace_a_SOURCES = \
	%D%/fetch.c \
	%D%/fetch.h \
	%D%/file.c \
	%D%/file.h \
	%D%/files.c \
	%D%/files.h \
	%D%/mapped.c \
	%D%/mapped.h \
	%D%/mounts.c \
	%D%/mounts.h \
	%D%/objectfile.c \
	%D%/objectfile.h \
	%D%/perfmapfile.c \
	%D%/perfmapfile.h \
	%D%/procs.c \
	%D%/procs.h \
	%D%/program.c \
	%D%/program.h \
	%D%/space.c \
	%D%/space.h
