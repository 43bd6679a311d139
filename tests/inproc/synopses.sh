#!/bin/sh
# What each manual page has in its synopsis compiles: the headers, the types of
# the arguments and of the result; with -pedantic, in the oldest and the newest C
# and C++, and where C has changed most.
set -eu
. "$abs_top_srcdir/tests/inproc/installed.sh"

c_standards='c89 c99 gnu2x'
cpp_standards='c++98 c++20'

# fails WHAT: said once for a synopsis is enough
fails() {
	echo "$*" >&2
	bad=1
}

# synopsis NAME: the source is the input
synopsis() {
	{
		cat
		echo 'int main(void) { call(); return 0; }'
	} >"$1.c"
	for std in $c_standards; do
		compile "$1" "$1.c" -std=$std -pedantic || {
			fails "$1 does not compile as $std"
			break
		}
		./"$1" || fails "$1 as $std ends with $?"
	done
	for cxx in g++ clang++; do
		command -v $cxx >/dev/null || continue
		for std in $cpp_standards; do
			# shellcheck disable=SC2086
			$cxx -x c++ -std=$std -pedantic -Wall -Wextra -Werror \
				-fsyntax-only $cflags "$1.c" || {
				fails "$1 does not compile as $std with $cxx"
				break
			}
		done
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
static struct prof prof[] = {
	{elements, sizeof elements, elements, 0x20000}};
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
	/* Also one that means something inside the library. */
	if (sprofil(profp, 1, tvp, PROF_UINT | PRF_SPROFIL_LENIENT) != -1 ||
	    errno != EINVAL)
		_exit(4);
	/* Flags are looked at where there is no list, too. */
	if (sprofil(profp, 0, tvp, 3) != -1 || errno != EINVAL) _exit(5);
	if (sprofil(profp, 0, tvp, PROF_USHORT) != 0) _exit(6);
	if (sysconf(_SC_PROFIL_MAX) < 1) _exit(7);
	if (sprofil(profp, (int)sysconf(_SC_PROFIL_MAX) + 1, tvp, flags) != -1
	    || errno != E2BIG)
		_exit(8);
	if (sysconf(_SC_PAGESIZE) < 1 || sysconf(-1) != -1) _exit(9);
}
END

# profil there is sprofil with one entry: a size of 0 and half a counter are
# refused, and the overflow entry is one.
synopsis hpux_profil <<'END'
#define PRF_DIALECT_HPUX
#include <errno.h>
#include <unistd.h>
static unsigned short buff[8];
static void call(void)
{
	if (profil(buff, sizeof buff, 0x1000, 0x8000) != 0) _exit(1);
	if (profil(buff, 0, 0x1000, 0x8000) != -1 || errno != EINVAL) _exit(2);
	if (profil(buff, 3, 0x1000, 0x8000) != -1 || errno != EINVAL) _exit(3);
	if (profil(buff, 4, 0, 2) != -1 || errno != EINVAL) _exit(4);
	if (profil(buff, sizeof *buff, 0, 2) != 0) _exit(5);
	if (profil(buff, sizeof buff, 0x1000, 0) != 0) _exit(6);
	if (sysconf(_SC_PROFIL_MAX) < 1) _exit(7);
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
	if (sprofil(&p, 1, NULL, PROF_USHORT | PRF_SPROFIL_LENIENT) != -1)
		_exit(2);
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

# A list of the document's own types, written as one would; pedantic compilers
# do not take a function for an object.
cat >main.c <<'END'
#include <sys/profil.h>
int main(void)
{
	static unsigned short c[64];
	struct prof p[] = {{c, sizeof c, (void *)main, 0x10000}};
	return sprofil(p, 1, 0, PROF_USHORT);
}
END
for std in $c_standards; do
	{ compile main main.c -std="$std" && ./main; } ||
		fails "a list of HP-UX as $std"
done
for cxx in g++ clang++; do
	command -v $cxx >/dev/null || continue
	for std in $cpp_standards; do
		# shellcheck disable=SC2086
		$cxx -x c++ -std=$std -Wall -Wextra -Werror -fsyntax-only \
			$cflags main.c || fails "a list of HP-UX as $std by $cxx"
	done
done

# A program that declares it otherwise is told so; one that includes nothing is
# libc's, unless the header is given with the command.
for declared in after before; do
	{
		[ $declared = after ] || echo 'void profil();'
		echo '#include <unistd.h>'
		[ $declared = before ] || echo 'void profil();'
		echo 'int main(void) { return 0; }'
	} >own.c
	compile own own.c -std=gnu89 -Wno-error 2>own.log &&
		fails "$declared the header another declaration compiles"
done
cat >headless.c <<'END'
static unsigned short buff[8];
int main()
{
	profil(buff, sizeof buff, 0, 0x8000);
	return 0;
}
END
# called COMPILE-FLAGS...: which function it is
called() {
	# shellcheck disable=SC2086
	$CC -w -std=gnu89 $cflags "$@" -c headless.c -o headless.o
	${NM:-nm} -u headless.o | grep -o '[a-z_]*profil$'
}
[ "$(called)" = profil ] || fails "which function is $(called)?"
[ "$(called -include unistd.h)" = prf_profil ] ||
	fails "-include unistd.h leaves $(called -include unistd.h)"

# refused HEADER MACRO...: the headers do not take that for a dialect
refused() {
	header=$1
	shift
	echo "#include <$header>" >refused.c
	# shellcheck disable=SC2086
	if $CC $cflags "$@" -fsyntax-only refused.c 2>/dev/null; then
		fails "$header with $* compiles"
	fi
}
for header in unistd.h sys/profil.h; do
	refused "$header" -DPRF_DIALECT_SVR4 -DPRF_DIALECT_FREEBSD
	refused "$header" -DPRF_DIALECT_HPUX -DPRF_DIALECT_IRIX
	refused "$header" -DPRF_DIALECT=FREEBSD
	refused "$header" -DPRF_DIALECT_BSD
	refused "$header" -DPRF_DIALECT_GLIBC
done

# libc's own names are as they were.
for name in profil sprofil pcsample; do
	if ${NM:-nm} "$library" 2>/dev/null | grep -q " [TtWw] $name\$"; then
		echo "the library defines $name" >&2
		bad=1
	fi
done

# In C++ they are the same functions.
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
int main()
{
	if (profil(0, 0, 0, 0) != 0 || sprofil(0, 0, 0, 0) != 0) return 1;
	return pcsample(0, 0) != 0 || prf_monitor(0, 0, 0) != 0;
}
END
	{ CC=$cxx compile cpp cpp.cc && ./cpp; } || fails "C++ does not link"
fi
# late HEADER MACRO: the same of a choice that is made after an #include
late() {
	cat >late.c <<END
#include <$1>
#define $2
#include <$1>
END
	# shellcheck disable=SC2086
	if $CC $cflags -fsyntax-only late.c 2>/dev/null; then
		fails "<$1> does not see $2 behind it"
	fi
}
for dialect in SOLARIS FREEBSD HPUX; do
	late unistd.h PRF_DIALECT_$dialect
done
late sys/profil.h PRF_DIALECT_IRIX

# Of two headers each has its own choice, and none is no other.
synopsis both <<'END'
#include <sys/profil.h>
#ifdef profil
#error "<sys/profil.h> has a profil"
#endif
#define PRF_DIALECT_SOLARIS
#include <unistd.h>
#undef PRF_DIALECT_SOLARIS
#include <unistd.h>
static void call(void) { profil((unsigned short *)0, 0, 0, 0); }
END
exit "$bad"
