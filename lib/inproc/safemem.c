#include "inproc/safemem.h"

#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define WORD_BYTES 4
#define MIN_PAGE_BYTES 4096

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	       "which half of a word a counter is");

/* Was it forbidden, rather than impossible? */
static bool
is_forbidden(long result)
{
	return result < 0 && errno != EFAULT;
}

/* --- Asking first. */

/* Waits for a word that has another value, or for no time at all: either way
 * the kernel has read it, or could not. */
static bool
is_readable(uintptr_t addr)
{
	const struct timespec at_once = {0};
	uintptr_t word = addr - addr % WORD_BYTES;

	return syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, &at_once) == 0 ||
	       errno != EFAULT;
}

/* The kernel adds OPERAND, as FUTEX_OP_ARG_SHIFT says, to a word: atomically,
 * and nobody is woken. */
static int
add_to_word(uintptr_t word, unsigned operation, unsigned operand)
{
	static uint32_t nobody;
	uint32_t encoded = FUTEX_OP(operation, operand, FUTEX_OP_CMP_EQ, 0);

	if (syscall(SYS_futex, &nobody, FUTEX_WAKE_OP_PRIVATE, 0, 0, word,
		    encoded) < 0)
		return -EFAULT;
	return 0;
}

bool
prf_safemem_is_writable(uintptr_t addr)
{
	return add_to_word(addr - addr % WORD_BYTES, FUTEX_OP_ADD, 0) == 0;
}

/* One byte of each page. */
static bool
all_pages(uintptr_t addr, size_t size_bytes, bool (*are_fine)(uintptr_t addr))
{
	uintptr_t last = addr + size_bytes - 1;

	for (uintptr_t at = addr; at < last;
	     at += MIN_PAGE_BYTES - at % MIN_PAGE_BYTES)
		if (!are_fine(at))
			return false;
	return are_fine(last);
}

/* --- Copying.
 *
 * The counts and the flags are long, for syscall() takes whatever lies in the
 * upper half of an int's place on the stack, and flags must be 0. */

int
prf_safemem_read(void *to, uintptr_t from, size_t size_bytes)
{
	struct iovec local = {to, size_bytes};
	struct iovec remote = {(void *)from, size_bytes};

	if (size_bytes == 0)
		return 0;
	long n = syscall(SYS_process_vm_readv, getpid(), &local, 1UL, &remote,
			 1UL, 0UL);
	if (!is_forbidden(n))
		return n == (long)size_bytes ? 0 : -EFAULT;
	if (!all_pages(from, size_bytes, is_readable))
		return -EFAULT;
	memcpy(to, (const void *)from, size_bytes);
	return 0;
}

int
prf_safemem_write(uintptr_t to, const void *from, size_t size_bytes)
{
	struct iovec local = {(void *)(uintptr_t)from, size_bytes};
	struct iovec remote = {(void *)to, size_bytes};

	if (size_bytes == 0)
		return 0;
	long n = syscall(SYS_process_vm_writev, getpid(), &local, 1UL, &remote,
			 1UL, 0UL);
	if (!is_forbidden(n))
		return n == (long)size_bytes ? 0 : -EFAULT;
	if (!all_pages(to, size_bytes, prf_safemem_is_writable))
		return -EFAULT;
	memcpy((void *)to, from, size_bytes);
	return 0;
}

/* --- A buffer. */

static bool
has_byte(uintptr_t addr)
{
	char byte;

	return prf_safemem_read(&byte, addr, sizeof byte) == 0;
}

/* The ends first: a size that is far too large is known at once. */
bool
prf_safemem_is_buffer(uintptr_t addr, size_t size_bytes)
{
	return size_bytes - 1 <= UINTPTR_MAX - addr &&
	       prf_safemem_is_writable(addr) &&
	       prf_safemem_is_writable(addr + size_bytes - 1) &&
	       all_pages(addr, size_bytes, has_byte);
}

/* --- Adding. */

/* Adds AMOUNT, modulo 2^32.  What does not fit an operand goes bit by bit, the
 * highest first: so an overflow comes last, if at all. */
