/* Stacks of this program itself: each function on the way has noted where it
 * will return to, and that is the truth. */
#include "support/elf_builder.h"
#include "support/elf_frames.h"
#include "support/suite.h"
#include "unwind/here.h"
#include "unwind/unwind.h"

#include <dwarf.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { FRAMES_MAX = 512, OBJECTS_MAX = 64, DEPTH = 40 };

#define APART __attribute__((noinline))

/* One object that this program has loaded. */
struct object {
	uint64_t bias;
	int fd;
	struct prf_cfi *cfi; /* NULL: the vDSO's */
};

struct objects {
	struct object all[OBJECTS_MAX];
	size_t n;
	uint64_t wanted; /* an address of the object that is looked for */
	struct object *found;
};

static void
open_object(struct object *object, const char *path)
{
	struct prf_error err = {0};

	object->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (object->fd >= 0)
		ck_assert_msg(prf_cfi_open_fd(object->fd, path, NULL, NULL,
					      &object->cfi, &err) == 0,
			      "%s", err.text);
}

static void
close_object(struct object *object)
{
	prf_cfi_close(object->cfi);
	if (object->fd >= 0)
		close(object->fd);
}

static struct object *
object_of(struct objects *objects, const struct dl_phdr_info *info)
{
	for (size_t i = 0; i < objects->n; i++)
		if (objects->all[i].bias == info->dlpi_addr)
			return &objects->all[i];
	ck_assert_uint_lt(objects->n, OBJECTS_MAX);
	struct object *object = &objects->all[objects->n++];
	*object = (struct object){.bias = info->dlpi_addr};
	open_object(object,
		    info->dlpi_name[0] ? info->dlpi_name : "/proc/self/exe");
	return object;
}

static int
match(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct objects *objects = arg;

	(void)size;
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *phdr = &info->dlpi_phdr[i];

		if (phdr->p_type != PT_LOAD ||
		    objects->wanted - info->dlpi_addr - phdr->p_vaddr >=
			    phdr->p_memsz)
			continue;
		objects->found = object_of(objects, info);
		return 1;
	}
	return 0;
}

static struct prf_cfi *
find(void *arg, uint64_t addr, uint64_t *bias)
{
	struct objects *objects = arg;

	objects->wanted = addr;
	if (!dl_iterate_phdr(match, objects))
		return NULL;
	*bias = objects->found->bias;
	return objects->found->cfi;
}

static bool
read_self(void *arg, uint64_t addr, void *to, size_t n)
{
	return pread(*(int *)arg, to, n, (off_t)addr) == (ssize_t)n;
}

/* Where a handler returns to may have no CFI (aarch64's vDSO), and is known by its
 * instructions.  Nothing else is to be guessed. */
static size_t
text_of_self(void *arg, uint64_t addr, void *to, size_t n)
{
	struct iovec here = {to, n}, there = {(void *)(uintptr_t)addr, n};
	ssize_t n_read = process_vm_readv(getpid(), &here, 1, &there, 1, 0);

	(void)arg;
	return n_read < 0 ? 0 : (size_t)n_read;
}

static bool
no_function(void *arg, uint64_t addr, uint64_t *start)
{
	(void)arg;
	(void)addr;
	(void)start;
	return false;
}

static uint64_t
no_entry(void *arg, uint64_t addr)
{
	(void)arg;
	(void)addr;
	return 0;
}

static bool
nothing_is_made(void *arg, uint64_t addr)
{
	(void)arg;
	(void)addr;
	return false;
}

static bool
all_is_mapped(void *arg, uint64_t addr)
{
	(void)arg;
	(void)addr;
	return true;
}

static const struct prf_unwind_code own_code = {
	.is_mapped = all_is_mapped,
	.text = text_of_self,
	.function = no_function,
	.entry = no_entry,
	.is_made = nothing_is_made,
};

/* What is known to be true, and what was seen. */
static uint64_t returns[FRAMES_MAX]; /* outermost first */
static size_t n_returns;
static struct prf_frame frames[FRAMES_MAX];
static uint32_t n_frames, room = FRAMES_MAX;
static enum prf_stack_end end;

static uint64_t
return_address(void *address)
{
	return (uint64_t)__builtin_extract_return_addr(address);
}

#define NOTE_RETURN()                                                          \
	(returns[n_returns++] = return_address(__builtin_return_address(0)))

