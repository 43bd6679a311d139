#include "profile/made_calls.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct elf_symbol abc[] = {
	{"a", 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{"b", 0x1100, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{"c", 0x1200, 0x100, STB_GLOBAL, STT_FUNC, 1},
	{"d", 0x1300, 0xd00, STB_GLOBAL, STT_FUNC, 1},
};
static const struct elf_symbol qsort_symbols[] = {
	{"q", 0x1000, 0x1000, STB_GLOBAL, STT_FUNC, 1},
};

struct prf_collector *run;

void
calls_begin_with(struct prf_collector_config config)
{
	config.call_graph = true;
	run = made_run(&config);
	made_elf("prog", abc, 4);
	made_elf("lib", qsort_symbols, 1);
	made_exec(run, "prog");
	made_map(run, "prog", AT);
	made_map(run, "lib", LIB);
	made_map_kind(run, PRF_MAPPING_ANON, JIT, 0x10000);
}

void
calls_begin(void)
{
	made_begin();
	calls_begin_with((struct prf_collector_config){0});
}

void
calls_end(void)
{
	made_run_free(run);
	made_end();
}

uint64_t
calls_addr_of(char letter)
{
	switch (letter) {
	case 'q':
		return LIB;
	case 'j':
		return JIT;
	case 'k':
		return JIT + 0x100;
	case '?':
		return 0x1234;
	default:
		return AT + FUNCTION(letter);
	}
}

void
calls_sample(const char *path, uint32_t ticks, int32_t syscall,
	     enum prf_stack_end stack_end)
{
	struct prf_frame frames[64];
	uint32_t n = 0;
	struct prf_sample made = {
		.pid = MADE_PID,
		.tid = MADE_PID,
		.ticks = ticks,
		.syscall = syscall,
		.end = stack_end,
		.frames = frames,
	};

	for (size_t i = strlen(path); i-- > 0;) {
		if (path[i] == '!') {
			frames[n - 1].kind = PRF_FRAME_GUESSED;
			continue;
		}
		frames[n].addr = calls_addr_of(path[i]) + 0x10 + n;
		frames[n].kind = n ? PRF_FRAME_RETURN : PRF_FRAME_PC;
		n++;
	}
	made.n_frames = n;
	made_sample(run, &made);
}

void
calls_add(const char *path, uint32_t ticks)
{
	calls_sample(path, ticks, PRF_NO_SYSCALL, PRF_STACK_COMPLETE);
}

/* --- What is there */

char calls_text[4096];

void
calls_put(const char *format, ...)
{
	va_list args;
	size_t used = strlen(calls_text);

	va_start(args, format);
	vsnprintf(calls_text + used, sizeof calls_text - used, format, args);
	va_end(args);
}

struct prf_call_graph
calls_graph_of(const struct prf_profile *profile)
{
	struct prf_call_graph graph;

	ck_assert_int_eq(prf_call_graph_of(profile, &graph), 0);
	calls_text[0] = '\0';
	return graph;
}

/* Each function: "name=self/total ". */
static void
check_functions_of(const struct prf_profile *profile, const char *expected)
{
	struct prf_call_graph graph = calls_graph_of(profile);

	for (size_t i = 0; i < graph.n_functions; i++)
		calls_put("%s=%" PRIu64 "/%" PRIu64 " ",
			  graph.functions[i].name,
			  graph.functions[i].self.ticks,
			  graph.functions[i].total.ticks);
	prf_call_graph_clear(&graph);
	ck_assert_str_eq(calls_text, expected);
}

static void
put_node(const struct prf_call_graph *graph, size_t at)
{
	const struct prf_call_node *node = &graph->nodes[at];

	calls_put("%s%s%" PRIu64, node->guessed ? "!" : "",
		  graph->functions[node->function].name, node->total.ticks);
	if (node->child == PRF_CALL_NONE)
		return;
	calls_put("(");
	for (at = node->child; at != PRF_CALL_NONE;
	     at = graph->nodes[at].sibling)
		put_node(graph, at);
	calls_put(")");
}

void
calls_put_tree(const struct prf_call_graph *graph)
{
	for (size_t at = graph->nodes[0].child; at != PRF_CALL_NONE;
	     at = graph->nodes[at].sibling)
		put_node(graph, at);
}

void
calls_check_tree_of(const struct prf_profile *profile, const char *expected)
{
	struct prf_call_graph graph = calls_graph_of(profile);

	calls_put_tree(&graph);
	ck_assert_uint_eq(graph.nodes[0].total.ticks, profile->total.ticks);
	prf_call_graph_clear(&graph);
	ck_assert_str_eq(calls_text, expected);
}

void
calls_check_functions(const char *expected)
{
	check_functions_of(made_finish(run), expected);
}

void
calls_check_tree(const char *expected)
{
	calls_check_tree_of(made_finish(run), expected);
}
