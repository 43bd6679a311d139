#include "live/ring/call_number.h"

#include <string.h>
#include <unistd.h>

#include "core/sample.h"
#include "live/arch.h"
#include "live/proc/memory.h"
#include "live/stopped/mapwatch.h"
#include "support/suite.h"

/* --- What instructions tell */

struct text {
	uint8_t bytes[64];
	size_t n;
	int number_register;
	struct prf_call_origin origin;
};

#define SYSCALL PRF_CALL_NUMBER_REGISTER

#ifdef __x86_64__
enum { RSI = 6, RDI = 7 };

/* Each begins where a function may. */
static const struct text texts[] = {
	/* nop; mov $217, %eax; syscall */
	{{0x90, 0xb8, 0xd9, 0, 0, 0, 0x0f, 0x05},
	 8,
	 SYSCALL,
	 {PRF_CALL_NUMBER, 217}},
	/* xor %eax, %eax; syscall */
	{{0x31, 0xc0, 0x0f, 0x05}, 4, SYSCALL, {PRF_CALL_NUMBER, 0}},
	/* mov $39, %rax; syscall */
	{{0x48, 0xc7, 0xc0, 0x27, 0, 0, 0, 0x0f, 0x05},
	 9,
	 SYSCALL,
	 {PRF_CALL_NUMBER, 39}},
	/* mov $202, %eax; xor %r10d, %r10d; mov $128, %esi; syscall */
	{{0xb8, 0xca, 0, 0, 0, 0x45, 0x31, 0xd2, 0xbe, 0x80, 0, 0, 0, 0x0f,
	  0x05},
	 15,
	 SYSCALL,
	 {PRF_CALL_NUMBER, 202}},
	/* mov $202, %eax; xor %r8d, %r8d; syscall */
	{{0xb8, 0xca, 0, 0, 0, 0x45, 0x31, 0xc0, 0x0f, 0x05},
	 10,
	 SYSCALL,
	 {PRF_CALL_NUMBER, 202}},
	/* mov $9, %eax; mov $3, %r8d; syscall */
	{{0xb8, 9, 0, 0, 0, 0x41, 0xb8, 3, 0, 0, 0, 0x0f, 0x05},
	 13,
	 SYSCALL,
	 {PRF_CALL_NUMBER, 9}},
	/* mov $3, %r8d; syscall */
	{{0x41, 0xb8, 3, 0, 0, 0, 0x0f, 0x05},
	 8,
	 SYSCALL,
	 {.kind = PRF_CALL_UNKNOWN}},
	/* mov %rdi, %rax; mov %rsi, %rdi; syscall */
	{{0x48, 0x89, 0xf8, 0x48, 0x89, 0xf7, 0x0f, 0x05},
	 8,
	 SYSCALL,
	 {PRF_CALL_PARAMETER, RDI}},
	/* endbr64; mov %rdi, %rax; syscall */
	{{0xf3, 0x0f, 0x1e, 0xfa, 0x48, 0x89, 0xf8, 0x0f, 0x05},
	 9,
	 SYSCALL,
	 {PRF_CALL_PARAMETER, RDI}},
	/* push %rbx; mov %rdi, %rax; syscall: no return address is there. */
	{{0x53, 0x48, 0x89, 0xf8, 0x0f, 0x05},
	 6,
	 SYSCALL,
	 {.kind = PRF_CALL_UNKNOWN}},
	/* mov %rdi, %rax; push %rbx; syscall */
	{{0x48, 0x89, 0xf8, 0x53, 0x0f, 0x05},
	 6,
	 SYSCALL,
	 {.kind = PRF_CALL_UNKNOWN}},
	/* mov %rsp, %rax; syscall */
	{{0x48, 0x89, 0xe0, 0x0f, 0x05},
	 5,
	 SYSCALL,
	 {.kind = PRF_CALL_UNKNOWN}},
	/* mov $1, %eax; ret; mov %rdi, %rax; syscall */
	{{0xb8, 1, 0, 0, 0, 0xc3, 0x48, 0x89, 0xf8, 0x0f, 0x05},
	 11,
	 SYSCALL,
	 {.kind = PRF_CALL_UNKNOWN}},
	/* mov $1, %eax; push %rbx; mov %rdi, %rax; syscall */
	{{0xb8, 1, 0, 0, 0, 0x53, 0x48, 0x89, 0xf8, 0x0f, 0x05},
	 11,
	 SYSCALL,
	 {.kind = PRF_CALL_UNKNOWN}},
	/* mov 16(%rsp), %rax; syscall */
	{{0x48, 0x8b, 0x44, 0x24, 0x10, 0x0f, 0x05},
	 7,
	 SYSCALL,
	 {PRF_CALL_STACK, 16}},
	/* mov (%rsp), %eax; syscall */
	{{0x8b, 0x04, 0x24, 0x0f, 0x05}, 5, SYSCALL, {PRF_CALL_STACK, 0}},
	/* mov -8(%rsp), %rax; syscall */
	{{0x48, 0x8b, 0x44, 0x24, 0xf8, 0x0f, 0x05},
	 7,
	 SYSCALL,
	 {.kind = PRF_CALL_UNKNOWN}},
	/* mov $1, %eax; mov %rsp, %rax; syscall */
	{{0xb8, 1, 0, 0, 0, 0x48, 0x89, 0xe0, 0x0f, 0x05},
	 10,
	 SYSCALL,
	 {.kind = PRF_CALL_UNKNOWN}},
	/* mov $1, %eax; mov -8(%rsp), %rax; syscall */
	{{0xb8, 1, 0, 0, 0, 0x48, 0x8b, 0x44, 0x24, 0xf8, 0x0f, 0x05},
	 12,
	 SYSCALL,
	 {.kind = PRF_CALL_UNKNOWN}},
	/* mov 16(%rsp), %rax; mov 8(%rsp), %r8; syscall */
	{{0x48, 0x8b, 0x44, 0x24, 0x10, 0x4c, 0x8b, 0x44, 0x24, 0x08, 0x0f,
	  0x05},
	 12,
	 SYSCALL,
	 {PRF_CALL_STACK, 16}},
	/* mov 16(%rsp), %rax; push %rbx; syscall */
	{{0x48, 0x8b, 0x44, 0x24, 0x10, 0x53, 0x0f, 0x05},
	 8,
	 SYSCALL,
	 {.kind = PRF_CALL_UNKNOWN}},
	/* mov (%rdi), %eax; testb $8, (%rdi); jne; mov %rdi, %r11;
	 * mov %rsi, %rax; mov %rdx, %rdi; mov %rcx, %rsi; mov %r8, %rdx;
	 * mov %r9, %r10; mov 8(%rsp), %r8; mov 16(%rsp), %r9;
	 * mov %r11, 8(%rsp); syscall */
	{{0x8b, 0x07, 0xf6, 0x07, 0x08, 0x0f, 0x85, 0xd5, 0x4b, 0xff,
	  0xff, 0x49, 0x89, 0xfb, 0x48, 0x89, 0xf0, 0x48, 0x89, 0xd7,
	  0x48, 0x89, 0xce, 0x4c, 0x89, 0xc2, 0x4d, 0x89, 0xca, 0x4c,
	  0x8b, 0x44, 0x24, 0x08, 0x4c, 0x8b, 0x4c, 0x24, 0x10, 0x4c,
	  0x89, 0x5c, 0x24, 0x08, 0x0f, 0x05},
	 46,
	 SYSCALL,
	 {PRF_CALL_PARAMETER, RSI}},
	/* push %r8; mov 32(%rsp), %rsi; mov %rdx, %r8; mov %rdi, %rdx;
	 * mov %r11, %rdi; call */
	{{0x41, 0x50, 0x48, 0x8b, 0x74, 0x24, 0x20, 0x49, 0x89, 0xd0, 0x48,
	  0x89, 0xfa, 0x4c, 0x89, 0xdf, 0xe8, 0x78, 0xb3, 0,    0},
	 21,
	 RSI,
	 {PRF_CALL_STACK, 32}},
	/* mov $186, %edi; xor %eax, %eax; call */
	{{0xbf, 0xba, 0, 0, 0, 0x31, 0xc0, 0xe8, 1, 2, 3, 4},
	 12,
	 RDI,
	 {PRF_CALL_NUMBER, 186}},
	/* mov $186, %edi; call *1(%rip) */
	{{0xbf, 0xba, 0, 0, 0, 0xff, 0x15, 1, 0, 0, 0},
	 11,
	 RDI,
	 {PRF_CALL_NUMBER, 186}},
	/* mov $186, %edi; call; nop: it is no return address. */
	{{0xbf, 0xba, 0, 0, 0, 0xe8, 1, 2, 3, 4, 0x90},
	 11,
	 RDI,
	 {.kind = PRF_CALL_UNKNOWN}},
	{{0x0f, 0x05}, 2, SYSCALL, {.kind = PRF_CALL_UNKNOWN}},
	{{0}, 0, SYSCALL, {.kind = PRF_CALL_UNKNOWN}},
	{{0}, 0, RDI, {.kind = PRF_CALL_UNKNOWN}},
};
#else
enum { R7 = 7, X8 };

