/* Samples counted in a profile. */
#include "profile/profile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "image/syscalls.h"

/* --- Where a sample is */

static int
count_unknown(struct prf_profile *profile, const struct prf_count *count)
{
	struct prf_binary *binary =
		prf_profile_binary(profile, PRF_BINARY_UNKNOWN);

	return binary ? prf_binary_count_name(binary, binary->name, count)
		      : -ENOMEM;
}

/* The binary at LOCATION of process PID.  NULL: out of memory. */
static struct prf_binary *
binary_at(struct prf_profile *profile, const struct prf_location *location,
	  pid_t pid)
{
	struct prf_file *file = location->file;

	if (!file)
		return prf_profile_jit_of(profile, pid);
	return file->index < profile->n_by_file && profile->by_file[file->index]
		       ? profile->by_file[file->index]
		       : prf_profile_binary_of(profile, file);
}

int
prf_profile_count(struct prf_profile *profile,
		  const struct prf_location *location,
		  const struct prf_sample *sample)
{
	struct prf_count count = {0};
	int rc = -ERANGE;

	prf_count_add(&count, sample->ticks, sample->certain);
	if (location->kind != PRF_MAPPING_NONE) {
		struct prf_binary *binary =
			binary_at(profile, location, sample->pid);

		rc = binary ? prf_binary_count(binary, location->vaddr,
					       sample->ticks, sample->certain)
			    : -ENOMEM;
	}
	if (rc == -EFBIG)
		profile->crowded_ticks += sample->ticks;
	if (rc == -ERANGE || rc == -EFBIG)
		rc = count_unknown(profile, &count);
	if (!rc)
		prf_count_merge(&profile->total, &count);
	return rc;
}

static const char *
call_name(uint16_t machine, int32_t number, char *made, size_t n_bytes)
{
	const char *known = prf_syscall_name(machine, number);

	if (known)
		return known;
	/* As a signed number: a program can ask for any. */
	snprintf(made, n_bytes, "syscall_%" PRId32, number);
	return made;
}

/* The innermost function of the kernel, or the system call alone. */
static const char *
kernel_name(uint16_t machine, const struct prf_sample *sample, char *made,
	    size_t n_bytes)
{
	return sample->kernel
		       ? sample->kernel->names[0]
		       : call_name(machine, sample->syscall, made, n_bytes);
}

int
prf_profile_count_call(struct prf_profile *profile, uint16_t machine,
		       const struct prf_sample *sample)
{
	struct prf_binary *kernel =
		prf_profile_binary(profile, PRF_BINARY_KERNEL);
	struct prf_count count = {0};
	char made[32];

	prf_count_add(&count, sample->ticks, sample->certain);
	int rc = kernel ? prf_binary_count_name(kernel,
						kernel_name(machine, sample,
							    made, sizeof made),
						&count)
			: -ENOMEM;
	if (!rc)
		prf_count_merge(&profile->total, &count);
	return rc;
}

/* --- The way to it */

/* Whose frames they are. */
struct stack {
	struct prf_profile *profile;
	struct prf_procs *procs;
	const struct prf_proc *proc;
	const struct prf_sample *sample;
};

static int
name_end(struct prf_profile *profile, enum prf_binary_kind kind,
	 const char *name, struct prf_arc_end *end)
{
	size_t number;

	end->binary = prf_profile_binary(profile, kind);
	if (!end->binary)
		return -ENOMEM;
	int rc = prf_named_counts_intern(
		&end->binary->names, name ? name : end->binary->name, &number);
	end->vaddr = number;
	return rc;
}

int
prf_profile_locate(struct prf_profile *profile, struct prf_procs *procs,
		   const struct prf_proc *proc, struct prf_frame frame,
		   struct prf_arc_end *end)
{
	const struct prf_location location =
		prf_procs_locate(procs, proc, prf_frame_lookup_addr(frame));
	bool is_mapped = location.kind != PRF_MAPPING_NONE;

	*end = (struct prf_arc_end){NULL, location.vaddr};
	if (is_mapped)
		end->binary = binary_at(profile, &location, proc->pid);
	if (is_mapped && !end->binary)
		return -ENOMEM;
	return is_mapped && prf_binary_has(end->binary, end->vaddr)
		       ? 0
		       : name_end(profile, PRF_BINARY_UNKNOWN, NULL, end);
}

int
prf_profile_enter_kernel(struct prf_profile *profile, uint16_t machine,
			 const struct prf_sample *sample,
			 prf_profile_enter *enter, void *arg)
{
	const struct prf_kernel_functions *kernel = sample->kernel;
	uint32_t n = kernel ? kernel->n : 0;
	char made[32];
	struct prf_arc_end end;
	int rc = 0;

	if (sample->syscall != PRF_NO_SYSCALL)
		rc = name_end(profile, PRF_BINARY_KERNEL,
			      call_name(machine, sample->syscall, made,
					sizeof made),
			      &end) ||
		     enter(arg, &end);
	for (; !rc && n > 0; n--)
		rc = name_end(profile, PRF_BINARY_KERNEL, kernel->names[n - 1],
			      &end) ||
		     enter(arg, &end);
	return rc ? -ENOMEM : 0;
}