static int
add(uintptr_t word, uint32_t amount)
{
	const unsigned max_operand = 2047; /* 12 bits, one is the sign */

	for (int bit = 31; bit >= 0 && amount > max_operand; bit--) {
		if (!(amount >> bit & 1))
			continue;
		if (add_to_word(word, FUTEX_OP_ADD | FUTEX_OP_OPARG_SHIFT,
				(unsigned)bit) < 0)
			return -EFAULT;
		amount -= UINT32_C(1) << bit;
	}
	return amount ? add_to_word(word, FUTEX_OP_ADD, amount) : 0;
}

/* Half a word: the other half is somebody else's, and 0 is added to it. */
static int
add_to_half(uintptr_t addr, uint16_t before, uint16_t after)
{
	unsigned shift = addr % WORD_BYTES ? 16 : 0;

	return add(addr - addr % WORD_BYTES, (uint32_t)(after - before)
						     << shift);
}

static int
add_to_counter(uintptr_t addr, unsigned width_bytes, uint64_t before,
	       uint64_t after)
{
	if (width_bytes == 2)
		return add_to_half(addr, (uint16_t)before, (uint16_t)after);

	int rc = add(addr, (uint32_t)(after - before));
	if (rc < 0 || width_bytes == 4)
		return rc;
	return add(addr + WORD_BYTES,
		   (uint32_t)(after >> 32) - (uint32_t)(before >> 32));
}

/* --- Near the top of what is added to.
 *
 * A thread that adds there may find that another process has filled the counter
 * meanwhile, and would carry: out of the counter, into the neighbour, or once
 * more into the upper half of 8 bytes.  The kernel has no compare-and-exchange
 * for us, so the page is mapped once more, where no other thread can take it
 * away, and the processor's own is used.  Memory that only this process has
 * cannot be had twice, and need not. */

/* What others may add while one of them is between reading and adding. */
#define TOP_TICKS 4096

/* 8 bytes are added to by halves. */
static bool
may_carry(unsigned width_bytes, uint64_t before, uint64_t after)
{
	uint64_t max = width_bytes == 2 ? UINT16_MAX : UINT32_MAX;

	return (after & max) < (before & max) ||
	       (after & max) > max - TOP_TICKS;
}

/* The page again; or NULL if it is private, or cannot be had. */
static char *
map_again(uintptr_t page, size_t page_bytes)
{
	long at = syscall(SYS_mremap, page, 0UL, page_bytes,
			  (unsigned long)MREMAP_MAYMOVE, 0UL);

	return at < 0 ? NULL : (char *)at;
}

/* One instruction, of one width. */
#define EXCHANGE(type, counter, before, after)                                 \
	__atomic_compare_exchange_n((type *)(counter),                         \
				    &(type){(type)(before)}, (type)(after),    \
				    false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)

static int
exchange(void *counter, unsigned width_bytes, uint64_t before, uint64_t after)
{
	if (!prf_safemem_is_writable((uintptr_t)counter))
		return -EFAULT;
	bool is_done =
		width_bytes == 2   ? EXCHANGE(uint16_t, counter, before, after)
		: width_bytes == 4 ? EXCHANGE(uint32_t, counter, before, after)
				   : EXCHANGE(uint64_t, counter, before, after);
	return is_done ? 0 : -EAGAIN;
}

/* -ENOTSUP if nobody shares the memory. */
static int
exchange_shared(uintptr_t addr, unsigned width_bytes, uint64_t before,
		uint64_t after)
{
	size_t page_bytes = (size_t)getpagesize();
	char *page = map_again(addr - addr % page_bytes, page_bytes);

	if (!page)
		return -ENOTSUP;
	int rc = exchange(page + addr % page_bytes, width_bytes, before, after);
	syscall(SYS_munmap, page, page_bytes);
	return rc;
}

int
prf_safemem_change(uintptr_t addr, unsigned width_bytes, uint64_t before,
		   uint64_t after)
{
	if (addr % width_bytes)
		return prf_safemem_write(addr, &after, width_bytes);
	if (may_carry(width_bytes, before, after)) {
		int rc = exchange_shared(addr, width_bytes, before, after);
		if (rc != -ENOTSUP)
			return rc;
	}
	/* Half a word that becomes less would carry into the other half. */
	if (width_bytes == 2 && after < before)
		return prf_safemem_write(addr, &after, width_bytes);
	return add_to_counter(addr, width_bytes, before, after);
}