/* Of 32-bit programs: in either set of instructions. */
static const struct text texts_32[] = {
	/* svc #0 */
	{{0, 0, 0, 0xef}, 4, SYSCALL, {PRF_CALL_REGISTER, R7}},
	/* movs r7, #3; svc #0 */
	{{0x03, 0x27, 0, 0xdf}, 4, SYSCALL, {PRF_CALL_REGISTER, R7}},
	/* svc #0; nop */
	{{0, 0, 0, 0xef, 0, 0xf0, 0x20, 0xe3},
	 8,
	 SYSCALL,
	 {.kind = PRF_CALL_NONE}},
	/* svc #0; nop */
	{{0, 0xdf, 0, 0xbf}, 4, SYSCALL, {.kind = PRF_CALL_NONE}},
	/* svc #0, as 64-bit programs have it */
	{{0x01, 0, 0, 0xd4}, 4, SYSCALL, {.kind = PRF_CALL_NONE}},
	{{0}, 0, SYSCALL, {.kind = PRF_CALL_UNKNOWN}},
};

static const struct text texts[] = {
	/* svc #0 */
	{{0x01, 0, 0, 0xd4}, 4, SYSCALL, {PRF_CALL_REGISTER, X8}},
	/* svc #0; nop */
	{{0x01, 0, 0, 0xd4, 0x1f, 0x20, 0x03, 0xd5},
	 8,
	 SYSCALL,
	 {.kind = PRF_CALL_NONE}},
	{{0}, 0, SYSCALL, {.kind = PRF_CALL_UNKNOWN}},
};
#endif

