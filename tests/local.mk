# tests: a Check program for each library file, then shell tests.
include %D%/support/local.mk
include %D%/core/local.mk
include %D%/inproc/local.mk
include %D%/image/local.mk
include %D%/live/local.mk
include %D%/view/local.mk
include %D%/fuzz/local.mk
include %D%/workloads/local.mk
include %D%/src/local.mk
include %D%/cli/local.mk
include %D%/man/local.mk

TESTS += $(check_PROGRAMS_UNIT)
check_PROGRAMS += $(check_PROGRAMS_UNIT)

# The shape of the code itself.
dist_check_SCRIPTS += %D%/check-layers.sh %D%/check-headers.sh
TESTS += %D%/check-layers.sh %D%/check-headers.sh

# Without Check there are no unit tests, and that is an error, not a pass.
check-local:
if !HAVE_CHECK
	@echo 'Check is missing: install it (Debian: apt-get install check)' >&2
	@exit 1
endif
