dnl PRF_HARDENING - what makes a fault in profrun harder to exploit, where the
dnl compiler and the linker have it: files are hostile.  Not with sanitizers,
dnl which find more.  After PRF_SANITIZERS and PRF_FUZZERS.  Fills HARDEN_CFLAGS,
dnl HARDEN_LDFLAGS and, for programs alone, HARDEN_PROGRAM_LDFLAGS.

dnl PRF_TRY_HARDENING(CPPFLAGS-AND-CFLAGS, LDFLAGS, WHAT FOR, [PROLOGUE]): if a
dnl program can be linked with them, without a warning, what is in WHAT FOR.
AC_DEFUN([PRF_TRY_HARDENING], [
  AC_MSG_CHECKING([whether $CC takes m4_normalize([$1 $2])])
  prf_saved_CFLAGS=$CFLAGS
  prf_saved_LDFLAGS=$LDFLAGS
  CFLAGS="$CFLAGS -Werror $1"
  LDFLAGS="$LDFLAGS $2"
  AC_LINK_IFELSE([AC_LANG_PROGRAM([$4
      #include <string.h>], [char text@<:@8@:>@; return memset(text, 0, 8) != text;])],
    [AC_MSG_RESULT([yes])
     prf_taken=yes],
    [AC_MSG_RESULT([no])
     prf_taken=no])
  CFLAGS=$prf_saved_CFLAGS
  LDFLAGS=$prf_saved_LDFLAGS
  AS_IF([test $prf_taken = yes], [$3])
])

AC_DEFUN([PRF_HARDENING], [
  AC_ARG_ENABLE([hardening],
    [AS_HELP_STRING([--disable-hardening],
      [leave out the stack protector, _FORTIFY_SOURCE, RELRO and PIE])],
    [], [enable_hardening=yes])
  HARDEN_CFLAGS=
  HARDEN_LDFLAGS=
  HARDEN_PROGRAM_LDFLAGS=
  AS_IF([test "x$enable_hardening" = xyes && test "x$SAN_CFLAGS" = x], [
    PRF_TRY_HARDENING([-fstack-protector-strong], [],
      [HARDEN_CFLAGS="$HARDEN_CFLAGS -fstack-protector-strong"])
    dnl It needs optimization; and whoever has set it already knows why.
    prf_fortify=
    m4_foreach_w([prf_level], [3 2], [
      AS_IF([test "x$prf_fortify" = x], [
        PRF_TRY_HARDENING([-DPRF_LEVEL=prf_level], [],
          [prf_fortify=-D_FORTIFY_SOURCE=prf_level], [
          #if defined _FORTIFY_SOURCE || !defined __OPTIMIZE__
          # error "not here"
          #endif
          #define _FORTIFY_SOURCE PRF_LEVEL])
      ])
    ])
    HARDEN_CFLAGS="$HARDEN_CFLAGS $prf_fortify"
    PRF_TRY_HARDENING([], [-Wl,-z,relro,-z,now],
      [HARDEN_LDFLAGS=-Wl,-z,relro,-z,now])
    PRF_TRY_HARDENING([-fPIE], [-pie],
      [HARDEN_CFLAGS="$HARDEN_CFLAGS -fPIE"
       HARDEN_PROGRAM_LDFLAGS=-pie])
  ])
  AC_SUBST([HARDEN_CFLAGS])
  AC_SUBST([HARDEN_LDFLAGS])
  AC_SUBST([HARDEN_PROGRAM_LDFLAGS])
])
