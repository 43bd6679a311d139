#include "src/commands/cmd_check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "src/exit_status.h"
#include "image/debuginfod.h"
#include "live/probe.h"

/* Bits of the capability sets. */
enum { SYS_PTRACE = 19, SYS_ADMIN = 21, PERFMON = 38 };

enum verdict { FINE, LACKING, MERELY };

static const char *const verdicts[] = {
	[FINE] = "yes",
	[LACKING] = "no",
	[MERELY] = "-",
};

PRF_PRINTF(3, 4)
static void
row(const char *subject, enum verdict verdict, const char *fmt, ...)
{
	va_list args;

	printf("%-12s %-4s ", subject, verdicts[verdict]);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
}

static bool
has(const struct prf_probe *probe, int capability)
{
	return probe->capabilities >> capability & 1;
}

/* --- Its rows.  Each says what is so, what follows, and what would help. */

static void
print_ptrace(const struct prf_probe *probe)
{
	if (!probe->ptrace.code)
		row("ptrace", FINE, "a child was traced");
	else
		row("ptrace", LACKING,
		    "%s: nothing can be profiled; leave the debugger or "
		    "tracer that profrun runs under, or let the container's "
		    "seccomp profile allow ptrace (docker run "
		    "--cap-add=SYS_PTRACE)",
		    probe->ptrace.text);
}

static void
print_yama(const struct prf_probe *probe)
{
	static const char *const scopes[] = {
		"a user's own processes can be traced",
		"a process that profrun starts can be traced, and others only "
		"with CAP_SYS_PTRACE",
		"tracing needs CAP_SYS_PTRACE; as root: sysctl "
		"kernel.yama.ptrace_scope=1",
		"tracing is not possible until the machine is rebooted with "
		"another setting",
	};
	const int n_scopes = sizeof scopes / sizeof *scopes;
	int scope = probe->yama_scope;

	if (scope < 0)
		row("Yama", MERELY, "is not active, and forbids nothing");
	else
		row("Yama",
		    scope < 2 || (scope == 2 && has(probe, SYS_PTRACE))
			    ? FINE
			    : LACKING,
		    "ptrace_scope is %d: %s", scope,
		    scope < n_scopes ? scopes[scope] : "not known");
}

static void
print_seccomp(const struct prf_probe *probe)
{
	if (!probe->seccomp_mode)
		row("seccomp", MERELY, "profrun runs under no filter");
	else
		row("seccomp", MERELY,
		    "profrun runs under filters (%u), as programs that it "
		    "starts will; the other lines say what they forbid",
		    probe->seccomp_filters);
}

static void
print_timer(const struct prf_probe *probe)
{
	if (probe->ptrace.code)
		row("timer", MERELY, "not tried, it needs ptrace");
	else if (!probe->timer.code)
		row("timer", FINE,
		    "a timer made inside a child has stopped it: no system "
		    "call is cut short");
	else
		row("timer", LACKING,
		    "%s: %s; let the seccomp profile allow timer_create and "
		    "timer_settime, or use Linux 5.9 or later",
		    probe->timer.text,
		    probe->perf.code ? "threads are stopped from outside, "
				       "their reads and writes may be short"
				     : "perf is used instead");
}

static const char *
perf_remedy(const struct prf_probe *probe)
{
	return probe->perf.code == -EACCES
		       ? "as root: sysctl kernel.perf_event_paranoid=1, or "
			 "give profrun CAP_PERFMON"
	       : probe->perf.code == -EPERM
		       ? "let the seccomp profile allow perf_event_open"
		       : "use Linux 5.18 or later";
}

static void
print_perf(const struct prf_probe *probe)
{
	if (probe->ptrace.code)
		row("perf", MERELY, "not tried, it needs ptrace");
	else if (!probe->perf.code)
		row("perf", FINE,
		    "perf's task clock has stopped a child: it is used at "
		    "rates above the kernel's tick");
	else
		row("perf", LACKING,
		    "%s: at high rates there are no more samples than the "
		    "kernel has ticks%s; %s",
		    probe->perf.text,
		    probe->perf_user.code
			    ? ""
			    : " (--clock=user --trigger=perf works)",
		    perf_remedy(probe));
	if (probe->has_perf_paranoid)
		row("paranoid", MERELY, "perf_event_paranoid is %d",
		    probe->perf_paranoid);
}

static void
print_tick(const struct prf_probe *probe)
{
	uint64_t hz = (1000000000 + probe->tick_ns / 2) / probe->tick_ns;

	if (probe->perf.code)
		row("tick", MERELY,
		    "the kernel's is 1/%" PRIu64 " s: up to -F %" PRIu64
		    " each tick has a sample of its own, above that one sample "
		    "stands for several",
		    hz, hz);
	else
		row("tick", MERELY,
		    "the kernel's is 1/%" PRIu64
		    " s: -F may be higher, since with perf each tick has a "
		    "sample of its own",
		    hz);
}

static void
print_mappings(const struct prf_probe *probe)
{
	if (probe->can_query_mappings)
		row("mappings", FINE,
		    "the kernel is asked at each sample (PROCMAP_QUERY)");
	else
		row("mappings", LACKING,
		    "there is no PROCMAP_QUERY, which Linux 6.11 has: code "
		    "that replaces other code can be taken for that for a "
		    "second");
}

static void
print_debuginfod(const struct prf_probe *probe)
{
	struct prf_debuginfod *servers = prf_debuginfod_new();

	(void)probe;
	if (!prf_debuginfod_is_wanted())
		row("debuginfod", MERELY,
		    "DEBUGINFOD_URLS is not set: no server is asked, and "
		    "symbols come from this machine alone; set it, or install "
		    "the debug packages of stripped files");
	else if (prf_debuginfod_is_there(servers))
		row("debuginfod", FINE,
		    "the servers of DEBUGINFOD_URLS are asked for the symbols "
		    "of stripped files");
	else
		row("debuginfod", LACKING,
		    "DEBUGINFOD_URLS is set, but servers cannot be asked: "
		    "install libdebuginfod");
	prf_debuginfod_free(servers);
}

static void
print_capabilities(const struct prf_probe *probe)
{
	row("capabilities", MERELY, "CAP_SYS_PTRACE %s, CAP_PERFMON %s",
	    has(probe, SYS_PTRACE) ? "yes" : "no",
	    has(probe, PERFMON) || has(probe, SYS_ADMIN) ? "yes" : "no");
}

static void
print_namespace(const struct prf_probe *probe)
{
	if (probe->in_pid_namespace)
		row("processes", MERELY,
		    "in a container's PID namespace: only its processes can "
		    "be seen, under its numbers");
	else
		row("processes", MERELY, "in the machine's own PID namespace");
}

static void (*const rows[])(const struct prf_probe *) = {
	print_ptrace,       print_yama,      print_seccomp,  print_timer,
	print_perf,         print_tick,      print_mappings, print_debuginfod,
	print_capabilities, print_namespace,
};

static void
print_verdict(const struct prf_probe *probe)
{
	fputs(probe->ptrace.code ? "\nPrograms cannot be profiled here.\n"
	      : probe->timer.code && probe->perf.code
		      ? "\nPrograms can be profiled, and may notice it.\n"
		      : "\nPrograms can be profiled.\n",
	      stdout);
}

int
prf_cmd_check(const struct prf_options *options,
	      const struct prf_messages *messages)
{
	struct prf_probe probe;

	if (options->program[1]) {
		prf_message_error(messages,
				  "check %s: check takes no arguments; a "
				  "program of that name is run by -- check",
				  options->program[1]);
		return PRF_EXIT_FAILED;
	}
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