/* *OWNER: whose the calls of STACK are, if that is kept. */
static int
find_owner(const struct stack *stack, const struct prf_calls_path *path,
	   uint32_t *owner)
{
	const struct prf_program *program = stack->proc->program;
	const struct prf_owner like = {
		.pid = stack->sample->pid,
		.tid = stack->sample->tid,
		.state = stack->sample->state,
		.program = program->path,
		.rank = program->rank,
	};

	*owner = path->n ? path->steps[0].call->owner : PRF_OWNERS_NOBODY;
	return stack->profile->by_thread && !path->n
		       ? prf_owners_intern(&stack->profile->calls->owners,
					   &like, owner)
		       : 0;
}

/* The node of a thread's PC; the frames that are PATH's are not searched for
 * again. */
static int
enter_frames(const struct stack *stack, struct prf_calls_path *path,
	     struct prf_call **call)
{
	const struct prf_sample *sample = stack->sample;
	size_t n = sample->n_frames;
	uint32_t owner;
	int rc = find_owner(stack, path, &owner);

	for (size_t i = path->n; !rc && i < n; i++) {
		struct prf_calls_step *step = &path->steps[i];

		step->frame = sample->frames[n - 1 - i];
		rc = prf_profile_locate(stack->profile, stack->procs,
					stack->proc, step->frame, &step->end);
	}
	if (!rc)
		rc = prf_calls_follow(stack->profile->calls, path, n, owner);
	if (!rc)
		*call = path->steps[n - 1].call;
	return rc;
}

/* Below the node where a stack has come to. */
struct below {
	struct prf_calls *calls;
	struct prf_call *call;
};

static int
enter_below(void *arg, const struct prf_arc_end *end)
{
	struct below *below = arg;

	below->call = prf_calls_enter(below->calls, below->call, end, false);
	return below->call ? 0 : -ENOMEM;
}

/* The node of where in the kernel the sample is, below CALL. */
static int
enter_kernel(const struct stack *stack, struct prf_call **call)
{
	struct below below = {stack->profile->calls, *call};
	int rc = prf_profile_enter_kernel(stack->profile,
					  stack->proc->program->machine,
					  stack->sample, enter_below, &below);

	*call = below.call;
	return rc;
}

/* Counts the sample of STACK, whose PC is at the end of PATH, in CALL. */
static void
count_path(const struct stack *stack, const struct prf_calls_path *path,
	   struct prf_call *call)
{
	struct prf_calls *calls = stack->profile->calls;
	const struct prf_sample *sample = stack->sample;
	bool has_guess = false;

	for (uint32_t i = 0; i < sample->n_frames; i++)
		has_guess |= sample->frames[i].kind == PRF_FRAME_GUESSED;
	if (has_guess)
		calls->guessed_ticks += sample->ticks;
	calls->ended[sample->end] += sample->ticks;
	if (sample->end == PRF_STACK_NO_CFI)
		path->steps[0].call->binary->no_cfi_ticks += sample->ticks;
	prf_count_add(&call->self, sample->ticks, sample->certain);
}

static int
count_pc(const struct stack *stack, bool in_kernel)
{
	if (in_kernel)
		return prf_profile_count_call(stack->profile,
					      stack->proc->program->machine,
					      stack->sample);
	const struct prf_location location = prf_procs_locate(
		stack->procs, stack->proc,
		prf_frame_lookup_addr(stack->sample->frames[0]));
	return prf_profile_count(stack->profile, &location, stack->sample);
}

int
prf_profile_count_stack(struct prf_profile *profile, struct prf_procs *procs,
			const struct prf_proc *proc, bool kernel_apart,
			const struct prf_sample *sample)
{
	const struct stack stack = {profile, procs, proc, sample};
	bool in_kernel = kernel_apart &&
			 (sample->kernel || sample->syscall != PRF_NO_SYSCALL);
	bool has_stack = sample->n_frames > 1 || sample->end != PRF_STACK_NONE;
	struct prf_call *call = NULL;
	int rc = 0;

	if (profile->keeps_calls && has_stack)
		rc = prf_profile_begin_calls(profile);
	if (rc)
		return rc;
	if (!profile->calls)
		return count_pc(&stack, in_kernel);
	rc = prf_calls_bound(&profile->calls);
	if (rc)
		return rc;
	struct prf_calls_path *path =
		prf_calls_path_of(profile->calls, sample, procs->n_changes);
	rc = path ? enter_frames(&stack, path, &call) : -ENOMEM;
	if (!rc && in_kernel)
		rc = enter_kernel(&stack, &call);
	if (!rc)
		rc = count_pc(&stack, in_kernel);
	if (!rc)
		count_path(&stack, path, call);
	return rc;
}
