#include "src/commands/cmd_check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "src/commands/kernel_names.h"
#include "src/exit_status.h"
#include "image/debuginfod.h"
#include "live/arch.h"
#include "live/probe.h"
#include "live/proc/procfs.h"
#include "live/trigger/trigger_list.h"
#include "live/trigger/triggers.h"
#include "src/commands/reading.h"

/* Bits of the capability sets. */
enum { SYS_PTRACE = 19, SYS_ADMIN = 21, PERFMON = 38 };

enum verdict { FINE, LACKING, MERELY };

static const char *const verdicts[] = {
	[FINE] = "yes",
	[LACKING] = "no",
	[MERELY] = "-",
};

/* Of the lines, and of what stands before the text in them. */
enum { WIDTH = 79, INDENT = 18 };

/* TEXT in as many lines as it needs, of which the first has begun. */
static void
print_wrapped(const char *text)
{
	size_t column = INDENT;

	for (const char *word = text; *word;) {
		size_t length = strcspn(word, " ");
		bool is_first = word == text;

		if (!is_first && column + 1 + length > WIDTH) {
			printf("\n%*s", INDENT, "");
			column = INDENT;
		} else if (!is_first) {
			putchar(' ');
			column++;
		}
		printf("%.*s", (int)length, word);
		column += length;
		word += length + strspn(word + length, " ");
	}
	putchar('\n');
}