/* Keeps a call from being the last thing of its function. */
static volatile int kept;

static APART void
look(void)
{
	struct objects objects = {.n = 0};
	int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	struct prf_unwind unwind = {
		.machine = prf_machine_of(THIS_MACHINE),
		.memory = {.read = read_self, .arg = &memory},
		.find = find,
		.find_arg = &objects,
		.code = &own_code,
	};
	ucontext_t context;

	NOTE_RETURN();
	ck_assert_int_ge(memory, 0);
	getcontext(&context);
	struct prf_registers registers = registers_of(&context);
	end = prf_unwind_stack(&unwind, &registers, frames, room, &n_frames);
	for (size_t i = 0; i < objects.n; i++)
		close_object(&objects.all[i]);
	close(memory);
}

/* The truth is in the stack: each of its addresses, in order. */
static void
check_truth(void)
{
	size_t left = n_returns;

	for (uint32_t i = 1; i < n_frames && left > 0; i++)
		left -= frames[i].addr == returns[left - 1] &&
			frames[i].kind == PRF_FRAME_RETURN;
	ck_assert_msg(left == 0, "%zu of %zu are not in a stack of %u", left,
		      n_returns, n_frames);
}

static APART void
recurse(int depth)
{
	volatile char space[40];

	NOTE_RETURN();
	space[depth % 40] = (char)depth;
	if (depth == 0)
		look();
	else
		recurse(depth - 1);
	kept += space[depth % 40];
}

START_TEST(a_recursion_is_seen_frame_by_frame)
{
	recurse(DEPTH);
	ck_assert_int_eq(end, PRF_STACK_COMPLETE);
	ck_assert_uint_eq(n_returns, DEPTH + 2);
	ck_assert_uint_eq(frames[0].kind, PRF_FRAME_PC);
	for (size_t i = 0; i < n_returns; i++) {
		ck_assert_uint_eq(frames[1 + i].addr,
				  returns[n_returns - 1 - i]);
		ck_assert_uint_eq(frames[1 + i].kind, PRF_FRAME_RETURN);
	}
}
END_TEST

START_TEST(no_more_frames_are_taken_than_there_is_room_for)
{
	room = 10;
	recurse(DEPTH);
	ck_assert_int_eq(end, PRF_STACK_LIMIT);
	ck_assert_uint_eq(n_frames, 10);
}
END_TEST

static int
compare(const void *a, const void *b)
{
	if (n_frames == 0) {
		NOTE_RETURN();
		look();
	}
	return *(const int *)a - *(const int *)b;
}

static APART void
sort(void)
{
	int numbers[] = {3, 1, 2, 7, 5};

	NOTE_RETURN();
	qsort(numbers, 5, sizeof *numbers, compare);
	kept += numbers[0];
}

START_TEST(a_callback_is_seen_through_the_library)
{
	sort();
	ck_assert_int_eq(end, PRF_STACK_COMPLETE);
	check_truth();
	/* Between the two are qsort's own. */
	ck_assert_uint_eq(frames[1].addr, returns[2]);
	ck_assert_uint_eq(frames[2].addr, returns[1]);
	ck_assert_uint_ne(frames[3].addr, returns[0]);
}
END_TEST

static void
handle(int number)
{
	(void)number;
	look();
	kept++;
}

static APART void
interrupted(void)
{
	NOTE_RETURN();
	raise(SIGUSR1);
	kept++;
}

START_TEST(what_a_signal_interrupted_is_seen_through_its_handler)
{
	static char other_stack[0x20000];
	stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof other_stack};
	struct sigaction action = {.sa_handler = handle,
				   .sa_flags = _i ? SA_ONSTACK : 0};
	uint32_t n_at_instruction = 0;

	ck_assert_int_eq(sigaltstack(&stack, NULL), 0);
	ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
	interrupted();
	ck_assert_int_eq(end, PRF_STACK_COMPLETE);
	check_truth();
	for (uint32_t i = 1; i < n_frames; i++)
		n_at_instruction += frames[i].kind == PRF_FRAME_PC;
	/* What was interrupted, and where the handler returns to. */
	ck_assert_uint_eq(n_at_instruction, 2);
}
END_TEST

/* A made-up program: two functions, and a stack that is all forged. */

