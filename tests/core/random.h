/* random.h - numbers that are the same in every run, unless PRF_TEST_SEED
 * says otherwise; a failing test prints what it was. */
#ifndef PRF_TESTS_CORE_RANDOM_H
#define PRF_TESTS_CORE_RANDOM_H

#include <stdint.h>
#include <stdlib.h>

struct random {
	uint64_t seed, state;
};

/* How a message names what failed: RANDOM_WHERE with RANDOM_IS(random). */
#define RANDOM_WHERE "PRF_TEST_SEED=%llu: "
#define RANDOM_IS(random) ((unsigned long long)(random)->seed)

static inline struct random
random_begin(void)
{
	const char *given = getenv("PRF_TEST_SEED");
	uint64_t seed = given ? strtoull(given, NULL, 0) : 20240229;

	return (struct random){.seed = seed, .state = seed};
}

static inline uint64_t
random_next(struct random *random)
{
	uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* 0 to bound - 1. */
static inline uint64_t
random_below(struct random *random, uint64_t bound)
{
	return random_next(random) % bound;
}

/* A number of any size: each number of bits is as likely as the others. */
static inline uint64_t
random_of_any_size(struct random *random)
{
	uint64_t bits = random_below(random, 65);

	return bits == 0 ? 0 : random_next(random) >> (64 - bits);
}

#endif
