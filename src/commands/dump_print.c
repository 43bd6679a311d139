#include "src/commands/dump_print.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
#include "src/commands/dump_groups.h"
#include "view/table/command_line.h"
#include "view/table/name_columns.h"
#include "view/table/plain.h"

/* --- What is said of a thread */

/* What is said of a thread beside its stack. */
struct said {
	char text[256];
};

/* How much. */
enum detail { FOR_SEVERAL, FOR_ONE };

static void
say_call(const struct prf_dumped *dumped, const struct prf_dump_thread *thread,
	 enum detail detail, char *text, size_t size)
{
	const char *name = prf_dumped_call(dumped, thread);

	if (thread->syscall == PRF_NO_SYSCALL)
		text[0] = '\0';
	else if (name && thread->call[0] && detail == FOR_ONE)
		snprintf(text, size, " in %s(%s)", name, thread->call);
	else if (name)
		snprintf(text, size, " in %s", name);
	else
		snprintf(text, size, " in system call %d", thread->syscall);
}

/* What THREAD does, as far as its stack does not say it. */
static void
say(const struct prf_dumped *dumped, const struct prf_dump_thread *thread,
    enum detail detail, struct said *said)
{
	char call[PRF_AWAITED_BYTES + 40];

	say_call(dumped, thread, detail, call, sizeof call);
	if (thread->how == PRF_DUMP_ENDED)
		snprintf(said->text, sizeof said->text, "has ended");
	else if (thread->how == PRF_DUMP_WORKER)
		snprintf(said->text, sizeof said->text,
			 "is a worker of the kernel's");
	else if (thread->how == PRF_DUMP_REFUSED)
		snprintf(said->text, sizeof said->text,
			 "%s; its stack cannot be read: %s",
			 prf_dumped_is_stopped(thread) ? "is stopped" : "runs",
			 prf_dumped_why(dumped, thread));
	else if (prf_dumped_is_stopped(thread))
		snprintf(said->text, sizeof said->text, "is stopped%s", call);
	else if (thread->how == PRF_DUMP_STOPPED)
		snprintf(said->text, sizeof said->text, "runs");
	else
		snprintf(said->text, sizeof said->text, "waits%s%s", call,
			 thread->state == 'D' ? ", and cannot be interrupted"
					      : "");
}

/* --- Stacks */

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* "main", or where it is not named "libc.so.6+0x1234". */
static char *
frame_name(const struct prf_dump_frame *frame, const struct prf_style *style)
{
	char *name = NULL;

	if (frame->function)
		return prf_name_columns_name(frame->function, style);
	const char *binary = base_name(frame->binary);
	int n = *binary == '['
			? asprintf(&name, "%s+0x%" PRIx64, binary, frame->vaddr)
			: asprintf(&name, "[%s+0x%" PRIx64 "]", binary,
				   frame->vaddr);
	return n < 0 ? NULL : name;
}

static void
print_place(const struct prf_dump_frame *frame, FILE *out)
{
	if (!frame->file)
		return;
	fputs(" at ", out);
	prf_plain_print(base_name(frame->file), out);
	if (frame->line)
		fprintf(out, ":%" PRIu32, frame->line);
}

/* What is said of a frame behind its name. */
static const char *
remark_of(const struct prf_dump_frame *frame)
{
	return frame->is_inlined   ? " (inlined)"
	       : frame->is_guessed ? " (guessed)"
				   : "";
}

static int
print_frame(const struct prf_dump_frame *frame, size_t number,
	    const struct prf_style *style, FILE *out)
{
	enum { NUMBER_WIDTH = 8, MIN_NAME = 20 };
	PRF_AUTO(prf_auto_free) char *name = frame_name(frame, style);
	const char *binary = base_name(frame->binary);
	const char *remark = remark_of(frame);

	if (!name)
		return -ENOMEM;
	fprintf(out, "  #%-4zu ", number);
	size_t others = NUMBER_WIDTH + strlen(remark) + 4 +
			prf_plain_width(binary) +
			(frame->file ? strlen(base_name(frame->file)) + 10 : 0);
	size_t room = style->width > others + MIN_NAME ? style->width - others
						       : MIN_NAME;
	if (style->width)
		prf_plain_print_middle_cut(name, room, out);
	else
		prf_plain_print(name, out);
	fputs(remark, out);
	print_place(frame, out);
	if (frame->function) {
		fputs(" in ", out);
		prf_plain_print(binary, out);
	}
	putc('\n', out);
	return 0;
}

static const char *const ends[PRF_N_STACK_ENDS] = {
	[PRF_STACK_NONE] = "no stack could be read",
	[PRF_STACK_NO_CFI] = "this code has no unwind information: who called "
			     "it is not known",
	[PRF_STACK_MEMORY] = "the memory of the stack could not be read",
	[PRF_STACK_LIMIT] = "there are more frames",
	[PRF_STACK_LOOP] = "the next frame would be one of these",
};

static int
print_stack(const struct prf_dumped *dumped,
	    const struct prf_dump_thread *thread, const struct prf_style *style,
	    FILE *out)
{
	const struct prf_dump_stack *stack = prf_dumped_stack(dumped, thread);
	int rc = 0;

	if (!stack)
		return 0;
	for (size_t i = 0; i < stack->n && rc == 0; i++)
		rc = print_frame(&stack->frames[i], i, style, out);
	if (prf_dumped_is_cut(dumped, thread))
		fprintf(out,
			"        (only the innermost %zu KiB of the stack were "
			"read)\n",
			thread->cut_bytes >> 10);
	else if (ends[stack->end])
		fprintf(out, "        (%s)\n", ends[stack->end]);
	return rc;
}

/* --- Threads */

