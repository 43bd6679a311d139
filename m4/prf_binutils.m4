dnl PRF_BINUTILS - how to link binutils' libraries.  Fills BFD_LIBS and
dnl OPCODES_LIBS.
dnl
dnl libbfd has no stable ABI: a program that is linked with the shared one runs
dnl with that release of binutils alone.  So the archive is taken where there
dnl is one that can be linked; what it needs differs between releases.
AC_DEFUN([PRF_BINUTILS], [
  AC_CHECK_HEADERS([bfd.h], [],
    [PRF_LACKS([libbfd], [is missing: install binutils-dev (Debian) or binutils-devel (Fedora)])])
  AC_CACHE_CHECK([how to link libbfd], [prf_cv_bfd_libs], [
    prf_cv_bfd_libs=no
    prf_saved_LIBS=$LIBS
    for prf_try in \
      "-l:libbfd.a -l:libiberty.a" \
      "-l:libbfd.a -l:libiberty.a -lz" \
      "-l:libbfd.a -l:libiberty.a -lz -ldl" \
      "-l:libbfd.a -l:libiberty.a -lz -lzstd" \
      "-l:libbfd.a -l:libiberty.a -lz -lzstd -ldl" \
      "-l:libbfd.a -l:libiberty.a -l:libsframe.a -lz" \
      "-l:libbfd.a -l:libiberty.a -l:libsframe.a -lz -lzstd" \
      "-l:libbfd.a -l:libiberty.a -l:libsframe.a -lz -lzstd -lintl" \
      "-lbfd"
    do
      LIBS="$prf_try $prf_saved_LIBS"
      AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <bfd.h>]], [[
          bfd *file = bfd_openr("a.out", NULL);
          return file && bfd_check_format(file, bfd_object) &&
                 bfd_demangle(file, "_Z1fv", 0);]])],
        [prf_cv_bfd_libs=$prf_try; break])
    done
    LIBS=$prf_saved_LIBS])
  AS_CASE([$prf_cv_bfd_libs],
    [no], [PRF_LACKS([libbfd], [cannot be linked])],
    [-lbfd], [AC_MSG_NOTICE([libbfd is linked shared, so profrun runs with this release of binutils alone; to link it statically, install libbfd.a and what it needs (Debian: binutils-dev libiberty-dev libzstd-dev zlib1g-dev, and libsframe-dev where there is one)])])
  AC_SUBST([BFD_LIBS], [$prf_cv_bfd_libs])
  AS_CASE([$prf_cv_bfd_libs],
    [-lbfd], [OPCODES_LIBS=-lopcodes],
    [OPCODES_LIBS=-l:libopcodes.a])
  AC_SUBST([OPCODES_LIBS])
  AC_CACHE_CHECK([whether libopcodes can be linked], [prf_cv_opcodes], [
    prf_saved_LIBS=$LIBS
    LIBS="$OPCODES_LIBS $BFD_LIBS $LIBS"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[
#define PACKAGE "profrun"
#include <dis-asm.h>]], [[
        return !disassembler(bfd_arch_unknown, 0, 0, NULL);]])],
      [prf_cv_opcodes=yes], [prf_cv_opcodes=no])
    LIBS=$prf_saved_LIBS])
  AS_CASE([$prf_cv_bfd_libs,$prf_cv_opcodes],
    [no,*|*,yes], [],
    [PRF_LACKS([libopcodes], [cannot be linked: install binutils-dev (Debian) or binutils-devel (Fedora)])])
  AC_CACHE_CHECK([whether libopcodes tells the style of its text],
    [prf_cv_opcodes_styled], [
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[
#define PACKAGE "profrun"
#include <dis-asm.h>]], [[
        struct disassemble_info info;
        init_disassemble_info(&info, 0, 0, 0);]])],
      [prf_cv_opcodes_styled=yes], [prf_cv_opcodes_styled=no])])
  AS_IF([test "$prf_cv_opcodes_styled" = yes],
    [AC_DEFINE([HAVE_STYLED_OPCODES], [1],
      [Define if init_disassemble_info() takes a styled callback.])])
])
