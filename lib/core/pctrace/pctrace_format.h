/* pctrace_format.h - the constants of pctrace(5), which writer and reader
 * share.  All fixed numbers are little-endian, on any machine. */
#ifndef PRF_CORE_PCTRACE_PCTRACE_FORMAT_H
#define PRF_CORE_PCTRACE_PCTRACE_FORMAT_H

#include <stdint.h>

/* The file's header: this text, version and flags of 2 bytes each, and the
 * checksum of these 12 bytes. */
#define PRF_PCTRACE_MAGIC "\x89pctrace"
enum {
	PRF_PCTRACE_MAGIC_BYTES = 8,
	PRF_PCTRACE_VERSION = 3,
	PRF_PCTRACE_OLDEST_VERSION = 1, /* that can be read */
	PRF_PCTRACE_VERSION_OFF = 8,
	PRF_PCTRACE_FLAGS_OFF = 10,
	PRF_PCTRACE_SUM_OFF = 12,
	PRF_PCTRACE_HEADER_BYTES = 16,
};

/* A block's header, before its payload. */
#define PRF_PCTRACE_MARKER "\xb5PCB"
enum {
	PRF_PCTRACE_MARKER_BYTES = 4,
	PRF_PCTRACE_BLOCK_BYTES_OFF = 4,       /* 4: of the payload */
	PRF_PCTRACE_BLOCK_TIME_OFF = 8,        /* 8: where its times begin */
	PRF_PCTRACE_BLOCK_EVENTS_OFF = 16,     /* 8: in all blocks before */
	PRF_PCTRACE_BLOCK_TICKS_OFF = 24,      /* 8: in all blocks before */
	PRF_PCTRACE_BLOCK_SUM_OFF = 32,        /* 4: checksum of the payload */
	PRF_PCTRACE_BLOCK_HEADER_SUM_OFF = 36, /* 4: of the bytes before */
	PRF_PCTRACE_BLOCK_HEADER_BYTES = 40,
};

/* A record begins with its type; unless it is a sample, its length follows. */
enum prf_pctrace_type {
	PRF_PCTRACE_INFO = 1,
	PRF_PCTRACE_EXEC = 2,
	PRF_PCTRACE_MAPPING = 3,
	PRF_PCTRACE_LIFE = 4,
	PRF_PCTRACE_FIGURE = 5,
	PRF_PCTRACE_END = 6,
	PRF_PCTRACE_AGAIN = 7,     /* repeats records of the block before */
	PRF_PCTRACE_KERNEL = 8,    /* belongs to the sample that follows */
	PRF_PCTRACE_SAMPLE = 0x80, /* or any type above; its bits: */
};
enum {
	PRF_PCTRACE_ADDR_SHIFT = 0, /* 2 bits: which recent address is near */
	PRF_PCTRACE_STEP_SHIFT = 2, /* 2 bits: which recent step of time */
	PRF_PCTRACE_HAS_THREAD = 0x10, /* another than the sample before */
	PRF_PCTRACE_HAS_TICKS = 0x20,  /* the same */
	PRF_PCTRACE_HAS_MORE = 0x40,   /* a byte of these follows: */
	PRF_PCTRACE_HAS_SYSCALL = 0x01,
	PRF_PCTRACE_HAS_STACK = 0x02,
	PRF_PCTRACE_ALL_CERTAIN = 0x04,  /* all ticks of this sample are */
	PRF_PCTRACE_SOME_CERTAIN = 0x08, /* some; their number follows */
	PRF_PCTRACE_BLOCKED = 0x10,      /* the thread was */
	PRF_PCTRACE_END_SHIFT = 5,       /* 3 bits: enum prf_stack_end */
};

/* Limits.  A fuzzer has lower ones, so that it reaches them, and does not spend
 * its time on the memory that the others take. */
#ifndef PRF_FUZZING
enum {
	PRF_PCTRACE_MAX_PAYLOAD_BYTES = 1 << 20,
	PRF_PCTRACE_MAX_STRING_BYTES = 65535,
	PRF_PCTRACE_MAX_FRAMES = 65535, /* of a stack */
	PRF_PCTRACE_MAX_KERNEL = 128, /* functions of the kernel, of a sample */
	PRF_PCTRACE_MAX_THREADS = 4096, /* of a block */
};
#else
enum {
	PRF_PCTRACE_MAX_PAYLOAD_BYTES = 1 << 16,
	PRF_PCTRACE_MAX_STRING_BYTES = 1023,
	PRF_PCTRACE_MAX_FRAMES = 100,
	PRF_PCTRACE_MAX_KERNEL = 16,
	PRF_PCTRACE_MAX_THREADS = 50,
};
#endif
enum {
	PRF_PCTRACE_N_STACKS = 16, /* that are remembered */
	PRF_PCTRACE_MAX_KERNEL_NAME_BYTES = 511,
	PRF_PCTRACE_MAX_BUILD_ID_BYTES = 255,
	PRF_PCTRACE_AGAIN_COMMAND_BYTES = 60,
	/* A block ends when it has more than this. */
	PRF_PCTRACE_BLOCK_BYTES = PRF_PCTRACE_MAX_PAYLOAD_BYTES >> 5,
};

#endif
