# tests/machines: what this computer is not.  Not a part of make check: a machine
# takes packages, half a gigabyte, and minutes.
EXTRA_DIST += %D%/README.md %D%/aarch64.sh %D%/init %D%/machine.sh \
	%D%/programs %D%/run-tests %D%/x86_64.sh

.PHONY: check-machines
check-machines:
	@for machine in aarch64 x86_64; do \
		bash $(top_srcdir)/tests/machines/$$machine.sh check || \
			test $$? = 77 || failed=1; \
	done; test -z "$$failed"
