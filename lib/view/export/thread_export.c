#include "view/export/thread_export.h"

#include <errno.h>

#include "core/scope.h"
#include "image/demangle.h"
#include "view/export/share_export.h"
#include "view/table/plain.h"
#include "view/table/thread_table.h"

enum { SECOND_DIGITS = 6 };

static const char *const state_names[PRF_N_SAMPLE_STATES] = {
	[PRF_SAMPLE_RUNNING] = "running",
	[PRF_SAMPLE_RUNNABLE] = "runnable",
	[PRF_SAMPLE_BLOCKED] = "blocked",
};

/* Of who waits; NULL: it is not known. */
static const struct prf_binary *
binary_of(const struct prf_thread_states *states,
	  const struct prf_thread_wait *wait)
{
	return wait->from == PRF_CALL_NONE
		       ? NULL
		       : states->functions.all[wait->from].binary;
}

/* --- JSON */

static int
put_function(const struct prf_thread_states *states, const char *name,
	     size_t number, struct prf_json *json)
{
	if (number == PRF_CALL_NONE) {
		prf_json_null(json, name);
		return 0;
	}
	PRF_AUTO(prf_auto_free)
	char *text = prf_demangle(states->functions.all[number].name);
	if (!text)
		return -ENOMEM;
	prf_json_text(json, name, text);
	return 0;
}

static int
put_wait(const struct prf_thread_states *states,
	 const struct prf_thread_wait *wait, const struct prf_share_export *of,
	 struct prf_json *json)
{
	const struct prf_binary *binary = binary_of(states, wait);

	prf_json_object(json, NULL);
	int rc = put_function(states, "call", wait->call, json);
	if (!rc)
		rc = put_function(states, "from", wait->from, json);
	prf_json_text(json, "binary", binary ? binary->name : NULL);
	prf_json_real(json, "seconds",
		      prf_share_export_seconds(of, &wait->count),
		      SECOND_DIGITS);
	prf_json_end(json);
	return rc;
}

static void
put_states(const struct prf_thread_doing *thread,
	   const struct prf_share_export *of, struct prf_json *json)
{
	prf_json_object(json, "states");
	for (int i = 0; i < PRF_N_SAMPLE_STATES; i++)
		prf_json_real(json, state_names[i],
			      prf_share_export_seconds(of, &thread->states[i]),
			      SECOND_DIGITS);
	prf_json_end(json);
}

static int
put_thread(const struct prf_thread_states *states,
	   const struct prf_thread_doing *thread,
	   const struct prf_share_export *of, struct prf_json *json)
{
	int rc = 0;

	prf_json_object(json, NULL);
	prf_json_text(json, "name", prf_thread_table_name(thread));
	prf_json_number(json, "pid", (uint64_t)thread->pid);
	prf_json_number(json, "tid", (uint64_t)thread->tid);
	prf_json_text(json, "program", thread->program);
	prf_json_signed(json, "rank", thread->rank);
	prf_share_export_json(of, "self", &thread->all, json);
	put_states(thread, of, json);
	prf_json_list(json, "waits");
	for (size_t i = 0; !rc && i < thread->n_waits; i++)
		rc = put_wait(states, &thread->waits[i], of, json);
	prf_json_end(json);
	prf_json_end(json);
	return rc;
}

int
prf_thread_export_json(const struct prf_thread_states *states,
		       uint64_t period_ns, size_t n_more, struct prf_json *json)
{
	const struct prf_share_export of = {states->all, 0, period_ns};
	int rc = 0;

	prf_json_list(json, "rows");
	for (size_t i = 0; !rc && i < states->n; i++)
		rc = put_thread(states, &states->threads[i], &of, json);
	prf_json_end(json);
	prf_json_number(json, "more", n_more);
	return rc;
}

/* --- CSV */

/* So much of THREAD, and in which STATES. */
static void
print_doing(const struct prf_thread_doing *thread,
	    const struct prf_count *count, const struct prf_count *states,
	    const struct prf_share_export *of, FILE *out)
{
	prf_share_export_csv(of, count, out);
	fprintf(out, ",%.6f,", prf_share_export_seconds(of, count));
	prf_plain_print_quoted(prf_thread_table_name(thread), "\"", '"', out);
	fprintf(out, ",%d,%d,", (int)thread->pid, (int)thread->tid);
	prf_plain_print_quoted(thread->program, "\"", '"', out);
	fprintf(out, ",%d", (int)thread->rank);
	for (int i = 0; i < PRF_N_SAMPLE_STATES; i++)
		fprintf(out, ",%.6f", prf_share_export_seconds(of, &states[i]));
}

static int
print_function(const struct prf_thread_states *states, size_t number, FILE *out)
{
	PRF_AUTO(prf_auto_free) char *name = NULL;

	fputc(',', out);
	if (number == PRF_CALL_NONE)
		return 0;
	name = prf_demangle(states->functions.all[number].name);
	if (!name)
		return -ENOMEM;
	prf_plain_print_quoted(name, "\"", '"', out);
	return 0;
}

static int
print_wait(const struct prf_thread_states *states,
	   const struct prf_thread_doing *thread,
	   const struct prf_thread_wait *wait,
	   const struct prf_share_export *of, FILE *out)
{
	const struct prf_count blocked[PRF_N_SAMPLE_STATES] = {
		[PRF_SAMPLE_BLOCKED] = wait->count};
	const struct prf_binary *binary = binary_of(states, wait);

	print_doing(thread, &wait->count, blocked, of, out);
	fputs(",wait", out);
	int rc = print_function(states, wait->call, out);
	if (!rc)
		rc = print_function(states, wait->from, out);
	fputc(',', out);
	if (binary)
		prf_plain_print_quoted(binary->name, "\"", '"', out);
	fputc('\n', out);
	return rc;
}

int
prf_thread_export_csv(const struct prf_thread_states *states,
		      uint64_t period_ns, FILE *out)
{
	const struct prf_share_export of = {states->all, 0, period_ns};
	int rc = 0;

	fputs("ticks,percent,low,high,seconds,thread,pid,tid,program,rank",
	      out);
	for (int i = 0; i < PRF_N_SAMPLE_STATES; i++)
		fprintf(out, ",%s_s", state_names[i]);
	fputs(",kind,call,from,binary\n", out);
	for (size_t i = 0; i < states->n; i++) {
		const struct prf_thread_doing *thread = &states->threads[i];

		print_doing(thread, &thread->all, thread->states, &of, out);
		fputs(",thread,,,\n", out);
	}
	for (size_t i = 0; i < states->n; i++) {
		const struct prf_thread_doing *thread = &states->threads[i];

		for (size_t k = 0; !rc && k < thread->n_waits; k++)
			rc = print_wait(states, thread, &thread->waits[k], &of,
					out);
	}
	return rc;
}
