#include "src/commands/dump_export.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/scope.h"
#include "image/demangle.h"
#include "view/export/json.h"
#include "view/table/plain.h"

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

/* --- CSV */

/* As the members of the JSON are called, and FRAME, from 0. */
static const char heading[] =
	"pid,tid,name,state,how,why,syscall_number,syscall,syscall_text,"
	"mutex_holder,joins,cpu_ns,stopped_ns,stack_end,"
	"frame,function,offset,binary,file,line,inlined,guessed,addr,vaddr,"
	"tracer,stopped,command\n";

static const char no_frame[] = ",,,,,,,,,,";

/* One column: empty if TEXT is NULL or "". */
static void
print_text(const char *text, FILE *out)
{
	if (text && *text)
		prf_plain_print_quoted(text, "\"", '"', out);
	putc(',', out);
}

/* The same of a number, if there IS one. */
static void
print_number(bool is, int64_t number, FILE *out)
{
	if (is)
		fprintf(out, "%" PRId64, number);
	putc(',', out);
}

static void
print_thread_columns(const struct prf_dumped *dumped,
		     const struct prf_dump_thread *thread, FILE *out)
{
	bool for_end = false;
	const struct prf_dump_thread *other =
		prf_dumped_awaited(dumped, thread, &for_end);

	fprintf(out, "%d,%d,", dumped->dump.pid, thread->tid);
	print_text(thread->name, out);
	fprintf(out, "%c,%s,", thread->state ? thread->state : '?',
		hows[thread->how]);
	print_text(thread->how == PRF_DUMP_REFUSED
			   ? prf_dumped_why(dumped, thread)
			   : NULL,
		   out);
	print_number(thread->syscall != PRF_NO_SYSCALL, thread->syscall, out);
	print_text(prf_dumped_call(dumped, thread), out);
	print_text(thread->call, out);
	print_number(other && !for_end, other ? other->tid : 0, out);
	print_number(other && for_end, other ? other->tid : 0, out);
	fprintf(out, "%" PRIu64 ",%" PRIu64 ",%s,", thread->cpu_ns,
		thread->stopped_ns, end_of(dumped, thread));
}

static int
print_frame_columns(const struct prf_dump_frame *frame, size_t number,
		    FILE *out)
{
	PRF_AUTO(prf_auto_free) char *name = NULL;

	if (whole_name(frame, &name))
		return -ENOMEM;
	fprintf(out, "%zu,", number);
	print_text(name, out);
	print_number(name != NULL, (int64_t)frame->off, out);
	print_text(frame->binary, out);
	print_text(frame->file, out);
	print_number(frame->line != 0, frame->line, out);
	fprintf(out, "%d,%d,0x%" PRIx64 ",0x%" PRIx64 ",", frame->is_inlined,
		frame->is_guessed, frame->addr, frame->vaddr);
	return 0;
}

static void
print_process_columns(const struct prf_dumped *dumped, FILE *out)
{
	const struct prf_dump *dump = &dumped->dump;

	fprintf(out, "%d,%d,", dump->tracer, dump->status.is_stopped);
	if (dumped->command)
		prf_plain_print_quoted(dumped->command, "\"", '"', out);
	putc('\n', out);
}

/* A row for each frame, or one if it has none. */
static int
print_thread(const struct prf_dumped *dumped,
	     const struct prf_dump_thread *thread, FILE *out)
{
	const struct prf_dump_stack *stack = prf_dumped_stack(dumped, thread);
	size_t n = stack ? stack->n : 0, i = 0;
	int rc = 0;

	do {
		print_thread_columns(dumped, thread, out);
		if (n)
			rc = print_frame_columns(&stack->frames[i], i, out);
		else
			fputs(no_frame, out);
		print_process_columns(dumped, out);
	} while (rc == 0 && ++i < n);
	return rc;
}

int
prf_dump_export_csv(const struct prf_dumped *dumped, size_t n, FILE *out)
{
	int rc = 0;

	fputs(heading, out);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < dumped[i].dump.n_threads && rc == 0; k++)
			rc = print_thread(&dumped[i],
					  &dumped[i].dump.threads[k], out);
	return rc;
}
