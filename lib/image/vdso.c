#include "image/vdso.h"

#include <link.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <unistd.h>

/* Where SIZE bytes from OFF on end, if that is above END. */
static uint64_t
reach(uint64_t end, uint64_t off, uint64_t size)
{
	return off + size > end ? off + size : end;
}

/* How much memory it takes, as its own headers tell.  They come from the kernel,
 * and are believed. */
static uint64_t
size_of(const ElfW(Ehdr) * ehdr)
{
	const ElfW(Phdr) *phdrs =
		(const void *)((const char *)ehdr + ehdr->e_phoff);
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t end = (uint64_t)ehdr->e_shnum * ehdr->e_shentsize;

	end = ehdr->e_shoff ? reach(0, ehdr->e_shoff, end) : 0;
	for (size_t i = 0; i < ehdr->e_phnum; i++)
		if (phdrs[i].p_type == PT_LOAD)
			end = reach(end, phdrs[i].p_offset, phdrs[i].p_filesz);
	return (end + page - 1) & ~(page - 1);
}

const void *
prf_vdso(size_t *size)
{
	const void *vdso = (const void *)getauxval(AT_SYSINFO_EHDR);

	*size = vdso ? (size_t)size_of(vdso) : 0;
	return vdso;
}
