/* An ELF file: its call frame information, and stacks unwound by it, of which
 * the memory is the file again. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "image/cfi.h"
#include "image/fdes.h"
#include "unwind/unwind.h"

/* So many functions are looked at, and so many rows of each; stacks grow no
 * longer. */
enum { FUNCTIONS = 32, ROWS = 32, FRAMES = 64 };

struct bytes {
	const uint8_t *bytes;
	size_t n;
};

static void
must(bool ok)
{
	if (!ok)
		abort();
}

static bool
read_bytes(void *arg, uint64_t addr, void *to, size_t n)
{
	const struct bytes *all = arg;

	if (addr > all->n || n > all->n - addr)
		return false;
	memcpy(to, all->bytes + addr, n);
	return true;
}

static struct prf_cfi *
find(void *arg, uint64_t addr, uint64_t *bias)
{
	(void)addr;
	*bias = 0;
	return arg;
}

/* What cfi_row.h promises of a row. */
static void
check_row(const struct prf_cfi_row *row)
{
	must(row->cfa.how == PRF_CFI_REGISTER ||
	     row->cfa.how == PRF_CFI_IS_EXPRESSION);
	must(row->return_register < PRF_CFI_REGISTERS);
	must(row->n_rules <= PRF_CFI_REGISTERS);
	for (size_t i = 0; i < row->n_rules; i++) {
		must(row->rules[i].how != PRF_CFI_SAME);
		must(row->rules[i].of < PRF_CFI_REGISTERS);
		must(i == 0 || row->rules[i - 1].of < row->rules[i].of);
	}
}

static void
unwind_from(struct prf_cfi *cfi, struct bytes *memory, uint64_t pc)
{
	const struct prf_machine *machine =
		prf_machine_of(prf_cfi_machine(cfi));
	struct prf_unwind unwind = {
		.machine = machine,
		.memory = {.read = read_bytes, .arg = memory},
		.find = find,
		.find_arg = cfi,
	};
	struct prf_registers registers = {.pc = pc};
	struct prf_frame frames[FRAMES];
	uint32_t n;

	if (!machine)
		return;
	for (unsigned i = 0; i < PRF_CFI_REGISTERS; i++)
		prf_registers_set(&registers, i, i * 8);
	enum prf_stack_end end =
		prf_unwind_stack(&unwind, &registers, frames, FRAMES, &n);
	must(n >= 1 && n <= FRAMES);
	must(end > PRF_STACK_NONE && end < PRF_N_STACK_ENDS);
}

static void
check_function(struct prf_cfi *cfi, struct bytes *memory,
	       const struct prf_fde *fde)
{
	for (uint64_t i = 0; i < ROWS && fde->lo + i < fde->hi; i++) {
		const struct prf_cfi_row *row = prf_cfi_row(cfi, fde->lo + i);

		if (!row)
			continue;
		check_row(row);
		must(prf_cfi_row(cfi, fde->lo + i) == row);
		unwind_from(cfi, memory, fde->lo + i);
	}
}

/* The functions, as the other reader of .eh_frame finds them. */
static struct prf_fdes
find_functions(const uint8_t *bytes, size_t n_bytes)
{
	struct prf_object object;
	struct prf_fdes fdes = {0};
	struct prf_error err = {0};

	if (prf_object_open_memory(&object, bytes, n_bytes, "fuzz", &err) != 0)
		return fdes;
	if (prf_fdes_read(&fdes, &object, &err) != 0)
		fdes = (struct prf_fdes){0};
	prf_object_close(&object);
	return fdes;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
	struct bytes memory = {bytes, n_bytes};
	struct prf_cfi *cfi = NULL;
	struct prf_error err = {0};

	if (prf_cfi_open_memory(bytes, n_bytes, "fuzz", NULL, &cfi, &err)) {
		must(err.code < 0 && err.text[0]);
		return 0;
	}
	struct prf_fdes fdes = find_functions(bytes, n_bytes);
	for (size_t i = 0; i < fdes.n && i < FUNCTIONS; i++)
		check_function(cfi, &memory, &fdes.all[i]);
	prf_fdes_free(&fdes);
	prf_cfi_close(cfi);
	return 0;
}