static void
print_thread_name(const struct prf_dump_thread *thread, FILE *out)
{
	fprintf(out, "%d", thread->tid);
	if (!thread->name[0])
		return;
	putc(' ', out);
	prf_plain_print(thread->name, out);
}

/* Of that. */
static size_t
thread_name_width(const struct prf_dump_thread *thread)
{
	size_t width = (size_t)snprintf(NULL, 0, "%d", thread->tid);

	return thread->name[0] ? width + 1 + prf_plain_width(thread->name)
			       : width;
}

/* THREAD; or, if IS_EACH, it and the others of its group. */
static void
print_awaited(const struct prf_dumped *dumped,
	      const struct prf_dump_thread *thread, bool is_each, FILE *out)
{
	bool for_end;
	const struct prf_dump_thread *other =
		prf_dumped_awaited(dumped, thread, &for_end);

	if (!other)
		return;
	if (is_each)
		fputs("  each", out);
	else
		fprintf(out, "  thread %d", thread->tid);
	fprintf(out, " waits %s thread ",
		for_end ? "for the end of" : "for a mutex, which is held by");
	print_thread_name(other, out);
	putc('\n', out);
}

/* Do all of GROUP, which are several, wait for the same thread? */
static bool
have_one_awaited(const struct prf_dumped *dumped,
		 const struct prf_dump_groups *groups,
		 const struct prf_dump_group *group)
{
	const struct prf_dump_thread *threads = dumped->dump.threads;
	bool for_end;
	const struct prf_dump_thread *first =
		prf_dumped_awaited(dumped, &threads[group->first], &for_end);
	ptrdiff_t i = (ptrdiff_t)group->first;

	while (i != PRF_DUMP_NO_THREAD &&
	       prf_dumped_awaited(dumped, &threads[i], &for_end) == first)
		i = groups->next[i];
	return first && group->n > 1 && i == PRF_DUMP_NO_THREAD;
}

/* Who is in GROUP, in lines. */
static void
print_threads(const struct prf_dumped *dumped,
	      const struct prf_dump_groups *groups,
	      const struct prf_dump_group *group, const struct prf_style *style,
	      FILE *out)
{
	enum { INDENT = 2, COMMAS = 3 }; /* ", " before it, "," behind */
	size_t column = 0;

	for (ptrdiff_t i = (ptrdiff_t)group->first; i != PRF_DUMP_NO_THREAD;
	     i = groups->next[i]) {
		const struct prf_dump_thread *thread = &dumped->dump.threads[i];
		size_t width = thread_name_width(thread);

		if (!column ||
		    (style->width && column + width + COMMAS > style->width)) {
			fprintf(out, "%s%*s", column ? ",\n" : "", INDENT, "");
			column = INDENT;
		} else {
			column += (size_t)fprintf(out, ", ");
		}
		print_thread_name(thread, out);
		column += width;
	}
	putc('\n', out);
}

/* "thread 12 main", or "8 threads" and, below, who they are. */
static void
print_heading(const struct prf_dumped *dumped,
	      const struct prf_dump_groups *groups,
	      const struct prf_dump_group *group, const struct prf_style *style,
	      FILE *out)
{
	const struct prf_dump_thread *first =
		&dumped->dump.threads[group->first];
	struct said said;

	say(dumped, first, group->n == 1 ? FOR_ONE : FOR_SEVERAL, &said);
	if (group->n == 1) {
		fputs("\nthread ", out);
		print_thread_name(first, out);
		putc(' ', out);
	} else {
		fprintf(out, "\n%zu threads, each ", group->n);
	}
	prf_plain_print(said.text, out);
	putc('\n', out);
	if (group->n > 1)
		print_threads(dumped, groups, group, style, out);
}

static int
print_group(const struct prf_dumped *dumped,
	    const struct prf_dump_groups *groups,
	    const struct prf_dump_group *group, const struct prf_style *style,
	    FILE *out)
{
	const struct prf_dump_thread *threads = dumped->dump.threads;

	print_heading(dumped, groups, group, style, out);
	int rc = print_stack(dumped, &threads[group->first], style, out);
	bool is_each = have_one_awaited(dumped, groups, group);
	for (ptrdiff_t i = (ptrdiff_t)group->first; i != PRF_DUMP_NO_THREAD;
	     i = is_each ? PRF_DUMP_NO_THREAD : groups->next[i])
		print_awaited(dumped, &threads[i], is_each, out);
	return rc;
}

static void
print_process(const struct prf_dumped *dumped, FILE *out)
{
	enum { WIDTH = 76 };
	const struct prf_dump *dump = &dumped->dump;

	fprintf(out, "process %d, %zu thread%s", dump->pid, dump->n_threads,
		dump->n_threads == 1 ? "" : "s");
	if (dump->tracer)
		fprintf(out, ", traced by process %d", dump->tracer);
	putc('\n', out);
	if (dumped->command && dumped->command[0]) {
		fputs("  ", out);
		prf_command_line_print(dumped->command, WIDTH, out);
		putc('\n', out);
	}
	if (dump->status.is_stopped && !dump->tracer)
		fprintf(out,
			"  it is stopped by job control; kill -CONT %d lets it "
			"go on\n",
			dump->pid);
}

int
prf_dump_print(const struct prf_dumped *dumped, bool each,
	       const struct prf_style *style, FILE *out)
{
	PRF_AUTO(prf_dump_groups_clear) struct prf_dump_groups groups = {0};
	int rc = prf_dump_groups_make(&groups, dumped, each);

	print_process(dumped, out);
	for (size_t i = 0; i < groups.n && rc == 0; i++)
		rc = print_group(dumped, &groups, &groups.all[i], style, out);
	return rc;
}
