# tests/unwind: one program for each file of lib/unwind.
prf_unwind_test_libs = tests/support/libelfbuilder.a $(prf_unwind_libs) \
	$(prf_test_libs)

check_PROGRAMS_UNIT += %D%/test_expression
%C%_test_expression_SOURCES = %D%/test_expression.c
%C%_test_expression_CFLAGS = $(prf_test_cflags)
%C%_test_expression_LDADD = $(prf_unwind_test_libs)

check_PROGRAMS_UNIT += %D%/test_sigreturn
%C%_test_sigreturn_SOURCES = %D%/test_sigreturn.c %D%/here.h
%C%_test_sigreturn_CFLAGS = $(prf_test_cflags)
%C%_test_sigreturn_LDADD = $(prf_unwind_test_libs)

check_PROGRAMS_UNIT += %D%/test_step
%C%_test_step_SOURCES = %D%/test_step.c
%C%_test_step_CFLAGS = $(prf_test_cflags)
%C%_test_step_LDADD = $(prf_unwind_test_libs)

# Real stacks, of functions that leave no frame pointers.
check_PROGRAMS_UNIT += %D%/test_unwind
%C%_test_unwind_SOURCES = %D%/test_unwind.c %D%/here.h %D%/here.c
%C%_test_unwind_CFLAGS = $(prf_test_cflags) -O2 -fomit-frame-pointer
%C%_test_unwind_LDADD = $(prf_unwind_test_libs)

check_PROGRAMS_UNIT += %D%/test_stacks
%C%_test_stacks_SOURCES = %D%/test_stacks.c %D%/here.h %D%/here.c \
	$(prf_copied_stack)
%C%_test_stacks_CFLAGS = $(prf_test_cflags) -O2 -fomit-frame-pointer
%C%_test_stacks_LDADD = $(prf_unwind_test_libs)

check_PROGRAMS_UNIT += %D%/test_stack_needs
%C%_test_stack_needs_SOURCES = %D%/test_stack_needs.c
%C%_test_stack_needs_CFLAGS = $(prf_test_cflags)
%C%_test_stack_needs_LDADD = $(prf_unwind_test_libs)

check_PROGRAMS_UNIT += %D%/test_callsite
%C%_test_callsite_SOURCES = %D%/test_callsite.c
%C%_test_callsite_CFLAGS = $(prf_test_cflags)
%C%_test_callsite_LDADD = $(prf_unwind_test_libs)

check_PROGRAMS_UNIT += %D%/test_x86
%C%_test_x86_SOURCES = %D%/test_x86.c
%C%_test_x86_CFLAGS = $(prf_test_cflags)
%C%_test_x86_LDADD = $(prf_unwind_test_libs)

check_PROGRAMS_UNIT += %D%/test_heights
%C%_test_heights_SOURCES = %D%/test_heights.c
%C%_test_heights_CFLAGS = $(prf_test_cflags)
%C%_test_heights_LDADD = $(prf_unwind_test_libs)

check_PROGRAMS_UNIT += %D%/test_guess
%C%_test_guess_SOURCES = %D%/test_guess.c
%C%_test_guess_CFLAGS = $(prf_test_cflags)
%C%_test_guess_LDADD = $(prf_unwind_test_libs)

# A program that steps through another.
check_PROGRAMS += %D%/stepped
%C%_stepped_SOURCES = %D%/stepped.c %D%/stepped.h $(prf_copied_stack)
if ARCH_X86_64
%C%_stepped_SOURCES += %D%/stepped_x86_64.c
endif
if ARCH_AARCH64
%C%_stepped_SOURCES += %D%/stepped_aarch64.c
endif
EXTRA_DIST += %D%/stepped_x86_64.c %D%/stepped_aarch64.c
%C%_stepped_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
%C%_stepped_LDADD = $(prf_unwind_libs)
EXTRA_DIST += %D%/shadowed.c
dist_check_SCRIPTS += %D%/check-as-stepped.sh
TESTS += %D%/check-as-stepped.sh
