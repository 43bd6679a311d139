#include "src/made_dump.h"

#include <stdio.h>
#include <stdlib.h>

#include "image/syscalls.h"
#include "support/suite.h"

void
prf_made_dump_begin(struct prf_dumped *dumped, size_t n_threads)
{
	const struct prf_exec exec = {
		.pid = PRF_MADE_DUMP_PID,
		.path = "/made",
		.command = "made",
		.addr_bytes = sizeof(void *),
	};
	struct prf_error err = {0};

	*dumped = (struct prf_dumped){
		.dump.pid = PRF_MADE_DUMP_PID,
		.dump.machine = prf_syscall_machine(sizeof(void *)),
		.dump.threads = calloc(n_threads, sizeof *dumped->dump.threads),
	};
	ck_assert_ptr_nonnull(dumped->dump.threads);
	ck_assert_int_eq(prf_dump_stacks_new(&dumped->stacks, &err), 0);
	struct prf_sink *sink = prf_dump_stacks_sink(dumped->stacks);
	ck_assert_int_eq(sink->ops->exec(sink, &exec), 0);
}

void
prf_made_dump_add(struct prf_dumped *dumped,
		  const struct prf_dump_thread *thread)
{
	struct prf_dump *dump = &dumped->dump;
	struct prf_dump_thread *made = &dump->threads[dump->n_threads++];

	*made = *thread;
	made->tid = dump->pid + (pid_t)dump->n_threads;
	snprintf(made->name, sizeof made->name, "worker");
}

void
prf_made_dump_stack(struct prf_dumped *dumped, enum prf_stack_end end,
		    const uint64_t *addrs, size_t n)
{
	const struct prf_dump *dump = &dumped->dump;
	struct prf_sink *sink = prf_dump_stacks_sink(dumped->stacks);
	struct prf_frame frames[8];

	ck_assert_uint_le(n, sizeof frames / sizeof *frames);
	for (size_t i = 0; i < n; i++)
		frames[i] = (struct prf_frame){addrs[i], i ? PRF_FRAME_RETURN
							   : PRF_FRAME_PC};
	const struct prf_sample sample = {
		.pid = dump->pid,
		.tid = dump->threads[dump->n_threads - 1].tid,
		.ticks = 1,
		.certain = 1,
		.end = end,
		.n_frames = (uint32_t)n,
		.frames = frames,
	};
	ck_assert_int_eq(sink->ops->sample(sink, &sample), 0);
}

void
prf_made_dump_end(struct prf_dumped *dumped)
{
	struct prf_warnings warnings = {0};

	ck_assert_int_eq(prf_dump_stacks_name(dumped->stacks, false, &warnings),
			 0);
	prf_warnings_clear(&warnings);
}
