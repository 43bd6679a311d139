# lib/live: a running process; ptrace, wait, timers, signals.
noinst_LTLIBRARIES += %D%/libprflive.la

%C%_libprflive_la_SOURCES = \
	%D%/account.h \
	%D%/account.c \
	%D%/arch.h \
	%D%/attach.h \
	%D%/attach.c \
	%D%/begin.h \
	%D%/begin.c \
	%D%/birth.h \
	%D%/birth.c \
	%D%/check.h \
	%D%/check.c \
	%D%/clock.h \
	%D%/clock.c \
	%D%/cpu_timer.h \
	%D%/cpu_timer.c \
	%D%/creator.h \
	%D%/creator.c \
	%D%/death.h \
	%D%/death.c \
	%D%/debuggers.h \
	%D%/debuggers.c \
	%D%/descriptor.h \
	%D%/descriptor.c \
	%D%/gaps.h \
	%D%/gaps.c \
	%D%/inject.h \
	%D%/inject.c \
	%D%/jobcontrol.h \
	%D%/jobcontrol.c \
	%D%/launch.h \
	%D%/launch.c \
	%D%/leave.h \
	%D%/leave.c \
	%D%/loop.h \
	%D%/loop.c \
	%D%/look.h \
	%D%/look.c \
	%D%/sandbox.h \
	%D%/sandbox.c \
	%D%/mapwatch.h \
	%D%/mapwatch.c \
	%D%/place.h \
	%D%/place.c \
	%D%/privilege.h \
	%D%/privilege.c \
	%D%/probe.h \
	%D%/probe.c \
	%D%/process.h \
	%D%/process.c \
	%D%/procfs.h \
	%D%/procfs.c \
	%D%/procmap.h \
	%D%/procmap.c \
	%D%/random.h \
	%D%/regs.c \
	%D%/refusal.h \
	%D%/refusal.c \
	%D%/relay.h \
	%D%/relay.c \
	%D%/repair.h \
	%D%/repair.c \
	%D%/rseq.h \
	%D%/rseq.c \
	%D%/sampler.h \
	%D%/sampler.c \
	%D%/schedstat.h \
	%D%/schedstat.c \
	%D%/schedule.h \
	%D%/schedule.c \
	%D%/stat.h \
	%D%/stat.c \
	%D%/standing.h \
	%D%/standing.c \
	%D%/status.h \
	%D%/status.c \
	%D%/stop.h \
	%D%/stop.c \
	%D%/taskclock.h \
	%D%/taskclock.c \
	%D%/tasks.h \
	%D%/tasks.c \
	%D%/tracer.h \
	%D%/tracer.c \
	%D%/trigger.h \
	%D%/trigger.c \
	%D%/trigger_interrupt.c \
	%D%/trigger_perf.c \
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