/* The last one has no CFI. */
enum {
	TEXT = 0x10000,
	OTHER_TEXT = 0x20000,
	SIGNAL_TEXT = 0x30000,
	BARE_TEXT = 0x50000,
};

/* Of its rows; NULL: none is kept. */
static struct prf_cfi_cache *cache;

static const uint8_t common[] = {DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1};

static struct prf_cfi *
cfi_of(const struct elf_frames *made)
{
	static const struct elf_kind kind = {ELFCLASS64, ELFDATA2LSB, EM_X86_64,
					     ET_DYN};
	size_t n, size;
	uint8_t *bytes = elf_frames_build(&kind, made, &n);
	struct elf_builder *builder = elf_builder_new(&kind);
	struct prf_error err = {0};
	struct prf_cfi *cfi = NULL;

	elf_builder_section(builder, &(struct elf_section){.name = ".eh_frame",
							   .bytes = bytes,
							   .size = n});
	char *file = elf_builder_finish(builder, &size);
	ck_assert_msg(
		prf_cfi_open_memory(file, size, "made", cache, &cfi, &err) == 0,
		"%s", err.text);
	elf_builder_free(builder);
	free(bytes);
	free(file);
	return cfi;
}

static struct prf_cfi *
made_cfi(const char *augmentation)
{
	/* rsp is the one below the CFA. */
	static const uint8_t own[] = {DW_CFA_expression, 7, 2, DW_OP_lit8,
				      DW_OP_plus};
	static const struct elf_fde fde[] = {{TEXT, 0x100}};
	bool forged = augmentation != NULL;
	static const uint8_t encoding[] = {DW_EH_PE_absptr};
	const struct elf_frames made = {.encoding = DW_EH_PE_absptr,
					.augmentation = augmentation,
					.data = encoding,
					.data_size = 1,
					.common = common,
					.common_size = sizeof common,
					.own = own,
					.own_size = forged ? sizeof own : 0,
					.fdes = fde,
					.n_fdes = 1};

	return cfi_of(&made);
}

static struct prf_cfi *
find_made(void *arg, uint64_t addr, uint64_t *bias)
{
	*bias = addr & ~(uint64_t)0xffff;
	*bias -= TEXT;
	return addr >= TEXT && addr < 0x40000 ? arg : NULL;
}

/* 64 bytes at 0x1000. */
static bool
read_made(void *arg, uint64_t addr, void *to, size_t n)
{
	const uint64_t *words = arg;

	if (addr < 0x1000 || addr > 0x1000 + 64 - n)
		return false;
	memcpy(to, (const char *)words + (addr - 0x1000), n);
	return true;
}

/* All of WORDS, of which there are FRAMES_MAX. */
static bool
read_many(void *arg, uint64_t addr, void *to, size_t n)
{
	if (addr < 0x1000 || addr > 0x1000 + FRAMES_MAX * 8 - n)
		return false;
	memcpy(to, (const char *)arg + (addr - 0x1000), n);
	return true;
}

static enum prf_stack_end
unwind_by(const struct prf_unwind_code *code, struct prf_cfi *cfi,
	  const uint64_t *words, uint64_t pc)
{
	struct prf_unwind unwind = {
		.machine = prf_machine_of(EM_X86_64),
		.memory = {.read = read_many, .arg = (void *)words},
		.find = find_made,
		.find_arg = cfi,
		.code = code,
	};
	struct prf_registers registers = {.pc = pc};

	prf_registers_set(&registers, 7, 0x1000);
	return prf_unwind_stack(&unwind, &registers, frames, FRAMES_MAX,
				&n_frames);
}

static enum prf_stack_end
unwind_made_with(const struct prf_unwind_code *code, const char *augmentation,
		 const uint64_t *words, uint64_t pc)
{
	struct prf_cfi *cfi = made_cfi(augmentation);
	struct prf_unwind unwind = {
		.machine = prf_machine_of(EM_X86_64),
		.memory = {.read = read_made, .arg = (void *)words},
		.find = find_made,
		.find_arg = cfi,
		.code = code,
	};
	struct prf_registers registers = {.pc = pc};

	prf_registers_set(&registers, 7, 0x1000);
	enum prf_stack_end made_end = prf_unwind_stack(
		&unwind, &registers, frames, FRAMES_MAX, &n_frames);
	prf_cfi_close(cfi);
	return made_end;
}

