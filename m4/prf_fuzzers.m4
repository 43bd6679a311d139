dnl PRF_FUZZERS - --enable-fuzzers builds tests/fuzz with clang's libFuzzer, and
dnl everything under it with the sanitizers.  After PRF_SANITIZERS.
AC_DEFUN([PRF_FUZZERS], [
  AC_ARG_ENABLE([fuzzers],
    [AS_HELP_STRING([--enable-fuzzers],
      [build fuzz targets and sanitizers; needs CC=clang])],
    [], [enable_fuzzers=no])
  FUZZ_LDFLAGS=
  AS_IF([test "x$enable_fuzzers" = xyes], [
    AC_MSG_CHECKING([whether $CC has libFuzzer])
    prf_saved_CFLAGS=$CFLAGS
    CFLAGS="$CFLAGS -fsanitize=fuzzer"
    AC_LINK_IFELSE([AC_LANG_SOURCE([[
        #include <stddef.h>
        #include <stdint.h>
        int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
        int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
        { return n && bytes[0] == 0x100; }]])],
      [AC_MSG_RESULT([yes])],
      [AC_MSG_RESULT([no])
       AC_MSG_ERROR([--enable-fuzzers needs CC=clang with its libraries (Debian: apt-get install clang libclang-rt-14-dev)])])
    CFLAGS=$prf_saved_CFLAGS
    SAN_CFLAGS="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -DPRF_FUZZING"
    FUZZ_LDFLAGS="-fsanitize=fuzzer"
  ])
  AC_SUBST([FUZZ_LDFLAGS])
  AM_CONDITIONAL([FUZZERS], [test "x$enable_fuzzers" = xyes])
])
