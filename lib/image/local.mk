# lib/image: ELF files and the text of /proc/PID/maps; libelf, libdw, bfd.
noinst_LTLIBRARIES += %D%/libprfimage.la

%C%_libprfimage_la_SOURCES = \
	%D%/demangle.h \
	%D%/image.h \
	%D%/maps.h \
	%D%/perfmap.h \
	%D%/syscalls.h