static enum prf_stack_end
unwind_made(const char *augmentation, const uint64_t *words, uint64_t pc)
{
	return unwind_made_with(NULL, augmentation, words, pc);
}

/* A function that pushes something, of which its CFI knows nothing. */
static size_t
pushing_text(void *arg, uint64_t addr, void *to, size_t n)
{
	static const uint8_t pushes[] = {0x50, 0x90}, calls[] = {0xff, 0xd0};
	uint8_t *bytes = to;

	(void)arg;
	if ((addr < TEXT || addr >= OTHER_TEXT + 0x100) &&
	    (addr < BARE_TEXT || addr >= BARE_TEXT + 0x100))
		return 0;
	for (size_t i = 0; i < n; i++)
		bytes[i] = addr + i >= OTHER_TEXT ? calls[(addr + i) % 2]
			   : addr + i == TEXT     ? pushes[0]
						  : pushes[1];
	return n;
}

static bool
only_function(void *arg, uint64_t addr, uint64_t *start)
{
	(void)arg;
	*start = TEXT;
	return addr < OTHER_TEXT;
}

static bool
made_is_mapped(void *arg, uint64_t addr)
{
	(void)arg;
	return addr < BARE_TEXT + 0x10000;
}

START_TEST(cfi_that_leads_to_no_code_is_not_believed)
{
	static const struct prf_unwind_code code = {
		.is_mapped = made_is_mapped,
		.text = pushing_text,
		.function = only_function,
		.entry = no_entry,
		.is_made = nothing_is_made,
	};
	static const uint64_t words[8] = {0x90000, OTHER_TEXT + 4, 0};

	ck_assert_int_eq(unwind_made_with(NULL, NULL, words, TEXT + 4),
			 PRF_STACK_NO_CFI);
	ck_assert_int_eq(unwind_made_with(&code, NULL, words, TEXT + 4),
			 PRF_STACK_COMPLETE);
	ck_assert_uint_eq(n_frames, 2);
	ck_assert_uint_eq(frames[1].addr, OTHER_TEXT + 4);
	ck_assert_int_eq(frames[1].kind, PRF_FRAME_GUESSED);
}
END_TEST

/* What is mapped at 0x90000, or will soon be told of, is read from no file. */
START_TEST(cfi_that_leads_to_what_cannot_be_read_is_believed)
{
	const struct prf_unwind_code code = {
		.is_mapped = _i ? made_is_mapped : all_is_mapped,
		.text = pushing_text,
		.function = only_function,
		.entry = no_entry,
		.is_made = nothing_is_made,
	};
	/* What a function has left there that was called before. */
	static const uint64_t words[8] = {0x90000, 0x90000, OTHER_TEXT + 4};

	unwind_made_with(&code, NULL, words, TEXT + 4);
	ck_assert_uint_ge(n_frames, 2);
	ck_assert_uint_eq(frames[1].addr, 0x90000);
	ck_assert_int_eq(frames[1].kind, PRF_FRAME_RETURN);
}
END_TEST

START_TEST(cfi_that_leads_to_code_without_any_is_believed)
{
	static const struct prf_unwind_code code = {
		.is_mapped = all_is_mapped,
		.text = pushing_text,
		.function = only_function,
		.entry = no_entry,
		.is_made = nothing_is_made,
	};
	static const uint64_t words[8] = {BARE_TEXT + 4, OTHER_TEXT + 4};

	unwind_made_with(&code, NULL, words, TEXT + 4);
	ck_assert_uint_ge(n_frames, 2);
	ck_assert_uint_eq(frames[1].addr, BARE_TEXT + 4);
	ck_assert_int_eq(frames[1].kind, PRF_FRAME_RETURN);
}
END_TEST

START_TEST(only_a_frame_that_is_guessed_is_marked)
{
	static const struct prf_unwind_code code = {
		.is_mapped = all_is_mapped,
		.text = pushing_text,
		.function = only_function,
		.entry = no_entry,
		.is_made = nothing_is_made,
	};
	static const uint64_t words[8] = {OTHER_TEXT + 4, OTHER_TEXT + 6,
					  OTHER_TEXT + 8, 0};

	ck_assert_int_eq(unwind_made_with(&code, NULL, words, BARE_TEXT + 4),
			 PRF_STACK_COMPLETE);
	ck_assert_uint_eq(n_frames, 4);
	for (uint32_t i = 1; i < 4; i++) {
		ck_assert_uint_eq(frames[i].addr, words[i - 1]);
		ck_assert_int_eq(frames[i].kind,
				 i == 1 ? PRF_FRAME_GUESSED : PRF_FRAME_RETURN);
	}
}
END_TEST

