# lib/inproc: what a process does to itself; libc only.  Part of libprofrun.
noinst_LTLIBRARIES += %D%/libprfinproc.la

prf_inproc_headers = \
	%D%/monitor.h \
	%D%/profil.h \
	%D%/profil_state.h

%C%_libprfinproc_la_SOURCES = \
	$(prf_inproc_headers) \
	%D%/counting.c \
	%D%/counting.h \
	%D%/handler.c \
	%D%/handler.h \
	%D%/cputime.c \
	%D%/cputime.h \
	%D%/lock.c \
	%D%/lock.h \
	%D%/monitor.c \
	%D%/monitorfile.c \
	%D%/monitorfile.h \
	%D%/safemem.c \
	%D%/safemem.h \
	%D%/pc.h \
	%D%/profil.c \
	%D%/threadlist.c \
	%D%/threadlist.h \
	%D%/timed.c \
	%D%/timed.h \
	%D%/ticker.c \
	%D%/ticker.h \
	%D%/timer.c \
	%D%/timer.h

# What no installed header declares stays inside the library.  What it calls is
# bound as it is loaded: in a handler the dynamic linker would save the whole
# processor once more, and an alternate signal stack has no room for that.
%C%_libprfinproc_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden -fno-plt
