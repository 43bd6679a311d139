/* syscall_table.h - what <sys/syscall.h> has, as data; made when profrun is
 * built (see local.mk). */
#ifndef PRF_IMAGE_SYSCALL_TABLE_H
#define PRF_IMAGE_SYSCALL_TABLE_H

struct prf_syscall {
	int number;
	const char *name;
};

/* In the order of the names; the name of the last is NULL. */
extern const struct prf_syscall prf_syscall_table[];

#endif