/* From TEXT + 0xf9 on: the end of the made-up program's function, and right behind
 * it where a handler returns to. */
static uint8_t sigreturn_text[] = {0x90, 0x90, 0x90, 0x90, 0x90, 0x90,
				   0x90, 0x48, 0xc7, 0xc0, 15,   0,
				   0,    0,    0x0f, 0x05};

static size_t
read_sigreturn(void *arg, uint64_t addr, void *to, size_t n)
{
	const uint64_t at = addr - (TEXT + 0xf9);

	(void)arg;
	if (at >= sizeof sigreturn_text || n > sizeof sigreturn_text - at)
		return 0;
	memcpy(to, sigreturn_text + at, n);
	return n;
}

/* (1) Its last instruction is a call, which does not return. */
START_TEST(a_handler_may_return_to_right_behind_another_function)
{
	static const struct prf_unwind_code code = {
		.is_mapped = all_is_mapped,
		.text = read_sigreturn,
		.function = no_function,
		.entry = no_entry,
		.is_made = nothing_is_made,
	};
	enum { CONTEXT = 1, KEPT_RSP = 20, KEPT_RIP = 21 };
	static uint64_t words[FRAMES_MAX] = {
		[0] = TEXT + 0x100,
		[1] = OTHER_TEXT + 8,
		[CONTEXT + KEPT_RSP] = 0x1000 + 8 * 100,
		[CONTEXT + KEPT_RIP] = OTHER_TEXT + 4,
	};
	struct prf_cfi *cfi = made_cfi(NULL);

	if (_i)
		sigreturn_text[2] = 0xe8;
	ck_assert_int_eq(unwind_by(&code, cfi, words, TEXT + 4),
			 PRF_STACK_COMPLETE);
	ck_assert_uint_eq(n_frames, 3);
	ck_assert_uint_eq(frames[1].addr, TEXT + 0x100);
	ck_assert_uint_eq(frames[2].addr, OTHER_TEXT + (_i ? 8 : 4));
	for (uint32_t i = 1; i < 3; i++)
		ck_assert_int_eq(frames[i].kind,
				 _i ? PRF_FRAME_RETURN : PRF_FRAME_PC);
	prf_cfi_close(cfi);
}
END_TEST

/* For a signal, as large as those of the made-up program. */
static const union {
	struct prf_cfi_row row;
	char room[sizeof(struct prf_cfi_row) + sizeof(struct prf_cfi_rule)];
} other_row = {.row = {.cfa = {.how = PRF_CFI_REGISTER, .other = 7},
		       .return_register = 16,
		       .signal_frame = true,
		       .n_rules = 1}};

static void
keep_other_row(void *arg, uint64_t addr, const struct prf_cfi_row *row)
{
	(void)arg;
	(void)row;
	prf_cfi_cache_add(cache, prf_cfi_cache_add_file(cache), addr,
			  &other_row.row);
}

static bool
no_kept_row(void *arg, uint64_t addr, const struct prf_cfi_row **row)
{
	(void)arg;
	(void)addr;
	(void)row;
	return false;
}

/* There is room for one. */
START_TEST(a_guess_may_throw_away_the_row_of_its_frame)
{
	static const struct prf_unwind_code code = {
		.is_mapped = nothing_is_made,
		.text = pushing_text,
		.function = only_function,
		.entry = no_entry,
		.is_made = nothing_is_made,
		.kept_row = no_kept_row,
		.keep_row = keep_other_row,
	};
	static const uint64_t words[8] = {0x90000, 0x90000};
	const struct prf_cfi_rows none = {0};
	struct prf_cfi_cache own = {
		.max_bytes = prf_cfi_rows_need(&none, &other_row.row)};

	cache = &own;
	ck_assert_int_eq(unwind_made_with(&code, NULL, words, TEXT + 4),
			 PRF_STACK_NO_CFI);
	ck_assert_uint_eq(own.n_cleared, 1);
	ck_assert_uint_eq(n_frames, 2);
	ck_assert_uint_eq(frames[1].addr, 0x90000);
	ck_assert_int_eq(frames[1].kind, PRF_FRAME_RETURN);
	prf_cfi_cache_free(&own);
	cache = NULL;
}
END_TEST

