#include "src/commands/dump_print.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/scope.h"
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

/* --- Threads that do the same */

/* Its threads, each with the next one that does the same. */
struct group {
	size_t first, last; /* threads; the next of each is in NEXT */
	size_t n;
};

enum { NO_THREAD = -1 };

struct groups {
	struct group *all;
	size_t n;
	ptrdiff_t *next; /* of each thread */
};

static void
groups_clear(struct groups *groups)
{
	free(groups->all);
	free(groups->next);
}

static bool
has_same_stack(const struct prf_dumped *dumped, size_t a, size_t b)
{
	const struct prf_dump_thread *threads = dumped->dump.threads;
	const struct prf_dump_stack *first =
		prf_dumped_stack(dumped, &threads[a]);
	const struct prf_dump_stack *second =
		prf_dumped_stack(dumped, &threads[b]);

	return first && second ? prf_dump_stack_is_same(first, second)
			       : first == second;
}

/* The calls are the same; what they wait for need not be. */
static bool
does_same(const struct prf_dumped *dumped, const struct group *group,
	  size_t thread)
{
	const struct prf_dump_thread *threads = dumped->dump.threads;
	const struct prf_dump_thread *first = &threads[group->first];

	return first->how == threads[thread].how &&
	       first->syscall == threads[thread].syscall &&
	       prf_dumped_is_stopped(first) ==
		       prf_dumped_is_stopped(&threads[thread]) &&
	       has_same_stack(dumped, group->first, thread);
}

static void
add_to_groups(const struct prf_dumped *dumped, struct groups *groups,
	      size_t thread, bool each)
{
	size_t i = each ? groups->n : 0;

	groups->next[thread] = NO_THREAD;
	while (i < groups->n && !does_same(dumped, &groups->all[i], thread))
		i++;
	struct group *group = &groups->all[i];
	if (i == groups->n) {
		groups->n++;
		*group = (struct group){.first = thread};
	} else {
		groups->next[group->last] = (ptrdiff_t)thread;
	}
	group->last = thread;
	group->n++;
}

static int
make_groups(const struct prf_dumped *dumped, bool each, struct groups *groups)
{
	size_t n = dumped->dump.n_threads;

	groups->all = calloc(n ? n : 1, sizeof *groups->all);
	groups->next = calloc(n ? n : 1, sizeof *groups->next);
	if (!groups->all || !groups->next)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		add_to_groups(dumped, groups, i, each);
	return 0;
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
have_one_awaited(const struct prf_dumped *dumped, const struct groups *groups,
		 const struct group *group)
{
	const struct prf_dump_thread *threads = dumped->dump.threads;
	bool for_end;
	const struct prf_dump_thread *first =
		prf_dumped_awaited(dumped, &threads[group->first], &for_end);
	ptrdiff_t i = (ptrdiff_t)group->first;

	while (i != NO_THREAD &&
	       prf_dumped_awaited(dumped, &threads[i], &for_end) == first)
		i = groups->next[i];
	return first && group->n > 1 && i == NO_THREAD;
}

/* "thread 12 main", or "8 threads" and, below, who they are. */
static void
print_heading(const struct prf_dumped *dumped, const struct groups *groups,
	      const struct group *group, const struct prf_style *style,
	      FILE *out)
{
	enum { INDENT = 2 };
	const struct prf_dump_thread *threads = dumped->dump.threads;
	size_t column = INDENT;
	struct said said;

	say(dumped, &threads[group->first],
	    group->n == 1 ? FOR_ONE : FOR_SEVERAL, &said);
	if (group->n == 1) {
		fputs("\nthread ", out);
		print_thread_name(&threads[group->first], out);
		putc(' ', out);
		prf_plain_print(said.text, out);
		putc('\n', out);
		return;
	}
	fprintf(out, "\n%zu threads, each ", group->n);
	prf_plain_print(said.text, out);
	fprintf(out, "\n%*s", INDENT, "");
	for (ptrdiff_t i = (ptrdiff_t)group->first; i != NO_THREAD;
	     i = groups->next[i]) {
		size_t width = 8 + prf_plain_width(threads[i].name);

		if (column > INDENT && style->width &&
		    column + width + 2 > style->width) {
			fprintf(out, "\n%*s", INDENT, "");
			column = INDENT;
		}
		print_thread_name(&threads[i], out);
		fputs(groups->next[i] == NO_THREAD ? "" : ", ", out);
		column += width + 2;
	}
	putc('\n', out);
}

static int
print_group(const struct prf_dumped *dumped, const struct groups *groups,
	    const struct group *group, const struct prf_style *style, FILE *out)
{
	const struct prf_dump_thread *threads = dumped->dump.threads;

	print_heading(dumped, groups, group, style, out);
	int rc = print_stack(dumped, &threads[group->first], style, out);
	bool is_each = have_one_awaited(dumped, groups, group);
	for (ptrdiff_t i = (ptrdiff_t)group->first; i != NO_THREAD;
	     i = is_each ? NO_THREAD : groups->next[i])
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
	PRF_AUTO(groups_clear) struct groups groups = {0};
	int rc = make_groups(dumped, each, &groups);

	print_process(dumped, out);
	for (size_t i = 0; i < groups.n && rc == 0; i++)
		rc = print_group(dumped, &groups, &groups.all[i], style, out);
	return rc;
}
