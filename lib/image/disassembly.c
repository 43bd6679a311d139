#include "image/disassembly.h"

#include "config.h" /* bfd.h insists */

#include <bfd.h>
#include <dis-asm.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "image/object.h"

/* With the names of addresses; what is longer is cut. */
enum { TEXT_ROOM = 256 };

/* A function is never as long. */
enum { BYTES_MAX = 1 << 26 };

static const struct machine {
	uint16_t machine; /* EM_... */
	enum bfd_architecture arch;
	unsigned long mach;
} machines[] = {
	{EM_X86_64, bfd_arch_i386, bfd_mach_x86_64},
	{EM_386, bfd_arch_i386, bfd_mach_i386_i386},
	{EM_AARCH64, bfd_arch_aarch64, bfd_mach_aarch64},
	{EM_ARM, bfd_arch_arm, 0},
	{EM_PPC64, bfd_arch_powerpc, bfd_mach_ppc64},
	{EM_RISCV, bfd_arch_riscv, bfd_mach_riscv64},
	{EM_S390, bfd_arch_s390, bfd_mach_s390_64},
};

/* The text of the instruction at hand. */
struct text {
	char bytes[TEXT_ROOM];
	size_t n;
	const struct prf_disassembly *wanted;
};

/* --- What libopcodes calls */

static int PRF_PRINTF(2, 0)
	append(struct text *text, const char *fmt, va_list args)
{
	size_t room = sizeof text->bytes - text->n;
	int n = vsnprintf(text->bytes + text->n, room, fmt, args);

	if (n > 0)
		text->n += (size_t)n < room ? (size_t)n : room - 1;
	return n;
}

static int PRF_PRINTF(2, 3) print_plain(void *stream, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	int n = append(stream, fmt, args);
	va_end(args);
	return n;
}

#ifdef HAVE_STYLED_OPCODES
static int PRF_PRINTF(3, 4)
	print_styled(void *stream, enum disassembler_style style,
		     const char *fmt, ...)
{
	va_list args;

	(void)style;
	va_start(args, fmt);
	int n = append(stream, fmt, args);
	va_end(args);
	return n;
}
#endif

/* "1234 <main+0x12>" */
static void
print_address(bfd_vma vaddr, struct disassemble_info *info)
{
	struct text *text = info->stream;
	const struct prf_disassembly *wanted = text->wanted;
	uint64_t begin = 0;
	const char *name = wanted->name_of
				   ? wanted->name_of(wanted->arg, vaddr, &begin)
				   : NULL;

	print_plain(text, "%" PRIx64, (uint64_t)vaddr);
	if (name && vaddr == begin)
		print_plain(text, " <%s>", name);
	else if (name)
		print_plain(text, " <%s+0x%" PRIx64 ">", name, vaddr - begin);
}

static void
ignore_error(int status, bfd_vma vaddr, struct disassemble_info *info)
{
	(void)status;
	(void)vaddr;
	(void)info;
}

/* --- Bytes to text */

static disassembler_ftype
begin_text(struct disassemble_info *info, struct text *text,
	   const struct prf_object *object)
{
	bool is_big = object->ehdr.e_ident[EI_DATA] == ELFDATA2MSB;
	const struct machine *machine = machines;
	const struct machine *end =
		machines + sizeof machines / sizeof *machines;

	while (machine < end && machine->machine != object->ehdr.e_machine)
		machine++;
	if (machine == end)
		return NULL;
#ifdef HAVE_STYLED_OPCODES
	init_disassemble_info(info, text, print_plain, print_styled);
#else
	init_disassemble_info(info, text, print_plain);
#endif
	info->arch = machine->arch;
	info->mach = machine->mach;
	info->endian = is_big ? BFD_ENDIAN_BIG : BFD_ENDIAN_LITTLE;
	info->endian_code = info->endian;
	info->print_address_func = print_address;
	info->memory_error_func = ignore_error;
	disassemble_init_for_target(info);
	return disassembler(info->arch, is_big, info->mach, NULL);
}

/* Some instructions end in blanks, which a comment would follow. */
static void
trim(struct text *text)
{
	while (text->n > 0 && text->bytes[text->n - 1] == ' ')
		text->n--;
	text->bytes[text->n] = '\0';
}

static int
visit_all(struct disassemble_info *info, disassembler_ftype print,
	  struct text *text, uint64_t lo, uint64_t hi)
{
	int rc = 0;

	for (uint64_t at = lo; rc == 0 && at < hi;) {
		text->n = 0;
		text->bytes[0] = '\0';
		int n = print(at, info);
		if (n <= 0) {
			text->n = 0;
			print_plain(text, "(bad)");
			n = 1;
		}
		if ((uint64_t)n > hi - at)
			n = (int)(hi - at);
		trim(text);
		const struct prf_instruction instruction = {
			.vaddr = at,
			.n_bytes = (unsigned)n,
			.text = text->bytes,
		};
		rc = text->wanted->visit(text->wanted->arg, &instruction);
		at += (uint64_t)n;
	}
	return rc;
}

static int
disassemble(struct prf_object *object, uint64_t lo, uint64_t hi,
	    const struct prf_disassembly *wanted, struct prf_error *err)
{
	struct text text = {.wanted = wanted};
	struct disassemble_info info;
	uint64_t off, room;
	Elf_Data *data = NULL;

	if (lo < hi && hi - lo <= BYTES_MAX &&
	    prf_object_offset_of(object, lo, &off, &room) && hi - lo <= room)
		data = prf_object_data_at(object, off, hi - lo, ELF_T_BYTE);
	if (!data)
		return prf_error_set(err, -EINVAL,
				     "%s: has no bytes from 0x%" PRIx64
				     " to 0x%" PRIx64,
				     object->path, lo, hi);
	disassembler_ftype print = begin_text(&info, &text, object);
	if (!print)
		return prf_error_set(err, -ENOTSUP,
				     "%s: libopcodes does not know its machine",
				     object->path);
	info.buffer = data->d_buf;
	info.buffer_vma = lo;
	info.buffer_length = (size_t)(hi - lo);
	int rc = visit_all(&info, print, &text, lo, hi);
	disassemble_free_target(&info);
	return rc;
}

int
prf_disassemble(int fd, const char *path, uint64_t lo, uint64_t hi,
		const struct prf_disassembly *wanted, struct prf_error *err)
{
	struct prf_object object;
	int rc = prf_object_open_fd(&object, fd, path, err);

	if (rc != 0)
		return rc;
	rc = disassemble(&object, lo, hi, wanted, err);
	prf_object_close(&object);
	return rc;
}