START_TEST(each_end_has_its_reason)
{
	/* Return addresses; the last instruction of a function is a call. */
	static const uint64_t complete[8] = {TEXT + 0x100, OTHER_TEXT + 1, 0};
	/* In a page that was not there. */
	static const uint64_t absent[8] = {TEXT + 1,
					   UINT64_C(0xf5f5f5f5f5f5f5f5)};
	static const uint64_t nowhere[8] = {TEXT + 1, 0x90000};
	static const uint64_t arguments[8] = {TEXT + 1, 1};
	static const uint64_t long_one[8] = {TEXT + 1, TEXT + 2, TEXT + 3,
					     TEXT + 4, TEXT + 5, TEXT + 6,
					     TEXT + 7, TEXT + 8};
	static const struct {
		const uint64_t *words;
		uint64_t pc;
		enum prf_stack_end end;
		uint32_t n;
	} cases[] = {
		{complete, TEXT, PRF_STACK_COMPLETE, 3},
		{absent, TEXT, PRF_STACK_MEMORY, 2},
		{nowhere, TEXT, PRF_STACK_NO_CFI, 3},
		{arguments, TEXT, PRF_STACK_COMPLETE, 2},
		{long_one, TEXT, PRF_STACK_MEMORY, 9},
		{long_one, 0, PRF_STACK_NO_CFI, 1},
		{long_one, UINT64_MAX, PRF_STACK_NO_CFI, 1},
		{long_one, TEXT + 0x100, PRF_STACK_NO_CFI, 1},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ck_assert_int_eq(unwind_made(NULL, cases[i].words, cases[i].pc),
				 cases[i].end);
		ck_assert_uint_eq(n_frames, cases[i].n);
	}
}
END_TEST

START_TEST(a_forged_stack_ends)
{
	/* The caller's stack pointer is where it was, as it may be once. */
	static const uint64_t back[8] = {TEXT + 1, 0, 0x1000};

	ck_assert_int_eq(unwind_made("zR", back, TEXT), PRF_STACK_LOOP);
	ck_assert_uint_eq(n_frames, 2);
	/* What signals interrupt may be anywhere, but not for ever. */
	ck_assert_int_eq(unwind_made("zRS", back, TEXT), PRF_STACK_LIMIT);
	ck_assert_uint_eq(n_frames, FRAMES_MAX);
	ck_assert_int_eq(frames[7].kind, PRF_FRAME_PC);
}
END_TEST

/* A million bytes of instructions have to be read for all of the frames. */
START_TEST(a_stack_of_large_cfi_programs_has_a_limit)
{
	static uint64_t words[FRAMES_MAX];
	static uint8_t own[60000];
	static const struct elf_fde fde[] = {{TEXT, 0x10000}};
	struct prf_cfi_cache rows = {.max_bytes = 1 << 20};
	struct prf_cfi *cfi;

	memset(own, DW_CFA_nop, sizeof own);
	for (size_t i = 0; i < FRAMES_MAX; i++)
		words[i] = TEXT + 0x8000 + i;
	cache = &rows;
	cfi = cfi_of(&(struct elf_frames){.encoding = DW_EH_PE_absptr,
					  .common = common,
					  .common_size = sizeof common,
					  .own = own,
					  .own_size = sizeof own,
					  .fdes = fde,
					  .n_fdes = 1});
	ck_assert_int_eq(unwind_by(NULL, cfi, words, TEXT), PRF_STACK_LIMIT);
	ck_assert_uint_gt(n_frames, 4);
	ck_assert_uint_lt(n_frames, 20);
	ck_assert_uint_lt(prf_cfi_stats(cfi).n_program_bytes,
			  PRF_UNWIND_WORK + sizeof own + 100);
	/* What was read is kept: a second stack comes farther. */
	uint32_t n_first = n_frames;
	ck_assert_int_eq(unwind_by(NULL, cfi, words, TEXT), PRF_STACK_LIMIT);
	ck_assert_uint_gt(n_frames, n_first);
	prf_cfi_close(cfi);
	prf_cfi_cache_free(&rows);
	cache = NULL;
}
END_TEST

