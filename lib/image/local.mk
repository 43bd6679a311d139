# lib/image: ELF files and the text of /proc/PID/maps; libelf, libdw, bfd.
noinst_LTLIBRARIES += %D%/libprfimage.la

%C%_libprfimage_la_SOURCES = \
	%D%/debugfile.c \
	%D%/debugfile.h \
	%D%/dynamic.c \
	%D%/image.c \
	%D%/image.h \
	%D%/layout.c \
	%D%/layout.h \
	%D%/minidebug.c \
	%D%/names.c \
	%D%/names.h \
	%D%/object.c \
	%D%/object.h \
	%D%/plt.c \
	%D%/plt.h \
	%D%/stub.c \
	%D%/stub.h \
	%D%/symbols.c \
	%D%/symtab.c \
	%D%/symtab.h \
	%D%/texts.c \
	%D%/texts.h \
	%D%/xz.c \
	%D%/xz.h \
	%D%/demangle.h \
	%D%/maps.h \
	%D%/perfmap.h \
	%D%/syscalls.h