static void
check_origin(const struct text *text, uint8_t addr_bytes)
{
	enum { BEGIN = 0x401000 };
	const struct prf_call_text given = {
		.bytes = text->bytes,
		.n_bytes = text->n,
		.end = BEGIN + text->n,
		.addr_bytes = addr_bytes,
	};
	struct prf_call_origin origin =
		prf_arch.call_origin(&given, text->number_register);

	ck_assert_int_eq(origin.kind, text->origin.kind);
	if (origin.kind != PRF_CALL_UNKNOWN && origin.kind != PRF_CALL_NONE)
		ck_assert_int_eq(origin.value, text->origin.value);
}

START_TEST(instructions_tell_where_the_number_of_a_call_comes_from)
{
	check_origin(&texts[_i], 8);
}
END_TEST

/* --- In a process, which is this one */

#ifdef __x86_64__
/* The two ways in which the GNU C library, since 2.41, calls what can be
 * cancelled; and syscall(2).  Nothing of it is run. */
__asm__(".text\n"
	".balign 16\n"
	"alone:\n"
	"	push %rbx\n"
	"	mov 16(%rsp), %rax\n"
	"	syscall\n"
	"after_alone:\n"
	"	pop %rbx\n"
	"	ret\n"
	".balign 16\n"
	"cancellable:\n"
	"	testb $8, (%rdi)\n"
	"	jne alone\n"
	"	mov %rsi, %rax\n"
	"	mov %rdx, %rdi\n"
	"	mov 8(%rsp), %r8\n"
	"	syscall\n"
	"after_cancellable:\n"
	"	ret\n"
	".balign 16\n"
	"any:\n"
	"	mov %rdi, %rax\n"
	"	mov %rsi, %rdi\n"
	"	syscall\n"
	"after_any:\n"
	"	ret\n"
	".balign 16\n"
	"callers:\n"
	"	push %r8\n"
	"	mov 32(%rsp), %rsi\n"
	"	call cancellable\n"
	"behind_cancellable:\n"
	"	mov $39, %edi\n"
	"	call any\n"
	"behind_any:\n"
	"	mov %rbx, %rdi\n"
	"	call any\n"
	"behind_unknown:\n"
	"	ret\n");
extern const char after_alone[], after_cancellable[], after_any[],
	behind_cancellable[], behind_any[], behind_unknown[];

#define TO(label) (uint64_t)(uintptr_t)(label)

