# lib/image: ELF files and the text of /proc/PID/maps; libelf, libdw, liblzma, bfd,
# opcodes.
noinst_LIBRARIES += %D%/libprfimage.a

%C%_libprfimage_a_SOURCES = \
	%D%/buildid.c \
	%D%/buildid.h \
	%D%/cfi.c \
	%D%/cfi.h \
	%D%/cfi_cache.c \
	%D%/cfi_cache.h \
	%D%/cfi_program.c \
	%D%/cfi_program.h \
	%D%/cfi_row.h \
	%D%/cfi_rows.c \
	%D%/cfi_rows.h \
	%D%/code.c \
	%D%/code.h \
	%D%/debug_info.c \
	%D%/debug_info.h \
	%D%/debug_way.h \
	%D%/debugfile.c \
	%D%/debugfile.h \
	%D%/debuginfod.c \
	%D%/debuginfod.h \
	%D%/demangle.c \
	%D%/demangle.h \
	%D%/disassembly.c \
	%D%/disassembly.h \
	%D%/dwarf_bytes.c \
	%D%/dwarf_bytes.h \
	%D%/dynamic.c \
	%D%/fdes.c \
	%D%/fdes.h \
	%D%/frames.c \
	%D%/frames.h \
	%D%/frames_header.c \
	%D%/frames_header.h \
	%D%/image.c \
	%D%/image.h \
	%D%/inlines.c \
	%D%/inlines.h \
	%D%/kallsyms.c \
	%D%/kallsyms.h \
	%D%/layout.c \
	%D%/lazy.c \
	%D%/lazy.h \
	%D%/layout.h \
	%D%/line_program.c \
	%D%/line_program.h \
	%D%/line_rows.c \
	%D%/line_rows.h \
	%D%/lines.c \
	%D%/lines.h \
	%D%/maps.c \
	%D%/maps.h \
	%D%/minidebug.c \
	%D%/names.c \
	%D%/names.h \
	%D%/nested.c \
	%D%/nested.h \
	%D%/note.c \
	%D%/note.h \
	%D%/object.c \
	%D%/object.h \
	%D%/perfmap.c \
	%D%/perfmap.h \
	%D%/plt.c \
	%D%/plt.h \
	%D%/starts.c \
	%D%/starts.h \
	%D%/stub.c \
	%D%/stub.h \
	%D%/symbols.c \
	%D%/symtab.c \
	%D%/symtab.h \
	%D%/syscall_table.h \
	%D%/syscalls.c \
	%D%/syscalls.h \
	%D%/text.h \
	%D%/texts.c \
	%D%/texts.h \
	%D%/vdso.c \
	%D%/vdso.h \
	%D%/xz.c \
	%D%/xz.h

# A table of names for each machine, from the one for people.
nodist_%C%_libprfimage_a_SOURCES = %D%/syscall_table.c
CLEANFILES += %D%/syscall_table.c
EXTRA_DIST += %D%/syscalls.tbl %D%/syscalls.awk
%D%/syscall_table.c: %D%/syscalls.tbl %D%/syscalls.awk
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	LC_ALL=C $(AWK) -f $(srcdir)/%D%/syscalls.awk \
		$(srcdir)/%D%/syscalls.tbl >$@.out && \
	mv $@.out $@
