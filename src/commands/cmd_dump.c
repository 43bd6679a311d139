#include "src/commands/cmd_dump.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/scope.h"
#include "live/proc/exec_strings.h"
#include "live/proc/procfs.h"
#include "src/commands/dump_export.h"
#include "src/commands/dump_print.h"
#include "src/commands/dump_stacks.h"
#include "src/commands/reading.h"
#include "src/exit_status.h"
#include "src/output/terminal.h"

enum form { AS_TEXT, AS_CSV, AS_JSON };

struct dump {
	struct prf_reading reading; /* the first member */
	pid_t *pids;
	size_t n_pids;
	enum form form;
	bool each, with_lines, full_names;
};

enum { KEY_EACH = 256, KEY_CSV, KEY_JSON, KEY_LINES, KEY_FULL_NAMES };

static const struct argp_option option_table[] = {
	PRF_OPTION("csv", KEY_CSV, NULL, "Print comma-separated values"),
	PRF_OPTION("each", KEY_EACH, NULL,
		   "Print each thread by itself, also where several have the "
		   "same stack"),
	PRF_OPTION("full-names", KEY_FULL_NAMES, NULL,
		   "Print parameters and template arguments of functions"),
	PRF_OPTION("json", KEY_JSON, NULL, "Print JSON"),
	PRF_OPTION("lines", KEY_LINES, NULL,
		   "Print source lines, and inlined calls as frames of their "
		   "own, where there is debug information"),
	PRF_OPTION("quiet", 'q', NULL,
		   "Print no notes and warnings, only the result "
		   "and errors"),
	PRF_OPTION("help", 'h', NULL, "Print this help"),
	{0},
};

static error_t
take_pid(struct dump *dump, const char *word)
{
	char *end;

	errno = 0;
	long pid = strtol(word, &end, 10);
	if (errno || *end || end == word || pid <= 0 || pid != (pid_t)pid)
		return prf_reading_refuse(&dump->reading,
					  "%s: is no process id", word);
	pid_t *grown =
		reallocarray(dump->pids, dump->n_pids + 1, sizeof *dump->pids);
	if (!grown)
		return ENOMEM;
	dump->pids = grown;
	dump->pids[dump->n_pids++] = (pid_t)pid;
	return 0;
}

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct dump *dump = state->input;

	switch (key) {
	case KEY_EACH:
		dump->each = true;
		return 0;
	case KEY_FULL_NAMES:
		dump->full_names = true;
		return 0;
	case KEY_CSV:
	case KEY_JSON:
		dump->form = key == KEY_CSV ? AS_CSV : AS_JSON;
		return 0;
	case KEY_LINES:
		dump->with_lines = true;
		return 0;
	case ARGP_KEY_ARG:
		return take_pid(dump, arg);
	default:
		return prf_reading_take(&dump->reading, key, arg);
	}
}

const struct argp prf_dump_parser = {
	.options = option_table,
	.parser = parse_option,
	.args_doc = "PID...",
	.doc = "Print what all threads of a process do at this moment: the "
	       "system calls they wait in and their stacks.  Threads that wait "
	       "are not stopped; one that runs stands for less than a "
	       "millisecond.",
};

static int
fail(const struct dump *dump, int status, const struct prf_error *err)
{
	return prf_reading_fail(&dump->reading, status, err);
}

/* Process PID into DUMPED; the exit status. */
static int
take(const struct dump *dump, pid_t pid, struct prf_dumped *dumped)
{
	PRF_AUTO(prf_warnings_clear) struct prf_warnings warnings = {0};
	struct prf_error err = {0};

	if (prf_dump_stacks_new(&dumped->stacks, &err))
		return fail(dump, PRF_EXIT_FAILED, &err);
	if (prf_dump_take(pid, prf_dump_stacks_sink(dumped->stacks),
			  &dumped->dump, &err))
		return fail(dump, PRF_EXIT_UNREADABLE, &err);
	dumped->command = prf_exec_strings_command(dumped->dump.pid);
	if (prf_dump_stacks_name(dumped->stacks, dump->with_lines, &warnings)) {
		prf_error_set(&err, -ENOMEM, "out of memory");
		return fail(dump, PRF_EXIT_FAILED, &err);
	}
	prf_message_warn_all(&dump->reading.messages, &warnings);
	return PRF_EXIT_OK;
}

static int
print_text(const struct dump *dump, const struct prf_dumped *dumped, size_t n)
{
	const struct prf_style style =
		prf_terminal_style(stdout, 0, dump->full_names);
	int rc = 0;

	for (size_t i = 0; i < n && rc == 0; i++) {
		fputs(i ? "\n" : "", stdout);
		rc = prf_dump_print(&dumped[i], dump->each, &style, stdout);
	}
	return rc;
}

static int
print_form(const struct dump *dump, const struct prf_dumped *dumped, size_t n)
{
	switch (dump->form) {
	case AS_CSV:
		return prf_dump_export_csv(dumped, n, stdout);
	case AS_JSON:
		return prf_dump_export_json(dumped, n, stdout);
	default:
		return print_text(dump, dumped, n);
	}
}

/* The N that were taken. */
static int
print(const struct dump *dump, const struct prf_dumped *dumped, size_t n)
{
	struct prf_error err = {0};
	int rc = print_form(dump, dumped, n);

	if (rc)
		prf_error_set(&err, rc, "out of memory");
	else if (fflush(stdout) || ferror(stdout))
		rc = prf_error_set(&err, -EIO, "standard output: %m");
	return rc ? fail(dump, PRF_EXIT_FAILED, &err) : PRF_EXIT_OK;
}

/* All are taken before any is printed: what prints may wait for the reader.
 * One that cannot be taken leaves the others. */
static int
run(const struct dump *dump)
{
	PRF_AUTO(prf_auto_free)
	struct prf_dumped *all = calloc(dump->n_pids, sizeof *all);
	struct prf_error err = {0};
	size_t n = 0;
	int status = PRF_EXIT_OK;

	if (!all) {
		prf_error_set(&err, -ENOMEM, "out of memory");
		return fail(dump, PRF_EXIT_FAILED, &err);
	}
	for (size_t i = 0; i < dump->n_pids; i++) {
		int code = take(dump, dump->pids[i], &all[n]);

		if (code == PRF_EXIT_OK) {
			n++;
			continue;
		}
		status = code;
		prf_dumped_clear(&all[n]);
	}
	int printed = n ? print(dump, all, n) : PRF_EXIT_OK;
	for (size_t i = 0; i < n; i++)
		prf_dumped_clear(&all[i]);
	return printed ? printed : status;
}

int
prf_cmd_dump(const struct prf_options *options,
	     const struct prf_messages *messages)
{
	struct dump dump = {.reading.messages = *messages};
	struct prf_error err = {0};
	int rc = prf_reading_parse(&prf_dump_parser, options->program, &dump,
				   &err);

	if (!rc && dump.reading.help)
		return prf_reading_help(&prf_dump_parser, "dump", messages);
	if (!rc && !dump.n_pids)
		rc = prf_error_set(&err, -EINVAL,
				   "dump: of which process? Give its id");
	if (!rc)
		rc = prf_procfs_check(&err);
	int status = rc ? fail(&dump, PRF_EXIT_FAILED, &err) : run(&dump);
	free(dump.pids);
	return status;
}
