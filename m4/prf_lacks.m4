dnl What is missing is said together, so that one run of configure tells all.

dnl PRF_LACKS(NAME, LINE) - of what is missing, LINE says what to install.  The
dnl first LINE of each NAME is kept.
AC_DEFUN([PRF_LACKS], [
  AS_CASE([$prf_lacking],
    [*"  $1 "*], [],
    [AS_VAR_APPEND([prf_lacking], ["
  $1 $2"])])
])

dnl PRF_PKG(VARIABLE, MODULE, NAME, LINE) - PKG_CHECK_MODULES; without pkg-config
dnl nothing is known of any of them.
AC_DEFUN([PRF_PKG], [
  PKG_CHECK_MODULES([$1], [$2], [], [
    AS_IF([test "x$PKG_CONFIG" = x && test "x$$1[]_LIBS" = x],
      [PRF_LACKS([pkg-config], [is missing: install pkg-config (Debian) or pkgconf-pkg-config (Fedora)])],
      [PRF_LACKS([$3], [$4])])])
])

dnl PRF_STOP_IF_LACKING - where the last of them was looked for.
AC_DEFUN([PRF_STOP_IF_LACKING], [
  AS_IF([test "x$prf_lacking" != x],
    [AC_MSG_ERROR([what profrun needs is not all here:$prf_lacking])])
])
