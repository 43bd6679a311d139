#include "image/stub.h"

#include <elf.h>
#include <string.h>

static uint32_t
le32(const uint8_t *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
}

static bool
starts_with(const uint8_t *code, size_t size, const char *bytes, size_t n)
{
	return size >= n && memcmp(code, bytes, n) == 0;
}

/* The lazy half of a pair:  endbr; push $NUMBER; jmp PLT0.  On i386 the number
 * is the offset of an Elf32_Rel, which has 8 bytes. */
static bool
decode_x86_push(const struct prf_stub_context *context, const uint8_t *code,
		size_t size, struct prf_stub *stub)
{
	if (size < 16 || code[4] != 0x68)
		return false;
	stub->by_number = true;
	stub->target = le32(code + 5);
	if (context->machine == EM_386)
		stub->target /= 8;
	stub->size_bytes = 16;
	return true;
}

/* How many bytes tell the number of a relocation before the jump, as mold has
 * it:  mov $NUMBER, %r11d  or, on i386,  mov $NUMBER, %ecx.  Else 0. */
static size_t
number_bytes(const struct prf_stub_context *context, const uint8_t *code,
	     size_t size)
{
	if (context->machine == EM_386)
		return starts_with(code, size, "\xb9", 1) ? 5 : 0;
	return starts_with(code, size, "\x41\xbb", 2) ? 6 : 0;
}

/*  jmp *SLOT, which is 16 bytes long if something stands before it or it goes on
 *  with push $NUMBER, and else 8 unless the section says 16. */
static bool
decode_x86(const struct prf_stub_context *context, const uint8_t *code,
	   size_t size, uint64_t vaddr, struct prf_stub *stub)
{
	size_t at = 0;

	if (starts_with(code, size, "\xf3\x0f\x1e\xfa", 4) ||
	    starts_with(code, size, "\xf3\x0f\x1e\xfb", 4)) {
		if (decode_x86_push(context, code, size, stub))
			return true;
		at = 4;
	}
	if (at < size && code[at] == 0xf2) /* bnd */
		at++;
	else if (at < size)
		at += number_bytes(context, code + at, size - at);
	if (size < at + 6 || code[at] != 0xff)
		return false;

	uint64_t displacement = (uint64_t)(int64_t)(int32_t)le32(code + at + 2);
	if (code[at + 1] == 0x25)
		stub->target = context->machine == EM_386
				       ? (uint32_t)displacement
				       : vaddr + at + 6 + displacement;
	else if (code[at + 1] == 0xa3 && context->machine == EM_386)
		stub->target = (uint32_t)(context->got_vaddr + displacement);
	else
		return false;
	bool pushes = at + 6 < size && code[at + 6] == 0x68;
	stub->by_number = false;
	stub->size_bytes =
		at >= 4 || pushes || context->entry_bytes == 16 ? 16 : 8;
	return true;
}

/*  [bti c;] adrp x16, PAGE; ldr x17, [x16, #OFFSET]; ...; br x17; [nop...]
 *  The instructions are little-endian on every aarch64. */
static bool
decode_aarch64(const uint8_t *code, size_t size, uint64_t vaddr,
	       struct prf_stub *stub)
{
	enum { BTI_C = 0xd503245f, BR_X17 = 0xd61f0220, WORDS_MAX = 6 };
	size_t at = size >= 4 && le32(code) == (uint32_t)BTI_C ? 4 : 0;

	if (size < at + 12)
		return false;
	uint32_t adrp = le32(code + at), ldr = le32(code + at + 4);
	if ((adrp & 0x9f00001f) != 0x90000010 ||
	    (ldr & 0xffc003ff) != 0xf9400211)
		return false;

	uint64_t pages = (adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3);
	if (pages & 0x100000)
		pages |= ~(uint64_t)0x1fffff;
	stub->target = ((vaddr + at) & ~(uint64_t)0xfff) + (pages << 12) +
		       (ldr >> 10 & 0xfff) * 8;
	stub->by_number = false;

	size_t words = at / 4 + 2;
	while (words < WORDS_MAX && (words + 1) * 4 <= size &&
	       le32(code + words * 4) != (uint32_t)BR_X17)
		words++;
	/* Stubs are 16 or 24 bytes, filled up with nop. */
	stub->size_bytes = words + 1 <= 4 ? 16 : 24;
	return true;
}

bool
prf_stub_decode(const struct prf_stub_context *context, const uint8_t *code,
		size_t size, uint64_t vaddr, struct prf_stub *stub)
{
	*stub = (struct prf_stub){.vaddr = vaddr};

	bool found = context->machine == EM_AARCH64
			     ? decode_aarch64(code, size, vaddr, stub)
			     : decode_x86(context, code, size, vaddr, stub);
	if (found && stub->size_bytes > size)
		stub->size_bytes = (uint32_t)size;
	return found;
}

size_t
prf_stub_step(uint16_t machine)
{
	switch (machine) {
	case EM_X86_64:
	case EM_386:
		return 8;
	case EM_AARCH64:
		return 4;
	default:
		return 0;
	}
}