/* All of a frame's registers have expressions that turn in a loop. */
START_TEST(a_stack_of_long_expressions_has_a_limit)
{
	/* But for the stack pointer and the return address. */
	enum { REGISTERS = 30, SP = 7, RETURN = 16, OPERATIONS = 64 };
	static uint64_t words[FRAMES_MAX];
	static uint8_t own[REGISTERS][6];
	static const struct elf_fde fde[] = {{TEXT, 0x10000}};
	struct prf_cfi_cache rows = {.max_bytes = 1 << 20};
	struct prf_cfi *cfi;

	for (unsigned i = 0, reg = 0; i < REGISTERS; reg++)
		if (reg != SP && reg != RETURN)
			memcpy(own[i++],
			       (const uint8_t[]){DW_CFA_val_expression,
						 (uint8_t)reg, 3, DW_OP_skip,
						 0xfd, 0xff},
			       sizeof own[0]);
	for (size_t i = 0; i < FRAMES_MAX; i++)
		words[i] = TEXT + 1;
	cache = &rows;
	cfi = cfi_of(&(struct elf_frames){.encoding = DW_EH_PE_absptr,
					  .common = common,
					  .common_size = sizeof common,
					  .own = own,
					  .own_size = sizeof own,
					  .fdes = fde,
					  .n_fdes = 1});
	ck_assert_int_eq(unwind_by(NULL, cfi, words, TEXT), PRF_STACK_LIMIT);
	ck_assert_uint_le(n_frames,
			  PRF_UNWIND_WORK / (REGISTERS * OPERATIONS) + 1);
	ck_assert_uint_gt(n_frames,
			  PRF_UNWIND_WORK / (REGISTERS * OPERATIONS) - 10);
	prf_cfi_close(cfi);
	prf_cfi_cache_free(&rows);
	cache = NULL;
}
END_TEST

START_TEST(code_of_another_machine_has_no_rows)
{
	struct prf_cfi *cfi = made_cfi(NULL);
	static const uint64_t words[8] = {TEXT + 1};
	struct prf_unwind unwind = {
		.machine = prf_machine_of(EM_AARCH64),
		.memory = {.read = read_made, .arg = (void *)words},
		.find = find_made,
		.find_arg = cfi,
	};
	struct prf_registers registers = {.pc = TEXT};

	prf_registers_set(&registers, 31, 0x1000);
	ck_assert_int_eq(prf_unwind_stack(&unwind, &registers, frames,
					  FRAMES_MAX, &n_frames),
			 PRF_STACK_NO_CFI);
	prf_cfi_close(cfi);
}
END_TEST

Suite *
prf_suite(void)
{
	Suite *suite = suite_create("unwind");
	TCase *tcase = tcase_create("unwind");

	if (HAVE_TRUTH) {
		tcase_add_test(tcase, a_recursion_is_seen_frame_by_frame);
		tcase_add_test(tcase,
			       no_more_frames_are_taken_than_there_is_room_for);
		tcase_add_test(tcase, a_callback_is_seen_through_the_library);
		tcase_add_loop_test(
			tcase,
			what_a_signal_interrupted_is_seen_through_its_handler,
			0, 2);
	}
	tcase_add_test(tcase, each_end_has_its_reason);
	tcase_add_test(tcase, cfi_that_leads_to_no_code_is_not_believed);
	tcase_add_loop_test(
		tcase, cfi_that_leads_to_what_cannot_be_read_is_believed, 0, 2);
	tcase_add_test(tcase, cfi_that_leads_to_code_without_any_is_believed);
	tcase_add_test(tcase, a_guess_may_throw_away_the_row_of_its_frame);
	tcase_add_test(tcase, only_a_frame_that_is_guessed_is_marked);
	tcase_add_loop_test(
		tcase, a_handler_may_return_to_right_behind_another_function, 0,
		2);
	tcase_add_test(tcase, a_forged_stack_ends);
	tcase_add_test(tcase, a_stack_of_large_cfi_programs_has_a_limit);
	tcase_add_test(tcase, a_stack_of_long_expressions_has_a_limit);
	tcase_add_test(tcase, code_of_another_machine_has_no_rows);
	suite_add_tcase(suite, tcase);
	return suite;
}
