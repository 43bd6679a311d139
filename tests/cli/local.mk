# tests/cli: the program as a user meets it; shell, under the harness.
prf_cli_tests = \
	%D%/bootstrap.sh \
	%D%/completion.sh \
	%D%/help.sh \
	%D%/manual.sh \
	%D%/options.sh

dist_check_SCRIPTS += $(prf_cli_tests) $(prf_cli_run_tests)
TESTS += $(prf_cli_tests)

# Those that run programs, as soon as src/local.mk has cmd_record.c.
prf_cli_run_tests = %D%/run.sh
#TESTS += $(prf_cli_run_tests)
