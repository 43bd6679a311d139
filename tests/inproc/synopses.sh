#!/bin/sh
# What each manual page has in its synopsis compiles: the headers, the types of
# the arguments and of the result; with -pedantic, as C89, C11 and C++.
set -eu
. "$abs_top_srcdir/tests/inproc/installed.sh"

# synopsis NAME: the source is the input
synopsis() {
	{
		cat
		echo 'int main(void) { call(); return 0; }'
	} >"$1.c"
	for std in gnu89 gnu11 gnu17; do
		compile "$1" "$1.c" -std=$std -pedantic || {
			echo "$1 does not compile as $std" >&2
			bad=1
			return
		}
		./"$1" || {
			echo "$1 as $std ends with $?" >&2
			bad=1
		}
	done
}

synopsis svr4 <<'END'
#define PRF_DIALECT_SVR4
#include <unistd.h>
static unsigned short buff[8];
static size_t bufsiz = sizeof buff;
static int offset;
static unsigned scale = 0x8000;
static void call(void) { profil(buff, bufsiz, offset, scale); }
END

# A program that declares nothing is System V's, too; and the name may be one
# of a function that is pointed to.
synopsis none <<'END'
#include <unistd.h>
static unsigned short buff[8];
static void call(void)
{
	int (*turn)(unsigned short *, size_t, size_t, unsigned) = profil;
	if (turn(buff, sizeof buff, 0, 1) != 0) _exit(1);
}
END

synopsis solaris <<'END'
#define PRF_DIALECT_SOLARIS
#include <unistd.h>
static unsigned short buff[8];
static unsigned int bufsiz = sizeof buff, offset, scale = 0xffff;
static void call(void) { profil(buff, bufsiz, offset, scale); }
END

synopsis freebsd <<'END'
#define PRF_DIALECT_FREEBSD
#include <errno.h>
#include <unistd.h>
static char samples[16];
static size_t size = sizeof samples;
static vm_offset_t offset;
static int scale = 65536;
static void call(void)
{
	int rc = profil(samples, size, offset, scale);
	if (rc != 0) _exit(1);
	if (profil(samples, size, offset, 65537) != -1 || errno != EINVAL)
		_exit(2);
}
END

synopsis hpux <<'END'
#include <errno.h>
#include <sys/profil.h>
#include <sys/time.h>
#include <unistd.h>
static uint64_t elements[8];
static struct prof prof[] = {{elements, sizeof elements, {0x1000}, 0x20000}};
static struct prof *profp = prof;
static struct timeval tv, *tvp = &tv;
static int profcnt = 1;
static unsigned int flags = PROF_UINT64;
static void call(void)
{
	int rc = sprofil(profp, profcnt, tvp, flags);
	if (rc != 0 || tv.tv_usec * sysconf(_SC_CLK_TCK) != 1000000) _exit(1);
	if (sprofil(profp, -1, tvp, flags) != -1 || errno != E2BIG) _exit(2);
	if (sprofil(profp, 1, tvp, PROF_USHORT | PROF_UINT | PROF_UINT64) != -1)
		_exit(3);
}
END

synopsis irix <<'END'
#define PRF_DIALECT_IRIX
#include <sys/profil.h>
#include <unistd.h>
static unsigned short bins[8];
static void call(void)
{
	struct prof p;
	p.pr_base = bins;
	p.pr_size = sizeof bins;
	p.pr_off = 0x1000;
	p.pr_scale = 0x10000;
	if (sprofil(&p, 1, NULL, PROF_USHORT | PROF_FAST) != 0) _exit(1);
}
END

synopsis pcsample <<'END'
#include <pcsample.h>
#include <unistd.h>
static uintptr_t samples[8];
static long nsamples = 8;
static void call(void)
{
	long n = pcsample(samples, nsamples);
	if (n != 0) _exit(1);
	if (pcsample(samples, -1) != -1) _exit(2);
}
END

# libc's own names are as they were.
cat >both.c <<'END'
#define PRF_DIALECT_SVR4
#define PRF_DIALECT_FREEBSD
#include <unistd.h>
int main(void) { return 0; }
END
if compile both both.c 2>/dev/null; then
	echo "two dialects at once compile" >&2
	bad=1
fi
for name in profil sprofil pcsample; do
	if ${NM:-nm} "$library" 2>/dev/null | grep -q " [TtWw] $name\$"; then
		echo "the library defines $name" >&2
		bad=1
	fi
done

# C++ has the same headers.
case $CC in
*clang*) cxx=clang++ ;;
*) cxx=g++ ;;
esac
if command -v $cxx >/dev/null; then
	cat >cpp.cc <<'END'
#include <unistd.h>
#include <pcsample.h>
#include <sys/profil.h>
#include <profrun/monitor.h>
int main() { return prf_monitor(nullptr, nullptr, nullptr); }
END
	# shellcheck disable=SC2086
	$cxx -Wall -Wextra -Werror -fsyntax-only $cflags cpp.cc || bad=1
fi
exit "$bad"
