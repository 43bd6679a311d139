#include "profile/collected_run.h"

#include <stdio.h>

static const struct elf_symbol fg[] = {
	{"f", 0x1000, 0x800, STB_GLOBAL, STT_FUNC, 1},
	{"g", 0x1800, 0x800, STB_GLOBAL, STT_FUNC, 1},
};
static const struct elf_symbol hk[] = {
	{"h", 0x1000, 0x800, STB_GLOBAL, STT_FUNC, 1},
	{"k", 0x1800, 0x800, STB_GLOBAL, STT_FUNC, 1},
};

/* --- What was handed out */

struct run run;

static void
put_functions(char *text, size_t size, const struct prf_profile *profile)
{
	struct prf_functions functions;
	size_t used = 0;

	ck_assert_int_eq(prf_functions_of(profile, &functions), 0);
	prf_functions_sort(&functions);
	for (size_t i = 0; i < functions.n && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s=%d ",
					 functions.all[i].name,
					 (int)functions.all[i].count.ticks);
	prf_functions_clear(&functions);
}

static void
put_owners(char *text, size_t size, const struct prf_profile *profile)
{
	size_t n = profile->calls ? profile->calls->owners.n : 0, used = 0;

	for (size_t i = 0; i < n && used < size; i++) {
		const struct prf_owner *owner = &profile->calls->owners.all[i];

		used += (size_t)snprintf(text + used, size - used, "%d:%s ",
					 owner->tid, owner->name);
	}
}

static void
see(void *arg, const struct prf_ended *ended)
{
	const struct prf_profile *profile = ended->profile;

	ck_assert_ptr_eq(arg, &run);
	ck_assert_msg(!ended->failure, "%s", ended->failure->text);
	ck_assert(profile->total.ticks > 0 || ended->is_main);
	made_check_sums(profile, profile->total.ticks);
	ck_assert_uint_eq(profile->unit.rate_hz, 100);
	if (ended->program)
		ck_assert_uint_eq(profile->addr_bytes,
				  ended->program->addr_bytes);
	run.ticks_seen += profile->total.ticks;
	if (run.n_seen == RUN_MAX_SEEN)
		return;

	struct run_seen *seen = &run.seen[run.n_seen++];
	*seen = (struct run_seen){
		.pid = ended->pid,
		.tid = ended->tid,
		.n_execs = ended->n_execs,
		.is_earlier = ended->is_earlier,
		.is_main = ended->is_main,
		.ticks = profile->total.ticks,
		.interval = ended->interval,
		.from_ns = ended->from_ns,
		.to_ns = ended->to_ns,
	};
	snprintf(seen->program, sizeof seen->program, "%s",
		 profile->program ? profile->program->name : "");
	put_functions(seen->text, sizeof seen->text, profile);
	put_owners(seen->owners, sizeof seen->owners, profile);
}

void
run_check(size_t i, pid_t pid, const char *functions)
{
	ck_assert_uint_lt(i, run.n_seen);
	ck_assert_int_eq(run.seen[i].pid, pid);
	ck_assert_str_eq(run.seen[i].text, functions);
}

/* --- Events */

void
run_make_other(const char *name)
{
	made_elf(name, hk, 2);
}

void
run_begin(struct prf_collector_config config)
{
	config.rate_hz = 100;
	config.ended = see;
	config.arg = &run;
	run.n_seen = 0;
	run.ticks_seen = 0;
	run.now_ns = 0;
	run.collector = prf_collector_new(&config);
	ck_assert_ptr_nonnull(run.collector);
	made_elf("prog", fg, 2);
	run_make_other("other");
}

void
run_begin_each(void)
{
	run_begin((struct prf_collector_config){.each = PRF_COLLECT_PROGRAM});
}

void
run_check_sums(const struct prf_profile *profile, uint64_t ticks)
{
	struct prf_count in_programs = {0};

	made_check_sums(profile, ticks);
	ck_assert_uint_eq(prf_tree_sum(&profile->tree).ticks, ticks);
	for (size_t i = 0; i < profile->programs.n; i++)
		prf_count_merge(&in_programs, &profile->programs.rows[i].count);
	ck_assert_uint_eq(in_programs.ticks, ticks);
	ck_assert_double_eq_tol(in_programs.squares, profile->total.squares,
				1e-6);
}

void
run_finish(uint64_t ticks)
{
	run_check_sums(made_finish(run.collector), ticks);
}

void
run_end(void)
{
	run.collector->base.ops->free(&run.collector->base);
}

int
run_try_exec(pid_t pid, const char *name)
{
	struct prf_mapping map = made_mapping(name, AT);
	const struct prf_exec exec = {
		.pid = pid,
		.path = map.path,
		.command = name,
		.inode = map.inode,
		.addr_bytes = 8,
		.time_ns = run.now_ns,
	};
	int rc = run.collector->base.ops->exec(&run.collector->base, &exec);

	map.pid = pid;
	return rc ? rc
		  : run.collector->base.ops->mapping(&run.collector->base,
						     &map);
}

void
run_exec(pid_t pid, const char *name)
{
	ck_assert_int_eq(run_try_exec(pid, name), 0);
}

int
run_try_life(enum prf_life_kind kind, pid_t pid, pid_t tid, pid_t parent)
{
	const struct prf_life life = {
		.kind = kind,
		.pid = pid,
		.tid = tid,
		.parent = parent,
		.time_ns = run.now_ns,
		.name = kind == PRF_LIFE_END ? "thread" : "",
	};

	return prf_sink_life(&run.collector->base, &life);
}

void
run_fork(pid_t parent, pid_t pid)
{
	ck_assert_int_eq(run_try_life(PRF_LIFE_FORK, pid, pid, parent), 0);
}

void
run_exit(pid_t pid)
{
	ck_assert_int_eq(run_try_life(PRF_LIFE_EXIT, pid, pid, 0), 0);
}

int
run_try_ticks(pid_t pid, pid_t tid, uint64_t addr, uint32_t ticks)
{
	const struct prf_frame frame = {addr, PRF_FRAME_PC};
	const struct prf_sample sample = {
		.pid = pid,
		.tid = tid,
		.time_ns = run.now_ns,
		.ticks = ticks,
		.syscall = PRF_NO_SYSCALL,
		.n_frames = 1,
		.frames = &frame,
	};

	return run.collector->base.ops->sample(&run.collector->base, &sample);
}

void
run_ticks(pid_t pid, uint64_t addr, uint32_t n)
{
	ck_assert_int_eq(run_try_ticks(pid, pid, addr, n), 0);
}

void
run_map(pid_t pid, struct prf_mapping map)
{
	map.pid = pid;
	ck_assert_int_eq(
		run.collector->base.ops->mapping(&run.collector->base, &map),
		0);
}

void
run_map_jit(pid_t pid)
{
	run_map(pid, (struct prf_mapping){.kind = PRF_MAPPING_ANON,
					  .addr = JIT,
					  .size = 0x1000,
					  .path = ""});
}

struct prf_profile *
run_snapshot(void)
{
	struct prf_profile *profile = NULL;
	struct prf_error err = {0};

	ck_assert_msg(!prf_collector_snapshot(run.collector, &profile, &err),
		      "%s", err.text);
	return profile;
}

/* --- Its tests */

void
run_add_case(Suite *suite, const char *name, void (*add)(TCase *tcase))
{
	TCase *tcase = tcase_create(name);

	tcase_set_timeout(tcase, 120);
	tcase_add_checked_fixture(tcase, made_begin, made_end);
	add(tcase);
	suite_add_tcase(suite, tcase);
}
