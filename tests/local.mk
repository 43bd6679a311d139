# tests: a Check program for each library file, then shell tests.
include %D%/support/local.mk
include %D%/core/local.mk
include %D%/inproc/local.mk
include %D%/image/local.mk
include %D%/space/local.mk
include %D%/unwind/local.mk
include %D%/live/local.mk
include %D%/profile/local.mk
include %D%/view/local.mk
include %D%/fuzz/local.mk
include %D%/workloads/local.mk
include %D%/src/local.mk
include %D%/cli/local.mk
include %D%/man/local.mk
include %D%/machines/local.mk

TESTS += $(check_PROGRAMS_UNIT)
check_PROGRAMS += $(check_PROGRAMS_UNIT)

# The shape of the code itself.
dist_check_SCRIPTS += %D%/check-layers.sh %D%/check-headers.sh
TESTS += %D%/check-layers.sh %D%/check-headers.sh

# All that measures time, or shares of it, of what computes: these run when all others
# have ended, one after the other.
prf_timed_tests = \
	%D%/cli/attach_time \
	%D%/cli/big \
	%D%/cli/bursts \
	%D%/cli/cost \
	%D%/cli/instep \
	%D%/cli/kernel_time \
	%D%/cli/kinds \
	%D%/cli/options_work \
	%D%/cli/ring \
	%D%/cli/shares \
	%D%/cli/unbiased \
	%D%/cli/wall \
	%D%/inproc/examples \
	%D%/inproc/test_threads
prf_timed_logs := $(filter $(prf_timed_tests:=.log),$(TEST_LOGS))
prf_later_logs := $(wordlist 2,$(words $(prf_timed_logs)),$(prf_timed_logs))

$(prf_timed_logs): | $(filter-out $(prf_timed_logs),$(TEST_LOGS))
# B.log:A.log for each of them and the one before it.
$(foreach pair,$(join $(prf_later_logs:=:),$(wordlist 1,$(words \
	$(prf_later_logs)),$(prf_timed_logs))),$(eval $(subst :,: | ,$(pair))))

# Tests have no shared library of ours.
dist_check_SCRIPTS += %D%/support/link.sh
$(check_PROGRAMS): private LIBTOOL = $(SHELL) $(srcdir)/%D%/support/link.sh
$(check_PROGRAMS): %D%/support/link.sh

# Studies: long runs that compare a profile, or what a program notices, with what
# is true, and run no code that other tests do not run.
prf_studies = \
	%D%/cli/attach_time.sh \
	%D%/cli/big.sh \
	%D%/cli/bursts.sh \
	%D%/cli/churn.sh \
	%D%/cli/cost.sh \
	%D%/cli/instep.sh \
	%D%/cli/kernel.sh \
	%D%/cli/kernel_time.sh \
	%D%/cli/kinds.sh \
	%D%/cli/options_work.sh \
	%D%/cli/ring.sh \
	%D%/cli/shares.sh \
	%D%/cli/signals.sh \
	%D%/cli/unbiased.sh \
	%D%/cli/unchanged.sh \
	%D%/cli/wall.sh \
	%D%/image/check-fdes-as-nm.sh \
	%D%/image/check-lines-as-bfd.sh \
	%D%/unwind/check-as-stepped.sh \
	%D%/workloads/run-bare.sh

# The form of the code, of the manual and of what is built: these run hardly anything
# of ours.
prf_forms = \
	%D%/check-headers.sh \
	%D%/check-layers.sh \
	%D%/cli/bootstrap.sh \
	%D%/cli/completion.sh \
	%D%/cli/configure.sh \
	%D%/cli/hardened.sh \
	%D%/cli/linked.sh \
	%D%/cli/manual.sh \
	%D%/inproc/synopses.sh \
	%D%/man/complete.sh

# Units, and the form of the code and of the manual: what a tarball has to show.
# That is not what programs do that run for seconds.
prf_unit_tests = $(filter-out $(prf_timed_tests:=.sh) $(prf_timed_tests) \
	%D%/live/test_call_graph %D%/live/test_places %D%/live/test_sampler \
	%D%/live/test_wall %D%/cli/%.sh %D%/workloads/%.sh,$(TESTS))

.PHONY: list-tests list-unit-tests list-studies list-forms
list-tests:
	@printf '%s\n' $(TESTS)
list-unit-tests:
	@printf '%s\n' $(prf_unit_tests)
list-studies:
	@printf '%s\n' $(prf_studies)
list-forms:
	@printf '%s\n' $(prf_forms)

# Without Check there are no unit tests, and that is an error, not a pass.
check-local:
if !HAVE_CHECK
	@echo 'Check is missing: install it (Debian: apt-get install check)' >&2
	@exit 1
endif
