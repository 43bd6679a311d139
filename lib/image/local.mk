# lib/image: ELF files and the text of /proc/PID/maps; libelf, libdw, bfd.
noinst_LTLIBRARIES += %D%/libprfimage.la

%C%_libprfimage_la_SOURCES = \
	%D%/buildid.c \
	%D%/buildid.h \
	%D%/debugfile.c \
	%D%/debugfile.h \
	%D%/debuginfod.c \
	%D%/debuginfod.h \
	%D%/demangle.c \
	%D%/demangle.h \
	%D%/dynamic.c \
	%D%/fdes.c \
	%D%/fdes.h \
	%D%/frames.c \
	%D%/frames.h \
	%D%/image.c \
	%D%/image.h \
	%D%/layout.c \
	%D%/layout.h \
	%D%/maps.c \
	%D%/maps.h \
	%D%/minidebug.c \
	%D%/names.c \
	%D%/names.h \
	%D%/object.c \
	%D%/object.h \
	%D%/perfmap.c \
	%D%/perfmap.h \
	%D%/plt.c \
	%D%/plt.h \
	%D%/radix.c \
	%D%/radix.h \
	%D%/stub.c \
	%D%/stub.h \
	%D%/symbols.c \
	%D%/symtab.c \
	%D%/symtab.h \
	%D%/syscall_table.h \
	%D%/syscalls.c \
	%D%/syscalls.h \
	%D%/texts.c \
	%D%/texts.h \
	%D%/xz.c \
	%D%/xz.h

# The numbers are the compiler's business (some are sums); here it is only
# found out which names there are.  Names in capitals are no calls.
nodist_%C%_libprfimage_la_SOURCES = %D%/syscall_table.c
CLEANFILES += %D%/syscall_table.c
%D%/syscall_table.c: Makefile
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	echo '#include <sys/syscall.h>' | \
		$(CC) $(CPPFLAGS) $(CFLAGS) -E -dM -x c - >$@.in && \
	{ echo '#include <stddef.h>' && \
	  echo '#include <sys/syscall.h>' && \
	  echo '#include "image/syscall_table.h"' && \
	  echo 'const struct prf_syscall prf_syscall_table[] = {' && \
	  $(AWK) '$$1 == "#define" && $$2 ~ /^__NR_[a-z0-9_]+$$/ && \
		$$2 !~ /^__NR_(syscalls|arch_specific_syscall)$$/ \
		{ print "{" $$2 ", \"" substr($$2, 6) "\"}," }' $@.in | \
		LC_ALL=C sort && \
	  echo '{0, NULL}};'; } >$@.out && \
	rm -f $@.in && mv $@.out $@
