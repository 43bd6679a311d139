# src: argv, stderr, the exit status.
bin_PROGRAMS += %D%/profrun

%C%_profrun_SOURCES = %D%/main.c
%C%_profrun_LDADD = lib/live/libprflive.la $(prf_view_libs)
