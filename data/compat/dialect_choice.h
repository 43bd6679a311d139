/* Which system a program was written for: it defines one macro, or none. */
#ifndef PRF_COMPAT_DIALECT_CHOICE_H
#define PRF_COMPAT_DIALECT_CHOICE_H
#pragma GCC system_header

#if defined(PRF_DIALECT_SVR4) + defined(PRF_DIALECT_SOLARIS) +                 \
		defined(PRF_DIALECT_FREEBSD) + defined(PRF_DIALECT_HPUX) +     \
		defined(PRF_DIALECT_IRIX) >                                    \
	1
#error "two of PRF_DIALECT_SVR4, _SOLARIS, _FREEBSD, _HPUX and _IRIX: one"
#endif

/* No header can see a name that it does not ask for: these are what the others
 * might be called. */
#if defined(PRF_DIALECT) || defined(PRF_DIALECT_AIX) ||                        \
	defined(PRF_DIALECT_BSD) || defined(PRF_DIALECT_FREEBSD_KERNEL) ||     \
	defined(PRF_DIALECT_GLIBC) || defined(PRF_DIALECT_GNU) ||              \
	defined(PRF_DIALECT_HP_UX) || defined(PRF_DIALECT_ILLUMOS) ||          \
	defined(PRF_DIALECT_LENIENT) || defined(PRF_DIALECT_LINUX) ||          \
	defined(PRF_DIALECT_MACOS) || defined(PRF_DIALECT_NETBSD) ||           \
	defined(PRF_DIALECT_OPENBSD) || defined(PRF_DIALECT_POSIX) ||          \
	defined(PRF_DIALECT_SOLARIS_KERNEL) || defined(PRF_DIALECT_SUNOS) ||   \
	defined(PRF_DIALECT_SYSV) || defined(PRF_DIALECT_UNIX)
#error "PRF_DIALECT_SVR4, _SOLARIS, _FREEBSD, _HPUX and _IRIX are the dialects"
#endif

#endif
