dnl PRF_WARNINGS - ask the compiler for each warning on its own, so that an
dnl older or another compiler gets those it knows.  Fills WARN_CFLAGS.
AC_DEFUN([PRF_WARNINGS], [
  AC_ARG_ENABLE([werror],
    [AS_HELP_STRING([--enable-werror], [make every warning an error])],
    [], [enable_werror=no])
  WARN_CFLAGS=
  prf_saved_CFLAGS=$CFLAGS
  m4_foreach_w([prf_flag], [-Wall -Wextra -Wshadow -Wmissing-prototypes
    -Wstrict-prototypes -Wold-style-definition -Wvla -Wformat=2
    -Wimplicit-fallthrough=5 -Wundef -Wlogical-op -Wduplicated-cond
    -Wpointer-arith -Wdate-time -Wwrite-strings -Wcast-align], [
    AC_MSG_CHECKING([whether $CC takes prf_flag])
    CFLAGS="$prf_saved_CFLAGS -Werror prf_flag"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
      [AC_MSG_RESULT([yes]); WARN_CFLAGS="$WARN_CFLAGS prf_flag"],
      [AC_MSG_RESULT([no])])
  ])
  CFLAGS=$prf_saved_CFLAGS
  AS_IF([test "x$enable_werror" = xyes], [WARN_CFLAGS="$WARN_CFLAGS -Werror"])
  AC_SUBST([WARN_CFLAGS])
])

dnl PRF_SANITIZERS - --enable-sanitizers builds everything under ASan and UBSan;
dnl --enable-thread-sanitizer under TSan, which is another build: see
dnl make check-threads.
AC_DEFUN([PRF_SANITIZERS], [
  AC_ARG_ENABLE([sanitizers],
    [AS_HELP_STRING([--enable-sanitizers],
      [build with AddressSanitizer and UndefinedBehaviorSanitizer])],
    [], [enable_sanitizers=no])
  AC_ARG_ENABLE([thread-sanitizer],
    [AS_HELP_STRING([--enable-thread-sanitizer],
      [build with ThreadSanitizer, for make check-threads])],
    [], [enable_thread_sanitizer=no])
  SAN_CFLAGS=
  AS_IF([test "x$enable_sanitizers$enable_thread_sanitizer" = xyesyes],
    [AC_MSG_ERROR([--enable-sanitizers and --enable-thread-sanitizer exclude each other])])
  AS_IF([test "x$enable_sanitizers" = xyes],
    [SAN_CFLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"])
  AS_IF([test "x$enable_thread_sanitizer" = xyes],
    [SAN_CFLAGS="-fsanitize=thread -fno-omit-frame-pointer"])
  AC_SUBST([SAN_CFLAGS])
  AM_CONDITIONAL([SANITIZERS], [test "x$enable_sanitizers" = xyes])
])
