#include "src/commands/dump_export.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/scope.h"
#include "image/demangle.h"
#include "view/export/json.h"

/* The whole NAME of the function of FRAME, to be free()d; NULL: it has none. */
static int
whole_name(const struct prf_dump_frame *frame, char **name)
{
	*name = frame->function ? prf_demangle(frame->function) : NULL;
	return frame->function && !*name ? -ENOMEM : 0;
}

static const char *const hows[] = {
	[PRF_DUMP_BLOCKED] = "blocked", [PRF_DUMP_STOPPED] = "running",
	[PRF_DUMP_ENDED] = "ended",     [PRF_DUMP_REFUSED] = "refused",
	[PRF_DUMP_WORKER] = "worker",
};

static const char *const ends[PRF_N_STACK_ENDS] = {
	[PRF_STACK_NONE] = "none",     [PRF_STACK_COMPLETE] = "complete",
	[PRF_STACK_NO_CFI] = "no-cfi", [PRF_STACK_MEMORY] = "memory",
	[PRF_STACK_LIMIT] = "limit",   [PRF_STACK_LOOP] = "loop",
};

static const char *
end_of(const struct prf_dumped *dumped, const struct prf_dump_thread *thread)
{
	const struct prf_dump_stack *stack = prf_dumped_stack(dumped, thread);

	if (prf_dumped_is_cut(dumped, thread))
		return "cut";
	return ends[stack ? stack->end : PRF_STACK_NONE];
}

/* --- JSON */

static int
put_frame(const struct prf_dump_frame *frame, struct prf_json *json)
{
	PRF_AUTO(prf_auto_free) char *name = NULL;

	if (whole_name(frame, &name))
		return -ENOMEM;
	prf_json_object(json, NULL);
	prf_json_hex(json, "addr", frame->addr);
	prf_json_hex(json, "vaddr", frame->vaddr);
	prf_json_text(json, "binary", frame->binary);
	if (name) {
		prf_json_text(json, "function", name);
		prf_json_number(json, "offset", frame->off);
	}
	if (frame->file)
		prf_json_text(json, "file", frame->file);
	if (frame->line)
		prf_json_number(json, "line", frame->line);
	prf_json_bool(json, "guessed", frame->is_guessed);
	prf_json_bool(json, "inlined", frame->is_inlined);
	prf_json_end(json);
	return 0;
}

static int
put_stack(const struct prf_dumped *dumped, const struct prf_dump_thread *thread,
	  struct prf_json *json)
{
	const struct prf_dump_stack *stack = prf_dumped_stack(dumped, thread);
	int rc = 0;

	prf_json_text(json, "stack_end", end_of(dumped, thread));
	prf_json_list(json, "stack");
	for (size_t i = 0; stack && i < stack->n && rc == 0; i++)
		rc = put_frame(&stack->frames[i], json);
	prf_json_end(json);
	return rc;
}

static int
put_thread(const struct prf_dumped *dumped,
	   const struct prf_dump_thread *thread, struct prf_json *json)
{
	const char *name = prf_dumped_call(dumped, thread);
	bool for_end;
	const struct prf_dump_thread *other =
		prf_dumped_awaited(dumped, thread, &for_end);
	const char state[] = {thread->state ? thread->state : '?', '\0'};

	prf_json_object(json, NULL);
	prf_json_signed(json, "tid", thread->tid);
	prf_json_text(json, "name", thread->name);
	prf_json_text(json, "state", state);
	prf_json_text(json, "how", hows[thread->how]);
	if (thread->how == PRF_DUMP_REFUSED)
		prf_json_text(json, "why", prf_dumped_why(dumped, thread));
	if (thread->syscall != PRF_NO_SYSCALL)
		prf_json_signed(json, "syscall_number", thread->syscall);
	if (name) {
		prf_json_text(json, "syscall", name);
		prf_json_text(json, "syscall_text", thread->call);
	}
	if (other)
		prf_json_signed(json, for_end ? "joins" : "mutex_holder",
				other->tid);
	prf_json_number(json, "cpu_ns", thread->cpu_ns);
	prf_json_number(json, "stopped_ns", thread->stopped_ns);
	int rc = put_stack(dumped, thread, json);
	prf_json_end(json);
	return rc;
}

static int
put_process(const struct prf_dumped *dumped, struct prf_json *json)
{
	const struct prf_dump *dump = &dumped->dump;
	int rc = 0;

	prf_json_object(json, NULL);
	prf_json_signed(json, "pid", dump->pid);
	prf_json_text(json, "command", dumped->command ? dumped->command : "");
	prf_json_signed(json, "tracer", dump->tracer);
	prf_json_bool(json, "stopped", dump->status.is_stopped);
	prf_json_list(json, "threads");
	for (size_t i = 0; i < dump->n_threads && rc == 0; i++)
		rc = put_thread(dumped, &dump->threads[i], json);
	prf_json_end(json);
	prf_json_end(json);
	return rc;
}

int
prf_dump_export_json(const struct prf_dumped *dumped, size_t n, FILE *out)
{
	struct prf_json json = {.out = out};
	int rc = 0;

	prf_json_object(&json, NULL);
	prf_json_text(&json, "format", "profrun-dump");
	prf_json_number(&json, "version", 1);
	prf_json_list(&json, "processes");
	for (size_t i = 0; i < n && rc == 0; i++)
		rc = put_process(&dumped[i], &json);
	prf_json_end(&json);
	prf_json_end(&json);
	return rc;
}
