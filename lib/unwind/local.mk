# lib/unwind: registers and memory to the frames of a stack; pure.
noinst_LIBRARIES += %D%/libprfunwind.a

%C%_libprfunwind_a_SOURCES = \
	%D%/calls.c \
	%D%/calls.h \
	%D%/expression.c \
	%D%/expression.h \
	%D%/guess.c \
	%D%/guess.h \
	%D%/machine.c \
	%D%/machine.h \
	%D%/registers.h \
	%D%/stack_copy.h \
	%D%/stacks.c \
	%D%/stacks.h \
	%D%/step.c \
	%D%/step.h \
	%D%/unwind.c \
	%D%/unwind.h
