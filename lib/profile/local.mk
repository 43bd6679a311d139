# lib/profile: samples to the profile of a run.
noinst_LIBRARIES += %D%/libprfprofile.a

%C%_libprfprofile_a_SOURCES = \
	%D%/arcs.c \
	%D%/arcs.h \
	%D%/binary.c \
	%D%/binary.h \
	%D%/binary_lines.c \
	%D%/binary_lines.h \
	%D%/binary_sum.c \
	%D%/blocks.c \
	%D%/blocks.h \
	%D%/call_cycles.c \
	%D%/call_cycles.h \
	%D%/call_functions.c \
	%D%/call_functions.h \
	%D%/call_graph.c \
	%D%/call_graph.h \
	%D%/calls.c \
	%D%/calls.h \
	%D%/calls_fold.c \
	%D%/calls_prune.c \
	%D%/collecting.h \
	%D%/collector.c \
	%D%/collector.h \
	%D%/collector_end.c \
	%D%/count.c \
	%D%/count.h \
	%D%/functions.c \
	%D%/functions.h \
	%D%/named_counts.c \
	%D%/named_counts.h \
	%D%/owners.c \
	%D%/owners.h \
	%D%/pairs.c \
	%D%/pairs.h \
	%D%/profile.c \
	%D%/profile.h \
	%D%/profile_calls.c \
	%D%/profile_count.c \
	%D%/profile_sum.c \
	%D%/programs.c \
	%D%/programs.h \
	%D%/ranks.h \
	%D%/ranks.c \
	%D%/stack_walk.c \
	%D%/stack_walk.h \
	%D%/symbol_list.c \
	%D%/symbol_list.h \
	%D%/tally.c \
	%D%/tally.h \
	%D%/thread_rows.c \
	%D%/thread_rows.h \
	%D%/tree.c \
	%D%/tree.h \
	%D%/warnings.c \
	%D%/warnings.h
