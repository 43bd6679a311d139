# tests/man: section 3 of the manual against the library as it is installed; where
# profrun(1) says that bugs are reported.
prf_man_tests = %D%/examples.sh %D%/complete.sh %D%/bugs.sh

dist_check_SCRIPTS += $(prf_man_tests)
TESTS += $(prf_man_tests)

# Sourced by the first two; and how declarations are compared.
EXTRA_DIST += %D%/staged.sh %D%/declarations.awk

# An example that links a sanitized library has to be sanitized.
AM_TESTS_ENVIRONMENT += \
	MAKE='$(MAKE)' SAN_CFLAGS='$(SAN_CFLAGS)' BUGURL='$(BUGURL)'; \
	export MAKE SAN_CFLAGS BUGURL;