static const struct {
	const char *pc;
	const char *caller; /* or NULL: the stack has no return address */
	size_t number_at;   /* words above the stack pointer */
	int number;
	int32_t expected;
} calls[] = {
	{after_alone, NULL, 2, 7, 7},
	{after_alone, NULL, 3, 7, PRF_SOME_SYSCALL},
	{after_alone, NULL, 2, 5000, PRF_SOME_SYSCALL},
	{after_cancellable, behind_cancellable, 5, 7, 7},
	{after_cancellable, NULL, 5, 7, PRF_SOME_SYSCALL},
	{after_any, behind_any, 3, 7, 39},
	{after_any, behind_unknown, 3, 7, PRF_SOME_SYSCALL},
};

START_TEST(the_number_of_a_sampled_call_is_found_on_the_stack)
{
	enum { N_WORDS = 8 };
	static struct prf_call_sites sites;
	struct prf_error err;
	struct prf_process process = {.pid = getpid(), .addr_bytes = 8};
	struct prf_task task = {.tid = getpid(), .process = &process};
	uint64_t stack[N_WORDS];
	struct prf_ring_sample sample = {
		.stack = (const uint8_t *)stack,
		.stack_bytes = sizeof stack,
	};

	memset(stack, 0xff, sizeof stack);
	if (calls[_i].caller)
		stack[0] = TO(calls[_i].caller);
	stack[calls[_i].number_at] = (uint64_t)calls[_i].number;
	ck_assert_int_eq(prf_mapwatch_new(getpid(), &process.maps, &err), 0);
	ck_assert_int_eq(
		prf_call_number(&sites, &task, &sample, TO(calls[_i].pc)),
		calls[_i].expected);

	/* Without that part of the stack it is not known. */
	sample.stack_bytes = 0;
	ck_assert_int_eq(
		prf_call_number(&sites, &task, &sample, TO(calls[_i].pc)),
		PRF_SOME_SYSCALL);
	prf_mapwatch_free(process.maps);
	prf_memory_free(process.memory);
}
END_TEST
#else
START_TEST(so_do_those_of_32_bit_programs)
{
	check_origin(&texts_32[_i], 4);
}
END_TEST

/* (The last two are what 32-bit programs have for a call.) */
__asm__(".text\n"
	"alone:\n"
	"	svc #0\n"
	"after_alone:\n"
	"	ret\n"
	"after_ret:\n"
	"	.inst 0xef000000\n"
	"after_arm:\n"
	"	.inst 0xdf002703\n"
	"after_thumb:\n");
extern const char after_alone[], after_ret[], after_arm[], after_thumb[];

static const struct {
	const char *pc;
	uint8_t addr_bytes;
	uint64_t x8, r7;
	int32_t expected;
} calls[] = {
	{after_alone, 8, 63, 3, 63},
	{after_alone, 8, 5000, 3, PRF_SOME_SYSCALL},
	{after_ret, 8, 63, 3, PRF_PAGE_FAULT},
	{after_arm, 4, 63, 3, 3},
	{after_arm, 4, 63, 0xf0005, PRF_SOME_SYSCALL},
	{after_thumb, 4, 63, 3, 3},
	{after_ret, 4, 63, 3, PRF_PAGE_FAULT},
};

START_TEST(the_number_of_a_sampled_call_is_still_in_its_register)
{
	static struct prf_call_sites sites;
	struct prf_error err;
	struct prf_process process = {.pid = getpid(),
				      .addr_bytes = calls[_i].addr_bytes};
	struct prf_task task = {.tid = getpid(), .process = &process};
	struct prf_ring_sample sample = {0};

	sample.registers[X8] = calls[_i].x8;
	sample.registers[R7] = calls[_i].r7;
	ck_assert_int_eq(prf_mapwatch_new(getpid(), &process.maps, &err), 0);
	ck_assert_int_eq(prf_call_number(&sites, &task, &sample,
					 (uint64_t)(uintptr_t)calls[_i].pc),
			 calls[_i].expected);
	prf_mapwatch_free(process.maps);
	prf_memory_free(process.memory);
}
END_TEST
#define the_number_of_a_sampled_call_is_found_on_the_stack                     \
	the_number_of_a_sampled_call_is_still_in_its_register
#endif

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("call_number");
	TCase *tcase = tcase_create("call_number");

	tcase_add_loop_test(
		tcase, instructions_tell_where_the_number_of_a_call_comes_from,
		0, sizeof texts / sizeof *texts);
#ifdef __aarch64__
	tcase_add_loop_test(tcase, so_do_those_of_32_bit_programs, 0,
			    sizeof texts_32 / sizeof *texts_32);
#endif
	tcase_add_loop_test(tcase,
			    the_number_of_a_sampled_call_is_found_on_the_stack,
			    0, sizeof calls / sizeof *calls);
	suite_add_tcase(suite, tcase);
	return suite;
}
