# lib/live: a running process; ptrace, wait, timers, signals.
noinst_LTLIBRARIES += %D%/libprflive.la

%C%_libprflive_la_SOURCES = \
	%D%/account.h \
	%D%/account.c \
	%D%/arch.h \
	%D%/begin.h \
	%D%/begin.c \
	%D%/check.h \
	%D%/check.c \
	%D%/clock.h \
	%D%/clock.c \
	%D%/inject.h \
	%D%/inject.c \
	%D%/launch.h \
	%D%/launch.c \
	%D%/look.h \
	%D%/look.c \
	%D%/mapwatch.h \
	%D%/mapwatch.c \
	%D%/procfs.h \
	%D%/procfs.c \
	%D%/random.h \
	%D%/regs.c \
	%D%/relay.h \
	%D%/relay.c \
	%D%/repair.h \
	%D%/repair.c \
	%D%/sampler.h \
	%D%/sampler.c \
	%D%/stop.h \
	%D%/stop.c \
	%D%/tasks.h \
	%D%/tasks.c \
	%D%/tracer.h \
	%D%/tracer.c \
	%D%/trigger.h \
	%D%/trigger.c \
	%D%/trigger_interrupt.c \
	%D%/trigger_timer.c \
	%D%/wall.h \
	%D%/wall.c \
	%D%/wheel.h \
	%D%/wheel.c

if ARCH_X86_64
%C%_libprflive_la_SOURCES += %D%/arch/x86_64.c
endif
if ARCH_AARCH64
%C%_libprflive_la_SOURCES += %D%/arch/aarch64.c
endif
EXTRA_DIST += %D%/arch/x86_64.c %D%/arch/aarch64.c
