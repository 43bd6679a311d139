# lib/live: a running process; ptrace, wait, timers, signals.
noinst_LTLIBRARIES += %D%/libprflive.la

%C%_libprflive_la_SOURCES = \
	%D%/sampler.h \
	%D%/trigger.h
