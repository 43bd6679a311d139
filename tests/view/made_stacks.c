#include "view/made_stacks.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define AT 0x555555555000

const char made_hostile_name[] =
	"</script>\n\"fn=(1) x\\\xff;\033[2Jcalls=9 0\r\n";

static const struct elf_symbol symbols[MADE_N] = {
	[MADE_MAIN] = {"main", 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1},
	[MADE_F] = {"f", 0x1100, 0x100, STB_GLOBAL, STT_FUNC, 1},
	[MADE_G] = {"g", 0x1200, 0x100, STB_GLOBAL, STT_FUNC, 1},
	[MADE_HOSTILE] = {made_hostile_name, 0x1300, 0x100, STB_GLOBAL,
			  STT_FUNC, 1},
	[MADE_TEMPLATE] = {"_ZN1a1bIiEEvT_", 0x1400, 0xc00, STB_GLOBAL,
			   STT_FUNC, 1},
};

static struct prf_collector *run;
static char *text;

void
made_stacks_begin(void)
{
	made_begin();
	run = made_run(&(struct prf_collector_config){
		.call_graph = true, .kernel_apart = true, .threads = true});
	made_elf("prog", symbols, MADE_N);
	made_exec(run, "prog");
	made_map(run, "prog", AT);
}

void
made_stacks_end(void)
{
	free(text);
	text = NULL;
	made_run_free(run);
	made_end();
}

void
made_stacks_add(uint32_t ticks, int32_t number, size_t depth, const int *path)
{
	struct prf_frame frames[16];

	for (size_t i = 0; i < depth; i++)
		frames[i] = (struct prf_frame){
			AT + 0x100 * (uint64_t)path[depth - 1 - i] + 8,
			i ? PRF_FRAME_RETURN : PRF_FRAME_PC,
		};
	made_sample(run, &(const struct prf_sample){
				 .pid = MADE_PID,
				 .tid = MADE_PID,
				 .ticks = ticks,
				 .syscall = number,
				 .end = PRF_STACK_COMPLETE,
				 .n_frames = (uint32_t)depth,
				 .frames = frames,
			 });
}

const char *
made_stacks_written(int (*write)(const struct prf_profile *,
				 const struct prf_export_way *, FILE *,
				 struct prf_error *),
		    const struct prf_export_way *way)
{
	struct prf_error err;
	size_t n_bytes;
	FILE *out = open_memstream(&text, &n_bytes);

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(write(made_finish(run), way, out, &err), 0);
	ck_assert_int_eq(fclose(out), 0);
	/* What is written is text, whatever names are. */
	ck_assert_uint_eq(strlen(text), n_bytes);
	return text;
}

void
made_stacks_has(const char *written, const char *expected)
{
	ck_assert_msg(strstr(written, expected), "no %s in %s", expected,
		      written);
}