/* What it is about, how it is, and what would help (NULL: nothing has to). */
PRF_PRINTF(4, 5)
static void
row(const char *subject, enum verdict verdict, const char *remedy,
    const char *fmt, ...)
{
	char state[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(state, sizeof state, fmt, args);
	va_end(args);
	printf("%-12s %-4s ", subject, verdicts[verdict]);
	print_wrapped(state);
	if (!remedy)
		return;
	printf("%*s", INDENT, "");
	print_wrapped(remedy);
}

static bool
has(const struct prf_probe *probe, int capability)
{
	return probe->capabilities >> capability & 1;
}

/* --- Its rows. */

static void
print_ptrace(const struct prf_probe *probe)
{
	if (!probe->ptrace.code)
		row("ptrace", FINE, NULL, "a child was traced");
	else
		row("ptrace", LACKING,
		    "leave the debugger or tracer that profrun runs under, or "
		    "let the container's seccomp profile allow ptrace: docker "
		    "run --cap-add=SYS_PTRACE",
		    "%s: nothing can be profiled", probe->ptrace.text);
}

static const struct {
	const char *state, *remedy;
} yama_scopes[] = {
	{"a user's own processes can be traced", NULL},
	{"what profrun starts can be traced",
	 "for other processes (-p): CAP_SYS_PTRACE, or, as root: sysctl "
	 "kernel.yama.ptrace_scope=0"},
	{"tracing needs CAP_SYS_PTRACE",
	 "as root: sysctl kernel.yama.ptrace_scope=1"},
	{"tracing is forbidden", "reboot with another setting"},
};

static void
print_yama(const struct prf_probe *probe)
{
	const int n_scopes = sizeof yama_scopes / sizeof *yama_scopes;
	int scope = probe->yama_scope;
	bool is_fine = scope < 2 || (scope == 2 && has(probe, SYS_PTRACE));
	bool is_known = scope >= 0 && scope < n_scopes;
	bool needs_nothing = is_fine && has(probe, SYS_PTRACE);

	if (scope < 0)
		row("Yama", MERELY, NULL, "is not active, and forbids nothing");
	else
		row("Yama", is_fine ? FINE : LACKING,
		    is_known && !needs_nothing ? yama_scopes[scope].remedy
					       : NULL,
		    "ptrace_scope is %d: %s", scope,
		    is_known ? yama_scopes[scope].state : "not known");
}

static void
print_seccomp(const struct prf_probe *probe)
{
	if (!probe->seccomp_mode)
		row("seccomp", MERELY, NULL, "profrun runs under no filter");
	else
		row("seccomp", MERELY, NULL,
		    "profrun and what it starts run under filters (%u); the "
		    "other lines say what they forbid",
		    probe->seccomp_filters);
}

static void
print_timer(const struct prf_probe *probe)
{
	if (probe->ptrace.code)
		row("timer", MERELY, NULL, "not tried, it needs ptrace");
	else if (!probe->timer.code &&
		 prf_triggers_interrupts_calls(&prf_trigger_timer))
		row("timer", LACKING,
		    probe->ring.code ? "use a newer kernel, or let profrun use "
				       "perf_event_open"
				     : NULL,
		    "a timer made inside a child has stopped it, but this "
		    "kernel is older than Linux %d.%d: what the program reads, "
		    "writes, sends or copies may be short with it",
		    prf_arch.timers_wait_since.major,
		    prf_arch.timers_wait_since.minor);
	else if (!probe->timer.code)
		row("timer", FINE, NULL,
		    "a timer made inside a child has stopped it: no system "
		    "call is cut short");
	else
		row("timer", LACKING,
		    "let the seccomp profile allow timer_create and "
		    "timer_settime, or use Linux 5.9 or later",
		    "%s: %s", probe->timer.text,
		    probe->ring.code ? "threads are stopped from outside, "
				       "what they read, write, send or copy "
				       "may be short"
				     : "ring is used instead");
}

static const char *
ring_remedy(const struct prf_error *refused)
{
	static const struct {
		int code;
		const char *remedy;
	} remedies[] = {
		{-EACCES, "as root: sysctl kernel.perf_event_paranoid=1, or "
			  "give profrun CAP_PERFMON"},
		{-EPERM, "let the seccomp profile allow perf_event_open"},
		{-ENOMEM, "raise ulimit -l, or as root sysctl "
			  "kernel.perf_event_mlock_kb"},
	};

	for (size_t i = 0; i < sizeof remedies / sizeof *remedies; i++)
		if (remedies[i].code == refused->code)
			return remedies[i].remedy;
	return "use a newer kernel";
}

static void
print_ring(const struct prf_probe *probe)
{
	if (!probe->ring.code)
		row("ring", FINE, NULL,
		    "the kernel takes the samples, and nothing stops for them");
	else
		row("ring", LACKING, ring_remedy(&probe->ring),
		    "%s: threads are stopped for samples, of which there are "
		    "no more than the kernel has ticks%s",
		    probe->ring.text,
		    probe->ring_user.code ? ""
					  : "; but for those of --clock=user");
	if (probe->has_perf_paranoid)
		row("paranoid", MERELY, NULL, "perf_event_paranoid is %d",
		    probe->perf_paranoid);
}

/* What --kernel tells. */
static void
print_kernel(const struct prf_probe *probe)
{
	PRF_AUTO(prf_kallsyms_auto) struct prf_kallsyms *names = NULL;
	struct prf_error err;

	if (prf_kernel_names_read(&names, &err))
		row("kernel", LACKING,
		    err.code == -EACCES
			    ? "give profrun CAP_SYSLOG, or, as root: sysctl "
			      "kernel.kptr_restrict=0 "
			      "kernel.perf_event_paranoid=1"
			    : NULL,
		    "/proc/kallsyms: %s: --kernel tells system calls alone",
		    err.text);
	else if (probe->ring.code)
		row("kernel", LACKING, NULL,
		    "its functions have names, but --kernel needs ring");
	else
		row("kernel", FINE, NULL,
		    "--kernel tells its functions by their names");
}

static void
print_tick(const struct prf_probe *probe)
{
	uint64_t hz = (1000000000 + probe->tick_ns / 2) / probe->tick_ns;

	if (probe->ring.code)
		row("tick", MERELY, NULL,
		    "the kernel's is 1/%" PRIu64 " s: up to -F %" PRIu64
		    " each tick has a sample of its own, above that one sample "
		    "stands for several",
		    hz, hz);
	else
		row("tick", MERELY, NULL,
		    "the kernel's is 1/%" PRIu64
		    " s: -F may be higher, since the ring is not bound to it",
		    hz);
}

static void
print_mappings(const struct prf_probe *probe)
{
	if (probe->can_query_mappings)
		row("mappings", FINE, NULL,
		    "the kernel is asked at each sample (PROCMAP_QUERY)");
	else
		row("mappings", LACKING,
		    "use Linux 6.11 or later, which has PROCMAP_QUERY",
		    "are read once a second: code that replaces other code can "
		    "be taken for that meanwhile");
}

static void
print_debuginfod(const struct prf_probe *probe)
{
	struct prf_debuginfod *servers = prf_debuginfod_new();

	(void)probe;
	if (!prf_debuginfod_is_wanted())
		row("debuginfod", MERELY,
		    "for those of stripped files: set DEBUGINFOD_URLS, or "
		    "install their debug packages",
		    "is not set up: symbols come from this machine alone");
	else if (prf_debuginfod_is_there(servers))
		row("debuginfod", FINE, NULL,
		    "the servers of DEBUGINFOD_URLS are asked for the symbols "
		    "of stripped files");
	else
		row("debuginfod", LACKING, "install libdebuginfod",
		    "DEBUGINFOD_URLS is set, but servers cannot be asked");
	prf_debuginfod_free(servers);
}

static void
print_capabilities(const struct prf_probe *probe)
{
	row("capabilities", MERELY, NULL, "CAP_SYS_PTRACE %s, CAP_PERFMON %s",
	    has(probe, SYS_PTRACE) ? "yes" : "no",
	    has(probe, PERFMON) || has(probe, SYS_ADMIN) ? "yes" : "no");
}

static void
print_namespace(const struct prf_probe *probe)
{
	if (probe->in_pid_namespace)
		row("processes", MERELY, NULL,
		    "in a container's PID namespace: only its processes can "
		    "be seen, under its numbers");
	else
		row("processes", MERELY, NULL,
		    "in the machine's own PID namespace");
}

static void (*const rows[])(const struct prf_probe *) = {
	print_ptrace,     print_yama,         print_seccomp,   print_timer,
	print_ring,       print_kernel,       print_tick,      print_mappings,
	print_debuginfod, print_capabilities, print_namespace,
};

static void
print_verdict(const struct prf_probe *probe)
{
	fputs(probe->ptrace.code ? "\nPrograms cannot be profiled here.\n"
	      : probe->timer.code && probe->ring.code
		      ? "\nPrograms can be profiled, and may notice it.\n"
		      : "\nPrograms can be profiled.\n",
	      stdout);
}

/* --- The command line */

static const struct argp_option option_table[] = {
	PRF_OPTION("help", 'h', NULL, "Print this help"),
	{0},
};

static error_t
parse_option(int key, char *arg, struct argp_state *state)
{
	struct prf_reading *reading = state->input;

	if (key == ARGP_KEY_ARG)
		return prf_reading_refuse(reading,
					  "no arguments: %s; a "
					  "program of that name is run by -- "
					  "check",
					  arg);
	return prf_reading_take(reading, key, arg);
}

const struct argp prf_check_parser = {
	.options = option_table,
	.parser = parse_option,
	.doc = "Say what this machine allows, and what would help.  Each line "
	       "has what it is about, whether it is to be had, and how it is.",
};

static int
check(const struct prf_messages *messages)
{
	struct prf_probe probe;

	prf_probe_machine(&probe);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		rows[i](&probe);
	print_verdict(&probe);
	if (fflush(stdout) || ferror(stdout)) {
		prf_message_error(messages, "standard output: %m");
		return PRF_EXIT_FAILED;
	}
	return probe.ptrace.code ? PRF_EXIT_IMPOSSIBLE : PRF_EXIT_OK;
}

int
prf_cmd_check(const struct prf_options *options,
	      const struct prf_messages *messages)
{
	struct prf_reading reading = {.messages = *messages};
	struct prf_error err = {0};
	int rc = prf_reading_parse(&prf_check_parser, options->program,
				   &reading, &err);

	if (!rc && reading.help)
		return prf_reading_help(&prf_check_parser, "check", messages);
	return rc || prf_procfs_check(&err)
		       ? prf_reading_fail(&reading, PRF_EXIT_FAILED, &err)
		       : check(messages);
}
