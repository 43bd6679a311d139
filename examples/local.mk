# examples: a program for each system's manual page; compiled by the tests, as
# a user would, against what is installed.
prf_examples = \
	%D%/freebsd.c \
	%D%/hpux_sprofil.c \
	%D%/solaris_pcsample.c \
	%D%/svr4.c \
	%D%/work.c \
	%D%/work.h
dist_docexamples_DATA = $(prf_examples)
docexamplesdir = $(docdir)/examples
