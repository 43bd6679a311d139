# lib/unwind: registers and memory to the frames of a stack; pure.
noinst_LIBRARIES += %D%/libprfunwind.a

%C%_libprfunwind_a_SOURCES = \
	%D%/callsite.c \
	%D%/callsite.h \
	%D%/expression.c \
	%D%/expression.h \
	%D%/guess.c \
	%D%/guess.h \
	%D%/heights.c \
	%D%/heights.h \
	%D%/machine.c \
	%D%/machine.h \
	%D%/registers.h \
	%D%/sigreturn.c \
	%D%/sigreturn.h \
	%D%/stack_copy.h \
	%D%/stack_needs.c \
	%D%/stack_needs.h \
	%D%/stacks.c \
	%D%/stacks.h \
	%D%/step.c \
	%D%/step.h \
	%D%/unwind.c \
	%D%/unwind.h \
	%D%/unwind_program.h \
	%D%/x86.c \
	%D%/x86.h
